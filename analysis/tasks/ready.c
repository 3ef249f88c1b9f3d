/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.c -- how many tasks could run and do not. */
#include "analysis/core/curves.h"
#include "dag/dag.h"
#include "trace/alloc.h"

/* The spans from release to start; pending tasks, if they are released, never start. */
static void add_waits(struct tv_curves *curves, struct tv_run *run, const struct tv_dag *dag)
{
	int64_t *released = tv_alloc(dag->n, sizeof *released);
	unsigned long early = 0;

	tv_dag_released(dag, released);
	tv_curves_reserve(curves);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];
		bool pending = run->tasks.pending[row];

		if (!dag->task[v] && !pending)
			continue;
		early += !pending && released[v] > dag->start[v];
		tv_curves_count(curves, row, released[v], pending ? INT64_MAX : dag->start[v]);
	}
	tv_free(released);
	if (early != 0)
		tv_run_warn(run,
			    "%lu tasks started before they were released: they are never "
			    "ready",
			    early);
}

/* Adds all of them; the caller releases the curves in any case. */
static int add_all(struct tv_curves *curves, struct tv_run *run,
		   const struct tv_curves_asked *asked, struct tv_table *out, struct tv_error *err)
{
	bool edges = tv_tasks_depend(&run->tasks);
	const struct tv_dag *dag;

	*curves = (struct tv_curves){ 0 };
	if (!edges && run->tasks.submit == NULL)
		return tv_fail(err, "ready: the tasks have neither DependsOn "
				    "nor SubmitTime, so nothing says when they were released");
	if (!edges)
		tv_run_warn(run, "the tasks have no dependencies: ready is submitted and "
				 "not started");
	if (tv_curves_init(curves, run, asked->by, asked->step_ns, true, out, err) < 0
	    || (dag = tv_run_dag(run, err)) == NULL)
		return -1;
	add_waits(curves, run, dag);
	return 0;
}

static int run_ready(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	struct tv_curves curves;
	const struct tv_curves_asked *asked = options->chosen;
	int rc = add_all(&curves, run, asked, out, err);

	if (rc == 0) {
		struct tv_steps *ready = tv_curves_take(&curves);

		tv_curves_write(&curves, "ready", ready);
		if (asked->counter)
			rc = tv_curves_counter(&curves, "*ready*", ready, err);
		tv_curves_free(&curves, ready);
	}
	tv_curves_release(&curves);
	return rc;
}

static int curve_ready(struct tv_run *run, const struct tv_options *options,
		       struct tv_packed *curve, struct tv_error *err)
{
	struct tv_table none = { 0 };
	struct tv_curves curves;
	int rc = add_all(&curves, run, options->chosen, &none, err);

	if (rc == 0)
		tv_curves_pack(&curves, curve);
	tv_curves_release(&curves);
	return rc;
}

const struct tv_pass tv_pass_ready = {
	.name = "ready",
	.summary = "Ready tasks over time: released and not started",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.sums = true,
	.needs = "variables",
	.option = tv_curve_options,
	.noptions = TV_BY_STEP_COUNTER,
	.chosen = sizeof(struct tv_curves_asked),
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes =
		"ready            released and not started. A task is released when all its\n"
		"                 dependencies have ended and it is submitted; it counts from\n"
		"                 the first Start of the run at the earliest. The integral is\n"
		"                 the sum of Start - release. Tasks of Kind pending (an\n"
		"                 interrupted run) count to the end.\n"
		"counter          the trace's variables whose name contains 'ready', summed over\n"
		"                 the schedulers. StarPU's counter falls when the scheduler hands\n"
		"                 a task to a worker (pop), not when it starts.\n"
		"popped, waiting  ready - counter: popped, waiting for data or "
		"worker\n" TV_EXCLUSION_NOTES,
	.example = "traceviz ready --step 10 data/cholesky.csv",
	.pending = true,
	.listed = true,
	.run = run_ready,
	.curve = curve_ready,
};
