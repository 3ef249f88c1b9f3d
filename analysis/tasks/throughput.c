/* SPDX-License-Identifier: GPL-3.0-or-later */
/* throughput.c -- how fast the work is done over time, in GFlop/s. */
#include "analysis/core/curve_rows.h"
#include "analysis/core/warnings.h"

enum { UNKNOWN, INSTANT, NCOUNTS };

struct throughput {
	struct tv_curve_rows curves;
	uint64_t count[NCOUNTS]; /* tasks without GFlop, and without time */
};

/* The team of a parallel task shares its work. */
static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct tv_column *gflop = tv_table_find(&part->trace->table[TV_TASKS], "GFlop");
	const struct tv_tasks *tasks = tv_run_part(part);
	struct throughput *work = state;

	if (tv_curve_rows_begin(&work->curves, part, err) < 0)
		return -1;
	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t time = tv_row_time(tasks, row);
		double done;

		/* How much of the work of one that has not ended is done, nobody knows. */
		if (!tasks->counted[row] || !tv_task_ended(tasks, row))
			continue;
		work->count[UNKNOWN] += tv_missing(gflop, row) && tv_row_begins(tasks, row);
		if (tv_missing(gflop, row))
			continue;
		done = gflop->d[row] * tv_row_share(tasks, row) / tv_team_of(tasks, row);
		work->count[INSTANT] += time == 0 && done != 0;
		if (time > 0
		    && tv_sum_add(tv_curve_rows_sum(&work->curves, row, 0), tasks->start[row],
				  tasks->end[row], done / ((double)time / 1e9), err)
			       < 0)
			return -1;
	}
	tv_curve_rows_settle(&work->curves);
	return 0;
}

static void warn(struct tv_run *run, const struct throughput *work)
{
	tv_warn_cut(run);
	if (work->count[UNKNOWN] > 0)
		tv_run_warn(run, "%llu tasks have no GFlop: they count as 0",
			    (unsigned long long)work->count[UNKNOWN]);
	if (work->count[INSTANT] > 0)
		tv_run_warn(run, "%llu tasks took no time: their work is left out",
			    (unsigned long long)work->count[INSTANT]);
}

static int run_throughput(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const struct tv_curves_asked *asked = options->chosen;
	struct throughput work = { 0 };
	int rc;

	if (tv_table_find(&run->trace->table[TV_TASKS], "GFlop") == NULL)
		return tv_fail(err, "throughput: the tasks have no column GFlop");
	rc = tv_curve_rows_init(&work.curves, run, asked->by, asked->step_ns, 1, NULL, out, err);
	if (rc == 0)
		rc = tv_run_rows(run, add_rows, &work, err);
	if (rc == 0 && tv_curve_rows_again(&work.curves)) {
		work.count[UNKNOWN] = work.count[INSTANT] = 0;
		rc = tv_run_rows(run, add_rows, &work, err);
	}
	if (rc == 0) {
		tv_team_add(run->team, work.count, NCOUNTS);
		warn(run, &work);
		rc = tv_curve_rows_end(&work.curves, err);
	}
	if (rc == 0)
		tv_curve_rows_write(&work.curves, 0, "GFlop/s");
	tv_curve_rows_release(&work.curves);
	return rc;
}

const struct tv_pass tv_pass_throughput = {
	.name = "throughput",
	.summary = "Throughput over time, in GFlop/s",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.columns = "GFlop",
	.in_parts = tv_pass_always,
	.unordered = true,
	.early = true,
	.beside = 70,
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
