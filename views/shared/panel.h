/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * panel.h -- the type of a panel, its slot in a figure, and the queries that it may make.
 *
 * A panel computes nothing and knows no back end: it adds the results of passes as shapes to the
 * scene. A timed panel is in the stack over the shared time axis; a free one has axes of its own
 * and a box at the right of the stack or below it.
 *
 * The figure asks each panel to prepare (get the results of passes, or report that there is nothing
 * to show), then to measure (margins and heights), gives all timed panels the widest margins,
 * measures again now that the width is known, and lets each lay itself out at its place.
 */
#ifndef TV_SHARED_PANEL_H
#define TV_SHARED_PANEL_H

#include "trace/options.h"
#include "views/shared/figure.h"

/* The margins and the height that a panel requests for its data area, points. */
struct tv_request {
	double height;			 /* preferred; 0 = its share of the figure */
	double min;			 /* not readable below it */
	double left, right, top, bottom; /* margins: labels, numbers, title and keys */
};

/* A panel of a figure. */
struct tv_slot {
	const struct tv_panel *panel;
	void *state;		   /* of the panel, from prepare to release */
	struct tv_printed printed; /* where prepare puts the numbers of title and keys */
	double share;		   /* of the height: space-time has 4 */
	bool fixed;		   /* the user gave the share */
	bool aside;		   /* a free panel at the right of the stack */
	bool empty;		   /* it has nothing to show in this run, but in others */
	double high;		   /* largest value that it shows, set by measure; 0 = none */
	double common;		   /* largest of that panel in any facet: a scale shared by them */
	size_t number;		   /* which one of its panel, from 0 */
	struct tv_request request;
	double given; /* the height that the last measure got */
	struct tv_place place;
};

/* What a panel gives the pass that its option `pass` names: a value to the default pass, or, where the
 * value is NULL, that of the panel's own option of the same name. An array ends with a NULL name. */
struct tv_pass_option {
	const char *name, *value;
};
enum { TV_PASS_OPTIONS_MAX = 8 };

/* Columns of tasks that any figure may read, for its header, rows, bounds, idleness and outliers, beside TV_LINK_COLUMNS
 * and those that reading needs (tv_trace_plan_columns). */
#define TV_FIGURE_COLUMNS \
	"SubmitTime SubmitAfter SubmitDelay MemoryNode Cpu CpuEnd NumaNode Size Outlier " \
	"Threshold " \
	"MetricThreshold task-clock voluntary-switches"

enum tv_panel_kind { TV_TIMED, TV_FREE };
enum { TV_NOTHING = 1 };

struct tv_panel {
	const char *name, *former; /* former name, still accepted; NULL = none */
	const char *title;
	const char *needs; /* what the trace must contain, for the help */
	const char *
		reads; /* which of the tables of TV_OMITTABLE change it where none of its options is
			      given, with blanks between, "" = none; NULL = not known */
	const char *columns; /* likewise, of tasks, beside TV_FIGURE_COLUMNS; NULL = not known */
	/* The passes that it asks for, where it takes nothing of the rows of tasks but what these and the rows of the figure give:
	 * it is then drawn part by part if they are read so, without options (tv_pass.in_parts). None: it needs all rows at once. */
	const char *passes[2];
	bool untyped; /* it draws nothing in the colors of task types */
	enum tv_panel_kind kind;
	double share;	       /* its default height: space-time has 4 */
	bool is_default;       /* part of the report that is drawn when none is chosen */
	bool is_default_facet; /* the same with several runs in a figure */
	bool aside;	       /* free: by default at the right of the stack, else below */
	bool own_axis;	       /* timed, but not the times of the figure: no line of an
					 * annotation goes through it */
	const char *table;     /* free: drawn from a table that is no trace; by default if it has
				* these columns (with blanks between); "": only if it is chosen */
	const struct tv_pass_option *pass_option; /* for the pass it draws; NULL: none */
	bool wide; /* free: about all runs of the figure, once below them */
	const struct tv_option_spec *option; /* given as --NAME.OPTION */
	size_t noptions;
	/* The size of the slot's state, which is zeroed, and whose members that the options name are filled
	 * before prepare; 0: prepare allocates it. */
	size_t state;
	/* 0; TV_NOTHING, having warned what is missing and what would bring it; -1 with *err. */
	int (*prepare)(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err);
	/* Fills slot->request, zeroed before. height 0: as the panel prefers; else it gets that
	 * height. The axis has its place, but margins may still grow. */
	void (*measure)(struct tv_figure *figure, struct tv_slot *slot, double height);
	/* Several runs in a figure: widens scales of the slot to those of the same panel of another
	 * run; between two calls of measure. NULL: `high` and `common` do, or nothing is shared. */
	void (*share_scale)(struct tv_slot *slot, const struct tv_slot *other);
	void (*layout)(struct tv_figure *figure, struct tv_slot *slot);
	void (*release)(struct tv_slot *slot); /* frees state, which is not NULL; NULL: tv_free */
	const void *spec; /* for prepare, where it serves several panels that differ in that */
};

/* The fields of a panel's row for its options and the state that they fill, from TV_INTO. */
#define TV_PANEL_OPTIONS(array, structure) TV_OPTIONS(array), .state = sizeof(structure)

/* What every panel takes besides its own options: height, and place (free panels only). */
extern const struct tv_option_spec tv_panel_height, tv_panel_place;

/* The value of a panel's option in this figure, or the default, or NULL; "" for a flag. Here and below, a
 * name that the panel does not declare ends the program (tv_bug). */
const char *tv_panel_option(const struct tv_figure *figure, const struct tv_panel *panel,
			    const char *name);
/* Checks all options of a panel that are given and fills the state; the driver does so before prepare. */
int tv_panel_read(const struct tv_figure *figure, struct tv_slot *slot,
		  struct tv_error *err) TV_MUST_CHECK;

/*
 * The result of a pass with options, given as name, value, ..., NULL (or NULL = all defaults).
 * 0; TV_NOTHING with a warning that the panel is left out and why, if the pass cannot be computed
 * for this trace; -1 with *err.
 */
int tv_panel_pass(struct tv_figure *figure, const struct tv_panel *panel, const char *pass,
		  const char *const *option, const struct tv_table **result,
		  struct tv_error *err) TV_MUST_CHECK;
/* The same for a part of a panel: the warning is that `what` is left out. */
int tv_panel_pass_for(struct tv_figure *figure, const char *what, const char *pass,
		      const char *const *option, const struct tv_table **result,
		      struct tv_error *err) TV_MUST_CHECK;
/* As tv_panel_pass, of a pass with a curve. */
int tv_panel_curve(struct tv_figure *figure, const struct tv_panel *panel, const char *pass,
		   const char *const *option, const struct tv_packed **result,
		   struct tv_error *err) TV_MUST_CHECK;
/* Such options (NULL: none) for these: writes them as name, value, ... behind the n texts before, and a NULL; returns how many
 * there are then. text: room for 2 TV_PASS_OPTIONS_MAX + 1. */
size_t tv_panel_pass_options(const struct tv_figure *figure, const struct tv_panel *panel,
			     const struct tv_pass_option *option, const char **text, size_t n);
/* Remarks that the panel is left out because of `why`: TV_NOTHING, or -1 with *err. */
int tv_panel_nothing(struct tv_figure *figure, const struct tv_panel *panel,
		     const char *why) TV_MUST_CHECK;

/* The width for which a panel is measured, in points: below the others it has the whole one, also if
 * there are panels at their right. */
double tv_slot_width(const struct tv_figure *figure, const struct tv_slot *slot);

#endif
