/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_out.h -- the lanes that slices are written to: viewers show slices of one lane only if they nest or do not overlap. */
#ifndef TV_CHROME_LANES_OUT_H
#define TV_CHROME_LANES_OUT_H

#include <stdbool.h>

#include "trace/map.h"
#include "trace/trace.h"

/* Where a slice is. */
struct tv_chrome_place {
	uint32_t node, lane; /* pid and tid: numbers from 1 */
	uint32_t slice;	     /* on its lane, from 0 */
};

/* Types of lanes that are no labels; TV_NONE: of tasks. */
#define TV_CHROME_LANE_CALLS  (TV_NONE - 1)
#define TV_CHROME_LANE_EVENTS (TV_NONE - 2)

struct tv_chrome_lane_out {
	uint32_t node;		 /* pid */
	uint32_t resource, type; /* labels; type: of states, or one of the above */
	uint32_t number;	 /* of the lanes of that resource and type, from 0 */
	bool message;		 /* of slices of messages alone */
	uint32_t before; /* the lane of that resource which was added before this; TV_NONE */
	uint64_t order;	 /* from top to bottom */
	/* Its slices by begin. */
	struct tv_chrome_slice_out {
		int64_t start, end;
		int64_t inner;	 /* begin of the first slice inside; INT64_MAX = none is */
		uint32_t around; /* place of the slice around it; TV_NONE */
		uint32_t depth; /* in Perfetto, where points of one time are inside of each other */
	} * slice;
	size_t n, cap;
	uint32_t open; /* place of the innermost slice that is open; TV_NONE */
};

/* Rows that become slices. Columns may be NULL. */
struct tv_chrome_rows_out {
	const struct tv_column *resource, *start, *end;
	const struct tv_column *type; /* of lanes, by row; NULL = all are of `lane` */
	uint32_t lane;
	bool message; /* on lanes of their own, which no arrow of another row touches */
	bool apart; /* of two that begin at the same time one goes to a further lane, so that arrows join each; always a point from what is longer */
	uint32_t nrows;
};

struct tv_chrome_lanes_out {
	const struct tv_trace *trace;
	struct tv_chrome_lane_out *lane;
	uint32_t nlanes;
	size_t lanes_cap;
	struct tv_map first; /* by resource and type: the first lane */
	struct tv_map first_of_messages;
	struct tv_map next; /* by lane: the next one of the same resource and type */
	struct tv_map last; /* by resource: the lane that was added last */
	uint32_t *node;	    /* labels */
	uint32_t nnodes;
	size_t nodes_cap;
	struct tv_map node_of;			/* by label of a node, and by label of a resource */
	struct tv_map order_of;			/* by label of a resource: its place */
	struct tv_chrome_place *task, *message; /* by row, set by the writer; freed with this */
};

void tv_chrome_lanes_init(struct tv_chrome_lanes_out *lanes, const struct tv_trace *trace);
/* Says which node a resource is of; the first one counts. */
void tv_chrome_lanes_add(struct tv_chrome_lanes_out *lanes, uint32_t resource, uint32_t node);
void tv_chrome_lanes_release(struct tv_chrome_lanes_out *lanes);
/* The place of each row, in new memory; lane 0: it has none, as times or resource are missing, or it ends before it starts.
 * Cost O(n log n), times the overlapping rows of a resource. */
struct tv_chrome_place *tv_chrome_lanes_place(struct tv_chrome_lanes_out *lanes,
					      const struct tv_chrome_rows_out *rows);
/* The first lane of a resource and type; no slice. */
struct tv_chrome_place tv_chrome_lanes_of(struct tv_chrome_lanes_out *lanes, uint32_t resource,
					  uint32_t type);
/* The shortest slice of a resource around a time, but messages and events; false = none is. Cost O(log n) for each lane of the resource. */
bool tv_chrome_lanes_around(const struct tv_chrome_lanes_out *lanes, uint32_t resource,
			    int64_t time, struct tv_chrome_place *place);
/* The slice of a place that has one. */
const struct tv_chrome_slice_out *tv_chrome_lanes_slice(const struct tv_chrome_lanes_out *lanes,
							struct tv_chrome_place place);
/* Whether an arrow can be joined to a slice at all: no other one of its lane begins at the same time after it. */
bool tv_chrome_lanes_joins(const struct tv_chrome_lanes_out *lanes, struct tv_chrome_place place);
/*
 * The time nearest to `time` at which an arrow is joined to a slice by all viewers: inside the slice, and before others begin inside it.
 * Perfetto takes the slice that began last on the lane, even if it has ended; at an end chrome://tracing takes the one before.
 */
int64_t tv_chrome_lanes_touch(const struct tv_chrome_lanes_out *lanes, struct tv_chrome_place place,
			      int64_t time);
/* The name of a lane, in new memory: "CPU0", "CPU0 (2)", "CPU0: Worker State", "0_T0: MPI". */
char *tv_chrome_lanes_name(const struct tv_chrome_lanes_out *lanes, const struct tv_pool *pool,
			   uint32_t lane);

#endif
