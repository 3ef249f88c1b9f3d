/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate_submission.c -- how much shorter the run would be if all tasks were submitted at the start. */
#include "analysis/diagnose/estimate.h"

/* All tasks are submitted at the start: of a policy, or (NULL) of the replay. */
static int estimate_at_once(struct tv_potentials *p, enum tv_without without,
			    const struct tv_policy_time *of, struct tv_potential *potential,
			    struct tv_error *err)
{
	struct tv_sim_presence *present = tv_estimate_presence(p, of);
	struct tv_simulator other = p->simulator;
	int64_t makespan;
	int rc;

	other.present = present;
	rc = tv_estimate_on(p, &other, without, of != NULL ? of->name : "replay", "all-at-once",
			    &makespan, err);
	tv_free(present);
	if (rc < 0)
		return -1;
	tv_estimate_judge(
		p, without, of, makespan,
		of == NULL ? tv_strdup("replay, all tasks submitted at the start")
			   : tv_format("policy %s, which comes nearest to the recorded length; all "
				       "tasks submitted at the start",
				       of->name),
		potential);
	return 0;
}

int tv_estimate_submitted(struct tv_potentials *p, struct tv_potential *potential,
			  struct tv_error *err)
{
	return tv_estimate_nearest_or_larger(p, TV_WITHOUT_SUBMISSION, estimate_at_once, potential,
					     err);
}

void tv_estimate_barriers(struct tv_potentials *p, struct tv_potential *potential)
{
	const struct tv_potential *of = tv_potential_without(p, TV_WITHOUT_SUBMISSION);

	potential->ns = of->ns;
	potential->simulated = of->simulated;
	potential->was = of->was;
	potential->method = tv_strdup(
		of->ns == TV_UNKNOWN && p->usable && tv_depend_on_waits(p->simulator.dag)
			? "not estimated: tasks depend on these waits, and simulations keep "
			  "dependencies"
			: of->method);
}
