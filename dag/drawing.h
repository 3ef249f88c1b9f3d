/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drawing.h -- places for the tasks of a small graph: layers by depth, few crossings.
 */
#ifndef TV_DAG_DRAWING_H
#define TV_DAG_DRAWING_H

#include "dag/dag.h"

/* A part of an edge between two neighboring layers; long edges bend in between. */
struct tv_drawing_line {
	double from[2], to[2]; /* layer, place */
	uint32_t of[2];	       /* the edge: indices of node */
};

struct tv_drawing {
	uint32_t n, nedges;
	uint32_t *node;	       /* n: tasks of the graph */
	double *layer, *place; /* n: place from 0 to height */
	uint32_t nlayers;
	double height;
	struct tv_drawing_line *line;
	size_t nlines;
};

/*
 * Draws the tasks with chosen[node], not none: one is in the layer behind the last of those that it
 * depends on, directly or through nodes that are not tasks. Dependencies through tasks that are not
 * chosen are left out. Sugiyama's method, as igraph has it: layers are whole numbers, neighbors in
 * a layer at least 1 apart. -1 with *err: igraph cannot. For some hundred tasks: the cost grows
 * faster than with edges times layers.
 */
int tv_drawing_init(struct tv_drawing *drawing, const struct tv_dag *dag, const bool *chosen,
		    struct tv_error *err) TV_MUST_CHECK;
void tv_drawing_release(struct tv_drawing *drawing); /* safe on a zeroed struct */

#endif
