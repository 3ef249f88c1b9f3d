/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sharing.c -- max-min fair shares by progressive filling of what is connected. */
#include "sim/sharing.h"

#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

struct use {
	uint32_t resource;
	uint32_t place;	 /* in the resource's members */
	uint64_t demand; /* weight times the flow's greatest rate, rounded up */
	double weight;
};

struct flow {
	struct use *use;
	size_t nuses, cap;
	double bound, rate;
	uint64_t seen;	  /* the last solve that found it */
	bool fixed, used; /* its rate is found; its number is in use */
};

struct member {
	uint32_t flow, use;
};

struct resource {
	double capacity;
	struct member *member;
	size_t n, cap;
	uint64_t seen;
	bool changed;
	/* The sum of its members' demands, exact. Only if it is above the capacity, the resource can limit
	 * anybody, and connects its members. */
	tv_int128 demand;
	bool limits;
	double removed; /* changed: weights of members that left since the last solve */
	/* While solving: capacity left for flows that are not fixed, their weight and number. */
	double left, weight;
	size_t nfree;
};

/* Numbers that grow. */
struct list {
	uint32_t *at;
	size_t n, cap;
};

struct tv_sharing {
	struct resource *resource;
	uint32_t nresources;
	struct flow *flow;
	size_t nflows, flow_cap;
	struct list changed;	      /* resources whose members changed */
	struct list added;	      /* flows */
	struct list flows, resources; /* of the set that is solved */
	uint64_t solve;
	double *level;	     /* by resource, while solving: not more than what its free flows get */
	struct tv_heap heap; /* resources by level */
	struct tv_sim_network_work work;
};

static void append(struct list *list, uint32_t number)
{
	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = number;
}

struct tv_sharing *tv_sharing_new(uint32_t nresources)
{
	struct tv_sharing *sharing = tv_alloc(1, sizeof *sharing);

	sharing->nresources = nresources;
	sharing->resource = tv_alloc(nresources, sizeof *sharing->resource);
	sharing->level = tv_alloc(nresources, sizeof *sharing->level);
	return sharing;
}

void tv_sharing_free(struct tv_sharing *sharing)
{
	for (size_t i = 0; i < sharing->nflows; i++)
		tv_free(sharing->flow[i].use);
	for (uint32_t i = 0; i < sharing->nresources; i++)
		tv_free(sharing->resource[i].member);
	tv_free(sharing->flow);
	tv_free(sharing->resource);
	tv_free(sharing->level);
	tv_free(sharing->changed.at);
	tv_free(sharing->added.at);
	tv_free(sharing->flows.at);
	tv_free(sharing->resources.at);
	tv_heap_release(&sharing->heap);
	tv_free(sharing);
}

void tv_sharing_set_capacity(struct tv_sharing *sharing, uint32_t resource, double capacity)
{
	/* Demands are integers of 63 bits. */
	sharing->resource[resource].capacity = capacity < 0x1p62 ? capacity : 0x1p62;
}

void tv_sharing_add(struct tv_sharing *sharing, uint32_t flow)
{
	struct flow *f;

	if (flow == sharing->nflows) {
		TV_GROW(sharing->flow, sharing->nflows, sharing->flow_cap, 1);
		sharing->flow[sharing->nflows++] = (struct flow){ 0 };
	}
	f = &sharing->flow[flow];
	f->nuses = 0;
	f->bound = INFINITY;
	f->rate = -1;
	f->seen = 0;
	f->used = true;
	append(&sharing->added, flow);
}

void tv_sharing_use(struct tv_sharing *sharing, uint32_t flow, uint32_t resource, double weight)
{
	struct resource *r = &sharing->resource[resource];
	struct flow *f = &sharing->flow[flow];

	/* It is the last member if it is one. */
	if (r->n > 0 && r->member[r->n - 1].flow == flow) {
		f->use[r->member[r->n - 1].use].weight += weight;
		return;
	}
	TV_GROW(f->use, f->nuses, f->cap, 1);
	TV_GROW(r->member, r->n, r->cap, 1);
	f->use[f->nuses] = (struct use){ resource, (uint32_t)r->n, 0, weight };
	r->member[r->n++] = (struct member){ flow, (uint32_t)f->nuses++ };
}

void tv_sharing_bound(struct tv_sharing *sharing, uint32_t flow, double bound)
{
	if (bound < sharing->flow[flow].bound)
		sharing->flow[flow].bound = bound;
}

/* The demand of a resource changes: what is connected with it is solved again, if it could limit
 * somebody before or can afterwards. */
static void add_demand(struct tv_sharing *sharing, uint32_t resource, tv_int128 demand)
{
	struct resource *r = &sharing->resource[resource];
	bool did = r->limits;

	r->demand += demand;
	r->limits = (double)r->demand > r->capacity;
	if ((did || r->limits) && !r->changed) {
		append(&sharing->changed, resource);
		r->changed = true;
	}
}

void tv_sharing_begin(struct tv_sharing *sharing, uint32_t flow)
{
	struct flow *f = &sharing->flow[flow];
	double greatest = f->bound;

	for (size_t i = 0; i < f->nuses; i++) {
		double alone = sharing->resource[f->use[i].resource].capacity / f->use[i].weight;

		greatest = alone < greatest ? alone : greatest;
	}
	for (size_t i = 0; i < f->nuses; i++) {
		double demand = ceil(f->use[i].weight * greatest * (1 + 1e-12));

		f->use[i].demand = demand < 0x1p63 ? (uint64_t)demand : (uint64_t)1 << 63;
		add_demand(sharing, f->use[i].resource, f->use[i].demand);
	}
}

void tv_sharing_remove(struct tv_sharing *sharing, uint32_t flow)
{
	struct flow *f = &sharing->flow[flow];

	for (size_t i = 0; i < f->nuses; i++) {
		struct resource *r = &sharing->resource[f->use[i].resource];
		struct member last = r->member[--r->n];

		/* The last member takes its place. */
		r->member[f->use[i].place] = last;
		sharing->flow[last.flow].use[last.use].place = f->use[i].place;
		add_demand(sharing, f->use[i].resource, -(tv_int128)f->use[i].demand);
		/* Even if it cannot limit anybody now: others may have left since the last solve, when it did. */
		r->removed += r->changed ? f->use[i].weight : 0;
	}
	f->used = false;
	f->rate = 0;
}

static void find_resource(struct tv_sharing *sharing, uint32_t resource)
{
	struct resource *r = &sharing->resource[resource];

	if (r->seen == sharing->solve)
		return;
	r->seen = sharing->solve;
	append(&sharing->resources, resource);
}

static void find_flow(struct tv_sharing *sharing, uint32_t flow)
{
	struct flow *f = &sharing->flow[flow];

	if (f->seen == sharing->solve)
		return;
	f->seen = sharing->solve;
	f->fixed = false;
	append(&sharing->flows, flow);
	for (size_t i = 0; i < f->nuses; i++)
		if (sharing->resource[f->use[i].resource].limits)
			find_resource(sharing, f->use[i].resource);
}

/* Completes the set: the flows of its resources, whose rates may change, and the resources of these. */
static void find_connected(struct tv_sharing *sharing, double unchanged)
{
	for (size_t i = 0; i < sharing->resources.n; i++) {
		struct resource *r = &sharing->resource[sharing->resources.at[i]];

		r->left = r->capacity;
		r->weight = 0;
		r->nfree = 0;
		for (size_t k = 0; k < r->n; k++) {
			const struct flow *flow = &sharing->flow[r->member[k].flow];
			double weight = flow->use[r->member[k].use].weight;

			if (flow->rate >= 0 && flow->rate < unchanged) {
				r->left -= weight * flow->rate;
				continue;
			}
			r->weight += weight;
			r->nfree++;
			find_flow(sharing, r->member[k].flow);
		}
	}
}

/*
 * The rate below which no rate changes. Filled up to a level, a resource with the weights W is not full
 * below capacity / W. So below the least of these of the changed resources, with old and new members, all
 * flows stop where they did. Some more, as rates are rounded.
 */
static double find_unchanged(struct tv_sharing *sharing)
{
	double least = INFINITY;

	for (size_t i = 0; i < sharing->changed.n; i++) {
		struct resource *r = &sharing->resource[sharing->changed.at[i]];
		double weight = r->removed;

		for (size_t k = 0; k < r->n; k++)
			weight += sharing->flow[r->member[k].flow].use[r->member[k].use].weight;
		if (r->capacity / weight < least)
			least = r->capacity / weight;
	}
	return least * (1 - 1e-9);
}

static bool lower(const void *context, uint32_t a, uint32_t b)
{
	const double *level = context;

	return level[a] != level[b] ? level[a] < level[b] : a < b;
}

static int by_bound(const void *a, const void *b, void *context)
{
	const struct flow *flow = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return flow[x].bound != flow[y].bound ? TV_COMPARE(flow[x].bound, flow[y].bound)
					      : TV_COMPARE(x, y);
}

static void fix(struct tv_sharing *sharing, struct flow *f, double rate,
		void (*on_rate)(void *context, uint32_t flow, double rate), void *context)
{
	bool is_new = rate != f->rate;

	f->fixed = true;
	f->rate = rate;
	for (size_t i = 0; i < f->nuses; i++) {
		struct resource *r = &sharing->resource[f->use[i].resource];

		r->left -= f->use[i].weight * rate;
		r->weight -= f->use[i].weight;
		r->nfree--;
	}
	if (is_new)
		on_rate(context, (uint32_t)(f - sharing->flow), rate);
}

/* The resource that is reached next, at *level; TV_NONE if none has free flows. As flows are fixed
 * the level of a resource only grows, so an old one is put back with its new level. */
static uint32_t reached_next(struct tv_sharing *sharing, double now, double *level)
{
	while (sharing->heap.n > 0) {
		uint32_t resource = sharing->heap.row[0];
		const struct resource *r = &sharing->resource[resource];

		if (r->nfree > 0) {
			*level = r->left / r->weight;
			/* Rounding may have taken a little more than there was. */
			if (!(*level > now))
				*level = now;
			if (*level <= sharing->level[resource])
				return resource;
		}
		tv_heap_pop(&sharing->heap, lower, sharing->level);
		if (r->nfree > 0) {
			sharing->level[resource] = *level;
			tv_heap_push(&sharing->heap, resource, lower, sharing->level);
		}
	}
	return TV_NONE;
}

/* Finds the rates of the set; no resource is full below `now`. */
static void fill(struct tv_sharing *sharing, double now,
		 void (*on_rate)(void *context, uint32_t flow, double rate), void *context)
{
	const struct list *flows = &sharing->flows;
	double level = 0;
	size_t next = 0;

	qsort_r(flows->at, flows->n, sizeof *flows->at, by_bound, sharing->flow);
	for (size_t i = 0; i < sharing->resources.n; i++) {
		uint32_t resource = sharing->resources.at[i];
		const struct resource *r = &sharing->resource[resource];

		if (r->nfree > 0 && r->limits) {
			sharing->level[resource] = r->left / r->weight;
			tv_heap_push(&sharing->heap, resource, lower, sharing->level);
		}
	}
	for (;;) {
		uint32_t resource = reached_next(sharing, now, &level);

		while (next < flows->n && sharing->flow[flows->at[next]].fixed)
			next++;
		if (next < flows->n
		    && (resource == TV_NONE || sharing->flow[flows->at[next]].bound <= level)) {
			struct flow *flow = &sharing->flow[flows->at[next]];

			now = flow->bound > now ? flow->bound : now;
			fix(sharing, flow, flow->bound, on_rate, context);
		} else if (resource != TV_NONE) {
			const struct resource *r = &sharing->resource[resource];

			now = level;
			for (size_t i = 0; i < r->n; i++)
				if (!sharing->flow[r->member[i].flow].fixed)
					fix(sharing, &sharing->flow[r->member[i].flow], level,
					    on_rate, context);
		} else {
			return;
		}
	}
}

void tv_sharing_solve(struct tv_sharing *sharing,
		      void (*on_rate)(void *context, uint32_t flow, double rate), void *context)
{
	double unchanged;

	sharing->solve++;
	sharing->flows.n = 0;
	sharing->resources.n = 0;
	unchanged = find_unchanged(sharing);
	for (size_t i = 0; i < sharing->changed.n; i++) {
		sharing->resource[sharing->changed.at[i]].changed = false;
		sharing->resource[sharing->changed.at[i]].removed = 0;
		find_resource(sharing, sharing->changed.at[i]);
	}
	for (size_t i = 0; i < sharing->added.n; i++)
		if (sharing->flow[sharing->added.at[i]].used)
			find_flow(sharing, sharing->added.at[i]);
	sharing->changed.n = 0;
	sharing->added.n = 0;
	find_connected(sharing, unchanged);
	if (sharing->flows.n == 0)
		return;
	sharing->work.solves++;
	sharing->work.solved += sharing->flows.n;
	fill(sharing, isinf(unchanged) ? 0 : unchanged, on_rate, context);
}

double tv_sharing_rate(const struct tv_sharing *sharing, uint32_t flow)
{
	return sharing->flow[flow].rate;
}

double tv_sharing_load(const struct tv_sharing *sharing, uint32_t resource)
{
	const struct resource *r = &sharing->resource[resource];
	double sum = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct flow *flow = &sharing->flow[r->member[i].flow];

		sum += flow->use[r->member[i].use].weight * flow->rate;
	}
	return sum;
}

struct tv_sim_network_work tv_sharing_work(const struct tv_sharing *sharing)
{
	return sharing->work;
}
