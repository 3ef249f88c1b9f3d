/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_scaling.c -- traceviz scaling: runs of one program on more workers, or with larger tasks. */
#include "analysis/efficiency/across.h"
#include "analysis/efficiency/series.h"
#include "cli/cli.h"
#include "trace/alloc.h"

struct asked {
	unsigned x;    /* enum tv_series_x */
	unsigned base; /* enum tv_series_base */
};

const struct tv_option_spec tv_scaling_options[TV_SCALING_OPTIONS] = {
	{ "x", "workers|nodes|granularity", "workers", "order of the runs, and column X",
	  TV_OPTION_CHOICE, TV_ASKED(x) },
	{ "base", "work|best", "work",
	  "Efficiency: the min Work of runs with one worker (without one of all), or the "
	  "min worker time of a run, over the worker time",
	  TV_OPTION_CHOICE, TV_ASKED(base) },
};

void tv_describe_scaling(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\nOutput: a table with these columns:\n");
	tv_list_fields(tv_series_columns, TV_SERIES_COLUMNS, out);
	tv_output_text(
		out,
		"\nrun   one row for each run, in the order of X; LostShare and Note: its largest "
		"loss\n"
		"      (traceviz efficiency), and how much of the makespan it takes\n"
		"stop  the first run in which a loss takes more than a fifth of the makespan\n"
		"metg  min effective task granularity, for each number of workers with runs of\n"
		"      different numbers of tasks: the smallest Granularity with an Efficiency of "
		"X\n"
		"      percent, by linear interpolation to the next finer run\n"
		"Equal labels are repeats: the run with the median makespan counts.\n"
		"Source of METG: E. Slaughter et al., Task Bench, SC20.\n");
}

int tv_cmd_scaling(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_pool *pool = tv_pool_new();
	struct tv_runs runs = { 0 };
	struct tv_named_run *run = NULL;
	struct tv_table table;
	struct asked asked;
	int rc;

	tv_cli_own_fill(cli, &asked, sizeof asked);
	tv_table_init(&table, pool);
	tv_pool_free(pool);
	rc = cli->ntraces > 1
		   ? tv_runs_open(&runs, cli, err)
		   : tv_fail_usage(err, "scaling needs two traces or more; try 'traceviz "
					"scaling --help'");
	if (rc == 0) {
		run = tv_alloc(runs.nsides, sizeof *run);
		for (size_t i = 0; i < runs.nsides; i++)
			run[i] = (struct tv_named_run){ runs.side[i].label,
							tv_side_median(&runs.side[i]) };
		rc = tv_series_of_runs(run, runs.nsides, asked.x, asked.base, &table, err);
	}
	tv_runs_print_warnings(&runs, cli);
	if (rc == 0)
		rc = tv_print_table(cli, &table, NULL, table.nrows, err);
	tv_free(run);
	tv_table_release(&table);
	tv_runs_close(&runs);
	return rc;
}
