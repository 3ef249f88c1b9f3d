/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pop.c -- the metrics of POP, in which all workers are equal. */
#include "analysis/efficiency/pop.h"

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
		.n = ladder->paused > 0 ? TV_NPOP : TV_POP_MPI,
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
	return 0;
}
