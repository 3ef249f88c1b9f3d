/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c -- when each iteration began, advanced and ended, and how many were open. */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/curves.h"
#include "analysis/core/statistics.h"
#include "analysis/tasks/tag_choice.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum { QUARTERS = 3 }; /* but the last, which is the end */

struct asked {
	const char *by, *tag_format;
	int64_t step_ns;
	bool open, whole;
};

/* The executions of one iteration of one group. */
struct iteration {
	uint32_t group; /* label of its column */
	int64_t number;
	uint32_t n;
	int64_t start, end;
	tv_int128 busy; /* time that they ran; less than from start to end if suspended */
	int64_t quarter[QUARTERS];
	/* The ends of those that were read once more, as long as these are not all. */
	int64_t *ended;
	uint32_t nended;
	size_t cap;
};

struct iteration_progress {
	const struct asked *asked;
	struct tv_run *run;
	uint32_t *group; /* labels of the groups of all tasks, ngroups */
	uint32_t ngroups;
	size_t groups_cap;
	struct tv_index group_at; /* by label + 1 */
	struct iteration *iteration;
	uint32_t n;
	size_t cap;
	struct tv_map place; /* of an iteration, by the label of its group and its number */
	bool again;	     /* rows come for their ends */
};

/* ---- executions, which may come part by part ---- */

static void see_group(struct iteration_progress *work, uint32_t label)
{
	if (tv_index_get(&work->group_at, label + 1) != TV_NONE)
		return;
	tv_index_set(&work->group_at, label + 1, work->ngroups);
	TV_GROW(work->group, work->ngroups, work->groups_cap, 1);
	work->group[work->ngroups++] = label;
}

static struct iteration *iteration_of(struct iteration_progress *work, uint32_t group,
				      int64_t number)
{
	uint32_t *at = tv_map_at(&work->place, group, (uint64_t)number);

	if (*at == TV_NONE) {
		*at = work->n;
		TV_GROW(work->iteration, work->n, work->cap, 1);
		work->iteration[work->n++] = (struct iteration){
			.group = group, .number = number, .start = INT64_MAX, .end = INT64_MIN
		};
	}
	return &work->iteration[*at];
}

/* Adds n executions. */
static void add_sums(struct iteration *it, uint32_t n, int64_t start, int64_t end, tv_int128 busy)
{
	it->n += n;
	it->start = start < it->start ? start : it->start;
	it->end = end > it->end ? end : it->end;
	it->busy += busy;
}

/* Adds ends of executions: once all are there, when each quarter of them had ended. */
static void add_ends(struct iteration *it, const int64_t *end, uint32_t n)
{
	size_t place[QUARTERS];

	TV_GROW(it->ended, it->nended, it->cap, n);
	memcpy(it->ended + it->nended, end, n * sizeof *end);
	it->nended += n;
	if (it->nended < it->n)
		return;
	for (size_t q = 0; q < QUARTERS; q++)
		place[q] = ((size_t)it->n * (q + 1) + QUARTERS) / (QUARTERS + 1) - 1;
	tv_select_times(it->ended, it->n, place, QUARTERS);
	for (size_t q = 0; q < QUARTERS; q++)
		it->quarter[q] = it->ended[place[q]];
	tv_free(it->ended);
	it->ended = NULL;
}

static void add_executions(struct iteration_progress *work, const struct tv_tasks *tasks,
			   const struct tv_grouping *by, const struct tv_tag_reader *iteration)
{
	uint32_t *last = tasks->whole != NULL ? tv_tasks_last_rows(tasks) : NULL;

	for (uint32_t g = 0; g < by->n; g++)
		see_group(work, tv_grouping_label(by, g));
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct iteration *it;
		int64_t end, number;

		if (!tasks->counted[row] || !tv_row_begins(tasks, row)
		    || !tv_tag_get(iteration, row, &number))
			continue;
		end = tasks->end[last != NULL ? last[row] : row];
		it = iteration_of(work, tv_grouping_label(by, by->of_row[row]), number);
		if (work->again)
			add_ends(it, &end, 1);
		else
			add_sums(it, 1, tasks->start[row], end, tv_task_time(tasks, row));
	}
	tv_free(last);
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct iteration_progress *work = state;
	const struct tv_tasks *tasks = tv_run_part(part);
	const struct tv_tag_choice *choice = tv_tag_choose(part, work->asked->tag_format, err);
	struct tv_tag_reader iteration;
	struct tv_grouping by;

	if (choice == NULL || tv_grouping_by_label(&by, tasks, work->asked->by, false, err) < 0)
		return -1;
	tv_tag_read(&iteration, tasks, choice, TV_TAG_ITERATION);
	add_executions(work, tasks, &by, &iteration);
	tv_tag_end(&iteration);
	tv_grouping_release(&by);
	return 0;
}

/* ---- several processes ---- */

/* What this process has found of an iteration, which it then forgets. */
static void pack_sums(struct iteration *it, struct tv_parcel *pack)
{
	tv_pack_bytes(pack, &it->start, sizeof it->start);
	tv_pack_bytes(pack, &it->end, sizeof it->end);
	tv_pack_bytes(pack, &it->busy, sizeof it->busy);
	it->n = 0;
	it->busy = 0;
}

static void unpack_sums(struct iteration *it, uint32_t n, struct tv_unpack *from)
{
	int64_t start, end;
	tv_int128 busy;

	tv_unpack_bytes(from, &start, sizeof start);
	tv_unpack_bytes(from, &end, sizeof end);
	tv_unpack_bytes(from, &busy, sizeof busy);
	add_sums(it, n, start, end, busy);
}

/* The same of the ends; of one that is whole here the quarters, which it keeps. */
static void pack_ends(struct iteration *it, struct tv_parcel *pack)
{
	if (it->nended == it->n) {
		tv_pack_bytes(pack, it->quarter, sizeof it->quarter);
		return;
	}
	tv_pack_bytes(pack, it->ended, it->nended * sizeof *it->ended);
	it->nended = 0;
}

static void unpack_ends(struct iteration *it, uint32_t n, struct tv_unpack *from)
{
	int64_t *end;

	if (n == 0)
		return;
	if (n == it->n) {
		tv_unpack_bytes(from, it->quarter, sizeof it->quarter);
		it->nended = n;
		return;
	}
	end = tv_alloc(n, sizeof *end);
	tv_unpack_bytes(from, end, n * sizeof *end);
	add_ends(it, end, n);
	tv_free(end);
}

static void share_iterations(struct iteration_progress *work, const struct tv_team *team)
{
	struct tv_pool *pool = work->run->trace->pool;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_number(&pack, work->n);
	for (uint32_t i = 0; i < work->n; i++) {
		struct iteration *it = &work->iteration[i];

		tv_pack_label(&pack, pool, it->group);
		tv_pack_number(&pack, (uint64_t)it->number);
		tv_pack_number(&pack, work->again ? it->nended : it->n);
		(work->again ? pack_ends : pack_sums)(it, &pack);
	}
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		for (uint64_t n = tv_unpack_number(&from); n > 0; n--) {
			uint32_t group = tv_unpack_label(&from, pool);
			int64_t number = (int64_t)tv_unpack_number(&from);
			uint32_t executions = (uint32_t)tv_unpack_number(&from);

			(work->again ? unpack_ends : unpack_sums)(iteration_of(work, group, number),
								  executions, &from);
		}
	}
	tv_gathered_release(&all);
}

static void share_groups(struct iteration_progress *work, const struct tv_team *team)
{
	uint32_t n = work->ngroups,
		 *label = tv_team_labels(team, work->run->trace->pool, work->group, &n);

	for (uint32_t g = 0; g < n; g++)
		see_group(work, label[g]);
	tv_free(label);
}

/* ---- iterations ---- */

static int by_group(const void *a, const void *b, void *pool)
{
	const struct iteration *x = a, *y = b;
	int order = tv_label_order(pool, x->group, y->group);

	return order != 0 ? order : TV_COMPARE(x->number, y->number);
}

static int by_label(const void *a, const void *b, void *pool)
{
	return tv_label_order(pool, *(const uint32_t *)a, *(const uint32_t *)b);
}

/* Reads all rows, for what is asked once more. The iterations are sorted in the end. */
static int collect(struct iteration_progress *work, struct tv_error *err)
{
	const struct tv_team *team = work->run->team;
	struct tv_pool *pool = work->run->trace->pool;

	for (int time = 0; time < (work->asked->open ? 1 : 2); time++) {
		work->again = time > 0;
		if (tv_run_rows(work->run, add_rows, work, err) < 0)
			return -1;
		if (team != NULL)
			share_iterations(work, team);
	}
	if (team != NULL)
		share_groups(work, team);
	if (work->n > 0)
		qsort_r(work->iteration, work->n, sizeof *work->iteration, by_group, pool);
	if (work->ngroups > 0)
		qsort_r(work->group, work->ngroups, sizeof *work->group, by_label, pool);
	return 0;
}

static void release(struct iteration_progress *work)
{
	for (uint32_t i = 0; i < work->n; i++)
		tv_free(work->iteration[i].ended);
	tv_free(work->iteration);
	tv_free(work->group);
	tv_free(work->group_at.at);
	tv_map_release(&work->place);
}

/* For each iteration of a group, how many of them are open when it begins, itself included. */
static void count_open(const struct iteration *iteration, uint32_t n, int64_t *open)
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

static void write_iteration(const struct iteration *it, int64_t open, struct tv_table *out)
{
	const int64_t value[TV_COUNT(columns)] = {
		[ITERATION] = it->number,
		[TASKS] = it->n,
		[BUSY] = tv_sum_ns(it->busy),
		[START] = it->start,
		[QUARTER] = it->quarter[0],
		[HALF] = it->quarter[1],
		[THREE_QUARTERS] = it->quarter[2],
		[END] = it->end,
		[OPEN] = open,
	};
	uint32_t row = tv_table_add_row(out);

	for (size_t c = ITERATION; c < TV_COUNT(columns); c++)
		tv_set_int(out->col[c], row, value[c]);
	tv_set_label(out->col[GROUP], row, it->group);
}

/* How many iterations from the first one on are of its group. */
static uint32_t alike(const struct iteration_progress *work, uint32_t first)
{
	uint32_t n = 1;

	while (first + n < work->n
	       && work->iteration[first + n].group == work->iteration[first].group)
		n++;
	return n;
}

static void write_table(const struct iteration_progress *work, struct tv_table *out)
{
	int64_t *open = tv_alloc(work->n, sizeof *open);

	tv_add_fields(out, columns, TV_COUNT(columns));
	for (uint32_t i = 0, n; i < work->n; i += n) {
		n = alike(work, i);
		count_open(&work->iteration[i], n, open + i);
	}
	for (uint32_t i = 0; i < work->n; i++)
		write_iteration(&work->iteration[i], open[i], out);
	tv_free(open);
}

/* Open iterations over time, as a curve of each group, also of one without iterations. */
static int write_open(const struct iteration_progress *work, struct tv_table *out,
		      struct tv_error *err)
{
	struct tv_curves curves;

	tv_add_fields(out, tv_curve_columns, TV_CURVE_COLUMNS);
	tv_curves_init_bare(&curves, work->run, work->asked->step_ns, out);
	if (tv_run_interval(work->run, &curves.begin, &curves.end, err) < 0
	    || tv_step_check(curves.begin, curves.end, curves.step_ns, work->ngroups, err) < 0)
		return -1;
	for (uint32_t g = 0, i = 0; g < work->ngroups; g++) {
		struct tv_steps steps;
		struct tv_sum sum;

		tv_sum_init(&sum, curves.begin, curves.end);
		for (; i < work->n && work->iteration[i].group == work->group[g]; i++)
			tv_sum_one(&sum, work->iteration[i].start, work->iteration[i].end);
		tv_sum_steps(&sum, &steps);
		tv_curves_write_one(&curves, "open", work->group[g], &steps);
		tv_steps_release(&steps);
		tv_sum_release(&sum);
	}
	return 0;
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
	struct iteration_progress work = { .asked = asked, .run = run };
	int rc = -1;

	if (!asked->open && !asked->whole && tv_run_cut(run))
		return tv_fail_usage(err, "progress describes the whole run: it takes --begin and "
					  "--end only with --open, or --whole");
	if (tv_run_pass_with(run, "iterations", err, "tag-format", asked->tag_format, NULL) == NULL)
		return tv_fail_about(err, "progress");
	if (collect(&work, err) == 0)
		rc = asked->open ? write_open(&work, out, err) : 0;
	if (rc == 0 && !asked->open)
		write_table(&work, out);
	release(&work);
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
	.columns = "Iteration",
	.later = "Tag",
	.in_parts = tv_pass_always,
	.unordered = true,
	.beside = 100,
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
