/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat_map.h -- maps of cells for panels: columns and lines of categories, in each cell a color and, where all of
 * them have room, a number. One map, or one for each facet, beside and below each other.
 *
 * Such a panel only prepares: its state begins with a struct tv_heat, whose members it fills; measure and
 * layout are these.
 */
#ifndef TV_HEAT_MAP_H
#define TV_HEAT_MAP_H

#include "views/charts/cells.h"

enum { TV_HEAT_KEYS = 16 };

struct tv_heat {
	const char *class, *group;	  /* of the cells; group also of what is around them */
	struct tv_categories x, y, facet; /* facet: n = 1 without any; owned */
	uint32_t *row; /* of the table, of cell (facet * y.n + y) * x.n + x; TV_NONE: none; owned */
	uint32_t *tile; /* facets that are drawn; owned */
	uint32_t ntiles, ncolumns;
	char title[200], x_title[160], y_title[160]; /* x_title: "" = no line for it */
	struct tv_key key[TV_HEAT_KEYS];
	size_t nkeys;
	double high, side;     /* points: of a cell with a number, of a map without numbers */
	double names, numbers; /* widths of the widest name at the left, of the widest number */
	double width, height;  /* of a cell */
	double largest;	       /* of a scale that facets of a figure share; 0 = none is */
	bool up;	       /* the first line is the lowest */
	bool empty;	       /* cells without a row are empty, not hatched */
	bool lines;	       /* between large cells */
	/* Of a row: color of its cell, number in it, hover text (as a label of the scene) of the cell at x, y. */
	uint32_t (*color)(const struct tv_heat *heat, uint32_t row);
	void (*number)(const struct tv_heat *heat, uint32_t row, char *out, size_t size);
	uint32_t (*label)(const struct tv_heat *heat, struct tv_scene *scene, uint32_t facet,
			  uint32_t x, uint32_t y);
	/* Sets colors and keys to a scale up to that value, where it is shared; NULL: it never is. */
	void (*widen)(struct tv_heat *heat, double largest);
};

/* Which cell of `row` that is. */
static inline size_t tv_heat_at(const struct tv_heat *heat, uint32_t facet, uint32_t x, uint32_t y)
{
	return ((size_t)facet * heat->y.n + y) * heat->x.n + x;
}
/* Allocates cells without rows and the list of tiles, for x, y and facet. */
void tv_heat_cells(struct tv_heat *heat);
/* Measures names and numbers: the last step of prepare. */
void tv_heat_words(struct tv_heat *heat, struct tv_text *text);

void tv_heat_measure(struct tv_figure *figure, struct tv_slot *slot, double height);
void tv_heat_layout(struct tv_figure *figure, struct tv_slot *slot);
void tv_heat_release(struct tv_slot *slot);
#define TV_HEAT_PANEL \
	.kind = TV_FREE, .measure = tv_heat_measure, .layout = tv_heat_layout, \
	.release = tv_heat_release

#endif
