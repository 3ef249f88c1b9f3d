/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span_panel.c -- panels whose spans are the rows of a pass's result. */
#include "views/charts/span_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/value.h"
#include "views/rows/chart.h"
#include "views/rows/items.h"
#include "views/scene/palette.h"

enum { PASS_OPTIONS = 8 };

static const double tick_from = 0.66; /* of the height of a row */

/* Spans of one color. */
struct kind {
	uint32_t label; /* TV_NONE: all that have no color of their own */
	const char *name;
	int64_t records, time; /* time: by the sums of the pass; without these 0 */
	double share;
	uint32_t color;
};

struct spans {
	struct tv_span_rows rows;
	const struct tv_table *table;
	const struct tv_column *row, *end;
	const int64_t *start;
	uint8_t *kind_of; /* by row of the table; owned */
	struct kind kind[TV_TYPES_MAX];
	uint32_t nkinds;
	uint32_t *order; /* of each: rows of the table, long spans first, then instants; owned */
	bool both;	 /* of each: spans and instants */
	struct tv_hover hover;
};

static const struct tv_span_spec *spec_of(const struct tv_slot *slot)
{
	return slot->panel->spec;
}

/* ---- what the pass gives ---- */

static int ask(struct tv_figure *figure, const struct tv_panel *panel,
	       const struct tv_pass_option *option, const struct tv_table **table,
	       struct tv_error *err)
{
	const char *text[2 * PASS_OPTIONS + 1] = { NULL };
	const struct tv_span_spec *spec = panel->spec;
	size_t n = 0;

	for (; option != NULL && option->name != NULL && n < 2 * PASS_OPTIONS; option++) {
		text[n++] = option->name;
		text[n++] = option->value != NULL ? option->value
						  : tv_panel_option(figure, panel, option->name);
	}
	return tv_panel_pass(figure, panel, spec->pass, text, table, err);
}

static bool is_instant(const struct spans *s, uint32_t i)
{
	return tv_missing(s->end, i) || (s->rows.chart.states && s->end->i[i] == s->start[i]);
}

static int64_t end_of(const struct spans *s, uint32_t i)
{
	return tv_missing(s->end, i) ? s->start[i] : s->end->i[i];
}

/* ---- colors ---- */

static int by_time(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	if (x->time != y->time)
		return TV_COMPARE(y->time, x->time);
	return tv_natural_order(x->name, y->name);
}

static int by_records(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	if (x->records != y->records)
		return TV_COMPARE(y->records, x->records);
	return tv_natural_order(x->name, y->name);
}

/* Labels in the order in which they were met. */
struct kinds {
	struct kind *at;
	uint32_t n;
	size_t cap;
	struct tv_index place;
};

static struct kind *kind_at(struct kinds *kinds, const struct tv_pool *pool, uint32_t label)
{
	if (tv_index_get(&kinds->place, label) == TV_NONE) {
		TV_GROW(kinds->at, kinds->n, kinds->cap, 1);
		tv_index_set(&kinds->place, label, kinds->n);
		kinds->at[kinds->n++] = (struct kind){ .label = label,
						       .name = tv_pool_text(pool, label) };
	}
	return &kinds->at[tv_index_get(&kinds->place, label)];
}

/* Counts the labels of a column. */
static struct kinds count_labels(const struct tv_table *table, const struct tv_column *column)
{
	struct kinds kinds = { 0 };

	for (uint32_t i = 0; i < table->nrows; i++)
		if (tv_label(column, i) != TV_NONE)
			kind_at(&kinds, table->pool, tv_label(column, i))->records++;
	return kinds;
}

static void release_kinds(struct kinds *kinds)
{
	tv_free(kinds->at);
	tv_free(kinds->place.at);
}

/* What the pass sums by color, instead of the numbers of rows. */
static void read_sums(struct kinds *kinds, const struct tv_table *sums, const char *color)
{
	const struct tv_column *label = tv_table_find(sums, color),
			       *records = tv_table_find(sums, "Records"),
			       *time = tv_table_find(sums, "Time"),
			       *share = tv_table_find(sums, "Share");

	for (uint32_t i = 0; i < kinds->n; i++)
		kinds->at[i].records = 0;
	for (uint32_t row = 0; row < sums->nrows; row++) {
		struct kind *kind;

		if (tv_label(label, row) == TV_NONE)
			continue;
		kind = kind_at(kinds, sums->pool, tv_label(label, row));
		kind->records += tv_missing(records, row) ? 0 : records->i[row];
		kind->time += tv_missing(time, row) ? 0 : time->i[row];
		kind->share += tv_missing(share, row) ? 0 : share->d[row];
	}
}

static void set_colors(struct spans *s, const struct tv_span_spec *spec, enum tv_palette palette)
{
	const char *name[TV_TYPES_MAX];
	uint32_t color[TV_TYPES_MAX], n = 0;

	while (n < s->nkinds && s->kind[n].label != TV_NONE) {
		name[n] = s->kind[n].name;
		color[n] = spec->color_of != NULL ? spec->color_of(name[n]) : 0;
		n++;
	}
	if (spec->color_of == NULL)
		tv_palette_assign(palette, NULL, name, NULL, n, color);
	for (uint32_t i = 0; i < n; i++)
		s->kind[i].color = color[i];
}

/* "Polling 72.7", "SendSubmitted 2 ticks", "flush 3"; the name alone of what the pass does not sum, as it lies
 * beside the window. */
static void add_key(struct spans *s, const struct tv_span_spec *spec, const struct kind *kind,
		    const struct tv_printed *printed)
{
	char text[64], share[32];
	const char *number = "";

	tv_clean_text(text, sizeof text, kind->name);
	tv_percent_text(share, sizeof share, kind->share);
	if (spec->sums == NULL)
		number = tv_print_number(printed, "Count", text, spec->unit, "%lld",
					 (long long)kind->records);
	else if (kind->time == 0 && kind->records > 0)
		number = tv_print_number(printed, "Records", text, NULL, "%lld tick%s",
					 (long long)kind->records, kind->records == 1 ? "" : "s");
	else if (kind->time > 0)
		number = tv_print_number(printed, "Share", text, spec->unit, "%s%s", share,
					 spec->unit == NULL ? " %" : "");
	tv_span_rows_key(&s->rows, TV_KEY_AREA, kind->color, "%s%s%s", text,
			 number[0] != '\0' ? " " : "", number);
}

/* Kinds without a place of their own are the last one, "other". */
static void choose_kinds(struct spans *s, const struct tv_span_spec *spec,
			 const struct kinds *kinds, bool unlabeled)
{
	uint32_t own = kinds->n + unlabeled <= spec->colors ? kinds->n : spec->colors - 1;
	struct kind rest = { .label = TV_NONE, .name = "other", .color = TV_GRAY };

	for (uint32_t i = 0; i < kinds->n; i++) {
		if (i < own) {
			s->kind[s->nkinds++] = kinds->at[i];
			continue;
		}
		rest.records += kinds->at[i].records;
		rest.time += kinds->at[i].time;
		rest.share += kinds->at[i].share;
	}
	if (own < kinds->n || unlabeled)
		s->kind[s->nkinds++] = rest;
}

/* The kind of each span, and what is known of each kind. */
static void read_kinds(struct spans *s, const struct tv_span_spec *spec,
		       const struct tv_table *sums)
{
	const struct tv_column *color = tv_table_find(s->table, spec->color);
	struct kinds kinds = count_labels(s->table, color);
	bool unlabeled = false;

	if (sums != NULL)
		read_sums(&kinds, sums, spec->color);
	qsort(kinds.at, kinds.n, sizeof *kinds.at, sums != NULL ? by_time : by_records);
	for (uint32_t i = 0; i < kinds.n; i++)
		tv_index_set(&kinds.place, kinds.at[i].label, i);
	for (uint32_t i = 0; i < s->table->nrows; i++)
		unlabeled = unlabeled || tv_label(color, i) == TV_NONE;
	choose_kinds(s, spec, &kinds, unlabeled);
	s->kind_of = tv_alloc(s->table->nrows, 1);
	for (uint32_t i = 0; i < s->table->nrows; i++) {
		uint32_t at = tv_index_get(&kinds.place, tv_label(color, i));

		s->kind_of[i] = tv_label(s->row, i) == TV_NONE ? TV_NO_TYPE
			      : at < s->nkinds		       ? (uint8_t)at
							       : (uint8_t)(s->nkinds - 1);
	}
	release_kinds(&kinds);
}

/* ---- each of them ---- */

static int64_t length_of(const struct spans *s, uint32_t i)
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
static void sort_spans(struct spans *s)
{
	bool spans = false, instants = false;

	s->order = tv_alloc(s->table->nrows, sizeof *s->order);
	for (uint32_t i = 0; i < s->table->nrows; i++) {
		s->order[i] = i;
		spans = spans || !is_instant(s, i);
		instants = instants || is_instant(s, i);
	}
	s->both = spans && instants;
	qsort_r(s->order, s->table->nrows, sizeof *s->order, by_length, s);
}

/* How many the axis does not show. */
static uint32_t count_hidden(const struct tv_figure *figure, const struct spans *s)
{
	uint32_t hidden = 0;

	for (uint32_t i = 0; i < s->table->nrows; i++)
		hidden += !tv_span_shown(figure, s->start[i], end_of(s, i));
	return hidden;
}

static void add_rows(struct spans *s, const struct tv_span_spec *spec)
{
	struct kinds rows = count_labels(s->table, s->row);
	uint32_t *label = tv_alloc(rows.n, sizeof *label);

	for (uint32_t i = 0; i < rows.n; i++)
		label[i] = rows.at[i].label;
	tv_span_rows_add(&s->rows, label, rows.n, s->table->pool, spec->row_name);
	tv_free(label);
	release_kinds(&rows);
}

static void prepare_each(struct spans *s, const struct tv_span_spec *spec, uint32_t hidden)
{
	if (hidden > 0)
		snprintf(s->rows.title, sizeof s->rows.title, "%s (%u before or after)",
			 spec->title, hidden);
	add_rows(s, spec);
	sort_spans(s);
}

/* Spans are areas of half the color in the lower part of the row, instants lines down to them. */
static void draw_span(struct tv_figure *figure, const struct tv_slot *slot, const struct spans *s,
		      uint32_t i)
{
	int64_t from = s->start[i], to = end_of(s, i);
	double unit = s->rows.unit, x = tv_axis_at(&figure->axis, from), y;
	struct tv_scene *scene = figure->scene;
	bool instant = is_instant(s, i);

	if (s->kind_of[i] == TV_NO_TYPE || !tv_span_shown(figure, from, to))
		return;
	y = slot->place.y + tv_index_get(&s->rows.place, tv_label(s->row, i)) * unit;
	tv_scene_pen(scene, instant ? "instant" : "span", spec_of(slot)->group);
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

/* ---- shares ---- */

static void prepare_shares(struct spans *s, const struct tv_span_spec *spec)
{
	struct tv_rows *chart = &s->rows.chart;
	uint8_t *type = tv_alloc(s->table->nrows, 1);

	chart->pool = s->table->pool;
	chart->states = true;
	chart->table = s->table;
	chart->hover = s->hover;
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
	for (uint32_t i = 0; i < s->table->nrows; i++) {
		type[i] = is_instant(s, i) ? TV_NO_TYPE : s->kind_of[i];
		if (s->kind_of[i] != TV_NO_TYPE
		    && tv_index_get(&s->rows.place, tv_label(s->row, i)) == TV_NONE)
			tv_span_rows_band(&s->rows, tv_label(s->row, i), 1, "");
	}
	tv_span_rows_fill(&s->rows, s->table, spec->row, spec->start, spec->end, type);
	tv_free(type);
	tv_items_arrange(chart, false);
}

/* One tick per kind and cell: more would not show. The rarest kinds are on top. */
static void draw_ticks(struct tv_figure *figure, const struct tv_slot *slot, const struct spans *s,
		       uint8_t kind)
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

		if (s->kind_of[i] != kind || !is_instant(s, i)
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

static void draw_shares(struct tv_figure *figure, struct tv_slot *slot, struct spans *s)
{
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

/* ---- the panel ---- */

int tv_span_prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_span_spec *spec = spec_of(slot);
	struct spans *s = slot->state = tv_alloc(1, sizeof *s);
	const struct tv_table *sums = NULL;
	uint32_t hidden;
	int rc = ask(figure, slot->panel, spec->option, &s->table, err);

	if (rc == 0 && spec->sums != NULL)
		rc = ask(figure, slot->panel, spec->sums, &sums, err);
	if (rc != 0)
		return rc;
	s->row = tv_table_find(s->table, spec->row);
	s->start = tv_table_find(s->table, spec->start)->i;
	s->end = tv_table_find(s->table, spec->end);
	s->rows.heights = spec->heights;
	s->rows.chart.states = spec->style == TV_SPANS_SHARES;
	hidden = spec->style == TV_SPANS_EACH ? count_hidden(figure, s) : 0;
	if (hidden == s->table->nrows)
		return tv_panel_nothing(figure, slot->panel, spec->nothing);
	if (spec->hover != NULL)
		tv_hover_init(&s->hover, s->table, spec->hover);
	read_kinds(s, spec, sums);
	set_colors(s, spec, figure->options->palette);
	snprintf(s->rows.title, sizeof s->rows.title, "%s", spec->title);
	for (uint32_t k = 0; k < s->nkinds; k++)
		add_key(s, spec, &s->kind[k], &slot->printed);
	if (spec->style == TV_SPANS_SHARES)
		prepare_shares(s, spec);
	else
		prepare_each(s, spec, hidden);
	return 0;
}

void tv_span_layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct spans *s = slot->state;

	if (spec_of(slot)->style == TV_SPANS_SHARES)
		draw_shares(figure, slot, s);
	else {
		tv_grid_draw(figure, &slot->place, NULL);
		for (uint32_t i = 0; i < s->table->nrows; i++)
			draw_span(figure, slot, s, s->order[i]);
	}
	tv_span_rows_words(figure, slot);
}

void tv_span_release(struct tv_slot *slot)
{
	struct spans *s = slot->state;

	tv_free(s->kind_of);
	tv_free(s->order);
	tv_span_rows_release(slot);
}
