/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * write.c -- a table as a Parquet file: groups of rows in the order of the table, of each column one page and perhaps a
 * dictionary before it. Pages of version 1, which all readers know; numbers of a page are those that most engines skip
 * groups by.
 */
#include <math.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "convert/parquet/write.h"
#include "trace/alloc.h"
#include "trace/digits.h"
#include "trace/number.h"

enum {
	GROUP_TEXT = 32 << 20, /* bytes of text of a column */
	ZSTD_LEVEL = 1
};

/* Times of more digits do not fit DECIMAL(18, 6). */
static const int64_t time_max = 999999999999999999;

/* ---- pages ---- */

void tv_parquet_put(struct tv_parquet_writing *w, const void *bytes, size_t n)
{
	tv_output_write(w->out, bytes, n);
	w->at += (int64_t)n;
}

/* Compresses w->page to w->packed: how many bytes. */
static size_t pack(struct tv_parquet_writing *w)
{
	size_t room = ZSTD_compressBound(w->page.n), n;

	if (w->zstd == NULL && (w->zstd = ZSTD_createCCtx()) == NULL)
		tv_memory_exhausted(0);
	w->packed.n = 0;
	n = ZSTD_compressCCtx(w->zstd, tv_output_room(&w->packed, room), room, w->page.buffer,
			      w->page.n, ZSTD_LEVEL);
	if (ZSTD_isError(n))
		tv_memory_exhausted(room);
	return n;
}

/* Writes w->page, as a page of that type. */
void tv_parquet_put_page(struct tv_parquet_writing *w, struct tv_parquet_written *chunk,
			 bool dictionary, size_t values)
{
	size_t n = pack(w);
	struct tv_output head;
	struct tv_thrift_out t = { .out = &head };

	tv_output_memory(&head);
	tv_thrift_put_int(&t, 1, TV_THRIFT_I32, dictionary ? 2 : 0);
	tv_thrift_put_int(&t, 2, TV_THRIFT_I32, (int64_t)w->page.n);
	tv_thrift_put_int(&t, 3, TV_THRIFT_I32, (int64_t)n);
	tv_thrift_put_int(
		&t, 4, TV_THRIFT_I32,
		(int32_t)(uint32_t)crc32(0, (const unsigned char *)w->packed.buffer, (uInt)n));
	tv_thrift_begin(&t, dictionary ? 7 : 5);
	tv_thrift_put_int(&t, 1, TV_THRIFT_I32, (int64_t)values);
	tv_thrift_put_int(&t, 2, TV_THRIFT_I32, dictionary ? TV_PARQUET_PLAIN : chunk->encoding);
	if (!dictionary) {
		tv_thrift_put_int(&t, 3, TV_THRIFT_I32, TV_PARQUET_RLE);
		tv_thrift_put_int(&t, 4, TV_THRIFT_I32, TV_PARQUET_RLE);
	}
	tv_thrift_end(&t);
	tv_output_write(&head, "", 1);
	tv_parquet_put(w, head.buffer, head.n);
	tv_parquet_put(w, w->packed.buffer, n);
	chunk->raw += (int64_t)(head.n + w->page.n);
	tv_output_abort(&head);
}

/* Appends levels to the page, with their length before them; level NULL: all are 1. */
static void put_levels(struct tv_parquet_writing *w, const uint32_t *level, unsigned width)
{
	struct tv_output levels;

	tv_output_memory(&levels);
	if (level != NULL)
		tv_put_hybrid(&levels, level, w->nlevels, width);
	else
		tv_put_run(&levels, 1, w->nlevels, width);
	tv_put_bytes(&w->page, levels.n, 4);
	tv_output_write(&w->page, levels.buffer, levels.n);
	tv_output_abort(&levels);
}

/* ---- values ---- */

/* Makes room for so many levels and values, and forgets those that there are. */
static void begin_values(struct tv_parquet_writing *w, size_t n)
{
	w->nlevels = w->nvalues = w->ntexts = 0;
	w->all = false;
	TV_GROW(w->level[0], 0, w->levels_cap[0], n);
	TV_GROW(w->level[1], 0, w->levels_cap[1], n);
	TV_GROW(w->number, 0, w->numbers_cap, n);
	TV_GROW(w->text, 0, w->texts_cap, n);
	TV_GROW(w->label, 0, w->labels_cap, n);
}

static void add_levels(struct tv_parquet_writing *w, uint32_t repetition, uint32_t definition)
{
	w->level[0][w->nlevels] = repetition;
	w->level[1][w->nlevels++] = definition;
}

static void add_list(struct tv_parquet_writing *w, const struct tv_column *c, uint32_t row)
{
	uint32_t n;
	const uint32_t *label = tv_list(c, row, &n);

	if (n == 0)
		add_levels(w, 0, 1);
	for (uint32_t i = 0; i < n; i++) {
		add_levels(w, i > 0, 2);
		w->label[w->nvalues++] = label[i];
	}
}

/* Labels of lists, or bytes of texts, in rows. */
static size_t count_items(const struct tv_column *c, const struct tv_parquet_group *group)
{
	return c->type == TV_LIST || c->type == TV_TEXT
		     ? c->u[group->end - 1] - (group->begin == 0 ? 0 : c->u[group->begin - 1])
		     : 0;
}

static void add_text(struct tv_parquet_writing *w, const struct tv_column *c, uint32_t row)
{
	struct tv_parquet_span *text = &w->text[w->ntexts++];

	text->s = tv_string(c, row, &text->n);
	w->number[w->nvalues++] = (int64_t)text->n;
}

/* The values of a column in rows, whose levels are known if no row is missing. */
static void add_rows(struct tv_parquet_writing *w, const struct tv_column *c,
		     const struct tv_parquet_group *group)
{
	for (uint32_t row = group->begin; row < group->end; row++) {
		if (tv_missing(c, row)) {
			add_levels(w, 0, 0);
			continue;
		}
		if (c->type != TV_LIST)
			w->level[1][w->nlevels++] = 1;
		if (c->type == TV_LIST)
			add_list(w, c, row);
		else if (c->type == TV_TEXT)
			add_text(w, c, row);
		else if (c->type == TV_LABEL)
			w->label[w->nvalues++] = tv_label(c, row);
		else
			w->number[w->nvalues++] = tv_number(c, row);
	}
}

/* The same of numbers and labels of which none is missing: levels are not listed. */
static void add_all_rows(struct tv_parquet_writing *w, const struct tv_column *c,
			 const struct tv_parquet_group *group)
{
	const uint32_t n = group->end - group->begin;

	if (c->type == TV_LABEL)
		memcpy(w->label, c->u + group->begin, n * sizeof *w->label);
	else if (c->few == NULL)
		memcpy(w->number, c->i + group->begin, n * sizeof *w->number);
	else
		for (uint32_t i = 0; i < n; i++)
			w->number[i] = tv_few_get(c->few, group->begin + i);
	w->nlevels = w->nvalues = n;
	w->all = true;
}

/* Levels and values of a column in rows. */
static void gather(struct tv_parquet_writing *w, const struct tv_column *c,
		   const struct tv_parquet_group *group, struct tv_parquet_written *chunk)
{
	begin_values(w,
		     group->end - group->begin + (c->type == TV_LIST ? count_items(c, group) : 0));
	if (c->valid == NULL && c->type != TV_TEXT && c->type != TV_LIST)
		add_all_rows(w, c, group);
	else
		add_rows(w, c, group);
	for (size_t i = 0; !w->all && i < w->nlevels; i++)
		chunk->missing += w->level[1][i] == 0;
	chunk->entries = (int64_t)w->nlevels;
}

void tv_parquet_set_statistics(struct tv_parquet_written *chunk, struct tv_parquet_span min,
			       struct tv_parquet_span max)
{
	chunk->min = tv_strndup(min.s, min.n);
	chunk->nmin = min.n;
	chunk->max = tv_strndup(max.s, max.n);
	chunk->nmax = max.n;
}

/* Of doubles a zero may be of either sign; NaN has no order. */
static bool find_bounds_of_doubles(const struct tv_parquet_writing *w, int64_t *min, int64_t *max)
{
	double low = INFINITY, high = -INFINITY, value;

	for (size_t i = 0; i < w->nvalues; i++) {
		memcpy(&value, &w->number[i], sizeof value);
		if (isnan(value))
			return false;
		low = value < low ? value : low;
		high = value > high ? value : high;
	}
	low = low == 0 ? -0.0 : low;
	high = high == 0 ? 0.0 : high;
	memcpy(min, &low, sizeof low);
	memcpy(max, &high, sizeof high);
	return true;
}

static void find_number_statistics(const struct tv_parquet_writing *w, enum tv_type type,
				   struct tv_parquet_written *chunk)
{
	int64_t min = INT64_MAX, max = INT64_MIN;

	if (w->nvalues == 0 || (type == TV_DOUBLE && !find_bounds_of_doubles(w, &min, &max)))
		return;
	for (size_t i = 0; type != TV_DOUBLE && i < w->nvalues; i++) {
		min = w->number[i] < min ? w->number[i] : min;
		max = w->number[i] > max ? w->number[i] : max;
	}
	tv_parquet_set_statistics(chunk, (struct tv_parquet_span){ (const char *)&min, sizeof min },
				  (struct tv_parquet_span){ (const char *)&max, sizeof max });
}

/* ---- chunks ---- */

void tv_parquet_begin_page(struct tv_parquet_writing *w, bool list)
{
	w->page.n = 0;
	if (list)
		put_levels(w, w->level[0], 1);
	put_levels(w, w->all ? NULL : w->level[1], list ? 2 : 1);
}

bool tv_parquet_is_text(const struct tv_column *c)
{
	return c->type == TV_LABEL || c->type == TV_TEXT || c->type == TV_LIST;
}

static void put_numbers(struct tv_parquet_writing *w, const struct tv_parquet_output_column *column,
			struct tv_parquet_written *chunk)
{
	bool delta = column->of->type != TV_DOUBLE && !column->wide;

	chunk->encoding = delta ? TV_PARQUET_DELTA_BINARY_PACKED : TV_PARQUET_PLAIN;
	chunk->begin = w->at;
	tv_parquet_begin_page(w, false);
	if (delta)
		tv_put_delta(&w->page, w->number, w->nvalues);
	for (size_t i = 0; !delta && i < w->nvalues; i++) {
		/* Big endian, 16 bytes. */
		if (column->wide)
			tv_put_bytes(&w->page, w->number[i] < 0 ? UINT64_MAX : 0, 8);
		tv_put_bytes(&w->page,
			     column->wide ? __builtin_bswap64((uint64_t)w->number[i])
					  : (uint64_t)w->number[i],
			     8);
	}
	tv_parquet_put_page(w, chunk, false, w->nlevels);
}

static void put_chunk(struct tv_parquet_writing *w, struct tv_parquet_output_column *column,
		      const struct tv_parquet_group *group)
{
	struct tv_parquet_written *chunk;
	int64_t begin = w->at;

	TV_GROW(w->chunk, w->nchunks, w->chunks_cap, 1);
	chunk = &w->chunk[w->nchunks++];
	*chunk = (struct tv_parquet_written){ .list = column->of->type == TV_LIST };
	gather(w, column->of, group, chunk);
	if (tv_parquet_is_text(column->of)) {
		tv_parquet_put_text_column(w, column, chunk);
	} else {
		if (!column->wide)
			find_number_statistics(w, column->of->type, chunk);
		put_numbers(w, column, chunk);
	}
	chunk->size = w->at - begin;
}

/* ---- groups of rows ---- */

static size_t text_of(const struct tv_column *c, uint32_t row)
{
	size_t n = 0, length;
	uint32_t items = 0;
	const uint32_t *label;

	if (tv_missing(c, row))
		return 0;
	if (c->type != TV_LIST) {
		tv_string(c, row, &n);
		return n;
	}
	label = tv_list(c, row, &items);
	for (uint32_t i = 0; i < items; i++) {
		tv_pool_string(c->pool, label[i], &length);
		n += length + 4;
	}
	return n;
}

/* Whether the texts of a column in rows are less than the limit, whatever they are. */
static bool is_short(const struct tv_parquet_writing *w, const struct tv_column *c,
		     const struct tv_parquet_group *group)
{
	size_t n = c->type == TV_LABEL ? group->end - group->begin : count_items(c, group);

	return c->type != TV_TEXT ? n * (w->longest + 4) <= GROUP_TEXT : n <= GROUP_TEXT;
}

/* The end of the group that begins with a row: no page has too much text. */
static uint32_t end_of_group(const struct tv_parquet_writing *w, uint32_t begin)
{
	uint32_t left = w->table->nrows - begin;
	uint32_t end = begin + (left < w->rows ? left : w->rows);

	for (size_t i = 0; i < w->ncolumns; i++) {
		size_t text = 0;

		if (!tv_parquet_is_text(w->column[i].of)
		    || is_short(w, w->column[i].of,
				&(struct tv_parquet_group){ .begin = begin, .end = end }))
			continue;
		for (uint32_t row = begin; row < end; row++) {
			text += text_of(w->column[i].of, row);
			if (text > GROUP_TEXT && row > begin)
				end = row;
		}
	}
	return end;
}

/* Whether the rows of a group are in the order of Start, which none lacks. */
static bool is_sorted(const struct tv_parquet_writing *w, const struct tv_parquet_group *group)
{
	const struct tv_column *start = w->start < w->ncolumns ? w->column[w->start].of : NULL;
	bool sorted = start != NULL;

	for (uint32_t row = group->begin; sorted && row < group->end; row++)
		sorted = !tv_missing(start, row)
		      && (row == group->begin
			  || tv_number(start, row - 1) <= tv_number(start, row));
	return sorted;
}

static void put_groups(struct tv_parquet_writing *w)
{
	for (uint32_t row = 0; row < w->table->nrows;) {
		struct tv_parquet_group group = { .begin = row, .end = end_of_group(w, row) };

		group.sorted = is_sorted(w, &group);
		for (size_t i = 0; i < w->ncolumns; i++)
			put_chunk(w, &w->column[i], &group);
		TV_GROW(w->group, w->ngroups, w->groups_cap, 1);
		w->group[w->ngroups++] = group;
		row = group.end;
	}
}

static bool is_wide(const struct tv_column *c, uint32_t nrows)
{
	bool wide = false;

	for (uint32_t row = 0; c->type == TV_TIME && !wide && row < nrows; row++)
		wide = !tv_missing(c, row)
		    && (tv_number(c, row) > time_max || tv_number(c, row) < -time_max);
	return wide;
}

struct tv_parquet_writing *tv_parquet_write_begin(const char *name, const char *order,
						  uint32_t rows, struct tv_output *out,
						  struct tv_error *err)
{
	struct tv_parquet_writing *w;

	if (tv_output_file(out) == NULL && tv_output_is_terminal(out->fd)) {
		tv_fail_usage(err, "a Parquet file is not written to a terminal; use "
				   "-o FILE.parquet or a pipe");
		return NULL;
	}
	w = tv_alloc(1, sizeof *w);
	*w = (struct tv_parquet_writing){ .name = name, .order = order, .rows = rows, .out = out };
	tv_output_memory(&w->page);
	tv_output_memory(&w->packed);
	tv_parquet_put(w, TV_PARQUET_MAGIC, 4);
	return w;
}

/* The columns of the first table. */
static void begin_columns(struct tv_parquet_writing *w)
{
	struct tv_error none;

	tv_table_init(&w->shape, w->table->pool);
	w->column = tv_alloc(w->table->ncols, sizeof *w->column);
	w->start = w->table->ncols;
	for (size_t i = 0; i < w->table->ncols; i++) {
		const struct tv_column *c = w->table->col[i];

		if (c->derived)
			continue;
		if (strcmp(c->name, "Start") == 0 && c->type == TV_TIME)
			w->start = w->ncolumns;
		w->column[w->ncolumns++] = (struct tv_parquet_output_column){
			.of = tv_table_column(&w->shape, c->name, c->type, &none),
			.wide = is_wide(c, w->table->nrows)
		};
	}
}

/* Exchanges the columns with those of that table, of which only names and types are asked without rows. */
static void take_columns(struct tv_parquet_writing *w, const struct tv_table *table)
{
	size_t n = 0;

	for (size_t i = 0; i < table->ncols; i++)
		if (!table->col[i]->derived)
			w->column[n++].of = table->col[i];
}

int tv_parquet_write_rows(struct tv_parquet_writing *w, const struct tv_table *table,
			  struct tv_error *err)
{
	w->table = table;
	if (w->column == NULL)
		begin_columns(w);
	take_columns(w, table);
	for (size_t i = 0; i < w->ncolumns; i++)
		if (!w->column[i].wide && is_wide(w->column[i].of, table->nrows))
			return tv_fail(
				err,
				"%s: %s has times of more than 18 digits, but not in its first "
				"%lld rows: all rows are needed at once",
				w->name, w->column[i].of->name, (long long)w->nrows);
	w->longest = 0;
	for (uint32_t label = 0; label < tv_pool_count(table->pool); label++) {
		size_t n = tv_pool_length(table->pool, label);

		w->longest = n > w->longest ? n : w->longest;
	}
	put_groups(w);
	w->nrows += table->nrows;
	/* The next table has other labels. */
	tv_free(w->known);
	w->known = NULL;
	take_columns(w, &w->shape);
	return 0;
}

void tv_parquet_write_end(struct tv_parquet_writing *w, bool complete)
{
	if (w == NULL)
		return;
	if (complete)
		tv_parquet_put_footer(w);
	for (size_t i = 0; i < w->nchunks; i++) {
		tv_free(w->chunk[i].min);
		tv_free(w->chunk[i].max);
	}
	tv_table_release(&w->shape);
	tv_free(w->column);
	tv_free(w->chunk);
	tv_free(w->group);
	tv_free(w->level[0]);
	tv_free(w->level[1]);
	tv_free(w->number);
	tv_free(w->text);
	tv_free(w->first);
	tv_free(w->label);
	tv_free(w->known);
	tv_output_abort(&w->page);
	tv_output_abort(&w->packed);
	ZSTD_freeCCtx(w->zstd);
	tv_free(w);
}

int tv_parquet_write(const struct tv_table *table, const char *name, const char *order,
		     struct tv_output *out, struct tv_error *err)
{
	return tv_parquet_write_groups(table, name, order, TV_PARQUET_GROUP, out, err);
}

int tv_parquet_write_groups(const struct tv_table *table, const char *name, const char *order,
			    uint32_t rows, struct tv_output *out, struct tv_error *err)
{
	struct tv_parquet_writing *w = tv_parquet_write_begin(name, order, rows, out, err);
	int rc = w != NULL ? tv_parquet_write_rows(w, table, err) : -1;

	tv_parquet_write_end(w, rc == 0);
	return rc;
}
