/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scene.h -- what a figure shows, independent of how it is written.
 *
 * A scene is a page with frames on it. A frame is a rectangle of the page with a time axis (ns) and
 * a row axis (in rows, downwards); shapes belong to a frame and are clipped by it. Frame 0 is the
 * page itself, in points. Text and its box are always in page coordinates. Every back end draws the
 * same scene in the order of its shapes; hover texts, ids in SVG and tests come from it.
 *
 * An exact scene is for a back end that draws at any zoom. Its charts keep every item of their rows
 * where others have images of shares, with the row of its table; its parts name what belongs
 * together; and a text in another frame than the page is to be drawn where it fits into its box.
 *
 * Adding returns no error: a scene with too many frames or points stays failed, and tv_scene_check
 * reports it.
 */
#ifndef TV_SCENE_H
#define TV_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/error.h"
#include "trace/pool.h"
#include "views/scene/text.h"

#define TV_NO_COLOR UINT32_MAX /* neither filled nor stroked; else 0xRRGGBB */
#define TV_PAGE	    0	       /* the frame that is the page */

enum tv_shape_kind {
	TV_SHAPE_RECT,
	TV_SHAPE_POLYLINE,
	TV_SHAPE_POLYGON,
	TV_SHAPE_TEXT,
	TV_SHAPE_IMAGE,
	TV_SHAPE_CHART /* of exact scenes alone */
};
enum tv_dash { TV_SOLID, TV_DASHED, TV_DOTTED, TV_DASHDOT, TV_NDASHES };
enum tv_align { TV_LEFT, TV_CENTER, TV_RIGHT };

/* On and off lengths in points, ended by 0; empty for TV_SOLID. */
extern const double tv_dashes[TV_NDASHES][5];

struct tv_frame {
	const char *name;	    /* static text */
	double x, y, width, height; /* on the page, points */
	int64_t begin;		    /* time at the left edge */
	double duration, rows;	    /* time and rows that the frame shows */
	double high, low;	    /* of curves: values at its top and bottom; else both 0 */
	size_t part;		    /* of an exact scene: set when it is added */
};

/* What a shape on the page belongs to in the frame at whose side or over which it is, so that it
 * stays there when an exact scene is zoomed: nothing, an instant, a row, or both. */
enum tv_anchor { TV_FIXED, TV_AT_TIME, TV_AT_ROW, TV_AT_BOTH };

/* Style and meaning of the next shapes; set its fields, then add shapes. */
struct tv_pen {
	uint32_t fill, stroke;
	double width; /* of lines, points; at least TV_LINE_MIN */
	enum tv_dash dash;
	uint32_t class, group, label; /* of the scene's strings; label: hover text, 0 = none */
	uint32_t row;		      /* row of the table that it shows, or TV_NONE */
	enum tv_anchor anchor;	      /* of what is in frame 0: what it moves with */
	bool apart; /* rectangles that do not overlap: what they cover of a pixel adds up */
};

#define TV_LINE_MIN 0.4

struct tv_shape {
	uint8_t kind, dash, align, anchor;
	bool bold, apart;
	uint16_t frame;
	float width; /* line width, or size of text, points */
	uint32_t fill, stroke;
	uint32_t class, group, label, row;
	double x0, y0, x1,
		y1; /* rect, image, text: corners of the box; x in ns after frame.begin */
	uint32_t first,
		n; /* points of lines; text: first = the string; image, chart: first = index */
};

struct tv_point {
	double x, y;
};

/* Pixels 0xRRGGBB, row by row from the top. */
struct tv_image {
	uint32_t width, height;
	uint32_t *pixel;
};

/* An item of a chart. */
struct tv_chart_item {
	int64_t begin, end;  /* ns */
	uint32_t row;	     /* of the table */
	uint32_t label;	     /* hover text; 0 = none: the table has it all */
	float top, bottom;   /* of the height of its row, 0..1 */
	float absent;	     /* part of its time that is not its own, 0..1 */
	uint8_t type, under; /* of the chart's types; under: which it covers, or 255 */
	bool outlier;
};

/* A row of a chart: items [first, first + n), by begin; they share its height as `lanes`. */
struct tv_chart_row {
	uint32_t name, rtype, node; /* of the scene's strings; 0 = none */
	uint32_t lanes, n;
	size_t first;
	double y0, y1, bottom; /* rows of the frame: of its items, and of its share */
};

struct tv_chart_type {
	uint32_t name, class; /* of the scene's strings */
	uint32_t color, faded;
	uint32_t blind; /* instead of color, for color-blind readers */
};

/* Rows with all their items. */
struct tv_chart {
	unsigned frame;
	bool tasks;  /* items are rows of the tasks table, with its times */
	bool nested; /* items are drawn in their order, inner ones over outer ones */
	bool mixed;  /* shares at every zoom, no single items */
	size_t row, nrows, type, ntypes;
};

/* What belongs together on the page: a panel, the header, an axis. */
struct tv_page_part {
	const char *name, *title;   /* static text */
	unsigned facet;		    /* TV_NONE: about all of them */
	bool timed;		    /* over the time axis of its facet */
	double x, y, width, height; /* on the page, margins included; height 0: of its shapes */
	size_t first;		    /* its shapes begin there */
};

struct tv_scene {
	double width, height; /* of the page, points */
	double cell;	      /* smallest length that the medium can show, points */
	double line;	      /* min height of a pixel of images of rows; cell: the medium's */
	double scale;	      /* points of the medium per point of the page */
	bool labels;	      /* hover texts are wanted */
	bool exact;	      /* nothing is aggregated */
	struct tv_text *text; /* borrowed: measures */
	struct tv_pool *strings;
	struct tv_pen pen;
	struct tv_frame *frame;
	size_t nframes, frames_cap;
	struct tv_shape *shape;
	size_t n, cap;
	struct tv_point *point;
	size_t npoints, points_cap;
	struct tv_image *image;
	size_t nimages, images_cap;
	/* Of an exact scene. */
	struct tv_page_part *part;
	struct tv_chart *chart;
	struct tv_chart_row *row;
	struct tv_chart_type *type;
	struct tv_chart_item *item;
	size_t nparts, parts_cap, ncharts, charts_cap, nrows, rows_cap, ntypes, types_cap;
	size_t nitems, items_cap;
	bool failed; /* too many frames or points */
};

/* width in points; the height is set when it is known. text is borrowed. */
int tv_scene_init(struct tv_scene *scene, struct tv_text *text, double width, double cell,
		  struct tv_error *err) TV_MUST_CHECK;
void tv_scene_release(struct tv_scene *scene);
/* 0, or -1 with *err if anything could not be added. */
int tv_scene_check(const struct tv_scene *scene, struct tv_error *err) TV_MUST_CHECK;

/* The number of a class, group or label; 0 for "". */
uint32_t tv_scene_string(struct tv_scene *scene, const char *text);
/* A new pen: no colors, thinnest solid line, that class and group, no label, no row. */
void tv_scene_pen(struct tv_scene *scene, const char *class, const char *group);
unsigned tv_scene_frame(struct tv_scene *scene, const struct tv_frame *frame);

/* x: points on the page, else ns after the frame's begin (tv_frame_time); y: points or rows. */
void tv_scene_rect(struct tv_scene *scene, unsigned frame, double x0, double y0, double x1,
		   double y1);
void tv_scene_line(struct tv_scene *scene, unsigned frame, double x0, double y0, double x1,
		   double y1);
void tv_scene_path(struct tv_scene *scene, unsigned frame, enum tv_shape_kind kind,
		   const struct tv_point *point, size_t n);
/* Takes the pixels (from tv_alloc), also on failure. A box without width or height gets none. */
void tv_scene_image(struct tv_scene *scene, unsigned frame, double x0, double y0, double x1,
		    double y1, struct tv_image image);
/* A line of text, in pen.fill; x is where it is aligned, y the middle of its capitals. Returns its
 * width. */
double tv_scene_text(struct tv_scene *scene, double x, double y, enum tv_align align, double size,
		     bool bold, const char *text);

/* Exact scenes: begins a part, to which all belongs that is added until the next one; no effect in
 * others. */
void tv_scene_part(struct tv_scene *scene, const struct tv_page_part *part);
/* Exact scenes: a chart without rows and types, which are appended to it by the next two. */
struct tv_chart *tv_scene_chart(struct tv_scene *scene, unsigned frame);
struct tv_chart_row *tv_scene_chart_row(struct tv_scene *scene);
struct tv_chart_type *tv_scene_chart_type(struct tv_scene *scene);
/* n more items of the row that was added last, to be filled in. */
struct tv_chart_item *tv_scene_chart_items(struct tv_scene *scene, size_t n);
/* Exact scenes: a text in pen.fill that is drawn where it fits into a box of a frame. */
void tv_scene_label(struct tv_scene *scene, unsigned frame, double x0, double y0, double x1,
		    double y1, double size, const char *text);

static inline double tv_frame_time(const struct tv_frame *frame, int64_t ns)
{
	int64_t after;

	return __builtin_sub_overflow(ns, frame->begin, &after) ? (double)ns - (double)frame->begin
								: (double)after;
}
static inline double tv_frame_x(const struct tv_frame *frame, double x)
{
	return frame->x + x / frame->duration * frame->width;
}
static inline double tv_frame_y(const struct tv_frame *frame, double y)
{
	return frame->y + y / frame->rows * frame->height;
}
/* The box of a shape on the page, in points; of lines, of their points. */
void tv_shape_box(const struct tv_scene *scene, const struct tv_shape *shape, double box[4]);

#endif
