/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c -- spans of time of a trace, and its rows in them, one after the other. */
#include "cli/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/warnings.h"
#include "analysis/tasks/phase_list.h"
#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

enum {
	READING = 1 << 21, /* bytes for what is read and decoded */
	ENOUGH = 1 << 17, /* rows of a part: more gain nothing, and leave less memory to the pass */
};

/* As in struct tv_row_part. */
struct span {
	int64_t begin, end;
	bool rest;
};

struct tv_parts {
	struct tv_cli reading;
	const char *path;
	char *columns; /* of tasks that are read */
	struct tv_row_part part;
	uint32_t rows_max; /* 0 = as memory allows */
	struct span *span;
	size_t n, cap;
	size_t at; /* the next one */
	struct tv_survey survey;
	bool surveyed;
	struct tv_left_out left_out[TV_LEFT_OUT_NAMED + 1];
	struct tv_phase_stretches stretches;
	int64_t place;	  /* in the input of the last row of those surveyed */
	bool moved;	  /* parts do not come in the order of the input */
	bool printing;	  /* parts have all columns of tasks */
	uint32_t nlabels; /* of the pool before the part, then */
	/* of the part that is open */
	struct tv_trace trace;
	struct tv_run run;
	unsigned kinds;
	struct tv_run *whole;
	struct tv_run_parts give;
	struct tv_progress progress;
};

/* ---- whether there are parts ---- */

static struct tv_parts *fail(struct tv_error *err, const char *why)
{
	char *text = tv_strdup(err->text);
	struct tv_pos at = { err->file, err->line };
	char *file = tv_strdup(err->file);

	at.file = file[0] != '\0' ? file : NULL;
	tv_fail_at(err, at, "%s; %s", text, why);
	tv_free(text);
	tv_free(file);
	return NULL;
}

/* An option with which parts would not be what the whole is; NULL = none. */
static const char *find_option(const struct tv_cli *cli)
{
	static const size_t members[] = {
		offsetof(struct tv_cli, restriction),	  offsetof(struct tv_cli, phase),
		offsetof(struct tv_cli, region),	  offsetof(struct tv_cli, read.strict),
		offsetof(struct tv_cli, read.with),	  offsetof(struct tv_cli, read.zero),
		offsetof(struct tv_cli, read.task_state), offsetof(struct tv_cli, read.resources),
		offsetof(struct tv_cli, read.bind),	  offsetof(struct tv_cli, read.map),
	};

	return cli->read.nclock_offsets > 0 ? "clock-offset"
					    : tv_cli_given(cli, members, TV_COUNT(members));
}

struct tv_parts *tv_parts_new(const struct tv_cli *reading, uint32_t rows, struct tv_error *err)
{
	const struct tv_pass *pass = reading->verb.pass;
	const struct tv_options options = tv_cli_own_options(reading);
	const char *option = find_option(reading);
	bool prints = pass->kind == TV_ANNOTATE;
	struct tv_parts *parts;
	char why[200];

	if (pass->in_parts == NULL || !pass->in_parts(&options))
		snprintf(why, sizeof why, "%s needs all rows at once%s", pass->name,
			 pass->windowless ? "" : ", or a part of the time (--begin, --end)");
	else if (option != NULL)
		snprintf(why, sizeof why, "with --%s all rows are needed at once", option);
	else if (prints && (reading->top > 0 || reading->json))
		snprintf(why, sizeof why, "with --%s all rows are needed at once",
			 reading->json ? "json" : "top");
	else if (prints && tv_print_is_aligned(reading))
		snprintf(why, sizeof why, "part by part it prints CSV: --csv, or -o FILE");
	else if (reading->ntraces != 1 || reading->trace[0].label != NULL
		 || reading->receiver != NULL)
		snprintf(why, sizeof why, "only one file or folder is read in parts");
	else
		why[0] = '\0';
	if (why[0] != '\0')
		return fail(err, why);
	parts = tv_alloc(1, sizeof *parts);
	parts->reading = *reading;
	parts->reading.read.part = &parts->part;
	parts->columns = tv_strdup(reading->read.columns);
	parts->reading.read.columns = parts->columns;
	parts->path = reading->trace[0].path;
	parts->rows_max = rows;
	parts->part.left = reading->read.unread;
	parts->part.tables = (1u << TV_TASKS | 1u << TV_STATES) & ~reading->read.unread;
	parts->part.lists = true;
	parts->place = INT64_MIN;
	return parts;
}

const struct tv_cli *tv_parts_reading(const struct tv_parts *parts)
{
	return &parts->reading;
}

static void close_part(struct tv_parts *parts)
{
	struct tv_pool *pool = parts->trace.pool;

	tv_run_release(&parts->run);
	if (parts->printing && pool != NULL) {
		tv_pool_truncate(pool, parts->nlabels);
		parts->survey.n = parts->survey.n < parts->nlabels ? parts->survey.n
								   : parts->nlabels;
	}
	tv_trace_release(&parts->trace);
}

void tv_parts_close(struct tv_parts *parts)
{
	if (parts == NULL)
		return;
	close_part(parts);
	tv_free(parts->part.group);
	tv_free(parts->span);
	tv_free(parts->columns);
	tv_free(parts->stretches.at);
	tv_survey_release(&parts->survey);
	tv_free(parts);
}

/* ---- spans ---- */

TV_ORDER(by_min, struct tv_row_group, min)

static void add_span(struct tv_parts *parts, int64_t begin, int64_t end, bool rest)
{
	TV_GROW(parts->span, parts->n, parts->cap, 1);
	parts->span[parts->n++] = (struct span){ begin, end, rest };
}

/* Spans of rows without Start, in the order of the groups. false: there are none. */
static bool divide_rest(struct tv_parts *parts, uint64_t max)
{
	const struct tv_row_part *part = &parts->part;
	uint64_t rows = 0;
	size_t first = 0;

	for (size_t i = 0; i < part->n; i++) {
		uint64_t more = part->group[i].rest ? part->group[i].rows : 0;

		if (more > max)
			return false;
		if (rows + more > max) {
			add_span(parts, (int64_t)first, (int64_t)i, true);
			first = i;
			rows = 0;
		}
		rows += more;
	}
	if (rows > 0)
		add_span(parts, (int64_t)first, (int64_t)part->n, true);
	return true;
}

/* Spans of groups that have at most so many rows, those of rows without Start last. false: there are none. */
static bool divide(struct tv_parts *parts, uint64_t max)
{
	const struct tv_row_group *group = parts->part.group;
	size_t timed = 0;

	for (size_t i = 0; i < parts->part.n; i++)
		timed += group[i].min <= group[i].max;
	if (parts->part.n > 0) /* those without times have the largest min */
		qsort(parts->part.group, parts->part.n, sizeof *group, by_min);
	for (size_t i = 0, next; i < timed; i = next) {
		uint64_t rows = 0;

		/* Those that began before and go on. */
		for (size_t k = 0; k < i; k++)
			rows += group[k].max >= group[i].min ? group[k].rows : 0;
		for (size_t first = next = i; first < timed; first = next) {
			uint64_t more = 0;

			for (; next < timed && group[next].min == group[first].min; next++)
				more += group[next].rows;
			if (rows + more > (max < ENOUGH ? max : ENOUGH) && first > i) {
				next = first;
				break;
			}
			rows += more;
			if (rows > max)
				return false;
		}
		add_span(parts, group[i].min, next < timed ? group[next].min : INT64_MAX, false);
	}
	return true;
}

/* All spans, those of rows without Start last; none where no memory is enough. */
static void find_spans(struct tv_parts *parts, uint64_t max)
{
	struct span *rest;
	size_t nrest;
	bool fits = divide_rest(parts, max);

	rest = parts->span;
	nrest = parts->n;
	parts->span = NULL;
	parts->n = parts->cap = 0;
	fits = fits && divide(parts, max);
	for (size_t i = 0; i < nrest; i++)
		add_span(parts, rest[i].begin, rest[i].end, true);
	if (!fits)
		parts->n = 0;
	tv_free(rest);
}

/* The rows of a part for which there is room beside what a pass keeps; 0 = none. */
static uint64_t rows_that_fit(const struct tv_parts *parts, const struct tv_trace *trace)
{
	const struct tv_pass *pass = parts->reading.verb.pass;
	double used = (double)tv_memory_used(), max = (double)tv_memory_max();
	double row = 8 * (double)trace->table[TV_TASKS].ncols + pass->beside;
	double rows = (max - used - READING) / (2 * row);

	if (parts->rows_max > 0)
		return parts->rows_max;
	return rows < 1 ? 0 : (uint64_t)rows;
}

/* ---- reading ---- */

static int open_part(struct tv_parts *parts, const struct tv_trace *trace, struct tv_error *err)
{
	const struct span *span = &parts->span[parts->at++];

	tv_trace_init_beside(&parts->trace, trace);
	parts->part.begin = span->begin;
	parts->part.end = span->end;
	parts->part.rest = span->rest;
	parts->part.n = 0;
	parts->trace.options.verbose = false;
	if (parts->printing)
		parts->trace.options.columns = NULL;
	parts->nlabels = tv_pool_count(trace->pool);
	if (tv_load(parts->path, &parts->trace, NULL, NULL, err) < 0)
		return -1;
	parts->trace.survey = &parts->survey;
	if (parts->surveyed && parts->survey.any) {
		parts->trace.rest.n = 1;
		parts->trace.rest.begin = parts->survey.begin;
		parts->trace.rest.finish = parts->survey.finish;
	}
	tv_run_init(&parts->run, &parts->trace, parts->kinds);
	if (tv_progress_wanted(&parts->reading))
		tv_progress_update(&parts->progress,
				   (double)(parts->at + (parts->surveyed ? parts->n : 0))
					   / (double)(2 * parts->n));
	return 0;
}

/* Whether a list has a note or warning of that text. */
static bool has_note(const struct tv_diagnostics *list, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (list->at[i].severity <= TV_WARNING && strcmp(list->at[i].text, text) == 0)
			return true;
	return false;
}

/* Prints what reading the parts reported, each note once, without those of the trace. */
static void print_reports(const struct tv_parts *parts, const struct tv_trace *trace,
			  const struct tv_trace *reports)
{
	struct tv_diagnostics shown = { 0 };
	size_t cap = 0;

	for (size_t i = 0; i < reports->diagnostics.n; i++) {
		const struct tv_diagnostic *d = &reports->diagnostics.at[i];

		if (d->severity <= TV_WARNING
		    && (has_note(&trace->diagnostics, trace->diagnostics.n, d->text)
			|| has_note(&reports->diagnostics, i, d->text)))
			continue;
		TV_GROW(shown.at, shown.n, cap, 1);
		shown.at[shown.n++] = *d;
	}
	tv_print_diagnostics(&parts->reading, &shown);
	tv_free(shown.at);
}

/* Why the rows of parts are not enough; NULL = they are. */
static const char *find_reason(const struct tv_parts *parts, const struct tv_trace *trace)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *type = tv_table_find(tasks, "ResourceType"),
			       *node = tv_table_find(tasks, "Node");

	if (!trace->native || trace->plain.ncols > 0 || parts->part.group == NULL)
		return "only our own tables in Parquet are read in parts";
	if (type->derived && !node->derived)
		return "only tasks with a column ResourceType are read in parts";
	if ((tv_table_find(tasks, "Cpu") != NULL || tv_table_find(tasks, "CpuEnd") != NULL)
	    && tv_table_find(&trace->table[TV_RESOURCES], "Cpuset") != NULL)
		return "workers are bound, and tasks tell where they ran (Cpu)";
	if (parts->n == 0)
		return "its rows do not come by Start, or a group of rows is too large: convert "
		       "--partition Node brings them into that order";
	if (parts->moved && parts->reading.verb.pass->kind == TV_ANNOTATE)
		return "its rows do not come by Start, as they would be printed";
	return parts->survey.joins;
}

static int fail_for(const struct tv_parts *parts, const char *why, struct tv_error *err)
{
	return tv_fail_at(err, (struct tv_pos){ parts->path, 0 },
			  "%s needs all rows at once, more than the %.0f MB of --max-memory: %s",
			  parts->reading.verb.pass->name, (double)tv_memory_max() / 1e6, why);
}

static int survey_parts(struct tv_parts *parts, const struct tv_trace *trace,
			struct tv_trace *reports, struct tv_error *err)
{
	while (parts->at < parts->n && parts->survey.joins == NULL) {
		if (open_part(parts, trace, err) < 0)
			return -1;
		if (parts->part.first <= parts->part.last) {
			parts->moved |= parts->part.first <= parts->place;
			parts->place = parts->part.last;
		}
		tv_survey_add(&parts->survey, &parts->run.tasks);
		tv_count_left_out(parts->left_out, &parts->run.tasks);
		tv_phase_stretches_add(&parts->stretches, &parts->run.tasks);
		tv_trace_take_damage(reports, &parts->trace);
		close_part(parts);
	}
	parts->at = 0;
	parts->surveyed = true;
	return 0;
}

int tv_parts_survey(struct tv_session *session, unsigned kinds, struct tv_error *err)
{
	struct tv_parts *parts = session->parts;
	struct tv_trace *trace = session->trace, reports;
	const char *why;
	int rc;

	parts->part.lists = false;
	/* Of a part, what says which workers and parts there are. */
	parts->part.left = ~(parts->part.tables | 1u << TV_RESOURCES | 1u << TV_META);
	parts->kinds = kinds;
	find_spans(parts, rows_that_fit(parts, trace));
	why = find_reason(parts, trace);
	if (why != NULL)
		return fail_for(parts, why, err);
	tv_progress_start(&parts->progress);
	tv_trace_init_beside(&reports, trace);
	if (parts->reading.read.verbose)
		tv_notice(&reports, "%s: tasks are read in %zu parts", parts->path, parts->n);
	rc = survey_parts(parts, trace, &reports, err);
	if (rc == 0)
		print_reports(parts, trace, &reports);
	tv_trace_release(&reports);
	trace->survey = &parts->survey;
	why = rc == 0 ? find_reason(parts, trace) : NULL;
	return why != NULL ? fail_for(parts, why, err) : rc;
}

/* ---- the parts of a run ---- */

static int next_part(void *context, struct tv_run **part, struct tv_error *err)
{
	struct tv_parts *parts = context;
	struct tv_run *whole = parts->whole;
	bool *chosen;

	close_part(parts);
	if (parts->at == parts->n) {
		parts->at = 0;
		tv_progress_end(&parts->progress);
		return 0;
	}
	if (open_part(parts, whole->trace, err) < 0)
		return -1;
	parts->run.of = whole;
	parts->run.window = whole->window;
	if (whole->chosen != NULL) {
		chosen = tv_alloc(whole->tasks.nworkers, sizeof *chosen);
		memcpy(chosen, whole->chosen, whole->tasks.nworkers * sizeof *chosen);
		tv_run_select(&parts->run, chosen);
	}
	*part = &parts->run;
	return 1;
}

int tv_parts_rows(struct tv_session *session,
		  int (*rows)(void *state, struct tv_run *part, struct tv_error *err), void *state,
		  struct tv_error *err)
{
	session->parts->printing = true;
	return tv_run_rows(&session->run, rows, state, err);
}

void tv_parts_describe(struct tv_session *session)
{
	struct tv_parts *parts = session->parts;
	struct tv_run *run = &session->run;

	tv_survey_total(&parts->survey, &run->tasks);
	memcpy(run->left_out, parts->left_out, sizeof run->left_out);
	parts->whole = run;
	parts->give = (struct tv_run_parts){ next_part, parts };
	run->parts = &parts->give;
}

void tv_parts_warn_phases(struct tv_session *session)
{
	const struct tv_parts *parts = session->parts;

	tv_warn_phases(&session->run,
		       tv_phase_stretches_count(&parts->stretches, &session->run.tasks),
		       parts->survey.rows);
}
