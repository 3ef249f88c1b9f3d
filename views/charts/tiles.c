/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiles.c -- small charts in lines, and axes of durations. */
#include "views/charts/tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/strip.h"
#include "views/rows/rows.h"

static const double gap = 14, more_height = 9, tick = 2, zero_share = 0.08, label_gap = 4;
static const double narrowest = 90; /* no tile is readable in less, points */

/* Divides a width: as many columns as are wide enough. */
static void set_columns(struct tv_tiles *tiles, double width)
{
	double columns = floor((width + gap) / (tiles->min + gap) + 1e-6);

	tiles->columns = (uint32_t)fmax(1, fmin(columns, tiles->n));
	tiles->width = fmin(tiles->max, (width + gap) / tiles->columns - gap);
}

static uint32_t lines_for(const struct tv_tiles *tiles, uint32_t n)
{
	return (n + tiles->columns - 1) / tiles->columns;
}

static double height_of(const struct tv_tiles *tiles)
{
	return lines_for(tiles, tiles->n) * tiles->height
	     + (tiles->n < tiles->all ? more_height : 0);
}

/* How many tiles fit into that height. */
static uint32_t count_fitting(const struct tv_tiles *tiles, double height)
{
	double lines;

	if (height >= height_of(tiles) - 1e-6)
		return tiles->n;
	lines = floor((height - more_height) / tiles->height + 1e-6);
	return (uint32_t)fmin(fmax(0, lines) * tiles->columns, tiles->n);
}

void tv_tiles_measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct tv_tiles *tiles = slot->state;
	/* Below the stack there is the whole width, also if other panels are at its right. */
	double width = tv_slot_width(figure, slot);

	(void)height;
	set_columns(tiles, width);
	/* A cell more, since heights are rounded down to cells. */
	slot->request.height = tv_strip_height(figure, tiles->title, tiles->key, tiles->nkeys,
					       width)
			     + height_of(tiles) + figure->scene->cell;
	slot->request.min = slot->request.height;
}

void tv_tiles_layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct tv_tiles *tiles = slot->state;
	const struct tv_place *place = &slot->place;
	double top = place->y
		   + tv_strip_height(figure, tiles->title, tiles->key, tiles->nkeys, place->width);
	uint32_t shown;
	char text[128];

	set_columns(tiles, place->width);
	shown = place->width < narrowest ? 0 : count_fitting(tiles, place->y + place->height - top);
	tv_strip_draw(figure, tiles->title, tiles->key, tiles->nkeys, place->x, top, place->width);
	for (uint32_t i = 0; i < shown; i++)
		tiles->draw(figure, slot->state, i,
			    (struct tv_point){ place->x + i % tiles->columns * (tiles->width + gap),
					       top + i / tiles->columns * tiles->height });
	if (shown == tiles->all)
		return;
	snprintf(text, sizeof text, "%u more %s", tiles->all - shown,
		 tiles->types ? "task types" : "groups");
	tv_scene_pen(figure->scene, "more", "tiles");
	figure->scene->pen.fill = TV_DIM;
	tv_scene_text(figure->scene, place->x,
		      top + lines_for(tiles, shown) * tiles->height + more_height / 2, TV_LEFT,
		      TV_TEXT_SMALL, false, text);
}

void tv_tiles_release(struct tv_slot *slot)
{
	struct tv_tiles *tiles = slot->state;

	tv_free(tiles->group);
	tv_free(tiles);
}

TV_ORDER(by_rank, struct tv_tile_group, rank, first)

static void label_text(const struct tv_table *table, uint32_t label, char *out, size_t size)
{
	tv_clean_text(out, size, label == TV_NONE ? "" : tv_pool_text(table->pool, label));
}

static void look_up(struct tv_tile_group *kind, const char *type, const struct tv_rows *rows)
{
	kind->rank = 0;
	while (kind->rank < rows->nshown && strcmp(rows->type[kind->rank].name, type) != 0)
		kind->rank++;
	kind->color = kind->rank < rows->nshown ? rows->type[kind->rank].color : TV_GRAY;
	kind->faded = tv_color_fade(kind->color);
}

/* The groups of the first nrows rows as they come; returns how many. */
static uint32_t find_groups(struct tv_tile_group *groups, const struct tv_rows *rows,
			    const struct tv_table *table, uint32_t nrows, bool rtypes)
{
	const struct tv_column *value = tv_table_find(table, "Value"),
			       *rtype = tv_table_find(table, "ResourceType");
	uint32_t n = 0;

	for (uint32_t row = 0; row < nrows; row++) {
		uint32_t label = tv_label(value, row), on = tv_label(rtype, row);
		char type[128], where[32] = "";
		struct tv_tile_group *group = &groups[n];

		if (row > 0 && label == tv_label(value, row - 1)
		    && (!rtypes || on == tv_label(rtype, row - 1))) {
			group[-1].n++;
			continue;
		}
		*group = (struct tv_tile_group){ .number = n++, .first = row, .n = 1 };
		label_text(table, label, type, sizeof type);
		look_up(group, type, rows);
		if (rtypes)
			label_text(table, on, where, sizeof where);
		snprintf(group->name, sizeof group->name, "%.120s%s%.31s", type,
			 where[0] != '\0' ? " " : "", where);
	}
	return n;
}

void tv_tiles_read(struct tv_figure *figure, struct tv_slot *slot, const struct tv_table *table,
		   uint32_t nrows)
{
	struct tv_tiles *tiles = slot->state;
	uint64_t max = tv_value_count(
		tv_panel_option(figure, slot->panel, tiles->types ? "types" : "groups"), 0);

	tiles->group = tv_alloc(nrows, sizeof *tiles->group);
	tiles->all = find_groups(tiles->group, figure->rows, table, nrows, !tiles->types);
	tiles->n = max < tiles->all ? (uint32_t)max : tiles->all;
	qsort(tiles->group, tiles->all, sizeof *tiles->group, by_rank);
}

void tv_tile_heading(struct tv_figure *figure, const struct tv_tile_group *kind, double x, double y,
		     double width, const char *text)
{
	static const double side = 5.2, swatch_gap = 2.4;
	struct tv_scene *scene = figure->scene;
	double middle = y + TV_TILE_HEADING / 2, used;
	char name[160];

	tv_scene_pen(scene, "swatch", "tiles");
	tv_swatch_draw(scene, x, middle, side, kind->faded, kind->color);
	tv_scene_pen(scene, "type", "tiles");
	scene->pen.fill = TV_INK;
	used = tv_scene_text(scene, x + width, middle, TV_RIGHT, TV_TEXT_SMALL, false, text);
	used += side + swatch_gap + label_gap;
	tv_scene_text(scene, x + side + swatch_gap, middle, TV_LEFT, TV_TEXT_SIZE, false,
		      tv_text_fit(scene->text, kind->name, TV_TEXT_SIZE, false, width - used, name,
				  sizeof name));
}

/* A unit from 1 of it on, where tv_unit_for begins with 2. */
static const struct tv_unit *unit_from_one(int64_t ns)
{
	return tv_unit_for(ns >= 1000 && ns <= INT64_MAX / 2 ? 2 * ns : ns);
}

void tv_duration_text(char *out, size_t size, int64_t ns)
{
	tv_time_text(out, size, ns, unit_from_one(ns < 0 ? -ns : ns));
}

struct tv_lengths tv_lengths_for(bool log, double low, double high, bool zero)
{
	struct tv_lengths lengths = { log, log && zero, low, high };

	if (!log) {
		double margin = high > low ? 0.02 * (high - low) : fmax(1, 0.02 * fabs(high));

		lengths.low = low - margin;
		lengths.high = high + margin;
		return lengths;
	}
	lengths.low = pow(10, floor(log10(fmax(low, 1)) + 1e-9));
	lengths.high = pow(10, ceil(log10(fmax(high, 1)) - 1e-9));
	if (lengths.high <= lengths.low)
		lengths.high = 10 * lengths.low;
	return lengths;
}

double tv_lengths_at(const struct tv_lengths *lengths, double ns)
{
	double first = lengths->zero ? zero_share : 0;

	if (!lengths->log)
		return (ns - lengths->low) / (lengths->high - lengths->low);
	if (ns < lengths->low)
		return lengths->zero && ns <= 0 ? 0 : first;
	return first + (1 - first) * log10(ns / lengths->low) / log10(lengths->high / lengths->low);
}

static void draw_tick(struct tv_figure *figure, double at, double y, const char *text,
		      double *free_from, double right)
{
	struct tv_scene *scene = figure->scene;
	double half = tv_text_width(scene->text, text, TV_TEXT_SMALL, false) / 2;

	tv_scene_pen(scene, "tick", "axis");
	scene->pen.stroke = TV_INK;
	tv_scene_line(scene, TV_PAGE, at, y, at, y + tick);
	/* A label stays in its tile, and is left out where it would touch the one before. */
	at = fmin(at, right - half);
	if (text[0] == '\0' || at - half < *free_from)
		return;
	tv_scene_pen(scene, "tick-label", "axis");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, at, y + tick + 4, TV_CENTER, TV_TEXT_SMALL, false, text);
	*free_from = at + half + label_gap;
}

/* Ticks at round times, the unit with the last label. */
static void draw_linear(struct tv_figure *figure, const struct tv_lengths *lengths, double x,
			double y, double width)
{
	static const double apart = 27;
	const struct tv_unit *unit = unit_from_one((int64_t)fmin(lengths->high, 9e18));
	struct tv_ticks ticks = tv_ticks_for((int64_t)ceil(lengths->low),
					     (int64_t)fmin(floor(lengths->high), 9e18), unit,
					     (unsigned)fmax(2, width / apart));
	double from = x - gap / 2;

	for (unsigned i = 0; i < ticks.n; i++) {
		double ns = (double)ticks.first + i * (double)ticks.step;
		char text[64];

		snprintf(text, sizeof text, "%.*f %s", ticks.decimals, ns / (double)unit->ns,
			 unit->name);
		draw_tick(figure, x + tv_lengths_at(lengths, ns) * width, y, text, &from,
			  x + width);
	}
}

/* Ticks at powers of ten. */
static void draw_log(struct tv_figure *figure, const struct tv_lengths *lengths, double x, double y,
		     double width)
{
	static const struct {
		const char *name;
		double ns;
	} unit[] = {
		{ "ns", 1 },
		{ "us", 1e3 },
		{ "ms", 1e6 },
		{ "s", 1e9 },
	};
	static const double apart = 30;
	int last = (int)lround(log10(lengths->high)), power = (int)lround(log10(lengths->low));
	int every = (int)ceil(apart * (last - power) / width);
	double from = x - gap / 2;

	if (lengths->zero)
		draw_tick(figure, x, y, "0", &from, x + width);
	for (; power <= last; power++) {
		double ns = pow(10, power);
		size_t u = TV_COUNT(unit) - 1;
		char text[40];

		while (u > 0 && ns < unit[u].ns * 0.999)
			u--;
		snprintf(text, sizeof text, "%.0f %s", ns / unit[u].ns, unit[u].name);
		if ((last - power) % every != 0)
			text[0] = '\0';
		draw_tick(figure, x + tv_lengths_at(lengths, ns) * width, y, text, &from,
			  x + width);
	}
}

void tv_lengths_draw(struct tv_figure *figure, const struct tv_lengths *lengths, double x, double y,
		     double width)
{
	tv_scene_pen(figure->scene, "axis", "axis");
	figure->scene->pen.stroke = TV_INK;
	figure->scene->pen.width = 0.5;
	tv_scene_line(figure->scene, TV_PAGE, x, y, x + width, y);
	if (lengths->log)
		draw_log(figure, lengths, x, y, width);
	else
		draw_linear(figure, lengths, x, y, width);
}
