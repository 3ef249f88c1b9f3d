/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_rows.c -- the part of a comparison's table that a section shows. */
#include "cli/compare_rows.h"

#include <string.h>

uint32_t tv_compare_rows(const struct tv_table *table, const char *section, const char *run,
			 uint32_t *rows)
{
	uint32_t n = 0;

	for (uint32_t row = 0; row < table->nrows; row++)
		if ((section == NULL || tv_table_is(table, "Section", row, section))
		    && (run == NULL || tv_table_is(table, "Run", row, run)))
			rows[n++] = row;
	return n;
}

void tv_compare_columns(const struct tv_table *table, const uint32_t *rows, uint32_t n,
			struct tv_table *out)
{
	tv_table_init(out, table->pool);
	out->nrows = table->nrows;
	for (size_t i = 0; i < table->ncols; i++) {
		const struct tv_column *column = table->col[i];
		bool used = false;

		for (uint32_t k = 0; k < n; k++)
			used = used || !tv_missing(column, rows[k]);
		if (used && strcmp(column->name, "Section") != 0
		    && strcmp(column->name, "Base") != 0 && strcmp(column->name, "Run") != 0)
			tv_table_borrow(out, column);
	}
}
