/* SPDX-License-Identifier: GPL-3.0-or-later */
/* concurrency.c -- how many tasks run at each instant. */
#include "analysis/core/curves.h"

static int run_concurrency(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(run);
	const struct tv_curves_asked *asked = options->chosen;
	struct tv_curves curves;
	int rc = tv_curves_init(&curves, run, asked->by, asked->step_ns, false, out, err);

	for (uint32_t row = 0; row < tasks->n && rc == 0; row++)
		if (tasks->counted[row])
			tv_curves_count(&curves, row, tasks->start[row], tasks->end[row]);
	if (rc == 0)
		tv_curves_flush(&curves, "running");
	tv_curves_release(&curves);
	return rc;
}

const struct tv_pass tv_pass_concurrency = {
	.name = "concurrency",
	.summary = "Running tasks over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.columns = "",
	.windowed = true,
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
