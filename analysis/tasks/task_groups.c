/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task_groups.c -- executions by Start, joined to groups on each worker. */
#include "analysis/tasks/task_groups.h"

#include <stddef.h>
#include <stdlib.h>

#include "analysis/core/curves.h"
#include "analysis/core/grouping.h"
#include "analysis/tasks/executions.h"
#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { BUSY, COVERED, NKINDS };

/* An execution. */
struct item {
	int64_t start, end;
	uint32_t row;
};

TV_ORDER(by_start, struct item, start, end, row)

int tv_task_groups_init(struct tv_task_groups *g, struct tv_run *run,
			const struct tv_task_groups_rule *rule, struct tv_error *err)
{
	uint32_t n = run->tasks.nworkers;

	*g = (struct tv_task_groups){ .rule = rule, .nworkers = n, .windowed = run->window.set };
	if (tv_run_interval(run, &g->begin, &g->end, err) < 0)
		return -1;
	g->of = tv_alloc(n, sizeof *g->of);
	g->time = tv_alloc(NKINDS * (size_t)n, sizeof *g->time);
	tv_covered_init(&g->until, NKINDS * (size_t)n, g->begin);
	return 0;
}

void tv_task_groups_release(struct tv_task_groups *g)
{
	for (uint32_t w = 0; g->of != NULL && w < g->nworkers; w++) {
		tv_free(g->of[w].group);
		tv_free(g->of[w].part);
		tv_heap_release(&g->of[w].open);
		tv_map_release(&g->of[w].met);
	}
	tv_free(g->of);
	tv_free(g->share);
	tv_free(g->time);
	tv_covered_release(&g->until);
	tv_map_release(&g->types);
	tv_map_release(&g->places);
	*g = (struct tv_task_groups){ 0 };
}

/* Whether tasks of a type may be in a group with others. */
static bool joins(struct tv_task_groups *g, const struct tv_pool *pool, uint32_t type)
{
	uint32_t *is;

	if (g->rule->types == NULL)
		return true;
	is = tv_map_at(&g->types, type, 0);
	if (*is == TV_NONE)
		*is = tv_glob_list(g->rule->types, tv_pool_text(pool, type));
	g->any |= *is;
	return *is;
}

/* ---- the longest task ---- */

struct longest {
	struct tv_task_groups *groups;
	int64_t ns;
};

/* Whether a row is marked. */
static bool is_outlier(const struct tv_column *outlier, uint32_t row)
{
	return !tv_missing(outlier, row) && tv_number(outlier, row) == 1;
}

static int add_longest(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct tv_table *marks = tv_run_pass(part, "outliers", NULL, err);
	const struct tv_tasks *tasks = &part->tasks;
	const struct tv_column *outlier;
	struct longest *longest = state;

	if (marks == NULL)
		return -1;
	outlier = tv_table_in_short(marks, "Outlier");
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_time(tasks, row) > longest->ns
		    && !is_outlier(outlier, row)
		    && joins(longest->groups, tasks->pool, tasks->value[row]))
			longest->ns = tv_row_time(tasks, row);
	return 0;
}

int tv_task_groups_longest(struct tv_task_groups *g, struct tv_run *run, int64_t *longest,
			   struct tv_error *err)
{
	struct longest found = { .groups = g };

	/* The thresholds first. */
	if (tv_run_pass(run, "outliers", NULL, err) == NULL
	    || tv_run_rows(run, add_longest, &found, err) < 0)
		return -1;
	*longest = found.ns;
	return 0;
}

/* ---- groups ---- */

static int64_t within(const struct tv_task_groups *g, int64_t time)
{
	if (time < g->begin)
		return g->begin;
	return time < g->end ? time : g->end;
}

/* How much of the time before t executions cover that all start at t or before: what lies behind has no gap. */
static int64_t covered_before(const struct tv_task_groups *g, int kind, uint32_t w, int64_t t)
{
	size_t thing = (size_t)kind * g->nworkers + w;
	int64_t behind = g->until.until[thing] - t;

	return g->time[thing] - (behind > 0 ? behind : 0);
}

/* Of a group, what was covered before it becomes what is covered of it. */
static void measure(const struct tv_task_groups *g, uint32_t w, int64_t end,
		    const struct tv_task_group *before, int64_t *busy, int64_t *covered)
{
	*busy = covered_before(g, BUSY, w, end) - before->busy;
	*covered = covered_before(g, COVERED, w, end) - before->covered;
}

static bool ends_before(const void *context, uint32_t a, uint32_t b)
{
	const struct tv_task_group *group = context;

	return group[a].end < group[b].end;
}

/* Measures groups that end at t or before, at which the next execution starts. */
static void settle(struct tv_task_groups *g, uint32_t w, int64_t t)
{
	struct tv_worker_groups *own = &g->of[w];
	int64_t end = within(g, own->last.end);

	while (own->open.n > 0 && own->group[own->open.row[0]].end <= t) {
		struct tv_task_group *group = &own->group[own->open.row[0]];

		measure(g, w, group->end, group, &group->busy, &group->covered);
		tv_heap_pop(&own->open, ends_before, own->group);
	}
	if (own->last.nshares > 0 && !own->measured && end <= t) {
		measure(g, w, end, &own->last, &own->busy, &own->covered);
		own->measured = true;
	}
}

static void cover(struct tv_task_groups *g, int kind, uint32_t w, const struct item *item)
{
	size_t thing = (size_t)kind * g->nworkers + w;
	int64_t begin = within(g, item->start), end = within(g, item->end);

	if (begin < end)
		begin = tv_covered_add(&g->until, thing, begin, end);
	g->time[thing] += begin < end ? end - begin : 0;
}

/* Ends the last group of a worker. */
static void end_group(struct tv_task_groups *g, uint32_t w)
{
	struct tv_worker_groups *own = &g->of[w];
	struct tv_task_group *last = &own->last;

	last->begin = within(g, last->begin);
	last->end = within(g, last->end);
	last->number = own->all++;
	if (own->measured) {
		last->busy = own->busy;
		last->covered = own->covered;
	}
	if (last->begin < last->end || !g->windowed) {
		last->first = g->shares;
		TV_GROW(g->share, g->shares, g->shares_cap, last->nshares);
		for (uint32_t i = 0; i < last->nshares; i++)
			if (own->part[i].of.ntasks > 0)
				g->share[g->shares++] = own->part[i];
		last->nshares = (uint32_t)(g->shares - last->first);
		TV_GROW(own->group, own->n, own->cap, 1);
		own->group[own->n++] = *last;
		if (!own->measured)
			tv_heap_push(&own->open, (uint32_t)own->n - 1, ends_before, own->group);
	}
	last->nshares = 0;
	tv_map_release(&own->met);
}

/* The share of a type in the last group of a worker. */
static struct tv_slice_share *share_of(struct tv_task_groups *g, uint32_t w, uint32_t type)
{
	struct tv_worker_groups *own = &g->of[w];
	uint32_t *at = tv_map_at(&g->places, w, type);

	if (*at >= own->last.nshares || own->part[*at].type != type) {
		*at = own->last.nshares;
		TV_GROW(own->part, own->last.nshares, own->parts_cap, 1);
		own->part[own->last.nshares++] = (struct tv_group_share){ .type = type };
	}
	return &own->part[*at].of;
}

/* Adds what is shown of a task to the last group. */
static void add_share(struct tv_task_groups *g, uint32_t w, const struct tv_tasks *tasks,
		      const struct item *item)
{
	struct tv_slice_share *share = share_of(g, w, tasks->value[item->row]);
	int64_t start = item->start > g->begin ? item->start : g->begin;
	int64_t end = item->end < g->end ? item->end : g->end;

	if (start > end || (g->windowed && start == end))
		return;
	share->time += end - start;
	share->ntasks += tv_meets_execution(&g->of[w].met, tasks, 0, item->row);
}

static void add_task(struct tv_task_groups *g, uint32_t w, const struct tv_tasks *tasks,
		     const struct item *item, bool alone)
{
	struct tv_task_group *last = &g->of[w].last;

	if (last->nshares > 0
	    && (alone || last->pure || item->start - last->end > g->rule->threshold_ns))
		end_group(g, w);
	g->of[w].measured = false;
	if (last->nshares == 0)
		*last = (struct tv_task_group){
			.begin = item->start,
			.end = item->end,
			.pure = alone,
			.busy = covered_before(g, BUSY, w, within(g, item->start)),
			.covered = covered_before(g, COVERED, w, within(g, item->start)),
		};
	last->end = item->end > last->end ? item->end : last->end;
	add_share(g, w, tasks, item);
}

/* ---- the executions of a part ---- */

struct part {
	const struct tv_tasks *tasks; /* those of selected workers */
	struct tv_expr *exclude;
	const struct tv_column *outlier; /* NULL = outliers are like others */
};

static bool stays_alone(struct tv_task_groups *g, const struct part *part, const struct item *item)
{
	return item->end - item->start > g->rule->threshold_ns
	    || !joins(g, part->tasks->pool, part->tasks->value[item->row])
	    || (part->exclude != NULL && tv_expr_holds(part->exclude, item->row))
	    || (part->outlier != NULL && is_outlier(part->outlier, item->row));
}

/* item: room for the rows. */
static void add_worker(struct tv_task_groups *g, uint32_t w, const struct part *part,
		       const uint32_t *row, uint32_t n, struct item *item)
{
	const struct tv_tasks *tasks = part->tasks;

	for (uint32_t i = 0; i < n; i++)
		item[i] = (struct item){ tasks->start[row[i]], tasks->end[row[i]], row[i] };
	tv_sort_by_time(item, n, sizeof *item, offsetof(struct item, start), by_start);
	for (uint32_t i = 0; i < n; i++) {
		bool counted = tasks->counted[item[i].row];

		settle(g, w, item[i].start);
		if (counted)
			add_task(g, w, tasks, &item[i], stays_alone(g, part, &item[i]));
		cover(g, COVERED, w, &item[i]);
		if (counted)
			cover(g, BUSY, w, &item[i]);
	}
}

static int open_part(const struct tv_task_groups *g, struct tv_run *run, struct part *part,
		     struct tv_error *err)
{
	const struct tv_table *marks;

	part->tasks = tv_run_part(run);
	if (g->rule->exclude != NULL) {
		part->exclude = tv_expr_new(g->rule->exclude, &run->trace->table[TV_TASKS], err);
		if (part->exclude == NULL)
			return -1;
	}
	if (g->rule->keep_outliers) {
		marks = tv_run_pass(run, "outliers", NULL, err);
		if (marks == NULL)
			return -1;
		part->outlier = tv_table_in_short(marks, "Outlier");
	}
	return 0;
}

static int add_rows(void *state, struct tv_run *run, struct tv_error *err)
{
	struct tv_task_groups *g = state;
	struct part part = { 0 };
	struct tv_groups rows;
	struct item *item;

	if (open_part(g, run, &part, err) < 0) {
		tv_expr_free(part.exclude);
		return -1;
	}
	/* Also of workers that are not selected. */
	for (uint32_t row = 0; g->rule->types != NULL && row < run->tasks.n; row++)
		if (run->tasks.counted[row])
			joins(g, run->tasks.pool, run->tasks.value[row]);
	tv_tasks_by_worker(part.tasks, part.tasks->executed, &rows);
	item = tv_alloc(tv_groups_max(&rows), sizeof *item);
	for (uint32_t w = 0; w < rows.n; w++)
		add_worker(g, w, &part, rows.row + rows.first[w], rows.first[w + 1] - rows.first[w],
			   item);
	tv_free(item);
	tv_groups_release(&rows);
	tv_expr_free(part.exclude);
	return 0;
}

/* ---- the end ---- */

static int by_type(const void *a, const void *b, void *pool)
{
	const struct tv_group_share *x = a, *y = b;

	return tv_label_order(pool, x->type, y->type);
}

static int fail_types(const struct tv_task_groups *g, struct tv_pool *pool, struct tv_error *err)
{
	uint32_t *type = tv_alloc(g->types.n, sizeof *type);
	struct tv_near near;
	size_t n = 0;

	for (size_t i = 0; i < g->types.size; i++)
		if (g->types.slot[i].used)
			type[n++] = (uint32_t)g->types.slot[i].a;
	qsort_r(type, n, sizeof *type, tv_compare_labels, pool);
	tv_near_init(&near, g->rule->types);
	for (size_t i = 0; i < n; i++)
		tv_near_offer(&near, tv_pool_text(pool, type[i]));
	tv_free(type);
	return tv_fail_usage(err, "--types: no task type matches '%s'%s; 'summary' lists the types",
			     g->rule->types, tv_near_text(&near));
}

int tv_task_groups_add(struct tv_task_groups *g, struct tv_run *run, struct tv_error *err)
{
	struct tv_pool *pool = run->trace->pool;

	/* The thresholds first. */
	if (g->rule->keep_outliers && tv_run_pass(run, "outliers", NULL, err) == NULL)
		return -1;
	if (tv_run_rows(run, add_rows, g, err) < 0)
		return -1;
	if (g->rule->types != NULL && !g->any)
		return fail_types(g, pool, err);
	for (uint32_t w = 0; w < g->nworkers; w++) {
		if (g->of[w].last.nshares > 0)
			end_group(g, w);
		settle(g, w, INT64_MAX);
		for (size_t i = 0; i < g->of[w].n; i++)
			qsort_r(g->share + g->of[w].group[i].first, g->of[w].group[i].nshares,
				sizeof *g->share, by_type, pool);
	}
	return 0;
}
