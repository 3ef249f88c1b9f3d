/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info.c -- what a trace contains, where it comes from and what was wrong with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/overlaps.h"
#include "analysis/core/team.h"
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

/* Rows of one kind and type. */
struct tally {
	uint32_t label;
	const char *name; /* "" where Value is missing */
	enum tv_kind kind;
	uint64_t n, ran;
	tv_int128 time;
};

/* What is counted, of rows that may come part by part. */
struct sums {
	uint64_t rows[TV_NTABLES];
	int64_t first, last; /* of everything that happened, ns */
	struct tally *tally; /* of each kind and label that occur */
	size_t ntallies, tallies_cap;
	struct tv_map place; /* in tally, by label and kind */
	struct tv_overlaps overlaps;
	bool graph;	       /* there is one */
	struct tv_error wrong; /* with it */
	uint64_t jobs, segments, dependencies, exclusions, dangling;
};

struct report {
	struct tv_run *run;
	struct sums sums;
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
		if (id != TV_META && to->sums.rows[id] > 0)
			write_count(to, "rows", tv_schema[id].name, to->sums.rows[id]);
}

/* Range of everything that happened, and of the counted tasks. */
static void write_range(struct report *to)
{
	const struct tv_tasks *tasks = &to->run->tasks;

	if (to->sums.first <= to->sums.last) {
		write_time(to, "time (ms)", "first event", to->sums.first);
		write_time(to, "time (ms)", "last event", to->sums.last);
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

TV_ORDER(by_kind_and_name, struct tally, kind, text(name))

static void write_types(struct report *to)
{
	struct tally *tally = to->sums.tally;
	size_t n = to->sums.ntallies;

	for (size_t i = 0; i < n; i++)
		tally[i].name = tv_pool_text(to->run->tasks.pool, tally[i].label);
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
}

/* How many, and on which workers. */
static void write_overlaps(struct report *to)
{
	const struct tv_tasks *tasks = &to->run->tasks;
	const struct tv_overlaps *overlaps = &to->sums.overlaps;

	write_count(to, "overlaps", NULL, overlaps->n);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (overlaps->of_worker[w] > 0)
			write_count(to, "overlaps",
				    tv_pool_text(tasks->pool, tasks->workers[w].resource),
				    overlaps->of_worker[w]);
}

static void write_graph(struct report *to)
{
	const struct sums *sums = &to->sums;

	/* A cycle is what the user wants to know here, not a reason to fail. */
	if (sums->wrong.text[0] != '\0') {
		write_row(to, "graph", "error", sums->wrong.text, strlen(sums->wrong.text));
		return;
	}
	if (!sums->graph)
		return;
	write_count(to, "graph", "jobs", sums->jobs);
	if (sums->segments > 0)
		write_count(to, "graph", "segments of suspended jobs", sums->segments);
	write_count(to, "graph", "dependencies", sums->dependencies);
	if (sums->exclusions > 0)
		write_count(to, "graph", "exclusions (commuting accesses)", sums->exclusions);
	write_count(to, "graph", "dependencies on jobs that occur nowhere", sums->dangling);
}

/* ---- what is counted ---- */

static void extend(const struct tv_column *column, int64_t *first, int64_t *last)
{
	for (uint32_t row = 0; column != NULL && row < column->n; row++) {
		if (tv_missing(column, row))
			continue;
		*first = column->i[row] < *first ? column->i[row] : *first;
		*last = column->i[row] > *last ? column->i[row] : *last;
	}
}

static void add_tables(struct sums *sums, const struct tv_run *part)
{
	static const enum tv_table_id dated[] = { TV_TASKS,  TV_STATES, TV_VARIABLES, TV_LINKS,
						  TV_EVENTS, TV_CALLS,	TV_DECISIONS };
	static const char *const name[] = { "Start", "End", "Time" };
	const uint64_t *rows = part->of != NULL ? part->of->parts->of_table : NULL;

	/* Of others each part has all rows. */
	for (int id = 0; id < TV_NTABLES; id++)
		if (rows == NULL || rows[id] > 0)
			sums->rows[id] += tv_trace_table(part->trace, id)->nrows;
	for (size_t i = 0; i < TV_COUNT(dated); i++)
		for (size_t k = 0; k < TV_COUNT(name); k++)
			if (tv_schema_field(dated[i], name[k]) != NULL)
				extend(tv_table_find(tv_trace_table(part->trace, dated[i]),
						     name[k]),
				       &sums->first, &sums->last);
}

static struct tally *tally_of(struct sums *sums, uint32_t label, enum tv_kind kind)
{
	uint32_t *at = tv_map_at(&sums->place, label, kind);

	if (*at == TV_NONE) {
		TV_GROW(sums->tally, sums->ntallies, sums->tallies_cap, 1);
		sums->tally[sums->ntallies] = (struct tally){ .label = label, .kind = kind };
		*at = (uint32_t)sums->ntallies++;
	}
	return &sums->tally[*at];
}

static void add_types(struct sums *sums, const struct tv_tasks *tasks)
{
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tally *tally = tally_of(sums, tasks->value[row],
					       (enum tv_kind)tasks->kind[row]);

		tally->n++;
		tally->ran += tasks->executed[row];
		if (tasks->executed[row])
			tally->time += tv_row_time(tasks, row);
	}
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

static void add_graph(struct sums *sums, struct tv_run *part)
{
	const struct tv_dag *dag = sums->wrong.text[0] == '\0' ? tv_run_dag(part, &sums->wrong)
							       : NULL;

	if (dag == NULL)
		return;
	sums->graph = sums->graph || part->tasks.depends != NULL || dag->nexclusions > 0
		   || dag->opening != NULL;
	sums->jobs += count_jobs(dag);
	sums->segments += dag->opening != NULL ? count_segments(dag) : 0;
	sums->dependencies += dag->nedges + dag->nearlier;
	sums->exclusions += dag->nexclusions;
	sums->dangling += dag->dangling;
}

static int add_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct sums *sums = state;

	(void)err;
	add_tables(sums, part);
	add_types(sums, &part->tasks);
	tv_overlaps_add(&sums->overlaps, &part->tasks);
	if (part->tasks.n > 0 || part->of != NULL)
		add_graph(sums, part);
	return 0;
}

/* ---- several processes ---- */

static void pack_sums(const struct sums *sums, const struct tv_pool *pool, struct tv_parcel *pack)
{
	tv_pack_bytes(pack, sums, sizeof *sums);
	for (size_t i = 0; i < sums->ntallies; i++) {
		tv_pack_label(pack, pool, sums->tally[i].label);
		tv_pack_bytes(pack, &sums->tally[i], sizeof *sums->tally);
	}
}

static void merge_sums(struct sums *sums, struct tv_pool *pool, struct tv_unpack *from)
{
	struct sums more;

	tv_unpack_bytes(from, &more, sizeof more);
	for (int id = 0; id < TV_NTABLES; id++)
		sums->rows[id] += more.rows[id];
	sums->first = more.first < sums->first ? more.first : sums->first;
	sums->last = more.last > sums->last ? more.last : sums->last;
	for (size_t i = 0; i < more.ntallies; i++) {
		uint32_t label = tv_unpack_label(from, pool);
		struct tally tally, *to;

		tv_unpack_bytes(from, &tally, sizeof tally);
		to = tally_of(sums, label, tally.kind);
		to->n += tally.n;
		to->ran += tally.ran;
		to->time += tally.time;
	}
	if (sums->wrong.text[0] == '\0')
		sums->wrong = more.wrong;
	sums->graph = sums->graph || more.graph;
	sums->jobs += more.jobs;
	sums->segments += more.segments;
	sums->dependencies += more.dependencies;
	sums->exclusions += more.exclusions;
	sums->dangling += more.dangling;
}

static void sums_release(struct sums *sums)
{
	tv_free(sums->tally);
	tv_map_release(&sums->place);
	tv_overlaps_release(&sums->overlaps);
}

/* The sums of all processes. */
static int share_sums(struct sums *sums, struct tv_run *run, struct tv_error *err)
{
	struct sums all = { .first = INT64_MAX, .last = INT64_MIN };
	struct tv_parcel pack = { 0 };
	struct tv_gathered gathered;

	if (tv_overlaps_merge(&sums->overlaps, run, err) < 0)
		return -1;
	pack_sums(sums, run->trace->pool, &pack);
	gathered = tv_team_gather(run->team, &pack);
	for (uint32_t rank = 0; rank < gathered.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&gathered, rank);

		merge_sums(&all, run->trace->pool, &from);
	}
	tv_gathered_release(&gathered);
	all.overlaps = sums->overlaps;
	sums->overlaps = (struct tv_overlaps){ 0 };
	sums_release(sums);
	*sums = all;
	return 0;
}

static int count_rows(struct report *to, struct tv_error *err)
{
	struct tv_run *run = to->run;

	to->sums.first = INT64_MAX;
	to->sums.last = INT64_MIN;
	if (tv_run_rows(run, add_part, &to->sums, err) < 0
	    || (run->team != NULL && share_sums(&to->sums, run, err) < 0))
		return -1;
	for (int id = 0; run->parts != NULL && id < TV_NTABLES; id++)
		if (run->parts->of_table[id] == 0)
			to->sums.rows[id] = tv_trace_table(run->trace, id)->nrows;
	return 0;
}

struct asked {
	bool check;
};

static void write_report(struct report *to)
{
	write_meta(to, false);
	write_tables(to);
	write_range(to);
	write_workers(to);
	if (to->sums.rows[TV_TASKS] > 0) {
		write_types(to);
		if (to->run->tasks.nplanned > 0)
			write_count(to, "planned tasks", NULL, to->run->tasks.nplanned);
		write_overlaps(to);
		write_graph(to);
	}
	write_meta(to, true);
}

static int run_info(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		    struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct report to = { .run = run, .out = out };

	int rc;

	if (asked->check) {
		tv_check_trace(run, out);
		return 0;
	}
	tv_add_fields(out, columns, TV_COUNT(columns));
	rc = count_rows(&to, err);
	if (rc == 0)
		write_report(&to);
	sums_release(&to.sums);
	return rc;
}

static bool is_in_parts(const struct tv_options *options)
{
	return !tv_option_given(options, "check");
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
		"states variables links events calls callprofile benchmarks handles resources meta "
		"decisions candidates",
	.columns = "",
	.parted = "states variables links events calls decisions candidates",
	.all_columns = true,
	.later = TV_ALL_COLUMNS,
	.linked = true,
	.excluding = true,
	.within = true,
	.in_parts = is_in_parts,
	.beside = 150,
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
