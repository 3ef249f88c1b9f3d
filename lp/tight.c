/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tight.c -- path before + area + path after, over all cuts, by the prices that can prove an area. */
#include "lp/tight.h"

#include <math.h>
#include <string.h>

#include "lp/prices.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* The tasks of a range of tails, of those seen so far. */
struct range {
	double cost; /* of all of them */
	double best; /* max over the tails q of tasks in it: q + cost of those with at least q */
	double tail; /* the q of that */
};

struct search {
	const struct tv_tight *in;
	struct tv_area area; /* of all tasks or of a cut */
	uint32_t *by_head;   /* tasks, the largest head first */
	uint32_t *at;	     /* by task: the leaf of its tail, ascending */
	struct range
		*range; /* a tree: of i the halves are 2i and 2i + 1, leaves from `leaves` on */
	uint32_t leaves;
	double *count, *cost; /* by type */
	double *ideal, *price;
	double best;	   /* of all prices so far */
	double head, tail; /* the best cut of the last ones */
};

struct order {
	double value;
	uint32_t task;
};

static void sort_tasks(struct search *s)
{
	const struct tv_tight *in = s->in;
	struct order *order = tv_alloc(in->n, sizeof *order);

	for (uint32_t v = 0; v < in->n; v++)
		order[v] = (struct order){ -in->head[v], v };
	tv_sort_by_number(order, in->n, sizeof *order, 0, NULL);
	for (uint32_t i = 0; i < in->n; i++)
		s->by_head[i] = order[i].task;
	for (uint32_t v = 0; v < in->n; v++)
		order[v] = (struct order){ in->tail[v], v };
	tv_sort_by_number(order, in->n, sizeof *order, 0, NULL);
	for (uint32_t i = 0, leaf = 0; i < in->n; i++) {
		leaf += i > 0 && order[i].value > order[i - 1].value;
		s->at[order[i].task] = leaf;
		s->leaves = leaf + 1;
	}
	while (s->leaves & (s->leaves - 1))
		s->leaves += s->leaves & -s->leaves; /* up to a power of two */
	tv_free(order);
}

/* The min cost of one task of a type at s->price. */
static double cost_of(const struct search *s, size_t t)
{
	const struct tv_area *area = &s->area;
	double min = INFINITY;

	for (size_t r = 0; r < area->nresources; r++)
		if (tv_area_allows(area, t, r))
			min = fmin(min, s->price[r] * area->time[t * area->nresources + r]);
	return min;
}

static void see_task(struct search *s, uint32_t v)
{
	uint32_t i = s->leaves + s->at[v];
	double cost = s->in->count[v] * s->cost[s->in->type[v]];

	s->range[i].cost += cost;
	s->range[i].best = s->in->tail[v] + s->range[i].cost;
	s->range[i].tail = s->in->tail[v];
	for (i /= 2; i > 0; i /= 2) {
		const struct range *low = &s->range[2 * i], *high = low + 1;

		s->range[i] = low->best + high->cost > high->best
				    ? (struct range){ low->cost + high->cost,
						      low->best + high->cost, low->tail }
				    : (struct range){ low->cost + high->cost, high->best,
						      high->tail };
	}
}

/* What s->price proves: the max over all cuts, which is that of s->head and s->tail. */
static double prove(struct search *s)
{
	double best = -1;

	for (size_t t = 0; t < s->area.ntypes; t++)
		s->cost[t] = cost_of(s, t);
	for (uint32_t i = 0; i < 2 * s->leaves; i++)
		s->range[i] = (struct range){ 0, -INFINITY, 0 };
	for (uint32_t i = 0; i < s->in->n; i++) {
		double head = s->in->head[s->by_head[i]];

		see_task(s, s->by_head[i]);
		if (head + s->range[1].best <= best)
			continue;
		best = head + s->range[1].best;
		s->head = head;
		s->tail = s->range[1].tail;
	}
	s->best = fmax(s->best, best);
	return best;
}

/* The prices of the area bound of a cut. */
static int solve(struct search *s, double head, double tail, struct tv_error *err)
{
	const struct tv_tight *in = s->in;
	double area;

	memset(s->count, 0, s->area.ntypes * sizeof *s->count);
	for (uint32_t v = 0; v < in->n; v++)
		if (in->head[v] >= head && in->tail[v] >= tail)
			s->count[in->type[v]] += in->count[v];
	return tv_area_prices(&s->area, &area, s->ideal, s->price, err);
}

/* The best cut at s->price, the best prices of that cut, and so on, as long as that is better. */
static int climb(struct search *s, struct tv_error *err)
{
	double before = -1, now = prove(s);

	while (now > before) {
		before = now;
		if (solve(s, s->head, s->tail, err) < 0)
			return -1;
		now = prove(s);
	}
	return 0;
}

/* Too many prices: climbs from those of the area bound, which are in s->price, and from each resource
 * type alone. */
static int climb_all(struct search *s, struct tv_error *err)
{
	const struct tv_area *area = &s->area;
	int rc = climb(s, err);

	for (size_t r = 0; r < area->nresources && rc == 0; r++) {
		if (area->workers[r] <= 0)
			continue;
		for (size_t k = 0; k < area->nresources; k++)
			s->price[k] = k == r ? 1 / area->workers[r] : 0;
		rc = climb(s, err);
	}
	return rc;
}

static int search(struct search *s, bool *all, struct tv_error *err)
{
	uint32_t steps = TV_TIGHT_STEPS / s->in->n;
	struct tv_prices prices;
	int rc = solve(s, 0, 0, err);

	if (rc < 0)
		return -1;
	*all = tv_prices_init(&prices, &s->area, steps < TV_TIGHT_PRICES ? steps : TV_TIGHT_PRICES);
	if (!*all)
		rc = climb_all(s, err);
	for (size_t k = 0; k < prices.n; k++) {
		memcpy(s->price, prices.at + k * s->area.nresources,
		       s->area.nresources * sizeof *s->price);
		prove(s);
	}
	tv_prices_release(&prices);
	return rc;
}

int tv_tight_bound(const struct tv_tight *tight, double *bound, bool *all, struct tv_error *err)
{
	struct search s = { .in = tight, .area = *tight->area };
	size_t types = s.area.ntypes, nr = s.area.nresources;
	int rc = 0;

	*all = true;
	if (tight->n > 0) {
		s.by_head = tv_alloc(tight->n, sizeof *s.by_head);
		s.at = tv_alloc(tight->n, sizeof *s.at);
		sort_tasks(&s);
		s.range = tv_alloc((size_t)2 * s.leaves, sizeof *s.range);
		s.area.count = s.count = tv_alloc(types, sizeof *s.count);
		s.cost = tv_alloc(types, sizeof *s.cost);
		s.ideal = tv_alloc(types * nr, sizeof *s.ideal);
		s.price = tv_alloc(nr, sizeof *s.price);
		rc = search(&s, all, err);
	}
	*bound = s.best;
	tv_free(s.by_head);
	tv_free(s.at);
	tv_free(s.range);
	tv_free(s.count);
	tv_free(s.cost);
	tv_free(s.ideal);
	tv_free(s.price);
	return rc;
}
