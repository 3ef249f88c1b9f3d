/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equal_calls.h -- whether the calls of MPI at a place in the program move as much each, and how long they take. */
#ifndef TV_EQUAL_CALLS_H
#define TV_EQUAL_CALLS_H

#include "analysis/calls/calls.h"

struct tv_equal_calls {
	bool equal; /* they move as much each */
	int64_t n,
		size; /* their number; the bytes of each, TV_NO_NUMBER = it has none (MPI_Barrier) */
	int64_t min, max; /* the shortest and the longest, ns */
};

/*
 * The calls of a function at a place (labels; site TV_NONE = it has none) by all ranks; of one with a root by that rank alone, as roots
 * and others do not take the same time. Waits move what their requests do and are compared from the begin of the first one, if the
 * rank computes for no more than a tenth of the time meanwhile. Cost O(calls + requests).
 */
struct tv_equal_calls tv_equal_calls(struct tv_run *run, uint32_t rank, uint32_t call,
				     uint32_t site);

/* Whether equal calls take very unequal times, without the lateness of ranks: of the time that `count` of them take without that, half or
 * more is above the shortest one, and the longest takes ten times as long, and 0.1 ms. */
bool tv_is_uneven(const struct tv_equal_calls *calls, int64_t count, int64_t time);

#endif
