/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abe.c -- the panel of where tasks ran, and where the area bound's solution would have them. */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/tiles.h"
#include "views/shared/panel.h"

struct abe {
	struct tv_tiles tiles; /* one per task type */
	const struct tv_table *table;
	double names, counts, percents; /* widths of columns, points */
};

static const double line = 7, row_height = 15.2, tile_gap = 4, tile_min = 94, tile_max = 170,
		    bar_min = 24, bar_narrow = 12, pad = 4, names_max = 32, radius = 1.7;

static const struct tv_key keys[] = {
	{ TV_KEY_AREA, TV_GRAY, "run" },
	{ TV_KEY_DOT, TV_INK, "ideal (ABE)" },
};

/* Rows of the whole run: they come first and have no Node. */
static uint32_t whole_run(const struct tv_table *table)
{
	const struct tv_column *node = tv_table_find(table, "Node");
	uint32_t n = 0;

	while (n < table->nrows && tv_label(node, n) == TV_NONE)
		n++;
	return n;
}

/* The name of a row's resource type, at most that wide. */
static void rtype_text(const struct tv_figure *figure, const struct abe *abe, uint32_t row,
		       double width, char *out, size_t size)
{
	uint32_t label = tv_label(tv_table_find(abe->table, "ResourceType"), row);
	char text[128];

	tv_clean_text(text, sizeof text,
		      label == TV_NONE ? "" : tv_pool_text(abe->table->pool, label));
	tv_text_fit(figure->scene->text, text, TV_TEXT_SMALL, false, width, out, size);
}

enum { TEXT = 64 };

/* Tasks, which need not be whole, and their share of the type. */
static void number_text(double tasks, double all, char count[TEXT], char percent[TEXT])
{
	bool whole = fabs(tasks - nearbyint(tasks)) < 0.05 || tasks >= 1000;

	snprintf(count, TEXT, "%.*f", whole ? 0 : 1, tasks);
	snprintf(percent, TEXT, "%.1f %%", 100 * tasks / all);
}

static double actual_of(const struct abe *abe, uint32_t row)
{
	return (double)tv_table_find(abe->table, "Actual")->i[row];
}

static double ideal_of(const struct abe *abe, uint32_t row)
{
	return tv_table_find(abe->table, "Ideal")->d[row];
}

static double tasks_of(const struct abe *abe, const struct tv_tile_group *group)
{
	double tasks = 0;

	for (uint32_t i = 0; i < group->n; i++)
		tasks += actual_of(abe, group->first + i);
	return tasks;
}

static double small_width(struct tv_text *text, const char *string)
{
	return tv_text_width(text, string, TV_TEXT_SMALL, false);
}

/* Numbers at the right with their gaps. */
static double columns_of(const struct abe *abe)
{
	return abe->counts + abe->percents + 3 * pad;
}

static void measure_columns(struct abe *abe, const struct tv_figure *figure)
{
	struct tv_text *text = figure->scene->text;

	for (uint32_t k = 0; k < abe->tiles.n; k++) {
		const struct tv_tile_group *group = &abe->tiles.group[k];

		for (uint32_t row = group->first; row < group->first + group->n; row++) {
			const double value[] = { actual_of(abe, row), ideal_of(abe, row) };
			char out[160];

			rtype_text(figure, abe, row, names_max, out, sizeof out);
			abe->names = fmax(abe->names, small_width(text, out));
			for (int i = 0; i < 2; i++) {
				char count[TEXT], percent[TEXT];

				number_text(value[i], tasks_of(abe, group), count, percent);
				abe->counts = fmax(abe->counts, small_width(text, count));
				abe->percents = fmax(abe->percents, small_width(text, percent));
			}
		}
	}
	/* At the right of a stack tiles are no wider than that. */
	abe->names = fmin(abe->names, tile_min - bar_narrow - columns_of(abe));
	abe->tiles.min = fmax(tile_min, abe->names + bar_min + columns_of(abe));
}

/* x: right end. */
static void write_number(struct tv_scene *scene, const struct abe *abe, double x, double y,
			 double value, double all, bool dim)
{
	char count[TEXT], percent[TEXT];

	number_text(value, all, count, percent);
	tv_scene_pen(scene, dim ? "ideal-number" : "run-number", "abe");
	scene->pen.fill = dim ? TV_DIM : TV_INK;
	tv_scene_text(scene, x, y, TV_RIGHT, TV_TEXT_SMALL, false, percent);
	tv_scene_text(scene, x - abe->percents - pad, y, TV_RIGHT, TV_TEXT_SMALL, false, count);
}

/* One resource type of one task type: name, bar with bullet, numbers; y: top. */
static void draw_row(struct tv_figure *figure, const struct abe *abe,
		     const struct tv_tile_group *group, uint32_t row, double all, double x,
		     double y)
{
	struct tv_scene *scene = figure->scene;
	double left = x + abe->names + pad, right = x + abe->tiles.width;
	double length = abe->tiles.width - abe->names - columns_of(abe), middle = y + line;
	double actual = actual_of(abe, row), ideal = ideal_of(abe, row);
	char text[160];

	rtype_text(figure, abe, row, abe->names + 0.01, text, sizeof text);
	tv_scene_pen(scene, "resource-type", "abe");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x, middle, TV_LEFT, TV_TEXT_SMALL, false, text);
	tv_scene_pen(scene, "track", "abe");
	scene->pen.fill = TV_GRID;
	tv_scene_rect(scene, TV_PAGE, left, middle - 3.2, left + length, middle + 3.2);
	tv_scene_pen(scene, "run", group->name);
	scene->pen.fill = group->faded;
	scene->pen.row = row;
	tv_scene_rect(scene, TV_PAGE, left, middle - 3.2, left + length * actual / all,
		      middle + 3.2);
	tv_scene_pen(scene, "ideal", group->name);
	scene->pen.row = row;
	tv_bullet_draw(scene, left + length * ideal / all, middle, radius, group->color, TV_INK);
	write_number(scene, abe, right, y + line / 2, actual, all, false);
	write_number(scene, abe, right, y + 1.5 * line, ideal, all, true);
}

static void draw_tile(struct tv_figure *figure, const void *state, uint32_t i, struct tv_point at)
{
	const struct abe *abe = state;
	const struct tv_tile_group *group = &abe->tiles.group[i];
	double y = at.y + TV_TILE_HEADING, all = tasks_of(abe, group);
	char count[TEXT];

	snprintf(count, sizeof count, "%.0f", all);
	tv_tile_heading(figure, group, at.x, at.y, abe->tiles.width, count);
	for (uint32_t row = group->first; row < group->first + group->n; row++, y += row_height)
		draw_row(figure, abe, group, row, all, at.x, y);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct abe *abe = slot->state = tv_alloc(1, sizeof *abe);
	int rc;

	abe->tiles = (struct tv_tiles){
		.title = "tasks by resource type",
		.key = keys,
		.nkeys = TV_COUNT(keys),
		.types = true,
		.max = tile_max,
		.draw = draw_tile,
	};
	rc = tv_panel_pass(figure, slot->panel, "abe", NULL, &abe->table, err);
	if (rc != 0)
		return rc;
	tv_tiles_read(figure, slot, abe->table, whole_run(abe->table));
	if (abe->tiles.all == 0 || abe->tiles.group[0].n < 2)
		return tv_panel_nothing(figure, slot->panel,
					"there is one type of workers, "
					"so that tasks have no choice");
	abe->tiles.height = TV_TILE_HEADING + row_height * abe->tiles.group[0].n + tile_gap;
	measure_columns(abe, figure);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "types", "N", "8", "max number of task types, those with the most time", TV_OPTION_COUNT,
	  1, 1000 },
};

const struct tv_panel tv_panel_abe = {
	.name = "abe",
	.title = "actual and ideal task placement (ideal: that of the area bound)",
	.needs = "tasks on two types of workers",
	.reads = "",
	.columns = "",
	.passes = { "abe" },
	.share = 1.5,
	.is_default = true,
	.aside = true,
	TV_OPTIONS(options),
	.prepare = prepare,
	TV_TILES_PANEL,
};
