/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.c -- what a trace lacks, from its tables and what its reader noted in meta. */
#include "analysis/tasks/check.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/last.h"
#include "analysis/core/swapped.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/machine.h"
#include "trace/kernels.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* The recorder's own time matters from this share of the workers' time on. */
#define RECORDER_SHARE 0.01

#define COLUMNS(X) \
	X(CHECK, "Check", TV_LABEL, true, "", "what is checked") \
	X(VERDICT, "Verdict", TV_LABEL, true, "", \
	  "good; gap: something is not known or was repaired; bad: not usable") \
	X(ITEM, "Item", TV_TEXT, false, "", "the part that the row is about; missing: all") \
	X(COUNT, "Count", TV_INT, false, "", "number of what Text names") \
	X(OF, "Of", TV_INT, false, "", "number of all of them") \
	X(TEXT, "Text", TV_LABEL, false, "", "what was found, and what it means")

enum { COLUMNS(TV_COLUMN_ID) };
const struct tv_field tv_check_columns[] = { COLUMNS(TV_COLUMN_ROW) };
_Static_assert(TV_COUNT(tv_check_columns) == TV_CHECK_COLUMNS, "their number in check.h");

enum verdict { GOOD, GAP, BAD };

struct checks {
	struct tv_run *run;
	const struct tv_tasks *tasks;
	struct tv_table *out;
	const char *check; /* of the next rows */
	enum verdict worst;
	char *gaps; /* names of checks; NULL = none */
	const char *bad;
};

enum { NONE = -1 };

/* A row; item may be NULL, count and of NONE. */
static void write_row(struct checks *w, enum verdict verdict, const char *item, int64_t count,
		      int64_t of, const char *text)
{
	static const char *const names[] = { "good", "gap", "bad" };
	uint32_t row = tv_table_add_row(w->out);
	struct tv_column **to = w->out->col;

	tv_set_text(to[CHECK], row, w->check);
	tv_set_text(to[VERDICT], row, names[verdict]);
	tv_set_text(to[ITEM], row, item);
	if (count != NONE)
		tv_set_int(to[COUNT], row, count);
	if (of != NONE)
		tv_set_int(to[OF], row, of);
	tv_set_text(to[TEXT], row, text);
	w->worst = verdict > w->worst ? verdict : w->worst;
	if (verdict == BAD && w->bad == NULL)
		w->bad = w->check;
	if (verdict == GAP && (w->gaps == NULL || strstr(w->gaps, w->check) == NULL))
		tv_append(&w->gaps, "%s%s", w->gaps != NULL ? ", " : "", w->check);
}

static uint32_t count_rows(const struct checks *w, enum tv_table_id id)
{
	return tv_trace_table(w->run->trace, id)->nrows;
}

/* ---- tasks and their graph ---- */

static void check_tasks(struct checks *w)
{
	static const enum tv_table_id others[] = { TV_STATES,	  TV_CALLS,	TV_VARIABLES,
						   TV_LINKS,	  TV_EVENTS,	TV_CALLPROFILE,
						   TV_BENCHMARKS, TV_DECISIONS, TV_RESOURCES };
	bool any = w->tasks->n > 0;

	w->check = "tasks";
	for (size_t i = 0; i < TV_COUNT(others); i++)
		any = any || count_rows(w, others[i]) > 0;
	if (w->tasks->ncounted > 0)
		write_row(w, GOOD, NULL, w->tasks->ncounted, w->tasks->n,
			  "rows of tasks that ran, among all rows of tasks");
	else if (w->tasks->nplanned > 0)
		write_row(w, GAP, NULL, 0, w->tasks->n, "none has run: simulate first");
	else
		write_row(w, any ? GAP : BAD, NULL, 0, w->tasks->n,
			  any ? "no task ran: only verbs of other tables apply"
			      : "no table has rows");
}

static void check_dependencies(struct checks *w)
{
	struct tv_error wrong = { 0 };
	const struct tv_dag *dag;
	const struct tv_tasks *tasks = w->tasks;
	int64_t with = 0, all = 0;
	uint32_t early;

	if (tasks->n == 0)
		return;
	w->check = "dependencies";
	dag = tv_run_dag(w->run, &wrong);
	if (dag == NULL) {
		write_row(w, BAD, NULL, NONE, NONE, wrong.text);
		return;
	}
	for (uint32_t row = 0; row < tasks->n; row++) {
		if (!tasks->counted[row] || !tv_row_begins(tasks, row))
			continue;
		all++;
		with += tasks->depends != NULL && !tv_missing(tasks->depends, row);
	}
	write_row(w, with > 0 ? GOOD : GAP, NULL, with, all,
		  with > 0 ? "tasks that depend on others"
			   : "no task depends on another: no critical path, releases, ready tasks "
			     "or causes");
	if (dag->dangling > 0)
		write_row(w, dag->dangling > dag->nedges / 10 ? GAP : GOOD, "unknown jobs",
			  (int64_t)dag->dangling, (int64_t)dag->dangling + (int64_t)dag->nedges,
			  "dependencies on jobs that occur nowhere, which are ignored");
	if (dag->nrepeated > 0)
		write_row(w, GAP, "repeated jobs", dag->nrepeated, NONE,
			  "jobs that ran several times, on one worker or one after the other, "
			  "without Segment or Instance: each is one step of the graph");
	early = tv_run_early(w->run, dag)->n;
	if (early > 0)
		write_row(w, GAP, "order", early, all,
			  "tasks that begin more than 1 us before what they depend on has ended; "
			  "with them chains may exceed the makespan");
}

static void check_submission(struct checks *w)
{
	const struct tv_tasks *tasks = w->tasks;
	int64_t with = 0;

	if (tasks->ncounted == 0)
		return;
	w->check = "submission";
	for (uint32_t row = 0; row < tasks->n; row++)
		with += tasks->counted[row] && tasks->submit != NULL
		     && !tv_missing(tasks->submit, row);
	write_row(w, with == tasks->ncounted ? GOOD : GAP, NULL, with, tasks->ncounted,
		  "rows of tasks with SubmitTime; without it late submission looks like missing "
		  "dependencies");
}

/* ---- workers and lanes ---- */

/* Rows for the values of a key of meta, which may occur several times; split: "ITEM: TEXT". */
static int64_t write_meta(struct checks *w, const char *name, enum verdict verdict, bool split,
			  const char *text)
{
	const struct tv_trace *trace = w->run->trace;
	const char *found;
	uint32_t row = 0;
	int64_t n = 0;
	size_t length;

	while ((found = tv_meta_next(trace, name, &row, &length)) != NULL) {
		char *rest = tv_strndup(found, length), *after;
		size_t digits = strspn(rest, "0123456789"),
		       item = split ? tv_meta_item(found, length) : 0;
		int64_t count;

		if (digits == 0 || tv_parse_int(rest, digits, &count) != TV_PARSE_OK)
			count = NONE;
		after = item > 0 ? rest + item + 1 + strspn(rest + item + 1, " ") : rest;
		if (item > 0)
			rest[item] = '\0';
		if (text != NULL)
			write_row(w, verdict, name, count, NONE, text);
		else
			write_row(w, verdict, item > 0 ? rest : name, NONE, NONE, after);
		tv_free(rest);
		n++;
	}
	return n;
}

static void check_workers(struct checks *w)
{
	const struct tv_tasks *tasks = w->tasks;

	if (tasks->n == 0)
		return;
	w->check = "workers";
	write_row(w, tasks->workers_known ? GOOD : GAP, NULL, tasks->nworkers, NONE,
		  tasks->workers_known
			  ? "declared, with or without tasks"
			  : "only those that ran tasks are known: idle ones may be missing "
			    "(--resources)");
}

/* Resources that are no workers, by type. */
static void check_lanes(struct checks *w)
{
	const struct tv_table *resources = tv_trace_table(w->run->trace, TV_RESOURCES);
	const struct tv_column *id = tv_table_find(resources, "ResourceId"),
			       *type = tv_table_find(resources, "ResourceType"),
			       *depth = tv_table_find(resources, "Depth");
	uint32_t *worker_of = tv_tasks_worker_of_label(w->tasks), *types = NULL, ntypes = 0;
	struct tv_index number = { 0 };
	int64_t *count = NULL;
	size_t cap = 0, counts_cap = 0;

	w->check = "lanes";
	write_meta(w, "NoWorker", GOOD, true, NULL);
	for (uint32_t row = 0; id != NULL && type != NULL && row < resources->nrows; row++) {
		uint32_t label = tv_label(id, row), of = tv_label(type, row), at;

		if (label == TV_NONE || of == TV_NONE || worker_of[label] != TV_NONE
		    || tv_is_object(depth, row))
			continue;
		at = tv_index_get(&number, of);
		if (at == TV_NONE) {
			TV_GROW(types, ntypes, cap, 1);
			TV_GROW(count, ntypes, counts_cap, 1);
			at = ntypes++;
			tv_index_set(&number, of, at);
			types[at] = of;
			count[at] = 0;
		}
		count[at]++;
	}
	for (uint32_t i = 0; i < ntypes; i++)
		write_row(w, GOOD, tv_pool_text(w->run->trace->pool, types[i]), count[i],
			  resources->nrows, "no workers: no task ran on any of this type");
	tv_free(number.at);
	tv_free(types);
	tv_free(count);
	tv_free(worker_of);
}

static void check_overlaps(struct checks *w)
{
	struct tv_overlaps overlaps;

	if (w->tasks->n == 0)
		return;
	w->check = "overlaps";
	tv_overlaps_init(&overlaps, w->tasks);
	write_row(w, overlaps.n > 0 ? GAP : GOOD, NULL, (int64_t)overlaps.n, w->tasks->n,
		  "executions that begin before an earlier one on the same worker ends; with them "
		  "bounds may exceed the makespan");
	if (tv_looks_swapped(w->tasks, &overlaps))
		write_row(w, GAP, "swapped", NONE, NONE,
			  "tasks of one Value never overlap, those of one ResourceId do: it looks "
			  "as if these two columns were swapped");
	write_meta(w, "OverlapsOfUnit", GOOD, false,
		   "overlaps shorter than the unit of the file's times, which are none");
	tv_overlaps_release(&overlaps);
}

/* ---- what has no end, clocks, messages ---- */

/* How many rows of a table have that Flag; of: rows of that Type only, TV_NONE = all. */
static int64_t count_flags(const struct checks *w, enum tv_table_id id, const char *flag,
			   uint32_t of)
{
	const struct tv_table *table = tv_trace_table(w->run->trace, id);
	const struct tv_column *column = tv_table_find(table, "Flag"),
			       *type = tv_table_find(table, "Type");
	uint32_t label = tv_pool_find_text(w->run->trace->pool, flag);
	int64_t n = 0;

	for (uint32_t row = 0; column != NULL && label != TV_NONE && row < table->nrows; row++)
		n += tv_label(column, row) == label
		  && (of == TV_NONE || (type != NULL && tv_label(type, row) == of));
	return n;
}

static void check_open(struct checks *w)
{
	static const struct {
		enum tv_table_id table;
		enum verdict verdict;
	} of[] = { { TV_TASKS, GAP }, { TV_CALLS, GAP }, { TV_LINKS, GAP }, { TV_STATES, GOOD } };

	w->check = "open";
	for (size_t i = 0; i < TV_COUNT(of); i++) {
		int64_t n = count_flags(w, of[i].table, "open", TV_NONE);

		if (n > 0)
			write_row(w, of[i].verdict, tv_schema[of[i].table].name, n,
				  count_rows(w, of[i].table),
				  "without end: they are taken to end with the trace");
	}
	if (w->tasks->npending > 0)
		write_row(w, GAP, "pending", w->tasks->npending, NONE,
			  "tasks that were submitted and never started");
}

static int64_t count_messages(const struct checks *w)
{
	const struct tv_table *links = tv_trace_table(w->run->trace, TV_LINKS);
	const struct tv_column *type = tv_table_find(links, "Type");
	uint32_t message = tv_pool_find_text(w->run->trace->pool, TV_MESSAGE_TYPE);
	int64_t n = 0;

	for (uint32_t row = 0; type != NULL && message != TV_NONE && row < links->nrows; row++)
		n += tv_label(type, row) == message;
	return n;
}

static void check_clocks(struct checks *w)
{
	int64_t messages = count_messages(w), early = count_flags(w, TV_LINKS, TV_EARLY, TV_NONE);
	const char *origin;
	char *text;
	size_t n;

	w->check = "clocks";
	origin = tv_meta_get(w->run->trace, "ClockOrigin", &n);
	if (origin != NULL) {
		text = tv_format("%.*s ms were subtracted from all times", (int)n, origin);
		write_row(w, GOOD, "origin", NONE, NONE, text);
		tv_free(text);
	}
	write_meta(w, "TimeUnit", GOOD, false, NULL);
	write_meta(w, "ClockCorrection", GOOD, true, NULL);
	write_meta(w, "ClockOffset", GOOD, true, NULL);
	write_meta(w, "ClockResidual", GAP, false, NULL);
	write_meta(w, "JoinedClock", GOOD, false, NULL);
	if (messages > 0)
		write_row(w, early > 0 ? GAP : GOOD, NULL, early, messages,
			  "messages that arrive before they were sent, as the clocks of nodes "
			  "differ (--clock-offset)");
}

static void check_messages(struct checks *w)
{
	static const struct {
		const char *key, *text;
	} facts[] = {
		{ "MessagesUnmatched", NULL },
		{ "MessagesOutside", "messages of threads or ranks that are not in the trace" },
		{ "MessagesOutsideGraph", "messages whose dependencies are not known" },
		{ "UnexpectedMessagesWithoutTask",
		  "messages that arrived before they were requested, of which no task is known to "
		  "wait for them" },
		{ "UnmatchedFlows", "arrows with one end" },
		{ "DependenciesOnNoTask", "arrows that name no task" },
	};
	uint32_t message = tv_pool_find_text(w->run->trace->pool, TV_MESSAGE_TYPE);
	int64_t n = count_messages(w);

	w->check = "messages";
	if (n > 0)
		write_row(w, GOOD, NULL, n - count_flags(w, TV_LINKS, "open", message), n,
			  "messages whose two ends are known");
	for (size_t i = 0; i < TV_COUNT(facts); i++)
		write_meta(w, facts[i].key, GAP, false, facts[i].text);
}

/* ---- damage, and the recorder ---- */

static void check_damage(struct checks *w)
{
	static const char *const text[] = {
		[TV_REPAIRED] = "records repaired",
		[TV_DROPPED] = "records skipped",
		[TV_DROPPED_BESIDE] = "records skipped, of no task or worker"
	};
	const struct tv_table *meta = &w->run->trace->table[TV_META];
	const struct tv_column *key = tv_table_find(meta, "Key"),
			       *value = tv_table_find(meta, "Value");

	w->check = "truncation";
	if (tv_trace_ends_early(w->run->trace) || w->tasks->ncut > 0 || w->tasks->npending > 0)
		write_row(w, GAP, NULL, NONE, NONE,
			  "the trace ends before the run: numbers describe the run up to there");
	else
		write_row(w, GOOD, NULL, NONE, NONE,
			  "nothing shows that the trace ends before the run");
	w->check = "damage";
	for (uint32_t row = 0; key != NULL && value != NULL && row < meta->nrows; row++) {
		const char *name = tv_pool_text(key->pool, tv_label(key, row)), *found;
		int64_t n;
		size_t length;

		found = tv_string(value, row, &length);
		for (int i = 0; i < TV_NDAMAGES; i++) {
			size_t prefix = strlen(tv_damage_prefix[i]);

			if (strncmp(name, tv_damage_prefix[i], prefix) == 0
			    && tv_parse_int(found, length, &n) == TV_PARSE_OK)
				write_row(w, GAP, name + prefix, n, NONE, text[i]);
		}
	}
	write_meta(w, "EventsLost", GAP, true, NULL);
}

/* States in which the recorder worked, or was off. */
static bool is_recorder(const char *type, const char *value)
{
	return strcmp(type, "overhead") == 0 || strcmp(value, "TRACE BUFFER FLUSH") == 0
	    || (strcmp(type, "recorder") == 0
		&& (strcmp(value, "flush of the buffer") == 0 || strcmp(value, "off") == 0));
}

struct spell {
	uint32_t resource;
	int64_t begin, end;
};

TV_ORDER(by_begin, struct spell, resource, begin)

/* A flush may be in a record and in a region: it counts once. */
static tv_int128 sum_union(struct spell *spell, size_t n)
{
	tv_int128 sum = 0;
	int64_t reach = INT64_MIN;

	if (n > 1)
		qsort(spell, n, sizeof *spell, by_begin);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || spell[i].resource != spell[i - 1].resource || spell[i].begin > reach)
			reach = spell[i].begin;
		if (spell[i].end > reach) {
			sum += spell[i].end - reach;
			reach = spell[i].end;
		}
	}
	return sum;
}

static void check_recorder(struct checks *w)
{
	const struct tv_table *states = tv_trace_table(w->run->trace, TV_STATES);
	const struct tv_column *type = tv_table_find(states, "Type"),
			       *value = tv_table_find(states, "Value"),
			       *start = tv_table_find(states, "Start"),
			       *end = tv_table_find(states, "End"),
			       *resource = tv_table_find(states, "ResourceId");
	const struct tv_pool *pool = w->run->trace->pool;
	double all = (double)(w->tasks->finish - w->tasks->begin) * w->tasks->nworkers;
	struct spell *spell = NULL;
	size_t n = 0, cap = 0;
	char ms[TV_NUMBER_MAX], *text;

	w->check = "recorder";
	for (uint32_t row = 0; type != NULL && value != NULL && row < states->nrows; row++) {
		if (tv_missing(start, row) || tv_missing(end, row)
		    || !is_recorder(tv_pool_text(pool, tv_label(type, row)),
				    tv_pool_text(pool, tv_label(value, row))))
			continue;
		TV_GROW(spell, n, cap, 1);
		spell[n++] = (struct spell){ tv_label(resource, row), start->i[row], end->i[row] };
	}
	if (n > 0) {
		tv_int128 sum = sum_union(spell, n);

		tv_write_ms(ms, tv_sum_ns(sum));
		text = tv_format("%s ms in states of the recorder", ms);
		write_row(w, all > 0 && (double)sum > RECORDER_SHARE * all ? GAP : GOOD, NULL,
			  (int64_t)n, NONE, text);
		tv_free(text);
	}
	tv_free(spell);
	write_meta(w, "Monitor.Cpu", GOOD, false, NULL);
	write_meta(w, "Monitor.Missed", GOOD, false, NULL);
}

static void conclude(struct checks *w)
{
	struct tv_error *verdict = &w->run->verdict;

	if (w->worst == BAD)
		tv_fail(verdict, "info --check: not usable: %s, see the row with Verdict bad",
			w->bad);
	else if (w->worst == GAP)
		tv_fail(verdict, "info --check: usable with gaps: %s", w->gaps);
	if (w->worst != GOOD)
		verdict->status = w->worst == BAD ? TV_NEGATIVE : TV_UNCERTAIN;
}

void tv_check_trace(struct tv_run *run, struct tv_table *out)
{
	struct checks w = { .run = run, .tasks = &run->tasks, .out = out };

	tv_add_fields(out, tv_check_columns, TV_CHECK_COLUMNS);
	check_tasks(&w);
	check_dependencies(&w);
	check_submission(&w);
	check_workers(&w);
	check_lanes(&w);
	check_overlaps(&w);
	check_open(&w);
	check_clocks(&w);
	check_messages(&w);
	check_damage(&w);
	check_recorder(&w);
	conclude(&w);
	tv_free(w.gaps);
}
