/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h -- a table: typed columns of equal length.
 *
 * Rows are counted by uint32_t. A column stores nothing for rows that
 * were never set: they are missing. The validity bitmap exists only where a value is missing.
 *
 * Filling a table:
 *
 *	struct tv_column *start = tv_table_column(t, "Start", TV_TIME, err);	NULL: of another type
 *	uint32_t row = tv_table_add_row(t);
 *	tv_set_int(start, row, ns);
 *	...
 *	tv_table_finish(t);		pads all columns; only now may rows be read
 *
 * Rows may be set in any order for all types but text and list, which only append (row >= rows set
 * so far). A table has at most TV_ROWS_MAX rows, texts of a column of type text have 4 GB in all, a
 * column of lists has 2^32 labels: beyond that memory counts as exhausted (trace/alloc.h).
 *
 * Of a column marked with tv_table_expect_few the numbers are kept in short while few of them differ,
 * so that one which nobody asks for takes little memory. tv_table_find, tv_table_at and tv_table_column
 * make the usual array of it. Where it comes from elsewhere, tv_number, tv_real and tv_missing read it.
 *
 * A table that nobody reads is filled in the same way, if it was marked `unread` while it was empty,
 * and remains empty: the number of each new row is TV_NONE, and setting cells of that row does nothing,
 * except that strings get their labels, so that all labels of the trace are the same.
 */
#ifndef TV_TABLE_H
#define TV_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "trace/distinct_numbers.h"
#include "trace/error.h"
#include "trace/pool.h"
#include "trace/schema.h"

#define TV_ROWS_MAX (UINT32_MAX - 1)

struct tv_column {
	char *name;
	enum tv_type type;
	bool derived;  /* completed by us, not of the input: left out of what is written */
	bool borrowed; /* data belong to another table */
	bool known;    /* kept also where no row has a value: that none has one is known */
	uint32_t n;    /* rows set */
	size_t cap;
	struct tv_few
		*few; /* int, double: the numbers (of doubles the bits), and i is NULL; or NULL */
	union {
		int64_t *i; /* time (ns), int */
		double *d;
		uint32_t *u; /* label; text and list: end offset of row r at [r], its begin is that
				of r - 1 */
	};
	char *bytes;	 /* text */
	uint32_t *items; /* list: labels */
	size_t nitems, items_cap;
	uint64_t *valid; /* bit set = present; NULL = all present */
	size_t valid_cap;
	uint32_t last;	      /* label that tv_set_string set last */
	struct tv_pool *pool; /* labels and lists; borrowed from the table's trace */
};

struct tv_table {
	uint32_t nrows;
	struct tv_column **col; /* the pointers stay valid while columns are added */
	size_t ncols, cols_cap;
	struct tv_pool *pool; /* shared ownership */
	bool unread;	      /* rows are not kept: nobody reads them */
};

void tv_table_init(struct tv_table *table, struct tv_pool *pool); /* takes a share of pool */
void tv_table_release(struct tv_table *table);			  /* safe on a zeroed struct */
/* Releases and moves `from` in; `from` is empty afterwards. */
void tv_table_replace(struct tv_table *table, struct tv_table *from);

/* The column of that name, added (all missing) when there is none. NULL with *err if it
 * exists with another type. */
struct tv_column *tv_table_column(struct tv_table *table, const char *name, enum tv_type type,
				  struct tv_error *err);
/* The column of that name or NULL; by any thread. O(1), of numbers kept in short once O(rows). */
struct tv_column *tv_table_find(const struct tv_table *table, const char *name);
/* The same, but numbers stay in short. */
const struct tv_column *tv_table_in_short(const struct tv_table *table, const char *name);
/* The column of that place, < ncols, as tv_table_find gives it. */
struct tv_column *tv_table_at(const struct tv_table *table, size_t place);
/* Marks a new column: its numbers, times or doubles may be kept in short. */
void tv_table_expect_few(struct tv_column *column);
/* Text of a cell of a column of labels; "" where it is missing. */
const char *tv_table_text(const struct tv_table *table, const char *column, uint32_t row);
bool tv_table_is(const struct tv_table *table, const char *column, uint32_t row, const char *text);
/* Appends a column that shows another table's column under its own name; it must outlive this
 * table. */
void tv_table_borrow(struct tv_table *table, const struct tv_column *column);
/* Takes away a column that owns its data. */
void tv_table_drop(struct tv_table *table, struct tv_column *column);
/* Appends an empty row: its number; TV_NONE in a table that is unread. */
uint32_t tv_table_add_row(struct tv_table *table);
/* The same of n rows: the number of the first one. */
uint32_t tv_table_add_rows(struct tv_table *table, uint32_t n);
/* Room for so many rows at once, if there is memory for them: cheaper than to grow. */
void tv_table_reserve(struct tv_table *table, uint32_t rows);
/* Appends the rows of `from`, which need not be finished and has the same columns over the pool of a
 * piece: the strings get their numbers by row and, in a row, by column. */
void tv_table_append(struct tv_table *table, const struct tv_table *from);
/* Pads every column to nrows and releases spare memory. */
void tv_table_finish(struct tv_table *table);
/* The same for one column, added to a table that is in use: the cells of the others do not move. */
void tv_table_finish_column(struct tv_table *table, struct tv_column *column);
/* A new table in *out (uninitialized on entry) with the rows order[0..n) of `table`, in that order.
 */
void tv_table_take(const struct tv_table *table, const uint32_t *order, uint32_t n,
		   struct tv_table *out);
/* Puts the rows of a finished table that owns its data in another order: row i is what order[i], all
 * different, was. Memory of one more column. */
void tv_table_permute(struct tv_table *table, const uint32_t *order);
/* The same, which costs little where few rows move. */
void tv_table_sort(struct tv_table *table, const uint32_t *order);

/* The rows of a finished table by a column of times (NULL: none), equal ones by the columns then[], at most 8 and
 * ended by NULL: labels in natural order, numbers, missing cells first; then by row. Rows without a time are last. In
 * new memory; NULL = the table is in this order, or has no times. Cost O(n log n), of one in order O(n). */
uint32_t *tv_table_order(const struct tv_table *table, const char *by, const char *const *then);

/* For the three functions below: any row. */
void tv_set_any_int(struct tv_column *column, uint32_t row, int64_t value);
void tv_set_any_double(struct tv_column *column, uint32_t row, double value);
void tv_set_any_label(struct tv_column *column, uint32_t row, uint32_t label);
/* Whether a row is the next one of a column without missing values that has room: nearly all are. */
static inline bool tv_is_next(const struct tv_column *c, uint32_t row)
{
	return row == c->n && row < c->cap && c->valid == NULL;
}

/* int, time */
static inline void tv_set_int(struct tv_column *column, uint32_t row, int64_t value)
{
	if (!tv_is_next(column, row)) {
		tv_set_any_int(column, row, value);
		return;
	}
	column->i[row] = value;
	column->n++;
}

/* -0 becomes 0: databases know no other zero. */
static inline void tv_set_double(struct tv_column *column, uint32_t row, double value)
{
	value += 0.0;
	if (!tv_is_next(column, row)) {
		tv_set_any_double(column, row, value);
		return;
	}
	column->d[row] = value;
	column->n++;
}

/* TV_NONE = missing */
static inline void tv_set_label(struct tv_column *column, uint32_t row, uint32_t label)
{
	if (label == TV_NONE || !tv_is_next(column, row)) {
		tv_set_any_label(column, row, label);
		return;
	}
	column->u[row] = label;
	column->n++;
}

/* n numbers, of doubles the bits, from a row on that is the next one; missing[]: those that are not, NULL = none. */
void tv_set_numbers(struct tv_column *column, uint32_t row, const int64_t *number,
		    const bool *missing, uint32_t n);

void tv_set_string(struct tv_column *column, uint32_t row, const char *s,
		   size_t n); /* label, text */
/* The same with a string; NULL = missing, which leaves the row as it is. */
void tv_set_text(struct tv_column *column, uint32_t row, const char *text);
/* Sets a cell to that of a column of the same type and pool; a missing one changes nothing. */
void tv_copy_cell(struct tv_column *to, uint32_t row, const struct tv_column *from, uint32_t at);
void tv_set_list(struct tv_column *column, uint32_t row, const uint32_t *label, size_t n);
/* Takes some labels (by label of the pool) out of the lists of a finished column that owns its data; a list without others is
 * missing then. Cost O(rows + labels). */
void tv_take_out(struct tv_column *list, const bool *label);

/* list: the labels of the words of s[0..n), which have blanks between them. */
void tv_set_words(struct tv_column *column, uint32_t row, const char *s, size_t n);

/* Reading, after tv_table_finish. */
static inline bool tv_missing(const struct tv_column *c, uint32_t row)
{
	return c->valid != NULL && !(c->valid[row / 64] >> (row % 64) & 1);
}
/* The number of a row, of doubles the bits, also of a column that is kept in short. */
static inline int64_t tv_number(const struct tv_column *c, uint32_t row)
{
	return c->few != NULL ? tv_few_get(c->few, row) : c->i[row];
}
static inline double tv_real(const struct tv_column *c, uint32_t row)
{
	int64_t bits = tv_number(c, row);
	double real;

	memcpy(&real, &bits, sizeof real);
	return real;
}
/* Whether n > 0 cells of a column of labels are alike. */
static inline bool tv_is_one_label(const struct tv_column *c, uint32_t n)
{
	return memcmp(c->u, c->u + 1, (n - 1) * sizeof *c->u) == 0;
}
/* The label of a row; TV_NONE if missing. */
static inline uint32_t tv_label(const struct tv_column *c, uint32_t row)
{
	return c->u[row];
}
/* The same of a column that the table may not have. */
static inline uint32_t tv_cell_label(const struct tv_column *column, uint32_t row)
{
	return column == NULL ? TV_NONE : tv_label(column, row);
}
/* One more than the largest of n labels; 0 = all are missing. Jobs, of which there are many more, mostly come after all others. */
static inline uint32_t tv_labels_below(const uint32_t *label, uint32_t n)
{
	uint32_t below = 0;

	for (uint32_t row = 0; row < n; row++) {
		uint32_t next = label[row] + 1; /* TV_NONE: 0 */

		below = next > below ? next : below;
	}
	return below;
}
static inline const uint32_t *tv_list(const struct tv_column *c, uint32_t row, uint32_t *n)
{
	uint32_t begin = row == 0 ? 0 : c->u[row - 1];

	*n = c->u[row] - begin;
	return c->items == NULL ? NULL : c->items + begin; /* NULL where no row has an item */
}
/* Text of a label or text cell, not closed by NUL for text columns; "" if missing. */
const char *tv_string(const struct tv_column *column, uint32_t row, size_t *n);

#endif
