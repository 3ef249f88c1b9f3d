/* SPDX-License-Identifier: GPL-3.0-or-later */
/* share.c -- the share of the workers of each type that runs tasks of each type, over time. */
#include "analysis/core/curve_rows.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"

struct asked {
	const char *by;
	int64_t step_ns;
};

/* Numbers of tasks are summed, and only then turned into percent, so that curves end at exactly 0. */
static int run_share(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const struct tv_tasks *all = tv_run_part(run);
	uint32_t *workers = tv_alloc(all->nrtypes, sizeof *workers);
	struct tv_curve_rows curves;
	int rc;

	tv_warn_workers(run);
	for (uint32_t t = 0; t < all->nrtypes; t++)
		workers[t] = all->rtype[t].nworkers;
	rc = tv_curve_rows_init(&curves, run, asked->by, asked->step_ns, all->nrtypes, workers, out,
				err);
	if (rc == 0)
		rc = tv_curve_rows_running(&curves, err);
	for (uint32_t t = 0; t < all->nrtypes && rc == 0; t++)
		if (workers[t] > 0)
			tv_curve_rows_write(&curves, t,
					    tv_pool_text(all->pool, all->rtype[t].label));
	tv_curve_rows_release(&curves);
	tv_free(workers);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN", "Value", "one curve per Value, Iteration, ... of the tasks",
	  TV_ASKED(by) },
	{ TV_STEP_MEANS_ROW, TV_ASKED(step_ns) },
};

const struct tv_pass tv_pass_share = {
	.name = "share",
	.summary = "Share of the workers that run each task type, over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.columns = "Cpu CpuEnd",
	.in_parts = tv_pass_always,
	.unordered = true,
	.beside = 60,
	.sums = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes =
		"The name of a curve is a type of workers (ResourceType); Value is the\n"
		"percentage of these workers, with or without tasks, that run tasks of the group.\n"
		"The sum over the groups is 100 when all of them run tasks, and more only when\n"
		"tasks overlap on a worker.\n"
		"Source: StarVZ's resource usage by task, per type of resource.",
	.example = "traceviz share --step 10 data/cholesky.csv",
	.run = run_share,
};
