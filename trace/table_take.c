/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_take.c -- some rows of a table, or all in another order, as a table. */
#include "trace/alloc.h"
#include "trace/table_columns.h"

static bool all_missing(const struct tv_column *c)
{
	uint64_t present = 0;

	for (uint32_t i = 0; c->valid != NULL && i < (c->n + 63) / 64; i++)
		present |= c->valid[i];
	return c->valid != NULL && present == 0;
}

/* The cells of n > 0 rows of a column of numbers or labels, into one without cells. */
static void take_cells(struct tv_column *to, const struct tv_column *from, const uint32_t *order,
		       uint32_t n)
{
	if (all_missing(from))
		return;
	to->n = n;
	if (from->few != NULL)
		to->few = tv_few_take(from->few, order, n);
	else
		tv_grow(&to->i, 0, &to->cap, n, tv_cell_size(to->type));
	for (uint32_t row = 0; to->i != NULL && row < n; row++)
		if (to->type == TV_LABEL)
			to->u[row] = from->u[order[row]];
		else
			to->i[row] = from->i[order[row]];
	for (uint32_t row = 0; from->valid != NULL && row < n; row++)
		if (tv_missing(from, order[row])) {
			if (to->valid == NULL)
				tv_column_need_bitmap(to, n - 1);
			to->valid[row / 64] &= ~((uint64_t)1 << row % 64);
		}
}

/* The cells of n rows of a column, into one without cells. */
static void take_column(struct tv_column *to, const struct tv_column *from, const uint32_t *order,
			uint32_t n)
{
	to->type = from->type;
	to->derived = from->derived;
	to->known = from->known;
	to->pool = from->pool;
	if (!tv_is_var(to) && n > 0)
		take_cells(to, from, order, n);
	for (uint32_t row = 0; tv_is_var(to) && row < n; row++)
		tv_copy_cell(to, row, from, order[row]);
}

void tv_table_take(const struct tv_table *table, const uint32_t *order, uint32_t n,
		   struct tv_table *out)
{
	tv_table_init(out, table->pool);
	out->nrows = n;
	for (size_t i = 0; i < table->ncols; i++)
		take_column(tv_table_append_column(out, table->col[i]->name), table->col[i], order,
			    n);
	tv_table_finish(out);
}

void tv_table_permute(struct tv_table *table, const uint32_t *order)
{
	struct {
		void *cells;
		size_t cap;
	} spare[2] = { { NULL, 0 }, { NULL, 0 } }; /* of labels and of numbers, used again */

	for (size_t i = 0; i < table->ncols; i++) {
		struct tv_column *c = table->col[i], to = { .name = c->name };
		const bool wide = tv_cell_size(c->type) == sizeof(int64_t);

		if (c->few == NULL) {
			to.i = spare[wide].cells;
			to.cap = spare[wide].cap;
			spare[wide].cells = c->i;
			spare[wide].cap = c->cap;
		}
		take_column(&to, c, order, table->nrows);
		tv_few_free(c->few);
		tv_free(c->bytes);
		tv_free(c->items);
		tv_free(c->valid);
		*c = to;
		tv_table_finish_column(table, c);
	}
	tv_free(spare[0].cells);
	tv_free(spare[1].cells);
}
