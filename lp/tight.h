/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tight.h -- a lower bound from graph and workers together: path before + area + path after.
 *
 * No task with head(v) >= h can start before h, where head(v) is the longest path before it, every
 * task where it is fastest; none with tail(v) >= q can end later than q before the end. So the set
 * S(h,q) of the tasks with both needs at least its own area bound between: every schedule takes at
 * least h + area(S(h,q)) + q. The bound is the max of these over all h and q.
 *
 * An area is the max of what prices of the workers' time prove, and few prices can prove any
 * (lp/prices.h). For given prices every task has a cost, and the max over all h and q of h + cost
 * of S(h,q) + q is found in one pass over the tasks; the max over the prices is the bound. Prices
 * that lp/coarse.h shows to prove no more than others are not tried. Where there are too many, cuts
 * and prices are improved in turns from several beginnings: a bound, but perhaps not the max.
 *
 * h = q = 0 is the area bound of all tasks. A cut between two tasks a and b (those that depend on a
 * and that b depends on) is contained in S(head(a) + w(a), tail(b) + w(b)).
 * Source: ours, after J. Carlier, "The one-machine sequencing problem", 1982, whose bound this is
 * for one machine.
 */
#ifndef TV_TIGHT_H
#define TV_TIGHT_H

#include <stdint.h>

#include "lp/area.h"

enum {
	TV_TIGHT_PRICES = 16384, /* vectors of prices at most */
	TV_TIGHT_STEPS = 1 << 26 /* ... and of those that are tried, times the number of tasks */
};

struct tv_tight {
	const struct tv_area *area; /* count is not used; the unit of time is that of heads */
	uint32_t n;		    /* tasks */
	const double *head, *tail;  /* n: >= 0 */
	const uint32_t *type;	    /* n: below area->ntypes */
	const double *count;	    /* n: how many tasks of the type each represents, > 0 */
};

/* *bound, 0 without tasks; *all: it is the max over all h and q, with all prices. -1 with *err as
 * tv_area_bound. The same input gives the same bound. Cost O((prices tried) n log n + prices x
 * types); not all: some linear programs as that of the area bound more. */
int tv_tight_bound(const struct tv_tight *tight, double *bound, bool *all,
		   struct tv_error *err) TV_MUST_CHECK;

#endif
