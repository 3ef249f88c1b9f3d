/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grain.h -- whether single tasks are worth their creation, how parallel the run is meanwhile, how much longer they take
 * than in another run.
 *
 *	creation	(last - first submission of its creator) / (children - 1); of a creator that is a task (ParentJob), only
 *			the time in which it ran. Without ParentJob each node has one creator, whose other tasks are not
 *			subtracted, as nothing says on which thread it was
 *	delay		from what it waited for last to its Start: its release, the end of the task before it on its worker,
 *			the first Start of the run
 *	benefit		duration / (creation + delay)
 *	parallelism	mean number of running tasks while it ran: the sum of duration x parallelism is the integral of
 *			the square of that number
 *	inflation	duration / its duration in another run: of the task of the same JobId, if both runs have one creator and
 *			the same tasks; else the mean of its type and Footprint there
 *
 * Source: A. Muddukrishna et al., Grain Graphs, PPoPP 2016; there parallelism is of the earliest schedule.
 */
#ifndef TV_GRAIN_H
#define TV_GRAIN_H

#include "analysis/core/run.h"

/* By row of tasks, times in ns; NaN = not known, or a later segment (but parallelism). */
struct tv_grain {
	double *creation, *delay, *benefit, *parallelism, *inflation;
};

/* released: by node of the graph, as of tv_dag_released. base: path of the other trace; NULL = none. -1 with *err. Release it
 * in any case. Cost O(n log n). */
int tv_grain_init(struct tv_grain *grain, struct tv_run *run, const struct tv_dag *dag,
		  const int64_t *released, const char *base, struct tv_error *err) TV_MUST_CHECK;
void tv_grain_release(struct tv_grain *grain); /* safe on a zeroed struct */

#endif
