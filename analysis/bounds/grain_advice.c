/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grain_advice.c -- task types whose tasks are too small or too large. */
#include "analysis/bounds/grain_advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds/grain.h"
#include "analysis/core/grouping.h"
#include "analysis/core/processors.h"
#include "analysis/core/statistics.h"
#include "dag/dag.h"
#include "sim/model/policies.h"
#include "sim/model/regrain.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum {
	TYPES_MAX = 10, /* tried, those that take most time */
	GRAIN_MAX = 1024,
	COST_PERCENT = 10,
	IDLE_PERCENT = 5,
	PREEMPTED_PERCENT = 10, /* as the finding preempted */
	GAIN_PERCENT = 5,	/* of the run, that advice must gain */
	STEP_PERCENT = 1	/* of the run, that a coarser or finer grain must gain */
};

struct kind {
	double time; /* ns, of all tasks */
	uint32_t n, type;
	int64_t cost;	 /* ns, median of each task */
	double creation; /* ns, of all tasks */
};

TV_ORDER(by_time, struct kind, down(time), type)

struct grain_advice {
	struct tv_run *run;
	struct kind *kind; /* by type, then the first `tried` */
	uint32_t n;
	int64_t recorded; /* makespan, ns */
	char *overhead;	  /* of simulate; NULL = no task costs anything besides */
	struct tv_cost_options costs;
	const char *policy;
	int64_t baseline;
	bool idle, preempted;
};

/* ---- what tasks cost ---- */

static void read_kinds(struct grain_advice *w, const struct tv_grouping *types,
		       const struct tv_grain *grain)
{
	const struct tv_tasks *tasks = &w->run->tasks;
	int64_t *delay = tv_alloc(tasks->n, sizeof *delay);
	struct tv_groups rows;

	w->n = types->n;
	w->kind = tv_alloc(types->n, sizeof *w->kind);
	tv_groups_init(&rows, types->of_row, tasks->n, types->n);
	for (uint32_t t = 0; t < types->n; t++) {
		struct kind *kind = &w->kind[t];
		uint32_t n = 0;

		kind->type = tv_grouping_label(types, t);
		for (uint32_t k = rows.first[t]; k < rows.first[t + 1]; k++) {
			uint32_t row = rows.row[k];

			kind->time += (double)tv_row_time(tasks, row);
			kind->n++;
			if (grain->creation[row] > 0)
				kind->creation += grain->creation[row];
			if (!isnan(grain->delay[row]))
				delay[n++] = (int64_t)grain->delay[row];
		}
		if (n > 0) {
			tv_sort_times(delay, n);
			kind->cost = tv_median_int64(delay, n);
		}
	}
	tv_groups_release(&rows);
	tv_free(delay);
	if (w->n > 1)
		qsort(w->kind, w->n, sizeof *w->kind, by_time);
}

static int measure(struct grain_advice *w, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(w->run, err);
	struct tv_grouping types;
	struct tv_grain grain;
	int64_t *released;
	int rc;

	if (dag == NULL)
		return -1;
	released = tv_alloc(dag->n, sizeof *released);
	tv_dag_released(dag, released);
	rc = tv_grain_init(&grain, w->run, dag, released, NULL, err);
	if (rc == 0) {
		tv_grouping_by_type(&types, &w->run->tasks);
		read_kinds(w, &types, &grain);
		tv_grouping_release(&types);
	}
	tv_grain_release(&grain);
	tv_free(released);
	for (uint32_t t = 0; rc == 0 && t < w->n; t++) {
		const char *name = tv_pool_text(w->run->tasks.pool, w->kind[t].type);

		if (w->kind[t].cost > 0 && strchr(name, ',') == NULL && name[0] != '\0')
			tv_append(&w->overhead, "%s%s=%lldns", w->overhead != NULL ? "," : "", name,
				  (long long)w->kind[t].cost);
	}
	return rc;
}

/* ---- grains ---- */

static int simulate(const struct grain_advice *w, const char *grain, int64_t *makespan,
		    struct tv_error *err)
{
	const struct tv_simulation_options options = { .scheduler = w->policy,
						       .submission = "trace",
						       .makespan_only = true };
	struct tv_regrained changed;
	struct tv_simulator simulator = { 0 };
	struct tv_simulation simulation = { 0 };
	int rc = tv_regrain(&changed, w->run, grain, err);

	if (rc == 0)
		rc = tv_simulator_init(&simulator, &changed.run, &w->costs, NULL, 0, err);
	if (rc == 0)
		rc = tv_simulation_init(&simulation, &simulator, &options, err);
	if (rc == 0)
		*makespan = simulation.schedule.makespan;
	tv_simulation_release(&simulation);
	tv_simulator_release(&simulator);
	tv_regrained_release(&changed);
	return rc;
}

/* The best grain of a type; 0 = that of the run. */
static uint32_t find_best(const struct grain_advice *w, const char *name, bool split, int64_t *best)
{
	uint32_t grain = 0, failed = 0;

	*best = w->baseline;
	for (uint32_t k = 2; k <= GRAIN_MAX && failed < 2; k *= 2) {
		char *text = tv_format("%s=%s%u", name, split ? "1/" : "", k);
		struct tv_error unknown; /* a type whose grain is not simulated */
		int64_t makespan = 0;
		int rc = simulate(w, text, &makespan, &unknown);

		tv_free(text);
		if (rc < 0)
			break;
		failed++;
		if (*best - makespan > w->recorded / 100 * STEP_PERCENT) {
			*best = makespan;
			grain = k;
			failed = 0;
		}
	}
	return grain;
}

static void add(const struct grain_advice *w, const char *name, bool split,
		struct tv_grain_advice *advice, size_t *n)
{
	int64_t best, error = llabs(w->baseline - w->recorded),
		      least = w->recorded / 100 * GAIN_PERCENT;
	uint32_t grain = find_best(w, name, split, &best);
	char *value, *word, *overhead;

	if (grain == 0 || w->baseline - best <= (error > least ? error : least))
		return;
	value = tv_format("%s=%s%u", name, split ? "1/" : "", grain);
	word = tv_shell_word(value);
	overhead = tv_shell_word(w->overhead != NULL ? w->overhead : "");
	advice[(*n)++] = (struct tv_grain_advice){
		split ? tv_format("split each task of type %s into %u that run side by side", name,
				  grain)
		      : tv_format("merge tasks of type %s, %u at a time", name, grain),
		tv_format("--scheduler %s --submission trace %s%s%s--grain %s", w->policy,
			  w->overhead != NULL ? "--overhead " : "",
			  w->overhead != NULL ? overhead : "", w->overhead != NULL ? " " : "",
			  word),
		best, w->baseline
	};
	tv_free(value);
	tv_free(word);
	tv_free(overhead);
}

static bool costs_much(const struct grain_advice *w, const struct kind *kind)
{
	double cost = (double)kind->cost * kind->n;

	return cost * 100 >= COST_PERCENT * (kind->time + cost)
	    || kind->creation * 100 >= (100 - COST_PERCENT) * (double)w->recorded;
}

/* What threads without a processor cost is no reason to merge tasks. */
static bool is_tried(const struct grain_advice *w, const struct kind *kind)
{
	return costs_much(w, kind) ? !w->preempted : w->idle;
}

/* ---- all ---- */

int tv_grain_advise(struct tv_run *run, struct tv_grain_advice **advice, size_t *n,
		    struct tv_error *err)
{
	struct grain_advice w = { .run = run,
				  .recorded = tv_tasks_ended(&run->tasks) - run->tasks.begin };
	struct tv_simulator simulator = { 0 };
	struct tv_policies policies;
	double busy = 0, whole = (double)w.recorded * run->tasks.nworkers;
	bool any = false;
	int rc;

	*advice = tv_alloc(TYPES_MAX, sizeof **advice);
	*n = 0;
	rc = measure(&w, err);
	for (uint32_t t = 0; t < w.n; t++)
		busy += w.kind[t].time;
	w.idle = (whole - busy) * 100 >= IDLE_PERCENT * whole;
	w.preempted = tv_clocked(&run->tasks, NULL).preempted * 100 >= PREEMPTED_PERCENT;
	w.n = w.n < TYPES_MAX ? w.n : TYPES_MAX;
	for (uint32_t t = 0; t < w.n; t++)
		any |= is_tried(&w, &w.kind[t]);
	if (rc == 0 && any) {
		w.costs = (struct tv_cost_options){ .durations = "trace",
						    .overhead = w.overhead,
						    .regrained = true };
		rc = tv_simulator_init(&simulator, run, &w.costs, NULL, 0, err);
		if (rc == 0)
			rc = tv_policies_init(&policies, &simulator, w.recorded, err);
		if (rc == 0) {
			w.policy = policies.nearest->name;
			w.baseline = policies.nearest->makespan;
		}
	}
	for (uint32_t t = 0; rc == 0 && any && t < w.n; t++)
		if (is_tried(&w, &w.kind[t]))
			add(&w, tv_pool_text(run->tasks.pool, w.kind[t].type),
			    !costs_much(&w, &w.kind[t]), *advice, n);
	tv_simulator_release(&simulator);
	tv_free(w.kind);
	tv_free(w.overhead);
	return rc;
}
