/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.c -- columns of tasks that options name, and cells as numbers. */
#include "analysis/core/columns.h"

#include <math.h>

#include "trace/near_names.h"
#include "trace/number.h"

void tv_add_fields(struct tv_table *out, const struct tv_field *field, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tv_table_column(out, field[i].name, field[i].type, NULL);
}

bool tv_cell_number(const struct tv_column *column, uint32_t row, double *value)
{
	const char *text;
	size_t n;

	if (tv_missing(column, row) || column->type == TV_LIST)
		return false;
	if (column->type == TV_LABEL || column->type == TV_TEXT) {
		text = tv_string(column, row, &n);
		return tv_parse_double(text, n, value) == TV_PARSE_OK;
	}
	*value = column->type == TV_DOUBLE ? column->d[row] : (double)column->i[row];
	return isfinite(*value);
}

bool tv_cell_scaled(const struct tv_column *column, uint32_t row, int scale, int64_t *value)
{
	const char *text;
	size_t n;

	if (tv_missing(column, row))
		return false;
	switch (column->type) {
	case TV_TIME:
	case TV_INT:
		*value = column->i[row];
		return true;
	case TV_LABEL:
	case TV_TEXT:
		text = tv_string(column, row, &n);
		return tv_parse_scaled(text, n, scale, value) == TV_PARSE_OK;
	default:
		return false;
	}
}

void tv_set_finite(struct tv_column *column, uint32_t row, double number)
{
	if (isfinite(number))
		tv_set_double(column, row, number);
}

void tv_set_known(struct tv_column *column, uint32_t row, int64_t number)
{
	if (number != INT64_MIN)
		tv_set_int(column, row, number);
}

/* Labels can be numbers that another tool wrote: one of them must be. */
static bool can_hold_numbers(const struct tv_column *column)
{
	bool any = column->n == 0;
	double value;

	if (column->type == TV_LIST)
		return false;
	if (column->type != TV_LABEL && column->type != TV_TEXT)
		return true;
	for (uint32_t row = 0; row < column->n && !any; row++)
		any = tv_cell_number(column, row, &value);
	return any;
}

const struct tv_column *tv_number_column(const struct tv_tasks *tasks, const char *option,
					 const char *name, struct tv_error *err)
{
	const struct tv_column *column = tv_table_find(&tasks->trace->table[TV_TASKS], name);
	struct tv_near near;

	if (column != NULL && can_hold_numbers(column))
		return column;
	tv_fail(err, "--%s: the tasks have no column '%s' with numbers%s", option, name,
		tv_near_column(&near, name, &tasks->trace->table[TV_TASKS]));
	return NULL;
}

const struct tv_column *tv_work_column(const struct tv_tasks *tasks, const char *against,
				       struct tv_error *err)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *column;

	if (against != NULL)
		return tv_number_column(tasks, "against", against, err);
	column = tv_table_find(table, "GFlop");
	if (column == NULL)
		column = tv_table_find(table, "Size");
	if (column == NULL)
		tv_fail(err, "a regression needs the work of the tasks: they "
			     "have neither GFlop nor Size; name a column with --against");
	return column;
}
