/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * path_with_transfers.h -- the longest path of the graph, where edges between two places take time as well.
 *
 * The path begins and ends with a counted task: what is moved before the first one or after the last
 * one is no part of the run. Nodes that neither ran nor are messages (ghosts, pending tasks) have no
 * place: what comes after them takes what comes before them.
 */
#ifndef TV_PATH_WITH_TRANSFERS_H
#define TV_PATH_WITH_TRANSFERS_H

#include "dag/dag.h"

/* By node of the graph. Places are any numbers; TV_NONE = not known, no edge to or from it crosses. */
struct tv_across {
	const double *weight;	   /* n, ns; >= 0 */
	const uint32_t *from, *to; /* n: where a node needs what it depends on, and where its
				    * result is: two places for messages, else one */
	double crossing;	   /* of an edge between two places, ns; >= 0 */
};

struct tv_across_path {
	uint32_t *node; /* from first to last */
	bool *crosses;	/* whether the edge into it crosses */
	uint32_t n;
	double length;	    /* of the path, ns */
	uint64_t crossings; /* edges of the graph that cross, behind a counted task */
};

/* Of equal paths the one through the first predecessors as listed. Cost O(V + E), 72 bytes per
 * node. */
void tv_across_path_init(struct tv_across_path *path, const struct tv_dag *dag,
			 const struct tv_across *across);
void tv_across_path_release(struct tv_across_path *path); /* safe on a zeroed struct */

#endif
