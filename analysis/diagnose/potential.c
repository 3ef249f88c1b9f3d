/* SPDX-License-Identifier: GPL-3.0-or-later */
/* potential.c -- how much shorter the run would be without an obstacle, by simulation. */
#include "analysis/diagnose/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/parallel.h"
#include "trace/timings.h"

#define AS_IF_INDEPENDENT "; as if no task depended on another"

void tv_potentials_init(struct tv_potentials *p, const struct tv_case *c, struct tv_run *run,
			const char *from)
{
	*p = (struct tv_potentials){ .c = c,
				     .run = run,
				     .from = from,
				     .recorded = tv_tasks_ended(&run->tasks) - run->tasks.begin };
}

void tv_potentials_release(struct tv_potentials *p)
{
	tv_simulator_release(&p->simulator);
	tv_free(p->why);
	tv_free(p->overhead);
	tv_free(p->ahead[0].method);
	tv_free(p->ahead[1].method);
	tv_free(p->waits.moves.from);
	tv_free(p->waits.moves.node);
	for (int i = 0; i < TV_NWITHOUT; i++)
		tv_free(p->of[i].method);
}

int tv_potentials_simulator(struct tv_potentials *p, struct tv_error *err)
{
	/* Those given are of whole tasks. */
	const char *from = p->run->tasks.segment == NULL ? p->from : NULL;
	const struct tv_cost_options costs = { .durations = "trace",
					       .durations_from = from,
					       .fill = from != NULL };

	if (p->initialized)
		return 0;
	if (tv_simulator_init(&p->simulator, p->run, &costs, NULL, 0, err) < 0)
		return -1;
	p->initialized = true;
	return 0;
}

/* Times of submission after waits that the graph does not have (SubmitAfter). */
static void find_moves(struct tv_potentials *p)
{
	struct tv_error err = { 0 };

	p->waits.gapless = p->replayed;
	if (p->simulator.dag->after != NULL)
		return;
	tv_case_waits(p->c, &p->waits.moves);
	p->waits.kept = p->waits.moves.n > 0
		     && tv_moved_replay(&p->waits.moves, &p->simulator, &p->waits.gapless, &err)
				< 0;
	if (p->waits.kept)
		p->waits.moves.n = 0;
}

/* What the runtime takes before each task is a part of the run, whatever else is left away: without it, a policy that makes the run longer would
 * come nearest to it. */
static int add_overhead(struct tv_potentials *p, struct tv_error *err)
{
	if (p->c->overhead == 0)
		return 0;
	p->overhead = tv_format("%lldns", (long long)p->c->overhead);
	p->simulated_ahead = false;
	if (tv_costs_overheads(&p->simulator.costs, p->overhead, err) < 0)
		return -1;
	return tv_estimate_with(p, TV_WITHOUT_GAPS, "replay", "trace", &p->replayed, err);
}

/* The replay of the run as it was. */
static void begin(struct tv_potentials *p)
{
	struct tv_error err = { 0 };
	int rc;

	p->begun = true;
	if (p->c->apart) {
		p->why = tv_strdup("not estimated: dependencies between ranks are not known");
		return;
	}
	rc = tv_potentials_simulator(p, &err);
	if (rc == 0 && !p->replayed_ahead)
		rc = tv_estimate_with(p, TV_WITHOUT_GAPS, "replay", "trace", &p->replayed, &err);
	tv_simulator_warn(&p->simulator);
	if (rc == 0) {
		find_moves(p);
		rc = add_overhead(p, &err);
	}
	p->usable = rc == 0;
	if (rc < 0)
		p->why = tv_format("not estimated: %s", err.text);
}

static int estimate_gaps(const struct tv_potentials *p, struct tv_potential *potential)
{
	if (p->waits.gapless >= p->recorded) {
		potential->method = tv_strdup("not estimated: the replay is not shorter");
		potential->below = 0;
		return 0;
	}
	potential->ns = p->recorded - p->waits.gapless;
	potential->method = tv_strdup(p->transfers
					      ? "replay, no time between tasks but for transfers"
					      : "replay, no transfers and no time between tasks");
	return 0;
}

static void estimate(struct tv_potentials *p, enum tv_without without,
		     struct tv_potential *potential)
{
	struct tv_error err = { 0 };
	int rc = without == TV_WITHOUT_GAPS	  ? estimate_gaps(p, potential)
	       : without == TV_WITHOUT_SUBMISSION ? tv_estimate_submitted(p, potential, &err)
	       : without == TV_WITHOUT_PACE	  ? tv_estimate_pace(p, potential, &err)
	       : without == TV_WITHOUT_SCHEDULE	  ? tv_estimate_scheduled(p, potential, &err)
	       : without == TV_WITHOUT_JOINS	  ? tv_estimate_joins(p, potential, &err)
	       : without == TV_WITHOUT_LAST	  ? tv_estimate_split(p, potential, &err)
	       : without >= TV_WITHOUT_UNUSED	  ? tv_estimate_present(p, without, potential, &err)
	       : tv_replay_shortens(without) ? tv_estimate_durations(p, without, potential, &err)
					     : tv_estimate_replayed(p, without, potential, &err);

	if (rc == 0)
		return;
	tv_free(potential->method);
	potential->ns = TV_UNKNOWN;
	potential->method = tv_format("not estimated: %s", err.text);
}

/* begin has been called, if it is not TV_WITHOUT_NOTHING. */
static void fill(struct tv_potentials *p, enum tv_without without)
{
	struct tv_potential *potential = &p->of[without];

	potential->ns = potential->below = TV_UNKNOWN;
	/* Where no transfers are simulated, the replay is without them. */
	if (without == TV_WITHOUT_TRANSFERS && p->usable && !p->transfers)
		without = TV_WITHOUT_GAPS;
	if (without == TV_WITHOUT_NOTHING)
		potential->method = tv_format("not estimated");
	else if (!p->usable)
		potential->method = tv_format("%s", p->why);
	else if (without == TV_WITHOUT_BARRIERS)
		tv_estimate_barriers(p, potential);
	else
		estimate(p, without, potential);
	if (potential->ns != TV_UNKNOWN && without != TV_WITHOUT_BARRIERS
	    && !tv_tasks_depend(p->c->tasks))
		tv_append(&potential->method, AS_IF_INDEPENDENT);
}

const struct tv_potential *tv_potential_without(struct tv_potentials *p, enum tv_without without)
{
	TV_STAGE("simulations", NULL);

	if (!p->done[without] && without != TV_WITHOUT_NOTHING && !p->begun)
		begin(p);
	if (!p->done[without])
		fill(p, without);
	p->done[without] = true;
	return &p->of[without];
}

/* Whether a potential is that of simulations which compare with the policy that is nearest to the run. */
static bool needs_model(enum tv_without without)
{
	return without == TV_WITHOUT_SUBMISSION || tv_replay_shortens(without);
}

struct several {
	struct tv_potentials *p;
	enum tv_without of[TV_NWITHOUT];
};

static void fill_one(void *context, size_t i)
{
	struct several *several = context;

	fill(several->p, several->of[i]);
}

void tv_potentials_together(struct tv_potentials *p, const bool *wanted)
{
	struct several several = { .p = p };
	struct tv_error err = { 0 };
	size_t n = 0;
	bool model = false;
	TV_STAGE("simulations", NULL);

	/* The others need passes, change what simulations share, or are no simulation of their own. */
	for (enum tv_without i = 0; i < TV_NWITHOUT; i++)
		if (wanted[i] && !p->done[i]
		    && (needs_model(i) || i == TV_WITHOUT_MESSAGES || i == TV_WITHOUT_TRANSFERS)) {
			several.of[n++] = i;
			model = model || needs_model(i);
		}
	if (n < 2 || tv_threads() < 2)
		return;
	if (!p->begun)
		begin(p);
	if (!p->usable || (model && tv_estimate_models(p, &err) < 0)
	    || !tv_policy_runs_fit(&p->simulator, 2 * (size_t)tv_threads()))
		return;
	tv_parallel(n, fill_one, &several);
	for (size_t i = 0; i < n; i++)
		p->done[several.of[i]] = true;
}

/* Takes what a simulation gains, if that is more by 1 % of the run; no schedule is shorter than `forced`. */
static void take_larger(const struct tv_potentials *p, int64_t makespan, const char *policy,
			const char *how, struct tv_potential *gain)
{
	makespan = makespan > p->c->forced ? makespan : p->c->forced;
	if (p->recorded - makespan - gain->ns < p->recorded / 100)
		return;
	gain->ns = p->recorded - makespan;
	tv_free(gain->method);
	gain->method = tv_format("%s%s%s%s%s", policy != NULL ? "policy " : "",
				 policy != NULL ? policy : "", policy != NULL ? ", " : "", how,
				 tv_tasks_depend(p->c->tasks) ? "" : AS_IF_INDEPENDENT);
}

/* What transfers cost by replays, which make them as soon as they can, or without them. */
static const struct tv_potential *replay_ahead(struct tv_potentials *p)
{
	const struct tv_potential *without = &p->of[TV_WITHOUT_TRANSFERS];
	struct tv_potential *ahead = &p->ahead[0];

	if (ahead->method != NULL)
		return ahead;
	*ahead = (struct tv_potential){ .below = TV_UNKNOWN, .method = tv_strdup("") };
	take_larger(p, p->replayed, NULL, "replay, transfers are made ahead of tasks", ahead);
	if (without->ns != TV_UNKNOWN)
		take_larger(p, without->simulated, NULL, tv_replays[TV_WITHOUT_TRANSFERS].method,
			    ahead);
	return ahead;
}

/* By any policy: where no other idle time is to be saved, that is what these cost, too. */
static const struct tv_potential *policy_ahead(struct tv_potentials *p)
{
	struct tv_potential *ahead = &p->ahead[1];
	struct tv_error err = { 0 };

	if (ahead->method != NULL)
		return ahead;
	*ahead = (struct tv_potential){ .below = TV_UNKNOWN, .method = tv_strdup("") };
	if (tv_estimate_model(p, &err) == 0)
		for (uint32_t i = 0; i < p->policies.n; i++)
			take_larger(p, p->policies.at[i].makespan, p->policies.at[i].name,
				    "transfers are made ahead of tasks", ahead);
	return ahead;
}

/* The larger one that is no more than what tasks waited for transfers, a tenth more at most; NULL = there is none. A policy is only asked
 * where replays do not show nearly all of it. */
static const struct tv_potential *gain_ahead(struct tv_potentials *p, int64_t size_ns)
{
	const struct tv_potential *ahead = replay_ahead(p), *policy;
	double size = (double)size_ns;

	if ((double)ahead->ns < 0.9 * size && size >= 0.9 * (double)(p->recorded - p->c->best)) {
		policy = policy_ahead(p);
		ahead = policy->ns > ahead->ns && (double)policy->ns <= 1.1 * size ? policy : ahead;
	}
	return ahead->ns > 0 && (double)ahead->ns <= 1.1 * size ? ahead : NULL;
}

const struct tv_potential *tv_potential_of(struct tv_potentials *p, enum tv_without without,
					   int64_t size_ns)
{
	static char kept[] =
		"not estimated: a replay keeps the worker of each task, and the times at which "
		"tasks were submitted";
	static char waited[] =
		"not estimated: how long tasks would wait for a processor in another "
		"schedule is not known";
	static const struct tv_potential none = { .ns = TV_UNKNOWN,
						  .below = TV_UNKNOWN,
						  .method = kept };
	static const struct tv_potential unknown = { .ns = TV_UNKNOWN,
						     .below = TV_UNKNOWN,
						     .method = waited };
	const struct tv_potential *potential, *ahead;

	if (without == TV_WITHOUT_SCHEDULE && p->c->preempted > 0)
		return &unknown;
	potential = tv_potential_without(p, without);
	if (without == TV_WITHOUT_TRANSFERS && p->c->full == TV_NONE && p->usable && p->transfers
	    && (ahead = gain_ahead(p, size_ns)) != NULL)
		return ahead;
	return without == TV_WITHOUT_GAPS && potential->ns != TV_UNKNOWN
			    && potential->ns < size_ns / 4
		     ? &none
		     : potential;
}
