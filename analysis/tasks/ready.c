/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.c -- how many tasks could run and do not. */
#include "analysis/core/ready_rows.h"
#include "trace/alloc.h"

static void count_span(void *to, uint32_t row, int64_t release, int64_t start)
{
	tv_curves_count(to, row, release, start);
}

/* Adds all of them; the caller releases the curves in any case. */
static int add_all(struct tv_curves *curves, struct tv_run *run,
		   const struct tv_curves_asked *asked, struct tv_table *out, struct tv_error *err)
{
	const struct tv_dag *dag;

	*curves = (struct tv_curves){ 0 };
	if (tv_check_releases(run, err) < 0
	    || tv_curves_init(curves, run, asked->by, asked->step_ns, true, out, err) < 0
	    || (dag = tv_run_dag(run, err)) == NULL)
		return -1;
	tv_curves_reserve(curves);
	tv_warn_early(run, tv_each_ready(dag, count_span, curves));
	return 0;
}

static int add_part(void *state, struct tv_run *part, struct tv_error *err)
{
	return tv_ready_rows_add(state, part, err);
}

/* The curve of rows that are read for another pass. */
struct expected {
	struct tv_ready_rows ready;
	struct tv_packed curve;
	struct tv_table none;
};

static const char expecting; /* a key */

static void release_expected(void *state)
{
	struct expected *expected = state;

	tv_ready_rows_release(&expected->ready);
	tv_packed_release(&expected->curve);
	tv_free(expected);
}

/* What nobody knows of releases is for the pass itself to say. */
static void expect_ready(struct tv_run *run)
{
	struct expected *expected = tv_alloc(1, sizeof *expected);
	struct tv_error none = { 0 };

	if (!tv_run_depends(run)
	    || tv_ready_rows_init(&expected->ready, run, NULL, 0, &expected->none, &none) < 0) {
		release_expected(expected);
		return;
	}
	expected->ready.rows.packed = &expected->curve;
	tv_run_ride(run, &expecting, add_part, expected, release_expected);
}

/* Whether *curve is that of rows that were read. */
static bool take_expected(struct tv_run *run, struct tv_packed *curve, int *rc,
			  struct tv_error *err)
{
	struct expected *expected = tv_run_ridden(run, &expecting);

	if (expected == NULL)
		return false;
	*rc = tv_ready_rows_end(&expected->ready, err);
	*curve = expected->curve;
	expected->curve = (struct tv_packed){ 0 };
	release_expected(expected);
	return true;
}

/* The same of rows that come part by part, written, or as *curve. */
static int run_parts(struct tv_run *run, const struct tv_curves_asked *asked,
		     struct tv_packed *curve, struct tv_table *out, struct tv_error *err)
{
	struct tv_ready_rows ready;
	int rc;

	if (curve != NULL && asked->by == NULL && asked->step_ns == 0
	    && take_expected(run, curve, &rc, err))
		return rc;
	rc = tv_ready_rows_init(&ready, run, asked->by, asked->step_ns, out, err);
	ready.rows.packed = curve;
	if (rc == 0)
		rc = tv_run_rows(run, add_part, &ready, err);
	if (rc == 0)
		rc = tv_ready_rows_end(&ready, err);
	tv_ready_rows_release(&ready);
	return rc;
}

static int run_ready(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	struct tv_curves curves;
	const struct tv_curves_asked *asked = options->chosen;
	int rc;

	if (run->parts != NULL)
		return run_parts(run, asked, NULL, out, err);
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
	int rc;

	if (run->parts != NULL)
		return run_parts(run, options->chosen, curve, &none, err);
	rc = add_all(&curves, run, options->chosen, &none, err);
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
	.expect = expect_ready,
	.curve = curve_ready,
	.curve_name = "ready",
};
