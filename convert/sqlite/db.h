/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * db.h -- rows of tables of an SQLite file.
 *
 * The file is opened read-only and as one that does not change; only tables are read, no views; no extension is loaded and
 * the schema is not trusted. A column that a table does not have is missing in all rows.
 */
#ifndef TV_SQLITE_DB_H
#define TV_SQLITE_DB_H

#include "trace/csv.h"

struct tv_db;

/* NULL with *err: no database, compressed, standard input, or traceviz was built without SQLite. */
struct tv_db *tv_db_open(const struct tv_input *in, struct tv_trace *trace, struct tv_error *err);
void tv_db_close(struct tv_db *db); /* accepts NULL */

/* Whether there is a table of that name. */
bool tv_db_has(struct tv_db *db, const char *table);
/* The first table, by name, whose name begins so and is greater than `after`; a text in new memory, NULL = none. */
char *tv_db_next_table(struct tv_db *db, const char *prefix, const char *after);
/* Whether a table has a column. */
bool tv_db_has_column(struct tv_db *db, const char *table, const char *column);

enum { TV_DB_COLUMNS_MAX = 16 };

struct tv_db_value {
	bool present; /* neither missing nor NULL */
	bool whole;   /* a whole number: i, which is 0 else */
	int64_t i;
	const char *s; /* valid during the call; n bytes */
	size_t n;
};

/* Calls row() for each row of a table, in its order; no table is no row. Damage of the file ends it: what precedes is used,
 * counted in the trace. */
void tv_db_rows(struct tv_db *db, const char *table, const char *const *columns,
		void (*row)(void *context, const struct tv_db_value *value), void *context);

/* All columns of a table of a trace, as rows of CSV with its header, for
 * tv_csv_read_rows; the line of a row is its number. Times are those in ns, where the table has them;
 * derived columns (sql/tables.h) are left out. db: a struct tv_db. -1 with *err. */
int tv_db_csv(void *db, enum tv_table_id id, const struct tv_csv_taker *to,
	      struct tv_error *err) TV_MUST_CHECK;

#define TV_DB_LACKS "needs SQLite: this traceviz was built without it (Debian: libsqlite3-dev)"

#endif
