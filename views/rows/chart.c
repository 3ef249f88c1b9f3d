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
#include "views/rows/marks.h"

/* A part of an item that is drawn as a rectangle. */
struct piece {
	uint32_t row, item; /* of those of all rows */
	int64_t begin, end;
	float top, bottom; /* of the row's height */
};

struct drawing {
	struct tv_figure *figure;
	const struct tv_rows *rows;
	unsigned frame;
	struct tv_density density;
	struct tv_marks marks;
	struct tv_item_room room;
	struct piece *piece;
	size_t npieces, pieces_cap;
	size_t ofs[2 * TV_TYPES_MAX + 1]; /* pieces by type, normal ones first: where each begins */
	uint32_t *order;
	struct tv_hover what, when; /* begin and end of hover texts */
	bool segments;		    /* items are segments of tasks */
};

static double time_of(const struct drawing *d, int64_t ns)
{
	return tv_frame_time(&d->figure->scene->frame[d->frame], ns);
}

/* Pixels that a row's image is high: one if it is lower than four cells, too low to show types one
 * above the other. In vector media they need not be cells. */
static uint32_t image_height(const struct tv_scene *scene, double height)
{
	static const double stacked = 4, min = 3;
	double cells = floor(height / scene->cell + 0.5), lines = floor(height / scene->line + 0.5);

	return cells < stacked ? 1 : (uint32_t)fmax(lines, min);
}

static void draw_images(struct drawing *d, double y0, double y1)
{
	struct tv_scene *scene = d->figure->scene;
	const struct tv_rows *rows = d->rows;
	uint32_t from, to = 0, height = image_height(scene, y1 - y0);

	tv_scene_pen(scene, "shares", "");
	while (tv_density_run(&d->density, &from, &to)) {
		struct tv_image image = tv_density_image(&d->density, from, to, height, rows->type,
							 rows->ntypes);

		tv_scene_image(scene, d->frame, time_of(d, d->density.edge[from]), y0,
			       time_of(d, d->density.edge[to]), y1, image);
		d->figure->crowd_cells += tv_density_filled(&d->density, from, to);
	}
}

/* Of the items without length of a row, one for each type and cell: the others would lie under it, and
 * no image takes them, as they have no share of the time. */
static bool is_covered(uint32_t *cell_of, const struct drawing *d, const struct tv_item *item)
{
	uint32_t *last = &cell_of[2u * item->type + item->outlier], cell;

	if (item->begin != item->end || d->figure->scene->exact || item->begin < d->density.edge[0]
	    || item->begin >= d->density.edge[d->density.ncells])
		return false;
	cell = tv_density_cell(&d->density, item->begin);
	if (*last == cell)
		return true;
	*last = cell;
	return false;
}

static void collect_pieces(struct drawing *d, uint32_t row, const struct tv_item *item)
{
	const struct tv_row *of = &d->rows->row[row];
	uint32_t cell_of[2 * TV_TYPES_MAX];

	memset(cell_of, 0xff, sizeof cell_of);
	for (uint32_t i = 0; i < of->n; i++) {
		int64_t from, to = item[i].begin;

		if (is_covered(cell_of, d, &item[i]))
			continue;
		while (tv_density_piece(&d->density, item[i].begin, item[i].end, &from, &to)) {
			TV_GROW(d->piece, d->npieces, d->pieces_cap, 1);
			d->piece[d->npieces++] = (struct piece){
				row,	     (uint32_t)(of->first + i),
				from,	     to == INT64_MAX ? from : to,
				item[i].top, item[i].bottom
			};
		}
	}
}

/* A row's height fits that many of its items at a time; parts of groups are no tasks. */
static void add_items(struct drawing *d, const struct tv_row *row, const struct tv_item *item)
{
	uint32_t n = tv_density_add(&d->density, item, row->n);

	d->figure->crowd += d->rows->groups == NULL ? n : 0;
	d->density.nrows += d->rows->lanes - 1;
}

static void draw_row(struct drawing *d, uint32_t r)
{
	const struct tv_rows *rows = d->rows;
	const struct tv_row *row = &rows->row[r];
	const struct tv_band *band = &rows->band[row->band];
	const struct tv_item *item = (rows->mixed ? tv_row_times : tv_row_items)(rows, row,
										 &d->room);
	bool edge = row->bottom > row->y1;

	tv_density_clear(&d->density, rows->mixed);
	if (!rows->mixed)
		tv_density_find(&d->density, item, row->n,
				(row->y1 - row->y0) / d->figure->scene->cell);
	add_items(d, row, item);
	if (!rows->mixed) /* images show all of these */
		collect_pieces(d, r, item);
	draw_images(d, row->y0, row->y1);
	tv_marks_types(&d->marks, row->y1, row->bottom);
	tv_marks_find_gaps(&d->marks, item, row->n, edge ? row->y1 : band->y1,
			   edge ? row->bottom : band->y1 + band->strip);
}

/* The rows [from, to) as one. */
static void add_rows_of_items(struct drawing *d, uint32_t from, uint32_t to)
{
	tv_density_clear(&d->density, true);
	for (uint32_t r = from; r < to; r++)
		add_items(d, &d->rows->row[r], tv_row_times(d->rows, &d->rows->row[r], &d->room));
}

/* Rows lower than a cell: one image for all, each of its lines the mean of several rows. */
static void draw_merged(struct drawing *d, const struct tv_band *band)
{
	const struct tv_rows *rows = d->rows;
	uint32_t width = d->density.ncells;
	struct tv_image image = { width, band->nlines, NULL };

	image.pixel = tv_alloc((size_t)width * band->nlines, sizeof *image.pixel);
	for (uint32_t line = 0; line < band->nlines; line++) {
		uint32_t from = (uint32_t)((uint64_t)line * band->n / band->nlines);
		uint32_t to = (uint32_t)((uint64_t)(line + 1) * band->n / band->nlines);
		struct tv_image one;

		add_rows_of_items(d, band->first + from, band->first + to);
		d->figure->crowd_cells += tv_density_filled(&d->density, 0, width);
		one = tv_density_image(&d->density, 0, width, 1, rows->type, rows->ntypes);
		memcpy(image.pixel + (size_t)line * width, one.pixel, width * sizeof *one.pixel);
		tv_free(one.pixel);
	}
	tv_scene_pen(d->figure->scene, "shares", "");
	tv_scene_image(d->figure->scene, d->frame, time_of(d, d->density.edge[0]), band->y0,
		       time_of(d, d->density.edge[width]), band->y1, image);
}

/* The rows of the bands [from, to) as one: exact shares of all their workers, and below them what
 * an image hides. */
static void draw_joined(struct drawing *d, uint32_t from, uint32_t to)
{
	const struct tv_rows *rows = d->rows;
	const struct tv_band *last = &rows->band[to - 1];

	add_rows_of_items(d, rows->band[from].first, last->first + last->n);
	draw_images(d, rows->band[from].y0, last->y1);
	tv_marks_types(&d->marks, last->y1, last->y1 + last->strip);
}

/* Marks of a whole resource type, where its rows are too low to have any. */
static void mark_band(struct drawing *d, const struct tv_band *band)
{
	const struct tv_rows *rows = d->rows;

	tv_density_clear(&d->density, true);
	for (uint32_t i = 0; i < band->n; i++) {
		const struct tv_row *row = &rows->row[band->first + i];
		const struct tv_item *item = tv_row_times(rows, row, &d->room);

		tv_density_add(&d->density, item, row->n);
		/* Where each has a line of its own, that was done when it was drawn. */
		if (band->nlines < band->n)
			tv_marks_find_gaps(&d->marks, item, row->n, band->y1,
					   band->y1 + band->strip);
	}
	tv_marks_types(&d->marks, band->y1, band->y1 + band->strip);
}

static size_t bucket(const struct drawing *d, const struct piece *piece)
{
	struct tv_item item = tv_rows_item(d->rows, piece->item);

	return 2u * item.type + item.outlier;
}

/* Counting sort of the pieces: by type, normal before outlier, then as they came (row, time). */
static void sort_pieces(struct drawing *d)
{
	size_t at[2 * TV_TYPES_MAX];

	d->order = tv_alloc(d->npieces, sizeof *d->order);
	for (size_t i = 0; i < d->npieces; i++)
		d->ofs[bucket(d, &d->piece[i]) + 1]++;
	for (size_t b = 0; b < TV_COUNT(at); b++) {
		at[b] = d->ofs[b];
		d->ofs[b + 1] += d->ofs[b];
	}
	for (size_t i = 0; i < d->npieces; i++)
		d->order[at[bucket(d, &d->piece[i])]++] = (uint32_t)i;
}

/* The table whose rows items are. */
static const struct tv_table *table_of(const struct tv_figure *figure, const struct tv_rows *rows)
{
	return rows->table != NULL
		     ? rows->table
		     : &figure->run->trace->table[rows->states ? TV_STATES : TV_TASKS];
}

/* Hover text: type, job, its segment if it was suspended, iteration, resource, when and how long. */
static uint32_t describe(struct drawing *d, const struct tv_item *item, const struct tv_row *row)
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
				       (long long)rows->iteration[row - rows->row]);
	snprintf(text + at, sizeof text - at, "%s%s",
		 tv_hover_text(&d->when, item->row, item->begin, item->end, end, sizeof end),
		 item->outlier ? ", outlier" : "");
	return tv_scene_string(d->figure->scene, text);
}

static void draw_piece(struct drawing *d, const struct piece *piece)
{
	struct tv_scene *scene = d->figure->scene;
	const struct tv_row *row = &d->rows->row[piece->row];
	struct tv_item item = tv_rows_item(d->rows, piece->item);
	double height = row->y1 - row->y0;

	scene->pen.row = item.row;
	scene->pen.label = describe(d, &item, row);
	/* A task without length still shows, as the thinnest line. */
	scene->pen.stroke = piece->begin == piece->end ? scene->pen.fill : TV_NO_COLOR;
	tv_scene_rect(scene, d->frame, time_of(d, piece->begin),
		      row->y0 + (double)piece->top * height, time_of(d, piece->end),
		      row->y0 + (double)piece->bottom * height);
}

/* The pieces, one group per type; states as they are nested, so that inner ones are on top. */
static void draw_pieces(struct drawing *d, bool stub)
{
	static const char *const class[] = { "task", "outlier" };
	const struct tv_rows *rows = d->rows;
	struct tv_scene *scene = d->figure->scene;
	char group[160];

	if (rows->states) {
		tv_scene_pen(scene, rows->class != NULL ? rows->class : "state", "states");
		for (size_t i = 0; i < d->npieces; i++) {
			scene->pen.fill =
				rows->type[tv_rows_item(rows, d->piece[i].item).type].faded;
			draw_piece(d, &d->piece[i]);
		}
		return;
	}
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
		for (size_t i = d->ofs[b]; i < d->ofs[b + 1]; i++)
			draw_piece(d, &d->piece[d->order[i]]);
	}
}

/* White lines between adjacent tasks of one style: they can be counted. */
static void separate_pieces(struct drawing *d)
{
	static const double wide = 3, touching = 0.3; /* points */
	const struct tv_rows *rows = d->rows;
	struct tv_scene *scene = d->figure->scene;
	struct tv_frame frame = scene->frame[d->frame];
	double point = frame.duration / frame.width; /* ns */

	tv_scene_pen(scene, "boundary", "boundaries");
	scene->pen.stroke = TV_WHITE;
	for (size_t i = 1; i < d->npieces; i++) {
		const struct piece *a = &d->piece[i - 1], *b = &d->piece[i];
		const struct tv_row *row = &rows->row[b->row];

		if (a->row != b->row || bucket(d, a) != bucket(d, b) || a->item == b->item
		    || a->top != b->top || (double)(b->begin - a->end) > touching * point
		    || (double)(a->end - a->begin) < wide * point
		    || (double)(b->end - b->begin) < wide * point)
			continue;
		tv_scene_line(scene, d->frame, time_of(d, b->begin),
			      row->y0 + (double)a->top * (row->y1 - row->y0), time_of(d, b->begin),
			      row->y0 + (double)a->bottom * (row->y1 - row->y0));
	}
}

/* A thin line around groups of several tasks that are wide enough: their idle part shows. */
static void border_groups(struct drawing *d)
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
			double x0 = time_of(d, item->begin), x1 = time_of(d, item->end);

			/* The lowest part represents its group. */
			if (item->bottom >= 1 && pure->i[item->row] != 1
			    && (scene->exact || (x1 - x0) / frame.duration * frame.width >= wide))
				tv_scene_rect(scene, d->frame, x0, rows->row[r].y0, x1,
					      rows->row[r].y1);
		}
}

static void draw_rows(struct drawing *d)
{
	const struct tv_rows *rows = d->rows;

	for (uint32_t b = 0; b < rows->nbands; b++) {
		const struct tv_band *band = &rows->band[b];

		if (rows->collapse != TV_COLLAPSE_NONE) {
			uint32_t from = b;

			if (rows->collapse == TV_COLLAPSE_NODE)
				b = tv_rows_node_end(rows, b) - 1;
			draw_joined(d, from, b + 1);
			continue;
		}
		if (band->nlines < band->n)
			draw_merged(d, band);
		for (uint32_t i = 0; band->nlines == band->n && i < band->n; i++)
			draw_row(d, band->first + i);
		if (band->strip > 0
		    && (rows->noutliers > 0 || d->marks.edges.rare || d->marks.edges.gaps))
			mark_band(d, band);
	}
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
static void add_chart_items(struct drawing *d, const struct tv_row *row)
{
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
		to->label = describe(d, item, row);
	}
}

static struct tv_chart_row *add_chart_row(struct drawing *d, const struct tv_band *band)
{
	struct tv_scene *scene = d->figure->scene;
	struct tv_chart_row *row = tv_scene_chart_row(scene);

	row->rtype = tv_scene_string(scene, tv_pool_text(d->rows->pool, band->rtype));
	row->node = tv_scene_string(scene, tv_pool_text(d->rows->pool, band->node));
	return row;
}

/* Each row of a band. */
static void add_rows(struct drawing *d, const struct tv_band *band)
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
		add_chart_items(d, &rows->row[r]);
	}
}

TV_ORDER(by_begin, struct tv_chart_item, begin, row)

/* The rows of the bands [from, to) as one. */
static void add_joined(struct drawing *d, uint32_t from, uint32_t to)
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
		add_chart_items(d, &rows->row[r]);
	row = &scene->row[scene->nrows - 1];
	if (row->n > 0)
		qsort(scene->item + row->first, row->n, sizeof *scene->item, by_begin);
}

/* The chart of an exact scene. */
static void add_chart(struct drawing *d)
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
	struct drawing d = {
		.figure = figure,
		.rows = rows,
		.frame = frame,
		.marks = { .scene = figure->scene, .frame = frame, .rows = rows },
		.segments = tv_rows_show_tasks(rows) && figure->run->tasks.segment != NULL,
	};
	double width = stub ? axis->stub_width : axis->width;

	tv_hover_init(&d.what, table_of(figure, rows), "[{Value}, ][job {JobId}, ]");
	tv_hover_init(&d.when, table_of(figure, rows),
		      "[{ResourceId}, ]{from} to {to} ms ({long} ms)");
	if (figure->scene->exact) {
		add_chart(&d);
		tv_item_room_release(&d.room);
		return;
	}
	tv_density_init(&d.density, stub ? axis->setup : axis->begin,
			stub ? axis->begin : axis->end,
			(uint32_t)fmax(1, floor(width / figure->scene->cell + 0.5)));
	d.marks.density = &d.density;
	if (!stub)
		d.marks.edges = rows->edges;
	draw_rows(&d);
	sort_pieces(&d);
	draw_pieces(&d, stub);
	if (rows->groups == NULL)
		separate_pieces(&d);
	else if (rows->bordered)
		border_groups(&d);
	if (!stub)
		tv_marks_gaps(&d.marks, &figure->gap_min);
	tv_density_release(&d.density);
	tv_marks_release(&d.marks);
	tv_item_room_release(&d.room);
	tv_free(d.piece);
	tv_free(d.order);
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
