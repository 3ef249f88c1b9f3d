/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slow_workers.h -- what tasks take on other workers than slow ones, and others on these.
 *
 * The recorded duration of a task on a slow worker (slow_members.h) says nothing of other workers: there it takes the share that others
 * of its type take. On a slow worker every task takes `ratio` times that, the same one all the time, also where it was slow for a time
 * alone, as a simulated schedule does not say when that would be. Of nodes nothing changes, as tasks stay on theirs. `--speed` that
 * makes tasks of a slow worker faster than those of their type on others takes away its slowness first.
 */
#ifndef TV_SLOW_WORKERS_H
#define TV_SLOW_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

enum { TV_SLOW_WORKERS_MAX = 16 }; /* those with the greatest ratio */

struct tv_slow_workers {
	uint32_t n; /* 0 = none, and the rest is not used */
	struct tv_slow_worker {
		uint32_t worker; /* index in the run */
		double ratio;	 /* of the time of its tasks to that on other workers */
	} at[TV_SLOW_WORKERS_MAX];
	float *recorded; /* by node of the graph: its recorded duration over that on other workers; 1 of tasks of other workers */
	float *longer;	 /* the same with the speeds of the costs */
};

struct tv_costs;
struct tv_run;

/* Of costs whose jobs have their recorded durations; the mean durations follow. What is not known (an error of a pass) is none. */
void tv_slow_workers_init(struct tv_costs *costs, struct tv_run *run);
/* Follows a change of the speeds of the costs. Cost O(nodes). */
void tv_slow_workers_update(struct tv_costs *costs);
void tv_slow_workers_release(struct tv_slow_workers *slow); /* safe on a zeroed struct */
/* The place of a worker of the run in `at`; TV_NONE = it is not slow. */
uint32_t tv_slow_worker_find(const struct tv_slow_workers *slow, uint32_t worker);
/* "core2 takes 1.34 times as long as others for each task": the slow workers, the first three by name; NULL = there are none. Free with
 * tv_free. */
char *tv_slow_workers_text(const struct tv_costs *costs);
/* Notes what simulations assume of slow workers; resources: the machine has workers of its own, so none is slow. */
void tv_slow_workers_note(const struct tv_costs *costs, struct tv_run *run, bool resources);

#endif
