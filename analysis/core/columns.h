/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.h -- columns of tasks that options name, and cells as numbers. */
#ifndef TV_COLUMNS_H
#define TV_COLUMNS_H

#include "trace/tasks.h"

/* Adds columns to a result that has none of these names. */
void tv_add_fields(struct tv_table *out, const struct tv_field *field, size_t n);

/* A cell as a number: times in ns; text is read, so that columns of other tools can be used. */
bool tv_cell_number(const struct tv_column *column, uint32_t row, double *value);
/* The same of a column that may come from another run of traceviz or from the user, times 10^scale where
 * it is text: 6 gives the ns of a time, 0 a whole number. */
bool tv_cell_scaled(const struct tv_column *column, uint32_t row, int scale, int64_t *value);
/* Sets a number where it is finite; else the cell stays missing. */
void tv_set_finite(struct tv_column *column, uint32_t row, double number);
/* The same of a number or time that is known: not INT64_MIN. */
void tv_set_known(struct tv_column *column, uint32_t row, int64_t number);
/* The column of tasks that an option names, if it can hold numbers; NULL with *err. */
const struct tv_column *tv_number_column(const struct tv_tasks *tasks, const char *option,
					 const char *name, struct tv_error *err);
/* What durations are measured against by a regression: the column --against, or for NULL GFlop, or
 * else Size. NULL with *err if there is none. */
const struct tv_column *tv_work_column(const struct tv_tasks *tasks, const char *against,
				       struct tv_error *err);

#endif
