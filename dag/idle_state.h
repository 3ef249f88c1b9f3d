/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_state.h -- what idle.c, idle_state.c and idle_parts.c share: the sweep over a run. */
#ifndef TV_IDLE_STATE_H
#define TV_IDLE_STATE_H

#include "dag/idle.h"
#include "dag/instants.h"
#include "dag/occupy.h"
#include "trace/sorted.h"

enum {
	TV_IDLE_FIRST_OF_NODE = TV_IDLE_UNSUITED,
	TV_IDLE_NCAUSES_OF_NODE = TV_IDLE_NCAUSES - TV_IDLE_FIRST_OF_NODE
};
enum { TV_IDLE_BY_RELEASED, TV_IDLE_BY_ANY, TV_IDLE_NLIMITS };

/* The first `count` of the idle workers of one class on one node. */
struct tv_idle_limit {
	uint32_t last; /* worker; TV_NONE = none of them */
	int64_t count;
};

/* The idle workers of one class on one node without a task of their own, longest idle first. */
struct tv_idle_queue {
	uint32_t head, tail;
	struct tv_idle_limit
		limit[TV_IDLE_NLIMITS]; /* covered by released tasks; by those or coming ones */
};

struct tv_idle_worker {
	uint32_t running, calls, loops; /* under way */
	uint32_t state;			/* enum tv_idle_cause, TV_IDLE_BUSY or TV_IDLE_OF_NODE */
	int64_t entered;		/* the state */
	int64_t since;			/* its time before this was added to a slice */
	int64_t mark[TV_IDLE_NCAUSES_OF_NODE]; /* the node's sums at `since` */
	uint32_t own_task;	/* row: the next released task for it, while idle; else TV_NONE */
	struct tv_heap waiting; /* released tasks for it, the next one first */
	bool queued, changed;
	bool within[TV_IDLE_NLIMITS];
	uint32_t before, after; /* in its queue */
};

struct tv_idle_node {
	uint32_t cause; /* of its idle workers that have none of their own */
	int64_t since;
	int64_t sum[TV_IDLE_NCAUSES_OF_NODE];
	int64_t unsubmitted, submitted; /* tasks not started */
	struct tv_occupy released, any; /* the second also has coming tasks */
	bool moved;			/* these have changed since they were solved */
	bool left_over;			/* released tasks that occupy no worker */
	bool changed;
};

struct tv_idle_sweep {
	const struct tv_waits *waits;
	const struct tv_tasks *tasks;
	struct tv_moments moments;
	struct tv_idle_worker *worker;
	struct tv_idle_node *node;
	struct tv_idle_queue *queue; /* node x class */
	uint8_t *progress;	     /* by row, enum progress */
	uint32_t *pending_node; /* by row: node of a pending task, which has no worker; or NULL */
	uint32_t *fetching;	/* by row: fetches under way; NULL without fetches */
	uint32_t *changed;	/* workers to update */
	uint32_t nchanged;
	uint32_t *changed_node;
	uint32_t nchanged_nodes;
	int64_t now;
	int64_t *time;			     /* worker x cause: of this slice */
	const struct tv_idle_slices *slices; /* or NULL */
	size_t next;			     /* bound of these */
	struct tv_idle_spans *spans;	     /* or NULL */
	const struct tv_idle_watch *watch;   /* or NULL */
};

static inline struct tv_idle_node *tv_idle_node_of(struct tv_idle_sweep *sweep, uint32_t w)
{
	return &sweep->node[sweep->tasks->workers[w].node];
}

/* From the begin of the run on, whose workers, nodes and classes are those of waits. tv_idle_end releases it. */
void tv_idle_begin(struct tv_idle_sweep *sweep, const struct tv_waits *waits,
		   struct tv_idle_spans *spans);
/* The tasks that matter from now to an end: all that were known before are forgotten, workers and nodes stay in the state in
 * which they are. waits and fetches are borrowed until tv_idle_drop. */
void tv_idle_take(struct tv_idle_sweep *sweep, const struct tv_waits *waits,
		  const struct tv_fetches *fetches, int64_t end);
/* All moments before `end`. */
void tv_idle_sweep_until(struct tv_idle_sweep *sweep, int64_t end);
/* The same, and gives the slices that end by then. */
void tv_idle_sweep_slices(struct tv_idle_sweep *sweep, int64_t end);
/* Keeps the spans up to now; what goes on is another one. */
void tv_idle_cut_spans(struct tv_idle_sweep *sweep);
void tv_idle_drop(struct tv_idle_sweep *sweep);
void tv_idle_end(struct tv_idle_sweep *sweep);

/* Adds the time in the worker's current state, up to now, to the slice. */
void tv_idle_add_time(struct tv_idle_sweep *sweep, uint32_t w);
void tv_idle_set_state(struct tv_idle_sweep *sweep, uint32_t w, uint32_t state);
/* Of a node: also where it stays the same. */
void tv_idle_set_cause(struct tv_idle_sweep *sweep, struct tv_idle_node *node, uint32_t cause);
/* Keeps the span of the current state or cause, up to now, if spans are asked for. */
void tv_idle_end_worker_span(struct tv_idle_sweep *sweep, uint32_t w);
void tv_idle_end_node_span(struct tv_idle_sweep *sweep, const struct tv_idle_node *node);

#endif
