/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_sort.c -- puts the rows of a table in another order, in place where they move to near places. */
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/table.h"
#include "trace/text.h"

enum { TOGETHER = 4096 }; /* rows, which the cache has room for */

/* Rows [first, first + n) that change places among themselves, and copies of their cells. */
struct exchange {
	const uint32_t *order; /* of the table */
	uint32_t first, n;
	union {
		int64_t *i;
		uint32_t *u;
	};
	bool *present;
	char *items; /* of texts and lists, items_cap bytes */
	size_t cap, presents_cap, items_cap;
};

static void set_present(struct tv_column *c, uint32_t row, bool present)
{
	uint64_t bit = (uint64_t)1 << row % 64;

	c->valid[row / 64] = present ? c->valid[row / 64] | bit : c->valid[row / 64] & ~bit;
}

static void exchange_presence(struct exchange *x, struct tv_column *c)
{
	if (c->valid == NULL)
		return;
	TV_GROW(x->present, 0, x->presents_cap, x->n);
	for (uint32_t k = 0; k < x->n; k++)
		x->present[k] = !tv_missing(c, x->first + k);
	for (uint32_t k = 0; k < x->n; k++)
		set_present(c, x->first + k, x->present[x->order[x->first + k] - x->first]);
}

/* Texts and lists: where each ends is a cell. */
static void exchange_items(struct exchange *x, struct tv_column *c)
{
	size_t size = c->type == TV_TEXT ? 1 : sizeof *c->items;
	char *items = c->type == TV_TEXT ? c->bytes : (char *)c->items;
	uint32_t begin = x->first == 0 ? 0 : c->u[x->first - 1], at = begin;
	uint32_t end = c->u[x->first + x->n - 1];

	if (end == begin)
		return;
	tv_grow(&x->items, 0, &x->items_cap, (end - begin) * size, 1);
	memcpy(x->items, items + begin * size, (end - begin) * size);
	for (uint32_t k = 0; k < x->n; k++) {
		uint32_t from = x->order[x->first + k] - x->first;
		uint32_t start = from == 0 ? begin : x->u[from - 1], length = x->u[from] - start;

		memcpy(items + at * size, x->items + (start - begin) * size, length * size);
		at += length;
		c->u[x->first + k] = at;
	}
}

static void exchange_numbers(struct exchange *x, struct tv_column *c)
{
	const uint32_t *order = x->order + x->first;

	if (c->few != NULL) {
		tv_few_exchange(c->few, x->first, order, x->n, x->i);
		return;
	}
	memcpy(x->i, c->i + x->first, x->n * sizeof *x->i);
	for (uint32_t k = 0; k < x->n; k++)
		c->i[x->first + k] = x->i[order[k] - x->first];
}

static void exchange_column(struct exchange *x, struct tv_column *c)
{
	const uint32_t *order = x->order + x->first;

	exchange_presence(x, c);
	tv_grow(&x->i, 0, &x->cap, x->n, sizeof *x->i);
	switch (c->type) {
	case TV_TIME:
	case TV_INT:
	case TV_DOUBLE:
		exchange_numbers(x, c);
		return;
	case TV_LABEL:
		memcpy(x->u, c->u + x->first, x->n * sizeof *x->u);
		for (uint32_t k = 0; k < x->n; k++)
			c->u[x->first + k] = x->u[order[k] - x->first];
		return;
	case TV_TEXT:
	case TV_LIST:
		memcpy(x->u, c->u + x->first, x->n * sizeof *x->u);
		exchange_items(x, c);
	}
}

/* The row behind the smallest range from `first` on whose rows change places only among themselves. */
static uint32_t range_end(const uint32_t *order, uint32_t first)
{
	uint32_t end = first + 1;

	for (uint32_t row = first; row < end; row++)
		if (order[row] >= end)
			end = order[row] + 1;
	return end;
}

static uint32_t largest_range(const uint32_t *order, uint32_t n)
{
	uint32_t largest = 0;

	for (uint32_t row = 0, end; row < n; row = end) {
		end = range_end(order, row);
		largest = end - row > largest ? end - row : largest;
	}
	return largest;
}

/* Ranges that follow each other are exchanged together. */
static void exchange_rows(struct tv_table *table, const uint32_t *order)
{
	struct exchange x = { .order = order };

	for (uint32_t end; x.first < table->nrows; x.first = end) {
		end = range_end(order, x.first);
		if (end - x.first == 1)
			continue;
		while (end < table->nrows && end - x.first < TOGETHER)
			end = range_end(order, end);
		x.n = end - x.first;
		for (size_t i = 0; i < table->ncols; i++)
			exchange_column(&x, table->col[i]);
	}
	tv_free(x.i);
	tv_free(x.present);
	tv_free(x.items);
}

void tv_table_sort(struct tv_table *table, const uint32_t *order)
{
	if (largest_range(order, table->nrows) <= TOGETHER)
		exchange_rows(table, order);
	else
		tv_table_permute(table, order);
}

/* ---- by what rows say ---- */

enum { NAMES_MAX = 8 };

struct names {
	const struct tv_column *column[NAMES_MAX];
	size_t n;
};

static int compare_cells(const struct tv_column *c, uint32_t a, uint32_t b)
{
	if (tv_missing(c, a) || tv_missing(c, b))
		return tv_missing(c, b) - tv_missing(c, a);
	if (c->type != TV_LABEL)
		return TV_COMPARE(tv_number(c, a), tv_number(c, b));
	return c->u[a] == c->u[b] ? 0
				  : tv_natural_order(tv_pool_text(c->pool, c->u[a]),
						     tv_pool_text(c->pool, c->u[b]));
}

static int by_names(const void *a, const void *b, void *context)
{
	const struct names *names = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	for (size_t i = 0; i < names->n; i++) {
		int order = compare_cells(names->column[i], x, y);

		if (order != 0)
			return order;
	}
	return TV_COMPARE(x, y);
}

static int64_t time_of(const struct tv_column *time, uint32_t row)
{
	return time == NULL ? 0 : tv_missing(time, row) ? INT64_MAX : time->i[row];
}

static bool in_order(const struct tv_column *time, uint32_t n, struct names *names)
{
	for (uint32_t row = 1, last = 0; row < n; last = row++) {
		int64_t before = time_of(time, last), now = time_of(time, row);

		if (now < before || (now == before && by_names(&last, &row, names) > 0))
			return false;
	}
	return true;
}

uint32_t *tv_table_order(const struct tv_table *table, const char *by, const char *const *then)
{
	const struct tv_column *time = by == NULL ? NULL : tv_table_find(table, by);
	struct names names = { .n = 0 };
	uint32_t n = table->nrows, *order;
	int64_t *copy = NULL;
	const int64_t *times;

	for (; *then != NULL; then++)
		if ((names.column[names.n] = tv_table_find(table, *then)) != NULL)
			names.n++;
	if ((by != NULL && time == NULL) || in_order(time, n, &names))
		return NULL;
	order = tv_alloc(n, sizeof *order);
	if (time == NULL || time->valid != NULL)
		copy = tv_alloc(n, sizeof *copy);
	for (uint32_t row = 0; row < n; row++) {
		order[row] = row;
		if (copy != NULL)
			copy[row] = time_of(time, row);
	}
	times = copy != NULL ? copy : time->i;
	tv_sort_rows_by_time(order, n, times);
	for (uint32_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && times[order[end]] == times[order[first]]; end++)
			;
		if (end - first > 1)
			qsort_r(order + first, end - first, sizeof *order, by_names, &names);
	}
	tv_free(copy);
	return order;
}
