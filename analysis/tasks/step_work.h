/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * step_work.h -- which work is done in a step of time, and how fast the workers are at it.
 */
#ifndef TV_STEP_WORK_H
#define TV_STEP_WORK_H

#include "analysis/core/means.h"

/* Tasks of one type on one resource type, among those that touch the step. */
struct tv_mix_cell {
	double normal, normal_n; /* of those that are no outliers: sum of durations, number */
	double all, all_n;
};

struct tv_mix {
	const struct tv_tasks *tasks;
	const struct tv_column *outlier; /* by row */
	uint32_t ntypes, nrtypes;
	struct tv_grouping types;
	uint32_t *order;  /* counted rows by Start */
	uint32_t next;	  /* of order: first that has not begun */
	uint32_t *active; /* rows that have begun and not ended */
	uint32_t nactive;
	uint32_t *seen;	 /* by row with which an execution began: the step it was last in; NULL
			   * without segments */
	uint32_t nsteps; /* asked for so far */
	double *amount;	 /* by type: f_v */
	struct tv_mix_cell *cell; /* ntypes x nrtypes */
	struct tv_pair *pair;	  /* ntypes x nrtypes: over the whole run */
	int64_t *workers;	  /* by resource type */
};

/* The tasks and the column must outlive it. O(n log n). */
void tv_mix_init(struct tv_mix *mix, const struct tv_tasks *tasks, const struct tv_column *outlier);
void tv_mix_release(struct tv_mix *mix);

/* The work within [begin, end); with `last` also tasks of no duration at end. Steps are asked for
 * in order of time, after tv_mix_rewind from the first again. Cost O(tasks that touch it). */
void tv_mix_rewind(struct tv_mix *mix);
void tv_mix_of(struct tv_mix *mix, int64_t begin, int64_t end, bool last);

/* The area bound of that work, ns, with one worker of resource type `fewer` less (TV_NONE: with
 * all); infinite where a type is left without workers. */
int tv_mix_area(const struct tv_mix *mix, uint32_t fewer, double *bound,
		struct tv_error *err) TV_MUST_CHECK;

/* Index of the task type by which workers are compared: of that name, or for NULL the one with the
 * longest time among those that ran on every resource type with workers; TV_NONE = none. */
uint32_t tv_mix_power_type(const struct tv_mix *mix, const char *name);
/* power[w] = 1 / mean duration of the type on worker w, else on its resource type. *missing:
 * TV_NONE, or a resource type where it never ran or takes no time. */
void tv_mix_power(const struct tv_mix *mix, uint32_t type, double *power, uint32_t *missing);

#endif
