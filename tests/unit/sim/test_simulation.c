/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_simulation.c -- the engine and its schedulers: closed forms, and bounds on random graphs. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"
#include "sim/holds.h"
#include "sim/schedulers.h"
#include "trace/alloc.h"

enum { NODES = 60, EDGES = NODES * NODES / 2, WORKERS = 6 };

/* A graph whose edges go to greater numbers, and the duration of each node by resource type. */
struct graph {
	uint32_t n, first[NODES + 1], next[EDGES], rank[NODES];
	int64_t delay[NODES], priority[NODES], submit[NODES], cost[NODES][2];
	uint32_t group[NODES]; /* 0: type 0 runs it; 1: both types; 2: none */
};

static uint64_t seed;

static uint32_t random_below(uint32_t n)
{
	return (uint32_t)unit_random(&seed, n);
}

static int64_t cost_of(const void *context, uint32_t node, uint32_t type)
{
	const struct graph *g = context;

	return g->cost[node][type];
}

static const char *name_of(const void *context, uint32_t node)
{
	static char name[16];

	(void)context;
	snprintf(name, sizeof name, "%u", node);
	return name;
}

/* Edges with a chance of `percent`; every tenth node is a ghost where there are ghosts. */
static void fill_graph(struct graph *g, uint32_t n, uint32_t percent, bool ghosts)
{
	uint32_t at = 0;

	*g = (struct graph){ .n = n };
	for (uint32_t v = 0; v < n; v++) {
		g->rank[v] = v;
		g->delay[v] = ghosts && random_below(10) == 0 ? (int64_t)random_below(5) : -1;
		g->priority[v] = random_below(4);
		g->submit[v] = v > 0 ? g->submit[v - 1] + random_below(3) : 0;
		g->cost[v][0] = 1 + random_below(100);
		g->group[v] = random_below(3) > 0;
		g->cost[v][1] = g->group[v] ? (int64_t)(1 + random_below(20)) : -1;
		g->first[v] = at;
		for (uint32_t w = v + 1; w < n; w++)
			if (random_below(100) < percent)
				g->next[at++] = w;
	}
	g->first[n] = at;
}

/* exclusion: NULL = no handles. */
static struct tv_sim_schedule run_with(const struct graph *g, const char *scheduler,
				       const struct tv_sim_machine *machine, bool submits,
				       const struct tv_sim_exclusion *exclusion)
{
	const struct tv_sim_graph graph = {
		g->n,	     g->first, g->next, g->rank, submits ? g->submit : NULL,
		g->priority, g->delay, g->group
	};
	const struct tv_sim_options options = { .scheduler = tv_scheduler_find(scheduler),
						.cost = cost_of,
						.context = g,
						.exclusion = exclusion };
	struct tv_sim_schedule schedule;
	struct tv_error err = { 0 };

	assert_non_null(options.scheduler);
	if (tv_simulate(&graph, machine, &options, name_of, &schedule, &err) < 0)
		fail_msg("%s: %s", scheduler, err.text);
	return schedule;
}

static struct tv_sim_schedule run(const struct graph *g, const char *scheduler,
				  const struct tv_sim_machine *machine, bool submits)
{
	return run_with(g, scheduler, machine, submits, NULL);
}

static const uint32_t one_type[WORKERS], two_types[WORKERS] = { 0, 0, 0, 0, 1, 1 };
static const bool one_runs[3] = { true, true, false },
		  two_run[3][2] = { { true, false }, { true, true } };
static const char *const policies[] = { "fifo", "prio", "cpe-priority", "dm",
					"dms",	"heft", "ws",		"lws" };

/* Every node ran once, on a worker that can run it, for its time, after its predecessors; no worker ran
 * two at a time. */
static void check(const struct graph *g, const struct tv_sim_machine *machine,
		  const struct tv_sim_schedule *s, const char *policy)
{
	for (uint32_t v = 0; v < g->n; v++) {
		bool work = g->delay[v] < 0;

		if (work)
			assert_true(s->worker[v] < machine->nworkers);
		else
			assert_int_equal(s->worker[v], UINT32_MAX);
		int64_t time = work ? g->cost[v][machine->type[s->worker[v]]] : g->delay[v];
		assert_true(time >= 0);
		if (s->end[v] - s->start[v] != time)
			fail_msg("%s: node %u took another time", policy, v);
		for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
			assert_true(s->start[g->next[e]] >= s->end[v]);
		for (uint32_t w = 0; w < v && work; w++)
			assert_true(s->worker[w] != s->worker[v] || s->end[w] <= s->start[v]
				    || s->end[v] <= s->start[w]);
	}
}

/* The longest path and the sum, on resource type 0. */
static int64_t longest(const struct graph *g, int64_t *sum)
{
	int64_t path[NODES] = { 0 }, most = 0;

	*sum = 0;
	for (uint32_t v = g->n; v-- > 0;) {
		for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
			if (path[g->next[e]] > path[v])
				path[v] = path[g->next[e]];
		path[v] += g->cost[v][0];
		*sum += g->cost[v][0];
		if (path[v] > most)
			most = path[v];
	}
	return most;
}

/* [Graham 1969]: a list schedule ends within W/p + (1 - 1/p) CP, and not before either bound. */
static void keeps_the_bounds(void **state)
{
	static const char *const list[] = { "fifo", "prio", "cpe-priority", "dm", "ws", "lws" };
	const char *text = getenv("TRACEVIZ_PROGRAMS");
	long cases = text != NULL ? atol(text) : 10000;
	struct graph g;

	(void)state;
	seed = unit_seed(20261122);
	for (long i = 0; i < cases; i++) {
		uint32_t p = 1 + random_below(WORKERS);
		const struct tv_sim_machine machine = { p, 1, 3, one_type, one_runs };
		int64_t sum, path;

		fill_graph(&g, 1 + random_below(NODES), random_below(30), false);
		path = longest(&g, &sum);
		for (size_t k = 0; k < TV_COUNT(list); k++) {
			struct tv_sim_schedule s = run(&g, list[k], &machine, false);

			check(&g, &machine, &s, list[k]);
			if (s.makespan < path || s.makespan * p < sum
			    || s.makespan * p > sum + (p - 1) * path)
				fail_msg("case %ld, %s on %u: %ld, work %ld, path %ld", i, list[k],
					 p, (long)s.makespan, (long)sum, (long)path);
			if (p == 1)
				assert_int_equal(s.makespan, sum);
			tv_sim_release(&s);
		}
	}
}

/* ws and lws: a worker takes its tasks by priority, then the newest; others steal by priority, then the
 * oldest. Node 0 releases the others on worker 0; worker 1 steals what follows its first one. */
static void takes_and_steals(void **state)
{
	static const int64_t priority[] = { 0, 1, 3, 2, 3, 2, 2 };
	static const int64_t alone[] = { 0, 6, 2, 5, 1, 4, 3 }; /* place of each node */
	static const char *const list[] = { "ws", "lws" };
	struct graph g = { .n = TV_COUNT(priority) };

	(void)state;
	for (uint32_t v = 0; v < g.n; v++) {
		g.rank[v] = v;
		g.delay[v] = -1;
		g.priority[v] = priority[v];
		g.cost[v][0] = 10;
		g.first[v + 1] = g.n - 1;
		if (v > 0)
			g.next[v - 1] = v;
	}
	for (size_t k = 0; k < TV_COUNT(list); k++)
		for (uint32_t p = 1; p <= 2; p++) {
			const struct tv_sim_machine machine = { p, 1, 3, one_type, one_runs };
			struct tv_sim_schedule s = run(&g, list[k], &machine, false);

			for (uint32_t v = 0; v < g.n && p == 1; v++)
				assert_int_equal(s.start[v], 10 * alone[v]);
			if (p == 2) { /* worker 0: 4 6 5, worker 1: 2 3 1 */
				assert_int_equal(s.worker[4] + s.worker[6] + s.worker[5], 0);
				assert_int_equal(s.worker[2] + s.worker[3] + s.worker[1], 3);
				assert_true(s.start[4] < s.start[6] && s.start[6] < s.start[5]);
				assert_true(s.start[2] < s.start[3] && s.start[3] < s.start[1]);
				assert_int_equal(s.steals, 3);
			}
			tv_sim_release(&s);
		}
}

/* Two resource types, ghosts, messages, times of submission: a valid schedule, twice the same. */
static void is_a_schedule(void **state)
{
	const struct tv_sim_machine machine = { WORKERS, 2, 3, two_types, two_run[0] };
	struct graph g;

	(void)state;
	seed = unit_seed(20261122);
	for (int i = 0; i < 500; i++) {
		fill_graph(&g, 1 + random_below(NODES), random_below(30), true);
		for (size_t k = 0; k < TV_COUNT(policies); k++) {
			struct tv_sim_schedule s = run(&g, policies[k], &machine, i % 2);
			struct tv_sim_schedule t = run(&g, policies[k], &machine, i % 2);

			check(&g, &machine, &s, policies[k]);
			for (uint32_t v = 0; v < g.n && i % 2; v++)
				assert_true(s.start[v] >= g.submit[v]);
			assert_memory_equal(s.start, t.start, g.n * sizeof *s.start);
			assert_memory_equal(s.worker, t.worker, g.n * sizeof *s.worker);
			tv_sim_release(&s);
			tv_sim_release(&t);
		}
	}
}

/* The makespan alone is that of the whole schedule, also of a replay; priorities that are equal are none. */
static void gives_makespans(void **state)
{
	const struct tv_sim_machine machine = { WORKERS, 2, 3, two_types, two_run[0] };
	struct graph g;

	(void)state;
	seed = unit_seed(20261128);
	for (int i = 0; i < 450; i++) {
		bool replay = i % 9 == 8;
		struct tv_error err = { 0 };

		fill_graph(&g, 1 + random_below(NODES), random_below(30), true);
		struct tv_sim_schedule s = run(&g, policies[i % 8], &machine, true), t;
		const struct tv_sim_recorded recorded = { s.worker, s.start };
		const struct tv_sim_graph graph = { g.n,      g.first,	  g.next,  g.rank,
						    g.submit, g.priority, g.delay, g.group };
		const struct tv_sim_options options = {
			.scheduler = tv_scheduler_find(replay ? "replay" : policies[i % 8]),
			.cost = cost_of,
			.context = &g,
			.recorded = replay ? &recorded : NULL,
			.makespan_only = true
		};

		assert_int_equal(tv_simulate(&graph, &machine, &options, name_of, &t, &err), 0);
		assert_int_equal(s.makespan, t.makespan);
		assert_true(t.start == NULL && t.end == NULL && t.submitted == NULL);
		tv_sim_release(&s);
		tv_sim_release(&t);

		for (uint32_t v = 0; v < g.n; v++)
			g.priority[v] = 7;
		s = run(&g, "fifo", &machine, true);
		t = run(&g, "prio", &machine, true);
		assert_memory_equal(s.start, t.start, g.n * sizeof *s.start);
		tv_sim_release(&s);
		tv_sim_release(&t);
	}
}

/* A replay of what a policy did is that schedule. */
static void replays(void **state)
{
	const struct tv_sim_machine machine = { WORKERS, 2, 3, two_types, two_run[0] };
	struct graph g;

	(void)state;
	seed = unit_seed(20261122);
	for (int i = 0; i < 500; i++) {
		fill_graph(&g, 1 + random_below(NODES), random_below(30), true);
		struct tv_sim_schedule s = run(&g, policies[i % 8], &machine, true), t;
		const struct tv_sim_recorded recorded = { s.worker, s.start };
		const struct tv_sim_graph graph = { g.n,      g.first,	  g.next,  g.rank,
						    g.submit, g.priority, g.delay, g.group };
		const struct tv_sim_options options = { .scheduler = tv_scheduler_find("replay"),
							.cost = cost_of,
							.context = &g,
							.recorded = &recorded };
		struct tv_error err = { 0 };

		assert_int_equal(tv_simulate(&graph, &machine, &options, name_of, &t, &err), 0);
		assert_memory_equal(s.start, t.start, g.n * sizeof *s.start);
		assert_memory_equal(s.worker, t.worker, g.n * sizeof *s.worker);
		tv_sim_release(&s);
		tv_sim_release(&t);
	}
}

/* A replay where only graph, submission and workers delay tasks needs no events; with these, which a limit of 1
 * taken task asks for, it is the same. Every third recorded order is random, most of which contradict the graph. */
static void replays_without_events(void **state)
{
	static const uint32_t one[WORKERS] = { 1, 1, 1, 1, 1, 1 };
	const struct tv_sim_machine machine = { WORKERS, 2, 3, two_types, two_run[0] };
	int refused = 0;
	struct graph g;

	(void)state;
	seed = unit_seed(20261123);
	for (int i = 0; i < 500; i++) {
		fill_graph(&g, 1 + random_below(NODES), random_below(30), true);
		struct tv_sim_schedule s = run(&g, policies[i % 8], &machine, true), t, u;
		const struct tv_sim_recorded recorded = { s.worker, s.start };
		const struct tv_sim_graph graph = { g.n,      g.first,	  g.next,  g.rank,
						    g.submit, g.priority, g.delay, g.group };
		struct tv_sim_options options = { .scheduler = tv_scheduler_find("replay"),
						  .cost = cost_of,
						  .context = &g,
						  .recorded = &recorded };
		struct tv_error err = { 0 }, same = { 0 };
		int rc;

		for (uint32_t v = 0; v < g.n; v++) {
			g.cost[v][0] = random_below(30);
			g.cost[v][1] = g.cost[v][1] < 0 ? -1 : (int64_t)random_below(30);
			s.start[v] = i % 3 == 0 ? (int64_t)random_below(1000) : s.start[v];
		}
		rc = tv_simulate(&graph, &machine, &options, name_of, &t, &err);
		options.may_take = one;
		assert_int_equal(tv_simulate(&graph, &machine, &options, name_of, &u, &same), rc);
		refused += rc < 0;
		assert_string_equal(err.text, same.text);
		for (uint32_t v = 0; rc == 0 && v < g.n; v++) {
			assert_int_equal(t.worker[v], u.worker[v]);
			assert_int_equal(t.start[v], u.start[v]);
			assert_int_equal(t.end[v], u.end[v]);
			assert_int_equal(t.submitted[v], u.submitted[v]);
			assert_int_equal(t.released[v], u.released[v]);
		}
		assert_true(rc < 0 || t.makespan == u.makespan);
		tv_sim_release(&s);
		if (rc == 0) {
			tv_sim_release(&t);
			tv_sim_release(&u);
		}
	}
	assert_in_range(refused, 50, 400);
}

static void refuses(void **state)
{
	const struct tv_sim_machine machine = { 2, 1, 3, one_type, one_runs };
	const uint32_t worker[2] = { 0, 0 };
	const int64_t start[2] = { 5, 0 }; /* the successor first */
	const struct tv_sim_recorded recorded = { worker, start };
	struct graph g = { .n = 2,
			   .first = { 0, 1, 1 },
			   .next = { 1 },
			   .rank = { 0, 1 },
			   .delay = { -1, -1 },
			   .cost = { { 1, 1 }, { 1, 1 } } };
	const struct tv_sim_graph graph = { g.n,  g.first, g.next,  g.rank,
					    NULL, NULL,	   g.delay, g.group };
	struct tv_sim_options options = { .scheduler = tv_scheduler_find("replay"),
					  .cost = cost_of,
					  .context = &g,
					  .recorded = &recorded };
	struct tv_sim_schedule s;
	struct tv_error err = { 0 };

	(void)state;
	assert_int_equal(tv_simulate(&graph, &machine, &options, name_of, &s, &err), -1);
	assert_string_equal(err.text, "2 of 2 tasks never start, first 0: the recorded order "
				      "contradicts the dependencies");
	options.scheduler = tv_scheduler_find("fifo");
	g.group[1] = 2;
	err = (struct tv_error){ 0 };
	assert_int_equal(tv_simulate(&graph, &machine, &options, name_of, &s, &err), -1);
	assert_string_equal(err.text, "task 1: no worker of the machine can run it");
	assert_null(tv_scheduler_find("best"));
}

/* --submission window:N: never more than N nodes submitted and not ended. */
static void keeps_the_window(void **state)
{
	const struct tv_sim_machine machine = { 4, 1, 3, one_type, one_runs };
	struct graph g;

	(void)state;
	seed = unit_seed(7);
	fill_graph(&g, NODES, 0, false);
	for (uint32_t window = 1; window <= 5; window++) {
		const struct tv_sim_graph graph = { g.n,  g.first, g.next,  g.rank,
						    NULL, NULL,	   g.delay, g.group };
		const struct tv_sim_options options = { .scheduler = tv_scheduler_find("fifo"),
							.cost = cost_of,
							.context = &g,
							.window = window };
		struct tv_sim_schedule s;
		struct tv_error err = { 0 };
		uint32_t most = 0;

		assert_int_equal(tv_simulate(&graph, &machine, &options, name_of, &s, &err), 0);
		for (uint32_t v = 0; v < g.n; v++) {
			uint32_t busy = 0;

			for (uint32_t w = 0; w < g.n; w++)
				busy += s.start[w] <= s.start[v] && s.start[v] < s.end[w];
			most = busy > most ? busy : most;
		}
		assert_int_equal(most, window < 4 ? window : 4);
		tv_sim_release(&s);
	}
}

enum { HANDLES = 5 };

/* What each node holds until its own end. */
struct held {
	uint32_t first[NODES + 1], handle[NODES * HANDLES], frees[NODES];
};

static struct tv_sim_schedule run_excluding(const struct graph *g, const char *scheduler,
					    const struct tv_sim_machine *machine,
					    const struct held *held)
{
	const struct tv_sim_exclusion exclusion = { HANDLES, held->first, held->handle,
						    held->frees };

	return run_with(g, scheduler, machine, false, &exclusion);
}

static bool share(const struct held *held, uint32_t v, uint32_t w)
{
	for (uint32_t a = held->first[v]; a < held->first[v + 1]; a++)
		for (uint32_t b = held->first[w]; b < held->first[w + 1]; b++)
			if (held->handle[a] == held->handle[b])
				return true;
	return false;
}

/* Tasks on one handle follow each other, and all end; handles that nothing shares change nothing. */
static void excludes(void **state)
{
	const struct tv_sim_machine machine = { WORKERS, 2, 3, two_types, two_run[0] };
	struct graph g;

	(void)state;
	seed = unit_seed(20261122);
	for (int i = 0; i < 400; i++) {
		const char *policy = policies[i % 8];
		struct held held = { 0 }, nothing = { 0 };
		uint32_t n = 0;

		fill_graph(&g, 1 + random_below(NODES), random_below(20), true);
		for (uint32_t v = 0; v < g.n; v++) {
			held.first[v] = n;
			held.frees[v] = nothing.frees[v] = v;
			for (uint32_t h = 0; h < HANDLES && g.delay[v] < 0; h++)
				if (random_below(4) == 0)
					held.handle[n++] = h;
		}
		held.first[g.n] = n;
		struct tv_sim_schedule s = run_excluding(&g, policy, &machine, &held);

		check(&g, &machine, &s, policy);
		for (uint32_t v = 0; v < g.n; v++)
			for (uint32_t w = 0; w < v; w++)
				assert_true(!share(&held, v, w) || s.end[v] <= s.released[w]
					    || s.end[w] <= s.released[v]);
		tv_sim_release(&s);

		struct tv_sim_schedule t = run_excluding(&g, policy, &machine, &nothing);
		s = run(&g, policy, &machine, false);
		assert_memory_equal(s.start, t.start, g.n * sizeof *s.start);
		tv_sim_release(&s);
		tv_sim_release(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_and_steals), cmocka_unit_test(keeps_the_bounds),
		cmocka_unit_test(is_a_schedule),    cmocka_unit_test(gives_makespans),
		cmocka_unit_test(replays),	    cmocka_unit_test(replays_without_events),
		cmocka_unit_test(refuses),	    cmocka_unit_test(keeps_the_window),
		cmocka_unit_test(excludes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
