/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trends.c -- change and course of a number in the box of an object. */
#include "views/charts/trends.h"

#include <math.h>

#include "trace/alloc.h"
#include "views/scene/palette.h"

static const double inset = 1.2, apart = 2; /* points: from the box, from text */

void tv_change_draw(struct tv_scene *scene, const struct tv_trend *trend, double rise, double text)
{
	double y = trend->y0 + (trend->y1 - trend->y0) * (0.5 - rise / 2);
	double from = (trend->x0 + trend->x1 - text) / 2 - apart,
	       to = (trend->x0 + trend->x1 + text) / 2 + apart;

	scene->pen.fill = TV_NO_COLOR;
	scene->pen.stroke = trend->ink;
	scene->pen.width = 0.8;
	if (text == 0) {
		tv_scene_line(scene, TV_PAGE, trend->x0, y, trend->x1, y);
	} else if (from > trend->x0) {
		tv_scene_line(scene, TV_PAGE, trend->x0, y, from, y);
		tv_scene_line(scene, TV_PAGE, to, y, trend->x1, y);
	}
}

/* Half of each. */
static uint32_t mix(uint32_t a, uint32_t b)
{
	return ((a & 0xfefefe) >> 1) + ((b & 0xfefefe) >> 1);
}

/* Windows of a curve and how they are drawn. */
struct course {
	struct tv_scene *scene;
	const struct tv_trend *trend;
	const int64_t *start, *end;
	double *share; /* by window; NaN: not known */
	uint32_t n, nobjects;
};

static double at_time(const struct course *c, int64_t t)
{
	int64_t begin = c->start[0], end = c->end[(size_t)(c->n - 1) * c->nobjects];
	double x0 = c->trend->x0 + inset, x1 = c->trend->x1 - inset;

	return x0 + (x1 - x0) * ((double)t - (double)begin) / fmax((double)end - (double)begin, 1);
}

/* Runs of known windows that overlap [begin, end) as lines of steps. */
static void draw_steps(const struct course *c, int64_t begin, int64_t end)
{
	struct tv_point *point = tv_alloc(c->n, 2 * sizeof *point);
	double y0 = c->trend->y0 + inset, y1 = c->trend->y1 - inset;
	size_t n = 0;

	for (uint32_t w = 0; w < c->n; w++) {
		int64_t from = c->start[(size_t)w * c->nobjects],
			to = c->end[(size_t)w * c->nobjects];
		double y = y1 + (y0 - y1) * c->share[w];

		if (!isnan(c->share[w]) && from < end && to > begin) {
			point[n++] = (struct tv_point){ at_time(c, from), y };
			point[n++] = (struct tv_point){ at_time(c, to), y };
			if (w + 1 < c->n)
				continue;
		}
		if (n > 0)
			tv_scene_path(c->scene, TV_PAGE, TV_SHAPE_POLYLINE, point, n);
		n = 0;
	}
	tv_free(point);
}

void tv_trend_draw(struct tv_scene *scene, const struct tv_trend *trend,
		   const struct tv_object_numbers *numbers, const struct tv_object_number *number,
		   const struct tv_object_numbers *curves, uint32_t object, int64_t begin,
		   int64_t end)
{
	const struct tv_object_number *m = &curves->at[number - numbers->at];
	struct course c = { .scene = scene,
			    .trend = trend,
			    .start = tv_table_find(m->table, "Start")->i,
			    .end = tv_table_find(m->table, "End")->i,
			    .share = tv_alloc(curves->nwindows, sizeof(double)),
			    .n = curves->nwindows,
			    .nobjects = curves->nobjects };
	int64_t last = c.end[(size_t)(c.n - 1) * c.nobjects];

	for (uint32_t w = 0; w < c.n; w++)
		c.share[w] = tv_object_share(numbers, number,
					     tv_object_value(m, w * c.nobjects + object));
	scene->pen.fill = TV_NO_COLOR;
	scene->pen.stroke = trend->ink;
	scene->pen.width = 0.6;
	if (begin > c.start[0] || end < last) {
		scene->pen.stroke = mix(trend->ink, trend->fill);
		draw_steps(&c, c.start[0], last);
		scene->pen.stroke = trend->ink;
	}
	if (begin < end)
		draw_steps(&c, begin, end);
	else if (begin >= c.start[0] && begin <= last)
		tv_scene_line(scene, TV_PAGE, at_time(&c, begin), trend->y0, at_time(&c, begin),
			      trend->y1);
	tv_free(c.share);
}
