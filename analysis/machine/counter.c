/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counter.c -- the variables of a trace, over time. */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/curves.h"
#include "analysis/core/kinds.h"
#include "analysis/core/readings.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
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
	for (size_t i = 0; instant && i < part->n; i++)
		reading[i].end += reading[i].end == part->end;
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
		if (work->rate && at->until > part.end)
			part.end = at->until;
	}
	part.last = part.end < window->end ? part.end : window->end;
	if (!work->rate)
		hold_last(work, first, &part);
	part.begin = part.begin > window->begin ? part.begin : window->begin;
	part.end = part.end < window->end ? part.end : window->end;
	return part;
}

struct change {
	int64_t time;
	double rate;
	int count; /* 1: a reading begins; -1: one ends */
};

TV_ORDER(by_time, struct change, time, count)

/* Counts of one resource in counts per ms: readings that overlap, as of several recorders, add up. */
static void to_rates(const struct part *part, struct tv_steps *steps, int64_t begin, int64_t end)
{
	struct change *change = tv_alloc(2 * part->n, sizeof *change);
	size_t n = 0;
	double rate = 0;
	int under_way = 0;

	for (size_t i = 0; i < part->n; i++) {
		const struct tv_reading *at = &part->reading[i];
		int64_t from = at->start > begin ? at->start : begin;
		int64_t to = at->until < end ? at->until : end;
		double of = at->value / ((double)(at->until - at->start) / 1e6);

		if (to <= from)
			continue;
		change[n++] = (struct change){ from, of, 1 };
		change[n++] = (struct change){ to, -of, -1 };
	}
	qsort(change, n, sizeof *change, by_time);
	tv_steps_init(steps, 2 * part->n + 1, end);
	if (n == 0 || change[0].time > begin)
		tv_steps_to(steps, begin, 0);
	for (size_t i = 0; i < n; i++) {
		under_way += change[i].count;
		/* Rounding leaves nothing where nothing is under way. */
		rate = under_way > 0 ? rate + change[i].rate : 0;
		if (change[i].time < end && (i + 1 == n || change[i + 1].time > change[i].time))
			tv_steps_to(steps, change[i].time, rate);
	}
	tv_free(change);
}

/* One variable of one resource as a step function over [begin, end), 0 where there is none. */
static void to_steps(const struct part *part, struct tv_steps *steps, int64_t begin, int64_t end)
{
	int64_t done = begin;

	tv_steps_init(steps, 2 * part->n + 1, end);
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
}

/* a + b; both cover the same interval. */
static void add_steps(const struct tv_steps *a, const struct tv_steps *b, struct tv_steps *out)
{
	size_t i = 0, k = 0;

	tv_steps_init(out, a->n + b->n, a->end);
	while (i < a->n && k < b->n) {
		int64_t after_a = i + 1 < a->n ? a->time[i + 1] : a->end;
		int64_t after_b = k + 1 < b->n ? b->time[k + 1] : b->end;

		tv_steps_to(out, a->time[i] > b->time[k] ? a->time[i] : b->time[k],
			    a->value[i] + b->value[k]);
		i += after_a <= after_b;
		k += after_b <= after_a;
	}
}

/*
 * The sum over the resources of the readings of one variable. Halves are added, then their sums, so
 * that the cost is O(n log resources).
 */
static void sum_up(const struct part *part, struct tv_steps *steps)
{
	const struct tv_reading *first = part->reading, *last = first + part->n - 1;
	struct part half[2] = { *part, *part };
	struct tv_steps sum[2];
	size_t middle = part->n / 2;

	if (first->resource == last->resource) {
		if (part->rate)
			to_rates(part, steps, part->begin, part->end);
		else
			to_steps(part, steps, part->begin, part->end);
		return;
	}
	while (middle < part->n && middle > 0
	       && first[middle].resource == first[middle - 1].resource)
		middle++;
	if (middle == 0 || middle == part->n)
		for (middle = part->n - 1; first[middle - 1].resource == last->resource; middle--)
			;
	half[0].n = middle;
	half[1].reading += middle;
	half[1].n -= middle;
	sum_up(&half[0], &sum[0]);
	sum_up(&half[1], &sum[1]);
	add_steps(&sum[0], &sum[1], steps);
	tv_steps_release(&sum[0]);
	tv_steps_release(&sum[1]);
}

static int write_part(struct readings *work, const struct part *part, struct tv_error *err)
{
	struct tv_curves *curves = &work->curves;
	const struct tv_reading *first = part->reading;
	uint32_t group = work->sum ? kind_of(work, first) : first->resource;
	const char *name = tv_pool_text(curves->out->pool, first->type);
	struct tv_steps steps;

	if (part->begin >= part->end)
		return 0;
	if (tv_step_check(part->begin, part->end, curves->step_ns, 1, err) < 0)
		return -1;
	sum_up(part, &steps);
	if (work->list)
		tv_curves_write_mean(curves, name, group, &steps, part->last);
	else
		tv_curves_write_one(curves, name, group, &steps);
	tv_steps_release(&steps);
	return 0;
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
