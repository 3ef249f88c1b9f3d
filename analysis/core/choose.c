/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choose.c -- the tasks with which a pass begins. */
#include "analysis/core/choose.h"

#include <string.h>

#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/near_names.h"
#include "trace/number.h"
#include "trace/text.h"

struct choosing {
	struct tv_run *run;
	const struct tv_dag *dag;
	const char *option;
	bool *chosen;
};

static void choose_row(const struct choosing *c, uint32_t row)
{
	c->chosen[c->dag->node_of_row[row]] = true;
}

static bool is_task(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->counted[row] || tasks->planned[row];
}

static int choose_last(const struct choosing *c, const char *text, struct tv_error *err)
{
	uint32_t best = TV_NONE;

	(void)text;
	(void)err;
	for (uint32_t v = 0; v < c->dag->n; v++)
		if (c->dag->task[v] && tv_dag_later(c->dag, v, best))
			best = v;
	if (best != TV_NONE)
		c->chosen[best] = true;
	return 0;
}

static int choose_types(const struct choosing *c, const char *list, struct tv_error *err)
{
	const struct tv_tasks *tasks = &c->run->tasks;
	uint8_t *holds = tv_alloc(tv_pool_count(tasks->pool), 1); /* 1 yes, 2 no */

	(void)err;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t type = tasks->value[row];

		if (!is_task(tasks, row) || type == TV_NONE)
			continue;
		if (holds[type] == 0)
			holds[type] = tv_glob_list(list, tv_pool_text(tasks->pool, type)) ? 1 : 2;
		if (holds[type] == 1)
			choose_row(c, row);
	}
	tv_free(holds);
	return 0;
}

int tv_choose_no_job(const struct tv_tasks *tasks, const char *option, const char *job,
		     struct tv_error *err)
{
	enum { SHOWN = 3 }; /* what JobIds look like; there may be millions */
	struct tv_name_list names = { .n = 0 };
	uint32_t last = TV_NONE;

	for (uint32_t row = 0; row < tasks->n && tasks->job != NULL && names.n < SHOWN; row++)
		if (tasks->job[row] != TV_NONE && tasks->job[row] != last && is_task(tasks, row)) {
			last = tasks->job[row];
			tv_name_list_add(&names, tv_pool_text(tasks->pool, last));
		}
	return tv_fail(err, "--%s: no task has the JobId '%s', expected one of the trace%s%s",
		       option, job, names.n > 0 ? " such as " : ", which has none",
		       tv_name_list_text(&names));
}

static int fail_job(const struct choosing *c, const char *name, size_t n, struct tv_error *err)
{
	char *job = tv_strndup(name, n < 100 ? n : 100);
	int rc = tv_choose_no_job(&c->run->tasks, c->option, job, err);

	tv_free(job);
	return rc;
}

/* Marks the listed jobs in wanted[label]. */
static int list_jobs(const struct choosing *c, const char *list, uint8_t *wanted,
		     struct tv_error *err)
{
	const struct tv_tasks *tasks = &c->run->tasks;

	for (uint32_t v = 0; v < c->dag->n; v++)
		if (c->dag->task[v] && tv_dag_job(c->dag, v) != TV_NONE)
			wanted[tv_dag_job(c->dag, v)] = 1;
	while (*list != '\0') {
		size_t n = strcspn(list, ",");
		uint32_t label = tv_pool_find(tasks->pool, list, n);

		if (label == TV_NONE || wanted[label] == 0)
			return fail_job(c, list, n, err);
		wanted[label] = 2;
		list += n + (list[n] == ',');
	}
	return 0;
}

static int choose_jobs(const struct choosing *c, const char *list, struct tv_error *err)
{
	uint8_t *wanted = tv_alloc(tv_pool_count(c->run->tasks.pool), 1);
	int rc = list_jobs(c, list, wanted, err);

	for (uint32_t v = 0; v < c->dag->n && rc == 0; v++)
		if (c->dag->task[v] && tv_dag_job(c->dag, v) != TV_NONE)
			c->chosen[v] = wanted[tv_dag_job(c->dag, v)] == 2;
	tv_free(wanted);
	return rc;
}

static int choose_outliers(const struct choosing *c, const char *text, struct tv_error *err)
{
	const struct tv_table *marks = tv_run_pass(c->run, "outliers", NULL, err);
	const struct tv_column *outlier;

	(void)text;
	if (marks == NULL)
		return -1;
	outlier = tv_table_find(marks, "Outlier");
	for (uint32_t row = 0; row < c->run->tasks.n; row++)
		if (c->run->tasks.counted[row] && !tv_missing(outlier, row) && outlier->i[row] == 1)
			choose_row(c, row);
	return 0;
}

static int choose_delayed(const struct choosing *c, const char *min, struct tv_error *err)
{
	int64_t *released, min_ns;

	if (tv_parse_time(min, &min_ns) != TV_PARSE_OK)
		return tv_fail_usage(err,
				     "--%s: 'delayed:%s', expected a time such as delayed:5 "
				     "(ms) or delayed:20us",
				     c->option, min);
	released = tv_alloc(c->dag->n, sizeof *released);
	tv_dag_released(c->dag, released);
	for (uint32_t v = 0; v < c->dag->n; v++)
		c->chosen[v] = c->dag->task[v] && released[v] != INT64_MIN
			    && c->dag->start[v] - released[v] >= min_ns;
	tv_free(released);
	return 0;
}

/* ---- before-idle ---- */

/* The one of row[0..n) that ends the first idle period that ends after t; TV_NONE = none does. */
static uint32_t end_of_idle(const struct tv_tasks *tasks, uint32_t *row, uint32_t n, int64_t t)
{
	int64_t busy_to = tasks->begin;

	tv_sort_rows(tasks, row, n);
	for (uint32_t i = 0; i < n; i++) {
		if (tasks->start[row[i]] > busy_to && tasks->start[row[i]] > t)
			return row[i];
		if (tasks->end[row[i]] > busy_to)
			busy_to = tasks->end[row[i]];
	}
	return TV_NONE;
}

static int choose_after(const struct choosing *c, uint32_t resource, const char *text, int64_t t,
			struct tv_error *err)
{
	const struct tv_tasks *tasks = &c->run->tasks;
	uint32_t *rows = tv_alloc(tasks->ncounted, sizeof *rows), n = 0, row;

	for (row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->workers[tasks->worker[row]].resource == resource)
			rows[n++] = row;
	row = end_of_idle(tasks, rows, n, t);
	tv_free(rows);
	if (row == TV_NONE)
		return tv_fail(err,
			       "--%s: 'before-idle:%s', no task of that "
			       "resource follows idle time at or after then",
			       c->option, text);
	choose_row(c, row);
	return 0;
}

static int fail_worker(const struct choosing *c, const char *text, size_t n, struct tv_error *err)
{
	const struct tv_tasks *tasks = &c->run->tasks;
	char *worker = tv_strndup(text, n < 100 ? n : 100);
	struct tv_name_list names = { .n = 0 };
	struct tv_near near;

	tv_near_init(&near, worker);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const char *name = tv_pool_text(tasks->pool, tasks->workers[w].resource);

		tv_name_list_add(&names, name);
		tv_near_offer(&near, name);
	}
	tv_fail(err, "--%s: there is no worker '%s'%s%s%s", c->option, worker, tv_near_text(&near),
		names.n > 0 ? ", expected one of " : "", tv_name_list_text(&names));
	tv_free(worker);
	return -1;
}

static int choose_idle(const struct choosing *c, const char *text, struct tv_error *err)
{
	const struct tv_tasks *tasks = &c->run->tasks;
	const char *at = strrchr(text, '@');
	uint32_t label;
	int64_t t;

	if (at == NULL || tv_parse_time(at + 1, &t) != TV_PARSE_OK)
		return tv_fail_usage(err,
				     "--%s: 'before-idle:%s', expected RESOURCE@TIME such as "
				     "before-idle:CPU3@120",
				     c->option, text);
	label = tv_pool_find(tasks->pool, text, (size_t)(at - text));
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (tasks->workers[w].resource == label)
			return choose_after(c, label, text, t, err);
	return fail_worker(c, text, (size_t)(at - text), err);
}

static int choose_where(const struct choosing *c, const char *text, struct tv_error *err)
{
	const struct tv_tasks *tasks = &c->run->tasks;
	struct tv_expr *expr = tv_expr_new(text, &tasks->trace->table[TV_TASKS], err);

	if (expr == NULL)
		return -1;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (is_task(tasks, row) && tv_expr_holds(expr, row))
			choose_row(c, row);
	tv_expr_free(expr);
	return 0;
}

static const struct {
	const char *word;
	bool whole; /* the word is the whole text; else its beginning */
	bool timed; /* it chooses by times */
	int (*choose)(const struct choosing *c, const char *rest, struct tv_error *err);
} ways[] = {
	{ "last", true, true, choose_last },	     { "outlier", true, true, choose_outliers },
	{ "type:", false, false, choose_types },     { "id:", false, false, choose_jobs },
	{ "delayed:", false, true, choose_delayed }, { "before-idle:", false, true, choose_idle },
	{ "", false, false, choose_where },
};

/* Whether a text that is to be an expression is the name of a task type. */
static bool is_type(const struct tv_run *run, const char *text)
{
	uint32_t label = tv_pool_find_text(run->tasks.pool, text), row = 0;

	while (label != TV_NONE && row < run->tasks.n && run->tasks.value[row] != label)
		row++;
	return label != TV_NONE && row < run->tasks.n;
}

int tv_choose(struct tv_run *run, const char *option, const char *text, bool *chosen,
	      struct tv_error *err)
{
	struct choosing c = { run, tv_run_dag(run, err), option, chosen };
	size_t i = 0;

	if (c.dag == NULL)
		return -1;
	memset(chosen, 0, c.dag->n * sizeof *chosen);
	while (ways[i].whole ? strcmp(text, ways[i].word) != 0
			     : strncmp(text, ways[i].word, strlen(ways[i].word)) != 0)
		i++;
	if (ways[i].timed && run->tasks.nplanned > 0)
		return tv_fail(err,
			       "--%s: '%s' chooses by times, but %u tasks have not run (Flag is "
			       "planned): simulate first",
			       option, text, run->tasks.nplanned);
	if (ways[i].word[0] == '\0' && is_type(run, text))
		return tv_fail_usage(
			err, "--%s '%s' is a task type, expected 'type:%s' or 'Value == \"%s\"'",
			option, text, text, text);
	if (ways[i].choose(&c, text + strlen(ways[i].word), err) < 0)
		return -1;
	for (uint32_t v = 0; v < c.dag->n; v++)
		if (chosen[v])
			return 0;
	tv_run_warn(run, "--%s %s chooses no task", option, text);
	return 0;
}
