/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chart.h -- the parts that panels with one row per worker are put together from. */
#ifndef TV_CHART_H
#define TV_CHART_H

#include "views/rows/rows.h"
#include "views/shared/figure.h"

/*
 * The items of all rows in a frame whose rows are points (height = rows): rectangles where they are
 * at least two cells wide on average, images of exact shares elsewhere, outliers in full color,
 * and those hidden in an image marked at the free lower edge of their row. stub: what is before
 * the axis.
 */
void tv_chart_items(struct tv_figure *figure, const struct tv_rows *rows, unsigned frame,
		    bool stub);
/* Thin lines between resource types and nodes, and a border. */
void tv_chart_frame(struct tv_scene *scene, const struct tv_rows *rows, unsigned frame);

/*
 * Names left of the rows in natural order, and their idleness right of them. Where rows are lower
 * than text, every 2nd, 5th, 10th, ... name, a bracket with number and type, and on the right the
 * mean of the type.
 */
void tv_chart_names(struct tv_figure *figure, const struct tv_rows *rows, double y);
void tv_chart_idleness(struct tv_figure *figure, const struct tv_rows *rows, double y);
double tv_chart_names_width(const struct tv_figure *figure, const struct tv_rows *rows);
double tv_chart_idleness_width(const struct tv_figure *figure, const struct tv_rows *rows);

/* The strip above the rows, with the names of bounds and the title of the idleness, points. */
#define TV_STRIP_HEIGHT 11.0
#define TV_STRIP_TEXT	6.6 /* middle of its text above the rows */

#endif
