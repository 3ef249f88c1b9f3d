/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sectors.c -- parts of rings. */
#include "views/charts/sectors.h"

#include <math.h>

#include "trace/alloc.h"
#include "views/scene/palette.h"

static const double step = TV_PI / 60;

void tv_sector_draw(struct tv_scene *scene, const struct tv_sector *s, bool crossed)
{
	double from = s->from - TV_PI / 2, length = s->to - s->from;
	size_t n = (size_t)ceil(length / step) + 2;
	struct tv_point *point = tv_alloc(2 * n, sizeof *point);
	uint32_t edge = scene->pen.stroke;

	for (size_t i = 0; i < n; i++) {
		double at = from + length * (double)i / (double)(n - 1);

		point[i] = (struct tv_point){ s->x + s->outer * cos(at),
					      s->y + s->outer * sin(at) };
		point[2 * n - 1 - i] = (struct tv_point){ s->x + s->inner * cos(at),
							  s->y + s->inner * sin(at) };
	}
	if (length > 1.999 * TV_PI) {
		/* No line where a ring begins. */
		scene->pen.stroke = TV_NO_COLOR;
		tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYGON, point, 2 * n);
		scene->pen.stroke = edge;
		scene->pen.fill = TV_NO_COLOR;
		tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYGON, point, n);
	} else {
		tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYGON, point, 2 * n);
	}
	if (crossed) {
		tv_scene_pen(scene, "missing", "machine");
		scene->pen.stroke = TV_GRAY;
		tv_scene_line(scene, TV_PAGE, point[0].x, point[0].y, point[n].x, point[n].y);
	}
	tv_free(point);
}

static double middle_angle(const struct tv_sector *s)
{
	return (s->from + s->to - TV_PI) / 2;
}

struct tv_point tv_sector_middle(const struct tv_sector *s)
{
	double radius = s->inner > 0 ? (s->inner + s->outer) / 2 : 0, at = middle_angle(s);

	return (struct tv_point){ s->x + radius * cos(at), s->y + radius * sin(at) };
}

bool tv_sector_holds(const struct tv_sector *s, double width, double height)
{
	struct tv_point middle = tv_sector_middle(s);
	double x = fabs(middle.x - s->x), y = fabs(middle.y - s->y);
	double along = width * fabs(sin(middle_angle(s))) + height * fabs(cos(middle_angle(s)));

	if (hypot(x + width / 2, y + height / 2) > s->outer)
		return false;
	return !(s->inner > 0)
	    || (hypot(fmax(0, x - width / 2), fmax(0, y - height / 2)) >= s->inner
		&& along <= (s->to - s->from) * (s->inner + (s->outer - s->inner) / 4));
}
