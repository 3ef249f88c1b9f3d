/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.c -- a small chart with values on both axes. */
#include "views/charts/graph.h"

#include <math.h>

#include "trace/alloc.h"
#include "views/charts/series.h"

static const double tick = 2, label = 5.4, title_at = 12.6;

struct tv_point tv_graph_at(const struct tv_graph *graph, double x, double y)
{
	const struct tv_place *place = &graph->place;

	return (struct tv_point){
		place->x + (1 - tv_value_at(&graph->x, x)) * place->width,
		place->y + tv_value_at(&graph->y, y) * place->height,
	};
}

void tv_graph_begin(struct tv_figure *figure, const struct tv_graph *graph)
{
	const struct tv_place *place = &graph->place;
	struct tv_scene *scene = figure->scene;
	double zero = tv_graph_at(graph, 0, 0).y;

	tv_scene_pen(scene, "grid", "grid");
	scene->pen.stroke = TV_GRID;
	for (unsigned i = 0; i < graph->x.n; i++) {
		double x = tv_graph_at(graph, graph->x.first + i * graph->x.step, 0).x;

		tv_scene_line(scene, TV_PAGE, x, place->y, x, place->y + place->height);
	}
	for (unsigned i = 0; i < graph->y.n; i++) {
		double y = tv_graph_at(graph, 0, graph->y.first + i * graph->y.step).y;

		tv_scene_line(scene, TV_PAGE, place->x, y, place->x + place->width, y);
	}
	if (graph->y.low > 0 || graph->y.high < 0)
		return;
	scene->pen.stroke = TV_DIM;
	tv_scene_line(scene, TV_PAGE, place->x, zero, place->x + place->width, zero);
}

void tv_graph_end(struct tv_figure *figure, const struct tv_graph *graph, const char *title)
{
	const struct tv_place *place = &graph->place;
	struct tv_scene *scene = figure->scene;
	double bottom = place->y + place->height, taken = -INFINITY;

	tv_border_draw(scene, place);
	tv_value_draw(figure, place, &graph->y);
	for (unsigned i = 0; i < graph->x.n; i++) {
		double value = graph->x.first + i * graph->x.step;
		double x = tv_graph_at(graph, value, 0).x, half;
		char text[40];

		tv_scene_pen(scene, "tick", "axis");
		scene->pen.stroke = TV_INK;
		tv_scene_line(scene, TV_PAGE, x, bottom, x, bottom + tick);
		tv_value_text(text, sizeof text, value, &graph->x);
		half = tv_text_width(scene->text, text, TV_TEXT_SMALL, false) / 2;
		if (x - half < taken + 3 || x + half > place->x + place->width + 5.5)
			continue;
		tv_scene_pen(scene, "tick-label", "axis");
		scene->pen.fill = TV_INK;
		tv_scene_text(scene, x, bottom + label, TV_CENTER, TV_TEXT_SMALL, false, text);
		taken = x + half;
	}
	tv_scene_pen(scene, "axis-title", "axis");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, place->x + place->width / 2, bottom + title_at, TV_CENTER,
		      TV_TEXT_SMALL, false, title);
}

/* ---- curves ---- */

/* First, min, max and last point of each bin, in their order. */
static size_t thin_out(const struct tv_graph *graph, const struct tv_point *point, size_t n,
		       struct tv_point *out)
{
	size_t kept = 0;

	for (size_t i = 0, end; i < n; i = end) {
		double right = floor(tv_graph_at(graph, point[i].x, 0).x / TV_BIN_POINTS) + 1;
		size_t of[4] = { i, i, i, i };

		for (end = i;
		     end < n && tv_graph_at(graph, point[end].x, 0).x < right * TV_BIN_POINTS;
		     end++) {
			of[1] = point[end].y < point[of[1]].y ? end : of[1];
			of[2] = point[end].y > point[of[2]].y ? end : of[2];
		}
		of[3] = end - 1;
		if (of[1] > of[2]) {
			size_t min = of[1];

			of[1] = of[2];
			of[2] = min;
		}
		for (int k = 0; k < 4; k++)
			if (k == 0 || of[k] > of[k - 1])
				out[kept++] = point[of[k]];
	}
	return kept;
}

/* The area between 0 and the curve on that side of it; buffer: of n + 2 points. */
static void fill_side(struct tv_scene *scene, const struct tv_graph *graph,
		      const struct tv_point *point, size_t n, int side, struct tv_point *buffer)
{
	buffer[0] = tv_graph_at(graph, point[0].x, 0);
	for (size_t i = 0; i < n; i++) {
		bool there = side > 0 ? point[i].y > 0 : point[i].y < 0;

		buffer[i + 1] = tv_graph_at(graph, point[i].x, there ? point[i].y : 0);
	}
	buffer[n + 1] = tv_graph_at(graph, point[n - 1].x, 0);
	tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYGON, buffer, n + 2);
}

void tv_graph_curve(struct tv_figure *figure, const struct tv_graph *graph,
		    const struct tv_point *point, size_t n, const uint32_t color[2])
{
	struct tv_scene *scene = figure->scene;
	struct tv_point *kept = tv_alloc(n, sizeof *kept),
			*buffer = tv_alloc(n + 2, sizeof *buffer);

	if (n > 0) {
		n = thin_out(graph, point, n, kept);
		for (int side = 0; side < 2; side++) {
			tv_scene_pen(scene, side == 0 ? "above" : "below", "curves");
			scene->pen.fill = color[side];
			fill_side(scene, graph, kept, n, side == 0 ? 1 : -1, buffer);
		}
		for (size_t i = 0; i < n; i++)
			buffer[i] = tv_graph_at(graph, kept[i].x, kept[i].y);
		tv_scene_pen(scene, "curve", "curves");
		scene->pen.stroke = TV_INK;
		scene->pen.width = 0.6;
		tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYLINE, buffer, n);
	}
	tv_free(kept);
	tv_free(buffer);
}
