/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spacetime.c -- the space-time panel: which worker ran what, when. */
#include <math.h>

#include "views/chart.h"

static const double row_least = 7.2, row_most = 16, comfortable = 130, tall = 400;	/* points */

/* Low rows for many workers, higher ones for few; beyond `tall` the figure grows more slowly. */
static double wanted_height(const struct tv_rows *rows)
{
	double unit = fmax(row_least, fmin(row_most, comfortable / fmax(rows->units, 1)));
	double height = tv_rows_height(rows, unit);

	return height > tall ? tall * pow(height / tall, 0.35) : height;
}

static int measure(struct tv_figure *figure, struct tv_slot *slot, double height,
		   struct tv_error *err)
{
	double cell = figure->scene->cell;

	(void)err;
	if (height == 0)
		height = wanted_height(&figure->rows) + cell;
	slot->room.height = tv_rows_place(&figure->rows, height, cell);
	slot->room.left = tv_chart_names_width(figure, &figure->rows);
	slot->room.right = tv_chart_idleness_width(figure, &figure->rows);
	slot->room.top = TV_STRIP_HEIGHT;
	return 0;
}

static int layout(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_place *place = &slot->place;
	const struct tv_rows *rows = &figure->rows;
	unsigned frame = tv_figure_frame(figure, "spacetime", place, place->height, false);

	figure->chart = *place;

	tv_rows_place(&figure->rows, slot->given, figure->scene->cell);
	if (figure->axis.stub_width > 0) {
		unsigned stub = tv_figure_frame(figure, "setup", place, place->height, true);

		if (tv_chart_items(figure, rows, stub, true, err) < 0
		    || tv_highlights_draw(figure, rows, stub, err) < 0)
			return -1;
		tv_chart_frame(figure->scene, rows, stub);
	}
	if (tv_chart_items(figure, rows, frame, false, err) < 0
	    || tv_highlights_draw(figure, rows, frame, err) < 0)
		return -1;
	tv_chart_frame(figure->scene, rows, frame);
	tv_chart_bounds(figure, place);
	tv_arrows_draw(figure, rows, frame);
	tv_task_labels_draw(figure, rows, frame);
	tv_chart_names(figure, rows, place->y);
	tv_chart_idleness(figure, rows, place->y);
	return 0;
}

const struct tv_panel tv_panel_spacetime = {
	.name = "st",
	.title = "space-time: which worker ran what, when",
	.needs = "tasks, or states",
	.share = 4,
	.usual = true,
	.usual_facet = true,
	.measure = measure,
	.layout = layout,
};
