/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span_rows.c -- spans of time in rows that are no workers. */
#include "views/charts/span_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/value.h"
#include "views/rows/chart.h"
#include "views/rows/items.h"

struct tv_key *tv_span_rows_key(struct tv_span_rows *rows, enum tv_key_kind kind, uint32_t color,
				const char *format, ...)
{
	struct tv_key *key = &rows->key[rows->nkeys++];
	va_list args;

	*key = (struct tv_key){ .kind = kind, .color = color };
	va_start(args, format);
	vsnprintf(key->text, sizeof key->text, format, args);
	va_end(args);
	return key;
}

/* A row of one height with that name. */
static void span_rows_name(struct tv_span_rows *rows, uint32_t label, const char *name)
{
	tv_index_set(&rows->place, label, rows->names.n);
	tv_names_add(&rows->names, name);
}

uint32_t tv_span_lane(const int64_t *busy, uint32_t n, int64_t begin)
{
	uint32_t lane = 0;

	while (lane < n && busy[lane] > begin)
		lane++;
	return lane;
}

void tv_span_rows_add(struct tv_span_rows *rows, uint32_t *label, uint32_t n,
		      const struct tv_pool *pool,
		      void (*name)(char *out, size_t size, const char *label))
{
	char text[80];

	qsort_r(label, n, sizeof *label, tv_compare_labels, (void *)pool);
	for (uint32_t i = 0; i < n; i++) {
		const char *of = tv_pool_text(pool, label[i]);

		if (i > 0 && label[i] == label[i - 1])
			continue;
		if (name != NULL)
			name(text, sizeof text, of);
		span_rows_name(rows, label[i], name != NULL ? text : of);
	}
}

void tv_span_rows_band(struct tv_span_rows *rows, uint32_t label, uint32_t n, const char *prefix)
{
	struct tv_rows *chart = &rows->chart;
	char *name = tv_format("%s%s", prefix, tv_pool_text(chart->pool, label));

	TV_GROW(chart->band, chart->nbands, rows->bands_cap, 1);
	TV_GROW(chart->row, chart->nrows, rows->rows_cap, n);
	chart->band[chart->nbands] = (struct tv_band){
		.node = label, .rtype = TV_NONE, .first = chart->nrows, .n = n, .weight = 1
	};
	tv_index_set(&rows->place, label, chart->nrows);
	for (uint32_t i = 0; i < n; i++)
		chart->row[chart->nrows++] = (struct tv_row){ .resource = label,
							      .band = chart->nbands,
							      .idle = NAN };
	chart->nnodes = ++chart->nbands;
	chart->units = chart->nrows;
	chart->lanes = 1;
	tv_names_add(&rows->names, name);
	tv_free(name);
}

static uint32_t row_of(const struct tv_span_rows *rows, const struct tv_column *column,
		       const struct tv_column *lane, const uint8_t *type, uint32_t i)
{
	uint32_t row = type[i] == TV_NO_TYPE ? TV_NONE
					     : tv_index_get(&rows->place, tv_label(column, i));

	return row == TV_NONE || lane == NULL ? row : row + (uint32_t)lane->i[i] - 1;
}

void tv_span_rows_fill(struct tv_span_rows *rows, const struct tv_table *table, const char *row,
		       const struct tv_column *lane, const char *start, const char *end,
		       const uint8_t *type)
{
	const struct tv_column *of = tv_table_find(table, row);
	const int64_t *begin = tv_table_find(table, start)->i,
		      *finish = tv_table_find(table, end)->i;
	struct tv_rows *chart = &rows->chart;

	for (uint32_t r = 0; r < chart->nrows; r++)
		chart->row[r].n = 0;
	for (uint32_t i = 0; i < table->nrows; i++)
		if (row_of(rows, of, lane, type, i) != TV_NONE)
			chart->row[row_of(rows, of, lane, type, i)].n++;
	chart->nitems = 0;
	tv_items_begin(chart);
	chart->filled = chart->nitems;
	tv_free(chart->item);
	chart->item = tv_alloc(chart->nitems, sizeof *chart->item);
	for (uint32_t i = 0; i < table->nrows; i++) {
		uint32_t r = row_of(rows, of, lane, type, i);

		if (r != TV_NONE)
			chart->item[chart->row[r].first + chart->row[r].n++] = (struct tv_item){
				.begin = begin[i],
				.end = finish[i],
				.row = i,
				.bottom = 1,
				.type = type[i],
				.under = TV_NO_TYPE
			};
	}
}

/* ---- places ---- */

double tv_span_rows_wanted(const struct tv_span_rows *rows)
{
	const struct tv_span_heights *h = &rows->heights;
	uint32_t n = rows->chart.nrows > 0 ? rows->chart.nrows : rows->names.n;
	double unit = h->comfortable > 0 ? fmin(h->high, h->comfortable / n) : h->high;

	unit = fmax(h->low, unit);
	return fmin(h->tall, rows->chart.nrows > 0 ? tv_rows_height(&rows->chart, unit) : n * unit);
}

double tv_span_rows_place(struct tv_span_rows *rows, double height, double cell)
{
	struct tv_rows *chart = &rows->chart;
	double used = tv_rows_place(chart, height, cell);

	chart->mixed = (chart->row[0].y1 - chart->row[0].y0) / chart->lanes < rows->heights.lane;
	return used;
}

void tv_span_rows_measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct tv_span_rows *rows = slot->state;
	double cell = figure->scene->cell;

	if (rows->chart.nrows > 0) {
		slot->request.height = tv_span_rows_place(
			rows, height == 0 ? tv_span_rows_wanted(rows) + cell : height, cell);
		slot->request.min = fmin(slot->request.height, rows->heights.min);
	} else {
		height = height == 0 ? tv_span_rows_wanted(rows) : height;
		rows->unit = fmax(rows->heights.low, height / rows->names.n);
		slot->request.height = rows->unit * rows->names.n;
		slot->request.min = rows->heights.low * rows->names.n;
	}
	slot->request.left = tv_names_width(figure, &rows->names);
	slot->request.top = tv_strip_height(figure, rows->title, rows->key, rows->nkeys,
					    tv_strip_width(figure));
}

/* ---- drawing ---- */

bool tv_span_shown(const struct tv_figure *figure, int64_t from, int64_t to)
{
	return from <= figure->axis.end && to >= figure->axis.begin;
}

void tv_span_draw(struct tv_figure *figure, int64_t from, int64_t to, double y0, double y1)
{
	const struct tv_axis *axis = &figure->axis;
	double x;

	if (!tv_span_shown(figure, from, to))
		return;
	x = tv_axis_at(axis, from > axis->begin ? from : axis->begin);
	tv_scene_rect(figure->scene, TV_PAGE, x, y0,
		      fmax(tv_axis_at(axis, to < axis->end ? to : axis->end), x + TV_LINE_MIN), y1);
}

unsigned tv_span_rows_items(struct tv_figure *figure, struct tv_slot *slot, bool stub)
{
	const struct tv_span_rows *rows = slot->state;
	double crowd = figure->crowd, cells = figure->crowd_cells;
	unsigned frame = tv_figure_frame(figure, stub ? rows->setup : slot->panel->name,
					 &slot->place, slot->place.height, stub);

	tv_chart_items(figure, &rows->chart, frame, stub);
	/* The figure prints how many tasks share a cell, not how many of these spans. */
	figure->crowd = crowd;
	figure->crowd_cells = cells;
	return frame;
}

void tv_span_rows_words(struct tv_figure *figure, const struct tv_slot *slot)
{
	const struct tv_span_rows *rows = slot->state;
	const struct tv_place *place = &slot->place;

	if (rows->chart.nrows > 0)
		tv_names_draw_bands(figure, &rows->names, &rows->chart, place->y);
	else {
		tv_border_draw(figure->scene, place);
		tv_names_draw(figure, &rows->names, place->y, rows->unit);
	}
	tv_strip_draw(figure, rows->title, rows->key, rows->nkeys, place->x, place->y,
		      tv_strip_width(figure));
}

void tv_span_rows_clear(struct tv_span_rows *rows)
{
	tv_names_release(&rows->names);
	tv_free(rows->place.at);
	tv_rows_release(&rows->chart);
}

void tv_span_rows_release(struct tv_slot *slot)
{
	tv_span_rows_clear(slot->state);
	tv_free(slot->state);
}
