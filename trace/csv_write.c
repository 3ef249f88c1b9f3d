/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_write.c -- tables to CSV. */
#include <string.h>

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

void tv_csv_field(struct tv_output *out, const char *s, size_t n)
{
	bool quote = n == 0;

	for (size_t i = 0; i < n && !quote; i++)
		quote = s[i] == '"' || s[i] == ',' || s[i] == '\n' || s[i] == '\r';
	if (!quote) {
		tv_output_write(out, s, n);
		return;
	}
	tv_output_write(out, "\"", 1);
	write_quoted(out, s, n);
	tv_output_write(out, "\"", 1);
}

static void write_list(const struct tv_column *column, uint32_t row, struct tv_output *out)
{
	uint32_t n;
	const uint32_t *label = tv_list(column, row, &n);
	bool quote = n == 0;

	for (uint32_t i = 0; i < n; i++)
		quote = quote || strpbrk(tv_pool_text(column->pool, label[i]), "\",\r\n") != NULL;
	if (quote)
		tv_output_write(out, "\"", 1);
	for (uint32_t i = 0; i < n; i++) {
		const char *s = tv_pool_text(column->pool, label[i]);
		size_t length = tv_pool_length(column->pool, label[i]);

		if (i > 0)
			tv_output_write(out, " ", 1);
		if (quote)
			write_quoted(out, s, length);
		else
			tv_output_write(out, s, length);
	}
	if (quote)
		tv_output_write(out, "\"", 1);
}

static size_t write_number(const struct tv_column *column, uint32_t row, char number[TV_NUMBER_MAX])
{
	return column->type == TV_TIME ? tv_write_ms(number, column->i[row])
	     : column->type == TV_INT  ? tv_write_int(number, column->i[row])
				       : tv_write_double(number, column->d[row]);
}

static void write_cell(const struct tv_column *column, uint32_t row, struct tv_output *out)
{
	char number[TV_NUMBER_MAX];
	const char *text;
	size_t n;

	if (tv_missing(column, row))
		return;
	switch (column->type) {
	case TV_TIME:
	case TV_INT:
	case TV_DOUBLE:
		tv_output_write(out, number, write_number(column, row, number));
		break;
	case TV_LABEL:
	case TV_TEXT:
		text = tv_string(column, row, &n);
		tv_csv_field(out, text, n);
		break;
	case TV_LIST:
		write_list(column, row, out);
		break;
	}
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

/* One line: the names of the columns, or the cells of a row. */
static void write_line(const struct tv_table *table, bool header, uint32_t row,
		       struct tv_output *out)
{
	bool first = true;

	for (size_t c = 0; c < table->ncols; c++) {
		const struct tv_column *column = table->col[c];

		if (column->derived)
			continue;
		if (!first)
			tv_output_write(out, ",", 1);
		first = false;
		if (header)
			tv_csv_field(out, column->name, strlen(column->name));
		else
			write_cell(column, row, out);
	}
	tv_output_write(out, "\n", 1);
}

enum { BLOCK = 2048, BLOCKS_MAX = 64 };

/* Rows of a table, some blocks at a time: while these are turned into text, that of the blocks before
 * them is written. */
struct blocks {
	const struct tv_table *table;
	const uint32_t *rows;
	uint32_t count, next; /* rows; the first of the blocks that are turned into text */
	uint32_t max;	      /* blocks at a time */
	struct tv_output *text, *before;
	struct tv_output *out;
};

static void write_block(void *context, size_t i)
{
	struct blocks *b = context;
	uint32_t row;

	for (size_t k = 0; i == 0 && k < b->max; k++) {
		tv_output_write(b->out, b->before[k].buffer, b->before[k].n);
		b->before[k].n = 0;
	}
	if (i == 0)
		return;
	row = b->next + (uint32_t)(i - 1) * BLOCK;
	for (uint32_t k = 0; k < BLOCK && row < b->count; k++, row++)
		write_line(b->table, false, b->rows != NULL ? b->rows[row] : row, &b->text[i - 1]);
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
	b->max = tv_threads() < BLOCKS_MAX / 4 ? 4 * tv_threads() : BLOCKS_MAX;
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

void tv_csv_write(const struct tv_table *table, const uint32_t *rows, uint32_t n,
		  struct tv_output *out)
{
	struct blocks blocks = {
		.table = table, .rows = rows, .count = rows != NULL ? n : table->nrows, .out = out
	};

	write_line(table, true, 0, out);
	if (tv_threads() > 1 && blocks.count > 2 * BLOCK)
		write_blocks(&blocks);
	else
		for (uint32_t i = 0; i < blocks.count; i++)
			write_line(table, false, rows != NULL ? rows[i] : i, out);
}
