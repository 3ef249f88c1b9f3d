/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_draw.c -- puts panels whose sizes are known at their places on the page. */
#include <math.h>

#include "trace/timings.h"
#include "views/annotate/annotations.h"
#include "views/page/grid.h"

/* What follows is a part of the page: a panel, with its margins. */
static void begin_slot(struct tv_figure *figure, const struct tv_slot *slot, bool wide)
{
	const struct tv_place *place = &slot->place;
	bool timed = tv_slot_timed(slot);
	struct tv_page_part part = { .name = slot->panel->name,
				     .title = slot->panel->title,
				     .facet = wide ? TV_NONE : tv_figure_number(figure),
				     .timed = tv_slot_shares_axis(slot),
				     .x = timed ? figure->x : place->x,
				     .y = place->y - slot->request.top,
				     .width = timed ? figure->width : place->width,
				     .height = place->height + slot->request.top
					     + slot->request.bottom };

	tv_scene_part(figure->scene, &part);
}

static void lay_out(struct tv_figure *figure, struct tv_slot *slot)
{
	TV_STAGE("panel", slot->panel->name);

	slot->panel->layout(figure, slot);
}

/* The free panels at the right share the height of the stack. */
static void draw_aside(struct tv_cell *cell, double top, double bottom)
{
	struct tv_figure *figure = cell->figure;
	double shares = 0, y = top;

	for (size_t i = 0; i < cell->stack.n; i++)
		shares += cell->stack.slot[i].aside ? cell->stack.slot[i].share : 0;
	for (size_t i = 0; i < cell->stack.n; i++) {
		struct tv_slot *slot = &cell->stack.slot[i];

		if (!slot->aside)
			continue;
		slot->place = (struct tv_place){
			.x = figure->x + figure->width + TV_ASIDE_GAP,
			.y = y,
			.width = TV_ASIDE_WIDTH,
			.height = (bottom - top) * slot->share / shares,
		};
		y += slot->place.height;
		begin_slot(figure, slot, false);
		lay_out(figure, slot);
	}
}

/* A panel without data in this run, where others have them. */
static void draw_empty(struct tv_figure *figure, const struct tv_slot *slot)
{
	const struct tv_place *place = &slot->place;

	tv_scene_pen(figure->scene, "empty", "titles");
	figure->scene->pen.fill = TV_DIM;
	tv_scene_text(figure->scene, place->x + place->width / 2, place->y + place->height / 2,
		      TV_CENTER, TV_TEXT_SMALL, false, "not in this trace");
}

static void draw_slot(struct tv_figure *figure, struct tv_slot *slot)
{
	begin_slot(figure, slot, false);
	if (slot->empty)
		draw_empty(figure, slot);
	else
		lay_out(figure, slot);
}

/* The lines of annotations from y down through all panels that have the figure's times. */
static void draw_flags(const struct tv_cell *cell, double y)
{
	struct tv_stretch stretch[2 * TV_SLOTS_MAX];
	bool begun = true;
	size_t n = 0;

	for (size_t i = 0; i < cell->stack.n && tv_slot_timed(&cell->stack.slot[i]); i++) {
		const struct tv_place *place = &cell->stack.slot[i].place;
		bool takes_part = tv_slot_shares_axis(&cell->stack.slot[i]);

		if (begun && takes_part)
			stretch[n++] = (struct tv_stretch){ y, place->y, i > 0 };
		y = place->y + place->height;
		if (takes_part)
			stretch[n++] = (struct tv_stretch){ place->y, y, false };
		begun = takes_part;
	}
	tv_figure_part(cell->figure, "annotations", true);
	if (n > 0)
		tv_flags_lines(cell->figure, stretch, n);
}

/* Whether the figure's axis belongs below the i-th panel: no other one that shares it follows. */
static bool ends_axis(const struct tv_stack *stack, size_t i)
{
	for (size_t k = i + 1; k < stack->n; k++)
		if (tv_slot_shares_axis(&stack->slot[k]))
			return false;
	return tv_slot_shares_axis(&stack->slot[i]);
}

/* The panels over time, the axis among them, from *y on, above them a strip for annotations. */
static int draw_timed(struct tv_cell *cell, const struct tv_grid_margins *margins, double strip,
		      bool axis, double *y, struct tv_error *err)
{
	struct tv_figure *figure = cell->figure;
	double size = figure->scene->cell, top = *y + strip;

	if (strip > 0)
		tv_figure_part(figure, "annotations", true);
	if (strip > 0 && tv_flags_draw(figure, top - tv_flags_height(figure), err) < 0)
		return -1;
	*y = top;
	for (size_t i = 0; i < cell->stack.n && tv_slot_timed(&cell->stack.slot[i]); i++) {
		struct tv_slot *slot = &cell->stack.slot[i];

		slot->place.x = figure->axis.x;
		slot->place.width = figure->axis.width;
		slot->place.left = margins->left[cell->column];
		slot->place.right = margins->right[cell->column];
		slot->place.y = ceil((*y + slot->request.top) / size) * size;
		draw_slot(figure, slot);
		*y = slot->place.y + slot->place.height + slot->request.bottom;
		if (axis && ends_axis(&cell->stack, i)) {
			figure->axis_y = *y;
			tv_figure_part(figure, "axis", true);
			*y = tv_axis_draw(figure, *y);
		}
	}
	draw_flags(cell, top);
	return 0;
}

static void draw_wide(struct tv_grid *grid, double *y)
{
	for (size_t i = 0; i < grid->wide.n; i++) {
		struct tv_slot *slot = &grid->wide.slot[i];

		slot->place = (struct tv_place){ .x = grid->x,
						 .y = *y + TV_BELOW_GAP,
						 .width = grid->width,
						 .height = slot->request.height };
		begin_slot(&grid->whole, slot, true);
		lay_out(&grid->whole, slot);
		*y = slot->place.y + slot->place.height;
	}
}

static void draw_below(struct tv_cell *cell, double width, double *y)
{
	double size = cell->figure->scene->cell;

	for (size_t i = 0; i < cell->stack.n; i++) {
		struct tv_slot *slot = &cell->stack.slot[i];

		if (tv_slot_timed(slot) || slot->aside)
			continue;
		slot->place.x = cell->figure->x;
		slot->place.width = width;
		slot->place.y = ceil((*y + TV_BELOW_GAP) / size) * size;
		draw_slot(cell->figure, slot);
		*y = slot->place.y + slot->place.height;
	}
}

/* A row of cells from y on; returns where it ends in *end. */
static int draw_row(struct tv_grid *grid, unsigned row, const struct tv_grid_margins *margins,
		    double y, double *end, struct tv_error *err)
{
	*end = y;
	for (size_t c = 0; c < grid->n; c++) {
		struct tv_cell *cell = &grid->cell[c];
		double at = y + grid->head;
		bool axis = tv_grid_has_axis(grid, row, (int)cell->column);

		if (cell->row != row)
			continue;
		cell->y = y;
		if (draw_timed(cell, margins, tv_grid_flags_height(grid), axis, &at, err) < 0)
			return -1;
		draw_aside(cell, y, at);
		draw_below(cell, grid->n > 1 ? cell->figure->width : grid->width, &at);
		/* It hangs down into the empty cell below. */
		if (axis && !tv_grid_has_axis(grid, row, -1))
			at -= TV_AXIS_HEIGHT;
		*end = fmax(*end, at);
	}
	return 0;
}

int tv_grid_draw_cells(struct tv_grid *grid, const struct tv_grid_margins *margins, double *y,
		       struct tv_error *err)
{
	for (unsigned row = grid->first; row < grid->end; row++) {
		double gap = row > grid->first ? TV_ROW_GAP : 0;

		if (draw_row(grid, row, margins, *y + gap, y, err) < 0)
			return -1;
	}
	draw_wide(grid, y);
	return 0;
}
