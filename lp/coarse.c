/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coarse.c -- how much prices can prove at most of all cuts: a limit by cell of a coarse grid. */
#include "lp/coarse.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* The range of each value into at[]; the max of each range, in a new array; returns how many, not more than
 * `most`. */
static size_t divide(const double *value, uint32_t n, size_t most, uint32_t *at, double **max)
{
	double *sorted = tv_alloc(n, sizeof *sorted);
	size_t distinct = 0, nranges;

	memcpy(sorted, value, n * sizeof *value);
	tv_sort_by_number(sorted, n, sizeof *sorted, 0, NULL);
	for (uint32_t i = 0; i < n; i++)
		distinct += i == 0 || sorted[i] > sorted[i - 1];
	*max = tv_alloc(most, sizeof **max);
	/* Each range ends with all that is equal to its last value. */
	nranges = 0;
	for (uint32_t i = 0, k = 0; i < n; i++) {
		bool last = i + 1 == n || sorted[i + 1] > sorted[i];

		if (!last
		    || (distinct > most && i + 1 < n
			&& (uint64_t)(i + 1) * most < (uint64_t)(k + 1) * n))
			continue;
		(*max)[nranges++] = sorted[i];
		k = (uint32_t)((uint64_t)(i + 1) * most / n);
	}
	for (uint32_t v = 0; v < n; v++) {
		size_t below = tv_count_upto(&value[v], *max, nranges, sizeof **max,
					     tv_compare_double);

		at[v] = (uint32_t)(below > 0 && (*max)[below - 1] == value[v] ? below - 1 : below);
	}
	tv_free(sorted);
	return nranges;
}

static double *cell(const struct tv_coarse *coarse, size_t i, size_t j)
{
	return coarse->number + (i * coarse->ntails + j) * coarse->ntypes;
}

/* Adds to each cell those at higher heads, or tails, of the same line. */
static void add_up(struct tv_coarse *coarse)
{
	for (size_t i = coarse->nheads; i-- > 0;)
		for (size_t j = coarse->ntails; j-- > 0;)
			for (size_t t = 0; t < coarse->ntypes && j + 1 < coarse->ntails; t++)
				cell(coarse, i, j)[t] += cell(coarse, i, j + 1)[t];
	for (size_t i = coarse->nheads; i-- > 0;)
		for (size_t k = 0; k < coarse->ntails * coarse->ntypes && i + 1 < coarse->nheads;
		     k++)
			cell(coarse, i, 0)[k] += cell(coarse, i + 1, 0)[k];
}

void tv_coarse_init(struct tv_coarse *coarse, const struct tv_tight *in)
{
	uint32_t *head = tv_alloc(in->n, sizeof *head), *tail = tv_alloc(in->n, sizeof *tail);
	size_t ranges = TV_COARSE_RANGES;

	coarse->ntypes = in->area->ntypes;
	while (ranges > 1 && ranges * ranges * coarse->ntypes > TV_COARSE_NUMBERS)
		ranges--;
	coarse->nheads = divide(in->head, in->n, ranges, head, &coarse->head);
	coarse->ntails = divide(in->tail, in->n, ranges, tail, &coarse->tail);
	coarse->number = tv_alloc(coarse->nheads * coarse->ntails * coarse->ntypes,
				  sizeof *coarse->number);
	for (uint32_t v = 0; v < in->n; v++)
		cell(coarse, head[v], tail[v])[in->type[v]] += in->count[v];
	add_up(coarse);
	tv_free(head);
	tv_free(tail);
}

void tv_coarse_release(struct tv_coarse *coarse)
{
	tv_free(coarse->head);
	tv_free(coarse->tail);
	tv_free(coarse->number);
	*coarse = (struct tv_coarse){ 0 };
}

/* Of the cells of one range of heads. */
static double limit_of(const struct tv_coarse *coarse, size_t i, const double *cost)
{
	double limit = -1;

	for (size_t j = 0; j < coarse->ntails; j++) {
		const double *number = cell(coarse, i, j);
		double sum = 0, some = 0;

		for (size_t t = 0; t < coarse->ntypes; t++) {
			some += number[t];
			sum += number[t] > 0 ? number[t] * cost[t] : 0;
		}
		if (some > 0)
			limit = fmax(limit, coarse->head[i] + sum + coarse->tail[j]);
	}
	return limit;
}

struct tv_coarse_limit tv_coarse_limit(const struct tv_coarse *coarse, const double *cost,
				       double bound)
{
	struct tv_coarse_limit limit = { -1, -1, -1 };

	for (size_t i = 0; i < coarse->nheads; i++) {
		double of = limit_of(coarse, i, cost);

		if (of > bound && limit.max <= bound)
			limit.above = i > 0 ? coarse->head[i - 1] : -1;
		if (of > bound)
			limit.upto = coarse->head[i];
		limit.max = fmax(limit.max, of);
	}
	return limit;
}
