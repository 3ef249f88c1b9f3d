/* SPDX-License-Identifier: GPL-3.0-or-later */
/* header.h -- what is above the panels: numbers and legend. */
#ifndef TV_HEADER_H
#define TV_HEADER_H

#include "views/shared/figure.h"

/* Each draws from y downwards and returns where it ended. */
double tv_header_draw(struct tv_figure *figure, double y);
double tv_legend_draw(struct tv_figure *figure, double y,
		      bool types); /* types: those of tasks, too */
/* Of a table: its name, and which rows are shown. Nothing if it has no name. */
double tv_header_table(struct tv_figure *figure, double y);
/* Of several runs: a line over them all (machine: which they share), and one over each, with its
 * makespan against the best one (ns), bounds and idleness. high: the height of the highest of these;
 * 0: only returns where it would end. */
double tv_facets_header(struct tv_figure *figure, double y, bool machine);
double tv_facet_header(struct tv_figure *figure, double y, int64_t best, bool machine, double high);
/* The mean idleness of the workers of a type (index in the view) over all nodes, NaN if unknown. */
double tv_header_idleness(const struct tv_figure *figure, uint32_t rtype);

#endif
