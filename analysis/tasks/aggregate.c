/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.c -- consecutive tasks as groups, or slices of time: what share each type has. */
#include "analysis/core/curves.h"
#include "analysis/tasks/task_groups.h"
#include "trace/alloc.h"
#include "trace/number.h"

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

struct asked {
	const char *types, *threshold, *exclude;
	bool keep_outliers;
	int64_t step_ns; /* 0: groups instead of slices */
	enum { BY_RESOURCE, BY_TYPE } by;
};

struct aggregation {
	const struct asked *asked;
	const struct tv_tasks *tasks;
	int64_t groups; /* or slices, written or skipped so far */
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

/* The rows of the groups of all workers. */
static void write_groups(struct aggregation *work, const struct tv_task_groups *groups)
{
	struct tv_slice_share *share = NULL;
	uint32_t *type = NULL;
	size_t shares_cap = 0, types_cap = 0;

	for (uint32_t w = 0; w < groups->nworkers; w++) {
		const struct tv_worker_groups *own = &groups->of[w];
		int64_t before = work->groups;

		for (size_t i = 0; i < own->n; i++) {
			const struct tv_task_group *group = &own->group[i];

			TV_GROW(share, 0, shares_cap, group->nshares);
			TV_GROW(type, 0, types_cap, group->nshares);
			for (uint32_t k = 0; k < group->nshares; k++) {
				type[k] = groups->share[group->first + k].type;
				share[k] = groups->share[group->first + k].of;
			}
			work->groups = before + (int64_t)group->number;
			write_part(work, &(struct part){
						 .first = w,
						 .last = w + 1,
						 .begin = group->begin,
						 .end = group->end,
						 .pure = group->pure,
						 .busy = group->busy,
						 .covered = group->covered,
						 .type = type,
						 .ntypes = group->nshares,
						 .share = share,
					 });
		}
		work->groups = before + (int64_t)own->all;
	}
	tv_free(share);
	tv_free(type);
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
	struct tv_slices in = { .step_ns = work->asked->step_ns };
	uint32_t nworkers = work->tasks->nworkers;
	bool parts = run->parts != NULL;
	struct tv_groups rows = { 0 };
	int rc = tv_run_interval(run, &in.begin, &in.end, err);

	if (rc == 0)
		rc = tv_step_check(in.begin, in.end, in.step_ns, nworkers, err);
	if (rc == 0 && !parts)
		tv_tasks_by_start(work->tasks, work->tasks->executed, &rows);
	for (uint32_t w = 0; rc == 0 && w < nworkers;) {
		struct tv_slice_sums sums;

		tv_slice_sums_init(&sums, work->tasks, in, w, work->asked->by == BY_TYPE, parts);
		w = sums.last;
		rc = tv_slice_sums_add(&sums, run, parts ? NULL : &rows, err);
		if (rc == 0)
			rc = tv_step_check(in.begin, in.end, in.step_ns,
					   (uint64_t)nworkers + sums.ntypes, err);
		if (rc == 0)
			write_slices(work, &sums);
		tv_slice_sums_release(&sums);
	}
	tv_groups_release(&rows);
	return rc;
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

static int group_time(struct aggregation *work, struct tv_run *run, struct tv_error *err)
{
	const struct asked *asked = work->asked;
	struct tv_task_groups_rule rule = { tv_value_time(asked->threshold, 0), asked->types,
					    asked->exclude, asked->keep_outliers };
	struct tv_task_groups groups;
	int rc = tv_task_groups_init(&groups, run, &rule, err);

	/* Longer tasks and gaps separate groups. */
	if (rc == 0 && asked->threshold == NULL)
		rc = tv_task_groups_longest(&groups, run, &rule.threshold_ns, err);
	if (rc == 0)
		rc = tv_task_groups_add(&groups, run, err);
	if (rc == 0)
		write_groups(work, &groups);
	tv_task_groups_release(&groups);
	return rc;
}

/* Groups of one part may go on in the next one. */
static bool is_alone(const struct tv_options *options)
{
	return !tv_option_given(options, "step");
}

static int run_aggregate(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	struct aggregation work = { options->chosen, tv_run_part(run), 0, out };

	return work.asked->step_ns > 0 ? slice_time(&work, run, err) : group_time(&work, run, err);
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
	.in_parts = tv_pass_always,
	.alone = is_alone,
	.unordered = true,
	.beside = 100,
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
