/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * panels.h -- the panels: one row each in panels.c, one file each beside it.
 *
 * A panel computes nothing and knows no back end: it takes the results of passes and lays shapes
 * into the scene. A timed panel stands in the stack over the shared time axis; a free one has axes
 * of its own and a box at the right of the stack or below it.
 *
 * The figure asks each panel to prepare (get the results of passes; say that there is nothing to
 * show), then to measure (margins and heights), gives all timed panels the widest margins, measures
 * again now that the width is known, and lets each lay itself out at its place.
 */
#ifndef TV_PANELS_H
#define TV_PANELS_H

#include "views/annotate/annotations.h"
#include "views/plot.h"
#include "views/rows/rows.h"
#include "views/scene/scale.h"

/* The time axis that all timed panels share; times in ns, places in points, whole cells apart. */
struct tv_axis {
	int64_t begin, end; /* of the scale */
	int64_t setup; /* earliest start before it, shown in the stub; begin if there is none */
	int64_t base;  /* what the labels count from: 0, or where the scale begins far from 0 */
	const struct tv_unit *unit;
	const char *origin;	   /* what labels count from, in words; NULL: see base */
	double x, width;	   /* of the scale */
	double stub_x, stub_width; /* left of it; width 0 if there is none */
	struct tv_ticks ticks;	   /* counted from base; set when it has its place */
};

/* Its data area on the page. Free panels: the whole box, margins included. */
struct tv_place {
	double x, y, width, height;
	double left, right; /* widths of the margins beside it */
};

struct tv_figure {
	struct tv_run *run;
	const struct tv_plot_options *options;
	struct tv_scene *scene;
	double x, width;	      /* of the stack of timed panels with its margins */
	const struct tv_facet *facet; /* one of several in a grid; NULL: alone */
	bool bare;		      /* names and values stand left of another facet */
	struct tv_rows rows;
	struct tv_axis axis;
	const struct tv_unit *unit; /* of the makespan and the bounds */
	/* Results of passes, NULL where they cannot be computed for this run or window. */
	const struct tv_table *bounds, *idleness, *outliers;
	const struct tv_table *weighted; /* bounds by options->weights; NULL = none */
	int64_t *repeat_shift; /* per repeat of the facet: ns to add to its times; NULL = none */
	double crowd, crowd_cells; /* items shown in images, and the cells of these */
	int64_t gap_least;	   /* ns, from that on idle gaps are marked; 0 = none are */
	struct tv_annotations notes;
	struct tv_place chart; /* where the panel spacetime has the rows; width 0 as long as it has not */
	double axis_y;	       /* where the axis has been drawn; 0 as long as it has not */
};

/* What a panel wants around and for its data area, points. */
struct tv_room {
	double height;			 /* as it likes best; 0 = its share of the figure */
	double least;			 /* lower makes no sense */
	double left, right, top, bottom; /* margins: labels, numbers, title and keys */
};

/* A panel of a figure. */
struct tv_slot {
	const struct tv_panel *panel;
	void *state;   /* of the panel, from prepare to release */
	double share;  /* of the height: space-time has 4 */
	bool fixed;    /* the user gave the share */
	bool aside;    /* a free panel at the right of the stack */
	bool empty;    /* it has nothing to show in this run, but in others */
	double high;   /* largest value that it shows, set by measure; 0 = none */
	double common; /* largest of that panel in any facet: a scale shared by them */
	size_t number; /* which one of its panel, from 0 */
	struct tv_room room;
	double given; /* the height that the last measure got */
	struct tv_place place;
};

enum tv_panel_kind { TV_TIMED, TV_FREE };
enum { TV_NOTHING = 1 };

struct tv_panel {
	const char *name, *former; /* former name, still accepted; NULL = none */
	const char *title;
	const char *needs; /* what the trace must contain, for the help */
	enum tv_panel_kind kind;
	double share;	  /* its usual height: space-time has 4 */
	bool usual;	  /* part of the report that is drawn when none is chosen */
	bool usual_facet; /* the same with several runs in a figure */
	bool aside;	  /* free: usually at the right of the stack, else below */
	bool own_axis;	  /* timed, but not the times of the figure: no line of an
					 * annotation goes through it */
	bool wide;	  /* free: about all runs of the figure, once below them */
	const struct tv_option_spec *option; /* given as --NAME.OPTION */
	size_t noptions;
	/* 0; TV_NOTHING, having remarked what is missing and what would bring it; -1 with *err. */
	int (*prepare)(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err);
	/* Fills slot->room, zeroed before. height 0: as the panel likes best; else that height must
	 * do. The axis has its place, but margins may still grow. */
	int (*measure)(struct tv_figure *figure, struct tv_slot *slot, double height,
		       struct tv_error *err);
	int (*layout)(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err);
	void (*release)(struct tv_slot *slot); /* frees state; NULL: tv_free */
};

/* In the order of the usual report. */
extern const struct tv_panel *const tv_panels[];
extern const size_t tv_npanels;
/* By its name or its former name; NULL if there is none. */
const struct tv_panel *tv_panel_find(const char *name);

/* The value of a panel's option in this figure, or its fallback, or NULL; "" for a flag. */
const char *tv_panel_option(const struct tv_figure *figure, const struct tv_panel *panel,
			    const char *name);
/* The same as a number. -1 (usage) if it is none or not in [least, most]; NaN if not given. */
int tv_panel_number(const struct tv_figure *figure, const struct tv_panel *panel, const char *name,
		    double least, double most, double *value, struct tv_error *err) TV_MUST_CHECK;

/* Options by kind, as tv_option_flag and the others (trace/options.h); all have been checked. */
bool tv_panel_flag(const struct tv_figure *figure, const struct tv_panel *panel, const char *name);
int64_t tv_panel_time(const struct tv_figure *figure, const struct tv_panel *panel,
		      const char *name, int64_t otherwise);
uint64_t tv_panel_count(const struct tv_figure *figure, const struct tv_panel *panel,
			const char *name, uint64_t otherwise);
int tv_panel_choice(const struct tv_figure *figure, const struct tv_panel *panel, const char *name);
/* Checks all options of a panel that are given; the driver does so before prepare. */
int tv_panel_check(const struct tv_figure *figure, const struct tv_panel *panel,
		   struct tv_error *err) TV_MUST_CHECK;

/*
 * The result of a pass with options, given as name, value, ..., NULL (or NULL = all fallbacks).
 * 0; TV_NOTHING with a remark that the panel is left out and why, if the pass cannot be computed
 * for this trace; -1 with *err.
 */
int tv_panel_pass(struct tv_figure *figure, const struct tv_panel *panel, const char *pass,
		  const char *const *option, const struct tv_table **result,
		  struct tv_error *err) TV_MUST_CHECK;
/* The same for a part of a panel: the remark says that `what` is left out. */
int tv_panel_pass_for(struct tv_figure *figure, const char *what, const char *pass,
		      const char *const *option, const struct tv_table **result,
		      struct tv_error *err) TV_MUST_CHECK;
/* Remarks that the panel is left out because of `why`: TV_NOTHING, or -1 with *err. */
int tv_panel_nothing(struct tv_figure *figure, const struct tv_panel *panel,
		     const char *why) TV_MUST_CHECK;

/* A vertical line over the rows: makespan, or an estimate that it is held against. */
struct tv_bound {
	const char *name; /* "ABE" */
	int64_t time;	  /* ns, a length */
	double gap;	  /* percent; NaN where there is none */
	enum tv_dash dash;
};

enum { TV_BOUNDS_MAX = 5 };
/* Those that could be computed of the whole run, makespan first. Returns how many. */
size_t tv_figure_bounds(const struct tv_figure *figure, struct tv_bound bound[TV_BOUNDS_MAX]);
/* The same by the durations of options->weights. */
size_t tv_figure_weighted(const struct tv_figure *figure, struct tv_bound bound[TV_BOUNDS_MAX]);

/* A frame over the axis (stub: over its stub) at a place, that many rows high. */
unsigned tv_figure_frame(struct tv_figure *figure, const char *name, const struct tv_place *place,
			 double rows, bool stub);
/* Unit and base of an axis whose begin and end are set; the base stays if it has an origin. */
void tv_axis_units(struct tv_axis *axis);
/* Where a time lies on the page. */
double tv_axis_at(const struct tv_axis *axis, int64_t time);

/*
 * The panels, in the order of the usual report. To add one:
 *   1. write views/panels/NAME.c, which defines `const struct tv_panel tv_panel_NAME`: name, title,
 *      what it needs, its options (trace/options.h) as rows, and prepare, measure and layout.
 *      A panel computes nothing: prepare asks for results of passes, layout adds shapes to the
 *      scene. panels/gflops.c is a short example of a curve, panels/lifecycle.c of tiles;
 *   2. add X(NAME) here. Options, help, configuration files and the tests that loop over all panels
 *      follow from the row;
 *   3. write docs/panels/NAME.md, add a line to examples/gallery.list, and look at the picture.
 */
#define TV_PANELS(X) \
	X(spacetime) \
	X(zoom) \
	X(idle_causes) \
	X(ready) \
	X(submitted) \
	X(progress) \
	X(abe) \
	X(starvation) \
	X(concurrency) \
	X(share) \
	X(gflops) \
	X(utilization) \
	X(imbalance) \
	X(power_imbalance) \
	X(hetero_imbalance) \
	X(open_iterations) \
	X(counter) \
	X(lifecycle) \
	X(durations) \
	X(regression) \
	X(states) \
	X(events) \
	X(tree) \
	X(tree_usage) \
	X(open_fronts) \
	X(front_memory) \
	X(tree_structure) \
	X(dag) \
	X(diff)

#define TV_DECLARE_PANEL(name) extern const struct tv_panel tv_panel_##name;
TV_PANELS(TV_DECLARE_PANEL)

#endif
