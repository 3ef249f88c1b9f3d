/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grouping.h -- the counted tasks grouped by the cells of columns that the user names.
 */
#ifndef TV_GROUPING_H
#define TV_GROUPING_H

#include "trace/tasks.h"

struct tv_grouping {
	uint32_t n;	 /* groups, numbered by their first row */
	uint32_t *group; /* by row of tasks; TV_NONE = not counted */
};

/*
 * Rows equal in all columns of `names` ("Value,ResourceType") are one group; missing cells equal
 * each other. option: its name, for messages. -1 with *err: no such column, a list, memory. Cost
 * O(rows x names). Texts are interned into pool.
 */
int tv_grouping_init(struct tv_grouping *grouping, const struct tv_tasks *tasks, const char *names,
		     const char *option, struct tv_pool *pool, struct tv_error *err) TV_MUST_CHECK;
void tv_grouping_release(struct tv_grouping *grouping); /* safe on a zeroed struct */

/* The next column of `names`, which moves on behind it; NULL with *err if it is none of tasks. */
const struct tv_column *tv_grouping_column(const struct tv_tasks *tasks, const char **names,
					   const char *option, struct tv_error *err);

#endif
