/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blocks.c -- rows of a group, many at once: numbers, and texts by their place in a dictionary, are decoded to arrays, column by
 * column. A column whose values are not like that gives its cells one after the other.
 */
#include <math.h>

#include "convert/parquet/pages.h"
#include "trace/alloc.h"

void tv_parquet_choose_block(struct tv_parquet_cursor *c, const struct tv_field *field)
{
	const struct tv_parquet_column *column = c->column;
	bool whole = column->type == TV_PARQUET_INT32 || column->type == TV_PARQUET_INT64;

	if (c->skipped || field == NULL || column->list)
		return;
	c->numbers = c->is_time
		  || (field->type == TV_INT && whole && column->kind == TV_KIND_INT
		      && column->digits == 0)
		  || (field->type == TV_DOUBLE && column->kind == TV_KIND_DOUBLE);
	c->words = field->type == TV_LABEL && column->kind == TV_KIND_TEXT;
	if (c->numbers)
		c->number = tv_alloc(TV_PARQUET_BLOCK, sizeof *c->number);
	if (c->numbers || c->words) {
		c->word = tv_alloc(TV_PARQUET_BLOCK, sizeof *c->word);
		c->missing = tv_alloc(TV_PARQUET_BLOCK, sizeof *c->missing);
	}
}

/* Which of n rows have no value, of which *nvalues remain. */
static int take_levels(struct tv_parquet *p, struct tv_parquet_cursor *c, uint32_t n,
		       uint32_t *nvalues)
{
	uint32_t max = c->column->present, *level = c->word;

	*nvalues = n;
	if (c->any_missing)
		memset(c->missing, 0, TV_PARQUET_BLOCK);
	c->any_missing = false;
	if (max == 0 || tv_hybrid_skip(&c->level[1], max, n))
		return 0;
	c->any_missing = true;
	if (!tv_hybrid_take(&c->level[1], level, n))
		return tv_parquet_fail(p, c, "the levels of a page end early or make no sense");
	for (uint32_t i = 0; i < n; i++) {
		if (level[i] > max)
			return tv_parquet_fail(p, c,
					       "the levels of a page end early or make no sense");
		c->missing[i] = level[i] < max;
		*nvalues -= c->missing[i];
	}
	return *nvalues < n && c->chunk.nulls == 0
		     ? tv_parquet_fail(p, c, "a missing value that is not in the statistics")
		     : 0;
}

static bool is_within(const struct tv_parquet_cursor *c, uint32_t i)
{
	return c->number[i] >= c->chunk.min && c->number[i] <= c->chunk.max;
}

static int check_bounds(struct tv_parquet *p, const struct tv_parquet_cursor *c, uint32_t n,
			bool has_missing)
{
	const int64_t *number = c->number;
	const uint64_t min = (uint64_t)c->chunk.min, span = (uint64_t)c->chunk.max - min;
	bool outside = c->chunk.bounded && c->chunk.min > c->chunk.max && n > 0;

	for (uint32_t i = 0; c->chunk.bounded && !has_missing && i < n; i++)
		outside |= (uint64_t)number[i] - min > span;
	for (uint32_t i = 0; c->chunk.bounded && has_missing && i < n; i++)
		outside |= !c->missing[i] && !is_within(c, i);
	if (!outside)
		return 0;
	for (uint32_t i = 0; c->missing[i] || is_within(c, i); i++)
		p->row++;
	return tv_parquet_fail(p, c, "a value that is not within the statistics");
}

/* Moves n values, the first ones of an array, to the rows that are not missing. */
#define SPREAD(value, missing, nrows, n) \
	for (uint32_t from = (n), row = (nrows); row-- > 0;) \
	(value)[row] = (missing)[row] ? 0 : (value)[--from]

/* was_same: all of word[] is the same place. */
static bool take_same(struct tv_parquet_cursor *c, uint32_t n, bool was_same)
{
	uint32_t place;

	if (!tv_parquet_decode_same(&c->decoder, &place, n))
		return false;
	if (was_same && c->word[0] == place)
		return true;
	for (uint32_t i = 0; i < TV_PARQUET_BLOCK; i++)
		c->word[i] = place;
	return true;
}

int tv_parquet_decode_block(struct tv_parquet *p, struct tv_parquet_cursor *c, uint32_t n,
			    bool *has_missing)
{
	uint32_t nvalues;
	bool whole;

	if (take_levels(p, c, n, &nvalues) < 0)
		return -1;
	c->same = c->words && nvalues == n && take_same(c, n, c->same && !c->any_missing);
	whole = c->numbers ? tv_parquet_decode_numbers(&c->decoder, c->number, nvalues)
	      : c->same	   ? true
			   : tv_parquet_decode_places(&c->decoder, c->word, nvalues);
	if (!whole)
		return tv_parquet_fail(p, c, "the values of a page end early or make no sense");
	*has_missing = nvalues < n;
	if (*has_missing && c->numbers)
		SPREAD(c->number, c->missing, n, nvalues);
	else if (*has_missing)
		SPREAD(c->word, c->missing, n, nvalues);
	c->entries -= n;
	return c->numbers ? check_bounds(p, c, n, *has_missing) : 0;
}

/* The texts of the dictionary as cells, whose labels nobody knows yet. */
static void find_texts(struct tv_parquet_cursor *c)
{
	if (c->has_texts)
		return;
	TV_GROW(c->text_of, 0, c->texts_cap, c->ndictionary);
	TV_GROW(c->label, 0, c->labels_cap, c->ndictionary);
	for (size_t i = 0; i < c->ndictionary; i++) {
		c->text_of[i] = (struct tv_csv_cell){ c->dictionary[i].s, c->dictionary[i].n, false,
						      false };
		c->label[i] = TV_NONE;
	}
	c->has_texts = true;
}

/* All numbers are finite. */
static bool is_finite(const struct tv_parquet_cursor *c, const int64_t *number, uint32_t n)
{
	bool finite = true;

	for (uint32_t i = 0; c->column->kind == TV_KIND_DOUBLE && i < n; i++) {
		double real;

		memcpy(&real, &number[i], sizeof real);
		finite &= isfinite(real) != 0;
	}
	return finite;
}

struct tv_csv_cells tv_parquet_cells_of(struct tv_parquet_cursor *c, const int64_t *number,
					const uint32_t *word, const bool *missing, uint32_t n)
{
	struct tv_csv_cells cells = { .missing = missing };

	if (c->numbers) {
		cells.number = is_finite(c, number, n) ? number : NULL;
		return cells;
	}
	find_texts(c);
	cells.word = word;
	cells.text = c->text_of;
	cells.label = c->label;
	cells.same = c->same && word == c->word;
	return cells;
}

bool tv_parquet_is_decoded(const struct tv_parquet_cursor *c)
{
	return c->numbers || (c->words && tv_parquet_has_places(&c->decoder));
}

/* Decodes the next *n rows, which no page ends within. */
static int begin_block(struct tv_parquet *p, struct tv_csv_cells *cells, uint32_t *n)
{
	*n = p->left < TV_PARQUET_BLOCK ? (uint32_t)p->left : TV_PARQUET_BLOCK;
	p->row++; /* what is wrong is so from the first row on */
	for (size_t i = 0; i < p->ncursors; i++) {
		struct tv_parquet_cursor *c = &p->cursor[i];

		if (!c->numbers && !c->words)
			continue;
		if (tv_parquet_next_page(p, c) < 0)
			return -1;
		if (tv_parquet_is_decoded(c) && c->entries < *n)
			*n = (uint32_t)c->entries;
	}
	for (size_t i = 0; i < p->ncursors; i++) {
		struct tv_parquet_cursor *c = &p->cursor[i];
		bool has_missing = false;

		cells[i] = (struct tv_csv_cells){ 0 };
		if ((!c->numbers && !c->words) || !tv_parquet_is_decoded(c))
			continue;
		if (tv_parquet_decode_block(p, c, *n, &has_missing) < 0)
			return -1;
		c->block = c->nrows = *n;
		cells[i] = tv_parquet_cells_of(c, c->number, c->word,
					       has_missing ? c->missing : NULL, *n);
	}
	p->row--;
	return 0;
}

int tv_parquet_cell_of_block(struct tv_parquet *p, struct tv_parquet_cursor *c,
			     struct tv_csv_cell *cell)
{
	uint32_t row = c->block - c->nrows--;
	struct tv_parquet_value value;

	*cell = (struct tv_csv_cell){ "", 0, true, false };
	if (c->missing[row])
		return 0;
	if (c->numbers)
		value.i = c->number[row];
	else
		value = c->dictionary[c->word[row]];
	return tv_parquet_cell(p, c, &value, cell);
}

/* Cells of columns that are not in arrays, for a block that begins behind row `first`. */
struct columns {
	struct tv_parquet *p;
	long first;
	size_t last; /* column asked for */
};

static int next_cell(void *context, size_t column, struct tv_csv_cell *cell)
{
	struct columns *of = context;

	if (column != of->last)
		of->p->row = of->first;
	of->last = column;
	of->p->row++;
	return tv_parquet_take_cell(of->p, &of->p->cursor[column], cell);
}

static int set_rows(void *context, size_t column, struct tv_column *to, uint32_t row, uint32_t n)
{
	struct columns *of = context;

	of->p->row = of->first;
	return tv_parquet_set(of->p, &of->p->cursor[column], to, row, n);
}

/* 1: the block is taken. */
static int give_block(struct tv_parquet *p, const struct tv_csv_taker *to,
		      const struct tv_csv_cells *cells, uint32_t n)
{
	struct columns of = { p, p->row, p->ncursors };
	const struct tv_csv_block block = { .at = { p->in->path, p->row + 1 },
					    .n = n,
					    .more = (uint32_t)(p->unread - n),
					    .column = cells,
					    .next = next_cell,
					    .set = set_rows,
					    .source = &of };
	int rc = to->block(to->context, &block, p->err);

	if (rc != 1)
		return rc;
	p->row = of.first + (long)n;
	p->left -= n;
	p->unread -= n;
	for (size_t i = 0; i < p->ncursors; i++)
		p->cursor[i].nrows = 0;
	return 1;
}

int tv_parquet_give_rows(struct tv_parquet *p, const struct tv_csv_taker *to)
{
	struct tv_csv_cells *cells = tv_alloc(p->ncursors, sizeof *cells);
	struct tv_csv_row line = { .ncells = p->ncursors };
	int rc;

	while ((rc = tv_parquet_need_rows(p)) > 0) {
		uint32_t n = 1;
		int taken = 0;

		if (to->block != NULL) {
			taken = begin_block(p, cells, &n);
			taken = taken == 0 ? give_block(p, to, cells, n) : taken;
		}
		for (uint32_t i = 0; taken == 0 && i < n; i++) {
			taken = tv_parquet_next(p, &line.cell, &line.at, p->err);
			taken = taken > 0 ? to->row(to->context, &line, p->err) : -1;
		}
		if (taken < 0)
			break;
	}
	tv_free(cells);
	return rc > 0 ? -1 : rc;
}
