/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policies.c -- what each scheduling policy gives on the machine of a run, and which is nearest to the run. */
#include "sim/model/policies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

const char *tv_policy_of_run(const struct tv_trace *trace)
{
	size_t n;
	const char *value = tv_meta_get(trace, "SchedulerPolicy", &n);
	char *name = value != NULL ? tv_strndup(value, n) : NULL;
	const struct tv_scheduler *policy = name == NULL	       ? NULL
					  : strcmp(name, "eager") == 0 ? tv_scheduler_find("fifo")
								       : tv_scheduler_find(name);

	tv_free(name);
	return policy != NULL ? policy->name : NULL;
}

bool tv_policy_is_nearer(int64_t recorded, const char *name, int64_t makespan, int64_t nearest,
			 const char *of_run)
{
	int64_t off = llabs(makespan - recorded), before = llabs(nearest - recorded);

	return off < before || (off == before && of_run != NULL && strcmp(name, of_run) == 0);
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

bool tv_policy_is_tried(const struct tv_scheduler *of, bool transfers, bool leave)
{
	return of->place != TV_SIM_RECORDED && of->nearest_of == 0
	    && (transfers || !of->counts_transfers) && !(leave && of->place == TV_SIM_EXPECTED);
}

int tv_policy_runs_init(struct tv_policy_runs *runs, struct tv_policies *policies,
			struct tv_simulator *simulator, struct tv_error *err)
{
	bool equal = priorities_are_equal(simulator), leave = some_leave(simulator);

	*policies = (struct tv_policies){ .of_run = tv_policy_of_run(simulator->run->trace) };
	*runs = (struct tv_policy_runs){ .policies = policies };
	for (uint32_t i = 0; i < tv_nschedulers && policies->n < TV_POLICIES_MAX; i++) {
		const struct tv_scheduler *of = &tv_schedulers[i];
		struct tv_policy_run *run = &runs->at[policies->n];
		const struct tv_simulation_options options = { .scheduler = of->name,
							       .submission = "trace",
							       .makespan_only = true };

		/* Those that count transfers come last. */
		if (!tv_policy_is_tried(
			    of, policies->n == 0 || runs->at[0].simulation.memory.simulated, leave))
			continue;
		run->same = equal ? same_policy(policies, of) : NULL;
		policies->at[policies->n++].name = of->name;
		if (run->same == NULL
		    && tv_simulation_prepare(&run->simulation, simulator, &options, err) < 0) {
			tv_policy_runs_release(runs);
			return -1;
		}
	}
	return 0;
}

size_t tv_policy_runs_turn(const struct tv_policy_runs *runs, size_t i)
{
	size_t passed = 0;

	for (int paths = 1; paths >= 0; paths--)
		for (uint32_t p = runs->policies->n; p-- > 0;) {
			const char *name = runs->policies->at[p].name;
			bool path = tv_scheduler_find(name)->order == TV_SIM_BY_PATH;

			if (path == (paths == 1) && passed++ == i)
				return p;
		}
	return i;
}

void tv_policy_runs_simulate(struct tv_policy_runs *runs, size_t i, bool named)
{
	struct tv_policy_run *run = &runs->at[i];

	if (run->same != NULL)
		return;
	run->rc = tv_simulation_run(&run->simulation, named, &run->err);
	if (run->rc == 0)
		runs->policies->at[i].makespan = run->simulation.schedule.makespan;
	tv_simulation_release(&run->simulation);
}

bool tv_policy_runs_fit(const struct tv_simulator *simulator, size_t n)
{
	enum { BYTES = 64 }; /* of a node or an access, about */
	const uint32_t nodes = simulator->dag->n, *access = simulator->accesses.first;
	size_t max = tv_memory_max(), used = tv_memory_used();
	size_t need = ((size_t)nodes + (access != NULL ? access[nodes] : 0)) * BYTES;

	return used < max && (max - used) / 2 / need >= n;
}

int tv_policy_runs_end(struct tv_policy_runs *runs, int64_t recorded, struct tv_error *err)
{
	struct tv_policies *policies = runs->policies;

	for (uint32_t i = 0; i < policies->n; i++) {
		struct tv_policy_time *policy = &policies->at[i];

		if (runs->at[i].rc < 0) {
			*err = runs->at[i].err;
			return -1;
		}
		if (runs->at[i].same != NULL)
			policy->makespan = runs->at[i].same->makespan;
		if (policies->nearest == NULL
		    || tv_policy_is_nearer(recorded, policy->name, policy->makespan,
					   policies->nearest->makespan, policies->of_run))
			policies->nearest = policy;
	}
	return 0;
}

void tv_policy_runs_release(struct tv_policy_runs *runs)
{
	for (uint32_t i = 0; i < TV_POLICIES_MAX; i++)
		tv_simulation_release(&runs->at[i].simulation);
}

static void simulate(void *context, size_t i)
{
	struct tv_policy_runs *runs = context;

	tv_policy_runs_simulate(runs, tv_policy_runs_turn(runs, i), true);
}

int tv_policies_init(struct tv_policies *policies, struct tv_simulator *simulator, int64_t recorded,
		     struct tv_error *err)
{
	struct tv_policy_runs runs;
	int rc = tv_policy_runs_init(&runs, policies, simulator, err);

	tv_simulator_warn(simulator);
	if (rc < 0)
		return -1;
	if (tv_policy_runs_fit(simulator, tv_threads()))
		tv_parallel(policies->n, simulate, &runs);
	else
		for (uint32_t i = 0; i < policies->n; i++)
			simulate(&runs, i);
	return tv_policy_runs_end(&runs, recorded, err);
}

int tv_policies_of_run(struct tv_policies *policies, struct tv_run *run,
		       const struct tv_sim_presence *present, struct tv_error *err)
{
	const struct tv_cost_options costs = { .durations = "trace" };
	struct tv_simulator simulator;
	int rc = tv_simulator_init(&simulator, run, &costs, NULL, 0, err);

	simulator.present = present;
	if (rc == 0)
		rc = tv_policies_init(policies, &simulator,
				      tv_tasks_ended(&run->tasks) - run->tasks.begin, err);
	tv_simulator_release(&simulator);
	return rc;
}

/* What no run of these tasks on the machine of a simulation falls below, ns: the area bound or the longest chain. */
static double find_floor(const struct tv_simulator *simulator, const struct tv_simulation *s)
{
	const struct tv_costs *costs = &simulator->costs;
	const struct tv_pool *pool = simulator->run->tasks.pool;
	double *workers = tv_alloc(costs->nrtypes, sizeof *workers), abe, cpe, chain;

	for (uint32_t w = 0; w < s->nworkers; w++) {
		uint32_t type = s->worker[w].type;

		workers[tv_costs_rtype(costs, tv_pool_text(pool, type),
				       tv_pool_length(pool, type))]++;
	}
	tv_costs_bounds(costs, workers, &abe, &cpe);
	chain = tv_costs_chain(costs, workers);
	tv_free(workers);
	return fmax(abe, chain);
}

/* By which factor the nearest policy misses the run, at least by 1 %. */
static double find_miss(const struct tv_policies *policies, int64_t recorded)
{
	double nearest = (double)policies->nearest->makespan, run = (double)recorded;

	return nearest > 0 && run > 0 ? fmax(fmax(nearest / run, run / nearest), 1.01) : 1.01;
}

int tv_policies_range(struct tv_makespan_range *range, const struct tv_policies *policies,
		      int64_t recorded, struct tv_simulator *simulator,
		      const struct tv_simulation_options *options,
		      const struct tv_simulation *simulated, struct tv_error *err)
{
	int64_t off = llabs(policies->nearest->makespan - recorded);
	int64_t near = off > recorded / 20 ? off : recorded / 20;
	int64_t own = simulated->schedule.makespan;
	double miss = find_miss(policies, recorded), low;

	*range = (struct tv_makespan_range){ own, own };
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
	low = fmax((double)range->low / miss, find_floor(simulator, simulated));
	range->low = low < (double)range->low ? llround(low) : range->low;
	range->high = llround((double)range->high * miss);
	return 0;
}
