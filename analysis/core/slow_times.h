/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_times.h -- workers and nodes that are slow for a time, and durations beside those of the same kind. */
#ifndef TV_SLOW_TIMES_H
#define TV_SLOW_TIMES_H

#include "analysis/core/run.h"
#include "analysis/core/spans.h"

/* By row: duration over the median of its kind (type, resource type and, where known, footprint); negative =
 * none: it is not counted, begins no execution, or its end is not known. Computed at the first call, kept with the run, which owns
 * them. NULL with *err. Cost O(rows). */
const double *tv_relative_durations(struct tv_run *run, struct tv_error *err);
/* Frees them: of large runs they are large, too. */
void tv_forget_relative_durations(struct tv_run *run);

/* Of the successive tasks of a member, and how many of them are long. */
struct tv_slow_part {
	uint32_t from, to, longs; /* [from, to) */
};
/* The part in which nearly all are long: each long one counts 1, each other one -miss, and the sum is the largest. Cost O(n). */
struct tv_slow_part tv_find_slow_part(const bool *is, uint32_t n, int miss);

struct tv_slow_time {
	bool node;	    /* of all workers of a type on a node, not of one worker */
	uint32_t member;    /* index of the worker or node */
	uint32_t rtype;	    /* index */
	uint32_t tasks;	    /* its tasks then */
	int64_t begin, end; /* Start of the first and of the last of them, ns */
	double ratio;	    /* their time over that of others of their kinds, above 1 */
};

/*
 * A member is slow for a time if three quarters of its successive tasks are long (miss 3), a fifth above the median of their kind,
 * with a probability of less than 0.01 anywhere in the run if long tasks fell on all members as often as on the others of its type,
 * in the run or at that time; of the tasks of others at that time, two or more, a quarter is long at most (one more and two more are counted:
 * (long + 1) / (all + 2)); and at least five of its tasks, and a tenth, come before or after, of which no more than a tenth more are long
 * than of the others. One time per member, the most certain one; no worker of a node that is slow; no device with
 * several streams. Greatest ratio first. Computed at the first call, kept with the run, which owns *list. -1 with *err.
 * Cost O(rows (log rows + worker types)).
 */
int tv_slow_times(struct tv_run *run, const struct tv_slow_time **list, uint32_t *n,
		  struct tv_error *err) TV_MUST_CHECK;

/*
 * Likewise the time in which nine tenths of the tasks of all workers are long (miss 9), half of all tasks at most, while a tenth of the others is at
 * most: half of the workers with tasks, and two, run some; as many tasks as there are workers, and five, come before, as the first
 * ones may warm up; those then take 1.5 times the medians of their kinds on average, and of two types or more half as much too long as
 * that, as tasks of one type may have more work; and workers are half as busy as at other times, or busier. slow, by row: those that are. Without such a time *period is empty. -1 with
 * *err. Cost O(rows log rows).
 */
int tv_slow_period(struct tv_run *run, bool *slow, struct tv_span *period,
		   struct tv_error *err) TV_MUST_CHECK;

#endif
