/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recall.h -- the options with which an annotating pass made the columns that tasks have from a pipe or
 * a file: `chain --tasks type:POTRF run.csv | paths` is about the tasks that chain was about.
 */
#ifndef TV_RECALL_H
#define TV_RECALL_H

#include "analysis/core/run.h"

/*
 * Whether a table has the columns of the pass: all of them, of a pass whose columns vary those that it
 * always writes (struct tv_field, required).
 */
bool tv_pass_wrote(const struct tv_pass *pass, const struct tv_table *table);

/* Whether a column of tasks is what an annotating pass, whose columns they have, found in the run: none
 * that a trace itself has. Defined beside the table of passes, analysis/passes.c. */
bool tv_pass_added(const struct tv_table *tasks, const char *column);

/*
 * *value: what the columns of the tasks say about an option of the annotating pass of that name; NULL
 * where they are not of that pass or do not say it. Valid as long as the run. -1 with *err: they
 * contradict each other. Cost O(rows), once.
 */
int tv_recall(struct tv_run *run, const char *pass, const char *option, const char **value,
	      struct tv_error *err) TV_MUST_CHECK;

#endif
