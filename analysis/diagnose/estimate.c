/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate.c -- what the simulations of potential.h share. */
#include "analysis/diagnose/estimate.h"

#include <stdlib.h>

#define DIVIDED "what of these tasks ran alone is divided among the workers of their type and node"

const struct tv_replay tv_replays[TV_NWITHOUT] = {
	[TV_WITHOUT_MESSAGES] = { "replay, messages take no time", NULL, true,
				  TV_REPLAY_AS_IT_WAS },
	[TV_WITHOUT_TRANSFERS] = { "replay, transfers take no time", "free", false,
				   TV_REPLAY_AS_IT_WAS },
	[TV_WITHOUT_OUTLIERS] = { "these tasks take the mean of the others", NULL, false,
				  TV_LATENESS_OUTLIER },
	[TV_WITHOUT_WARM_UP] = { "first tasks take the mean of the others", NULL, false,
				 TV_WARM_UP },
	[TV_WITHOUT_SLOW_WORKER] = { "slow workers as fast as the others", NULL, false,
				     TV_LATENESS_SLOW_WORKER },
	[TV_WITHOUT_DISTURBANCE] = { "tasks in disturbances take the mean of the others", NULL,
				     false, TV_LATENESS_DISTURBANCE },
	[TV_WITHOUT_SLOW_PLACES] = { "these tasks take the mean of those on the other workers",
				     NULL, false, TV_SLOW_THERE },
	[TV_WITHOUT_WAITING] = { "each thread has a processor while it runs a task", NULL, false,
				 TV_REPLAY_CLOCKED, TV_NEED_OPEN },
	[TV_WITHOUT_LOCKS] = { "tasks do not wait for locks", NULL, false, TV_REPLAY_LOCKS,
			       TV_OTHERS_OPEN },
	[TV_WITHOUT_STEP] = { DIVIDED, NULL, false, TV_REPLAY_STEP },
	[TV_WITHOUT_LONG] = { DIVIDED, NULL, false, TV_REPLAY_LONG },
	[TV_WITHOUT_SLOW_TYPES] = { "replay, these tasks take what they take on the best type",
				    NULL, false, TV_REPLAY_CHAIN, TV_OTHERS_OPEN },
	[TV_WITHOUT_JOINS] = { .open = TV_OTHERS_OPEN },
	[TV_WITHOUT_SUBMISSION] = { .open = TV_NEED_OPEN },
	[TV_WITHOUT_BARRIERS] = { .open = TV_NEED_OPEN },
	[TV_WITHOUT_PACE] = { .open = TV_NEED_OPEN },
};

/* Whether, without it, a program that waits for all its tasks submits the next ones at other times; the task of TV_WITHOUT_LAST is after all
 * waits. */
static bool is_moved(enum tv_without without)
{
	return without != TV_WITHOUT_GAPS && without != TV_WITHOUT_SUBMISSION
	    && without != TV_WITHOUT_LAST;
}

/* Against the run as it was: where workers of the simulation are absent, all that were. */
static int simulate_moved(const struct tv_potentials *p, const struct tv_simulator *simulator,
			  const struct tv_simulation_options *options, int64_t *makespan,
			  struct tv_error *err)
{
	struct tv_simulator was = p->simulator;
	struct tv_sim_presence *present = NULL;
	int rc;

	if (simulator->present != NULL)
		present = tv_absences_present(&p->c->absences, p->c->tasks->nworkers, ~0U);
	was.present = present;
	rc = tv_moved_makespan(&p->waits.moves, &was, simulator, options, makespan, err);
	tv_free(present);
	return rc;
}

int tv_estimate_on(struct tv_potentials *p, struct tv_simulator *simulator, enum tv_without without,
		   const char *scheduler, const char *submission, int64_t *makespan,
		   struct tv_error *err)
{
	const struct tv_simulation_options options = {
		.scheduler = scheduler,
		.submission = submission,
		.transfers = tv_replays[without].transfers,
		.free_messages = tv_replays[without].free_messages,
		.makespan_only = p->waits.moves.n == 0 || !is_moved(without)
	};
	struct tv_simulation simulation;

	if (!options.makespan_only)
		return simulate_moved(p, simulator, &options, makespan, err);
	if (tv_simulation_init(&simulation, simulator, &options, err) < 0)
		return -1;
	*makespan = simulation.schedule.makespan;
	if (without == TV_WITHOUT_GAPS)
		p->transfers = simulation.memory.simulated;
	tv_simulation_release(&simulation);
	return 0;
}

int tv_estimate_with(struct tv_potentials *p, enum tv_without without, const char *scheduler,
		     const char *submission, int64_t *makespan, struct tv_error *err)
{
	return tv_estimate_on(p, &p->simulator, without, scheduler, submission, makespan, err);
}

/* What shorter tasks can gain at most: what they take less, and all idle time but that for transfers; all of the run without such time. */
static int64_t most_of_durations(const struct tv_potentials *p, enum tv_without without)
{
	int64_t idle, transfers, workers;

	tv_case_sum(p->c, TV_ACCOUNT_IDLE, NULL, NULL, TV_NONE, &idle, &workers);
	tv_case_sum(p->c, TV_ACCOUNT_IDLE, "data", NULL, TV_NONE, &transfers, &workers);
	return transfers < p->c->min_ns ? p->recorded : p->of[without].work + idle - transfers;
}

void tv_estimate_judge(const struct tv_potentials *p, enum tv_without without,
		       const struct tv_policy_time *of, int64_t makespan, char *method,
		       struct tv_potential *potential)
{
	int64_t was = of != NULL ? of->makespan : p->replayed;
	int64_t error = was > p->recorded ? was - p->recorded : p->recorded - was;
	/* Where a simulation makes more of the obstacle than it was, it brings no more than what it was. */
	int64_t gain = (was < p->recorded ? was : p->recorded) - makespan;
	bool schedule = without == TV_WITHOUT_SCHEDULE, between,
	     submission = without == TV_WITHOUT_SUBMISSION || without == TV_WITHOUT_BARRIERS
		       || without == TV_WITHOUT_PACE;
	char words[2][32];

	tv_free(potential->method);
	/* The policy that is faster may be the one that the run had: simulations of a policy, without scheduling and
	 * transfers, are off by some percent. */
	if (schedule && error < p->recorded / 20)
		error = p->recorded / 20;
	/* No schedule is shorter; durations and messages may be. */
	if ((schedule || submission) && gain > p->recorded - p->c->forced)
		gain = p->recorded - p->c->forced;
	/* What is between tasks, but for the first ones after a wait, is no part of what waits for all tasks cost. */
	between = submission && p->waits.moves.n > 0 && p->overhead == NULL
	       && gain >= p->recorded / 100
	       && gain > p->waits.gapless + p->waits.moves.delay - makespan;
	if (between)
		gain = p->waits.gapless + p->waits.moves.delay - makespan;
	if (gain > 0 && gain >= error && gain >= p->recorded / 100) {
		/* Without long durations, workers wait for as many transfers. */
		int64_t most = tv_replay_shortens(without) ? most_of_durations(p, without) : gain;

		potential->ns = gain < most ? gain : most;
		potential->simulated = makespan;
		potential->was = (struct tv_policy_time){ of != NULL ? of->name : NULL, was };
		potential->absent = of != NULL && of == p->absent.nearest;
		potential->method = method;
		return;
	}
	/* Where even the nearest policy is far below the run, policies do not explain it: they show no gain, nor that there is none. */
	if (schedule && p->recorded - was >= p->recorded / 10 && gain < error) {
		potential->method = tv_format("not estimated: simulations say little about this "
					      "run, as with the policy that comes nearest to "
					      "its length they are %s shorter than it was",
					      tv_words_time(words[0], p->recorded - was));
	} else if (p->waits.kept && is_moved(without) && !schedule && gain < p->recorded / 100) {
		potential->method = tv_strdup(
			"not estimated: simulations keep the times at which tasks were "
			"submitted, and here tasks were submitted after waits for others");
		tv_free(method);
		return;
	} else if (gain <= 0 || gain < p->recorded / 100) {
		potential->refuted = schedule || without == TV_WITHOUT_SUBMISSION;
		potential->useless = without == TV_WITHOUT_SUBMISSION;
		potential->method = tv_format(
			"not estimated: %s",
			schedule ? "with tasks submitted when they were, no policy that was "
				   "simulated is faster than the one that comes nearest to the "
				   "recorded length"
			: without == TV_WITHOUT_SLOW_WORKER && p->c->tasks->nnodes > 1
				? "the simulation without it, in which each node keeps its tasks, "
				  "is not faster"
			: without == TV_WITHOUT_JOINS
				? "a simulation in which nothing waits for joins is not faster"
			: between ? "what the simulation without it gains is time between tasks"
				  : "the simulation without it is not faster");
	} else {
		potential->refuted = true;
		potential->method = tv_format("not estimated: by simulation the run would be "
					      "%s shorter (%s), but such "
					      "simulations may be off by %s",
					      tv_words_time(words[0], gain), method,
					      tv_words_time(words[1], error));
	}
	/* Another policy may gain more than those that were tried. */
	if (!schedule)
		potential->below = error;
	tv_free(method);
}

int tv_estimate_model(struct tv_potentials *p, struct tv_error *err)
{
	if (p->model != NULL)
		return 0;
	if (!p->simulated_ahead
	    && tv_policies_init(&p->policies, &p->simulator, p->recorded, err) < 0)
		return -1;
	p->model = p->policies.nearest;
	return 0;
}

int tv_estimate_absent(struct tv_potentials *p, struct tv_error *err)
{
	struct tv_sim_presence *present;
	int rc;

	if (p->absent.n > 0)
		return 0;
	present = tv_absences_present(&p->c->absences, p->c->tasks->nworkers, ~0U);
	p->simulator.present = present;
	rc = tv_policies_init(&p->absent, &p->simulator, p->recorded, err);
	p->simulator.present = NULL;
	tv_free(present);
	if (rc < 0)
		p->absent.n = 0;
	return rc;
}

/* How far the length of a policy is from that of the run, ns. */
static int64_t off_by(const struct tv_potentials *p, const struct tv_policy_time *of)
{
	return llabs(of->makespan - p->recorded);
}

int tv_estimate_models(struct tv_potentials *p, struct tv_error *err)
{
	if (tv_estimate_model(p, err) < 0)
		return -1;
	return tv_some_absent(&p->c->absences) ? tv_estimate_absent(p, err) : 0;
}

const struct tv_policy_time *tv_estimate_nearest(const struct tv_potentials *p)
{
	return p->absent.n > 0 && off_by(p, p->absent.nearest) <= off_by(p, p->model)
		     ? p->absent.nearest
		     : p->model;
}

struct tv_sim_presence *tv_estimate_presence(const struct tv_potentials *p,
					     const struct tv_policy_time *of)
{
	return of != NULL && of == p->absent.nearest
		     ? tv_absences_present(&p->c->absences, p->c->tasks->nworkers, ~0U)
		     : NULL;
}

/* Keeps the larger one, of equal ones the other; frees the method of the one that goes. */
static void keep_larger(struct tv_potential *potential, struct tv_potential *other)
{
	tv_free(other->ns >= potential->ns ? potential->method : other->method);
	*potential = other->ns >= potential->ns ? *other : *potential;
}

int tv_estimate_nearest_or_larger(struct tv_potentials *p, enum tv_without without,
				  int (*by)(struct tv_potentials *p, enum tv_without without,
					    const struct tv_policy_time *of,
					    struct tv_potential *potential, struct tv_error *err),
				  struct tv_potential *potential, struct tv_error *err)
{
	struct tv_potential other = { .ns = TV_UNKNOWN, .below = TV_UNKNOWN };
	const struct tv_policy_time *nearest;
	int64_t off;

	if (tv_estimate_models(p, err) < 0)
		return -1;
	nearest = tv_estimate_nearest(p);
	off = off_by(p, nearest);
	if (off <= llabs(p->replayed - p->recorded))
		return by(p, without, nearest, potential, err);
	if (by(p, without, NULL, potential, err) < 0)
		return -1;
	potential->below = TV_UNKNOWN;
	if (off > p->recorded / 20)
		return 0;
	if (by(p, without, nearest, &other, err) < 0)
		return -1;
	keep_larger(potential, &other);
	return 0;
}
