/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pop.c -- the metrics of POP, in which all workers are equal. */
#include "analysis/efficiency/pop.h"

#include <math.h>

#include "analysis/core/lateness.h"
#include "analysis/core/spans.h"
#include "trace/alloc.h"
#include "trace/devices.h"

const char *tv_pop_name(enum tv_pop_metric metric)
{
	static const char *const name[] = {
#define NAME(symbol, name, what) name,
		TV_POP_METRICS(NAME)
#undef NAME
	};

	return name[metric];
}

const char *tv_pop_what(enum tv_pop_metric metric)
{
	static const char *const what[] = {
#define WHAT(symbol, name, what) what,
		TV_POP_METRICS(WHAT)
#undef WHAT
	};

	return what[metric];
}

/* The mean busy time of workers, ns; negative with *err. */
static long double mean_busy(struct tv_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_table *idleness = tv_run_pass(run, "idleness", NULL, err);
	long double mean = 0;

	for (uint32_t w = 0; idleness != NULL && w < tasks->nworkers; w++)
		mean += (long double)tv_table_find(idleness, "Busy")->i[w] / tasks->nworkers;
	return idleness != NULL ? mean : -1;
}

/* ---- devices ---- */

static void set(struct tv_pop *pop, enum tv_pop_metric metric, double value)
{
	pop->has[metric] = true;
	pop->value[metric] = value;
}

/* How long threads are in calls of the devices' runtime: the mean of those with such calls, NaN = none has any. */
static double mean_in_runtime(struct tv_run *run, struct tv_span in)
{
	const struct tv_table *states = tv_trace_table(run->trace, TV_STATES);
	const struct tv_column *thread = tv_table_find(states, "ResourceId"),
			       *type = tv_table_find(states, "Type"),
			       *start = tv_table_find(states, "Start"),
			       *end = tv_table_find(states, "End");
	uint32_t *place = tv_alloc(states->nrows, sizeof *place), nthreads = 0;
	struct tv_span *span;
	struct tv_index known = { 0 };
	struct tv_groups groups;
	double sum = 0;

	for (uint32_t row = 0; row < states->nrows; row++) {
		uint32_t *of = &place[row];

		*of = TV_NONE;
		if (tv_missing(thread, row) || tv_missing(type, row) || tv_missing(start, row)
		    || tv_missing(end, row)
		    || !tv_is_device_runtime(tv_pool_text(type->pool, tv_label(type, row))))
			continue;
		*of = tv_index_get(&known, tv_label(thread, row));
		if (*of == TV_NONE)
			tv_index_set(&known, tv_label(thread, row), *of = nthreads++);
	}
	tv_groups_init(&groups, place, states->nrows, nthreads);
	span = tv_alloc(tv_groups_max(&groups), sizeof *span);
	for (uint32_t t = 0; t < nthreads; t++) {
		uint32_t n = groups.first[t + 1] - groups.first[t];

		for (uint32_t i = 0; i < n; i++) {
			uint32_t row = groups.row[groups.first[t] + i];

			span[i] = (struct tv_span){ start->i[row], end->i[row] };
		}
		n = tv_spans_merge(span, n, in);
		sum += (double)tv_spans_within(span, n, in);
	}
	tv_free(span);
	tv_groups_release(&groups);
	tv_free(known.at);
	tv_free(place);
	return nthreads > 0 ? sum / nthreads : NAN;
}

static int add_devices(struct tv_pop *pop, struct tv_run *run, double makespan,
		       struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_column *copies, *kernels, *both;
	const struct tv_table *table;
	double sum = 0, most = 0, active = 0, calls;
	bool *device = tv_on_device(tasks), any = false;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		any = any || device[w];
	tv_free(device);
	if (!any)
		return 0;
	table = tv_run_pass_with(run, "overlap", err, "by", "device", NULL);
	if (table == NULL)
		return -1;
	copies = tv_table_find(table, "CopyTime");
	kernels = tv_table_find(table, "KernelTime");
	both = tv_table_find(table, "OverlapTime");
	for (uint32_t row = 0; row < table->nrows; row++) {
		double kernel = (double)kernels->i[row];

		sum += kernel;
		most = fmax(most, kernel);
		active = fmax(active, kernel + (double)(copies->i[row] - both->i[row]));
	}
	set(pop, TV_POP_DEVICE, sum / table->nrows / makespan);
	set(pop, TV_POP_DEVICE_LOAD_BALANCE, sum / table->nrows / most);
	set(pop, TV_POP_DEVICE_COMMUNICATION, most / active);
	set(pop, TV_POP_ORCHESTRATION, active / makespan);
	calls = mean_in_runtime(run, (struct tv_span){ tasks->begin, tasks->finish });
	if (!isnan(calls))
		set(pop, TV_POP_OFFLOAD, 1 - calls / makespan);
	return 0;
}

int tv_pop_init(struct tv_pop *pop, struct tv_run *run, const struct tv_ladder *ladder,
		struct tv_error *err)
{
	long double makespan = ladder->time[TV_LADDER_RUNG_RECORDED],
		    max = ladder->time[TV_LADDER_RUNG_GRAPH];
	long double ideal = ladder->time[TV_LADDER_RUNG_TRANSFER], mean;
	long double out = ladder->outside, out_max = ladder->outside_max;
	const char *missing = ladder->missing[TV_LADDER_RUNG_TRANSFER];

	mean = run->tasks.ncounted > 0 ? mean_busy(run, err) : ladder->time[TV_LADDER_RUNG_NODES];
	if (mean < 0)
		return -1;
	*pop = (struct tv_pop){
		.value = { [TV_POP_PARALLEL] = (double)(mean / makespan),
			   [TV_POP_LOAD_BALANCE] = (double)(mean / max),
			   [TV_POP_COMMUNICATION] = (double)(max / makespan),
			   [TV_POP_SERIALIZATION] = (double)(max / ideal),
			   [TV_POP_TRANSFER] = (double)(ideal / makespan),
			   [TV_POP_MPI] = (double)(out / makespan),
			   [TV_POP_MPI_LOAD_BALANCE] = (double)(out / out_max),
			   [TV_POP_MPI_COMMUNICATION] = (double)(out_max / makespan),
			   [TV_POP_OPENMP] = (double)(1 - ladder->paused / makespan) },
		.missing = { [TV_POP_SERIALIZATION] = missing, [TV_POP_TRANSFER] = missing }
	};
	for (int i = 0; i <= TV_POP_OPENMP; i++)
		pop->has[i] = i < TV_POP_MPI || ladder->paused > 0;
	return run->tasks.ncounted > 0 ? add_devices(pop, run, (double)makespan, err) : 0;
}
