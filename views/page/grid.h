/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.h -- what the layout of a grid finds, and what draws it there. */
#ifndef TV_GRID_H
#define TV_GRID_H

#include "views/page/layout.h"

/* Points: panels at the right of a stack, gaps before them, above those below, between rows of cells. */
#define TV_ASIDE_WIDTH 94.0
#define TV_ASIDE_GAP   10.0
#define TV_BELOW_GAP   8.0
#define TV_ROW_GAP     6.0

/* Margins of the columns. */
struct tv_grid_margins {
	double left[TV_COLUMNS_MAX], right[TV_COLUMNS_MAX];
};

/* Whether a row of the page has an axis in some column: the last one in any case, those above it
 * where nothing follows below. Column -1: whether all columns have one. */
bool tv_grid_has_axis(const struct tv_grid *grid, unsigned row, int column);
/* Of the strips above the panels with the texts of annotations: the highest. */
double tv_grid_flags_height(const struct tv_grid *grid);
/* Draws the rows of this page and what is about all cells, from *y on to *y; sizes of the panels are known. -1 with *err. */
int tv_grid_draw_cells(struct tv_grid *grid, const struct tv_grid_margins *margins, double *y,
		       struct tv_error *err) TV_MUST_CHECK;

#endif
