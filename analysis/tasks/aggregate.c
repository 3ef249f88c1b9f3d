/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.c -- consecutive tasks as groups, or slices of time: what share each type has. */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/curves.h"
#include "analysis/core/spans.h"
#include "analysis/tasks/executions.h"
#include "analysis/tasks/slice_sums.h"
#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/map.h"
#include "trace/near_names.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* An execution. */
struct item {
	int64_t start, end;
	uint32_t row, type; /* type: TV_NONE = not counted */
};

/* A group or slice that is about to be written. */
struct part {
	uint32_t first, last; /* its workers: first .. last - 1 */
	int64_t begin, end;
	bool pure;
	tv_int128 busy, covered; /* unions: of counted tasks, of all executions */
	const uint32_t *type;	 /* labels */
	uint32_t ntypes;
	const struct tv_slice_share *share; /* by type */
};

/* Which tasks Algorithm 1 leaves alone. */
struct rule {
	int64_t threshold_ns;
	bool *grouped;			 /* by type */
	struct tv_expr *exclude;	 /* NULL = none */
	const struct tv_column *outlier; /* NULL = they are like others */
};

struct asked {
	const char *types, *threshold, *exclude;
	bool keep_outliers;
	int64_t step_ns; /* 0: groups instead of slices */
	enum { BY_RESOURCE, BY_TYPE } by;
};

struct aggregation {
	const struct asked *asked;
	const struct tv_tasks *tasks;
	int64_t begin, end; /* of what is shown */
	bool windowed;
	struct tv_grouping types;
	uint32_t *type;		    /* their labels */
	struct tv_groups rows;	    /* executions by worker */
	struct item *item;	    /* those of the current worker, by start */
	struct tv_span *busy, *all; /* unions of its time: counted tasks, all executions */
	uint32_t nbusy, nall;
	struct rule rule;
	int64_t groups;	   /* written or skipped so far */
	struct tv_map met; /* executions with segments that the group has */
	struct tv_table *out;
};

#define COLUMNS(X) \
	X(GROUP, "Group", TV_INT, false, "", "number of the group or slice, from 0") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker; missing for several") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type of its workers") \
	X(NODE, "Node", TV_LABEL, false, "", "node of its workers") \
	X(WORKERS, "Workers", TV_INT, false, "", "number of workers") \
	X(START, "Start", TV_TIME, false, "ms", "its start") \
	X(END, "End", TV_TIME, false, "ms", "its end") \
	X(PURE, "Pure", TV_INT, false, "", "1 = a single task that stays alone") \
	X(PART, "Part", TV_LABEL, false, "", \
	  "task; other (setup, runtime, not covered by tasks); idle (the rest)") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type of Part task") \
	X(TASKS, "Tasks", TV_INT, false, "", "tasks of that type, in whole or in part") \
	X(TIME, "Time", TV_TIME, false, "ms", "time of the part, from Start to End, all workers") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", "100 Time / (Workers (End - Start))")

TV_COLUMNS(columns, COLUMNS)

TV_ORDER(by_start, struct item, start, end, row)

static struct tv_span shown(const struct aggregation *work)
{
	return (struct tv_span){ work->begin, work->end };
}

/* The executions of a worker in order, and their unions. Returns their number. */
static uint32_t take_worker(struct aggregation *work, uint32_t w)
{
	const struct tv_tasks *tasks = work->tasks;
	uint32_t n = 0;

	for (uint32_t i = work->rows.first[w]; i < work->rows.first[w + 1]; i++) {
		uint32_t row = work->rows.row[i];

		work->item[n++] = (struct item){ tasks->start[row], tasks->end[row], row,
						 work->types.of_row[row] };
	}
	if (n > 0)
		qsort(work->item, n, sizeof *work->item, by_start);
	work->nbusy = work->nall = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct tv_span span = { work->item[i].start, work->item[i].end };

		work->all[work->nall++] = span;
		if (work->item[i].type != TV_NONE)
			work->busy[work->nbusy++] = span;
	}
	work->nall = tv_spans_merge(work->all, work->nall, shown(work));
	work->nbusy = tv_spans_merge(work->busy, work->nbusy, shown(work));
	return n;
}

/* One row; ntasks < 0: not of a task type. */
static void write_row(struct aggregation *work, const struct part *p, const char *what,
		      uint32_t type, tv_int128 time, int64_t ntasks)
{
	const struct tv_tasks *tasks = work->tasks;
	const struct tv_worker *worker = &tasks->workers[p->first];
	double whole = (double)(p->end - p->begin) * (double)(p->last - p->first);
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);

	tv_set_int(to[GROUP], row, work->groups);
	tv_set_label(to[RESOURCE], row, p->last - p->first == 1 ? worker->resource : TV_NONE);
	tv_set_label(to[RTYPE], row, tasks->rtype[worker->rtype].label);
	tv_set_label(to[NODE], row, tasks->node[worker->node].label);
	tv_set_int(to[WORKERS], row, p->last - p->first);
	tv_set_int(to[START], row, p->begin);
	tv_set_int(to[END], row, p->end);
	tv_set_int(to[PURE], row, p->pure);
	tv_set_text(to[PART], row, what);
	if (ntasks >= 0) {
		tv_set_label(to[VALUE], row, type);
		tv_set_int(to[TASKS], row, ntasks);
	}
	tv_set_int(to[TIME], row, tv_sum_ns(time));
	if (whole > 0)
		tv_set_double(to[SHARE], row, 100 * (double)time / whole);
}

/* The rows of a group or slice: types in natural order, other tasks, idle time. */
static void write_part(struct aggregation *work, const struct part *p)
{
	tv_int128 whole = (tv_int128)(p->end - p->begin) * (p->last - p->first);

	for (uint32_t t = 0; t < p->ntypes; t++)
		if (p->share[t].ntasks > 0)
			write_row(work, p, "task", p->type[t], p->share[t].time,
				  p->share[t].ntasks);
	if (p->covered > p->busy)
		write_row(work, p, "other", TV_NONE, p->covered - p->busy, -1);
	if (whole > p->covered)
		write_row(work, p, "idle", TV_NONE, whole - p->covered, -1);
}

/* Adds what is shown of a task to its type's share. */
static void add_share(struct aggregation *work, struct tv_slice_share *share,
		      const struct item *item)
{
	int64_t start = item->start > work->begin ? item->start : work->begin;
	int64_t end = item->end < work->end ? item->end : work->end;

	if (start > end || (work->windowed && start == end))
		return;
	share[item->type].time += end - start;
	share[item->type].ntasks += tv_meets_execution(&work->met, work->tasks, 0, item->row);
}

/* Writes the group from `begin` to `end` on worker w, clipped to what is shown. */
static void write_group(struct aggregation *work, uint32_t w, int64_t begin, int64_t end, bool pure,
			const struct tv_slice_share *share)
{
	struct tv_span in = { begin > work->begin ? begin : work->begin,
			      end < work->end ? end : work->end };

	if (in.begin < in.end || (in.begin == in.end && !work->windowed))
		write_part(work, &(struct part){
					 .first = w,
					 .last = w + 1,
					 .begin = in.begin,
					 .end = in.end,
					 .pure = pure,
					 .busy = tv_spans_within(work->busy, work->nbusy, in),
					 .covered = tv_spans_within(work->all, work->nall, in),
					 .type = work->type,
					 .ntypes = work->types.n,
					 .share = share,
				 });
	work->groups++;
}

static bool is_pure(const struct rule *rule, const struct item *item)
{
	return item->end - item->start > rule->threshold_ns || !rule->grouped[item->type]
	    || (rule->exclude != NULL && tv_expr_holds(rule->exclude, item->row))
	    || (rule->outlier != NULL && !tv_missing(rule->outlier, item->row)
		&& rule->outlier->i[item->row] == 1);
}

/* Algorithm 1 on the items of worker w. */
static void group_worker(struct aggregation *work, uint32_t w, uint32_t n,
			 struct tv_slice_share *share)
{
	int64_t begin = 0, end = 0;
	bool open = false, pure = false;

	for (uint32_t i = 0; i <= n; i++) {
		const struct item *item = i < n ? &work->item[i] : NULL;
		bool alone;

		if (item != NULL && item->type == TV_NONE)
			continue;
		alone = item != NULL && is_pure(&work->rule, item);
		if (open
		    && (item == NULL || alone || pure
			|| item->start - end > work->rule.threshold_ns)) {
			write_group(work, w, begin, end, pure, share);
			memset(share, 0, work->types.n * sizeof *share);
			tv_map_release(&work->met);
			open = false;
		}
		if (item == NULL)
			break;
		if (!open) {
			begin = item->start;
			end = item->end;
			pure = alone;
			open = true;
		}
		end = item->end > end ? item->end : end;
		add_share(work, share, item);
	}
}

static void group_tasks(struct aggregation *work)
{
	struct tv_slice_share *share = tv_alloc(work->types.n, sizeof *share);

	work->type = tv_alloc(work->types.n, sizeof *work->type);
	for (uint32_t t = 0; t < work->types.n; t++)
		work->type[t] = tv_grouping_label(&work->types, t);
	for (uint32_t w = 0; w < work->tasks->nworkers; w++)
		group_worker(work, w, take_worker(work, w), share);
	tv_free(share);
}

/* The rows of slices of some workers. */
static void write_slices(struct aggregation *work, const struct tv_slice_sums *sums)
{
	struct tv_slice_share *share = tv_alloc(sums->ntypes, sizeof *share);
	struct part p = { .type = sums->type, .ntypes = sums->ntypes, .share = share };

	for (uint32_t g = 0, w = 0; g < sums->ngroups; g++) {
		p.first = sums->first + w;
		while (sums->first + w < sums->last && sums->group[w] == g)
			w++;
		p.last = sums->first + w;
		for (uint64_t i = 0; i < sums->n; i++) {
			p.begin = tv_slices_begin(&sums->in, i);
			p.end = tv_slices_end(&sums->in, i);
			p.busy = sums->busy[g * sums->n + i];
			p.covered = sums->covered[g * sums->n + i];
			tv_slice_sums_shares(sums, g, i, share);
			write_part(work, &p);
			work->groups++;
		}
	}
	tv_free(share);
}

/* In memory the workers of one group after the other, in parts all at once. */
static int slice_time(struct aggregation *work, struct tv_run *run, struct tv_error *err)
{
	const struct tv_slices in = { work->begin, work->end, work->asked->step_ns };
	uint32_t nworkers = work->tasks->nworkers;
	bool parts = run->parts != NULL;
	int rc = tv_step_check(in.begin, in.end, in.step_ns, nworkers, err);

	if (rc == 0 && !parts)
		tv_tasks_by_start(work->tasks, work->tasks->executed, &work->rows);
	for (uint32_t w = 0; rc == 0 && w < nworkers;) {
		struct tv_slice_sums sums;

		tv_slice_sums_init(&sums, work->tasks, in, w, work->asked->by == BY_TYPE, parts);
		w = sums.last;
		rc = tv_slice_sums_add(&sums, run, parts ? NULL : &work->rows, err);
		if (rc == 0)
			rc = tv_step_check(in.begin, in.end, in.step_ns,
					   (uint64_t)nworkers + sums.ntypes, err);
		if (rc == 0)
			write_slices(work, &sums);
		tv_slice_sums_release(&sums);
	}
	return rc;
}

/* The longest task that may join others and is no outlier: longer ones and gaps separate groups. */
static int64_t default_threshold(const struct aggregation *work, const struct tv_tasks *tasks,
				 const struct tv_column *outlier)
{
	int64_t longest = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && work->rule.grouped[work->types.of_row[row]]
		    && !(outlier->i[row] == 1 && !tv_missing(outlier, row))
		    && tv_row_time(tasks, row) > longest)
			longest = tv_row_time(tasks, row);
	return longest;
}

static int fail_types(const struct aggregation *work, const char *list, struct tv_error *err)
{
	struct tv_near near;

	return tv_fail_usage(err, "--types: no task type matches '%s'%s; 'summary' lists the types",
			     list, tv_grouping_near(&near, list, &work->types));
}

static int choose_types(struct aggregation *work, const char *list, struct tv_error *err)
{
	bool any = false;

	work->rule.grouped = tv_alloc(work->types.n, sizeof *work->rule.grouped);
	for (uint32_t t = 0; t < work->types.n; t++) {
		const char *name = tv_pool_text(work->tasks->pool,
						tv_grouping_label(&work->types, t));

		work->rule.grouped[t] = list == NULL || tv_glob_list(list, name);
		any = any || work->rule.grouped[t];
	}
	return any ? 0 : fail_types(work, list, err);
}

static int read_rule(struct aggregation *work, struct tv_run *run, struct tv_error *err)
{
	const struct asked *asked = work->asked;
	const struct tv_table *outliers = NULL;
	struct rule *rule = &work->rule;

	rule->threshold_ns = tv_value_time(asked->threshold, rule->threshold_ns);
	if (choose_types(work, asked->types, err) < 0)
		return -1;
	if (asked->exclude != NULL) {
		rule->exclude = tv_expr_new(asked->exclude, &run->trace->table[TV_TASKS], err);
		if (rule->exclude == NULL)
			return -1;
	}
	if (asked->keep_outliers || asked->threshold == NULL) {
		outliers = tv_run_pass(run, "outliers", NULL, err);
		if (outliers == NULL)
			return -1;
		if (asked->keep_outliers)
			rule->outlier = tv_table_find(outliers, "Outlier");
		if (asked->threshold == NULL)
			rule->threshold_ns = default_threshold(work, &run->tasks,
							       tv_table_find(outliers, "Outlier"));
	}
	return 0;
}

/* Options that only one of the two ways has. */
static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const char *grouping = asked->types != NULL	? "types"
			     : asked->threshold != NULL ? "threshold"
			     : asked->exclude != NULL	? "exclude"
			     : asked->keep_outliers	? "keep-outliers"
							: NULL;

	if (asked->by == BY_TYPE && asked->step_ns == 0)
		return tv_fail_usage(err, "--by ResourceType needs slices of time: give --step");
	if (asked->step_ns > 0 && grouping != NULL)
		return tv_fail_usage(err,
				     "--%s is for groups of tasks, --step for slices of time: give "
				     "one of them",
				     grouping);
	return 0;
}

/* Groups of tasks. */
static int group_run(struct aggregation *work, struct tv_run *run, struct tv_error *err)
{
	uint32_t max; /* executions of a worker */
	int rc;

	tv_grouping_by_type(&work->types, &run->tasks);
	tv_tasks_by_worker(work->tasks, work->tasks->executed, &work->rows);
	max = tv_groups_max(&work->rows);
	work->item = tv_alloc(max, sizeof *work->item);
	work->busy = tv_alloc(max, sizeof *work->busy);
	work->all = tv_alloc(max, sizeof *work->all);
	rc = read_rule(work, run, err);
	if (rc == 0)
		group_tasks(work);
	return rc;
}

static bool is_in_parts(const struct tv_options *options)
{
	return tv_option_given(options, "step");
}

static int run_aggregate(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	struct aggregation work = { .asked = options->chosen,
				    .tasks = tv_run_part(run),
				    .out = out,
				    .windowed = run->window.set };
	int rc;

	if (tv_run_interval(run, &work.begin, &work.end, err) < 0)
		return -1;
	if (work.asked->step_ns > 0)
		rc = slice_time(&work, run, err);
	else
		rc = group_run(&work, run, err);
	tv_grouping_release(&work.types);
	tv_groups_release(&work.rows);
	tv_free(work.type);
	tv_free(work.busy);
	tv_free(work.all);
	tv_expr_free(work.rule.exclude);
	tv_free(work.rule.grouped);
	tv_free(work.item);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "types", "TYPE,...", NULL, "task types to group (* and ? match; default all)",
	  TV_ASKED(types) },
	{ "threshold", "TIME", NULL,
	  "longer tasks stay alone, longer gaps end a group (default: the longest task that is no "
	  "outlier)",
	  TV_OPTION_TIME, TV_ASKED(threshold) },
	{ "exclude", "EXPR", NULL, "tasks that stay alone, e.g. 'JobId in (12, 13)'",
	  TV_OPTION_EXPRESSION, TV_ASKED(exclude) },
	{ "keep-outliers", NULL, NULL, "outliers stay alone (see traceviz outliers)",
	  TV_ASKED(keep_outliers) },
	{ "step", "TIME", NULL, "slices of this length instead of groups", TV_OPTION_TIME, 1, 0,
	  TV_ASKED(step_ns) },
	{ "by", "ResourceId|ResourceType", "ResourceId",
	  "with --step: slices of each ResourceId, or of each ResourceType of a node",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
};

const struct tv_pass tv_pass_aggregate = {
	.name = "aggregate",
	.summary = "Merge consecutive tasks of each worker, or cut time into slices",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.columns = "Outlier Threshold MetricThreshold",
	.in_parts = is_in_parts,
	.unordered = true,
	.beside = 40,
	.ranked = "Time",
	.sums = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "One row per group and part. On each worker a task joins the group of the\n"
		 "previous task unless one of the two stays alone, or it starts more than the\n"
		 "threshold after the group's end. A task stays alone if it takes longer than the\n"
		 "threshold, has no type to group, is excluded, or is an outlier to keep.\n"
		 "The default threshold is the longest task to group that is no outlier.\n"
		 "The Times of Part task add up to the time of all tasks, exactly; where tasks\n"
		 "overlap on a worker, shares add up to more than 100 %. With a window, groups\n"
		 "are built from the whole run and then clipped.\n"
		 "With --step, slices between the multiples of T from the first Start to the last\n"
		 "End, also for idle workers: all Times add up to workers x makespan.\n"
		 "Source: Garcia Pinto, thesis, 2018, 5.1.4, Algorithm 1.",
	.example = "traceviz aggregate --types GEMM --keep-outliers data/cholesky.csv",
	.check = check_options,
	.run = run_aggregate,
};
