/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h -- what the panels of one run share: options, results, rows, the time axis. */
#ifndef TV_SHARED_FIGURE_H
#define TV_SHARED_FIGURE_H

#include "analysis/core/spans.h"
#include "trace/error.h"
#include "views/scene/scale.h"
#include "views/scene/scene.h"
#include "views/shared/options.h"
#include "views/shared/printed.h"

struct tv_rows;
struct tv_annotations;
struct tv_node_note;

enum { TV_MARGIN = 3 };	   /* points, around the figure */
#define TV_LINE_HEIGHT 9.6 /* points, of a line of header or legend */

/* The time axis that all timed panels share; times in ns, places in points, whole cells apart. */
struct tv_axis {
	int64_t begin, end; /* of the scale */
	int64_t setup; /* earliest start before it, shown in the stub; begin if there is none */
	int64_t calls_begin, calls_end; /* of MPI calls of class other beyond it; equal: none are */
	int64_t base; /* what the labels count from: 0, or where the scale begins far from 0 */
	const struct tv_unit *unit;
	const char *origin;	   /* what labels count from, in words; NULL: see base */
	bool after_init;	   /* it begins with the end of MPI_Init */
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
	struct tv_node_note *note;    /* of a facet that is a node; NULL: nothing is known */
	bool bare;		      /* names and values are at the left of another facet */
	struct tv_rows *rows;	      /* views/rows/rows.h */
	bool states;		      /* the trace has no tasks: rows show states */
	struct tv_axis axis;
	const struct tv_unit *unit; /* of the makespan and the bounds */
	/* Results of passes, NULL where they cannot be computed for this run or window. */
	const struct tv_table *bounds, *idleness, *outliers;
	const struct tv_table *weighted; /* bounds by options->weights; NULL = none */
	bool same_weighted;		 /* they are those of all facets */
	int64_t *repeat_shift; /* per repeat of the facet: ns to add to its times; NULL = none */
	double crowd, crowd_cells;    /* items shown in images, and the cells of these */
	int64_t gap_min;	      /* ns, from that on idle gaps are marked; 0 = none are */
	struct tv_annotations *notes; /* views/annotate/annotations.h */
	struct tv_printed_numbers *numbers; /* what titles and keys of panels print */
	struct tv_span *span;		    /* behind curves, set with the annotations */
	size_t nspans;
	struct tv_place chart;	/* where the panel spacetime has the rows; width 0 before */
	double axis_y;		/* where the axis has been drawn; 0 as long as it has not */
	struct tv_error failed; /* what went wrong while it was laid out; status 0 = nothing */
};

/* Which facet it is, from 0; 0 without facets. */
static inline unsigned tv_figure_number(const struct tv_figure *figure)
{
	return figure->facet == NULL ? 0 : (unsigned)(figure->facet - figure->options->facet);
}
/* Of an exact scene: what follows is that part of the page, and no panel. timed: it belongs to the
 * time axis. */
void tv_figure_part(const struct tv_figure *figure, const char *name, bool timed);
/* A frame over the axis (stub: over its stub) at a place, that many rows high. */
unsigned tv_figure_frame(struct tv_figure *figure, const char *name, const struct tv_place *place,
			 double rows, bool stub);
/* The x coordinate of a time. */
double tv_axis_at(const struct tv_axis *axis, int64_t time);

/* Ticks, their labels and the title, under a frame that ends at y. */
double tv_axis_draw(struct tv_figure *figure, double y);

#define TV_AXIS_HEIGHT 20.0 /* what tv_axis_draw needs */

/* Decides what times the axis shows; rows show items from begin to end (ns). -1 with *err: too far
 * apart, or an empty window. */
int tv_axis_span(struct tv_figure *figure, int64_t begin, int64_t end,
		 struct tv_error *err) TV_MUST_CHECK;
/* Its place on the page between two margins; its width may be negative. */
void tv_axis_place(struct tv_figure *figure, double left, double right);
/* The same figure, with other times on an axis at the same place. */
void tv_figure_zoom(const struct tv_figure *figure, int64_t begin, int64_t end,
		    struct tv_figure *part);
/* Width of the label of the setup stub, left of t = 0. */
double tv_axis_left(const struct tv_figure *figure);

#endif
