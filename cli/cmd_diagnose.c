/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_diagnose.c -- traceviz diagnose: why a run was slow, in words. */
#include <string.h>

#include "analysis/core/durations.h"
#include "analysis/diagnose/diagnose.h"
#include "cli/diagnose_pages.h"
#include "cli/options.h"

struct asked {
	bool all;
	const char *explain, *durations_from;
};

const struct tv_option_spec tv_diagnose_options[TV_DIAGNOSE_OPTIONS] = {
	{ "all", NULL, NULL, "text: all parts and findings, not one screen", TV_ASKED(all) },
	{ "explain", "ID|all", NULL,
	  "what a finding means: condition, measure and advice; needs no trace",
	  TV_ASKED(explain) },
	{ TV_DURATIONS_FROM_ROW, TV_ASKED(durations_from) },
};

void tv_describe_diagnose(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\nOutput: text; with --csv or --json a table with the columns:\n");
	tv_list_fields(tv_diagnose_columns, tv_diagnose_ncolumns, out);
	tv_output_text(out, "\n");
	tv_output_text(out, tv_diagnose_notes);
}

static int print(const struct tv_cli *cli, bool all, const struct tv_table *table,
		 struct tv_diagnostics *warnings, struct tv_error *err)
{
	struct tv_output out;

	if (cli->csv || cli->json)
		return tv_print_table(cli, table, NULL, table->nrows, err);
	/* A caller gets both. */
	if (cli->receiver != NULL && tv_print_table(cli, table, NULL, table->nrows, err) < 0)
		return -1;
	if (tv_output_open(&out, cli->output != NULL ? cli->output : "-", err) < 0)
		return -1;
	tv_diagnose_text(table, all, TV_DIAGNOSE_WIDTH, &out);
	tv_diagnose_drop_repeated(table, warnings);
	return tv_output_commit(&out, err);
}

/* Fails with status 3 if the expression holds for a row; with --require-confidence with 4 if only for
 * rows that are not exact. */
static int gate(const struct tv_cli *cli, const struct tv_table *table, struct tv_error *err)
{
	struct tv_expr *expr;
	const char *unsure = NULL, *unknown = NULL;
	int rc = 0;

	if (cli->fail_if == NULL)
		return 0;
	expr = tv_expr_new(cli->fail_if, table, err);
	if (expr == NULL)
		return tv_fail_about(err, "--fail-if");
	for (uint32_t row = 0; row < table->nrows && rc == 0; row++) {
		const char *id = tv_table_text(table, "Id", row);

		if (!tv_expr_holds(expr, row)) {
			/* The run itself has no Id. */
			if (id[0] != '\0' && tv_expr_between(expr, row, row) == TV_UNKNOWN)
				unknown = id;
			continue;
		}
		if (cli->confidence
		    && strcmp(tv_table_text(table, "Confidence", row), "exact") != 0) {
			unsure = id;
			continue;
		}
		rc = tv_fail(err, "--fail-if %s: it holds for %s", cli->fail_if,
			     id[0] != '\0' ? id : "the run");
		err->status = TV_NEGATIVE;
	}
	tv_expr_free(expr);
	if (rc == 0 && unsure == NULL && unknown != NULL)
		tv_say(cli, "--fail-if %s: not known for %s, as a cell that it compares is empty",
		       cli->fail_if, unknown);
	if (rc == 0 && unsure != NULL) {
		rc = tv_fail(err, "--fail-if %s: it holds for %s, which is not exact", cli->fail_if,
			     unsure);
		err->status = TV_UNCERTAIN;
	}
	return rc;
}

static int diagnose(const struct tv_cli *cli, const struct asked *asked, struct tv_session *session,
		    struct tv_error *err)
{
	struct tv_run *run = &session->run;
	struct tv_table table;
	int rc = tv_cli_diagnose(cli, run, asked->durations_from, &table, err);

	if (rc == 0)
		rc = tv_diagnose_is_picture(cli)
			   ? tv_diagnose_draw(cli, session, &table, err)
			   : print(cli, asked->all, &table, &run->diagnostics, err);
	tv_print_diagnostics(cli, &run->diagnostics);
	if (rc == 0)
		rc = gate(cli, &table, err);
	tv_table_release(&table);
	return rc;
}

static int explain(const struct tv_cli *cli, const char *id, struct tv_error *err)
{
	struct tv_output out;

	if (tv_output_open(&out, cli->output != NULL ? cli->output : "-", err) < 0)
		return -1;
	if (tv_diagnose_explain(strcmp(id, "all") == 0 ? NULL : id, &out, err) < 0) {
		tv_output_abort(&out);
		return -1;
	}
	return tv_output_commit(&out, err);
}

int tv_cmd_diagnose(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_session session;
	struct asked asked;
	int rc;

	tv_cli_own_fill(cli, &asked, sizeof asked);
	if (asked.explain != NULL)
		return explain(cli, asked.explain, err);
	if (cli->confidence && cli->fail_if == NULL)
		return tv_fail_usage(err, "--require-confidence needs --fail-if");
	if (asked.durations_from != NULL && tv_diagnose_is_picture(cli))
		return tv_fail_usage(err, "--durations-from has no effect on a figure, expected "
					  "text, --csv or --json");
	rc = tv_session_open(&session, cli, err);
	if (rc == 0)
		rc = diagnose(cli, &asked, &session, err);
	tv_session_close(&session);
	return rc;
}
