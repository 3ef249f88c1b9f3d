/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.h -- a small chart with values on both axes, and a curve above and below 0 in it. */
#ifndef TV_GRAPH_H
#define TV_GRAPH_H

#include "views/charts/value.h"

struct tv_graph {
	struct tv_place place; /* of the data */
	struct tv_value_scale x, y;
};

/* Grid, and a line at y = 0; before the data. */
void tv_graph_begin(struct tv_figure *figure, const struct tv_graph *graph);
/* Border, ticks and labels of both axes, and what x is; after the data. Needs TV_GRAPH_BELOW. */
void tv_graph_end(struct tv_figure *figure, const struct tv_graph *graph, const char *title);
#define TV_GRAPH_BELOW 17.0

/* Where values lie on the page. */
struct tv_point tv_graph_at(const struct tv_graph *graph, double x, double y);

/*
 * A curve through n points in the order of x, the area up to 0 filled: above 0 with one color,
 * below with the other. Of points closer than the medium shows only the extreme ones are drawn.
 */
void tv_graph_curve(struct tv_figure *figure, const struct tv_graph *graph,
		    const struct tv_point *point, size_t n, const uint32_t color[2]);

#endif
