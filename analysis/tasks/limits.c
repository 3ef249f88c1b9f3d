/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limits.c -- which tasks of a run are outliers by the thresholds of another run. */
#include "analysis/tasks/limits.h"

#include <string.h>

#include "analysis/core/means.h"
#include "trace/alloc.h"

/* Thresholds of pairs of types, ns; NO_LIMIT = none. */
struct limits {
	struct tv_grouping types;
	int64_t *limit; /* types.n x tasks->nrtypes */
};

#define NO_LIMIT INT64_MAX

static int read_limits(struct limits *limits, struct tv_run *from, struct tv_error *err)
{
	const struct tv_tasks *tasks = &from->tasks;
	const struct tv_table *marks = tv_run_pass(from, "outliers", NULL, err);
	const struct tv_column *threshold;
	size_t n;

	if (marks == NULL)
		return -1;
	tv_grouping_by_type(&limits->types, tasks);
	threshold = tv_table_find(marks, "Threshold");
	n = (size_t)limits->types.n * tasks->nrtypes;
	limits->limit = tv_alloc(n, sizeof *limits->limit);
	for (size_t i = 0; i < n; i++)
		limits->limit[i] = NO_LIMIT;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row) && !tv_missing(threshold, row))
			limits->limit[limits->types.of_row[row] * tasks->nrtypes
				      + tasks->workers[tasks->worker[row]].rtype] =
				threshold->i[row];
	return 0;
}

static bool same_text(const struct tv_pool *a, uint32_t x, const struct tv_pool *b, uint32_t y)
{
	return (x == TV_NONE) == (y == TV_NONE)
	    && (x == TV_NONE || strcmp(tv_pool_text(a, x), tv_pool_text(b, y)) == 0);
}

/* The threshold of another run's pair. */
static int64_t find_limit(const struct limits *limits, const struct tv_tasks *tasks,
			  const struct tv_tasks *other, uint32_t type, uint32_t rtype)
{
	for (uint32_t t = 0; t < limits->types.n; t++)
		for (uint32_t r = 0; r < tasks->nrtypes; r++)
			if (same_text(tasks->pool, tv_grouping_label(&limits->types, t),
				      other->pool, type)
			    && same_text(tasks->pool, tasks->rtype[r].label, other->pool,
					 other->rtype[rtype].label))
				return limits->limit[t * tasks->nrtypes + r];
	return NO_LIMIT;
}

/* The same thresholds by the pairs of a run. */
static void translate(const struct limits *limits, const struct tv_tasks *from,
		      const struct tv_tasks *tasks, struct limits *own)
{
	tv_grouping_by_type(&own->types, tasks);
	own->limit = tv_alloc((size_t)own->types.n * tasks->nrtypes, sizeof *own->limit);
	for (uint32_t t = 0; t < own->types.n; t++)
		for (uint32_t r = 0; r < tasks->nrtypes; r++)
			own->limit[t * tasks->nrtypes + r] = find_limit(
				limits, from, tasks, tv_grouping_label(&own->types, t), r);
}

static int add_columns(const struct limits *own, const struct tv_tasks *tasks,
		       struct tv_table *table, struct tv_error *err)
{
	struct tv_column *outlier, *threshold;

	if (tv_table_find(table, "Outlier") != NULL || tv_table_find(table, "Threshold") != NULL)
		return tv_fail_usage(err,
				     "the tasks have a column Outlier or Threshold already, "
				     "expected none where another run's thresholds are to count");
	outlier = tv_table_column(table, "Outlier", TV_INT, err);
	threshold = outlier == NULL ? NULL : tv_table_column(table, "Threshold", TV_TIME, err);
	if (threshold == NULL)
		return -1;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t whole;
		int64_t limit;

		if (!tasks->counted[row])
			continue;
		whole = tv_row_whole(tasks, row);
		limit = own->limit[own->types.of_row[whole] * tasks->nrtypes
				   + tasks->workers[tasks->worker[whole]].rtype];
		tv_set_int(outlier, row, tv_task_time(tasks, row) > limit);
		if (limit != NO_LIMIT)
			tv_set_int(threshold, row, limit);
	}
	tv_table_finish_column(table, outlier);
	tv_table_finish_column(table, threshold);
	return 0;
}

int tv_limits_apply(struct tv_run *from, const struct tv_run *run, struct tv_table *table,
		    struct tv_error *err)
{
	struct limits limits = { 0 }, own = { 0 };
	int rc = read_limits(&limits, from, err);

	if (rc == 0) {
		translate(&limits, &from->tasks, &run->tasks, &own);
		rc = add_columns(&own, &run->tasks, table, err);
	}
	tv_grouping_release(&limits.types);
	tv_grouping_release(&own.types);
	tv_free(limits.limit);
	tv_free(own.limit);
	return rc;
}
