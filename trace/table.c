/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c -- typed columns that grow by the row. */
#include "trace/table.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/table_columns.h"

void tv_table_init(struct tv_table *table, struct tv_pool *pool)
{
	*table = (struct tv_table){ .pool = tv_pool_share(pool) };
}

static void column_free(struct tv_column *column)
{
	if (!column->borrowed) {
		tv_few_free(column->few);
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

void tv_table_expect_few(struct tv_column *column)
{
	column->few = tv_few_new();
}

/* Makes the usual array of the numbers of a column that keeps them in short, with room for as many. */
static void expand(void *column)
{
	struct tv_column *c = column;
	struct tv_few *few = c->few;

	c->i = tv_realloc(NULL, tv_few_count(few), sizeof *c->i);
	c->cap = tv_few_count(few);
	tv_few_write(few, c->i, c->cap);
	__atomic_store_n(&c->few, NULL, __ATOMIC_RELEASE);
	tv_few_free(few);
}

/* The same where other threads may want it, too. */
static void expand_once(struct tv_column *c)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	size_t bytes = 0;
	bool enough;

	if (__atomic_load_n(&c->few, __ATOMIC_ACQUIRE) == NULL)
		return;
	pthread_mutex_lock(&lock);
	enough = c->few == NULL || tv_memory_try(expand, c, &bytes);
	pthread_mutex_unlock(&lock);
	if (!enough)
		tv_memory_exhausted(bytes);
}

struct tv_column *tv_table_at(const struct tv_table *table, size_t place)
{
	expand_once(table->col[place]);
	return table->col[place];
}

static struct tv_column *find(const struct tv_table *table, const char *name)
{
	for (size_t i = 0; i < table->ncols; i++)
		if (strcmp(table->col[i]->name, name) == 0)
			return table->col[i];
	return NULL;
}

struct tv_column *tv_table_find(const struct tv_table *table, const char *name)
{
	struct tv_column *column = find(table, name);

	if (column != NULL)
		expand_once(column);
	return column;
}

const struct tv_column *tv_table_in_short(const struct tv_table *table, const char *name)
{
	return find(table, name);
}

struct tv_column *tv_table_append_column(struct tv_table *table, const char *name)
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
		tv_fail(err, "column %s holds %s, expected %s", name, tv_type_name(column->type),
			tv_type_name(type));
		return NULL;
	}
	column = tv_table_append_column(table, name);
	column->type = type;
	column->pool = table->pool;
	return column;
}

const char *tv_table_text(const struct tv_table *table, const char *column, uint32_t row)
{
	return tv_pool_text(table->pool, tv_label(tv_table_find(table, column), row));
}

bool tv_table_is(const struct tv_table *table, const char *column, uint32_t row, const char *text)
{
	return strcmp(tv_table_text(table, column, row), text) == 0;
}

void tv_table_borrow(struct tv_table *table, const struct tv_column *column)
{
	struct tv_column *copy = tv_table_append_column(table, column->name);
	char *name;

	expand_once((struct tv_column *)(uintptr_t)column);
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

uint32_t tv_table_add_rows(struct tv_table *table, uint32_t n)
{
	uint32_t row = table->nrows;

	if (table->unread)
		return TV_NONE;
	if (n > TV_ROWS_MAX - row) {
		tv_memory_purpose("adding more than %lu rows to a table",
				  (unsigned long)TV_ROWS_MAX);
		tv_memory_exhausted(0);
	}
	table->nrows += n;
	return row;
}

uint32_t tv_table_add_row(struct tv_table *table)
{
	return tv_table_add_rows(table, 1);
}

void tv_table_reserve(struct tv_table *table, uint32_t rows)
{
	for (size_t i = 0; !table->unread && i < table->ncols; i++) {
		struct tv_column *c = table->col[i];

		if (c->few != NULL)
			tv_few_reserve(c->few, (size_t)c->n + rows);
		else if (!c->borrowed)
			tv_reserve(&c->i, c->n, &c->cap, rows, tv_cell_size(c->type));
	}
}

void tv_column_need_bitmap(struct tv_column *c, uint32_t rows)
{
	size_t have = c->valid == NULL ? 0 : c->valid_cap;
	size_t words = (size_t)(rows > c->n ? rows : c->n) / 64 + 1;

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

/* Sets a number, of doubles its bits, in a row that exists. */
static void store(struct tv_column *c, uint32_t row, int64_t number)
{
	if (c->few != NULL && tv_few_set(c->few, row, number))
		return;
	if (c->few != NULL)
		expand(c);
	c->i[row] = number;
}

static void store_missing(struct tv_column *c, uint32_t row)
{
	if (tv_is_var(c))
		c->u[row] = row == 0 ? 0 : c->u[row - 1];
	else if (c->type == TV_LABEL)
		c->u[row] = TV_NONE;
	else
		store(c, row, 0); /* all bits zero: 0.0 as well */
}

/* Makes rows [c->n, row] exist; the new ones are missing. */
static void extend(struct tv_column *c, uint32_t row)
{
	if (c->few != NULL)
		tv_few_reserve(c->few, (size_t)row + 1);
	else if (row >= c->cap)
		tv_grow(&c->i, c->n, &c->cap, (size_t)row + 1 - c->n, tv_cell_size(c->type));
	if (row > c->n)
		tv_column_need_bitmap(c, row);
	for (; c->n < row; c->n++)
		store_missing(c, c->n);
}

static inline void reach(struct tv_column *c, uint32_t row)
{
	if (row > c->n || row >= c->cap) /* not the next one, for which there is room */
		extend(c, row);
}

/* Marks row (== c->n or below) present or missing, and counts it. */
static inline void mark(struct tv_column *c, uint32_t row, bool present)
{
	if (c->valid != NULL || !present) {
		if (row / 64 >= c->valid_cap)
			tv_column_need_bitmap(c, row);
		if (present)
			c->valid[row / 64] |= (uint64_t)1 << row % 64;
		else
			c->valid[row / 64] &= ~((uint64_t)1 << row % 64);
	}
	if (row >= c->n)
		c->n = row + 1;
}

/* Prepares row for n more bytes or labels of a column that only appends. */
static void append(struct tv_column *c, uint32_t row, size_t n)
{
	assert(row >= c->n);
	if (n > UINT32_MAX - c->nitems) /* offsets are 32 bits wide */
		tv_memory_exhausted(n);
	reach(c, row);
}

void tv_set_any_int(struct tv_column *c, uint32_t row, int64_t value)
{
	if (row == TV_NONE)
		return;
	reach(c, row);
	store(c, row, value);
	mark(c, row, true);
}

/* Appends numbers to those of all rows. */
static void add_numbers(struct tv_column *c, const int64_t *number, uint32_t n)
{
	size_t done = 0;

	if (c->few != NULL) {
		tv_few_reserve(c->few, (size_t)c->n + n);
		done = tv_few_set_all(c->few, c->n, number, n);
		if (done < n)
			expand(c);
	}
	if (done < n) {
		TV_GROW(c->i, c->n, c->cap, n);
		memcpy(c->i + c->n + done, number + done, (n - done) * sizeof *number);
	}
	c->n += n;
}

void tv_set_numbers(struct tv_column *c, uint32_t row, const int64_t *number, const bool *missing,
		    uint32_t n)
{
	if (row == TV_NONE)
		return;
	if (row == c->n && c->valid == NULL && missing == NULL) {
		add_numbers(c, number, n);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		if (missing == NULL || !missing[i])
			tv_set_any_int(c, row + i, number[i]);
}

void tv_set_any_double(struct tv_column *c, uint32_t row, double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof bits);
	tv_set_any_int(c, row, bits);
}

void tv_set_any_label(struct tv_column *c, uint32_t row, uint32_t label)
{
	if (row == TV_NONE)
		return;
	reach(c, row);
	c->u[row] = label;
	mark(c, row, label != TV_NONE);
}

void tv_set_string(struct tv_column *c, uint32_t row, const char *s, size_t n)
{
	if (c->type == TV_LABEL) {
		c->last = tv_intern_again(c->pool, c->last, s, n);
		tv_set_label(c, row, c->last);
		return;
	}
	if (row == TV_NONE)
		return;
	append(c, row, n);
	tv_grow(&c->bytes, c->nitems, &c->items_cap, n, 1);
	if (n > 0)
		memcpy(c->bytes + c->nitems, s, n);
	c->nitems += n;
	c->u[row] = (uint32_t)c->nitems;
	mark(c, row, true);
}

void tv_set_text(struct tv_column *c, uint32_t row, const char *text)
{
	if (text != NULL)
		tv_set_string(c, row, text, strlen(text));
}

void tv_set_list(struct tv_column *c, uint32_t row, const uint32_t *label, size_t n)
{
	if (row == TV_NONE)
		return;
	append(c, row, n);
	TV_GROW(c->items, c->nitems, c->items_cap, n);
	if (n > 0)
		memcpy(c->items + c->nitems, label, n * sizeof *label);
	c->nitems += n;
	c->u[row] = (uint32_t)c->nitems;
	mark(c, row, true);
}

void tv_take_out(struct tv_column *c, const bool *label)
{
	size_t from = 0, n = 0;

	for (uint32_t row = 0; row < c->n; row++) {
		size_t end = c->u[row], first = n;
		bool any = end > from;

		for (; from < end; from++)
			if (!label[c->items[from]])
				c->items[n++] = c->items[from];
		c->u[row] = (uint32_t)n;
		if (any && n == first)
			mark(c, row, false);
	}
	c->nitems = n;
}

void tv_set_words(struct tv_column *c, uint32_t row, const char *s, size_t n)
{
	size_t nitems = c->nitems;

	if (row != TV_NONE)
		append(c, row, 0);
	for (size_t i = 0, length; i < n; i += length + 1) {
		uint32_t label;

		for (length = 0; i + length < n && s[i + length] != ' '; length++)
			;
		if (length == 0)
			continue;
		label = tv_intern(c->pool, s + i, length);
		if (row == TV_NONE)
			continue;
		if (nitems >= UINT32_MAX)
			tv_memory_exhausted(0);
		TV_GROW(c->items, nitems, c->items_cap, 1);
		c->items[nitems++] = label;
	}
	if (row == TV_NONE)
		return;
	c->nitems = nitems;
	c->u[row] = (uint32_t)nitems;
	mark(c, row, true);
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

/* Copies numbers to where they are kept in short. false: they cannot all be, and c is as any other. */
static bool append_few(struct tv_column *c, uint32_t row, const struct tv_column *from)
{
	if (c->few == NULL)
		return false;
	tv_few_reserve(c->few, (size_t)row + from->n);
	for (uint32_t i = 0; i < from->n; i++)
		if (!tv_few_set(c->few, row + i, from->i[i])) {
			expand(c);
			return false;
		}
	return true;
}

/* Copies what `from` has to c, from `row` on, where c has nothing yet; labels as they are. */
static void append_cells(struct tv_column *c, uint32_t row, const struct tv_column *from)
{
	size_t size = tv_cell_size(c->type);

	append(c, row, from->nitems);
	if (!append_few(c, row, from)) {
		tv_grow(&c->i, row, &c->cap, from->n, size);
		memcpy((char *)c->i + row * size, from->i, from->n * size);
	}
	if (c->type == TV_TEXT) {
		tv_grow(&c->bytes, c->nitems, &c->items_cap, from->nitems, 1);
		if (from->nitems > 0)
			memcpy(c->bytes + c->nitems, from->bytes, from->nitems);
	} else if (c->type == TV_LIST) {
		TV_GROW(c->items, c->nitems, c->items_cap, from->nitems);
		if (from->nitems > 0)
			memcpy(c->items + c->nitems, from->items, from->nitems * sizeof *c->items);
	}
	for (uint32_t i = 0; tv_is_var(c) && i < from->n; i++)
		c->u[row + i] += (uint32_t)c->nitems;
	c->nitems += from->nitems;
	if (c->valid == NULL && from->valid == NULL)
		c->n = row + from->n;
	for (uint32_t i = 0; c->n < row + from->n; i++)
		mark(c, row + i, !tv_missing(from, i));
}

/* Gives a cell of labels or a list their numbers in the pool of the column, for those in `piece`. */
static void intern_cell(struct tv_column *c, uint32_t row, const struct tv_pool *piece,
			uint32_t *known)
{
	uint32_t begin = row, end = row + 1, *label = c->type == TV_LABEL ? c->u : c->items;

	if (c->type == TV_LIST) {
		begin = row == 0 ? 0 : c->u[row - 1];
		end = c->u[row];
	}
	for (uint32_t i = begin; i < end; i++) {
		uint32_t id = label[i];

		label[i] = id < TV_PIECE_NUMBERS && known[id] != TV_NONE
				 ? known[id]
				 : tv_intern_from(c->pool, piece, known, id);
	}
}

void tv_table_append(struct tv_table *table, const struct tv_table *from)
{
	uint32_t row = tv_table_add_rows(table, from->nrows), n = tv_pool_count(from->pool);
	uint32_t *known = tv_realloc(NULL, n, sizeof *known);
	struct tv_column **labels = tv_realloc(NULL, table->ncols, sizeof *labels);
	size_t nlabels = 0;

	memset(known, 0xff, n * sizeof *known);
	for (size_t i = 0; i < table->ncols; i++) {
		if (from->col[i]->n == 0)
			continue;
		append_cells(table->col[i], row, from->col[i]);
		if (from->col[i]->type == TV_LABEL || from->col[i]->type == TV_LIST)
			labels[nlabels++] = table->col[i];
	}
	for (; row < table->nrows; row++)
		for (size_t i = 0; i < nlabels; i++)
			if (row < labels[i]->n)
				intern_cell(labels[i], row, from->pool, known);
	tv_free(labels);
	tv_free(known);
}

static void shrink(void *array, size_t *cap, size_t n, size_t size)
{
	void *old, *new;

	if (*cap - n < *cap / 8 || *cap == 0)
		return;
	memcpy(&old, array, sizeof old);
	new = tv_realloc(old, n, size);
	memcpy(array, &new, sizeof new);
	*cap = n;
}

/* A column of numbers of which none was set: zeroed memory that is never touched costs nothing, if it is new; where there is
 * room for numbers in short, that is less. */
static void finish_empty(struct tv_column *c, uint32_t nrows)
{
	tv_column_need_bitmap(c, nrows - 1);
	c->n = nrows;
	if (c->few != NULL && tv_few_count(c->few) >= nrows)
		return;
	tv_few_free(c->few);
	c->few = NULL;
	tv_free(c->i);
	c->i = tv_alloc(nrows, sizeof *c->i);
	c->cap = nrows;
}

void tv_table_finish_column(struct tv_table *table, struct tv_column *c)
{
	if (c->borrowed)
		return;
	if (c->n == 0 && table->nrows > 0 && !tv_is_var(c) && c->type != TV_LABEL) {
		finish_empty(c, table->nrows);
	} else if (c->n < table->nrows) {
		reach(c, table->nrows - 1);
		store_missing(c, table->nrows - 1);
		mark(c, table->nrows - 1, false);
	}
	shrink(&c->i, &c->cap, c->n, tv_cell_size(c->type));
	if (c->few != NULL)
		tv_few_trim(c->few, c->n);
	if (c->type == TV_TEXT)
		shrink(&c->bytes, &c->items_cap, c->nitems, 1);
	else if (c->type == TV_LIST)
		shrink(&c->items, &c->items_cap, c->nitems, sizeof *c->items);
}

void tv_table_finish(struct tv_table *table)
{
	for (size_t i = 0; i < table->ncols; i++)
		tv_table_finish_column(table, table->col[i]);
}

void tv_copy_cell(struct tv_column *to, uint32_t row, const struct tv_column *from, uint32_t at)
{
	const uint32_t *list;
	const char *text;
	uint32_t nlist;
	size_t n;

	if (tv_missing(from, at))
		return;
	switch (from->type) {
	case TV_TIME:
	case TV_INT:
		tv_set_int(to, row, tv_number(from, at));
		break;
	case TV_DOUBLE:
		tv_set_double(to, row, tv_real(from, at));
		break;
	case TV_LABEL:
		tv_set_label(to, row, from->u[at]);
		break;
	case TV_TEXT:
		text = tv_string(from, at, &n);
		tv_set_string(to, row, text, n);
		break;
	case TV_LIST:
		list = tv_list(from, at, &nlist);
		tv_set_list(to, row, list, nlist);
		break;
	}
}
