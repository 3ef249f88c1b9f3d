/* SPDX-License-Identifier: GPL-3.0-or-later */
/* numa.c -- the memory accesses of tasks on a platform, as transfers on its network. */
#include "sim/numa.h"

#include <math.h>

#include "sim/cache.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* All time of a simulation, ns: about 30 years. */
#define MAX_TIME ((int64_t)1000000000000000000)

/* The task that a worker has. */
struct task {
	uint32_t node;
	uint32_t pending; /* transfers that it waits for */
	int64_t start, time, hidden;
	int64_t due;	  /* when its writes begin */
	int64_t computed; /* it does not end before */
	uint32_t *copy;	  /* comm-cache: by access, its copy in the cache */
};

/* A transfer, under its number in the network: its place in the log, and who waits for it. */
struct flow {
	size_t logged;
	uint32_t worker; /* of a read or write */
	uint32_t copy;	 /* of a fetch */
	struct tv_route route;
};

/* What waits for a copy to arrive. */
struct waiter {
	uint32_t worker, block;
	uint32_t next;
};

struct tv_sim_numa_state {
	const struct tv_sim_numa *numa;
	struct tv_sim_network *network;
	struct tv_sim_caches *caches;
	uint32_t *home;
	struct task *task; /* by worker */
	uint32_t *copies;  /* of tasks */
	struct flow *flow; /* by number */
	size_t nflows, flow_cap;
	uint32_t *
		waits; /* by copy: the last that came to wait for its arrival, + 1; 0 = it does not come */
	size_t nwaits, waits_cap;
	struct waiter *waiter;
	size_t nwaiters, waiter_cap;
	uint32_t free;	       /* waiter */
	int64_t *due;	       /* by worker, of task */
	struct tv_heap timers; /* workers whose writes will begin */
	uint32_t *done;	       /* workers whose task's end is known */
	size_t first_done, ndone, done_cap;
	size_t nactive; /* transfers */
	bool unsolved;	/* transfers began, and whether some take no time is not known */
	struct tv_sim_numa_log log;
	size_t log_cap, event_cap;
	struct tv_error error;
	bool failed;
};

/* The greatest number of accesses of a node. */
static uint32_t max_accesses(const struct tv_sim_numa *numa, uint32_t nnodes)
{
	uint32_t max = 0;

	for (uint32_t v = 0; v < nnodes; v++)
		if (numa->first[v + 1] - numa->first[v] > max)
			max = numa->first[v + 1] - numa->first[v];
	return max;
}

static struct tv_sim_caches *make_caches(const struct tv_sim_numa *numa)
{
	int64_t *capacity = tv_alloc(numa->ncaches, sizeof *capacity);
	struct tv_sim_caches *caches;

	for (uint32_t c = 0; c < numa->ncaches; c++)
		capacity[c] = numa->capacity[c];
	for (uint32_t w = 0; w < numa->nworkers; w++)
		capacity[numa->cache_of[w]] -= numa->scratch;
	caches = tv_sim_caches_new(numa->ncaches, capacity, numa->nblocks, numa->size);
	tv_free(capacity);
	return caches;
}

static void add_passed(void *context, uint32_t flow, double from, double to, double bytes)
{
	struct tv_sim_numa_state *s = context;

	tv_sim_traffic_add(&s->log.traffic, &s->flow[flow].route, from, to, bytes);
}

struct tv_sim_numa_state *tv_sim_numa_new(const struct tv_sim_numa *numa, uint32_t nnodes)
{
	struct tv_sim_numa_state *s = tv_alloc(1, sizeof *s);
	uint32_t max = max_accesses(numa, nnodes);

	*s = (struct tv_sim_numa_state){ .numa = numa, .free = TV_NONE };
	s->network = tv_sim_network_new(numa->platform, numa->crosstraffic);
	tv_sim_network_on_passed(s->network, add_passed, s);
	s->home = tv_alloc(numa->nblocks, sizeof *s->home);
	for (uint32_t b = 0; b < numa->nblocks; b++)
		s->home[b] = numa->home[b];
	s->task = tv_alloc(numa->nworkers, sizeof *s->task);
	s->due = tv_alloc(numa->nworkers, sizeof *s->due);
	s->copies = tv_alloc((size_t)numa->nworkers * max, sizeof *s->copies);
	for (uint32_t w = 0; w < numa->nworkers; w++)
		s->task[w].copy = s->copies + (size_t)w * max;
	if (numa->model == TV_SIM_COMM_CACHE || numa->model == TV_SIM_TASK)
		s->caches = make_caches(numa);
	s->log.read = tv_alloc(nnodes, sizeof *s->log.read);
	s->log.write = tv_alloc(nnodes, sizeof *s->log.write);
	return s;
}

void tv_sim_numa_free(struct tv_sim_numa_state *s, struct tv_sim_numa_log *log)
{
	if (s == NULL)
		return;
	s->log.work = tv_sim_network_work(s->network);
	*log = s->log;
	tv_sim_network_free(s->network);
	tv_sim_caches_free(s->caches);
	tv_free(s->home);
	tv_free(s->task);
	tv_free(s->due);
	tv_free(s->copies);
	tv_free(s->flow);
	tv_free(s->waits);
	tv_free(s->waiter);
	tv_heap_release(&s->timers);
	tv_free(s->done);
	tv_free(s);
}

void tv_sim_numa_log_release(struct tv_sim_numa_log *log)
{
	tv_free(log->read);
	tv_free(log->write);
	tv_free(log->flow);
	tv_free(log->event);
	tv_sim_traffic_release(&log->traffic);
	*log = (struct tv_sim_numa_log){ 0 };
}

const struct tv_error *tv_sim_numa_error(const struct tv_sim_numa_state *s)
{
	return s->failed ? &s->error : NULL;
}

/* ---- transfers ---- */

static struct tv_route route_of(struct tv_sim_numa_state *s, uint32_t from, uint32_t to)
{
	struct tv_route route = { 0 };

	if (!s->failed && tv_platform_route(s->numa->platform, from, to, &route, &s->error) < 0)
		s->failed = true;
	return route;
}

static struct flow *start(struct tv_sim_numa_state *s, struct tv_sim_flow what, uint32_t worker)
{
	struct tv_route route = route_of(s, what.from, what.to), back = { 0 };
	uint32_t number;

	if (s->numa->crosstraffic)
		back = route_of(s, what.to, what.from);
	number = tv_sim_network_start(s->network, &route, &back, what.bytes, what.start);
	if (number == s->nflows) {
		TV_GROW(s->flow, s->nflows, s->flow_cap, 1);
		s->nflows++;
	}
	s->flow[number] = (struct flow){ s->log.nflows, worker, TV_NONE, route };
	TV_GROW(s->log.flow, s->log.nflows, s->log_cap, 1);
	s->log.flow[s->log.nflows++] = what;
	s->unsolved = true;
	s->nactive++;
	return &s->flow[number];
}

/* A transfer of the task that a worker has, which waits for it. */
static void start_own(struct tv_sim_numa_state *s, enum tv_sim_flow_kind kind, uint32_t worker,
		      uint32_t block, uint32_t other, int64_t bytes, int64_t now)
{
	uint32_t core = s->numa->core[worker];
	bool to_core = kind == TV_SIM_READ;
	struct tv_sim_flow what = {
		.kind = kind,
		.block = block,
		.node = s->task[worker].node,
		.from = to_core ? other : core,
		.to = to_core ? core : other,
		.bytes = bytes,
		.start = now,
	};

	start(s, what, worker);
}

/* ---- caches ---- */

static void note(struct tv_sim_numa_state *s, uint32_t cache, enum tv_sim_cache_change what,
		 int64_t now)
{
	TV_GROW(s->log.event, s->log.nevents, s->event_cap, 1);
	s->log.event[s->log.nevents++] = (struct tv_sim_cache_event){
		now, tv_sim_cache_used(s->caches, cache), cache, what
	};
	if (what < TV_SIM_NCHANGES)
		s->log.count[what]++;
}

/* Once a task has changed caches. */
static void note_sizes(struct tv_sim_numa_state *s, int64_t now)
{
	uint32_t cache;

	while ((cache = tv_sim_cache_changed(s->caches)) != TV_NONE)
		note(s, cache, TV_SIM_SIZE, now);
}

static void write_back(struct tv_sim_numa_state *s, uint32_t cache, uint32_t block, uint32_t node,
		       int64_t now)
{
	struct tv_sim_flow what = { .kind = TV_SIM_WRITE_BACK,
				    .block = block,
				    .node = node,
				    .from = s->numa->cache[cache],
				    .to = s->numa->memory[s->home[block]],
				    .bytes = s->numa->size[block],
				    .start = now };

	start(s, what, TV_NONE);
}

/* Blocks leave a cache until the others fit. */
static void evict(struct tv_sim_numa_state *s, uint32_t cache, uint32_t node, int64_t now)
{
	uint32_t block;
	bool modified;

	while ((block = tv_sim_cache_evict(s->caches, cache, &modified)) != TV_NONE) {
		note(s, cache, TV_SIM_EVICTION, now);
		if (modified && s->numa->model != TV_SIM_TASK)
			write_back(s, cache, block, node, now);
	}
}

/* What one transfer alone gets. */
static double bandwidth_of(struct tv_sim_numa_state *s, uint32_t from, uint32_t to)
{
	struct tv_route route = route_of(s, from, to);
	double narrowest = INFINITY;

	for (uint32_t i = 0; i < route.n; i++)
		narrowest = fmin(narrowest, s->numa->platform->link[route.hop[i].link].bandwidth);
	return narrowest;
}

/* The host from which a block comes to a cache that has not got it. */
static uint32_t find_source(struct tv_sim_numa_state *s, uint32_t cache, uint32_t block)
{
	const struct tv_sim_numa *numa = s->numa;
	uint32_t best = TV_NONE;
	double max = -1;

	for (uint32_t copy = tv_sim_cache_copies(s->caches, block); copy != TV_NONE;
	     copy = tv_sim_cache_next(s->caches, copy)) {
		uint32_t other = tv_sim_cache_of(s->caches, copy);
		double bandwidth;

		if (other == cache || !tv_sim_cache_has_data(s->caches, copy))
			continue;
		bandwidth = bandwidth_of(s, numa->cache[other], numa->cache[cache]);
		if (bandwidth > max || (bandwidth == max && other < best)) {
			max = bandwidth;
			best = other;
		}
	}
	return best != TV_NONE ? numa->cache[best] : numa->memory[s->home[block]];
}

/* The list of what waits for a copy. */
static uint32_t *waits_for(struct tv_sim_numa_state *s, uint32_t copy)
{
	while (s->nwaits <= copy) {
		TV_GROW(s->waits, s->nwaits, s->waits_cap, 1);
		s->waits[s->nwaits++] = 0;
	}
	return &s->waits[copy];
}

/* Whether a cache has the data of a copy, or will: not those of one that is to be written only. */
static bool is_of_use(const struct tv_sim_numa_state *s, uint32_t copy)
{
	return tv_sim_cache_has_data(s->caches, copy) || (copy < s->nwaits && s->waits[copy] > 0);
}

/* The worker waits for a copy, which comes if it does not yet. */
static void wait_for(struct tv_sim_numa_state *s, uint32_t worker, uint32_t copy, uint32_t block,
		     int64_t now)
{
	uint32_t number = s->free, cache = s->numa->cache_of[worker];

	if (*waits_for(s, copy) == 0) {
		struct tv_sim_flow what = { .kind = TV_SIM_FETCH,
					    .block = block,
					    .node = s->task[worker].node,
					    .from = find_source(s, cache, block),
					    .to = s->numa->cache[cache],
					    .bytes = s->numa->size[block],
					    .start = now };

		start(s, what, TV_NONE)->copy = copy;
	}
	if (number != TV_NONE) {
		s->free = s->waiter[number].next;
	} else {
		TV_GROW(s->waiter, s->nwaiters, s->waiter_cap, 1);
		number = (uint32_t)s->nwaiters++;
	}
	s->waiter[number] = (struct waiter){ worker, block, *waits_for(s, copy) };
	*waits_for(s, copy) = number + 1;
}

/* A copy has arrived: the cores that wait for it read it. */
static void arrive(struct tv_sim_numa_state *s, uint32_t copy, int64_t now)
{
	uint32_t last = s->waits[copy], next = 0;

	s->waits[copy] = 0;
	tv_sim_cache_arrive(s->caches, copy);
	/* Who came last is the first of the list. */
	while (last != 0) {
		struct waiter *w = &s->waiter[last - 1];
		uint32_t before = w->next;

		w->next = next;
		next = last;
		last = before;
	}
	while (next != 0) {
		uint32_t number = next - 1;
		struct waiter *w = &s->waiter[number];

		start_own(s, TV_SIM_READ, w->worker, w->block,
			  s->numa->cache[s->numa->cache_of[w->worker]], s->numa->size[w->block],
			  now);
		next = w->next;
		w->next = s->free;
		s->free = number;
	}
}

/* Locks all blocks of a task in its cache, so that none of them leaves for another one. */
static void lock(struct tv_sim_numa_state *s, uint32_t worker, int64_t now)
{
	const struct tv_sim_numa *numa = s->numa;
	struct task *task = &s->task[worker];
	uint32_t cache = numa->cache_of[worker], first = numa->first[task->node];

	for (uint32_t i = first; i < numa->first[task->node + 1]; i++)
		task->copy[i - first] = tv_sim_cache_lock(s->caches, cache, numa->access[i].handle);
	evict(s, cache, task->node, now);
}

/* Reads a block that is locked in the cache. */
static void read_cache(struct tv_sim_numa_state *s, uint32_t worker, uint32_t copy, uint32_t block,
		       int64_t now)
{
	uint32_t cache = s->numa->cache_of[worker];

	note(s, cache, is_of_use(s, copy) ? TV_SIM_HIT : TV_SIM_MISS, now);
	if (s->numa->model == TV_SIM_TASK) {
		tv_sim_cache_arrive(s->caches, copy);
		return;
	}
	s->task[worker].pending++;
	if (tv_sim_cache_has_data(s->caches, copy))
		start_own(s, TV_SIM_READ, worker, block, s->numa->cache[cache],
			  s->numa->size[block], now);
	else
		wait_for(s, worker, copy, block, now);
}

/* ---- phases of a task ---- */

static bool is_due_before(const void *context, uint32_t a, uint32_t b)
{
	const int64_t *due = context;

	return due[a] != due[b] ? due[a] < due[b] : a < b;
}

static void finish(struct tv_sim_numa_state *s, uint32_t worker)
{
	if (s->first_done == s->ndone)
		s->first_done = s->ndone = 0;
	TV_GROW(s->done, s->ndone, s->done_cap, 1);
	s->done[s->ndone++] = worker;
}

/* The reads have ended. */
static void compute(struct tv_sim_numa_state *s, uint32_t worker, int64_t now)
{
	struct task *task = &s->task[worker];
	int64_t took = now - task->start;

	s->log.read[task->node] = now;
	task->computed = now + task->time - (took < task->hidden ? took : task->hidden);
	s->due[worker] = now + task->time - task->hidden;
	tv_heap_push(&s->timers, worker, is_due_before, s->due);
}

void tv_sim_numa_begin(struct tv_sim_numa_state *s, uint32_t node, uint32_t worker, int64_t time,
		       int64_t now)
{
	const struct tv_sim_numa *numa = s->numa;
	struct task *task = &s->task[worker];

	if (s->log.traffic.width == 0)
		tv_sim_traffic_init(&s->log.traffic, numa->platform->nlinks, now);
	task->node = node;
	task->pending = 0;
	task->start = now;
	task->time = time;
	task->hidden = numa->model == TV_SIM_COMM_2020
			     ? 0
			     : llround(numa->overlap[node] * (double)time);
	for (uint32_t i = numa->first[node]; i < numa->first[node + 1]; i++)
		if (s->home[numa->access[i].handle] == TV_NONE)
			s->home[numa->access[i].handle] = numa->memory_of[worker];
	if (s->caches != NULL)
		lock(s, worker, now);
	for (uint32_t i = numa->first[node]; i < numa->first[node + 1]; i++) {
		const struct tv_sim_access *access = &numa->access[i];
		int64_t bytes = numa->size[access->handle];

		if (s->caches != NULL) {
			if (access->reads)
				read_cache(s, worker, task->copy[i - numa->first[node]],
					   access->handle, now);
			continue;
		}
		if (numa->model == TV_SIM_COMM && !access->reads)
			continue;
		if (numa->model == TV_SIM_COMM_2020 && access->reads && access->writes)
			bytes *= 2;
		task->pending++;
		start_own(s, access->reads ? TV_SIM_READ : TV_SIM_WRITE, worker, access->handle,
			  numa->memory[s->home[access->handle]], bytes, now);
	}
	if (s->caches != NULL)
		note_sizes(s, now);
	if (task->pending == 0)
		compute(s, worker, now);
}

static void write(struct tv_sim_numa_state *s, uint32_t worker, int64_t now)
{
	const struct tv_sim_numa *numa = s->numa;
	struct task *task = &s->task[worker];
	bool cached = s->caches != NULL;
	uint32_t node = task->node;

	s->log.write[node] = now;
	for (uint32_t i = numa->first[node]; i < numa->first[node + 1]; i++) {
		uint32_t block = numa->access[i].handle;

		if (!numa->access[i].writes || numa->model == TV_SIM_COMM_2020)
			continue;
		if (cached)
			tv_sim_cache_write(s->caches, task->copy[i - numa->first[node]]);
		if (numa->model == TV_SIM_TASK)
			continue;
		task->pending++;
		start_own(s, TV_SIM_WRITE, worker, block,
			  cached ? numa->cache[numa->cache_of[worker]]
				 : numa->memory[s->home[block]],
			  numa->size[block], now);
	}
	if (cached)
		note_sizes(s, now);
	if (cached && numa->scratch > 0) {
		task->pending++;
		start_own(s, TV_SIM_WRITE, worker, TV_NONE, numa->cache[numa->cache_of[worker]],
			  numa->scratch, now);
	}
	if (task->pending == 0)
		finish(s, worker);
}

static void end_flow(struct tv_sim_numa_state *s, uint32_t number, int64_t now)
{
	struct flow flow = s->flow[number];
	struct tv_sim_flow *logged = &s->log.flow[flow.logged];

	logged->end = now;
	s->nactive--;
	if (flow.copy != TV_NONE)
		arrive(s, flow.copy, now);
	if (flow.worker == TV_NONE || --s->task[flow.worker].pending > 0)
		return;
	/* All of comm-2020 comes before T_C. */
	if (logged->kind == TV_SIM_READ || s->numa->model == TV_SIM_COMM_2020)
		compute(s, flow.worker, now);
	else
		finish(s, flow.worker);
}

/* ---- for the engine ---- */

uint32_t tv_sim_numa_step(struct tv_sim_numa_state *s, int64_t now, int64_t *end)
{
	while (!s->failed) {
		uint32_t flow, worker;

		if (s->first_done < s->ndone) {
			const struct task *task = &s->task[s->done[s->first_done++]];

			*end = task->computed > now ? task->computed : now;
			return task->node;
		}
		flow = tv_sim_network_take(s->network, now);
		if (flow != TV_NONE) {
			end_flow(s, flow, now);
		} else if (s->timers.n > 0 && s->due[s->timers.row[0]] == now) {
			worker = s->timers.row[0];
			tv_heap_pop(&s->timers, is_due_before, s->due);
			write(s, worker, now);
		} else if (!s->unsolved || tv_sim_numa_next(s) != now) {
			break;
		}
	}
	return TV_NONE;
}

int64_t tv_sim_numa_next(struct tv_sim_numa_state *s)
{
	int64_t next = tv_sim_network_next(s->network);

	s->unsolved = false;
	if (s->timers.n > 0 && s->due[s->timers.row[0]] < next)
		next = s->due[s->timers.row[0]];
	if (next > MAX_TIME && s->nactive > 0 && !s->failed) {
		s->failed = true;
		tv_fail(&s->error, "transfers take more than 30 years: some link is too slow");
	}
	return next;
}

void tv_sim_numa_end(struct tv_sim_numa_state *s, uint32_t node, uint32_t worker, int64_t now)
{
	const struct tv_sim_numa *numa = s->numa;

	if (s->caches == NULL)
		return;
	for (uint32_t i = 0; i < numa->first[node + 1] - numa->first[node]; i++)
		tv_sim_cache_unlock(s->caches, s->task[worker].copy[i]);
	evict(s, numa->cache_of[worker], node, now);
	note_sizes(s, now);
}

uint32_t tv_sim_numa_missing(const struct tv_sim_numa_state *s, uint32_t node, uint32_t worker)
{
	const struct tv_sim_numa *numa = s->numa;
	uint32_t missing = 0;

	for (uint32_t i = numa->first[node]; s->caches != NULL && i < numa->first[node + 1]; i++) {
		uint32_t copy = tv_sim_cache_find(s->caches, numa->cache_of[worker],
						  numa->access[i].handle);

		missing += numa->access[i].reads && (copy == TV_NONE || !is_of_use(s, copy));
	}
	return missing;
}
