/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_out.c -- each slice goes to the first lane of its resource where it nests. */
#include "convert/chrome/lanes_out.h"

#include <inttypes.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

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
		tv_free(lanes->lane[i].end);
	tv_free(lanes->lane);
	tv_free(lanes->node);
	tv_free(lanes->task);
	tv_map_release(&lanes->first);
	tv_map_release(&lanes->next);
	tv_map_release(&lanes->node_of);
	tv_map_release(&lanes->order_of);
}

/* Lanes of states are below those of tasks of the same resource; those of resources that no table has, below all. */
static uint32_t add_lane(struct tv_chrome_lanes_out *lanes, uint32_t resource, uint32_t type,
			 uint32_t number)
{
	const uint32_t *node = tv_map_get(&lanes->node_of, resource, OF_RESOURCE),
		       *order = tv_map_get(&lanes->order_of, resource, 0);
	struct tv_chrome_lane_out lane = { .resource = resource, .type = type, .number = number };

	lane.node = node != NULL ? *node
				 : node_number(lanes, tv_pool_find(lanes->trace->pool, "0", 1));
	lane.order = (uint64_t)(order != NULL ? *order : lanes->order_of.n) << 20
		   | (type != TV_NONE) << 19 | (number < 1 << 19 ? number : (1 << 19) - 1);
	TV_GROW(lanes->lane, lanes->nlanes, lanes->lanes_cap, 1);
	lanes->lane[lanes->nlanes] = lane;
	return lanes->nlanes++;
}

static uint32_t first_lane(struct tv_chrome_lanes_out *lanes, uint32_t resource, uint32_t type)
{
	uint32_t *lane = tv_map_at(&lanes->first, resource, type);

	if (*lane == TV_NONE)
		*lane = add_lane(lanes, resource, type, 0);
	return *lane;
}

static uint32_t next_lane(struct tv_chrome_lanes_out *lanes, uint32_t before)
{
	uint32_t *lane = tv_map_at(&lanes->next, before, 0);

	if (*lane == TV_NONE)
		*lane = add_lane(lanes, lanes->lane[before].resource, lanes->lane[before].type,
				 lanes->lane[before].number + 1);
	return *lane;
}

/* Whether a slice that starts there is inside the open ones, or behind all. */
static bool takes(struct tv_chrome_lane_out *lane, int64_t start, int64_t end)
{
	while (lane->n > 0 && lane->end[lane->n - 1] <= start)
		lane->n--;
	return lane->n == 0 || lane->end[lane->n - 1] >= end;
}

struct tv_chrome_place *tv_chrome_lanes_place(struct tv_chrome_lanes_out *lanes,
					      const struct tv_column *resource,
					      const struct tv_column *type,
					      const struct tv_column *start,
					      const struct tv_column *end, uint32_t nrows)
{
	struct tv_chrome_place *place = tv_alloc(nrows, sizeof *place);
	uint32_t *order = tv_alloc(nrows, sizeof *order), n = 0;

	for (uint32_t row = 0; row < nrows && start != NULL && end != NULL; row++)
		if (!tv_missing(start, row) && !tv_missing(end, row)
		    && tv_label(resource, row) != TV_NONE)
			order[n++] = row;
	if (n > 0)
		tv_sort_rows_by_time(order, n, start->i);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = order[i];
		uint32_t at = first_lane(lanes, tv_label(resource, row),
					 type != NULL ? tv_label(type, row) : TV_NONE);
		struct tv_chrome_lane_out *lane;

		while (!takes(&lanes->lane[at], start->i[row], end->i[row]))
			at = next_lane(lanes, at);
		lane = &lanes->lane[at];
		TV_GROW(lane->end, lane->n, lane->cap, 1);
		lane->end[lane->n++] = end->i[row];
		place[row] = (struct tv_chrome_place){ lane->node, at + 1 };
	}
	tv_free(order);
	return place;
}

struct tv_chrome_place tv_chrome_lanes_of(struct tv_chrome_lanes_out *lanes, uint32_t resource)
{
	uint32_t at = first_lane(lanes, resource, TV_NONE);

	return (struct tv_chrome_place){ lanes->lane[at].node, at + 1 };
}

char *tv_chrome_lanes_name(const struct tv_chrome_lanes_out *lanes, const struct tv_pool *pool,
			   uint32_t lane)
{
	const struct tv_chrome_lane_out *l = &lanes->lane[lane];
	char *name = tv_strdup(tv_pool_text(pool, l->resource));

	if (l->type != TV_NONE)
		tv_append(&name, ": %s", tv_pool_text(pool, l->type));
	if (l->number > 0)
		tv_append(&name, " (%" PRIu32 ")", l->number + 1);
	return name;
}
