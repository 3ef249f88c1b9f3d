/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c -- typed columns that grow by the row. */
#include "trace/table.h"

#include <string.h>

#include "trace/alloc.h"

static size_t cell_size(enum tv_type type)
{
	return type == TV_TIME || type == TV_INT ? sizeof(int64_t)
	     : type == TV_DOUBLE		 ? sizeof(double)
						 : sizeof(uint32_t);
}

void tv_table_init(struct tv_table *table, struct tv_pool *pool)
{
	*table = (struct tv_table){ .pool = tv_pool_share(pool) };
}

static void column_free(struct tv_column *column)
{
	if (!column->borrowed) {
		tv_free(column->i);
		tv_free(column->bytes);
		tv_free(column->items);
		tv_free(column->valid);
	}
	tv_free(column->name);
	tv_free(column);
}

void tv_table_release(struct tv_table *table)
{
	for (size_t i = 0; i < table->ncols; i++)
		column_free(table->col[i]);
	tv_free(table->col);
	tv_pool_free(table->pool);
	*table = (struct tv_table){ 0 };
}

void tv_table_replace(struct tv_table *table, struct tv_table *from)
{
	tv_table_release(table);
	*table = *from;
	*from = (struct tv_table){ 0 };
}

struct tv_column *tv_table_find(const struct tv_table *table, const char *name)
{
	for (size_t i = 0; i < table->ncols; i++)
		if (strcmp(table->col[i]->name, name) == 0)
			return table->col[i];
	return NULL;
}

static struct tv_column *append_column(struct tv_table *table, const char *name)
{
	struct tv_column *column;

	TV_GROW(table->col, table->ncols, table->cols_cap, 1);
	column = tv_alloc(1, sizeof *column);
	column->name = tv_strdup(name);
	table->col[table->ncols++] = column;
	return column;
}

struct tv_column *tv_table_column(struct tv_table *table, const char *name, enum tv_type type,
				  struct tv_error *err)
{
	struct tv_column *column = tv_table_find(table, name);

	if (column != NULL) {
		if (column->type == type)
			return column;
		tv_fail(err, (struct tv_pos){ 0 }, "column %s holds %s, expected %s", name,
			tv_type_name(column->type), tv_type_name(type));
		return NULL;
	}
	column = append_column(table, name);
	column->type = type;
	column->pool = table->pool;
	return column;
}

const char *tv_table_text(const struct tv_table *table, const char *column, uint32_t row)
{
	return tv_pool_text(table->pool, tv_label(tv_table_find(table, column), row));
}

void tv_table_borrow(struct tv_table *table, const struct tv_column *column)
{
	struct tv_column *copy = append_column(table, column->name);
	char *name;

	name = copy->name;
	*copy = *column;
	copy->name = name;
	copy->borrowed = true;
}

void tv_table_drop(struct tv_table *table, struct tv_column *column)
{
	size_t i = 0;

	while (table->col[i] != column)
		i++;
	table->ncols--;
	memmove(&table->col[i], &table->col[i + 1], (table->ncols - i) * sizeof *table->col);
	column_free(column);
}

uint32_t tv_table_add_row(struct tv_table *table, struct tv_error *err)
{
	if (table->nrows >= TV_ROWS_MAX) {
		tv_fail(err, (struct tv_pos){ 0 },
			"more than %lu rows in one table, which is the limit",
			(unsigned long)TV_ROWS_MAX);
		return TV_NONE;
	}
	return table->nrows++;
}

static bool is_var(const struct tv_column *c)
{
	return c->type == TV_TEXT || c->type == TV_LIST;
}

/* The bitmap, with room for `rows` bits and every row set so far marked present. */
static void need_bitmap(struct tv_column *c, uint32_t rows)
{
	size_t have = c->valid == NULL ? 0 : c->valid_cap, words = (size_t)rows / 64 + 1;

	if (words <= have)
		return;
	TV_GROW(c->valid, have, c->valid_cap, words - have);
	memset(c->valid + have, 0, (c->valid_cap - have) * sizeof *c->valid);
	if (have == 0) {
		memset(c->valid, 0xff, c->n / 64 * sizeof *c->valid);
		if (c->n % 64 != 0)
			c->valid[c->n / 64] = ((uint64_t)1 << c->n % 64) - 1;
	}
}

static void store_missing(struct tv_column *c, uint32_t row)
{
	if (is_var(c))
		c->u[row] = row == 0 ? 0 : c->u[row - 1];
	else if (c->type == TV_LABEL)
		c->u[row] = TV_NONE;
	else
		c->i[row] = 0; /* all bits zero: 0.0 as well */
}

/* Makes rows [c->n, row] exist; the new ones are missing. */
static int reach(struct tv_column *c, uint32_t row)
{
	size_t size = cell_size(c->type), room = c->cap;

	if (row < c->n)
		return 0;
	if (row >= c->cap)
		tv_grow(&c->i, c->n, &room, (size_t)row + 1 - c->n, size);
	c->cap = room;
	if (row > c->n)
		need_bitmap(c, row);
	for (; c->n < row; c->n++)
		store_missing(c, c->n);
	return 0;
}

/* Marks row (== c->n or below) present or missing, and counts it. */
static int mark(struct tv_column *c, uint32_t row, bool present)
{
	if (c->valid != NULL || !present) {
		need_bitmap(c, row);
		if (present)
			c->valid[row / 64] |= (uint64_t)1 << row % 64;
		else
			c->valid[row / 64] &= ~((uint64_t)1 << row % 64);
	}
	if (row >= c->n)
		c->n = row + 1;
	return 0;
}

int tv_set_int(struct tv_column *c, uint32_t row, int64_t value)
{
	if (reach(c, row) < 0)
		return -1;
	c->i[row] = value;
	return mark(c, row, true);
}

int tv_set_double(struct tv_column *c, uint32_t row, double value)
{
	if (reach(c, row) < 0)
		return -1;
	c->d[row] = value;
	return mark(c, row, true);
}

int tv_set_label(struct tv_column *c, uint32_t row, uint32_t label)
{
	if (reach(c, row) < 0)
		return -1;
	c->u[row] = label;
	return mark(c, row, label != TV_NONE);
}

int tv_set_string(struct tv_column *c, uint32_t row, const char *s, size_t n)
{
	if (c->type == TV_LABEL) {
		uint32_t label = tv_intern(c->pool, s, n);

		return label == TV_NONE ? -1 : tv_set_label(c, row, label);
	}
	if (row < c->n || n > UINT32_MAX - c->nitems || reach(c, row) < 0)
		return -1;
	tv_grow(&c->bytes, c->nitems, &c->items_cap, n, 1);
	if (n > 0)
		memcpy(c->bytes + c->nitems, s, n);
	c->nitems += n;
	c->u[row] = (uint32_t)c->nitems;
	return mark(c, row, true);
}

int tv_set_list(struct tv_column *c, uint32_t row, const uint32_t *label, size_t n)
{
	if (row < c->n || n > UINT32_MAX - c->nitems || reach(c, row) < 0)
		return -1;
	TV_GROW(c->items, c->nitems, c->items_cap, n);
	if (n > 0)
		memcpy(c->items + c->nitems, label, n * sizeof *label);
	c->nitems += n;
	c->u[row] = (uint32_t)c->nitems;
	return mark(c, row, true);
}

int tv_set_words(struct tv_column *c, uint32_t row, const char *s, size_t n)
{
	size_t nitems = c->nitems;

	if (row < c->n || reach(c, row) < 0)
		return -1;
	for (size_t i = 0, length; i < n; i += length + 1) {
		uint32_t label;

		for (length = 0; i + length < n && s[i + length] != ' '; length++)
			;
		if (length == 0)
			continue;
		label = tv_intern(c->pool, s + i, length);
		if (nitems >= UINT32_MAX)
			return -1;
		TV_GROW(c->items, nitems, c->items_cap, 1);
		c->items[nitems++] = label;
	}
	c->nitems = nitems;
	c->u[row] = (uint32_t)nitems;
	return mark(c, row, true);
}

const char *tv_string(const struct tv_column *c, uint32_t row, size_t *n)
{
	uint32_t begin;

	if (c->type == TV_LABEL) {
		*n = tv_pool_length(c->pool, c->u[row]);
		return tv_pool_text(c->pool, c->u[row]);
	}
	begin = row == 0 ? 0 : c->u[row - 1];
	*n = c->u[row] - begin;
	return *n == 0 ? "" : c->bytes + begin;
}

static void shrink(void *array, size_t *cap, size_t n, size_t size)
{
	void *old, *new;

	if (*cap - n < *cap / 8 || *cap == 0)
		return;
	memcpy(&old, array, sizeof old);
	new = tv_realloc(old, n, size);
	if (new != NULL) {
		memcpy(array, &new, sizeof new);
		*cap = n;
	}
}

/* A column of numbers of which none was set: zeroed memory that is never touched costs nothing. */
static int finish_empty(struct tv_column *c, uint32_t nrows)
{
	need_bitmap(c, nrows - 1);
	tv_free(c->i);
	c->i = tv_alloc(nrows, sizeof *c->i);
	c->cap = c->i != NULL ? nrows : 0;
	c->n = (uint32_t)c->cap;
	return c->i != NULL ? 0 : -1;
}

int tv_table_finish_column(struct tv_table *table, struct tv_column *c, struct tv_error *err)
{
	if (c->borrowed)
		return 0;
	if (c->n == 0 && table->nrows > 0 && !is_var(c) && c->type != TV_LABEL) {
		if (finish_empty(c, table->nrows) < 0)
			return tv_fail_memory(err);
	} else if (c->n < table->nrows) {
		if (reach(c, table->nrows - 1) < 0)
			return tv_fail_memory(err);
		store_missing(c, table->nrows - 1);
		if (mark(c, table->nrows - 1, false) < 0)
			return tv_fail_memory(err);
	}
	shrink(&c->i, &c->cap, c->n, cell_size(c->type));
	if (c->type == TV_TEXT)
		shrink(&c->bytes, &c->items_cap, c->nitems, 1);
	else if (c->type == TV_LIST)
		shrink(&c->items, &c->items_cap, c->nitems, sizeof *c->items);
	return 0;
}

int tv_table_finish(struct tv_table *table, struct tv_error *err)
{
	for (size_t i = 0; i < table->ncols; i++)
		if (tv_table_finish_column(table, table->col[i], err) < 0)
			return -1;
	return 0;
}

static int copy_cell(const struct tv_column *from, uint32_t at, struct tv_column *to, uint32_t row)
{
	const uint32_t *list;
	const char *text;
	uint32_t nlist;
	size_t n;

	if (tv_missing(from, at))
		return 0;
	switch (from->type) {
	case TV_TIME:
	case TV_INT:
		return tv_set_int(to, row, from->i[at]);
	case TV_DOUBLE:
		return tv_set_double(to, row, from->d[at]);
	case TV_LABEL:
		return tv_set_label(to, row, from->u[at]);
	case TV_TEXT:
		text = tv_string(from, at, &n);
		return tv_set_string(to, row, text, n);
	case TV_LIST:
		list = tv_list(from, at, &nlist);
		return tv_set_list(to, row, list, nlist);
	}
	return -1;
}

int tv_table_take(const struct tv_table *table, const uint32_t *order, uint32_t n,
		  struct tv_table *out, struct tv_error *err)
{
	tv_table_init(out, table->pool);
	out->nrows = n;
	for (size_t i = 0; i < table->ncols; i++) {
		const struct tv_column *from = table->col[i];
		struct tv_column *to = tv_table_column(out, from->name, from->type, err);

		if (to == NULL)
			goto failed;
		to->derived = from->derived;
		to->pool = from->pool;
		for (uint32_t row = 0; row < n; row++)
			if (copy_cell(from, order[row], to, row) < 0) {
				tv_fail_memory(err);
				goto failed;
			}
	}
	if (tv_table_finish(out, err) == 0)
		return 0;
failed:
	tv_table_release(out);
	return -1;
}
