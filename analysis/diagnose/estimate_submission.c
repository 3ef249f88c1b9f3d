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

/* With waits: the program does not wait, and submits as fast as it does else; or it waits, and submits at once between waits. As above. */
static int estimate_waited(struct tv_potentials *p, enum tv_without without,
			   const struct tv_policy_time *of, struct tv_potential *potential,
			   struct tv_error *err)
{
	struct tv_sim_presence *present = tv_estimate_presence(p, of);
	struct tv_simulator other = p->simulator;
	bool barriers = without == TV_WITHOUT_BARRIERS;
	int64_t makespan = 0;
	int rc;

	other.present = present;
	rc = (barriers ? tv_moved_unwaited : tv_moved_at_once)(
		&p->waits.moves, &other, of != NULL ? of->name : "replay", &makespan, err);
	tv_free(present);
	if (rc < 0)
		return -1;
	tv_estimate_judge(
		p, without, of, makespan,
		tv_format("%s%s%s%s", of != NULL ? "policy " : "replay", of != NULL ? of->name : "",
			  of != NULL ? ", which comes nearest to the recorded length; " : ", ",
			  barriers
				  ? "the program does not wait, and submits at its usual pace"
				  : "tasks submitted at once, at the start and after each wait for "
				    "all tasks"),
		potential);
	return 0;
}

int tv_estimate_pace(struct tv_potentials *p, struct tv_potential *potential, struct tv_error *err)
{
	if (p->waits.moves.n == 0) {
		potential->method = tv_strdup("not estimated");
		return 0;
	}
	return tv_estimate_nearest_or_larger(p, TV_WITHOUT_PACE, estimate_waited, potential, err);
}

void tv_estimate_barriers(struct tv_potentials *p, struct tv_potential *potential)
{
	const struct tv_potential *of = tv_potential_without(p, TV_WITHOUT_SUBMISSION);
	struct tv_potential unwaited = { .ns = TV_UNKNOWN, .below = TV_UNKNOWN };
	struct tv_error err = { 0 };

	/* Where it submits slowly, waits are a part of that only. */
	if (of->ns != TV_UNKNOWN && p->waits.moves.n > 0
	    && tv_estimate_nearest_or_larger(p, TV_WITHOUT_BARRIERS, estimate_waited, &unwaited,
					     &err)
		       == 0
	    && of->ns - (unwaited.ns != TV_UNKNOWN ? unwaited.ns : 0) >= p->c->min_ns) {
		potential->ns = unwaited.ns;
		potential->simulated = unwaited.simulated;
		potential->was = unwaited.was;
		potential->method = unwaited.method;
		return;
	}
	tv_free(unwaited.method);
	potential->ns = of->ns;
	potential->simulated = of->simulated;
	potential->was = of->was;
	potential->method = tv_strdup(
		of->ns == TV_UNKNOWN && p->usable && tv_depend_on_waits(p->simulator.dag)
			? "not estimated: tasks depend on these waits, and simulations keep "
			  "dependencies"
			: of->method);
}
