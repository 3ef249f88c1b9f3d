/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ordering.h -- rows of a virtual table in the order of names, as GROUP BY and ORDER BY need them, without SQLite's sorting; only for sql/. */
#ifndef TV_SQL_ORDERING_H
#define TV_SQL_ORDERING_H

#include "sql/conditions.h"
#include "trace/groups.h"

/* Rows of each label of a column, by their numbers: order[number] is a row, NULL = the number. */
void tv_sql_group_rows(const struct tv_column *column, const uint32_t *order, uint32_t n,
		       struct tv_groups *rows);

/* In xBestIndex: whether an order is asked for, and by columns of labels alone, ascending. */
bool tv_sql_ordering_fits(const sqlite3_index_info *info, const struct tv_sql_place *place);
/* Promises that order: a plan, which ends a text. */
void tv_sql_ordering_promise(sqlite3_index_info *info, sqlite3_str *plan);

/* In xFilter: the numbers 0 to n - 1 of rows in the order of such a plan, equal ones ascending; missing names are first. order: rows by
 * number, NULL = these. In new memory; costs O(n) for each column and O(m log m) of its m names. */
uint32_t *tv_sql_ordering_make(const struct tv_sql_place *place, const char *plan,
			       const uint32_t *order, uint32_t n);

/* The orders that a table has been asked for. Zeroed = none. */
struct tv_sql_orderings {
	struct tv_sql_ordering {
		char *plan;
		uint32_t *number;
	} * made;
	size_t n, cap;
};

/* The same, valid until the release; an order that was asked for before costs nothing. */
const uint32_t *tv_sql_ordering_get(struct tv_sql_orderings *orderings,
				    const struct tv_sql_place *place, const char *plan,
				    const uint32_t *order, uint32_t n);
void tv_sql_orderings_release(struct tv_sql_orderings *orderings);

#endif
