/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * area.h -- the area bound: min time in which the workers can do all tasks, dependencies aside.
 *
 *	minimize T
 *	sum over r of n(t,r) = N(t)		every task of type t runs on some resource type r
 *	sum over t of n(t,r) w(t,r) <= T N(r)	no resource type works longer than its workers have
 *	n(t,r) >= 0, and 0 where w(t,r) is missing
 *
 * Source: V. Garcia Pinto, thesis, 2018, (5.2)-(5.5). Solved by GLPK's simplex method, in shares of
 * N(t) and with loads scaled to about 1, so that neither counts nor units move its tolerances; or,
 * where that finds no optimum within its limits, by lp/shares.h. The result is certified by its
 * dual to TV_AREA_ACCURACY relative to T; without this certificate it is an error.
 */
#ifndef TV_AREA_H
#define TV_AREA_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/error.h"

#define TV_AREA_ACCURACY 1e-10

struct tv_area {
	size_t ntypes, nresources;
	const double *count;   /* ntypes: N(t) >= 0 */
	const double *time;    /* ntypes x nresources: w(t,r) >= 0; negative = t cannot run on r */
	const double *workers; /* nresources: N(r) >= 0 */
};

/* Whether type t can run on r. */
static inline bool tv_area_allows(const struct tv_area *area, size_t t, size_t r)
{
	return area->time[t * area->nresources + r] >= 0 && area->workers[r] > 0;
}

/*
 * *bound: T, in the unit of time; ideal (ntypes x nresources): n(t,r), whole rows adding
 * up to N(t) exactly, shares that are numerical noise removed. The same input gives the same
 * optimum, also where there are several. -1 with *err: a type that can run nowhere, numbers out of
 * range, more types with a choice than can be solved in reasonable time. Never prints.
 */
int tv_area_bound(const struct tv_area *area, double *bound, double *ideal,
		  struct tv_error *err) TV_MUST_CHECK;

/*
 * The same, with what it proves: price (nresources) receives a price for the time of one
 * worker of each type, all workers' adding up to 1 (or all 0 where nothing takes time). For every
 * set of tasks, the sum of each one's min over r, where it can run, of price times w(t,r) is a
 * lower bound of its own area bound; for this one it is the bound.
 */
int tv_area_prices(const struct tv_area *area, double *bound, double *ideal, double *price,
		   struct tv_error *err) TV_MUST_CHECK;

/*
 * Of the optimal prices those that are the same whatever the order and the names of types: the largest is as small
 * as possible, and then each other one, too (lexicographic min-max). price: those of tv_area_prices, replaced
 * where there are others; low, high (nresources): the min and max of each price among all optimal ones, price
 * itself where there is one choice.
 *
 * Prices are optimal if and only if they fit one optimal solution, here ideal: where it has tasks of type t, price
 * times w(t,r) is the min over all r; a resource type that is not full is worth nothing. So they are all those that
 * are within limits of the ratios of two prices, by chains of such types. Where no price may be above 1, the
 * largest of each fit together, and of the prices with a largest of 1 these have the largest sum: divided by it
 * they are the ones wanted, and no others have the same max. Ours. Ratios closer than 1e-9 are equal. Cost
 * O(ntypes nresources^2 + nresources^3).
 */
void tv_area_fair_prices(const struct tv_area *area, double bound, const double *ideal,
			 double *price, double *low, double *high);

#endif
