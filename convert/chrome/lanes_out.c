/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_out.c -- each slice goes to the first lane of its resource where it nests. */
#include "convert/chrome/lanes_out.h"

#include <inttypes.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* Perfetto drops what is deeper (SliceTracker::kMaxDepth). */
#define DEPTH_MAX 512

/* Keys of node_of: labels of nodes, and labels of resources. */
enum { OF_NODE, OF_RESOURCE };

static uint32_t node_number(struct tv_chrome_lanes_out *lanes, uint32_t label)
{
	uint32_t *number = tv_map_at(&lanes->node_of, label, OF_NODE);

	if (*number == TV_NONE) {
		TV_GROW(lanes->node, lanes->nnodes, lanes->nodes_cap, 1);
		lanes->node[lanes->nnodes] = label;
		*number = ++lanes->nnodes;
	}
	return *number;
}

void tv_chrome_lanes_add(struct tv_chrome_lanes_out *lanes, uint32_t resource, uint32_t node)
{
	if (tv_map_get(&lanes->node_of, resource, OF_RESOURCE) != NULL)
		return;
	tv_map_put(&lanes->node_of, resource, OF_RESOURCE, node_number(lanes, node));
	tv_map_put(&lanes->order_of, resource, 0, (uint32_t)lanes->order_of.n);
}

void tv_chrome_lanes_init(struct tv_chrome_lanes_out *lanes, const struct tv_trace *trace)
{
	const struct tv_table *resources = &trace->table[TV_RESOURCES],
			      *tasks = &trace->table[TV_TASKS];
	const struct tv_table *const of[] = { resources, tasks };

	*lanes = (struct tv_chrome_lanes_out){ .trace = trace };
	for (size_t t = 0; t < TV_COUNT(of); t++) {
		const struct tv_column *id = tv_table_find(of[t], "ResourceId"),
				       *node = tv_table_find(of[t], "Node");

		for (uint32_t row = 0; id != NULL && node != NULL && row < of[t]->nrows; row++)
			if (tv_label(id, row) != TV_NONE && tv_label(node, row) != TV_NONE)
				tv_chrome_lanes_add(lanes, tv_label(id, row), tv_label(node, row));
	}
}

void tv_chrome_lanes_release(struct tv_chrome_lanes_out *lanes)
{
	for (uint32_t i = 0; i < lanes->nlanes; i++)
		tv_free(lanes->lane[i].slice);
	tv_free(lanes->lane);
	tv_free(lanes->node);
	tv_free(lanes->task);
	tv_free(lanes->message);
	tv_map_release(&lanes->first);
	tv_map_release(&lanes->first_of_messages);
	tv_map_release(&lanes->next);
	tv_map_release(&lanes->last);
	tv_map_release(&lanes->node_of);
	tv_map_release(&lanes->order_of);
}

/* Lanes of states are below those of tasks of the same resource; those of resources that no table has, below all. */
static uint32_t add_lane(struct tv_chrome_lanes_out *lanes, uint32_t resource, uint32_t type,
			 uint32_t number, bool message)
{
	const uint32_t *node = tv_map_get(&lanes->node_of, resource, OF_RESOURCE),
		       *order = tv_map_get(&lanes->order_of, resource, 0);
	uint32_t *last = tv_map_at(&lanes->last, resource, 0);
	struct tv_chrome_lane_out lane = { .resource = resource,
					   .type = type,
					   .number = number,
					   .message = message,
					   .before = *last,
					   .open = TV_NONE };

	lane.node = node != NULL ? *node
				 : node_number(lanes, tv_pool_find(lanes->trace->pool, "0", 1));
	lane.order = (int64_t)(order != NULL ? *order : lanes->order_of.n) << 20
		   | (type != TV_NONE) << 19 | (number < 1 << 19 ? number : (1 << 19) - 1);
	*last = lanes->nlanes;
	TV_GROW(lanes->lane, lanes->nlanes, lanes->lanes_cap, 1);
	lanes->lane[lanes->nlanes] = lane;
	return lanes->nlanes++;
}

static uint32_t first_lane(struct tv_chrome_lanes_out *lanes, uint32_t resource, uint32_t type,
			   bool message)
{
	uint32_t *lane = tv_map_at(message ? &lanes->first_of_messages : &lanes->first, resource,
				   type);

	if (*lane == TV_NONE)
		*lane = add_lane(lanes, resource, type, 0, message);
	return *lane;
}

static uint32_t next_lane(struct tv_chrome_lanes_out *lanes, uint32_t before)
{
	uint32_t *lane = tv_map_at(&lanes->next, before, 0);

	if (*lane == TV_NONE)
		*lane = add_lane(lanes, lanes->lane[before].resource, lanes->lane[before].type,
				 lanes->lane[before].number + 1, lanes->lane[before].message);
	return *lane;
}

/* How many slices would be around it. */
static uint32_t depth_of(const struct tv_chrome_lane_out *lane, int64_t start, int64_t end)
{
	const struct tv_chrome_slice_out *last = lane->n > 0 ? &lane->slice[lane->n - 1] : NULL;

	if (last != NULL && start == end && last->start == start && last->end == start)
		return last->depth + 1;
	return lane->open != TV_NONE ? lane->slice[lane->open].depth + 1 : 0;
}

/* Whether a slice is inside the open ones, or behind all; and behind those of an earlier call. */
static bool takes(struct tv_chrome_lane_out *lane, int64_t start, int64_t end, bool apart)
{
	const struct tv_chrome_slice_out *last = lane->n > 0 ? &lane->slice[lane->n - 1] : NULL;

	if (last != NULL && start < last->start)
		return false;
	while (lane->open != TV_NONE && lane->slice[lane->open].end <= start)
		lane->open = lane->slice[lane->open].around;
	if (last != NULL && last->start == start && (apart || (end == start && last->end > start)))
		return false;
	return (lane->open == TV_NONE || lane->slice[lane->open].end >= end)
	    && depth_of(lane, start, end) < DEPTH_MAX;
}

static uint32_t add_slice(struct tv_chrome_lane_out *lane, int64_t start, int64_t end)
{
	uint32_t depth = depth_of(lane, start, end);

	if (lane->open != TV_NONE && start < lane->slice[lane->open].inner)
		lane->slice[lane->open].inner = start;
	TV_GROW(lane->slice, lane->n, lane->cap, 1);
	lane->slice[lane->n] = (struct tv_chrome_slice_out){ start, end, INT64_MAX, lane->open,
							     depth };
	return lane->open = (uint32_t)lane->n++;
}

struct ended {
	int64_t end;
	uint32_t row;
};

TV_ORDER(longest_first, struct ended, down(end), row)

/* Of rows that begin at the same time the longest goes first, as in viewers. */
static void sort_equal(uint32_t *row, uint32_t n, const int64_t *end)
{
	struct ended *equal = tv_alloc(n, sizeof *equal);

	for (uint32_t i = 0; i < n; i++)
		equal[i] = (struct ended){ end[row[i]], row[i] };
	qsort(equal, n, sizeof *equal, longest_first);
	for (uint32_t i = 0; i < n; i++)
		row[i] = equal[i].row;
	tv_free(equal);
}

static void sort_rows(uint32_t *row, uint32_t n, const int64_t *start, const int64_t *end)
{
	tv_sort_rows_by_time(row, n, start);
	for (uint32_t i = 0, k; i < n; i += k) {
		for (k = 1; i + k < n && start[row[i + k]] == start[row[i]];)
			k++;
		if (k > 1)
			sort_equal(row + i, k, end);
	}
}

struct tv_chrome_place *tv_chrome_lanes_place(struct tv_chrome_lanes_out *lanes,
					      const struct tv_chrome_rows_out *rows)
{
	const struct tv_column *start = rows->start, *end = rows->end;
	struct tv_chrome_place *place = tv_alloc(rows->nrows, sizeof *place);
	uint32_t *order = tv_alloc(rows->nrows, sizeof *order), n = 0, first = TV_NONE,
		 at = TV_NONE;

	for (uint32_t row = 0; row < rows->nrows && start != NULL && end != NULL; row++)
		if (!tv_missing(start, row) && !tv_missing(end, row) && end->i[row] >= start->i[row]
		    && tv_label(rows->resource, row) != TV_NONE)
			order[n++] = row;
	if (n > 0)
		sort_rows(order, n, start->i, end->i);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = order[i];
		uint32_t lane = first_lane(
			lanes, tv_label(rows->resource, row),
			rows->type != NULL ? tv_label(rows->type, row) : rows->lane, rows->message);

		/* Of many that begin at once and apart, each need not try the lanes of those before. */
		if (lane != first || start->i[row] != start->i[order[i - 1]] || !rows->apart)
			first = at = lane;
		while (!takes(&lanes->lane[at], start->i[row], end->i[row], rows->apart))
			at = next_lane(lanes, at);
		place[row] = (struct tv_chrome_place){ lanes->lane[at].node, at + 1,
						       add_slice(&lanes->lane[at], start->i[row],
								 end->i[row]) };
	}
	tv_free(order);
	return place;
}

struct tv_chrome_place tv_chrome_lanes_of(struct tv_chrome_lanes_out *lanes, uint32_t resource,
					  uint32_t type)
{
	uint32_t at = first_lane(lanes, resource, type, false);

	return (struct tv_chrome_place){ lanes->lane[at].node, at + 1, TV_NONE };
}

/* The innermost slice of a lane around a time, to which an arrow can be joined; TV_NONE. */
static uint32_t innermost(const struct tv_chrome_lane_out *lane, int64_t time)
{
	size_t behind;
	uint32_t at;

	TV_LOWER_BOUND(behind, 0, lane->n, lane->slice[behind].start <= time);
	at = behind > 0 ? (uint32_t)behind - 1 : TV_NONE;
	while (at != TV_NONE
	       && (lane->slice[at].end < time || lane->slice[at].inner == lane->slice[at].start))
		at = lane->slice[at].around;
	return at;
}

bool tv_chrome_lanes_around(const struct tv_chrome_lanes_out *lanes, uint32_t resource,
			    int64_t time, struct tv_chrome_place *place)
{
	const uint32_t *last = tv_map_get(&lanes->last, resource, 0);
	uint64_t shortest = UINT64_MAX;

	for (uint32_t at = last != NULL ? *last : TV_NONE; at != TV_NONE;
	     at = lanes->lane[at].before) {
		const struct tv_chrome_lane_out *lane = &lanes->lane[at];
		bool work = !lane->message && lane->type != TV_CHROME_LANE_EVENTS;
		uint32_t slice = work ? innermost(lane, time) : TV_NONE;
		uint64_t length;

		if (slice == TV_NONE)
			continue;
		length = (uint64_t)lane->slice[slice].end - (uint64_t)lane->slice[slice].start;
		if (length > shortest)
			continue;
		shortest = length;
		*place = (struct tv_chrome_place){ lane->node, at + 1, slice };
	}
	return shortest != UINT64_MAX;
}

const struct tv_chrome_slice_out *tv_chrome_lanes_slice(const struct tv_chrome_lanes_out *lanes,
							struct tv_chrome_place place)
{
	return &lanes->lane[place.lane - 1].slice[place.slice];
}

bool tv_chrome_lanes_joins(const struct tv_chrome_lanes_out *lanes, struct tv_chrome_place place)
{
	const struct tv_chrome_lane_out *lane = &lanes->lane[place.lane - 1];

	return place.slice + 1 == lane->n
	    || lane->slice[place.slice + 1].start > lane->slice[place.slice].start;
}

int64_t tv_chrome_lanes_touch(const struct tv_chrome_lanes_out *lanes, struct tv_chrome_place place,
			      int64_t time)
{
	const struct tv_chrome_slice_out *slice = tv_chrome_lanes_slice(lanes, place);
	int64_t last = slice->inner < slice->end ? slice->inner : slice->end;

	if (last <= slice->start + 1)
		return slice->start;
	return time <= slice->start ? slice->start + 1 : time < last ? time : last - 1;
}

char *tv_chrome_lanes_name(const struct tv_chrome_lanes_out *lanes, const struct tv_pool *pool,
			   uint32_t lane)
{
	const struct tv_chrome_lane_out *l = &lanes->lane[lane];
	char *name = tv_strdup(tv_pool_text(pool, l->resource));

	if (l->type == TV_CHROME_LANE_CALLS)
		tv_append(&name, ": MPI");
	else if (l->type == TV_CHROME_LANE_EVENTS)
		tv_append(&name, ": events");
	else if (l->type != TV_NONE)
		tv_append(&name, ": %s", tv_pool_text(pool, l->type));
	if (l->number > 0)
		tv_append(&name, " (%" PRIu32 ")", l->number + 1);
	return name;
}
