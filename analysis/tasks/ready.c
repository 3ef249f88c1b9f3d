/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.c -- how many tasks could run and do not. */
#include "analysis/core/curve_rows.h"
#include "analysis/core/team.h"
#include "dag/dag.h"
#include "trace/alloc.h"

/* Where the spans go: one of them. */
struct ready {
	struct tv_curves *curves;
	struct tv_curve_rows *rows; /* where rows come part by part */
	uint64_t early;		    /* tasks that started before they were released */
};

/* The spans from release to start; pending tasks, if they are released, never start. */
static void add_waits(struct ready *ready, const struct tv_dag *dag)
{
	bool at_once = dag->are_rows && dag->noutside == 0;
	int64_t *released = at_once ? NULL
				    : tv_alloc((size_t)dag->n + dag->noutside, sizeof *released);

	if (released != NULL)
		tv_dag_released(dag, released);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];
		bool pending = dag->tasks->pending[row];
		int64_t start = pending ? INT64_MAX : dag->start[v], release;

		if (!dag->task[v] && !pending)
			continue;
		release = tv_dag_released_at(dag, released, v);
		ready->early += !pending && release > start;
		if (ready->rows != NULL)
			tv_curve_rows_count(ready->rows, row, 0, release, start);
		else
			tv_curves_count(ready->curves, row, release, start);
	}
	tv_free(released);
}

static int add_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct ready *ready = state;
	const struct tv_dag *dag = tv_run_dag(part, err);

	if (dag == NULL || tv_curve_rows_begin(ready->rows, part, err) < 0)
		return -1;
	add_waits(ready, dag);
	tv_curve_rows_put_away(ready->rows);
	return 0;
}

static void warn_early(struct tv_run *run, const struct ready *ready)
{
	if (ready->early != 0)
		tv_run_warn(run,
			    "%llu tasks started before they were released: they are never "
			    "ready",
			    (unsigned long long)ready->early);
}

static int check_known(struct tv_run *run, struct tv_error *err)
{
	bool edges = tv_run_depends(run);

	if (!edges && run->tasks.submit == NULL)
		return tv_fail(err, "ready: the tasks have neither DependsOn "
				    "nor SubmitTime, so nothing says when they were released");
	if (!edges)
		tv_run_warn(run, "the tasks have no dependencies: ready is submitted and "
				 "not started");
	return 0;
}

/* Adds all of them; the caller releases the curves in any case. */
static int add_all(struct tv_curves *curves, struct tv_run *run,
		   const struct tv_curves_asked *asked, struct tv_table *out, struct tv_error *err)
{
	struct ready ready = { .curves = curves };
	const struct tv_dag *dag;

	*curves = (struct tv_curves){ 0 };
	if (check_known(run, err) < 0
	    || tv_curves_init(curves, run, asked->by, asked->step_ns, true, out, err) < 0
	    || (dag = tv_run_dag(run, err)) == NULL)
		return -1;
	tv_curves_reserve(curves);
	add_waits(&ready, dag);
	warn_early(run, &ready);
	return 0;
}

/* The same of rows that come part by part, written. */
static int run_parts(struct tv_run *run, const struct tv_curves_asked *asked, struct tv_table *out,
		     struct tv_error *err)
{
	struct tv_curve_rows rows = { 0 };
	struct ready ready = { .rows = &rows };
	int rc = check_known(run, err);

	if (rc == 0)
		rc = tv_curve_rows_init(&rows, run, asked->by, asked->step_ns, 1, NULL, out, err);
	rows.pending = true;
	if (rc == 0)
		rc = tv_run_rows(run, add_part, &ready, err);
	if (rc == 0)
		rc = tv_curve_rows_end(&rows, err);
	if (rc == 0) {
		tv_team_add(run->team, &ready.early, 1);
		warn_early(run, &ready);
		tv_curve_rows_write(&rows, 0, "ready");
	}
	tv_curve_rows_release(&rows);
	return rc;
}

static int run_ready(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	struct tv_curves curves;
	const struct tv_curves_asked *asked = options->chosen;
	int rc;

	if (run->parts != NULL)
		return run_parts(run, asked, out, err);
	rc = add_all(&curves, run, asked, out, err);
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

/* A counter is read from another table. */
static bool is_in_parts(const struct tv_options *options)
{
	return !tv_option_given(options, "counter");
}

const struct tv_pass tv_pass_ready = {
	.name = "ready",
	.summary = "Ready tasks over time: released and not started",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.sums = true,
	.needs = "variables",
	.columns = "SubmitTime",
	.in_parts = is_in_parts,
	.linked = true,
	.beside = 100,
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
	.curve_name = "ready",
};
