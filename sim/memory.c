/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c -- copies of data on memory nodes, and the transfers between them. */
#include "sim/memory.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"

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
};

struct tv_sim_copies *tv_sim_copies_new(const struct tv_sim_memory *memory)
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
	size_t low = 0, high = c->nbus;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (c->bus[middle].time <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
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

static void transfer(struct tv_sim_copies *c, uint32_t handle, uint32_t from, uint32_t to,
		     const struct request *request)
{
	int64_t start = start_of(c, handle, from, to, request->now);
	int64_t end = end_of(c, handle, from, to, start);

	copies_of(c, handle)[to] = c->idle[link_of(c, from, to)] = end;
	TV_GROW(c->transfer, c->n, c->cap, 1);
	c->transfer[c->n++] = (struct tv_sim_transfer){ handle,	       from,  to,
							request->node, start, end,
							request->ahead };
}

/* A copy of the data, directly or through main memory. */
static void copy(struct tv_sim_copies *c, uint32_t handle, uint32_t to,
		 const struct request *request)
{
	uint32_t from = find_source(c, handle, to, request->now);

	if (from == NONE) {
		transfer(c, handle, find_source(c, handle, MAIN, request->now), MAIN, request);
		from = MAIN;
	}
	transfer(c, handle, from, to, request);
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
	for (uint32_t k = memory->first[node]; k < memory->first[node + 1]; k++) {
		const struct tv_sim_access *access = &memory->access[k];

		if (!access->reads)
			continue;
		if (copies_of(c, access->handle)[to] < 0)
			copy(c, access->handle, to, &request);
		all = later(all, copies_of(c, access->handle)[to]);
	}
	return all;
}

void tv_sim_write(struct tv_sim_copies *c, uint32_t node, uint32_t worker, int64_t end)
{
	const struct tv_sim_memory *memory = c->memory;

	for (uint32_t k = memory->first[node]; k < memory->first[node + 1]; k++) {
		int64_t *since = copies_of(c, memory->access[k].handle);

		if (!memory->access[k].writes)
			continue;
		for (uint32_t m = 0; m < memory->nmemories; m++)
			since[m] = -1;
		since[memory->of_worker[worker]] = end;
	}
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
