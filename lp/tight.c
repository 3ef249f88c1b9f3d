/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tight.c -- path before + area + path after, over cuts chosen by prices. */
#include "lp/tight.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/sorted.h"

/* Values of h or q, ascending, and for every task the last one that it reaches. */
struct axis {
	double *value;
	uint32_t n;
	uint32_t *at; /* by task */
};

/* Tasks of one type that are the same to all programs: those that reach a pair of values and no later one. */
struct part {
	uint32_t i, j, type;
	double count;
};

struct search {
	const struct tv_tight *in;
	struct axis before, after;
	struct part *part; /* by i, then j */
	uint32_t nparts;
	uint32_t *reach; /* by i: S(i, j) is not empty for so many j */
	/* By pair (i, j) of the axes, before.n x after.n; a border of zeros at the ends: */
	uint32_t *size; /* tasks of S(i, j) */
	double *sum;	/* what a vector of prices proves of its area */
	double *proved; /* by pair: the best bound so far; -1 = not to be tried (again) */
	/* The program of one pair: */
	struct tv_area area; /* types that occur in it */
	double *total;	     /* by type of the input */
	double *count, *time, *ideal;
	double *price; /* by resource type */
	double best;
};

/* Index of the last of value[0..n), ascending, that is at most x; value[0] is. */
static uint32_t place(const double *value, uint32_t n, double x)
{
	uint32_t low = 0, high = n;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (value[middle] <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void init_axis(struct axis *axis, const double *x, uint32_t n)
{
	uint32_t distinct = 0;

	axis->value = tv_alloc(n, sizeof *axis->value);
	axis->at = tv_alloc(n, sizeof *axis->at);
	memcpy(axis->value, x, n * sizeof *x);
	tv_sort_by_number(axis->value, n, sizeof *axis->value, 0, NULL);
	for (uint32_t i = 0; i < n; i++)
		if (distinct == 0 || axis->value[i] > axis->value[distinct - 1])
			axis->value[distinct++] = axis->value[i];
	axis->n = distinct < TV_TIGHT_CUTS ? distinct : TV_TIGHT_CUTS;
	for (uint32_t i = 0; i < axis->n && distinct > axis->n; i++)
		axis->value[i] = axis->value[(uint64_t)i * distinct / axis->n];
	for (uint32_t v = 0; v < n; v++)
		axis->at[v] = place(axis->value, axis->n, x[v]);
}

static size_t cell(const struct search *s, uint32_t i, uint32_t j)
{
	return (size_t)i * (s->after.n + 1) + j;
}

/* All tasks, by the pair and then the type that they have. */
static void list_parts(struct search *s)
{
	const struct tv_tight *in = s->in;
	uint32_t *pair = tv_alloc(in->n, sizeof *pair);
	/* By type: its part of the current pair, if that is one. */
	uint32_t *at = tv_alloc(in->area->ntypes, sizeof *at), first = 0;
	struct tv_groups tasks;
	size_t cap = 0;

	for (uint32_t v = 0; v < in->n; v++)
		pair[v] = (uint32_t)cell(s, s->before.at[v], s->after.at[v]);
	tv_groups_init(&tasks, pair, in->n, (uint32_t)cell(s, s->before.n, 0));
	for (uint32_t k = 0; k < in->n; k++) {
		uint32_t v = tasks.row[k], *part = &at[in->type[v]];

		if (k > 0 && pair[v] != pair[tasks.row[k - 1]])
			first = s->nparts;
		if (*part < first || *part >= s->nparts || s->part[*part].type != in->type[v]) {
			TV_GROW(s->part, s->nparts, cap, 1);
			s->part[s->nparts] = (struct part){ s->before.at[v], s->after.at[v],
							    in->type[v], 0 };
			*part = s->nparts++;
		}
		s->part[*part].count += in->count[v];
	}
	tv_groups_release(&tasks);
	tv_free(pair);
	tv_free(at);
}

/* Numbers of tasks, and which pairs are worth trying: S(i, j) is more than its neighbors. */
static void count_tasks(struct search *s)
{
	for (uint32_t v = 0; v < s->in->n; v++)
		s->size[cell(s, s->before.at[v], s->after.at[v])]++;
	for (uint32_t i = s->before.n; i-- > 0;)
		for (uint32_t j = s->after.n; j-- > 0;)
			s->size[cell(s, i, j)] += s->size[cell(s, i + 1, j)]
						+ s->size[cell(s, i, j + 1)]
						- s->size[cell(s, i + 1, j + 1)];
	for (uint32_t i = 0; i < s->before.n; i++)
		for (uint32_t j = 0; j < s->after.n; j++) {
			uint32_t size = s->size[cell(s, i, j)];
			bool differs = size > s->size[cell(s, i + 1, j)]
				    && size > s->size[cell(s, i, j + 1)];

			s->proved[cell(s, i, j)] = differs ? 0 : -1;
			s->reach[i] += size > 0;
		}
}

/* The min cost of one task of a type. */
static double cost_of(const struct search *s, uint32_t type)
{
	const struct tv_area *area = s->in->area;
	double min = INFINITY;

	for (size_t r = 0; r < area->nresources; r++) {
		double time = area->time[type * area->nresources + r];

		if (time >= 0 && area->workers[r] > 0)
			min = fmin(min, time * s->price[r]);
	}
	return min;
}

/* What s->price proves of every pair. */
static void prove(struct search *s)
{
	double *cost = s->total; /* not in use meanwhile */

	for (uint32_t t = 0; t < s->in->area->ntypes; t++)
		cost[t] = cost_of(s, t);
	for (uint32_t i = 0; i < s->before.n; i++)
		memset(&s->sum[cell(s, i, 0)], 0, s->reach[i] * sizeof *s->sum);
	for (uint32_t k = 0; k < s->nparts; k++) {
		const struct part *part = &s->part[k];

		s->sum[cell(s, part->i, part->j)] += part->count * cost[part->type];
	}
	for (uint32_t i = s->before.n; i-- > 0;) {
		double *sum = &s->sum[cell(s, i, 0)], *proved = &s->proved[cell(s, i, 0)];
		const double *below = &s->sum[cell(s, i + 1, 0)];
		double row = 0;

		for (uint32_t j = s->reach[i]; j-- > 0;) {
			double bound;

			row += sum[j];
			sum[j] = row + below[j];
			bound = s->before.value[i] + sum[j] + s->after.value[j];
			if (proved[j] >= 0 && bound > proved[j])
				proved[j] = bound;
		}
	}
}

/* The program of S(i, j): the types that occur in it. */
static void state(struct search *s, uint32_t i, uint32_t j)
{
	const struct tv_area *area = s->in->area;
	size_t nr = area->nresources, n = 0;

	memset(s->total, 0, area->ntypes * sizeof *s->total);
	for (uint32_t k = 0; k < s->nparts; k++)
		if (s->part[k].i >= i && s->part[k].j >= j)
			s->total[s->part[k].type] += s->part[k].count;
	for (size_t t = 0; t < area->ntypes; t++) {
		if (s->total[t] <= 0)
			continue;
		s->count[n] = s->total[t];
		memcpy(s->time + n * nr, area->time + t * nr, nr * sizeof *s->time);
		n++;
	}
	s->area = (struct tv_area){ n, nr, s->count, s->time, area->workers };
}

static int try(struct search *s, uint32_t i, uint32_t j, struct tv_error *err)
{
	double bound;

	state(s, i, j);
	if (tv_area_prices(&s->area, &bound, s->ideal, s->price, err) < 0)
		return -1;
	s->proved[cell(s, i, j)] = -1;
	s->best = fmax(s->best, s->before.value[i] + bound + s->after.value[j]);
	prove(s);
	return 0;
}

/* The most promising pair that was not tried; false if there is none. */
static bool choose(const struct search *s, uint32_t *best_i, uint32_t *best_j)
{
	double best = -1;

	for (uint32_t i = 0; i < s->before.n; i++)
		for (uint32_t j = 0; j < s->reach[i]; j++)
			if (s->proved[cell(s, i, j)] > best) {
				best = s->proved[cell(s, i, j)];
				*best_i = i;
				*best_j = j;
			}
	return best >= 0;
}

static void allocate(struct search *s)
{
	const struct tv_tight *in = s->in;
	size_t types = in->area->ntypes, nr = in->area->nresources, cells;

	init_axis(&s->before, in->head, in->n);
	init_axis(&s->after, in->tail, in->n);
	cells = cell(s, s->before.n + 1, 0);
	list_parts(s);
	s->reach = tv_alloc(s->before.n, sizeof *s->reach);
	s->size = tv_alloc(cells, sizeof *s->size);
	s->sum = tv_alloc(cells, sizeof *s->sum);
	s->proved = tv_alloc(cells, sizeof *s->proved);
	s->total = tv_alloc(types, sizeof *s->total);
	s->count = tv_alloc(types, sizeof *s->count);
	s->time = tv_alloc(types * nr, sizeof *s->time);
	s->ideal = tv_alloc(types * nr, sizeof *s->ideal);
	s->price = tv_alloc(nr, sizeof *s->price);
}

static int search(struct search *s, struct tv_error *err)
{
	const struct tv_area *area = s->in->area;
	uint32_t i, j;
	int rc = 0;

	count_tasks(s);
	/* Prices before any program: of one resource type at a time, the others free. */
	for (size_t r = 0; r < area->nresources; r++) {
		if (area->workers[r] <= 0)
			continue;
		s->price[r] = 1 / area->workers[r];
		prove(s);
		s->price[r] = 0;
	}
	/* All tasks; S(0, 0) may be no proper cut, but is the area bound. */
	rc = try(s, 0, 0, err);
	for (int k = 1; k < TV_TIGHT_PROGRAMS && rc == 0 && choose(s, &i, &j); k++)
		rc = try(s, i, j, err);
	return rc;
}

int tv_tight_bound(const struct tv_tight *tight, double *bound, struct tv_error *err)
{
	struct search s = { .in = tight };
	int rc = 0;

	if (tight->n > 0) {
		allocate(&s);
		rc = search(&s, err);
	}
	*bound = s.best;
	tv_free(s.before.value);
	tv_free(s.before.at);
	tv_free(s.after.value);
	tv_free(s.after.at);
	tv_free(s.part);
	tv_free(s.reach);
	tv_free(s.size);
	tv_free(s.sum);
	tv_free(s.proved);
	tv_free(s.total);
	tv_free(s.count);
	tv_free(s.time);
	tv_free(s.ideal);
	tv_free(s.price);
	return rc;
}
