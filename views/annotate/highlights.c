/* SPDX-License-Identifier: GPL-3.0-or-later */
/* highlights.c -- outlines of tasks; those too narrow for one of their own share one. */
#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "views/annotate/annotations.h"

static const double own_width = 3, own_height = 2.4, together = 5, apart = 0.8; /* points */

static const double thin = 0.6; /* lines of low outlines */

static const struct {
	uint32_t color;
	enum tv_dash dash;
} styles[TV_HIGHLIGHTS_MAX] = {
	{ 0x000000, TV_SOLID },
	{ 0xc4006c, TV_SOLID },
	{ 0x0038c8, TV_DASHED },
	{ 0x7a3e00, TV_DOTTED },
};

uint32_t tv_highlight_color(size_t i)
{
	return styles[i % TV_COUNT(styles)].color;
}

/* A task, or several that are so close that they share an outline (row TV_NONE). */
struct outlined {
	int64_t begin, end;
	uint32_t row;
};

struct drawing {
	struct tv_scene *scene;
	const struct tv_rows *rows;
	const struct tv_frame *frame;
	unsigned number; /* of the frame */
	const uint8_t *holds;
	double ns; /* per point */
	struct tv_item_room room;
	struct outlined *narrow;
	size_t n, cap;
};

/* The outline is drawn inside, so that neighbors keep their color; a shape too small for that is
 * filled. */
static void outline(const struct drawing *d, struct outlined what, double y0, double y1)
{
	struct tv_scene *scene = d->scene;
	double width = y1 - y0 < together ? thin : TV_HIGHLIGHT_WIDTH, half = width / 2;
	double min = fmax(width, scene->cell);
	double x0 = fmax(0, tv_frame_time(d->frame, what.begin)) / d->ns;
	double x1 = fmin(d->frame->duration, tv_frame_time(d->frame, what.end)) / d->ns;
	uint32_t color = scene->pen.stroke;

	scene->pen.row = what.row;
	scene->pen.width = width;
	if (y1 - y0 < min) {
		double middle = (y0 + y1) / 2;

		y0 = middle - min / 2;
		y1 = middle + min / 2;
	}
	if (x1 - x0 > 3 * half && y1 - y0 > 3 * half) {
		tv_scene_rect(scene, d->number, (x0 + half) * d->ns, y0 + half, (x1 - half) * d->ns,
			      y1 - half);
		return;
	}
	if (x1 - x0 < min) {
		x0 = fmin(fmax((x0 + x1 - min) / 2, 0), d->frame->width - min);
		x1 = x0 + min;
	}
	scene->pen.fill = color;
	scene->pen.stroke = TV_NO_COLOR;
	tv_scene_rect(scene, d->number, x0 * d->ns, y0, x1 * d->ns, y1);
	scene->pen.fill = TV_NO_COLOR;
	scene->pen.stroke = color;
}

TV_ORDER(by_begin, struct outlined, begin, row)

/* The narrow ones collected, joined where less than `apart` is between them. */
static void outline_narrow(struct drawing *d, double y0, double y1)
{
	if (d->n > 1)
		qsort(d->narrow, d->n, sizeof *d->narrow, by_begin);
	for (size_t i = 0, next; i < d->n; i = next) {
		struct outlined run = d->narrow[i];

		for (next = i + 1;
		     next < d->n && (double)(d->narrow[next].begin - run.end) <= apart * d->ns;
		     next++) {
			if (d->narrow[next].end > run.end)
				run.end = d->narrow[next].end;
			run.row = TV_NONE;
		}
		outline(d, run, y0, y1);
	}
	d->n = 0;
}

/* The rows [first, last] of one band: a row of its own, or several too low to be distinguished. */
static void outline_rows(struct drawing *d, uint32_t first, uint32_t last)
{
	const struct tv_rows *rows = d->rows;
	double y0 = rows->row[first].y0, y1 = rows->row[last].y1;
	int64_t begin = d->frame->begin;

	for (uint32_t r = first; r <= last; r++) {
		const struct tv_item *item = tv_row_items(rows, &rows->row[r], &d->room);

		for (uint32_t i = 0; i < rows->row[r].n; i++, item++) {
			struct outlined one = { item->begin, item->end, item->row };
			double height = rows->row[r].y1 - rows->row[r].y0;

			if (!d->holds[item->row] || item->end < begin
			    || tv_frame_time(d->frame, item->begin) > d->frame->duration)
				continue;
			if (first == last && height >= own_height
			    && (double)(item->end - item->begin) >= own_width * d->ns) {
				outline(d, one, y0 + (double)item->top * height,
					y0 + (double)item->bottom * height);
				continue;
			}
			TV_GROW(d->narrow, d->n, d->cap, 1);
			d->narrow[d->n++] = one;
		}
	}
	outline_narrow(d, y0, y1);
}

static void outline_all(struct drawing *d)
{
	const struct tv_rows *rows = d->rows;

	for (uint32_t b = 0; b < rows->nbands; b++) {
		uint32_t end = rows->band[b].first + rows->band[b].n, last;

		for (uint32_t r = rows->band[b].first; r < end; r = last + 1) {
			bool low = rows->row[r].y1 - rows->row[r].y0 < own_height;

			for (last = r; low && last + 1 < end
				       && rows->row[last].y1 - rows->row[r].y0 < together;
			     last++)
				;
			outline_rows(d, r, last);
		}
	}
}

void tv_highlights_draw(struct tv_figure *figure, const struct tv_rows *rows, unsigned frame)
{
	struct tv_frame of = figure->scene->frame[frame];

	for (size_t i = 0; i < figure->notes->nhighlights; i++) {
		struct drawing d = { .scene = figure->scene,
				     .rows = rows,
				     .frame = &of,
				     .number = frame,
				     .holds = figure->notes->highlight[i].holds,
				     .ns = of.duration / of.width };

		tv_scene_pen(d.scene, "highlight", "highlights");
		d.scene->pen.stroke = styles[i].color;
		d.scene->pen.dash = styles[i].dash;
		outline_all(&d);
		tv_item_room_release(&d.room);
		tv_free(d.narrow);
	}
}
