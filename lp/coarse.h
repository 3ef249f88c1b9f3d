/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coarse.h -- how much prices can prove at most of all cuts of lp/tight.h, from a coarse grid of cuts.
 *
 * Heads and tails are divided into ranges with about equally many tasks. A cut (h, q) in a cell of
 * the grid has no more tasks than the one at the lower corner of the cell, and neither h nor q is
 * above the max in the cell. Where no range has two different values this limit is what the prices prove.
 */
#ifndef TV_COARSE_H
#define TV_COARSE_H

#include "lp/tight.h"

enum {
	TV_COARSE_RANGES = 128, /* max, of heads, and of tails */
	TV_COARSE_NUMBERS =
		1 << 23, /* of all cells and types: with many types there are fewer ranges */
};

struct tv_coarse {
	size_t nheads, ntails, ntypes;
	double *head, *tail; /* by range: its max */
	double *number;	     /* by cell and type: tasks of the cut at its lower corner */
};

/* Cost O(n log n + cells x types), memory O(TV_COARSE_NUMBERS + types). */
void tv_coarse_init(struct tv_coarse *coarse, const struct tv_tight *in);
void tv_coarse_release(struct tv_coarse *coarse); /* safe on a zeroed struct */

/* The max over all cells, where a task of each type costs cost[type]; and the heads of the cells with
 * a limit above `bound`: above < h <= upto. O(cells x types). */
struct tv_coarse_limit {
	double max, above, upto;
};
struct tv_coarse_limit tv_coarse_limit(const struct tv_coarse *coarse, const double *cost,
				       double bound);

#endif
