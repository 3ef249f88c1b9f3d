/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trends.h -- in the box of an object: a line for the change of its number, and the number over the run. */
#ifndef TV_CHARTS_TRENDS_H
#define TV_CHARTS_TRENDS_H

#include "views/charts/objects.h"

/* Where it is on the page, points, and the colors of the box. */
struct tv_trend {
	double x0, y0, x1, y1;
	uint32_t fill, ink;
};

/*
 * A horizontal line, at mid-height for no change, at the upper end for one of the whole scale (N.
 * Denoyelle's dynamic_lstopo draws it so, upside down). rise: share of the scale, -1 to 1; text:
 * width of the text in the middle, which interrupts the line.
 */
void tv_change_draw(struct tv_scene *scene, const struct tv_trend *trend, double rise, double text);

/* The values of an object in the windows of `curve`, as steps on the scale of `number`; those in
 * [begin, end) ns strong, the others pale; an instant (begin = end) as a vertical line. */
void tv_trend_draw(struct tv_scene *scene, const struct tv_trend *trend,
		   const struct tv_object_numbers *numbers, const struct tv_object_number *number,
		   const struct tv_object_numbers *curves, uint32_t object, int64_t begin,
		   int64_t end);

#endif
