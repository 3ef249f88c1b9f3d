/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scene.h -- what a figure shows, independent of how it is written.
 *
 * A scene is a page with frames on it. A frame is a rectangle of the page with a time axis (ns) and
 * a row axis (in rows, downwards); shapes belong to a frame and are clipped by it. Frame 0 is the
 * page itself, in points. Text and its box are always in page coordinates. Every back end draws the
 * same scene in the order of its shapes; hover texts, ids in SVG and tests come from it.
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
	TV_SHAPE_IMAGE
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
};

/* Style and meaning of the next shapes; set its fields, then add shapes. */
struct tv_pen {
	uint32_t fill, stroke;
	double width; /* of lines, points; at least TV_LINE_MIN */
	enum tv_dash dash;
	uint32_t class, group, label; /* of the scene's strings; label: hover text, 0 = none */
	uint32_t row;		      /* row of the table that it shows, or TV_NONE */
	bool apart; /* rectangles that do not overlap: what they cover of a pixel adds up */
};

#define TV_LINE_MIN 0.4

struct tv_shape {
	uint8_t kind, dash, align;
	bool bold, apart;
	uint16_t frame;
	float width; /* line width, or size of text, points */
	uint32_t fill, stroke;
	uint32_t class, group, label, row;
	double x0, y0, x1,
		y1;	   /* rect, image, text: corners of the box; x in ns after frame.begin */
	uint32_t first, n; /* points of lines; text: first = the string; image: first = index */
};

struct tv_point {
	double x, y;
};

/* Pixels 0xRRGGBB, row by row from the top. */
struct tv_image {
	uint32_t width, height;
	uint32_t *pixel;
};

struct tv_scene {
	double width, height; /* of the page, points */
	double cell;	      /* smallest length that the medium can show, points */
	double line;	      /* min height of a pixel of images of rows; cell: the medium's */
	double scale;	      /* points of the medium per point of the page */
	bool labels;	      /* hover texts are wanted */
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
/* Takes the pixels (from tv_alloc), also on failure. */
void tv_scene_image(struct tv_scene *scene, unsigned frame, double x0, double y0, double x1,
		    double y1, struct tv_image image);
/* A line of text, in pen.fill; x is where it is aligned, y the middle of its capitals. Returns its
 * width. */
double tv_scene_text(struct tv_scene *scene, double x, double y, enum tv_align align, double size,
		     bool bold, const char *text);

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
