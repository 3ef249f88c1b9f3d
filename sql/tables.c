/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tables.c -- virtual tables of SQLite. */
#include "sql/tables.h"

#include <stdlib.h>

#include "sql/ordering.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* Columns with more names are sorted by SQLite. */
enum { NAMES_MAX = 1 << 16 };

/* Rows by label, once they are asked for. */
struct found {
	struct tv_groups rows; /* numbers in the order of the input */
	uint32_t distinct;     /* labels that occur; 0 = not yet known */
};

struct shown {
	sqlite3_vtab base;
	const struct tv_sql_source *source;
	const struct tv_table *table;
	uint32_t *order; /* rows in the order of the input; NULL = that of the table */
	struct tv_sql_place *place;
	struct found *found; /* by place */
	size_t nplaces;
	struct tv_sql_orderings orderings;
};

struct cursor {
	sqlite3_vtab_cursor base;
	const struct tv_sql_place *place;
	const uint32_t *order, *number; /* of the rows that are shown; NULL = all */
	uint32_t at, end;
	uint32_t *listed; /* number, of several labels */
	size_t listed_cap;
	/* of a source that chooses */
	struct tv_sql_place *own;
	uint32_t *own_order;
};

/* ---- columns ---- */

/* Which types and nodes rows get that have none may depend on rows that are not chosen. */
static bool is_shown(const struct tv_sql_source *source, const struct tv_column *column)
{
	return strcmp(column->name, TV_INPUT_ROW) != 0
	    && !(source->choose != NULL && column->derived && column->type == TV_LABEL);
}

static const char *type_of(const struct tv_column *column)
{
	switch (column->type) {
	case TV_INT:
		return "INTEGER";
	case TV_TIME:
	case TV_DOUBLE:
		return "REAL";
	default:
		return "TEXT";
	}
}

static int declare(sqlite3 *db, const struct tv_sql_source *source, const struct tv_table *table)
{
	sqlite3_str *sql = sqlite3_str_new(db);
	const char *before = "CREATE TABLE x(";
	char *text;
	int rc;

	for (size_t i = 0; i < table->ncols; i++) {
		const struct tv_column *column = table->col[i];
		const char *derived = column->derived ? TV_SQL_DERIVED : "";

		if (!is_shown(source, column))
			continue;
		sqlite3_str_appendf(sql, "%s\"%w\" %s%s", before, column->name, derived,
				    type_of(column));
		before = ", ";
		if (column->type == TV_TIME)
			sqlite3_str_appendf(sql, ", \"%w" TV_SQL_NS "\" %sINTEGER", column->name,
					    derived);
	}
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	rc = text != NULL ? sqlite3_declare_vtab(db, text) : SQLITE_NOMEM;
	sqlite3_free(text);
	return rc;
}

static void find_places(struct shown *t)
{
	t->place = tv_alloc(2 * t->table->ncols, sizeof *t->place);
	t->found = tv_alloc(2 * t->table->ncols, sizeof *t->found);
	for (size_t i = 0; i < t->table->ncols; i++) {
		const struct tv_column *column = t->table->col[i];

		if (!is_shown(t->source, column))
			continue;
		t->place[t->nplaces++].column = column;
		if (column->type == TV_TIME)
			t->place[t->nplaces++] = (struct tv_sql_place){ column, true };
	}
}

/* ---- rows by label ---- */

static const struct found *find_rows(const struct shown *t, int i)
{
	struct found *found = &t->found[i];

	if (found->distinct > 0)
		return found;
	tv_sql_group_rows(t->place[i].column, t->order, t->table->nrows, &found->rows);
	for (uint32_t label = 0; label < found->rows.n; label++)
		found->distinct += found->rows.first[label] < found->rows.first[label + 1];
	found->distinct += found->distinct == 0;
	return found;
}

/* ---- what SQLite calls ---- */

static int fail(char **message, const struct tv_error *err)
{
	*message = sqlite3_mprintf("%s", err->text);
	return SQLITE_ERROR;
}

static int disconnect(sqlite3_vtab *base)
{
	struct shown *t = (struct shown *)base;

	for (size_t i = 0; i < t->nplaces; i++)
		tv_groups_release(&t->found[i].rows);
	tv_free(t->found);
	tv_free(t->place);
	tv_sql_orderings_release(&t->orderings);
	tv_free(t->order);
	tv_free(t);
	return SQLITE_OK;
}

static int connect(sqlite3 *db, void *source, int argc, const char *const *argv,
		   sqlite3_vtab **vtab, char **message)
{
	struct tv_sql_source *of = source;
	struct tv_error err = { 0 };
	const struct tv_table *table = of->get(of->context, &err);
	struct shown *t;
	uint32_t n;
	int rc;

	(void)argc;
	(void)argv;
	if (table == NULL)
		return fail(message, &err);
	rc = declare(db, of, table);
	if (rc != SQLITE_OK) {
		*message = sqlite3_mprintf("%s", sqlite3_errmsg(db));
		return rc;
	}
	t = tv_alloc(1, sizeof *t);
	t->source = of;
	t->table = table;
	t->order = tv_rows_as_read(table, NULL, &n);
	find_places(t);
	*vtab = &t->base;
	return SQLITE_OK;
}

/* Whether a constraint is one that the rows of a label answer. */
static bool is_search(const struct shown *t, sqlite3_index_info *info, int i)
{
	int column = info->aConstraint[i].iColumn;

	return info->aConstraint[i].usable && info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ
	    && column >= 0 && t->place[column].column->type == TV_LABEL
	    && sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0;
}

/* Whether rows come in the order that is asked for: by columns with few names. */
static bool orders(const struct shown *t, const sqlite3_index_info *info)
{
	bool few = tv_sql_ordering_fits(info, t->place);

	for (int i = 0; few && i < info->nOrderBy; i++)
		few = find_rows(t, info->aOrderBy[i].iColumn)->distinct <= NAMES_MAX;
	return few;
}

static int set_plan(sqlite3_index_info *info, int number, sqlite3_str *plan)
{
	info->idxNum = number;
	info->idxStr = sqlite3_str_finish(plan);
	info->needToFreeIdxStr = 1;
	return SQLITE_OK;
}

/* Of a source that chooses: idxNum conditions, and behind a semicolon an order. */
static int plan_choice(const struct shown *t, sqlite3_index_info *info)
{
	sqlite3_str *plan = sqlite3_str_new(NULL);
	int n = tv_sql_conditions_ask(info, t->place, plan);

	if (tv_sql_ordering_fits(info, t->place)) {
		sqlite3_str_appendall(plan, ";");
		tv_sql_ordering_promise(info, plan);
	}
	set_plan(info, n, plan);
	return n > 0 ? SQLITE_OK : SQLITE_CONSTRAINT;
}

/* Of all rows in an order. */
static int plan_order(sqlite3_index_info *info)
{
	sqlite3_str *plan = sqlite3_str_new(NULL);

	tv_sql_ordering_promise(info, plan);
	return set_plan(info, 0, plan);
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct shown *t = (const struct shown *)base;
	double rows = t->table->nrows;
	int search = -1;

	if (t->source->choose != NULL)
		return plan_choice(t, info);
	for (int i = 0; i < info->nConstraint; i++) {
		double mean;

		if (!is_search(t, info, i))
			continue;
		mean = (double)t->table->nrows
		     / find_rows(t, info->aConstraint[i].iColumn)->distinct;
		if (search >= 0 && mean >= rows)
			continue;
		rows = mean;
		search = i;
	}
	info->estimatedRows = (sqlite3_int64)rows + 1;
	info->estimatedCost = rows + 1;
	/* To sort many of the rows would take longer than to look at all. */
	if (rows * 4 >= t->table->nrows && orders(t, info))
		return plan_order(info);
	if (search >= 0) {
		info->aConstraintUsage[search].argvIndex = 1;
		info->idxNum = 2 * (1 + info->aConstraint[search].iColumn)
			     + tv_sql_list_ask(info, search);
	}
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	struct cursor *c = tv_alloc(1, sizeof *c);

	(void)base;
	*out = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	tv_free(c->listed);
	tv_free(c->own);
	tv_free(c->own_order);
	tv_free(c);
	return SQLITE_OK;
}

/* Shows the rows of a table, which has the columns of t, in an order if there is one. */
static int show_chosen(struct cursor *c, const struct shown *t, const struct tv_table *table,
		       const char *ordering)
{
	tv_free(c->own);
	tv_free(c->own_order);
	tv_free(c->listed);
	c->listed = NULL;
	c->listed_cap = 0;
	c->own = tv_alloc(t->nplaces, sizeof *c->own);
	c->own_order = tv_rows_as_read(table, NULL, &c->end);
	c->at = 0;
	c->place = c->own;
	c->order = c->own_order;
	c->end = table->nrows;
	for (size_t i = 0; i < t->nplaces; i++) {
		c->own[i] = t->place[i];
		c->own[i].column = tv_table_find(table, t->place[i].column->name);
		if (c->own[i].column == NULL || c->own[i].column->type != t->place[i].column->type)
			return SQLITE_ERROR;
	}
	if (ordering != NULL)
		c->listed = tv_sql_ordering_make(c->own, ordering + 1, c->own_order, c->end);
	c->number = c->listed;
	return SQLITE_OK;
}

static int choose(struct cursor *c, const struct shown *t, const char *plan, int n,
		  sqlite3_value **value)
{
	struct tv_sql_conditions conditions;
	struct tv_error err = { 0 };
	const struct tv_table *table = NULL;

	if (tv_sql_conditions_make(&conditions, t->place, plan, n, value))
		table = t->source->choose(t->source->context, &conditions.choice, &err);
	tv_sql_conditions_release(&conditions);
	return table != NULL ? show_chosen(c, t, table, strchr(plan, ';'))
			     : fail(&c->base.pVtab->zErrMsg, &err);
}

/* Shows all rows, in the order of a plan if there is one. */
static void show_all(struct cursor *c, struct shown *t, const char *plan)
{
	c->at = 0;
	c->end = t->table->nrows;
	c->number = plan == NULL
			  ? NULL
			  : tv_sql_ordering_get(&t->orderings, t->place, plan, t->order, c->end);
}

static uint32_t label_of(const struct tv_column *column, sqlite3_value *text)
{
	return tv_pool_find(column->pool, (const char *)sqlite3_value_text(text),
			    (size_t)sqlite3_value_bytes(text));
}

/* Shows the rows of a text. */
static void search_text(struct cursor *c, const struct tv_groups *rows, uint32_t label)
{
	c->number = rows->row;
	c->at = label < rows->n ? rows->first[label] : 0;
	c->end = label < rows->n ? rows->first[label + 1] : 0;
}

/* The same of all texts of a list, in the order of the input; false: it has something else. */
static bool search_list(struct cursor *c, const struct tv_groups *rows,
			const struct tv_column *column, sqlite3_value *list)
{
	size_t n = 0;

	for (sqlite3_value *value = tv_sql_list_next(list, true); value != NULL;
	     value = tv_sql_list_next(list, false)) {
		if (sqlite3_value_type(value) != SQLITE_TEXT)
			return false;
		search_text(c, rows, label_of(column, value));
		TV_GROW(c->listed, n, c->listed_cap, c->end - c->at);
		for (; c->at < c->end; c->at++)
			c->listed[n++] = c->number[c->at];
	}
	if (n > 0)
		qsort(c->listed, n, sizeof *c->listed, tv_compare_uint32);
	c->number = c->listed;
	c->at = 0;
	c->end = (uint32_t)n;
	return true;
}

/* Texts are searched; numbers, which may equal texts that are written in another way, are compared with all rows by SQLite. */
static int filter(sqlite3_vtab_cursor *base, int search, const char *plan, int argc,
		  sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)base;
	struct shown *t = (struct shown *)base->pVtab;
	int column = search / 2 - 1;
	bool found = false;

	(void)argc;
	c->place = t->place;
	c->order = t->order;
	if (t->source->choose != NULL)
		return choose(c, t, plan, search, argv);
	if (search % 2 != 0) {
		found = search_list(c, &t->found[column].rows, t->place[column].column, argv[0]);
	} else if (search > 0 && sqlite3_value_type(argv[0]) == SQLITE_TEXT) {
		search_text(c, &t->found[column].rows, label_of(t->place[column].column, argv[0]));
		found = true;
	}
	if (!found)
		show_all(c, t, plan);
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base)
{
	((struct cursor *)base)->at++;
	return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *base)
{
	const struct cursor *c = (const struct cursor *)base;

	return c->at >= c->end;
}

static uint32_t number_of(const struct cursor *c)
{
	return c->number != NULL ? c->number[c->at] : c->at;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = (sqlite3_int64)number_of((const struct cursor *)base) + 1;
	return ((const struct shown *)base->pVtab)->source->choose != NULL ? SQLITE_ERROR
									   : SQLITE_OK;
}

/* The number nearest to what CSV has. */
static double ms_of(int64_t ns)
{
	char text[TV_NUMBER_MAX + 1];

	if (ns >= -(INT64_C(1) << 53) && ns <= INT64_C(1) << 53)
		return (double)ns / 1e6;
	text[tv_write_ms(text, ns)] = '\0';
	return strtod(text, NULL);
}

static void text_cell(sqlite3_context *context, const struct tv_column *column, uint32_t row)
{
	size_t n;
	const char *text = tv_string(column, row, &n);

	sqlite3_result_text64(context, text, n, SQLITE_STATIC, SQLITE_UTF8);
}

static int cell(sqlite3_vtab_cursor *base, sqlite3_context *context, int i)
{
	const struct cursor *c = (const struct cursor *)base;
	const struct tv_column *column = c->place[i].column;
	uint32_t number = number_of(c), row = c->order != NULL ? c->order[number] : number;

	if (tv_missing(column, row))
		return SQLITE_OK;
	switch (column->type) {
	case TV_TIME:
		if (c->place[i].ns)
			sqlite3_result_int64(context, tv_number(column, row));
		else
			sqlite3_result_double(context, ms_of(tv_number(column, row)));
		break;
	case TV_INT:
		sqlite3_result_int64(context, tv_number(column, row));
		break;
	case TV_DOUBLE:
		/* A file of SQLite has no negative zero. */
		sqlite3_result_double(context, tv_real(column, row) + 0.0);
		break;
	case TV_LABEL:
	case TV_TEXT:
		text_cell(context, column, row);
		break;
	case TV_LIST:
		sqlite3_result_text64(context, tv_cell_copy(column, row),
				      tv_cell_text(column, row, NULL, 0), tv_free, SQLITE_UTF8);
		break;
	}
	return SQLITE_OK;
}

/* Without xCreate a table is there under the name of its module, once a statement names it. */
static const sqlite3_module module = {
	.xConnect = connect,
	.xBestIndex = best_index,
	.xDisconnect = disconnect,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter,
	.xNext = next,
	.xEof = at_end,
	.xColumn = cell,
	.xRowid = row_id,
};

static void release_source(void *context)
{
	struct tv_sql_source *source = context;

	if (source->release != NULL)
		source->release(source->context);
	tv_free(source);
}

void tv_sql_add(sqlite3 *db, const char *name, struct tv_sql_source source)
{
	struct tv_sql_source *copy = tv_alloc(1, sizeof *copy);

	*copy = source;
	if (sqlite3_create_module_v2(db, name, &module, copy, release_source) != SQLITE_OK)
		tv_memory_exhausted(0);
}
