/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.h -- makespan and bounds of a figure, and lines for them over the rows. */
#ifndef TV_LAYERS_BOUNDS_H
#define TV_LAYERS_BOUNDS_H

#include "views/layers/layers.h"
#include "views/rows/chart.h"

/* A vertical line over the rows: makespan, or an estimate that it is held against. */
struct tv_bound {
	const char *name;    /* "ABE" */
	const char *spelled; /* "area bound ABE" */
	int64_t time;	     /* ns, a length */
	double gap;	     /* percent; NaN where there is none */
	enum tv_dash dash;
};

enum { TV_BOUNDS_MAX = 6 };
/* Those that could be computed of the whole run, makespan first. Returns how many. */
size_t tv_figure_bounds(const struct tv_figure *figure, struct tv_bound bound[TV_BOUNDS_MAX]);
/* The same by the durations of options->weights. */
size_t tv_figure_weighted(const struct tv_figure *figure, struct tv_bound bound[TV_BOUNDS_MAX]);

/* Which bounds are drawn as lines. */
struct tv_bound_lines {
	const struct tv_table *table; /* of the pass bounds; NULL in a window */
	unsigned wanted;
	bool named; /* the user named them: a key has the values of nodes */
};
/* Those that the panel's option `bounds` names, or the default ones; its option `network` is that of
 * the pass. -1 with *err (usage). */
int tv_bound_lines_init(struct tv_bound_lines *lines, struct tv_figure *figure,
			const struct tv_layer_options *options, struct tv_error *err) TV_MUST_CHECK;
/* Whether they show the ABE of each node. */
bool tv_bound_lines_per_node(const struct tv_bound_lines *lines);
/* Lines of the bounds over all rows, of those of a node over its rows; their names in a strip
 * above, led to their lines. */
void tv_chart_bounds(struct tv_figure *figure, const struct tv_bound_lines *lines,
		     const struct tv_place *place, const struct tv_rows *rows);
/* A layer of keys for the ABE of each node, if the lines are to show it. */
void tv_bound_lines_key(const struct tv_bound_lines *lines, const struct tv_figure *figure,
			struct tv_layer **layers);

#endif
