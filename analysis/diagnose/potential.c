/* SPDX-License-Identifier: GPL-3.0-or-later */
/* potential.c -- how much shorter the run would be without an obstacle, by simulation. */
#include "analysis/diagnose/potential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/lateness.h"
#include "analysis/core/processors.h"
#include "analysis/diagnose/evidence.h"
#include "sim/model/regrain.h"
#include "trace/parallel.h"
#include "trace/timings.h"

enum { NO_CLASS = -1, CHAIN = -2, WAITING = TV_NCLASSES, STEP };

/* What replays leave away. */
static const struct {
	const char *method;
	const char *transfers;
	bool free_messages;
	int class; /* of lateness.h, or one of these */
} replay[TV_NWITHOUT] = {
	[TV_WITHOUT_MESSAGES] = { "replay, messages take no time", NULL, true, NO_CLASS },
	[TV_WITHOUT_TRANSFERS] = { "replay, transfers take no time", "free", false, NO_CLASS },
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
				 WAITING },
	[TV_WITHOUT_STEP] = { "what of these tasks ran alone is divided among the workers of their "
			      "type and node",
			      NULL, false, STEP },
	[TV_WITHOUT_SLOW_TYPES] = { "replay, these tasks take what they take on the best type",
				    NULL, false, CHAIN },
};

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
	tv_free(p->moves.from);
	for (int i = 0; i < TV_NWITHOUT; i++)
		tv_free(p->of[i].method);
}

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
	rc = tv_moved_makespan(&p->moves, &was, simulator, options, makespan, err);
	tv_free(present);
	return rc;
}

static int simulate_on(struct tv_potentials *p, struct tv_simulator *simulator,
		       enum tv_without without, const char *scheduler, const char *submission,
		       int64_t *makespan, struct tv_error *err)
{
	const struct tv_simulation_options options = {
		.scheduler = scheduler,
		.submission = submission,
		.transfers = replay[without].transfers,
		.free_messages = replay[without].free_messages,
		.makespan_only = p->moves.n == 0 || !is_moved(without)
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

static int simulate_with(struct tv_potentials *p, enum tv_without without, const char *scheduler,
			 const char *submission, int64_t *makespan, struct tv_error *err)
{
	return simulate_on(p, &p->simulator, without, scheduler, submission, makespan, err);
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

	p->gapless = p->replayed;
	if (p->simulator.dag->after != NULL)
		return;
	p->moves.from = tv_case_waits(p->c, &p->moves.n, &p->moves.delay);
	/* Each node may wait for itself. */
	p->kept = p->moves.n > 0
	       && (p->c->tasks->nnodes > 1
		   || tv_moved_replay(&p->moves, &p->simulator, &p->gapless, &err) < 0);
	if (p->kept)
		p->moves.n = 0;
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
		rc = simulate_with(p, TV_WITHOUT_GAPS, "replay", "trace", &p->replayed, &err);
	tv_simulator_warn(&p->simulator);
	p->usable = rc == 0;
	if (rc == 0)
		find_moves(p);
	if (rc < 0)
		p->why = tv_format("not estimated: %s", err.text);
}

/* Tasks of a class take the mean of those of no class of their task type and resource type, if there are
 * any. */
static void shorten(struct tv_simulator *s, const uint8_t *class, uint8_t which)
{
	struct tv_costs *costs = &s->costs;
	const struct tv_dag *dag = costs->dag;
	const struct tv_tasks *tasks = &s->run->tasks;
	size_t npairs = (size_t)costs->ntypes * costs->nrtypes;
	double *sum = tv_alloc(npairs, sizeof *sum), *n = tv_alloc(npairs, sizeof *n);

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t v = 0; v < dag->n; v++) {
			uint32_t row = dag->row[v];
			size_t pair;

			if (costs->job[v].type == TV_NONE || costs->job[v].own < 0)
				continue;
			pair = (size_t)costs->job[v].type * costs->nrtypes
			     + costs->job[v].own_rtype;
			if (class[tv_row_whole(tasks, row)] == TV_LATENESS_REST && pass == 0) {
				sum[pair] += (double)costs->job[v].own;
				n[pair] += tv_row_begins(tasks, row);
			} else if (class[tv_row_whole(tasks, row)] == which && pass == 1
				   && n[pair] > 0) {
				/* On a slow worker, if it stays slow. */
				costs->job[v].own = llround(
					sum[pair] / n[pair] * tv_row_share(tasks, row)
					* (costs->slow.n > 0 ? (double)costs->slow.longer[v] : 1));
			}
		}
	tv_free(sum);
	tv_free(n);
}

static int shorten_class(struct tv_simulator *s, enum tv_without without, struct tv_error *err)
{
	const uint8_t *obstacles = tv_case_classes(s->run, err);

	if (obstacles == NULL)
		return -1;
	shorten(s, obstacles, (uint8_t)replay[without].class);
	return 0;
}

/* Tasks on the chain of last dependencies: by the ratio of mean durations there and on the best type. */
static int shorten_chain(struct tv_simulator *s, struct tv_error *err)
{
	struct tv_costs *costs = &s->costs;
	const struct tv_table *path = tv_run_pass_with(s->run, "critical-path", err, "follow",
						       "deps", NULL);
	bool *on;

	if (path == NULL)
		return -1;
	on = tv_path_marks(path, costs->dag->tasks->pool);
	for (uint32_t v = 0; v < costs->dag->n; v++) {
		uint32_t job = tv_dag_job(costs->dag, v);
		const double *time;
		double own, best;

		if (costs->job[v].type == TV_NONE || costs->job[v].own < 0 || job == TV_NONE
		    || !on[job])
			continue;
		time = &costs->time[(size_t)costs->job[v].type * costs->nrtypes];
		own = best = time[costs->job[v].own_rtype];
		for (uint32_t r = 0; r < costs->nrtypes; r++)
			best = time[r] >= 0 && time[r] < best ? time[r] : best;
		if (own > 0)
			costs->job[v].own = llround((double)costs->job[v].own * best / own);
	}
	tv_free(on);
	return 0;
}

/* What of the tasks of the finding serial-step ran alone is divided among all workers that could have a part. */
static void divide_step(struct tv_simulator *s, const struct tv_case *c)
{
	const struct tv_dag *dag = s->costs.dag;
	int64_t *alone = tv_case_step_alone(c);

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];

		if (s->costs.job[v].type == TV_NONE || s->costs.job[v].own < 0 || alone[row] == 0)
			continue;
		s->costs.job[v].own -= alone[row]
				     - alone[row] / tv_case_peers(c, c->tasks->worker[row]);
	}
	tv_free(alone);
}

/* How much less time tasks take with other costs, times the prices of their workers, ns. */
static int64_t shortened(const struct tv_potentials *p, const struct tv_job_cost *other)
{
	const struct tv_costs *costs = &p->simulator.costs;
	const struct tv_tasks *tasks = p->c->tasks;
	long double sum = 0;

	for (uint32_t v = 0; v < costs->dag->n; v++)
		if (costs->job[v].type != TV_NONE && costs->job[v].own >= 0)
			sum += p->c->account
				       .type[tasks->workers[tasks->worker[costs->dag->row[v]]]
						     .rtype]
				       .price
			     * (double)(costs->job[v].own - other[v].own);
	return (int64_t)llroundl(sum);
}

/* With a copy of the costs, as others may simulate at the same time. */
/* present: as of the simulator. */
static int simulate_shortened(struct tv_potentials *p, enum tv_without without,
			      const char *scheduler, const struct tv_sim_presence *present,
			      int64_t *makespan, struct tv_error *err)
{
	struct tv_simulator other = p->simulator;
	uint32_t n = other.dag->n;
	struct tv_job_cost *job = tv_alloc(n, sizeof *job);
	int rc = 0;

	memcpy(job, other.costs.job, n * sizeof *job);
	other.costs.job = job;
	other.present = present;
	if (without == TV_WITHOUT_SLOW_WORKER || replay[without].class == WAITING)
		other.costs.slow.n = 0;
	if (replay[without].class == WAITING)
		tv_costs_drop_waits(&other.costs);
	else if (replay[without].class == STEP)
		divide_step(&other, p->c);
	else
		rc = replay[without].class == CHAIN ? shorten_chain(&other, err)
						    : shorten_class(&other, without, err);
	/* What is divided is as much work as before. */
	p->of[without].work = replay[without].class == STEP ? 0 : shortened(p, job);
	if (rc == 0)
		rc = simulate_on(p, &other, without, scheduler, "trace", makespan, err);
	tv_free(job);
	return rc;
}

/* Gives the potential its gain, and the method takes over. A gain below what the simulation of the run
 * leaves unexplained, or below 1 % of the run, shows nothing. of: the policy of that simulation; NULL = the replay. */
static void judge(const struct tv_potentials *p, enum tv_without without,
		  const struct tv_policy_time *of, int64_t makespan, char *method,
		  struct tv_potential *potential)
{
	int64_t was = of != NULL ? of->makespan : p->replayed;
	int64_t error = was > p->recorded ? was - p->recorded : p->recorded - was;
	/* Where a simulation makes more of the obstacle than it was, it brings no more than what it was. */
	int64_t gain = (was < p->recorded ? was : p->recorded) - makespan;
	bool schedule = without == TV_WITHOUT_SCHEDULE, between;
	char words[2][32];

	tv_free(potential->method);
	/* The policy that is faster may be the one that the run had: simulations of a policy, without scheduling and
	 * transfers, are off by some percent. */
	if (schedule && error < p->recorded / 20)
		error = p->recorded / 20;
	/* No schedule is shorter; durations and messages may be. */
	if ((schedule || without == TV_WITHOUT_SUBMISSION) && gain > p->recorded - p->c->forced)
		gain = p->recorded - p->c->forced;
	/* What is between tasks, but for the first ones after a wait, is no part of what waits for all tasks cost. */
	between = without == TV_WITHOUT_SUBMISSION && p->moves.n > 0 && gain >= p->recorded / 100
	       && gain > p->gapless + p->moves.delay - makespan;
	if (between)
		gain = p->gapless + p->moves.delay - makespan;
	if (gain > 0 && gain >= error && gain >= p->recorded / 100) {
		potential->ns = gain;
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
	} else if (p->kept && is_moved(without) && !schedule && gain < p->recorded / 100) {
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

static int estimate_gaps(const struct tv_potentials *p, struct tv_potential *potential)
{
	if (p->gapless >= p->recorded) {
		potential->method = tv_strdup("not estimated: the replay is not shorter");
		potential->below = 0;
		return 0;
	}
	potential->ns = p->recorded - p->gapless;
	potential->method = tv_strdup(p->transfers
					      ? "replay, no time between tasks but for transfers"
					      : "replay, no transfers and no time between tasks");
	return 0;
}

/* Simulates the policies as the run was, and finds the one that is nearest to it. */
static int find_model(struct tv_potentials *p, struct tv_error *err)
{
	if (p->model != NULL)
		return 0;
	if (!p->simulated_ahead
	    && tv_policies_init(&p->policies, &p->simulator, p->recorded, err) < 0)
		return -1;
	p->model = p->policies.nearest;
	return 0;
}

/* The same with the workers that are absent. */
static int find_absent(struct tv_potentials *p, struct tv_error *err)
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

static int64_t off_by(const struct tv_potentials *p, const struct tv_policy_time *of)
{
	return llabs(of->makespan - p->recorded);
}

/* The policies, as the run was: before anything is changed. With absent workers, too, if there are any. */
static int find_models(struct tv_potentials *p, struct tv_error *err)
{
	if (find_model(p, err) < 0)
		return -1;
	return tv_some_absent(&p->c->absences) ? find_absent(p, err) : 0;
}

/* The nearest of all that find_models found. */
static const struct tv_policy_time *nearest_of(const struct tv_potentials *p)
{
	return p->absent.n > 0 && off_by(p, p->absent.nearest) <= off_by(p, p->model)
		     ? p->absent.nearest
		     : p->model;
}

/* With the workers as the policy has them: policies that are compared with the run have absent workers or not. */
static struct tv_sim_presence *presence_of(const struct tv_potentials *p,
					   const struct tv_policy_time *of)
{
	return of != NULL && of == p->absent.nearest
		     ? tv_absences_present(&p->c->absences, p->c->tasks->nworkers, ~0U)
		     : NULL;
}

/* All tasks are submitted at the start: of a policy, or (NULL) of the replay. */
static int estimate_at_once(struct tv_potentials *p, const struct tv_policy_time *of,
			    struct tv_potential *potential, struct tv_error *err)
{
	struct tv_sim_presence *present = presence_of(p, of);
	struct tv_simulator other = p->simulator;
	int64_t makespan;
	int rc;

	other.present = present;
	rc = simulate_on(p, &other, TV_WITHOUT_SUBMISSION, of != NULL ? of->name : "replay",
			 "all-at-once", &makespan, err);
	tv_free(present);
	if (rc < 0)
		return -1;
	judge(p, TV_WITHOUT_SUBMISSION, of, makespan,
	      of == NULL ? tv_strdup("replay, all tasks submitted at the start")
			 : tv_format("policy %s, which comes nearest to the recorded length; all "
				     "tasks submitted at the start",
				     of->name),
	      potential);
	return 0;
}

/* Keeps that with the larger gain, of equal ones the other. */
static void take_larger(struct tv_potential *potential, struct tv_potential *other)
{
	tv_free(other->ns >= potential->ns ? potential->method : other->method);
	*potential = other->ns >= potential->ns ? *other : *potential;
}

/* Where a scheduler had no choice, because few tasks were submitted, it may have one without: the policy
 * that is nearest to the run as it was, or its replay, says what it would do. A replay keeps workers and order, so it sets no limit, and a
 * policy that is within 5 % may gain more. */
static int estimate_submitted(struct tv_potentials *p, struct tv_potential *potential,
			      struct tv_error *err)
{
	struct tv_potential other = { .ns = TV_UNKNOWN, .below = TV_UNKNOWN };
	const struct tv_policy_time *nearest;
	int64_t off;

	if (find_models(p, err) < 0)
		return -1;
	nearest = nearest_of(p);
	off = off_by(p, nearest);
	if (off <= llabs(p->replayed - p->recorded))
		return estimate_at_once(p, nearest, potential, err);
	if (estimate_at_once(p, NULL, potential, err) < 0)
		return -1;
	potential->below = TV_UNKNOWN;
	if (off > p->recorded / 20)
		return 0;
	if (estimate_at_once(p, nearest, &other, err) < 0)
		return -1;
	take_larger(potential, &other);
	return 0;
}

/* What the other one gains; no limit, as a wait for all tasks may be in the graph, too. */
static void take_submitted(struct tv_potentials *p, struct tv_potential *potential)
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

/* The policy with which the run is shortest, against the one that is nearest to the run. */
static int estimate_scheduled(struct tv_potentials *p, struct tv_potential *potential,
			      struct tv_error *err)
{
	/* What absent workers cost is no matter of the policy. */
	bool absent = tv_some_absent(&p->c->absences);
	const struct tv_policies *policies = absent ? &p->absent : &p->policies;
	const struct tv_policy_time *best = NULL;

	if ((absent ? find_absent(p, err) : find_model(p, err)) < 0)
		return -1;
	for (uint32_t i = 0; i < policies->n; i++)
		if (&policies->at[i] != policies->nearest
		    && (best == NULL || policies->at[i].makespan < best->makespan))
			best = &policies->at[i];
	if (best == NULL)
		best = policies->nearest;
	judge(p, TV_WITHOUT_SCHEDULE, policies->nearest, best->makespan,
	      tv_format("policy %s in place of %s, which comes nearest to the recorded length",
			best->name, policies->nearest->name),
	      potential);
	return 0;
}

/* The replay without messages, without transfers, or with other durations. */
static int estimate_replayed(struct tv_potentials *p, enum tv_without without,
			     struct tv_potential *potential, struct tv_error *err)
{
	int64_t makespan;
	int rc = replay[without].class != NO_CLASS
		       ? simulate_shortened(p, without, "replay", NULL, &makespan, err)
		       : simulate_with(p, without, "replay", "trace", &makespan, err);

	if (rc == 0)
		judge(p, without, NULL, makespan, tv_strdup(replay[without].method), potential);
	return rc;
}

/* Other durations by the policy nearest to the run: a worker that is faster gets more tasks, which a replay does not show. */
static int estimate_shortened(struct tv_potentials *p, enum tv_without without,
			      const struct tv_policy_time *nearest, struct tv_potential *potential,
			      struct tv_error *err)
{
	struct tv_sim_presence *present = presence_of(p, nearest);
	int64_t makespan;
	int rc = simulate_shortened(p, without, nearest->name, present, &makespan, err);

	if (rc == 0)
		judge(p, without, nearest, makespan,
		      tv_format("policy %s, which comes nearest to the recorded length; %s",
				nearest->name, replay[without].method),
		      potential);
	tv_free(present);
	return rc;
}

/* A worker that is slow is so, even where steps of few tasks, or the tasks of other nodes, take as long without that. */
static void allow_slow(enum tv_without without, struct tv_potential *potential)
{
	if (without == TV_WITHOUT_SLOW_WORKER)
		potential->below = TV_UNKNOWN;
}

/* By what is nearest to the run, the replay or a policy; but by a policy that is within 5 % if it gains more than the replay, in which
 * no other worker takes over tasks. */
static int estimate_durations(struct tv_potentials *p, enum tv_without without,
			      struct tv_potential *potential, struct tv_error *err)
{
	struct tv_potential other = { .ns = TV_UNKNOWN, .below = TV_UNKNOWN };
	const struct tv_policy_time *nearest;
	int64_t off;

	if (find_models(p, err) < 0)
		return -1;
	nearest = nearest_of(p);
	off = off_by(p, nearest);
	if (off <= llabs(p->replayed - p->recorded)) {
		if (estimate_shortened(p, without, nearest, potential, err) < 0)
			return -1;
		allow_slow(without, potential);
		return 0;
	}
	if (estimate_replayed(p, without, potential, err) < 0)
		return -1;
	/* It sets no limit. */
	potential->below = TV_UNKNOWN;
	if (off > p->recorded / 20)
		return 0;
	if (estimate_shortened(p, without, nearest, &other, err) < 0)
		return -1;
	take_larger(potential, &other);
	allow_slow(without, potential);
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

	if (find_absent(p, err) < 0)
		return -1;
	present = tv_absences_present(absences, nworkers, ~(1U << but));
	other = p->simulator;
	other.present = present;
	rc = simulate_on(p, &other, without, p->absent.nearest->name, "trace", makespan, err);
	tv_free(present);
	return rc;
}

static int estimate_present(struct tv_potentials *p, enum tv_without without,
			    struct tv_potential *potential, struct tv_error *err)
{
	enum tv_absence but = without == TV_WITHOUT_UNUSED ? TV_ABSENT_UNUSED
			    : without == TV_WITHOUT_LATE   ? TV_ABSENT_LATE
							   : TV_ABSENT_LEFT;
	int64_t makespan;

	if (simulate_present(p, without, but, &makespan, err) < 0)
		return -1;
	judge(p, without, p->absent.nearest, makespan,
	      tv_format("policy %s, which comes nearest to the recorded length; these workers take "
			"tasks all the time",
			p->absent.nearest->name),
	      potential);
	return 0;
}

/* The task that runs alone at the end in as many parts as there are workers for it. */
static int estimate_split(struct tv_potentials *p, struct tv_potential *potential,
			  struct tv_error *err)
{
	const struct tv_tasks *tasks = p->c->tasks;
	uint32_t n = tv_case_peers(p->c, tasks->worker[p->c->last]);
	const struct tv_cost_options costs = { .durations = "trace", .regrained = true };
	struct tv_simulator simulator = { 0 };
	struct tv_regrained changed = { 0 };
	int64_t makespan;
	int rc;

	potential->method = tv_strdup("not estimated");
	/* Parts have no data. */
	if (n < 2 || p->transfers || p->from != NULL || find_model(p, err) < 0)
		return 0;
	rc = tv_regrain_task(&changed, p->run, p->c->last, n, err);
	if (rc == 0)
		rc = tv_simulator_init(&simulator, &changed.run, &costs, NULL, 0, err);
	if (rc == 0)
		rc = simulate_on(p, &simulator, TV_WITHOUT_LAST, p->model->name, "trace", &makespan,
				 err);
	if (rc == 0)
		judge(p, TV_WITHOUT_LAST, p->model, makespan,
		      tv_format("policy %s, which comes nearest to the recorded length; this task "
				"is split into %u parts that run side by side",
				p->model->name, n),
		      potential);
	/* A schedule that no policy is like says nothing of it. */
	potential->below = TV_UNKNOWN;
	potential->refuted = false;
	tv_simulator_release(&simulator);
	tv_regrained_release(&changed);
	return 0;
}

static void estimate(struct tv_potentials *p, enum tv_without without,
		     struct tv_potential *potential)
{
	struct tv_error err = { 0 };
	int rc = without == TV_WITHOUT_GAPS	  ? estimate_gaps(p, potential)
	       : without == TV_WITHOUT_SUBMISSION ? estimate_submitted(p, potential, &err)
	       : without == TV_WITHOUT_SCHEDULE	  ? estimate_scheduled(p, potential, &err)
	       : without == TV_WITHOUT_LAST	  ? estimate_split(p, potential, &err)
	       : without >= TV_WITHOUT_UNUSED	  ? estimate_present(p, without, potential, &err)
	       : replay[without].class >= 0	  ? estimate_durations(p, without, potential, &err)
						  : estimate_replayed(p, without, potential, &err);

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
		take_submitted(p, potential);
	else
		estimate(p, without, potential);
	if (potential->ns != TV_UNKNOWN && without != TV_WITHOUT_BARRIERS
	    && !tv_tasks_depend(p->c->tasks))
		tv_append(&potential->method, "; as if no task depended on another");
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
	return without == TV_WITHOUT_SUBMISSION
	    || (replay[without].method != NULL && replay[without].class >= 0);
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
	if (!p->usable || (model && find_models(p, &err) < 0)
	    || !tv_policy_runs_fit(&p->simulator, 2 * (size_t)tv_threads()))
		return;
	tv_parallel(n, fill_one, &several);
	for (size_t i = 0; i < n; i++)
		p->done[several.of[i]] = true;
}

/* A replay makes transfers as soon as it can. Where these alone are what it gains, that is what transfers ahead of tasks bring; a
 * replay without them then shows no more. */
static bool gains_ahead(struct tv_potentials *p, int64_t size_ns)
{
	static char method[] = "replay, transfers are made ahead of tasks";

	p->ahead = (struct tv_potential){ .ns = p->recorded - p->replayed,
					  .below = TV_UNKNOWN,
					  .method = method };
	return p->ahead.ns >= p->recorded / 100 && p->ahead.ns > 0
	    && (double)p->ahead.ns <= 1.1 * (double)size_ns;
}

const struct tv_potential *tv_potential_of(struct tv_potentials *p, enum tv_without without,
					   int64_t size_ns)
{
	static char kept[] =
		"not estimated: a replay keeps the times at which tasks were submitted";
	static char waited[] =
		"not estimated: how long tasks would wait for a processor in another "
		"schedule is not known";
	static const struct tv_potential none = { .ns = TV_UNKNOWN,
						  .below = TV_UNKNOWN,
						  .method = kept };
	static const struct tv_potential unknown = { .ns = TV_UNKNOWN,
						     .below = TV_UNKNOWN,
						     .method = waited };
	const struct tv_potential *potential;

	if (without == TV_WITHOUT_SCHEDULE && p->c->preempted > 0)
		return &unknown;
	potential = tv_potential_without(p, without);
	if (without == TV_WITHOUT_TRANSFERS && potential->ns == TV_UNKNOWN && p->c->full == TV_NONE
	    && p->usable && gains_ahead(p, size_ns))
		return &p->ahead;
	return without == TV_WITHOUT_GAPS && potential->ns != TV_UNKNOWN
			    && potential->ns < size_ns / 4
		     ? &none
		     : potential;
}
