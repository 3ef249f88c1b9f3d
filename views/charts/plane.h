/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plane.h -- two axes of numbers or categories, and lines and points between them: charts that have
 * no time axis.
 */
#ifndef TV_PLANE_H
#define TV_PLANE_H

#include "views/charts/strip.h"

enum { TV_PLANE_TICKS = 24 };

/* An axis from low to high. */
struct tv_scale {
	bool log;
	double low, high;
	struct tv_tick {
		double at;
		char text[24];
	} tick[TV_PLANE_TICKS];
	unsigned n;
	bool two_lines; /* of labels: every second one is on the second */
};

/*
 * A scale that contains [low, high] with ticks at round numbers, as many as do not touch in `length`
 * points; across: their labels are beside each other, else below each other. value[0..n): where ticks
 * go if all of them have room (n 0: nowhere). On a logarithmic scale low > 0. low == high is widened.
 */
struct tv_scale tv_scale_for(struct tv_text *text, double low, double high, bool log, bool across,
			     double length, const double *value, size_t n);
/* Places 0, 1, ... n - 1 with names, on one line, or two where the caller has room for them; where they
 * have no room, every second, third, ... is left out. */
struct tv_scale tv_scale_names(struct tv_text *text, const char *const *name, uint32_t n,
			       double length, bool two_lines);
/* 0 = low, 1 = high; beyond them for values outside. */
double tv_scale_at(const struct tv_scale *scale, double value);

/* A data area and its axes. */
struct tv_plane {
	double x, y, width, height;
	struct tv_scale across, up;
};

/* What axes need around the data area: labels, and titles where there are any. */
double tv_plane_left(struct tv_text *text, const struct tv_scale *up);
#define TV_PLANE_BELOW 19.0 /* labels and title of the axis below */
#define TV_PLANE_LINE  8.0  /* a second line of labels */
#define TV_PLANE_ABOVE 9.0  /* title above */

/* Grid lines, then after the data border, ticks, labels and titles (NULL: none). up: title of the
 * axis at the left, above it. */
void tv_plane_grid(struct tv_scene *scene, const struct tv_plane *plane);
void tv_plane_axes(struct tv_scene *scene, const struct tv_plane *plane, const char *across,
		   const char *up);

/* A line through points in coordinates of the plane, as far as they lie in it, with the scene's pen. */
void tv_plane_line(struct tv_scene *scene, const struct tv_plane *plane,
		   const struct tv_point *point, size_t n);
/* The place of a point on the page; whether it lies in the data area. */
bool tv_plane_at(const struct tv_plane *plane, double x, double y, struct tv_point *at);
/* The x coordinate of a time (ns) on an axis that counts in that unit. */
double tv_plane_time(const struct tv_plane *plane, const struct tv_unit *unit, int64_t time);

#endif
