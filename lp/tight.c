/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tight.c -- path before + area + path after, over all cuts, by the prices that can prove an area. */
#include "lp/tight.h"

#include <math.h>
#include <string.h>

#include "lp/coarse.h"
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
	uint32_t *due;	      /* leaves, then nodes, above which the tree does not know of them */
	double *count, *cost; /* by type */
	double *ideal, *price;
	double best;	   /* of all prices so far */
	double head, tail; /* the best cut of the last ones */
};

struct order {
	double value;
	uint32_t item;
};

static void sort_tasks(struct search *s)
{
	const struct tv_tight *in = s->in;
	struct order *order = tv_alloc(in->n, sizeof *order);

	for (uint32_t v = 0; v < in->n; v++)
		order[v] = (struct order){ -in->head[v], v };
	tv_sort_by_number(order, in->n, sizeof *order, 0, NULL);
	for (uint32_t i = 0; i < in->n; i++)
		s->by_head[i] = order[i].item;
	for (uint32_t v = 0; v < in->n; v++)
		order[v] = (struct order){ in->tail[v], v };
	tv_sort_by_number(order, in->n, sizeof *order, 0, NULL);
	for (uint32_t i = 0, leaf = 0; i < in->n; i++) {
		leaf += i > 0 && order[i].value > order[i - 1].value;
		s->at[order[i].item] = leaf;
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

static void find_costs(struct search *s)
{
	for (size_t t = 0; t < s->area.ntypes; t++)
		s->cost[t] = cost_of(s, t);
}

static void set_price(struct search *s, const double *price)
{
	memcpy(s->price, price, s->area.nresources * sizeof *price);
	find_costs(s);
}

static void join(struct range *range, uint32_t i)
{
	const struct range *low = &range[2 * i], *high = low + 1;
	bool of_low = low->best + high->cost > high->best;

	range[i] = (struct range){ low->cost + high->cost,
				   of_low ? low->best + high->cost : high->best,
				   of_low ? low->tail : high->tail };
}

static double cost_of_task(const struct search *s, uint32_t v)
{
	return s->in->count[v] * s->cost[s->in->type[v]];
}

/* Its leaf, which is returned. */
static uint32_t see_task(struct search *s, uint32_t v)
{
	uint32_t i = s->leaves + s->at[v];

	s->range[i].cost += cost_of_task(s, v);
	s->range[i].best = s->in->tail[v] + s->range[i].cost;
	s->range[i].tail = s->in->tail[v];
	return i;
}

/* Joins the ranges above the first n of s->due, each once where neighbors share it. */
static void join_due(struct search *s, uint32_t n)
{
	while (n > 0 && s->due[0] > 1) {
		uint32_t above = 0;

		for (uint32_t i = 0; i < n; i++)
			if (above == 0 || s->due[above - 1] != s->due[i] / 2)
				s->due[above++] = s->due[i] / 2;
		n = above;
		for (uint32_t i = 0; i < n; i++)
			join(s->range, s->due[i]);
	}
}

/* What s->cost proves: the max over all cuts with above < h <= upto, which is that of s->head and
 * s->tail; or `floor`, if that is no less. Tasks are joined when they could change it: they raise
 * the best cut by their cost at most, and a cut of them alone has no larger tail than they. */
static double prove(struct search *s, double above, double upto, double floor)
{
	const struct tv_tight *in = s->in;
	double best = floor, cost = 0, tail = 0;
	uint32_t i = 0, ndue = 0;

	for (uint32_t k = 0; k < 2 * s->leaves; k++)
		s->range[k] = (struct range){ 0, -INFINITY, 0 };
	for (; i < in->n && in->head[s->by_head[i]] > upto; i++)
		see_task(s, s->by_head[i]);
	for (uint32_t k = s->leaves; k-- > 1;)
		join(s->range, k);
	for (; i < in->n && in->head[s->by_head[i]] > above; i++) {
		uint32_t v = s->by_head[i];
		double head = in->head[v];

		s->due[ndue++] = see_task(s, v);
		cost += cost_of_task(s, v);
		tail = fmax(tail, in->tail[v]);
		if (head + fmax(s->range[1].best, tail) + cost <= best)
			continue;
		join_due(s, ndue);
		ndue = 0;
		cost = tail = 0;
		if (head + s->range[1].best <= best)
			continue;
		best = head + s->range[1].best;
		s->head = head;
		s->tail = s->range[1].tail;
	}
	s->best = fmax(s->best, best);
	return best;
}

/* The same of s->price and all cuts. */
static double prove_prices(struct search *s)
{
	find_costs(s);
	return prove(s, -1, INFINITY, -1);
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
	double before = -1, now = prove_prices(s);

	while (now > before) {
		before = now;
		if (solve(s, s->head, s->tail, err) < 0)
			return -1;
		now = prove_prices(s);
	}
	return 0;
}

/* Too many prices: climbs from those of the area bound and from each resource type alone. */
static int climb_all(struct search *s, struct tv_error *err)
{
	const struct tv_area *area = &s->area;
	int rc = solve(s, 0, 0, err);

	if (rc == 0)
		rc = climb(s, err);
	for (size_t r = 0; r < area->nresources && rc == 0; r++) {
		if (area->workers[r] <= 0)
			continue;
		for (size_t k = 0; k < area->nresources; k++)
			s->price[k] = k == r ? 1 / area->workers[r] : 0;
		rc = climb(s, err);
	}
	return rc;
}

/* What s->price proves with the cuts of those heads that the coarse limits promise most of: near to
 * the max over all cuts, at a small part of its cost. */
static void prove_best_heads(struct search *s, const struct tv_coarse *coarse)
{
	struct tv_coarse_limit limit;

	find_costs(s);
	limit = tv_coarse_limit(coarse, s->cost, 0);
	limit = tv_coarse_limit(coarse, s->cost, nextafter(limit.max, 0));
	prove(s, limit.above, limit.upto, s->best);
}

/* Proves with those prices that can raise the bound, the most promising first, after
 * those of all tasks. False: there are too many of them. */
static bool prove_all(struct search *s, const struct tv_prices *prices)
{
	size_t nr = s->area.nresources, tried = 0, max = TV_TIGHT_STEPS / s->in->n + 1;
	struct order *order = tv_alloc(prices->n, sizeof *order);
	struct tv_coarse coarse;
	struct tv_coarse_limit limit;

	tv_coarse_init(&coarse, s->in);
	prove_best_heads(s, &coarse);
	for (size_t k = 0; k < prices->n; k++) {
		set_price(s, prices->at + k * nr);
		limit = tv_coarse_limit(&coarse, s->cost, 0);
		order[k] = (struct order){ -limit.max, (uint32_t)k };
	}
	if (prices->n > 1)
		tv_sort_by_number(order, prices->n, sizeof *order, 0, NULL);
	for (size_t k = 0; k < prices->n && -order[k].value > s->best && tried <= max; k++) {
		set_price(s, prices->at + order[k].item * nr);
		limit = tv_coarse_limit(&coarse, s->cost, s->best);
		tried++;
		if (tried <= max && limit.max > s->best)
			prove(s, limit.above, limit.upto, s->best);
	}
	tv_coarse_release(&coarse);
	tv_free(order);
	return tried <= max;
}

static int search(struct search *s, bool *all, struct tv_error *err)
{
	struct tv_prices prices;
	int rc = solve(s, 0, 0, err);

	if (rc < 0)
		return -1;
	*all = false;
	if (tv_prices_init(&prices, &s->area, TV_TIGHT_PRICES))
		*all = prove_all(s, &prices);
	tv_prices_release(&prices);
	return *all ? 0 : climb_all(s, err);
}

int tv_tight_bound(const struct tv_tight *tight, double *bound, bool *all, struct tv_error *err)
{
	struct search s = { .in = tight, .area = *tight->area };
	size_t types = s.area.ntypes, nr = s.area.nresources;
	int rc = 0;

	*all = true;
	if (tight->n > 0) {
		s.by_head = tv_alloc(tight->n, sizeof *s.by_head);
		s.due = tv_alloc(tight->n, sizeof *s.due);
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
	tv_free(s.due);
	tv_free(s.range);
	tv_free(s.count);
	tv_free(s.cost);
	tv_free(s.ideal);
	tv_free(s.price);
	return rc;
}
