/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flows.c -- which slices a flow joins: dependencies between tasks, links between other slices. */
#include <stdio.h>
#include <stdlib.h>

#include "convert/chrome/chrome.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* ns around a slice in which an end of a flow still belongs to it: some producers round both. */
enum { TOLERANCE = 1000 };

TV_ORDER(points_by_time, struct tv_chrome_point, key, time, seq)
TV_ORDER(edges_by_task, struct tv_chrome_edge, to, from)

static bool is_near(const struct tv_chrome *c, uint32_t slice, int64_t time)
{
	return slice != TV_NONE && c->slice[slice].start - time <= TOLERANCE
	    && time - c->slice[slice].end <= TOLERANCE;
}

/* The slice that a flow leaves: a task around the time rather than what is inside it. */
static uint32_t slice_of_begin(const struct tv_chrome *c, const struct tv_chrome_point *point)
{
	uint32_t task = tv_chrome_around(c, point->lane, point->time, true), slice, next;

	slice = task != TV_NONE ? task : tv_chrome_around(c, point->lane, point->time, false);
	if (slice != TV_NONE)
		return slice;
	next = tv_chrome_next(c, point->lane, point->time);
	if (is_near(c, next, point->time))
		return next;
	next = next == TV_NONE ? (uint32_t)c->lane[point->lane].end : next;
	return next > c->lane[point->lane].begin && is_near(c, next - 1, point->time) ? next - 1
										      : TV_NONE;
}

static uint32_t slice_of_end(const struct tv_chrome *c, const struct tv_chrome_point *point)
{
	uint32_t next;

	if (point->phase == 't' || point->encloses)
		return slice_of_begin(c, point);
	next = tv_chrome_next(c, point->lane, point->time);
	return next != TV_NONE ? next : slice_of_begin(c, point);
}

static void add_edge(struct tv_chrome_edges *edges, uint32_t from, uint32_t to)
{
	if (from == to)
		return;
	TV_GROW(edges->edge, edges->nedge, edges->edge_cap, 1);
	edges->edge[edges->nedge++] = (struct tv_chrome_edge){ from, to };
}

/* Flows that say which call started which work, and which operation belongs to which: neither dependency nor message. */
static bool is_of_launches(const struct tv_chrome *c, uint32_t cat)
{
	static const char *const known[] = { "ac2g", "async_cpu_to_gpu", "async_gpu", "fwdbwd",
					     "forward_backward" };
	const char *text = tv_pool_text(c->trace->pool, cat);

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(text, known[i]) == 0)
			return true;
	return false;
}

static void add_link(struct tv_chrome *c, const struct tv_chrome_point *from,
		     const struct tv_chrome_point *to)
{
	struct tv_trace *trace = c->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_LINKS]);
	char key[24];

	snprintf(key, sizeof key, "%u", row);
	tv_set_label(tv_trace_column(trace, TV_LINKS, "Type"), row,
		     from->cat != TV_NONE ? from->cat : tv_intern_text(trace->pool, "flow"));
	tv_set_text(tv_trace_column(trace, TV_LINKS, "Key"), row, key);
	tv_set_label(tv_trace_column(trace, TV_LINKS, "Origin"), row, c->lane[from->lane].resource);
	tv_set_label(tv_trace_column(trace, TV_LINKS, "Dest"), row, c->lane[to->lane].resource);
	tv_set_int(tv_trace_column(trace, TV_LINKS, "Start"), row, from->time);
	tv_set_int(tv_trace_column(trace, TV_LINKS, "End"), row, to->time);
	tv_set_label(tv_trace_column(trace, TV_LINKS, "Value"), row, from->name);
}

/* Whether a flow joins two slices. */
static bool join(struct tv_chrome *c, const struct tv_chrome_point *from,
		 const struct tv_chrome_point *to, struct tv_chrome_edges *edges)
{
	uint32_t before = slice_of_begin(c, from), after = slice_of_end(c, to);

	if (before == TV_NONE || after == TV_NONE)
		return false;
	if (c->slice[before].task && c->slice[after].task)
		add_edge(edges, before, after);
	else if (from->lane != to->lane && from->time <= to->time)
		add_link(c, from, to);
	return true;
}

struct points {
	struct tv_chrome_point *point;
	size_t npoint, cap;
};

static void put_single(struct points *single, const struct tv_chrome_point *point)
{
	if (single == NULL)
		return;
	TV_GROW(single->point, single->npoint, single->cap, 1);
	single->point[single->npoint] = *point;
	single->point[single->npoint++].key = point->beyond;
}

/* Joins n points with others of their key: how many have no partner, which *single gets with the key of all files (NULL: nothing). */
static uint64_t join_points(struct tv_chrome *c, struct tv_chrome_point *points, size_t n,
			    struct tv_chrome_edges *edges, struct points *single)
{
	const struct tv_chrome_point *open = NULL;
	uint64_t nsingle = 0;
	bool ended = true;

	if (n == 0)
		return 0;
	qsort(points, n, sizeof *points, points_by_time);
	for (size_t i = 0; i <= n; i++) {
		const struct tv_chrome_point *point = &points[i];

		if (open != NULL && (i == n || open->key != point->key || point->phase == 's')) {
			if (!ended)
				put_single(single, open);
			nsingle += !ended;
			open = NULL;
		}
		if (i == n || is_of_launches(c, point->cat))
			continue;
		if (point->phase != 's' && (open == NULL || !join(c, open, point, edges))) {
			put_single(single, point);
			nsingle++;
		}
		ended = point->phase == 'f';
		if (point->phase != 'f')
			open = point;
	}
	return nsingle;
}

/* Ids are first those of a file; what has no partner there may have one in another file. */
static void join_flows(struct tv_chrome *c, struct tv_chrome_edges *edges)
{
	struct points single = { 0 };
	uint64_t n = join_points(c, c->flow, c->nflow, edges, c->file > 1 ? &single : NULL);

	if (c->file > 1)
		n = join_points(c, single.point, single.npoint, edges, NULL);
	if (n > 0)
		tv_meta_add(c->trace, "UnmatchedFlows", "%llu", (unsigned long long)n);
	tv_free(single.point);
}

/* APEX: each task names those before it. */
static void join_guids(const struct tv_chrome *c, struct tv_chrome_edges *edges)
{
	struct tv_map slice_of = { 0 };
	uint64_t unknown = 0;

	for (uint32_t i = 0; i < c->nslice; i++) {
		const struct tv_chrome_slice *slice = &c->slice[i];

		if (slice->task && slice->more != TV_NONE && c->more[slice->more].guid != TV_NONE)
			tv_map_put(&slice_of, c->process[c->lane[slice->lane].process].file,
				   c->more[slice->more].guid, i);
	}
	for (uint32_t i = 0; i < c->nslice; i++) {
		const struct tv_chrome_slice *slice = &c->slice[i];
		const struct tv_chrome_more *more = &c->more[slice->more];

		for (uint32_t k = 0; slice->task && slice->more != TV_NONE && k < more->nparents;
		     k++) {
			const uint32_t *from = tv_map_get(
				&slice_of, c->process[c->lane[slice->lane].process].file,
				c->parent[more->parents + k]);

			if (from != NULL)
				add_edge(edges, *from, i);
			else
				unknown++;
		}
	}
	tv_map_release(&slice_of);
	if (unknown > 0)
		tv_meta_add(c->trace, "DependenciesOnNoTask", "%llu", (unsigned long long)unknown);
}

/* Whether the task that depends on the other one began before it: such dependencies alone can form a cycle. */
static bool is_against_time(const struct tv_chrome *c, const struct tv_chrome_edge *edge)
{
	const struct tv_chrome_slice *from = &c->slice[edge->from], *to = &c->slice[edge->to];

	return to->start != from->start ? to->start < from->start
	     : to->end != from->end	? to->end < from->end
					: edge->to < edge->from;
}

static void drop_edge(struct tv_chrome *c, const struct tv_chrome_edge *edge)
{
	const struct tv_chrome_slice *from = &c->slice[edge->from], *to = &c->slice[edge->to];

	tv_damaged(c->trace, TV_DROPPED, "dependency against time",
		   tv_chrome_at_lane(c, to->lane, 0),
		   "'%s' on %s, which begins at %.3f us, depends on '%s' on %s, which begins at "
		   "%.3f us",
		   tv_pool_text(c->trace->pool, to->name),
		   tv_pool_text(c->trace->pool, c->lane[to->lane].resource),
		   (double)to->start / 1e3, tv_pool_text(c->trace->pool, from->name),
		   tv_pool_text(c->trace->pool, c->lane[from->lane].resource),
		   (double)from->start / 1e3);
}

void tv_chrome_flows(struct tv_chrome *c, struct tv_chrome_edges *edges)
{
	size_t n = 0;

	if (c->guids)
		join_guids(c, edges);
	else
		join_flows(c, edges);
	if (edges->nedge > 1)
		qsort(edges->edge, edges->nedge, sizeof *edges->edge, edges_by_task);
	for (size_t i = 0; i < edges->nedge; i++) {
		const struct tv_chrome_edge *edge = &edges->edge[i];

		if (i > 0 && edges_by_task(edge - 1, edge) == 0)
			continue;
		if (is_against_time(c, edge))
			drop_edge(c, edge);
		else
			edges->edge[n++] = *edge;
	}
	edges->nedge = n;
}
