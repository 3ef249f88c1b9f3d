/* SPDX-License-Identifier: GPL-3.0-or-later */
/* svg.c -- SVG with real text, one group with an id per task type, a title per task. */
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/backends/backend.h"
#include "views/backends/base64.h"
#include "views/backends/escape.h"
#include "views/backends/font_face.h"

struct svg {
	const struct tv_scene *scene;
	struct tv_output *out;
	uint8_t *used;	/* per string: it has been an id */
	uint32_t group; /* open group; 0 = none */
	unsigned frame; /* whose clip is in force */
};

/* A number with at most three decimals: 1/1000 point is a tenth of a cell's hundredth. */
static void write_number(struct tv_output *out, const char *name, double value)
{
	char text[64];
	size_t n;

	snprintf(text, sizeof text, "%.3f", value);
	n = strlen(text);
	while (n > 0 && text[n - 1] == '0')
		text[--n] = '\0';
	if (n > 0 && text[n - 1] == '.')
		text[--n] = '\0';
	tv_output_format(out, " %s=\"%s\"", name, strcmp(text, "-0") == 0 ? "0" : text);
}

static void write_color(struct tv_output *out, const char *name, uint32_t color)
{
	if (color == TV_NO_COLOR)
		tv_output_format(out, " %s=\"none\"", name);
	else
		tv_output_format(out, " %s=\"#%06x\"", name, (unsigned)color);
}

/* A name as an id: letters, digits, '-', '_' and '.' stay, everything else is written as -hex. */
static void write_id(struct tv_output *out, const char *name)
{
	for (; *name != '\0'; name++) {
		unsigned char c = (unsigned char)*name;
		bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
			  || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';

		if (plain)
			tv_output_write(out, name, 1);
		else
			tv_output_format(out, "-%02x", c);
	}
}

static void close_group(struct svg *svg)
{
	if (svg->group != 0)
		tv_output_text(svg->out, "</g>\n");
	svg->group = 0;
}

/* Opens the shape's group and clip, unless they are open; the first of a name has it as its id. */
static void enter(struct svg *svg, const struct tv_shape *shape)
{
	const char *name = tv_pool_text(svg->scene->strings, shape->group);

	if (shape->group == svg->group && shape->frame == svg->frame)
		return;
	close_group(svg);
	if (shape->frame != svg->frame) {
		if (svg->frame != TV_PAGE)
			tv_output_text(svg->out, "</g>\n");
		if (shape->frame != TV_PAGE)
			tv_output_format(svg->out, "<g clip-path=\"url(#clip%u)\">\n",
					 shape->frame);
		svg->frame = shape->frame;
	}
	if (shape->group == 0)
		return;
	tv_output_text(svg->out, "<g");
	if (!svg->used[shape->group]) {
		tv_output_text(svg->out, " id=\"");
		write_id(svg->out, name);
		tv_output_text(svg->out, "\"");
		svg->used[shape->group] = 1;
	}
	tv_output_text(svg->out, " class=\"");
	write_id(svg->out, name);
	tv_output_text(svg->out, "\">\n");
	svg->group = shape->group;
}

static void write_class(struct svg *svg, const struct tv_shape *shape)
{
	if (shape->class == 0)
		return;
	tv_output_text(svg->out, " class=\"");
	tv_write_escaped(svg->out, tv_pool_text(svg->scene->strings, shape->class));
	tv_output_text(svg->out, "\"");
}

static void write_style(struct svg *svg, const struct tv_shape *shape)
{
	const double *dash = tv_dashes[shape->dash];

	write_color(svg->out, "fill", shape->fill);
	if (shape->stroke == TV_NO_COLOR)
		return;
	write_color(svg->out, "stroke", shape->stroke);
	write_number(svg->out, "stroke-width", fmax((double)shape->width, TV_LINE_MIN));
	for (int i = 0; dash[i] > 0; i++)
		tv_output_format(svg->out, "%s%g", i == 0 ? " stroke-dasharray=\"" : " ", dash[i]);
	if (dash[0] > 0)
		tv_output_text(svg->out, "\"");
}

static void write_end(struct svg *svg, const struct tv_shape *shape, const char *element)
{
	if (shape->label == 0) {
		tv_output_text(svg->out, "/>\n");
		return;
	}
	tv_output_text(svg->out, "><title>");
	tv_write_escaped(svg->out, tv_pool_text(svg->scene->strings, shape->label));
	tv_output_format(svg->out, "</title></%s>\n", element);
}

static void write_box(struct svg *svg, const struct tv_shape *shape)
{
	double box[4];

	tv_shape_box(svg->scene, shape, box);
	write_number(svg->out, "x", box[0]);
	write_number(svg->out, "y", box[1]);
	write_number(svg->out, "width", fmax(box[2] - box[0], 0));
	write_number(svg->out, "height", fmax(box[3] - box[1], 0));
}

static void write_path(struct svg *svg, const struct tv_shape *shape)
{
	const struct tv_frame *frame = &svg->scene->frame[shape->frame];
	const char *element = shape->kind == TV_SHAPE_POLYGON ? "polygon" : "polyline";

	tv_output_format(svg->out, "<%s", element);
	write_class(svg, shape);
	tv_output_text(svg->out, " points=\"");
	for (uint32_t i = 0; i < shape->n; i++) {
		struct tv_point p = svg->scene->point[shape->first + i];

		tv_output_format(svg->out, "%s%.3f,%.3f", i > 0 ? " " : "", tv_frame_x(frame, p.x),
				 tv_frame_y(frame, p.y));
	}
	tv_output_text(svg->out, "\"");
	write_style(svg, shape);
	write_end(svg, shape, element);
}

/* textLength keeps the width that was measured when the reader's font is another one. */
static void write_text(struct svg *svg, const struct tv_shape *shape)
{
	double size = (double)shape->width;
	static const char *const anchor[] = { "start", "middle", "end" };
	double x = shape->align == TV_LEFT  ? shape->x0
		 : shape->align == TV_RIGHT ? shape->x1
					    : (shape->x0 + shape->x1) / 2;

	tv_output_text(svg->out, "<text");
	write_class(svg, shape);
	write_number(svg->out, "x", x);
	write_number(svg->out, "y", shape->y1 - size * TV_TEXT_DESCENT);
	write_number(svg->out, "font-size", size);
	if (shape->align != TV_LEFT)
		tv_output_format(svg->out, " text-anchor=\"%s\"", anchor[shape->align]);
	if (shape->bold)
		tv_output_text(svg->out, " font-weight=\"bold\"");
	write_color(svg->out, "fill", shape->fill);
	write_number(svg->out, "textLength", shape->x1 - shape->x0);
	tv_output_text(svg->out, " lengthAdjust=\"spacingAndGlyphs\"");
	tv_output_text(svg->out, " xml:space=\"preserve\">");
	tv_write_escaped(svg->out, tv_pool_text(svg->scene->strings, shape->first));
	tv_output_text(svg->out, "</text>\n");
}

static cairo_status_t write_base64(void *to, const unsigned char *bytes, unsigned n)
{
	tv_base64_write(to, bytes, n);
	return CAIRO_STATUS_SUCCESS;
}

static int write_image(struct svg *svg, const struct tv_shape *shape, struct tv_error *err)
{
	const struct tv_image *image = &svg->scene->image[shape->first];
	cairo_surface_t *pixels = cairo_image_surface_create_for_data(
		(unsigned char *)image->pixel, CAIRO_FORMAT_RGB24, (int)image->width,
		(int)image->height, (int)image->width * 4);
	struct tv_base64 base64 = { .out = svg->out };
	cairo_status_t status;

	tv_output_text(svg->out, "<image");
	write_class(svg, shape);
	write_box(svg, shape);
	tv_output_text(svg->out,
		       " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
		       "xlink:href=\"data:image/png;base64,");
	status = cairo_surface_write_to_png_stream(pixels, write_base64, &base64);
	tv_base64_end(&base64);
	cairo_surface_destroy(pixels);
	tv_output_text(svg->out, "\"");
	write_end(svg, shape, "image");
	return status == CAIRO_STATUS_SUCCESS
		     ? 0
		     : tv_fail(err, "cannot draw: %s", cairo_status_to_string(status));
}

/* What drew it, and when if that was asked for. */
static void write_origin(struct tv_output *out, const struct tv_metadata *about)
{
	char text[TV_METADATA_MAX];
	time_t seconds = (time_t)about->date;
	struct tm tm;

	tv_output_text(out, "<desc>");
	if (about->command != NULL)
		tv_write_escaped(out, tv_clean_text(text, sizeof text, about->command));
	tv_output_text(out, "</desc>\n<metadata>");
	if (about->creator != NULL)
		tv_write_escaped(out, tv_clean_text(text, sizeof text, about->creator));
	if (about->date != 0 && gmtime_r(&seconds, &tm) != NULL
	    && strftime(text, sizeof text, ", %Y-%m-%dT%H:%M:%SZ", &tm) > 0)
		tv_output_text(out, text);
	tv_output_text(out, "</metadata>\n");
}

static int write_start(struct svg *svg, const struct tv_metadata *about, struct tv_error *err)
{
	const struct tv_scene *scene = svg->scene;
	struct tv_output *out = svg->out;
	char label[256];
	int rc;

	tv_output_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
			    "xmlns=\"http://www.w3.org/2000/svg\" "
			    "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\"");
	tv_output_format(out, " width=\"%.3fpt\" height=\"%.3fpt\" viewBox=\"0 0 %.3f %.3f\"",
			 scene->width * scene->scale, scene->height * scene->scale, scene->width,
			 scene->height);
	tv_output_text(out, " font-family=\"'");
	tv_write_escaped(out, tv_text_family(scene->text));
	tv_output_text(out, "', " TV_FONT_FALLBACKS "\" style=\"font-kerning:none\">\n<title>");
	tv_write_escaped(out, tv_clean_text(label, sizeof label,
					    about->title != NULL ? about->title : "trace"));
	tv_output_text(out, "</title>\n");
	write_origin(out, about);
	tv_output_text(out, "<style>\n");
	rc = tv_write_font_faces(scene, false, out, err);
	tv_output_text(out, "</style>\n<rect");
	write_number(out, "width", scene->width);
	write_number(out, "height", scene->height);
	tv_output_text(out, " fill=\"#ffffff\"/>\n<defs>\n");
	for (unsigned i = TV_PAGE + 1; i < scene->nframes; i++) {
		tv_output_format(out, "<clipPath id=\"clip%u\"><rect", i);
		write_number(out, "x", scene->frame[i].x);
		write_number(out, "y", scene->frame[i].y);
		write_number(out, "width", scene->frame[i].width);
		write_number(out, "height", scene->frame[i].height);
		tv_output_text(out, "/></clipPath>\n");
	}
	tv_output_text(out, "</defs>\n");
	return rc;
}

/* b is a rectangle like a and touches it: between them is at most 1/100 point. */
static bool goes_on(const struct tv_scene *scene, const struct tv_shape *a,
		    const struct tv_shape *b)
{
	const struct tv_frame *frame = &scene->frame[a->frame];

	return b->kind == TV_SHAPE_RECT && a->frame == b->frame && a->group == b->group
	    && a->fill == b->fill && a->stroke == TV_NO_COLOR && b->stroke == TV_NO_COLOR
	    && a->y0 == b->y0 && a->y1 == b->y1 && b->x0 >= a->x1
	    && (b->x0 - a->x1) * frame->width <= 0.01 * frame->duration;
}

/*
 * Rectangles of one color side by side get a common one underneath: viewers smooth the edges of
 * each by itself, and white would shine through between them.
 */
static void write_ground(struct svg *svg, size_t first)
{
	const struct tv_shape *shape = svg->scene->shape;
	size_t last = first;

	if (shape[first].kind != TV_SHAPE_RECT
	    || (first > 0 && goes_on(svg->scene, &shape[first - 1], &shape[first])))
		return;
	while (last + 1 < svg->scene->n && goes_on(svg->scene, &shape[last], &shape[last + 1]))
		last++;
	if (last > first) {
		struct tv_shape ground = shape[first];

		ground.x1 = shape[last].x1;
		tv_output_text(svg->out, "<rect class=\"ground\"");
		write_box(svg, &ground);
		write_color(svg->out, "fill", ground.fill);
		tv_output_text(svg->out, "/>\n");
	}
}

static int write_shape(struct svg *svg, const struct tv_shape *shape, struct tv_error *err)
{
	enter(svg, shape);
	write_ground(svg, (size_t)(shape - svg->scene->shape));
	switch ((enum tv_shape_kind)shape->kind) {
	case TV_SHAPE_RECT:
		tv_output_text(svg->out, "<rect");
		write_class(svg, shape);
		write_box(svg, shape);
		write_style(svg, shape);
		write_end(svg, shape, "rect");
		return 0;
	case TV_SHAPE_POLYLINE:
	case TV_SHAPE_POLYGON:
		write_path(svg, shape);
		return 0;
	case TV_SHAPE_TEXT:
		write_text(svg, shape);
		return 0;
	case TV_SHAPE_IMAGE:
		return write_image(svg, shape, err);
	case TV_SHAPE_CHART:
		break;
	}
	return -1;
}

int tv_write_svg(const struct tv_scene *scene, const struct tv_metadata *about,
		 struct tv_output *out, struct tv_error *err)
{
	struct svg svg = { .scene = scene, .out = out };
	int rc;

	svg.used = tv_alloc(tv_pool_count(scene->strings), 1);
	rc = write_start(&svg, about, err);
	for (size_t i = 0; i < scene->n && rc == 0; i++)
		rc = write_shape(&svg, &scene->shape[i], err);
	close_group(&svg);
	if (svg.frame != TV_PAGE)
		tv_output_text(out, "</g>\n");
	tv_output_text(out, "</svg>\n");
	tv_free(svg.used);
	return rc;
}
