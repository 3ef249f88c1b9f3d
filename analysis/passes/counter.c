/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counter.c -- the variables of a trace, over time. */
#include "analysis/shared/common.h"
#include "analysis/shared/curves.h"
#include "analysis/shared/readings.h"
#include "trace/alloc.h"

/* The readings of one variable, or of one variable of one resource. */
struct part {
	const struct tv_reading *reading;
	size_t n;
	int64_t begin, end;	/* from its first value to its last, within the window */
};

/* The readings from the first on that belong together: of its variable, and unless sum, of its
 * resource. */
static struct part part_at(const struct tv_reading *reading, size_t n, bool sum,
			   const struct tv_window *window)
{
	struct part part = { reading, 0, reading[0].start, reading[0].end };

	for (; part.n < n && reading[part.n].type == reading[0].type
	       && (sum || reading[part.n].resource == reading[0].resource); part.n++) {
		const struct tv_reading *at = &reading[part.n];

		part.begin = at->start < part.begin ? at->start : part.begin;
		part.end = at->end > part.end ? at->end : part.end;
	}
	part.begin = part.begin > window->begin ? part.begin : window->begin;
	part.end = part.end < window->end ? part.end : window->end;
	return part;
}

/* One variable of one resource as a step function over [begin, end), 0 where there is none. */
static int to_steps(const struct part *part, struct tv_steps *steps, int64_t begin, int64_t end,
		    struct tv_error *err)
{
	int64_t done = begin;

	if (tv_steps_init(steps, 2 * part->n + 1, end, err) < 0)
		return -1;
	for (size_t i = 0; i < part->n; i++) {
		const struct tv_reading *at = &part->reading[i];
		int64_t from = at->start > begin ? at->start : begin;

		if (at->end <= from || at->start >= end)
			continue;
		if (from > done)
			tv_steps_to(steps, done, 0);
		tv_steps_to(steps, from, at->value);
		done = at->end;
	}
	tv_steps_to(steps, done, 0);
	return 0;
}

/* a + b; both cover the same interval. */
static int add_steps(const struct tv_steps *a, const struct tv_steps *b, struct tv_steps *out,
		     struct tv_error *err)
{
	size_t i = 0, k = 0;

	if (tv_steps_init(out, a->n + b->n, a->end, err) < 0)
		return -1;
	while (i < a->n && k < b->n) {
		int64_t after_a = i + 1 < a->n ? a->time[i + 1] : a->end;
		int64_t after_b = k + 1 < b->n ? b->time[k + 1] : b->end;

		tv_steps_to(out, a->time[i] > b->time[k] ? a->time[i] : b->time[k],
			    a->value[i] + b->value[k]);
		i += after_a <= after_b;
		k += after_b <= after_a;
	}
	return 0;
}

/*
 * The sum over the resources of the readings of one variable. Halves are added, then their sums, so
 * that the cost is O(n log resources).
 */
static int sum_up(const struct part *part, struct tv_steps *steps, struct tv_error *err)
{
	const struct tv_reading *first = part->reading, *last = first + part->n - 1;
	struct part half[2] = { *part, *part };
	struct tv_steps sum[2] = { { 0 }, { 0 } };
	size_t middle = part->n / 2;
	int rc = -1;

	if (first->resource == last->resource)
		return to_steps(part, steps, part->begin, part->end, err);
	while (middle < part->n && middle > 0
	       && first[middle].resource == first[middle - 1].resource)
		middle++;
	if (middle == 0 || middle == part->n)
		for (middle = part->n - 1; first[middle - 1].resource == last->resource; middle--)
			;
	half[0].n = middle;
	half[1].reading += middle;
	half[1].n -= middle;
	if (sum_up(&half[0], &sum[0], err) == 0 && sum_up(&half[1], &sum[1], err) == 0)
		rc = add_steps(&sum[0], &sum[1], steps, err);
	tv_steps_release(&sum[0]);
	tv_steps_release(&sum[1]);
	return rc;
}

static int write_part(struct tv_curves *curves, const struct part *part, bool sum,
		      struct tv_error *err)
{
	const struct tv_reading *first = part->reading;
	struct tv_steps steps;
	int rc;

	if (part->begin >= part->end)
		return 0;
	if (tv_step_check(part->begin, part->end, curves->step_ns, 1, err) < 0
	    || sum_up(part, &steps, err) < 0)
		return -1;
	rc = tv_curves_write_one(curves, tv_pool_text(curves->out->pool, first->type),
				 sum ? TV_NONE : first->resource, &steps, err);
	tv_steps_release(&steps);
	return rc;
}

static int run_counter(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const char *name = tv_option(options, "name");
	bool sum = tv_option(options, "sum") != NULL;
	struct tv_curves curves = { 0 };
	struct tv_reading *reading;
	struct part part;
	size_t n;
	int rc;

	if (tv_readings(&run->view, name == NULL ? "" : name, &reading, &n, err) < 0)
		return -1;
	rc = tv_curves_init_bare(&curves, run, options, out, err);
	for (size_t i = 0; i < n && rc == 0; i += part.n) {
		part = part_at(reading + i, n - i, sum, &run->window);
		rc = write_part(&curves, &part, sum, err);
	}
	tv_curves_release(&curves);
	tv_free(reading);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME", NULL, "the variables, as their Type says; * and ? match" },
	{ "step", "T", NULL, "means over slices of T (ms, or with a unit) between multiples of T" },
	{ "sum", NULL, NULL, "one curve per variable: its sum over the resources" },
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
