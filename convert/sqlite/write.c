/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.c -- all tables of a trace as an SQLite database, with indexes on Start and JobId. */
#include "convert/formats.h"
#include "convert/sqlite/db.h"
#include "trace/alloc.h"

struct writing {
	const struct tv_trace *trace;
};

#ifdef TV_HAVE_SQLITE

#include <sqlite3.h>
#include <unistd.h>

#include "sql/tables.h"

/* What the names of the virtual tables begin with that are copied. */
#define SOURCE "from "

/* The statements that write the table ?1. */
static const char statements[] =
	"SELECT group_concat(sql, ';') FROM ("
	" SELECT printf('CREATE TABLE \"%w\"(%s)', ?1,"
	"  group_concat(printf('\"%w\" %s', name, type), ', ')) AS sql"
	"  FROM pragma_table_info('" SOURCE "' || ?1)"
	" UNION ALL SELECT printf('INSERT INTO \"%w\" SELECT * FROM \"" SOURCE "%w\"', ?1, ?1)"
	" UNION ALL SELECT printf('CREATE INDEX \"%w_%w\" ON \"%w\"(\"%w\")', ?1, name, ?1, name)"
	"  FROM pragma_table_info('" SOURCE "' || ?1)"
	"  WHERE name IN ('Start', 'JobId') OR (?1 = '" TV_SQL_EDGES "' AND name = 'DependsOn'))";

static int write_table(sqlite3 *db, const char *name)
{
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(db, statements, -1, &statement, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
		rc = sqlite3_exec(db, (const char *)sqlite3_column_text(statement, 0), NULL, NULL,
				  NULL);
	else if (rc == SQLITE_OK)
		rc = sqlite3_errcode(db);
	sqlite3_finalize(statement);
	return rc;
}

static int write_tables(sqlite3 *db, const struct tv_trace *trace)
{
	const char *name[TV_NTABLES + 1];
	size_t n = tv_sql_names(trace, name);
	int rc = sqlite3_exec(db,
			      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
			      "PRAGMA locking_mode = EXCLUSIVE; BEGIN",
			      NULL, NULL, NULL);

	tv_sql_add_trace(db, trace, SOURCE);
	for (size_t i = 0; rc == SQLITE_OK && i < n; i++)
		rc = write_table(db, name[i]);
	return rc == SQLITE_OK ? sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) : rc;
}

/* What is no file gets the bytes of a database in memory. */
static int write_file(void *state, const struct tv_part *part, struct tv_output *out,
		      struct tv_error *err)
{
	const struct writing *w = state;
	const char *file = tv_output_file(out), *name[TV_NTABLES + 1];
	sqlite3_int64 n = 0;
	unsigned char *bytes;
	sqlite3 *db = NULL;
	int rc;

	(void)part;
	if (tv_sql_names(w->trace, name) == 0)
		return tv_fail_at(err, (struct tv_pos){ out->path, 0 },
				  "the trace has no rows, so that a database has no tables");
	if (file == NULL && tv_output_is_terminal(out->fd))
		return tv_fail_usage(err, "a database is not written to a terminal; use "
					  "-o FILE.sqlite or a pipe");
	sqlite3_hard_heap_limit64((sqlite3_int64)tv_memory_max());
	/* Nobody else knows the file. */
	rc = sqlite3_open_v2(file != NULL ? file : ":memory:", &db,
			     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			     file != NULL ? "unix-none" : NULL);
	if (rc == SQLITE_OK)
		rc = write_tables(db, w->trace);
	bytes = rc == SQLITE_OK && file == NULL ? sqlite3_serialize(db, "main", &n, 0) : NULL;
	if (bytes != NULL)
		tv_output_write(out, bytes, (size_t)n);
	else if (rc == SQLITE_OK && file == NULL)
		rc = SQLITE_NOMEM;
	if (rc != SQLITE_OK)
		tv_fail_at(err, (struct tv_pos){ out->path, 0 }, "cannot write the database: %s",
			   rc == SQLITE_NOMEM ? sqlite3_errstr(rc) : sqlite3_errmsg(db));
	sqlite3_free(bytes);
	sqlite3_close(db);
	return rc == SQLITE_OK ? 0 : -1;
}

static void *begin(const struct tv_export *export, struct tv_error *err)
{
	struct writing *w = tv_alloc(1, sizeof *w);

	(void)err;
	w->trace = export->trace;
	return w;
}

#else

static int write_file(void *state, const struct tv_part *part, struct tv_output *out,
		      struct tv_error *err)
{
	(void)state;
	(void)part;
	(void)out;
	return tv_fail(err, "--to sqlite " TV_DB_LACKS);
}

static void *begin(const struct tv_export *export, struct tv_error *err)
{
	(void)export;
	tv_fail(err, "--to sqlite " TV_DB_LACKS);
	return NULL;
}

#endif

const struct tv_writer tv_sqlite_writer = {
	.name = "sqlite",
	.ending = "sqlite",
	.summary = "all tables in one SQLite database",
	.whole = true,
	.begin = begin,
	.write = write_file,
	.end = tv_free,
};
