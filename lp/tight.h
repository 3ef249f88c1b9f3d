/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tight.h -- a lower bound from graph and workers together: path before + area + path after.
 *
 * No task with head(v) >= h can start before h, where head(v) is the longest path before it, every
 * task where it is fastest; none with tail(v) >= q can end later than q before the end. So the set
 * S(h,q) of the tasks with both needs at least its own area bound between: every schedule takes at
 * least h + area(S(h,q)) + q. The bound is the greatest of these over the pairs tried: one linear
 * program each, chosen by what the prices of earlier programs already prove of all pairs.
 *
 * h = q = 0 is the area bound of all tasks and is always tried. A cut between two tasks a and b
 * (those that depend on a and that b depends on) is contained in S(head(a) + w(a), tail(b) + w(b)).
 * Source: ours, after J. Carlier, "The one-machine sequencing problem", 1982, whose bound this is
 * for one machine.
 */
#ifndef TV_TIGHT_H
#define TV_TIGHT_H

#include <stdint.h>

#include "lp/area.h"

enum {
	TV_TIGHT_PROGRAMS = 64, /* linear programs at most */
	TV_TIGHT_CUTS = 512	/* values of h, and of q, considered: quantiles if there are more */
};

struct tv_tight {
	const struct tv_area *area; /* count is not used; the unit of time is that of heads */
	uint32_t n;		    /* tasks */
	const double *head, *tail;  /* n: >= 0 */
	const uint32_t *type;	    /* n: below area->ntypes */
	const double *count;	    /* n: how many tasks of the type each represents, > 0 */
};

/* *bound, 0 without tasks. -1 with *err as tv_area_bound. The same input gives the same bound. Cost
 * O(n + programs x (n', at most n, tasks that differ in type or cut + cuts^2 + a small program)). */
int tv_tight_bound(const struct tv_tight *tight, double *bound, struct tv_error *err) TV_MUST_CHECK;

#endif
