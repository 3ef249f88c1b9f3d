/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_efficiency.c -- traceviz efficiency: of one run as any pass, or a table of several runs. */
#include <stddef.h>

#include "analysis/efficiency/across.h"
#include "analysis/efficiency/parts.h"
#include "cli/unread.h"
#include "trace/alloc.h"

/* Options about the table of one run. */
static int check_options(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_efficiency_options options;

	tv_cli_own_fill(cli, &options, sizeof options);
	if (options.by == TV_PART_TYPE)
		return options.fail_if == NULL
			     ? 0
			     : tv_fail_usage(err,
					     "--fail-if has no effect on the table of --by type");
	for (size_t i = 0; i < cli->verb.noptions; i++)
		if (cli->own_value[i] != NULL
		    && cli->verb.option[i].offset
			       != offsetof(struct tv_efficiency_options, fail_if))
			return tv_fail_usage(err, "--%s has no effect on the table of several runs",
					     cli->verb.option[i].name);
	return 0;
}

static int compute(const struct tv_cli *cli, const struct tv_runs *runs, struct tv_table *table,
		   struct tv_error *verdict, struct tv_error *err)
{
	struct tv_efficiency_options options;
	struct tv_named_run *run = tv_alloc(runs->nsides, sizeof *run);
	int rc;

	tv_cli_own_fill(cli, &options, sizeof options);
	for (size_t i = 0; i < runs->nsides; i++)
		run[i] = (struct tv_named_run){ runs->side[i].label,
						tv_side_median(&runs->side[i]) };
	rc = options.by == TV_PART_TYPE
		   ? tv_efficiency_by_type(run, runs->nsides, table, err)
		   : tv_efficiency_across(run, runs->nsides, options.fail_if, table, verdict, err);
	tv_free(run);
	return rc;
}

static int several(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_cli reading = *cli;
	struct tv_runs runs = { 0 };
	struct tv_error verdict = { 0 };
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;
	uint32_t *rows = NULL, n = 0;
	int rc;

	tv_table_init(&table, pool);
	tv_pool_free(pool);
	/* Instructions and cycles are variables. */
	reading.read.unread = tv_unread_by_pass(cli) & ~(1u << TV_VARIABLES);
	rc = tv_runs_open(&runs, &reading, err);
	if (rc == 0)
		rc = compute(cli, &runs, &table, &verdict, err);
	if (rc == 0)
		rc = tv_select(cli, NULL, &table, &rows, &n, err);
	tv_runs_print_warnings(&runs, cli);
	if (rc == 0)
		rc = tv_print_table(cli, &table, rows, rows != NULL ? n : table.nrows, err);
	if (rc == 0 && verdict.status != 0) {
		*err = verdict;
		rc = -1;
	}
	tv_free(rows);
	tv_table_release(&table);
	tv_runs_close(&runs);
	return rc;
}

int tv_cmd_efficiency(const struct tv_cli *cli, struct tv_error *err)
{
	bool one = cli->ntraces == 0 || (cli->ntraces == 1 && cli->trace[0].label == NULL);

	if (one)
		return tv_cmd_pass(cli, err);
	if (tv_pass_check(cli->verb.pass, cli->own_value, err) < 0 || check_options(cli, err) < 0)
		return -1;
	return several(cli, err);
}
