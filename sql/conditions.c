/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conditions.c -- which rows a scan of a virtual table asks for. */
#include "sql/conditions.h"

#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"

enum { TEXTS_MAX = 1000, PLAN = 3 /* numbers of a constraint in a plan */ };

/* ---- lists ---- */

#if SQLITE_VERSION_NUMBER >= 3038000

bool tv_sql_list_ask(sqlite3_index_info *info, int i)
{
	return sqlite3_vtab_in(info, i, 1) != 0;
}

sqlite3_value *tv_sql_list_next(sqlite3_value *list, bool first)
{
	sqlite3_value *value = NULL;

	do {
		int rc = first ? sqlite3_vtab_in_first(list, &value)
			       : sqlite3_vtab_in_next(list, &value);

		if (rc != SQLITE_OK)
			return NULL;
		first = false;
	} while (value != NULL && sqlite3_value_type(value) == SQLITE_NULL);
	return value;
}

#else

bool tv_sql_list_ask(sqlite3_index_info *info, int i)
{
	(void)info;
	(void)i;
	return false;
}

sqlite3_value *tv_sql_list_next(sqlite3_value *list, bool first)
{
	return first ? list : NULL;
}

#endif

/* ---- xBestIndex ---- */

static bool is_text(const struct tv_column *column)
{
	return column->type == TV_LABEL || column->type == TV_TEXT;
}

static bool is_understood(const sqlite3_index_info *info, int i, const struct tv_sql_place *place)
{
	const struct tv_column *column;
	int op = info->aConstraint[i].op;

	if (!info->aConstraint[i].usable || info->aConstraint[i].iColumn < 0)
		return false;
	column = place[info->aConstraint[i].iColumn].column;
	if (is_text(column))
		return op == SQLITE_INDEX_CONSTRAINT_EQ
		    && sqlite3_stricmp(sqlite3_vtab_collation((sqlite3_index_info *)info, i),
				       "BINARY")
			       == 0;
	return (column->type == TV_TIME || column->type == TV_INT) && !column->derived
	    && (op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_GT
		|| op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_LT
		|| op == SQLITE_INDEX_CONSTRAINT_LE);
}

int tv_sql_conditions_ask(sqlite3_index_info *info, const struct tv_sql_place *place,
			  sqlite3_str *plan)
{
	int n = 0;

	for (int i = 0; i < info->nConstraint; i++) {
		int column = info->aConstraint[i].iColumn;

		if (!is_understood(info, i, place))
			continue;
		info->aConstraintUsage[i].argvIndex = ++n;
		info->aConstraintUsage[i].omit = is_text(place[column].column);
		sqlite3_str_appendf(plan, "%d %d %d ", column, info->aConstraint[i].op,
				    is_text(place[column].column) && tv_sql_list_ask(info, i));
	}
	return n;
}

/* ---- xFilter ---- */

static void add_text(struct tv_sql_conditions *c, struct tv_choice_text *text, sqlite3_value *value)
{
	size_t n = (size_t)sqlite3_value_bytes(value);

	TV_GROW(c->kept, c->nkept, c->kept_cap, 1);
	c->kept[c->nkept] = tv_alloc(n + 1, 1);
	memcpy(c->kept[c->nkept], sqlite3_value_text(value), n);
	*text = (struct tv_choice_text){ c->kept[c->nkept++], n };
}

/* Texts that a column is to equal: a value, or those of a list; false: there is something else, or too many. */
static bool add_texts(struct tv_sql_conditions *c, const struct tv_column *column,
		      sqlite3_value *from, bool list)
{
	struct tv_choice_text *text = tv_alloc(list ? TEXTS_MAX : 1, sizeof *text);
	sqlite3_value *value = list ? tv_sql_list_next(from, true) : from;
	size_t n = 0;

	for (; value != NULL && sqlite3_value_type(value) == SQLITE_TEXT && n < TEXTS_MAX;
	     value = list ? tv_sql_list_next(from, false) : NULL)
		add_text(c, &text[n++], value);
	qsort(text, n, sizeof *text, tv_choice_compare);
	c->choice.condition[c->choice.n++] = (struct tv_row_condition){ .column = column->name,
									.text = text,
									.ntexts = n };
	return value == NULL;
}

/* The whole number nearest to one that is not near the limits, else the limit. */
static int64_t whole(long double number)
{
	const long double limit = 0x1p62L;

	return number >= limit ? INT64_MAX : number <= -limit ? INT64_MIN : (int64_t)number;
}

/* SQLite compares numbers as they are shown, of which those in ms are rounded: the range is a little wider. */
static void add_range(struct tv_sql_conditions *c, const struct tv_sql_place *place, int op,
		      sqlite3_value *value)
{
	int type = sqlite3_value_type(value);
	long double number, margin;
	struct tv_row_condition *condition = c->choice.condition, *end = condition + c->choice.n;

	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return;
	number = type == SQLITE_INTEGER ? (long double)sqlite3_value_int64(value)
					: (long double)sqlite3_value_double(value);
	if (place->column->type == TV_TIME && !place->ns)
		number *= 1e6L;
	margin = 2 + fabsl(number) * 0x1p-50L;
	while (condition < end
	       && (condition->text != NULL || strcmp(condition->column, place->column->name) != 0))
		condition++;
	if (condition == end)
		c->choice.condition[c->choice.n++] = (struct tv_row_condition){
			.column = place->column->name, .min = INT64_MIN, .max = INT64_MAX
		};
	if (op != SQLITE_INDEX_CONSTRAINT_LT && op != SQLITE_INDEX_CONSTRAINT_LE
	    && whole(number - margin) > condition->min)
		condition->min = whole(number - margin);
	if (op != SQLITE_INDEX_CONSTRAINT_GT && op != SQLITE_INDEX_CONSTRAINT_GE
	    && whole(number + margin) < condition->max)
		condition->max = whole(number + margin);
}

bool tv_sql_conditions_make(struct tv_sql_conditions *c, const struct tv_sql_place *place,
			    const char *plan, int n, sqlite3_value **value)
{
	bool known = true;

	*c = (struct tv_sql_conditions){ .choice.condition = tv_alloc(
						 n, sizeof *c->choice.condition) };
	for (int i = 0; i < n; i++) {
		long number[PLAN];
		char *end;

		for (int k = 0; k < PLAN; k++, plan = end)
			number[k] = strtol(plan, &end, 10);
		if (is_text(place[number[0]].column))
			known &= add_texts(c, place[number[0]].column, value[i], number[2] != 0);
		else
			add_range(c, &place[number[0]], (int)number[1], value[i]);
	}
	return known;
}

void tv_sql_conditions_release(struct tv_sql_conditions *c)
{
	for (size_t i = 0; i < c->choice.n; i++)
		tv_free((void *)c->choice.condition[i].text);
	tv_free(c->choice.condition);
	for (size_t i = 0; i < c->nkept; i++)
		tv_free(c->kept[i]);
	tv_free(c->kept);
}
