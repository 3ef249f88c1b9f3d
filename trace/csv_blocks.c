/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_blocks.c -- rows of a table that come column by column. */
#include <string.h>

#include "trace/alloc.h"
#include "trace/csv_reading.h"

/* The cells of a field that are numbers without a missing one; NULL: they are not. */
static const int64_t *all_numbers(const struct tv_csv_block *block, size_t field)
{
	return block->column[field].missing == NULL ? block->column[field].number : NULL;
}

/* Whether the rows have all times that they need, and end behind their start. */
static bool times_are_plain(const struct tv_csv_reading *r, const struct tv_csv_block *block)
{
	const int64_t *start, *end;
	bool plain = true;

	for (size_t i = 0; i < r->ntimes; i++)
		if (block->column[r->time[i].field].number == NULL)
			return false;
	start = r->start != NULL ? all_numbers(block, r->start->field) : NULL;
	end = r->end != NULL ? all_numbers(block, r->end->field) : NULL;
	if (start == NULL || end == NULL)
		return false;
	for (uint32_t i = 0; i < block->n; i++)
		plain &= start[i] <= end[i];
	return plain;
}

static bool durations_are_plain(const struct tv_csv_reading *r, const struct tv_csv_block *block)
{
	const int64_t *start, *end, *duration;
	bool plain = true;

	if (r->duration == NULL)
		return true;
	start = block->column[r->start->field].number;
	end = block->column[r->end->field].number;
	duration = all_numbers(block, r->duration->field);
	for (uint32_t i = 0; duration != NULL && i < block->n; i++) {
		/* Of times that are too far apart any difference is as wrong. */
		uint64_t more = (uint64_t)end[i] - (uint64_t)start[i] - (uint64_t)duration[i];

		plain &= duration[i] >= 0 && more + TV_CSV_ROUNDING <= 2 * TV_CSV_ROUNDING;
	}
	return duration != NULL && plain;
}

/* Whether all rows have a resource and are work. */
static bool kinds_are_plain(struct tv_csv_reading *r, const struct tv_csv_block *block)
{
	const struct tv_csv_cells *kind = r->kind >= 0 ? &block->column[r->kind] : NULL;
	const struct tv_csv_cells *resource = &block->column[r->resource];
	uint32_t last = TV_NONE;
	struct tv_error none;

	if (resource->word == NULL || resource->missing != NULL
	    || (kind != NULL && kind->word == NULL))
		return false;
	for (uint32_t i = 0; kind != NULL && i < (kind->same ? 1 : block->n); i++) {
		if (kind->word[i] == last || (kind->missing != NULL && kind->missing[i]))
			continue;
		last = kind->word[i];
		if (tv_csv_is_work(r, &kind->text[last], block->at, &none) != 1)
			return false;
	}
	return true;
}

/* The same of rows that come as cells. */
static bool cells_are_plain(struct tv_csv_reading *r, const struct tv_csv_block *block)
{
	const struct tv_csv_cell *cell = block->cell;
	struct tv_error none;

	for (uint32_t i = 0; i < block->n; i++, cell += block->width)
		if (cell[r->resource].missing
		    || (r->kind >= 0 && !cell[r->kind].missing
			&& tv_csv_is_work(r, &cell[r->kind], block->at, &none) != 1))
			return false;
	return true;
}

static inline uint32_t label_of(const struct tv_column *column, const struct tv_csv_cells *cells,
				uint32_t word)
{
	const struct tv_csv_cell *text = &cells->text[word];

	if (cells->label[word] == TV_NONE)
		cells->label[word] = tv_intern(column->pool, text->text, text->n);
	return cells->label[word];
}

/* Copies what is filled already, which is done with many bytes at a time. */
static void fill(uint32_t *to, uint32_t label, uint32_t n)
{
	for (uint32_t i = 0, done; i < n; i += done) {
		done = i == 0 ? 1 : i < n - i ? i : n - i;
		if (i == 0)
			to[0] = label;
		else
			memcpy(to + i, to, done * sizeof *to);
	}
}

static void set_words(struct tv_column *column, uint32_t row, const struct tv_csv_cells *cells,
		      uint32_t n)
{
	bool next = cells->missing == NULL && row == column->n && column->valid == NULL;
	uint32_t *to;

	for (uint32_t i = 0; !next && i < n; i++)
		if (cells->missing == NULL || !cells->missing[i])
			tv_set_label(column, row + i, label_of(column, cells, cells->word[i]));
	if (!next)
		return;
	TV_GROW(column->u, column->n, column->cap, n);
	to = column->u + row;
	if (cells->same)
		fill(to, label_of(column, cells, cells->word[0]), n);
	for (uint32_t i = 0; !cells->same && i < n; i++) {
		to[i] = cells->label[cells->word[i]];
		if (to[i] == TV_NONE)
			to[i] = label_of(column, cells, cells->word[i]);
	}
	column->n += n;
}

static int set_cells(struct tv_csv_reading *r, const struct tv_csv_block *block, size_t field,
		     uint32_t row, struct tv_error *err)
{
	struct tv_pos at = block->at;
	struct tv_csv_cell cell;
	int rc = 0;

	if (block->set != NULL)
		rc = block->set(block->source, field, r->column[field], row, block->n);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	for (uint32_t i = 0; rc == 0 && i < block->n; i++, at.line++) {
		rc = block->next(block->source, field, &cell);
		if (rc == 0)
			rc = tv_csv_read_cell(r, field, row + i, &cell, at, err);
	}
	return rc;
}

int tv_csv_read_block(void *reading, const struct tv_csv_block *block, struct tv_error *err)
{
	struct tv_csv_reading *r = reading;
	uint32_t row, n = block->n;
	int rc = 0;

	if (r->id != TV_TASKS || !times_are_plain(r, block) || !durations_are_plain(r, block)
	    || !(block->cell != NULL ? cells_are_plain(r, block) : kinds_are_plain(r, block)))
		return 0;
	if (r->table->nrows == 0)
		tv_table_reserve(r->table, block->n + block->more);
	row = tv_table_add_rows(r->table, block->n);
	tv_trace_read_at(r->trace, row, block->at);
	/* Of rows that come as cells, the first one that fails counts. */
	for (size_t i = 0; (rc == 0 || block->cell != NULL) && i < r->ncolumns; i++) {
		const struct tv_csv_cells *cells = &block->column[i];

		if (r->column[i] == NULL)
			continue;
		if (cells->number != NULL)
			tv_set_numbers(r->column[i], row, cells->number, cells->missing, block->n);
		else if (cells->word != NULL)
			set_words(r->column[i], row, cells, block->n);
		else if (block->cell != NULL)
			rc |= tv_csv_read_cells(r, i, row, block->cell + i, block->width, &n,
						block->at, err);
		else
			rc = set_cells(r, block, i, row, err);
	}
	return rc < 0 ? -1 : 1;
}
