/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curves.h -- panels that show curves over time: a title with keys, an axis of values, lines or
 * areas on top of each other. Such a panel only prepares; measure, layout and release are these.
 */
#ifndef TV_VIEW_CURVES_H
#define TV_VIEW_CURVES_H

#include "views/charts/curve_list.h"
#include "views/charts/envelope.h"
#include "views/charts/series.h"
#include "views/shared/panel.h"

enum { TV_CURVES_MAX = 16, TV_CURVE_COLORS = 8 };

/* Of curves that are alike (of nodes, resources): any two differ clearly, also to dichromats (0.14
 * in OKLab). */
extern const uint32_t tv_curve_colors[TV_CURVE_COLORS];

/* What the state of such a panel begins with. */
struct tv_curves_shown {
	struct tv_printed printed;
	char *title;  /* owned; set by prepare */
	bool stacked; /* areas on top of each other, then lines; else lines, the last one on top */
	bool known;   /* areas have the colors of the legend: no keys of their own */
	bool whole;   /* ticks at whole numbers */
	/* A mark where each curve first has its max: a dot, or one with a line down to the axis. */
	enum { TV_NO_PEAKS, TV_PEAK_DOTS, TV_PEAK_LINES } peaks;
	double limit;	  /* --NAME.limit */
	double low, high; /* of the scale at least; high 0 = the largest value shown */
	struct tv_pieces pieces[TV_CURVES_MAX];
	struct tv_key key[TV_CURVES_MAX];
	enum tv_dash dash[TV_CURVES_MAX];
	size_t n;
	struct tv_envelope spread; /* of repeats, behind the first curve; owned */
	uint32_t spread_color;
	const struct tv_table *lack; /* result of that pass, shown behind the curves; or NULL */
	int64_t *time;		     /* owned: pieces that are not in a result of a pass */
	double *value;
	struct {
		int64_t start, end;
		double value;
	} level;
	double found_width, found_high; /* largest value for that width of the axis */
	struct tv_value_scale scale;
};

/* That of the slot, still without curves; its high is the limit. */
struct tv_curves_shown *tv_curves_new(struct tv_slot *slot);
/* Adds a curve; text: its key, "" for none. No more than TV_CURVES_MAX. */
void tv_curves_show(struct tv_curves_shown *shown, struct tv_pieces pieces, enum tv_key_kind kind,
		    uint32_t color, const char *text);
/* Into a member: --NAME.by node. */
#define TV_OPTION_BY_NODE(structure, member) \
	{ \
		"by", "run|node", "run", "one curve for the run, or one for each node", \
			TV_OPTION_CHOICE, TV_INTO(structure, member) \
	}
/* Adds the curve of each group of a result of the form Curve, Group, ...; the keys are the groups
 * and their means. Groups that find no place are reported. */
void tv_curves_groups(struct tv_figure *figure, struct tv_curves_shown *shown,
		      const struct tv_table *table, const char *curve, enum tv_key_kind kind);
/* Adds a dashed line at a value over [begin, end). At most one. */
void tv_curves_level(struct tv_curves_shown *shown, int64_t begin, int64_t end, double value,
		     uint32_t color, const char *text);
/* Shows behind the curves the min and max of this number over the repeats of the facet: steps in
 * their order, without shift. */
void tv_curves_spread(struct tv_figure *figure, struct tv_curves_shown *shown,
		      struct tv_stairs *steps, uint32_t color);
/* The upper end of the scale: --NAME.limit. */
#define TV_OPTION_LIMIT TV_OPTION_LIMIT_OF(struct tv_curves_shown)
#define TV_OPTION_LIMIT_OF(structure) \
	{ \
		"limit", "VALUE", NULL, "upper end of the scale (default: by the data)", \
			TV_OPTION_NUMBER, 1e-12, 1e300, TV_INTO(structure, limit) \
	}

void tv_curves_measure(struct tv_figure *figure, struct tv_slot *slot, double height);
void tv_curves_layout(struct tv_figure *figure, struct tv_slot *slot);
void tv_curves_release_shown(struct tv_slot *slot);
/* Their place in the row of a panel. */
#define TV_CURVES_PANEL \
	.measure = tv_curves_measure, .layout = tv_curves_layout, .release = tv_curves_release_shown

/* The same for panels of several frames, each with its own title: chooses the scale for a height
 * (0 = not known yet), widens the slot's left margin and sets its top one; draws into a place;
 * frees. */
void tv_curves_fit(struct tv_figure *figure, struct tv_slot *slot, struct tv_curves_shown *shown,
		   double height);
void tv_curves_draw(struct tv_figure *figure, const struct tv_curves_shown *shown, const char *name,
		    const struct tv_place *place);
void tv_curves_free_shown(struct tv_curves_shown *shown);

/* A round time (1, 2, 5 times a power of ten ns) so that the axis has about n slices; as text for a
 * pass's --step in `text`. */
int64_t tv_step_for(const struct tv_figure *figure, unsigned n, char *text, size_t size);

#endif
