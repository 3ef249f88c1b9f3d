/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulation.h -- a run, or a planned graph, as the input of a simulation (sim/engine.h).
 *
 * Work is what the run counts as tasks (app), and planned tasks. Ghosts, setup and runtime tasks take
 * no time; a message takes the time that it took. With several nodes a task stays on its node, as the
 * owner of its data decides. A task that another one created while it ran (nested tasks) is created
 * after the same share of its creator's time, and then submitted.
 */
#ifndef TV_SIMULATION_H
#define TV_SIMULATION_H

#include "sim/engine.h"
#include "sim/model/simulated_memory.h"
#include "sim/model/simulated_platform.h"
#include "sim/schedulers.h"

#define TV_PIPELINE 2 /* as StarPU's workers of GPUs */

struct tv_simulation_options {
	const char *scheduler;	/* a name of tv_schedulers */
	const char *resources;	/* "CPU=64,CUDA=2" on each node; NULL = as recorded */
	const char *add;	/* "CPU=1": workers besides those, on each node; NULL = none */
	const char *submission; /* "trace", "all-at-once" or "window:N" */
	const char
		*transfers; /* "free", "fit", "latency=T,bandwidth=B"; NULL = as the run allows */
	const char *memory; /* "CUDA=8GB,...": limits of memory nodes; NULL = none */
	uint64_t pipeline;  /* tasks that a worker outside main memory may have; 0 = TV_PIPELINE
				where transfers take time */
	const char *data_size; /* "2MiB": of data without size; NULL = 0 bytes, with a warning */
	bool free_messages;    /* messages take no time */
	bool makespan_only;    /* of the schedule, which then makes no trace */
	const char *grain; /* as of tv_regrain, which made the run that is simulated; NULL = none */
	struct tv_cost_options costs;
	struct tv_platform_options
		on; /* with a platform, `resources` takes the first of its cores */
};

struct tv_simulated_worker {
	uint32_t type, node; /* label; index of the node in the run, 0 where it has none */
	char *name;	     /* owned */
};

struct tv_simulation {
	const struct tv_dag *dag; /* nodes of the graph are those of the dag */
	uint32_t nworkers;
	struct tv_simulated_worker *worker;
	uint32_t *core; /* by worker: host of the platform; NULL without one */
	struct tv_simulated_memory memory;
	struct tv_simulated_platform platform;
	struct tv_sim_schedule schedule;
	struct tv_prepared *prepared; /* until it has run */
	bool held;		      /* as of tv_simulator_order */
};

/* The size of data that have none, bytes; NULL = -1, none is given. -1 with *err (usage). */
int tv_parse_data_size(const char *text, int64_t *size, struct tv_error *err) TV_MUST_CHECK;
/* Whether the options have the forms that they need, whatever the run is; scheduler and those of the platform's model are not
 * looked at, which in a sweep are lists. -1 with *err (usage). */
int tv_simulation_check(const struct tv_simulation_options *options,
			struct tv_error *err) TV_MUST_CHECK;
/*
 * One simulation. The simulator was initialized with the resource types of options->resources and
 * options->add, and stays until the simulation is released. -1 with *err: a task type that no worker
 * can run, a replay on another machine.
 */
int tv_simulation_init(struct tv_simulation *simulation, struct tv_simulator *simulator,
		       const struct tv_simulation_options *options,
		       struct tv_error *err) TV_MUST_CHECK;
/*
 * The same in two steps, without tv_simulator_warn: the first one finds in the run what it needs, in little time; the second one, which
 * takes the time, only reads the simulator, so that another thread may do it while the run computes other results; but the first replay
 * keeps the recorded order in it, so no other one runs beside it. named: an
 * error names tasks, for which no other thread may use the run. The simulation must not move between both. After -1 nothing is
 * left to release.
 */
int tv_simulation_prepare(struct tv_simulation *simulation, struct tv_simulator *simulator,
			  const struct tv_simulation_options *options,
			  struct tv_error *err) TV_MUST_CHECK;
int tv_simulation_run(struct tv_simulation *simulation, bool named,
		      struct tv_error *err) TV_MUST_CHECK;
/*
 * The trace of the simulated run: tasks (with the columns of the recorded ones that a simulation does
 * not change), ghosts, messages, resources and meta; transfers (links) and states of workers that
 * wait for them, if transfers are simulated. t = 0 is that of the recorded run. Initializes
 * *out; it is complete.
 */
int tv_simulation_trace(const struct tv_simulation *simulation, const struct tv_run *run,
			const struct tv_simulation_options *options, struct tv_trace *out,
			struct tv_error *err) TV_MUST_CHECK;
void tv_simulation_release(struct tv_simulation *simulation); /* safe on a zeroed struct */

#endif
