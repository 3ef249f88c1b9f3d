/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.c -- runs of one program on more workers, or with larger tasks. */
#include "analysis/efficiency/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/calls/thread_time.h"
#include "analysis/core/warnings.h"
#include "analysis/efficiency/across.h"
#include "analysis/efficiency/ladder.h"
#include "analysis/efficiency/scaled.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

#define COLUMNS(X) \
	X(SECTION, "Section", TV_LABEL, false, "", \
	  "run; metg: of a number of workers; stop; model") \
	X(RUN, "Run", TV_LABEL, false, "", "its label") \
	X(ABSCISSA, "X", TV_DOUBLE, false, "", "what --x names; metg: the efficiency, in percent") \
	X(WORKERS, "Workers", TV_INT, false, "", "number of workers") \
	X(TASKS, "Tasks", TV_INT, false, "", "number of tasks") \
	X(WORK, "Work", TV_TIME, false, "ms", "busy time of all workers") \
	X(MAKESPAN, "Makespan", TV_TIME, false, "ms", "length of the run") \
	X(DURATION, "MeanDuration", TV_TIME, false, "ms", "Work / Tasks") \
	X(GRANULARITY, "Granularity", TV_TIME, false, "ms", \
	  "Makespan x Workers / Tasks; metg: the min that is as efficient") \
	X(OVERHEAD, "Overhead", TV_TIME, false, "ms", "Granularity - MeanDuration") \
	X(PARALLEL, "BusyShare", TV_DOUBLE, false, "", "Work / (Makespan x Workers)") \
	X(INFLATION, "Inflation", TV_DOUBLE, false, "", \
	  "Work over the min of runs with one worker, or of all") \
	X(EFFICIENCY, "Efficiency", TV_DOUBLE, false, "", "see --base") \
	X(LOST_SHARE, "LostShare", TV_DOUBLE, false, "%", \
	  "the largest loss (efficiency), over the makespan; Note has its name") \
	X(NOTE, "Note", TV_LABEL, false, "", "of the section") \
	X(SIMULATED, "Simulated", TV_TIME, false, "ms", \
	  "makespan of the smallest run's tasks on the workers of this run, simulated") \
	X(UNPARALLEL, "LackOfParallelism", TV_DOUBLE, false, "%", \
	  "Simulated - its work shared by all workers, over the makespan") \
	X(MODEL, "Model", TV_TIME, false, "ms", \
	  "makespan: Simulated, and the rest as the other runs have it (section model)") \
	X(MODEL_ERROR, "ModelError", TV_DOUBLE, false, "%", "(Model - Makespan) / Makespan") \
	X(MODEL_EFFICIENCY, "ModelEfficiency", TV_DOUBLE, false, "", \
	  "Efficiency if the run took Model")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_series_columns[TV_SERIES_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

/* A run and its numbers, ns. */
struct one {
	const struct tv_named_run *run;
	size_t index;
	uint32_t workers;
	double x, tasks, work, makespan, granularity, efficiency;
	double bound; /* area bound */
	double loss;  /* share of the makespan */
	char loss_name[128];
	struct tv_scaled scaled;
};

/* The largest of the factors' losses. */
static void find_loss(struct one *one, const struct tv_ladder *ladder)
{
	struct tv_factor factor[TV_FACTORS_MAX];
	size_t n = tv_ladder_factors(ladder, factor);

	one->loss = 0;
	for (size_t i = 0; i < n; i++) {
		double lost = (double)((ladder->time[factor[i].upper]
					- ladder->time[factor[i].lower])
				       / ladder->time[TV_LADDER_RUNG_RECORDED]);

		if (factor[i].product || !(lost > one->loss))
			continue;
		one->loss = lost;
		memcpy(one->loss_name, factor[i].name, sizeof one->loss_name);
	}
}

static int read_one(struct one *one, const struct tv_named_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->run->tasks;
	const struct tv_table *idleness;
	struct tv_ladder ladder;

	if (tasks->ncounted == 0 && tv_run_threads(run->run)->n > 0)
		return tv_fail(
			err,
			"%s has no tasks, which scaling compares: traceviz efficiency RUN... "
			"compares threads",
			run->label);
	idleness = tv_run_pass(run->run, "idleness", NULL, err);
	one->run = run;
	tv_warn_workers(run->run);
	tv_warn_cut(run->run);
	if (idleness == NULL || tv_ladder_of_run(&ladder, run->run, err) < 0) {
		return tv_fail_about(err, run->label);
	}
	one->workers = tasks->nworkers;
	one->tasks = tasks->ntasks;
	one->makespan = (double)(tasks->finish - tasks->begin);
	one->granularity = one->makespan * one->workers / one->tasks;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		one->work += (double)tv_table_find(idleness, "Busy")->i[w];
	find_loss(one, &ladder);
	one->bound = (double)ladder.time[TV_LADDER_RUNG_PLACEMENT];
	tv_ladder_release(&ladder);
	return 0;
}

/* The min of the work of runs with one worker, of all if there is none. */
static double least_work(const struct one *one, size_t n)
{
	double least[2] = { INFINITY, INFINITY };

	for (size_t i = 0; i < n; i++) {
		least[1] = fmin(least[1], one[i].work);
		if (one[i].workers == 1)
			least[0] = fmin(least[0], one[i].work);
	}
	return isfinite(least[0]) ? least[0] : least[1];
}

static void find_efficiency(struct one *one, size_t n, enum tv_series_base base)
{
	double of = least_work(one, n);

	if (base == TV_SERIES_BEST)
		of = INFINITY;
	for (size_t i = 0; i < n && base == TV_SERIES_BEST; i++)
		of = fmin(of, one[i].makespan * one[i].workers);
	for (size_t i = 0; i < n; i++)
		one[i].efficiency = of / (one[i].makespan * one[i].workers);
}

static void set_time(struct tv_table *out, int column, uint32_t row, double ns)
{
	if (isfinite(ns))
		tv_set_int(out->col[column], row, llround(ns));
}

/* bound: of the smallest run, ns. */
static void write_one(struct tv_table *out, const struct one *one, double least, double bound)
{
	uint32_t row = tv_table_add_row(out);
	const struct tv_scaled *scaled = &one->scaled;

	tv_set_text(out->col[SECTION], row, "run");
	tv_set_text(out->col[RUN], row, one->run->label);
	tv_set_finite(out->col[ABSCISSA], row, one->x);
	tv_set_int(out->col[WORKERS], row, one->workers);
	tv_set_int(out->col[TASKS], row, (int64_t)one->tasks);
	set_time(out, WORK, row, one->work);
	set_time(out, MAKESPAN, row, one->makespan);
	set_time(out, DURATION, row, one->work / one->tasks);
	set_time(out, GRANULARITY, row, one->granularity);
	set_time(out, OVERHEAD, row, one->granularity - one->work / one->tasks);
	tv_set_finite(out->col[PARALLEL], row, one->work / (one->makespan * one->workers));
	tv_set_finite(out->col[INFLATION], row, one->work / least);
	tv_set_finite(out->col[EFFICIENCY], row, one->efficiency);
	if (one->loss > 0) {
		tv_set_finite(out->col[LOST_SHARE], row, 100 * one->loss);
		tv_set_text(out->col[NOTE], row, one->loss_name);
	}
	set_time(out, SIMULATED, row, scaled->simulated);
	tv_set_finite(out->col[UNPARALLEL], row,
		      100 * (scaled->simulated - bound / scaled->p) / one->makespan);
	set_time(out, MODEL, row, scaled->model);
	tv_set_finite(out->col[MODEL_ERROR], row,
		      100 * (scaled->model - one->makespan) / one->makespan);
	if (scaled->model > 0)
		tv_set_finite(out->col[MODEL_EFFICIENCY], row,
			      one->efficiency * one->makespan / scaled->model);
}

static void write_model(struct tv_table *out, const struct tv_named_run *run,
			const struct tv_scaled_law *law)
{
	uint32_t row = tv_table_add_row(out);
	char *note;

	tv_set_text(out->col[SECTION], row, "model");
	tv_set_text(out->col[RUN], row, run[law->reference].label);
	if (law->policy == NULL || law->why != NULL)
		note = tv_format("no model: %s", law->why);
	else
		note = tv_format("simulated by policy %s, which is nearest to the runs; rest: "
				 "%.6f ms + %.6f ms / p, p = Workers / %u",
				 law->policy, law->a / 1e6, law->b / 1e6,
				 run[law->reference].run->tasks.nworkers);
	tv_set_text(out->col[NOTE], row, note);
	tv_free(note);
}

/* ---- min granularity ---- */

TV_ORDER(by_granularity, struct one, workers, granularity, index)

/* Of n runs with equally many workers, the finest first. */
static void write_metg(struct tv_table *out, const struct one *one, size_t n, int percent)
{
	double x = percent / 100.;
	uint32_t row = tv_table_add_row(out);
	size_t i = 0;
	char *note;

	tv_set_text(out->col[SECTION], row, "metg");
	tv_set_int(out->col[WORKERS], row, one->workers);
	tv_set_finite(out->col[ABSCISSA], row, percent);
	while (i < n && !(one[i].efficiency >= x))
		i++;
	if (i == n) {
		tv_set_text(out->col[NOTE], row, "not reached");
		return;
	}
	if (i == 0) {
		set_time(out, GRANULARITY, row, one[0].granularity);
		note = tv_format("at most this: the finest run, %s, has %.3f", one[0].run->label,
				 one[0].efficiency);
	} else {
		double part = (x - one[i - 1].efficiency)
			    / (one[i].efficiency - one[i - 1].efficiency);

		set_time(out, GRANULARITY, row,
			 one[i - 1].granularity
				 + part * (one[i].granularity - one[i - 1].granularity));
		note = tv_format("between %s (%.3f at %.6f ms) and %s (%.3f at %.6f ms)",
				 one[i - 1].run->label, one[i - 1].efficiency,
				 one[i - 1].granularity / 1e6, one[i].run->label, one[i].efficiency,
				 one[i].granularity / 1e6);
	}
	tv_set_text(out->col[NOTE], row, note);
	tv_free(note);
}

/* For each number of workers with several granularities. */
static void write_all_metg(struct tv_table *out, struct one *one, size_t n)
{
	static const int percent[] = { 50, 75, 90, 95 };

	qsort(one, n, sizeof *one, by_granularity);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first; end < n && one[end].workers == one[first].workers; end++)
			;
		if (end - first < 2 || one[first].tasks == one[end - 1].tasks)
			continue;
		for (size_t i = 0; i < TV_COUNT(percent); i++)
			write_metg(out, one + first, end - first, percent[i]);
	}
}

/* ---- where it stops ---- */

static void write_stop(struct tv_table *out, const struct one *one, size_t n)
{
	static const double fifth = 0.2;

	for (size_t i = 0; i < n; i++) {
		uint32_t row;
		char *note;

		if (one[i].loss <= fifth)
			continue;
		row = tv_table_add_row(out);
		tv_set_text(out->col[SECTION], row, "stop");
		tv_set_text(out->col[RUN], row, one[i].run->label);
		tv_set_finite(out->col[ABSCISSA], row, one[i].x);
		tv_set_int(out->col[WORKERS], row, one[i].workers);
		tv_set_finite(out->col[LOST_SHARE], row, 100 * one[i].loss);
		note = tv_format("stops here: factor %s", one[i].loss_name);
		tv_set_text(out->col[NOTE], row, note);
		tv_free(note);
		return;
	}
}

TV_ORDER(by_x, struct one, x, index)

struct tv_series_axis tv_series_axis_of(const char *text)
{
	static const char *const word[] = { "workers", "nodes", "granularity" };

	for (size_t i = 0; i < TV_COUNT(word); i++)
		if (strcmp(text, word[i]) == 0)
			return (struct tv_series_axis){ (enum tv_series_x)i, NULL };
	return (struct tv_series_axis){ TV_SERIES_META, text };
}

static double number_of(const struct tv_trace *trace, const char *key)
{
	char *tag = tv_format("Tag.%s", key);
	double number;
	size_t n;
	const char *value = tv_meta_get(trace, key, &n);

	if (value == NULL)
		value = tv_meta_get(trace, tag, &n);
	tv_free(tag);
	return value != NULL && tv_parse_double(value, n, &number) == TV_PARSE_OK
			    && isfinite(number)
		     ? number
		     : NAN;
}

double tv_series_of_run(const struct tv_run *run, struct tv_series_axis axis)
{
	const struct tv_tasks *tasks = &run->tasks;

	switch (axis.x) {
	case TV_SERIES_WORKERS:
		return tasks->nworkers;
	case TV_SERIES_NODES:
		return tasks->nnodes;
	case TV_SERIES_META:
		return number_of(run->trace, axis.key);
	case TV_SERIES_GRANULARITY:
		break;
	}
	return (double)(tasks->finish - tasks->begin) * tasks->nworkers / tasks->ntasks / 1e6;
}

int tv_series_check(const struct tv_named_run *run, size_t n, struct tv_series_axis axis,
		    struct tv_error *err)
{
	for (size_t i = 0; i < n && axis.key != NULL; i++)
		if (isnan(tv_series_of_run(run[i].run, axis)))
			return tv_fail(err,
				       "%s: meta has no number '%s', by which --x orders runs: "
				       "traceviz info lists what it has, record --tag %s=NUMBER "
				       "adds it",
				       run[i].label, axis.key, axis.key);
	return 0;
}

static void find_x(struct one *one, size_t n, struct tv_series_axis axis)
{
	for (size_t i = 0; i < n; i++) {
		one[i].index = i;
		one[i].x = tv_series_of_run(one[i].run->run, axis);
	}
	qsort(one, n, sizeof *one, by_x);
}

int tv_series_of_runs(const struct tv_named_run *run, size_t n, struct tv_series_axis axis,
		      enum tv_series_base base, struct tv_table *out, struct tv_error *err)
{
	struct one *one = tv_alloc(n, sizeof *one);
	struct tv_scaled *scaled = tv_alloc(n, sizeof *scaled);
	struct tv_scaled_law law = { 0 };
	bool modeled = axis.x == TV_SERIES_WORKERS || axis.x == TV_SERIES_NODES;
	double bound;
	int rc = tv_series_check(run, n, axis, err);

	tv_add_fields(out, tv_series_columns, TV_SERIES_COLUMNS);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = read_one(&one[i], &run[i], err);
	if (rc == 0) {
		if (modeled)
			tv_scale(run, n, scaled, &law);
		bound = one[law.reference].bound;
		for (size_t i = 0; i < n; i++)
			one[i].scaled = modeled ? scaled[i] : (struct tv_scaled){ NAN, NAN, NAN };
		find_efficiency(one, n, base);
		find_x(one, n, axis);
		for (size_t i = 0; i < n; i++)
			write_one(out, &one[i], least_work(one, n), bound);
		write_stop(out, one, n);
		if (modeled)
			write_model(out, run, &law);
		write_all_metg(out, one, n);
	}
	tv_table_finish(out);
	tv_free(law.why);
	tv_free(scaled);
	tv_free(one);
	return rc;
}
