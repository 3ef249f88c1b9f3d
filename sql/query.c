/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query.c -- queries that only read, and their rows as a table. */
#include "sql/query.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/timings.h"

enum { STEPS = 4096 }; /* of SQLite's machine between two looks at the clock */

#define WHOLE_MAX (INT64_C(1) << 53) /* a double has each whole number up to this */

/* ---- what a query may do ---- */

static int authorize(void *context, int action, const char *first, const char *second,
		     const char *database, const char *trigger)
{
	(void)context;
	(void)second;
	(void)database;
	(void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_FUNCTION:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_UPDATE: /* asked when a virtual table declares its columns; done by nobody (DEFENSIVE) */
		return strcmp(first, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_PRAGMA:
		return strcmp(first, "table_info") == 0 ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

static int is_late(void *deadline)
{
	return tv_clock_ns(CLOCK_MONOTONIC) > *(const int64_t *)deadline;
}

/* ---- quantile(x, q) ---- */

struct sample {
	double *x, q;
	size_t n, cap;
	bool wrong;
};

static void add_value(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct sample *s = sqlite3_aggregate_context(context, sizeof *s);
	int type = sqlite3_value_numeric_type(argv[0]);

	(void)argc;
	if (s == NULL || type == SQLITE_NULL)
		return;
	s->q = sqlite3_value_double(argv[1]);
	s->wrong = s->wrong || (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		|| !(s->q >= 0 && s->q <= 1);
	TV_GROW(s->x, s->n, s->cap, 1);
	s->x[s->n++] = sqlite3_value_double(argv[0]);
}

static void end_quantile(sqlite3_context *context)
{
	struct sample *s = sqlite3_aggregate_context(context, 0);
	double place;
	size_t below;

	if (s == NULL || s->n == 0)
		return;
	qsort(s->x, s->n, sizeof *s->x, tv_compare_double);
	place = s->q * (double)(s->n - 1);
	below = s->wrong ? 0 : (size_t)place;
	if (s->wrong)
		sqlite3_result_error(context, "quantile(x, q): expected numbers, q from 0 to 1",
				     -1);
	else if (below + 1 < s->n)
		sqlite3_result_double(
			context,
			s->x[below] + (place - (double)below) * (s->x[below + 1] - s->x[below]));
	else
		sqlite3_result_double(context, s->x[below]);
	tv_free(s->x);
}

/* ---- overlap(start, end, from, to), covered(start, end) ---- */

/* A span in ns or ms: a long double has each whole number of SQLite. */
struct extent {
	long double start, end;
};

static long double instant_of(sqlite3_value *value)
{
	return sqlite3_value_numeric_type(value) == SQLITE_INTEGER
		     ? (long double)sqlite3_value_int64(value)
		     : (long double)sqlite3_value_double(value);
}

static bool all_of(int argc, sqlite3_value **argv, int type, bool expected)
{
	for (int i = 0; i < argc; i++)
		if ((sqlite3_value_numeric_type(argv[i]) == type) != expected)
			return false;
	return true;
}

static void give_length(sqlite3_context *context, long double length, bool whole)
{
	if (whole && length < 0x1p63L)
		sqlite3_result_int64(context, (int64_t)length);
	else
		sqlite3_result_double(context, (double)length);
}

static void overlap(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	long double start, end;

	if (!all_of(argc, argv, SQLITE_NULL, false))
		return;
	start = fmaxl(instant_of(argv[0]), instant_of(argv[2]));
	end = fminl(instant_of(argv[1]), instant_of(argv[3]));
	give_length(context, fmaxl(end - start, 0), all_of(argc, argv, SQLITE_INTEGER, true));
}

struct cover {
	struct extent *extent;
	size_t n, cap;
	bool real;
};

static void add_extent(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct cover *c = sqlite3_aggregate_context(context, sizeof *c);

	if (c == NULL || !all_of(argc, argv, SQLITE_NULL, false))
		return;
	c->real = c->real || !all_of(argc, argv, SQLITE_INTEGER, true);
	TV_GROW(c->extent, c->n, c->cap, 1);
	c->extent[c->n++] = (struct extent){ instant_of(argv[0]), instant_of(argv[1]) };
}

TV_ORDER(by_start, struct extent, start)

static void end_cover(sqlite3_context *context)
{
	struct cover *c = sqlite3_aggregate_context(context, 0);
	long double covered = 0, to = -HUGE_VALL;

	if (c == NULL || c->n == 0)
		return;
	qsort(c->extent, c->n, sizeof *c->extent, by_start);
	for (size_t i = 0; i < c->n; i++) {
		covered += fmaxl(c->extent[i].end - fmaxl(c->extent[i].start, to), 0);
		to = fmaxl(to, c->extent[i].end);
	}
	give_length(context, covered, !c->real);
	tv_free(c->extent);
}

/* ---- the database ---- */

/* A scalar function, or the two of an aggregate. */
static bool add_function(sqlite3 *db, const char *name, int arguments,
			 void (*scalar)(sqlite3_context *, int, sqlite3_value **),
			 void (*step)(sqlite3_context *, int, sqlite3_value **),
			 void (*final)(sqlite3_context *))
{
	return sqlite3_create_function_v2(db, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
					  NULL, scalar, step, final, NULL)
	    == SQLITE_OK;
}

sqlite3 *tv_sql_open(void)
{
	sqlite3 *db = NULL;
	size_t max = tv_memory_max(), used = tv_memory_used();

	sqlite3_hard_heap_limit64((sqlite3_int64)(used < max ? max - used : 1));
	/* What does not fit into memory is not moved to a disk, which has no limit. */
	if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK
	    || sqlite3_exec(db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL) != SQLITE_OK
	    || !add_function(db, "quantile", 2, NULL, add_value, end_quantile)
	    || !add_function(db, "overlap", 4, overlap, NULL, NULL)
	    || !add_function(db, "covered", 2, NULL, add_extent, end_cover))
		tv_memory_exhausted(0);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_set_authorizer(db, authorize, NULL);
	return db;
}

void tv_sql_close(sqlite3 *db)
{
	sqlite3_close(db);
	sqlite3_hard_heap_limit64(0);
}

/* ---- rows ---- */

/* Kinds of cells of a column. */
enum { WHOLE = 1, REAL = 2, TEXT = 4, LARGE = 8 /* a whole number that no double has */ };

/* The rows of a statement as texts, and what they are: seen[i], of each column. */
static void add_row(sqlite3_stmt *statement, struct tv_table *raw, unsigned *seen)
{
	uint32_t row = tv_table_add_row(raw);

	for (int i = 0; i < (int)raw->ncols; i++) {
		int type = sqlite3_column_type(statement, i);
		int64_t whole = type == SQLITE_INTEGER ? sqlite3_column_int64(statement, i) : 0;
		char number[TV_NUMBER_MAX];
		const char *text = number;
		size_t n;

		if (type == SQLITE_NULL)
			continue;
		if (type == SQLITE_INTEGER) {
			n = tv_write_int(number, whole);
		} else if (type == SQLITE_FLOAT) {
			n = tv_write_double(number, sqlite3_column_double(statement, i));
		} else {
			text = sqlite3_column_blob(statement, i);
			n = (size_t)sqlite3_column_bytes(statement, i);
		}
		seen[i] |= type == SQLITE_INTEGER ? WHOLE : type == SQLITE_FLOAT ? REAL : TEXT;
		seen[i] |= whole > WHOLE_MAX || whole < -WHOLE_MAX ? LARGE : 0;
		tv_set_string(raw->col[i], row, text != NULL ? text : "", n);
	}
}

/* Texts that are numbers, as such. */
static void copy_numbers(const struct tv_column *from, uint32_t nrows, struct tv_column *to)
{
	for (uint32_t row = 0; row < nrows; row++) {
		size_t n;
		const char *text = tv_string(from, row, &n);
		int64_t whole;
		double real;

		if (to->type == TV_INT && tv_parse_int(text, n, &whole) == TV_PARSE_OK)
			tv_set_int(to, row, whole);
		else if (to->type == TV_DOUBLE && tv_parse_double(text, n, &real) == TV_PARSE_OK)
			tv_set_double(to, row, real);
	}
}

static void make_table(struct tv_sql_result *result, const unsigned *seen)
{
	struct tv_error none = { 0 };

	tv_table_finish(&result->raw);
	result->table.nrows = result->raw.nrows;
	for (size_t i = 0; i < result->raw.ncols; i++) {
		const struct tv_column *raw = result->raw.col[i];
		bool whole = seen[i] == WHOLE || seen[i] == (WHOLE | LARGE);

		if (whole || seen[i] == REAL || seen[i] == (WHOLE | REAL))
			copy_numbers(raw, result->raw.nrows,
				     tv_table_column(&result->table, raw->name,
						     whole ? TV_INT : TV_DOUBLE, &none));
		else
			tv_table_borrow(&result->table, raw);
	}
	tv_table_finish(&result->table);
}

/* Columns of texts; of several with the same name the next ones get a number. */
static void init_result(sqlite3_stmt *statement, struct tv_sql_result *result)
{
	struct tv_pool *pool = tv_pool_new();
	struct tv_error none = { 0 };

	tv_table_init(&result->table, pool);
	tv_table_init(&result->raw, pool);
	tv_pool_free(pool);
	for (int i = 0; i < sqlite3_column_count(statement); i++) {
		char *name = tv_strdup(sqlite3_column_name(statement, i));

		for (int k = 2; tv_table_find(&result->raw, name) != NULL; k++) {
			tv_free(name);
			name = tv_format("%s_%d", sqlite3_column_name(statement, i), k);
		}
		tv_table_column(&result->raw, name, TV_TEXT, &none);
		tv_free(name);
	}
}

void tv_sql_result_release(struct tv_sql_result *result)
{
	tv_table_release(&result->table);
	tv_table_release(&result->raw);
}

/* ---- a query ---- */

static int fail_query(sqlite3 *db, int rc, const char *sql, struct tv_error *err)
{
	int at = -1;

	if (rc == SQLITE_INTERRUPT)
		return tv_fail(err, "the query was ended by its limit of time, see --timeout");
	if (rc == SQLITE_NOMEM)
		return tv_fail(err, "the query needs more memory than there is, see --max-memory");
	if (rc == SQLITE_AUTH)
		return tv_fail(err, "%s: a query can only read", sqlite3_errmsg(db));
#if SQLITE_VERSION_NUMBER >= 3038000
	at = sqlite3_error_offset(db);
#endif
	if (at < 0)
		return tv_fail(err, "%s", sqlite3_errmsg(db));
	tv_fail_quote(err, sql, (size_t)at, "%s", sqlite3_errmsg(db));
	err->status = TV_FAILED;
	return -1;
}

/* One statement, and nothing but blanks and comments behind it. */
static int prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, struct tv_error *err)
{
	sqlite3_stmt *more = NULL;
	const char *rest;
	int rc = sqlite3_prepare_v2(db, sql, -1, statement, &rest);

	if (rc != SQLITE_OK)
		return fail_query(db, rc, sql, err);
	if (*statement == NULL)
		return tv_fail(err, "the query is empty, expected SELECT ...");
	rc = sqlite3_prepare_v2(db, rest, -1, &more, NULL);
	sqlite3_finalize(more);
	if (rc == SQLITE_OK && more == NULL)
		return 0;
	tv_fail_quote(err, sql, (size_t)(rest - sql), "a second statement, expected one");
	err->status = TV_FAILED;
	return -1;
}

int tv_sql_query(sqlite3 *db, const char *sql, int64_t timeout_ns, struct tv_sql_result *result,
		 struct tv_error *err)
{
	sqlite3_stmt *statement = NULL;
	unsigned *seen;
	int64_t deadline;
	int rc = prepare(db, sql, &statement, err), step;

	if (rc < 0) {
		sqlite3_finalize(statement);
		return -1;
	}
	tv_memory_purpose("collecting the rows of the query");
	deadline = tv_clock_ns(CLOCK_MONOTONIC) + timeout_ns;
	sqlite3_progress_handler(db, STEPS, is_late, &deadline);
	init_result(statement, result);
	seen = tv_alloc(result->raw.ncols, sizeof *seen);
	while ((step = sqlite3_step(statement)) == SQLITE_ROW)
		add_row(statement, &result->raw, seen);
	if (step == SQLITE_DONE)
		make_table(result, seen);
	else
		rc = fail_query(db, step, sql, err);
	tv_free(seen);
	sqlite3_finalize(statement);
	sqlite3_progress_handler(db, 0, NULL, NULL);
	return rc;
}
