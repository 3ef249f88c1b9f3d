/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_out.h -- the lanes that slices are written to: viewers show slices of one lane only if they nest or do not overlap. */
#ifndef TV_CHROME_LANES_OUT_H
#define TV_CHROME_LANES_OUT_H

#include "trace/map.h"
#include "trace/trace.h"

/* pid and tid: numbers from 1. */
struct tv_chrome_place {
	uint32_t node, lane;
};

struct tv_chrome_lane_out {
	uint32_t node;		 /* pid */
	uint32_t resource, type; /* labels; type: of states, TV_NONE of tasks */
	uint32_t number;	 /* of the lanes of that resource and type, from 0 */
	uint64_t order;		 /* from top to bottom */
	int64_t *end;		 /* of the slices that are open */
	size_t n, cap;
};

struct tv_chrome_lanes_out {
	const struct tv_trace *trace;
	struct tv_chrome_lane_out *lane;
	uint32_t nlanes;
	size_t lanes_cap;
	struct tv_map first; /* by resource and type: the first lane */
	struct tv_map next;  /* by lane: the next one of the same resource and type */
	uint32_t *node;	     /* labels */
	uint32_t nnodes;
	size_t nodes_cap;
	struct tv_map node_of;	      /* by label of a node, and by label of a resource */
	struct tv_map order_of;	      /* by label of a resource: its place */
	struct tv_chrome_place *task; /* by row, set by the writer; freed with this */
};

void tv_chrome_lanes_init(struct tv_chrome_lanes_out *lanes, const struct tv_trace *trace);
/* Says which node a resource is of; the first one counts. */
void tv_chrome_lanes_add(struct tv_chrome_lanes_out *lanes, uint32_t resource, uint32_t node);
void tv_chrome_lanes_release(struct tv_chrome_lanes_out *lanes);
/* The lane of each row, in new memory. Columns may be NULL. Cost O(n log n), times the overlapping rows of a resource. */
struct tv_chrome_place *tv_chrome_lanes_place(struct tv_chrome_lanes_out *lanes,
					      const struct tv_column *resource,
					      const struct tv_column *type,
					      const struct tv_column *start,
					      const struct tv_column *end, uint32_t nrows);
/* The first lane of a resource. */
struct tv_chrome_place tv_chrome_lanes_of(struct tv_chrome_lanes_out *lanes, uint32_t resource);
/* The name of a lane, in new memory: "CPU0", "CPU0 (2)", "CPU0: Worker State". */
char *tv_chrome_lanes_name(const struct tv_chrome_lanes_out *lanes, const struct tv_pool *pool,
			   uint32_t lane);

#endif
