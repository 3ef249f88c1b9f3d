/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene.c -- shapes, charts and images as columns. */
#include "views/backends/html/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"

enum { FROM_TASKS = -1 };

/* ---- styles: what many shapes have in common ---- */

struct styles {
	const struct tv_scene *scene;
	struct tv_map map;	       /* two hashes of the fields: the style's number */
	const struct tv_shape **shape; /* an example of each */
	size_t n, cap;
};

static bool same_style(const struct tv_shape *a, const struct tv_shape *b)
{
	return a->kind == b->kind && a->dash == b->dash && a->align == b->align
	    && a->anchor == b->anchor && a->bold == b->bold && a->apart == b->apart
	    && a->width == b->width && a->fill == b->fill && a->stroke == b->stroke
	    && a->class == b->class && a->group == b->group;
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* The number of a shape's style. Shapes whose keys are equal and styles are not are rare: those
 * that follow are tried. */
static uint32_t style_of(struct styles *styles, const struct tv_shape *shape)
{
	uint64_t a = (uint64_t)shape->fill << 32 | shape->stroke;
	uint64_t b = ((uint64_t)shape->class << 40) ^ ((uint64_t)shape->group << 20)
		   ^ bits_of(shape->width)
		   ^ (uint64_t)(shape->kind | shape->dash << 4 | shape->align << 8
				| shape->anchor << 12 | shape->bold << 16 | shape->apart << 17);

	for (;; b++) {
		uint32_t *number = tv_map_at(&styles->map, a, b);

		if (*number != TV_NONE && same_style(styles->shape[*number], shape))
			return *number;
		if (*number != TV_NONE)
			continue;
		*number = (uint32_t)styles->n;
		TV_GROW(styles->shape, styles->n, styles->cap, 1);
		styles->shape[styles->n] = shape;
		return (uint32_t)styles->n++;
	}
}

static void write_color(struct tv_json *json, const char *name, uint32_t color)
{
	if (color != TV_NO_COLOR)
		tv_json_int(json, name, color);
}

static void write_styles(struct tv_json *json, const struct styles *styles)
{
	tv_json_open(json, "styles", '[');
	for (size_t i = 0; i < styles->n; i++) {
		const struct tv_shape *shape = styles->shape[i];
		const double *dash = tv_dashes[shape->dash];

		tv_json_open(json, NULL, '{');
		write_color(json, "fill", shape->fill);
		write_color(json, "stroke", shape->stroke);
		tv_json_double(json, "width", (double)shape->width);
		if (dash[0] > 0) {
			tv_json_open(json, "dash", '[');
			for (int k = 0; dash[k] > 0; k++)
				tv_json_double(json, NULL, dash[k]);
			tv_json_close(json, ']');
		}
		if (shape->kind == TV_SHAPE_TEXT)
			tv_json_int(json, "align", shape->align);
		if (shape->bold)
			tv_json_bool(json, "bold", true);
		if (shape->apart)
			tv_json_bool(json, "apart", true);
		if (shape->anchor != TV_FIXED)
			tv_json_int(json, "anchor", shape->anchor);
		tv_json_text(json, "class", tv_pool_text(styles->scene->strings, shape->class));
		tv_json_text(json, "group", tv_pool_text(styles->scene->strings, shape->group));
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

/* ---- columns of members of structs ---- */

/* A column of `count` numbers: for each i its value. */
#define ADD_COLUMN(payload, name, code, ctype, count, value) \
	do { \
		size_t n_ = (count); \
		ctype *all_ = tv_alloc(n_, sizeof *all_); \
		for (size_t i = 0; i < n_; i++) \
			all_[i] = (ctype)(value); \
		tv_payload_add(payload, name, code, all_, n_, NULL); \
		tv_free(all_); \
	} while (0)

static void add_shapes(struct tv_html *html, struct styles *styles)
{
	const struct tv_scene *scene = html->scene;
	const struct tv_shape *s = scene->shape;
	struct tv_payload *to = &html->payload;
	size_t n = scene->n;

	ADD_COLUMN(to, "shape.kind", TV_U8, uint8_t, n, s[i].kind);
	ADD_COLUMN(to, "shape.frame", TV_U16, uint16_t, n, s[i].frame);
	ADD_COLUMN(to, "shape.style", TV_U32, uint32_t, n, style_of(styles, &s[i]));
	ADD_COLUMN(to, "shape.x0", TV_F64, double, n, s[i].x0);
	ADD_COLUMN(to, "shape.y0", TV_F64, double, n, s[i].y0);
	ADD_COLUMN(to, "shape.x1", TV_F64, double, n, s[i].x1);
	ADD_COLUMN(to, "shape.y1", TV_F64, double, n, s[i].y1);
	ADD_COLUMN(to, "shape.row", TV_U32, uint32_t, n, s[i].row);
	ADD_COLUMN(to, "shape.label", TV_U32, uint32_t, n, s[i].label);
	ADD_COLUMN(to, "shape.first", TV_U32, uint32_t, n, s[i].first);
	ADD_COLUMN(to, "shape.n", TV_U32, uint32_t, n, s[i].n);
	ADD_COLUMN(to, "point.x", TV_F64, double, scene->npoints, scene->point[i].x);
	ADD_COLUMN(to, "point.y", TV_F64, double, scene->npoints, scene->point[i].y);
}

/* Pixels of all images, one after the other. */
static void add_images(struct tv_html *html)
{
	const struct tv_scene *scene = html->scene;
	size_t n = 0, at = 0;
	uint32_t *pixel;

	for (size_t i = 0; i < scene->nimages; i++)
		n += (size_t)scene->image[i].width * scene->image[i].height;
	pixel = tv_alloc(n, sizeof *pixel);
	for (size_t i = 0; i < scene->nimages; i++) {
		size_t size = (size_t)scene->image[i].width * scene->image[i].height;

		memcpy(pixel + at, scene->image[i].pixel, size * sizeof *pixel);
		at += size;
	}
	tv_payload_add(&html->payload, "image.pixel", TV_U32, pixel, n, NULL);
	tv_free(pixel);
	ADD_COLUMN(&html->payload, "image.width", TV_U32, uint32_t, scene->nimages,
		   scene->image[i].width);
	ADD_COLUMN(&html->payload, "image.height", TV_U32, uint32_t, scene->nimages,
		   scene->image[i].height);
}

/* Of which facet a frame is; -1: of all. */
static int64_t facet_of(const struct tv_scene *scene, const struct tv_frame *frame)
{
	uint32_t facet = scene->nparts == 0 ? 0 : scene->part[frame->part].facet;

	return facet == TV_NONE ? -1 : (int64_t)facet;
}

/* ---- charts ---- */

/* Items of a chart, [*first, *end). */
static void items_of(const struct tv_scene *scene, const struct tv_chart *chart, size_t *first,
		     size_t *end)
{
	const struct tv_chart_row *last;

	*first = *end = 0;
	if (chart->nrows == 0)
		return;
	last = &scene->row[chart->row + chart->nrows - 1];
	*first = scene->row[chart->row].first;
	*end = last->first + last->n;
}

/* Whether all of them have the whole height of their row. */
static bool has_lanes(const struct tv_scene *scene, const struct tv_chart *chart)
{
	size_t i, end;

	for (items_of(scene, chart, &i, &end); i < end; i++)
		if (scene->item[i].top > 0 || scene->item[i].bottom < 1)
			return true;
	return false;
}

/* Columns that only some charts have: those whose bit in `mark` is set. */
static void add_some(struct tv_html *html, const bool *mark, bool own)
{
	const struct tv_scene *scene = html->scene;
	struct tv_payload *to = &html->payload;
	const struct tv_chart_item **item = tv_alloc(scene->nitems, sizeof(void *));
	size_t n = 0, at, end;

	for (size_t c = 0; c < scene->ncharts; c++)
		for (items_of(scene, &scene->chart[c], &at, &end); mark[c] && at < end; at++)
			item[n++] = &scene->item[at];
	if (own) {
		ADD_COLUMN(to, "own.begin", TV_I64, int64_t, n, item[i]->begin);
		ADD_COLUMN(to, "own.length", TV_I64, int64_t, n,
			   (int64_t)((uint64_t)item[i]->end - (uint64_t)item[i]->begin));
		ADD_COLUMN(to, "own.label", TV_U32, uint32_t, n, item[i]->label);
		ADD_COLUMN(to, "own.under", TV_U8, uint8_t, n, item[i]->under);
		ADD_COLUMN(to, "own.absent", TV_F32, float, n, item[i]->absent);
	} else {
		ADD_COLUMN(to, "lane.top", TV_F32, float, n, item[i]->top);
		ADD_COLUMN(to, "lane.bottom", TV_F32, float, n, item[i]->bottom);
	}
	tv_free(item);
}

static void write_types(struct tv_json *json, const struct tv_scene *scene,
			const struct tv_chart *chart)
{
	tv_json_open(json, "types", '[');
	for (size_t t = chart->type; t < chart->type + chart->ntypes; t++) {
		const struct tv_chart_type *type = &scene->type[t];

		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", tv_pool_text(scene->strings, type->name));
		tv_json_text(json, "class", tv_pool_text(scene->strings, type->class));
		tv_json_int(json, "color", type->color);
		tv_json_int(json, "faded", type->faded);
		tv_json_int(json, "blind", type->blind);
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

/* Row of the table and style of each item of a chart. */
static void add_items(struct tv_html *html, size_t c, size_t first, size_t n)
{
	const struct tv_chart_item *item = html->scene->item + first;
	struct tv_coding coding = { 0 };
	uint32_t *row = tv_alloc(n, sizeof *row), *key = tv_alloc(n, sizeof *key);
	uint8_t *style = tv_alloc(n, 1);
	char name[2][40];

	if (html->chart != NULL && html->scene->chart[c].tasks)
		coding = html->coded[html->chart[c]].coding;
	for (size_t i = 0; i < n; i++) {
		row[i] = item[i].row;
		style[i] = (uint8_t)(2 * item[i].type + item[i].outlier);
		key[i] = coding.key != NULL ? coding.key[row[i]] : 0;
	}
	snprintf(name[0], sizeof name[0], "chart%zu.row", c);
	snprintf(name[1], sizeof name[1], "chart%zu.style", c);
	tv_payload_add(&html->payload, name[0], TV_U32, row, n,
		       &(struct tv_coding){ .order = coding.order,
					    .norders = coding.norders,
					    .rows = coding.norders > 0 });
	tv_payload_add(&html->payload, name[1], TV_U8, style, n,
		       &(struct tv_coding){ .key = coding.key != NULL ? key : NULL,
					    .like = coding.like,
					    .like_at = name[0] });
	tv_free(row);
	tv_free(key);
	tv_free(style);
}

static void write_charts(struct tv_html *html)
{
	const struct tv_scene *scene = html->scene;
	bool *own = tv_alloc(scene->ncharts, sizeof *own),
	     *lanes = tv_alloc(scene->ncharts, sizeof *lanes);
	struct tv_json *json = &html->header;
	int64_t nown = 0, nlanes = 0;

	tv_json_open(json, "charts", '[');
	for (size_t c = 0; c < scene->ncharts; c++) {
		const struct tv_chart *chart = &scene->chart[c];
		size_t first, end;

		own[c] = !chart->tasks;
		lanes[c] = has_lanes(scene, chart);
		items_of(scene, chart, &first, &end);
		add_items(html, c, first, end - first);
		tv_json_open(json, NULL, '{');
		tv_json_int(json, "frame", chart->frame);
		tv_json_int(json, "part", (int64_t)scene->frame[chart->frame].part);
		tv_json_int(json, "facet", facet_of(scene, &scene->frame[chart->frame]));
		tv_json_bool(json, "tasks", chart->tasks);
		tv_json_bool(json, "nested", chart->nested);
		tv_json_bool(json, "mixed", chart->mixed);
		tv_json_int(json, "row", (int64_t)chart->row);
		tv_json_int(json, "rows", (int64_t)chart->nrows);
		tv_json_int(json, "first", (int64_t)first);
		tv_json_int(json, "n", (int64_t)(end - first));
		tv_json_int(json, "own", own[c] ? nown : FROM_TASKS);
		tv_json_int(json, "lanes", lanes[c] ? nlanes : -1);
		nown += own[c] ? (int64_t)(end - first) : 0;
		nlanes += lanes[c] ? (int64_t)(end - first) : 0;
		write_types(json, scene, chart);
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
	add_some(html, own, true);
	add_some(html, lanes, false);
	tv_free(own);
	tv_free(lanes);
}

static void add_rows(struct tv_html *html)
{
	const struct tv_scene *scene = html->scene;
	const struct tv_chart_row *row = scene->row;
	struct tv_payload *to = &html->payload;
	size_t n = scene->nrows;

	ADD_COLUMN(to, "row.y0", TV_F64, double, n, row[i].y0);
	ADD_COLUMN(to, "row.y1", TV_F64, double, n, row[i].y1);
	ADD_COLUMN(to, "row.bottom", TV_F64, double, n, row[i].bottom);
	ADD_COLUMN(to, "row.name", TV_U32, uint32_t, n, row[i].name);
	ADD_COLUMN(to, "row.rtype", TV_U32, uint32_t, n, row[i].rtype);
	ADD_COLUMN(to, "row.node", TV_U32, uint32_t, n, row[i].node);
	ADD_COLUMN(to, "row.lanes", TV_U32, uint32_t, n, row[i].lanes);
	ADD_COLUMN(to, "row.first", TV_U32, uint32_t, n, row[i].first);
	ADD_COLUMN(to, "row.n", TV_U32, uint32_t, n, row[i].n);
}

/* ---- frames and parts ---- */

static bool same_axis(const struct tv_scene *scene, const struct tv_frame *a,
		      const struct tv_frame *b)
{
	return a->x == b->x && a->width == b->width && a->begin == b->begin
	    && a->duration == b->duration && facet_of(scene, a) == facet_of(scene, b);
}

/* The time axes, and in axis[] which one each frame has. Frame 0 has none. */
static void write_axes(struct tv_json *json, const struct tv_scene *scene, int64_t *axis)
{
	int64_t n = 0;

	tv_json_open(json, "axes", '[');
	for (size_t i = 0; i < scene->nframes; i++) {
		const struct tv_frame *frame = &scene->frame[i];

		axis[i] = i == TV_PAGE ? -1 : n;
		for (size_t k = TV_PAGE + 1; k < i && axis[i] == n; k++)
			if (same_axis(scene, &scene->frame[k], frame))
				axis[i] = axis[k];
		if (axis[i] < n)
			continue;
		n++;
		tv_json_open(json, NULL, '{');
		tv_json_double(json, "x", frame->x);
		tv_json_double(json, "width", frame->width);
		tv_json_time(json, "begin", frame->begin);
		tv_json_double(json, "duration", frame->duration);
		tv_json_int(json, "facet", facet_of(scene, frame));
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

static void write_frames(struct tv_json *json, const struct tv_scene *scene)
{
	int64_t *axis = tv_alloc(scene->nframes, sizeof *axis);

	write_axes(json, scene, axis);
	tv_json_open(json, "frames", '[');
	for (size_t i = 0; i < scene->nframes; i++) {
		const struct tv_frame *frame = &scene->frame[i];

		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", frame->name);
		tv_json_int(json, "axis", axis[i]);
		tv_json_int(json, "part", (int64_t)frame->part);
		tv_json_double(json, "x", frame->x);
		tv_json_double(json, "y", frame->y);
		tv_json_double(json, "width", frame->width);
		tv_json_double(json, "height", frame->height);
		tv_json_time(json, "begin", frame->begin);
		tv_json_double(json, "duration", frame->duration);
		tv_json_double(json, "rows", frame->rows);
		if (frame->high > frame->low) {
			tv_json_double(json, "high", frame->high);
			tv_json_double(json, "low", frame->low);
		}
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
	tv_free(axis);
}

/* Where the shapes of a part end. */
static size_t part_end(const struct tv_scene *scene, size_t part)
{
	return part + 1 < scene->nparts ? scene->part[part + 1].first : scene->n;
}

/* From the top of its highest shape to the bottom of its lowest one. */
static void find_height(const struct tv_scene *scene, size_t part, double *y, double *height)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = scene->part[part].first; i < part_end(scene, part); i++) {
		double box[4];

		tv_shape_box(scene, &scene->shape[i], box);
		low = fmin(low, box[1]);
		high = fmax(high, box[3]);
	}
	*y = low <= high ? low : 0;
	*height = low <= high ? high - low : 0;
}

static void write_parts(struct tv_json *json, const struct tv_scene *scene)
{
	tv_json_open(json, "parts", '[');
	for (size_t i = 0; i < scene->nparts; i++) {
		const struct tv_page_part *part = &scene->part[i];
		double y = part->y, height = part->height;

		if (height <= 0)
			find_height(scene, i, &y, &height);
		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", part->name);
		tv_json_text(json, "title", part->title);
		tv_json_int(json, "facet", part->facet == TV_NONE ? -1 : (int64_t)part->facet);
		tv_json_bool(json, "timed", part->timed);
		tv_json_double(json, "x", part->x);
		tv_json_double(json, "y", y);
		tv_json_double(json, "width", part->width);
		tv_json_double(json, "height", height);
		tv_json_int(json, "first", (int64_t)part->first);
		tv_json_int(json, "n", (int64_t)(part_end(scene, i) - part->first));
		tv_json_close(json, '}');
	}
	tv_json_close(json, ']');
}

/* ---- strings ---- */

static void add_strings(struct tv_html *html)
{
	const struct tv_pool *pool = html->scene->strings;
	uint32_t n = tv_pool_count(pool), *offset = tv_alloc((size_t)n + 1, sizeof *offset);
	char *bytes = NULL;
	size_t used = 0, cap = 0;

	for (uint32_t id = 0; id < n; id++) {
		size_t length = tv_pool_length(pool, id);

		TV_GROW(bytes, used, cap, length + 1);
		memcpy(bytes + used, tv_pool_text(pool, id), length);
		used += length;
		offset[id + 1] = (uint32_t)used;
	}
	tv_payload_add(&html->payload, "strings.bytes", TV_U8, bytes, used, NULL);
	tv_payload_add(&html->payload, "strings.offset", TV_U32, offset, (size_t)n + 1, NULL);
	tv_free(offset);
	tv_free(bytes);
}

void tv_html_scene(struct tv_html *html)
{
	const struct tv_scene *scene = html->scene;
	struct styles styles = { .scene = scene };
	struct tv_json *json = &html->header;
	const struct tv_metadata *about = html->about;

	tv_json_text(json, "title", about->title != NULL ? about->title : "trace");
	tv_json_text(json, "creator", about->creator != NULL ? about->creator : "");
	tv_json_text(json, "command", about->command != NULL ? about->command : "");
	tv_json_open(json, "scene", '{');
	tv_json_double(json, "width", scene->width);
	tv_json_double(json, "height", scene->height);
	tv_json_double(json, "scale", scene->scale);
	tv_json_double(json, "cell", scene->cell);
	tv_json_text(json, "font", tv_text_family(scene->text));
	write_frames(json, scene);
	write_parts(json, scene);
	write_charts(html);
	add_shapes(html, &styles);
	write_styles(json, &styles);
	tv_json_close(json, '}');
	add_rows(html);
	add_images(html);
	add_strings(html);
	tv_map_release(&styles.map);
	tv_free(styles.shape);
}
