/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policies.h -- what each scheduling policy gives on the machine of a run, and which is nearest to the run. */
#ifndef TV_POLICIES_H
#define TV_POLICIES_H

#include "sim/model/simulation.h"

enum { TV_POLICIES_MAX = 16 };

struct tv_policy_time {
	const char *name;
	int64_t makespan; /* ns */
};

struct tv_policies {
	struct tv_policy_time at[TV_POLICIES_MAX];
	uint32_t n;
	const struct tv_policy_time
		*nearest;   /* of equal ones that of the run, else the first; points into at */
	const char *of_run; /* of tv_policy_of_run */
};

/* The policy that simulates the scheduler which the trace names (meta SchedulerPolicy); NULL = none does. */
const char *tv_policy_of_run(const struct tv_trace *trace);
/* Whether a makespan, that of a policy, is nearer to the recorded one than the nearest so far; of equal ones the run's own policy is. */
bool tv_policy_is_nearer(int64_t recorded, const char *name, int64_t makespan, int64_t nearest,
			 const char *of_run);

/* Whether that policy is simulated: not replay, those of caches, where transfers are not simulated those that count them (without them
 * these are dm and dms), and where workers leave before the end those that place tasks when these are released. */
bool tv_policy_is_tried(const struct tv_scheduler *of, bool transfers, bool leave);

/*
 * Simulates, with the durations of the simulator and tasks submitted as recorded, all policies that are tried. recorded: makespan of the
 * run, ns. -1 with
 * *err: as tv_simulation_init. Cost: that many simulations, on several threads (trace/parallel.h).
 */
int tv_policies_init(struct tv_policies *policies, struct tv_simulator *simulator, int64_t recorded,
		     struct tv_error *err) TV_MUST_CHECK;
/*
 * The same as items of work (trace/parallel.h): tv_policy_runs_simulate for each i < policies->n, in any order and on any thread,
 * between init and end. Neither policies nor runs may move. fit: whether n simulations at once need no more than half of the
 * memory that is left. named: as tv_simulation_run, whose errors end returns.
 */
struct tv_policy_runs {
	struct tv_policies *policies;
	struct tv_policy_run {
		struct tv_simulation simulation;
		const struct tv_policy_time *same; /* instead of a simulation; NULL = none */
		int rc;
		struct tv_error err;
	} at[TV_POLICIES_MAX];
};
int tv_policy_runs_init(struct tv_policy_runs *runs, struct tv_policies *policies,
			struct tv_simulator *simulator, struct tv_error *err) TV_MUST_CHECK;
void tv_policy_runs_simulate(struct tv_policy_runs *runs, size_t i, bool named);
/* Which one is the i-th to be simulated, so that several threads end soon and need little memory beside other work, which needs more and more:
 * first those that keep a path of each task, then those of the last policies of the table, which take longest. */
size_t tv_policy_runs_turn(const struct tv_policy_runs *runs, size_t i);
bool tv_policy_runs_fit(const struct tv_simulator *simulator, size_t n);
int tv_policy_runs_end(struct tv_policy_runs *runs, int64_t recorded,
		       struct tv_error *err) TV_MUST_CHECK;
void tv_policy_runs_release(
	struct tv_policy_runs *runs); /* safe on a zeroed struct and after end */
/* Those of a run that has tasks, with the durations of the run. present: as of the simulator. -1 with *err. */
int tv_policies_of_run(struct tv_policies *policies, struct tv_run *run,
		       const struct tv_sim_presence *present, struct tv_error *err) TV_MUST_CHECK;

struct tv_makespan_range {
	int64_t low, high; /* ns */
};
/*
 * The makespans that are likely with these options, whose scheduler is the nearest policy and which give `simulated`, since
 * which policy the runtime has is not known: from the least to the greatest of the policies that are within 5 % of the
 * run, or as near as the nearest one; the least divided, the greatest multiplied by the factor by which the nearest one
 * misses the run, at least 1.01; low not below the area bound and the longest chain. An unchanged run is in the range.
 * -1 with *err. Cost: a simulation for each of these policies.
 */
int tv_policies_range(struct tv_makespan_range *range, const struct tv_policies *policies,
		      int64_t recorded, struct tv_simulator *simulator,
		      const struct tv_simulation_options *options,
		      const struct tv_simulation *simulated, struct tv_error *err) TV_MUST_CHECK;

#endif
