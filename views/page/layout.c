/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layout.c -- shares width and height among panels. */
#include "views/page/layout.h"

#include <math.h>

#include "views/annotate/annotations.h"
#include "views/page/grid.h"
#include "views/page/header.h"
#include "views/panels.h"

static const double unit_default = 36; /* points for a share of 1 */
static const double main_share = 0.4;  /* of the height, that space-time keeps */
static const double aside_used = 0.75, column_gap = 7, axis_min = 40;

static void measure_slot(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	slot->request = (struct tv_request){ .min = 12 };
	slot->given = height;
	if (slot->aside)
		slot->place.width = TV_ASIDE_WIDTH;
	if (!slot->empty)
		slot->panel->measure(figure, slot, height);
}

/* The same panel in all cells: as high as the highest, values on the same scale. */
static void align(struct tv_grid *grid, size_t i)
{
	struct tv_request max = { 0 };
	double high = 0;

	for (size_t c = 0; c < grid->n; c++) {
		const struct tv_slot *slot = &grid->cell[c].stack.slot[i];

		max.height = fmax(max.height, slot->request.height);
		max.min = fmax(max.min, slot->request.min);
		max.top = fmax(max.top, slot->request.top);
		max.bottom = fmax(max.bottom, slot->request.bottom);
		high = fmax(high, slot->high);
	}
	for (size_t c = 0; c < grid->n; c++) {
		struct tv_slot *slot = &grid->cell[c].stack.slot[i];

		slot->request.height = max.height;
		slot->request.min = max.min;
		slot->request.top = max.top;
		slot->request.bottom = max.bottom;
		slot->common = high;
		for (size_t k = 0; k < grid->n && slot->panel->share_scale != NULL; k++) {
			const struct tv_slot *other = &grid->cell[k].stack.slot[i];

			if (k != c && !slot->empty && !other->empty)
				slot->panel->share_scale(slot, other);
		}
	}
}

/* Asks the panels what they want, height 0; twice where scales are shared. */
static void measure(struct tv_grid *grid)
{
	for (int pass = 0; pass < (grid->n > 1 ? 2 : 1); pass++) {
		for (size_t c = 0; c < grid->n; c++)
			for (size_t i = 0; i < grid->cell[c].stack.n; i++)
				measure_slot(grid->cell[c].figure, &grid->cell[c].stack.slot[i], 0);
		for (size_t i = 0; i < grid->cell[0].stack.n; i++)
			align(grid, i);
	}
}

/* The widest margins of the timed panels; whether they are wider than before. */
static bool widen(const struct tv_grid *grid, struct tv_grid_margins *margins)
{
	bool wider = false;

	for (size_t c = 0; c < grid->n; c++) {
		const struct tv_cell *cell = &grid->cell[c];

		for (size_t i = 0; i < cell->stack.n && tv_slot_timed(&cell->stack.slot[i]); i++) {
			const struct tv_request *request = &cell->stack.slot[i].request;
			double *left = &margins->left[cell->column],
			       *right = &margins->right[cell->column];

			wider = wider || request->left > *left || request->right > *right;
			*left = fmax(*left, request->left);
			*right = fmax(*right, request->right);
		}
	}
	return wider;
}

static bool any_timed(const struct tv_grid *grid)
{
	return grid->cell[0].stack.n > 0 && tv_slot_timed(&grid->cell[0].stack.slot[0]);
}

static bool any_aside(const struct tv_grid *grid)
{
	for (size_t i = 0; i < grid->cell[0].stack.n; i++)
		if (grid->cell[0].stack.slot[i].aside)
			return true;
	return false;
}

/* Columns between margins, all with axes of one width, at whole cells. */
static int place_columns(struct tv_grid *grid, const struct tv_grid_margins *margins,
			 struct tv_error *err)
{
	double cell = grid->cell[0].figure->scene->cell, x = grid->x;
	double axis = grid->x + grid->width + column_gap, left[TV_COLUMNS_MAX];

	if (any_aside(grid))
		axis -= TV_ASIDE_WIDTH + TV_ASIDE_GAP;
	if (grid->columns > 1)
		x = ceil(x / cell) * cell;
	axis -= x;
	for (unsigned k = 0; k < grid->columns; k++) {
		left[k] = grid->columns > 1 ? ceil(margins->left[k] / cell) * cell
					    : margins->left[k];
		axis -= left[k] + margins->right[k] + column_gap + (k > 0 ? cell : 0);
	}
	axis /= grid->columns;
	for (unsigned k = 0; k < grid->columns; k++) {
		double width = left[k] + axis + margins->right[k];

		for (size_t c = 0; c < grid->n; c++) {
			struct tv_figure *figure = grid->cell[c].figure;

			if (grid->cell[c].column != k)
				continue;
			figure->x = x;
			figure->width = width;
			if (!any_timed(grid))
				continue;
			tv_axis_place(figure, left[k], margins->right[k]);
			if (figure->axis.width < axis_min)
				return tv_fail_usage(
					err,
					"a width of %.2f in leaves no room for the time axis%s",
					figure->scene->width / 72 * figure->scene->scale,
					grid->columns > 1 ? ": raise --width or have fewer columns "
							    "(--facet-layout)"
							  : "");
		}
		x = ceil((x + width + column_gap) / cell) * cell;
	}
	return 0;
}

/* Points for a share of 1: from the first panel that requests a height. */
static double unit_of(const struct tv_stack *stack)
{
	for (size_t i = 0; i < stack->n; i++) {
		const struct tv_slot *slot = &stack->slot[i];

		if (tv_slot_timed(slot) && !slot->fixed && slot->request.height > 0)
			return fmax(slot->request.height / slot->share, unit_default);
	}
	return unit_default;
}

/* What has the size that it needs does not grow with the figure. */
static double scaled(const struct tv_slot *slot, double wanted, double factor, double floor)
{
	bool exact = !slot->fixed && slot->request.height > 0
		  && slot->request.min >= slot->request.height;

	return fmax(floor, exact ? 0 : wanted * factor);
}

static double sum_heights(const struct tv_stack *stack, const double *wanted, const double *floor,
			  double factor)
{
	double sum = 0;

	for (size_t i = 0; i < stack->n; i++)
		if (!stack->slot[i].aside)
			sum += scaled(&stack->slot[i], wanted[i], factor, floor[i]);
	return sum;
}

/*
 * Space-time is what a report is about: before it falls below that share of the figure, others
 * get their min heights, and default panels are dropped. floor[i]: the min heights of all panels,
 * those of space-time raised; false if a default panel must be dropped.
 */
static bool raise_floors(const struct tv_grid *grid, const double *wanted, double max,
			 double *floor)
{
	const struct tv_stack *stack = &grid->cell[0].stack;
	size_t timed = 0, st = stack->n;
	double others = 0;

	for (size_t i = 0; i < stack->n; i++) {
		const struct tv_slot *slot = &stack->slot[i];

		floor[i] = slot->request.min;
		if (slot->aside)
			continue;
		timed++;
		if (slot->panel == &tv_panel_spacetime && !slot->fixed && st == stack->n)
			st = i;
		else
			others += scaled(slot, wanted[i], 0, floor[i]);
	}
	if (st == stack->n)
		return true;
	floor[st] = fmax(floor[st], fmin(wanted[st], main_share * grid->page / grid->rows));
	if (floor[st] <= max - others)
		return true;
	if (grid->cell[0].figure->options->npanels == 0 && timed > 1)
		return false;
	floor[st] = fmax(stack->slot[st].request.min, max - others);
	return true;
}

/*
 * Heights of the panels of every cell: as they request, or all scaled to what is available, none
 * below its min. min, max: of the sum of one cell (min 0 = as they request).
 * TV_NOTHING with *err (usage) when even their min heights are too much.
 */
static int share_height(struct tv_grid *grid, double min, double max, double *height,
			struct tv_error *err)
{
	const struct tv_stack *stack = &grid->cell[0].stack;
	double unit = unit_of(stack), wanted[TV_SLOTS_MAX], low = 0, high = 1000, factor = 1;
	double lowest[TV_SLOTS_MAX];
	const struct tv_scene *scene = grid->cell[0].figure->scene;
	double cell = scene->cell;

	for (size_t i = 0; i < stack->n; i++) {
		const struct tv_slot *slot = &stack->slot[i];

		wanted[i] = slot->request.height > 0 && !slot->fixed ? slot->request.height
								     : slot->share * unit;
	}
	if (!raise_floors(grid, wanted, max, lowest)) {
		tv_fail_usage(err, "the panels leave too little height to space-time");
		return TV_NOTHING;
	}
	if (grid->stretch && sum_heights(stack, wanted, lowest, 0) > max)
		max = sum_heights(stack, wanted, lowest, 0);
	if (sum_heights(stack, wanted, lowest, 0) > max) {
		tv_fail_usage(err, "the panels need at least %.2f in more height",
			      (sum_heights(stack, wanted, lowest, 0) - max) * grid->rows / 72
				      * scene->scale);
		return TV_NOTHING;
	}
	if (sum_heights(stack, wanted, lowest, 1) > max || min > 0) {
		double goal = min > 0 ? min : max;

		/* The sum is monotonic in the factor, with a bend where a panel leaves its
		 * min height; 60 halvings give all digits of a double. */
		for (int i = 0; i < 60; i++) {
			factor = (low + high) / 2;
			if (sum_heights(stack, wanted, lowest, factor) > goal)
				high = factor;
			else
				low = factor;
		}
		factor = low;
	}
	for (size_t i = 0; i < stack->n; i++)
		height[i] = floor(scaled(&stack->slot[i], wanted[i], factor, lowest[i]) / cell)
			  * cell;
	return 0;
}

static void set_heights(struct tv_grid *grid, const double *height)
{
	for (size_t i = 0; i < grid->cell[0].stack.n; i++) {
		for (size_t c = 0; c < grid->n; c++) {
			struct tv_slot *slot = &grid->cell[c].stack.slot[i];

			if (!slot->aside)
				measure_slot(grid->cell[c].figure, slot, height[i]);
		}
		align(grid, i);
		for (size_t c = 0; c < grid->n; c++) {
			struct tv_slot *slot = &grid->cell[c].stack.slot[i];

			slot->place.height = tv_slot_timed(slot) && slot->request.height > 0
						   ? slot->request.height
						   : height[i];
		}
	}
}

bool tv_grid_has_axis(const struct tv_grid *grid, unsigned row, int column)
{
	bool any = false, last = row + 1 == grid->end;

	for (size_t i = 0; i < grid->cell[0].stack.n; i++)
		any = any || tv_slot_shares_axis(&grid->cell[0].stack.slot[i]);
	if (column >= 0 && !last) {
		last = true;
		for (size_t c = 0; c < grid->n; c++)
			last = last
			    && !((int)grid->cell[c].column == column && grid->cell[c].row > row
				 && grid->cell[c].row < grid->end);
	}
	return any && (grid->each_axis || last);
}

double tv_grid_flags_height(const struct tv_grid *grid)
{
	double height = 0;

	for (size_t c = 0; c < grid->n && any_timed(grid); c++)
		height = fmax(height, tv_flags_height(grid->cell[c].figure));
	return height;
}

/* Margins above and below the panels of a row, rounded up to cells, without the axis. */
static double fixed_height(const struct tv_grid *grid)
{
	const struct tv_stack *stack = &grid->cell[0].stack;
	double sum = grid->head + tv_grid_flags_height(grid),
	       cell = grid->cell[0].figure->scene->cell;

	for (size_t i = 0; i < stack->n; i++) {
		const struct tv_slot *slot = &stack->slot[i];

		if (!slot->aside)
			sum += cell
			     + (tv_slot_timed(slot) ? slot->request.top + slot->request.bottom
						    : TV_BELOW_GAP);
	}
	return sum;
}

/* Margins around the rows, and the axes. */
static double fixed_all(const struct tv_grid *grid)
{
	double sum = TV_MARGIN + TV_ROW_GAP * (grid->rows - 1);

	if (tv_grid_has_axis(grid, grid->end - 1, -1))
		sum += TV_AXIS_HEIGHT * (grid->each_axis ? grid->rows : 1);
	return sum;
}

static void measure_heads(struct tv_grid *grid)
{
	grid->head = 0;
	for (size_t c = 0; grid->head_of != NULL && c < grid->n; c++)
		grid->head = fmax(grid->head, grid->head_of(grid->cell[c].figure, grid->context));
}

/* What panels want depends on the width of the axis, that on their margins, and these on their
 * heights: repeated until the margins do. */
static int measure_all(struct tv_grid *grid, double min, double max,
		       struct tv_grid_margins *margins, struct tv_error *err)
{
	*margins = (struct tv_grid_margins){ { 0 }, { 0 } };
	for (size_t c = 0; c < grid->n; c++) {
		unsigned k = grid->cell[c].column;

		margins->left[k] = fmax(margins->left[k], tv_axis_left(grid->cell[c].figure));
		margins->right[k] = grid->n > 1 ? 2 : 8;
	}
	do {
		double height[TV_SLOTS_MAX], fixed, share;
		int rc;

		if (place_columns(grid, margins, err) < 0)
			return -1;
		measure(grid);
		measure_heads(grid);
		fixed = fixed_height(grid);
		share = (max - fixed_all(grid)) / grid->rows - fixed;
		rc = share_height(grid, min > 0 ? fmax(share + (min - max) / grid->rows, 1) : 0,
				  share, height, err);
		if (rc != 0)
			return rc;
		set_heights(grid, height);
	} while (widen(grid, margins));
	return 0;
}

/* Height of the panels that are about all cells, with the gaps above them. */
static double measure_wide(struct tv_grid *grid)
{
	double height = 0;

	for (size_t i = 0; i < grid->wide.n; i++) {
		measure_slot(&grid->whole, &grid->wide.slot[i], 0);
		height += TV_BELOW_GAP + grid->wide.slot[i].request.height;
	}
	return height;
}

/* Panels at the right need a stack beside them that is wide enough. */
static void check_aside(struct tv_grid *grid)
{
	if (grid->n == 1 && any_timed(grid) && grid->width >= TV_NARROW / 2 + TV_ASIDE_WIDTH)
		return;
	for (size_t c = 0; c < grid->n; c++)
		for (size_t i = 0; i < grid->cell[c].stack.n; i++)
			grid->cell[c].stack.slot[i].aside = false;
}

/* What is at the right of the stack uses its height, or is moved below it: not much lower, which
 * would leave a column of the page empty, and not cut off. With a height chosen by the user
 * nothing is moved. */
static bool move_below(struct tv_grid *grid)
{
	struct tv_stack *stack = &grid->cell[0].stack;
	double aside = 0, beside = fixed_height(grid);

	if (grid->cell[0].figure->options->height_in > 0 || !any_aside(grid))
		return false;
	for (size_t i = 0; i < stack->n; i++) {
		const struct tv_slot *slot = &stack->slot[i];

		/* --PANEL.place right */
		if (slot->aside
		    && tv_setting(grid->cell[0].figure->options, slot->panel->name, "place")
			       != NULL)
			return false;
		if (slot->aside)
			aside += slot->request.height;
		else if (tv_slot_timed(slot))
			beside += slot->place.height;
	}
	if (aside >= aside_used * beside && aside <= beside + TV_AXIS_HEIGHT)
		return false;
	for (size_t i = 0; i < stack->n; i++)
		stack->slot[i].aside = false;
	return true;
}

/* Drops the last of the default panels but the first; false if there is none. */
static bool drop_one(struct tv_grid *grid)
{
	struct tv_figure *figure = grid->cell[0].figure;
	const struct tv_stack *stack = &grid->cell[0].stack;
	size_t i = stack->n;

	if (figure->options->npanels > 0)
		return false;
	while (i-- > 1)
		if (!stack->slot[i].aside) {
			if (tv_panel_nothing(figure, stack->slot[i].panel,
					     "the figure has no room for it; give --height or "
					     "--panels")
			    < 0)
				return false;
			tv_grid_remove(grid, i);
			return true;
		}
	return false;
}

int tv_grid_layout(struct tv_grid *grid, double y, double min, double max, double *end,
		   struct tv_error *err)
{
	struct tv_grid_margins margins;
	double wide;
	int rc;

	check_aside(grid);
	wide = measure_wide(grid);
	/* A page that may grow leaves half of the default height to the stacks. */
	if (grid->stretch)
		wide = fmin(wide, (max - y) / 2);
	grid->page = max;
	do
		rc = measure_all(grid, min > 0 ? fmax(min - wide - y, 1) : 0, max - wide - y,
				 &margins, err);
	while ((rc == TV_NOTHING && drop_one(grid)) || (rc == 0 && move_below(grid)));
	if (rc != 0)
		return -1;
	if (tv_grid_draw_cells(grid, &margins, &y, err) < 0)
		return -1;
	*end = y + TV_MARGIN;
	return 0;
}
