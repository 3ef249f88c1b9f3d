/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * causes.h -- why the steps of an observed chain did not begin when the one before them ended.
 *
 * Each instant of a wait before a task has the first cause that applies: the task is not submitted;
 * it is not released; its worker runs another task, a counted one or (setup, runtime) another; its
 * data are under way, as far as the trace knows (dag/fetch.h); none of these. What lasts longest is
 * the wait's cause; of equal ones the first. Ours.
 */
#ifndef TV_CAUSES_H
#define TV_CAUSES_H

#include "dag/observed.h"

enum tv_cause {
	TV_CAUSE_NOT_SUBMITTED, TV_CAUSE_DEPENDENCIES, TV_CAUSE_WORKER, TV_CAUSE_OTHER_TASK,
	TV_CAUSE_DATA, TV_CAUSE_RUNTIME, TV_NCAUSES
};

/* cause (room for observed->n): of the wait before each step; RUNTIME where there is none. -1 with
 * *err on memory. Cost O(n log n). */
int tv_wait_causes(const struct tv_dag *dag, const struct tv_observed *observed,
		   enum tv_cause *cause, struct tv_error *err) TV_MUST_CHECK;

#endif
