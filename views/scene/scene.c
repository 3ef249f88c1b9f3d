/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene.c -- frames and shapes in growing arrays, strings once. */
#include "views/scene/scene.h"

#include <string.h>

#include "trace/alloc.h"

const double tv_dashes[TV_NDASHES][5] = {
	[TV_DASHED] = { 4, 1.6 },
	[TV_DOTTED] = { 1.2, 1.2 },
	[TV_DASHDOT] = { 4, 1.2, 1.2, 1.2 },
};

int tv_scene_init(struct tv_scene *scene, struct tv_text *text, double width, double cell,
		  struct tv_error *err)
{
	struct tv_frame page = { "page", 0, 0, width, 1, 0, width, 1 };

	*scene = (struct tv_scene){
		.width = width, .cell = cell, .line = cell, .scale = 1, .text = text
	};
	scene->strings = tv_pool_new();
	tv_scene_pen(scene, "", "");
	tv_scene_frame(scene, &page);
	return tv_scene_check(scene, err);
}

void tv_scene_release(struct tv_scene *scene)
{
	for (size_t i = 0; i < scene->nimages; i++)
		tv_free(scene->image[i].pixel);
	tv_free(scene->image);
	tv_free(scene->point);
	tv_free(scene->shape);
	tv_free(scene->frame);
	tv_free(scene->part);
	tv_free(scene->chart);
	tv_free(scene->row);
	tv_free(scene->type);
	tv_free(scene->item);
	tv_pool_free(scene->strings);
	*scene = (struct tv_scene){ 0 };
}

int tv_scene_check(const struct tv_scene *scene, struct tv_error *err)
{
	return scene->failed ? tv_fail(err, "the figure has too many shapes") : 0;
}

uint32_t tv_scene_string(struct tv_scene *scene, const char *text)
{
	return tv_intern_text(scene->strings, text);
}

void tv_scene_pen(struct tv_scene *scene, const char *class, const char *group)
{
	scene->pen = (struct tv_pen){
		.fill = TV_NO_COLOR,
		.stroke = TV_NO_COLOR,
		.width = TV_LINE_MIN,
		.row = TV_NONE,
		.class = tv_scene_string(scene, class),
		.group = tv_scene_string(scene, group),
	};
}

unsigned tv_scene_frame(struct tv_scene *scene, const struct tv_frame *frame)
{
	if (scene->nframes > UINT16_MAX) {
		scene->failed = true;
		return TV_PAGE;
	}
	TV_GROW(scene->frame, scene->nframes, scene->frames_cap, 1);
	scene->frame[scene->nframes] = *frame;
	scene->frame[scene->nframes].part = scene->nparts > 0 ? scene->nparts - 1 : 0;
	return (unsigned)scene->nframes++;
}

/* A new shape in the pen's style, or NULL. */
static struct tv_shape *add(struct tv_scene *scene, unsigned frame, enum tv_shape_kind kind)
{
	const struct tv_pen *pen = &scene->pen;
	struct tv_shape *shape;

	if (scene->failed)
		return NULL;
	TV_GROW(scene->shape, scene->n, scene->cap, 1);
	shape = &scene->shape[scene->n++];
	*shape = (struct tv_shape){
		.kind = (uint8_t)kind,
		.dash = (uint8_t)pen->dash,
		.frame = (uint16_t)frame,
		.width = (float)pen->width,
		.fill = pen->fill,
		.stroke = pen->stroke,
		.class = pen->class,
		.group = pen->group,
		.label = pen->label,
		.row = pen->row,
		.apart = pen->apart,
		.anchor = (uint8_t)pen->anchor,
	};
	return shape;
}

static void set_box(struct tv_shape *shape, double x0, double y0, double x1, double y1)
{
	shape->x0 = x0;
	shape->y0 = y0;
	shape->x1 = x1;
	shape->y1 = y1;
}

void tv_scene_rect(struct tv_scene *scene, unsigned frame, double x0, double y0, double x1,
		   double y1)
{
	struct tv_shape *shape = add(scene, frame, TV_SHAPE_RECT);

	if (shape != NULL)
		set_box(shape, x0, y0, x1, y1);
}

void tv_scene_path(struct tv_scene *scene, unsigned frame, enum tv_shape_kind kind,
		   const struct tv_point *point, size_t n)
{
	struct tv_shape *shape = add(scene, frame, kind);

	if (shape == NULL)
		return;
	if (scene->npoints + n > UINT32_MAX) {
		scene->failed = true;
		return;
	}
	TV_GROW(scene->point, scene->npoints, scene->points_cap, n);
	memcpy(scene->point + scene->npoints, point, n * sizeof *point);
	shape->first = (uint32_t)scene->npoints;
	shape->n = (uint32_t)n;
	scene->npoints += n;
}

void tv_scene_line(struct tv_scene *scene, unsigned frame, double x0, double y0, double x1,
		   double y1)
{
	struct tv_point ends[2] = { { x0, y0 }, { x1, y1 } };

	tv_scene_path(scene, frame, TV_SHAPE_POLYLINE, ends, 2);
}

void tv_scene_image(struct tv_scene *scene, unsigned frame, double x0, double y0, double x1,
		    double y1, struct tv_image image)
{
	bool seen = x0 != x1 && y0 != y1;
	struct tv_shape *shape = seen ? add(scene, frame, TV_SHAPE_IMAGE) : NULL;

	if (shape == NULL) {
		tv_free(image.pixel);
		return;
	}
	TV_GROW(scene->image, scene->nimages, scene->images_cap, 1);
	set_box(shape, x0, y0, x1, y1);
	shape->first = (uint32_t)scene->nimages;
	scene->image[scene->nimages++] = image;
}

double tv_scene_text(struct tv_scene *scene, double x, double y, enum tv_align align, double size,
		     bool bold, const char *text)
{
	double width = tv_text_width(scene->text, text, size, bold);
	struct tv_shape *shape = add(scene, TV_PAGE, TV_SHAPE_TEXT);

	if (shape == NULL)
		return width;
	x -= align == TV_LEFT ? 0 : align == TV_CENTER ? width / 2 : width;
	y += size * TV_TEXT_MIDDLE;
	set_box(shape, x, y - size * TV_TEXT_ASCENT, x + width, y + size * TV_TEXT_DESCENT);
	shape->align = (uint8_t)align;
	shape->width = (float)size;
	shape->bold = bold;
	shape->first = tv_scene_string(scene, text);
	return width;
}

void tv_scene_part(struct tv_scene *scene, const struct tv_page_part *part)
{
	if (!scene->exact)
		return;
	TV_GROW(scene->part, scene->nparts, scene->parts_cap, 1);
	scene->part[scene->nparts] = *part;
	scene->part[scene->nparts++].first = scene->n;
}

struct tv_chart *tv_scene_chart(struct tv_scene *scene, unsigned frame)
{
	struct tv_shape *shape = add(scene, frame, TV_SHAPE_CHART);

	TV_GROW(scene->chart, scene->ncharts, scene->charts_cap, 1);
	if (shape != NULL)
		shape->first = (uint32_t)scene->ncharts;
	scene->chart[scene->ncharts] = (struct tv_chart){ .frame = frame,
							  .row = scene->nrows,
							  .type = scene->ntypes };
	return &scene->chart[scene->ncharts++];
}

struct tv_chart_row *tv_scene_chart_row(struct tv_scene *scene)
{
	TV_GROW(scene->row, scene->nrows, scene->rows_cap, 1);
	scene->row[scene->nrows] = (struct tv_chart_row){ .lanes = 1, .first = scene->nitems };
	scene->chart[scene->ncharts - 1].nrows++;
	return &scene->row[scene->nrows++];
}

struct tv_chart_type *tv_scene_chart_type(struct tv_scene *scene)
{
	TV_GROW(scene->type, scene->ntypes, scene->types_cap, 1);
	scene->type[scene->ntypes] = (struct tv_chart_type){ 0 };
	scene->chart[scene->ncharts - 1].ntypes++;
	return &scene->type[scene->ntypes++];
}

struct tv_chart_item *tv_scene_chart_items(struct tv_scene *scene, size_t n)
{
	struct tv_chart_row *row = &scene->row[scene->nrows - 1];

	/* Their numbers, and those of the row, are uint32_t. */
	if (scene->nitems + n > UINT32_MAX) {
		scene->failed = true;
		scene->nitems = row->first;
		row->n = 0;
	}
	TV_GROW(scene->item, scene->nitems, scene->items_cap, n);
	scene->nitems += n;
	row->n += (uint32_t)n;
	return &scene->item[scene->nitems - n];
}

void tv_scene_label(struct tv_scene *scene, unsigned frame, double x0, double y0, double x1,
		    double y1, double size, const char *text)
{
	struct tv_shape *shape = add(scene, frame, TV_SHAPE_TEXT);

	if (shape == NULL)
		return;
	set_box(shape, x0, y0, x1, y1);
	shape->align = TV_CENTER;
	shape->width = (float)size;
	shape->first = tv_scene_string(scene, text);
}

void tv_shape_box(const struct tv_scene *scene, const struct tv_shape *shape, double box[4])
{
	const struct tv_frame *frame = &scene->frame[shape->frame];
	double low[2] = { shape->x0, shape->y0 }, high[2] = { shape->x1, shape->y1 };

	for (uint32_t i = 0; i < shape->n; i++) {
		struct tv_point p = scene->point[shape->first + i];

		if (i == 0 || p.x < low[0])
			low[0] = p.x;
		if (i == 0 || p.y < low[1])
			low[1] = p.y;
		if (i == 0 || p.x > high[0])
			high[0] = p.x;
		if (i == 0 || p.y > high[1])
			high[1] = p.y;
	}
	box[0] = tv_frame_x(frame, low[0]);
	box[1] = tv_frame_y(frame, low[1]);
	box[2] = tv_frame_x(frame, high[0]);
	box[3] = tv_frame_y(frame, high[1]);
}
