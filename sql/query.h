/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query.h -- a database without tables of its own, which only reads: sql/tables.h adds tables.
 *
 * A query can change nothing, attach no file, load no extension, and ends when its time or the memory is used up. Besides SQLite's
 * functions there are
 *
 *	quantile(x, q)                  aggregate: the quantile of type 7 of the values that are there
 *	overlap(start, end, from, to)   the length that two spans have in common, at least 0
 *	covered(start, end)             aggregate: the length of the union of spans
 *
 * Lengths of whole numbers are whole numbers, exact below 2^63. A span with a NULL counts for nothing.
 */
#ifndef TV_SQL_QUERY_H
#define TV_SQL_QUERY_H

#include "trace/table.h"

struct sqlite3;

/* The rows of a query. Zeroed = empty. */
struct tv_sql_result {
	struct tv_table table;
	struct tv_table raw; /* texts, which the table shows where they are no numbers */
};

struct sqlite3 *tv_sql_open(void);
void tv_sql_close(struct sqlite3 *db);

/* Whole numbers give a column of them, other numbers one of doubles, all else, and what mixes them, texts; a name that occurs again gets
 * _2. timeout_ns: of the execution. -1 with *err: SQLite's message, with the place where it knows one. */
int tv_sql_query(struct sqlite3 *db, const char *sql, int64_t timeout_ns,
		 struct tv_sql_result *result, struct tv_error *err) TV_MUST_CHECK;
void tv_sql_result_release(struct tv_sql_result *result);

#endif
