/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * task_groups.h -- consecutive tasks of each worker as groups, of executions that come part by part in the order of time.
 *
 * A task joins the group of the one before it unless one of the two stays alone, or it starts more than the threshold after the end
 * of that group. Source: Garcia Pinto, thesis, 2018, 5.1.4, Algorithm 1.
 */
#ifndef TV_TASK_GROUPS_H
#define TV_TASK_GROUPS_H

#include "analysis/core/covered.h"
#include "analysis/tasks/slice_sums.h"
#include "trace/sorted.h"

/* Which tasks stay alone. */
struct tv_task_groups_rule {
	int64_t threshold_ns; /* those that take longer */
	const char *types;   /* those of types that it does not match (tv_glob_list); NULL = none */
	const char *exclude; /* those for which it holds (tv_expr_new); NULL = none */
	bool keep_outliers;  /* outliers */
};

/* What the window shows of a group. */
struct tv_task_group {
	uint64_t number;       /* of the group on its worker, from 0 */
	int64_t begin, end;    /* ns */
	int64_t busy, covered; /* unions: of counted tasks, of all executions, ns */
	bool pure;	       /* a task that stays alone */
	uint32_t nshares;
	size_t first; /* its shares: by type, in natural order */
};

/* The tasks of one type in a group. */
struct tv_group_share {
	uint32_t type; /* label */
	struct tv_slice_share of;
};

struct tv_task_groups {
	const struct tv_task_groups_rule *rule;
	struct tv_group_share *share;
	struct tv_worker_groups {
		struct tv_task_group *group; /* those that are shown */
		size_t n;
		uint64_t all; /* groups, shown or not */
		/* its own */
		size_t cap;
		struct tv_heap open; /* of groups that later executions may be in: by end */
		struct tv_task_group
			last;  /* others may join it, if it has tasks; not cut to the window */
		bool measured; /* busy and covered are those of it, unless another one joins it */
		int64_t busy, covered;
		struct tv_group_share *part; /* of it */
		size_t parts_cap;
		struct tv_map met; /* executions with segments that it has */
	} * of;			   /* by worker */
	uint32_t nworkers;
	/* its own */
	int64_t begin, end; /* what is shown */
	bool windowed;
	size_t shares, shares_cap;
	struct tv_map types,
		places; /* whether a type joins others; where it is in the last group of a worker */
	bool any;	/* type joins others */
	struct tv_covered until; /* by worker: by counted tasks; then by all executions */
	int64_t *time;		 /* likewise: what these cover */
};

/* The rule must outlive it. -1 with *err: nothing is shown. Release it in any case. */
int tv_task_groups_init(struct tv_task_groups *groups, struct tv_run *run,
			const struct tv_task_groups_rule *rule, struct tv_error *err) TV_MUST_CHECK;
void tv_task_groups_release(struct tv_task_groups *groups); /* safe on a zeroed struct */
/* The longest task, of any worker, that may join others and is no outlier, ns. Reads the rows of the run. -1 with *err. */
int tv_task_groups_longest(struct tv_task_groups *groups, struct tv_run *run, int64_t *longest,
			   struct tv_error *err) TV_MUST_CHECK;
/* Makes the groups. -1 with *err: an expression, no such type. Cost O(executions log executions). */
int tv_task_groups_add(struct tv_task_groups *groups, struct tv_run *run,
		       struct tv_error *err) TV_MUST_CHECK;

#endif
