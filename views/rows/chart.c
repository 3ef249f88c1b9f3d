/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chart.c -- items in rows: rectangles, images of shares, marks. */
#include "views/rows/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/rows/drawing.h"

/* A thin line around groups of several tasks that are wide enough: their idle part shows. */
static void border_groups(struct tv_row_drawing *d)
{
	static const double wide = 3; /* points */
	const struct tv_rows *rows = d->rows;
	const struct tv_column *pure = tv_table_find(rows->groups, "Pure");
	struct tv_scene *scene = d->figure->scene;
	struct tv_frame frame = scene->frame[d->frame];

	tv_scene_pen(scene, "group", "groups");
	scene->pen.stroke = TV_GRAY;
	for (uint32_t r = 0; r < rows->nrows; r++)
		for (uint32_t i = 0; i < rows->row[r].n; i++) {
			const struct tv_item *item = &rows->item[rows->row[r].first + i];
			double x0 = tv_row_drawing_time(d, item->begin),
			       x1 = tv_row_drawing_time(d, item->end);

			/* The lowest part represents its group. */
			if (item->bottom >= 1 && pure->i[item->row] != 1
			    && (scene->exact || (x1 - x0) / frame.duration * frame.width >= wide))
				tv_scene_rect(scene, d->frame, x0, rows->row[r].y0, x1,
					      rows->row[r].y1);
		}
}

/* The table whose rows items are. */
static const struct tv_table *table_of(const struct tv_figure *figure, const struct tv_rows *rows)
{
	return rows->table != NULL
		     ? rows->table
		     : &figure->run->trace->table[rows->states ? TV_STATES : TV_TASKS];
}

/* ---- with every item ---- */

static void add_types(struct tv_scene *scene, const struct tv_rows *rows)
{
	for (uint32_t t = 0; t < rows->ntypes; t++) {
		const char *class = rows->states ? rows->class != NULL ? rows->class : "state"
				  : t == rows->uncounted ? "uncounted"
				  : rows->groups != NULL ? "share"
				  : t >= rows->nshown	 ? "other"
							 : "task";
		struct tv_chart_type *type = tv_scene_chart_type(scene);

		type->name = tv_scene_string(scene, rows->type[t].name);
		type->class = tv_scene_string(scene, class);
		type->color = rows->type[t].color;
		type->faded = rows->type[t].faded;
		type->blind = !rows->states && t < rows->nshown ? rows->type[t].blind : type->color;
	}
}

/* What a row shows of the times of its frame. */
static void add_chart_items(struct tv_row_drawing *d, uint32_t r)
{
	const struct tv_row *row = &d->rows->row[r];
	const struct tv_frame *frame = &d->figure->scene->frame[d->frame];
	struct tv_scene *scene = d->figure->scene;
	const struct tv_item *item = tv_row_items(d->rows, row, &d->room);

	for (uint32_t i = 0; i < row->n; i++, item++) {
		struct tv_chart_item *to;

		if (tv_frame_time(frame, item->end) < 0
		    || tv_frame_time(frame, item->begin) > frame->duration)
			continue;
		to = tv_scene_chart_items(scene, 1);
		*to = (struct tv_chart_item){ .begin = item->begin,
					      .end = item->end,
					      .row = item->row,
					      .top = item->top,
					      .bottom = item->bottom,
					      .absent = item->absent,
					      .type = item->type,
					      .under = item->under,
					      .outlier = item->outlier };
		to->label = tv_row_drawing_label(d, item, r);
	}
}

static struct tv_chart_row *add_chart_row(struct tv_row_drawing *d, const struct tv_band *band)
{
	struct tv_scene *scene = d->figure->scene;
	struct tv_chart_row *row = tv_scene_chart_row(scene);

	row->rtype = tv_scene_string(scene, tv_pool_text(d->rows->pool, band->rtype));
	row->node = tv_scene_string(scene, tv_pool_text(d->rows->pool, band->node));
	return row;
}

/* Each row of a band. */
static void add_rows(struct tv_row_drawing *d, const struct tv_band *band)
{
	const struct tv_rows *rows = d->rows;

	for (uint32_t r = band->first; r < band->first + band->n; r++) {
		struct tv_chart_row *row = add_chart_row(d, band);

		row->name = tv_scene_string(d->figure->scene,
					    tv_pool_text(rows->pool, rows->row[r].resource));
		row->y0 = rows->row[r].y0;
		row->y1 = rows->row[r].y1;
		row->bottom = rows->row[r].bottom;
		row->lanes = rows->lanes;
		add_chart_items(d, r);
	}
}

TV_ORDER(by_begin, struct tv_chart_item, begin, row)

/* The rows of the bands [from, to) as one. */
static void add_joined(struct tv_row_drawing *d, uint32_t from, uint32_t to)
{
	const struct tv_rows *rows = d->rows;
	const struct tv_band *first = &rows->band[from], *last = &rows->band[to - 1];
	struct tv_scene *scene = d->figure->scene;
	struct tv_chart_row *row = add_chart_row(d, first);
	uint32_t n = last->first + last->n - first->first;

	row->y0 = first->y0;
	row->y1 = last->y1;
	row->bottom = last->y1 + last->strip;
	row->lanes = n * rows->lanes;
	for (uint32_t r = first->first; r < first->first + n; r++)
		add_chart_items(d, r);
	row = &scene->row[scene->nrows - 1];
	if (row->n > 0)
		qsort(scene->item + row->first, row->n, sizeof *scene->item, by_begin);
}

/* The chart of an exact scene. */
static void add_chart(struct tv_row_drawing *d)
{
	const struct tv_rows *rows = d->rows;
	struct tv_chart *chart;

	tv_scene_pen(d->figure->scene, "chart", "");
	chart = tv_scene_chart(d->figure->scene, d->frame);
	chart->tasks = tv_rows_show_tasks(rows);
	chart->nested = rows->states;
	chart->mixed = rows->mixed || rows->collapse != TV_COLLAPSE_NONE;
	add_types(d->figure->scene, rows);
	for (uint32_t b = 0; b < rows->nbands; b++) {
		uint32_t from = b;

		if (rows->collapse == TV_COLLAPSE_NONE) {
			add_rows(d, &rows->band[b]);
			continue;
		}
		if (rows->collapse == TV_COLLAPSE_NODE)
			b = tv_rows_node_end(rows, b) - 1;
		add_joined(d, from, b + 1);
	}
	if (rows->groups != NULL && rows->bordered)
		border_groups(d);
}

void tv_chart_items(struct tv_figure *figure, const struct tv_rows *rows, unsigned frame, bool stub)
{
	const struct tv_axis *axis = &figure->axis;
	struct tv_row_drawing d = {
		.figure = figure,
		.rows = rows,
		.frame = frame,
		.marks = { .scene = figure->scene, .frame = frame, .rows = rows },
		.segments = tv_rows_show_tasks(rows) && figure->run->tasks.segment != NULL,
	};
	double width = stub ? axis->stub_width : axis->width;

	tv_row_drawing_texts(&d, table_of(figure, rows));
	if (figure->scene->exact) {
		add_chart(&d);
		tv_item_room_release(&d.room);
		return;
	}
	if (!stub)
		d.marks.edges = rows->edges;
	/* A figure that was not read to its end is not written. */
	if (figure->failed.status == 0
	    && tv_row_drawing_lines(
		       &d, stub ? axis->setup : axis->begin, stub ? axis->begin : axis->end,
		       (uint32_t)fmax(1, floor(width / figure->scene->cell + 0.5)), &figure->failed)
		       == 0) {
		tv_pieces_draw(&d, stub);
		if (rows->groups == NULL)
			tv_pieces_separate(&d);
		else if (rows->bordered)
			border_groups(&d);
		if (!stub)
			tv_marks_gaps(&d.marks, &figure->gap_min);
	}
	tv_marks_release(&d.marks);
	tv_item_room_release(&d.room);
	tv_free(d.piece);
}

/* Between memory nodes or devices: through the rows, or beside them where they are low. */
static void draw_splits(struct tv_scene *scene, const struct tv_rows *rows,
			const struct tv_frame *f)
{
	static const double low = 4, tick = 2; /* points */

	tv_scene_pen(scene, "split", "frame");
	scene->pen.stroke = TV_DIM;
	for (uint32_t r = 0; r < rows->nrows; r++) {
		const struct tv_row *row = &rows->row[r];
		bool through = row->bottom - row->y0 >= low;

		if (rows->collapse != TV_COLLAPSE_NONE)
			return;

		scene->pen.dash = through ? TV_DOTTED : TV_SOLID;
		if (row->splits && !tv_row_hidden(rows, row)
		    && rows->band[row->band].nlines == rows->band[row->band].n)
			tv_scene_line(scene, TV_PAGE, f->x - (through ? 0 : tick), f->y + row->y0,
				      f->x + (through ? f->width : 0), f->y + row->y0);
	}
}

bool tv_chart_folds(const struct tv_figure *figure)
{
	return !figure->scene->exact && figure->options->row_pattern == NULL;
}

void tv_chart_frame(struct tv_scene *scene, const struct tv_rows *rows, unsigned frame)
{
	struct tv_frame f = scene->frame[frame];
	static const double apart = 4; /* points */
	bool crowded = f.height < 2 * apart * rows->nbands;
	double above = 0;

	tv_scene_pen(scene, "separator", "frame");
	scene->pen.stroke = TV_DIM;
	for (uint32_t b = 1; b < rows->nbands; b++) {
		bool node = rows->band[b].node != rows->band[b - 1].node;
		double y = (rows->band[b - 1].y1 + rows->band[b - 1].strip + rows->band[b].y0
			    + (node ? rows->foot - rows->head : 0))
			 / 2;

		/* Lines of so many low bands would be all that shows. */
		if (y - above < apart || (!node && rows->collapse == TV_COLLAPSE_NODE))
			continue;
		above = y;
		scene->pen.width = node && !crowded ? 0.9 : TV_LINE_MIN;
		tv_scene_line(scene, TV_PAGE, f.x, f.y + y, f.x + f.width, f.y + y);
	}
	draw_splits(scene, rows, &f);
	tv_scene_pen(scene, "frame", "frame");
	scene->pen.stroke = TV_INK;
	scene->pen.width = 0.5;
	tv_scene_rect(scene, TV_PAGE, f.x, f.y, f.x + f.width, f.y + f.height);
}
