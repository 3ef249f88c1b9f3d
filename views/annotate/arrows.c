/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrows.c -- arrows from the end of one task to the start of another, bright in a dark casing. */
#include <math.h>

#include "views/annotate/annotations.h"

static const double casing = 2.2, core = 1.1, head_length = 5.5, head_half = 2.6; /* points */
static const uint32_t bright = 0xffd400;

/* Where an execution ends or starts on the page. */
static bool find_point(const struct tv_rows *rows, const struct tv_frame *frame, uint32_t row,
		       bool end, double *x, double *y)
{
	for (uint32_t r = 0; r < rows->nrows; r++)
		for (uint32_t i = 0; i < rows->row[r].n; i++) {
			const struct tv_item *item = &rows->item[rows->row[r].first + i];
			double height = rows->row[r].y1 - rows->row[r].y0;

			if (item->row != row)
				continue;
			*x = tv_frame_x(frame, tv_frame_time(frame, end ? item->end : item->begin));
			*y = frame->y + rows->row[r].y0
			   + (double)(item->top + item->bottom) / 2 * height;
			return true;
		}
	return false;
}

bool tv_arrow_ends(const struct tv_figure *figure, const struct tv_rows *rows, unsigned frame,
		   const struct tv_arrow *arrow, double ends[4])
{
	const struct tv_frame *f = &figure->scene->frame[frame];

	return find_point(rows, f, arrow->from, true, &ends[0], &ends[1])
	    && find_point(rows, f, arrow->to, false, &ends[2], &ends[3]);
}

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
static bool cut(const struct tv_frame *frame, struct tv_point line[2])
{
	struct tv_point from = line[0], to = line[1];
	double low = frame->x - head_length, high = frame->x + frame->width + head_length;

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

static void draw_arrow(struct tv_scene *scene, unsigned frame, const double ends[4])
{
	struct tv_frame f = scene->frame[frame];
	double dx = ends[2] - ends[0], dy = ends[3] - ends[1], length = hypot(dx, dy);
	bool head_shows = ends[2] >= f.x - head_length && ends[2] <= f.x + f.width + head_length;
	double ux = length > 0.1 ? dx / length : 1, uy = length > 0.1 ? dy / length : 0;
	struct tv_point neck = { ends[2] - head_length * ux, ends[3] - head_length * uy };
	struct tv_point shaft[2] = { { ends[0], ends[1] }, neck };
	struct tv_point head[3] = { { ends[2], ends[3] },
				    { neck.x - head_half * uy, neck.y + head_half * ux },
				    { neck.x + head_half * uy, neck.y - head_half * ux } };

	if (!cut(&f, shaft))
		return;
	to_frame(&f, shaft, 2);
	to_frame(&f, head, 3);
	tv_scene_pen(scene, "arrow", "arrows");
	for (int pass = 0; pass < 2 && length > head_length; pass++) {
		scene->pen.stroke = pass == 0 ? TV_INK : bright;
		scene->pen.width = pass == 0 ? casing : core;
		tv_scene_path(scene, frame, TV_SHAPE_POLYLINE, shaft, 2);
	}
	if (!head_shows)
		return;
	tv_scene_pen(scene, "arrow-head", "arrows");
	scene->pen.fill = bright;
	scene->pen.stroke = TV_INK;
	scene->pen.width = (casing - core) / 2;
	tv_scene_path(scene, frame, TV_SHAPE_POLYGON, head, 3);
}

void tv_arrows_draw(struct tv_figure *figure, const struct tv_rows *rows, unsigned frame)
{
	double ends[4];

	for (size_t i = 0; i < figure->notes->narrows; i++)
		if (tv_arrow_ends(figure, rows, frame, &figure->notes->arrow[i], ends))
			draw_arrow(figure->scene, frame, ends);
}
