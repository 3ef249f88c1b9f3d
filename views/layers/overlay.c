/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlay.c -- draws layers: outlines and lines in color on black, as many as show. */
#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "views/layers/layers.h"

/* Points. */
static const double casing = 0.8; /* how much wider the black line under a colored one is */
static const double narrow = 2.4; /* an outline under that width or height is a bar */
static const double bar_min = 1;  /* width of its colored part */
static const double apart = 2;	  /* bars nearer than that become one */
static const double grid = 0.4;	  /* lines whose ends differ by less are one */

enum { LINES_MAX = 20000 }; /* of a layer: for more of them the grid is coarser */

/* The place of a row of tasks. */
struct spot {
	uint32_t row;	   /* of the panel; TV_NONE = not drawn */
	float top, bottom; /* of its height */
};

/* A rectangle or bar on the page. */
struct box {
	double x0, y0, x1, y1;
	uint32_t style, task;
};

struct line {
	int32_t x0, y0, x1, y1; /* in steps of the grid */
	uint32_t style, link;
};

struct overlay {
	struct tv_figure *figure;
	const struct tv_layer *layer;
	const struct tv_rows *rows;
	unsigned frame;
	struct spot *spot; /* by row of tasks */
	uint32_t *style;   /* by row of tasks: its outline in this layer, or TV_NONE */
	struct tv_item_room room;
	struct box *box;
	size_t nboxes, boxes_cap;
	struct line *line;
	size_t nlines;
};

static struct tv_frame frame_of(const struct overlay *o)
{
	return o->figure->scene->frame[o->frame];
}

/* ---- outlines ---- */

static bool is_bar(const struct box *box)
{
	return box->x1 - box->x0 < narrow || box->y1 - box->y0 < narrow;
}

/* Adds a box, or widens the last one if both are bars of one row that touch. */
static void add_box(struct overlay *o, struct box box)
{
	struct box *last = o->nboxes > 0 ? &o->box[o->nboxes - 1] : NULL;

	if (box.x1 - box.x0 < bar_min) {
		double middle = (box.x0 + box.x1) / 2;

		box.x0 = middle - bar_min / 2;
		box.x1 = middle + bar_min / 2;
	}
	if (last != NULL && last->style == box.style && last->y0 >= box.y0 - 1e-6
	    && last->y0 <= box.y0 + 1e-6 && box.x1 - box.x0 < narrow && box.x0 >= last->x0
	    && box.x0 < last->x1 + (is_bar(last) ? apart : 0)) {
		last->x1 = fmax(last->x1, box.x1);
		return;
	}
	TV_GROW(o->box, o->nboxes, o->boxes_cap, 1);
	o->box[o->nboxes++] = box;
}

/* The outlines of all tasks that the layer picks out and the frame shows, by row and time. */
static void find_boxes(struct overlay *o)
{
	struct tv_frame frame = frame_of(o);
	const struct tv_rows *rows = o->rows;

	o->nboxes = 0;
	for (uint32_t r = 0; r < rows->nrows; r++) {
		const struct tv_row *row = &rows->row[r];
		const struct tv_item *item = tv_row_items(rows, row, &o->room);

		for (uint32_t i = 0; i < row->n; i++, item++) {
			double height = row->y1 - row->y0;
			struct box box = {
				tv_frame_x(&frame, tv_frame_time(&frame, item->begin)),
				frame.y + row->y0 + (double)item->top * height,
				tv_frame_x(&frame, tv_frame_time(&frame, item->end)),
				frame.y + row->y0 + (double)item->bottom * height,
				o->style[item->row],
				item->row,
			};

			if (box.style != TV_NONE && box.x1 >= frame.x
			    && box.x0 <= frame.x + frame.width)
				add_box(o, box);
		}
	}
}

/* A rectangle on the page, in a frame, so that it is clipped by it. */
static void add_rect(const struct overlay *o, double x0, double y0, double x1, double y1)
{
	struct tv_frame f = frame_of(o);

	tv_scene_rect(o->figure->scene, o->frame, (x0 - f.x) / f.width * f.duration, y0 - f.y,
		      (x1 - f.x) / f.width * f.duration, y1 - f.y);
}

/* Inside its task, so that it covers nothing of its neighbors; of a bar the middle is filled. */
static void draw_box(const struct overlay *o, const struct box *box, bool dark)
{
	const struct tv_style *style = &o->layer->style[box->style];
	struct tv_scene *scene = o->figure->scene;
	double min = fmin(box->y1 - box->y0, box->x1 - box->x0);
	double width = fmin(style->width, min / 6), rim = fmin(casing, width);
	double inset = (width + rim) / 2;

	tv_scene_pen(scene, dark ? "casing" : style->class, o->layer->group);
	scene->pen.row = box->task;
	if (is_bar(box)) {
		double around = dark ? casing / 2 : 0;

		scene->pen.fill = dark ? TV_BLACK : style->color;
		add_rect(o, box->x0 - around, box->y0, box->x1 + around, box->y1);
		return;
	}
	scene->pen.stroke = dark ? TV_BLACK : style->color;
	scene->pen.width = fmax(TV_LINE_MIN, dark ? width + rim : width);
	add_rect(o, box->x0 + inset, box->y0 + inset, box->x1 - inset, box->y1 - inset);
}

/* ---- lines ---- */

static double middle_of(const struct overlay *o, const struct spot *spot)
{
	const struct tv_row *row = &o->rows->row[spot->row];

	return row->y0 + ((double)spot->top + (double)spot->bottom) / 2 * (row->y1 - row->y0);
}

/* The first style ends on top. */
TV_ORDER(compare_lines, struct line, down(style), x0, y0, x1, y1)

TV_ORDER(compare_all, struct line, down(style), x0, y0, x1, y1, link)

static int32_t on_grid(double x, double step)
{
	return (int32_t)fmax(-1e9, fmin(1e9, floor(x / step + 0.5)));
}

/* The lines to be seen, those whose ends are in the same squares of a grid once. */
static void collect_lines(struct overlay *o, double step)
{
	struct tv_frame f = frame_of(o);
	const struct tv_layer *layer = o->layer;
	size_t n = 0;

	o->nlines = 0;
	for (size_t i = 0; i < layer->nlinks; i++) {
		const struct tv_link *link = &layer->link[i];
		const struct spot *from = &o->spot[link->from], *to = &o->spot[link->to];
		double x0 = tv_frame_time(&f, link->begin) / f.duration * f.width;
		double x1 = tv_frame_time(&f, link->end) / f.duration * f.width;

		if (from->row == TV_NONE || to->row == TV_NONE || fmax(x0, x1) < 0
		    || fmin(x0, x1) > f.width)
			continue;
		o->line[n++] = (struct line){
			on_grid(x0, step), on_grid(middle_of(o, from), step),
			on_grid(x1, step), on_grid(middle_of(o, to), step),
			link->style,	   (uint32_t)i,
		};
	}
	qsort(o->line, n, sizeof *o->line, compare_all);
	for (size_t i = 0; i < n; i++) {
		bool point = o->line[i].x0 == o->line[i].x1 && o->line[i].y0 == o->line[i].y1;

		if (!point && (i == 0 || compare_lines(&o->line[i - 1], &o->line[i]) != 0))
			o->line[o->nlines++] = o->line[i];
	}
}

static void find_lines(struct overlay *o)
{
	tv_free(o->line);
	o->line = tv_alloc(o->layer->nlinks, sizeof *o->line);
	for (double step = grid; step == grid || o->nlines > LINES_MAX; step *= 2)
		collect_lines(o, step);
}

static void draw_line(const struct overlay *o, const struct line *line, bool dark)
{
	const struct tv_style *style = &o->layer->style[line->style];
	const struct tv_link *link = &o->layer->link[line->link];
	struct tv_scene *scene = o->figure->scene;
	const struct tv_frame *frame = &scene->frame[o->frame];

	tv_scene_pen(scene, dark ? "casing" : style->class, o->layer->group);
	scene->pen.stroke = dark ? TV_BLACK : style->color;
	scene->pen.width = dark ? style->width + casing : style->width;
	scene->pen.dash = dark ? TV_SOLID : style->dash;
	scene->pen.row = link->to;
	tv_scene_line(scene, o->frame, tv_frame_time(frame, link->begin),
		      middle_of(o, &o->spot[link->from]), tv_frame_time(frame, link->end),
		      middle_of(o, &o->spot[link->to]));
}

/* ---- layers ---- */

/* All black first: what crosses within a layer is not cut into pieces. */
static void draw_layer(struct overlay *o)
{
	const struct tv_layer *layer = o->layer;

	/* TV_NONE is the max: the first style counts. */
	for (size_t i = 0; i < layer->noutlines; i++)
		if (layer->outline[i].style < o->style[layer->outline[i].task])
			o->style[layer->outline[i].task] = layer->outline[i].style;
	find_boxes(o);
	find_lines(o);
	for (size_t i = 0; i < layer->noutlines; i++)
		o->style[layer->outline[i].task] = TV_NONE;
	for (int dark = 1; dark >= 0; dark--) {
		for (size_t i = 0; i < o->nboxes; i++)
			draw_box(o, &o->box[i], dark);
		for (size_t i = 0; i < o->nlines; i++)
			draw_line(o, &o->line[i], dark);
	}
}

static void find_spots(struct overlay *o)
{
	const struct tv_rows *rows = o->rows;
	uint32_t n = o->figure->run->tasks.n;

	o->spot = tv_alloc(n, sizeof *o->spot);
	o->style = tv_alloc(n, sizeof *o->style);
	for (uint32_t i = 0; i < n; i++) {
		o->spot[i].row = TV_NONE;
		o->style[i] = TV_NONE;
	}
	for (uint32_t r = 0; r < rows->nrows; r++) {
		const struct tv_item *item = tv_row_items(rows, &rows->row[r], &o->room);

		for (uint32_t i = 0; i < rows->row[r].n; i++, item++)
			o->spot[item->row] = (struct spot){ r, item->top, item->bottom };
	}
}

void tv_layers_draw(struct tv_figure *figure, const struct tv_layer *layers,
		    const struct tv_rows *rows, unsigned frame)
{
	struct overlay o = { .figure = figure, .rows = rows, .frame = frame };
	bool any = false;

	/* Outlines and lines are of tasks; some layers are keys alone. */
	for (const struct tv_layer *layer = layers; layer != NULL; layer = layer->next)
		any = any || layer->noutlines + layer->nlinks > 0;
	if (!any || rows->states)
		return;
	find_spots(&o);
	for (o.layer = layers; o.layer != NULL; o.layer = o.layer->next)
		draw_layer(&o);
	tv_item_room_release(&o.room);
	tv_free(o.spot);
	tv_free(o.style);
	tv_free(o.box);
	tv_free(o.line);
}
