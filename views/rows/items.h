/* SPDX-License-Identifier: GPL-3.0-or-later */
/* items.h -- fills the rows of rows.h with tasks or states. For rows.c. */
#ifndef TV_ITEMS_H
#define TV_ITEMS_H

#include "views/rows/rows.h"

/* rows->place is set. Where tasks come part by part, rows get no items, but their numbers. -1 with *err. */
int tv_items_of_tasks(struct tv_rows *rows, struct tv_run *run, const struct tv_rows_source *source,
		      struct tv_error *err) TV_MUST_CHECK;
/* place: row of each label of the pool. */
void tv_items_of_states(struct tv_rows *rows, const struct tv_trace *trace, const uint32_t *place,
			const struct tv_rows_source *source);

/* Turns the numbers of items per row into where those of each row begin, with none in it; nitems is
 * their sum. */
void tv_items_begin(struct tv_rows *rows);

/* Puts the tasks whose looks are known into the rows of their workers, or of their iterations, a column of theirs (NULL: workers). */
void tv_items_fill(struct tv_rows *rows, const struct tv_column *iteration);

/* Sorts the items of every row and gives those that overlap in time parts of its height: as many
 * as overlap there (each), or the max number that overlaps in any row (rows->lanes). By several
 * threads. */
void tv_items_arrange(struct tv_rows *rows, bool each);

/* The same of tasks of a part, after those of earlier parts: lanes[] of each row go on, `lanes` are the most of a row here. Items are
 * then there. */
void tv_items_go_on(struct tv_rows *rows, struct tv_lanes *lanes);
void tv_lanes_release(struct tv_lanes *lanes);

/* Sorts the items of every row; inner ones get a lower part of it than those that contain them. */
void tv_items_nest(struct tv_rows *rows);

#endif
