/* SPDX-License-Identifier: GPL-3.0-or-later */
/* group_limits.h -- the duration above which a task of a group is an outlier, of rows that may come part by part. */
#ifndef TV_GROUP_LIMITS_H
#define TV_GROUP_LIMITS_H

#include "analysis/core/grouping.h"
#include "analysis/core/run.h"

struct tv_group_limits;

struct tv_group_limit {
	uint32_t n; /* durations of the group */
	int64_t ns; /* tv_threshold_exact of them */
};

/* Those of all workers of a run that is no part, by the columns of tasks in `names`; it owns them. also: NULL, or gets the
 * rows as of tv_run_rows, in the same reading if there is one. NULL with *err: outliers has no such --group. */
struct tv_group_limits *tv_group_limits_find(struct tv_run *run, const char *names,
					     int (*also)(void *state, struct tv_run *part,
							 struct tv_error *err),
					     void *state, struct tv_error *err);
/* That of a row of a grouping by these columns. */
struct tv_group_limit tv_group_limit_of(struct tv_group_limits *limits,
					const struct tv_grouping *by, uint32_t row);

#endif
