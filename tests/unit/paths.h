/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.h -- values read back from the curves and areas of a figure. */
#ifndef TV_PATHS_H
#define TV_PATHS_H

#include "tests/unit/figure.h"

struct drawn {
	const struct tv_scene *scene;
	const char *frame;
	double high; /* value at the upper end, 0 at the lower */
};

static inline bool in_frame(const struct drawn *drawn, const struct tv_shape *shape)
{
	return strcmp(drawn->scene->frame[shape->frame].name, drawn->frame) == 0;
}

/* The largest value of the horizontal parts of a path at a time; -1 if none is there. */
static inline double path_at(const struct drawn *drawn, const struct tv_shape *shape, int64_t t)
{
	const struct tv_frame *frame = &drawn->scene->frame[shape->frame];
	const struct tv_point *point = drawn->scene->point + shape->first;
	double x = tv_frame_time(frame, t), most = -1;

	for (uint32_t i = 0; i + 1 < shape->n; i++)
		if (point[i].y == point[i + 1].y && fmin(point[i].x, point[i + 1].x) <= x
		    && x < fmax(point[i].x, point[i + 1].x))
			most = fmax(most, (1 - point[i].y) * drawn->high);
	return most;
}

/* The upper end of the areas of a color (TV_NO_COLOR = any) at a time. */
static inline double area_at(const struct drawn *drawn, uint32_t color, int64_t t)
{
	double most = 0;

	for (size_t i = 0; i < drawn->scene->n; i++) {
		const struct tv_shape *shape = &drawn->scene->shape[i];

		if (shape_is(drawn->scene, shape, "layer") && in_frame(drawn, shape)
		    && (color == TV_NO_COLOR || shape->fill == color))
			most = fmax(most, path_at(drawn, shape, t));
	}
	return most;
}

/* The curve of a color at a time, or -1. */
static inline double curve_at(const struct drawn *drawn, uint32_t color, int64_t t)
{
	for (size_t i = 0; i < drawn->scene->n; i++) {
		const struct tv_shape *shape = &drawn->scene->shape[i];

		if (shape_is(drawn->scene, shape, "curve") && in_frame(drawn, shape)
		    && shape->stroke == color && path_at(drawn, shape, t) >= 0)
			return path_at(drawn, shape, t);
	}
	return -1;
}

#endif
