/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measures.c -- the numbers that runs are compared by, from the passes. */
#include "analysis/compare/measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/calls.h"
#include "analysis/calls/thread_time.h"
#include "analysis/core/processors.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

const struct tv_measured_kind tv_measured_kinds[TV_NMEASURED] = {
	[TV_MAKESPAN] = { "runs", "makespan", "ms", false, true },
	[TV_WORKERS] = { "runs", "workers", "workers", true, true },
	[TV_TASK_COUNT] = { "runs", "tasks", "tasks", true, true },
	[TV_BOUND] = { "bounds", "", "ms", false, true },
	[TV_BOUND_GAP] = { "bounds", "", "%", false, false },
	[TV_IDLENESS] = { "idleness", "idleness", "%", false, false },
	[TV_TYPE_TASKS] = { "types", "tasks", "tasks", true, true },
	[TV_TYPE_DURATION] = { "types", "duration", "ms", false, true },
	[TV_TYPE_CPU_TIME] = { "types", "cpu-time", "ms", false, true },
	[TV_TYPE_SHARE] = { "allocation", "share", "%", true, false },
	[TV_TYPE_IDEAL] = { "allocation", "ideal", "tasks", true, false },
	[TV_CHAIN_TASK] = { "chain", "chain.task", "ms", true, false },
	[TV_CHAIN_MESSAGE] = { "chain", "chain.message", "ms", true, false },
	[TV_CHAIN_WAIT] = { "chain", "chain.wait", "ms", true, false },
	[TV_CHAIN_STEPS] = { "chain", "chain.tasks", "tasks", true, false },
	[TV_EFFICIENCY] = { "efficiency", "", "%", false, false },
	[TV_RANK_WORK] = { "ranks", "rank.work", "ms", false, true },
	[TV_RANK_MPI] = { "ranks", "rank.mpi", "%", false, false },
	[TV_CALL_TIME] = { "calls", "call.time", "ms", true, true },
	[TV_CALL_COUNT] = { "calls", "calls", "calls", true, true },
	[TV_STATE_TIME] = { "states", "state.time", "ms", true, true },
	[TV_STATE_COUNT] = { "states", "states", "states", true, true },
};

/* The measure that was added. name "": that of the kind. */
static struct tv_measure *add(struct tv_measures *measures, enum tv_measured kind, uint32_t run,
			      const char *name, const char *value, const char *rtype, double x)
{
	uint32_t label = tv_intern_text(measures->pool,
					name[0] == '\0' ? tv_measured_kinds[kind].name : name);
	uint32_t of = tv_intern_text(measures->pool, value),
		 on = tv_intern_text(measures->pool, rtype);
	struct tv_measure *to;

	TV_GROW(measures->at, measures->n, measures->cap, 1);
	to = &measures->at[measures->n++];
	*to = (struct tv_measure){ kind,
				   tv_pool_text(measures->pool, label),
				   tv_pool_text(measures->pool, of),
				   tv_pool_text(measures->pool, on),
				   run,
				   x,
				   NAN,
				   0 };
	return to;
}

static void measure_workers(struct tv_measures *measures, const struct tv_tasks *tasks,
			    uint32_t run)
{
	add(measures, TV_MAKESPAN, run, "", "", "", (double)(tasks->finish - tasks->begin));
	add(measures, TV_TASK_COUNT, run, "", "", "", tasks->ntasks);
	add(measures, TV_WORKERS, run, "", "", "", tasks->nworkers);
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		add(measures, TV_WORKERS, run, "", "",
		    tv_pool_text(tasks->pool, tasks->rtype[r].label), tasks->rtype[r].nworkers);
}

/* suffix: appended to the names of the bounds. */
static int measure_bounds(struct tv_measures *measures, struct tv_run *run, uint32_t number,
			  const char *weights, const char *suffix, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass_with(run, "bounds", err, "durations-from",
							weights, NULL);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_column *gap = tv_table_find(table, "Gap");
		char name[64];

		if (tv_label(tv_table_find(table, "Node"), row) != TV_NONE
		    || strcmp(tv_table_text(table, "Nature", row), "observed") == 0)
			continue;
		snprintf(name, sizeof name, "%s%s", tv_table_text(table, "Bound", row), suffix);
		add(measures, TV_BOUND, number, name, "", "",
		    (double)tv_table_find(table, "Time")->i[row]);
		strncat(name, ".gap", sizeof name - strlen(name) - 1);
		if (!tv_missing(gap, row))
			add(measures, TV_BOUND_GAP, number, name, "", "", gap->d[row]);
	}
	return 0;
}

/* Of all workers (rtype NULL) or those of a type. */
static void measure_idleness(struct tv_measures *measures, struct tv_run *run, uint32_t number,
			     const struct tv_table *table, const char *rtype)
{
	int64_t makespan = run->tasks.finish - run->tasks.begin;
	tv_int128 worked = 0, whole = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (rtype != NULL && strcmp(tv_table_text(table, "ResourceType", row), rtype) != 0)
			continue;
		worked += tv_table_find(table, "Busy")->i[row]
			+ tv_table_find(table, "Other")->i[row];
		whole += makespan;
	}
	if (whole > 0)
		add(measures, TV_IDLENESS, number, "", "", rtype == NULL ? "" : rtype,
		    100 * (double)(whole - worked) / (double)whole);
}

static int measure_all_idleness(struct tv_measures *measures, struct tv_run *run, uint32_t number,
				struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "idleness", NULL, err);
	const struct tv_tasks *tasks = &run->tasks;

	if (table == NULL)
		return -1;
	measure_idleness(measures, run, number, table, NULL);
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		measure_idleness(measures, run, number, table,
				 tv_pool_text(tasks->pool, tasks->rtype[r].label));
	return 0;
}

/* Tasks of a row's type on all workers; rows of a type follow each other. */
static int64_t tasks_of_type(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *value = tv_table_find(table, "Value");
	const struct tv_column *tasks = tv_table_find(table, "Tasks");
	uint32_t label = tv_label(value, row);
	int64_t sum = 0;

	while (row > 0 && tv_label(value, row - 1) == label)
		row--;
	for (; row < table->nrows && tv_label(value, row) == label; row++)
		sum += tasks->i[row];
	return sum;
}

/* Mean time of executions with a processor, where it was recorded. */
static void measure_clocks(struct tv_measures *measures, struct tv_run *run, uint32_t number)
{
	const struct tv_tasks *tasks = &run->tasks;
	double *mean = tv_type_clocks(tasks);
	size_t n = mean == NULL ? 0 : (size_t)tv_pool_count(tasks->pool) * tasks->nrtypes;

	for (size_t i = 0; i < n; i++)
		if (!isnan(mean[i]))
			add(measures, TV_TYPE_CPU_TIME, number, "",
			    tv_pool_text(tasks->pool, (uint32_t)(i / tasks->nrtypes)),
			    tv_pool_text(tasks->pool, tasks->rtype[i % tasks->nrtypes].label),
			    mean[i]);
	tv_free(mean);
}

static int measure_types(struct tv_measures *measures, struct tv_run *run, uint32_t number,
			 struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "summary", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *value = tv_table_text(table, "Value", row);
		const char *rtype = tv_table_text(table, "ResourceType", row);
		const struct tv_column *sd = tv_table_find(table, "SD");
		int64_t tasks = tv_table_find(table, "Tasks")->i[row];
		int64_t n = tv_table_find(table, "Executions")->i[row];
		int64_t all = tasks_of_type(table, row);
		double mean = (double)tv_table_find(table, "Time")->i[row] / (double)n;
		struct tv_measure *duration;

		add(measures, TV_TYPE_TASKS, number, "", value, rtype, (double)tasks);
		if (all > 0)
			add(measures, TV_TYPE_SHARE, number, "", value, rtype,
			    100 * (double)tasks / (double)all);
		duration = add(measures, TV_TYPE_DURATION, number, "", value, rtype, mean);
		duration->n = n;
		duration->sd = tv_missing(sd, row) ? NAN : (double)sd->i[row];
	}
	measure_clocks(measures, run, number);
	return 0;
}

static int measure_ideal(struct tv_measures *measures, struct tv_run *run, uint32_t number,
			 struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "abe", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_column *ideal = tv_table_find(table, "Ideal");

		if (tv_label(tv_table_find(table, "Node"), row) == TV_NONE
		    && !tv_missing(ideal, row))
			add(measures, TV_TYPE_IDEAL, number, "", tv_table_text(table, "Value", row),
			    tv_table_text(table, "ResourceType", row), ideal->d[row]);
	}
	return 0;
}

static int measure_chain(struct tv_measures *measures, struct tv_run *run, uint32_t number,
			 struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "critical-path", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *segment = tv_table_text(table, "Part", row);
		bool task = strcmp(segment, "task") == 0, wait = strcmp(segment, "wait") == 0;
		enum tv_measured kind = wait ? TV_CHAIN_WAIT
				      : task ? TV_CHAIN_TASK
					     : TV_CHAIN_MESSAGE;
		const char *value = task ? tv_table_text(table, "Value", row) : "";
		const char *rtype = task ? tv_table_text(table, "ResourceType", row) : "";
		char name[80] = "";

		if (wait)
			snprintf(name, sizeof name, "chain.wait.%s",
				 tv_table_text(table, "Cause", row));
		add(measures, kind, number, name, value, rtype,
		    (double)tv_table_find(table, "Duration")->i[row]);
		if (task)
			add(measures, TV_CHAIN_STEPS, number, "", value, rtype, 1);
	}
	return 0;
}

bool tv_measures_alike(const struct tv_measure *a, const struct tv_measure *b)
{
	/* Texts of one pool: equal ones are the same. */
	return a->kind == b->kind && a->name == b->name && a->value == b->value
	    && a->rtype == b->rtype;
}

TV_ORDER(by_key, struct tv_measure, kind, text(name), text(value), text(rtype), run)

/* Two parts of one number: segments of a chain; types without name and of an empty name. */
static void join(struct tv_measure *to, const struct tv_measure *part)
{
	if (to->kind != TV_TYPE_DURATION) {
		to->x += part->x;
		return;
	}
	to->x = (to->x * (double)to->n + part->x * (double)part->n) / (double)(to->n + part->n);
	to->n += part->n;
	to->sd = NAN;
}

void tv_measures_sort(struct tv_measures *measures)
{
	size_t n = 0;

	if (measures->n > 0)
		qsort(measures->at, measures->n, sizeof *measures->at, by_key);
	for (size_t i = 0; i < measures->n; i++)
		if (n > 0 && measures->at[n - 1].run == measures->at[i].run
		    && tv_measures_alike(&measures->at[n - 1], &measures->at[i]))
			join(&measures->at[n - 1], &measures->at[i]);
		else
			measures->at[n++] = measures->at[i];
	measures->n = n;
}

/* Where that is a tenth of the run or more. */
static void warn_outside(struct tv_run *run)
{
	int64_t tasks = run->tasks.finish - run->tasks.begin,
		all = tv_threads_length(tv_run_threads(run));

	if (run->tasks.ncounted > 0 && all - tasks > all / 10)
		tv_run_warn(run,
			    "the tasks take %.3f of %.3f ms: what threads do before and after them "
			    "is not compared",
			    (double)tasks / 1e6, (double)all / 1e6);
}

int tv_measure_run(struct tv_measures *measures, struct tv_run *run, uint32_t number,
		   const char *weights, struct tv_error *err)
{
	warn_outside(run);
	measure_workers(measures, &run->tasks, number);
	if (measure_bounds(measures, run, number, NULL, "", err) < 0
	    || (weights != NULL
		&& measure_bounds(measures, run, number, weights, ".weighted", err) < 0)
	    || measure_all_idleness(measures, run, number, err) < 0
	    || measure_types(measures, run, number, err) < 0
	    || measure_ideal(measures, run, number, err) < 0)
		return -1;
	return measure_chain(measures, run, number, err);
}

int tv_measure_factors(struct tv_measures *measures, struct tv_run *run, uint32_t number,
		       struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "efficiency", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_column *efficiency = tv_table_find(table, "Efficiency");
		char name[80];

		if (tv_missing(efficiency, row))
			continue;
		snprintf(name, sizeof name, "efficiency.%s", tv_table_text(table, "Name", row));
		for (char *blank = name; (blank = strchr(blank, ' ')) != NULL;)
			*blank = '-';
		add(measures, TV_EFFICIENCY, number, name, "", "", 100 * efficiency->d[row]);
	}
	return 0;
}

/* ---- of threads ---- */

/* Calls that the time of a run does not contain. */
static bool is_outside(const char *call)
{
	return strncmp(call, "MPI_Init", 8) == 0 || strcmp(call, "MPI_Finalize") == 0
	    || strcmp(call, "run") == 0;
}

static int measure_calls(struct tv_measures *measures, struct tv_run *run, uint32_t number,
			 struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "callprofile", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_column *count = tv_table_find(table, "Count");
		const char *call = tv_table_text(table, "Call", row);

		if (is_outside(call))
			continue;
		add(measures, TV_CALL_TIME, number, "", call, "",
		    (double)tv_table_find(table, "Time")->i[row]);
		if (!tv_missing(count, row))
			add(measures, TV_CALL_COUNT, number, "", call, "", (double)count->i[row]);
	}
	return 0;
}

static int measure_states(struct tv_measures *measures, struct tv_run *run, uint32_t number,
			  struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "states", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *value = tv_table_text(table, "Value", row),
			   *rtype = tv_table_text(table, "ResourceType", row);

		if (strcmp(tv_table_text(table, "Nature", row), "state") != 0)
			continue;
		add(measures, TV_STATE_TIME, number, "", value, rtype,
		    (double)tv_table_find(table, "Time")->i[row]);
		add(measures, TV_STATE_COUNT, number, "", value, rtype,
		    (double)tv_table_find(table, "Records")->i[row]);
	}
	return 0;
}

/* What the threads of each rank work, and which share of their time those that call MPI are in calls. */
static void measure_ranks(struct tv_measures *measures, struct tv_run *run, uint32_t number)
{
	const struct tv_threads *threads = tv_run_threads(run);
	const struct tv_calls *calls = tv_run_calls(run);

	for (uint32_t k = 0; k < calls->nranks; k++) {
		const char *rank = tv_pool_text(run->trace->pool, calls->rank[k]);
		double work = 0, in_mpi = 0, all = 0;

		for (uint32_t i = 0; i < threads->n; i++) {
			const struct tv_thread *thread = &threads->at[i];

			if (thread->node != calls->rank[k])
				continue;
			work += (double)thread->useful;
			in_mpi += (double)thread->time[TV_THREAD_MPI];
			all += thread->calls ? (double)(thread->end - thread->begin) : 0;
		}
		add(measures, TV_RANK_WORK, number, "", rank, "", work);
		if (all > 0)
			add(measures, TV_RANK_MPI, number, "", rank, "", 100 * in_mpi / all);
	}
}

int tv_measure_threads(struct tv_measures *measures, struct tv_run *run, uint32_t number,
		       struct tv_error *err)
{
	const struct tv_threads *threads = tv_run_threads(run);

	add(measures, TV_MAKESPAN, number, "", "", "", (double)tv_threads_length(threads));
	add(measures, TV_WORKERS, number, "threads", "", "", threads->n);
	if (tv_measure_factors(measures, run, number, err) < 0)
		return -1;
	measure_ranks(measures, run, number);
	if (tv_trace_table(run->trace, TV_CALLS)->nrows > 0
	    && measure_calls(measures, run, number, err) < 0)
		return -1;
	return tv_trace_table(run->trace, TV_STATES)->nrows > 0
		     ? measure_states(measures, run, number, err)
		     : 0;
}

void tv_measures_release(struct tv_measures *measures)
{
	tv_free(measures->at);
	*measures = (struct tv_measures){ 0 };
}
