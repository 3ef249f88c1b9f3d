/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sim_memory.c -- simulated transfers: closed forms, and a count by brute force on random graphs. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"
#include "sim/memory.h"
#include "sim/schedulers.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* Workers 0 and 1 are CPUs (main memory), 2 and 3 work on memory node 1, 4 on memory node 2. */
enum { NODES = 50, HANDLES = 6, WORKERS = 5, MEMORIES = 3, LATENCY = 3 };
enum { CPU, GPU, ANY }; /* groups */

static const uint32_t types[WORKERS] = { 0, 0, 1, 1, 1 }, of_worker[WORKERS] = { 0, 0, 1, 1, 2 };
static const bool runs[3][2] = { { true, false }, { false, true }, { true, true } };
static const struct tv_sim_machine machine = { WORKERS, 2, 3, types, runs[0] };
static const uint32_t home[HANDLES];

static uint64_t seed;

struct program {
	uint32_t n, first[NODES + 1], next[NODES * NODES], rank[NODES], group[NODES];
	int64_t delay[NODES], priority[NODES], cost[NODES];
	uint32_t accesses[NODES + 1];
	struct tv_sim_access access[NODES * HANDLES];
	int64_t size[HANDLES];
	struct tv_sim_link link[MEMORIES * MEMORIES];
	uint32_t may_take[WORKERS];
	double bus_per_byte;
	bool limited;
	int64_t capacity[MEMORIES];
};

static int64_t cost_of(const void *context, uint32_t node, uint32_t type)
{
	(void)type;
	return ((const struct program *)context)->cost[node];
}

static const char *name_of(const void *context, uint32_t node)
{
	static char name[16];

	(void)context;
	snprintf(name, sizeof name, "%u", node);
	return name;
}

/* 2 ns per byte; handles of 10 bytes: a transfer takes 23 ns. */
static void begin_program(struct program *p)
{
	*p = (struct program){ 0 };
	for (uint32_t h = 0; h < HANDLES; h++)
		p->size[h] = 10;
	for (uint32_t l = 0; l < MEMORIES * MEMORIES; l++)
		p->link[l] = (struct tv_sim_link){ true, LATENCY, 2 };
	for (uint32_t w = 0; w < WORKERS; w++)
		p->may_take[w] = 1;
}

/* The next task; its accesses follow with add_access. */
static void add_task(struct program *p, uint32_t group, int64_t cost)
{
	uint32_t v = p->n++;

	p->rank[v] = v;
	p->delay[v] = -1;
	p->group[v] = group;
	p->cost[v] = cost;
	p->accesses[v + 1] = p->accesses[v];
}

static void add_access(struct program *p, uint32_t handle, bool reads, bool writes)
{
	p->access[p->accesses[p->n]++] = (struct tv_sim_access){ handle, reads, writes };
}

/* Whether two tasks access the same data and one writes them. */
static bool conflict(const struct program *p, uint32_t v, uint32_t w)
{
	for (uint32_t a = p->accesses[v]; a < p->accesses[v + 1]; a++)
		for (uint32_t b = p->accesses[w]; b < p->accesses[w + 1]; b++)
			if (p->access[a].handle == p->access[b].handle
			    && (p->access[a].writes || p->access[b].writes))
				return true;
	return false;
}

static void link_tasks(struct program *p)
{
	uint32_t n = 0;

	for (uint32_t v = 0; v < p->n; v++) {
		p->first[v] = n;
		for (uint32_t w = v + 1; w < p->n; w++)
			if (conflict(p, v, w))
				p->next[n++] = w;
	}
	p->first[p->n] = n;
}

static struct tv_sim_schedule run(struct program *p, const char *scheduler, bool simulated,
				  const struct tv_sim_recorded *recorded)
{
	const struct tv_sim_memory memory = {
		MEMORIES, HANDLES,     of_worker, p->link,	   p->size,
		home,	  p->accesses, p->access, p->bus_per_byte, p->limited ? p->capacity : NULL
	};
	const struct tv_sim_graph graph = { .n = p->n,
					    .first = p->first,
					    .next = p->next,
					    .rank = p->rank,
					    .priority = p->priority,
					    .delay = p->delay,
					    .group = p->group };
	const struct tv_sim_options options = { .scheduler = tv_scheduler_find(scheduler),
						.cost = cost_of,
						.context = p,
						.recorded = recorded,
						.memory = simulated ? &memory : NULL,
						.may_take = p->may_take };
	struct tv_sim_schedule schedule;
	struct tv_error err = { 0 };

	assert_non_null(options.scheduler);
	link_tasks(p);
	if (tv_simulate(&graph, &machine, &options, name_of, &schedule, &err) < 0)
		fail_msg("%s: %s", scheduler, err.text);
	return schedule;
}

/* A chain of updates of one handle, on a CPU and a GPU in turn: each but the first waits 23 ns. */
static void ping_pong(void **state)
{
	struct program p;

	(void)state;
	begin_program(&p);
	for (uint32_t v = 0; v < 10; v++) {
		add_task(&p, v % 2 == 0 ? CPU : GPU, 5);
		add_access(&p, 0, true, true);
	}
	for (const char *const *name = (const char *const[]){ "fifo", "ws", "dmda", "dmdas", NULL };
	     *name != NULL; name++) {
		struct tv_sim_schedule s = run(&p, *name, true, NULL);

		assert_int_equal(s.makespan, 10 * 5 + 9 * 23);
		assert_int_equal(s.ntransfers, 9);
		for (uint32_t v = 0; v < 10; v++) {
			assert_int_equal(s.start[v], v * (5 + 23));
			assert_int_equal(s.taken[v], v == 0 ? 0 : s.start[v] - 23);
		}
		tv_sim_release(&s);
	}
}

/* A write needs no copy; two readers on one memory node share one, on two memory nodes not. */
static void share(void **state)
{
	struct program p;
	struct tv_sim_schedule s;

	(void)state;
	begin_program(&p);
	add_task(&p, GPU, 5); /* on worker 2 */
	add_access(&p, 0, false, true);
	for (int i = 0; i < 3; i++) {
		add_task(&p, CPU, 7);
		add_access(&p, 0, true, false);
	}
	s = run(&p, "fifo", true, NULL);
	assert_int_equal(s.ntransfers, 1);
	assert_int_equal(s.transfer[0].start, 5);
	assert_int_equal(s.start[1], 28);
	assert_int_equal(s.start[2], 28);
	assert_int_equal(s.makespan, 28 + 7 + 7);
	tv_sim_release(&s);
	for (uint32_t v = 1; v < 4; v++)
		p.group[v] = GPU;
	s = run(&p, "fifo", true, NULL); /* workers 2, 3 have the data, 4 has not */
	assert_int_equal(s.ntransfers, 1);
	assert_int_equal(s.transfer[0].to, 2);
	assert_int_equal(s.start[3], 28);
	tv_sim_release(&s);
}

/* Two handles to one memory node: one after the other; to two: at the same time. */
static void wait_in_line(void **state)
{
	struct program p;
	struct tv_sim_schedule s;

	(void)state;
	begin_program(&p);
	for (uint32_t v = 0; v < 3; v++) {
		add_task(&p, GPU, 5);
		add_access(&p, v, true, false);
	}
	s = run(&p, "fifo", true, NULL);
	assert_int_equal(s.start[0], 23);
	assert_int_equal(s.start[1], 46); /* worker 3, same memory node */
	assert_int_equal(s.start[2], 23); /* worker 4 */
	assert_int_equal(s.transfer[1].start, 23);
	assert_int_equal(s.transfer[1].end, 46);
	tv_sim_release(&s);
}

/* The fourth task waits for a free worker, then for its data; with a place more, only for the worker. */
static void take_ahead(void **state)
{
	struct program p;

	(void)state;
	begin_program(&p);
	for (uint32_t v = 0; v < 4; v++) {
		add_task(&p, GPU, 70);
		add_access(&p, v, true, false);
	}
	for (uint32_t places = 1; places <= 2; places++) {
		struct tv_sim_schedule s;

		p.may_take[2] = places;
		s = run(&p, "fifo", true, NULL);
		assert_int_equal(s.worker[3], 2);
		assert_int_equal(s.taken[3], 23 + 70);
		assert_int_equal(s.start[3], places == 1 ? 23 + 70 + 23 : 23 + 70);
		assert_int_equal(s.transfer[3].start, places == 1 ? 23 + 70 : 46);
		assert_int_equal(s.transfer[3].ahead, places == 2);
		tv_sim_release(&s);
	}
}

/* Without links between GPUs the data go through main memory, and stay there. */
static void relay(void **state)
{
	const uint32_t worker[3] = { 2, 4, 0 };
	const int64_t start[3] = { 0, 1, 2 };
	const struct tv_sim_recorded recorded = { worker, start };
	struct program p;
	struct tv_sim_schedule s;

	(void)state;
	begin_program(&p);
	for (uint32_t from = 1; from < MEMORIES; from++)
		for (uint32_t to = 1; to < MEMORIES; to++)
			p.link[from * MEMORIES + to].exists = false;
	add_task(&p, GPU, 5);
	add_access(&p, 0, false, true);
	add_task(&p, GPU, 5);
	add_access(&p, 0, true, false);
	add_task(&p, CPU, 5);
	add_access(&p, 0, true, false);
	s = run(&p, "replay", true, &recorded);
	assert_int_equal(s.ntransfers, 2);
	assert_int_equal(s.start[1], 5 + 23 + 23);
	assert_int_equal(s.start[2], 5 + 23);
	tv_sim_release(&s);
}

/* dm sees a free GPU, dmda that the transfer takes longer than the task on the CPU. */
static void counts_transfers(void **state)
{
	struct program p;
	struct tv_sim_schedule s;

	(void)state;
	begin_program(&p);
	add_task(&p, CPU, 10);
	add_access(&p, 0, false, true);
	add_task(&p, CPU, 10);
	add_access(&p, 1, false, true);
	add_task(&p, ANY, 5);
	add_access(&p, 2, true, true);
	s = run(&p, "dm", true, NULL);
	assert_int_equal(s.start[2], 23);
	assert_int_equal(s.worker[2], 2);
	tv_sim_release(&s);
	s = run(&p, "dmda", true, NULL);
	assert_int_equal(s.start[2], 10);
	assert_int_equal(s.worker[2], 0);
	tv_sim_release(&s);
}

static void fill_program(struct program *p)
{
	begin_program(p);
	for (uint32_t h = 0; h < HANDLES; h++)
		p->size[h] = (int64_t)unit_random(&seed, 40);
	for (uint32_t l = 0; l < MEMORIES * MEMORIES; l++)
		p->link[l] = (struct tv_sim_link){ true, (int64_t)unit_random(&seed, 5),
						   (double)unit_random(&seed, 4) };
	for (uint32_t v = 0, n = 1 + (uint32_t)unit_random(&seed, NODES); v < n; v++) {
		add_task(p, (uint32_t)unit_random(&seed, 3), 1 + (int64_t)unit_random(&seed, 50));
		p->priority[v] = (int64_t)unit_random(&seed, 4);
		for (uint32_t h = 0; h < HANDLES; h++) {
			uint64_t mode = unit_random(&seed, 8); /* 0 to 4: none */

			if (mode > 4)
				add_access(p, h, mode != 5, mode != 6);
		}
	}
}

/* Bytes that had to be moved: of each version of a handle one copy for each memory node that reads it
 * and has not. Tasks that conflict follow each other in the order of their numbers. */
static int64_t count_bytes(const struct program *p, const struct tv_sim_schedule *s)
{
	bool valid[HANDLES][MEMORIES] = { { false } };
	int64_t bytes = 0;

	for (uint32_t h = 0; h < HANDLES; h++)
		valid[h][home[h]] = true;
	for (uint32_t v = 0; v < p->n; v++)
		for (uint32_t a = p->accesses[v]; a < p->accesses[v + 1]; a++) {
			const struct tv_sim_access *access = &p->access[a];
			uint32_t h = access->handle, m = of_worker[s->worker[v]];

			if (access->reads && !valid[h][m])
				bytes += p->size[h];
			if (access->writes)
				memset(valid[h], 0, sizeof valid[h]);
			valid[h][m] |= access->reads || access->writes;
		}
	return bytes;
}

/* Every transfer takes its time, a link does one at a time, in order. Returns their bytes. */
static int64_t check_transfers(const struct program *p, const struct tv_sim_schedule *s)
{
	int64_t idle[MEMORIES * MEMORIES] = { 0 }, bytes = 0;

	for (size_t i = 0; i < s->ntransfers; i++) {
		const struct tv_sim_transfer *t = &s->transfer[i];
		uint32_t l = t->from * MEMORIES + t->to;

		assert_int_equal(t->end - t->start,
				 p->link[l].latency
					 + p->size[t->handle] * (int64_t)p->link[l].per_byte);
		assert_true(t->start >= idle[l]);
		assert_true(t->end <= s->start[t->node]);
		assert_true(t->start >= s->released[t->node]);
		assert_true(t->to == of_worker[s->worker[t->node]]);
		assert_true(t->ahead || t->start >= s->taken[t->node]);
		idle[l] = t->end;
		bytes += p->size[t->handle];
	}
	return bytes;
}

static void check_schedule(const struct program *p, const struct tv_sim_schedule *s)
{
	for (uint32_t v = 0; v < p->n; v++) {
		assert_int_equal(s->end[v] - s->start[v], p->cost[v]);
		assert_true(s->start[v] >= s->taken[v] && s->taken[v] >= s->released[v]);
		for (uint32_t e = p->first[v]; e < p->first[v + 1]; e++)
			assert_true(s->start[p->next[e]] >= s->end[v]);
		for (uint32_t w = 0; w < v; w++)
			assert_true(s->worker[w] != s->worker[v] || s->end[w] <= s->taken[v]
				    || s->end[v] <= s->taken[w]);
	}
}

static const char *const policies[] = { "fifo", "prio",	 "cpe-priority", "dm", "dms",
					"dmda", "dmdas", "heft",	 "ws", "lws" };

static void random_programs(void **state)
{
	struct program p;

	(void)state;
	seed = unit_seed(20261122);
	for (int i = 0; i < 1000; i++) {
		const char *policy = policies[i % TV_COUNT(policies)];
		struct tv_sim_schedule s, t;

		fill_program(&p);
		for (uint32_t w = 0; w < WORKERS && i % 3 == 0; w++)
			p.may_take[w] = 1 + (uint32_t)unit_random(&seed, 3);
		s = run(&p, policy, true, NULL);
		check_schedule(&p, &s);
		assert_int_equal(check_transfers(&p, &s), count_bytes(&p, &s));
		t = run(&p, policy, true, NULL);
		assert_memory_equal(s.start, t.start, p.n * sizeof *s.start);
		tv_sim_release(&t);
		if (tv_scheduler_find(policy)->place == TV_SIM_EXPECTED) {
			const struct tv_sim_recorded recorded = { s.worker, s.start };

			t = run(&p, "replay", true, &recorded);
			assert_memory_equal(s.start, t.start, p.n * sizeof *s.start);
			tv_sim_release(&t);
		}
		tv_sim_release(&s);

		memset(p.link, 0, sizeof p.link); /* infinitely fast */
		for (uint32_t l = 0; l < MEMORIES * MEMORIES; l++)
			p.link[l].exists = true;
		s = run(&p, policy, true, NULL);
		t = run(&p, policy, false, NULL);
		assert_memory_equal(s.start, t.start, p.n * sizeof *s.start);
		assert_memory_equal(s.worker, t.worker, p.n * sizeof *s.worker);
		assert_null(t.taken);
		tv_sim_release(&s);
		tv_sim_release(&t);
	}
}

/* Two transfers at once over links of 1/2 byte/ns: the one that was requested first has what it can get,
 * the other one what is left. */
static void share_a_bus(void **state)
{
	static const struct {
		double per_byte;
		int64_t first, second;
	} cases[] = { { 0, 23, 23 }, { 1, 23, 23 }, { 2, 23, 43 }, { 1.5, 23, 36 }, { 4, 43, 83 } };
	static const uint32_t worker[] = { 2, 4 };
	static const int64_t start[] = { 0, 0 };
	static const struct tv_sim_recorded recorded = { worker, start };
	struct program p;

	(void)state;
	begin_program(&p);
	for (uint32_t v = 0; v < 2; v++) {
		add_task(&p, GPU, 5);
		add_access(&p, v, true, false);
	}
	for (size_t i = 0; i < TV_COUNT(cases); i++) {
		struct tv_sim_schedule s;

		p.bus_per_byte = cases[i].per_byte;
		s = run(&p, "replay", true, &recorded);
		assert_int_equal(s.ntransfers, 2);
		assert_int_equal(s.transfer[0].end, cases[i].first);
		assert_int_equal(s.transfer[1].end, cases[i].second);
		tv_sim_release(&s);
	}
}

/* Within no span do more bytes pass than the bus can carry, rounded ends aside; no transfer is faster than
 * its link; a bus that is never full changes nothing. */
static void random_buses(void **state)
{
	struct program p;
	uint64_t slower = 0;

	(void)state;
	seed = unit_seed(20261123);
	for (int i = 0; i < 1000; i++) {
		const char *policy = policies[i % TV_COUNT(policies)];
		struct tv_sim_schedule s, t;

		fill_program(&p);
		p.bus_per_byte = 0.5 + (double)unit_random(&seed, 40) / 10;
		s = run(&p, policy, true, NULL);
		check_schedule(&p, &s);
		for (size_t a = 0; a < s.ntransfers; a++) {
			const struct tv_sim_transfer *x = &s.transfer[a];
			const struct tv_sim_link *link = &p.link[x->from * MEMORIES + x->to];
			int64_t own = link->latency + p.size[x->handle] * (int64_t)link->per_byte;

			assert_true(x->end - x->start >= own);
			slower += x->end - x->start > own;
			assert_true(x->end <= s.start[x->node]);
			for (size_t b = 0; b < s.ntransfers; b++) {
				int64_t end = s.transfer[b].end;
				double bytes = 0, n = 0;

				for (size_t k = 0; k < s.ntransfers; k++)
					if (s.transfer[k].start >= x->start
					    && s.transfer[k].end <= end) {
						bytes += (double)p.size[s.transfer[k].handle];
						n++;
					}
				assert_true(n == 0
					    || bytes * p.bus_per_byte
						       <= (double)(end - x->start) + n / 2 + 1e-6);
			}
		}
		tv_sim_release(&s);
		p.bus_per_byte = 1e-6;
		s = run(&p, policy, true, NULL);
		p.bus_per_byte = 0;
		t = run(&p, policy, true, NULL);
		assert_memory_equal(s.start, t.start, p.n * sizeof *s.start);
		tv_sim_release(&s);
		tv_sim_release(&t);
	}
	assert_true(slower > 1000);
}

/* ---- memory nodes with a limit ---- */

/* Node v runs on that worker, in the order of the nodes; only memory node 1 has a limit. */
static struct tv_sim_schedule replay_on(struct program *p, const uint32_t *worker, int64_t limit)
{
	int64_t start[NODES];
	const struct tv_sim_recorded recorded = { worker, start };

	for (uint32_t v = 0; v < p->n; v++)
		start[v] = v;
	p->limited = true;
	p->capacity[0] = p->capacity[2] = -1;
	p->capacity[1] = limit;
	return run(p, "replay", true, &recorded);
}

/* Space for one handle: each reader's data replace those of the one before, though others await them. */
static void evict_clean(void **state)
{
	static const uint32_t worker[] = { 2, 2, 2 };
	struct program p;
	struct tv_sim_schedule s;

	(void)state;
	begin_program(&p);
	for (uint32_t v = 0; v < 3; v++) {
		add_task(&p, GPU, 5);
		add_access(&p, v % 2, true, false);
	}
	s = replay_on(&p, worker, 10);
	assert_int_equal(s.start[0], 23);
	assert_int_equal(s.start[1], 28 + 23);
	assert_int_equal(s.start[2], 56 + 23);
	assert_int_equal(s.ntransfers, 3);
	assert_int_equal(s.space->nevictions, 2);
	assert_int_equal(s.space->exceeded, 0);
	tv_sim_release(&s);
	s = replay_on(&p, worker, 20); /* space for both: they come early, as without a limit */
	assert_int_equal(s.start[1], 46);
	assert_int_equal(s.start[2], 51);
	assert_int_equal(s.space->nevictions, 0);
	tv_sim_release(&s);
}

/* The only copy is written back, then what replaces it comes; no more than one memory at any time. */
static void write_back(void **state)
{
	static const uint32_t worker[] = { 2, 2 };
	struct program p;
	struct tv_sim_schedule s;

	(void)state;
	begin_program(&p);
	add_task(&p, GPU, 5);
	add_access(&p, 0, true, true);
	add_task(&p, GPU, 5);
	add_access(&p, 1, true, false);
	s = replay_on(&p, worker, 10);
	assert_int_equal(s.ntransfers, 3);
	assert_true(s.transfer[1].writes_back && s.transfer[1].from == 1 && s.transfer[1].to == 0);
	assert_int_equal(s.transfer[1].start, 28);
	assert_int_equal(s.transfer[2].start, 28 + 23);
	assert_int_equal(s.start[1], 28 + 23 + 23);
	assert_int_equal(s.space->nuses, 3);
	assert_int_equal(s.space->use[1].bytes + s.space->use[2].bytes, 0);
	assert_int_equal(s.space->use[1].time, 28 + 23);
	assert_int_equal(s.space->use[2].time, 28 + 23);
	tv_sim_release(&s);
	/* A write alone takes space, too, and waits for it. */
	p.access[1] = (struct tv_sim_access){ 1, false, true };
	s = replay_on(&p, worker, 10);
	assert_int_equal(s.start[1], 28 + 23);
	tv_sim_release(&s);
	/* A copy that another memory node fetches stays until it has. */
	p.access[1] = (struct tv_sim_access){ 1, true, false };
	add_task(&p, CPU, 5);
	add_access(&p, 0, true, false);
	s = replay_on(&p, (const uint32_t[]){ 2, 2, 0 }, 10);
	assert_int_equal(s.start[2], 28 + 23);
	assert_int_equal(s.start[1], 28 + 23 + 23);
	assert_int_equal(s.ntransfers, 3);
	assert_false(s.transfer[1].writes_back);
	tv_sim_release(&s);
}

/* Two workers of a memory node that has space for one of their tasks: both run, and it is counted. */
static void exceed(void **state)
{
	static const uint32_t worker[] = { 2, 3, 2 };
	struct program p;
	struct tv_sim_schedule s;

	(void)state;
	begin_program(&p);
	for (uint32_t v = 0; v < 3; v++) {
		add_task(&p, GPU, 5);
		add_access(&p, v, true, false);
	}
	s = replay_on(&p, worker, 10);
	assert_int_equal(s.start[0], 23);
	assert_int_equal(s.start[1], 46);
	assert_int_equal(s.space->exceeded, 10);
	assert_int_equal(s.start[2],
			 46 + 23); /* taken at 28; leaves: the first; the link is free at 46 */
	assert_int_equal(s.space->nevictions, 1);
	tv_sim_release(&s);
}

/* Space for two: the one whose last use is longest ago leaves, not the one that came first. */
static void least_recent(void **state)
{
	static const uint32_t reads[] = { 0, 1, 0, 2, 0, 1, 0 };
	static const int64_t start[] = { 26, 54, 59, 87, 92, 120, 125 };
	struct program p;
	struct tv_sim_schedule s;

	(void)state;
	begin_program(&p);
	p.size[5] = 0; /* a chain */
	for (uint32_t v = 0; v < TV_COUNT(reads); v++) {
		add_task(&p, GPU, 5);
		add_access(&p, reads[v], true, false);
		add_access(&p, 5, true, true);
	}
	p.limited = true;
	p.capacity[0] = p.capacity[2] = -1;
	p.capacity[1] = 20;
	s = run(&p, "fifo", true, NULL);
	for (uint32_t v = 0; v < p.n; v++)
		assert_int_equal(s.start[v], start[v]);
	assert_int_equal(s.space->nevictions, 2);
	tv_sim_release(&s);
}

/* Whether a memory node has the last version of a handle at a time: written there, or brought since. */
static bool has_version(const struct program *p, const struct tv_sim_schedule *s, uint32_t handle,
			uint32_t memory, int64_t time)
{
	uint32_t of = home[handle];
	int64_t since = 0;

	for (uint32_t v = 0; v < p->n; v++)
		for (uint32_t a = p->accesses[v]; a < p->accesses[v + 1]; a++)
			if (p->access[a].handle == handle && p->access[a].writes
			    && s->end[v] <= time && s->end[v] >= since) {
				since = s->end[v];
				of = of_worker[s->worker[v]];
			}
	for (size_t i = 0; i < s->ntransfers; i++) {
		const struct tv_sim_transfer *t = &s->transfer[i];

		if (t->handle == handle && t->to == memory && t->start >= since && t->end <= time)
			return true;
	}
	return of == memory;
}

TV_ORDER(by_instant, struct tv_sim_use, memory, time)

/* Bytes used on each memory node: never negative, never more than the limit and what is reported. */
static void check_uses(const struct program *p, const struct tv_sim_schedule *s)
{
	int64_t used[MEMORIES] = { 0 };

	if (s->space->nuses > 0)
		qsort(s->space->use, s->space->nuses, sizeof *s->space->use, by_instant);
	for (size_t i = 0; i < s->space->nuses; i++) {
		const struct tv_sim_use *use = &s->space->use[i];

		used[use->memory] += use->bytes;
		if (i + 1 < s->space->nuses && use[1].memory == use->memory
		    && use[1].time == use->time)
			continue; /* of one instant: what is so in the end */
		assert_true(p->capacity[use->memory] >= 0 && used[use->memory] >= 0);
		assert_true(used[use->memory] <= p->capacity[use->memory] + s->space->exceeded);
	}
}

static void random_limits(void **state)
{
	struct program p;
	size_t nevictions = 0, nwritten = 0, nexact = 0;

	(void)state;
	seed = unit_seed(20261123);
	for (int i = 0; i < 1000; i++) {
		const char *policy = policies[i % TV_COUNT(policies)];
		struct tv_sim_schedule s, t;

		fill_program(&p);
		for (uint32_t w = 0; w < WORKERS && i % 3 == 0; w++)
			p.may_take[w] = 1 + (uint32_t)unit_random(&seed, 3);
		t = run(&p, policy, true, NULL);
		p.limited = true;
		p.capacity[0] = -1;
		p.capacity[1] = p.capacity[2] = HANDLES * 40; /* all of them fit */
		s = run(&p, policy, true, NULL);
		assert_memory_equal(s.start, t.start, p.n * sizeof *s.start);
		assert_int_equal(s.ntransfers, t.ntransfers);
		assert_int_equal(s.space->nevictions, 0);
		tv_sim_release(&s);
		tv_sim_release(&t);

		p.capacity[1] = (int64_t)unit_random(&seed, HANDLES * 20);
		p.capacity[2] = i % 4 == 0 ? -1 : (int64_t)unit_random(&seed, HANDLES * 20);
		s = run(&p, policy, true, NULL);
		check_schedule(&p, &s);
		check_uses(&p, &s);
		for (size_t k = 0; k < s.ntransfers; k++) {
			const struct tv_sim_transfer *of = &s.transfer[k];

			/* Data may be overwritten elsewhere while their writing back waits for the link. */
			assert_true(of->writes_back
				    || has_version(&p, &s, of->handle, of->from, of->start));
			nwritten += of->writes_back;
		}
		for (uint32_t v = 0; v < p.n; v++)
			for (uint32_t a = p.accesses[v]; a < p.accesses[v + 1]; a++)
				assert_true(!p.access[a].reads
					    || has_version(&p, &s, p.access[a].handle,
							   of_worker[s.worker[v]], s.start[v]));
		nevictions += s.space->nevictions;
		nexact += s.space->exceeded == 0 && s.space->nevictions > 0;
		tv_sim_release(&s);
	}
	assert_true(nevictions > 1000 && nwritten > 500 && nexact > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ping_pong),	 cmocka_unit_test(share),
		cmocka_unit_test(wait_in_line),	 cmocka_unit_test(take_ahead),
		cmocka_unit_test(relay),	 cmocka_unit_test(counts_transfers),
		cmocka_unit_test(evict_clean),	 cmocka_unit_test(write_back),
		cmocka_unit_test(exceed),	 cmocka_unit_test(least_recent),
		cmocka_unit_test(random_limits), cmocka_unit_test(random_programs),
		cmocka_unit_test(share_a_bus),	 cmocka_unit_test(random_buses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
