/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * longest.h -- the longest chain of a run: what holds it up however many workers it has.
 *
 * Two lengths of paths of the task graph. Recorded: each task weighs what it took where it ran; no schedule
 * with this placement and these durations is shorter. Best placed: a task weighs the smaller of its recorded
 * duration and the smallest mean duration of its type on the other resource types; with one type of workers
 * both are the same. A task that goes on beside one that it created weighs what it took until then. Messages, ghosts, setup and runtime tasks weigh nothing.
 */
#ifndef TV_LONGEST_H
#define TV_LONGEST_H

#include "analysis/core/durations.h"

struct tv_longest {
	int64_t recorded,
		placed; /* ns, of tasks whose end the trace shows; without dependencies those of the longest task */
	uint32_t *
		node; /* n: nodes of the graph on the recorded path that weigh something, first to last;
			* the run's */
	uint32_t n;
};

/* Of a run whose tasks ran, which keeps it. rule: where the durations on other resource types come from; NULL = the means of
 * the run. -1 with *err: a cycle. Cost O(V + E), without a rule once. */
int tv_run_longest(struct tv_longest *longest, struct tv_run *run,
		   const struct tv_duration_rule *rule, struct tv_error *err) TV_MUST_CHECK;

/* The smallest mean duration of a type on another resource type than `own`, ns; INFINITY = it ran on no other.
 * row: one of that type, for given durations; rule NULL: there are none. */
double tv_time_elsewhere(const struct tv_means *means, const struct tv_duration_rule *rule,
			 const struct tv_tasks *tasks, uint32_t type, uint32_t own, uint32_t row);

/* The same where too few workers are there for the tasks between: the bound of lp/tight.h with recorded durations, ns, at most the
 * makespan. *time: 0 = not known, as workers are of several types, or tasks went on beside those that they created. -1 with
 * *err: a cycle. Cost O(E + V log V). */
int tv_run_forced(struct tv_run *run, int64_t *time, struct tv_error *err) TV_MUST_CHECK;

#endif
