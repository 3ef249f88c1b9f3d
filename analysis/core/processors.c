/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processors.c -- how many processors the workers of a run may use, and how long their tasks had one. */
#include "analysis/core/processors.h"

#include <math.h>

#include "analysis/core/columns.h"
#include "trace/alloc.h"
#include "trace/cpuset.h"
#include "trace/map.h"

/* The processors of each machine that have a worker. */
struct machines {
	struct tv_map of_label;
	struct tv_cpuset *cpus;
	uint32_t n;
	uint32_t *of_worker; /* TV_NONE: it is not bound */
};

/* Whether the trace was recorded by `record`, which names hosts where there are several. */
static bool is_recorded(const struct tv_trace *trace)
{
	size_t n;
	const char *format = tv_meta_get(trace, "Format", &n);

	return format != NULL && n == strlen("tvlog") && memcmp(format, "tvlog", n) == 0;
}

static void add_bindings(struct machines *machines, const struct tv_tasks *tasks)
{
	const struct tv_table *table = &tasks->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *cpuset = tv_table_find(table, "Cpuset"),
			       *host = tv_table_find(table, "Host");
	bool one = is_recorded(tasks->trace);
	uint32_t *worker_of;

	if (id == NULL || cpuset == NULL)
		return;
	worker_of = tv_tasks_worker_of_label(tasks);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t label = tv_label(id, row), *index,
			 w = label == TV_NONE ? TV_NONE : worker_of[label];
		uint64_t machine;
		struct tv_cpuset cpus;
		size_t n;
		const char *text = tv_string(cpuset, row, &n);

		/* Checked when the trace was completed. */
		if (w == TV_NONE || n == 0 || tv_cpuset_parse(&cpus, text, n) < 0)
			continue;
		machine = host != NULL && !tv_missing(host, row) ? tv_label(host, row)
			: one					 ? TV_NONE
			      : tasks->node[tasks->workers[w].node].label;
		index = tv_map_at(&machines->of_label, machine, 0);
		if (*index == TV_NONE)
			*index = machines->n++;
		machines->of_worker[w] = *index;
		tv_cpuset_add_all(&machines->cpus[*index], &cpus);
		tv_cpuset_release(&cpus);
	}
	tv_free(worker_of);
}

/* A thread may have been moved after its binding was read. */
static void add_used(struct machines *machines, const struct tv_tasks *tasks, const char *name)
{
	const struct tv_column *cpu = tv_table_find(&tasks->trace->table[TV_TASKS], name);

	for (uint32_t row = 0; cpu != NULL && row < tasks->n; row++) {
		struct tv_cpuset *cpus;
		uint32_t machine;
		int64_t at;

		if (!tasks->executed[row] || tv_missing(cpu, row))
			continue;
		machine = machines->of_worker[tasks->worker[row]];
		at = tv_number(cpu, row);
		if (machine == TV_NONE || at < 0 || at >= TV_CPUS_MAX)
			continue;
		cpus = &machines->cpus[machine];
		if (!tv_cpuset_has(cpus, (uint32_t)at))
			tv_cpuset_add(cpus, (uint32_t)at, (uint32_t)at);
	}
}

uint32_t tv_processors(const struct tv_tasks *tasks)
{
	struct machines machines = { 0 };
	uint32_t n = 0;
	bool known = true;

	machines.cpus = tv_alloc(tasks->nworkers, sizeof *machines.cpus);
	machines.of_worker = tv_alloc(tasks->nworkers, sizeof *machines.of_worker);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		machines.of_worker[w] = TV_NONE;
	add_bindings(&machines, tasks);
	add_used(&machines, tasks, "Cpu");
	add_used(&machines, tasks, "CpuEnd");
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		known &= machines.of_worker[w] != TV_NONE;
	for (uint32_t i = 0; i < machines.n; i++) {
		n += tv_cpuset_count(&machines.cpus[i]);
		tv_cpuset_release(&machines.cpus[i]);
	}
	tv_free(machines.cpus);
	tv_free(machines.of_worker);
	tv_map_release(&machines.of_label);
	return known ? n : 0;
}

bool tv_task_clock(const struct tv_tasks *tasks, const struct tv_column *clock, uint32_t row,
		   double *ns)
{
	return clock != NULL && tv_task_time(tasks, row) == tv_row_time(tasks, row)
	    && tv_cell_number(clock, row, ns) && *ns >= 0;
}

struct tv_clocks tv_clocks(const struct tv_tasks *tasks)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];

	return (struct tv_clocks){ tasks, tv_table_find(table, "task-clock"),
				   tv_table_find(table, "voluntary-switches") };
}

static bool row_clock(const struct tv_clocks *clocks, uint32_t row, double *ns, bool *slept)
{
	const struct tv_tasks *tasks = clocks->tasks;
	double time = (double)tv_row_time(tasks, row), switches;

	if (!tasks->counted[row] || !tv_row_ended(tasks, row)
	    || !tv_task_clock(tasks, clocks->clock, row, ns))
		return false;
	*ns = *ns < time ? *ns : time;
	*slept = clocks->slept != NULL && tv_cell_number(clocks->slept, row, &switches)
	      && switches > 0;
	return true;
}

bool tv_row_on_cpu(const struct tv_clocks *clocks, uint32_t row, double *ns)
{
	bool slept;

	return row_clock(clocks, row, ns, &slept) && !slept;
}

bool tv_row_slept(const struct tv_clocks *clocks, uint32_t row, double *ns)
{
	bool slept;

	return row_clock(clocks, row, ns, &slept) && slept;
}

struct tv_clocked tv_clocked(const struct tv_tasks *tasks, struct tv_clocked *by)
{
	const struct tv_clocks clocks = tv_clocks(tasks);
	struct tv_clocked sum = { 0 };
	double on_cpu;

	for (uint32_t row = 0; clocks.clock != NULL && row < tasks->n; row++) {
		double time = (double)tv_row_time(tasks, row);

		if (!tv_row_on_cpu(&clocks, row, &on_cpu))
			continue;
		sum.time += time;
		sum.on_cpu += on_cpu;
		if (by != NULL) {
			by[tasks->worker[row]].time += time;
			by[tasks->worker[row]].on_cpu += on_cpu;
		}
	}
	sum.preempted = sum.time > 0 ? 1 - sum.on_cpu / sum.time : 0;
	return sum;
}

double *tv_type_clocks(const struct tv_tasks *tasks)
{
	const struct tv_clocks clocks = tv_clocks(tasks);
	size_t n = (size_t)tv_pool_count(tasks->pool) * tasks->nrtypes;
	struct sum {
		double time, known, on_cpu, n;
	} * sum;
	double *mean;

	if (clocks.clock == NULL)
		return NULL;
	sum = tv_alloc(n, sizeof *sum);
	mean = tv_alloc(n, sizeof *mean);
	for (uint32_t row = 0; row < tasks->n; row++) {
		double time = (double)tv_row_time(tasks, row), on_cpu;
		struct sum *of;

		if (!tasks->counted[row] || tasks->value[row] == TV_NONE)
			continue;
		of = &sum[(size_t)tasks->value[row] * tasks->nrtypes
			  + tasks->workers[tasks->worker[row]].rtype];
		of->time += time;
		if (!tv_row_on_cpu(&clocks, row, &on_cpu))
			continue;
		of->known += time;
		of->on_cpu += on_cpu;
		of->n++;
	}
	for (size_t i = 0; i < n; i++)
		mean[i] = sum[i].n > 0 && sum[i].known >= 0.9 * sum[i].time
				? sum[i].on_cpu / sum[i].n
				: NAN;
	tv_free(sum);
	return mean;
}
