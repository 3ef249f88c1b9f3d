/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processors.h -- how many processors the workers of a run may use, and how long their tasks had one. */
#ifndef TV_PROCESSORS_H
#define TV_PROCESSORS_H

#include "trace/tasks.h"

/*
 * The processors to which the workers are bound, each counted once per machine, with those on which their
 * tasks ran; 0 if a worker has no Cpuset. Workers are on the machine that their Host names; without that
 * those of a recording are on one machine, others on one per node. Cost O(rows of resources and of tasks).
 */
uint32_t tv_processors(const struct tv_tasks *tasks);

/*
 * CPU time of an execution, ns, from its column task-clock (NULL = none). False: not recorded, or only for all segments
 * of a task together.
 */
bool tv_task_clock(const struct tv_tasks *tasks, const struct tv_column *clock, uint32_t row,
		   double *ns);

/*
 * How long an execution that ended had a processor, ns, at most what it took. False: not known, or it gave its processor up
 * itself. clocks: of tv_clocks.
 */
struct tv_clocks {
	const struct tv_tasks *tasks;
	const struct tv_column *clock, *slept; /* NULL = the trace has none */
};
struct tv_clocks tv_clocks(const struct tv_tasks *tasks);
bool tv_row_on_cpu(const struct tv_clocks *clocks, uint32_t row, double *ns);
/* The same of one that gave its processor up itself, as it slept or waited. False: not known, or it did not. */
bool tv_row_slept(const struct tv_clocks *clocks, uint32_t row, double *ns);

/* Time of tasks of which tv_row_on_cpu is known, and of it with a processor, ns. */
struct tv_clocked {
	double time, on_cpu;
	double preempted; /* share of time without; 0 = not known */
};

/* by: the same by worker, zeroed before; NULL = not asked for. */
struct tv_clocked tv_clocked(const struct tv_tasks *tasks, struct tv_clocked *by);

/*
 * Mean time with a processor of the executions of a type on a type of workers, ns, at [label of the type x tasks->nrtypes + type of
 * workers]; NaN where it is not known of 90 % of their time. Owned; NULL = the trace has no task-clock. Cost O(rows + labels).
 */
double *tv_type_clocks(const struct tv_tasks *tasks);

#endif
