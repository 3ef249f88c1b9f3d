/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_pass.c -- traceviz PASS: run one pass, choose rows, print. */
#include <string.h>

#include "analysis/tasks/table_summary.h"
#include "cli/parts.h"
#include "cli/unread.h"
#include "trace/alloc.h"

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
static const struct tv_table *compute_in_parts(struct tv_session *session,
					       const struct tv_cli *reading, struct tv_error *err)
{
	struct tv_parts *parts = tv_parts_new(reading, 0, err);

	if (parts == NULL)
		return NULL;
	tv_session_close(session);
	*err = (struct tv_error){ 0 };
	return open_and_run(session, tv_parts_reading(parts), parts, err);
}

/* The same without the columns and rows that nobody asks for. What is wrong is said as with all of them. */
static const struct tv_table *compute(struct tv_session *session, struct tv_cli *reading,
				      struct tv_error *err)
{
	char *columns = tv_columns_by_pass(reading);
	const struct tv_table *result;

	reading->read.columns = columns;
	reading->read.window.set = tv_windowed_by_pass(reading);
	reading->read.beside = reading->verb.pass->beside;
	result = open_and_run(session, reading, NULL, err);
	reading->read.window.set = false;
	if (result == NULL && session->trace->too_large)
		result = compute_in_parts(session, reading, err);
	reading->read.columns = NULL;
	if (result == NULL && !session->trace->too_large && session->parts == NULL
	    && (session->trace->nleft > 0 || session->trace->rest.n > 0)) {
		tv_session_close(session);
		*err = (struct tv_error){ 0 };
		reading->quiet = true;
		result = open_and_run(session, reading, NULL, err);
	}
	tv_free(columns);
	return result;
}

int tv_cmd_pass(const struct tv_cli *cli, struct tv_error *err)
{
	const struct tv_pass *pass = cli->verb.pass;
	const struct tv_table *result;
	struct tv_table joined = { 0 };
	struct tv_cli reading = *cli;
	struct tv_session session;
	uint32_t *rows = NULL, n = 0;
	bool plain = false;
	int rc;

	reading.read.unread = tv_unread_by_pass(cli);
	if (tv_pass_check(pass, cli->own_value, err) < 0 || tv_select_columns(cli, err) < 0
	    || reads_any_csv(cli, &plain, err) < 0)
		return -1;
	reading.read.plain = plain ? TV_PLAIN_ALL : TV_PLAIN_NONE;
	result = compute(&session, &reading, err);
	rc = result != NULL ? 0 : -1;
	if (rc == 0 && pass->kind == TV_ANNOTATE) {
		tv_annotate_tasks(&session.trace->table[TV_TASKS], result, &joined);
		result = &joined;
	}
	if (rc == 0
	    && tv_select(cli, pass->kind == TV_ANNOTATE ? &session.run.window : NULL, result, &rows,
			 &n, err)
		       < 0)
		rc = -1;
	if (rc == 0 && session.no_worker && rows == NULL)
		rows = tv_alloc(1, sizeof *rows);
	if (session.no_worker)
		n = 0;
	if (rc == 0 && rows != NULL && n == 0 && result->nrows > 0 && !session.unmatched)
		tv_select_warn(cli, &session.run, result, "row");
	if (rc == 0)
		rc = tv_select_top(cli, result, &rows, &n, err);
	if (rc == 0 && cli->top == 0)
		rows = tv_rows_as_read(result, rows, &n);
	tv_print_diagnostics(cli, &session.run.diagnostics);
	if (rc == 0)
		rc = tv_print_table(cli, result, rows, n, err);
	if (rc == 0 && session.run.verdict.status != 0) {
		*err = session.run.verdict;
		rc = -1;
	}
	tv_free(rows);
	tv_table_release(&joined);
	tv_session_close(&session);
	return rc;
}
