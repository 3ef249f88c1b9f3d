/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submitted.c -- how many tasks are submitted and not started, or not ended. */
#include "analysis/core/curve_rows.h"
#include "analysis/core/team.h"
#include "dag/dag.h"
#include "trace/alloc.h"

/* The End of every job, by node; of one that was suspended when the run was interrupted, never. */
static int64_t *job_ends(const struct tv_dag *dag)
{
	int64_t *end = tv_alloc(dag->n, sizeof *end);

	tv_dag_job_ends(dag, end);
	for (uint32_t v = 0; v < dag->n; v++)
		if (dag->tasks->pending[dag->row[v]])
			end[tv_dag_opening(dag, v)] = INT64_MAX;
	return end;
}

/* Where the spans go: one of them. */
struct submitted {
	struct tv_curves *curves;
	struct tv_curve_rows *rows; /* where rows come part by part: not started, not ended */
	bool to_end;		    /* of `rows`: both */
	uint64_t unknown, late;	    /* tasks without SubmitTime, and submitted after their start */
};

static void count_task(struct submitted *s, uint32_t row, int64_t from, int64_t start, int64_t end)
{
	if (s->rows != NULL) {
		tv_curve_rows_count(s->rows, row, 0, from, start);
		if (s->to_end)
			tv_curve_rows_count(s->rows, row, 1, from, end);
	} else {
		tv_curves_count(s->curves, row, from, s->to_end ? end : start);
	}
}

/* From the submission of every task to its start, or to its end; of pending ones to no end. */
static void add_tasks(struct submitted *s, const struct tv_dag *dag)
{
	const struct tv_tasks *tasks = dag->tasks;
	int64_t *end = s->to_end ? job_ends(dag) : NULL;

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];
		bool pending = tasks->pending[row];
		int64_t from, start = pending ? INT64_MAX : dag->start[v];

		/* A suspended task started with its first segment. */
		if ((!dag->task[v] && !pending) || tv_dag_opening(dag, v) != v)
			continue;
		if (tv_missing(tasks->submit, row)) {
			s->unknown++;
			continue;
		}
		from = tasks->submit->i[row];
		if (from > start) {
			s->late++;
			from = start;
		}
		count_task(s, row, from, start, pending || end == NULL ? INT64_MAX : end[v]);
	}
	tv_free(end);
}

static void warn(struct tv_run *run, const struct submitted *s)
{
	if (s->unknown > 0)
		tv_run_warn(run, "%llu tasks have no SubmitTime: they are left out",
			    (unsigned long long)s->unknown);
	if (s->late != 0)
		tv_run_warn(run,
			    "%llu tasks started before they were submitted: they count from "
			    "their start",
			    (unsigned long long)s->late);
}

/* Adds those of the whole. */
static void add_whole(struct tv_curves *curves, struct tv_run *run, const struct tv_dag *dag,
		      bool to_end)
{
	struct submitted s = { .curves = curves, .to_end = to_end };

	tv_curves_reserve(curves);
	add_tasks(&s, dag);
	warn(run, &s);
}

static int add_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct submitted *s = state;
	const struct tv_dag *dag = tv_run_dag(part, err);

	if (dag == NULL || tv_curve_rows_begin(s->rows, part, err) < 0)
		return -1;
	add_tasks(s, dag);
	tv_curve_rows_put_away(s->rows);
	return 0;
}

struct asked {
	const char *by;
	int64_t step_ns;
	bool counter, not_started;
};

static int check_known(const struct tv_run *run, struct tv_error *err)
{
	if (run->tasks.submit == NULL)
		return tv_fail(err, "submitted: the tasks have no column SubmitTime");
	return 0;
}

/* Rows that come part by part, written, or those that have not started as *curve. */
static int run_parts(struct tv_run *run, const struct asked *asked, struct tv_packed *curve,
		     struct tv_table *out, struct tv_error *err)
{
	struct tv_curve_rows rows = { 0 };
	struct submitted s = { .rows = &rows, .to_end = !asked->not_started && curve == NULL };
	int rc = check_known(run, err);

	if (rc == 0)
		rc = tv_curve_rows_init(&rows, run, asked->by, asked->step_ns, s.to_end ? 2 : 1,
					NULL, out, err);
	rows.pending = true;
	rows.packed = curve;
	if (rc == 0)
		rc = tv_run_rows(run, add_part, &s, err);
	if (rc == 0)
		rc = tv_curve_rows_end(&rows, err);
	if (rc == 0) {
		tv_team_add(run->team, &s.unknown, 1);
		tv_team_add(run->team, &s.late, 1);
		warn(run, &s);
		tv_curve_rows_write(&rows, 0, "not started");
		if (s.to_end)
			tv_curve_rows_write(&rows, 1, "not ended");
	}
	tv_curve_rows_release(&rows);
	return rc;
}

/* Adds the tasks that have not started; the caller releases the curves in any case. */
static const struct tv_dag *add_not_started(struct tv_curves *curves, struct tv_run *run,
					    const struct asked *asked, struct tv_table *out,
					    struct tv_error *err)
{
	const struct tv_dag *dag = NULL;

	*curves = (struct tv_curves){ 0 };
	if (check_known(run, err) == 0
	    && tv_curves_init(curves, run, asked->by, asked->step_ns, true, out, err) == 0)
		dag = tv_run_dag(run, err);
	if (dag != NULL)
		add_whole(curves, run, dag, false);
	return dag;
}

static int run_submitted(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_curves curves;
	const struct tv_dag *dag;
	int rc;

	if (run->parts != NULL)
		return run_parts(run, asked, NULL, out, err);
	dag = add_not_started(&curves, run, asked, out, err);
	rc = dag != NULL ? 0 : -1;
	if (dag != NULL) {
		struct tv_steps *waiting = tv_curves_take(&curves);

		tv_curves_write(&curves, "not started", waiting);
		if (!asked->not_started) {
			add_whole(&curves, run, dag, true);
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
	const struct tv_dag *dag;

	if (run->parts != NULL)
		return run_parts(run, options->chosen, curve, &none, err);
	dag = add_not_started(&curves, run, options->chosen, &none, err);
	if (dag != NULL)
		tv_curves_pack(&curves, curve);
	tv_curves_release(&curves);
	return dag != NULL ? 0 : -1;
}

static const struct tv_option_spec options[] = {
	TV_OPTIONS_OF_CURVES(struct asked),
	{ "not-started", NULL, NULL, "omit the curve `not ended`", TV_ASKED(not_started) },
};

/* A counter is read from another table. */
static bool is_in_parts(const struct tv_options *given)
{
	return !tv_option_given(given, "counter");
}

const struct tv_pass tv_pass_submitted = {
	.name = "submitted",
	.summary = "Submitted tasks that have not ended, over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.sums = true,
	.needs = "variables",
	.columns = "SubmitTime",
	.in_parts = is_in_parts,
	.later = "JobId",
	.within = true,
	.unordered = true,
	.beside = 100,
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
	.curve_name = "not started",
};
