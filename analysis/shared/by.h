/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by.h -- counted tasks grouped by one column of labels, groups in natural order. */
#ifndef TV_BY_H
#define TV_BY_H

#include "trace/tasks.h"

/* Rows of tasks by their cell in one column of labels. */
struct tv_by {
	const char *column; /* NULL = all in one group */
	bool pending;	    /* pending tasks belong to it, too */
	uint32_t n;
	uint32_t *label;  /* n: natural order; TV_NONE (first) = missing */
	uint32_t *of_row; /* view->n; TV_NONE for rows that are left out */
};

/* column NULL = all counted rows in one group without label; pending: pending ones also. -1 with *err: no such column, or not
 * one of labels (exit status 2), memory. */
int tv_by_init(struct tv_by *by, const struct tv_tasks *tasks, const char *column, bool pending,
	       struct tv_error *err) TV_MUST_CHECK;
void tv_by_release(struct tv_by *by); /* safe on a zeroed struct */

#endif
