/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_causes.c -- why workers were idle, by worker, type, node or for the run, and over time. */
#include <string.h>

#include "analysis/shared/common.h"
#include "analysis/shared/curves.h"
#include "dag/idle.h"
#include "trace/alloc.h"

enum by { BY_RUN, BY_NODE, BY_TYPE, BY_WORKER };

/* Workers whose idle time is told together. */
struct group {
	uint32_t node, type, resource;	/* labels; TV_NONE = of several */
	uint32_t nworkers;
};

struct work {
	const struct tv_run *run;
	const struct tv_view *view;
	struct group *group;
	uint32_t ngroups;
	uint32_t *group_of;		/* by worker */
	tv_int128 *time;		/* group x cause, of one slice */
	int64_t *bound;			/* nslices + 1, ns */
	size_t nslices;
	uint32_t cause[TV_IDLE_NCAUSES];	/* labels */
	struct tv_table *out;
	struct tv_error *err;
	struct tv_column *begin, *end, *node, *type, *id, *nworkers, *what, *spent, *share, *part;
};

static double percent(tv_int128 part, tv_int128 whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static int write_cause(struct work *work, const struct group *group, int64_t begin, int64_t end,
		       uint32_t cause, tv_int128 time, tv_int128 idle)
{
	tv_int128 whole = (tv_int128)(end - begin) * group->nworkers;
	uint32_t row = tv_table_add_row(work->out, work->err);

	if (row == TV_NONE)
		return -1;
	if (tv_set_int(work->begin, row, begin) < 0
	    || tv_set_int(work->end, row, end) < 0
	    || tv_set_label(work->node, row, group->node) < 0
	    || tv_set_label(work->type, row, group->type) < 0
	    || tv_set_label(work->id, row, group->resource) < 0
	    || tv_set_int(work->nworkers, row, group->nworkers) < 0
	    || tv_set_label(work->what, row, work->cause[cause]) < 0
	    || tv_set_int(work->spent, row, tv_sum_ns(time)) < 0
	    || tv_set_double(work->share, row, percent(time, whole)) < 0
	    || (idle != 0 && tv_set_double(work->part, row, percent(time, idle)) < 0))
		return tv_fail_memory(work->err);
	return 0;
}

static int write_slice(void *to, int64_t begin, int64_t end, const int64_t *time)
{
	struct work *work = to;

	memset(work->time, 0, (size_t)work->ngroups * TV_IDLE_NCAUSES * sizeof *work->time);
	for (uint32_t w = 0; w < work->view->nworkers; w++)
		for (uint32_t c = 0; c < TV_IDLE_NCAUSES && work->group_of[w] != TV_NONE; c++)
			work->time[(size_t)work->group_of[w] * TV_IDLE_NCAUSES + c] +=
				time[(size_t)w * TV_IDLE_NCAUSES + c];
	for (uint32_t g = 0; g < work->ngroups; g++) {
		const tv_int128 *of = work->time + (size_t)g * TV_IDLE_NCAUSES;
		tv_int128 idle = 0;

		if (work->group[g].nworkers == 0)
			continue;
		for (uint32_t c = 0; c < TV_IDLE_NCAUSES; c++)
			idle += of[c];
		for (uint32_t c = 0; c < TV_IDLE_NCAUSES; c++)
			if (write_cause(work, &work->group[g], begin, end, c, of[c], idle) < 0)
				return -1;
	}
	return 0;
}

static void group_workers(struct work *work, enum by by)
{
	const struct tv_view *view = work->view;

	work->ngroups = by == BY_RUN ? 1 : by == BY_NODE ? view->nnodes
		      : by == BY_TYPE ? view->nrtypes : view->nworkers;
	for (uint32_t w = 0; w < view->nworkers; w++) {
		const struct tv_worker *worker = &view->workers[w];
		uint32_t g = by == BY_RUN ? 0 : by == BY_NODE ? worker->node
			   : by == BY_TYPE ? worker->rtype : w;
		struct group *group = &work->group[g];

		work->group_of[w] = tv_run_has(work->run, w) ? g : TV_NONE;
		if (work->group_of[w] == TV_NONE)
			continue;
		group->nworkers++;
		group->node = group->type = group->resource = TV_NONE;
		if (by == BY_NODE || by == BY_WORKER)
			group->node = view->node[worker->node].label;
		if (by == BY_TYPE || by == BY_WORKER)
			group->type = view->rtype[worker->rtype].label;
		if (by == BY_WORKER)
			group->resource = worker->resource;
	}
}

static int prepare(struct work *work, enum by by, struct tv_error *err)
{
	uint32_t n = work->view->nworkers;	/* at least as many as types or nodes */

	work->group = tv_alloc(n, sizeof *work->group);
	work->group_of = tv_alloc(n, sizeof *work->group_of);
	work->time = tv_alloc((size_t)n * TV_IDLE_NCAUSES, sizeof *work->time);
	if (work->group == NULL || work->group_of == NULL || work->time == NULL)
		return tv_fail_memory(err);
	for (uint32_t c = 0; c < TV_IDLE_NCAUSES; c++) {
		work->cause[c] = tv_intern_text(work->out->pool, tv_idle_cause_name(c));
		if (work->cause[c] == TV_NONE)
			return tv_fail_memory(err);
	}
	group_workers(work, by);
	return 0;
}

static int add_columns(struct work *work, struct tv_error *err)
{
	struct tv_table *out = work->out;

	work->begin = tv_table_column(out, "Begin", TV_TIME, err);
	work->end = tv_table_column(out, "End", TV_TIME, err);
	work->node = tv_table_column(out, "Node", TV_LABEL, err);
	work->type = tv_table_column(out, "ResourceType", TV_LABEL, err);
	work->id = tv_table_column(out, "ResourceId", TV_LABEL, err);
	work->nworkers = tv_table_column(out, "Workers", TV_INT, err);
	work->what = tv_table_column(out, "Cause", TV_LABEL, err);
	work->spent = tv_table_column(out, "Time", TV_TIME, err);
	work->share = tv_table_column(out, "Share", TV_DOUBLE, err);
	work->part = tv_table_column(out, "IdleShare", TV_DOUBLE, err);
	if (work->begin == NULL || work->end == NULL || work->node == NULL || work->type == NULL
	    || work->id == NULL || work->nworkers == NULL || work->what == NULL
	    || work->spent == NULL || work->share == NULL || work->part == NULL)
		return -1;
	return 0;
}

static int parse_by(const struct tv_options *options, enum by *by, struct tv_error *err)
{
	static const char *const name[] = { "run", "node", "type", "worker" };
	const char *given = tv_option(options, "by");
	size_t i = 0;

	while (i < TV_COUNT(name) && strcmp(name[i], given) != 0)
		i++;
	if (i == TV_COUNT(name))
		return tv_fail_usage(err, "--by: expected worker, type, node or run, found '%s'",
				     given);
	*by = (enum by)i;
	return 0;
}

static bool has_messages(const struct tv_view *view)
{
	for (uint32_t row = 0; row < view->n; row++)
		if (view->kind[row] == TV_MESSAGE)
			return true;
	return false;
}

static int remark_unknown(struct tv_run *run, const struct tv_waits *waits, struct tv_error *err)
{
	if (!tv_waits_known(waits)
	    && tv_remark(run, err, "the trace has no dependencies (column DependsOn): what idle "
				   "workers waited for stays unexplained") < 0)
		return -1;
	if (tv_waits_known(waits) && run->view.nnodes > 1 && !has_messages(&run->view)
	    && tv_remark(run, err, "several nodes, but no messages among the tasks: waits for "
				   "messages are told as other causes") < 0)
		return -1;
	if (run->view.submit == NULL)
		return tv_remark(run, err, "the trace has no SubmitTime: all tasks count as "
					   "submitted from the start");
	return 0;
}

static int sweep(struct tv_run *run, struct work *work, bool anywhere, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(run, err);
	struct tv_waits waits = { 0 };
	struct tv_fetches fetches = { 0 };
	int rc = -1;

	if (dag != NULL && tv_waits_init(&waits, dag, anywhere, err) == 0
	    && tv_fetches_init(&fetches, &waits, err) == 0
	    && remark_unknown(run, &waits, err) == 0)
		rc = tv_idle_sweep(&waits, &fetches, work->bound, work->nslices, write_slice, work,
				   err);
	tv_fetches_release(&fetches);
	tv_waits_release(&waits);
	return rc;
}

static int run_idle_causes(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	struct work work = { .run = run, .view = &run->view, .out = out, .err = err };
	bool anywhere = false;
	int64_t step_ns;
	enum by by = BY_RUN;
	int rc = -1;

	if (parse_by(options, &by, err) < 0 || tv_option_can_run(options, &anywhere, err) < 0
	    || tv_option_step(options, &step_ns, err) < 0 || add_columns(&work, err) < 0
	    || tv_remark_workers(run, err) < 0)
		return -1;
	if (prepare(&work, by, err) == 0
	    && tv_run_slices(run, step_ns, (uint64_t)work.ngroups * TV_IDLE_NCAUSES, &work.bound,
			     &work.nslices, err) == 0)
		rc = sweep(run, &work, anywhere, err);
	tv_free(work.bound);
	tv_free(work.group);
	tv_free(work.group_of);
	tv_free(work.time);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "WHAT", "run", "rows for each worker, type (of workers), node, or for the run" },
	TV_OPTION_STEP_ROWS,
	TV_OPTION_CAN_RUN,
};

static const struct tv_field columns[] = {
	{ "Begin", TV_TIME, false, "ms", "of the run, the window or the slice" },
	{ "End", TV_TIME, false, "ms", "likewise" },
	{ "Node", TV_LABEL, false, "", "node; missing = of several" },
	{ "ResourceType", TV_LABEL, false, "", "type of the workers; missing = of several" },
	{ "ResourceId", TV_LABEL, false, "", "worker; missing = of several" },
	{ "Workers", TV_INT, false, "", "workers that the row is about" },
	{ "Cause", TV_LABEL, false, "", "why they were idle: see below" },
	{ "Time", TV_TIME, false, "ms", "idle time for this cause, sum over the workers" },
	{ "Share", TV_DOUBLE, false, "%", "of all time of the workers from Begin to End" },
	{ "IdleShare", TV_DOUBLE, false, "%",
	  "of their idle time; missing if they were never idle" },
};

const struct tv_pass tv_pass_idle_causes = {
	.name = "idle-causes",
	.summary = "say why workers were idle",
	.kind = TV_SUMMARISE,
	.sums = true,
	.needs = "states links resources",
	.option = options,
	.noptions = TV_COUNT(options),
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = "At each instant an idle worker has the first cause that applies; a task is\n"
		 "released when all that it depends on has ended, it is submitted and no other\n"
		 "task holds its commuting handles (as in deps):\n"
		 "  data           a released task that it will run waits, its data under way\n"
		 "  runtime        a released task that it will run waits, otherwise\n"
		 "  elsewhere      a released task that its type can run waits for another worker\n"
		 "  mpi            a task that its type can run lacks nothing but a message\n"
		 "  unsuited       released tasks are left, none of a type that ran here\n"
		 "  dependencies   submitted tasks have not started\n"
		 "  not-submitted  tasks are not submitted yet\n"
		 "  drain          every task has started\n"
		 "  unexplained    as dependencies, in a trace that does not tell dependencies\n"
		 "A task covers at most one worker (elsewhere, mpi), and as many workers as\n"
		 "possible are covered: those of the rarest type first, then those idle for\n"
		 "longest. Workers run tasks of their own node only. The times add up exactly to\n"
		 "the workers' idle time: workers x makespan - Busy - Other of idleness. data\n"
		 "needs transfers (links, resources) or states FetchingInput, mpi needs messages\n"
		 "among the tasks.",
	.example = "traceviz idle-causes data/cholesky.csv",
	.run = run_idle_causes,
};
