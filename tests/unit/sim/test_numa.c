/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_numa.c -- memory accesses of simulated tasks: on random graphs the formula of each task, bytes,
 * order, infinite bandwidth; caches against a naive one.
 */
#include <math.h>
#include <stdio.h>

#include "sim/cache.h"
#include "sim/engine.h"
#include "sim/numa.h"
#include "sim/schedulers.h"
#include "tests/unit/unit.h"

/* Workers 0 to 3 share a cache and a memory, 4 and 5 another one. */
enum { NODES = 60, BLOCKS = 8, WORKERS = 6, NEAR = 4, MAX_ACCESSES = 4 };

static const char xml[] =
	"<platform version='4.1'><zone id='z' routing='Floyd'>"
	"<host id='m0' speed='0f'><prop id='kind' value='memory'/></host>"
	"<host id='m1' speed='0f'><prop id='kind' value='memory'/></host>"
	"<host id='k0' speed='0f'><prop id='kind' value='cache'/></host>"
	"<host id='k1' speed='0f'><prop id='kind' value='cache'/></host>"
	"<host id='c0' speed='1Gf'/><host id='c1' speed='1Gf'/><host id='c2' speed='1Gf'/>"
	"<host id='c3' speed='1Gf'/><host id='c4' speed='1Gf'/><host id='c5' speed='1Gf'/>"
	"<link id='r0' bandwidth='3GBps'/><link id='r1' bandwidth='2GBps'/>"
	"<link id='x' bandwidth='1GBps' sharing_policy='SPLITDUPLEX'/>"
	"<link id='f' bandwidth='2500MBps' sharing_policy='FATPIPE'/>"
	"<route src='m0' dst='k0'><link_ctn id='r0'/></route>"
	"<route src='m1' dst='k1'><link_ctn id='r1'/></route>"
	"<route src='k0' dst='k1'><link_ctn id='x' direction='UP'/></route>"
	"<route src='k0' dst='c0'><link_ctn id='f'/></route>"
	"<route src='k0' dst='c1'><link_ctn id='f'/></route>"
	"<route src='k0' dst='c2'><link_ctn id='f'/></route>"
	"<route src='k0' dst='c3'><link_ctn id='f'/></route>"
	"<route src='k1' dst='c4'><link_ctn id='f'/></route>"
	"<route src='k1' dst='c5'><link_ctn id='f'/></route></zone></platform>";

static struct tv_platform platform;
static uint32_t core[WORKERS], near[WORKERS], memory[2], cache[2];
static int64_t capacity[2] = { 3000, 2500 };
static uint64_t seed;

static int load(void **state)
{
	struct tv_input in;
	struct tv_error err = { 0 };
	char name[8];

	(void)state;
	tv_input_memory(&in, "numa.xml", xml, strlen(xml));
	if (tv_platform_read_input(&platform, &in, &err) < 0)
		fail_msg("%s", err.text);
	tv_input_close(&in);
	for (uint32_t w = 0; w < WORKERS; w++) {
		snprintf(name, sizeof name, "c%u", w);
		core[w] = tv_platform_find_host(&platform, name);
		near[w] = w >= NEAR;
	}
	for (uint32_t i = 0; i < 2; i++) {
		snprintf(name, sizeof name, "m%u", i);
		memory[i] = tv_platform_find_host(&platform, name);
		snprintf(name, sizeof name, "k%u", i);
		cache[i] = tv_platform_find_host(&platform, name);
	}
	return 0;
}

static int unload(void **state)
{
	(void)state;
	tv_platform_release(&platform);
	return 0;
}

struct program {
	uint32_t first[NODES + 1], next[NODES * NODES], rank[NODES], group[NODES];
	int64_t delay[NODES], cost[NODES], size[BLOCKS];
	uint32_t accesses[NODES + 1], home[BLOCKS];
	struct tv_sim_access access[NODES * MAX_ACCESSES];
	double overlap[NODES];
};

static int64_t cost_of(const void *context, uint32_t node, uint32_t type)
{
	(void)type;
	return ((const struct program *)context)->cost[node];
}

static const char *name_of(const void *context, uint32_t node)
{
	(void)context;
	(void)node;
	return "node";
}

/* ordered: tasks that access the same block, one of them writing, follow each other. */
static void make_program(struct program *p, bool ordered)
{
	uint32_t edges = 0, n = 0;

	*p = (struct program){ 0 };
	for (uint32_t b = 0; b < BLOCKS; b++) {
		p->size[b] = (int64_t)unit_random(&seed, 1500);
		p->home[b] = (uint32_t)unit_random(&seed, 3);
		p->home[b] = p->home[b] == 2 ? TV_NONE : p->home[b];
	}
	for (uint32_t v = 0; v < NODES; v++) {
		p->rank[v] = v;
		p->delay[v] = -1;
		p->cost[v] = (int64_t)unit_random(&seed, 3000);
		p->overlap[v] = (double)unit_random(&seed, 5) / 4;
		for (uint32_t b = 0; b < BLOCKS && n - p->accesses[v] < MAX_ACCESSES; b++)
			if (unit_random(&seed, 3) == 0) {
				bool reads = unit_random(&seed, 4) > 0;

				p->access[n++] = (struct tv_sim_access){
					b, reads, !reads || unit_random(&seed, 3) == 0
				};
			}
		p->accesses[v + 1] = n;
	}
	for (uint32_t v = 0; v < NODES; v++) {
		p->first[v] = edges;
		for (uint32_t w = v + 1; w < NODES; w++) {
			bool conflict = !ordered && unit_random(&seed, 20) == 0;

			for (uint32_t a = p->accesses[v]; ordered && a < p->accesses[v + 1]; a++)
				for (uint32_t b = p->accesses[w]; b < p->accesses[w + 1]; b++)
					conflict |= p->access[a].handle == p->access[b].handle
						 && (p->access[a].writes || p->access[b].writes);
			if (conflict)
				p->next[edges++] = w;
		}
	}
	p->first[NODES] = edges;
}

static struct tv_sim_schedule run(struct program *p, const char *scheduler, enum tv_sim_model model,
				  int64_t scratch)
{
	static const uint32_t type[WORKERS];
	static const bool runs = true;
	const struct tv_sim_machine machine = { WORKERS, 1, 1, type, &runs };
	const struct tv_sim_graph graph = { .n = NODES,
					    .first = p->first,
					    .next = p->next,
					    .rank = p->rank,
					    .delay = p->delay,
					    .group = p->group };
	const struct tv_sim_numa numa = { .model = model,
					  .platform = &platform,
					  .nworkers = WORKERS,
					  .nmemories = 2,
					  .ncaches = 2,
					  .nblocks = BLOCKS,
					  .core = core,
					  .memory_of = near,
					  .cache_of = near,
					  .memory = memory,
					  .cache = cache,
					  .capacity = capacity,
					  .size = p->size,
					  .home = p->home,
					  .first = p->accesses,
					  .access = p->access,
					  .overlap = p->overlap,
					  .scratch = scratch };
	bool of_caches = tv_scheduler_find(scheduler)->nearest_of > 0;
	const struct tv_sim_options options = { .scheduler = tv_scheduler_find(scheduler),
						.cost = cost_of,
						.context = p,
						.numa = model == TV_SIM_TASK && !of_caches
							      ? NULL
							      : &numa };
	struct tv_sim_schedule schedule;
	struct tv_error err = { 0 };

	if (tv_simulate(&graph, &machine, &options, name_of, &schedule, &err) < 0)
		fail_msg("%s: %s", scheduler, err.text);
	return schedule;
}

/* T = T_C + max(0, T_M - rho T_C), with the times that its own transfers took. */
static void check_formula(const struct program *p, const struct tv_sim_schedule *s,
			  enum tv_sim_model model)
{
	int64_t read[NODES], wrote[NODES];

	for (uint32_t v = 0; v < NODES; v++) {
		read[v] = s->start[v];
		wrote[v] = s->log->write[v];
	}
	for (size_t i = 0; i < s->log->nflows; i++) {
		const struct tv_sim_flow *flow = &s->log->flow[i];
		bool before = flow->kind == TV_SIM_READ || model == TV_SIM_COMM_2020;
		int64_t *last = before ? &read[flow->node] : &wrote[flow->node];

		assert_true(flow->end >= flow->start);
		if ((flow->kind == TV_SIM_READ || flow->kind == TV_SIM_WRITE) && flow->end > *last)
			*last = flow->end;
	}
	for (uint32_t v = 0; v < NODES; v++) {
		double rho = model == TV_SIM_COMM_2020 ? 0 : p->overlap[v];
		int64_t hidden = llround(rho * (double)p->cost[v]);
		int64_t all = read[v] - s->start[v] + wrote[v] - s->log->write[v];
		int64_t more = all > hidden ? all - hidden : 0;

		assert_int_equal(s->log->read[v], read[v]);
		assert_int_equal(s->log->write[v], read[v] + p->cost[v] - hidden);
		assert_int_equal(s->end[v] - s->start[v], p->cost[v] + more);
		for (uint32_t e = p->first[v]; e < p->first[v + 1]; e++)
			assert_true(s->start[p->next[e]] >= s->end[v]);
	}
}

/* Bytes of reads and writes of each task; every miss is a fetch. */
static void check_bytes(const struct program *p, const struct tv_sim_schedule *s,
			enum tv_sim_model model, int64_t scratch)
{
	int64_t bytes[2] = { 0 }, want[2] = { 0 };
	uint64_t fetches = 0;

	for (size_t i = 0; i < s->log->nflows; i++) {
		const struct tv_sim_flow *flow = &s->log->flow[i];

		if (flow->kind == TV_SIM_READ || flow->kind == TV_SIM_WRITE)
			bytes[flow->kind == TV_SIM_WRITE] += flow->bytes;
		fetches += flow->kind == TV_SIM_FETCH;
	}
	for (uint32_t i = 0; i < p->accesses[NODES]; i++) {
		const struct tv_sim_access *a = &p->access[i];
		bool twice = model == TV_SIM_COMM_2020 && a->reads && a->writes;

		want[0] += a->reads ? p->size[a->handle] * (twice ? 2 : 1) : 0;
		want[1] += a->writes && !twice ? p->size[a->handle] : 0;
	}
	assert_int_equal(bytes[0], want[0]);
	assert_int_equal(bytes[1], want[1] + NODES * scratch);
	assert_int_equal(fetches, s->log->count[TV_SIM_MISS]);
}

static void formula(void **state)
{
	static const char *const schedulers[] = { "fifo", "ws", "dm", "locality", "locality-64" };
	struct program *p = tv_alloc(1, sizeof *p);

	(void)state;
	seed = unit_seed(11);
	for (int i = 0; i < 600; i++) {
		enum tv_sim_model model = TV_SIM_COMM_2020 + i % 3;
		int64_t scratch = i % 2 == 0 ? 0 : (int64_t)unit_random(&seed, 700);
		const char *scheduler = schedulers[i % (model == TV_SIM_COMM_CACHE ? 5 : 3)];
		struct tv_sim_schedule s;

		if (model != TV_SIM_COMM_CACHE)
			scratch = 0;
		make_program(p, i % 4 > 0);
		s = run(p, scheduler, model, scratch);
		check_formula(p, &s, model);
		check_bytes(p, &s, model, scratch);
		tv_sim_release(&s);
	}
	tv_free(p);
}

/* Where transfers take no time, all models give the schedule of tasks alone. */
static void infinitely_fast(void **state)
{
	static const char *const schedulers[] = {
		"fifo", "prio", "cpe-priority", "ws", "lws", "dm"
	};
	struct program *p = tv_alloc(1, sizeof *p);

	(void)state;
	seed = unit_seed(12);
	for (uint32_t l = 0; l < platform.nlinks; l++) {
		platform.link[l].policy = TV_LINK_FATPIPE;
		platform.link[l].bandwidth = INFINITY;
	}
	for (int i = 0; i < 300; i++) {
		struct tv_sim_schedule task, s;

		make_program(p, i % 4 > 0);
		for (uint32_t v = 0; v < NODES; v++) /* many ends at one instant */
			p->cost[v] = i % 2 == 0 ? p->cost[v] % 4 : p->cost[v];
		task = run(p, schedulers[i % 6], TV_SIM_TASK, 0);
		s = run(p, schedulers[i % 6], TV_SIM_COMM_2020 + i % 3, 0);
		assert_memory_equal(s.worker, task.worker, sizeof(uint32_t) * NODES);
		assert_memory_equal(s.start, task.start, sizeof(int64_t) * NODES);
		assert_memory_equal(s.end, task.end, sizeof(int64_t) * NODES);
		assert_int_equal(s.makespan, task.makespan);
		tv_sim_release(&task);
		tv_sim_release(&s);
		/* Policies that look at caches see the same ones, at different instants. */
		if (i % 2 == 0)
			continue;
		task = run(p, i % 4 == 1 ? "locality" : "locality-64", TV_SIM_TASK, 0);
		s = run(p, i % 4 == 1 ? "locality" : "locality-64", TV_SIM_COMM_CACHE, 0);
		assert_memory_equal(s.worker, task.worker, sizeof(uint32_t) * NODES);
		assert_memory_equal(s.start, task.start, sizeof(int64_t) * NODES);
		assert_memory_equal(s.end, task.end, sizeof(int64_t) * NODES);
		assert_memory_equal(s.log->count, task.log->count, sizeof task.log->count);
		assert_int_equal(task.log->nflows, 0);
		tv_sim_release(&task);
		tv_sim_release(&s);
	}
	tv_free(p);
}

/* ---- caches ---- */

/* A naive cache of blocks: those that are in it from the one that was used longest ago. */
struct naive {
	uint32_t block[BLOCKS], n;
	bool modified[BLOCKS];
};

static void drop(struct naive *c, uint32_t i)
{
	c->n--;
	memmove(&c->block[i], &c->block[i + 1], (c->n - i) * sizeof c->block[0]);
	memmove(&c->modified[i], &c->modified[i + 1], (c->n - i) * sizeof c->modified[0]);
}

static int64_t used(const struct naive *c, const int64_t *size)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < c->n; i++)
		sum += size[c->block[i]];
	return sum;
}

static uint32_t place(const struct naive *c, uint32_t block)
{
	uint32_t i = 0;

	while (i < c->n && c->block[i] != block)
		i++;
	return i;
}

/* One block at a time is locked, unlocked, and sometimes written. */
static void least_recently_used(void **state)
{
	static const int64_t size[BLOCKS] = { 3, 1, 4, 1, 5, 9, 2, 6 }, room[2] = { 10, 13 };
	struct tv_sim_caches *c = tv_sim_caches_new(2, room, BLOCKS, size);
	struct naive naive[2] = { 0 };

	(void)state;
	seed = unit_seed(13);
	for (int i = 0; i < 20000; i++) {
		uint32_t k = (uint32_t)unit_random(&seed, 2),
			 b = (uint32_t)unit_random(&seed, BLOCKS);
		uint32_t at = place(&naive[k], b), copy, out;
		bool modified, writes = unit_random(&seed, 3) == 0;
		bool was = at < naive[k].n && naive[k].modified[at];

		copy = tv_sim_cache_lock(c, k, b);
		if (at < naive[k].n)
			drop(&naive[k], at);
		while ((out = tv_sim_cache_evict(c, k, &modified)) != TV_NONE) {
			assert_true(used(&naive[k], size) + size[b] > room[k]);
			assert_int_equal(out, naive[k].block[0]);
			assert_int_equal(modified, naive[k].modified[0]);
			drop(&naive[k], 0);
		}
		assert_true(used(&naive[k], size) + size[b] <= room[k]);
		tv_sim_cache_arrive(c, copy);
		if (writes) {
			tv_sim_cache_write(c, copy);
			at = place(&naive[1 - k], b);
			if (at < naive[1 - k].n)
				drop(&naive[1 - k], at);
		}
		tv_sim_cache_unlock(c, copy);
		naive[k].block[naive[k].n] = b;
		naive[k].modified[naive[k].n++] = was || writes;
		for (uint32_t j = 0; j < 2; j++) {
			assert_int_equal(tv_sim_cache_used(c, j), used(&naive[j], size));
			for (uint32_t x = 0; x < BLOCKS; x++)
				assert_int_equal(tv_sim_cache_find(c, j, x) != TV_NONE,
						 place(&naive[j], x) < naive[j].n);
		}
	}
	tv_sim_caches_free(c);
}

/* Locked blocks exceed the capacity, and leave when they are unlocked; a copy that another cache made
 * invalid stays until then, and is found no more. */
static void locked(void **state)
{
	static const int64_t size[3] = { 4, 4, 4 }, room[2] = { 8, 8 };
	struct tv_sim_caches *c = tv_sim_caches_new(2, room, 3, size);
	uint32_t copy[3], other;
	bool modified;

	(void)state;
	for (uint32_t b = 0; b < 3; b++) {
		assert_int_equal(tv_sim_cache_find(c, 0, b), TV_NONE);
		copy[b] = tv_sim_cache_lock(c, 0, b);
		assert_int_equal(tv_sim_cache_evict(c, 0, &modified), TV_NONE);
	}
	assert_int_equal(tv_sim_cache_used(c, 0), 12);
	assert_int_equal(tv_sim_cache_lock(c, 0, 1), copy[1]);
	tv_sim_cache_unlock(c, copy[1]);
	assert_int_equal(tv_sim_cache_evict(c, 0, &modified), TV_NONE);
	tv_sim_cache_write(c, copy[2]);
	tv_sim_cache_unlock(c, copy[2]);
	assert_int_equal(tv_sim_cache_evict(c, 0, &modified), 2);
	assert_true(modified);
	assert_int_equal(tv_sim_cache_used(c, 0), 8);
	other = tv_sim_cache_lock(c, 1, 0);
	tv_sim_cache_write(c, other);
	assert_int_equal(tv_sim_cache_find(c, 0, 0), TV_NONE);
	assert_int_equal(tv_sim_cache_used(c, 0), 8);
	tv_sim_cache_unlock(c, copy[0]);
	assert_int_equal(tv_sim_cache_used(c, 0), 4);
	tv_sim_caches_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formula), cmocka_unit_test(least_recently_used),
		cmocka_unit_test(locked),
		cmocka_unit_test(infinitely_fast), /* changes the platform */
	};

	return cmocka_run_group_tests(tests, load, unload);
}
