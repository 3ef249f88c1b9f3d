/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utilization.c -- the panel of how busy each worker is, step by step, as a map. */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/curves.h"
#include "views/rows/chart.h"
#include "views/scene/ramp.h"
#include "views/shared/panel.h"

static const double row_min = 1.5, row_max = 7.2, comfortable = 110, tall = 200,
		    height_min = 40; /* points */

enum { STEPS = 200 };

struct map {
	const char *step;
	const struct tv_table *table; /* one row per step and worker */
	uint32_t nsteps;
	uint32_t *worker; /* per row of the figure: its place among those of a step */
	char title[128];
	struct tv_key key;
};

/* The index, within each step, of the worker of each row. */
static void find_workers(struct map *map, const struct tv_figure *figure)
{
	const struct tv_rows *rows = figure->rows;
	const struct tv_tasks *tasks = tv_run_part(figure->run);
	uint32_t nlabels = tv_pool_count(tasks->pool);
	uint32_t *of = tv_alloc(nlabels, sizeof *of);

	map->worker = tv_alloc(rows->nrows, sizeof *map->worker);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		of[tasks->workers[w].resource] = w;
	for (uint32_t r = 0; r < rows->nrows; r++)
		map->worker[r] = of[rows->row[r].resource];
	tv_free(of);
}

static void make_words(struct map *map, const struct tv_table *whole,
		       const struct tv_printed *printed)
{
	const struct tv_column *start = tv_table_find(map->table, "Start"),
			       *end = tv_table_find(map->table, "End");
	const struct tv_unit *unit;
	int64_t step = 0;
	char number[48];

	/* Windows cut the first and the last one. */
	for (uint32_t row = 0; row < map->table->nrows; row++)
		if (end->i[row] - start->i[row] > step)
			step = end->i[row] - start->i[row];
	unit = tv_unit_for(step);
	tv_number_text(number, sizeof number, (double)step / (double)unit->ns);
	snprintf(map->title, sizeof map->title, "utilization per %s %s: mean %s %%", number,
		 unit->name,
		 tv_print_number(printed, "Mean", NULL, "%", "%.1f",
				 tv_table_find(whole, "Utilization")->d[0]));
	map->key = (struct tv_key){ TV_KEY_SCALE, 0, "0 to 100 %", tv_load_color };
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_table *whole;
	char text[32];
	struct map *map = slot->state;
	int rc;

	tv_step_for(figure, STEPS, text, sizeof text);
	rc = tv_panel_pass(
		figure, slot->panel, "utilization",
		(const char *const[]){ "step", map->step != NULL ? map->step : text, NULL },
		&map->table, err);
	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "utilization",
				   (const char *const[]){ "step", "run", "by", "all", NULL },
				   &whole, err);
	if (rc != 0)
		return rc;
	if (map->table->nrows == 0)
		return tv_panel_nothing(figure, slot->panel, "the run takes no time");
	map->nsteps = map->table->nrows / tv_run_part(figure->run)->nworkers;
	make_words(map, whole, &slot->printed);
	find_workers(map, figure);
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	const struct map *map = slot->state;
	double cell = figure->scene->cell;

	figure->rows->fold = tv_chart_folds(figure);
	if (height == 0)
		height = tv_rows_wanted(figure->rows, row_min, row_max, comfortable, tall) + cell;
	slot->request.height = tv_rows_place(figure->rows, height, cell);
	if (figure->options->height_in == 0)
		slot->request.min = fmin(slot->request.height, height_min);
	slot->request.left = tv_chart_names_width(figure, figure->rows);
	figure->rows->fold = false;
	slot->request.top = tv_strip_height(figure, map->title, &map->key, 1,
					    tv_strip_width(figure));
}

/* What a line of the map shows: the mean of n rows, and the bins of its pixels. */
struct line {
	const struct map *map;
	const struct tv_bins *bins;
	int64_t *start, *end; /* of the steps */
	double *value;
};

static uint32_t mean_color(double share, const void *data)
{
	(void)data;
	return tv_load_color(share);
}

static void read_line(const struct line *line, uint32_t first, uint32_t n)
{
	const struct map *map = line->map;
	const double *share = tv_table_find(map->table, "Utilization")->d;
	uint32_t workers = map->table->nrows / map->nsteps;

	for (uint32_t s = 0; s < map->nsteps; s++) {
		double sum = 0;

		for (uint32_t r = first; r < first + n; r++)
			sum += share[(size_t)s * workers + map->worker[r]];
		line->value[s] = sum / n / 100;
	}
}

/* Rows [first, first + n) of the figure as one line of pixels between y0 and y1. */
static void draw_line(struct tv_figure *figure, const struct line *line, unsigned frame,
		      uint32_t first, uint32_t n, double y0, double y1)
{
	const struct tv_pieces pieces = { line->start, line->end, line->value, line->map->nsteps };
	struct tv_scene *scene = figure->scene;
	const struct tv_shade shade = { mean_color, NULL };
	char name[256];

	read_line(line, first, n);
	tv_scene_pen(scene, "load", "utilization");
	tv_clean_text(name, sizeof name,
		      tv_pool_text(figure->rows->pool, figure->rows->row[first].resource));
	scene->pen.label = scene->labels ? tv_scene_string(scene, name) : 0;
	tv_shades_draw(figure, frame, y0, y1, &pieces, line->bins, &shade);
}

static void draw_band(struct tv_figure *figure, const struct line *line, unsigned frame,
		      const struct tv_band *band)
{
	const struct tv_row *row = &figure->rows->row[band->first];

	for (uint32_t l = 0; l < band->nlines; l++) {
		uint32_t from = (uint32_t)((uint64_t)l * band->n / band->nlines),
			 to = (uint32_t)((uint64_t)(l + 1) * band->n / band->nlines);
		double share = (band->y1 - band->y0) / band->nlines;
		bool merged = band->nlines < band->n;
		double y0 = merged ? band->y0 + l * share : row[l].y0,
		       y1 = merged ? band->y0 + (l + 1) * share : row[l].bottom;

		draw_line(figure, line, frame, band->first + from, to - from, y0, y1);
	}
}

static void draw_map(struct tv_figure *figure, const struct map *map, unsigned frame)
{
	const int64_t *start = tv_table_find(map->table, "Start")->i,
		      *end = tv_table_find(map->table, "End")->i;
	uint32_t workers = map->table->nrows / map->nsteps;
	struct tv_bins bins = { 0 };
	struct line line = { map, &bins, tv_alloc(map->nsteps, sizeof *line.start),
			     tv_alloc(map->nsteps, sizeof *line.end),
			     tv_alloc(map->nsteps, sizeof *line.value) };

	tv_bins_even(&bins, figure);
	for (uint32_t s = 0; s < map->nsteps; s++) {
		line.start[s] = start[(size_t)s * workers];
		line.end[s] = end[(size_t)s * workers];
	}
	for (uint32_t b = 0; b < figure->rows->nbands; b++)
		draw_band(figure, &line, frame, &figure->rows->band[b]);
	tv_free(line.start);
	tv_free(line.end);
	tv_free(line.value);
	tv_free(bins.edge);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct tv_place *place = &slot->place;
	const struct map *map = slot->state;
	unsigned frame = tv_figure_frame(figure, "utilization", place, place->height, false);

	figure->rows->fold = tv_chart_folds(figure);
	tv_rows_place(figure->rows, slot->given, figure->scene->cell);
	draw_map(figure, map, frame);
	tv_chart_frame(figure->scene, figure->rows, frame);
	tv_chart_names(figure, figure->rows, place->y);
	figure->rows->fold = false;
	tv_strip_draw(figure, map->title, &map->key, 1, place->x, place->y, tv_strip_width(figure));
}

static void release(struct tv_slot *slot)
{
	struct map *map = slot->state;

	tv_free(map->worker);
	tv_free(map);
}

static const struct tv_option_spec options[] = {
	{ "step", "TIME", NULL, "length of a step (default: about 200 steps)", TV_OPTION_TIME, 1, 0,
	  TV_INTO(struct map, step) },
};

const struct tv_panel tv_panel_utilization = {
	.name = "utilization",
	.former = "utilisation",
	.title = "utilization of each worker per time step, as a heat map",
	.needs = "tasks",
	.reads = "",
	.columns = "",
	.passes = { "utilization" },
	.share = 2,
	TV_PANEL_OPTIONS(options, struct map),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
