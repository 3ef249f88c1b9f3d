/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.h -- panels of one figure or of several in a grid: which, how high, where.
 *
 * The figures of a grid have the same panels, at the same heights, over axes of the same width. A
 * figure alone is a grid of one cell.
 */
#ifndef TV_LAYOUT_H
#define TV_LAYOUT_H

#include "views/shared/panel.h"

enum { TV_SLOTS_MAX = 64, TV_COLUMNS_MAX = 16 };

/* The panels of a figure in order: timed ones from top to bottom, then the free ones. */
struct tv_stack {
	struct tv_slot slot[TV_SLOTS_MAX];
	size_t n;
};

struct tv_cell {
	struct tv_figure *figure;
	struct tv_stack stack;
	unsigned row, column;
	double y; /* set by the layout: where it begins */
};

struct tv_grid {
	struct tv_cell *cell;
	size_t n;
	unsigned rows, columns; /* of the page */
	unsigned first, end;	/* rows of cells on this page: [first, end), at most `rows` */
	double x, width;	/* on the page */
	/* Height left free above the panels of a cell whose figure has its x and width; NULL: none.
	 */
	double (*head_of)(struct tv_figure *figure, const void *context);
	const void *context;
	double page;		/* set by the layout: where its page ends, from the top */
	double head;		/* set by the layout: the highest of them */
	bool stretch;		/* it may be higher than asked for, where panels need that */
	bool each_axis;		/* every row has its time axis, else the last one of the page */
	bool ends;		/* the page has the panels that are about all cells */
	struct tv_stack wide;	/* set by tv_grid_prepare: panels about all cells, below them */
	struct tv_figure whole; /* theirs: the first one as wide as the grid; owns nothing */
};

/* Chooses the panels that the options name, or the usual ones, and prepares them; those that have
 * nothing to show in any cell are left out. Release it in any case. */
int tv_grid_prepare(struct tv_grid *grid, struct tv_error *err) TV_MUST_CHECK;
void tv_grid_release(struct tv_grid *grid);
/* Whether a panel draws in the colors of task types. */
bool tv_grid_typed(const struct tv_grid *grid);
/* Takes the i-th panel out of every cell. */
void tv_grid_remove(struct tv_grid *grid, size_t i);

#define TV_NARROW (5 * 72) /* points: narrower pages have no panels aside */

static inline bool tv_slot_timed(const struct tv_slot *slot)
{
	return slot->panel->kind == TV_TIMED;
}

/* Whether it is over the time axis of its figure. */
static inline bool tv_slot_shares_axis(const struct tv_slot *slot)
{
	return tv_slot_timed(slot) && !slot->panel->own_axis;
}

/*
 * Lays the cells out from y downwards, axes included. least and most: where the grid may end,
 * points (least 0: as high as the panels like). *end: where it does. -1 (usage) when there is too
 * little room.
 */
int tv_grid_layout(struct tv_grid *grid, double y, double min, double max, double *end,
		   struct tv_error *err) TV_MUST_CHECK;

#endif
