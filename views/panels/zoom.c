/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zoom.c -- a window of the space-time panel and some of its rows once more, larger. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/annotate/annotations.h"
#include "views/charts/strip.h"
#include "views/rows/chart.h"
#include "views/shared/panel.h"

static const double row_min = 8.6, row_max = 14, comfortable = 100, tall = 180; /* points */
static const double gap = 12;

/* The rows shown; their items are the figure's. */
struct zoomed {
	const struct tv_zoom *zoom;
	struct tv_rows rows;
	uint32_t *from; /* which row of the figure each is */
};

static void take_row(struct tv_rows *rows, const struct tv_rows *all, uint32_t row)
{
	const struct tv_band *from = &all->band[all->row[row].band];
	struct tv_band *band = rows->nbands > 0 ? &rows->band[rows->nbands - 1] : NULL;

	if (band == NULL || band->node != from->node || band->rtype != from->rtype) {
		rows->nnodes += band == NULL || band->node != from->node;
		band = &rows->band[rows->nbands++];
		*band = *from;
		band->first = rows->nrows;
		band->n = 0;
	}
	band->n++;
	rows->units += band->weight;
	rows->row[rows->nrows] = all->row[row];
	rows->row[rows->nrows++].band = rows->nbands - 1;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_rows *all = figure->rows;
	struct zoomed *shown;

	(void)err;
	if (slot->number >= figure->notes->nzooms)
		return tv_panel_nothing(figure, slot->panel,
					"it shows what --zoom T1..T2[,ROWS] names");
	if (figure->notes->zoom[slot->number].outside)
		return TV_NOTHING;
	shown = slot->state = tv_alloc(1, sizeof *shown);
	shown->zoom = &figure->notes->zoom[slot->number];
	shown->rows = *all;
	shown->rows.nrows = shown->rows.nbands = shown->rows.nnodes = 0;
	shown->rows.units = 0;
	shown->rows.row = tv_alloc(all->nrows, sizeof *all->row);
	shown->rows.band = tv_alloc(all->nrows, sizeof *all->band);
	shown->from = tv_alloc(all->nrows, sizeof *shown->from);
	for (uint32_t r = 0; r < all->nrows; r++) {
		const char *name = tv_pool_text(all->pool, all->row[r].resource);

		if (shown->zoom->rows != NULL && !tv_glob_list(shown->zoom->rows, name))
			continue;
		shown->from[shown->rows.nrows] = r;
		take_row(&shown->rows, all, r);
	}
	return 0;
}

static void release(struct tv_slot *slot)
{
	struct zoomed *shown = slot->state;

	tv_free(shown->rows.row);
	tv_free(shown->rows.band);
	tv_free(shown->from);
	tv_free(shown);
}

static double wanted_height(const struct tv_rows *rows)
{
	double unit = fmax(row_min, fmin(row_max, comfortable / fmax(rows->units, 1)));

	return fmin(tv_rows_height(rows, unit), tall);
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct zoomed *shown = slot->state;
	double cell = figure->scene->cell;

	if (height == 0)
		height = wanted_height(&shown->rows) + cell;
	slot->request.height = tv_rows_place(&shown->rows, height, cell);
	slot->request.left = tv_chart_names_width(figure, &shown->rows);
	slot->request.top = gap;
	slot->request.bottom = TV_AXIS_HEIGHT + 2;
}

/* A rectangle around the rows in the space-time panel; returns where the lowest one ends. */
static double draw_boxes(struct tv_figure *figure, const struct zoomed *shown, double x0, double x1)
{
	struct tv_scene *scene = figure->scene;
	double y1 = figure->chart.y;

	tv_scene_pen(scene, "zoom-box", "zoom");
	scene->pen.stroke = TV_NOTE;
	scene->pen.width = 0.9;
	for (uint32_t i = 0, next; i < shown->rows.nrows; i = next) {
		double y0 = figure->chart.y + figure->rows->row[shown->from[i]].y0;

		for (next = i + 1;
		     next < shown->rows.nrows && shown->from[next] == shown->from[next - 1] + 1;
		     next++)
			;
		y1 = figure->chart.y + figure->rows->row[shown->from[next - 1]].bottom;
		tv_scene_rect(scene, TV_PAGE, x0, y0, x1, y1);
	}
	return y1;
}

/* What shows where the zoom comes from: boxes, and lines from them to the corners, if nothing but
 * rows and the axis is between; else a title. */
static void connect(struct tv_figure *figure, const struct zoomed *shown,
		    const struct tv_place *place)
{
	const struct tv_axis *axis = &figure->axis;
	double x0 = fmax(axis->x, tv_axis_at(axis, shown->zoom->begin));
	double x1 = fmin(axis->x + axis->width, tv_axis_at(axis, shown->zoom->end));
	double bottom = figure->chart.y + figure->chart.height, y = bottom;
	struct tv_scene *scene = figure->scene;
	int64_t base = axis->origin != NULL ? axis->base : 0;
	double end = fabs(figure->axis_y - bottom) < 1e-6 ? bottom + TV_AXIS_HEIGHT : bottom;
	bool near = figure->chart.width > 0 && place->y - end > 0
		 && place->y - end < gap + 2 * scene->cell;
	char from[48], to[48], title[128];

	if (figure->chart.width > 0)
		y = draw_boxes(figure, shown, x0, x1);
	if (!near) {
		tv_unit_text(from, sizeof from, shown->zoom->begin - base, axis->unit);
		tv_time_text(to, sizeof to, shown->zoom->end - base, axis->unit);
		snprintf(title, sizeof title, "zoom: %s to %s", from, to);
		tv_strip_draw(figure, title, NULL, 0, place->x, place->y, place->width);
		return;
	}
	tv_scene_pen(scene, "zoom-line", "zoom");
	scene->pen.stroke = TV_NOTE;
	scene->pen.width = 0.5;
	tv_scene_line(scene, TV_PAGE, x0, end, place->x, place->y);
	tv_scene_line(scene, TV_PAGE, x1, end, place->x + place->width, place->y);
	scene->pen.dash = TV_DOTTED;
	tv_line_around_text(scene, x0, y, end);
	tv_line_around_text(scene, x1, y, end);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct zoomed *shown = slot->state;
	const struct tv_place *place = &slot->place;
	struct tv_stretch stretch = { place->y, place->y + place->height, false };
	struct tv_figure part;
	unsigned frame;

	tv_figure_zoom(figure, shown->zoom->begin, shown->zoom->end, &part);
	tv_rows_place(&shown->rows, slot->given, figure->scene->cell);
	frame = tv_figure_frame(&part, "zoom", place, place->height, false);
	tv_chart_items(&part, &shown->rows, frame, false);
	tv_highlights_draw(&part, &shown->rows, frame);
	tv_chart_frame(part.scene, &shown->rows, frame);
	tv_arrows_draw(&part, &shown->rows, frame);
	tv_task_labels_draw(&part, &shown->rows, frame);
	tv_chart_names(&part, &shown->rows, place->y);
	connect(figure, shown, place);
	tv_axis_draw(&part, stretch.y1);
	tv_flags_lines(&part, &stretch, 1);
}

const struct tv_panel tv_panel_zoom = {
	.name = "zoom",
	.title = "a window of spacetime, magnified",
	.needs = "tasks, or states, and --zoom T1..T2[,ROWS]",
	.own_axis = true,
	.share = 2,
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
