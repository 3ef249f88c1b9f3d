/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sides.c -- runs that are compared, their executions by type, intervals over repeats. */
#include "analysis/compare/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/thread_time.h"
#include "analysis/core/statistics.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

TV_ORDER(by_types, struct tv_exchange, text(value), text(rtype))

/* One row for each pair of types. */
static void merge(struct tv_exchanges *list)
{
	size_t n = 0;

	if (list->n > 0)
		qsort(list->at, list->n, sizeof *list->at, by_types);
	for (size_t i = 0; i < list->n; i++) {
		const struct tv_exchange *from = &list->at[i];

		if (n == 0 || by_types(&list->at[n - 1], from) != 0) {
			list->at[n++] = *from;
			continue;
		}
		for (int side = 0; side < 2; side++) {
			list->at[n - 1].n[side] += from->n[side];
			list->at[n - 1].time[side] += from->time[side];
		}
	}
	list->n = n;
}

int tv_exchanges_add(struct tv_exchanges *list, struct tv_run *run, int side, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "summary", NULL, err);
	const struct tv_column *value, *rtype, *n, *time;

	if (table == NULL)
		return -1;
	TV_GROW(list->at, list->n, list->cap, table->nrows);
	value = tv_table_find(table, "Value");
	rtype = tv_table_find(table, "ResourceType");
	n = tv_table_find(table, "Executions");
	time = tv_table_find(table, "Time");
	for (uint32_t row = 0; row < table->nrows; row++) {
		struct tv_exchange *to = &list->at[list->n++];

		*to = (struct tv_exchange){
			.value = tv_pool_text(table->pool, tv_label(value, row)),
			.rtype = tv_pool_text(table->pool, tv_label(rtype, row)),
		};
		to->n[side] = n->i[row];
		to->time[side] = time->i[row];
	}
	merge(list);
	return 0;
}

void tv_exchanges_release(struct tv_exchanges *list)
{
	tv_free(list->at);
	*list = (struct tv_exchanges){ 0 };
}

static int64_t makespan_of(struct tv_run *run)
{
	return run->tasks.ncounted == 0 ? tv_threads_length(tv_run_threads(run))
					: run->tasks.finish - run->tasks.begin;
}

bool tv_sides_are_threads(const struct tv_side *side, size_t n)
{
	for (size_t s = 0; s < n; s++)
		for (size_t i = 0; i < side[s].n; i++)
			if (side[s].run[i]->tasks.ncounted > 0
			    || tv_run_threads(side[s].run[i])->n == 0)
				return false;
	return true;
}

struct tv_run *tv_side_median(const struct tv_side *side)
{
	size_t i, before = side->n;

	for (i = 0; before != (side->n - 1) / 2; i++) {
		int64_t own = makespan_of(side->run[i]);

		before = 0;
		for (size_t j = 0; j < side->n; j++)
			before += makespan_of(side->run[j]) < own
			       || (makespan_of(side->run[j]) == own && j < i);
	}
	return side->run[i - 1];
}

int tv_side_weights_init(struct tv_side_weights *weights, const struct tv_side *side, size_t n,
			 const char *name, struct tv_error *err)
{
	struct tv_named_weight *mean;

	*weights = (struct tv_side_weights){ 0 };
	for (size_t s = 0; s < n && name != NULL; s++)
		if (strcmp(name, "pool") == 0 || strcmp(name, side[s].label) == 0) {
			weights->named = true;
			for (size_t i = 0; i < side[s].n; i++)
				if (tv_exchanges_add(&weights->pool, side[s].run[i], 0, err) < 0)
					return -1;
		}
	mean = tv_alloc(weights->pool.n, sizeof *mean);
	for (size_t i = 0; i < weights->pool.n; i++)
		mean[i] = (struct tv_named_weight){
			weights->pool.at[i].value,
			weights->pool.at[i].rtype,
			(double)weights->pool.at[i].time[0] / (double)weights->pool.at[i].n[0],
		};
	weights->weights = (struct tv_named_weights){ name, mean, weights->pool.n };
	return 0;
}

void tv_side_weights_release(struct tv_side_weights *weights)
{
	tv_exchanges_release(&weights->pool);
	tv_free((void *)weights->weights.weight);
	*weights = (struct tv_side_weights){ 0 };
}

/* ---- repeats ---- */

static const double tail = (1 - TV_CONFIDENCE / 100.) / 2;

double tv_repeats_median(double *x, size_t n)
{
	tv_sort_numbers(x, n);
	return tv_quantile(x, n, 0.5);
}

struct tv_interval tv_repeats_interval(const double *x, size_t n)
{
	size_t k = 0;

	/* P(at most k of n values are below the median), as P(at least n - k are). */
	while (tv_binomial_tail((uint32_t)n, (uint32_t)(n - k), 0.5) <= tail)
		k++;
	return k == 0 ? (struct tv_interval){ 0 }
		      : (struct tv_interval){ true, x[k - 1], x[n - k] };
}

/*
 * P(U = u) for u <= max, into p[m * (max + 1) + u]. Of i and j runs the greatest value is one of
 * the i with probability i / (i + j), and then exceeds all j.
 */
static void mann_whitney(double *p, size_t n, size_t m, size_t max)
{
	for (size_t j = 0; j <= m; j++)
		p[j * (max + 1)] = 1;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			double *at = p + j * (max + 1);
			const double *fewer = at - (max + 1);
			double share = (double)i / (double)(i + j);

			for (size_t u = max + 1; u-- > 0;)
				at[u] = (1 - share) * fewer[u] + (u >= j ? share * at[u - j] : 0);
		}
}

size_t tv_repeats_cut(size_t n, size_t m)
{
	size_t max = n * m / 2, cut = 0;
	double *p = tv_alloc((m + 1) * (max + 1), sizeof *p), sum = 0;

	mann_whitney(p, n, m, max);
	/* A probability of exactly 2.5 % counts, whatever rounding makes of it. */
	while (cut < max && (sum += p[m * (max + 1) + cut]) <= tail * (1 + 1e-12))
		cut++;
	tv_free(p);
	return cut;
}

struct tv_interval tv_repeats_between(const double *a, size_t n, const double *b, size_t m,
				      bool ratio, size_t cut, double typical, double *buffer)
{
	struct tv_interval interval = { .known = cut > 0 };
	size_t npairs = 0;

	for (size_t i = 0; i < n && interval.known; i++)
		for (size_t j = 0; j < m; j++) {
			if (ratio && !(a[i] > 0 && b[j] > 0))
				interval.known = false;
			buffer[npairs++] = ratio ? b[j] / a[i] : b[j] - a[i];
		}
	if (!interval.known)
		return interval;
	tv_sort_numbers(buffer, npairs);
	interval.low = fmin(buffer[cut - 1], typical);
	interval.high = fmax(buffer[npairs - cut], typical);
	return interval;
}

void tv_side_failed(const struct tv_side *side, struct tv_error *err)
{
	if (err->status == TV_FAILED && err->file[0] == '\0')
		tv_clean_text(err->file, sizeof err->file, side->label);
}
