/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slice_sums.h -- what tasks of each type, and other tasks, take of slices of time, on groups of workers. */
#ifndef TV_SLICE_SUMS_H
#define TV_SLICE_SUMS_H

#include "analysis/core/covered.h"
#include "analysis/core/steps.h"

/* Time and number of the tasks of one type. */
struct tv_slice_share {
	tv_int128 time; /* ns */
	uint32_t ntasks;
};

struct tv_slice_sums {
	struct tv_slices in;
	uint64_t n;	      /* slices */
	uint32_t first, last; /* workers: first to last - 1 */
	uint32_t *group;      /* by worker from the first one: its group, ascending from 0 */
	uint32_t ngroups;
	uint32_t *type; /* labels in natural order, a missing one first */
	uint32_t ntypes;
	tv_int128 *busy,
		*covered; /* by group and slice, ns: unions of counted tasks, of all executions */
	/* its own */
	struct tv_slice_type {
		uint32_t label;
		struct tv_slice_share *share; /* by group and slice */
	} * of;
	size_t cap;
	struct tv_map place, met; /* types; executions with segments that a slice of a group has */
	struct tv_covered until;  /* of each worker: by counted tasks; then by all executions */
};

/* Those of some workers of a run. by_type: workers of a node and type are one group, else each is one; last is set to the end of
 * the groups. every: of all workers from the first one on. Release it. */
void tv_slice_sums_init(struct tv_slice_sums *sums, const struct tv_tasks *tasks,
			struct tv_slices in, uint32_t first, bool by_type, bool every);
/* Adds the executions of a run, part by part. rows: all of them by worker and Start (tv_tasks_by_start), or NULL. -1 with *err. Cost
 * O(executions + slices that they are in). */
int tv_slice_sums_add(struct tv_slice_sums *sums, struct tv_run *run, const struct tv_groups *rows,
		      struct tv_error *err) TV_MUST_CHECK;
/* Of each type in a slice of a group: share[ntypes]. */
void tv_slice_sums_shares(const struct tv_slice_sums *sums, uint32_t group, uint64_t slice,
			  struct tv_slice_share *share);
void tv_slice_sums_release(struct tv_slice_sums *sums);

#endif
