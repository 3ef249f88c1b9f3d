/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line_charts.h -- lines or points over any table: one small chart per value column and per group of rows, a
 * line per series, bounds, whiskers and reference lines.
 *
 * The state of such a panel is a struct tv_line_chart; its spec a struct tv_line_spec. Prepare reads the table
 * with tv_lines_read, adds what it knows besides, and makes title and keys with tv_lines_words.
 */
#ifndef TV_LINE_CHARTS_H
#define TV_LINE_CHARTS_H

#include "views/charts/cells.h"

enum { TV_LINE_TILES = 64, TV_LINE_KEYS = 60, TV_LINE_MARKS = 256, TV_LINE_VALUES = 3 };

/* A value column of a named panel, and what its chart shows besides. */
struct tv_line_value {
	const char *names;	/* the first of these columns that exists */
	const char *bounds;	/* columns that are dashed lines */
	const char *levels;	/* horizontal lines */
	const char *low, *high; /* columns: the ends of whiskers */
	bool linear;		/* its axis never has a logarithmic scale */
	bool stems;		/* points have lines from 0, not between each other */
};

/* A named panel: columns if no option names others. */
struct tv_line_spec {
	const char *title;
	const char *x, *series, *facet;
	struct tv_line_value value[TV_LINE_VALUES];
	const char *marks; /* a column: vertical lines */
	bool points;
	const char
		*x_type; /* a column whose value, if all rows have the same, is named on the axis */
	bool names_one;	 /* one series has a key, too */
	bool fit; /* of the first value by x: columns FitTime, a bound, and Residual, a chart */
	const char *
		section; /* only rows with this text in column Section; bounds are a model of the values */
};

/* A row of the table in a chart. */
struct tv_line_item {
	uint32_t facet, series, row;
	double x;
};

struct tv_line_mark {
	double at;
	uint32_t color;
	bool column; /* a value of the column of marks */
	char text[48];
};

struct tv_line_chart {
	/* Options, their words in this order. */
	enum { LINES, POINTS } kind;
	enum { NO_LOG, LOG_X, LOG_Y, LOG_XY } log;
	const char *boundaries, *platform;
	const struct tv_line_spec *spec;
	const struct tv_table *table;
	struct tv_table fitted; /* the table and two more columns */
	const struct tv_column *x, *value[TV_CELLS_COLUMNS], *marks;
	const struct tv_column *bound[TV_CELLS_COLUMNS][TV_CELLS_COLUMNS];
	size_t nvalues, nbounds[TV_CELLS_COLUMNS];
	const struct tv_column *low[TV_CELLS_COLUMNS], *high[TV_CELLS_COLUMNS]; /* both or none */
	bool named; /* x is no number: its categories have places 0, 1, ... */
	bool log_x, log_y, points;
	bool own_values; /* option y: the title of the panel does not fit them */
	struct tv_categories at, series, facet;
	struct tv_line_item *item; /* by facet, series, x */
	size_t n;
	double *tick; /* different values of x, ascending */
	size_t nticks;
	struct tv_line_mark mark[TV_LINE_MARKS]; /* vertical lines */
	size_t nmarks;
	const char *levels[TV_CELLS_COLUMNS];
	bool linear[TV_CELLS_COLUMNS], stems[TV_CELLS_COLUMNS];
	char title[400], x_title[200];
	struct tv_key key[TV_LINE_KEYS];
	size_t nkeys;
};

/* Columns, groups, rows and ticks of c->table, as the panel's options and c->spec name them. 0, TV_NOTHING or -1
 * with *err. */
int tv_lines_read(struct tv_figure *figure, const struct tv_panel *panel, struct tv_line_chart *c,
		  struct tv_error *err) TV_MUST_CHECK;
/* Title and keys. */
void tv_lines_words(const struct tv_figure *figure, struct tv_line_chart *c);
void tv_lines_add_key(struct tv_line_chart *c, enum tv_key_kind kind, uint32_t color,
		      const char *text);
/* Whether a bound is the same for all series of items [from, to), which are in one chart. */
bool tv_lines_is_common(const struct tv_line_chart *c, size_t v, const struct tv_column *column,
			size_t from, size_t to);
/* Whether column Section of a row has this text. */
bool tv_lines_in_section(const struct tv_line_chart *c, uint32_t row, const char *section);

/* The ends of the whisker of a row in the chart of a value, if it has one. */
bool tv_lines_whisker(const struct tv_line_chart *c, size_t v, uint32_t row, double *low,
		      double *high);
/* Lines of bounds differ by their dashes, whose color is gray or that of their series. */
static inline enum tv_dash tv_lines_bound_dash(size_t i)
{
	return (enum tv_dash)(1 + i % (TV_NDASHES - 1));
}
extern const uint32_t tv_lines_bound_color;

void tv_lines_measure(struct tv_figure *figure, struct tv_slot *slot, double height);
void tv_lines_layout(struct tv_figure *figure, struct tv_slot *slot);
void tv_lines_release(struct tv_slot *slot);
#define TV_LINES_PANEL \
	.kind = TV_FREE, .measure = tv_lines_measure, .layout = tv_lines_layout, \
	.release = tv_lines_release

#endif
