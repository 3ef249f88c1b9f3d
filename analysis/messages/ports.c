/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ports.c -- the connections of nodes to the network: what they must carry. */
#include "analysis/messages/ports.h"

#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* ns: the times of both ends are rounded. */
static const double rounding = 1.5;

/* A message at one end. */
struct load {
	uint32_t node;		/* place in tasks->node */
	int64_t release, until; /* it may take the port in between */
	double bytes;
};

TV_ORDER(by_release, struct load, node, release)

static bool is_urgent(const void *context, uint32_t a, uint32_t b)
{
	const struct load *load = context;

	return load[a].until != load[b].until ? load[a].until < load[b].until : a < b;
}

/* Whether a port can carry load[n], by release, in time: the one that must end first goes first. */
static bool is_possible(const struct load *load, uint32_t n, double per_byte)
{
	double *rest = tv_alloc(n, sizeof *rest), now = 0; /* since the first release */
	struct tv_heap heap = { 0 };
	bool possible = true;
	uint32_t next = 0;

	while (possible && (next < n || heap.n > 0)) {
		uint32_t first;
		double until, break_at;

		if (heap.n == 0)
			now = fmax(now, (double)(load[next].release - load[0].release));
		for (; next < n && (double)(load[next].release - load[0].release) <= now; next++) {
			rest[next] = load[next].bytes * per_byte;
			tv_heap_push(&heap, next, is_urgent, load);
		}
		first = heap.row[0];
		until = (double)(load[first].until - load[0].release);
		break_at = next < n ? (double)(load[next].release - load[0].release) : INFINITY;
		if (now + rest[first] > break_at) {
			rest[first] -= break_at - now;
			now = break_at;
			continue;
		}
		now += rest[first];
		possible = now <= until + rounding;
		tv_heap_pop(&heap, is_urgent, load);
	}
	tv_heap_release(&heap);
	tv_free(rest);
	return possible;
}

/* The messages that tasks depend on and that depend on tasks, at their origins or destinations. */
static uint32_t list_loads(struct load *load, const struct tv_network *network,
			   const struct tv_network_path *path, const struct tv_dag *dag, bool dest)
{
	const struct tv_tasks *tasks = dag->tasks;
	double *one = tv_alloc(dag->n, sizeof *one), *head = tv_alloc(dag->n, sizeof *head);
	double *tail = tv_alloc(dag->n, sizeof *tail);
	int64_t latency = llround(network->latency);
	struct tv_index place = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < tasks->nnodes; i++)
		tv_index_set(&place, tasks->node[i].label, i);
	for (uint32_t v = 0; v < dag->n; v++)
		one[v] = dag->task[v];
	tv_dag_around(dag, one, head, tail);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t at = dest ? path->to[v] : path->from[v];
		uint32_t node = at == TV_NONE ? TV_NONE : tv_index_get(&place, at);

		if (!tv_dag_is_message(dag, v) || node == TV_NONE || path->from[v] == path->to[v]
		    || head[v] <= 0 || tail[v] <= 0)
			continue;
		load[n++] = (struct load){ node, dag->start[v] + (dest ? latency : 0),
					   dag->end[v] - (dest ? 0 : latency),
					   path->size[v] > 0 ? (double)path->size[v] : 0 };
	}
	tv_free(place.at);
	tv_free(one);
	tv_free(head);
	tv_free(tail);
	if (n > 1)
		qsort(load, n, sizeof *load, by_release);
	return n;
}

struct tv_port *tv_ports_new(const struct tv_network *network, const struct tv_network_path *path,
			     const struct tv_dag *dag)
{
	struct tv_port *port = tv_alloc(dag->tasks->nnodes, sizeof *port);
	struct load *load = tv_alloc(dag->n, sizeof *load);

	for (uint32_t i = 0; i < dag->tasks->nnodes; i++)
		port[i] = (struct tv_port){ .possible = true };
	for (int dest = 0; dest < 2; dest++) {
		uint32_t n = list_loads(load, network, path, dag, dest);

		for (uint32_t from = 0, to; from < n; from = to) {
			struct tv_port *of = &port[load[from].node];
			double bytes = 0;

			for (to = from; to < n && load[to].node == load[from].node; to++)
				bytes += load[to].bytes;
			of->n += to - from;
			of->time = fmax(of->time, network->latency + bytes * network->per_byte);
			of->possible = of->possible
				    && is_possible(load + from, to - from, network->per_byte);
		}
	}
	tv_free(load);
	return port;
}
