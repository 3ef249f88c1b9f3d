/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_usage.c -- which share of the workers computes on each front, slice by slice. */
#include <stdlib.h>

#include "analysis/core/curves.h"
#include "analysis/core/warnings.h"
#include "analysis/fronts/fronts.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(START, "Start", TV_TIME, false, "ms", "start of the slice") \
	X(END, "End", TV_TIME, false, "ms", "its end") \
	X(ANODE, "ANode", TV_INT, false, "", "front; missing with --by position, depth") \
	X(POSITION, "Position", TV_INT, false, "", "as in the pass tree; missing with --by depth") \
	X(DEPTH, "Depth", TV_INT, false, "", "likewise; missing with --by position") \
	X(TYPE, "Type", TV_LABEL, false, "", "pruned, not pruned; missing with --by depth") \
	X(WORKERS, "Workers", TV_INT, false, "", "all workers of the run") \
	X(BUSY, "Busy", TV_TIME, false, "ms", \
	  "time of its tasks within the slice: sum of the next four") \
	X(COMPUTE, "Compute", TV_TIME, false, "ms", "time of computing tasks") \
	X(INITIALIZE, "Initialize", TV_TIME, false, "ms", "time of init_ tasks") \
	X(ASSEMBLE, "Assemble", TV_TIME, false, "ms", "time of block_copy and block_extadd") \
	X(CLEAN, "Clean", TV_TIME, false, "ms", "time of clean_ tasks") \
	X(USAGE, "Usage", TV_DOUBLE, false, "%", "100 Compute / (Workers (End - Start))") \
	X(GFLOP, "GFlop", TV_DOUBLE, false, "GFlop", \
	  "work of computing tasks without do_subtree, spread evenly from Start to End")

TV_COLUMNS(columns, COLUMNS)

enum by { BY_FRONT, BY_POSITION, BY_DEPTH };

/* Fronts that share a row per slice. */
struct group {
	uint32_t front;		      /* the first of them */
	int64_t time[TV_FRONT_ROLES]; /* of this slice, ns */
	double gflop;
	bool touched;
};

struct tree_usage {
	const struct tv_fronts *fronts;
	const struct tv_tasks *tasks;
	const struct tv_column *gflop; /* NULL if there is none */
	enum by by;
	uint32_t *group_of; /* by front */
	struct group *group;
	uint32_t ngroups;
	uint32_t *row;	      /* counted rows of fronts by Start */
	uint32_t nrows, next; /* next: first that has not begun */
	uint32_t *active;     /* rows that have begun and not ended */
	uint32_t nactive;
	uint32_t type[2]; /* labels */
	struct tv_table *out;
};

/* ---- groups, in the order of the result ---- */

static int by_group(const void *a, const void *b, void *data)
{
	const struct tree_usage *work = data;
	const struct tv_front *x = &work->fronts->front[*(const uint32_t *)a];
	const struct tv_front *y = &work->fronts->front[*(const uint32_t *)b];

	if (work->by == BY_DEPTH && x->depth != y->depth)
		return TV_COMPARE(x->depth, y->depth);
	if (work->by == BY_POSITION && x->position != y->position)
		return TV_COMPARE(x->position, y->position);
	if (work->by == BY_POSITION && x->pruned != y->pruned)
		return x->pruned - y->pruned;
	return TV_COMPARE(x, y);
}

static bool together(const struct tree_usage *work, const struct tv_front *x,
		     const struct tv_front *y)
{
	return work->by == BY_DEPTH ? x->depth == y->depth
				    : work->by == BY_POSITION && x->position == y->position
					      && x->pruned == y->pruned;
}

static void group_fronts(struct tree_usage *work)
{
	const struct tv_fronts *fronts = work->fronts;
	uint32_t *order = tv_alloc(fronts->n, sizeof *order);

	work->group_of = tv_alloc(fronts->n, sizeof *work->group_of);
	work->group = tv_alloc(fronts->n, sizeof *work->group);
	for (uint32_t f = 0; f < fronts->n; f++)
		order[f] = f;
	qsort_r(order, fronts->n, sizeof *order, by_group, work);
	for (uint32_t i = 0; i < fronts->n; i++) {
		if (i == 0
		    || !together(work, &fronts->front[order[i - 1]], &fronts->front[order[i]]))
			work->group[work->ngroups++].front = order[i];
		work->group_of[order[i]] = work->ngroups - 1;
	}
	tv_free(order);
}

/* ---- tasks ---- */

/* The counted tasks of fronts that end no earlier than `begin`. */
static void collect_rows(struct tree_usage *work, int64_t begin)
{
	const struct tv_tasks *tasks = work->tasks;

	work->row = tv_alloc(tasks->ncounted, sizeof *work->row);
	work->active = tv_alloc(tasks->ncounted, sizeof *work->active);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && work->fronts->of_row[row] != TV_NONE
		    && tasks->end[row] >= begin)
			work->row[work->nrows++] = row;
	tv_sort_rows(tasks, work->row, work->nrows);
}

/* Of the work of an execution what it does within that much of its time. */
static double work_within(const struct tree_usage *work, uint32_t row, int64_t within)
{
	int64_t time = tv_row_time(work->tasks, row);
	double gflop;

	if (work->gflop == NULL || tv_missing(work->gflop, row)
	    || tv_front_role(work->fronts, row) != TV_FRONT_COMPUTE)
		return 0;
	gflop = work->gflop->d[row] * tv_row_share(work->tasks, row) / tv_team_of(work->tasks, row);
	return within == time ? gflop : gflop * ((double)within / (double)time);
}

static void add_row(struct tree_usage *work, uint32_t row, int64_t begin, int64_t end)
{
	struct group *group = &work->group[work->group_of[work->fronts->of_row[row]]];
	int64_t from = work->tasks->start[row], to = work->tasks->end[row];

	/* One that takes no time belongs to the slice that begins at or before it. */
	if (to <= begin && (to > from || from < begin))
		return;
	from = from > begin ? from : begin;
	to = to < end ? to : end;
	if (from > to)
		return;
	group->time[tv_front_role(work->fronts, row)] += to - from;
	group->gflop += work_within(work, row, to - from);
	group->touched = true;
}

/* The slice's tasks; with `last` also those that take no time where it ends. */
static void add_slice(struct tree_usage *work, int64_t begin, int64_t end, bool last)
{
	const struct tv_tasks *tasks = work->tasks;
	uint32_t kept = 0;

	while (work->next < work->nrows
	       && (tasks->start[work->row[work->next]] < end
		   || (last && tasks->end[work->row[work->next]] == end)))
		work->active[work->nactive++] = work->row[work->next++];
	for (uint32_t i = 0; i < work->nactive; i++) {
		uint32_t row = work->active[i];

		add_row(work, row, begin, end);
		if (tasks->end[row] > end)
			work->active[kept++] = row;
	}
	work->nactive = kept;
}

/* ---- the result ---- */

static void write_front(const struct tree_usage *work, uint32_t row, const struct tv_front *front)
{
	struct tv_column *const *to = work->out->col;

	if (work->by == BY_FRONT)
		tv_set_int(to[ANODE], row, front->number);
	if (work->by != BY_POSITION)
		tv_set_int(to[DEPTH], row, front->depth);
	if (work->by == BY_DEPTH)
		return;
	tv_set_int(to[POSITION], row, front->position);
	tv_set_label(to[TYPE], row, work->type[front->pruned]);
}

static void write_group(const struct tree_usage *work, const struct group *group, int64_t begin,
			int64_t end)
{
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);
	int64_t compute = group->time[TV_FRONT_COMPUTE] + group->time[TV_FRONT_SUBTREE], busy = 0;
	double whole = (double)(end - begin) * work->tasks->nworkers;

	for (int r = 0; r < TV_FRONT_ROLES; r++)
		busy += group->time[r];
	write_front(work, row, &work->fronts->front[group->front]);
	tv_set_int(to[START], row, begin);
	tv_set_int(to[END], row, end);
	tv_set_int(to[WORKERS], row, work->tasks->nworkers);
	tv_set_int(to[BUSY], row, busy);
	tv_set_int(to[COMPUTE], row, compute);
	tv_set_int(to[INITIALIZE], row, group->time[TV_FRONT_INIT]);
	tv_set_int(to[ASSEMBLE], row, group->time[TV_FRONT_ASSEMBLE]);
	tv_set_int(to[CLEAN], row, group->time[TV_FRONT_CLEAN]);
	tv_set_double(to[USAGE], row, whole > 0 ? 100 * (double)compute / whole : 0);
	tv_set_double(to[GFLOP], row, group->gflop);
}

static void write_slices(struct tree_usage *work, const int64_t *bound, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		add_slice(work, bound[i], bound[i + 1], bound[i + 1] == work->tasks->finish);
		for (uint32_t g = 0; g < work->ngroups; g++) {
			struct group *group = &work->group[g];

			if (group->touched)
				write_group(work, group, bound[i], bound[i + 1]);
			*group = (struct group){ .front = group->front };
		}
	}
}

static int compute(struct tree_usage *work, struct tv_run *run, int64_t step_ns,
		   struct tv_error *err)
{
	int64_t *bound;
	size_t n;

	group_fronts(work);
	tv_front_types(work->out->pool, work->type);
	if (tv_run_slices(run, step_ns, work->ngroups, &bound, &n, err) < 0)
		return -1;
	collect_rows(work, bound[0]);
	write_slices(work, bound, n);
	tv_free(bound);
	return 0;
}

struct asked {
	int64_t step_ns; /* 0 = one slice */
	enum by by;
};

static int run_tree_usage(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_fronts fronts = { 0 };
	struct tree_usage work = {
		.fronts = &fronts, .tasks = tv_run_part(run), .by = asked->by, .out = out
	};
	int rc = -1;

	tv_warn_workers(run);
	work.gflop = tv_table_find(&run->trace->table[TV_TASKS], "GFlop");
	if (tv_fronts_init(&fronts, run, err) == 0 && tv_fronts_tree(&fronts, err) == 0)
		rc = compute(&work, run, asked->step_ns, err);
	tv_free(work.group_of);
	tv_free(work.group);
	tv_free(work.row);
	tv_free(work.active);
	tv_fronts_release(&fronts);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ TV_STEP_ROWS_ROW, TV_ASKED(step_ns) },
	{ "by", "front|position|depth", "front",
	  "rows for each front, position (pruned fronts of one row merged), or depth",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
};

const struct tv_pass tv_pass_tree_usage = {
	.name = "tree-usage",
	.summary = "Share of the workers that compute on each front, per slice of time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_FRONTS,
	.ranked = "Busy",
	.sums = true,
	.needs = "resources",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = TV_FRONT_NOTES
	"Without --step there is one slice, the run or window. Slices in which nothing\n"
	"runs have no row. Times are exact integrals of the number of running tasks; over\n"
	"all rows they add up to the busy time of the fronts' tasks.\n"
	"Source: StarVZ's usage by tree node and depth.",
	.example = "traceviz tree-usage --by depth --step 50 data/qr-mumps-like.csv",
	.run = run_tree_usage,
};
