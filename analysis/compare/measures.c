/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measures.c -- the numbers that runs are compared by, from the passes. */
#include "analysis/compare/measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"

const struct tv_measured_kind tv_measured_kinds[TV_NMEASURED] = {
	[TV_MAKESPAN] = { "runs", "makespan", "ms", false, true },
	[TV_WORKERS] = { "runs", "workers", "workers", true, true },
	[TV_TASK_COUNT] = { "runs", "tasks", "tasks", true, true },
	[TV_BOUND] = { "bounds", "", "ms", false, true },
	[TV_BOUND_GAP] = { "bounds", "", "%", false, false },
	[TV_IDLENESS] = { "idleness", "idleness", "%", false, false },
	[TV_TYPE_TASKS] = { "types", "tasks", "tasks", true, true },
	[TV_TYPE_DURATION] = { "types", "duration", "ms", false, true },
	[TV_TYPE_SHARE] = { "allocation", "share", "%", true, false },
	[TV_TYPE_IDEAL] = { "allocation", "ideal", "tasks", true, false },
	[TV_CHAIN_TASK] = { "chain", "chain.task", "ms", true, false },
	[TV_CHAIN_MESSAGE] = { "chain", "chain.message", "ms", true, false },
	[TV_CHAIN_WAIT] = { "chain", "chain.wait", "ms", true, false },
	[TV_CHAIN_STEPS] = { "chain", "chain.tasks", "tasks", true, false },
};

/* The measure that was added, or NULL with *err. name "": that of the kind. */
static struct tv_measure *add(struct tv_measures *m, enum tv_measured kind, uint32_t run,
			      const char *name, const char *value, const char *rtype, double x)
{
	uint32_t label = tv_intern_text(m->pool,
					name[0] == '\0' ? tv_measured_kinds[kind].name : name);
	uint32_t of = tv_intern_text(m->pool, value), on = tv_intern_text(m->pool, rtype);
	struct tv_measure *to;

	TV_GROW(m->at, m->n, m->cap, 1);
	to = &m->at[m->n++];
	*to = (struct tv_measure){ kind,
				   tv_pool_text(m->pool, label),
				   tv_pool_text(m->pool, of),
				   tv_pool_text(m->pool, on),
				   run,
				   x,
				   NAN,
				   0 };
	return to;
}

static int measure_workers(struct tv_measures *m, const struct tv_tasks *tasks, uint32_t run)
{
	if (add(m, TV_MAKESPAN, run, "", "", "", (double)(tasks->finish - tasks->begin)) == NULL
	    || add(m, TV_TASK_COUNT, run, "", "", "", tasks->ntasks) == NULL
	    || add(m, TV_WORKERS, run, "", "", "", tasks->nworkers) == NULL)
		return -1;
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		if (add(m, TV_WORKERS, run, "", "",
			tv_pool_text(tasks->pool, tasks->rtype[r].label), tasks->rtype[r].nworkers)
		    == NULL)
			return -1;
	return 0;
}

/* suffix: behind the names of the bounds. */
static int measure_bounds(struct tv_measures *m, struct tv_run *run, uint32_t number,
			  const char *weights, const char *suffix, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass_with(run, "bounds", err, "durations-from",
							weights, NULL);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_column *gap = tv_table_find(table, "Gap");
		char name[64];

		if (tv_label(tv_table_find(table, "Node"), row) != TV_NONE
		    || strcmp(tv_table_text(table, "Nature", row), "observed") == 0)
			continue;
		snprintf(name, sizeof name, "%s%s", tv_table_text(table, "Bound", row), suffix);
		if (add(m, TV_BOUND, number, name, "", "",
			(double)tv_table_find(table, "Time")->i[row])
		    == NULL)
			return -1;
		strncat(name, ".gap", sizeof name - strlen(name) - 1);
		if (!tv_missing(gap, row)
		    && add(m, TV_BOUND_GAP, number, name, "", "", gap->d[row]) == NULL)
			return -1;
	}
	return 0;
}

/* Of all workers (rtype NULL) or those of a type. */
static int measure_idleness(struct tv_measures *m, struct tv_run *run, uint32_t number,
			    const struct tv_table *table, const char *rtype)
{
	int64_t makespan = run->tasks.finish - run->tasks.begin;
	tv_int128 worked = 0, whole = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (rtype != NULL && strcmp(tv_table_text(table, "ResourceType", row), rtype) != 0)
			continue;
		worked += tv_table_find(table, "Busy")->i[row]
			+ tv_table_find(table, "Other")->i[row];
		whole += makespan;
	}
	if (whole == 0)
		return 0;
	return add(m, TV_IDLENESS, number, "", "", rtype == NULL ? "" : rtype,
		   100 * (double)(whole - worked) / (double)whole)
			    == NULL
		     ? -1
		     : 0;
}

static int measure_all_idleness(struct tv_measures *m, struct tv_run *run, uint32_t number,
				struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "idleness", NULL, err);
	const struct tv_tasks *tasks = &run->tasks;

	if (table == NULL || measure_idleness(m, run, number, table, NULL) < 0)
		return -1;
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		if (measure_idleness(m, run, number, table,
				     tv_pool_text(tasks->pool, tasks->rtype[r].label))
		    < 0)
			return -1;
	return 0;
}

/* Tasks of a row's type on all workers; rows of a type follow each other. */
static int64_t tasks_of_type(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *value = tv_table_find(table, "Value");
	const struct tv_column *tasks = tv_table_find(table, "Tasks");
	uint32_t label = tv_label(value, row);
	int64_t sum = 0;

	while (row > 0 && tv_label(value, row - 1) == label)
		row--;
	for (; row < table->nrows && tv_label(value, row) == label; row++)
		sum += tasks->i[row];
	return sum;
}

static int measure_types(struct tv_measures *m, struct tv_run *run, uint32_t number,
			 struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "summary", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *value = tv_table_text(table, "Value", row);
		const char *rtype = tv_table_text(table, "ResourceType", row);
		const struct tv_column *sd = tv_table_find(table, "SD");
		int64_t tasks = tv_table_find(table, "Tasks")->i[row];
		int64_t n = tv_table_find(table, "Executions")->i[row];
		int64_t all = tasks_of_type(table, row);
		double mean = (double)tv_table_find(table, "Time")->i[row] / (double)n;
		struct tv_measure *duration;

		if (add(m, TV_TYPE_TASKS, number, "", value, rtype, (double)tasks) == NULL
		    || (all > 0
			&& add(m, TV_TYPE_SHARE, number, "", value, rtype,
			       100 * (double)tasks / (double)all)
				   == NULL))
			return -1;
		duration = add(m, TV_TYPE_DURATION, number, "", value, rtype, mean);
		if (duration == NULL)
			return -1;
		duration->n = n;
		duration->sd = tv_missing(sd, row) ? NAN : (double)sd->i[row];
	}
	return 0;
}

static int measure_ideal(struct tv_measures *m, struct tv_run *run, uint32_t number,
			 struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "abe", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_column *ideal = tv_table_find(table, "Ideal");

		if (tv_label(tv_table_find(table, "Node"), row) == TV_NONE
		    && !tv_missing(ideal, row)
		    && add(m, TV_TYPE_IDEAL, number, "", tv_table_text(table, "Value", row),
			   tv_table_text(table, "ResourceType", row), ideal->d[row])
			       == NULL)
			return -1;
	}
	return 0;
}

static int measure_chain(struct tv_measures *m, struct tv_run *run, uint32_t number,
			 struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "critical-path", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *segment = tv_table_text(table, "Segment", row);
		bool task = strcmp(segment, "task") == 0, wait = strcmp(segment, "wait") == 0;
		enum tv_measured kind = wait ? TV_CHAIN_WAIT
				      : task ? TV_CHAIN_TASK
					     : TV_CHAIN_MESSAGE;
		const char *value = task ? tv_table_text(table, "Value", row) : "";
		const char *rtype = task ? tv_table_text(table, "ResourceType", row) : "";
		char name[80] = "";

		if (wait)
			snprintf(name, sizeof name, "chain.wait.%s",
				 tv_table_text(table, "Cause", row));
		if (add(m, kind, number, name, value, rtype,
			(double)tv_table_find(table, "Duration")->i[row])
			    == NULL
		    || (task && add(m, TV_CHAIN_STEPS, number, "", value, rtype, 1) == NULL))
			return -1;
	}
	return 0;
}

bool tv_measures_alike(const struct tv_measure *a, const struct tv_measure *b)
{
	/* Texts of one pool: equal ones are the same. */
	return a->kind == b->kind && a->name == b->name && a->value == b->value
	    && a->rtype == b->rtype;
}

static int by_key(const void *a, const void *b)
{
	const struct tv_measure *x = a, *y = b;
	int order = x->kind < y->kind ? -1 : x->kind > y->kind;

	if (order == 0)
		order = tv_natural_order(x->name, y->name);
	if (order == 0)
		order = tv_natural_order(x->value, y->value);
	if (order == 0)
		order = tv_natural_order(x->rtype, y->rtype);
	return order != 0 ? order : (x->run > y->run) - (x->run < y->run);
}

/* Two parts of one number: segments of a chain; types without name and of an empty name. */
static void join(struct tv_measure *to, const struct tv_measure *part)
{
	if (to->kind != TV_TYPE_DURATION) {
		to->x += part->x;
		return;
	}
	to->x = (to->x * (double)to->n + part->x * (double)part->n) / (double)(to->n + part->n);
	to->n += part->n;
	to->sd = NAN;
}

void tv_measures_sort(struct tv_measures *m)
{
	size_t n = 0;

	if (m->n > 0)
		qsort(m->at, m->n, sizeof *m->at, by_key);
	for (size_t i = 0; i < m->n; i++)
		if (n > 0 && m->at[n - 1].run == m->at[i].run
		    && tv_measures_alike(&m->at[n - 1], &m->at[i]))
			join(&m->at[n - 1], &m->at[i]);
		else
			m->at[n++] = m->at[i];
	m->n = n;
}

int tv_measure_run(struct tv_measures *m, struct tv_run *run, uint32_t number, const char *weights,
		   struct tv_error *err)
{
	if (measure_workers(m, &run->tasks, number) < 0
	    || measure_bounds(m, run, number, NULL, "", err) < 0
	    || (weights != NULL && measure_bounds(m, run, number, weights, ".weighted", err) < 0)
	    || measure_all_idleness(m, run, number, err) < 0
	    || measure_types(m, run, number, err) < 0 || measure_ideal(m, run, number, err) < 0)
		return -1;
	return measure_chain(m, run, number, err);
}

void tv_measures_release(struct tv_measures *m)
{
	tv_free(m->at);
	*m = (struct tv_measures){ 0 };
}
