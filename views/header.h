/* SPDX-License-Identifier: GPL-3.0-or-later */
/* header.h -- what stands above the panels (numbers and legend) and the axis below them. */
#ifndef TV_HEADER_H
#define TV_HEADER_H

#include "views/panels.h"

enum { TV_MARGIN = 3 };	   /* points, around the figure */
#define TV_LINE_HEIGHT 9.6 /* points, of a line of header or legend */

/* Each draws from y downwards and returns where it ended. */
double tv_header_draw(struct tv_figure *figure, double y);
double tv_legend_draw(struct tv_figure *figure, double y);
/* Of several runs: a line over them all (machine: which they share), and one over each, with its
 * makespan against the best one (ns), bounds and idleness. dry: only returns where that would end.
 */
double tv_facets_header(struct tv_figure *figure, double y, bool machine);
double tv_facet_header(struct tv_figure *figure, double y, int64_t best, bool machine, bool dry);
/* What the header says: tasks whose end the trace does not tell, so that their lengths are guesses;
 * the mean idleness of the workers of a type (index in the view) over all nodes, NaN if unknown. */
uint32_t tv_header_open(const struct tv_trace *trace);
double tv_header_idleness(const struct tv_figure *figure, uint32_t rtype);

/* Ticks, their labels and the title, under a frame that ends at y. */
double tv_axis_draw(struct tv_figure *figure, double y);

#define TV_AXIS_HEIGHT 20.0 /* what tv_axis_draw needs */

/* Decides what times the axis shows. -1 with *err: too far apart, or an empty window. */
int tv_axis_span(struct tv_figure *figure, struct tv_error *err) TV_MUST_CHECK;
/* Its place on the page between two margins. -1 (usage) when nothing is left. */
int tv_axis_place(struct tv_figure *figure, double left, double right,
		  struct tv_error *err) TV_MUST_CHECK;
/* Room that the label of the setup stub wants left of t = 0. */
double tv_axis_left(const struct tv_figure *figure);

#endif
