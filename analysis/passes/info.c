/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info.c -- what a trace holds, where it comes from and what was wrong with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/shared/common.h"
#include "analysis/shared/overlaps.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"

struct report {
	struct tv_run *run;
	struct tv_table *out;
	struct tv_column *topic, *item, *value;
	struct tv_error *err;
};

/* One row. item may be NULL: missing. */
static int say(struct report *to, const char *topic, const char *item, const char *value, size_t n)
{
	uint32_t row = tv_table_add_row(to->out);

	tv_set_text(to->topic, row, topic);
	tv_set_text(to->item, row, item);
	tv_set_string(to->value, row, value, n);
	return 0;
}

static int say_count(struct report *to, const char *topic, const char *item, uint64_t n)
{
	char text[TV_NUMBER_MAX];
	int length = snprintf(text, sizeof text, "%llu", (unsigned long long)n);

	return say(to, topic, item, text, (size_t)length);
}

static int say_time(struct report *to, const char *topic, const char *item, int64_t ns)
{
	char text[TV_NUMBER_MAX];

	return say(to, topic, item, text, tv_write_ms(text, ns));
}

/* meta: damage under its cause, everything else as it stands. */
static int say_meta(struct report *to, bool damage)
{
	static const char *const topics[] = {
#define TOPIC(symbol, topic, prefix) [TV_##symbol] = (topic),
		TV_DAMAGES(TOPIC)
#undef TOPIC
	};
	const struct tv_table *meta = &to->run->trace->table[TV_META];
	const struct tv_column *key = tv_table_find(meta, "Key");
	const struct tv_column *value = tv_table_find(meta, "Value");
	uint32_t n = key != NULL && value != NULL ? meta->nrows : 0;
	int rc = 0;

	for (uint32_t row = 0; row < n && rc == 0; row++) {
		const char *name = tv_pool_text(key->pool, tv_label(key, row));
		const char *topic = "trace", *text;
		size_t length;

		for (int i = 0; i < TV_NDAMAGES; i++)
			if (strncmp(name, tv_damage_prefix[i], strlen(tv_damage_prefix[i])) == 0) {
				name += strlen(tv_damage_prefix[i]);
				topic = topics[i];
				break;
			}
		text = tv_string(value, row, &length);
		if (damage == (strcmp(topic, "trace") != 0))
			rc = say(to, topic, name, text, length);
	}
	return rc;
}

static int say_tables(struct report *to)
{
	int rc = 0;

	for (int id = 0; id < TV_NTABLES && rc == 0; id++)
		if (id != TV_META && to->run->trace->table[id].nrows > 0)
			rc = say_count(to, "rows", tv_schema[id].name,
				       to->run->trace->table[id].nrows);
	return rc;
}

static void stretch(const struct tv_column *column, bool *any, int64_t *first, int64_t *last)
{
	for (uint32_t row = 0; column != NULL && row < column->n; row++) {
		if (tv_missing(column, row))
			continue;
		if (!*any || column->i[row] < *first)
			*first = column->i[row];
		if (!*any || column->i[row] > *last)
			*last = column->i[row];
		*any = true;
	}
}

/* Range of everything that happened, and of the counted tasks. */
static int say_range(struct report *to)
{
	static const enum tv_table_id dated[] = { TV_TASKS, TV_STATES, TV_VARIABLES, TV_LINKS,
						  TV_EVENTS };
	static const char *const name[] = { "Start", "End", "Time" };
	const struct tv_tasks *tasks = &to->run->tasks;
	int64_t first = 0, last = 0;
	bool any = false;

	for (size_t i = 0; i < TV_COUNT(dated); i++)
		for (size_t k = 0; k < TV_COUNT(name); k++)
			if (tv_schema_field(dated[i], name[k]) != NULL)
				stretch(tv_table_find(&to->run->trace->table[dated[i]], name[k]),
					&any, &first, &last);
	if (any
	    && (say_time(to, "time (ms)", "first event", first) < 0
		|| say_time(to, "time (ms)", "last event", last) < 0))
		return -1;
	if (tasks->ncounted == 0)
		return 0;
	if (say_time(to, "time (ms)", "first task", tasks->begin) < 0
	    || say_time(to, "time (ms)", "last task", tasks->finish) < 0)
		return -1;
	return say_time(to, "time (ms)", "makespan", tasks->finish - tasks->begin);
}

static int say_workers(struct report *to)
{
	const struct tv_tasks *tasks = &to->run->tasks;
	int rc = 0;

	for (uint32_t i = 0; i < tasks->nnodes && rc == 0; i++)
		rc = say_count(to, "workers by node",
			       tv_pool_text(tasks->pool, tasks->node[i].label),
			       tasks->node[i].nworkers);
	for (uint32_t i = 0; i < tasks->nrtypes && rc == 0; i++)
		rc = say_count(to, "workers by type",
			       tv_pool_text(tasks->pool, tasks->rtype[i].label),
			       tasks->rtype[i].nworkers);
	if (rc == 0 && tasks->nworkers > 0)
		rc = say(to, "workers declared", NULL, tasks->workers_known ? "yes" : "no",
			 tasks->workers_known ? 3 : 2);
	return rc;
}

/* Rows of one kind and type. */
struct tally {
	const char *name; /* "" where Value is missing */
	enum tv_kind kind;
	uint64_t n;
	tv_int128 time;
};

static int by_kind_and_name(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return tv_natural_order(x->name, y->name);
}

/* One tally per kind and label; at[(label + 1) * TV_NKINDS + kind] is its place + 1. */
static int count_types(const struct tv_tasks *tasks, struct tally **tally, size_t *n, uint32_t *at)
{
	size_t cap = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t label = tasks->value[row];
		uint32_t *place = &at[((size_t)(label == TV_NONE ? 0 : label + 1)) * TV_NKINDS
				      + tasks->kind[row]];

		if (*place == 0) {
			TV_GROW(*tally, *n, cap, 1);
			(*tally)[*n] = (struct tally){ tv_pool_text(tasks->pool, label),
						       (enum tv_kind)tasks->kind[row], 0, 0 };
			*place = (uint32_t)++ * n;
		}
		(*tally)[*place - 1].n++;
		if (tasks->executed[row])
			(*tally)[*place - 1].time += tv_row_time(tasks, row);
	}
	return 0;
}

static int say_types(struct report *to)
{
	const struct tv_tasks *tasks = &to->run->tasks;
	uint32_t *at = tv_alloc(((size_t)tv_pool_count(tasks->pool) + 1) * TV_NKINDS, sizeof *at);
	struct tally *tally = NULL;
	size_t n = 0;
	int rc = 0;

	if (count_types(tasks, &tally, &n, at) < 0)
		rc = tv_fail_memory(to->err);
	if (rc == 0 && n > 0)
		qsort(tally, n, sizeof *tally, by_kind_and_name);
	for (size_t i = 0; i < n && rc == 0; i++) {
		const char *kind = tv_kind_name(tally[i].kind);
		const char *name = tally[i].name[0] == '\0' ? NULL : tally[i].name;
		char topic[64];

		snprintf(topic, sizeof topic, "%s rows", kind);
		rc = say_count(to, topic, name, tally[i].n);
		snprintf(topic, sizeof topic, "%s time (ms)", kind);
		if (rc == 0 && tally[i].kind <= TV_RUNTIME)
			rc = say_time(to, topic, name, tv_sum_ns(tally[i].time));
	}
	tv_free(at);
	tv_free(tally);
	return rc;
}

/* How many, and on which workers. */
static int say_overlaps(struct report *to)
{
	const struct tv_tasks *tasks = &to->run->tasks;
	struct tv_overlaps overlaps;
	int rc;

	tv_overlaps_init(&overlaps, tasks);
	rc = say_count(to, "overlaps", NULL, overlaps.n);
	for (uint32_t w = 0; rc == 0 && w < tasks->nworkers; w++)
		if (overlaps.of_worker[w] > 0)
			rc = say_count(to, "overlaps",
				       tv_pool_text(tasks->pool, tasks->workers[w].resource),
				       overlaps.of_worker[w]);
	tv_overlaps_release(&overlaps);
	return rc;
}

static int say_graph(struct report *to)
{
	struct tv_error wrong = { 0 };
	const struct tv_dag *dag;

	dag = tv_run_dag(to->run, &wrong);
	/* A cycle is what the user wants to know here, not a reason to say nothing. */
	if (dag == NULL)
		return say(to, "graph", "error", wrong.text, strlen(wrong.text));
	if (to->run->tasks.depends == NULL && dag->nexclusions == 0)
		return 0;
	if (say_count(to, "graph", "jobs", dag->n) < 0
	    || say_count(to, "graph", "dependencies", dag->nedges) < 0)
		return -1;
	if (dag->nexclusions > 0
	    && say_count(to, "graph", "exclusions (commuting accesses)", dag->nexclusions) < 0)
		return -1;
	return say_count(to, "graph", "dependencies on jobs that occur nowhere", dag->dangling);
}

static int run_info(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		    struct tv_error *err)
{
	struct report to = {
		.run = run,
		.out = out,
		.err = err,
		.topic = tv_table_column(out, "Topic", TV_LABEL, err),
		.item = tv_table_column(out, "Item", TV_TEXT, err),
		.value = tv_table_column(out, "Value", TV_TEXT, err),
	};

	(void)options;
	if (to.topic == NULL || to.item == NULL || to.value == NULL || say_meta(&to, false) < 0
	    || say_tables(&to) < 0 || say_range(&to) < 0 || say_workers(&to) < 0)
		return -1;
	if (run->tasks.n > 0 && (say_types(&to) < 0 || say_overlaps(&to) < 0 || say_graph(&to) < 0))
		return -1;
	return say_meta(&to, true);
}

static const struct tv_field columns[] = {
	{ "Topic", TV_LABEL, false, "", "what the row is about" },
	{ "Item", TV_TEXT, false, "", "which one; missing where there is only one" },
	{ "Value", TV_TEXT, false, "", "its value" },
};

const struct tv_pass tv_pass_info = {
	.name = "info",
	.summary = "Show what a trace contains, and what was damaged",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_INPUT,
	.needs = "states variables links events handles resources meta",
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = "Topics: trace (as its meta table says: format, files, clock), rows (by table),\n"
		 "time (ms), workers by node and by type, rows and time of tasks by kind and\n"
		 "type, overlaps (executions that begin before an earlier one on the same worker\n"
		 "ends), graph, dropped and repaired (records, by cause).",
	.example = "traceviz info data/cholesky.csv",
	.windowless = true,
	.taskless = true,
	.run = run_info,
};
