/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_plain.c -- a CSV that is no table of a trace. */
#include <strings.h>

#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/number.h"

/* All columns are text at first. */
static int read_header(struct tv_table *table, const struct tv_csv_row *row, struct tv_error *err)
{
	if (row->ncells > TV_CSV_COLUMNS_MAX)
		return tv_fail_at(err, row->at, "%zu columns, the limit is %d", row->ncells,
				  TV_CSV_COLUMNS_MAX);
	for (size_t i = 0; i < row->ncells; i++) {
		char *name = tv_strndup(row->cell[i].text, row->cell[i].n);
		int rc = tv_table_find(table, name) == NULL
			       ? 0
			       : tv_fail_at(err, row->at, "column '%s' occurs twice in the header",
					    name);

		if (rc == 0)
			tv_table_column(table, name, TV_LABEL, err);
		tv_free(name);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static int read_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct tv_table *table = context;
	uint32_t at;

	if (table->ncols == 0)
		return read_header(table, row, err);
	if (row->ncells != table->ncols)
		return tv_fail_at(err, row->at, "%zu fields, expected %zu as in the header",
				  row->ncells, table->ncols);
	at = tv_table_add_row(table);
	for (size_t i = 0; i < row->ncells; i++)
		if (!row->cell[i].missing)
			tv_set_string(table->col[i], at, row->cell[i].text, row->cell[i].n);
	return 0;
}

/* Whether a cell has no number: "" too, and NA and NaN as our passes and other tools write them. */
static bool lacks_number(const char *text, size_t n)
{
	return n == 0 || (n == 2 && strncasecmp(text, "NA", 2) == 0)
	    || (n == 3 && strncasecmp(text, "NaN", 3) == 0);
}

/* A column in which every cell that is there is a number, as numbers. */
static struct tv_column *as_numbers(const struct tv_column *column, uint32_t nrows,
				    struct tv_table *out, struct tv_error *err)
{
	bool any = false;
	double value;
	size_t n;

	for (uint32_t row = 0; row < nrows; row++) {
		const char *text = tv_string(column, row, &n);

		if (tv_missing(column, row) || lacks_number(text, n))
			continue;
		if (tv_parse_double(text, n, &value) != TV_PARSE_OK)
			return NULL;
		any = true;
	}
	return any ? tv_table_column(out, column->name, TV_DOUBLE, err) : NULL;
}

static void copy_numbers(const struct tv_column *from, uint32_t nrows, struct tv_column *to)
{
	double value;
	size_t n;

	for (uint32_t row = 0; row < nrows; row++) {
		const char *text = tv_string(from, row, &n);

		if (!tv_missing(from, row) && tv_parse_double(text, n, &value) == TV_PARSE_OK)
			tv_set_double(to, row, value);
	}
}

/* The same table, numbers as such. */
static void find_numbers(struct tv_table *table, struct tv_error *err)
{
	struct tv_table typed;

	tv_table_init(&typed, table->pool);
	typed.nrows = table->nrows;
	for (size_t i = 0; i < table->ncols; i++) {
		const struct tv_column *from = table->col[i];
		struct tv_column *to = as_numbers(from, table->nrows, &typed, err);

		if (to != NULL) {
			copy_numbers(from, table->nrows, to);
			continue;
		}
		to = tv_table_column(&typed, from->name, TV_LABEL, err);
		for (uint32_t row = 0; row < table->nrows; row++)
			tv_copy_cell(to, row, from, row);
	}
	tv_table_finish(&typed);
	tv_table_replace(table, &typed);
}

static int finish(struct tv_table *table, struct tv_error *err)
{
	tv_table_finish(table);
	find_numbers(table, err);
	return 0;
}

int tv_csv_read_plain(struct tv_input *in, struct tv_table *table, struct tv_error *err)
{
	if (tv_csv_rows(in, read_row, table, err) < 0)
		return -1;
	if (table->ncols == 0)
		return tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				  "no header line, expected names of columns");
	return finish(table, err);
}

int tv_csv_read_plain_rows(struct tv_table *table, tv_csv_row_source *rows, void *source,
			   struct tv_error *err)
{
	const struct tv_csv_taker to = { read_row, NULL, table };

	return rows(source, TV_NTABLES, &to, err) < 0 ? -1 : finish(table, err);
}
