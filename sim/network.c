/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.c -- flows, their remains and ends; the shares are solved in sharing.c. */
#include "sim/network.h"

#include <assert.h>
#include <math.h>

#include "sim/sharing.h"
#include "trace/alloc.h"
#include "trace/number.h"

#define CROSSTRAFFIC 0.05 /* of a flow, on its way back; SimGrid's constant */

/* Time in here: 2^-10 ns. Remains: 2^-76 bytes. */
enum { TICKS_PER_NS = 1024, BYTE_BITS = 76, SLACK_BITS = 50 };
#define NEVER ((tv_int128)TV_SIM_NEVER * TICKS_PER_NS)

/* A flow that is under way, or has ended and not been taken; what is shared of it is in sharing.c,
 * under the same number. */
struct flow {
	tv_int128 remains; /* at `since` */
	tv_int128 speed;   /* per tick, since then */
	tv_int128 slack;   /* what rounded rates may leave */
	tv_int128 since, end;
	uint64_t serial;
	uint32_t place; /* in the heap; free: the next free flow */
};

struct tv_sim_network {
	const struct tv_platform *platform;
	struct tv_sharing *sharing;
	bool crosstraffic;
	struct flow *flow;
	size_t nflows, flow_cap;
	uint32_t free;	/* a number that can be used again; TV_NONE */
	uint32_t *heap; /* flows by end, then serial */
	size_t nheap, heap_cap;
	uint32_t *done; /* flows that have ended, from the first that was not taken */
	size_t first_done, ndone, done_cap;
	tv_int128
		changed_at; /* the shares are to be solved again from then on; -1 = they are solved */
	uint64_t started;
	tv_sim_network_passed *passed; /* NULL = nobody asks */
	void *context;
};

struct tv_sim_network *tv_sim_network_new(const struct tv_platform *platform, bool crosstraffic)
{
	struct tv_sim_network *network = tv_alloc(1, sizeof *network);

	network->platform = platform;
	network->crosstraffic = crosstraffic;
	network->free = TV_NONE;
	network->changed_at = -1;
	network->sharing = tv_sharing_new(2 * platform->nlinks);
	for (uint32_t i = 0; i < platform->nlinks; i++)
		for (uint32_t down = 0; down < 2; down++)
			tv_sharing_set_capacity(network->sharing, 2 * i + down,
						platform->link[i].bandwidth);
	return network;
}

void tv_sim_network_on_passed(struct tv_sim_network *network, tv_sim_network_passed *passed,
			      void *context)
{
	network->passed = passed;
	network->context = context;
}

void tv_sim_network_free(struct tv_sim_network *network)
{
	if (network == NULL)
		return;
	tv_sharing_free(network->sharing);
	tv_free(network->flow);
	tv_free(network->heap);
	tv_free(network->done);
	tv_free(network);
}

static bool ends_before(const struct tv_sim_network *network, uint32_t a, uint32_t b)
{
	const struct flow *x = &network->flow[a], *y = &network->flow[b];

	return x->end != y->end ? x->end < y->end : x->serial < y->serial;
}

static void place(struct tv_sim_network *network, size_t at, uint32_t flow)
{
	network->heap[at] = flow;
	network->flow[flow].place = (uint32_t)at;
}

/* Moves a flow, whose place is free, to where it belongs in the heap. */
static void sift(struct tv_sim_network *network, size_t at, uint32_t flow)
{
	size_t child;

	for (; at > 0 && ends_before(network, flow, network->heap[(at - 1) / 2]); at = (at - 1) / 2)
		place(network, at, network->heap[(at - 1) / 2]);
	while ((child = 2 * at + 1) < network->nheap) {
		if (child + 1 < network->nheap
		    && ends_before(network, network->heap[child + 1], network->heap[child]))
			child++;
		if (!ends_before(network, network->heap[child], flow))
			break;
		place(network, at, network->heap[child]);
		at = child;
	}
	place(network, at, flow);
}

/* A rate in bytes/s, as what passes in a tick. */
static tv_int128 speed_of(double rate)
{
	double scaled = ldexp(rate / 1e9 / TICKS_PER_NS, BYTE_BITS), max = 0x1p120;

	if (!(scaled > 1))
		return 1;
	return (tv_int128)(scaled < max ? scaled : max);
}

/* What passed of a flow since its rate was found, which was `bytes`. */
static void pass(struct tv_sim_network *network, struct flow *flow, tv_int128 bytes, tv_int128 now)
{
	flow->remains -= bytes;
	if (network->passed != NULL && bytes > 0)
		network->passed(network->context, (uint32_t)(flow - network->flow),
				(double)flow->since / TICKS_PER_NS, (double)now / TICKS_PER_NS,
				ldexp((double)bytes, -BYTE_BITS));
	flow->since = now;
}

/* A flow has another rate from now on. */
static void on_rate(void *context, uint32_t number, double rate)
{
	struct tv_sim_network *network = context;
	struct flow *flow = &network->flow[number];
	tv_int128 now = network->changed_at, left = 0;

	pass(network, flow, flow->speed * (now - flow->since), now);
	flow->speed = speed_of(rate);
	if (flow->remains > flow->slack && !isinf(rate))
		left = (flow->remains - flow->slack - 1) / flow->speed + 1;
	flow->end = left < NEVER - now ? now + left : NEVER;
	sift(network, flow->place, number);
}

static void solve(struct tv_sim_network *network)
{
	if (network->changed_at < 0)
		return;
	tv_sharing_solve(network->sharing, on_rate, network);
	network->changed_at = -1;
}

/* Takes the flow that ends first out of those that share. */
static void end_first(struct tv_sim_network *network)
{
	uint32_t number = network->heap[0], last = network->heap[--network->nheap];
	struct flow *flow = &network->flow[number];

	pass(network, flow, flow->remains, flow->end);
	if (network->nheap > 0)
		sift(network, 0, last);
	tv_sharing_remove(network->sharing, number);
	if (network->first_done == network->ndone)
		network->first_done = network->ndone = 0;
	TV_GROW(network->done, network->ndone, network->done_cap, 1);
	network->done[network->ndone++] = number;
}

/* Ends what ends until `now`, each flow at its own tick. Changes at `now` itself are solved later, all
 * at once. */
static void advance(struct tv_sim_network *network, tv_int128 now)
{
	while (network->changed_at < now) {
		tv_int128 end;

		solve(network);
		if (network->nheap == 0)
			return;
		end = network->flow[network->heap[0]].end;
		if (end > now || end == NEVER)
			return;
		while (network->nheap > 0 && network->flow[network->heap[0]].end == end)
			end_first(network);
		network->changed_at = end;
	}
}

/* What a flow of route uses of its links: `weight` of each. */
static void use_links(struct tv_sim_network *network, uint32_t flow, const struct tv_route *route,
		      double weight)
{
	for (uint32_t i = 0; i < route->n; i++) {
		struct tv_hop hop = route->hop[i];

		if (network->platform->link[hop.link].policy != TV_LINK_FATPIPE)
			tv_sharing_use(network->sharing, flow, 2 * hop.link + hop.down, weight);
		else if (weight == 1)
			tv_sharing_bound(network->sharing, flow,
					 network->platform->link[hop.link].bandwidth);
	}
}

uint32_t tv_sim_network_start(struct tv_sim_network *network, const struct tv_route *route,
			      const struct tv_route *back, int64_t bytes, int64_t now)
{
	uint32_t number = network->free;
	tv_int128 ticks = (tv_int128)now * TICKS_PER_NS;

	assert(bytes >= 0 && bytes <= TV_SIM_MAX_BYTES && now >= 0);
	advance(network, ticks);
	network->changed_at = ticks;
	if (number != TV_NONE) {
		network->free = network->flow[number].place;
	} else {
		TV_GROW(network->flow, network->nflows, network->flow_cap, 1);
		number = (uint32_t)network->nflows++;
	}
	network->flow[number] = (struct flow){ .remains = (tv_int128)bytes << BYTE_BITS,
					       .slack = (tv_int128)bytes
						     << (BYTE_BITS - SLACK_BITS),
					       .since = ticks,
					       .end = NEVER,
					       .serial = network->started++ };
	tv_sharing_add(network->sharing, number);
	use_links(network, number, route, 1);
	if (network->crosstraffic)
		use_links(network, number, back, CROSSTRAFFIC);
	tv_sharing_begin(network->sharing, number);
	TV_GROW(network->heap, network->nheap, network->heap_cap, 1);
	network->nheap++;
	sift(network, network->nheap - 1, number);
	return number;
}

/* The ns at which a flow that ends, or has ended, is to be taken. */
static int64_t ends_at(const struct tv_sim_network *network, uint32_t flow)
{
	tv_int128 end = network->flow[flow].end;

	return (int64_t)(end / TICKS_PER_NS + (end % TICKS_PER_NS > 0));
}

int64_t tv_sim_network_next(struct tv_sim_network *network)
{
	if (network->first_done < network->ndone)
		return ends_at(network, network->done[network->first_done]);
	solve(network);
	return network->nheap > 0 ? ends_at(network, network->heap[0]) : TV_SIM_NEVER;
}

uint32_t tv_sim_network_take(struct tv_sim_network *network, int64_t now)
{
	uint32_t number;

	advance(network, (tv_int128)now * TICKS_PER_NS);
	if (network->first_done == network->ndone)
		return TV_NONE;
	number = network->done[network->first_done++];
	network->flow[number].place = network->free;
	network->free = number;
	return number;
}

double tv_sim_network_rate(struct tv_sim_network *network, uint32_t flow)
{
	solve(network);
	return tv_sharing_rate(network->sharing, flow);
}

double tv_sim_network_load(struct tv_sim_network *network, struct tv_hop hop)
{
	solve(network);
	return tv_sharing_load(network->sharing, 2 * hop.link + hop.down);
}

struct tv_sim_network_work tv_sim_network_work(const struct tv_sim_network *network)
{
	struct tv_sim_network_work work = tv_sharing_work(network->sharing);

	work.flows = network->started;
	return work;
}
