/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submitted.c -- how many tasks are submitted and not started, or not ended. */
#include "analysis/core/curves.h"
#include "dag/dag.h"
#include "trace/alloc.h"

/* The End of every job, by node; of one that was suspended when the run was interrupted, never. */
static int64_t *job_ends(const struct tv_run *run, const struct tv_dag *dag)
{
	int64_t *end = tv_alloc(dag->n, sizeof *end);

	tv_dag_job_ends(dag, end);
	for (uint32_t v = 0; v < dag->n; v++)
		if (run->tasks.pending[dag->row[v]])
			end[tv_dag_opening(dag, v)] = INT64_MAX;
	return end;
}

/* From the submission of every task to its start, or to its end; of pending ones to no end. */
static void add_tasks(struct tv_curves *curves, struct tv_run *run, const struct tv_dag *dag,
		      bool to_end)
{
	const struct tv_column *submit = run->tasks.submit;
	int64_t *end = to_end ? job_ends(run, dag) : NULL;
	unsigned long unknown = 0, late = 0;

	tv_curves_reserve(curves);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];
		bool pending = run->tasks.pending[row];
		int64_t from, to = pending ? INT64_MAX : to_end ? end[v] : dag->start[v];

		/* A suspended task started with its first segment. */
		if ((!dag->task[v] && !pending) || tv_dag_opening(dag, v) != v)
			continue;
		if (tv_missing(submit, row)) {
			unknown++;
			continue;
		}
		from = submit->i[row];
		if (!pending && from > dag->start[v]) {
			late++;
			from = dag->start[v];
		}
		tv_curves_count(curves, row, from, to);
	}
	tv_free(end);
	if (unknown > 0)
		tv_run_warn(run, "%lu tasks have no SubmitTime: they are left out", unknown);
	if (late != 0)
		tv_run_warn(run,
			    "%lu tasks started before they were submitted: they count from "
			    "their start",
			    late);
}

struct asked {
	const char *by;
	int64_t step_ns;
	bool counter, not_started;
};

/* Adds the tasks that have not started; the caller releases the curves in any case. */
static const struct tv_dag *add_not_started(struct tv_curves *curves, struct tv_run *run,
					    const struct asked *asked, struct tv_table *out,
					    struct tv_error *err)
{
	const struct tv_dag *dag = NULL;

	*curves = (struct tv_curves){ 0 };
	if (run->tasks.submit == NULL)
		tv_fail(err, "submitted: the tasks have no column SubmitTime");
	else if (tv_curves_init(curves, run, asked->by, asked->step_ns, true, out, err) == 0)
		dag = tv_run_dag(run, err);
	if (dag != NULL)
		add_tasks(curves, run, dag, false);
	return dag;
}

static int run_submitted(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_curves curves;
	const struct tv_dag *dag = add_not_started(&curves, run, asked, out, err);
	int rc = dag != NULL ? 0 : -1;

	if (dag != NULL) {
		struct tv_steps *waiting = tv_curves_take(&curves);

		tv_curves_write(&curves, "not started", waiting);
		if (!asked->not_started) {
			add_tasks(&curves, run, dag, true);
			tv_curves_flush(&curves, "not ended");
		}
		if (asked->counter)
			rc = tv_curves_counter(&curves, "*submitted*", waiting, err);
		tv_curves_free(&curves, waiting);
	}
	tv_curves_release(&curves);
	return rc;
}

static int curve_submitted(struct tv_run *run, const struct tv_options *options,
			   struct tv_packed *curve, struct tv_error *err)
{
	struct tv_table none = { 0 };
	struct tv_curves curves;
	const struct tv_dag *dag = add_not_started(&curves, run, options->chosen, &none, err);

	if (dag != NULL)
		tv_curves_pack(&curves, curve);
	tv_curves_release(&curves);
	return dag != NULL ? 0 : -1;
}

static const struct tv_option_spec options[] = {
	TV_OPTIONS_OF_CURVES(struct asked),
	{ "not-started", NULL, NULL, "omit the curve `not ended`", TV_ASKED(not_started) },
};

const struct tv_pass tv_pass_submitted = {
	.name = "submitted",
	.summary = "Submitted tasks that have not ended, over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.sums = true,
	.needs = "variables",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes = "not started      submitted (SubmitTime) and not started\n"
		 "not ended        submitted and not ended\n"
		 "counter          the trace's variables whose name contains 'submitted',\n"
		 "                 summed over the schedulers. StarPU's counter falls when the\n"
		 "                 scheduler hands a task to a worker (pop).\n"
		 "popped, waiting  not started - counter: popped, waiting for data or worker\n"
		 "A task counts from the first Start of the run at the earliest. Tasks of Kind\n"
		 "pending (an interrupted run) count to the end.",
	.example = "traceviz submitted --step 10 data/cholesky.csv",
	.pending = true,
	.listed = true,
	.run = run_submitted,
	.curve = curve_submitted,
};
