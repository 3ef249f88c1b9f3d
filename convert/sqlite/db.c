/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db.c -- tables of an SQLite file. */
#include "convert/sqlite/db.h"

#include "trace/alloc.h"

#ifdef TV_HAVE_SQLITE

#include <sqlite3.h>

#include "trace/number.h"

struct tv_db {
	sqlite3 *db;
	struct tv_trace *trace;
	char *path;
};

/* The path in a URI. */
static char *uri_of(const char *path)
{
	static const char hex[] = "0123456789abcdef";
	char *uri = tv_alloc(3 * strlen(path) + 64, 1);
	size_t n = 0;

	memcpy(uri, "file:", 5);
	n = 5;
	for (const unsigned char *s = (const unsigned char *)path; *s != '\0'; s++)
		if ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9')
		    || strchr("/._-", *s) != NULL) {
			uri[n++] = (char)*s;
		} else {
			uri[n++] = '%';
			uri[n++] = hex[*s >> 4];
			uri[n++] = hex[*s & 15];
		}
	strcpy(uri + n, "?mode=ro&immutable=1");
	return uri;
}

struct tv_db *tv_db_open(const struct tv_input *in, struct tv_trace *trace, struct tv_error *err)
{
	struct tv_pos at = { in->path, 0 };
	struct tv_db *db;
	char *uri;
	int rc;

	if (in->codec != NULL || strcmp(in->path, "-") == 0) {
		tv_fail_at(err, at,
			   "an SQLite database that is %s, expected a file that is not compressed",
			   in->codec != NULL ? "compressed" : "read from standard input");
		return NULL;
	}
	db = tv_alloc(1, sizeof *db);
	db->trace = trace;
	db->path = tv_strdup(in->path);
	uri = uri_of(in->path);
	rc = sqlite3_open_v2(uri, &db->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	tv_free(uri);
	if (rc == SQLITE_OK)
		sqlite3_db_config(db->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db->db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		return db;
	tv_fail_at(err, at, "a damaged SQLite database: %s", sqlite3_errstr(rc));
	tv_db_close(db);
	return NULL;
}

void tv_db_close(struct tv_db *db)
{
	if (db == NULL)
		return;
	sqlite3_close(db->db);
	tv_free(db->path);
	tv_free(db);
}

/* A statement with texts for its places; NULL if the file is too damaged for it. */
static sqlite3_stmt *prepare(struct tv_db *db, const char *sql, const char *first,
			     const char *second)
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(db->db, sql, -1, &statement, NULL) != SQLITE_OK)
		return NULL;
	if (first != NULL)
		sqlite3_bind_text(statement, 1, first, -1, SQLITE_TRANSIENT);
	if (second != NULL)
		sqlite3_bind_text(statement, 2, second, -1, SQLITE_TRANSIENT);
	return statement;
}

static bool any_row(struct tv_db *db, const char *sql, const char *first, const char *second)
{
	sqlite3_stmt *statement = prepare(db, sql, first, second);
	bool any = statement != NULL && sqlite3_step(statement) == SQLITE_ROW;

	sqlite3_finalize(statement);
	return any;
}

bool tv_db_has(struct tv_db *db, const char *table)
{
	return any_row(db, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", table,
		       NULL);
}

bool tv_db_has_column(struct tv_db *db, const char *table, const char *column)
{
	return any_row(db, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", table, column);
}

char *tv_db_next_table(struct tv_db *db, const char *prefix, const char *after)
{
	sqlite3_stmt *statement = prepare(db,
					  "SELECT name FROM sqlite_master WHERE type = 'table' AND "
					  "substr(name, 1, length(?1)) = ?1 "
					  "AND name > ?2 ORDER BY name LIMIT 1",
					  prefix, after);
	char *name = NULL;

	if (statement != NULL && sqlite3_step(statement) == SQLITE_ROW)
		name = tv_strdup((const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	return name;
}

/* SELECT "a", NULL, "c" FROM "table": names between quotes, as SQLite writes them. */
static sqlite3_stmt *select_columns(struct tv_db *db, const char *table, const char *const *columns,
				    int *n)
{
	sqlite3_str *sql = sqlite3_str_new(db->db);
	sqlite3_stmt *statement;
	char *text;

	sqlite3_str_appendall(sql, "SELECT ");
	for (*n = 0; columns[*n] != NULL && *n < TV_DB_COLUMNS_MAX; ++*n)
		if (tv_db_has_column(db, table, columns[*n]))
			sqlite3_str_appendf(sql, "%s\"%w\"", *n > 0 ? ", " : "", columns[*n]);
		else
			sqlite3_str_appendall(sql, *n > 0 ? ", NULL" : "NULL");
	sqlite3_str_appendf(sql, " FROM \"%w\"", table);
	text = sqlite3_str_finish(sql);
	if (text == NULL)
		tv_memory_exhausted(0);
	statement = prepare(db, text, NULL, NULL);
	sqlite3_free(text);
	return statement;
}

/* A text that is a whole number is one, too: columns may have any type. */
static struct tv_db_value value_of(sqlite3_stmt *statement, int column)
{
	int type = sqlite3_column_type(statement, column);
	struct tv_db_value value = { .present = type != SQLITE_NULL, .s = "" };

	if (type == SQLITE_TEXT) {
		value.s = (const char *)sqlite3_column_text(statement, column);
		value.n = (size_t)sqlite3_column_bytes(statement, column);
		value.whole = tv_parse_int(value.s, value.n, &value.i) == TV_PARSE_OK;
	} else if (type == SQLITE_INTEGER) {
		value.i = sqlite3_column_int64(statement, column);
		value.whole = true;
	}
	return value;
}

void tv_db_rows(struct tv_db *db, const char *table, const char *const *columns,
		void (*row)(void *context, const struct tv_db_value *value), void *context)
{
	struct tv_db_value value[TV_DB_COLUMNS_MAX];
	sqlite3_stmt *statement;
	int n, rc;

	if (!tv_db_has(db, table))
		return;
	statement = select_columns(db, table, columns, &n);
	while ((rc = statement == NULL ? SQLITE_CORRUPT : sqlite3_step(statement)) == SQLITE_ROW) {
		for (int i = 0; i < n; i++)
			value[i] = value_of(statement, i);
		row(context, value);
	}
	if (rc != SQLITE_DONE)
		tv_damaged(db->trace, TV_DROPPED, "damaged table", (struct tv_pos){ db->path, 0 },
			   "table %s: %s; what precedes is used", table, sqlite3_errstr(rc));
	sqlite3_finalize(statement);
}

#else

struct tv_db *tv_db_open(const struct tv_input *in, struct tv_trace *trace, struct tv_error *err)
{
	(void)trace;
	tv_fail_at(err, (struct tv_pos){ in->path, 0 },
		   "an SQLite database, which needs SQLite: this traceviz was built without it "
		   "(Debian: libsqlite3-dev)");
	return NULL;
}

void tv_db_close(struct tv_db *db)
{
	(void)db;
}

bool tv_db_has(struct tv_db *db, const char *table)
{
	(void)db;
	(void)table;
	return false;
}

bool tv_db_has_column(struct tv_db *db, const char *table, const char *column)
{
	(void)column;
	return tv_db_has(db, table);
}

char *tv_db_next_table(struct tv_db *db, const char *prefix, const char *after)
{
	(void)db;
	(void)prefix;
	(void)after;
	return NULL;
}

void tv_db_rows(struct tv_db *db, const char *table, const char *const *columns,
		void (*row)(void *context, const struct tv_db_value *value), void *context)
{
	(void)db;
	(void)table;
	(void)columns;
	(void)row;
	(void)context;
}

#endif
