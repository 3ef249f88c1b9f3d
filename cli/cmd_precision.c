/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_precision.c -- traceviz precision: how far simulated runs are from native ones. */
#include "analysis/compare/precision.h"
#include "cli/cli.h"
#include "trace/alloc.h"

#define INTO(member) TV_INTO(struct tv_error_options, member)

const struct tv_option_spec tv_precision_options[TV_PRECISION_OPTIONS] = {
	{ "by", "COLUMN,...", NULL,
	  "means for each value of these columns of the cases, not over all cases", TV_OPTION_LIST,
	  INTO(by) },
	{ "reference", "MODEL", NULL, "add the column Ratio: Simulated / Simulated of that model",
	  INTO(reference) },
	{ "fit", "COLUMN", NULL,
	  "of several values of a parameter of the simulations, such as Overlap, those that give "
	  "each model (and value of --by) the smallest mean absolute error",
	  INTO(fit) },
	{ "fit-where", "EXPR", NULL,
	  "the simulated rows that --fit judges by; the others are predicted", TV_OPTION_EXPRESSION,
	  INTO(fit_where) },
};

void tv_describe_precision(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\nOutput: a table with the columns of the cases (Case), then:\n");
	tv_list_fields(tv_errors_columns, tv_nerrors_columns, out);
	tv_output_text(out,
		       "\nThe first trace is the native run, the others are simulations of it. "
		       "Labels CASE/MODEL give\nseveral cases; the native run of each has the "
		       "MODEL native. Equal labels are repeats:\ntheir "
		       "median makespan counts. Source: Daoudi, thesis, 2021, (6.1).\n"
		       "\nInstead of traces CSV tables: the first with Native (or Makespan) in ms "
		       "and columns that\ndescribe a case, such as Workers, the others with these "
		       "and Simulated (or Makespan) and Model\n(or Scheduler, else their label is "
		       "the model); or one table with both.\n");
}

static int of_tables(const struct tv_cli *cli, const struct tv_runs *runs,
		     const struct tv_error_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	struct tv_error_source *source = tv_alloc(runs->n, sizeof *source);
	int rc = 0;

	for (size_t i = 0; i < runs->n; i++) {
		source[i] = (struct tv_error_source){ runs->label[i], cli->trace[i].path,
						      &runs->session[i].trace->plain };
		if (source[i].table->ncols == 0)
			rc = tv_fail_usage(err, "%s is a trace, others are not: expected one kind",
					   source[i].path);
	}
	if (rc == 0)
		rc = tv_errors(source, runs->n, options, out, err);
	tv_free(source);
	return rc;
}

/* Traces, unless any of them is another table. */
static int compute(const struct tv_cli *cli, const struct tv_runs *runs, struct tv_table *out,
		   struct tv_error *err)
{
	struct tv_error_options options;
	bool tables = false;

	tv_cli_own_fill(cli, &options, sizeof options);
	for (size_t i = 0; i < runs->n; i++)
		tables = tables || runs->session[i].trace->plain.ncols > 0;
	if (options.fit_where != NULL && options.fit == NULL)
		return tv_fail_usage(err, "--fit-where needs --fit");
	if (tables)
		return of_tables(cli, runs, &options, out, err);
	if (cli->ntraces < 2)
		return tv_fail_usage(err, "precision needs two traces or more, or a table; try "
					  "'traceviz precision --help'");
	return tv_precision(runs->side, runs->nsides, &options, out, err);
}

int tv_cmd_precision(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_cli reading = *cli;
	struct tv_runs runs = { 0 };
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;
	int rc;

	reading.read.plain = TV_PLAIN_OTHER;
	tv_table_init(&table, pool);
	tv_pool_free(pool);
	rc = cli->ntraces > 0 ? tv_runs_open(&runs, &reading, err)
			      : tv_fail_usage(err, "precision needs traces or tables; try "
						   "'traceviz precision --help'");
	if (rc == 0)
		rc = compute(cli, &runs, &table, err);
	tv_runs_print_warnings(&runs, cli);
	if (rc == 0)
		rc = tv_print_table(cli, &table, NULL, table.nrows, err);
	tv_table_release(&table);
	tv_runs_close(&runs);
	return rc;
}
