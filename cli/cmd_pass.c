/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_pass.c -- traceviz PASS: run one pass, choose rows, print. */
#include <string.h>

#include "analysis/tasks/table_summary.h"
#include "cli/part_choice.h"
#include "cli/parts.h"
#include "cli/refused.h"
#include "cli/temporary.h"
#include "cli/unread.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/spill.h"

void tv_annotate_tasks(const struct tv_table *tasks, const struct tv_table *added,
		       struct tv_table *out)
{
	tv_table_init(out, tasks->pool);
	out->nrows = tasks->nrows;
	for (size_t i = 0; i < tasks->ncols; i++)
		if (tv_table_find(added, tasks->col[i]->name) == NULL)
			tv_table_borrow(out, tasks->col[i]);
	for (size_t i = 0; i < added->ncols; i++)
		tv_table_borrow(out, added->col[i]);
}

/* Whether the input is the table that the pass reads, and no trace: *plain; -1 with *err. */
static int reads_any_csv(const struct tv_cli *cli, bool *plain, struct tv_error *err)
{
	const struct tv_pass *pass = cli->verb.pass;
	const char *table = NULL;

	if (pass->any_table != NULL)
		table = cli->own_value[tv_option_row(pass->option, pass->noptions, pass->any_table)
				       - pass->option];
	*plain = table != NULL && strcmp(table, TV_INPUT_TABLE) == 0;
	if (*plain
	    && (cli->node != NULL || cli->resource != NULL || cli->restriction != NULL
		|| cli->begin != NULL || cli->end != NULL || cli->region != NULL))
		return tv_fail_usage(err,
				     "--%s -: --node, --resource, --restrict, --begin, --end and "
				     "--region are of traces, expected --where",
				     pass->any_table);
	return 0;
}

/* Opens the session and runs the pass; NULL with *err. */
static const struct tv_table *open_and_run(struct tv_session *session, const struct tv_cli *cli,
					   struct tv_parts *parts, struct tv_error *err)
{
	if (tv_session_open_parts(session, cli, parts, err) < 0)
		return NULL;
	return tv_run_pass(&session->run, cli->verb.pass->name, cli->own_value, err);
}

/* Of a trace that is too large, part by part. */
static const struct tv_table *compute_in_parts(struct tv_session *session, struct tv_cli *reading,
					       uint32_t rows, struct tv_error *err)
{
	char *columns = tv_columns_by_pass(reading, false);
	struct tv_parts *parts;

	reading->read.columns = columns;
	parts = tv_parts_new(reading, rows, err);
	reading->read.columns = NULL;
	tv_free(columns);
	if (parts == NULL)
		return NULL;
	tv_session_close(session);
	*err = (struct tv_error){ 0 };
	return open_and_run(session, tv_parts_reading(parts), parts, err);
}

/* The same where memory would be enough, but parts are cheaper. NULL: it is to be read as a whole. */
static const struct tv_table *try_in_parts(struct tv_session *session, struct tv_cli *reading)
{
	char *columns = tv_columns_by_pass(reading, false);
	const struct tv_table *result = NULL;
	struct tv_error none = { 0 };
	struct tv_parts *parts;

	reading->read.columns = columns;
	parts = tv_parts_try(reading, 0);
	reading->read.columns = NULL;
	tv_free(columns);
	if (parts != NULL)
		result = open_and_run(session, tv_parts_reading(parts), parts, &none);
	if (parts != NULL && result == NULL) {
		reading->quiet = reading->quiet || tv_parts_said(parts);
		tv_session_close(session);
		*session = (struct tv_session){ 0 };
	}
	return result;
}

/* The same without the columns and rows that nobody asks for. What is wrong is said as with all of them. */
static const struct tv_table *compute(struct tv_session *session, struct tv_cli *reading,
				      struct tv_temporary *temporary, struct tv_error *err)
{
	const struct tv_table *result = try_in_parts(session, reading);
	char *columns;
	bool large;

	if (result != NULL)
		return result;
	columns = tv_columns_by_pass(reading, true);
	reading->read.columns = columns;
	reading->read.window.set = tv_windowed_by_pass(reading);
	reading->read.beside = tv_parted_pass(reading).beside;
	reading->read.beside_links = reading->verb.pass->beside_links;
	result = open_and_run(session, reading, NULL, err);
	reading->read.window.set = false;
	large = result == NULL && session->trace->too_large;
	if (large && tv_temporary_make(temporary, reading, false, err) >= 0)
		result = compute_in_parts(session, reading, 0, err);
	if (result == NULL && tv_parts_unordered(session->parts)
	    && tv_temporary_make(temporary, reading, true, err) > 0)
		result = compute_in_parts(session, reading, 0, err);
	reading->read.columns = NULL;
	if (result == NULL && !session->trace->too_large && session->parts == NULL
	    && (session->trace->nleft > 0 || session->trace->rest.n > 0)) {
		tv_session_close(session);
		*err = (struct tv_error){ 0 };
		reading->quiet = true;
		result = open_and_run(session, reading, NULL, err);
	}
	tv_free(columns);
	if (result == NULL && large && temporary->folder == NULL
	    && (session->parts == NULL || tv_parts_refused(session->parts))
	    && tv_window_may_help(reading) && tv_parts_are_of_parquet(reading))
		tv_fail_also(err, "with --begin or --end, groups of rows of other times may be "
				  "left out");
	return result;
}

/* By all processes of a team, each from its parts. NULL with *err; reading->team is then NULL where the first process is
 * to do it alone. */
static const struct tv_table *compute_together(struct tv_session *session, struct tv_cli *reading,
					       uint32_t rows, struct tv_error *err)
{
	const struct tv_table *result = compute_in_parts(session, reading, rows, err);
	bool refused = result == NULL
		    && (session->parts == NULL || tv_parts_refused(session->parts));

	if (refused)
		tv_say(reading, "%s runs in process 0 alone: %s", reading->verb.name, err->text);
	/* What is wrong, but not at a place of the input, is said as of the whole table. */
	if (refused || (result == NULL && err->file[0] == '\0')) {
		tv_session_close(session);
		*session = (struct tv_session){ 0 };
		*err = (struct tv_error){ 0 };
		reading->team = NULL;
		reading->quiet = reading->quiet || !refused;
	}
	return result;
}

/* The rows of a trace that is read part by part. */
struct printing {
	const struct tv_cli *cli;
	struct tv_session *session;
	struct tv_output out; /* of the first process; of others what it gets next */
	struct tv_spill
		*spill; /* lines, by the rows of the input; NULL = parts come in their order */
	bool begun;
	uint64_t n[2]; /* rows: ROWS, SHOWN */
};

enum { ROWS, SHOWN };

/* The byte behind a line of CSV, which may have line breaks in quotes. */
static const char *end_of_line(const char *s)
{
	for (bool quoted = false; quoted || *s != '\n'; s++)
		quoted ^= *s == '"';
	return s + 1;
}

enum { LINES = 4096 }; /* at a time */

/* Keeps the lines of some rows for later. */
static int keep_lines(struct printing *p, const struct tv_table *joined, const uint32_t *rows,
		      uint32_t n, struct tv_error *err)
{
	const struct tv_column *input = tv_table_find(joined, TV_INPUT_ROW);
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < n;) {
		const uint32_t end = n - i < LINES ? n : i + LINES;
		struct tv_output lines;
		const char *line, *next;

		tv_output_memory(&lines);
		tv_csv_write_rows(joined, rows + i, end - i, &lines);
		for (line = lines.buffer; rc == 0 && i < end; i++, line = next) {
			next = end_of_line(line);
			rc = tv_spill_add(p->spill, input->i[rows[i]], line,
					  (uint32_t)(next - line), err);
		}
		tv_output_abort(&lines);
	}
	return rc;
}

static int write_kept(struct printing *p, struct tv_error *err)
{
	const char *line;
	uint32_t n;
	int rc = tv_spill_end(p->spill, err);

	while (rc == 0 && (rc = tv_spill_next(p->spill, &line, &n, err)) == 1) {
		tv_output_write(&p->out, line, n);
		rc = 0;
	}
	return rc;
}

static int print_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct printing *p = state;
	const struct tv_cli *cli = p->cli;
	const struct tv_table *result = tv_run_pass(part, cli->verb.pass->name, cli->own_value,
						    err);
	bool annotates = cli->verb.pass->kind == TV_ANNOTATE;
	struct tv_table joined = { 0 };
	uint32_t *rows = NULL, n = 0;
	int rc = result != NULL ? 0 : -1;

	if (rc == 0 && annotates) {
		tv_annotate_tasks(&part->trace->table[TV_TASKS], result, &joined);
		result = &joined;
	}
	if (rc == 0)
		rc = tv_select(cli, annotates ? &part->window : NULL, result, &rows, &n, err);
	if (rc == 0) {
		rows = p->session->no_worker && rows == NULL ? tv_alloc(1, sizeof *rows) : rows;
		n = p->session->no_worker ? 0 : n;
		rows = tv_rows_as_read(result, rows, &n);
		if (p->spill == NULL)
			(p->begun ? tv_csv_write_rows : tv_csv_write)(result, rows, n, &p->out);
		else if (!p->begun) /* the header */
			tv_csv_write(result, rows, 0, &p->out);
		p->begun = true;
		if (p->spill != NULL)
			rc = keep_lines(p, result, rows, n, err);
		p->n[ROWS] += result->nrows;
		p->n[SHOWN] += rows != NULL ? n : result->nrows;
	}
	tv_free(rows);
	tv_table_release(&joined);
	return rc;
}

/* The first process prints what the others have, behind its own. */
static void share_lines(void *state, const struct tv_team *team)
{
	struct printing *p = state;

	for (uint32_t turn = 1; turn < team->size; turn++) {
		struct tv_parcel pack = { 0 };
		struct tv_gathered all;

		if (turn == team->rank) {
			tv_pack_bytes(&pack, p->out.buffer, p->out.n);
			tv_output_abort(&p->out);
			tv_output_memory(&p->out);
		}
		all = tv_team_collect(team, &pack);
		if (all.n > 0)
			tv_output_write(&p->out, all.bytes + all.first[turn],
					all.first[turn + 1] - all.first[turn]);
		tv_gathered_release(&all);
	}
}

static int open_output(struct printing *p, struct tv_error *err)
{
	if (tv_cli_prints(p->cli))
		return tv_output_open(&p->out, p->cli->output != NULL ? p->cli->output : "-", err);
	tv_output_memory(&p->out);
	p->begun = true;
	return 0;
}

static int print_parts(const struct tv_cli *cli, struct tv_session *session,
		       const struct tv_temporary *temporary, struct tv_error *err)
{
	struct printing p = { .cli = cli, .session = session };
	const struct tv_team *team = session->run.team;
	int rc = open_output(&p, err);

	if (tv_team_agree(team, rc, err) < 0)
		return -1;
	p.spill = cli->verb.pass->kind == TV_ANNOTATE ? tv_temporary_lines(temporary) : NULL;
	rc = tv_parts_rows(session, print_part, share_lines, &p, err);
	tv_team_add(team, p.n, TV_COUNT(p.n));
	if (rc == 0 && p.spill != NULL)
		rc = write_kept(&p, err);
	tv_spill_free(p.spill);
	if (rc == 0 && p.n[SHOWN] == 0 && p.n[ROWS] > 0 && !session->unmatched)
		tv_run_warn(&session->run, "no row matches the selection");
	tv_print_diagnostics(cli, &session->run.diagnostics);
	if (rc == 0 && tv_cli_prints(cli))
		return tv_output_commit(&p.out, err);
	tv_output_abort(&p.out);
	return rc;
}

/* The rows that are asked for. */
static int print_rows(const struct tv_cli *cli, struct tv_session *session,
		      const struct tv_table *result, struct tv_error *err)
{
	bool annotates = cli->verb.pass->kind == TV_ANNOTATE;
	struct tv_table joined = { 0 };
	uint32_t *rows = NULL, n = 0;
	int rc;

	if (annotates) {
		tv_annotate_tasks(&session->trace->table[TV_TASKS], result, &joined);
		result = &joined;
	}
	rc = tv_select(cli, annotates ? &session->run.window : NULL, result, &rows, &n, err);
	if (rc == 0 && session->no_worker && rows == NULL)
		rows = tv_alloc(1, sizeof *rows);
	if (session->no_worker)
		n = 0;
	if (rc == 0 && rows != NULL && n == 0 && result->nrows > 0 && !session->unmatched)
		tv_select_warn(cli, &session->run, result, "row");
	if (rc == 0)
		rc = tv_select_top(cli, result, &rows, &n, err);
	if (rc == 0 && cli->top == 0)
		rows = tv_rows_as_read(result, rows, &n);
	tv_print_diagnostics(cli, &session->run.diagnostics);
	if (rc == 0 && tv_cli_prints(cli))
		rc = tv_print_table(cli, result, rows, n, err);
	tv_free(rows);
	tv_table_release(&joined);
	return rc;
}

int tv_cmd_pass(const struct tv_cli *cli, struct tv_error *err)
{
	return tv_pass_in_parts(cli, 0, err);
}

int tv_pass_in_parts(const struct tv_cli *cli, uint32_t rows, struct tv_error *err)
{
	const struct tv_pass *pass = cli->verb.pass;
	const struct tv_table *result;
	struct tv_cli reading = *cli;
	struct tv_session session = { 0 };
	struct tv_temporary temporary = { 0 };
	bool plain = false;
	int rc;

	reading.read.unread = tv_unread_by_pass(cli);
	if (tv_pass_check(pass, cli->own_value, err) < 0 || tv_select_columns(cli, err) < 0
	    || reads_any_csv(cli, &plain, err) < 0)
		return -1;
	reading.read.plain = plain ? TV_PLAIN_ALL : TV_PLAIN_NONE;
	if (tv_refused_early(&reading, err))
		return -1;
	result = reading.team != NULL ? compute_together(&session, &reading, rows, err)
	       : rows > 0	      ? compute_in_parts(&session, &reading, rows, err)
				      : NULL;
	/* The others wait. */
	if (reading.team == NULL && !tv_cli_prints(cli))
		return 0;
	if (reading.team == NULL && (rows == 0 || cli->team != NULL))
		result = compute(&session, &reading, &temporary, err);
	if (result == NULL) {
		tv_print_diagnostics(cli, &session.run.diagnostics);
		rc = -1;
	} else if (tv_parts_are_printed(pass) && session.parts != NULL) {
		rc = print_parts(cli, &session, &temporary, err);
	} else {
		rc = print_rows(cli, &session, result, err);
	}
	if (rc == 0 && session.run.verdict.status != 0) {
		*err = session.run.verdict;
		rc = -1;
	}
	if (rc < 0)
		tv_temporary_blame(&temporary, err);
	tv_session_close(&session);
	tv_temporary_end(&temporary);
	return rc;
}
