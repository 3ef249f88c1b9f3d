/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_list.c -- what workers did in each instance of a region. */
#include "analysis/core/statistics.h"
#include "analysis/tasks/region_list.h"

#include <stdlib.h>

#include "analysis/core/columns.h"
#include "analysis/core/instances.h"
#include "trace/alloc.h"
#include "trace/devices.h"
#include "trace/groups.h"
#include "trace/number.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(BY, "By", TV_LABEL, false, "", "the instance: NAME#K, or its own name") \
	X(START, "Start", TV_TIME, false, "ms", "its first enter") \
	X(END, "End", TV_TIME, false, "ms", "its last leave") \
	X(MAKESPAN, "Makespan", TV_TIME, false, "ms", "End - Start") \
	X(GAP, "Pause", TV_TIME, false, "ms", \
	  "from the End of those before to Start; 0 where they overlap") \
	X(SUBMITTED, "Submitted", TV_INT, false, "", \
	  "tasks submitted, or launched, in it; missing without SubmitTime, or without tasks") \
	X(TASKS, "Tasks", TV_INT, false, "", "tasks that start in it; a team is one") \
	X(COPIES, "Copies", TV_INT, false, "", "of these, copies and fills of memory") \
	X(BUSY, "Busy", TV_TIME, false, "ms", \
	  "time in it in which workers, or devices, run tasks; sum over them") \
	X(COPYING, "CopyTime", TV_TIME, false, "ms", "the same of copies and fills of memory") \
	X(IDLE, "Idle", TV_TIME, false, "ms", "time in it in which they run nothing of any kind")

enum { COLUMNS(TV_COLUMN_ID) NCOLUMNS };
_Static_assert((int)NCOLUMNS == TV_REGION_COLUMNS, "as declared");
const struct tv_field tv_region_columns[TV_REGION_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

struct region_list {
	const struct tv_tasks *tasks;
	const struct tv_instances *instances;
	size_t n;
	bool *copy; /* by row: counted, a copy */
	struct tv_table *out;
};

static const struct tv_span *instance(const struct region_list *list, size_t i)
{
	return &list->instances->at[list->instances->first + i];
}

/* ---- numbers ---- */

/* Of times, how many are in each instance. */
static void set_numbers(const struct region_list *list, int64_t *time, uint32_t n, size_t column)
{
	tv_sort_times(time, n);
	for (size_t i = 0; i < list->n; i++) {
		uint32_t first, last;

		TV_LOWER_BOUND(first, 0, n, time[first] < instance(list, i)->begin);
		TV_LOWER_BOUND(last, first, n, time[last] < instance(list, i)->end);
		tv_set_int(list->out->col[column], (uint32_t)i, last - first);
	}
}

static void count(const struct region_list *list)
{
	const struct tv_tasks *tasks = list->tasks;
	int64_t *time = tv_alloc(tasks->n, sizeof *time);
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->leads[row])
			time[n++] = tasks->start[tv_row_whole(tasks, row)];
	set_numbers(list, time, n, TASKS);
	n = 0;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->leads[row] && list->copy[row])
			time[n++] = tasks->start[tv_row_whole(tasks, row)];
	set_numbers(list, time, n, COPIES);
	n = 0;
	for (uint32_t row = 0; tasks->submit != NULL && row < tasks->n; row++)
		if (tasks->leads[row] && !tv_missing(tasks->submit, tv_row_whole(tasks, row)))
			time[n++] = tasks->submit->i[tv_row_whole(tasks, row)];
	if (tasks->submit != NULL)
		set_numbers(list, time, n, SUBMITTED);
	tv_free(time);
}

/* ---- times ---- */

/* How long workers ran rows of a set in each instance, sum over them; to be freed. */
static tv_int128 *time_of(const struct region_list *list, const bool *set)
{
	const struct tv_tasks *tasks = list->tasks;
	tv_int128 *time = tv_alloc(list->n, sizeof *time);
	struct tv_groups rows;
	struct tv_span *span;

	tv_tasks_by_start(tasks, set, &rows);
	span = tv_alloc(tv_groups_max(&rows), sizeof *span);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		uint32_t n = 0;

		for (uint32_t k = rows.first[w]; k < rows.first[w + 1]; k++)
			span[n++] = (struct tv_span){ tasks->start[rows.row[k]],
						      tasks->end[rows.row[k]] };
		n = tv_spans_merge(span, n, (struct tv_span){ INT64_MIN, INT64_MAX });
		for (size_t i = 0; i < list->n; i++)
			time[i] += tv_spans_within(span, n, *instance(list, i));
	}
	tv_groups_release(&rows);
	tv_free(span);
	return time;
}

static void set_times(const struct region_list *list)
{
	tv_int128 *busy = time_of(list, list->tasks->counted), *copying = time_of(list, list->copy),
		  *any = time_of(list, list->tasks->executed);

	for (size_t i = 0; i < list->n; i++) {
		const struct tv_span *span = instance(list, i);
		tv_int128 all = (tv_int128)(span->end - span->begin) * list->tasks->nworkers;

		tv_set_int(list->out->col[BUSY], (uint32_t)i, tv_sum_ns(busy[i]));
		tv_set_int(list->out->col[COPYING], (uint32_t)i, tv_sum_ns(copying[i]));
		tv_set_int(list->out->col[IDLE], (uint32_t)i, tv_sum_ns(all - any[i]));
	}
	tv_free(busy);
	tv_free(copying);
	tv_free(any);
}

static bool *find_copies(const struct tv_tasks *tasks)
{
	bool *copy = tv_alloc(tasks->n, sizeof *copy);

	for (uint32_t row = 0; row < tasks->n; row++)
		copy[row] = tasks->counted[row] && tasks->value[row] != TV_NONE
			 && tv_is_copy(tv_pool_text(tasks->pool, tasks->value[row]));
	return copy;
}

int tv_region_list(struct tv_run *run, const char *region, struct tv_table *out,
		   struct tv_error *err)
{
	struct tv_instances instances;
	struct region_list list = { .tasks = &run->tasks, .instances = &instances, .out = out };
	int rc = tv_instances_find(&instances, run, region, err);
	int64_t last = 0;

	tv_add_fields(out, tv_region_columns, TV_REGION_COLUMNS);
	if (rc == 0) {
		list.n = instances.last - instances.first;
		list.copy = find_copies(list.tasks);
		for (size_t i = 0; i < list.n; i++) {
			const struct tv_span *span = instance(&list, i);
			char *name = tv_instance_name(&instances, instances.first + i);
			uint32_t row = tv_table_add_row(out);

			tv_set_text(out->col[BY], row, name);
			tv_set_int(out->col[START], row, span->begin);
			tv_set_int(out->col[END], row, span->end);
			tv_set_int(out->col[MAKESPAN], row, span->end - span->begin);
			if (i > 0)
				tv_set_int(out->col[GAP], row,
					   span->begin > last ? span->begin - last : 0);
			last = i == 0 || span->end > last ? span->end : last;
			tv_free(name);
		}
		if (list.tasks->ncounted > 0) {
			count(&list);
			set_times(&list);
		}
		tv_free(list.copy);
	}
	tv_instances_release(&instances);
	return rc;
}
