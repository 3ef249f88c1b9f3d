/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db.c -- tables of an SQLite file. */
#include "convert/sqlite/db.h"

#include "trace/alloc.h"

#ifdef TV_HAVE_SQLITE

#include <sqlite3.h>

#include "sql/tables.h"
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

	if (in->codec != NULL || in->size < 0 || strcmp(in->path, "-") == 0) {
		tv_fail_at(err, at,
			   "an SQLite database that is %s, expected a file that is not compressed",
			   in->codec != NULL ? "compressed" : "read from standard input or a pipe");
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

/* ---- tables of traces ---- */

/* The columns of a table that are read: number `value` in the statement, which for a time may be its column in ns. */
struct columns {
	struct tv_csv_cell *name, *cell;
	bool *ns, *skipped;
	int *value;
	char (*number)[TV_NUMBER_MAX];
	size_t n;
};

static bool starts_with(const char *text, const char *prefix)
{
	return text != NULL && strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The number of the column whose name is that and an ending; -1 = none. */
static int column_named(sqlite3_stmt *statement, const char *name, const char *ending)
{
	size_t n = strlen(name);

	for (int i = 0; i < sqlite3_column_count(statement); i++) {
		const char *of = sqlite3_column_name(statement, i);

		if (strncmp(of, name, n) == 0 && strcmp(of + n, ending) == 0)
			return i;
	}
	return -1;
}

static bool is_time(enum tv_table_id id, const char *name)
{
	const struct tv_field *field = tv_schema_field(id, name);

	return field != NULL && field->type == TV_TIME;
}

/* Whether a column is that of a time in ns, which belongs to another one. */
static bool belongs(sqlite3_stmt *statement, enum tv_table_id id, const char *name)
{
	size_t n = strlen(name), ending = strlen(TV_SQL_NS);
	char *time;
	bool yes;

	if (n <= ending || strcmp(name + n - ending, TV_SQL_NS) != 0)
		return false;
	time = tv_strndup(name, n - ending);
	yes = is_time(id, time) && column_named(statement, time, "") >= 0;
	tv_free(time);
	return yes;
}

static void find_columns(sqlite3_stmt *statement, enum tv_table_id id, struct columns *c)
{
	size_t max = (size_t)sqlite3_column_count(statement);

	*c = (struct columns){ .name = tv_alloc(max, sizeof *c->name),
			       .cell = tv_alloc(max, sizeof *c->cell),
			       .ns = tv_alloc(max, sizeof *c->ns),
			       .skipped = tv_alloc(max, sizeof *c->skipped),
			       .value = tv_alloc(max, sizeof *c->value),
			       .number = tv_alloc(max, sizeof *c->number) };
	for (int i = 0; i < (int)max; i++) {
		const char *name = sqlite3_column_name(statement, i);
		int ns;

		if (starts_with(sqlite3_column_decltype(statement, i), TV_SQL_DERIVED)
		    || belongs(statement, id, name))
			continue;
		ns = is_time(id, name) ? column_named(statement, name, TV_SQL_NS) : -1;
		c->name[c->n] = (struct tv_csv_cell){ name, strlen(name), false, false };
		c->ns[c->n] = ns >= 0;
		c->value[c->n++] = ns >= 0 ? ns : i;
	}
}

static struct tv_csv_cell cell_of(sqlite3_stmt *statement, const struct columns *c, size_t i)
{
	int column = c->value[i], type = sqlite3_column_type(statement, column);
	char *number = c->number[i];
	const char *text;

	if (c->skipped[i])
		type = SQLITE_NULL;
	switch (type) {
	case SQLITE_NULL:
		return (struct tv_csv_cell){ "", 0, true, false };
	case SQLITE_INTEGER:
		return (struct tv_csv_cell){ number,
					     (c->ns[i] ? tv_write_ms : tv_write_int)(
						     number,
						     sqlite3_column_int64(statement, column)),
					     false, false };
	case SQLITE_FLOAT:
		return (struct tv_csv_cell){
			number, tv_write_double(number, sqlite3_column_double(statement, column)),
			false, false
		};
	default:
		text = (const char *)sqlite3_column_text(statement, column);
		return (struct tv_csv_cell){ text != NULL ? text : "",
					     (size_t)sqlite3_column_bytes(statement, column), false,
					     false };
	}
}

static int read_rows(sqlite3_stmt *statement, const struct tv_trace *trace, enum tv_table_id id,
		     struct tv_pos at, const struct tv_csv_taker *to, struct tv_error *err)
{
	struct columns c;
	int rc, step = SQLITE_DONE;

	find_columns(statement, id, &c);
	rc = to->row(to->context, &(struct tv_csv_row){ at, c.name, c.n }, err);
	for (size_t i = 0; i < c.n; i++)
		c.skipped[i] = tv_trace_leaves(trace, id, c.name[i].text);
	while (rc == 0 && (step = sqlite3_step(statement)) == SQLITE_ROW) {
		at.line++;
		for (size_t i = 0; i < c.n; i++)
			c.cell[i] = cell_of(statement, &c, i);
		rc = to->row(to->context, &(struct tv_csv_row){ at, c.cell, c.n }, err);
	}
	if (rc == 0 && step != SQLITE_DONE)
		rc = tv_fail_at(err, at, "a damaged SQLite database: %s", sqlite3_errstr(step));
	tv_free(c.name);
	tv_free(c.cell);
	tv_free(c.ns);
	tv_free(c.skipped);
	tv_free(c.value);
	tv_free(c.number);
	return rc;
}

int tv_db_csv(void *db, enum tv_table_id id, const struct tv_csv_taker *to, struct tv_error *err)
{
	struct tv_db *of = db;
	char *sql = tv_format("SELECT * FROM %s NOT INDEXED", tv_schema[id].name);
	char *file = tv_format("%s:%s", of->path, tv_schema[id].name);
	sqlite3_stmt *statement = prepare(of, sql, NULL, NULL);
	int rc;

	if (statement == NULL)
		rc = tv_fail_at(err, (struct tv_pos){ file, 0 }, "a damaged SQLite database: %s",
				sqlite3_errmsg(of->db));
	else
		rc = read_rows(statement, of->trace, id, (struct tv_pos){ file, 0 }, to, err);
	sqlite3_finalize(statement);
	tv_free(sql);
	tv_free(file);
	return rc;
}

#else

struct tv_db *tv_db_open(const struct tv_input *in, struct tv_trace *trace, struct tv_error *err)
{
	(void)trace;
	tv_fail_at(err, (struct tv_pos){ in->path, 0 }, "an SQLite database, which " TV_DB_LACKS);
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

int tv_db_csv(void *db, enum tv_table_id id, const struct tv_csv_taker *to, struct tv_error *err)
{
	(void)db;
	(void)id;
	(void)to;
	return tv_fail(err, TV_DB_LACKS);
}

#endif
