/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counter.c -- the variables of a trace, over time. */
#include <string.h>

#include "analysis/core/curves.h"
#include "analysis/core/kinds.h"
#include "analysis/core/readings.h"
#include "trace/alloc.h"
#include "trace/text.h"

/* The readings of one variable, or of one variable of one resource. */
struct part {
	const struct tv_reading *reading;
	size_t n;
	int64_t begin, end; /* from its first value to its last, within the window */
	int64_t last;	    /* the same end without what holds the last value */
	bool rate;
};

struct asked {
	const char *name; /* NULL = a list */
	int64_t step_ns;
	const char *resource; /* patterns; NULL = all */
	bool sum, rate;
};

/* The options, and the readings that match them. */
struct readings {
	struct tv_curves curves;
	struct tv_kinds kinds;
	const char *resource; /* patterns; NULL = all */
	bool sum, rate;
	bool list; /* one row per curve */
	struct tv_reading *reading;
	size_t n;
};

static uint32_t kind_of(const struct readings *work, const struct tv_reading *reading)
{
	return reading->resource == TV_NONE || reading->resource >= work->kinds.n
		     ? TV_NONE
		     : work->kinds.kind[reading->resource];
}

static bool wanted(const struct readings *work, const struct tv_reading *reading)
{
	const struct tv_pool *pool = work->curves.out->pool;
	uint32_t resource = reading->resource;

	if (resource != TV_NONE && resource < work->kinds.n && !work->kinds.kept[resource])
		return false;
	return work->resource == NULL
	    || (resource != TV_NONE && tv_glob_list(work->resource, tv_pool_text(pool, resource)));
}

static void keep_wanted(struct readings *work)
{
	size_t n = 0;

	for (size_t i = 0; i < work->n; i++)
		if (wanted(work, &work->reading[i]))
			work->reading[n++] = work->reading[i];
	work->n = n;
}

/* Sorts the readings of each variable by kind of resources; kinds in the order in which they first
 * occur. */
static void sort_kinds(struct readings *work)
{
	struct tv_reading *sorted = tv_alloc(work->n, sizeof *sorted), *reading = work->reading;
	bool *taken = tv_alloc(work->n, sizeof *taken);
	size_t n = 0;

	for (size_t first = 0; first < work->n; first++) {
		if (taken[first])
			continue;
		for (size_t i = first; i < work->n && reading[i].type == reading[first].type; i++) {
			if (kind_of(work, &reading[i]) != kind_of(work, &reading[first]))
				continue;
			sorted[n++] = reading[i];
			taken[i] = true;
		}
	}
	memcpy(work->reading, sorted, work->n * sizeof *sorted);
	tv_free(sorted);
	tv_free(taken);
}

/* What a trace has of an instant (a gauge) holds until the next value of the same variable and
 * resource. */
static void hold_instants(struct readings *work)
{
	for (size_t i = 0; i + 1 < work->n; i++) {
		struct tv_reading *at = &work->reading[i];

		if (at->end == at->start && at[1].type == at->type
		    && at[1].resource == at->resource)
			at->end = at[1].start;
	}
}

/* A last value of no length holds for 1 ns, and all that reach it with it, so that a curve ends with
 * what came last. */
static void hold_last(struct readings *work, size_t first, struct part *part)
{
	struct tv_reading *reading = work->reading + first;
	bool instant = false;

	for (size_t i = 0; i < part->n; i++)
		instant = instant || reading[i].start == part->end;
	for (size_t i = 0; instant && i < part->n; i++) {
		/* Not what ends there because another one follows. */
		bool goes_on = i + 1 < part->n && reading[i + 1].resource == reading[i].resource
			    && reading[i + 1].start == part->end;

		reading[i].end += reading[i].end == part->end && !goes_on;
	}
	part->end += instant;
}

/* The readings from the first on that belong together: of its variable, and of its resource, or for
 * sums of its kind of resources. */
static struct part part_at(struct readings *work, size_t first)
{
	const struct tv_reading *reading = work->reading + first;
	const struct tv_window *window = &work->curves.run->window;
	struct part part = { reading, 0, reading[0].start, reading[0].end, 0, work->rate };

	for (; first + part.n < work->n && reading[part.n].type == reading[0].type
	       && (work->sum ? kind_of(work, &reading[part.n]) == kind_of(work, reading)
			     : reading[part.n].resource == reading[0].resource);
	     part.n++) {
		const struct tv_reading *at = &reading[part.n];

		part.begin = at->start < part.begin ? at->start : part.begin;
		part.end = at->end > part.end ? at->end : part.end;
	}
	part.last = part.end < window->end ? part.end : window->end;
	if (!work->rate)
		hold_last(work, first, &part);
	part.begin = part.begin > window->begin ? part.begin : window->begin;
	part.end = part.end < window->end ? part.end : window->end;
	return part;
}

/* A reading as it is shown: with --rate per ms. */
static double value_of(const struct part *part, const struct tv_reading *at)
{
	return part->rate && at->end > at->start ? at->value / ((double)(at->end - at->start) / 1e6)
						 : at->value;
}

/* One variable of one resource as a step function, 0 where there is none. */
static void to_steps(const struct part *part, struct tv_steps *steps)
{
	int64_t done = part->begin;

	tv_steps_init(steps, 2 * part->n + 1, part->end);
	for (size_t i = 0; i < part->n; i++) {
		const struct tv_reading *at = &part->reading[i];
		int64_t from = at->start > part->begin ? at->start : part->begin;

		if (at->end <= from || at->start >= part->end)
			continue;
		if (from > done)
			tv_steps_to(steps, done, 0);
		tv_steps_to(steps, from, value_of(part, at));
		done = at->end;
	}
	tv_steps_to(steps, done, 0);
}

/* The sum over the resources of the readings of one variable. */
static int sum_up(const struct part *part, struct tv_steps *steps, struct tv_error *err)
{
	struct tv_sum sum;
	int rc = 0;

	if (part->reading[0].resource == part->reading[part->n - 1].resource) {
		to_steps(part, steps);
		return 0;
	}
	tv_sum_init(&sum, part->begin, part->end);
	for (size_t i = 0; i < part->n && rc == 0; i++)
		rc = tv_sum_add(&sum, part->reading[i].start, part->reading[i].end,
				value_of(part, &part->reading[i]), err);
	tv_sum_steps(&sum, steps);
	tv_sum_release(&sum);
	return rc;
}

static int write_part(struct readings *work, const struct part *part, struct tv_error *err)
{
	struct tv_curves *curves = &work->curves;
	const struct tv_reading *first = part->reading;
	uint32_t group = work->sum ? kind_of(work, first) : first->resource;
	const char *name = tv_pool_text(curves->out->pool, first->type);
	struct tv_steps steps;
	int rc;

	if (part->begin >= part->end)
		return 0;
	if (tv_step_check(part->begin, part->end, curves->step_ns, 1, err) < 0)
		return -1;
	rc = sum_up(part, &steps, err);
	if (rc == 0 && work->list)
		tv_curves_write_mean(curves, name, group, &steps, part->last);
	else if (rc == 0)
		tv_curves_write_one(curves, name, group, &steps);
	tv_steps_release(&steps);
	return rc;
}

static int run_counter(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const char *name = asked->name;
	struct readings work = { .resource = asked->resource,
				 .sum = asked->sum,
				 .rate = asked->rate,
				 .list = name == NULL };
	int rc = 0;

	if (tv_readings(&run->tasks, name == NULL ? "*" : name, &work.reading, &work.n, err) < 0)
		return -1;
	if (work.rate && tv_readings_add_up(&work.reading, &work.n, err) < 0) {
		tv_free(work.reading);
		return -1;
	}
	tv_curves_init_bare(&work.curves, run, asked->step_ns, out);
	tv_kinds_init(&work.kinds, run);
	keep_wanted(&work);
	if (!work.rate)
		hold_instants(&work);
	if (work.sum)
		sort_kinds(&work);
	if (work.n == 0)
		tv_run_warn(run, "no resource that fits has such a variable");
	for (size_t i = 0; i < work.n && rc == 0;) {
		struct part part = part_at(&work, i);

		rc = write_part(&work, &part, err);
		i += part.n;
	}
	tv_curves_release(&work.curves);
	tv_kinds_release(&work.kinds);
	tv_free(work.reading);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME", NULL,
	  "Type of the variables; * and ? match (default: list all variables)", TV_ASKED(name) },
	{ TV_STEP_MEANS_ROW, TV_ASKED(step_ns) },
	{ "sum", NULL, NULL, "one curve per variable and kind of resources: the sum over these",
	  TV_ASKED(sum) },
	{ "resource", "NAME,...", NULL, "only these resources (* and ? match)",
	  TV_ASKED(resource) },
	{ "rate", NULL, NULL, "values are counts, each of its time: print counts per ms",
	  TV_ASKED(rate) },
};

const struct tv_pass tv_pass_counter = {
	.name = "counter",
	.summary = "A counter of the trace over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.ranked = "Value",
	.sums = true,
	.needs = "variables resources",
	.refuses_tasks = true,
	.columns = "",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "name",
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes = "One curve per variable (its Type) and resource, from its first value to its\n"
		 "last, also before the first task. A value that starts before the end of the\n"
		 "previous one replaces it, with --rate they add up; gaps are 0; one of an instant "
		 "holds until the next, "
		 "the\n"
		 "last one for 1 ns. Without NAME one row per variable and\n"
		 "resource, with mean, Min and Max. If NAME is unknown, a message lists the\n"
		 "variables of the trace.\n"
		 "--sum adds up resources of one kind, named in the column By: a ResourceType, or\n"
		 "for memory nodes `main memory` or the memory of the worker type that uses them\n"
		 "(`CUDA memory`). Different kinds are never added up.\n"
		 "--rate divides each value by the ms from its Start to its End: for variables "
		 "that\n"
		 "count something, such as `Cache misses` of a simulated run.",
	.example = "traceviz counter 'Number of Ready*' --step 10 data/cholesky-paje",
	.taskless = true,
	.run = run_counter,
};
