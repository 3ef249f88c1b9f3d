/* SPDX-License-Identifier: GPL-3.0-or-later */
/* durations.c -- the panel of how durations are distributed, with the thresholds of outliers. */
#include <math.h>
#include <stdio.h>

#include "trace/text.h"
#include "views/charts/tiles.h"
#include "views/shared/panel.h"

struct durations {
	struct tv_tiles tiles; /* one per type and resource type */
	enum { AUTO, LINEAR, LOG } scale;
	const char *most;		     /* bins */
	const struct tv_table *bins, *boxes; /* of the pass: histograms; a row per group */
	bool log;
	double counts; /* width of the largest count, points */
	struct tv_key key[2];
};

static const double chart_height = 34, above = 5, tile_gap = 5, tile_min = 120, tile_max = 200,
		    pad = 4, tick = 2, bar_min = 0.5, lone_bar = 3, mark_radius = 1.1;
static const double span_min = 0.05; /* of the axis, as a share of its upper end */
static const int64_t tail = 8;	     /* longest over median, from which on the scale is log */

static int64_t cell(const struct tv_table *table, const char *column, uint32_t row)
{
	return tv_table_find(table, column)->i[row];
}

/* The most executions that one bin of a group holds. */
static int64_t largest_bin(const struct durations *d, const struct tv_tile_group *group)
{
	int64_t max = 0;

	for (uint32_t row = group->first; row < group->first + group->n; row++)
		max = cell(d->bins, "Tasks", row) > max ? cell(d->bins, "Tasks", row) : max;
	return max;
}

/* Whether some group's longest duration is many times its median. */
static bool has_tail(const struct durations *d)
{
	for (uint32_t row = 0; row < d->boxes->nrows; row++)
		if (cell(d->boxes, "Max", row) / tail > cell(d->boxes, "Median", row))
			return true;
	return false;
}

static int read_passes(struct tv_figure *figure, struct tv_slot *slot, struct durations *d,
		       struct tv_error *err)
{
	int rc = tv_panel_pass(figure, slot->panel, "distribution",
			       (const char *const[]){ "boxes", "", NULL }, &d->boxes, err);

	if (rc != 0)
		return rc;
	d->log = d->scale == LOG || (d->scale == AUTO && has_tail(d));
	return tv_panel_pass(
		figure, slot->panel, "distribution",
		(const char *const[]){ "scale", d->log ? "log" : "linear", "bins", d->most, NULL },
		&d->bins, err);
}

/* An axis that holds all bins of a group and its threshold. */
static struct tv_lengths lengths_for(const struct durations *d, uint32_t tile)
{
	const struct tv_tile_group *group = &d->tiles.group[tile];
	const struct tv_column *limit = tv_table_find(d->boxes, "Threshold");
	uint32_t box = group->number;
	double low = (double)cell(d->bins, "Lower", group->first);
	double high = (double)cell(d->bins, "Upper", group->first + group->n - 1);
	bool zero = low <= 0;

	if (zero && group->n > 1)
		low = (double)cell(d->bins, d->log ? "Lower" : "Upper",
				   group->first + (d->log ? 1 : 0));
	if (!tv_missing(limit, box))
		high = fmax(high, (double)limit->i[box]);
	if (zero && !d->log)
		low = 0;
	/* Equal durations are a spike, not the whole width. */
	if (high - low < span_min * high) {
		low -= (span_min * high - (high - low)) / 2;
		high = low + span_min * high;
	}
	return tv_lengths_for(d->log, low, high, zero);
}

static void draw_bin(struct tv_scene *scene, const struct durations *d,
		     const struct tv_tile_group *group, uint32_t row, double x0, double x1,
		     double y, double max)
{
	double count = (double)cell(d->bins, "Tasks", row);
	double outliers = (double)cell(d->bins, "Outliers", row);
	double height = fmax(bar_min, chart_height * count / max);

	if (count == 0)
		return;
	/* Equal durations would be a hairline behind their threshold on a logarithmic scale. */
	if (group->n == 1 && x1 - x0 < lone_bar) {
		x0 -= (lone_bar - (x1 - x0)) / 2;
		x1 = x0 + lone_bar;
	}
	tv_scene_pen(scene, "bin", group->name);
	scene->pen.fill = group->faded;
	scene->pen.row = row;
	tv_scene_rect(scene, TV_PAGE, x0, y - height, x1, y);
	if (outliers == 0)
		return;
	tv_scene_pen(scene, "outlier-bin", group->name);
	scene->pen.fill = group->color;
	scene->pen.row = row;
	tv_scene_rect(scene, TV_PAGE, x0, y - fmax(bar_min, chart_height * outliers / max), x1, y);
	tv_scene_pen(scene, "outlier", group->name);
	scene->pen.row = row;
	tv_bullet_draw(scene, (x0 + x1) / 2, y - height - 2 * mark_radius, mark_radius,
		       group->color, group->color);
}

static void draw_threshold(struct tv_scene *scene, double x, double y)
{
	tv_scene_pen(scene, "threshold", "durations");
	scene->pen.stroke = TV_INK;
	scene->pen.width = 0.6;
	scene->pen.dash = TV_DASHED;
	tv_scene_line(scene, TV_PAGE, x, y - chart_height - above, x, y);
}

/* The count that is the height of the chart. */
static void draw_count(struct tv_scene *scene, double x, double y, int64_t max)
{
	char text[40];

	tv_scene_pen(scene, "tick", "axis");
	scene->pen.stroke = TV_INK;
	tv_scene_line(scene, TV_PAGE, x - tick, y - chart_height, x, y - chart_height);
	tv_scene_line(scene, TV_PAGE, x, y - chart_height, x, y);
	tv_scene_pen(scene, "tick-label", "axis");
	scene->pen.fill = TV_INK;
	snprintf(text, sizeof text, "%lld", (long long)max);
	tv_scene_text(scene, x - tick - 2, y - chart_height + 1, TV_RIGHT, TV_TEXT_SMALL, false,
		      text);
}

static void draw_tile(struct tv_figure *figure, const void *state, uint32_t tile,
		      struct tv_point at)
{
	const struct durations *d = state;
	const struct tv_tile_group *group = &d->tiles.group[tile];
	const struct tv_column *limit = tv_table_find(d->boxes, "Threshold");
	struct tv_lengths lengths = lengths_for(d, tile);
	uint32_t box = group->number;
	int64_t max = largest_bin(d, group), outliers = cell(d->boxes, "Outliers", box);
	double x = at.x + d->counts + pad + tick, width = at.x + d->tiles.width - x;
	double y = at.y + TV_TILE_HEADING + above + chart_height;
	long long executions = cell(d->boxes, "Executions", box);
	char text[96], time[48];

	tv_duration_text(time, sizeof time, cell(d->boxes, "Max", box));
	if (executions > 1 && cell(d->boxes, "Min", box) == cell(d->boxes, "Max", box))
		snprintf(text, sizeof text, "%lld, all %s", executions, time);
	else
		snprintf(text, sizeof text, "%lld, %lld outlier%s", executions, (long long)outliers,
			 tv_plural(outliers));
	tv_tile_heading(figure, group, at.x, at.y, d->tiles.width, text);
	for (uint32_t row = group->first; row < group->first + group->n; row++)
		draw_bin(figure->scene, d, group, row,
			 x + width * tv_lengths_at(&lengths, (double)cell(d->bins, "Lower", row)),
			 x + width * tv_lengths_at(&lengths, (double)cell(d->bins, "Upper", row)),
			 y, (double)max);
	if (!tv_missing(limit, box))
		draw_threshold(figure->scene,
			       x + width * tv_lengths_at(&lengths, (double)limit->i[box]), y);
	draw_count(figure->scene, x, y, max);
	tv_lengths_draw(figure, &lengths, x, y, width);
}

/* Keys of what some tile has. */
static void set_keys(struct durations *d)
{
	const struct tv_column *limit = tv_table_find(d->boxes, "Threshold");
	bool limits = false, outliers = false;

	for (uint32_t i = 0; i < d->tiles.n; i++) {
		uint32_t box = d->tiles.group[i].number;

		limits = limits || !tv_missing(limit, box);
		outliers = outliers || cell(d->boxes, "Outliers", box) > 0;
	}
	if (limits)
		d->key[d->tiles.nkeys++] = (struct tv_key){ TV_KEY_DASHED, TV_INK,
							    "threshold of outliers" };
	if (outliers)
		d->key[d->tiles.nkeys++] = (struct tv_key){ TV_KEY_DOT, TV_GRAY, "outliers" };
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct durations *d = slot->state;
	int rc;

	d->tiles = (struct tv_tiles){
		.title = "durations",
		.key = d->key,
		.height = TV_TILE_HEADING + above + chart_height + TV_LENGTHS_HEIGHT + tile_gap,
		.min = tile_min,
		.max = tile_max,
		.draw = draw_tile,
	};
	rc = read_passes(figure, slot, d, err);
	if (rc != 0)
		return rc;
	tv_tiles_read(figure, slot, d->bins, d->bins->nrows);
	set_keys(d);
	for (uint32_t i = 0; i < d->tiles.n; i++) {
		char text[40];

		snprintf(text, sizeof text, "%lld", (long long)largest_bin(d, &d->tiles.group[i]));
		d->counts = fmax(d->counts,
				 tv_text_width(figure->scene->text, text, TV_TEXT_SMALL, false));
	}
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "bins", "N", "40", "max number of bins per chart", TV_OPTION_COUNT, 1, 0,
	  TV_INTO(struct durations, most) },
	{ "scale", "auto|linear|log", "auto",
	  "scale of durations; auto: log where there are long tails", TV_OPTION_CHOICE,
	  TV_INTO(struct durations, scale) },
	TV_OPTION_GROUPS,
};

const struct tv_panel tv_panel_durations = {
	.name = "durations",
	.title = "distribution of durations, with outlier thresholds",
	.needs = "tasks",
	.reads = "",
	.columns = "",
	.passes = { "distribution" },
	.share = 2,
	TV_PANEL_OPTIONS(options, struct durations),
	.prepare = prepare,
	TV_TILES_PANEL,
};
