/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate_schedule.c -- how much shorter the run would be with another policy, with absent workers, or a divided last task. */
#include "analysis/diagnose/estimate.h"
#include "sim/model/regrain.h"

int tv_estimate_scheduled(struct tv_potentials *p, struct tv_potential *potential,
			  struct tv_error *err)
{
	/* What absent workers cost is no matter of the policy. */
	bool absent = tv_some_absent(&p->c->absences);
	const struct tv_policies *policies = absent ? &p->absent : &p->policies;
	const struct tv_policy_time *best = NULL;

	if ((absent ? tv_estimate_absent(p, err) : tv_estimate_model(p, err)) < 0)
		return -1;
	for (uint32_t i = 0; i < policies->n; i++)
		if (&policies->at[i] != policies->nearest
		    && (best == NULL || policies->at[i].makespan < best->makespan))
			best = &policies->at[i];
	if (best == NULL)
		best = policies->nearest;
	tv_estimate_judge(
		p, TV_WITHOUT_SCHEDULE, policies->nearest, best->makespan,
		tv_format("policy %s in place of %s, which comes nearest to the recorded length",
			  best->name, policies->nearest->name),
		potential);
	return 0;
}

/* As if absent workers of a kind took tasks all the time: by the policy that is nearest to the run with all that are absent. */
static int simulate_present(struct tv_potentials *p, enum tv_without without, enum tv_absence but,
			    int64_t *makespan, struct tv_error *err)
{
	const struct tv_absences *absences = &p->c->absences;
	uint32_t nworkers = p->c->tasks->nworkers;
	struct tv_sim_presence *present;
	struct tv_simulator other;
	int rc;

	if (tv_estimate_absent(p, err) < 0)
		return -1;
	present = tv_absences_present(absences, nworkers, ~(1U << but));
	other = p->simulator;
	other.present = present;
	rc = tv_estimate_on(p, &other, without, p->absent.nearest->name, "trace", makespan, err);
	tv_free(present);
	return rc;
}

int tv_estimate_present(struct tv_potentials *p, enum tv_without without,
			struct tv_potential *potential, struct tv_error *err)
{
	enum tv_absence but = without == TV_WITHOUT_UNUSED ? TV_ABSENT_UNUSED
			    : without == TV_WITHOUT_LATE   ? TV_ABSENT_LATE
							   : TV_ABSENT_LEFT;
	int64_t makespan;

	if (simulate_present(p, without, but, &makespan, err) < 0)
		return -1;
	tv_estimate_judge(
		p, without, p->absent.nearest, makespan,
		tv_format(
			"policy %s, which comes nearest to the recorded length; these workers take "
			"tasks all the time",
			p->absent.nearest->name),
		potential);
	return 0;
}

static int simulate_unjoined(struct tv_potentials *p, enum tv_without without,
			     const struct tv_policy_time *of, struct tv_potential *potential,
			     struct tv_error *err)
{
	struct tv_sim_presence *present = tv_estimate_presence(p, of);
	bool *join = tv_case_joins(p->simulator.dag);
	struct tv_simulator_copy copy;
	int64_t makespan;
	int rc;

	tv_simulator_copy_without(&copy, &p->simulator, join);
	copy.simulator.present = present;
	rc = tv_estimate_on(p, &copy.simulator, without, of != NULL ? of->name : "replay", "trace",
			    &makespan, err);
	tv_simulator_copy_release(&copy);
	tv_free(present);
	tv_free(join);
	if (rc == 0)
		tv_estimate_judge(p, without, of, makespan,
				  of == NULL ? tv_strdup("replay without waits for joins")
					     : tv_format("policy %s, which comes nearest to the "
							 "recorded length, without waits for joins",
							 of->name),
				  potential);
	return rc;
}

int tv_estimate_joins(struct tv_potentials *p, struct tv_potential *potential, struct tv_error *err)
{
	return tv_estimate_nearest_or_larger(p, TV_WITHOUT_JOINS, simulate_unjoined, potential,
					     err);
}

int tv_estimate_split(struct tv_potentials *p, struct tv_potential *potential, struct tv_error *err)
{
	const struct tv_tasks *tasks = p->c->tasks;
	uint32_t n = tv_case_peers(p->c, tasks->worker[p->c->last]);
	const struct tv_cost_options costs = { .durations = "trace",
					       .overhead = p->overhead,
					       .regrained = true };
	struct tv_simulator simulator = { 0 };
	struct tv_regrained changed = { 0 };
	struct tv_sim_presence *present;
	const struct tv_policy_time *of;
	int64_t makespan;
	int rc;

	potential->method = tv_strdup("not estimated");
	/* Parts have no data. */
	if (n < 2 || p->transfers || p->from != NULL || tv_estimate_models(p, err) < 0)
		return 0;
	of = tv_estimate_nearest(p);
	present = tv_estimate_presence(p, of);
	rc = tv_regrain_task(&changed, p->run, p->c->last, n, err);
	if (rc == 0)
		rc = tv_simulator_init(&simulator, &changed.run, &costs, NULL, 0, err);
	simulator.present = present;
	if (rc == 0)
		rc = tv_estimate_on(p, &simulator, TV_WITHOUT_LAST, of->name, "trace", &makespan,
				    err);
	if (rc == 0)
		tv_estimate_judge(
			p, TV_WITHOUT_LAST, of, makespan,
			tv_format(
				"policy %s, which comes nearest to the recorded length; this task "
				"is split into %u parts that run side by side",
				of->name, n),
			potential);
	/* A schedule that no policy is like says nothing of it. */
	potential->below = TV_UNKNOWN;
	potential->refuted = false;
	tv_simulator_release(&simulator);
	tv_regrained_release(&changed);
	tv_free(present);
	return 0;
}
