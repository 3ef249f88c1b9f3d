/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.h -- tables of a run as columns of an HTML report. */
#ifndef TV_REPORT_COLUMNS_H
#define TV_REPORT_COLUMNS_H

#include "analysis/core/run.h"
#include "trace/text.h"
#include "views/backends/html/html.h"

enum { TV_REPORT_NAME = 200, TV_NEAR_COLUMNS = 2 };

/* One run on its way into the report. Of its tasks, `n` rows are in it: tasks has them, row[] has
 * their numbers in the trace, and number[] is, by row of the trace, that in the report, or TV_NONE. */
struct tv_report_run {
	struct tv_html *html;
	struct tv_pool *strings;
	struct tv_run *run;
	unsigned number_of_run;
	const struct tv_table *tasks;
	uint32_t *row, *number, n;
	struct tv_coding coding; /* of columns about tasks */
};

/* A column that is near another one: its values are kept as differences. at: rows of that one, by
 * row; NULL = the same. */
struct tv_near_column {
	const char *table, *column;
	const struct tv_column *of;
	const char *at_table, *at_column;
	const uint32_t *at;
	bool minus;
	double scale; /* 0 = 1 */
};

/* "run0.tasks.Start"; part: "" or ".first". Returns out. */
const char *tv_report_name(const struct tv_report_run *r, const char *table, const char *column,
			   const char *part, char out[TV_REPORT_NAME]);
/* Adds n numbers as differences to what they are near. value is overwritten; coding: or NULL, plus is set. */
void tv_report_ints(const struct tv_report_run *r, const char *name, int64_t *value, size_t n,
		    const struct tv_near_column *near, size_t nnear,
		    const struct tv_coding *coding);
/* The multiple of Start, in sixteenths, that times are near to, so that the differences take least
 * room; 0 = they take less without it. */
double tv_report_scale(const struct tv_report_run *r, const struct tv_column *times);
/* Adds n numbers of tasks of the report, TV_NONE for none. */
void tv_report_rows_of(const struct tv_report_run *r, const char *table, const char *column,
		       const char *part, const uint32_t *row, size_t n);
/* Sets the coding of a run, with what it names in html->coded: by worker and start, by JobId. */
void tv_report_code(struct tv_report_run *r);
/* A table begins in the header; then its columns, then its end. */
void tv_report_open(const struct tv_report_run *r, const char *name, uint32_t nrows);
/* field: its unit and meaning, or NULL. */
void tv_report_column(const struct tv_report_run *r, const char *table,
		      const struct tv_column *column, uint32_t nrows,
		      const struct tv_near_column *near, size_t nnear,
		      const struct tv_field *field);
void tv_report_close(const struct tv_report_run *r);
/* The one of that name; NULL = there is none. */
const struct tv_field *tv_report_field(const struct tv_field *field, size_t n, const char *name);
/* The result of a pass with its defaults; NULL if it cannot be computed for this run. */
const struct tv_table *tv_report_pass(const struct tv_report_run *r, const char *pass);
/* The part of an annotating pass's table that is about the rows in the report; taken: room for it,
 * to be released. */
const struct tv_table *tv_report_part(const struct tv_report_run *r, const struct tv_table *table,
				      struct tv_table *taken);

/*
 * Chooses the rows of tasks (row, number, n). shown: by row, those that are in a chart; more are
 * marked. Without a window all rows are chosen. Else those shown or that touch the window, their
 * predecessors and successors, the tasks before and after the window on each worker, and of all of
 * these the last dependencies back to the root. Cost: O(rows + dependencies), and the pass deps.
 */
void tv_report_choose(struct tv_report_run *r, bool *shown);
/* How many rows of a run touch its window; all without one. */
uint32_t tv_report_rows(const struct tv_run *run);
/* By row of the trace, that of its last dependency, or TV_NONE. */
uint32_t *tv_report_last(const struct tv_report_run *r, const struct tv_dag *dag,
			 const struct tv_table *deps);

/* The tables deps and, if there is one, the graph. */
void tv_report_graph(const struct tv_report_run *r);
/* The member "answer": what a diagnosis says, and the glossary. */
void tv_report_answer(struct tv_json *json, const struct tv_table *diagnosis);
/* Workers, their idle gaps, and why they were idle. */
void tv_report_idle(const struct tv_report_run *r);

#endif
