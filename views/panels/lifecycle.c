/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lifecycle.c -- the panel of how long tasks spend in each phase of their lives. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "views/charts/tiles.h"
#include "views/shared/panel.h"

enum { PHASES_MAX = 16 };

struct lifecycle {
	struct tv_tiles tiles; /* one per type and resource type */
	const struct tv_table *table;
	uint32_t phase[PHASES_MAX], nphases; /* labels, in the order of the pass */
	struct tv_lengths lengths;
	double names, numbers; /* widths of columns, points */
};

static const double row_height = 8, half_box = 2.4, tile_gap = 5, pad = 4, chart_min = 70,
		    tile_max = 240;

static const struct tv_key keys[] = {
	{ TV_KEY_LINE, TV_INK, "median" },
	{ TV_KEY_AREA, TV_GRAY, "quartiles" },
	{ TV_KEY_LINE, TV_GRAY, "range, tick at 95 %" },
};

static int64_t time_of(const struct lifecycle *life, const char *column, uint32_t row)
{
	return tv_table_find(life->table, column)->i[row];
}

static const char *phase_name(const struct lifecycle *life, uint32_t i)
{
	return tv_pool_text(life->table->pool, life->phase[i]);
}

/* The phases that some task has, in the order of the pass. */
static void find_phases(struct lifecycle *life)
{
	static const char *const order[] = { "dependencies", "push",  "queue",	  "popped",
					     "data",	     "ready", "execution" };
	const struct tv_column *phase = tv_table_find(life->table, "Stage");

	for (size_t i = 0; i < TV_COUNT(order); i++)
		for (uint32_t row = 0; row < life->table->nrows; row++)
			if (strcmp(tv_pool_text(life->table->pool, tv_label(phase, row)), order[i])
			    == 0) {
				life->phase[life->nphases++] = tv_label(phase, row);
				break;
			}
}

static void measure_columns(struct lifecycle *life, const struct tv_figure *figure)
{
	struct tv_text *text = figure->scene->text;
	double low = INFINITY, high = 1;
	bool zero = false;

	for (uint32_t row = 0; row < life->table->nrows; row++) {
		static const char *const column[] = { "Min", "P25", "Median", "P75", "P95", "Max" };
		char number[64];

		tv_duration_text(number, sizeof number, time_of(life, "Median", row));
		life->numbers = fmax(life->numbers,
				     tv_text_width(text, number, TV_TEXT_SMALL, false));
		for (size_t i = 0; i < TV_COUNT(column); i++) {
			double ns = (double)time_of(life, column[i], row);

			zero = zero || ns <= 0;
			low = ns > 0 ? fmin(low, ns) : low;
			high = fmax(high, ns);
		}
	}
	life->lengths = tv_lengths_for(true, fmin(low, high), high, zero);
	for (uint32_t i = 0; i < life->nphases; i++)
		life->names = fmax(life->names,
				   tv_text_width(text, phase_name(life, i), TV_TEXT_SMALL, false));
}

/* Whiskers, box, median of one row of the table. */
static void draw_box(struct tv_scene *scene, const struct lifecycle *life,
		     const struct tv_tile_group *group, uint32_t row, double x, double y,
		     double width)
{
	static const char *const column[] = { "Min", "P25", "Median", "P75", "P95", "Max" };
	double at[TV_COUNT(column)];

	for (size_t i = 0; i < TV_COUNT(column); i++)
		at[i] = x
		      + width
				* tv_lengths_at(&life->lengths,
						(double)time_of(life, column[i], row));
	tv_scene_pen(scene, "whisker", group->name);
	scene->pen.stroke = TV_GRAY;
	scene->pen.row = row;
	tv_scene_line(scene, TV_PAGE, at[0], y, at[5], y);
	tv_scene_line(scene, TV_PAGE, at[4], y - half_box / 2, at[4], y + half_box / 2);
	tv_scene_pen(scene, "box", group->name);
	scene->pen.fill = group->faded;
	scene->pen.row = row;
	tv_scene_rect(scene, TV_PAGE, at[1], y - half_box, at[3], y + half_box);
	tv_scene_pen(scene, "median", group->name);
	scene->pen.stroke = TV_INK;
	scene->pen.width = 0.9;
	scene->pen.row = row;
	tv_scene_line(scene, TV_PAGE, at[2], y - half_box, at[2], y + half_box);
}

static void draw_phase(struct tv_figure *figure, const struct lifecycle *life,
		       const struct tv_tile_group *group, uint32_t row, double x, double y)
{
	struct tv_scene *scene = figure->scene;
	double left = x + life->names + pad;
	char number[64];

	tv_duration_text(number, sizeof number, time_of(life, "Median", row));
	tv_scene_pen(scene, "median-number", "lifecycle");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x + life->tiles.width, y, TV_RIGHT, TV_TEXT_SMALL, false, number);
	draw_box(scene, life, group, row, left, y,
		 x + life->tiles.width - life->numbers - pad - left);
}

static void draw_tile(struct tv_figure *figure, const void *state, uint32_t tile,
		      struct tv_point at)
{
	const struct lifecycle *life = state;
	const struct tv_tile_group *group = &life->tiles.group[tile];
	const struct tv_column *phase = tv_table_find(life->table, "Stage"),
			       *tasks = tv_table_find(life->table, "Tasks");
	struct tv_scene *scene = figure->scene;
	double y = at.y + TV_TILE_HEADING + row_height / 2, left = at.x + life->names + pad;
	char count[40];

	/* The last phase of a group is the execution: all have it. */
	snprintf(count, sizeof count, "%lld", (long long)tasks->i[group->first + group->n - 1]);
	tv_tile_heading(figure, group, at.x, at.y, life->tiles.width, count);
	for (uint32_t i = 0; i < life->nphases; i++, y += row_height) {
		tv_scene_pen(scene, "phase", "lifecycle");
		scene->pen.fill = TV_INK;
		tv_scene_text(scene, at.x, y, TV_LEFT, TV_TEXT_SMALL, false, phase_name(life, i));
		for (uint32_t row = group->first; row < group->first + group->n; row++)
			if (tv_label(phase, row) == life->phase[i])
				draw_phase(figure, life, group, row, at.x, y);
	}
	tv_lengths_draw(figure, &life->lengths, left, y - row_height / 2,
			at.x + life->tiles.width - life->numbers - pad - left);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct lifecycle *life = slot->state = tv_alloc(1, sizeof *life);
	int rc;

	life->tiles = (struct tv_tiles){
		.title = "phases of tasks",
		.key = keys,
		.nkeys = TV_COUNT(keys),
		.max = tile_max,
		.draw = draw_tile,
	};
	rc = tv_panel_pass(figure, slot->panel, "lifecycle-summary", NULL, &life->table, err);
	if (rc != 0)
		return rc;
	tv_tiles_read(figure, slot, life->table, life->table->nrows);
	find_phases(life);
	if (life->nphases < 2)
		return tv_panel_nothing(figure, slot->panel,
					"the tasks have neither SubmitTime nor DependsOn, nor are "
					"there events of the scheduler");
	measure_columns(life, figure);
	life->tiles.min = life->names + life->numbers + chart_min + 2 * pad;
	life->tiles.height = TV_TILE_HEADING + life->nphases * row_height + TV_LENGTHS_HEIGHT
			   + tile_gap;
	return 0;
}

static const struct tv_option_spec options[] = {
	TV_OPTION_GROUPS,
};

const struct tv_panel tv_panel_lifecycle = {
	.name = "lifecycle",
	.title = "how long tasks wait in each phase, and how long they run",
	.needs = "SubmitTime or DependsOn (better with events Task Push, Task Pop, links)",
	.share = 2,
	TV_OPTIONS(options),
	.prepare = prepare,
	TV_TILES_PANEL,
};
