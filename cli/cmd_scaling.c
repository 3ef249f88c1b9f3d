/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_scaling.c -- traceviz scaling: runs of one program on more workers, or with larger tasks. */
#include "analysis/efficiency/across.h"
#include "analysis/efficiency/extrap.h"
#include "analysis/efficiency/series.h"
#include "cli/cli.h"
#include "trace/alloc.h"

struct asked {
	const char *x; /* of tv_series_axis_of */
	unsigned base; /* enum tv_series_base */
	const char *to;
};

const struct tv_option_spec tv_scaling_options[TV_SCALING_OPTIONS] = {
	{ "x", "workers|nodes|granularity|KEY", "workers",
	  "order of the runs, and column X; KEY: a number of meta, or of a tag (record --tag)",
	  TV_ASKED(x) },
	{ "base", "work|best", "work",
	  "Efficiency: the min Work of runs with one worker (without one of all), or the "
	  "min worker time of a run, over the worker time",
	  TV_OPTION_CHOICE, TV_ASKED(base) },
	{ "to", "extrap", NULL,
	  "write the text that Extra-P reads instead: worker time of the runs and its parts, and "
	  "busy "
	  "time, tasks and mean duration of each task type",
	  TV_OPTION_CHOICE, TV_ASKED(to) },
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
		"model tasks and durations of the run with the fewest workers, simulated on the "
		"workers of the\n"
		"      others, and what they took longer than that: a + b / p. Model of a run is "
		"made from the\n"
		"      others, so ModelError is that of a prediction; it needs three runs with as "
		"many tasks.\n"
		"      Only with --x workers and nodes\n"
		"Equal labels are repeats: the run with the median makespan counts.\n"
		"Source of METG: E. Slaughter et al., Task Bench, SC20.\n");
}

static int write_extrap(const struct tv_cli *cli, const struct tv_runs *runs,
			struct tv_series_axis axis, struct tv_error *err)
{
	struct tv_named_run *run = tv_alloc(runs->n, sizeof *run);
	struct tv_output out;
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < runs->nsides; i++)
		for (size_t k = 0; k < runs->side[i].n; k++)
			run[n++] = (struct tv_named_run){ runs->side[i].label,
							  runs->side[i].run[k] };
	rc = tv_output_open(&out, cli->output != NULL ? cli->output : "-", err);
	if (rc == 0) {
		rc = tv_write_extrap(run, n, axis, &out, err);
		if (rc == 0)
			rc = tv_output_commit(&out, err);
		else
			tv_output_abort(&out);
	}
	tv_free(run);
	return rc;
}

static int write_series(const struct tv_cli *cli, const struct tv_runs *runs,
			const struct asked *asked, struct tv_error *err)
{
	struct tv_named_run *run = tv_alloc(runs->nsides, sizeof *run);
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;
	int rc;

	tv_table_init(&table, pool);
	tv_pool_free(pool);
	for (size_t i = 0; i < runs->nsides; i++)
		run[i] = (struct tv_named_run){ runs->side[i].label,
						tv_side_median(&runs->side[i]) };
	rc = tv_series_of_runs(run, runs->nsides, tv_series_axis_of(asked->x), asked->base, &table,
			       err);
	if (rc == 0)
		rc = tv_print_table(cli, &table, NULL, table.nrows, err);
	tv_free(run);
	tv_table_release(&table);
	return rc;
}

int tv_cmd_scaling(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_runs runs = { 0 };
	struct asked asked;
	int rc;

	tv_cli_own_fill(cli, &asked, sizeof asked);
	if (cli->ntraces < 2)
		return tv_fail_usage(err, "scaling needs two traces or more; try 'traceviz scaling "
					  "--help'");
	rc = tv_runs_open(&runs, cli, err);
	if (rc == 0)
		rc = asked.to != NULL ? write_extrap(cli, &runs, tv_series_axis_of(asked.x), err)
				      : write_series(cli, &runs, &asked, err);
	tv_runs_print_warnings(&runs, cli);
	tv_runs_close(&runs);
	return rc;
}
