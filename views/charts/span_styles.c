/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span_styles.c -- spans that are drawn each, as shares of the time, or in a lane for each color. */
#include "views/charts/span_styles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/series.h"
#include "views/charts/value.h"
#include "views/rows/chart.h"
#include "views/rows/items.h"
#include "views/scene/palette.h"

static const double tick_from = 0.66; /* of the height of a row */

/* ---- each of them ---- */

static int64_t length_of(const struct tv_spans_shown *s, uint32_t i)
{
	return tv_missing(s->end, i) ? -1 : s->end->i[i] - s->start[i];
}

static int by_length(const void *a, const void *b, void *data)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t s = length_of(data, x), t = length_of(data, y);

	return s != t ? TV_COMPARE(t, s) : TV_COMPARE(x, y);
}

/* So that nothing is hidden by what is longer: a span by another one, an instant by a span. */
static void sort_spans(struct tv_spans_shown *s)
{
	bool spans = false, instants = false;

	s->order = tv_alloc(s->table->nrows, sizeof *s->order);
	for (uint32_t i = 0; i < s->table->nrows; i++) {
		s->order[i] = i;
		spans = spans || !tv_span_is_instant(s, i);
		instants = instants || tv_span_is_instant(s, i);
	}
	s->both = spans && instants;
	qsort_r(s->order, s->table->nrows, sizeof *s->order, by_length, s);
}

/* A row for each label of the table, and for the ends of arrows. */
static void add_rows(struct tv_spans_shown *s, const struct tv_span_spec *spec,
		     const struct tv_table *table)
{
	const struct tv_span_arrows *arrows = &s->arrows;
	struct tv_span_kinds rows = tv_span_count(table, tv_table_find(table, spec->row));
	uint32_t *label = tv_alloc(rows.n + 2 * (size_t)arrows->n, sizeof *label), n = 0;

	for (uint32_t i = 0; i < rows.n; i++)
		label[n++] = rows.at[i].label;
	for (uint32_t i = 0; i < arrows->n; i++) {
		label[n++] = tv_label(arrows->from, arrows->row[i]);
		label[n++] = tv_label(arrows->to, arrows->row[i]);
	}
	tv_span_rows_add(&s->rows, label, n, table->pool, spec->row_name);
	tv_free(label);
	tv_span_kinds_release(&rows);
}

void tv_span_prepare_each(struct tv_spans_shown *s, const struct tv_span_spec *spec,
			  uint32_t hidden)
{
	if (hidden > 0)
		snprintf(s->rows.title, sizeof s->rows.title, "%s (%u before or after)",
			 spec->title, hidden);
	add_rows(s, spec, s->table);
	sort_spans(s);
}

/* Spans are areas of half the color in the lower part of the row, instants lines down to them. */
static void draw_span(struct tv_figure *figure, const struct tv_slot *slot,
		      const struct tv_spans_shown *s, uint32_t i)
{
	int64_t from = s->start[i], to = tv_span_end(s, i);
	double unit = s->rows.unit, x = tv_axis_at(&figure->axis, from), y;
	struct tv_scene *scene = figure->scene;
	bool instant = tv_span_is_instant(s, i);

	if (s->kind_of[i] == TV_NO_TYPE || !tv_span_shown(figure, from, to))
		return;
	y = slot->place.y + tv_index_get(&s->rows.place, tv_label(s->row, i)) * unit;
	tv_scene_pen(scene, instant ? "instant" : "span", tv_span_spec_of(slot)->group);
	scene->pen.row = i;
	scene->pen.label = tv_hover_label(scene, &s->hover, i, from, to);
	if (!instant) {
		scene->pen.fill = tv_color_fade(s->kind[s->kind_of[i]].color);
		tv_span_draw(figure, from, to, y + (s->both ? 0.5 : 0.15) * unit,
			     y + (s->both ? 0.95 : 0.85) * unit);
		return;
	}
	scene->pen.stroke = s->kind[s->kind_of[i]].color;
	scene->pen.width = 0.8;
	tv_scene_line(scene, TV_PAGE, x, y + 0.05 * unit, x, y + (s->both ? 0.5 : 0.95) * unit);
}

void tv_span_draw_each(struct tv_figure *figure, const struct tv_slot *slot)
{
	const struct tv_spans_shown *s = slot->state;

	tv_grid_draw(figure, &slot->place, NULL);
	for (uint32_t i = 0; i < s->table->nrows; i++)
		draw_span(figure, slot, s, s->order[i]);
}

/* ---- shares ---- */

/* Spans in lanes beyond the last one are not drawn. The first kind is where one begins. */
static void drop_lanes(struct tv_spans_shown *s, const struct tv_span_spec *spec)
{
	uint32_t left = 0;

	for (uint32_t i = 0; s->lane != NULL && i < s->table->nrows; i++)
		if (s->lane->i[i] > spec->lanes_max) {
			left += s->kind_of[i] == 0;
			s->kind_of[i] = TV_NO_TYPE;
		}
	if (left > 0)
		snprintf(s->rows.title, sizeof s->rows.title, "%s, without %u beyond %u at once",
			 spec->title, left, spec->lanes_max);
}

/* A band for each row, with its lanes. */
static void add_bands(struct tv_spans_shown *s, const struct tv_span_spec *spec)
{
	struct tv_index lanes = { 0 };

	for (uint32_t i = 0; i < s->table->nrows; i++) {
		uint32_t label = tv_label(s->row, i), known,
			 lane = s->lane == NULL ? 1 : (uint32_t)s->lane->i[i];

		if (s->kind_of[i] == TV_NO_TYPE)
			continue;
		known = tv_index_get(&lanes, label);
		if (known == TV_NONE || known < lane)
			tv_index_set(&lanes, label, lane);
	}
	for (uint32_t i = 0; i < s->table->nrows; i++)
		if (s->kind_of[i] != TV_NO_TYPE
		    && tv_index_get(&s->rows.place, tv_label(s->row, i)) == TV_NONE)
			tv_span_rows_band(&s->rows, tv_label(s->row, i),
					  tv_index_get(&lanes, tv_label(s->row, i)),
					  spec->prefix != NULL ? spec->prefix : "");
	tv_free(lanes.at);
}

void tv_span_prepare_shares(struct tv_spans_shown *s, const struct tv_span_spec *spec)
{
	struct tv_rows *chart = &s->rows.chart;
	uint8_t *type = tv_alloc(s->table->nrows, 1);

	chart->pool = s->table->pool;
	chart->states = true;
	chart->table = s->table;
	chart->hover = s->hover;
	chart->class = spec->class;
	s->rows.setup = spec->setup;
	for (uint32_t k = 0; k < s->nkinds; k++) {
		struct tv_type_style *style = &chart->type[chart->ntypes++];

		*style = (struct tv_type_style){ .label = TV_NONE,
						 .time = s->kind[k].time,
						 .color = s->kind[k].color,
						 .faded = s->kind[k].color };
		tv_clean_text(style->name, sizeof style->name, s->kind[k].name);
	}
	chart->nshown = chart->uncounted = chart->ntypes;
	drop_lanes(s, spec);
	add_bands(s, spec);
	for (uint32_t i = 0; i < s->table->nrows; i++)
		type[i] = tv_span_is_instant(s, i) ? TV_NO_TYPE : s->kind_of[i];
	tv_span_rows_fill(&s->rows, s->table, spec->row, s->lane, spec->start, spec->end, type);
	tv_free(type);
	tv_items_arrange(chart, false);
}

/* One tick per kind and cell: more would not show. The rarest kinds are on top. */
static void draw_ticks(struct tv_figure *figure, const struct tv_slot *slot,
		       const struct tv_spans_shown *s, uint8_t kind)
{
	const struct tv_axis *axis = &figure->axis;
	struct tv_scene *scene = figure->scene;
	double last = -INFINITY;
	uint32_t last_row = TV_NONE;

	scene->pen.stroke = s->kind[kind].color;
	for (uint32_t i = 0; i < s->table->nrows; i++) {
		const struct tv_row *row;
		double x = tv_axis_at(axis, s->start[i]), y = slot->place.y;
		uint32_t r;

		if (s->kind_of[i] != kind || !tv_span_is_instant(s, i)
		    || !tv_span_shown(figure, s->start[i], s->start[i]))
			continue;
		r = tv_index_get(&s->rows.place, tv_label(s->row, i));
		if (r == last_row && x < last + scene->cell)
			continue;
		last = x;
		last_row = r;
		row = &s->rows.chart.row[r];
		scene->pen.row = i;
		tv_scene_line(scene, TV_PAGE, x, y + row->y0 + tick_from * (row->bottom - row->y0),
			      x, y + row->bottom);
	}
}

void tv_span_draw_shares(struct tv_figure *figure, struct tv_slot *slot)
{
	struct tv_spans_shown *s = slot->state;
	struct tv_rows *chart = &s->rows.chart;
	struct tv_scene *scene = figure->scene;
	unsigned frame;

	tv_span_rows_place(&s->rows, slot->given, scene->cell);
	if (figure->axis.stub_width > 0)
		tv_chart_frame(scene, chart, tv_span_rows_items(figure, slot, true));
	frame = tv_span_rows_items(figure, slot, false);
	tv_scene_pen(scene, "instant", "states");
	for (uint8_t kind = 0; kind < s->nkinds; kind++)
		draw_ticks(figure, slot, s, kind);
	tv_chart_frame(scene, chart, frame);
}

/* ---- lanes ---- */

/* From white to the color of a lane, by the part of the time that it holds. */
static uint32_t part_color(double part, const void *data)
{
	uint32_t full = *(const uint32_t *)data, color = 0;

	part = part > 0 ? fmin(part, 1) : 0;
	for (int shift = 16; shift >= 0; shift -= 8)
		color |= (uint32_t)(255 - part * (255 - (double)(full >> shift & 255)) + 0.5)
		      << shift;
	return color;
}

void tv_span_prepare_lanes(struct tv_spans_shown *s, const struct tv_span_spec *spec)
{
	struct tv_span_heights *h = &s->rows.heights;

	h->low *= s->nkinds;
	h->high = fmax(h->min, h->high * s->nkinds);
	tv_span_arrows_key(&s->arrows, &s->rows);
	add_rows(s, spec, s->shares);
	tv_hover_init(&s->hover, s->shares, spec->hover);
}

/* Rows of the shares by the labels of row and color. */
static struct tv_map find_shares(const struct tv_spans_shown *s, const struct tv_span_spec *spec)
{
	const struct tv_column *row = tv_table_find(s->shares, spec->row),
			       *color = tv_table_find(s->shares, spec->color);
	struct tv_map map = { 0 };

	for (uint32_t i = 0; i < s->shares->nrows; i++)
		tv_map_put(&map, tv_label(row, i), tv_label(color, i), i);
	return map;
}

static uint32_t count_alike(const struct tv_spans_shown *s, uint32_t first)
{
	uint32_t n = 1;

	while (first + n < s->table->nrows && s->kind_of[first + n] == s->kind_of[first]
	       && tv_label(s->row, first + n) == tv_label(s->row, first))
		n++;
	return n;
}

/* Returns the frame of the states. */
static unsigned draw_states(struct tv_figure *figure, const struct tv_slot *slot,
			    const struct tv_spans_shown *s)
{
	const struct tv_span_spec *spec = tv_span_spec_of(slot);
	double *one = tv_alloc(s->table->nrows, sizeof *one), height = 0.86 / s->nkinds;
	struct tv_map share = find_shares(s, spec);
	struct tv_scene *scene = figure->scene;
	unsigned frame = tv_figure_frame(figure, slot->panel->name, &slot->place, s->rows.names.n,
					 false);
	struct tv_bins bins;

	tv_bins_even(&bins, figure);
	for (uint32_t i = 0; i < s->table->nrows; i++)
		one[i] = 1;
	for (uint32_t i = 0, n; i < s->table->nrows; i += n) {
		uint8_t kind = s->kind_of[i];
		struct tv_pieces pieces = { s->start + i, s->end->i + i, one, 0, NULL };
		struct tv_shade shade = { part_color, NULL };
		const uint32_t *row;
		double y;

		pieces.n = n = count_alike(s, i);
		if (kind == TV_NO_TYPE)
			continue;
		shade.data = &s->kind[kind].color;
		y = tv_index_get(&s->rows.place, tv_label(s->row, i)) + 0.07 + kind * height;
		row = tv_map_get(&share, tv_label(s->row, i), s->kind[kind].label);
		tv_scene_pen(scene, "state", spec->group);
		if (row != NULL)
			scene->pen.label = tv_hover_label(scene, &s->hover, *row, 0, 0);
		tv_shades_draw(figure, frame, y, y + height, &pieces, &bins, &shade);
	}
	tv_map_release(&share);
	tv_free(one);
	tv_free(bins.edge);
	return frame;
}

static void draw_separators(struct tv_figure *figure, const struct tv_slot *slot)
{
	const struct tv_span_rows *rows = slot->state;
	const struct tv_place *place = &slot->place;

	tv_scene_pen(figure->scene, "separator", "rows");
	figure->scene->pen.stroke = TV_GRID;
	for (uint32_t i = 1; i < rows->names.n; i++)
		tv_scene_line(figure->scene, TV_PAGE, place->x, place->y + i * rows->unit,
			      place->x + place->width, place->y + i * rows->unit);
}

void tv_span_draw_lanes(struct tv_figure *figure, const struct tv_slot *slot)
{
	const struct tv_spans_shown *s = slot->state;

	unsigned frame = draw_states(figure, slot, s);

	draw_separators(figure, slot);
	tv_span_arrows_draw(&s->arrows, figure, slot, frame);
}
