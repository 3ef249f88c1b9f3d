/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * span_panel.h -- panels whose spans are the rows of a pass's result: described, not programmed.
 *
 * views/panels/events.c is the shortest one. Rows, their names and the colors of the spans come from columns
 * of labels, the keys from how many spans a color has, or from sums of the pass.
 */
#ifndef TV_SPAN_PANEL_H
#define TV_SPAN_PANEL_H

#include "views/charts/span_arrows.h"

enum tv_span_style {
	/* Each one is drawn, at least as wide as a line, the longest first; of both spans and instants, these are
	 * in the upper half of the row. For what is rare, and may be short. Rows are in natural order. */
	TV_SPANS_EACH,
	/* They fill the time: images of shares where they are too many, instants as ticks over them. Those that overlap
	 * share the height of their row. Rows are in the order of the result. */
	TV_SPANS_SHARES,
	/* A lane in each row for each color, its shade the part of the time. For what overlaps in many ways. The
	 * spans of a row and color are consecutive, by time, without overlap. */
	TV_SPANS_LANES,
};

struct tv_span_spec {
	const char *pass;
	const struct tv_pass_option *option; /* of the pass; NULL = none */
	/* Options with which the pass gives the Share of each color, and the Records of one without any; NULL:
	 * keys show how many spans a color has. */
	const struct tv_pass_option *sums;
	/* Of lanes: options with which it gives the Share of each row and color, a table for the hover texts; its rows are
	 * those of the panel. */
	const struct tv_pass_option *shares;
	const char *row,
		*color; /* columns of labels; of a number the pass needs a column with its text */
	/* Of shares: a column with the lane of a span in its row, from 1; of more than lanes_max, those
	 * beyond are not drawn, and the title shows how many. NULL: a row is a lane. */
	const char *lane;
	uint32_t lanes_max;
	const char *start, *end; /* of times; a missing end: an instant */
	const char *hover; /* template, views/shared/hover.h; NULL: type, job, resource, times */
	const char *title, *unit;   /* unit: what is counted, or "%"; NULL: keys say "12.3 %" */
	const char *nothing;	    /* why the panel is left out where there are none */
	const char *group;	    /* of the shapes: "span" and "instant"; of lanes "state" */
	const char *setup;	    /* name of the frame before the axis, of shares */
	const char *class, *prefix; /* of shares: of spans drawn one by one; before names of rows */
	enum tv_span_style style;
	uint32_t
		colors; /* at most TV_TYPES_MAX (views/rows/rows.h), with that of all that are left */
	const char *const
		*order; /* NULL-ended: all labels of colors, in the order of the keys, which have
				   * no numbers; NULL: by how many spans they have */
	uint32_t (*color_of)(const char *name); /* NULL: colors of the figure's palette */
	void (*row_name)(char *out, size_t size, const char *label); /* NULL: as it is */
	const struct tv_span_arrow_spec *arrows;		     /* of lanes; NULL = none */
	struct tv_span_heights heights; /* of lanes: low and high of a lane, min of a row */
};

int tv_span_prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err);
void tv_span_layout(struct tv_figure *figure, struct tv_slot *slot);
void tv_span_release(struct tv_slot *slot);

/* The members of a struct tv_panel: TV_SPAN_PANEL(.pass = ..., .row = ..., ...). */
#define TV_SPAN_PANEL(...) \
	.spec = &(const struct tv_span_spec){ __VA_ARGS__ }, .prepare = tv_span_prepare, \
	.measure = tv_span_rows_measure, .layout = tv_span_layout, .release = tv_span_release

#endif
