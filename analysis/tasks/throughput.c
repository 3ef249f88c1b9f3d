/* SPDX-License-Identifier: GPL-3.0-or-later */
/* throughput.c -- how fast the work is done over time, in GFlop/s. */
#include "analysis/core/curves.h"
#include "analysis/core/warnings.h"

/* The team of a parallel task shares its work. */
static int add_tasks(struct tv_curves *curves, struct tv_run *run, const struct tv_column *gflop,
		     struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(run);
	unsigned long unknown = 0, instant = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t time = tv_row_time(tasks, row);
		double work;

		/* How much of the work of one that has not ended is done, nobody knows. */
		if (!tasks->counted[row] || !tv_task_ended(tasks, row))
			continue;
		unknown += tv_missing(gflop, row) && tv_row_begins(tasks, row);
		if (tv_missing(gflop, row))
			continue;
		work = gflop->d[row] * tv_row_share(tasks, row) / tv_team_of(tasks, row);
		instant += time == 0 && work != 0;
		if (time > 0
		    && tv_curves_add(curves, row, tasks->start[row], tasks->end[row],
				     work / ((double)time / 1e9), err)
			       < 0)
			return -1;
	}
	tv_warn_cut(run);
	if (unknown > 0)
		tv_run_warn(run, "%lu tasks have no GFlop: they count as 0", unknown);
	if (instant != 0)
		tv_run_warn(run, "%lu tasks took no time: their work is left out", instant);
	return 0;
}

static int run_throughput(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const struct tv_column *gflop = tv_table_find(&run->trace->table[TV_TASKS], "GFlop");
	const struct tv_curves_asked *asked = options->chosen;
	struct tv_curves curves;
	int rc = -1;

	if (gflop == NULL)
		return tv_fail(err, "throughput: the tasks have no column GFlop");
	if (tv_curves_init(&curves, run, asked->by, asked->step_ns, false, out, err) == 0
	    && add_tasks(&curves, run, gflop, err) == 0) {
		tv_curves_flush(&curves, "GFlop/s");
		rc = 0;
	}
	tv_curves_release(&curves);
	return rc;
}

const struct tv_pass tv_pass_throughput = {
	.name = "throughput",
	.summary = "Throughput over time, in GFlop/s",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.columns = "GFlop",
	.sums = true,
	.option = tv_curve_options,
	.noptions = TV_BY_AND_STEP,
	.chosen = sizeof(struct tv_curves_asked),
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes = "GFlop/s: the GFlop of each task are spread evenly from Start to End, those of a\n"
		 "parallel task also over its team, those of a suspended one over its segments.\n"
		 "The integral is the work done. Tasks that had not ended when the trace did are\n"
		 "left out.",
	.example = "traceviz throughput --by ResourceType --step 10 data/cholesky.csv",
	.run = run_throughput,
};
