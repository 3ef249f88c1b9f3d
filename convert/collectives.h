/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collectives.h -- which calls of several processes are one collective operation.
 *
 * The n-th operation of a process on a communicator is the n-th of all its processes, unless a recorder was off and missed some.
 * Behind such a gap the calls of a process are compared with those of another one: of the places where functions are the same and
 * calls that synchronize overlap, it is the one where ends differ least. So clocks must agree where there are gaps.
 */
#ifndef TV_COLLECTIVES_H
#define TV_COLLECTIVES_H

#include "trace/trace.h"

struct tv_collective {
	uint32_t comm, process; /* any numbers */
	uint32_t row;		/* of calls; TV_NONE = they are not kept */
	uint32_t name;		/* label of its function */
	uint32_t gaps;		/* of its thread before it */
	int64_t start, end;	/* ns */
	int64_t root;		/* the caller's */
	int64_t sequence;	/* set by tv_collectives_number, as what follows */
	bool synchronizes;	/* nobody ends before all have begun */
	bool after_gap;
	size_t run_end; /* place of the first one behind the next gap */
};

/* Sets Sequence of n calls, from 0 in each communicator; sorts them, and says how many operations are missing in gaps.
 * Cost: that of sorting; where there are gaps, also operations times processes. */
void tv_collectives_number(struct tv_trace *trace, struct tv_collective *call, size_t n);

#endif
