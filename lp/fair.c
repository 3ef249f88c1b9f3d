/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fair.c -- of the optimal prices of the area bound those whose largest is smallest. */
#include <math.h>
#include <string.h>

#include "lp/area.h"
#include "trace/alloc.h"

static const double near = 1e-9; /* relative */

static bool is_full(const struct tv_area *area, double bound, const double *ideal, size_t r)
{
	double sum = 0;

	for (size_t t = 0; t < area->ntypes; t++)
		if (ideal[t * area->nresources + r] > 0)
			sum += ideal[t * area->nresources + r]
			     * area->time[t * area->nresources + r];
	return sum >= bound * area->workers[r] * (1 - near);
}

/* limit[r * n + q]: the price of r is at most that many times the one of q, by one task type. */
static void limit_directly(const struct tv_area *area, const double *ideal, double *limit)
{
	size_t n = area->nresources;

	for (size_t i = 0; i < n * n; i++)
		limit[i] = i / n == i % n ? 1 : INFINITY;
	for (size_t t = 0; t < area->ntypes; t++)
		for (size_t r = 0; r < n; r++) {
			const double *time = &area->time[t * n];

			if (!(ideal[t * n + r] > 0) || !(time[r] > 0))
				continue;
			for (size_t q = 0; q < n; q++)
				if (q != r && tv_area_allows(area, t, q))
					limit[r * n + q] = fmin(limit[r * n + q],
								time[q] / time[r]);
		}
}

/* The same by any number of task types: shortest paths, where lengths are multiplied. */
static void limit_by_chains(double *limit, size_t n)
{
	for (size_t by = 0; by < n; by++)
		for (size_t i = 0; i < n * n; i++) {
			double first = limit[i / n * n + by], then = limit[by * n + i % n];

			if (isfinite(first) && isfinite(then))
				limit[i] = fmin(limit[i], first * then);
		}
}

/* Whether optimal prices of a resource type are 0 whatever the others are: it is not full, or its price is at most
 * a part of itself. */
static bool is_worthless(const struct tv_area *area, double bound, const double *ideal,
			 const double *limit, size_t r)
{
	return area->workers[r] <= 0 || limit[r * area->nresources + r] < 1 - near
	    || !is_full(area, bound, ideal, r);
}

/* Whether those can be above 0; its limits may lead to a price that is 0. */
static bool can_be_worth(const struct tv_area *area, double bound, const double *ideal,
			 const double *limit, size_t r)
{
	size_t n = area->nresources;

	for (size_t q = 0; q < n; q++)
		if (limit[r * n + q] == 0
		    || (isfinite(limit[r * n + q]) && is_worthless(area, bound, ideal, limit, q)))
			return false;
	return true;
}

/* The optimal prices, up to their scale, as limits between those that can be above 0. */
struct face {
	const struct tv_area *area;
	double *limit; /* the price of r is at most limit[r * n + q] times the one of q */
	bool *worth;   /* by resource type */
};

/* The price of r where no price may be above 1: as high as its limits allow. */
static double highest(const struct face *face, size_t r)
{
	size_t n = face->area->nresources;
	double price = 1;

	for (size_t q = 0; q < n; q++)
		if (face->worth[q])
			price = fmin(price, face->limit[r * n + q]);
	return face->worth[r] ? price : 0;
}

/* The sum of all workers' prices where that of r is 1, the others as low or as high as that allows; infinite: no
 * limit. */
static double sum_beside(const struct face *face, size_t r, bool low)
{
	size_t n = face->area->nresources;
	double sum = 0;

	for (size_t q = 0; q < n; q++)
		if (face->worth[q])
			sum += face->area->workers[q]
			     * (low ? 1 / face->limit[r * n + q] : face->limit[q * n + r]);
	return sum;
}

static bool is_point(const struct tv_area *area, const double *low, const double *high)
{
	for (size_t r = 0; r < area->nresources; r++)
		if (high[r] - low[r] > near * high[r])
			return false;
	return true;
}

static void choose(const struct face *face, double *price, double *low, double *high)
{
	size_t n = face->area->nresources;
	double sum = 0;

	for (size_t r = 0; r < n; r++) {
		high[r] = face->worth[r] ? 1 / sum_beside(face, r, true) : 0;
		low[r] = face->worth[r] ? 1 / sum_beside(face, r, false) : 0;
		sum += face->area->workers[r] * highest(face, r);
	}
	if (is_point(face->area, low, high)) {
		memcpy(low, price, n * sizeof *low);
		memcpy(high, price, n * sizeof *high);
		return;
	}
	for (size_t r = 0; r < n; r++)
		price[r] = highest(face, r) / sum;
}

void tv_area_fair_prices(const struct tv_area *area, double bound, const double *ideal,
			 double *price, double *low, double *high)
{
	size_t n = area->nresources;
	struct face face = { area, tv_alloc(n * n, sizeof *face.limit),
			     tv_alloc(n, sizeof *face.worth) };

	limit_directly(area, ideal, face.limit);
	limit_by_chains(face.limit, n);
	for (size_t r = 0; r < n; r++)
		face.worth[r] = can_be_worth(area, bound, ideal, face.limit, r);
	choose(&face, price, low, high);
	tv_free(face.limit);
	tv_free(face.worth);
}
