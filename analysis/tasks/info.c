/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info.c -- what a trace contains, where it comes from and what was wrong with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/overlaps.h"
#include "analysis/tasks/check.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

#define COLUMNS(X) \
	X(TOPIC, "Topic", TV_LABEL, false, "", "topic of the row") \
	X(ITEM, "Item", TV_TEXT, false, "", "item of the topic; missing if there is only one") \
	X(VALUE, "Value", TV_TEXT, false, "", "its value")

TV_COLUMNS(columns, COLUMNS)

struct report {
	struct tv_run *run;
	struct tv_table *out;
};

/* One row. item may be NULL: missing. */
static void write_row(struct report *to, const char *topic, const char *item, const char *value,
		      size_t n)
{
	uint32_t row = tv_table_add_row(to->out);

	tv_set_text(to->out->col[TOPIC], row, topic);
	tv_set_text(to->out->col[ITEM], row, item);
	tv_set_string(to->out->col[VALUE], row, value, n);
}

static void write_count(struct report *to, const char *topic, const char *item, uint64_t n)
{
	char text[TV_NUMBER_MAX];
	int length = snprintf(text, sizeof text, "%llu", (unsigned long long)n);

	write_row(to, topic, item, text, (size_t)length);
}

static void write_time(struct report *to, const char *topic, const char *item, int64_t ns)
{
	char text[TV_NUMBER_MAX];

	write_row(to, topic, item, text, tv_write_ms(text, ns));
}

/* meta: damage under its cause, everything else unchanged. */
static void write_meta(struct report *to, bool damage)
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

	for (uint32_t row = 0; row < n; row++) {
		const char *name = tv_pool_text(key->pool, tv_label(key, row));
		const char *topic = NULL, *text;
		size_t length;

		for (int i = 0; i < TV_NDAMAGES && topic == NULL; i++)
			if (strncmp(name, tv_damage_prefix[i], strlen(tv_damage_prefix[i])) == 0) {
				name += strlen(tv_damage_prefix[i]);
				topic = topics[i];
			}
		text = tv_string(value, row, &length);
		if (damage == (topic != NULL))
			write_row(to, topic == NULL ? "trace" : topic, name, text, length);
	}
}

static void write_tables(struct report *to)
{
	for (int id = 0; id < TV_NTABLES; id++)
		if (id != TV_META && tv_trace_table(to->run->trace, id)->nrows > 0)
			write_count(to, "rows", tv_schema[id].name,
				    tv_trace_table(to->run->trace, id)->nrows);
}

static void extend(const struct tv_column *column, int64_t *first, int64_t *last)
{
	for (uint32_t row = 0; column != NULL && row < column->n; row++) {
		if (tv_missing(column, row))
			continue;
		*first = column->i[row] < *first ? column->i[row] : *first;
		*last = column->i[row] > *last ? column->i[row] : *last;
	}
}

/* Range of everything that happened, and of the counted tasks. */
static void write_range(struct report *to)
{
	static const enum tv_table_id dated[] = { TV_TASKS,  TV_STATES, TV_VARIABLES, TV_LINKS,
						  TV_EVENTS, TV_CALLS,	TV_DECISIONS };
	static const char *const name[] = { "Start", "End", "Time" };
	const struct tv_tasks *tasks = &to->run->tasks;
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < TV_COUNT(dated); i++)
		for (size_t k = 0; k < TV_COUNT(name); k++)
			if (tv_schema_field(dated[i], name[k]) != NULL)
				extend(tv_table_find(tv_trace_table(to->run->trace, dated[i]),
						     name[k]),
				       &first, &last);
	if (first <= last) {
		write_time(to, "time (ms)", "first event", first);
		write_time(to, "time (ms)", "last event", last);
	}
	if (tasks->ncounted == 0)
		return;
	write_time(to, "time (ms)", "first task", tasks->begin);
	write_time(to, "time (ms)", "last task", tasks->finish);
	write_time(to, "time (ms)", "makespan", tasks->finish - tasks->begin);
}

static void write_workers(struct report *to)
{
	const struct tv_tasks *tasks = &to->run->tasks;

	for (uint32_t i = 0; i < tasks->nnodes; i++)
		write_count(to, "workers by node", tv_pool_text(tasks->pool, tasks->node[i].label),
			    tasks->node[i].nworkers);
	for (uint32_t i = 0; i < tasks->nrtypes; i++)
		write_count(to, "workers by type", tv_pool_text(tasks->pool, tasks->rtype[i].label),
			    tasks->rtype[i].nworkers);
	if (tasks->nworkers > 0)
		write_row(to, "workers declared", NULL, tasks->workers_known ? "yes" : "no",
			  tasks->workers_known ? 3 : 2);
}

/* Rows of one kind and type. */
struct tally {
	const char *name; /* "" where Value is missing */
	enum tv_kind kind;
	uint64_t n, ran;
	tv_int128 time;
};

TV_ORDER(by_kind_and_name, struct tally, kind, text(name))

/* One tally per kind and label that occur; returns them, *n of them. */
static struct tally *count_types(const struct tv_tasks *tasks, size_t *n)
{
	struct tally *tally = NULL;
	struct tv_map index = { 0 };
	size_t cap = 0;

	*n = 0;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t label = tasks->value[row];
		uint32_t *at = tv_map_at(&index, label, tasks->kind[row]);

		if (*at == TV_NONE) {
			TV_GROW(tally, *n, cap, 1);
			tally[*n] = (struct tally){ tv_pool_text(tasks->pool, label),
						    (enum tv_kind)tasks->kind[row], 0, 0, 0 };
			*at = (uint32_t)(*n)++;
		}
		tally[*at].n++;
		tally[*at].ran += tasks->executed[row];
		if (tasks->executed[row])
			tally[*at].time += tv_row_time(tasks, row);
	}
	tv_map_release(&index);
	return tally;
}

static void write_types(struct report *to)
{
	size_t n;
	struct tally *tally = count_types(&to->run->tasks, &n);

	qsort(tally, n, sizeof *tally, by_kind_and_name);
	for (size_t i = 0; i < n; i++) {
		const char *kind = tv_kind_name(tally[i].kind);
		const char *name = tally[i].name[0] == '\0' ? NULL : tally[i].name;
		char topic[64];

		snprintf(topic, sizeof topic, "%s rows", kind);
		write_count(to, topic, name, tally[i].n);
		snprintf(topic, sizeof topic, "%s time (ms)", kind);
		if (tally[i].ran > 0)
			write_time(to, topic, name, tv_sum_ns(tally[i].time));
	}
	tv_free(tally);
}

/* How many, and on which workers. */
static void write_overlaps(struct report *to)
{
	const struct tv_tasks *tasks = &to->run->tasks;
	struct tv_overlaps overlaps;

	tv_overlaps_init(&overlaps, tasks);
	write_count(to, "overlaps", NULL, overlaps.n);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (overlaps.of_worker[w] > 0)
			write_count(to, "overlaps",
				    tv_pool_text(tasks->pool, tasks->workers[w].resource),
				    overlaps.of_worker[w]);
	tv_overlaps_release(&overlaps);
}

static uint32_t count_jobs(const struct tv_dag *dag)
{
	uint32_t n = 0;

	for (uint32_t v = 0; v < dag->n; v++)
		n += tv_dag_opening(dag, v) == v;
	return n;
}

/* Nodes of the jobs that have several. */
static uint32_t count_segments(const struct tv_dag *dag)
{
	uint32_t n = 0;

	for (uint32_t v = 0; v < dag->n; v++)
		if (dag->previous[v] != TV_NONE)
			n += 1 + (dag->previous[dag->previous[v]] == TV_NONE);
	return n;
}

static void write_graph(struct report *to)
{
	struct tv_error wrong = { 0 };
	const struct tv_dag *dag = tv_run_dag(to->run, &wrong);

	/* A cycle is what the user wants to know here, not a reason to fail. */
	if (dag == NULL) {
		write_row(to, "graph", "error", wrong.text, strlen(wrong.text));
		return;
	}
	if (to->run->tasks.depends == NULL && dag->nexclusions == 0 && dag->opening == NULL)
		return;
	write_count(to, "graph", "jobs", count_jobs(dag));
	if (dag->opening != NULL)
		write_count(to, "graph", "segments of suspended jobs", count_segments(dag));
	write_count(to, "graph", "dependencies", dag->nedges);
	if (dag->nexclusions > 0)
		write_count(to, "graph", "exclusions (commuting accesses)", dag->nexclusions);
	write_count(to, "graph", "dependencies on jobs that occur nowhere", dag->dangling);
}

struct asked {
	bool check;
};

static int run_info(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		    struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct report to = { .run = run, .out = out };

	(void)err;
	if (asked->check) {
		tv_check_trace(run, out);
		return 0;
	}
	tv_add_fields(out, columns, TV_COUNT(columns));
	write_meta(&to, false);
	write_tables(&to);
	write_range(&to);
	write_workers(&to);
	if (run->tasks.n > 0) {
		write_types(&to);
		if (run->tasks.nplanned > 0)
			write_count(&to, "planned tasks", NULL, run->tasks.nplanned);
		write_overlaps(&to);
		write_graph(&to);
	}
	write_meta(&to, true);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "check", NULL, NULL,
	  "what the trace lacks; exit status 0 usable, 4 usable with gaps, 3 not usable, 1 "
	  "unreadable",
	  TV_ASKED(check) },
};

static const struct tv_columns forms[] = { { tv_check_columns, TV_CHECK_COLUMNS, "--check" } };

const struct tv_pass tv_pass_info = {
	.name = "info",
	.summary = "Show what a trace contains, and what was damaged",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_INPUT,
	.needs =
		"states variables links events calls callprofile benchmarks handles resources meta",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.notes =
		"Topics: trace (of its meta table: format, files, clock), rows (by table),\n"
		"time (ms), workers by node and by type, rows and time of tasks by kind and\n"
		"type, planned tasks (which have not run), overlaps (executions that start before\n"
		"an earlier one on the same worker ends), graph, dropped and repaired (records,\n"
		"by cause).\n"
		"--check: a gap is what is not known or was repaired; docs/passes/info.md has the\n"
		"rules.",
	.example = "traceviz info data/cholesky.csv",
	.windowless = true,
	.taskless = true,
	.run = run_info,
};
