/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * span_rows.h -- spans of time in rows that are no workers: names at the left of the rows, title and keys
 * above them, their heights. Panels whose spans are the rows of a result need only a description:
 * span_panel.h. The others keep such rows as first member of their state.
 */
#ifndef TV_SPAN_ROWS_H
#define TV_SPAN_ROWS_H

#include "views/charts/names.h"
#include "views/charts/strip.h"
#include "views/rows/rows.h"
#include "views/shared/panel.h"

enum { TV_SPAN_KEYS = TV_TYPES_MAX + 1 };

/* Points. A row wants to be `high`, less where many share `comfortable` (0 = any height), but never less
 * than `low`; all of them `tall` at most. */
struct tv_span_heights {
	double low, high, comfortable, tall;
	double min;  /* of a chart: not readable below it */
	double lane; /* of a chart: where a lane is lower, shares of lanes are shown; 0 = never */
};

struct tv_span_rows {
	struct tv_names names; /* from top to bottom; of a chart, of its bands */
	struct tv_index place; /* by label: its row */
	struct tv_span_heights heights;
	double unit; /* height of a row, where all have the same one */
	/* Rows whose items are drawn by views/rows/chart.h, as images where they are too many. Without rows:
	 * the panel draws its spans itself, in rows of one height. */
	struct tv_rows chart;
	size_t rows_cap, bands_cap;
	const char *setup; /* name of the frame of what is before the axis; of a chart */
	char title[300];
	struct tv_key key[TV_SPAN_KEYS];
	size_t nkeys;
};

/* Adds a key, its text as clean text, and returns it. */
struct tv_key *tv_span_rows_key(struct tv_span_rows *rows, enum tv_key_kind kind, uint32_t color,
				const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Rows of one height for the different ones of n labels, in natural order, which it sorts. name: writes the
 * name of a row; NULL: the label's text. */
void tv_span_rows_add(struct tv_span_rows *rows, uint32_t *label, uint32_t n,
		      const struct tv_pool *pool,
		      void (*name)(char *out, size_t size, const char *label));
/* A band of n lanes of the chart, whose pool is set, with one name: the prefix and the label's text. */
void tv_span_rows_band(struct tv_span_rows *rows, uint32_t label, uint32_t n, const char *prefix);
/* Items of the chart: the rows of a table, in their order, with the labels of `row`. lane: of the band of that
 * label, from 1; NULL: its first one. type: of each; TV_NO_TYPE = it is not drawn. Replaces those of a call before. O(rows). */
void tv_span_rows_fill(struct tv_span_rows *rows, const struct tv_table *table, const char *row,
		       const struct tv_column *lane, const char *start, const char *end,
		       const uint8_t *type);

/* The first of n lanes that is free at a time, where busy[] has until when each is not; n = none. */
uint32_t tv_span_lane(const int64_t *busy, uint32_t n, int64_t begin);

/* The height that all rows want. */
double tv_span_rows_wanted(const struct tv_span_rows *rows);
/* The members `measure` and `release` of a panel whose state begins with such rows; what rows contain,
 * without the state. */
void tv_span_rows_measure(struct tv_figure *figure, struct tv_slot *slot, double height);
void tv_span_rows_release(struct tv_slot *slot);
void tv_span_rows_clear(struct tv_span_rows *rows);

/* Divides a height (points) among the rows of a chart, with cells of that size; returns the height used. */
double tv_span_rows_place(struct tv_span_rows *rows, double height, double cell);
/* Draws the items of a chart in a frame, which it returns. */
unsigned tv_span_rows_items(struct tv_figure *figure, struct tv_slot *slot, bool stub);
/* Draws names, title and keys, and, around rows of one height, the border. */
void tv_span_rows_words(struct tv_figure *figure, const struct tv_slot *slot);
/* A rectangle of the page from one time to another, cut at the axis and at least as wide as a line, with the
 * scene's pen; nothing where the axis does not show the span. */
void tv_span_draw(struct tv_figure *figure, int64_t from, int64_t to, double y0, double y1);
/* Whether the axis shows a part of it. */
bool tv_span_shown(const struct tv_figure *figure, int64_t from, int64_t to);

#endif
