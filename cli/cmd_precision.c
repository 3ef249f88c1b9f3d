/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_precision.c -- traceviz precision: how far simulated runs are from native ones. */
#include "analysis/compare/precision.h"
#include "cli/cli.h"

void tv_describe_precision(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\nOutput: a table with the columns:\n");
	tv_list_fields(tv_precision_columns, tv_nprecision_columns, out);
	tv_output_text(out,
		       "\nThe first trace is the native run, the others are simulations of it. "
		       "Labels CASE/MODEL give\nseveral cases; the native run of each has the "
		       "MODEL native. Equal labels are repeats, of\nwhich the one with the median "
		       "makespan counts. Source: Daoudi, thesis, 2021, (6.1).\n");
}

int tv_cmd_precision(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_runs runs = { 0 };
	struct tv_pool *pool;
	struct tv_table table;
	int rc;

	if (cli->ntraces < 2)
		return tv_fail_usage(err, "precision needs two traces or more; try 'traceviz "
					  "precision --help'");
	rc = tv_runs_open(&runs, cli, err);
	if (rc == 0) {
		pool = tv_pool_new();
		tv_table_init(&table, pool);
		tv_pool_free(pool);
		rc = tv_precision(runs.side, runs.nsides, &table, err);
		tv_runs_print_warnings(&runs, cli);
		if (rc == 0)
			rc = tv_print_table(cli, &table, NULL, table.nrows, err);
		tv_table_release(&table);
	}
	tv_runs_close(&runs);
	return rc;
}
