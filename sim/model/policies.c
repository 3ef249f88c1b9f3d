/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policies.c -- what each scheduling policy gives on the machine of a run, and which is nearest to the run. */
#include "sim/model/policies.h"

#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/parallel.h"

/* Whether priorities distinguish no tasks. */
static bool priorities_are_equal(const struct tv_simulator *simulator)
{
	uint32_t first = TV_NONE;

	for (uint32_t v = 0; simulator->priority != NULL && v < simulator->dag->n; v++) {
		if (!simulator->work[v])
			continue;
		if (first != TV_NONE && simulator->priority[v] != simulator->priority[first])
			return false;
		first = v;
	}
	return true;
}

/* One listed before that is the same where priorities distinguish no tasks, as equal ones are in the order of submission. */
static const struct tv_policy_time *same_policy(const struct tv_policies *policies,
						const struct tv_scheduler *of)
{
	for (uint32_t i = 0; of->order == TV_SIM_BY_PRIORITY && i < policies->n; i++) {
		const struct tv_scheduler *other = tv_scheduler_find(policies->at[i].name);

		if (other->order == TV_SIM_BY_RANK && other->place == of->place
		    && other->counts_transfers == of->counts_transfers)
			return &policies->at[i];
	}
	return NULL;
}

/* Whether a worker leaves before the end. */
static bool some_leave(const struct tv_simulator *simulator)
{
	const struct tv_sim_presence *present = simulator->present;
	bool leaves = false;

	for (uint32_t w = 0; present != NULL && w < simulator->run->tasks.nworkers; w++)
		leaves |= present[w].begin < present[w].end && present[w].end < INT64_MAX;
	return leaves;
}

/* A policy as it is simulated: changes nothing of another one. */
struct one {
	struct tv_simulator *simulator;
	struct tv_policy_time *policy;
	const struct tv_policy_time *same; /* instead of a simulation; or NULL */
	bool transfers;			   /* they are simulated */
	int rc;
	struct tv_error err;
};

static void simulate(void *context, size_t i)
{
	struct one *one = (struct one *)context + i;
	const struct tv_simulation_options options = { .scheduler = one->policy->name,
						       .submission = "trace",
						       .makespan_only = true };
	struct tv_simulation simulation;

	if (one->same != NULL)
		return;
	one->rc = tv_simulation_init(&simulation, one->simulator, &options, &one->err);
	if (one->rc < 0)
		return;
	one->policy->makespan = simulation.schedule.makespan;
	one->transfers = simulation.memory.simulated;
	tv_simulation_release(&simulation);
}

/* Simulates n policies at once, if so many simulations need no more than half of the memory that is left. */
static void simulate_rest(struct one *one, uint32_t n)
{
	enum { BYTES = 64 }; /* of a node or an access, about */
	const struct tv_simulator *simulator = one->simulator;
	const uint32_t nodes = simulator->dag->n, *access = simulator->accesses.first;
	size_t max = tv_memory_max(), used = tv_memory_used();
	size_t need = ((size_t)nodes + (access != NULL ? access[nodes] : 0)) * BYTES;

	if (used < max && (max - used) / 2 / need >= tv_threads())
		tv_parallel(n, simulate, one);
	else
		for (uint32_t i = 0; i < n; i++)
			simulate(one, i);
}

int tv_policies_init(struct tv_policies *policies, struct tv_simulator *simulator, int64_t recorded,
		     struct tv_error *err)
{
	bool equal = priorities_are_equal(simulator), leave = some_leave(simulator);
	struct one one[TV_POLICIES_MAX] = { 0 };

	*policies = (struct tv_policies){ 0 };
	for (uint32_t i = 0; i < tv_nschedulers && policies->n < TV_POLICIES_MAX; i++) {
		const struct tv_scheduler *of = &tv_schedulers[i];
		uint32_t n = policies->n;

		/* Without transfers, those that count them are dm and dms, which come before them. */
		if (of->place == TV_SIM_RECORDED || of->nearest_of > 0
		    || (leave && of->place == TV_SIM_EXPECTED)
		    || (of->counts_transfers && n > 0 && !one[0].transfers))
			continue;
		policies->at[n].name = of->name;
		one[n] = (struct one){ .simulator = simulator,
				       .policy = &policies->at[n],
				       .same = equal ? same_policy(policies, of) : NULL };
		/* The first one also finds what all share, which the others then only read. */
		if (policies->n++ == 0)
			simulate(one, 0);
	}
	if (one[0].rc == 0)
		simulate_rest(one + 1, policies->n - 1);
	for (uint32_t i = 0; i < policies->n; i++) {
		struct tv_policy_time *policy = &policies->at[i];

		if (one[i].rc < 0) {
			*err = one[i].err;
			return -1;
		}
		if (one[i].same != NULL)
			policy->makespan = one[i].same->makespan;
		if (policies->nearest == NULL
		    || llabs(policy->makespan - recorded)
			       < llabs(policies->nearest->makespan - recorded))
			policies->nearest = policy;
	}
	return 0;
}

int tv_policies_of_run(struct tv_policies *policies, struct tv_run *run, struct tv_error *err)
{
	const struct tv_cost_options costs = { .durations = "trace" };
	struct tv_simulator simulator;
	int rc = tv_simulator_init(&simulator, run, &costs, NULL, 0, err);

	if (rc == 0)
		rc = tv_policies_init(policies, &simulator,
				      tv_tasks_ended(&run->tasks) - run->tasks.begin, err);
	tv_simulator_release(&simulator);
	return rc;
}

int tv_policies_range(struct tv_makespan_range *range, const struct tv_policies *policies,
		      int64_t recorded, struct tv_simulator *simulator,
		      const struct tv_simulation_options *options, int64_t simulated,
		      struct tv_error *err)
{
	int64_t off = llabs(policies->nearest->makespan - recorded);
	int64_t near = off > recorded / 20 ? off : recorded / 20;
	double miss = recorded > 0 ? (double)off / (double)recorded : 0;

	*range = (struct tv_makespan_range){ simulated, simulated };
	for (uint32_t i = 0; i < policies->n; i++) {
		const struct tv_policy_time *policy = &policies->at[i];
		struct tv_simulation_options with = *options;
		struct tv_simulation simulation;
		int64_t makespan;

		if (policy == policies->nearest || llabs(policy->makespan - recorded) > near)
			continue;
		with.scheduler = policy->name;
		with.makespan_only = true;
		if (tv_simulation_init(&simulation, simulator, &with, err) < 0)
			return -1;
		makespan = simulation.schedule.makespan;
		tv_simulation_release(&simulation);
		range->low = makespan < range->low ? makespan : range->low;
		range->high = makespan > range->high ? makespan : range->high;
	}
	miss = miss > 0.01 ? miss : 0.01;
	range->low -= llround(miss * (double)simulated);
	range->low = range->low < 0 ? 0 : range->low;
	range->high += llround(miss * (double)simulated);
	return 0;
}
