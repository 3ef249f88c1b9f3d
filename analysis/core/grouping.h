/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grouping.h -- rows of tasks numbered by their cells in some columns.
 *
 * Rows whose cells are equal in every column are one group; missing cells equal each other. Groups
 * are numbered by their first row, or, once sorted, by their cells. Cost O(rows x columns + groups
 * log groups).
 */
#ifndef TV_GROUPING_H
#define TV_GROUPING_H

#include "trace/groups.h"
#include "trace/tasks.h"

enum { TV_GROUP_COLUMNS_MAX = 16 };

struct tv_near;

struct tv_grouping {
	const struct tv_column *column[TV_GROUP_COLUMNS_MAX];
	size_t ncolumns;
	uint32_t n, nrows;
	uint32_t *row;	  /* n: the first row of each group */
	uint32_t *of_row; /* nrows: its group; TV_NONE = in none */
};

/* Counted rows by task type, types in natural order. */
void tv_grouping_by_type(struct tv_grouping *grouping, const struct tv_tasks *tasks);
/* The same by task type and segment, which begin with their first rows. */
void tv_grouping_by_segment(struct tv_grouping *grouping, const struct tv_tasks *tasks);
/* Rows by the column of labels that an option --by names, groups in natural order, a missing label
 * first; NULL = in one group. pending: rows of tasks that never started, too. -1 with *err: no such
 * column, or not one of labels. */
int tv_grouping_by_label(struct tv_grouping *grouping, const struct tv_tasks *tasks,
			 const char *column, bool pending, struct tv_error *err) TV_MUST_CHECK;
/* Counted rows that begin an execution (tv_row_begins) by the columns of a list
 * ("Value,ResourceType"; "" = in one group), not sorted. ended: only those whose end the trace shows, for
 * statistics of durations.
 * option: its name, for messages. -1 with *err: no such column, a list, too many. Interns the cells
 * of texts. */
int tv_grouping_by_names(struct tv_grouping *grouping, const struct tv_tasks *tasks,
			 const char *names, const char *option, bool ended,
			 struct tv_error *err) TV_MUST_CHECK;
/* All rows of any table by n of its columns, no lists, not sorted. */
void tv_grouping_of(struct tv_grouping *grouping, const struct tv_table *table,
		    const struct tv_column *const *column, size_t n);
/* Numbers the groups by their cells: numbers, natural order of labels, bytes of texts. */
void tv_grouping_sort(struct tv_grouping *grouping, bool missing_last);
void tv_grouping_release(struct tv_grouping *grouping); /* safe on a zeroed struct */

/* The column of a table that an option names, no list; NULL with *err. has: "the tasks have", for messages. */
const struct tv_column *tv_key_column(const struct tv_table *table, const char *has,
				      const char *option, const char *name, struct tv_error *err);
/* Those of a list of names with commas between; "" = none. column: room for TV_GROUP_COLUMNS_MAX. Returns how
 * many, or -1 with *err. */
int tv_key_columns(const struct tv_table *table, const char *has, const char *option,
		   const char *names, const struct tv_column **column,
		   struct tv_error *err) TV_MUST_CHECK;

/* A cell as a number, equal where the cells are; of a column that is no list. Times in ns, doubles by their
 * bits, labels and texts by their label. Interns texts. */
uint64_t tv_cell_key(const struct tv_column *column, uint32_t row);

/* The label of a group in the only column; TV_NONE without a column, or where it is missing. */
static inline uint32_t tv_grouping_label(const struct tv_grouping *grouping, uint32_t group)
{
	return grouping->ncolumns == 0 ? TV_NONE
				       : tv_label(grouping->column[0], grouping->row[group]);
}

/* The natural order of two labels, a missing one first: <0, 0, >0. */
int tv_label_order(const struct tv_pool *pool, uint32_t a, uint32_t b);

/* The label of a group that a word is nearest to, for messages: tv_near_text. Groups have one column. */
const char *tv_grouping_near(struct tv_near *near, const char *word,
			     const struct tv_grouping *grouping);

/* ---- groups as rows of a result, whose first columns are those of the groups ---- */

struct tv_keys {
	struct tv_grouping by;			      /* sorted, missing cells last */
	struct tv_groups groups;		      /* their rows */
	struct tv_column *copy[TV_GROUP_COLUMNS_MAX]; /* of the result */
};

/* Groups the rows of tv_grouping_by_names and adds the columns to out. -1 with *err, also if
 * one is named twice. Release it in any case. */
int tv_keys_init(struct tv_keys *keys, const struct tv_tasks *tasks, const char *names,
		 const char *option, bool ended, struct tv_table *out,
		 struct tv_error *err) TV_MUST_CHECK;
/* The same for all rows of any table by n of its columns, no lists. */
int tv_keys_of(struct tv_keys *keys, const struct tv_table *table,
	       const struct tv_column *const *column, size_t n, const char *option,
	       struct tv_table *out, struct tv_error *err) TV_MUST_CHECK;
void tv_keys_release(struct tv_keys *keys); /* safe on a zeroed struct */

/* Adds the columns behind the keys, of which none may have the same name: that of field[i] is
 * out->col[keys.by.ncolumns + i]. -1 with *err (exit status 2). */
int tv_keys_fields(struct tv_table *out, const char *option, const struct tv_field *field, size_t n,
		   struct tv_error *err) TV_MUST_CHECK;

/* The rows of a group. */
static inline const uint32_t *tv_keys_rows(const struct tv_keys *keys, uint32_t group, uint32_t *n)
{
	const uint32_t *first = keys->groups.first + group;

	*n = first[1] - first[0];
	return keys->groups.row + first[0];
}

/* Writes the cells of a group into that row of the result. */
void tv_keys_write(const struct tv_keys *keys, uint32_t group, uint32_t row);

#endif
