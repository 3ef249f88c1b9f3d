/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c -- copies of data on memory nodes, and the transfers between them. */
#include "sim/memory.h"

#include <math.h>
#include <string.h>

#include "sim/space.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define NONE UINT32_MAX

enum { MAIN = 0 };

/* From then on, until the next one, transfers take so much of the bus. */
struct step {
	int64_t time;
	double used; /* bytes/ns */
};

struct tv_sim_copies {
	const struct tv_sim_memory *memory;
	int64_t *
		since; /* nhandles x nmemories: the copy is valid from then on; -1 = there is none */
	int64_t *idle;	  /* by link: when its last transfer ends */
	struct step *bus; /* ascending; the last one uses nothing */
	size_t nbus, bus_cap;
	struct tv_sim_transfer *transfer;
	size_t n, cap;
	struct tv_sim_space *space; /* NULL = no memory node has a limit; else: */
	int64_t *busy;		    /* nhandles x nmemories: transfers from the copy end then */
	bool *placed;		    /* by node of the graph */
	size_t nevictions;
};

struct tv_sim_copies *tv_sim_copies_new(const struct tv_sim_memory *memory, uint32_t n)
{
	struct tv_sim_copies *c = tv_alloc(1, sizeof *c);
	size_t nmemories = memory->nmemories, ncopies = memory->nhandles * nmemories;

	c->memory = memory;
	c->since = tv_alloc(ncopies, sizeof *c->since);
	c->idle = tv_alloc(nmemories * nmemories, sizeof *c->idle);
	for (size_t i = 0; i < ncopies; i++)
		c->since[i] = -1;
	for (uint32_t h = 0; h < memory->nhandles; h++)
		c->since[h * nmemories + memory->home[h]] = 0;
	c->space = tv_sim_space_new(memory);
	if (c->space != NULL) {
		c->busy = tv_alloc(ncopies, sizeof *c->busy);
		c->placed = tv_alloc(n, sizeof *c->placed);
	}
	return c;
}

void tv_sim_copies_free(struct tv_sim_copies *c)
{
	if (c == NULL)
		return;
	tv_free(c->since);
	tv_free(c->idle);
	tv_free(c->bus);
	tv_free(c->transfer);
	tv_sim_space_free(c->space);
	tv_free(c->busy);
	tv_free(c->placed);
	tv_free(c);
}

static int64_t *copies_of(const struct tv_sim_copies *c, uint32_t handle)
{
	return &c->since[(size_t)handle * c->memory->nmemories];
}

static size_t link_of(const struct tv_sim_copies *c, uint32_t from, uint32_t to)
{
	return (size_t)from * c->memory->nmemories + to;
}

static int64_t time_of(const struct tv_sim_copies *c, uint32_t handle, uint32_t from, uint32_t to)
{
	const struct tv_sim_link *link = &c->memory->link[link_of(c, from, to)];

	return link->latency + llround((double)c->memory->size[handle] * link->per_byte);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* When a transfer would start. */
static int64_t start_of(const struct tv_sim_copies *c, uint32_t handle, uint32_t from, uint32_t to,
			int64_t now)
{
	return later(now, later(copies_of(c, handle)[from], c->idle[link_of(c, from, to)]));
}

/* The copy that arrives first; NONE if no copy has a link. */
static uint32_t find_source(const struct tv_sim_copies *c, uint32_t handle, uint32_t to,
			    int64_t now)
{
	uint32_t best = NONE;
	int64_t first = 0;

	for (uint32_t from = 0; from < c->memory->nmemories; from++) {
		int64_t end;

		if (copies_of(c, handle)[from] < 0 || !c->memory->link[link_of(c, from, to)].exists)
			continue;
		end = start_of(c, handle, from, to, now) + time_of(c, handle, from, to);
		if (best == NONE || end < first) {
			best = from;
			first = end;
		}
	}
	return best;
}

/* What a transfer to a memory node is one of. */
struct request {
	uint32_t node;
	int64_t now;
	bool ahead;
};

/* ---- the bus ---- */

/* The place of the last step that begins at `time` or before; 0 if there is none. */
static size_t find_step(const struct tv_sim_copies *c, int64_t time)
{
	size_t i;

	TV_LOWER_BOUND(i, 1, c->nbus, c->bus[i].time <= time);
	return i - 1;
}

/* Makes a step begin at `time`, which is not before the first one; returns its place. */
static size_t cut_step(struct tv_sim_copies *c, int64_t time)
{
	size_t at = find_step(c, time);

	if (c->bus[at].time == time)
		return at;
	TV_GROW(c->bus, c->nbus, c->bus_cap, 1);
	memmove(&c->bus[at + 1], &c->bus[at], (c->nbus++ - at) * sizeof *c->bus);
	c->bus[at + 1].time = time;
	return at + 1;
}

/* Forgets what ended before now; no transfer starts earlier. */
static void forget_steps(struct tv_sim_copies *c, int64_t now)
{
	size_t at;

	if (c->nbus == 0) {
		TV_GROW(c->bus, c->nbus, c->bus_cap, 1);
		c->bus[c->nbus++] = (struct step){ now, 0 };
	}
	at = find_step(c, now);
	memmove(c->bus, &c->bus[at], (c->nbus - at) * sizeof *c->bus);
	c->nbus -= at;
}

/* Moves bytes over the bus from `start` on, at most at a rate, as far as others leave something; returns
 * when all are moved. alone: that, if nobody else used it. */
static int64_t use_bus(struct tv_sim_copies *c, int64_t start, double bytes, double rate,
		       int64_t alone)
{
	double capacity = 1 / c->memory->bus_per_byte;
	bool whole = rate <= capacity;
	int64_t end;

	for (size_t at = cut_step(c, start);; at++) {
		double left = capacity - c->bus[at].used, share;
		int64_t next = at + 1 < c->nbus ? c->bus[at + 1].time : INT64_MAX;

		share = left < rate ? left : rate;
		if (share < 1e-9 * capacity)
			share = 0;
		whole &= share == rate;
		end = c->bus[at].time;
		if (share > 0 && bytes <= share * (double)(next - end)) {
			end = whole ? alone : end + llround(bytes / share);
			if (end > c->bus[at].time && end < next)
				cut_step(c, end);
			if (end > c->bus[at].time)
				c->bus[at].used += share;
			return end;
		}
		bytes -= share * (double)(next - end);
		c->bus[at].used += share;
	}
}

/* When a transfer ends that starts then. */
static int64_t end_of(struct tv_sim_copies *c, uint32_t handle, uint32_t from, uint32_t to,
		      int64_t start)
{
	const struct tv_sim_link *link = &c->memory->link[link_of(c, from, to)];
	double size = (double)c->memory->size[handle];
	int64_t alone = start + time_of(c, handle, from, to);

	if (c->memory->bus_per_byte <= 0 || size <= 0)
		return alone;
	return use_bus(c, start + link->latency, size,
		       link->per_byte > 0 ? 1 / link->per_byte : INFINITY, alone);
}

/* ---- transfers ---- */

static int64_t *busy_of(const struct tv_sim_copies *c, uint32_t handle, uint32_t memory)
{
	return &c->busy[(size_t)handle * c->memory->nmemories + memory];
}

static void transfer(struct tv_sim_copies *c, uint32_t handle, uint32_t from, uint32_t to,
		     const struct request *request)
{
	int64_t start = start_of(c, handle, from, to, request->now);
	int64_t end = end_of(c, handle, from, to, start);

	copies_of(c, handle)[to] = c->idle[link_of(c, from, to)] = end;
	if (c->space != NULL)
		*busy_of(c, handle, from) = later(*busy_of(c, handle, from), end);
	TV_GROW(c->transfer, c->n, c->cap, 1);
	c->transfer[c->n++] = (struct tv_sim_transfer){ .handle = handle,
							.from = from,
							.to = to,
							.node = request->node,
							.start = start,
							.end = end,
							.ahead = request->ahead };
}

/* A copy of the data, directly or through main memory; it may arrive where it goes from `ready` on. */
static void copy(struct tv_sim_copies *c, uint32_t handle, uint32_t to,
		 const struct request *request, int64_t ready)
{
	struct request last = *request;
	uint32_t from;

	last.now = ready;
	from = find_source(c, handle, to, ready);
	if (from == NONE) {
		transfer(c, handle, find_source(c, handle, MAIN, request->now), MAIN, request);
		from = MAIN;
	}
	transfer(c, handle, from, to, &last);
}

/* ---- memory nodes with a limit ---- */

static bool is_limited(const struct tv_sim_copies *c, uint32_t memory)
{
	return tv_sim_space_is_limited(c->space, memory);
}

static bool is_only_copy(const struct tv_sim_copies *c, uint32_t handle, uint32_t memory)
{
	const int64_t *since = copies_of(c, handle);

	for (uint32_t m = 0; m < c->memory->nmemories; m++)
		if (m != memory && since[m] >= 0)
			return false;
	return true;
}

/* The copy is no longer valid; its space is free once it has arrived and all transfers from it have
 * ended. */
static void drop(struct tv_sim_copies *c, uint32_t handle, uint32_t memory)
{
	int64_t *since = &copies_of(c, handle)[memory];

	if (*since >= 0 && is_limited(c, memory))
		tv_sim_space_leave(c->space, handle, memory,
				   later(*since, *busy_of(c, handle, memory)));
	*since = -1;
}

static void evict(struct tv_sim_copies *c, uint32_t handle, uint32_t memory,
		  const struct request *request)
{
	int64_t *busy = busy_of(c, handle, memory);

	if (is_only_copy(c, handle, memory)) {
		transfer(c, handle, memory, MAIN, request);
		c->transfer[c->n - 1].writes_back = true;
	}
	*busy = later(*busy, request->now);
	drop(c, handle, memory);
	c->nevictions++;
}

/* Space for a copy that the memory node does not have; returns when it is free, -1 if awaited data would
 * have to leave and must not. */
static int64_t make_space(struct tv_sim_copies *c, uint32_t handle, uint32_t memory,
			  const struct request *request, bool awaited_too)
{
	int64_t size = c->memory->size[handle];
	uint32_t victim;

	if (!is_limited(c, memory) || tv_sim_space_has(c->space, handle, memory))
		return request->now;
	if (!awaited_too && !tv_sim_space_can_fit(c->space, memory, size, false))
		return -1;
	while (!tv_sim_space_fits(c->space, memory, size)
	       && (victim = tv_sim_space_victim(c->space, memory, awaited_too)) != NONE)
		evict(c, victim, memory, request);
	return tv_sim_space_take(c->space, handle, memory, request->now);
}

/* What one more or less does with the data that the node accesses on a memory node. */
static void count_use(struct tv_sim_copies *c, uint32_t node, uint32_t memory, int change,
		      void (*count)(struct tv_sim_space *, uint32_t, uint32_t, int))
{
	const struct tv_sim_memory *of = c->memory;

	for (uint32_t k = of->first[node]; k < of->first[node + 1]; k++)
		count(c->space, of->access[k].handle, memory, change);
}

/* ---- tasks ---- */

void tv_sim_prefetch(struct tv_sim_copies *c, uint32_t node, uint32_t worker, int64_t now)
{
	const struct tv_sim_memory *memory = c->memory;
	const struct request request = { node, now, true };
	uint32_t to = memory->of_worker[worker];

	if (memory->bus_per_byte > 0)
		forget_steps(c, now);
	if (is_limited(c, to)) {
		c->placed[node] = true;
		count_use(c, node, to, 1, tv_sim_space_await);
	}
	for (uint32_t k = memory->first[node]; k < memory->first[node + 1]; k++) {
		const struct tv_sim_access *access = &memory->access[k];
		int64_t ready;

		if (!access->reads || copies_of(c, access->handle)[to] >= 0)
			continue;
		ready = make_space(c, access->handle, to, &request, false);
		if (ready >= 0)
			copy(c, access->handle, to, &request, ready);
	}
}

/* The data of a node that its worker takes are no longer only awaited. */
static void begin_work(struct tv_sim_copies *c, uint32_t node, uint32_t memory)
{
	if (!is_limited(c, memory))
		return;
	count_use(c, node, memory, 1, tv_sim_space_work);
	if (c->placed[node])
		count_use(c, node, memory, -1, tv_sim_space_await);
	c->placed[node] = false;
}

int64_t tv_sim_fetch(struct tv_sim_copies *c, uint32_t node, uint32_t worker, int64_t now,
		     bool ahead)
{
	const struct tv_sim_memory *memory = c->memory;
	const struct request request = { node, now, ahead };
	uint32_t to = memory->of_worker[worker];
	int64_t all = now;

	if (memory->bus_per_byte > 0)
		forget_steps(c, now);
	begin_work(c, node, to);
	for (uint32_t k = memory->first[node]; k < memory->first[node + 1]; k++) {
		const struct tv_sim_access *access = &memory->access[k];
		int64_t ready = now;

		if (access->reads || access->writes)
			ready = make_space(c, access->handle, to, &request, true);
		if (access->reads && copies_of(c, access->handle)[to] < 0)
			copy(c, access->handle, to, &request, ready);
		all = later(all, access->reads ? copies_of(c, access->handle)[to] : ready);
	}
	return all;
}

void tv_sim_write(struct tv_sim_copies *c, uint32_t node, uint32_t worker, int64_t end)
{
	const struct tv_sim_memory *memory = c->memory;

	for (uint32_t k = memory->first[node]; k < memory->first[node + 1]; k++) {
		uint32_t handle = memory->access[k].handle, here = memory->of_worker[worker];

		if (!memory->access[k].writes)
			continue;
		for (uint32_t m = 0; m < memory->nmemories; m++)
			if (m != here)
				drop(c, handle, m);
		copies_of(c, handle)[here] = end;
	}
}

void tv_sim_let_leave(struct tv_sim_copies *c, uint32_t node, uint32_t worker)
{
	if (is_limited(c, c->memory->of_worker[worker]))
		count_use(c, node, c->memory->of_worker[worker], -1, tv_sim_space_work);
}

/* The shortest time of a copy over free links; -1 = no copy has a link there. */
static int64_t shortest(const struct tv_sim_copies *c, uint32_t handle, uint32_t to)
{
	int64_t best = -1;

	for (uint32_t from = 0; from < c->memory->nmemories; from++) {
		int64_t time;

		if (copies_of(c, handle)[from] < 0 || !c->memory->link[link_of(c, from, to)].exists)
			continue;
		time = time_of(c, handle, from, to);
		if (best < 0 || time < best)
			best = time;
	}
	return best;
}

void tv_sim_estimate(const struct tv_sim_copies *c, uint32_t node, int64_t *time)
{
	const struct tv_sim_memory *memory = c->memory;

	for (uint32_t to = 0; to < memory->nmemories; to++) {
		time[to] = 0;
		for (uint32_t k = memory->first[node]; k < memory->first[node + 1]; k++) {
			uint32_t handle = memory->access[k].handle;
			int64_t direct;

			if (!memory->access[k].reads || copies_of(c, handle)[to] >= 0)
				continue;
			direct = shortest(c, handle, to);
			time[to] += direct >= 0 ? direct
						: shortest(c, handle, MAIN)
							  + time_of(c, handle, MAIN, to);
		}
	}
}

uint32_t tv_sim_missing(const struct tv_sim_copies *c, uint32_t node, uint32_t worker, int64_t now)
{
	const struct tv_sim_memory *memory = c->memory;
	uint32_t missing = 0;

	for (uint32_t k = memory->first[node]; k < memory->first[node + 1]; k++) {
		int64_t since = copies_of(c, memory->access[k].handle)[memory->of_worker[worker]];

		missing += memory->access[k].reads && (since < 0 || since > now);
	}
	return missing;
}

struct tv_sim_transfer *tv_sim_take_transfers(struct tv_sim_copies *c, size_t *n)
{
	struct tv_sim_transfer *transfer = c->transfer;

	*n = c->n;
	c->transfer = NULL;
	c->n = c->cap = 0;
	return transfer;
}

struct tv_sim_space_log tv_sim_take_space_log(struct tv_sim_copies *c)
{
	struct tv_sim_space_log log = { 0 };

	if (c->space == NULL)
		return log;
	log.use = tv_sim_take_uses(c->space, &log.nuses);
	log.nevictions = c->nevictions;
	log.exceeded = tv_sim_space_exceeded(c->space);
	return log;
}
