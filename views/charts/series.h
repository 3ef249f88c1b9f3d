/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.h -- curves over the time axis: those of a pass, resampled exactly to what the medium
 * shows, drawn as lines or stacked.
 */
#ifndef TV_SERIES_H
#define TV_SERIES_H

#include "analysis/core/packed.h"
#include "views/charts/strip.h"
#include "views/charts/value.h"

/* One step function: from start[i] to end[i] it is value[i], or a packed one. Borrowed from a
 * pass's result. */
struct tv_pieces {
	const int64_t *start, *end; /* ns, ascending, without overlap */
	const double *value;
	size_t n;
	const struct tv_packed *packed; /* NULL: the arrays above */
};

/* The curve of that name and group (a label, or TV_NONE = the first one) in a result of the form
 * Curve, Group, Start, End, Value. n = 0 if there is none. */
struct tv_pieces tv_pieces_find(const struct tv_table *table, const char *curve, uint32_t group);

/* Mean (over the part that pieces cover), min and max of [begin, end); NaN if none is there. */
struct tv_extent {
	double mean, min, max;
};
struct tv_extent tv_pieces_extent(const struct tv_pieces *pieces, int64_t begin, int64_t end);

/* The largest value in the axis; but where values above a quarter of it occur in less than a
 * hundredth of the axis (spikes), 8/5 of the largest value of the rest. 0
 * if nothing is in the axis. */
double tv_pieces_high(const struct tv_figure *figure, const struct tv_pieces *pieces);
/* The largest value of a packed curve in the axis; -INFINITY if nothing is there. */
double tv_packed_max(const struct tv_figure *figure, const struct tv_pieces *pieces);

/* Intervals of the time axis: [edge[i], edge[i + 1]), i < n. */
struct tv_bins {
	int64_t *edge;
	uint32_t n;
};

/* Edges that show these curves exactly, if they are few; else one bin per cell, at least
 * TV_BIN_POINTS wide, divided where a curve begins or ends. Free edge with tv_free. */
void tv_bins_init(struct tv_bins *bins, const struct tv_figure *figure,
		  const struct tv_pieces *pieces, size_t n);
#define TV_BIN_POINTS 0.36
enum { TV_BINS_EXACT = 4096 }; /* in an exact scene, whatever the width */
/* Bins of that width, whatever is to be shown. Free edge with tv_free. */
void tv_bins_even(struct tv_bins *bins, const struct tv_figure *figure);
/* The extent in every bin, in a new array of bins->n; a bin that the pieces cover in part has the
 * integral over the bin / its length as mean. O(pieces + bins), by several threads. */
struct tv_extent *tv_pieces_bin(const struct tv_pieces *pieces, const struct tv_bins *bins);

/* A line of the curve; where pieces are narrower than bins, of its mean in a band from min to max.
 * frame: one row high, from tv_figure_frame. */
void tv_curve_draw(struct tv_figure *figure, unsigned frame, const struct tv_value_scale *scale,
		   const struct tv_pieces *pieces, uint32_t color, enum tv_dash dash);
/* A line of pixels between two rows of the frame, one for each bin, in the color of its mean. */
struct tv_shade {
	uint32_t (*color)(double mean, const void *data);
	const void *data;
};
void tv_shades_draw(struct tv_figure *figure, unsigned frame, double y0, double y1,
		    const struct tv_pieces *pieces, const struct tv_bins *bins,
		    const struct tv_shade *shade);
/* Marks where the curve goes beyond the upper end of the scale, with the largest value there. */
void tv_cuts_draw(struct tv_figure *figure, const struct tv_place *place,
		  const struct tv_value_scale *scale, const struct tv_pieces *pieces,
		  uint32_t color);
/* The area between two curves, pale; widened to all values of a bin. */
void tv_band_draw(struct tv_figure *figure, unsigned frame, const struct tv_value_scale *scale,
		  const struct tv_pieces *low, const struct tv_pieces *high, uint32_t color);
/* n curves on top of each other, the first one at the bottom; names for hovering. The areas are to
 * scale: means of bins. */
void tv_stack_draw(struct tv_figure *figure, unsigned frame, const struct tv_value_scale *scale,
		   const struct tv_pieces *pieces, const struct tv_key *key, size_t n);
/* The largest sum of these curves in any bin, as tv_stack_draw shows them. */
double tv_stack_high(const struct tv_figure *figure, const struct tv_pieces *pieces, size_t n);

#endif
