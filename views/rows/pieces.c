/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pieces.c -- items that no image shows, as rectangles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "views/rows/drawing.h"

void tv_covers_clear(struct tv_covers *covers)
{
	memset(covers, 0xff, sizeof *covers);
}

/* Of the items without length of a row, one for each type and cell: the others would lie under it, and
 * no image takes them, as they have no share of the time. */
static bool is_covered(struct tv_covers *covers, const struct tv_row_drawing *d,
		       const struct tv_density *density, const struct tv_item *item)
{
	uint32_t *last = &covers->cell[2u * item->type + item->outlier], cell;

	if (item->begin != item->end || d->figure->scene->exact || item->begin < density->edge[0]
	    || item->begin >= density->edge[density->ncells])
		return false;
	cell = tv_density_cell(density, item->begin);
	if (*last == cell)
		return true;
	*last = cell;
	return false;
}

void tv_pieces_collect(struct tv_row_drawing *d, const struct tv_density *density,
		       struct tv_covers *covers, uint32_t row, const struct tv_item *item,
		       uint32_t n, uint32_t before)
{
	for (uint32_t i = 0; i < n; i++) {
		int64_t from, to = item[i].begin;
		uint32_t label = 0;

		if (is_covered(covers, d, density, &item[i]))
			continue;
		while (tv_density_piece(density, item[i].begin, item[i].end, &from, &to)) {
			label = label == 0 ? tv_row_drawing_label(d, &item[i], row) : label;
			TV_GROW(d->piece, d->npieces, d->pieces_cap, 1);
			d->piece[d->npieces++] = (struct tv_piece){
				row, before + i, label, from, to == INT64_MAX ? from : to, item[i]
			};
		}
	}
}

static size_t bucket(const struct tv_piece *piece)
{
	return 2u * piece->of.type + piece->of.outlier;
}

TV_ORDER(by_row, struct tv_piece, row, item, begin)

/* As they come where all rows are read at once: by row and time. */
static void sort_by_row(struct tv_row_drawing *d)
{
	for (size_t i = 1; i < d->npieces; i++)
		if (by_row(&d->piece[i - 1], &d->piece[i]) > 0) {
			qsort(d->piece, d->npieces, sizeof *d->piece, by_row);
			return;
		}
}

/* Counting sort of the pieces: by type, normal before outlier, then by row and time. first[b]: where those of a bucket
 * begin. Free the result. */
static uint32_t *sort_by_type(const struct tv_row_drawing *d, size_t first[2 * TV_TYPES_MAX + 1])
{
	uint32_t *order = tv_alloc(d->npieces, sizeof *order);
	size_t at[2 * TV_TYPES_MAX];

	memset(first, 0, (TV_COUNT(at) + 1) * sizeof *first);
	for (size_t i = 0; i < d->npieces; i++)
		first[bucket(&d->piece[i]) + 1]++;
	for (size_t b = 0; b < TV_COUNT(at); b++) {
		at[b] = first[b];
		first[b + 1] += first[b];
	}
	for (size_t i = 0; i < d->npieces; i++)
		order[at[bucket(&d->piece[i])]++] = (uint32_t)i;
	return order;
}

void tv_row_drawing_texts(struct tv_row_drawing *d, const struct tv_table *table)
{
	tv_hover_init(&d->what, table, "[{Value}, ][job {JobId}, ]");
	tv_hover_init(&d->when, table, "[{ResourceId}, ]{from} to {to} ms ({long} ms)");
}

/* Hover text: type, job, its segment if it was suspended, iteration, resource, when and how long. */
uint32_t tv_row_drawing_label(struct tv_row_drawing *d, const struct tv_item *item, uint32_t row)
{
	const struct tv_rows *rows = d->rows;
	const struct tv_tasks *tasks = &d->figure->run->tasks;
	char text[512], end[256];
	size_t at;

	if (!d->figure->scene->labels || (d->figure->scene->exact && tv_rows_show_tasks(rows)))
		return 0;
	if (rows->hover.n > 0)
		return tv_hover_label(d->figure->scene, &rows->hover, item->row, item->begin,
				      item->end);
	at = strlen(tv_hover_text(&d->what, item->row, 0, 0, text, sizeof text));
	if (d->segments && tasks->job != NULL && tasks->job[item->row] != TV_NONE)
		at += (size_t)snprintf(text + at, sizeof text - at, "segment %lld, ",
				       (long long)tv_segment_of(tasks, item->row));
	if (rows->iteration != NULL)
		at += (size_t)snprintf(text + at, sizeof text - at, "iteration %lld, ",
				       (long long)rows->iteration[row]);
	snprintf(text + at, sizeof text - at, "%s%s",
		 tv_hover_text(&d->when, item->row, item->begin, item->end, end, sizeof end),
		 item->outlier ? ", outlier" : "");
	return tv_scene_string(d->figure->scene, text);
}

static void draw_piece(struct tv_row_drawing *d, const struct tv_piece *piece)
{
	struct tv_scene *scene = d->figure->scene;
	const struct tv_row *row = &d->rows->row[piece->row];
	double height = row->y1 - row->y0;

	scene->pen.row = piece->of.row;
	scene->pen.label = piece->label;
	/* A task without length still shows, as the thinnest line. */
	scene->pen.stroke = piece->begin == piece->end ? scene->pen.fill : TV_NO_COLOR;
	tv_scene_rect(scene, d->frame, tv_row_drawing_time(d, piece->begin),
		      row->y0 + (double)piece->of.top * height, tv_row_drawing_time(d, piece->end),
		      row->y0 + (double)piece->of.bottom * height);
}

/* The pieces, one group per type; states as they are nested, so that inner ones are on top. */
void tv_pieces_draw(struct tv_row_drawing *d, bool stub)
{
	static const char *const class[] = { "task", "outlier" };
	const struct tv_rows *rows = d->rows;
	struct tv_scene *scene = d->figure->scene;
	size_t first[2 * TV_TYPES_MAX + 1];
	uint32_t *order;
	char group[160];

	sort_by_row(d);
	if (rows->states) {
		tv_scene_pen(scene, rows->class != NULL ? rows->class : "state", "states");
		for (size_t i = 0; i < d->npieces; i++) {
			scene->pen.fill = rows->type[d->piece[i].of.type].faded;
			draw_piece(d, &d->piece[i]);
		}
		return;
	}
	order = sort_by_type(d, first);
	for (uint32_t b = 0; b < 2 * rows->ntypes; b++) {
		const struct tv_type_style *type = &rows->type[b / 2];

		snprintf(group, sizeof group, "%s%s", stub ? "setup-" : "type-", type->name);
		tv_scene_pen(scene,
			     b / 2 == rows->uncounted ? "uncounted"
			     : rows->groups != NULL   ? "share"
						      : class[b % 2],
			     group);
		scene->pen.fill = b % 2 == 1 ? type->color : type->faded;
		scene->pen.apart = true;
		for (size_t i = first[b]; i < first[b + 1]; i++)
			draw_piece(d, &d->piece[order[i]]);
	}
	tv_free(order);
}

void tv_pieces_separate(const struct tv_row_drawing *d)
{
	static const double wide = 3, touching = 0.3; /* points */
	const struct tv_rows *rows = d->rows;
	struct tv_scene *scene = d->figure->scene;
	struct tv_frame frame = scene->frame[d->frame];
	double point = frame.duration / frame.width; /* ns */

	tv_scene_pen(scene, "boundary", "boundaries");
	scene->pen.stroke = TV_WHITE;
	for (size_t i = 1; i < d->npieces; i++) {
		const struct tv_piece *a = &d->piece[i - 1], *b = &d->piece[i];
		const struct tv_row *row = &rows->row[b->row];

		if (a->row != b->row || bucket(a) != bucket(b) || a->item == b->item
		    || a->of.top != b->of.top || (double)(b->begin - a->end) > touching * point
		    || (double)(a->end - a->begin) < wide * point
		    || (double)(b->end - b->begin) < wide * point)
			continue;
		tv_scene_line(scene, d->frame, tv_row_drawing_time(d, b->begin),
			      row->y0 + (double)a->of.top * (row->y1 - row->y0),
			      tv_row_drawing_time(d, b->begin),
			      row->y0 + (double)a->of.bottom * (row->y1 - row->y0));
	}
}
