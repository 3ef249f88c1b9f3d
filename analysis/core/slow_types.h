/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_types.h -- task types that take longer on some workers than on others of the same type. */
#ifndef TV_SLOW_TYPES_H
#define TV_SLOW_TYPES_H

#include "analysis/core/run.h"

/*
 * The workers of a type fall into two parts at a task type if nine tenths of its tasks on each worker of the one part take longer, relative
 * to the median of their kind (tv_relative_durations), than nine tenths of those on each worker of the other part, and the medians of the
 * two parts are a factor of 1.25 or more apart. The faster part has two workers or more. That some workers had the longest tasks would by chance,
 * if workers and durations had nothing to do with each other, come once in 1000 runs at most. Workers with fewer than three tasks of the type are
 * in neither part. Of several such divisions that with the largest factor counts.
 *
 * They are not slow where more work (GFlop, without it Size) explains half of what their tasks take longer, or a thread without a processor
 * (task-clock) three quarters.
 *
 * slow, by row: set for tasks on workers of the slower part. -1 with *err. Cost O(rows log rows). Ours.
 */
int tv_slow_types(struct tv_run *run, bool *slow, struct tv_error *err) TV_MUST_CHECK;

struct tv_slow_type {
	uint32_t value, rtype; /* label; index */
	double ratio; /* mean duration there over that on the others of the type of workers */
	bool *slow;   /* by worker */
	uint32_t nslow;
};
/* The same as a list, in order of rows. Free it with tv_slow_types_free. -1 with *err. Cost O(rows log rows + list x workers). */
int tv_list_slow_types(struct tv_run *run, struct tv_slow_type **list, uint32_t *n,
		       struct tv_error *err) TV_MUST_CHECK;
void tv_slow_types_free(struct tv_slow_type *list, uint32_t n);

#endif
