/* SPDX-License-Identifier: GPL-3.0-or-later */
/* in_loops.h -- when threads of OpenMP work in parallel loops, outside of tasks. */
#ifndef TV_IN_LOOPS_H
#define TV_IN_LOOPS_H

#include "dag/in_calls.h"

/* When the tasks of each node were submitted. */
struct tv_submissions {
	struct tv_submitted {
		uint32_t node; /* label */
		int64_t time;  /* ns */
	} * at;
	size_t n;
};

/* Cost O(tasks log tasks). */
void tv_submissions_init(struct tv_submissions *submissions, const struct tv_tasks *tasks);
void tv_submissions_release(struct tv_submissions *submissions); /* safe on a zeroed struct */
/* Whether tasks of a node are submitted from begin to before end. O(log n). */
bool tv_submits(const struct tv_submissions *submissions, uint32_t node, int64_t begin,
		int64_t end);

/* Whether a value of an OpenMP State is a loop, or another construct that divides work among threads. */
bool tv_is_loop(const char *value);
/* Of the workers' own threads, without loops in which their node submits tasks: these have their work. As calls, but `row` is of
 * states. Cost O((states + tasks) log). */
void tv_in_loops_init(struct tv_in_calls *loops, const struct tv_tasks *tasks);
/* Of a run whose rows come in parts: whether there may be any. */
bool tv_in_loops_may(const struct tv_trace *trace);

#endif
