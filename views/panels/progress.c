/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c -- the panel of iterations: when each was worked on, by which tasks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "views/charts/strip.h"
#include "views/charts/value.h"
#include "views/rows/chart.h"
#include "views/rows/items.h"
#include "views/shared/panel.h"

enum show { SEGMENTS, TASKS, CURVES, MIDDLE, NSHOWS };

static const char *const shows[] = { "segments", "tasks", "curves", "middle" };
_Static_assert(TV_COUNT(shows) == NSHOWS, "a name for every one");
static const double height_min = 24, row_wanted = 1.6, tall = 120; /* points */
static const double tick = 2, pad = 2, gap = 1.5;
static const double lane_min = 1.5; /* points; tasks lower than that are mixed */

/* Row i of rows is row first + i of the pass's table: others are not open in the window. */
struct progress {
	const char *parts;
	bool show[NSHOWS];   /* which of them */
	struct tv_rows rows; /* types and looks are those of the figure */
	const struct tv_table *table;
	uint32_t first;
	uint32_t lanes;			   /* tasks of one iteration that ran at once, at most */
	char title[128], lanes_title[128]; /* the second where each task has a height */
};

/* The iterations from the first to the last that is open in the time that the axis shows. */
static void choose_iterations(struct progress *p, const struct tv_axis *axis)
{
	const int64_t *start = tv_table_find(p->table, "Start")->i,
		      *end = tv_table_find(p->table, "End")->i;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->table->nrows; i++) {
		if (end[i] < axis->begin || start[i] > axis->end)
			continue;
		p->first = n == 0 ? i : p->first;
		n = i - p->first + 1;
	}
	p->rows.nrows = n;
	if (n > 0)
		p->rows.iteration = tv_table_find(p->table, "Iteration")->i + p->first;
}

static void take_lanes(void *state, const struct tv_rows *some)
{
	struct progress *p = state;

	p->lanes = some->lanes > p->lanes ? some->lanes : p->lanes;
}

/* The figure's tasks again, by iteration instead of worker; where they come part by part, how many of one ran at once. */
static int fill_rows(struct progress *p, const struct tv_figure *figure,
		     const struct tv_column *iteration, struct tv_error *err)
{
	struct tv_rows *rows = &p->rows;

	if (figure->run->parts == NULL) {
		tv_items_fill(rows, iteration);
		p->lanes = rows->lanes;
		return 0;
	}
	if (tv_rows_give(rows, figure->run, NULL, false, take_lanes, p, err) < 0)
		return -1;
	rows->height_lanes = p->lanes;
	return 0;
}

static int build_rows(struct progress *p, const struct tv_figure *figure,
		      const struct tv_column *iteration, struct tv_error *err)
{
	struct tv_rows *rows = &p->rows;

	*rows = *figure->rows;
	rows->task = NULL;
	rows->nitems = 0;
	choose_iterations(p, &figure->axis);
	if (rows->nrows == 0) {
		rows->row = NULL;
		rows->band = NULL;
		return 0;
	}
	rows->nbands = 1;
	rows->units = rows->nrows;
	rows->noutliers = 0; /* those of merged rows are marked in space-time */
	rows->row = tv_alloc(rows->nrows, sizeof *rows->row);
	rows->band = tv_alloc(1, sizeof *rows->band);
	rows->band[0] = (struct tv_band){ .n = rows->nrows, .weight = 1 };
	return fill_rows(p, figure, iteration, err);
}

static void write_title(struct progress *p, const struct tv_figure *figure,
			const struct tv_printed *printed)
{
	const int64_t *open = tv_table_find(p->table, "Open")->i,
		      *tasks = tv_table_find(p->table, "Tasks")->i;
	int64_t max = 0, none = tv_run_part(figure->run)->nexecutions;
	char lacking[48] = "", shown[48] = "";

	for (uint32_t i = 0; i < p->table->nrows; i++) {
		max = open[i] > max ? open[i] : max;
		none -= tasks[i];
	}
	if (none > 0)
		snprintf(lacking, sizeof lacking, ", %s tasks without",
			 tv_print_number(printed, "Without", NULL, "tasks", "%lld",
					 (long long)none));
	if (p->rows.nrows < p->table->nrows)
		snprintf(shown, sizeof shown, "%u of ", p->rows.nrows);
	snprintf(p->title, sizeof p->title, "iterations: %s%s, at most %s open%s", shown,
		 tv_print_number(printed, "Iterations", NULL, "iterations", "%u", p->table->nrows),
		 tv_print_number(printed, "MaxOpen", NULL, "iterations", "%lld", (long long)max),
		 lacking);
	snprintf(p->lanes_title, sizeof p->lanes_title, "%.90s, row height = %u tasks", p->title,
		 p->lanes);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_table *iterations;
	struct progress *p = slot->state;
	int rc;

	for (size_t i = 0; i < NSHOWS; i++)
		p->show[i] = tv_value_lists(p->parts, shows[i]);
	rc = tv_panel_pass(figure, slot->panel, "iterations", NULL, &iterations, err);
	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "progress",
				   (const char *const[]){ "whole", "", NULL }, &p->table, err);
	if (rc == 0)
		rc = build_rows(p, figure, tv_table_find(iterations, "Iteration"), err);
	if (rc != 0)
		return rc;
	write_title(p, figure, &slot->printed);
	return p->rows.nrows > 0
		     ? 0
		     : tv_panel_nothing(figure, slot->panel, "no iteration is open in the window");
}

static size_t keys_of(const struct progress *p, struct tv_key *key)
{
	size_t n = 0;

	if (p->show[CURVES])
		key[n++] = (struct tv_key){ TV_KEY_LINE, TV_INK, "first start, last end" };
	if (p->show[MIDDLE])
		key[n++] = (struct tv_key){ TV_KEY_DASHED, TV_INK, "25, 50, 75 % ended" };
	return n;
}

/* Divides the height; tasks that run at once have parts of their row where these can be seen.
 * Returns the height used. */
static double place_rows(struct progress *p, double height, double cell)
{
	double used = tv_rows_place(&p->rows, height, cell);

	p->rows.mixed = p->lanes > 1
		     && (p->rows.row[0].y1 - p->rows.row[0].y0) / p->lanes < lane_min;
	p->rows.lanes = p->rows.mixed ? 1 : p->lanes;
	return used;
}

/* The title, cut to the width of the axis. */
static const char *title_for(const struct progress *p, const struct tv_figure *figure, char *out,
			     size_t size)
{
	bool lanes = p->show[TASKS] && p->rows.lanes > 1;

	return tv_text_fit(figure->scene->text, lanes ? p->lanes_title : p->title, TV_TEXT_SIZE,
			   true, figure->axis.width, out, size);
}

static double row_middle(const struct tv_row *row)
{
	return (row->y0 + row->bottom) / 2;
}

static void tick_text(const struct progress *p, uint32_t row, char *out, size_t size)
{
	snprintf(out, size, "%lld", (long long)p->rows.iteration[row]);
}

/* The smallest of 1, 2, 5, 10, ... such that the names of its multiples do not touch. */
static int64_t tick_step(const struct progress *p)
{
	static const int factor[] = { 2, 5, 10 };
	const struct tv_rows *rows = &p->rows;

	for (int64_t power = 1;; power *= 10)
		for (size_t f = 0; f < TV_COUNT(factor); f++) {
			int64_t step = f == 0 ? power : power * factor[f - 1];
			double last = -INFINITY, min = INFINITY;

			for (uint32_t r = 0; r < rows->nrows; r++)
				if (rows->iteration[r] % step == 0) {
					min = fmin(min, row_middle(&rows->row[r]) - last);
					last = row_middle(&rows->row[r]);
				}
			if (min >= TV_TEXT_SMALL * TV_TEXT_HEIGHT + gap || power > INT64_MAX / 100)
				return step;
		}
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct progress *p = slot->state;
	struct tv_key key[NSHOWS];
	double cell = figure->scene->cell;
	char text[2][32], title[128];

	p->rows.lanes = p->lanes; /* until the height is known the longer title counts */
	if (height > 0)
		slot->request.height = place_rows(p, height, cell);
	tick_text(p, 0, text[0], sizeof text[0]);
	tick_text(p, p->rows.nrows - 1, text[1], sizeof text[1]);
	for (int i = 0; i < 2; i++)
		slot->request.left = fmax(
			slot->request.left,
			tv_text_width(figure->scene->text, text[i], TV_TEXT_SMALL, false) + pad
				+ tick);
	slot->request.min = height_min;
	/* Many iterations in the usual height would be nothing but the curves. */
	if (figure->options->height_in == 0 && !slot->fixed)
		slot->request.min = fmax(height_min, fmin(p->rows.nrows * row_wanted,
							  figure->facet != NULL ? tall / 2 : tall));
	slot->request.top = tv_strip_height(figure, title_for(p, figure, title, sizeof title), key,
					    keys_of(p, key), tv_strip_width(figure));
}

static void draw_ticks(struct tv_figure *figure, const struct progress *p,
		       const struct tv_place *place)
{
	struct tv_scene *scene = figure->scene;
	double half = TV_TEXT_SMALL * TV_TEXT_HEIGHT / 2, taken = -INFINITY;
	int64_t step = tick_step(p);

	for (uint32_t r = 0; r < p->rows.nrows; r++) {
		double y = place->y + row_middle(&p->rows.row[r]);
		char text[32];

		if (p->rows.iteration[r] % step != 0)
			continue;
		tv_scene_pen(scene, "tick", "axis");
		scene->pen.stroke = TV_INK;
		tv_scene_line(scene, TV_PAGE, place->x - tick, y, place->x, y);
		tv_scene_pen(scene, "tick-label", "axis");
		scene->pen.fill = TV_INK;
		tick_text(p, r, text, sizeof text);
		y = fmin(fmax(y, place->y + half - 1), place->y + place->height - half + 1);
		if (y - half < taken)
			continue;
		taken = y + half;
		tv_scene_text(scene, place->x - tick - pad, y, TV_RIGHT, TV_TEXT_SMALL, false,
			      text);
	}
}

/* What lines show of the rows [from, to): one of them, or several that are lower than a cell. */
struct line {
	double y0, y1;
	int64_t start, end;
	uint32_t middle; /* row */
};

static struct line line_of(const struct progress *p, uint32_t i)
{
	const struct tv_rows *rows = &p->rows;
	const int64_t *start = tv_table_find(p->table, "Start")->i + p->first,
		      *end = tv_table_find(p->table, "End")->i + p->first;
	uint32_t n = rows->band[0].nlines;
	uint32_t from = (uint32_t)((uint64_t)i * rows->nrows / n);
	uint32_t to = (uint32_t)((uint64_t)(i + 1) * rows->nrows / n);
	struct line line = { rows->row[from].y0, rows->row[to - 1].bottom, start[from], end[from],
			     from + (to - from) / 2 };

	for (uint32_t r = from; r < to; r++) {
		line.start = start[r] < line.start ? start[r] : line.start;
		line.end = end[r] > line.end ? end[r] : line.end;
	}
	return line;
}

static void draw_segments(struct tv_scene *scene, const struct progress *p, unsigned frame)
{
	const struct tv_frame *f = &scene->frame[frame];

	tv_scene_pen(scene, "segment", "segments");
	scene->pen.stroke = TV_GRAY;
	for (uint32_t i = 0; i < p->rows.band[0].nlines; i++) {
		struct line line = line_of(p, i);

		tv_scene_line(scene, frame, tv_frame_time(f, line.start), (line.y0 + line.y1) / 2,
			      tv_frame_time(f, line.end), (line.y0 + line.y1) / 2);
	}
}

/* A staircase through one time of every row. of: column of the pass. */
static void draw_stairs(struct tv_scene *scene, const struct progress *p, unsigned frame,
			const char *of, const char *class, enum tv_dash dash)
{
	const struct tv_frame *f = &scene->frame[frame];
	uint32_t n = p->rows.band[0].nlines;
	struct tv_point *point = tv_alloc(2 * (size_t)n, sizeof *point);
	const int64_t *time = tv_table_find(p->table, of)->i + p->first;

	for (uint32_t i = 0; i < n; i++) {
		struct line line = line_of(p, i);
		int64_t at = strcmp(of, "Start") == 0 ? line.start
			   : strcmp(of, "End") == 0   ? line.end
						      : time[line.middle];
		double x = tv_frame_time(f, at);

		point[2 * i] = (struct tv_point){ x, line.y0 };
		point[2 * i + 1] = (struct tv_point){ x, line.y1 };
	}
	tv_scene_pen(scene, class, "curves");
	scene->pen.stroke = TV_INK;
	scene->pen.width = 0.6;
	scene->pen.dash = dash;
	tv_scene_path(scene, frame, TV_SHAPE_POLYLINE, point, 2 * (size_t)n);
	tv_free(point);
}

static void draw_curves(struct tv_scene *scene, const struct progress *p, unsigned frame)
{
	static const struct {
		enum show show;
		const char *of, *class;
		enum tv_dash dash;
	} line[] = {
		{ MIDDLE, "Ended25", "middle", TV_DASHED },
		{ MIDDLE, "Ended50", "middle", TV_DASHED },
		{ MIDDLE, "Ended75", "middle", TV_DASHED },
		{ CURVES, "Start", "start", TV_SOLID },
		{ CURVES, "End", "end", TV_SOLID },
	};

	for (size_t i = 0; i < TV_COUNT(line); i++)
		if (p->show[line[i].show])
			draw_stairs(scene, p, frame, line[i].of, line[i].class, line[i].dash);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct progress *p = slot->state;
	const struct tv_place *place = &slot->place;
	unsigned frame = tv_figure_frame(figure, "progress", place, place->height, false);
	struct tv_key key[NSHOWS];
	char title[128];

	place_rows(p, slot->given, figure->scene->cell);
	if (!p->show[TASKS])
		tv_grid_draw(figure, place, NULL);
	else
		tv_chart_items(figure, &p->rows, frame, false);
	if (p->show[SEGMENTS])
		draw_segments(figure->scene, p, frame);
	draw_curves(figure->scene, p, frame);
	tv_border_draw(figure->scene, place);
	draw_ticks(figure, p, place);
	tv_strip_draw(figure, title_for(p, figure, title, sizeof title), key, keys_of(p, key),
		      place->x, place->y, tv_strip_width(figure));
}

static void release(struct tv_slot *slot)
{
	struct progress *p = slot->state;

	tv_free(p->rows.row);
	tv_free(p->rows.band);
	tv_free(p->rows.task);
	tv_free(p);
}

static const struct tv_option_spec options[] = {
	{ "show", "segments|tasks|curves|middle,...", "tasks,curves",
	  "parts to draw; curves: first start and last end, middle: 25, 50, 75 % ended",
	  TV_OPTION_LIST, TV_INTO(struct progress, parts) },
};

const struct tv_panel tv_panel_progress = {
	.name = "progress",
	.title = "progression: which tasks of each iteration ran when",
	.needs = "Iteration, or tags of a known format",
	.reads = "",
	.columns = "Iteration Tag",
	.passes = { "iterations", "progress" },
	.share = 1.2,
	.is_default = true,
	.is_default_facet = true,
	TV_PANEL_OPTIONS(options, struct progress),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
