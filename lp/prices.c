/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prices.c -- all prices that can prove an area bound: corners with one resource type, then more. */
#include "lp/prices.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* Prices closer than this, relative to them, are equal. */
#define SAME 1e-12

struct corners {
	const struct tv_area *area;
	size_t limit;
	struct tv_prices *out;
	size_t cap; /* numbers in out->at */
	double *price;
	bool *reached; /* by resource type */
};

/* The min cost of a task of a type on the resource types with a price; infinite = on none of them. */
static double min_cost(const struct tv_area *area, size_t t, const double *price)
{
	double min = INFINITY;

	for (size_t r = 0; r < area->nresources; r++)
		if (price[r] > 0 && tv_area_allows(area, t, r))
			min = fmin(min, price[r] * area->time[t * area->nresources + r]);
	return min;
}

static bool is_cheapest(const struct tv_area *area, size_t t, size_t r, const double *price,
			double cost)
{
	return price[r] > 0 && tv_area_allows(area, t, r)
	    && price[r] * area->time[t * area->nresources + r] <= cost * (1 + SAME);
}

/* Marks what a type connects to what is reached. Whether that is new. */
static bool reach_by(struct corners *c, size_t t)
{
	const struct tv_area *area = c->area;
	double cost = min_cost(area, t, c->price);
	bool any = false, more = false;

	if (!(cost > 0) || area->count[t] <= 0)
		return false;
	for (size_t r = 0; r < area->nresources; r++)
		any = any || (c->reached[r] && is_cheapest(area, t, r, c->price, cost));
	for (size_t r = 0; r < area->nresources && any; r++)
		if (!c->reached[r] && is_cheapest(area, t, r, c->price, cost))
			c->reached[r] = more = true;
	return more;
}

/* Whether c->price is a corner: the resource types with a price are connected. */
static bool is_corner(struct corners *c)
{
	size_t priced = 0, reached = 0;
	bool more = true;

	for (size_t r = 0; r < c->area->nresources; r++) {
		c->reached[r] = c->price[r] > 0 && priced == 0;
		priced += c->price[r] > 0;
	}
	while (more) {
		more = false;
		for (size_t t = 0; t < c->area->ntypes; t++)
			more = reach_by(c, t) || more;
	}
	for (size_t r = 0; r < c->area->nresources; r++)
		reached += c->reached[r];
	return reached == priced;
}

/* Adds c->price, scaled. */
static void add(struct corners *c)
{
	size_t nr = c->area->nresources;
	double sum = 0;

	for (size_t r = 0; r < nr; r++)
		sum += c->price[r] * c->area->workers[r];
	if (!isnormal(sum))
		return;
	TV_GROW(c->out->at, c->out->n * nr, c->cap, nr);
	for (size_t r = 0; r < nr; r++)
		c->out->at[c->out->n * nr + r] = c->price[r] / sum;
	c->out->n++;
}

/* All corners with one more resource type than corner k: a type that it can run costs as much there
 * as where it is cheapest now. priced: the resource types of corner k. */
static void extend(struct corners *c, size_t k, size_t priced)
{
	const struct tv_area *area = c->area;
	size_t nr = area->nresources;

	for (size_t t = 0; t < area->ntypes; t++) {
		double cost = min_cost(area, t, c->out->at + k * nr);

		if (!isfinite(cost) || !(cost > 0) || area->count[t] <= 0)
			continue;
		for (size_t r = 0; r < nr && c->out->n <= c->limit; r++) {
			memcpy(c->price, c->out->at + k * nr, nr * sizeof *c->price);
			if (c->price[r] > 0 || !tv_area_allows(area, t, r))
				continue;
			c->price[r] = cost / area->time[t * nr + r];
			if (isnormal(c->price[r]) && (priced == 1 || is_corner(c)))
				add(c);
		}
	}
}

static bool are_same(const double *a, const double *b, size_t n)
{
	size_t r = 0;

	while (r < n && fabs(a[r] - b[r]) <= SAME * fmax(a[r], b[r]))
		r++;
	return r == n;
}

/* Drops corners that occur twice, of those from the first one on. */
static void drop_repeated(struct corners *c, size_t first)
{
	size_t nr = c->area->nresources, kept = first;
	double *at = c->out->at;

	if (c->out->n > first)
		tv_sort_by_number(at + first * nr, c->out->n - first, nr * sizeof *at, 0, NULL);
	for (size_t k = first; k < c->out->n; k++) {
		const double *price = at + k * nr;
		size_t before = kept;

		while (before > first && !are_same(at + (before - 1) * nr, price, nr)
		       && are_same(at + (before - 1) * nr, price, 1))
			before--;
		if (before > first && are_same(at + (before - 1) * nr, price, nr))
			continue;
		memmove(at + kept++ * nr, price, nr * sizeof *at);
	}
	c->out->n = kept;
}

/* Corners with one resource type, then with one more at a time. */
static void find(struct corners *c)
{
	size_t nr = c->area->nresources, first = 0;

	for (size_t r = 0; r < nr; r++) {
		memset(c->price, 0, nr * sizeof *c->price);
		c->price[r] = c->area->workers[r] > 0;
		add(c);
	}
	for (size_t priced = 1; priced < nr && c->out->n <= c->limit; priced++) {
		size_t end = c->out->n;

		for (size_t k = first; k < end && c->out->n <= c->limit; k++)
			extend(c, k, priced);
		drop_repeated(c, end);
		first = end;
	}
}

bool tv_prices_init(struct tv_prices *prices, const struct tv_area *area, size_t limit)
{
	struct corners c = { .area = area, .limit = limit, .out = prices };

	*prices = (struct tv_prices){ 0 };
	c.price = tv_alloc(area->nresources, sizeof *c.price);
	c.reached = tv_alloc(area->nresources, sizeof *c.reached);
	find(&c);
	tv_free(c.price);
	tv_free(c.reached);
	if (prices->n <= limit)
		return true;
	tv_prices_release(prices);
	return false;
}

void tv_prices_release(struct tv_prices *prices)
{
	tv_free(prices->at);
	*prices = (struct tv_prices){ 0 };
}
