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
	const struct tv_policy_time *nearest; /* the first of equal ones; points into at */
};

/*
 * Simulates, with the durations of the simulator and tasks submitted as recorded, all policies but replay, those of
 * caches, and, where transfers take no time, those that count transfers. recorded: makespan of the run, ns. -1 with
 * *err: as tv_simulation_init. Cost: that many simulations.
 */
int tv_policies_init(struct tv_policies *policies, struct tv_simulator *simulator, int64_t recorded,
		     struct tv_error *err) TV_MUST_CHECK;
/* The nearest one of a run that has tasks, with the durations of the run. -1 with *err. */
int tv_policy_nearest(struct tv_policy_time *nearest, struct tv_run *run,
		      struct tv_error *err) TV_MUST_CHECK;

#endif
