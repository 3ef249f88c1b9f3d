/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plane.c -- two axes, their ticks, lines between them. */
#include "views/charts/plane.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "views/charts/value.h"

static const double tick = 2, pad = 2, grid_width = 0.4, apart = 5; /* points */

double tv_scale_at(const struct tv_scale *scale, double value)
{
	if (!scale->log)
		return (value - scale->low) / (scale->high - scale->low);
	return value > 0 ? log(value / scale->low) / log(scale->high / scale->low) : -1;
}

/* Width of the widest label. */
static double scale_width(struct tv_text *text, const struct tv_scale *scale)
{
	double widest = 0;

	for (unsigned i = 0; i < scale->n; i++)
		widest = fmax(widest,
			      tv_text_width(text, scale->tick[i].text, TV_TEXT_SMALL, false));
	return widest;
}

/* Whether no two labels touch. */
static bool has_room(struct tv_text *text, const struct tv_scale *scale, bool across, double length)
{
	double end = -INFINITY;

	for (unsigned i = 0; i < scale->n; i++) {
		double half = (across ? tv_text_width(text, scale->tick[i].text, TV_TEXT_SMALL,
						      false)
				      : TV_TEXT_SMALL * TV_TEXT_HEIGHT)
			    / 2;
		double at = tv_scale_at(scale, scale->tick[i].at) * length;

		if (at - half < end + (across ? apart : 1))
			return false;
		end = at + half;
	}
	return true;
}

static void add_tick(struct tv_scale *scale, double at)
{
	struct tv_tick *new = &scale->tick[scale->n];

	if (scale->n == TV_PLANE_TICKS || at < scale->low - 1e-9 * fabs(scale->low)
	    || at > scale->high + 1e-9 * fabs(scale->high))
		return;
	new->at = at;
	tv_number_text(new->text, sizeof new->text, at);
	scale->n++;
}

/* Ticks at these very values, if they have room. */
static bool tick_values(struct tv_scale *scale, struct tv_text *text, bool across, double length,
			const double *value, size_t n)
{
	if (n < 2 || n > TV_PLANE_TICKS)
		return false;
	scale->n = 0;
	for (size_t i = 0; i < n; i++)
		add_tick(scale, value[i]);
	return scale->n >= 2 && has_room(text, scale, across, length);
}

/* Ticks at 1, 2, 5 times powers of ten (in a short range also at 3, 4, 6, ... times), or at every power or every second, third, ... one. */
static void tick_powers(struct tv_scale *scale, struct tv_text *text, bool across, double length)
{
	int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high));

	for (int step = scale->high < 5 * scale->low ? -1 : 0; step <= last - first + 1; step++) {
		scale->n = 0;
		for (int power = first;
		     power <= last && scale->n<TV_PLANE_TICKS; power += step> 0 ? step : 1) {
			add_tick(scale, pow(10, power));
			for (int k = 2; step <= 0 && k <= (step < 0 ? 9 : 5); k += step < 0 ? 1 : 3)
				add_tick(scale, k * pow(10, power));
		}
		if (scale->n < TV_PLANE_TICKS && has_room(text, scale, across, length))
			return;
	}
}

static void tick_linear(struct tv_scale *scale, struct tv_text *text, bool across, double length)
{
	static const double line = 1.5 * TV_TEXT_SMALL * TV_TEXT_HEIGHT;
	double low = scale->low, high = scale->high;

	/* Labels beside each other are wider than high: fewer ticks, until they have room. */
	for (unsigned max = (unsigned)fmax(2, fmin(length / line, 10)); max >= 1; max--) {
		struct tv_value_scale values = tv_value_scale(low, high, false, max * line);

		if (!across) {
			scale->low = values.low;
			scale->high = values.high;
		}
		scale->n = 0;
		for (unsigned i = 0; i < values.n && scale->n < TV_PLANE_TICKS; i++) {
			double at = values.first + i * values.step;

			if (at < scale->low - 1e-9 * values.step
			    || at > scale->high + 1e-9 * values.step)
				continue;
			scale->tick[scale->n].at = at;
			tv_value_text(scale->tick[scale->n].text, sizeof scale->tick[0].text, at,
				      &values);
			scale->n++;
		}
		if (has_room(text, scale, across, length))
			return;
	}
}

struct tv_scale tv_scale_for(struct tv_text *text, double low, double high, bool log, bool across,
			     double length, const double *value, size_t n)
{
	struct tv_scale scale = { .log = log, .low = low, .high = high };

	if (!(low < high)) {
		scale.low = log ? low / 2 : low - fmax(fabs(low) / 2, 0.5);
		scale.high = log ? high * 2 : high + fmax(fabs(high) / 2, 0.5);
	} else if (log) {
		scale.low = low / pow(high / low, 0.03);
		scale.high = high * pow(high / low, 0.03);
	} else if (across) {
		scale.low = low - 0.03 * (high - low);
		scale.high = high + 0.03 * (high - low);
	}
	if (tick_values(&scale, text, across, length, value, n))
		return scale;
	if (log)
		tick_powers(&scale, text, across, length);
	else
		tick_linear(&scale, text, across, length);
	return scale;
}

/* Every step-th name, cut to the room that `lines` lines give it; whether they have room. */
static bool place_names(struct tv_scale *scale, struct tv_text *text, const char *const *name,
			uint32_t n, uint32_t step, unsigned lines, double length)
{
	scale->n = 0;
	scale->two_lines = lines > 1;
	for (uint32_t i = 0; i < n && scale->n < TV_PLANE_TICKS; i += step) {
		struct tv_tick *new = &scale->tick[scale->n++];

		new->at = i;
		tv_text_fit(text, name[i], TV_TEXT_SMALL, false,
			    fmax(60, lines * step * length / n - apart), new->text,
			    sizeof new->text);
	}
	return has_room(text, scale, true, lines * length);
}

struct tv_scale tv_scale_names(struct tv_text *text, const char *const *name, uint32_t n,
			       double length, bool two_lines)
{
	struct tv_scale scale = { .low = -0.5, .high = n - 0.5 };

	for (uint32_t step = n / TV_PLANE_TICKS + 1; step <= n; step++)
		for (unsigned lines = 1; lines <= (two_lines ? 2 : 1); lines++)
			if (place_names(&scale, text, name, n, step, lines, length))
				return scale;
	return scale;
}

double tv_plane_left(struct tv_text *text, const struct tv_scale *up)
{
	return scale_width(text, up) + pad + tick + 1;
}

void tv_plane_grid(struct tv_scene *scene, const struct tv_plane *plane)
{
	tv_scene_pen(scene, "grid", "grid");
	scene->pen.stroke = TV_GRID;
	scene->pen.width = grid_width;
	for (unsigned i = 0; i < plane->up.n; i++) {
		double y = plane->y
			 + plane->height * (1 - tv_scale_at(&plane->up, plane->up.tick[i].at));

		tv_scene_line(scene, TV_PAGE, plane->x, y, plane->x + plane->width, y);
	}
	for (unsigned i = 0; i < plane->across.n; i++) {
		double x = plane->x
			 + plane->width * tv_scale_at(&plane->across, plane->across.tick[i].at);

		tv_scene_line(scene, TV_PAGE, x, plane->y, x, plane->y + plane->height);
	}
}

static void draw_tick(struct tv_scene *scene, double x0, double y0, double x1, double y1)
{
	tv_scene_pen(scene, "tick", "axis");
	scene->pen.stroke = TV_INK;
	tv_scene_line(scene, TV_PAGE, x0, y0, x1, y1);
	tv_scene_pen(scene, "tick-label", "axis");
	scene->pen.fill = TV_INK;
}

void tv_plane_axes(struct tv_scene *scene, const struct tv_plane *plane, const char *across,
		   const char *up)
{
	double bottom = plane->y + plane->height;
	char text[200];

	tv_border_draw(scene, &(struct tv_place){ .x = plane->x,
						  .y = plane->y,
						  .width = plane->width,
						  .height = plane->height });
	for (unsigned i = 0; i < plane->up.n; i++) {
		double y = bottom - plane->height * tv_scale_at(&plane->up, plane->up.tick[i].at);

		draw_tick(scene, plane->x - tick, y, plane->x, y);
		tv_scene_text(scene, plane->x - tick - pad, y, TV_RIGHT, TV_TEXT_SMALL, false,
			      plane->up.tick[i].text);
	}
	for (unsigned i = 0; i < plane->across.n; i++) {
		double x = plane->x
			 + plane->width * tv_scale_at(&plane->across, plane->across.tick[i].at);

		const char *label = plane->across.tick[i].text;
		double lower = plane->across.two_lines && i % 2 == 1 ? TV_PLANE_LINE : 0;

		draw_tick(scene, x, bottom, x, bottom + tick + lower);
		/* A long one at the right edge stays on the page. */
		x = fmin(x, scene->width - 1
				    - tv_text_width(scene->text, label, TV_TEXT_SMALL, false) / 2);
		tv_scene_text(scene, x, bottom + tick + 4 + lower, TV_CENTER, TV_TEXT_SMALL, false,
			      label);
	}
	tv_scene_pen(scene, "axis-title", "axis");
	scene->pen.fill = TV_INK;
	if (across != NULL)
		tv_scene_text(scene, plane->x + plane->width / 2,
			      bottom + tick + 12 + (plane->across.two_lines ? TV_PLANE_LINE : 0),
			      TV_CENTER, TV_TEXT_SMALL, false,
			      tv_text_fit(scene->text, across, TV_TEXT_SMALL, false, plane->width,
					  text, sizeof text));
	if (up != NULL)
		tv_scene_text(scene, plane->x, plane->y - TV_PLANE_ABOVE / 2, TV_LEFT,
			      TV_TEXT_SMALL, false,
			      tv_text_fit(scene->text, up, TV_TEXT_SMALL, false, plane->width, text,
					  sizeof text));
}

bool tv_plane_at(const struct tv_plane *plane, double x, double y, struct tv_point *at)
{
	double across = tv_scale_at(&plane->across, x), up = tv_scale_at(&plane->up, y);

	*at = (struct tv_point){ plane->x + across * plane->width,
				 plane->y + (1 - up) * plane->height };
	return across >= -1e-9 && across <= 1 + 1e-9 && up >= -1e-9 && up <= 1 + 1e-9;
}

/* The part of a segment between two heights of the page; false: none of it is. */
static bool cut(struct tv_point *a, struct tv_point *b, double top, double bottom)
{
	struct tv_point from = *a, to = *b;

	for (int end = 0; end < 2; end++) {
		struct tv_point *p = end == 0 ? a : b;
		double limit = p->y < top ? top : bottom;

		if (p->y >= top && p->y <= bottom)
			continue;
		if ((from.y - limit) * (to.y - limit) > 0 || from.y == to.y)
			return false;
		p->x = from.x + (limit - from.y) / (to.y - from.y) * (to.x - from.x);
		p->y = limit;
	}
	return true;
}

void tv_plane_line(struct tv_scene *scene, const struct tv_plane *plane,
		   const struct tv_point *point, size_t n)
{
	struct tv_point *path = tv_alloc(n + 1, sizeof *path);
	size_t length = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		struct tv_point a, b, end;

		tv_plane_at(plane, point[i].x, point[i].y, &a);
		tv_plane_at(plane, point[i + 1].x, point[i + 1].y, &b);
		end = b;
		if (!cut(&a, &b, plane->y, plane->y + plane->height))
			continue;
		if (length == 0)
			path[length++] = a;
		path[length++] = b;
		/* It leaves the plane, and may come back. */
		if (b.y != end.y) {
			tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYLINE, path, length);
			length = 0;
		}
	}
	if (length > 1)
		tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYLINE, path, length);
	tv_free(path);
}

double tv_plane_time(const struct tv_plane *plane, const struct tv_unit *unit, int64_t time)
{
	return plane->x
	     + plane->width * tv_scale_at(&plane->across, (double)time / (double)unit->ns);
}
