/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decide.h -- a decision of a dm* policy while it is being made: estimate.c fills it, decide.c writes it. */
#ifndef TV_RECORD_STARPU_DECIDE_H
#define TV_RECORD_STARPU_DECIDE_H

#include "record/loaded/starpu/probe.h"

/* ---- StarPU's private structs: 1.3.0 to 1.3.11, 1.4.0 to 1.4.12 ---- */

struct tv_starpu_queue {
	struct starpu_task_list tasks;
	unsigned ntasks, pipeline_tasks; /* the second: padding before 1.3.11 */
	unsigned *tasks_of_level;
	unsigned processed;
	double start, end, length, *length_of_level, pipeline;
};

struct tv_starpu_data {
	double alpha, beta, gamma, idle_power;
#if TV_STARPU_MINOR >= 4
	struct tv_starpu_queue queue[STARPU_NMAXWORKERS];
#else
	struct tv_starpu_queue **queue;
#endif
	long counts[3];
	int levels; /* of priorities; -1: any number */
};

/* ---- a decision ---- */

/* Times in us; NaN = unknown. */
struct tv_starpu_candidate {
	unsigned worker, impl;
	int64_t tasks; /* -1 = unknown */
	double available, length, transfer, energy, end, fitness, queue, pipeline;
	bool kept;
};

struct tv_starpu_decision {
	_Atomic(struct starpu_task *) task; /* NULL = free */
	struct tv_starpu_data *data;	    /* NULL = unknown */
	bool by_priority;
	bool closed; /* the task is in a queue, and may have gone */
	double now;
	int worker; /* chosen; -1 = unknown */
	unsigned impl;
	double transfer_left;
	uint64_t order, job;
	int64_t time; /* of the log, when the task was in the queue */
	struct tv_starpu_candidate *candidate;
	unsigned n, cap;
	/* The worker that is being considered, and its queue. */
	unsigned current;
	struct tv_starpu_queue queue;
	bool has_queue;
	bool seen[STARPU_NMAXWORKERS]; /* considered so far */
};

/* The decision on a task that is being made, NULL = none. */
struct tv_starpu_decision *tv_starpu_find_decision(const struct starpu_task *task);
/* The one that this thread has begun and that has no time yet; NULL = none. */
extern __thread struct tv_starpu_decision *tv_starpu_begun
	__attribute__((tls_model("initial-exec")));

#endif
