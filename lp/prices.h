/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prices.h -- all prices that can prove an area bound, whatever the numbers of tasks.
 *
 * At prices y(r) >= 0 of the workers' time, where the sum of y(r) N(r) is 1, a task of type t costs
 * the min over r of y(r) w(t,r); the cost of all tasks is a lower bound of their area bound, and
 * the max over y is that bound (the dual program). This cost is linear in y as long as no type
 * changes where it is cheapest, so its max is at a corner of the regions in which that is the same:
 * where the resource types with y(r) > 0 are connected by types that are cheapest on two of them.
 * These corners do not depend on the numbers of tasks. With one resource type there is one, with
 * two at most a corner for each type and two more, with R of them and T types C(T + R - 2, R - 1)
 * if all prices are above 0.
 */
#ifndef TV_PRICES_H
#define TV_PRICES_H

#include "lp/area.h"

struct tv_prices {
	size_t n;
	double *at; /* n x area->nresources: y(r) */
};

/* False, with n = 0: there are more than `limit`. area->count: types of which it is 0 are left out.
 * Corners closer than 1e-12 may be one. Cost O(n ntypes^2 nresources^2), with two resource types
 * O(n ntypes). The caller releases in either case. */
bool tv_prices_init(struct tv_prices *prices, const struct tv_area *area, size_t limit);
void tv_prices_release(struct tv_prices *prices);

#endif
