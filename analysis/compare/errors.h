/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * errors.h -- errors of simulated times against native ones, by case and model, in tables; choice of
 * a parameter of the simulation by its errors.
 *
 * error = (T_native - T_simulated) / T_native [Daoudi 2021, (6.1)]; positive: the simulation is
 * optimistic.
 */
#ifndef TV_COMPARE_ERRORS_H
#define TV_COMPARE_ERRORS_H

#include "trace/table.h"

/* A table of times: `Simulated` (or `Makespan`) of models, in ms or of type time; of one table alone
 * also `Native`. */
struct tv_error_source {
	const char *label; /* the model of rows without `Model` and `Scheduler` */
	const char *path;  /* for messages */
	const struct tv_table *table;
};

/* What is NULL is not asked for. */
struct tv_error_options {
	const char *by;	       /* columns with commas between: means for each of their values */
	const char *reference; /* a model: the others' times over its time */
	const char *fit;       /* a column of numbers, a parameter of the simulation */
	const char *fit_where; /* EXPR: the rows that it is chosen by */
};

/*
 * The first source is the native one (column `Native` or `Makespan`), the others are simulations;
 * or there is one source with both. A case is a value of all columns of the native table that are
 * not results or models; every other source must have these columns, and in a source a case, model
 * and parameter occurs once. Fills *out (initialized, without columns) with a row for each simulated
 * one whose case has a native time, then the means of each model (and value of `by`) over its cases.
 *
 * fit: for each model (and value of `by`) those rows alone whose parameter has the smallest mean
 * absolute error (over the rows of fit_where), of equal ones the smallest parameter; only values
 * that all of the cases have. -1 with *err. Cost O(rows log rows).
 */
int tv_errors(const struct tv_error_source *source, size_t n,
	      const struct tv_error_options *options, struct tv_table *out,
	      struct tv_error *err) TV_MUST_CHECK;

/* Columns that the result always has, after those of the case. */
extern const struct tv_field tv_errors_columns[];
extern const size_t tv_nerrors_columns;

#endif
