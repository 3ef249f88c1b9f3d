/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * value.h -- the vertical axis of a panel that shows values: its scale, ticks and labels.
 */
#ifndef TV_VALUE_H
#define TV_VALUE_H

#include "views/shared/figure.h"

enum { TV_VALUE_TICKS = 12 };

/* From low (bottom) to high (top). */
struct tv_value_scale {
	double low, high;
	double first, step; /* ticks: first + i * step, i < n */
	unsigned n;
	int decimals;
};

/*
 * A scale that contains [low, high], its ends rounded out where that costs little, with ticks at
 * 1, 2 or 5 times a power of ten: as many as do not touch in `height` points, at least two.
 * low >= high (or not finite) gives 0 to 1. whole: ticks at whole numbers only.
 */
struct tv_value_scale tv_value_scale(double low, double high, bool whole, double height);
/* The label of a tick: 0, 50, 1.5, 2 M. */
void tv_value_text(char *out, size_t size, double value, const struct tv_value_scale *scale);
/* Room that the labels need left of the axis, points. */
double tv_value_width(const struct tv_figure *figure, const struct tv_value_scale *scale);
/* Ticks and labels left of the data area (of its stub, where the figure has one). */
void tv_value_draw(struct tv_figure *figure, const struct tv_place *place,
		   const struct tv_value_scale *scale);
/* A frame with one row over which values are drawn to that scale. */
unsigned tv_value_frame(struct tv_figure *figure, const char *name, const struct tv_place *place,
			const struct tv_value_scale *scale);
/* The place of a value, as a share of the height from the top: 0 = high, 1 = low. */
double tv_value_at(const struct tv_value_scale *scale, double value);

/* Thin light lines at the ticks of both axes behind the data (scale NULL: of the time axis), and
 * behind them the bands of the spans that the user points at. */
void tv_grid_draw(struct tv_figure *figure, const struct tv_place *place,
		  const struct tv_value_scale *scale);
/* The border around a data area; drawn after the data. */
void tv_border_draw(struct tv_scene *scene, const struct tv_place *place);

#endif
