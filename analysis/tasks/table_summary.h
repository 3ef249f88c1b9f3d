/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table_summary.h -- measures that a user asks of the groups of any table.
 *
 * A list of measures: [NAME=]rows, [NAME=]KIND:COLUMN or [NAME=]rate:COLUMN/COLUMN, with commas between. The
 * kinds are those of core/measure.h: known, sum, mean, sd, min, max, median, p0 to p100, distinct, only, share.
 * Without NAME= a column of the result is called after both: rows is Rows, sum:Size is SumSize, and
 * rate:Size/Duration is SizePerDuration.
 */
#ifndef TV_TABLE_SUMMARY_H
#define TV_TABLE_SUMMARY_H

#include "analysis/core/run.h"

#define TV_INPUT_TABLE "-" /* the CSV that was read instead of a trace: tv_trace.plain */

/* Whether a list has this form; -1 with *err (exit status 2). Reads no trace. */
int tv_table_summary_check(const char *measures, struct tv_error *err) TV_MUST_CHECK;

/* The table of the trace that it reads with these options, with the pass of that name where it has no rows; TV_NTABLES: another
 * pass, or several tables. The rows of that table may come part by part (tv_run_rows). */
enum tv_table_id tv_table_summary_reads(const char *of, const char *by);

/* Adds columns and rows to out: those of `by`, names with commas between, then the measures (NULL: rows). by of calls,
 * states or tasks may be of the words path, place and thread: those of regions (nesting.h), whose columns are CallPath, Name,
 * Site, ResourceId, Inclusive, Exclusive, Duration; measures NULL: how many, and sums of both times. of: TV_INPUT_TABLE, a table of the
 * trace, else a summarizing pass, with its default options. A rate is a quotient of sums as they are written, so
 * of times in ms. -1 with *err: no such table or column, one that holds lists, or measures of no numbers; rows of
 * a table of the trace where workers are selected. Interns texts. */
int tv_table_summary(struct tv_run *run, const char *of, const char *by, const char *measures,
		     struct tv_table *out, struct tv_error *err) TV_MUST_CHECK;

#endif
