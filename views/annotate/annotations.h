/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * annotations.h -- annotations of a figure: marks, spans, highlights, arrows, task
 * labels, zooms.
 *
 * Settings of the figure (those without a panel), each may be repeated:
 *	mark	T=TEXT			a line through all timed panels, its text above them
 *	span	T1..T2=TEXT		a band behind curves, a bracket above the panels
 *	vlines	T,T,...			thin lines without text
 *	highlight EXPR			tasks that are outlined (trace/expr.h)
 *	arrow	JOB:JOB			from the End of one job to the Start of another
 *	task-labels TEXT		text in the rectangles of tasks
 *	zoom	T1..T2[,ROWS]		a window and rows that the panel `zoom` shows once more
 * Times are as for tv_parse_time. Annotations are in one color, which no task type has.
 */
#ifndef TV_ANNOTATIONS_H
#define TV_ANNOTATIONS_H

#include "views/rows/rows.h"
#include "views/shared/figure.h"

#define TV_NOTE 0x1a2f8fu /* lines and text of annotations */

enum {
	TV_FLAGS_MAX = 64,
	TV_HIGHLIGHTS_MAX = 4,
	TV_ARROWS_MAX = 64,
	TV_ZOOMS_MAX = 8,
	TV_LABEL_PARTS = 16,
};

/* A mark (begin = end), a line without text, or a span. */
struct tv_flag {
	int64_t begin, end; /* ns */
	int64_t middle;	    /* of what the axis shows of it */
	bool span, line;
	unsigned level; /* of its bracket: overlapping spans have different ones */
	char text[128]; /* clean; "" = none */
};

struct tv_highlight {
	char text[256]; /* the expression, clean */
	uint8_t *holds; /* per row of tasks */
	double count;	/* tasks drawn for which it holds, counted as in the legend */
};

struct tv_arrow {
	uint32_t from, to; /* rows of tasks */
};

struct tv_zoom {
	int64_t begin, end; /* ns */
	const char *rows;   /* patterns of resources; NULL = all */
	bool outside;	    /* of the times of this run: not shown */
};

/* A part of a task's label: a column, or text (column NULL). */
struct tv_label_part {
	const struct tv_column *column;
	const char *text;
	size_t n;
};

struct tv_annotations {
	struct tv_flag *flag; /* those within the axis, by the middle of what is visible */
	size_t nflags, flags_cap;
	unsigned nlevels;
	struct tv_highlight highlight[TV_HIGHLIGHTS_MAX];
	size_t nhighlights;
	struct tv_arrow arrow[TV_ARROWS_MAX];
	size_t narrows;
	struct tv_zoom zoom[TV_ZOOMS_MAX];
	size_t nzooms;
	struct tv_label_part part[TV_LABEL_PARTS];
	size_t nparts;
	bool indices; /* the parts are 'k,i,j': those that a task lacks are left out */
};

/* Whether the text of an option about annotations, or any other, has the form that it must have for
 * every trace. -1 with *err. */
int tv_annotation_check(const char *key, const char *text, struct tv_error *err) TV_MUST_CHECK;

/*
 * Reads the settings into figure->notes; the figure has its rows and its axis has its times. -1
 * with *err (usage) naming the option. What is outside the axis is left out with a warning. Release
 * it in any case. Cost O(tasks) per highlight and arrow.
 */
int tv_annotations_init(struct tv_figure *figure, struct tv_error *err) TV_MUST_CHECK;
void tv_annotations_release(struct tv_annotations *notes);
/* The strip above the panels that holds the texts of flags: its height, points (0 = none). */
double tv_flags_height(const struct tv_figure *figure);
/* Draws it from y downwards. -1 (usage) if the page is too narrow even for numbers. */
int tv_flags_draw(struct tv_figure *figure, double y, struct tv_error *err) TV_MUST_CHECK;
/* A stretch of the page, from top to bottom, points. */
struct tv_stretch {
	double y0, y1;
	bool clear; /* a line crosses it completely or not at all */
};
/* The lines of flags through these stretches; with gaps at texts. */
void tv_flags_lines(struct tv_figure *figure, const struct tv_stretch *stretch, size_t n);
/* A vertical line with the scene's pen, with gaps at texts. */
void tv_line_around_text(struct tv_scene *scene, double x, double y0, double y1);

/* Outlines, arrows and labels of tasks in a frame with one row per worker (its rows are points). */
void tv_highlights_draw(struct tv_figure *figure, const struct tv_rows *rows, unsigned frame);
void tv_arrows_draw(struct tv_figure *figure, const struct tv_rows *rows, unsigned frame);
void tv_task_labels_draw(struct tv_figure *figure, const struct tv_rows *rows, unsigned frame);
/* How a highlight is outlined. */
uint32_t tv_highlight_color(size_t i);
#define TV_HIGHLIGHT_WIDTH 0.9 /* points */
/* Ends of an arrow on the page (x0, y0, x1, y1); false if one of them has no row there. */
bool tv_arrow_ends(const struct tv_figure *figure, const struct tv_rows *rows, unsigned frame,
		   const struct tv_arrow *arrow, double ends[4]);
/* Reads the setting `task-labels`. */
int tv_task_label_read(struct tv_figure *figure, const char *text,
		       struct tv_error *err) TV_MUST_CHECK;

#endif
