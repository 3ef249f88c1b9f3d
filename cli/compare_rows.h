/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_rows.h -- the part of a comparison's table that a section shows. */
#ifndef TV_COMPARE_ROWS_H
#define TV_COMPARE_ROWS_H

#include "trace/table.h"

/* The rows of a section (NULL = all) and of a run (NULL = all), in rows[]; how many. */
uint32_t tv_compare_rows(const struct tv_table *table, const char *section, const char *run,
			 uint32_t *rows);
/* Fills *out (uninitialized on entry) with the columns that have a value in these rows, except those that a heading
 * shows: Section, Base, Run. They are those of the table. */
void tv_compare_columns(const struct tv_table *table, const uint32_t *rows, uint32_t n,
			struct tv_table *out);

#endif
