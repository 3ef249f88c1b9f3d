/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counter.c -- the variables of a trace, over time. */
#include "analysis/common.h"
#include "analysis/curves.h"
#include "analysis/readings.h"
#include "trace/alloc.h"

/* How many readings from the first on are of the same variable of the same resource. */
static size_t same_variable(const struct tv_reading *reading, size_t n)
{
	size_t i = 1;

	while (i < n && reading[i].type == reading[0].type
	       && reading[i].resource == reading[0].resource)
		i++;
	return i;
}

/* The readings as a step function, 0 where there is none. */
static int to_steps(const struct tv_reading *reading, size_t n, struct tv_steps *steps,
		    int64_t begin, int64_t end, struct tv_error *err)
{
	int64_t done = begin;

	if (tv_steps_init(steps, 2 * n + 1, end, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		int64_t from = reading[i].start > begin ? reading[i].start : begin;

		if (reading[i].end <= from || reading[i].start >= end)
			continue;
		if (from > done)
			tv_steps_to(steps, done, 0);
		tv_steps_to(steps, from, reading[i].value);
		done = reading[i].end;
	}
	tv_steps_to(steps, done, 0);
	return 0;
}

/* One variable of one resource, from its first reading to its last. */
static int write_variable(struct tv_curves *curves, const struct tv_reading *reading, size_t n,
			  struct tv_error *err)
{
	const struct tv_window *window = &curves->run->window;
	int64_t begin = reading[0].start, end = reading[n - 1].end;
	struct tv_steps steps;
	int rc;

	begin = begin > window->begin ? begin : window->begin;
	end = end < window->end ? end : window->end;
	if (begin >= end)
		return 0;
	if (tv_step_check(begin, end, curves->step_ns, 1, err) < 0
	    || to_steps(reading, n, &steps, begin, end, err) < 0)
		return -1;
	rc = tv_curves_write_one(curves, tv_pool_text(curves->out->pool, reading[0].type),
				 reading[0].resource, &steps, err);
	tv_steps_release(&steps);
	return rc;
}

static int run_counter(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const char *name = tv_option(options, "name");
	struct tv_curves curves = { 0 };
	struct tv_reading *reading;
	size_t n;
	int rc;

	if (tv_readings(&run->view, name == NULL ? "" : name, &reading, &n, err) < 0)
		return -1;
	rc = tv_curves_init_bare(&curves, run, options, out, err);
	for (size_t i = 0, same; i < n && rc == 0; i += same) {
		same = same_variable(reading + i, n - i);
		rc = write_variable(&curves, reading + i, same, err);
	}
	tv_curves_release(&curves);
	tv_free(reading);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME", NULL, "the variables, as their Type says; * and ? match" },
	{ "step", "T", NULL, "means over slices of T (ms, or with a unit) between multiples of T" },
};

const struct tv_pass tv_pass_counter = {
	.name = "counter",
	.summary = "give a variable of the trace over time",
	.kind = TV_SUMMARISE,
	.needs = "variables",
	.option = options,
	.noptions = TV_COUNT(options),
	.positional = "name",
	.column = tv_curve_columns,
	.ncolumns = TV_CURVE_COLUMNS,
	.notes = "One curve per variable (its Type) and resource, from its first value to its\n"
		 "last, also before the first task. A value that begins before the one before\n"
		 "ends replaces it; where there is none it is 0. An unknown NAME is answered by\n"
		 "those that the trace has.",
	.example = "traceviz counter 'Number of Ready*' --step 10 data/cholesky-paje",
	.taskless = true,
	.run = run_counter,
};
