/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrow.c -- arrows from one point of the page to another, clipped to their frame. */
#include "views/charts/arrow.h"

#include <math.h>

/* Points of the page in the frame. */
static void to_frame(const struct tv_frame *frame, struct tv_point *point, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		point[i].x = (point[i].x - frame->x) / frame->width * frame->duration;
		point[i].y = (point[i].y - frame->y) / frame->height * frame->rows;
	}
}

/* Clips the line to the frame: back ends refuse coordinates far outside. False if nothing
 * remains. */
static bool cut(const struct tv_frame *frame, double margin, struct tv_point line[2])
{
	struct tv_point from = line[0], to = line[1];
	double low = frame->x - margin, high = frame->x + frame->width + margin;

	if (fmax(from.x, to.x) < low || fmin(from.x, to.x) > high)
		return false;
	for (int i = 0; i < 2; i++) {
		double x = fmin(fmax(line[i].x, low), high);

		if (x == line[i].x)
			continue;
		line[i].y = from.y + (x - from.x) / (to.x - from.x) * (to.y - from.y);
		line[i].x = x;
	}
	return true;
}

void tv_arrow_draw(struct tv_scene *scene, unsigned frame, const double ends[4],
		   const struct tv_arrow_style *style, uint32_t row, uint32_t label)
{
	struct tv_frame f = scene->frame[frame];
	double dx = ends[2] - ends[0], dy = ends[3] - ends[1], length = hypot(dx, dy);
	bool head_shows = ends[2] >= f.x - style->head_length
		       && ends[2] <= f.x + f.width + style->head_length;
	double ux = length > 0.1 ? dx / length : 1, uy = length > 0.1 ? dy / length : 0;
	struct tv_point neck = { ends[2] - style->head_length * ux,
				 ends[3] - style->head_length * uy };
	struct tv_point shaft[2] = { { ends[0], ends[1] }, neck };
	struct tv_point head[3] = {
		{ ends[2], ends[3] },
		{ neck.x - style->head_half * uy, neck.y + style->head_half * ux },
		{ neck.x + style->head_half * uy, neck.y - style->head_half * ux }
	};

	if (!cut(&f, style->head_length, shaft))
		return;
	to_frame(&f, shaft, 2);
	to_frame(&f, head, 3);
	tv_scene_pen(scene, style->class, style->group);
	scene->pen.row = row;
	scene->pen.label = label;
	for (int pass = style->casing > 0 ? 0 : 1; pass < 2 && length > style->head_length;
	     pass++) {
		scene->pen.stroke = pass == 0 ? style->edge : style->color;
		scene->pen.width = pass == 0 ? style->casing : style->core;
		tv_scene_path(scene, frame, TV_SHAPE_POLYLINE, shaft, 2);
	}
	if (!head_shows)
		return;
	tv_scene_pen(scene, style->head_class, style->group);
	scene->pen.row = row;
	scene->pen.label = label;
	scene->pen.fill = style->color;
	if (style->casing > 0) {
		scene->pen.stroke = style->edge;
		scene->pen.width = (style->casing - style->core) / 2;
	}
	tv_scene_path(scene, frame, TV_SHAPE_POLYGON, head, 3);
}
