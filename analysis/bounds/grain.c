/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grain.c -- whether single tasks are worth their creation. */
#include "analysis/bounds/grain.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/core/statistics.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* One row for each task, counted or not. */
static bool is_task(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->counted[row] ? tasks->leads[row]
				   : tasks->executed[row] && tv_row_begins(tasks, row);
}

static uint32_t job_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->job != NULL ? tasks->job[row] : TV_NONE;
}

/* ---- creation ---- */

struct creator {
	int64_t first, last; /* submissions */
	int64_t ran;	     /* of a task, between these */
	uint32_t children;
};

static uint32_t label_of(const struct tv_column *column, uint32_t row)
{
	return column == NULL || tv_missing(column, row) ? TV_NONE : tv_label(column, row);
}

static uint32_t *creator_at(struct tv_map *map, const struct tv_tasks *tasks, uint32_t job,
			    uint32_t row)
{
	return tv_map_at(map, job, tasks->workers[tasks->worker[row]].node);
}

static void add_child(struct creator *creator, int64_t submit)
{
	creator->first = creator->children == 0 || submit < creator->first ? submit
									   : creator->first;
	creator->last = creator->children == 0 || submit > creator->last ? submit : creator->last;
	creator->children++;
}

static void find_creation(struct tv_grain *grain, const struct tv_tasks *tasks)
{
	const struct tv_column *parent = tv_table_find(&tasks->trace->table[TV_TASKS], "ParentJob");
	struct creator *creator = tv_alloc(tasks->n, sizeof *creator);
	struct tv_map map = { 0 };
	uint32_t n = 0, *at;

	for (uint32_t row = 0; tasks->submit != NULL && row < tasks->n; row++) {
		if (!is_task(tasks, row) || tv_missing(tasks->submit, row))
			continue;
		at = creator_at(&map, tasks, label_of(parent, row), row);
		*at = *at == TV_NONE ? n++ : *at;
		add_child(&creator[*at], tasks->submit->i[row]);
	}
	for (uint32_t row = 0; n > 0 && row < tasks->n; row++) {
		struct creator *of;

		if (!tasks->executed[row] || job_of(tasks, row) == TV_NONE
		    || tv_team_of(tasks, row) > 1)
			continue;
		at = tv_map_get(&map, job_of(tasks, row), tasks->workers[tasks->worker[row]].node);
		if (at == NULL)
			continue;
		of = &creator[*at];
		int64_t from = tasks->start[row] > of->first ? tasks->start[row] : of->first;
		int64_t to = tasks->end[row] < of->last ? tasks->end[row] : of->last;
		of->ran += to > from ? to - from : 0;
	}
	for (uint32_t row = 0; n > 0 && row < tasks->n; row++) {
		const struct creator *of;

		if (!tasks->counted[row] || !tv_row_begins(tasks, row)
		    || tv_missing(tasks->submit, row))
			continue;
		of = &creator[*creator_at(&map, tasks, label_of(parent, row), row)];
		if (of->children > 1)
			grain->creation[row] = (double)(of->ran > 0 ? of->ran
								    : of->last - of->first)
					     / (of->children - 1);
	}
	tv_map_release(&map);
	tv_free(creator);
}

/* ---- delay ---- */

static void find_delay(struct tv_grain *grain, const struct tv_tasks *tasks,
		       const struct tv_dag *dag, const int64_t *released)
{
	struct tv_groups rows;

	tv_tasks_by_start(tasks, tasks->executed, &rows);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		int64_t before = tasks->begin;

		for (uint32_t k = rows.first[w]; k < rows.first[w + 1]; k++) {
			uint32_t row = rows.row[k];

			if (tasks->counted[row] && tv_row_begins(tasks, row)
			    && released[dag->node_of_row[row]] != INT64_MIN) {
				int64_t from = released[dag->node_of_row[row]];

				from = from > before ? from : before;
				grain->delay[row] = tasks->start[row] > from
							  ? (double)(tasks->start[row] - from)
							  : 0;
			}
			before = tasks->end[row] > before ? tasks->end[row] : before;
		}
	}
	tv_groups_release(&rows);
}

/* ---- parallelism ---- */

/* Ascending times and their sums. */
struct times {
	int64_t *at;
	tv_int128 *sum; /* of those before */
	uint32_t n;
};

static void sort_times(struct times *times)
{
	tv_sort_times(times->at, times->n);
	times->sum = tv_alloc((size_t)times->n + 1, sizeof *times->sum);
	for (uint32_t i = 0; i < times->n; i++)
		times->sum[i + 1] = times->sum[i] + times->at[i];
}

/* The sum of t - time over the times before t. */
static tv_int128 since(const struct times *times, int64_t t)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, times->n, times->at[i] < t);
	return (tv_int128)t * i - times->sum[i];
}

static void find_parallelism(struct tv_grain *grain, const struct tv_tasks *tasks)
{
	struct times start = { .at = tv_alloc(tasks->n, sizeof *start.at) };
	struct times end = { .at = tv_alloc(tasks->n, sizeof *end.at) };

	for (uint32_t row = 0; row < tasks->n; row++)
		/* A team is one task. */
		if (tasks->counted[row] && (tv_team_of(tasks, row) <= 1 || tasks->leads[row])) {
			start.at[start.n++] = tasks->start[row];
			end.at[end.n++] = tasks->end[row];
		}
	sort_times(&start);
	sort_times(&end);
	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t from = tasks->start[row], to = tasks->end[row];

		if (tasks->counted[row] && to > from)
			grain->parallelism[row] = (double)(since(&start, to) - since(&end, to)
							   - since(&start, from)
							   + since(&end, from))
						/ (double)(to - from);
	}
	tv_free(start.at);
	tv_free(start.sum);
	tv_free(end.at);
	tv_free(end.sum);
}

/* ---- inflation ---- */

/* What is known of the tasks of another run, by texts, which are numbered in a pool of their own. */
struct base {
	struct tv_pool *pool;
	struct tv_map type, job; /* type and footprint -> sum; job and type -> sum */
	struct sum {
		double time, n;
	} * sum;
	uint32_t n;
	size_t cap;
};

static uint32_t number_of(const struct base *base, const struct tv_tasks *tasks, uint32_t label)
{
	return label == TV_NONE ? TV_NONE
				: tv_intern_text(base->pool, tv_pool_text(tasks->pool, label));
}

static uint32_t footprint_of(const struct base *base, const struct tv_tasks *tasks, uint32_t row)
{
	const struct tv_column *footprint = tv_table_find(&tasks->trace->table[TV_TASKS],
							  "Footprint");

	return number_of(base, tasks, label_of(footprint, row));
}

static void add_time(struct base *base, uint32_t *at, double time)
{
	if (*at == TV_NONE) {
		TV_GROW(base->sum, base->n, base->cap, 1);
		base->sum[base->n] = (struct sum){ 0, 0 };
		*at = base->n++;
	}
	base->sum[*at].time += time;
	base->sum[*at].n++;
}

static bool is_usable(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->counted[row] && tasks->leads[row] && tv_task_ended(tasks, row);
}

static void add_tasks(struct base *base, const struct tv_tasks *tasks)
{
	for (uint32_t row = 0; row < tasks->n; row++) {
		double time;
		uint32_t type;

		if (!is_usable(tasks, row))
			continue;
		time = (double)tv_task_time(tasks, row);
		type = number_of(base, tasks, tasks->value[row]);
		add_time(base, tv_map_at(&base->type, type, footprint_of(base, tasks, row)), time);
		if (job_of(tasks, row) != TV_NONE)
			add_time(base,
				 tv_map_at(&base->job, number_of(base, tasks, job_of(tasks, row)),
					   type),
				 time);
	}
}

static bool has_one_creator(const struct tv_tasks *tasks)
{
	const struct tv_column *parent = tv_table_find(&tasks->trace->table[TV_TASKS], "ParentJob");
	uint32_t first = TV_NONE;
	bool any = false;

	for (uint32_t row = 0; parent != NULL && row < tasks->n; row++) {
		if (!tasks->counted[row])
			continue;
		if (any && label_of(parent, row) != first)
			return false;
		first = label_of(parent, row);
		any = true;
	}
	return tasks->nnodes <= 1;
}

/* Whether the tasks of a run are those of the base: one for each JobId, of the same type. */
static bool same_tasks(const struct base *base, const struct tv_tasks *tasks,
		       const struct tv_tasks *other)
{
	if (tasks->ntasks != other->ntasks || !has_one_creator(tasks) || !has_one_creator(other))
		return false;
	for (uint32_t row = 0; row < tasks->n; row++) {
		const uint32_t *at;

		if (!tasks->counted[row] || !tasks->leads[row])
			continue;
		at = job_of(tasks, row) == TV_NONE
			   ? NULL
			   : tv_map_get(&base->job, number_of(base, tasks, job_of(tasks, row)),
					number_of(base, tasks, tasks->value[row]));
		if (at == NULL || base->sum[*at].n != 1)
			return false;
	}
	return true;
}

static void compare(struct tv_grain *grain, const struct base *base, const struct tv_tasks *tasks,
		    bool same)
{
	for (uint32_t row = 0; row < tasks->n; row++) {
		const uint32_t *at;
		uint32_t type;
		double mean;

		if (!tasks->counted[row] || !tv_row_begins(tasks, row)
		    || !tv_task_ended(tasks, row))
			continue;
		type = number_of(base, tasks, tasks->value[row]);
		at = same ? tv_map_get(&base->job, number_of(base, tasks, job_of(tasks, row)), type)
			  : tv_map_get(&base->type, type, footprint_of(base, tasks, row));
		mean = at == NULL ? 0 : base->sum[*at].time / base->sum[*at].n;
		if (mean > 0)
			grain->inflation[row] = (double)tv_task_time(tasks, row) / mean;
	}
}

static int find_inflation(struct tv_grain *grain, struct tv_run *run, const char *path,
			  struct tv_error *err)
{
	struct base base = { .pool = tv_pool_new() };
	struct tv_trace trace = { 0 };
	struct tv_tasks tasks = { 0 };
	int rc = run->loader.load == NULL
		       ? tv_fail_at(err, (struct tv_pos){ path, 0 }, "no trace can be read here")
		       : run->loader.load(run->loader.context, path, &trace, err);

	if (rc == 0) {
		tv_tasks_init(&tasks, &trace, run->kinds);
		if (tasks.ncounted == 0)
			rc = tv_fail_at(err, (struct tv_pos){ path, 0 },
					"no task to take durations of");
		add_tasks(&base, &tasks);
		compare(grain, &base, &run->tasks, same_tasks(&base, &run->tasks, &tasks));
	}
	tv_tasks_release(&tasks);
	tv_trace_release(&trace);
	tv_map_release(&base.type);
	tv_map_release(&base.job);
	tv_free(base.sum);
	tv_pool_free(base.pool);
	return rc;
}

/* ---- all of them ---- */

static double *make(uint32_t n)
{
	double *of = tv_alloc(n, sizeof *of);

	for (uint32_t i = 0; i < n; i++)
		of[i] = NAN;
	return of;
}

int tv_grain_init(struct tv_grain *grain, struct tv_run *run, const struct tv_dag *dag,
		  const int64_t *released, const char *base, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;

	*grain = (struct tv_grain){ make(tasks->n), make(tasks->n), make(tasks->n), make(tasks->n),
				    make(tasks->n) };
	find_creation(grain, tasks);
	find_delay(grain, tasks, dag, released);
	find_parallelism(grain, tasks);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_task_ended(tasks, row)
		    && grain->creation[row] + grain->delay[row] > 0)
			grain->benefit[row] = (double)tv_task_time(tasks, row)
					    / (grain->creation[row] + grain->delay[row]);
	return base != NULL ? find_inflation(grain, run, base, err) : 0;
}

void tv_grain_release(struct tv_grain *grain)
{
	tv_free(grain->creation);
	tv_free(grain->delay);
	tv_free(grain->benefit);
	tv_free(grain->parallelism);
	tv_free(grain->inflation);
}
