/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balance.c -- how evenly values of variables are spread over objects of the machine. */
#include <math.h>

#include "analysis/machine/samples.h"
#include "trace/alloc.h"

#define COLUMNS(X) \
	X(TYPE, "Type", TV_LABEL, false, "", "variable") \
	X(LEVEL, "Level", TV_LABEL, false, "", "level of the objects; missing: other resources") \
	X(START, "Start", TV_TIME, false, "ms", "begin of the interval, or first Start") \
	X(END, "End", TV_TIME, false, "ms", "its end, or last End") \
	X(OBJECTS, "Objects", TV_INT, false, "", "objects that have a value") \
	X(SUM, "Sum", TV_DOUBLE, false, "", "of their values") \
	X(MEAN, "Mean", TV_DOUBLE, false, "", "of their values") \
	X(MIN, "Min", TV_DOUBLE, false, "", "min value") \
	X(MAX, "Max", TV_DOUBLE, false, "", "max value") \
	X(AT, "MaxObject", TV_LABEL, false, "", "the object of the max (the first of several)") \
	X(RATIO, "Imbalance", TV_DOUBLE, false, "", "Max / Mean: 1 = even; missing if Mean is 0") \
	X(CV, "CV", TV_DOUBLE, false, "", "SD / Mean") \
	X(SD, "SD", TV_DOUBLE, false, "", "standard deviation, of the population") \
	X(VARIANCE, "Variance", TV_DOUBLE, false, "", "its square")

TV_COLUMNS(columns, COLUMNS)

static uint32_t level_of(const struct tv_samples *samples, const struct tv_sample *s)
{
	return s->object == TV_NONE ? TV_NONE : samples->machine.at[s->object].level;
}

/* The values of one variable on objects of one level. */
static void write_balance(const struct tv_samples *samples, const struct tv_sample *s, size_t n,
			  double *value, struct tv_table *out)
{
	uint32_t row = tv_table_add_row(out), level = level_of(samples, s);
	int64_t start = s->start, end = s->end;
	double mean, variance;
	size_t max = 0;

	for (size_t i = 0; i < n; i++) {
		value[i] = s[i].value;
		max = value[i] > value[max] ? i : max;
		start = s[i].start < start ? s[i].start : start;
		end = s[i].end > end ? s[i].end : end;
	}
	mean = tv_monitor_apply(TV_MONITOR_MEAN, value, n);
	variance = tv_monitor_apply(TV_MONITOR_VAR, value, n);
	tv_set_label(out->col[TYPE], row, s->type);
	if (level != TV_NONE)
		tv_set_label(out->col[LEVEL], row, samples->machine.level[level].type);
	tv_set_int(out->col[START], row, start);
	tv_set_int(out->col[END], row, end);
	tv_set_int(out->col[OBJECTS], row, (int64_t)n);
	tv_set_label(out->col[AT], row, s[max].resource);
	tv_set_double(out->col[MIN], row, tv_monitor_apply(TV_MONITOR_MIN, value, n));
	tv_set_double(out->col[MAX], row, value[max]);
	if (isnan(mean) || isnan(variance))
		return; /* the sum exceeds a double */
	tv_set_double(out->col[SUM], row, tv_monitor_apply(TV_MONITOR_SUM, value, n));
	tv_set_double(out->col[MEAN], row, mean);
	tv_set_double(out->col[SD], row, sqrt(variance));
	tv_set_double(out->col[VARIANCE], row, variance);
	if (mean != 0) {
		tv_set_double(out->col[RATIO], row, value[max] / mean);
		tv_set_double(out->col[CV], row, sqrt(variance) / mean);
	}
}

/* Whether b belongs to the row of a: resources of one level are side by side, as objects are sorted
 * from outer to inner. */
static bool together(const struct tv_samples *samples, const struct tv_sample *a,
		     const struct tv_sample *b, bool ticks)
{
	return a->type == b->type && level_of(samples, a) == level_of(samples, b)
	    && (!ticks || (a->start == b->start && a->end == b->end));
}

struct asked {
	const char *name, *level;
	enum { OVER_RUN, OVER_TICK } over;
};

static int run_balance(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	bool ticks = asked->over == OVER_TICK;
	struct tv_samples samples;
	double *value;
	int rc = tv_samples_init(&samples, run, asked->name, err);

	if (tv_trace_table(run->trace, TV_VARIABLES)->nrows == 0)
		tv_fail_also(err, "imbalance and load-balance compare what workers and nodes do");
	if (rc == 0 && asked->level != NULL)
		rc = tv_samples_reduce(&samples, asked->level, TV_SAMPLES_SUM, err);
	if (rc == 0) {
		value = tv_alloc(samples.n, sizeof *value);
		if (ticks)
			tv_samples_sort(&samples, TV_SAMPLES_TICKS);
		else
			tv_samples_total(&samples);
		for (size_t first = 0, n; first < samples.n; first += n) {
			for (n = 1; first + n < samples.n
				    && together(&samples, &samples.at[first],
						&samples.at[first + n], ticks);)
				n++;
			write_balance(&samples, &samples.at[first], n, value, out);
		}
		tv_free(value);
	}
	tv_samples_release(&samples);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME,...", NULL, "Type of the variables; * and ? match (default: all)",
	  TV_OPTION_LIST, TV_ASKED(name) },
	{ "level", "LEVEL", NULL, "add values inside the objects of this level first",
	  TV_ASKED(level) },
	{ "over", "run|tick", "run", "one row for the whole run, or one per interval",
	  TV_OPTION_CHOICE, TV_ASKED(over) },
};

const struct tv_pass tv_pass_balance = {
	.name = "balance",
	.summary = "How evenly values are spread over the objects of the machine",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MACHINE,
	.needs = "variables resources",
	.refuses_tasks = true,
	.columns = "",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "name",
	TV_PASS_COLUMNS(columns),
	.notes = "The work of nodes is compared by load-balance, that of workers by imbalance and "
		 "idleness.\n"
		 "One row per variable and level on which it has values (--level: only that one, "
		 "of\n"
		 "the sums inside its objects). --over run first adds the values of each object "
		 "over\n"
		 "time; of gauges (End = Start) it takes their mean. SD and Variance are those of "
		 "the\n"
		 "population. Source: Denoyelle, Compas 2016, and the function evset_var of his "
		 "tool.",
	.example = "traceviz balance CacheMiss data/placement/grouped",
	.taskless = true,
	.run = run_balance,
};
