/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c -- when each iteration began, advanced and ended, and how many were open. */
#include <stdlib.h>

#include "analysis/shared/columns.h"
#include "analysis/shared/curves.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* One execution of a task that has an iteration. */
struct step {
	uint32_t group;
	int64_t iteration, start, end;
	int64_t time; /* it ran; less than from start to end if it was suspended */
};

/* The executions of one iteration of one group are step[0..n), by end. */
struct iteration {
	const struct step *step;
	size_t n;
	int64_t start, end;
	tv_int128 busy;
};

static int by_iteration(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->group != y->group)
		return TV_COMPARE(x->group, y->group);
	if (x->iteration != y->iteration)
		return TV_COMPARE(x->iteration, y->iteration);
	return TV_COMPARE(x->end, y->end);
}

static struct iteration iteration_at(const struct step *step, size_t n)
{
	struct iteration it = { .step = step, .start = step->start };

	for (;
	     it.n < n && step[it.n].group == step->group && step[it.n].iteration == step->iteration;
	     it.n++) {
		it.start = step[it.n].start < it.start ? step[it.n].start : it.start;
		it.busy += step[it.n].time;
	}
	it.end = step[it.n - 1].end;
	return it;
}

struct work {
	const struct tv_tasks *tasks;
	struct tv_grouping by;
	struct step *step;
	size_t n;
	struct iteration *iteration;
	size_t niterations;
};

static void collect(struct work *work, const struct tv_column *iteration)
{
	const struct tv_tasks *tasks = work->tasks;
	uint32_t *last = tv_tasks_last_rows(tasks);

	work->step = tv_alloc(tasks->ncounted, sizeof *work->step);
	work->iteration = tv_alloc(tasks->ncounted, sizeof *work->iteration);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row) && !tv_missing(iteration, row))
			work->step[work->n++] = (struct step){ work->by.of_row[row],
							       iteration->i[row], tasks->start[row],
							       tasks->end[last[row]],
							       tv_task_time(tasks, row) };
	tv_free(last);
	qsort(work->step, work->n, sizeof *work->step, by_iteration);
	for (size_t i = 0; i < work->n; i += work->iteration[work->niterations++].n)
		work->iteration[work->niterations] = iteration_at(work->step + i, work->n - i);
}

/* For each iteration of a group, how many of them are open when it begins, itself included. */
static void count_open(const struct iteration *iteration, size_t n, int64_t *open)
{
	int64_t *start = tv_alloc(n, sizeof *start), *end = tv_alloc(n, sizeof *end);

	for (size_t i = 0; i < n; i++) {
		start[i] = iteration[i].start;
		end[i] = iteration[i].end;
	}
	qsort(start, n, sizeof *start, tv_compare_int64);
	qsort(end, n, sizeof *end, tv_compare_int64);
	for (size_t i = 0; i < n; i++) {
		const int64_t *at = &iteration[i].start;

		/* One that takes no time has ended when it begins. */
		open[i] = (int64_t)(tv_count_upto(at, start, n, sizeof *start, tv_compare_int64)
				    - tv_count_upto(at, end, n, sizeof *end, tv_compare_int64))
			+ (iteration[i].start == iteration[i].end);
	}
	tv_free(start);
	tv_free(end);
}

enum { GROUP, ITERATION, TASKS, BUSY, START, QUARTER, HALF, THREE_QUARTERS, END, OPEN, NCOLUMNS };

static const struct tv_field columns[] = {
	[GROUP] = { "By", TV_LABEL, false, "", "with --by the value of that column" },
	[ITERATION] = { "Iteration", TV_INT, false, "", "iteration (see traceviz iterations)" },
	[TASKS] = { "Tasks", TV_INT, false, "", "its tasks; a parallel task once per worker" },
	[BUSY] = { "Time", TV_TIME, false, "ms", "time in these tasks" },
	[START] = { "Start", TV_TIME, false, "ms", "its first Start" },
	[QUARTER] = { "Ended25", TV_TIME, false, "ms", "when a quarter of its tasks had ended" },
	[HALF] = { "Ended50", TV_TIME, false, "ms", "when half of them had ended" },
	[THREE_QUARTERS] = { "Ended75", TV_TIME, false, "ms", "when three quarters had ended" },
	[END] = { "End", TV_TIME, false, "ms", "its last End" },
	[OPEN] = { "Open", TV_INT, false, "",
		   "iterations of the group open at its Start, itself "
		   "included" },
};

/* When q quarters of the tasks of an iteration had ended. */
static int64_t quarter_ended(const struct iteration *it, size_t q)
{
	return it->step[(it->n * q + 3) / 4 - 1].end;
}

static void write_iteration(const struct work *work, const struct iteration *it, int64_t open,
			    struct tv_table *out)
{
	const int64_t value[NCOLUMNS] = {
		[ITERATION] = it->step->iteration,
		[TASKS] = (int64_t)it->n,
		[BUSY] = tv_sum_ns(it->busy),
		[START] = it->start,
		[QUARTER] = quarter_ended(it, 1),
		[HALF] = quarter_ended(it, 2),
		[THREE_QUARTERS] = quarter_ended(it, 3),
		[END] = it->end,
		[OPEN] = open,
	};
	uint32_t row = tv_table_add_row(out);

	for (int c = ITERATION; c < NCOLUMNS; c++)
		tv_set_int(out->col[c], row, value[c]);
	tv_set_label(out->col[GROUP], row, tv_grouping_label(&work->by, it->step->group));
}

static void write_table(const struct work *work, struct tv_table *out)
{
	int64_t *open = tv_alloc(work->niterations, sizeof *open);

	tv_add_fields(out, columns, NCOLUMNS);
	for (size_t i = 0, n; i < work->niterations; i += n) {
		const struct iteration *it = &work->iteration[i];

		for (n = 1; i + n < work->niterations && it[n].step->group == it->step->group;)
			n++;
		count_open(it, n, open + i);
	}
	for (size_t i = 0; i < work->niterations; i++)
		write_iteration(work, &work->iteration[i], open[i], out);
	tv_free(open);
}

/* Open iterations over time, as a curve. */
static int write_open(const struct work *work, struct tv_run *run, const struct tv_options *options,
		      struct tv_table *out, struct tv_error *err)
{
	struct tv_curves curves;
	int rc;

	tv_add_fields(out, tv_curve_columns, TV_CURVE_COLUMNS);
	rc = tv_curves_init(&curves, run, options, false, out, err);
	for (size_t i = 0; i < work->niterations && rc == 0; i++) {
		const struct iteration *it = &work->iteration[i];

		tv_sum_count(&curves.sum[it->step->group], it->start, it->end, 1);
	}
	if (rc == 0)
		tv_curves_flush(&curves, "open");
	tv_curves_release(&curves);
	return rc;
}

static int run_progress(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const char *const format[] = { tv_option(options, "tag-format") };
	bool open = tv_option_flag(options, "open"), whole = tv_option_flag(options, "whole");
	struct work work = { .tasks = tv_run_part(run) };
	const struct tv_table *iterations;
	int rc = -1;

	if (!open && tv_option(options, "step") != NULL)
		return tv_fail_usage(err, "--step is for --open");
	if (open && whole)
		return tv_fail_usage(err, "--whole is not for --open");
	if (!open && !whole && tv_run_cut(run))
		return tv_fail_usage(err, "progress describes the whole run: it takes --begin and "
					  "--end only with --open, or --whole");
	iterations = tv_run_pass(run, "iterations", format, err);
	if (iterations == NULL)
		return -1;
	if (tv_grouping_by_label(&work.by, work.tasks, tv_option(options, "by"), false, err) == 0) {
		collect(&work, tv_table_find(iterations, "Iteration"));
		rc = open ? write_open(&work, run, options, out, err) : 0;
		if (!open)
			write_table(&work, out);
	}
	tv_grouping_release(&work.by);
	tv_free(work.step);
	tv_free(work.iteration);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN", NULL, "separate iterations of each Node, Value, ..." },
	{ "open", NULL, NULL, "the number of open iterations over time, as a curve" },
	{ "step", "TIME", NULL, "with --open: means over slices of this length", TV_OPTION_TIME, 1,
	  0 },
	{ "tag-format", "FORMAT", NULL, "how tags contain iterations (see traceviz iterations)" },
	{ "whole", NULL, NULL, "cover the whole run, also with --begin and --end" },
};

const struct tv_pass tv_pass_progress = {
	.name = "progress",
	.summary = "Start, progress and end of each iteration",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.ranked = "Time",
	.sums = true,
	TV_PASS_OPTIONS(options),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.notes = "With --open the columns are those of traceviz concurrency, the curve is open.\n"
		 "An iteration is open from the first Start to the last End of its tasks; the\n"
		 "largest number open at once is the max of Open. A share of n tasks has ended\n"
		 "when the task of rank ceil(share n) by End has.\n"
		 "Source: Garcia Pinto, thesis, 2018, 5.2.1 (the progression of iterations).",
	.example = "traceviz progress data/cholesky.csv",
	.run = run_progress,
};
