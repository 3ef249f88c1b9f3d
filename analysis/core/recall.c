/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recall.c -- options that the columns of an annotating pass give back. */
#include "analysis/core/recall.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/csv.h"

bool tv_pass_wrote(const struct tv_pass *pass, const struct tv_table *table)
{
	for (size_t i = 0; i < pass->ncolumns; i++)
		if ((!pass->varies || pass->column[i].required)
		    && tv_table_in_short(table, pass->column[i].name) == NULL)
			return false;
	return true;
}

/* The text of the one value of a column, to be freed; NULL = it has none. */
static int find_value(const struct tv_column *column, uint32_t nrows,
		      const struct tv_recalled *recalled, char **value, struct tv_error *err)
{
	char text[80];

	*value = NULL;
	for (uint32_t row = 0; row < nrows; row++) {
		if (tv_missing(column, row))
			continue;
		tv_cell_text(column, row, text, sizeof text);
		if (*value == NULL) {
			*value = tv_strdup(text);
		} else if (strcmp(*value, text) != 0) {
			tv_fail(err,
				"the column %s of the tasks has the values '%.40s' and '%s', "
				"expected one of them: give --%s",
				recalled->column, *value, text, recalled->option);
			tv_free(*value);
			return -1;
		}
	}
	return 0;
}

static bool any_value(const struct tv_column *column, uint32_t nrows)
{
	uint32_t row = 0;

	while (row < nrows && tv_missing(column, row))
		row++;
	return row < nrows;
}

static int recall(struct tv_run *run, const struct tv_table *tasks,
		  const struct tv_recalled *recalled, const char **value, struct tv_error *err)
{
	const struct tv_column *column = tv_table_find(tasks, recalled->column);
	char *text;

	if (recalled->value != NULL) {
		if (recalled->always || any_value(column, tasks->nrows))
			*value = recalled->value;
		return 0;
	}
	*value = tv_run_kept(run, recalled);
	if (*value != NULL)
		return 0;
	if (find_value(column, tasks->nrows, recalled, &text, err) < 0)
		return -1;
	if (text != NULL)
		tv_run_keep(run, recalled, text, tv_free);
	*value = text;
	return 0;
}

int tv_recall(struct tv_run *run, const char *pass, const char *option, const char **value,
	      struct tv_error *err)
{
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	const struct tv_pass *annotating = tv_pass_find(pass);

	*value = NULL;
	for (size_t i = 0; i < annotating->nrecalled; i++)
		if (strcmp(annotating->recalled[i].option, option) == 0)
			return tv_pass_wrote(annotating, tasks)
				     ? recall(run, tasks, &annotating->recalled[i], value, err)
				     : 0;
	return 0;
}
