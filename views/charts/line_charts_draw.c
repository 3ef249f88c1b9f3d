/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_charts_draw.c -- lines over any table: where the charts are and how they are drawn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "views/charts/levels.h"
#include "views/charts/line_charts.h"

static const double tile_min = 150, tile_max = 330, tile_gap = 12, tile_below = 6; /* points */
static const double low_share = 0.56, height_min = 84, height_max = 150;
static const double dots_apart = 5, line_width = 0.9, whisker_width = 4;

TV_ORDER(by_x, struct tv_line_item, x, row)

/* ---- places ---- */

static bool is_log(const struct tv_line_chart *c, size_t v)
{
	return c->log_y && !c->linear[v];
}

/* In the chart of value v. */
static bool y_of(const struct tv_line_chart *c, size_t v, const struct tv_column *column,
		 uint32_t row, double *y)
{
	return tv_cells_number(column, row, y) && (!is_log(c, v) || *y > 0);
}

struct grid {
	uint32_t columns, n;
	double width, height; /* of a tile, all included; of its data area */
};

static struct grid grid_of(const struct tv_line_chart *c, double width)
{
	struct grid grid = { .n = (uint32_t)c->nvalues * c->facet.n };
	double inner;

	grid.columns = (uint32_t)fmax(1, floor((width + tile_gap) / (tile_min + tile_gap)));
	grid.columns = grid.columns < grid.n ? grid.columns : grid.n;
	/* Values side by side, groups below each other, where that fits. */
	if (c->nvalues > 1 && c->facet.n > 1 && grid.columns >= c->nvalues)
		grid.columns = (uint32_t)c->nvalues;
	grid.width = fmin(tile_max, (width - tile_gap * (grid.columns - 1)) / grid.columns);
	inner = grid.width - 20;
	grid.height = fmin(height_max, fmax(height_min, low_share * inner));
	return grid;
}

static double tile_height(const struct grid *grid)
{
	return TV_PLANE_ABOVE + grid->height + TV_PLANE_BELOW + tile_below;
}

void tv_lines_measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct tv_line_chart *c = slot->state;
	double width = tv_slot_width(figure, slot);
	struct grid grid = grid_of(c, width);

	(void)height;
	slot->request.height = tv_strip_height(figure, c->title, c->key, c->nkeys, width)
			     + (grid.n + grid.columns - 1) / grid.columns * tile_height(&grid)
			     + figure->scene->cell;
	slot->request.min = slot->request.height;
}

/* The scale of a value column, the same in all groups. Bounds may go beyond it, but a fit is in it. */
static struct tv_scale up_of(struct tv_figure *figure, const struct tv_line_chart *c, size_t v,
			     double height)
{
	double low = INFINITY, high = -INFINITY, bounds = -INFINITY, y, from, to;
	bool log = is_log(c, v), fits = c->spec->fit || c->spec->section != NULL;

	for (size_t i = 0; i < c->n; i++) {
		if (y_of(c, v, c->value[v], c->item[i].row, &y)) {
			low = fmin(low, y);
			high = fmax(high, y);
		}
		if (tv_lines_whisker(c, v, c->item[i].row, &from, &to)) {
			low = fmin(low, from);
			high = fmax(high, to);
		}
		for (size_t b = 0; b < c->nbounds[v]; b++)
			if (y_of(c, v, c->bound[v][b], c->item[i].row, &y)) {
				bounds = fmax(bounds, y);
				low = fits ? fmin(low, y) : low;
			}
	}
	for (const char *at = c->levels[v]; at != NULL && *at != '\0';) {
		y = tv_levels_next(&at);
		if (log && !(y > 0))
			continue;
		low = fmin(low, y);
		high = fmax(high, y);
	}
	if (!(low <= high))
		low = high = 1;
	if (bounds > high)
		high = fmin(bounds, log ? high * 2 : high + 0.3 * fabs(high));
	if (!log && low > 0)
		low = low < high / 2 ? 0 : low - 0.05 * (high - low);
	/* A dot at the top does not touch what is written above. */
	if (!log)
		high += 0.03 * (high - low);
	return tv_scale_for(figure->scene->text, low, high, log, false, height, NULL, 0);
}

static struct tv_scale across_of(struct tv_figure *figure, const struct tv_line_chart *c,
				 double width)
{
	if (c->named)
		return tv_scale_names(figure->scene->text, (const char *const *)c->at.name, c->at.n,
				      width, false);
	return tv_scale_for(figure->scene->text, c->tick[0], c->tick[c->nticks - 1], c->log_x, true,
			    width, c->tick, c->nticks);
}

/* ---- drawing ---- */

static uint32_t describe(struct tv_scene *scene, const struct tv_line_chart *c, size_t v,
			 const struct tv_line_item *item)
{
	char text[400], value[64], x[64];
	double y;

	if (!scene->labels || !tv_cells_number(c->value[v], item->row, &y))
		return 0;
	tv_number_text(value, sizeof value, y);
	tv_number_text(x, sizeof x, item->x);
	snprintf(text, sizeof text, "%s%s%s %s: %s %s",
		 c->series.n > 1 ? c->series.name[item->series] : "", c->series.n > 1 ? ", " : "",
		 c->x->name, c->named ? c->at.name[(size_t)item->x] : x, c->value[v]->name, value);
	return tv_scene_string(scene, text);
}

static void draw_whisker(struct tv_scene *scene, const struct tv_line_chart *c, size_t v,
			 const struct tv_plane *plane, const struct tv_line_item *item,
			 uint32_t color)
{
	struct tv_point at[2];
	double low, high;

	if (!tv_lines_whisker(c, v, item->row, &low, &high)
	    || !tv_plane_at(plane, item->x, low, &at[0])
	    || !tv_plane_at(plane, item->x, high, &at[1]))
		return;
	tv_scene_pen(scene, "whisker", c->series.name[item->series]);
	scene->pen.row = item->row;
	scene->pen.stroke = color;
	scene->pen.width = 0.6;
	tv_scene_line(scene, TV_PAGE, at[0].x, at[0].y, at[1].x, at[1].y);
	for (size_t i = 0; i < TV_COUNT(at); i++)
		tv_scene_line(scene, TV_PAGE, at[i].x - whisker_width / 2, at[i].y,
			      at[i].x + whisker_width / 2, at[i].y);
}

/* Items [from, to) of one series in one chart. */
static void draw_series(struct tv_figure *figure, const struct tv_line_chart *c, size_t v,
			const struct tv_plane *plane, size_t from, size_t to)
{
	struct tv_scene *scene = figure->scene;
	uint32_t series = c->item[from].series,
		 color = tv_category_color(figure, &c->series, series);
	struct tv_point *point = tv_alloc(to - from, sizeof *point);
	const char *name = c->series.name[series];
	bool dots = c->points || plane->width / (double)c->nticks >= dots_apart;
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		if (y_of(c, v, c->value[v], c->item[i].row, &point[n].y))
			point[n++].x = c->item[i].x;
	if (!c->points) {
		tv_scene_pen(scene, "line", name);
		scene->pen.stroke = color;
		scene->pen.width = line_width;
		scene->pen.dash = tv_category_dash(series);
		if (!c->stems[v])
			tv_plane_line(scene, plane, point, n);
		for (size_t i = 0; i < n && c->stems[v]; i++)
			tv_plane_line(scene, plane,
				      (struct tv_point[]){ { point[i].x, 0 }, point[i] }, 2);
	}
	for (size_t i = from; i < to && dots; i++) {
		struct tv_point at;
		double y;

		draw_whisker(scene, c, v, plane, &c->item[i], color);
		if (!y_of(c, v, c->value[v], c->item[i].row, &y)
		    || !tv_plane_at(plane, c->item[i].x, y, &at))
			continue;
		tv_scene_pen(scene, "point", name);
		scene->pen.row = c->item[i].row;
		scene->pen.label = describe(scene, c, v, &c->item[i]);
		tv_bullet_draw(scene, at.x, at.y, c->points && c->n > 200 ? 1.1 : 1.4, color,
			       color);
	}
	tv_free(point);
}

static void draw_bound_line(struct tv_scene *scene, const struct tv_line_chart *c, size_t v,
			    size_t b, uint32_t color, const struct tv_plane *plane,
			    const struct tv_line_item *item, size_t n)
{
	const struct tv_column *column = c->bound[v][b];
	struct tv_point *point = tv_alloc(n, sizeof *point);
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (y_of(c, v, column, item[i].row, &point[m].y)
		    && (m == 0 || item[i].x > point[m - 1].x))
			point[m++].x = item[i].x;
	tv_scene_pen(scene, "bound", column->name);
	scene->pen.stroke = color;
	scene->pen.width = 0.7;
	scene->pen.dash = tv_lines_bound_dash(b);
	tv_plane_line(scene, plane, point, m);
	tv_free(point);
}

/* Whether all rows of one x, sorted by x, have the same value. */
static bool is_common(const struct tv_line_chart *c, size_t v, const struct tv_column *column,
		      const struct tv_line_item *item, size_t n)
{
	double last = 0, y;
	size_t of = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		if (!y_of(c, v, column, item[i].row, &y))
			continue;
		if (of != SIZE_MAX && item[of].x == item[i].x && fabs(y - last) > 1e-9 * fabs(y))
			return false;
		of = i;
		last = y;
	}
	return true;
}

bool tv_lines_is_common(const struct tv_line_chart *c, size_t v, const struct tv_column *column,
			size_t from, size_t to)
{
	struct tv_line_item *sorted = tv_alloc(to - from + 1, sizeof *sorted);
	bool common;

	memcpy(sorted, c->item + from, (to - from) * sizeof *sorted);
	qsort(sorted, to - from, sizeof *sorted, by_x);
	common = is_common(c, v, column, sorted, to - from);
	tv_free(sorted);
	return common;
}

/* A bound is one gray line if it is the same for all series, else one in the color of each. */
static void draw_bounds(struct tv_figure *figure, const struct tv_line_chart *c, size_t v,
			const struct tv_plane *plane, size_t from, size_t to)
{
	struct tv_scene *scene = figure->scene;
	struct tv_line_item *sorted = tv_alloc(to - from, sizeof *sorted);

	memcpy(sorted, c->item + from, (to - from) * sizeof *sorted);
	qsort(sorted, to - from, sizeof *sorted, by_x);
	for (size_t b = 0; b < c->nbounds[v]; b++) {
		if (is_common(c, v, c->bound[v][b], sorted, to - from)) {
			draw_bound_line(scene, c, v, b, tv_lines_bound_color, plane, sorted,
					to - from);
			continue;
		}
		for (size_t i = from, end; i < to; i = end) {
			for (end = i; end < to && c->item[end].series == c->item[i].series; end++)
				;
			draw_bound_line(scene, c, v, b,
					tv_category_color(figure, &c->series, c->item[i].series),
					plane, c->item + i, end - i);
		}
	}
	tv_free(sorted);
}

/* title: that of the axis above the data area; names of boundaries are beside it. */
static void draw_reference_lines(struct tv_scene *scene, const struct tv_line_chart *c, size_t v,
				 const struct tv_plane *plane, const char *title)
{
	struct tv_point at;
	double used = plane->x + tv_text_width(scene->text, title, TV_TEXT_SMALL, false) + 4;

	tv_levels_draw(scene, plane, c->levels[v]);
	for (size_t i = 0; i < c->nmarks; i++) {
		double width = tv_text_width(scene->text, c->mark[i].text, TV_TEXT_SMALL, false),
		       left;

		if ((c->log_x && !(c->mark[i].at > 0))
		    || !tv_plane_at(plane, c->mark[i].at, plane->up.low, &at))
			continue;
		tv_scene_pen(scene, "boundary", "boundaries");
		scene->pen.stroke = c->mark[i].color;
		scene->pen.width = 0.5;
		scene->pen.dash = TV_DOTTED;
		tv_scene_line(scene, TV_PAGE, at.x, plane->y, at.x, plane->y + plane->height);
		/* Left of its line, as a boundary ends what it names; that of a column also right. */
		left = at.x - width;
		if (left < used && c->mark[i].column)
			left = at.x;
		if (c->mark[i].text[0] == '\0' || left < used
		    || left + width > plane->x + plane->width)
			continue;
		tv_scene_pen(scene, "boundary-label", "boundaries");
		scene->pen.fill = TV_DIM;
		tv_scene_text(scene, left, plane->y - TV_PLANE_ABOVE / 2, TV_LEFT, TV_TEXT_SMALL,
			      false, c->mark[i].text);
		used = left + width + 4;
	}
}

static void draw_tile(struct tv_figure *figure, const struct tv_line_chart *c, size_t v,
		      uint32_t facet, struct tv_plane *plane)
{
	struct tv_scene *scene = figure->scene;
	size_t from = 0, to;
	struct tv_cells_title value = { "" };
	char up[300];

	while (from < c->n && c->item[from].facet != facet)
		from++;
	for (to = from; to < c->n && c->item[to].facet == facet; to++)
		;
	snprintf(up, sizeof up, "%s%s%s", c->facet.n > 1 ? c->facet.name[facet] : "",
		 c->facet.n > 1 ? ": " : "", tv_cells_title(&value, c->value[v]));
	tv_plane_grid(scene, plane);
	draw_reference_lines(scene, c, v, plane, up);
	draw_bounds(figure, c, v, plane, from, to);
	for (size_t i = from, end; i < to; i = end) {
		for (end = i; end < to && c->item[end].series == c->item[i].series; end++)
			;
		draw_series(figure, c, v, plane, i, end);
	}
	tv_plane_axes(scene, plane, c->x_title, up);
}

void tv_lines_layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct tv_line_chart *c = slot->state;
	const struct tv_place *place = &slot->place;
	struct grid grid = grid_of(c, place->width);
	double strip = tv_strip_height(figure, c->title, c->key, c->nkeys, place->width), left = 0;
	struct tv_scale up[TV_CELLS_COLUMNS] = { { .n = 0 } };

	for (size_t v = 0; v < c->nvalues; v++) {
		up[v] = up_of(figure, c, v, grid.height);
		left = fmax(left, tv_plane_left(figure->scene->text, &up[v]));
	}
	tv_strip_draw(figure, c->title, c->key, c->nkeys, place->x, place->y + strip, place->width);
	for (uint32_t i = 0; i < grid.n; i++) {
		struct tv_plane plane = {
			.x = place->x + i % grid.columns * (grid.width + tile_gap) + left,
			.y = place->y + strip + i / grid.columns * tile_height(&grid)
			   + TV_PLANE_ABOVE,
			.width = grid.width - left - 2,
			.height = grid.height,
			.up = up[i % c->nvalues],
		};

		if (plane.y + plane.height + TV_PLANE_BELOW > place->y + place->height + 0.5)
			break;
		plane.across = across_of(figure, c, plane.width);
		draw_tile(figure, c, i % c->nvalues, i / (uint32_t)c->nvalues, &plane);
	}
}

void tv_lines_release(struct tv_slot *slot)
{
	struct tv_line_chart *c = slot->state;

	tv_table_release(&c->fitted);
	tv_categories_release(&c->at);
	tv_categories_release(&c->series);
	tv_categories_release(&c->facet);
	tv_free(c->item);
	tv_free(c->tick);
	tv_free(c);
}
