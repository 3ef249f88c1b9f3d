/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_columns.h -- what table.c and table_take.c know of columns. */
#ifndef TV_TABLE_COLUMNS_H
#define TV_TABLE_COLUMNS_H

#include "trace/table.h"

/* Bytes of a cell, of texts and lists of its offset. */
static inline size_t tv_cell_size(enum tv_type type)
{
	return type == TV_TIME || type == TV_INT ? sizeof(int64_t)
	     : type == TV_DOUBLE		 ? sizeof(double)
						 : sizeof(uint32_t);
}

/* Whether cells take bytes or labels besides. */
static inline bool tv_is_var(const struct tv_column *c)
{
	return c->type == TV_TEXT || c->type == TV_LIST;
}

/* Adds a column, without a look for one of this name; the caller sets its type and pool. */
struct tv_column *tv_table_append_column(struct tv_table *table, const char *name);
/* Makes the bitmap, with bits for `rows` and for all that there are, and every row set so far marked present. */
void tv_column_need_bitmap(struct tv_column *c, uint32_t rows);

#endif
