/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sides.c -- runs that are compared, and their executions by type. */
#include "analysis/compare/sides.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"

static int by_types(const void *a, const void *b)
{
	const struct tv_exchange *x = a, *y = b;
	int order = tv_natural_order(x->value, y->value);

	return order != 0 ? order : tv_natural_order(x->rtype, y->rtype);
}

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

static int64_t makespan_of(const struct tv_run *run)
{
	return run->tasks.finish - run->tasks.begin;
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

int tv_side_weights_init(struct tv_side_weights *w, const struct tv_side *side, size_t n,
			 const char *name, struct tv_error *err)
{
	struct tv_named_weight *weight;

	*w = (struct tv_side_weights){ 0 };
	for (size_t s = 0; s < n && name != NULL; s++)
		if (strcmp(name, "pool") == 0 || strcmp(name, side[s].label) == 0) {
			w->named = true;
			for (size_t i = 0; i < side[s].n; i++)
				if (tv_exchanges_add(&w->pool, side[s].run[i], 0, err) < 0)
					return -1;
		}
	weight = tv_alloc(w->pool.n, sizeof *weight);
	for (size_t i = 0; i < w->pool.n; i++)
		weight[i] = (struct tv_named_weight){
			w->pool.at[i].value,
			w->pool.at[i].rtype,
			(double)w->pool.at[i].time[0] / (double)w->pool.at[i].n[0],
		};
	w->weights = (struct tv_named_weights){ name, weight, w->pool.n };
	return 0;
}

void tv_side_weights_release(struct tv_side_weights *w)
{
	tv_exchanges_release(&w->pool);
	tv_free((void *)w->weights.weight);
	*w = (struct tv_side_weights){ 0 };
}
