/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unique.c -- whether the area bound has one choice of prices only. */
#include <math.h>
#include <stdint.h>

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

/* Whether optimal prices cannot be other than 0. */
static bool is_worthless(const struct tv_area *area, double bound, const double *ideal,
			 const double *limit, size_t r)
{
	size_t n = area->nresources;

	for (size_t q = 0; q < n; q++)
		if (limit[r * n + q] == 0
		    || (isfinite(limit[r * n + q]) && !is_full(area, bound, ideal, q)))
			return true;
	return false;
}

bool tv_area_unique(const struct tv_area *area, double bound, const double *ideal,
		    const double *price)
{
	size_t n = area->nresources, first = SIZE_MAX;
	double *limit = tv_alloc(n * n, sizeof *limit);
	bool unique = true;

	limit_directly(area, ideal, limit);
	limit_by_chains(limit, n);
	for (size_t r = 0; r < n; r++) {
		if (area->workers[r] <= 0
		    || (price[r] <= 0 && is_worthless(area, bound, ideal, limit, r)))
			continue;
		if (first == SIZE_MAX)
			first = r;
		else if (!(limit[r * n + first] * limit[first * n + r] <= 1 + near))
			unique = false;
	}
	tv_free(limit);
	return unique;
}
