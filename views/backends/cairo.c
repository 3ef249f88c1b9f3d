/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cairo.c -- PDF and PNG. */
#include <cairo-pdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/backends/backend.h"
#include "views/backends/base64.h"
#include "views/backends/pdf.h"
#include "views/backends/png.h"
#include "views/scene/palette.h"

enum {
	BATCH = 256
}; /* rectangles of one color filled at once: less to write, no seams between them */

static void set_color(cairo_t *cr, uint32_t color)
{
	cairo_set_source_rgb(cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
			     (color & 0xff) / 255.0);
}

static void set_line(cairo_t *cr, const struct tv_shape *shape)
{
	const double *dash = tv_dashes[shape->dash];
	int n = 0;

	while (dash[n] > 0)
		n++;
	cairo_set_dash(cr, dash, n, 0);
	cairo_set_line_width(cr, fmax((double)shape->width, TV_LINE_MIN));
}

/* Fills, then strokes, what the shape asks for; the path is used up. */
static void paint(cairo_t *cr, const struct tv_shape *shape)
{
	if (shape->fill != TV_NO_COLOR) {
		set_color(cr, shape->fill);
		cairo_fill_preserve(cr);
	}
	if (shape->stroke != TV_NO_COLOR) {
		set_color(cr, shape->stroke);
		set_line(cr, shape);
		cairo_stroke_preserve(cr);
	}
	cairo_new_path(cr);
}

static void add_path(cairo_t *cr, const struct tv_scene *scene, const struct tv_shape *shape)
{
	const struct tv_frame *frame = &scene->frame[shape->frame];
	double box[4];

	if (shape->kind == TV_SHAPE_RECT) {
		tv_shape_box(scene, shape, box);
		cairo_rectangle(cr, box[0], box[1], box[2] - box[0], box[3] - box[1]);
		return;
	}
	for (uint32_t i = 0; i < shape->n; i++) {
		struct tv_point p = scene->point[shape->first + i];

		cairo_line_to(cr, tv_frame_x(frame, p.x), tv_frame_y(frame, p.y));
	}
	if (shape->kind == TV_SHAPE_POLYGON)
		cairo_close_path(cr);
}

static void draw_image(cairo_t *cr, const struct tv_scene *scene, const struct tv_shape *shape)
{
	const struct tv_image *image = &scene->image[shape->first];
	cairo_surface_t *pixels;
	double box[4];

	tv_shape_box(scene, shape, box);
	pixels = cairo_image_surface_create_for_data((unsigned char *)image->pixel,
						     CAIRO_FORMAT_RGB24, (int)image->width,
						     (int)image->height, (int)image->width * 4);
	cairo_save(cr);
	cairo_translate(cr, box[0], box[1]);
	cairo_scale(cr, (box[2] - box[0]) / image->width, (box[3] - box[1]) / image->height);
	cairo_set_source_surface(cr, pixels, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
	cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
	cairo_rectangle(cr, 0, 0, image->width, image->height);
	cairo_fill(cr);
	cairo_restore(cr);
	cairo_surface_destroy(pixels);
}

static void draw_text(cairo_t *cr, const struct tv_scene *scene, const struct tv_shape *shape)
{
	double size = (double)shape->width;

	set_color(cr, shape->fill);
	tv_text_draw(scene->text, cr, tv_pool_text(scene->strings, shape->first), size, shape->bold,
		     shape->x0, shape->y1 - size * TV_TEXT_DESCENT);
	cairo_new_path(cr);
}

static bool same_style(const struct tv_shape *a, const struct tv_shape *b)
{
	return b->kind == TV_SHAPE_RECT && a->frame == b->frame && a->fill == b->fill
	    && a->apart == b->apart && a->stroke == TV_NO_COLOR && b->stroke == TV_NO_COLOR;
}

/* Cairo clips everything, without a status, where it has no memory for the clip. */
static void clip_to(cairo_t *cr, const struct tv_frame *frame, bool page)
{
	double page_box[4], box[4];

	cairo_reset_clip(cr);
	if (page)
		return;
	cairo_clip_extents(cr, &page_box[0], &page_box[1], &page_box[2], &page_box[3]);
	cairo_rectangle(cr, frame->x, frame->y, frame->width, frame->height);
	cairo_clip(cr);
	cairo_clip_extents(cr, &box[0], &box[1], &box[2], &box[3]);
	if (box[2] <= box[0]
	    && fmin(frame->x + frame->width, page_box[2]) - fmax(frame->x, page_box[0]) > 1
	    && fmin(frame->y + frame->height, page_box[3]) - fmax(frame->y, page_box[1]) > 1)
		tv_memory_exhausted(0);
}

/*
 * Shapes that do not overlap are added up: painted over each other, two that each cover half of a
 * pixel would leave a quarter of what is behind them, at every boundary between two tasks.
 */
static void add_up(cairo_t *cr, bool start)
{
	if (start) {
		cairo_push_group(cr);
		cairo_set_operator(cr, CAIRO_OPERATOR_ADD);
	} else {
		cairo_pop_group_to_source(cr);
		cairo_paint(cr);
	}
}

/* pixels: the surface is made of them; else it keeps the shapes for others to draw. */
static void draw_shapes(cairo_t *cr, const struct tv_scene *scene, bool pixels)
{
	unsigned clipped = TV_PAGE;
	bool adding = false;

	for (size_t i = 0, last; i < scene->n; i = last + 1) {
		const struct tv_shape *shape = &scene->shape[i];
		bool add = pixels && shape->apart;

		last = i;
		if (adding && (!add || shape->frame != clipped)) {
			add_up(cr, false);
			adding = false;
		}
		if (shape->frame != clipped)
			clip_to(cr, &scene->frame[shape->frame], shape->frame == TV_PAGE);
		clipped = shape->frame;
		if (add && !adding)
			add_up(cr, true);
		adding = add;
		if (shape->kind == TV_SHAPE_TEXT) {
			draw_text(cr, scene, shape);
		} else if (shape->kind == TV_SHAPE_IMAGE) {
			draw_image(cr, scene, shape);
		} else {
			add_path(cr, scene, shape);
			while (shape->kind == TV_SHAPE_RECT && last + 1 < scene->n
			       && last + 1 - i < BATCH
			       && same_style(shape, &scene->shape[last + 1]))
				add_path(cr, scene, &scene->shape[++last]);
			paint(cr, shape);
		}
	}
	if (adding)
		add_up(cr, false);
}

/* A file in memory. */
struct bytes {
	char *byte;
	size_t n, cap;
};

static cairo_status_t write_bytes(void *to, const unsigned char *bytes, unsigned n)
{
	struct bytes *all = to;

	TV_GROW(all->byte, all->n, all->cap, n);
	memcpy(all->byte + all->n, bytes, n);
	all->n += n;
	return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t write_png_bytes(void *png, const unsigned char *bytes, unsigned n)
{
	tv_png_write(png, bytes, n);
	return CAIRO_STATUS_SUCCESS;
}

static int check(cairo_status_t status, struct tv_error *err)
{
	if (status == CAIRO_STATUS_SUCCESS)
		return 0;
	if (status == CAIRO_STATUS_NO_MEMORY)
		tv_memory_exhausted(0);
	return tv_fail(err, "cannot draw: %s", cairo_status_to_string(status));
}

/* Without --date the file has none: the same run gives the same bytes. */
static void set_metadata(cairo_surface_t *surface, const struct tv_metadata *about)
{
	char text[TV_METADATA_MAX], date[40] = "";
	time_t seconds = (time_t)about->date;
	struct tm tm;

	cairo_pdf_surface_set_metadata(
		surface, CAIRO_PDF_METADATA_TITLE,
		tv_clean_text(text, 256, about->title != NULL ? about->title : "trace"));
	if (about->creator != NULL)
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, about->creator);
	if (about->command != NULL)
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT,
					       tv_clean_text(text, sizeof text, about->command));
	if (about->date != 0 && gmtime_r(&seconds, &tm) != NULL)
		strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
}

/*
 * Cairo keeps each page until it is shown and does not count that: 1.2 KB for a rectangle (10^6 of them, peak
 * of the process with Cairo 1.16), a point twice, an image once more.
 */
static int check_pages(const struct tv_scene *scene, unsigned n, struct tv_error *err)
{
	enum { SHAPE = 1200, POINT = 2 * sizeof(struct tv_point) };
	size_t used = tv_memory_used(), max = tv_memory_max(), largest = 0, shapes = 0;

	for (unsigned page = 0; page < n; page++) {
		const struct tv_scene *s = &scene[page];
		size_t want = s->n * SHAPE + s->npoints * POINT;

		for (size_t i = 0; i < s->nimages; i++)
			want += 4 * (size_t)s->image[i].width * s->image[i].height;
		if (want > largest) {
			largest = want;
			shapes = s->n;
		}
	}
	return used <= max && largest <= max - used
		     ? 0
		     : tv_fail(
			     err,
			     "a page of %zu shapes needs about %zu MB of memory besides %zu MB in "
			     "use, the limit is %zu MB: write PNG, choose fewer panels or a "
			     "part of the time (--panels, --begin, --end), or see --max-memory",
			     shapes, largest / 1000000, used / 1000000, max / 1000000);
}

int tv_write_pdf(const struct tv_scene *scene, unsigned n, const struct tv_metadata *about,
		 struct tv_output *out, struct tv_error *err)
{
	struct bytes all = { 0 };
	cairo_surface_t *surface;
	cairo_status_t status;
	cairo_t *cr;
	int rc;

	if (check_pages(scene, n, err) < 0)
		return -1;
	surface = cairo_pdf_surface_create_for_stream(
		write_bytes, &all, scene->width * scene->scale, scene->height * scene->scale);
	cr = cairo_create(surface);
	cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_5);
	set_metadata(surface, about);
	cairo_scale(cr, scene->scale, scene->scale);
	for (unsigned page = 0; page < n; page++) {
		cairo_pdf_surface_set_size(surface, scene[page].width * scene->scale,
					   scene[page].height * scene->scale);
		draw_shapes(cr, &scene[page], false);
		cairo_show_page(cr);
	}
	status = cairo_status(cr);
	cairo_destroy(cr);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	rc = check(status, err);
	if (rc == 0 && !tv_pdf_is_whole(all.byte, all.n))
		rc = tv_fail(err, "cannot draw: Cairo left the PDF "
				  "incomplete, which it does when memory is exhausted");
	if (rc == 0)
		tv_output_write(out, all.byte, all.n);
	tv_free(all.byte);
	return rc;
}

/* Cairo's images are not counted as memory in use: the page, and the largest group on it. */
static int check_image(const struct tv_scene *scene, int width, int height, struct tv_error *err)
{
	size_t used = tv_memory_used(), max = tv_memory_max(), want;
	double group = 0;

	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_frame *frame = &scene->frame[scene->shape[i].frame];

		if (scene->shape[i].apart)
			group = fmax(group, frame->width * frame->height);
	}
	want = 4 * ((size_t)width * (size_t)height + (size_t)(group / (scene->cell * scene->cell)));
	return used <= max && want <= max - used
		     ? 0
		     : tv_fail(err,
			       "%d x %d pixels need %zu MB of memory besides %zu "
			       "MB in use, the limit is %zu MB: lower --dpi, or see --max-memory",
			       width, height, want / 1000000, used / 1000000, max / 1000000);
}

/* Draws the page and hands its PNG to `write`. */
static int draw_png(const struct tv_scene *scene, cairo_write_func_t write, void *to,
		    struct tv_error *err)
{
	int width = (int)floor(scene->width / scene->cell + 0.5),
	    height = (int)floor(scene->height / scene->cell + 0.5);
	cairo_surface_t *surface;
	cairo_status_t status;
	cairo_t *cr;

	if (check_image(scene, width, height, err) < 0)
		return -1;
	surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	cr = cairo_create(surface);
	set_color(cr, TV_WHITE);
	cairo_paint(cr);
	cairo_scale(cr, 1 / scene->cell, 1 / scene->cell);
	draw_shapes(cr, scene, true);
	status = cairo_status(cr);
	cairo_destroy(cr);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_write_to_png_stream(surface, write, to);
	cairo_surface_destroy(surface);
	return check(status, err);
}

static cairo_status_t write_base64(void *to, const unsigned char *bytes, unsigned n)
{
	tv_base64_write(to, bytes, n);
	return CAIRO_STATUS_SUCCESS;
}

int tv_write_png_base64(const struct tv_scene *scene, struct tv_output *out, struct tv_error *err)
{
	struct tv_base64 text = { .out = out };
	int rc = draw_png(scene, write_base64, &text, err);

	tv_base64_end(&text);
	return rc;
}

int tv_write_png(const struct tv_scene *scene, const struct tv_metadata *about,
		 struct tv_output *out, struct tv_error *err)
{
	static const char end[] = "\0\0\0\0IEND\xae\x42\x60\x82";
	struct tv_png png = { .out = out,
			      .about = about,
			      .dpi = 72 / (scene->cell * scene->scale) };

	if (draw_png(scene, write_png_bytes, &png, err) < 0)
		return -1;
	return tv_output_ends(out, end, sizeof end - 1)
		     ? 0
		     : tv_fail(err, "cannot draw: the PNG has no end");
}
