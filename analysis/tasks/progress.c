/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c -- when each iteration began, advanced and ended, and how many were open. */
#include "analysis/core/columns.h"
#include "analysis/core/curves.h"
#include "analysis/tasks/tags.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* The executions of one iteration of one group are row[0..n), by end. */
struct iteration {
	const uint32_t *row;
	size_t n;
	uint32_t group;
	int64_t iteration, start, end;
	tv_int128 busy; /* time that they ran; less than from start to end if suspended */
};

struct iteration_progress {
	const struct tv_tasks *tasks;
	struct tv_grouping by;
	struct tv_groups groups; /* executions that have an iteration */
	const int64_t *end;	 /* by row that begins an execution: its End */
	int64_t *last_end;	 /* the same where there are segments; else NULL */
	struct iteration *iteration;
	size_t niterations, cap;
};

static void find_ends(struct iteration_progress *work)
{
	const struct tv_tasks *tasks = work->tasks;
	uint32_t *last;

	work->end = tasks->end;
	if (tasks->whole == NULL)
		return;
	last = tv_tasks_last_rows(tasks);
	work->end = work->last_end = tv_alloc(tasks->n, sizeof *work->last_end);
	for (uint32_t row = 0; row < tasks->n; row++)
		work->last_end[row] = tasks->end[last[row]];
	tv_free(last);
}

static void add_iteration(struct iteration_progress *work, uint32_t group, int64_t iteration,
			  uint32_t *row, size_t n)
{
	struct iteration it = { row, n, group, iteration, .start = work->tasks->start[row[0]] };

	tv_sort_rows_by_time(row, n, work->end);
	it.end = work->end[row[n - 1]];
	for (size_t i = 0; i < n; i++) {
		int64_t start = work->tasks->start[row[i]];

		it.start = start < it.start ? start : it.start;
		it.busy += tv_task_time(work->tasks, row[i]);
	}
	TV_GROW(work->iteration, work->niterations, work->cap, 1);
	work->iteration[work->niterations++] = it;
}

static void collect(struct iteration_progress *work, const struct tv_column *iteration)
{
	const struct tv_tasks *tasks = work->tasks;
	const struct tv_groups *groups = &work->groups;

	find_ends(work);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (!tasks->counted[row] || !tv_row_begins(tasks, row)
		    || tv_missing(iteration, row))
			work->by.of_row[row] = TV_NONE;
	tv_groups_init(&work->groups, work->by.of_row, tasks->n, work->by.n);
	tv_free(work->by.of_row); /* to sort takes as much */
	work->by.of_row = NULL;
	for (uint32_t g = 0; g < groups->n; g++) {
		uint32_t *row = groups->row + groups->first[g];
		size_t n = groups->first[g + 1] - groups->first[g];

		tv_sort_rows_by_time(row, n, iteration->i);
		for (size_t i = 0, next; i < n; i = next) {
			int64_t number = iteration->i[row[i]];

			for (next = i + 1; next < n && iteration->i[row[next]] == number; next++)
				;
			add_iteration(work, g, number, row + i, next - i);
		}
	}
}

/* For each iteration of a group, how many of them are open when it begins, itself included. */
static void count_open(const struct iteration *iteration, size_t n, int64_t *open)
{
	int64_t *start = tv_alloc(n, sizeof *start), *end = tv_alloc(n, sizeof *end);

	for (size_t i = 0; i < n; i++) {
		start[i] = iteration[i].start;
		end[i] = iteration[i].end;
	}
	tv_sort_by_time(start, n, sizeof *start, 0, NULL);
	tv_sort_by_time(end, n, sizeof *end, 0, NULL);
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

#define COLUMNS(X) \
	X(GROUP, "By", TV_LABEL, false, "", "with --by the value of that column") \
	X(ITERATION, "Iteration", TV_INT, false, "", "iteration (see traceviz iterations)") \
	X(TASKS, "Tasks", TV_INT, false, "", "its tasks; a parallel task once per worker") \
	X(BUSY, "Time", TV_TIME, false, "ms", "time in these tasks") \
	X(START, "Start", TV_TIME, false, "ms", "its first Start") \
	X(QUARTER, "Ended25", TV_TIME, false, "ms", "when a quarter of its tasks had ended") \
	X(HALF, "Ended50", TV_TIME, false, "ms", "when half of them had ended") \
	X(THREE_QUARTERS, "Ended75", TV_TIME, false, "ms", "when three quarters had ended") \
	X(END, "End", TV_TIME, false, "ms", "its last End") \
	X(OPEN, "Open", TV_INT, false, "", \
	  "iterations of the group open at its Start, itself " \
	  "included")

TV_COLUMNS(columns, COLUMNS)

/* When q quarters of the tasks of an iteration had ended. */
static int64_t quarter_ended(const struct iteration_progress *work, const struct iteration *it,
			     size_t q)
{
	return work->end[it->row[(it->n * q + 3) / 4 - 1]];
}

static void write_iteration(const struct iteration_progress *work, const struct iteration *it,
			    int64_t open, struct tv_table *out)
{
	const int64_t value[TV_COUNT(columns)] = {
		[ITERATION] = it->iteration,
		[TASKS] = (int64_t)it->n,
		[BUSY] = tv_sum_ns(it->busy),
		[START] = it->start,
		[QUARTER] = quarter_ended(work, it, 1),
		[HALF] = quarter_ended(work, it, 2),
		[THREE_QUARTERS] = quarter_ended(work, it, 3),
		[END] = it->end,
		[OPEN] = open,
	};
	uint32_t row = tv_table_add_row(out);

	for (size_t c = ITERATION; c < TV_COUNT(columns); c++)
		tv_set_int(out->col[c], row, value[c]);
	tv_set_label(out->col[GROUP], row, tv_grouping_label(&work->by, it->group));
}

static void write_table(const struct iteration_progress *work, struct tv_table *out)
{
	int64_t *open = tv_alloc(work->niterations, sizeof *open);

	tv_add_fields(out, columns, TV_COUNT(columns));
	for (size_t i = 0, n; i < work->niterations; i += n) {
		const struct iteration *it = &work->iteration[i];

		for (n = 1; i + n < work->niterations && it[n].group == it->group;)
			n++;
		count_open(it, n, open + i);
	}
	for (size_t i = 0; i < work->niterations; i++)
		write_iteration(work, &work->iteration[i], open[i], out);
	tv_free(open);
}

struct asked {
	const char *by, *tag_format;
	int64_t step_ns;
	bool open, whole;
};

/* Open iterations over time, as a curve. */
static int write_open(const struct iteration_progress *work, struct tv_run *run,
		      const struct asked *asked, struct tv_table *out, struct tv_error *err)
{
	struct tv_curves curves;
	int rc;

	tv_add_fields(out, tv_curve_columns, TV_CURVE_COLUMNS);
	rc = tv_curves_init(&curves, run, asked->by, asked->step_ns, false, out, err);
	for (size_t i = 0; i < work->niterations && rc == 0; i++) {
		const struct iteration *it = &work->iteration[i];

		tv_sum_one(&curves.sum[it->group], it->start, it->end);
	}
	if (rc == 0)
		tv_curves_flush(&curves, "open");
	tv_curves_release(&curves);
	return rc;
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_tag_format format;

	if (!asked->open && asked->step_ns > 0)
		return tv_fail_usage(err, "--step is for --open");
	if (asked->open && asked->whole)
		return tv_fail_usage(err, "--whole is not for --open");
	return asked->tag_format == NULL ? 0 : tv_tag_parse(asked->tag_format, &format, err);
}

static int run_progress(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct iteration_progress work = { .tasks = tv_run_part(run) };
	const struct tv_table *iterations;
	int rc = -1;

	if (!asked->open && !asked->whole && tv_run_cut(run))
		return tv_fail_usage(err, "progress describes the whole run: it takes --begin and "
					  "--end only with --open, or --whole");
	iterations = tv_run_pass_with(run, "iterations", err, "tag-format", asked->tag_format,
				      NULL);
	if (iterations == NULL)
		return tv_fail_about(err, "progress");
	if (tv_grouping_by_label(&work.by, work.tasks, asked->by, false, err) == 0) {
		collect(&work, tv_table_find(iterations, "Iteration"));
		rc = asked->open ? write_open(&work, run, asked, out, err) : 0;
		if (!asked->open)
			write_table(&work, out);
	}
	tv_grouping_release(&work.by);
	tv_groups_release(&work.groups);
	tv_free(work.last_end);
	tv_free(work.iteration);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN", NULL, "separate iterations of each Node, Value, ...", TV_ASKED(by) },
	{ "open", NULL, NULL, "the number of open iterations over time, as a curve",
	  TV_ASKED(open) },
	{ "step", "TIME", NULL, "with --open: means over slices of this length", TV_OPTION_TIME, 1,
	  0, TV_ASKED(step_ns) },
	{ "tag-format", "FORMAT", NULL, "how tags contain iterations (see traceviz iterations)",
	  TV_ASKED(tag_format) },
	{ "whole", NULL, NULL, "cover the whole run, also with --begin and --end",
	  TV_ASKED(whole) },
};

static const struct tv_columns forms[] = { { tv_curve_columns, TV_CURVE_COLUMNS, "--open" } };

const struct tv_pass tv_pass_progress = {
	.name = "progress",
	.summary = "Start, progress and end of each iteration",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.columns = "Iteration X Y Tag",
	.ranked = "Time",
	.sums = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.notes = "With --open the columns are those of traceviz concurrency, the curve is open.\n"
		 "An iteration is open from the first Start to the last End of its tasks; the\n"
		 "largest number open at once is the max of Open. A share of n tasks has ended\n"
		 "when the task of rank ceil(share n) by End has.\n"
		 "Source: Garcia Pinto, thesis, 2018, 5.2.1 (the progression of iterations).",
	.example = "traceviz progress data/cholesky.csv",
	.check = check_options,
	.run = run_progress,
};
