/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policies.c -- what each scheduling policy gives on the machine of a run, and which is nearest to the run. */
#include "sim/model/policies.h"

#include <stdlib.h>

int tv_policies_init(struct tv_policies *policies, struct tv_simulator *simulator, int64_t recorded,
		     struct tv_error *err)
{
	bool transfers = false;

	*policies = (struct tv_policies){ 0 };
	for (uint32_t i = 0; i < tv_nschedulers && policies->n < TV_POLICIES_MAX; i++) {
		const struct tv_scheduler *of = &tv_schedulers[i];
		const struct tv_simulation_options options = { .scheduler = of->name,
							       .submission = "trace" };
		struct tv_policy_time *policy = &policies->at[policies->n];
		struct tv_simulation simulation;

		/* Without transfers, those that count them are dm and dms, which come before them. */
		if (of->place == TV_SIM_RECORDED || of->nearest_of > 0
		    || (of->counts_transfers && !transfers))
			continue;
		if (tv_simulation_init(&simulation, simulator, &options, err) < 0)
			return -1;
		*policy = (struct tv_policy_time){ of->name, simulation.schedule.makespan };
		transfers = simulation.memory.simulated;
		tv_simulation_release(&simulation);
		policies->n++;
		if (policies->nearest == NULL
		    || llabs(policy->makespan - recorded)
			       < llabs(policies->nearest->makespan - recorded))
			policies->nearest = policy;
	}
	return 0;
}

int tv_policy_nearest(struct tv_policy_time *nearest, struct tv_run *run, struct tv_error *err)
{
	const struct tv_cost_options costs = { .durations = "trace" };
	struct tv_simulator simulator;
	struct tv_policies policies;
	int rc = tv_simulator_init(&simulator, run, &costs, NULL, 0, err);

	if (rc == 0)
		rc = tv_policies_init(&policies, &simulator,
				      tv_tasks_ended(&run->tasks) - run->tasks.begin, err);
	if (rc == 0)
		*nearest = *policies.nearest;
	tv_simulator_release(&simulator);
	return rc;
}
