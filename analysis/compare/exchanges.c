/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchanges.c -- executions by task type and worker type, of several runs side by side. */
#include "analysis/compare/exchanges.h"

#include <stdlib.h>

#include "trace/alloc.h"

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
