/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulated_platform.h -- a platform as the machine of a simulation: its cores are the workers, of the
 * resource type CPU; its memories and last-level caches for the models of sim/numa.h.
 */
#ifndef TV_SIMULATED_PLATFORM_H
#define TV_SIMULATED_PLATFORM_H

#include "sim/model/simulator.h"
#include "sim/numa.h"

#define TV_PLATFORM_TYPE "CPU"

/* What the user asks for; texts as on the command line, NULL = the default. */
struct tv_platform_options {
	struct tv_platform *platform; /* NULL = none */
	const char *name;	      /* of the platform */
	const char *model;	      /* "task", "comm-2020", "comm", "comm-cache" */
	const char *overlap;	      /* "0.6", "gemm=0.6,trsm=0.1" (task types or programs): rho */
	const char *placement;	      /* "first-touch", "round-robin", "random", "trace" */
	uint64_t seed;		      /* of random */
	const char *scratch;	      /* "128KiB" */
	const char *crosstraffic;     /* "yes", "no"; NULL = as the platform says */
	bool caches; /* the policy looks at caches: they are simulated with the model task, too */
};

struct tv_simulated_platform {
	bool simulated; /* memory accesses take time, or caches are needed: the rest is in use */
	const struct tv_simulated_accesses *data; /* of the simulator */
	struct tv_sim_numa numa;
	/* Other arrays of numa. */
	uint32_t *memory_of, *cache_of, *memory, *cache, *home;
	struct tv_sim_access *access;
	int64_t *capacity;
	double *overlap;
};

/* The core (host) of each worker, in the order of the platform, *n of them: the first as `resources`
 * (CPU=N) says, or all. The caller frees it. NULL with *err. */
uint32_t *tv_platform_cores(const struct tv_platform *platform, const char *resources, uint32_t *n,
			    struct tv_error *err) TV_MUST_CHECK;
/* The types of the platform's workers as TYPE=1,...: the kinds of its cores, where it has several and durations
 * for them may exist, which are resource types of the run or, if `given`, of --durations-from or --gflops;
 * CPU for other cores. The caller frees it. */
char *tv_platform_types(const struct tv_platform *platform, const struct tv_tasks *tasks,
			bool given);
/* Whether workers have the kinds of their cores as types: some task has a duration on one. */
bool tv_platform_by_kind(const struct tv_platform *platform, const struct tv_costs *costs);
/* The resource type, an index of costs, of workers on a core (host). TV_NONE with *err: no task has a duration
 * on that kind, but some have on other kinds. */
uint32_t tv_platform_rtype(const struct tv_platform *platform, uint32_t core, bool by_kind,
			   const struct tv_costs *costs, struct tv_error *err) TV_MUST_CHECK;
/* "CPU=19.79": GFlop/s of the slowest core, if all have a speed, else NULL. The caller frees it. */
char *tv_platform_gflops(const struct tv_platform *platform);

/* Whether the options fit each other and have the forms that they need. -1 with *err (usage). */
int tv_simulated_platform_check(const struct tv_platform_options *options,
				struct tv_error *err) TV_MUST_CHECK;
/* -1 with *err: options that are not understood or have no effect; what the model needs and the
 * platform or the trace does not have. */
int tv_simulated_platform_init(struct tv_simulated_platform *simulated,
			       struct tv_simulator *simulator,
			       const struct tv_platform_options *options, const uint32_t *core,
			       uint32_t nworkers, struct tv_error *err) TV_MUST_CHECK;
void tv_simulated_platform_release(struct tv_simulated_platform *simulated); /* safe if zeroed */

#endif
