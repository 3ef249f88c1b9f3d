/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_rows.h -- the regions (nesting.h) of a table of the trace as the rows of one, for measures of them. */
#ifndef TV_REGION_ROWS_H
#define TV_REGION_ROWS_H

#include "analysis/core/grouping.h"
#include "analysis/tasks/nesting.h"

/* Measures that are usual. */
#define TV_REGION_MEASURES \
	"Count=rows,Inclusive=sum:Inclusive,Exclusive=sum:Exclusive,Share=share:Exclusive"

/* The regions of one table of the trace as a table, and where they are in the nesting. */
struct tv_region_rows {
	struct tv_nesting nesting;
	struct tv_table
		table; /* CallPath, Name, Site, ResourceId, Inclusive, Exclusive, Duration */
	struct tv_column *inclusive;
	uint32_t *of_row; /* of the table */
};

/* The columns of that table that a list of the words path, place and thread names, to be freed; NULL: it has other words. */
char *tv_region_row_columns(const char *by);
/* of: calls, states or tasks of the run. Interns texts. */
void tv_region_rows_init(struct tv_region_rows *regions, struct tv_run *run,
			 const struct tv_table *of);
/* Fills Inclusive, which is missing for a region inside another one that has the same cells in n columns. */
void tv_region_rows_count_once(struct tv_region_rows *regions,
			       const struct tv_column *const *column, int n);
void tv_region_rows_release(struct tv_region_rows *regions); /* safe on a zeroed struct */

#endif
