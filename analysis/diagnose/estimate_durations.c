/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate_durations.c -- how much shorter the run would be with other durations, or without messages or transfers. */
#include <math.h>
#include <string.h>

#include "analysis/core/lock_waits.h"
#include "analysis/diagnose/estimate.h"

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
	shorten(s, obstacles, (uint8_t)tv_replays[without].class);
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

/* Whether what a long task ran alone can be divided: where no task depends on another one, it could have run before, beside others, if it
 * ran alone all the time. */
static bool is_long_alone(const struct tv_case *c, uint32_t row, int64_t alone)
{
	return tv_is_unequal(c->class[tv_row_whole(c->tasks, row)])
	    && (tv_tasks_depend(c->tasks) || alone < tv_task_time(c->tasks, row));
}

/* What of the tasks of the finding serial-step, or of unequal-tasks, ran alone is divided among all workers that could have a part. */
static void divide(struct tv_simulator *s, const struct tv_case *c, int which)
{
	const struct tv_dag *dag = s->costs.dag;
	int64_t *alone = tv_case_alone(c);

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];

		if (s->costs.job[v].type == TV_NONE || s->costs.job[v].own < 0 || alone[row] == 0
		    || (which == TV_REPLAY_STEP ? c->tasks->value[row] != c->step
						: !is_long_alone(c, row, alone[row])))
			continue;
		s->costs.job[v].own -= alone[row]
				     - alone[row] / tv_case_peers(c, c->tasks->worker[row]);
	}
	tv_free(alone);
}

/* Tasks without their waits for locks. */
static void drop_lock_waits(struct tv_simulator *s, const struct tv_run *run)
{
	const struct tv_dag *dag = s->costs.dag;
	int64_t *waits = tv_alloc(run->tasks.n, sizeof *waits);

	tv_run_lock_waits(run, waits);
	for (uint32_t v = 0; v < dag->n; v++) {
		struct tv_job_cost *job = &s->costs.job[v];

		if (job->type != TV_NONE && job->own >= 0)
			job->own -= waits[dag->row[v]] < job->own ? waits[dag->row[v]] : job->own;
	}
	tv_free(waits);
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

/* With a copy of the costs, as others may simulate at the same time. present: as of the simulator. */
static int simulate_shortened(struct tv_potentials *p, enum tv_without without,
			      const char *scheduler, const struct tv_sim_presence *present,
			      int64_t *makespan, struct tv_error *err)
{
	struct tv_simulator other = p->simulator;
	uint32_t n = other.dag->n;
	struct tv_job_cost *job = tv_alloc(n, sizeof *job);
	bool divided = tv_replays[without].class == TV_REPLAY_STEP
		    || tv_replays[without].class == TV_REPLAY_LONG;
	int rc = 0;

	memcpy(job, other.costs.job, n * sizeof *job);
	other.costs.job = job;
	other.present = present;
	if (without == TV_WITHOUT_SLOW_WORKER || tv_replays[without].class == TV_REPLAY_CLOCKED)
		other.costs.slow.n = 0;
	if (tv_replays[without].class == TV_REPLAY_CLOCKED)
		tv_costs_drop_waits(&other.costs);
	else if (divided)
		divide(&other, p->c, tv_replays[without].class);
	else if (tv_replays[without].class == TV_REPLAY_LOCKS)
		drop_lock_waits(&other, p->run);
	else
		rc = tv_replays[without].class == TV_REPLAY_CHAIN
			   ? shorten_chain(&other, err)
			   : shorten_class(&other, without, err);
	/* What is divided is as much work as before. */
	p->of[without].work = divided ? 0 : shortened(p, job);
	if (rc == 0)
		rc = tv_estimate_on(p, &other, without, scheduler, "trace", makespan, err);
	tv_free(job);
	return rc;
}

int tv_estimate_replayed(struct tv_potentials *p, enum tv_without without,
			 struct tv_potential *potential, struct tv_error *err)
{
	int64_t makespan;
	int rc = tv_replays[without].class != TV_REPLAY_AS_IT_WAS
		       ? simulate_shortened(p, without, "replay", NULL, &makespan, err)
		       : tv_estimate_with(p, without, "replay", "trace", &makespan, err);

	if (rc == 0)
		tv_estimate_judge(p, without, NULL, makespan, tv_strdup(tv_replays[without].method),
				  potential);
	return rc;
}

/* Other durations by a policy, with which a worker that is faster gets more tasks, or the replay, which does not show that. */
static int estimate_shortened(struct tv_potentials *p, enum tv_without without,
			      const struct tv_policy_time *of, struct tv_potential *potential,
			      struct tv_error *err)
{
	struct tv_sim_presence *present;
	int64_t makespan;
	int rc;

	if (of == NULL)
		return tv_estimate_replayed(p, without, potential, err);
	present = tv_estimate_presence(p, of);
	rc = simulate_shortened(p, without, of->name, present, &makespan, err);
	if (rc == 0)
		tv_estimate_judge(
			p, without, of, makespan,
			tv_format("policy %s, which comes nearest to the recorded length; %s",
				  of->name, tv_replays[without].method),
			potential);
	tv_free(present);
	return rc;
}

int tv_estimate_durations(struct tv_potentials *p, enum tv_without without,
			  struct tv_potential *potential, struct tv_error *err)
{
	int rc = tv_estimate_nearest_or_larger(p, without, estimate_shortened, potential, err);

	/* A worker that is slow is so, even where steps of few tasks, or the tasks of other nodes, take as long without that. */
	if (without == TV_WITHOUT_SLOW_WORKER)
		potential->below = TV_UNKNOWN;
	return rc;
}
