/* SPDX-License-Identifier: GPL-3.0-or-later */
/* group_limits.c -- durations above which tasks are outliers, by group. */
#include "analysis/tasks/group_limits.h"

#include <string.h>

#include "analysis/core/tallied.h"
#include "analysis/tasks/thresholds.h"
#include "trace/alloc.h"
#include "trace/parallel.h"

static const struct tv_measure_spec quartiles[] = {
	{ 0, TV_MEASURE_QUANTILE, .percent = 25 },
	{ 0, TV_MEASURE_QUANTILE, .percent = 75 },
};

struct tv_group_limits {
	char *names;
	struct tv_table groups;
	struct tv_tallied tallied;
	struct tv_group_limit *limit; /* by group */
	/* while rows come */
	int (*also)(void *state, struct tv_run *part, struct tv_error *err);
	void *state;
};

static uint32_t durations_of(const void *tasks, unsigned column, const uint32_t *row, uint32_t n,
			     int64_t *number)
{
	(void)column;
	tv_task_times(tasks, row, n, number);
	return n;
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct tv_measured_rows rows = { .data = &part->tasks, .numbers = durations_of };
	struct tv_group_limits *limits = state;
	int rc = tv_tallied_tasks(&limits->tallied, &rows, &part->tasks, limits->names, true, err);

	if (rc == 0 && limits->also != NULL && !limits->tallied.again)
		rc = limits->also(limits->state, part, err);
	return rc;
}

static void find_limit(void *context, size_t g)
{
	struct tv_group_limits *limits = context;
	struct tv_measuring *group = &limits->tallied.group[g];
	struct tv_tally *times = group->tally;

	tv_tally_widen(times);
	limits->limit[g].n = group->nrows;
	limits->limit[g].ns = times->selection == NULL
				    ? tv_threshold_exact(times->number, times->n)
				    : tv_threshold_of(tv_selection_exact(times->selection, 25, 100),
						      tv_selection_exact(times->selection, 75, 100),
						      100);
	tv_measuring_release(group); /* numbers are many */
}

static void release(void *data)
{
	struct tv_group_limits *limits = data;

	tv_tallied_release(&limits->tallied);
	tv_table_release(&limits->groups);
	tv_free(limits->names);
	tv_free(limits->limit);
	tv_free(limits);
}

struct tv_group_limits *tv_group_limits_find(struct tv_run *run, const char *names,
					     int (*also)(void *state, struct tv_run *part,
							 struct tv_error *err),
					     void *state, struct tv_error *err)
{
	static const char key;
	struct tv_group_limits *limits = tv_run_kept(run, &key);

	if (limits != NULL && strcmp(limits->names, names) == 0)
		return also == NULL || tv_run_rows(run, also, state, err) == 0 ? limits : NULL;
	limits = tv_alloc(1, sizeof *limits);
	*limits = (struct tv_group_limits){ .names = tv_strdup(names),
					    .also = also,
					    .state = state };
	tv_table_init(&limits->groups, run->trace->pool);
	tv_tallied_init(&limits->tallied, "group", tv_run_counts(run), quartiles,
			TV_COUNT(quartiles), &limits->groups);
	if (tv_tallied_run(&limits->tallied, run, add_rows, limits, err) < 0) {
		release(limits);
		return NULL;
	}
	limits->limit = tv_alloc(limits->tallied.ngroups, sizeof *limits->limit);
	tv_parallel(limits->tallied.ngroups, find_limit, limits);
	tv_run_keep(run, &key, limits, release);
	return limits;
}

struct tv_group_limit tv_group_limit_of(struct tv_group_limits *limits,
					const struct tv_grouping *by, uint32_t row)
{
	return limits->limit[tv_tallied_group(&limits->tallied, by, row)];
}
