/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tables.h -- tables of ours in SQLite, without a copy of their cells: virtual tables.
 *
 * Columns have the names that they have in CSV. A time is two columns, Start in ms (REAL) and Start_ns (INTEGER); numbers are
 * INTEGER or REAL, all else is TEXT, a missing cell is NULL. The type of columns that CSV leaves out begins with
 * TV_SQL_DERIVED. Rows are in the order of the input and numbered from 1 (rowid).
 */
#ifndef TV_SQL_TABLES_H
#define TV_SQL_TABLES_H

#include "trace/trace.h"

#define TV_SQL_DERIVED "DERIVED "
#define TV_SQL_NS      "_ns" /* what the name of a time in ns ends with */
#define TV_SQL_EDGES   "edges"

struct sqlite3;

/* Where the table of a name comes from. */
struct tv_sql_source {
	/* Called when a statement first names it; valid as long as the database is open. NULL with *err. */
	const struct tv_table *(*get)(void *context, struct tv_error *err);
	/* NULL, or: the table of get() has the columns, whose rows are had by conditions: those that satisfy them, by numbers perhaps
	 * with others, in the order of the input, valid likewise; NULL with *err ends the query, as a scan
	 * without a condition does. Such rows have no rowid. */
	const struct tv_table *(*choose)(void *context, const struct tv_row_choice *choice,
					 struct tv_error *err);
	void *context;
	void (*release)(
		void *context); /* called when the database is closed; NULL = nothing to do */
};

/* Adds a table. A search for a text in a column of labels, as joins make it, costs no scan: the first one costs O(rows). */
void tv_sql_add(struct sqlite3 *db, const char *name, struct tv_sql_source source);

/* The tables of a trace: those that have rows, and TV_SQL_EDGES, with a row for each different pair of JobId and DependsOn.
 * name[0..n) receives their names. */
size_t tv_sql_names(const struct tv_trace *trace, const char *name[TV_NTABLES + 1]);
/* Adds them, with a prefix before their names. */
void tv_sql_add_trace(struct sqlite3 *db, const struct tv_trace *trace, const char *prefix);

#endif
