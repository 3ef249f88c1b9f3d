/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rerun.h -- the recorded run again, as early as its tasks allow: same workers, same order, no other delays.
 *
 * Counted executions take their recorded time on their worker. Those of a job that overlap in time, a team, are one
 * block: they keep their distances from each other. Blocks of a job follow each other. Everything else takes no
 * time, but lets through what comes before it: ghosts, setup and runtime tasks, tasks that did not run, what messages
 * took before the first Start of the run. A segment that
 * was created by another one starts no earlier than the same time after that one's start. What was submitted after a
 * wait is submitted the same time after the end of what was waited for. Exclusions are followed in
 * recorded order where the workers' order is.
 *
 * A run that respects its dependencies takes at least as long as its replay, and a replay with more conditions at
 * least as long as one with fewer: no block starts later (by induction; max-plus systems are monotone). Ours.
 */
#ifndef TV_RERUN_H
#define TV_RERUN_H

#include "dag/dag.h"

/* Executions on workers that start together, or a node of the graph without any. */
struct tv_rerun_block {
	uint32_t node;
	uint32_t first, n; /* rows of tasks: replay->row[first] and on */
};

struct tv_rerun {
	const struct tv_dag *dag;
	uint32_t nblocks;
	struct tv_rerun_block *block; /* those of a node one after the other */
	uint32_t *opening;	      /* dag->n + 1: the blocks of node v begin at opening[v] */
	uint32_t *row;		      /* counted executions */
	uint32_t *order;	      /* blocks, each behind all that it may wait for */
	const char *obstacle;	      /* why workers' order cannot be replayed; NULL = it can */
};

struct tv_rerun_rules {
	bool workers; /* a worker does one after the other, in recorded order */
	bool submitted; /* none before its SubmitTime, where it has one; after a wait, before the same delay */
	bool messages; /* messages take as long as recorded, from the end of what they wait for; else no time */
	const int64_t *
		time; /* by row of tasks: durations instead of the recorded ones, ns; NULL = none */
	const int64_t *
		flight; /* by node of the graph: what messages take instead, ns; NULL = as recorded */
};

/* The graph must outlive it. Where workers ran several tasks at once or in an order that contradicts the graph,
 * obstacle is set. Cost O(V + E + rows log rows of one job). */
void tv_rerun_init(struct tv_rerun *replay, const struct tv_dag *dag);
void tv_rerun_release(struct tv_rerun *replay); /* safe on a zeroed struct */

/*
 * How long the run takes by these rules, ns: from the first Start of the run to the last end. ends (by row of tasks,
 * or NULL) receives when counted executions end. With workers there must be no obstacle. Cost O(V + E + rows).
 */
int64_t tv_rerun_run(const struct tv_rerun *replay, const struct tv_rerun_rules *rules,
		     int64_t *ends);

/* How long a message was in flight once the run had begun, ns. */
int64_t tv_rerun_flight(const struct tv_dag *dag, uint32_t message);

#endif
