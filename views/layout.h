/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layout.h -- the panels of one figure: which, how high, where. */
#ifndef TV_LAYOUT_H
#define TV_LAYOUT_H

#include "views/panels.h"

enum { TV_SLOTS_MAX = 64 };

/* The panels of a figure in order: timed ones from top to bottom, then the free ones. */
struct tv_stack {
	struct tv_slot slot[TV_SLOTS_MAX];
	size_t n;
};

/* Chooses the panels that the options name, or the usual ones, and prepares them; those that have
 * nothing to show are left out. Release it in any case. */
int tv_stack_init(struct tv_stack *stack, struct tv_figure *figure,
		  struct tv_error *err) TV_MUST_CHECK;
void tv_stack_release(struct tv_stack *stack);

/*
 * Lays the panels out from y downwards, in [figure->x, figure->x + figure->width] with free panels
 * aside at its right; axis included. least and most: where the figure may end, points (least 0: as
 * high as the panels like). *end: where it does. -1 (usage) when there is too little room.
 */
int tv_stack_layout(struct tv_stack *stack, struct tv_figure *figure, double y, double least,
		  double most, double *end, struct tv_error *err) TV_MUST_CHECK;

#endif
