/* SPDX-License-Identifier: GPL-3.0-or-later */
/* potential.c -- how much shorter the run would be without an obstacle, by simulation. */
#include "analysis/diagnose/potential.h"

#include <math.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "analysis/shared/lateness.h"

static const struct {
	const char *method;
	const char *scheduler, *submission, *transfers;
	bool free_messages;
	int class; /* of lateness.h; -1 = none */
} change[TV_NWITHOUT] = {
	[TV_WITHOUT_GAPS] = { "", "replay", "trace", NULL, false, -1 },
	[TV_WITHOUT_SUBMISSION] = { "all tasks submitted at the start", NULL, NULL, NULL, false,
				    -1 },
	[TV_WITHOUT_MESSAGES] = { "replay, messages take no time", "replay", "trace", NULL, true,
				  -1 },
	[TV_WITHOUT_TRANSFERS] = { "replay, transfers take no time", "replay", "trace", "free",
				   false, -1 },
	[TV_WITHOUT_SCHEDULE] = { "simulated with the policy heft", "heft", "trace", NULL, false,
				  -1 },
	[TV_WITHOUT_OUTLIERS] = { "replay, outliers take the mean of the others", "replay", "trace",
				  NULL, false, TV_LATENESS_OUTLIER },
	[TV_WITHOUT_SLOW_WORKER] = { "replay, tasks of slow workers take the mean of the others",
				     "replay", "trace", NULL, false, TV_LATENESS_SLOW_WORKER },
	[TV_WITHOUT_DISTURBANCE] = { "replay, tasks in disturbances take the mean of the others",
				     "replay", "trace", NULL, false, TV_LATENESS_DISTURBANCE },
};

void tv_potentials_init(struct tv_potentials *p, struct tv_run *run)
{
	*p = (struct tv_potentials){ .run = run, .recorded = run->tasks.finish - run->tasks.begin };
}

void tv_potentials_release(struct tv_potentials *p)
{
	if (p->begun)
		tv_simulator_release(&p->simulator);
	tv_free(p->why);
	for (int i = 0; i < TV_NWITHOUT; i++)
		tv_free(p->of[i].method);
}

static int simulate_with(struct tv_potentials *p, enum tv_without without, const char *scheduler,
			 const char *submission, int64_t *makespan, struct tv_error *err)
{
	const struct tv_simulation_options options = {
		.scheduler = scheduler,
		.submission = submission,
		.transfers = change[without].transfers,
		.free_messages = change[without].free_messages
	};
	struct tv_simulation simulation;

	if (tv_simulation_init(&simulation, &p->simulator, &options, err) < 0)
		return -1;
	*makespan = simulation.schedule.makespan;
	if (without == TV_WITHOUT_GAPS)
		p->transfers = simulation.memory.simulated;
	tv_simulation_release(&simulation);
	return 0;
}

static int simulate(struct tv_potentials *p, enum tv_without without, int64_t *makespan,
		    struct tv_error *err)
{
	return simulate_with(p, without, change[without].scheduler, change[without].submission,
			     makespan, err);
}

/* The replay of the run as it was. */
static void begin(struct tv_potentials *p)
{
	const struct tv_cost_options costs = { .durations = "trace" };
	struct tv_error err = { 0 };
	int rc;

	p->begun = true;
	rc = tv_simulator_init(&p->simulator, p->run, &costs, NULL, 0, &err);
	if (rc == 0)
		rc = simulate(p, TV_WITHOUT_GAPS, &p->replayed, &err);
	p->usable = rc == 0;
	if (rc < 0)
		p->why = tv_format("not estimated: %s", err.text);
}

/* Tasks of a class take the mean of those of no class of their task type and resource type, if there are
 * any. */
static void shorten(struct tv_potentials *p, const uint8_t *class, uint8_t which)
{
	struct tv_costs *costs = &p->simulator.costs;
	const struct tv_dag *dag = costs->dag;
	const struct tv_tasks *tasks = &p->run->tasks;
	size_t npairs = (size_t)costs->ntypes * costs->nrtypes;
	double *sum = tv_alloc(npairs, sizeof *sum), *n = tv_alloc(npairs, sizeof *n);

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t v = 0; v < dag->n; v++) {
			uint32_t row = dag->row[v];
			size_t pair;

			if (costs->type[v] == TV_NONE || costs->own[v] < 0)
				continue;
			pair = (size_t)costs->type[v] * costs->nrtypes + costs->own_rtype[v];
			if (class[tv_row_whole(tasks, row)] == TV_LATENESS_REST && pass == 0) {
				sum[pair] += (double)costs->own[v];
				n[pair] += tv_row_begins(tasks, row);
			} else if (class[tv_row_whole(tasks, row)] == which && pass == 1
				   && n[pair] > 0) {
				costs->own[v] = llround(sum[pair] / n[pair]
							* tv_row_share(tasks, row));
			}
		}
	tv_free(sum);
	tv_free(n);
}

static int simulate_shortened(struct tv_potentials *p, enum tv_without without, int64_t *makespan,
			      struct tv_error *err)
{
	const uint8_t *obstacles = tv_run_obstacles(p->run, err);
	struct tv_costs *costs = &p->simulator.costs;
	int64_t *recorded;
	int rc;

	if (obstacles == NULL)
		return -1;
	recorded = tv_alloc(costs->dag->n, sizeof *recorded);
	memcpy(recorded, costs->own, costs->dag->n * sizeof *recorded);
	shorten(p, obstacles, (uint8_t)change[without].class);
	rc = simulate(p, without, makespan, err);
	memcpy(costs->own, recorded, costs->dag->n * sizeof *recorded);
	tv_free(recorded);
	return rc;
}

/* Why a gain is no estimate: it is less than the replay is off by, or none. */
static char *uncertain(enum tv_without without, int64_t gain, int64_t error)
{
	const char *what = without == TV_WITHOUT_SCHEDULE   ? "the simulated policy heft"
			 : without == TV_WITHOUT_SUBMISSION ? "the simulation without it"
							    : "the replay without it";
	char words[32];

	if (gain <= 0)
		return tv_format("not estimated: %s is not faster", what);
	return tv_format("not estimated: %s is faster by less than %s, the error of the replay",
			 what, tv_words_time(words, error));
}

/* A gain below what the simulation of the run leaves unexplained shows nothing.
 * was: that simulation, ns. */
static void judge(const struct tv_potentials *p, enum tv_without without, int64_t was,
		  int64_t makespan, struct tv_potential *potential)
{
	int64_t error = was > p->recorded ? was - p->recorded : p->recorded - was;
	/* Where a simulation makes more of the obstacle than it was, it brings no more than what it was. */
	int64_t gain = (was < p->recorded ? was : p->recorded) - makespan;

	if (without == TV_WITHOUT_GAPS) {
		potential->ns = p->recorded - makespan;
		potential->method = tv_format(
			p->transfers ? "replay, no time between tasks but for transfers"
				     : "replay, no transfers and no time between tasks");
	} else if (gain < error || gain < 0) {
		potential->method = uncertain(without, gain, error);
		/* Another policy may gain more than the one that was tried. */
		if (without != TV_WITHOUT_SCHEDULE)
			potential->below = error;
	} else {
		potential->ns = gain;
		potential->method = tv_format("%s", change[without].method);
	}
}

/* Where a scheduler had no choice, because few tasks were submitted, it may have one without: the policy
 * that is nearest to the run as it was says what it would do. */
static int simulate_submitted(struct tv_potentials *p, struct tv_potential *potential,
			      struct tv_error *err)
{
	static const char *const policies[] = { "fifo", "prio", "lws", "heft", "replay" };
	int64_t best = INT64_MAX, was = 0, makespan;
	const char *policy = NULL;

	for (size_t i = 0; i < TV_COUNT(policies); i++) {
		int64_t error;

		if (simulate_with(p, TV_WITHOUT_SUBMISSION, policies[i], "trace", &makespan, err)
		    < 0)
			return -1;
		error = makespan > p->recorded ? makespan - p->recorded : p->recorded - makespan;
		if (error < best) {
			best = error;
			was = makespan;
			policy = policies[i];
		}
	}
	if (simulate_with(p, TV_WITHOUT_SUBMISSION, policy, "all-at-once", &makespan, err) < 0)
		return -1;
	judge(p, TV_WITHOUT_SUBMISSION, was, makespan, potential);
	if (potential->ns != TV_UNKNOWN) {
		tv_free(potential->method);
		potential->method =
			strcmp(policy, "replay") == 0
				? tv_format("replay, all tasks submitted at the start")
				: tv_format("simulated with the policy %s, nearest to the run, all "
					    "tasks submitted at the start",
					    policy);
	}
	return 0;
}

static void estimate(struct tv_potentials *p, enum tv_without without,
		     struct tv_potential *potential)
{
	struct tv_error err = { 0 };
	int64_t makespan = p->replayed;
	int rc = 0;

	if (without == TV_WITHOUT_SUBMISSION)
		rc = simulate_submitted(p, potential, &err);
	else if (change[without].class >= 0)
		rc = simulate_shortened(p, without, &makespan, &err);
	else if (without != TV_WITHOUT_GAPS)
		rc = simulate(p, without, &makespan, &err);
	if (rc == 0 && without != TV_WITHOUT_SUBMISSION)
		judge(p, without, p->replayed, makespan, potential);
	else if (rc < 0)
		potential->method = tv_format("not estimated: %s", err.text);
}

const struct tv_potential *tv_potential_without(struct tv_potentials *p, enum tv_without without)
{
	struct tv_potential *potential = &p->of[without];

	if (p->done[without])
		return potential;
	p->done[without] = true;
	potential->ns = potential->below = TV_UNKNOWN;
	if (without != TV_WITHOUT_NOTHING && !p->begun)
		begin(p);
	/* Where no transfers are simulated, the replay is without them. */
	if (without == TV_WITHOUT_TRANSFERS && p->usable && !p->transfers)
		without = TV_WITHOUT_GAPS;
	if (without == TV_WITHOUT_NOTHING)
		potential->method = tv_format("not estimated");
	else if (!p->usable)
		potential->method = tv_format("%s", p->why);
	else
		estimate(p, without, potential);
	return potential;
}
