/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulation.h -- a run as the input of a simulation (sim/engine.h): its graph, its machine, how
 * long each job takes where.
 *
 * Work is what the run counts as tasks (app). Ghosts, setup and runtime tasks take no time; a
 * message takes the time that it took. With several nodes a task stays on its node, as the owner of
 * its data decides. A task that another one created while it ran (nested tasks) is created after the
 * same share of its creator's time, and then submitted.
 */
#ifndef TV_SIMULATION_H
#define TV_SIMULATION_H

#include "analysis/shared/durations.h"
#include "sim/engine.h"
#include "sim/schedulers.h"

/* Durations of each job: as it ran where it ran, the mean of its pair elsewhere; or of its pair. */
#define TV_SIMULATED_DURATIONS "trace|mean|median|minimum"

struct tv_simulation_options {
	const char *scheduler;	  /* a name of tv_schedulers */
	const char *resources;	  /* "CPU=64,CUDA=2" on each node; NULL = as recorded */
	const char *durations;	  /* a word of TV_SIMULATED_DURATIONS */
	const char *submission;	  /* "trace", "all-at-once" or "window:N" */
	const char *const *speed; /* "EXPR=FACTOR": durations of tasks for which EXPR holds, with
				     the ResourceType on which they run, are divided by FACTOR */
	size_t nspeeds;
	const char *add;    /* "CPU=1": workers besides those, on each node; NULL = none */
	bool free_messages; /* messages take no time */
};

struct tv_simulated_worker {
	uint32_t rtype, node; /* indexes into tasks->rtype and tasks->node of the run */
	char *name;	      /* owned */
};

struct tv_simulation {
	const struct tv_dag *dag; /* nodes of the graph are those of the dag */
	struct tv_sim_machine machine;
	struct tv_simulated_worker *worker;
	struct tv_sim_schedule schedule;
};

/* The value of --submission: 0, and *window (0 = none) and *recorded; -1 if it is not understood. */
int tv_submission_parse(const char *text, uint32_t *window, bool *recorded) TV_MUST_CHECK;

/*
 * Simulates the run. -1 with *err: parallel tasks (teams), an unknown resource type, a task type
 * that never ran on a resource type of the machine, a replay on another machine.
 */
int tv_simulation_init(struct tv_simulation *simulation, struct tv_run *run,
		       const struct tv_simulation_options *options,
		       struct tv_error *err) TV_MUST_CHECK;
/*
 * The trace of the simulated run: tasks (with the columns of the recorded ones that a simulation does
 * not change), ghosts, messages, resources and meta. t = 0 is that of the recorded run. Initializes
 * *out; it is complete.
 */
int tv_simulation_trace(const struct tv_simulation *simulation, const struct tv_run *run,
			const struct tv_simulation_options *options, struct tv_trace *out,
			struct tv_error *err) TV_MUST_CHECK;
void tv_simulation_release(struct tv_simulation *simulation); /* safe on a zeroed struct */

#endif
