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
/* The header of each node above its rows, if there is height for it (rows->head), and accents beside
 * the rows of nodes that stand out. */
void tv_chart_nodes(struct tv_figure *figure, const struct tv_rows *rows,
		    const struct tv_place *place);
double tv_chart_names_width(const struct tv_figure *figure, const struct tv_rows *rows);
double tv_chart_idleness_width(const struct tv_figure *figure, const struct tv_rows *rows);

/* Whether panels may draw neighbours without work as one row: rows that the user chose stay, so do those of an exact
 * scene, and of facets side by side, as they have names in common. */
bool tv_chart_folds(const struct tv_figure *figure);

/* The strip above the rows, with the names of bounds and the title of the idleness, points. */
#define TV_STRIP_HEIGHT 11.0
#define TV_STRIP_TEXT	6.6 /* middle of its text above the rows */

/* Whether the rows of some type are too low to be named. */
bool tv_rows_thinned(const struct tv_rows *rows);
/* Where rows have no header: as many names of nodes as fit, those that stand out first. */
bool tv_rows_label_nodes(const struct tv_rows *rows);
double tv_node_labels_width(const struct tv_figure *figure, const struct tv_rows *rows);
/* Right-aligned at x, the idleness of the same nodes at idle_x. */
void tv_node_labels(struct tv_figure *figure, const struct tv_rows *rows, double x, double y);
void tv_node_idleness(struct tv_figure *figure, const struct tv_rows *rows, double x, double y);
/* What is known of the node of a facet, as its header has it: the phrases; how many. */
enum { TV_NODE_PHRASES = 6 };
size_t tv_node_phrases(const struct tv_figure *figure, char phrase[TV_NODE_PHRASES][64]);
/* Whether some node stands out, so that accents need a place left of the rows. */
bool tv_rows_accented(const struct tv_rows *rows);
#define TV_ACCENT_ROOM 4.0 /* points */
enum {
	TV_LATE_START_COLOR = 0xe66100,
	TV_LATE_END_COLOR = 0xc2185b,
	TV_MORE_WORK_COLOR = 0x5d3a9b
};
#define TV_NODE_HEAD 9.6 /* points, height of a header */

#endif
