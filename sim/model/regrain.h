/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regrain.h -- a run with other grains: several tasks of a type as one, or each as several.
 *
 * Merged are at most K tasks at a time. First links of a chain: the second depends on nothing else, nothing else on the first.
 * Then what is next to each other in the order of submission, on one node, by one creator and with equally many tasks before it
 * on the longest path, so that no task waits for itself. The merged task takes the sum of their times and waits for all that
 * they waited for. A split task is K parts of equal length that may run side by side; what depended on it waits for all.
 *
 * A task that is gone is not submitted: what its creator submits later comes earlier by the median distance of its
 * submissions, at most by what passed before that task; an additional part comes as much later.
 *
 * Data (handles) and links are left out. Tasks that created others, were suspended, run several times or were cut keep their
 * grain.
 */
#ifndef TV_REGRAIN_H
#define TV_REGRAIN_H

#include "analysis/core/run.h"

struct tv_regrained {
	struct tv_trace trace;
	struct tv_run run; /* of it */
};

/* Whether a text is "TYPE=K" (merge) or "TYPE=1/K" (split), K from 2 to 1000000; NULL is. -1 with *err (usage). */
int tv_regrain_check(const char *text, struct tv_error *err) TV_MUST_CHECK;
/* *changed is uninitialized on entry. -1 with *err: that form, no such type, a type that ran on several types of workers, tasks
 * that exclude each other or share a device, no task that can be changed. Release it in any case. Cost O(n log n). */
int tv_regrain(struct tv_regrained *changed, struct tv_run *run, const char *text,
	       struct tv_error *err) TV_MUST_CHECK;
/* The same for one task, of a row that was executed, in k parts. */
int tv_regrain_task(struct tv_regrained *changed, struct tv_run *run, uint32_t row, uint32_t k,
		    struct tv_error *err) TV_MUST_CHECK;
void tv_regrained_release(struct tv_regrained *changed); /* safe on a zeroed struct */

#endif
