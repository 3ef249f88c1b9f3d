/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaled.c -- what runs of one graph on more workers should take. */
#include "analysis/efficiency/scaled.h"

#include <math.h>
#include <string.h>

#include "sim/model/simulation.h"
#include "trace/alloc.h"

struct series {
	const struct tv_named_run *run;
	size_t n;
	struct tv_scaled *each;
	struct tv_scaled_law *law;
	char **resources; /* by run: its workers, as simulate takes them; NULL = not simulated */
	bool unlike;	  /* types of workers do not grow alike */
	struct tv_simulator simulator;
};

static const struct tv_tasks *tasks_of(const struct series *s, size_t i)
{
	return &s->run[i].run->tasks;
}

static double makespan(const struct series *s, size_t i)
{
	return (double)(tasks_of(s, i)->finish - tasks_of(s, i)->begin);
}

static void fail(struct series *s, const char *why)
{
	if (s->law->why == NULL)
		s->law->why = tv_strdup(why);
}

/* The factor by which all types of workers of the smallest run grew, NaN: they did not grow alike. */
static double growth(const struct series *s, size_t i)
{
	const struct tv_tasks *from = tasks_of(s, s->law->reference), *to = tasks_of(s, i);
	double p = (double)to->nworkers / from->nworkers;

	for (uint32_t r = 0; r < from->nrtypes; r++)
		if (tv_workers_of_type(to, tv_pool_text(from->pool, from->rtype[r].label))
		    != p * from->rtype[r].nworkers)
			return NAN;
	return p;
}

/* Whether each node has as many workers of each type as any other. */
static bool nodes_are_alike(const struct tv_tasks *tasks)
{
	uint32_t *n = tv_alloc((size_t)tasks->nnodes * tasks->nrtypes, sizeof *n);
	bool alike = true;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		n[(size_t)tasks->workers[w].node * tasks->nrtypes + tasks->workers[w].rtype]++;
	for (size_t i = tasks->nrtypes; i < (size_t)tasks->nnodes * tasks->nrtypes; i++)
		alike = alike && n[i] == n[i - tasks->nrtypes];
	tv_free(n);
	return alike;
}

/* The workers of each node, "CPU=64,CUDA=2"; NULL: the smallest run has no workers of some type. */
static char *list_workers(const struct series *s, size_t i)
{
	const struct tv_tasks *tasks = tasks_of(s, i);
	char *text = NULL;
	bool known = true;

	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		const char *type = tv_pool_text(tasks->pool, tasks->rtype[r].label);

		if (tasks->rtype[r].nworkers == 0)
			continue;
		known = known && tv_workers_of_type(tasks_of(s, s->law->reference), type) > 0;
		tv_append(&text, "%s%s=%u", text != NULL ? "," : "", type,
			  tasks->rtype[r].nworkers / tasks->nnodes);
	}
	if (!known)
		tv_free(text);
	return known ? text : NULL;
}

static void choose(struct series *s)
{
	const struct tv_tasks *reference;
	size_t members = 0;

	for (size_t i = 1; i < s->n; i++)
		if (tasks_of(s, i)->nworkers < tasks_of(s, s->law->reference)->nworkers)
			s->law->reference = i;
	reference = tasks_of(s, s->law->reference);
	for (size_t i = 0; i < s->n; i++) {
		/* Where tasks would run on other nodes, and with which messages, no trace tells. */
		if (tasks_of(s, i)->ntasks != reference->ntasks
		    || tasks_of(s, i)->nnodes != reference->nnodes)
			continue;
		if (!nodes_are_alike(tasks_of(s, i))) {
			fail(s, "nodes have different workers, which are not simulated");
			continue;
		}
		s->each[i].p = growth(s, i);
		s->resources[i] = list_workers(s, i);
		s->unlike |= isnan(s->each[i].p);
		members++;
	}
	if (members < 2)
		fail(s,
		     "no other run has as many tasks and nodes as the smallest one: tasks are not "
		     "moved to other nodes");
}

/* Simulates the series by a policy: to[0..n). -1 with *err. */
static int simulate(struct series *s, const char *policy, double *to, struct tv_error *err)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct tv_simulation_options options = { .scheduler = policy,
							       .resources = s->resources[i],
							       .submission = "all-at-once" };
		struct tv_simulation simulation = { 0 };
		int rc;

		to[i] = NAN;
		if (s->resources[i] == NULL)
			continue;
		rc = tv_simulation_init(&simulation, &s->simulator, &options, err);
		if (rc == 0)
			to[i] = (double)simulation.schedule.makespan;
		tv_simulation_release(&simulation);
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* The sum of the squares of how far simulated makespans are from the runs', relative to these. */
static double distance(const struct series *s, const double *simulated)
{
	double sum = 0, off;

	for (size_t i = 0; i < s->n; i++) {
		off = simulated[i] / makespan(s, i) - 1;
		sum += isnan(off) ? 0 : off * off;
	}
	return sum;
}

/* By the policy that is nearest to the runs. */
static void simulate_all(struct series *s)
{
	const struct tv_cost_options costs = { .durations = "trace" };
	double *simulated = tv_alloc(s->n, sizeof *simulated), least = INFINITY;
	struct tv_error err = { 0 };
	int rc = tv_simulator_init(&s->simulator, s->run[s->law->reference].run, &costs,
				   (const char *const *)s->resources, s->n, &err);

	for (uint32_t k = 0; rc == 0 && k < tv_nschedulers; k++) {
		const struct tv_scheduler *of = &tv_schedulers[k];

		if (of->place == TV_SIM_RECORDED || of->nearest_of > 0 || of->counts_transfers)
			continue;
		rc = simulate(s, of->name, simulated, &err);
		if (rc < 0 || !(distance(s, simulated) < least))
			continue;
		least = distance(s, simulated);
		s->law->policy = of->name;
		for (size_t i = 0; i < s->n; i++)
			s->each[i].simulated = simulated[i];
	}
	if (rc < 0)
		fail(s, err.text);
	tv_simulator_release(&s->simulator);
	tv_free(simulated);
}

/* a + b / p through the rests of the series without one run (n: with all), weights 1 / M^2. False: fewer than two
 * different p. */
static bool fit(const struct series *s, size_t without, double *a, double *b)
{
	double sw = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, first = NAN;
	bool several = false;

	for (int pass = 0; pass < 2; pass++) {
		double x0 = pass == 1 ? sx / sw : 0, y0 = pass == 1 ? sy / sw : 0;

		for (size_t i = 0; i < s->n; i++) {
			double m = makespan(s, i), w = 1 / (m * m), x = 1 / s->each[i].p - x0;
			double y = m - s->each[i].simulated - y0;

			if (i == without || isnan(y) || isnan(x) || !(m > 0))
				continue;
			if (pass == 1) {
				sxx += w * x * x;
				sxy += w * x * y;
				continue;
			}
			several |= s->each[i].p != first && !isnan(first);
			first = s->each[i].p;
			sw += w;
			sx += w * x;
			sy += w * y;
		}
	}
	if (!several)
		return false;
	*b = sxy / sxx;
	*a = sy / sw - *b * sx / sw;
	return true;
}

static void predict(struct series *s)
{
	size_t known = 0;
	double a, b;

	for (size_t i = 0; i < s->n; i++) {
		known += !isnan(s->each[i].simulated);
	}
	if (s->unlike)
		fail(s, "the types of workers do not grow alike");
	for (size_t i = 0; i < s->n && !s->unlike; i++) {
		if (fit(s, i, &a, &b))
			s->each[i].model = s->each[i].simulated + a + b / s->each[i].p;
	}
	if (s->law->why == NULL && (known < 3 || !fit(s, s->n, &s->law->a, &s->law->b)))
		fail(s, "a model needs three runs with as many tasks, on different numbers of "
			"workers");
}

void tv_scale(const struct tv_named_run *run, size_t n, struct tv_scaled *each,
	      struct tv_scaled_law *law)
{
	struct series s = { run, n, each, law, tv_alloc(n, sizeof *s.resources), false, { 0 } };

	*law = (struct tv_scaled_law){ .a = NAN, .b = NAN };
	for (size_t i = 0; i < n; i++)
		each[i] = (struct tv_scaled){ NAN, NAN, NAN };
	choose(&s);
	if (law->why == NULL)
		simulate_all(&s);
	if (law->why == NULL)
		predict(&s);
	for (size_t i = 0; i < n; i++)
		tv_free(s.resources[i]);
	tv_free(s.resources);
}
