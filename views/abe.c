/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abe.c -- the panel of where tasks ran, and where the area bound's solution would have them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "views/strip.h"

/* One task type: rows [first, first + n) of the pass's table, one per resource type. */
struct kind {
	char name[128];
	uint32_t color, faded;
	int64_t tasks;
	double time;		/* ns, of all its tasks */
	uint32_t first, n;
};

struct abe {
	const struct tv_table *table;
	struct kind *kind;	/* by time, the longest first */
	uint32_t n, shown;
	double names, counts, percents;	/* widths of columns, points */
};

static const double head = 9, line = 7, row_height = 15.2, kind_gap = 4, column_least = 94,
		    column_most = 170, column_gap = 14, pad = 4, names_most = 32, radius = 1.7;

static const char title[] = "tasks by resource type";
static const struct tv_key keys[] = {
	{ TV_KEY_AREA, TV_GRAY, "run" },
	{ TV_KEY_DOT, TV_INK, "ideal (ABE)" },
};

static int by_time(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* The look of a type: that of the legend. */
static void look_up(struct kind *kind, const struct tv_rows *rows)
{
	kind->color = TV_GRAY;
	kind->faded = tv_color_fade(TV_GRAY);
	for (uint32_t t = 0; t < rows->nshown; t++)
		if (strcmp(rows->type[t].name, kind->name) == 0) {
			kind->color = rows->type[t].color;
			kind->faded = rows->type[t].faded;
		}
}

/* The types of the whole run. */
static int read_kinds(struct abe *abe, const struct tv_figure *figure, struct tv_error *err)
{
	const struct tv_table *table = abe->table;
	const struct tv_column *node = tv_table_find(table, "Node"),
			       *value = tv_table_find(table, "Value"),
			       *actual = tv_table_find(table, "Actual"),
			       *mean = tv_table_find(table, "MeanDuration");

	abe->kind = tv_alloc(table->nrows, sizeof *abe->kind);
	if (abe->kind == NULL)
		return tv_fail_memory(err);
	for (uint32_t row = 0; row < table->nrows && tv_label(node, row) == TV_NONE; row++) {
		struct kind *kind = &abe->kind[abe->n];
		uint32_t label = tv_label(value, row);

		if (row == 0 || label != tv_label(value, row - 1)) {
			*kind = (struct kind){ .first = row };
			tv_clean_text(kind->name, sizeof kind->name,
				      label == TV_NONE ? "" : tv_pool_text(table->pool, label));
			look_up(kind, &figure->rows);
			abe->n++;
		}
		kind = &abe->kind[abe->n - 1];
		kind->n++;
		kind->tasks += actual->i[row];
		if (!tv_missing(mean, row))
			kind->time += (double)actual->i[row] * (double)mean->i[row];
	}
	qsort(abe->kind, abe->n, sizeof *abe->kind, by_time);
	return 0;
}

static void rtype_text(const struct tv_figure *figure, const struct abe *abe, uint32_t row,
		       char *out, size_t size)
{
	uint32_t label = tv_label(tv_table_find(abe->table, "ResourceType"), row);
	char text[128];

	tv_clean_text(text, sizeof text,
		      label == TV_NONE ? "" : tv_pool_text(abe->table->pool, label));
	tv_text_fit(figure->scene->text, text, TV_TEXT_SMALL, false, names_most, out, size);
}

enum { TEXT = 64 };

/* Tasks, which need not be whole, and their share of the type. */
static void number_text(double tasks, const struct kind *kind, char count[TEXT],
			char percent[TEXT])
{
	bool whole = fabs(tasks - nearbyint(tasks)) < 0.05 || tasks >= 1000;

	snprintf(count, TEXT, "%.*f", whole ? 0 : 1, tasks);
	snprintf(percent, TEXT, "%.1f %%", 100 * tasks / (double)kind->tasks);
}

static double actual_of(const struct abe *abe, uint32_t row)
{
	return (double)tv_table_find(abe->table, "Actual")->i[row];
}

static double ideal_of(const struct abe *abe, uint32_t row)
{
	return tv_table_find(abe->table, "Ideal")->d[row];
}

static double small_width(struct tv_text *text, const char *string)
{
	return tv_text_width(text, string, TV_TEXT_SMALL, false);
}

static void measure_columns(struct abe *abe, const struct tv_figure *figure)
{
	struct tv_text *text = figure->scene->text;

	for (uint32_t k = 0; k < abe->shown; k++) {
		const struct kind *kind = &abe->kind[k];

		for (uint32_t row = kind->first; row < kind->first + kind->n; row++) {
			const double value[] = { actual_of(abe, row), ideal_of(abe, row) };
			char out[160];

			rtype_text(figure, abe, row, out, sizeof out);
			abe->names = fmax(abe->names, small_width(text, out));
			for (int i = 0; i < 2; i++) {
				char count[TEXT], percent[TEXT];

				number_text(value[i], kind, count, percent);
				abe->counts = fmax(abe->counts, small_width(text, count));
				abe->percents = fmax(abe->percents, small_width(text, percent));
			}
		}
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct abe *abe = tv_alloc(1, sizeof *abe);
	double types;
	int rc;

	slot->state = abe;
	if (abe == NULL)
		return tv_fail_memory(err);
	if (tv_panel_number(figure, slot->panel, "types", 1, 1000, &types, err) < 0)
		return -1;
	if (figure->run->window.set)
		return tv_panel_nothing(figure, slot->panel, err, "it describes the whole run, "
					"not a window");
	rc = tv_panel_pass(figure, slot->panel, "abe", NULL, &abe->table, err);
	if (rc != 0)
		return rc;
	if (read_kinds(abe, figure, err) < 0)
		return -1;
	if (abe->n == 0 || abe->kind[0].n < 2)
		return tv_panel_nothing(figure, slot->panel, err, "there is one type of workers, "
					"so that tasks have no choice");
	abe->shown = (uint32_t)fmin(types, abe->n);
	measure_columns(abe, figure);
	return 0;
}

static double kind_height(const struct abe *abe)
{
	return head + row_height * abe->kind[0].n + kind_gap;
}

static uint32_t columns_of(const struct abe *abe, double width)
{
	double least = fmax(column_least, abe->names + abe->counts + abe->percents + 3 * pad + 24);
	double n = floor((width + column_gap) / (least + column_gap));

	return (uint32_t)fmax(1, fmin(n, abe->shown));
}

static int measure(struct tv_figure *figure, struct tv_slot *slot, double height,
		   struct tv_error *err)
{
	const struct abe *abe = slot->state;
	uint32_t columns = columns_of(abe, figure->width);
	uint32_t lines = (abe->shown + columns - 1) / columns;

	(void)height;
	(void)err;
	slot->room.height = tv_strip_height(figure, title, keys, TV_COUNT(keys), figure->width)
			  + lines * kind_height(abe) + (abe->shown < abe->n ? head : 0);
	slot->room.least = slot->room.height;
	return 0;
}

/* x: right end. */
static void write_number(struct tv_scene *scene, const struct abe *abe, double x, double y,
			 double value, const struct kind *kind, bool dim)
{
	char count[TEXT], percent[TEXT];

	number_text(value, kind, count, percent);
	tv_scene_pen(scene, dim ? "ideal-number" : "run-number", "abe");
	scene->pen.fill = dim ? TV_DIM : TV_INK;
	tv_scene_text(scene, x, y, TV_RIGHT, TV_TEXT_SMALL, false, percent);
	tv_scene_text(scene, x - abe->percents - pad, y, TV_RIGHT, TV_TEXT_SMALL, false, count);
}

/* One resource type of one task type: name, bar with bullet, numbers; y: top. */
static void draw_row(struct tv_figure *figure, const struct abe *abe, const struct kind *kind,
		     uint32_t row, double x, double y, double width)
{
	struct tv_scene *scene = figure->scene;
	double left = x + abe->names + pad;
	double length = width - abe->names - abe->counts - abe->percents - 3 * pad;
	double middle = y + line, all = (double)kind->tasks, actual = actual_of(abe, row),
	       ideal = ideal_of(abe, row);
	char text[160];

	rtype_text(figure, abe, row, text, sizeof text);
	tv_scene_pen(scene, "resource-type", "abe");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x, middle, TV_LEFT, TV_TEXT_SMALL, false, text);
	tv_scene_pen(scene, "track", "abe");
	scene->pen.fill = TV_GRID;
	tv_scene_rect(scene, TV_PAGE, left, middle - 3.2, left + length, middle + 3.2);
	tv_scene_pen(scene, "run", kind->name);
	scene->pen.fill = kind->faded;
	scene->pen.row = row;
	tv_scene_rect(scene, TV_PAGE, left, middle - 3.2, left + length * actual / all,
		      middle + 3.2);
	tv_scene_pen(scene, "ideal", kind->name);
	scene->pen.row = row;
	tv_bullet_draw(scene, left + length * ideal / all, middle, radius, kind->color, TV_INK);
	write_number(scene, abe, x + width, y + line / 2, actual, kind, false);
	write_number(scene, abe, x + width, y + 1.5 * line, ideal, kind, true);
}

static void draw_kind(struct tv_figure *figure, const struct abe *abe, const struct kind *kind,
		      double x, double y, double width)
{
	struct tv_scene *scene = figure->scene;
	char count[TV_NUMBER_MAX], name[160];
	double numbers;

	snprintf(count, sizeof count, "%lld", (long long)kind->tasks);
	tv_scene_pen(scene, "swatch", "abe");
	scene->pen.fill = kind->color;
	tv_scene_rect(scene, TV_PAGE, x, y + 1.9, x + 5.2, y + 7.1);
	tv_scene_pen(scene, "type", "abe");
	scene->pen.fill = TV_INK;
	numbers = tv_scene_text(scene, x + width, y + head / 2, TV_RIGHT, TV_TEXT_SMALL, false,
				count);
	tv_scene_text(scene, x + 7.6, y + head / 2, TV_LEFT, TV_TEXT_SIZE, false,
		      tv_text_fit(scene->text, kind->name, TV_TEXT_SIZE, false,
				  width - numbers - 7.6 - pad, name, sizeof name));
	for (uint32_t i = 0; i < kind->n; i++)
		draw_row(figure, abe, kind, kind->first + i, x, y + head + i * row_height, width);
}

static int layout(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct abe *abe = slot->state;
	const struct tv_place *place = &slot->place;
	struct tv_scene *scene = figure->scene;
	double top = place->y
		   + tv_strip_height(figure, title, keys, TV_COUNT(keys), place->width);
	double y = top, room = place->y + place->height - top + 1e-6, step = kind_height(abe);
	uint32_t columns = columns_of(abe, place->width), shown = abe->shown;
	double width = fmin(column_most, (place->width + column_gap) / columns - column_gap);
	uint32_t fits = columns * (uint32_t)fmax(0, floor((room + kind_gap) / step));

	(void)err;
	if (fits < shown)
		shown = columns * (uint32_t)fmax(0, floor((room - head + kind_gap) / step));
	tv_strip_draw(figure, title, keys, TV_COUNT(keys), place->x, top, place->width);
	for (uint32_t k = 0; k < shown; k++) {
		y = top + k / columns * step;
		draw_kind(figure, abe, &abe->kind[k], place->x + k % columns * (width + column_gap),
			  y, width);
	}
	if (shown < abe->n && room >= head) {
		char text[40];

		snprintf(text, sizeof text, "%u more types", abe->n - shown);
		tv_scene_pen(scene, "more", "abe");
		scene->pen.fill = TV_DIM;
		tv_scene_text(scene, place->x, (shown > 0 ? y + step : top) + head / 2 - kind_gap / 2,
			      TV_LEFT, TV_TEXT_SMALL, false, text);
	}
	return 0;
}

static void release(struct tv_slot *slot)
{
	struct abe *abe = slot->state;

	if (abe != NULL)
		tv_free(abe->kind);
	tv_free(abe);
}

static const struct tv_option_spec options[] = {
	{ "types", "N", "8", "task types shown, those with the most time" },
};

const struct tv_panel tv_panel_abe = {
	.name = "abe",
	.title = "where tasks ran, and where the area bound's solution would have them",
	.needs = "tasks on two types of workers",
	.kind = TV_FREE,
	.share = 1.5,
	.usual = true,
	.aside = true,
	.option = options,
	.noptions = TV_COUNT(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
