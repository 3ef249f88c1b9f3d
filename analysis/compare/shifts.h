/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shifts.h -- two runs of one task graph, task by task: when each starts, where it went, how far
 * one run is behind the other.
 *
 * All times are counted from the first start of their run, ns.
 */
#ifndef TV_SHIFTS_H
#define TV_SHIFTS_H

#include "analysis/compare/match.h"

/* A matched task. */
struct tv_shift {
	uint32_t node[2];	  /* of match.dag */
	int64_t start[2], end[2]; /* first start, last end of its executions */
	bool moved;		  /* it ran on another worker type, by name */
};

/* Matched tasks of one type that ran on one worker type there and on another one here. */
struct tv_transfer {
	const char *value, *from, *to; /* of the runs; "" = missing */
	uint32_t n;
};

/* When that many matched tasks (the index + 1) had ended, whichever they were. The difference is
 * how far the second run is behind; of the last ones it is the change of the makespan, if all tasks
 * match. */
struct tv_lag {
	int64_t time[2];
};

/* Work of all tasks that had ended by then, flop. */
struct tv_work_done {
	int64_t time;
	double flop[2]; /* whole numbers */
};

struct tv_shifts {
	struct tv_match match;
	struct tv_shift *shift; /* by start in the first run, then in the second */
	struct tv_lag *lag;
	uint32_t n;		      /* matched tasks: shifts and lags */
	struct tv_transfer *transfer; /* most tasks first, then by names */
	uint32_t ntransfers;
	struct tv_work_done *done; /* by time; a team shares the work of its task */
	uint32_t ndone;		   /* 0: the tasks of a run have no GFlop */
};

/* The runs must outlive it. -1 with *err: memory, a cycle. Release it in any case. Cost
 * O(n log n). */
int tv_shifts_init(struct tv_shifts *shifts, struct tv_run *const run[2],
		   struct tv_error *err) TV_MUST_CHECK;
void tv_shifts_release(struct tv_shifts *shifts); /* safe on a zeroed struct */

#endif
