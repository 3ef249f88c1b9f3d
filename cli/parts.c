/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c -- spans of time of a trace, and its rows in them, one after the other. */
#include "cli/parts_state.h"

#include <string.h>

#include "analysis/core/warnings.h"
#include "cli/part_choice.h"
#include "cli/unread.h"
#include "convert/formats.h"
#include "dag/carry.h"
#include "trace/alloc.h"
#include "trace/damage.h"
#include "trace/messages.h"

/* ---- reading ---- */

void tv_parts_close_part(struct tv_parts *parts)
{
	struct tv_pool *pool = parts->trace.pool;

	/* Of a graph without dependencies nothing goes on. */
	if (parts->run.dag != NULL && !parts->within && parts->linked)
		tv_carry_keep(parts->carry, parts->run.dag);
	tv_run_release(&parts->run);
	if ((parts->printing || parts->linking) && pool != NULL) {
		tv_pool_truncate(pool, parts->nlabels);
		if (parts->found.survey.n > parts->nlabels)
			parts->found.survey.n = parts->nlabels;
	}
	tv_trace_release(&parts->trace);
}

static void show_progress(struct tv_parts *parts)
{
	size_t n = parts->spans.end - parts->spans.first, at = parts->at - parts->spans.first;

	tv_progress_update(&parts->progress, parts->early ? (double)at / (double)n
							  : (double)(at + (parts->surveyed ? n : 0))
								    / (double)(2 * n));
}

/* With those that the pass that is computed reads later, or else any. */
static const char *later_columns(struct tv_parts *parts)
{
	const struct tv_pass *pass = parts->whole != NULL ? parts->whole->part_pass : NULL;

	if (pass == NULL || pass->later == NULL)
		return parts->later;
	if (pass != parts->own_of) {
		tv_free(parts->own);
		parts->own = tv_format("%s %s", parts->columns != NULL ? parts->columns : "",
				       pass->later);
		parts->own_of = pass;
	}
	return parts->own;
}

static bool stay_unordered(const struct tv_parts *parts)
{
	const struct tv_pass *pass = parts->whole != NULL ? parts->whole->part_pass : NULL;

	return (parts->noting && !parts->within) || parts->reading.verb.pass->unordered
	    || (pass != NULL && pass->unordered);
}

static int open_part(struct tv_parts *parts, const struct tv_trace *trace,
		     enum tv_part_columns columns, struct tv_error *err)
{
	const struct tv_part_span *span = &parts->spans.at[parts->at++];

	tv_trace_init_beside(&parts->trace, trace);
	parts->part.begin = span->begin;
	parts->part.end = span->end;
	parts->part.rest = span->rest;
	parts->part.left &= ~parts->beside;
	/* Spans of rows without Start count the groups of all tables. */
	parts->part.left |= parts->surveyed && !span->rest ? parts->beside : 0;
	parts->part.n = 0;
	parts->trace.options.verbose = false;
	parts->trace.options.nwritten = 0; /* no tables of verbs, as reading them before showed */
	parts->part.spared = parts->printing ? NULL : parts->reading.verb.pass->spared;
	if (parts->printing && parts->reading.verb.pass->kind == TV_ANNOTATE)
		parts->trace.options.columns = NULL;
	else if (parts->later != NULL && (!parts->linking || columns == TV_PART_BARE))
		parts->trace.options.columns = parts->columns;
	else if (parts->later != NULL && columns == TV_PART_LATER && !parts->everything)
		parts->trace.options.columns = later_columns(parts);
	parts->linked = columns == TV_PART_LINKED;
	parts->nlabels = tv_pool_count(trace->pool);
	parts->part.again = parts->surveyed && !parts->printing
			 && !(parts->noting && parts->everything);
	parts->trace.options.unlinked |= parts->everything;
	/* A warning about footprints names the first task. */
	parts->part.unordered = !parts->printing && stay_unordered(parts)
			     && (parts->kinds == 0 || (parts->kinds >> TV_APP & 1) != 0)
			     && tv_table_find(&trace->table[TV_TASKS], "Footprint") == NULL;
	if (tv_load(parts->path, &parts->trace, NULL, NULL, err) < 0)
		return -1;
	parts->trace.survey = &parts->found.survey;
	if (parts->surveyed && parts->found.survey.any) {
		parts->trace.rest.n = 1;
		parts->trace.rest.begin = parts->found.survey.begin;
		parts->trace.rest.finish = parts->found.survey.finish;
	}
	tv_run_init(&parts->run, &parts->trace, parts->kinds);
	if (tv_progress_wanted(&parts->reading))
		show_progress(parts);
	return 0;
}

/* Prints what reading the parts reported. */
static void print_reports(struct tv_parts *parts, const struct tv_trace *trace)
{
	if (parts->tried)
		tv_print_diagnostics(&parts->reading, &trace->diagnostics);
	parts->said = true;
	tv_part_findings_print(&parts->found, &parts->reading, trace);
}

static const char unordered[] = "its rows do not come by Start, or a group of rows is too large: "
				"convert --partition Node brings them into that order",
		  moved_rows[] = "its rows do not come by Start, as they would be printed";

/* Why the rows of parts are not enough; NULL = they are. */
static const char *find_reason(const struct tv_parts *parts, const struct tv_trace *trace)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *type = tv_table_find(tasks, "ResourceType"),
			       *node = tv_table_find(tasks, "Node");

	if (!trace->native || trace->plain.ncols > 0 || parts->part.group == NULL)
		return TV_PARTS_OF_PARQUET;
	if (type->derived && !node->derived)
		return "only tasks with a column ResourceType are read in parts";
	if ((tv_table_find(tasks, "Cpu") != NULL || tv_table_find(tasks, "CpuEnd") != NULL)
	    && tv_table_find(&trace->table[TV_RESOURCES], "Cpuset") != NULL)
		return "workers are bound, and tasks tell where they ran (Cpu)";
	if (parts->reading.verb.pass->linked && tv_trace_is_format(trace, "recutils"))
		return "of StarPU's records it is asked whether tasks depend on those of other "
		       "nodes";
	if (tv_row_part_count(&parts->part) > TV_ROWS_MAX)
		return "it has too many rows";
	if (parts->spans.n == 0)
		return unordered;
	if (parts->found.moved && parts->reading.verb.pass->kind == TV_ANNOTATE)
		return moved_rows;
	return parts->found.survey.joins;
}

int tv_parts_refuse(struct tv_parts *parts, const char *why, struct tv_error *err)
{
	parts->refused = true;
	parts->unordered = why == moved_rows || why == unordered;
	if (parts->team != NULL)
		return tv_fail(err, "%s", why);
	return tv_fail_at(err, (struct tv_pos){ parts->path, 0 },
			  "%s%s%s needs all rows at once: %s", parts->need,
			  parts->need[0] != '\0' ? "; " : "", parts->reading.verb.pass->name, why);
}

/* What the part that is open shows. */
static void survey_part(struct tv_parts *parts)
{
	tv_part_findings_add(&parts->found, &parts->part, &parts->run.tasks);
	if (!parts->everything)
		tv_trace_take_damage(&parts->found.reports, &parts->trace);
}

static int survey_parts(struct tv_parts *parts, const struct tv_trace *trace, struct tv_error *err)
{
	while (parts->at < parts->spans.end && parts->found.survey.joins == NULL) {
		if (open_part(parts, trace, TV_PART_LINKED, err) < 0)
			return -1;
		survey_part(parts);
		tv_parts_close_part(parts);
	}
	parts->at = parts->spans.first;
	return 0;
}

/* Why parts do not show what is asked of dependencies; NULL = they do. */
static const char *find_link_reason(const struct tv_parts *parts, const struct tv_trace *trace)
{
	if (!parts->found.survey.any && !parts->everything)
		return "no task ran";
	if (parts->reading.verb.pass->linked && parts->found.messages == TV_HAS_MESSAGES)
		return "its messages are no tasks, and whether tasks depend on those of other "
		       "nodes "
		       "no part shows";
	if (parts->reading.verb.pass->excluding && tv_carry_excludes(parts->carry))
		return "which tasks excluded each other (Modes) no part shows";
	if (parts->everything && trace->ndamage + parts->found.reports.ndamage > 1)
		return "its rows are damaged in several ways";
	return tv_carry_reason(parts->carry);
}

/* What tasks depend on in the part that is open. */
static void note_part(struct tv_parts *parts)
{
	tv_carry_note(parts->carry, &parts->run.tasks);
	tv_part_findings_note(&parts->found, &parts->trace, parts->team != NULL);
	if (parts->everything)
		tv_trace_take_damage(&parts->found.reports, &parts->trace);
}

static int note_parts(struct tv_parts *parts, const struct tv_trace *trace, struct tv_error *err)
{
	while (parts->at < parts->spans.end) {
		if (open_part(parts, trace, TV_PART_LINKED, err) < 0)
			return -1;
		note_part(parts);
		tv_parts_close_part(parts);
	}
	return 0;
}

/* After all parts were noted. */
static void end_notes(struct tv_parts *parts, const struct tv_trace *trace)
{
	if (parts->team != NULL)
		tv_part_findings_share_notes(&parts->found, parts->carry, parts->everything,
					     parts->team, trace);
	parts->found.survey.joins = find_link_reason(parts, trace);
	tv_carry_report(parts->carry, &parts->found.reports);
	parts->noting = false;
	parts->part.left = parts->left;
}

/* Which part names which job. Labels of jobs are forgotten with each part: those of everything else are known. */
static int survey_links(struct tv_parts *parts, const struct tv_trace *trace, struct tv_error *err)
{
	/* What the whole would be warned of. */
	const unsigned messages = 1u << TV_LINKS | 1u << TV_CALLS;
	unsigned beside = parts->beside;
	int rc = 0;

	parts->linking = parts->later != NULL && parts->found.survey.joins == NULL;
	parts->noting = parts->linking && parts->carry != NULL;
	parts->left = parts->part.left;
	if (parts->noting) {
		if (parts->reading.verb.pass->linked) {
			parts->part.left &= ~messages | parts->reading.read.unread;
			parts->beside &= ~messages;
		}
		tv_carry_begin(parts->carry, (uint32_t)parts->spans.first);
	}
	if (parts->noting && !parts->within) {
		rc = tv_team_agree(parts->team, note_parts(parts, trace, err), err);
		if (rc == 0)
			end_notes(parts, trace);
	}
	parts->beside = beside;
	parts->at = parts->spans.first;
	return rc;
}

/* What all parts that were noted report, unless it is a reason against them. */
static int report_parts(struct tv_parts *parts, struct tv_trace *trace, struct tv_error *err)
{
	const char *why = find_reason(parts, trace);

	if (why != NULL)
		return tv_parts_refuse(parts, why, err);
	tv_write_damage(&parts->found.reports, trace);
	print_reports(parts, trace);
	return 0;
}

/* After all parts. */
static int end_survey(struct tv_parts *parts, int rc, struct tv_error *err)
{
	struct tv_trace *trace = parts->session->trace;
	const char *why;

	parts->surveyed = true;
	rc = tv_team_agree(parts->team, rc, err);
	if (rc == 0 && parts->team != NULL)
		tv_part_findings_share(&parts->found, parts->team, trace);
	trace->survey = &parts->found.survey;
	if (rc == 0)
		rc = survey_links(parts, trace, err);
	if (rc < 0 || !parts->noting)
		return rc < 0 ? -1 : report_parts(parts, trace, err);
	why = find_reason(parts, trace);
	return why != NULL ? tv_parts_refuse(parts, why, err) : 0;
}

int tv_parts_survey(struct tv_session *session, unsigned kinds, struct tv_error *err)
{
	struct tv_parts *parts = session->parts;
	struct tv_trace *trace = session->trace;
	uint64_t rows = parts->rows_max > 0
			      ? parts->rows_max
			      : tv_parts_fit(parts->reading.verb.pass, &parts->part, trace);
	const char *why;

	if (tv_part_spans_agree(&parts->part, parts->path, parts->team, &rows, err) < 0)
		return -1;
	parts->session = session;
	parts->part.lists = false;
	/* Of a part, what says which workers and parts there are. */
	parts->part.left = ~(parts->part.tables | 1u << TV_RESOURCES | 1u << TV_META);
	parts->kinds = kinds;
	/* A later part may show that a worker belongs to a device that is selected. */
	parts->early = parts->early
		    && (parts->reading.resource == NULL
			|| tv_table_find(&trace->table[TV_TASKS], "Device") == NULL);
	tv_part_spans_find(&parts->spans, &parts->part, rows, parts->team);
	parts->at = parts->spans.first;
	why = find_reason(parts, trace);
	if (why == NULL && parts->tried && parts->rows_max == 0
	    && !tv_part_spans_are_worth(&parts->spans, &parts->part, TV_PARTS_WORTH, rows))
		why = "it is cheaper as a whole";
	if (why != NULL)
		return tv_parts_refuse(parts, why, err);
	tv_progress_start(&parts->progress);
	tv_part_findings_init(&parts->found, trace);
	if (parts->reading.read.verbose)
		tv_notice(&parts->found.reports, "%s: tasks are read in %zu parts", parts->path,
			  parts->spans.n);
	return parts->early ? 0 : end_survey(parts, survey_parts(parts, trace, err), err);
}

/* ---- the parts of a run ---- */

/* Selects the workers of the part that is open. */
static int select_workers(struct tv_parts *parts, struct tv_error *err)
{
	const struct tv_run *whole = parts->whole;
	bool none = false;

	if (!parts->surveyed && tv_select_workers(&parts->reading, &parts->run, &none, err) < 0)
		return -1;
	if (whole->chosen != NULL || none) {
		bool *chosen = tv_alloc(parts->run.tasks.nworkers, sizeof *chosen);

		if (!none)
			memcpy(chosen, whole->chosen, whole->tasks.nworkers * sizeof *chosen);
		tv_run_select(&parts->run, chosen);
	}
	return 0;
}

static int next_part(void *context, enum tv_part_columns columns, struct tv_run **part,
		     struct tv_error *err)
{
	struct tv_parts *parts = context;
	struct tv_run *whole = parts->whole;
	bool ended = parts->at == parts->spans.end;

	if (parts->noting && parts->trace.pool != NULL)
		note_part(parts);
	tv_parts_close_part(parts);
	if (parts->noting && (ended || !tv_carry_works(parts->carry))) {
		end_notes(parts, whole->trace);
		if (report_parts(parts, parts->session->trace, err) < 0)
			return -1;
	}
	if (ended) {
		parts->at = parts->spans.first;
		tv_progress_end(&parts->progress);
		return 0;
	}
	if (open_part(parts, whole->trace, columns, err) < 0)
		return -1;
	if (!parts->surveyed) {
		survey_part(parts);
		if (parts->found.survey.joins != NULL)
			return tv_parts_refuse(parts, parts->found.survey.joins, err);
	}
	parts->run.of = whole;
	parts->run.window = whole->window;
	*part = &parts->run;
	return select_workers(parts, err) < 0 ? -1 : 1;
}

int tv_parts_rows(struct tv_session *session,
		  int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		  void (*share)(void *state, const struct tv_team *team), void *state,
		  struct tv_error *err)
{
	struct tv_parts *parts = session->parts;
	const struct tv_team *team = parts->team;
	struct tv_run *part;
	int rc = 0;

	parts->printing = true;
	if (team == NULL)
		return tv_run_rows(&session->run, rows, state, err);
	parts->spans.end = parts->spans.n;
	for (size_t first = 0; rc == 0 && first < parts->spans.n; first += team->size) {
		parts->at = first + team->rank;
		if (parts->at < parts->spans.n
		    && (next_part(parts, false, &part, err) < 0 || rows(state, part, err) < 0))
			rc = -1;
		rc = tv_team_agree(team, rc, err);
		if (rc == 0)
			share(state, team);
	}
	return rc;
}

/* The sums of the run. */
static void describe(struct tv_parts *parts, struct tv_run *run)
{
	tv_survey_total(&parts->found.survey, &run->tasks);
	run->left_out = &parts->found.left_out;
}

/* The run, after the first time that its pass got all parts. */
static int end_rows(void *context, struct tv_error *err)
{
	struct tv_parts *parts = context;
	struct tv_run *run = parts->whole;

	parts->give.end = NULL;
	if (end_survey(parts, 0, err) < 0)
		return -1;
	tv_tasks_release(&run->tasks);
	tv_tasks_init(&run->tasks, run->trace, run->kinds);
	describe(parts, run);
	if (tv_session_settle(parts->session, &parts->reading, err) < 0
	    || tv_run_need_tasks(run, parts->reading.verb.pass->name, err) < 0)
		return -1;
	if (parts->session->no_worker)
		return tv_parts_refuse(parts, "no worker is selected", err);
	tv_warn_left_out(run);
	return 0;
}

void tv_parts_describe(struct tv_session *session)
{
	struct tv_parts *parts = session->parts;
	struct tv_run *run = &session->run;

	if (!parts->early)
		describe(parts, run);
	run->team = parts->team;
	parts->whole = run;
	for (size_t i = 0; i < parts->part.n; i++)
		parts->rows[parts->part.group[i].id] += parts->part.group[i].rows;
	parts->give = (struct tv_run_parts){ next_part,	  parts->early ? end_rows : NULL,
					     parts,	  tv_row_part_count(&parts->part),
					     parts->rows, parts->carry };
	run->parts = &parts->give;
}

bool tv_parts_early(const struct tv_parts *parts)
{
	return parts->early;
}

bool tv_parts_tried(const struct tv_parts *parts)
{
	return parts->tried;
}

void tv_parts_warn_phases(struct tv_session *session)
{
	const struct tv_parts *parts = session->parts;

	tv_warn_phases(&session->run,
		       tv_phase_stretches_count(&parts->found.stretches, &session->run.tasks),
		       parts->found.survey.rows);
}
