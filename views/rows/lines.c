/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c -- the rows of a chart as images of exact shares, one line after the other. */
#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "views/rows/drawing.h"

/* What is drawn from the items of some rows together: a row; one line of an image of rows lower than that; rows drawn as
 * one; the marks below a band whose rows are too low for any. */
enum form { ROW, MERGED, JOINED, MARKS };

struct line {
	enum form form;
	uint32_t first, n;  /* rows */
	uint32_t band, end; /* bands [band, end) */
};

/* A line while its items come. */
struct filling {
	const struct line *line;
	struct tv_density density;
	struct tv_covers covers; /* of a row */
	uint32_t nitems;	 /* likewise, so far */
};

struct lines {
	struct tv_row_drawing *d;
	struct line *at;
	size_t n, cap;
	struct filling *filling;
	size_t nfillings;	      /* in use */
	struct tv_gap_search *search; /* by row */
	struct tv_image merged;	      /* of the band so far */
};

/* ---- which lines ---- */

static void add_line(struct lines *lines, enum form form, uint32_t first, uint32_t n, uint32_t band,
		     uint32_t end)
{
	TV_GROW(lines->at, lines->n, lines->cap, 1);
	lines->at[lines->n++] = (struct line){ form, first, n, band, end };
}

static void list_band(struct lines *lines, uint32_t b)
{
	const struct tv_row_drawing *d = lines->d;
	const struct tv_band *band = &d->rows->band[b];

	if (band->nlines < band->n)
		for (uint32_t line = 0; line < band->nlines; line++) {
			uint32_t from = (uint32_t)((uint64_t)line * band->n / band->nlines);
			uint32_t to = (uint32_t)((uint64_t)(line + 1) * band->n / band->nlines);

			add_line(lines, MERGED, band->first + from, to - from, b, b + 1);
		}
	for (uint32_t i = 0; band->nlines == band->n && i < band->n; i++)
		add_line(lines, ROW, band->first + i, 1, b, b + 1);
	if (band->strip > 0
	    && (d->rows->noutliers > 0 || d->marks.edges.rare || d->marks.edges.gaps))
		add_line(lines, MARKS, band->first, band->n, b, b + 1);
}

static void list_lines(struct lines *lines)
{
	const struct tv_rows *rows = lines->d->rows;

	for (uint32_t b = 0, end; b < rows->nbands; b = end) {
		const struct tv_band *last;

		end = rows->collapse == TV_COLLAPSE_NODE ? tv_rows_node_end(rows, b) : b + 1;
		last = &rows->band[end - 1];
		if (rows->collapse == TV_COLLAPSE_NONE)
			list_band(lines, b);
		else
			add_line(lines, JOINED, rows->band[b].first,
				 last->first + last->n - rows->band[b].first, b, end);
	}
}

/* ---- items ---- */

/* Which of the two steps with items: what is dense is known after all of them. */
enum step { FIND = 1, ADD = 2 };

/* A row's height fits that many of its items at a time; parts of groups are no tasks. */
static void add_items(struct tv_row_drawing *d, struct filling *f, const struct tv_item *item,
		      uint32_t n)
{
	uint32_t touching = tv_density_add(&f->density, item, n);

	d->figure->crowd += d->rows->groups == NULL ? touching : 0;
}

static void find_gaps(struct lines *lines, struct filling *f, uint32_t r,
		      const struct tv_item *item, uint32_t n)
{
	const struct tv_row *row = &lines->d->rows->row[r];
	const struct tv_band *band = &lines->d->rows->band[row->band];
	bool edge = row->bottom > row->y1;

	lines->d->marks.density = &f->density;
	tv_marks_find_gaps(&lines->d->marks, &lines->search[r], item, n, edge ? row->y1 : band->y1,
			   edge ? row->bottom : band->y1 + band->strip);
}

static void take_row(struct lines *lines, struct filling *f, const struct tv_rows *some,
		     unsigned steps)
{
	struct tv_row_drawing *d = lines->d;
	const struct tv_row *row = &some->row[f->line->first];
	const struct tv_item *item = (some->mixed ? tv_row_times : tv_row_items)(some, row,
										 &d->room);

	if ((steps & FIND) && !some->mixed)
		tv_density_find(&f->density, item, row->n,
				(row->y1 - row->y0) / d->figure->scene->cell);
	if (!(steps & ADD))
		return;
	if (!some->mixed)
		tv_density_decide(&f->density);
	add_items(d, f, item, row->n);
	if (!some->mixed) /* images show all of these */
		tv_pieces_collect(d, &f->density, &f->covers, f->line->first, item, row->n,
				  f->nitems);
	f->nitems += row->n;
	find_gaps(lines, f, f->line->first, item, row->n);
}

static void take_rows(struct lines *lines, struct filling *f, const struct tv_rows *some)
{
	const struct line *line = f->line;
	const struct tv_band *band = &lines->d->rows->band[line->band];

	for (uint32_t r = line->first; r < line->first + line->n; r++) {
		const struct tv_row *row = &some->row[r];
		const struct tv_item *item = tv_row_times(some, row, &lines->d->room);

		if (line->form != MARKS) {
			add_items(lines->d, f, item, row->n);
			continue;
		}
		tv_density_add(&f->density, item, row->n);
		/* Where each has a line of its own, that was done with it. */
		if (band->nlines < band->n)
			find_gaps(lines, f, r, item, row->n);
	}
}

static void take(struct lines *lines, const struct tv_rows *some, unsigned steps)
{
	for (size_t i = 0; i < lines->nfillings; i++) {
		struct filling *f = &lines->filling[i];

		if (f->line->form == ROW)
			take_row(lines, f, some, steps);
		else if (steps & ADD)
			take_rows(lines, f, some);
	}
}

static void find_some(void *lines, const struct tv_rows *some)
{
	take(lines, some, FIND);
}

static void add_some(void *lines, const struct tv_rows *some)
{
	struct lines *of = lines;

	tv_row_drawing_texts(of->d, &some->tasks->trace->table[TV_TASKS]);
	take(lines, some, ADD);
}

/* The items of all rows, to the lines in use. */
static int take_items(struct lines *lines, struct tv_error *err)
{
	const struct tv_figure *figure = lines->d->figure;
	const struct tv_rows *rows = lines->d->rows;
	bool any = false;

	if (figure->run->parts == NULL) {
		take(lines, rows, FIND | ADD);
		return 0;
	}
	for (size_t i = 0; i < lines->nfillings; i++)
		any = any || (lines->filling[i].line->form == ROW && !rows->mixed);
	if (any && tv_rows_give(rows, figure->run, NULL, false, find_some, lines, err) < 0)
		return -1;
	/* The panel spacetime may hide them in all others. */
	return tv_rows_give(rows, figure->run, figure->rows->has_outliers ? figure->outliers : NULL,
			    figure->scene->labels, add_some, lines, err);
}

/* ---- drawn ---- */

/* Pixels that a row's image is high: one if it is lower than four cells, too low to show types one
 * above the other. In vector media they need not be cells. */
static uint32_t image_height(const struct tv_scene *scene, double height)
{
	static const double stacked = 4, min = 3;
	double cells = floor(height / scene->cell + 0.5), lines = floor(height / scene->line + 0.5);

	return cells < stacked ? 1 : (uint32_t)fmax(lines, min);
}

static void draw_images(struct tv_row_drawing *d, const struct tv_density *density, double y0,
			double y1)
{
	struct tv_scene *scene = d->figure->scene;
	const struct tv_rows *rows = d->rows;
	uint32_t from, to = 0, height = image_height(scene, y1 - y0);

	tv_scene_pen(scene, "shares", "");
	while (tv_density_run(density, &from, &to)) {
		struct tv_image image = tv_density_image(density, from, to, height, rows->type);

		tv_scene_image(scene, d->frame, tv_row_drawing_time(d, density->edge[from]), y0,
			       tv_row_drawing_time(d, density->edge[to]), y1, image);
		d->figure->crowd_cells += tv_density_filled(density, from, to);
	}
}

/* Rows lower than a cell: one image for all, each of its lines the mean of several rows. */
static void draw_merged(struct lines *lines, const struct filling *f)
{
	struct tv_row_drawing *d = lines->d;
	const struct tv_band *band = &d->rows->band[f->line->band];
	uint32_t width = f->density.ncells;
	struct tv_image *image = &lines->merged, one;

	if (image->pixel == NULL)
		*image = (struct tv_image){
			width, 0, tv_alloc((size_t)width * band->nlines, sizeof *image->pixel)
		};
	d->figure->crowd_cells += tv_density_filled(&f->density, 0, width);
	one = tv_density_image(&f->density, 0, width, 1, d->rows->type);
	memcpy(image->pixel + (size_t)image->height++ * width, one.pixel,
	       width * sizeof *one.pixel);
	tv_free(one.pixel);
	if (image->height < band->nlines)
		return;
	tv_scene_pen(d->figure->scene, "shares", "");
	tv_scene_image(d->figure->scene, d->frame, tv_row_drawing_time(d, f->density.edge[0]),
		       band->y0, tv_row_drawing_time(d, f->density.edge[width]), band->y1, *image);
	*image = (struct tv_image){ 0 };
}

static void draw_line(struct lines *lines, struct filling *f)
{
	struct tv_row_drawing *d = lines->d;
	const struct tv_rows *rows = d->rows;
	const struct tv_row *row = &rows->row[f->line->first];
	const struct tv_band *first = &rows->band[f->line->band],
			     *last = &rows->band[f->line->end - 1];

	d->marks.density = &f->density;
	switch (f->line->form) {
	case ROW:
		draw_images(d, &f->density, row->y0, row->y1);
		tv_marks_types(&d->marks, row->y1, row->bottom);
		break;
	case MERGED:
		draw_merged(lines, f);
		break;
	case JOINED: /* and below them what an image hides */
		draw_images(d, &f->density, first->y0, last->y1);
		tv_marks_types(&d->marks, last->y1, last->y1 + last->strip);
		break;
	case MARKS:
		tv_marks_types(&d->marks, last->y1, last->y1 + last->strip);
		break;
	}
}

/* How many lines are filled at a time: one after the other where all rows are there, else as many as there is memory for, as
 * all rows are read for them. */
static size_t count_fillings(const struct lines *lines, uint32_t ncells)
{
	const size_t share = 4; /* of the memory that is left */
	size_t max = tv_memory_max(), used = tv_memory_used();
	size_t bytes = (size_t)ncells * (lines->d->rows->ntypes + 2) * sizeof(int64_t)
		     + sizeof(struct filling);
	size_t fit = lines->d->figure->run->parts == NULL || used > max
			   ? 1
			   : (max - used) / share / bytes;

	return fit < 1 ? 1 : fit < lines->n ? fit : lines->n;
}

int tv_row_drawing_lines(struct tv_row_drawing *d, int64_t begin, int64_t end, uint32_t ncells,
			 struct tv_error *err)
{
	const struct tv_rows *rows = d->rows;
	struct lines lines = { .d = d };
	size_t max;
	int rc = 0;

	list_lines(&lines);
	lines.search = tv_alloc(rows->nrows, sizeof *lines.search);
	max = count_fillings(&lines, ncells);
	lines.filling = tv_alloc(max, sizeof *lines.filling);
	for (size_t i = 0; i < max; i++)
		tv_density_init(&lines.filling[i].density, begin, end, ncells, rows->ntypes);
	for (size_t from = 0; rc == 0 && from < lines.n; from += lines.nfillings) {
		lines.nfillings = max < lines.n - from ? max : lines.n - from;
		for (size_t i = 0; i < lines.nfillings; i++) {
			struct filling *f = &lines.filling[i];

			f->line = &lines.at[from + i];
			f->nitems = 0;
			tv_covers_clear(&f->covers);
			tv_density_clear(&f->density, f->line->n * rows->lanes,
					 f->line->form != ROW || rows->mixed);
		}
		rc = take_items(&lines, err);
		for (size_t i = 0; rc == 0 && i < lines.nfillings; i++)
			draw_line(&lines, &lines.filling[i]);
	}
	for (size_t i = 0; i < max; i++)
		tv_density_release(&lines.filling[i].density);
	tv_free(lines.merged.pixel);
	tv_free(lines.filling);
	tv_free(lines.search);
	tv_free(lines.at);
	return rc;
}
