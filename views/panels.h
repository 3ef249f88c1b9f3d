/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * panels.h -- the panels: one row each in panels.c, one file each beside it.
 *
 * A panel computes nothing and knows no back end: it takes the results of the passes that it names,
 * which the figure has run, and lays shapes into the scene. The figure stacks panels over one time
 * axis: it asks each for its height and margins, gives all of them the widest margins, then calls
 * layout with the place.
 */
#ifndef TV_PANELS_H
#define TV_PANELS_H

#include "views/plot.h"
#include "views/rows.h"
#include "views/scale.h"

/* The time axis that all panels share; times in ns, places in points, whole cells apart. */
struct tv_axis {
	int64_t begin, end;		/* of the scale */
	int64_t setup; /* earliest start before it, shown in the stub; begin if there is none */
	int64_t base;	/* what the labels count from: 0, or where the scale begins far from 0 */
	const struct tv_unit *unit;
	double x, width;		/* of the scale */
	double stub_x, stub_width;	/* left of it; width 0 if there is none */
};

struct tv_figure {
	struct tv_run *run;
	const struct tv_plot_options *options;
	struct tv_scene *scene;
	struct tv_rows rows;
	struct tv_axis axis;
	const struct tv_unit *unit;	/* of the makespan and the bounds */
	/* Results of passes, NULL where they cannot be computed for this run or window. */
	const struct tv_table *bounds, *idleness, *outliers;
	double crowd, crowd_cells;	/* items shown in images, and the cells of these */
};

/* What a panel wants around and for its data area, points. */
struct tv_room {
	double height;
	double left, right, top; /* margins: labels, a column of numbers, a strip of labels */
};

/* The data area that it gets on the page. */
struct tv_place {
	double y, height;
	double left, right;		/* widths of the margins beside the axis */
};

struct tv_panel {
	const char *name, *title;
	const char *const *needs;	/* passes, ended by NULL */
	const struct tv_option_spec *option;
	size_t noptions;
	/* Fills *room. height 0: as the panel likes best; else that height must do, *room gives the
	 * margins. A height of 0 in *room: there is nothing to show. */
	int (*measure)(struct tv_figure *figure, double height, struct tv_room *room,
		       struct tv_error *err);
	int (*layout)(struct tv_figure *figure, const struct tv_place *place, struct tv_error *err);
};

/* A vertical line over the rows: makespan, or an estimate that it is held against. */
struct tv_bound {
	const char *name;	/* "ABE" */
	int64_t time;		/* ns, a length */
	double gap;		/* percent; NaN where there is none */
	enum tv_dash dash;
};

enum { TV_BOUNDS_MAX = 4 };
/* Those that could be computed of the whole run, makespan first. Returns how many. */
size_t tv_figure_bounds(const struct tv_figure *figure, struct tv_bound bound[TV_BOUNDS_MAX]);

extern const struct tv_panel *const tv_panels[];
extern const size_t tv_npanels;
const struct tv_panel *tv_panel_find(const char *name);	/* NULL if there is none */

/* A frame over the axis (stub: over its stub) at a place, that many rows high. */
unsigned tv_figure_frame(struct tv_figure *figure, const char *name, const struct tv_place *place,
			 double rows, bool stub);

/* The panels; each in the file of its name. */
extern const struct tv_panel tv_panel_spacetime;

#endif
