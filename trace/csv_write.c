/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_write.c -- tables to CSV. */
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/number.h"
#include "trace/parallel.h"

/* The characters between the quotes of a field. */
static void write_quoted(struct tv_output *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tv_output_write(out, s[i] == '"' ? "\"\"" : &s[i], s[i] == '"' ? 2 : 1);
}

static bool must_quote(const char *s, size_t n)
{
	bool quote = n == 0;

	for (size_t i = 0; i < n && !quote; i++)
		quote = s[i] == '"' || s[i] == ',' || s[i] == '\n' || s[i] == '\r';
	return quote;
}

void tv_csv_field(struct tv_output *out, const char *s, size_t n)
{
	if (!must_quote(s, n)) {
		tv_output_write(out, s, n);
		return;
	}
	tv_output_write(out, "\"", 1);
	write_quoted(out, s, n);
	tv_output_write(out, "\"", 1);
}

static size_t write_number(const struct tv_column *column, uint32_t row, char number[TV_NUMBER_MAX])
{
	return column->type == TV_TIME ? tv_write_ms(number, tv_number(column, row))
	     : column->type == TV_INT  ? tv_write_int(number, tv_number(column, row))
				       : tv_write_double(number, tv_real(column, row));
}

#ifdef __SSE2__
/* Whether any of the first n of 16 bytes must be quoted. */
static inline bool is_special16(__m128i bytes, size_t n)
{
	__m128i found = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(',')),
						  _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'))),
				     _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')),
						  _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r'))));
	unsigned bits = (unsigned)_mm_movemask_epi8(found);

	return (n < 16 ? bits & ((1u << n) - 1) : bits) != 0;
}
#endif

/* Whether any byte of s[0..n) must be quoted; 15 bytes behind can be read. */
static bool is_special(const char *s, size_t n)
{
#ifdef __SSE2__
	for (size_t i = 0; i < n; i += 16)
		if (is_special16(_mm_loadu_si128((const __m128i *)(const void *)(s + i)), n - i))
			return true;
	return false;
#else
	return must_quote(s, n);
#endif
}

/* Appends to an output in memory that has room for n + 15 bytes. */
static void copy(struct tv_output *out, const char *s, size_t n)
{
	memcpy(out->buffer + out->n, s, n);
	out->n += n;
}

/* A cell of text, as tv_csv_field writes it, into memory. */
static void put_text(struct tv_output *out, const char *s, size_t n)
{
	tv_output_room(out, n + 15);
	copy(out, s, n);
	if (n > 0 && !is_special(out->buffer + out->n - n, n))
		return;
	out->n -= n;
	tv_csv_field(out, s, n);
}

enum { RECENT = 256, RECENT_TEXT = 27 };

/* A label that was written a short while ago, with a text that need not be quoted: 32 bytes. */
struct recent {
	uint32_t label; /* + 1; 0 = free */
	uint8_t n;
	char text[RECENT_TEXT];
};

/* Remembers a label if its text is short and need not be quoted. */
static bool remember(struct recent *recent, const struct tv_pool *pool, uint32_t label)
{
	size_t n;
	const char *s = tv_pool_string(pool, label, &n);

	if (n == 0 || n > RECENT_TEXT || is_special(s, n))
		return false;
	recent->label = label + 1;
	recent->n = (uint8_t)n;
	memcpy(recent->text, s, n);
	return true;
}

static void put_list(struct tv_output *out, const struct tv_column *column, uint32_t row)
{
	size_t begin = out->n, length;
	uint32_t n;
	const uint32_t *label = tv_list(column, row, &n);
	char *text;

	for (uint32_t i = 0; i < n; i++) {
		length = tv_pool_length(column->pool, label[i]);
		tv_output_room(out, length + 16);
		if (i > 0)
			out->buffer[out->n++] = ' ';
		copy(out, tv_pool_text(column->pool, label[i]), length);
	}
	tv_output_room(out, 15);
	length = out->n - begin;
	if (length > 0 && !is_special(out->buffer + begin, length))
		return;
	text = tv_strndup(out->buffer + begin, length);
	out->n = begin;
	tv_csv_field(out, text, length);
	tv_free(text);
}

/* A cell that may be of any length. */
static void put_long(struct tv_output *out, const struct tv_column *column, uint32_t row)
{
	const char *text;
	size_t n;

	if (column->type == TV_LIST) {
		put_list(out, column, row);
		return;
	}
	text = tv_string(column, row, &n);
	put_text(out, text, n);
}

/* Appends to out[0..size) what fits; *used counts all. */
static void append(char *out, size_t size, size_t *used, const char *s, size_t n)
{
	if (*used + 1 < size) {
		size_t left = size - 1 - *used, take = n < left ? n : left;

		memcpy(out + *used, s, take);
		out[*used + take] = '\0';
	}
	*used += n;
}

size_t tv_cell_text(const struct tv_column *column, uint32_t row, char *out, size_t size)
{
	char number[TV_NUMBER_MAX];
	const uint32_t *label;
	const char *text;
	size_t used = 0, n;
	uint32_t count;

	if (size > 0)
		out[0] = '\0';
	if (tv_missing(column, row))
		return 0;
	switch (column->type) {
	case TV_TIME:
	case TV_INT:
	case TV_DOUBLE:
		n = write_number(column, row, number);
		append(out, size, &used, number, n);
		break;
	case TV_LABEL:
	case TV_TEXT:
		text = tv_string(column, row, &n);
		append(out, size, &used, text, n);
		break;
	case TV_LIST:
		label = tv_list(column, row, &count);
		for (uint32_t i = 0; i < count; i++) {
			if (i > 0)
				append(out, size, &used, " ", 1);
			append(out, size, &used, tv_pool_text(column->pool, label[i]),
			       tv_pool_length(column->pool, label[i]));
		}
		break;
	}
	return used;
}

char *tv_cell_copy(const struct tv_column *column, uint32_t row)
{
	size_t size = tv_cell_text(column, row, NULL, 0) + 1;
	char *text = tv_alloc(size, 1);

	tv_cell_text(column, row, text, size);
	return text;
}

static void write_header(const struct tv_table *table, struct tv_output *out)
{
	const char *before = "";

	for (size_t c = 0; c < table->ncols; c++) {
		if (table->col[c]->derived)
			continue;
		tv_output_text(out, before);
		tv_csv_field(out, table->col[c]->name, strlen(table->col[c]->name));
		before = ",";
	}
	tv_output_write(out, "\n", 1);
}

enum { BLOCK = 2048, BLOCKS_MAX = 64 };

/* Rows of a table, some blocks at a time: while these are turned into text, that of the blocks before
 * them is written. */
struct blocks {
	const struct tv_pool *pool;	 /* of the table */
	const struct tv_column **column; /* those that are written */
	size_t ncolumns;
	const uint32_t *rows;
	uint32_t count, next; /* rows; the first of the blocks that are turned into text */
	uint32_t max;	      /* blocks at a time */
	struct tv_output *text, *before;
	struct tv_output *out;
};

_Static_assert((int)RECENT_TEXT <= TV_NUMBER_MAX, "room_for");

/* Room for that many cells that are numbers or remembered labels, and what is behind each. */
static size_t room_for(size_t cells)
{
	return (cells + 1) * (TV_NUMBER_MAX + 1);
}

/* Writes a cell to `at`, where room for the rest of the line is: the place behind it. */
static inline char *put_cell(struct tv_output *out, char *at, const struct blocks *b,
			     struct recent recent[RECENT], size_t c, uint32_t row)
{
	const struct tv_column *column = b->column[c];
	struct recent *known;

	if (tv_missing(column, row))
		return at;
	if (column->type == TV_TIME || column->type == TV_INT || column->type == TV_DOUBLE)
		return at + write_number(column, row, at);
	if (column->type == TV_LABEL && column->pool == b->pool) {
		known = &recent[tv_label(column, row) % RECENT];
		if (known->label == tv_label(column, row) + 1
		    || remember(known, b->pool, tv_label(column, row))) {
			memcpy(at, known->text, RECENT_TEXT);
			return at + known->n;
		}
	}
	out->n = (size_t)(at - out->buffer);
	put_long(out, column, row);
	return tv_output_room(out, room_for(b->ncolumns - c));
}

/* Appends the line of a row to an output in memory. */
static void put_line(struct tv_output *out, const struct blocks *b, struct recent recent[RECENT],
		     uint32_t row)
{
	char *at = tv_output_room(out, room_for(b->ncolumns));

	for (size_t c = 0; c < b->ncolumns; c++) {
		if (c > 0)
			*at++ = ',';
		at = put_cell(out, at, b, recent, c, row);
	}
	*at++ = '\n';
	out->n = (size_t)(at - out->buffer);
}

static void write_block(void *context, size_t i)
{
	struct blocks *b = context;
	struct recent recent[RECENT];
	uint32_t row;

	for (size_t k = 0; i == 0 && k < b->max; k++) {
		tv_output_write(b->out, b->before[k].buffer, b->before[k].n);
		b->before[k].n = 0;
	}
	if (i == 0)
		return;
	memset(recent, 0, sizeof recent);
	row = b->next + (uint32_t)(i - 1) * BLOCK;
	for (uint32_t k = 0; k < BLOCK && row < b->count; k++, row++)
		put_line(&b->text[i - 1], b, recent, b->rows != NULL ? b->rows[row] : row);
}

static struct tv_output *open_texts(size_t n)
{
	struct tv_output *text = tv_alloc(n, sizeof *text);

	for (size_t i = 0; i < n; i++)
		tv_output_memory(&text[i]);
	return text;
}

static void close_texts(struct tv_output *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tv_output_abort(&text[i]);
	tv_free(text);
}

static void write_blocks(struct blocks *b)
{
	b->max = tv_threads() == 1	       ? 1
	       : tv_threads() < BLOCKS_MAX / 4 ? 4 * tv_threads()
					       : BLOCKS_MAX;
	b->text = open_texts(b->max);
	b->before = open_texts(b->max);
	for (bool more = true; more;) {
		uint32_t left = b->count - b->next, n = left / BLOCK + (left % BLOCK > 0);
		struct tv_output *texts = b->text;

		n = n < b->max ? n : b->max;
		tv_parallel(1 + n, write_block, b);
		b->text = b->before;
		b->before = texts;
		more = n > 0;
		b->next = left > b->max * BLOCK ? b->next + b->max * BLOCK : b->count;
	}
	close_texts(b->text, b->max);
	close_texts(b->before, b->max);
}

void tv_csv_write_rows(const struct tv_table *table, const uint32_t *rows, uint32_t n,
		       struct tv_output *out)
{
	struct blocks blocks = { .pool = table->pool,
				 .column = tv_alloc(table->ncols, sizeof *blocks.column),
				 .rows = rows,
				 .count = rows != NULL ? n : table->nrows,
				 .out = out };

	for (size_t c = 0; c < table->ncols; c++)
		if (!table->col[c]->derived)
			blocks.column[blocks.ncolumns++] = table->col[c];
	write_blocks(&blocks);
	tv_free(blocks.column);
}

void tv_csv_write(const struct tv_table *table, const uint32_t *rows, uint32_t n,
		  struct tv_output *out)
{
	write_header(table, out);
	tv_csv_write_rows(table, rows, n, out);
}
