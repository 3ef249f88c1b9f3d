/* SPDX-License-Identifier: GPL-3.0-or-later */
/* concurrency.c -- how many tasks run at each instant. */
#include "analysis/core/curve_rows.h"

static int run_concurrency(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	const struct tv_curves_asked *asked = options->chosen;
	struct tv_curve_rows curves;
	int rc = tv_curve_rows_init(&curves, run, asked->by, asked->step_ns, 1, NULL, out, err);

	if (rc == 0)
		rc = tv_curve_rows_running(&curves, err);
	if (rc == 0)
		tv_curve_rows_write(&curves, 0, "running");
	tv_curve_rows_release(&curves);
	return rc;
}

const struct tv_pass tv_pass_concurrency = {
	.name = "concurrency",
	.summary = "Running tasks over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.columns = "",
	.windowed = true,
	.in_parts = tv_pass_always,
	.unordered = true,
	.early = true,
	.beside = 50,
	.sums = true,
	.option = tv_curve_options,
	.noptions = TV_BY_AND_STEP,
	.chosen = sizeof(struct tv_curves_asked),
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes = "running: a task runs from its Start to just before its End. A parallel task\n"
		 "counts on each worker of its team, so the integral is the time of all\n"
		 "executions.",
	.example = "traceviz concurrency --by Value --step 10 data/cholesky.csv",
	.run = run_concurrency,
};
