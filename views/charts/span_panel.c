/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span_panel.c -- panels whose spans are the rows of a pass's result: what the pass gives, and colors. */
#include "views/charts/span_panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/span_styles.h"
#include "views/scene/palette.h"

/* ---- what the pass gives ---- */

static int ask(struct tv_figure *figure, const struct tv_panel *panel,
	       const struct tv_pass_option *option, const struct tv_table **table,
	       struct tv_error *err)
{
	const struct tv_span_spec *spec = panel->spec;
	const char *text[2 * TV_PASS_OPTIONS_MAX + 1];

	tv_panel_pass_options(figure, panel, option, text, 0);
	return tv_panel_pass(figure, panel, spec->pass, text, table, err);
}

/* ---- colors ---- */

TV_ORDER(by_time, struct tv_span_kind, down(time), text(name))
TV_ORDER(by_records, struct tv_span_kind, place, down(records), text(name))

/* Lanes are in the order of names; those of kinds without time are left out. */
static int by_name(const void *a, const void *b)
{
	const struct tv_span_kind *x = a, *y = b;

	if ((x->time > 0) != (y->time > 0))
		return TV_COMPARE(y->time > 0, x->time > 0);
	return tv_natural_order(x->name, y->name);
}

static struct tv_span_kind *kind_at(struct tv_span_kinds *kinds, const struct tv_pool *pool,
				    uint32_t label)
{
	if (tv_index_get(&kinds->place, label) == TV_NONE) {
		TV_GROW(kinds->at, kinds->n, kinds->cap, 1);
		tv_index_set(&kinds->place, label, kinds->n);
		kinds->at[kinds->n++] = (struct tv_span_kind){ .label = label,
							       .name = tv_pool_text(pool, label) };
	}
	return &kinds->at[tv_index_get(&kinds->place, label)];
}

struct tv_span_kinds tv_span_count(const struct tv_table *table, const struct tv_column *column)
{
	struct tv_span_kinds kinds = { 0 };

	for (uint32_t i = 0; i < table->nrows; i++)
		if (tv_label(column, i) != TV_NONE)
			kind_at(&kinds, table->pool, tv_label(column, i))->records++;
	return kinds;
}

void tv_span_kinds_release(struct tv_span_kinds *kinds)
{
	tv_free(kinds->at);
	tv_free(kinds->place.at);
}

static void number_kinds(struct tv_span_kinds *kinds, const char *const *order)
{
	for (uint32_t i = 0; i < kinds->n; i++)
		while (strcmp(order[kinds->at[i].place], kinds->at[i].name) != 0)
			kinds->at[i].place++;
}

/* What the pass sums by color, instead of the numbers of rows. */
static void read_sums(struct tv_span_kinds *kinds, const struct tv_table *sums, const char *color)
{
	const struct tv_column *label = tv_table_find(sums, color),
			       *records = tv_table_find(sums, "Records"),
			       *time = tv_table_find(sums, "Time"),
			       *share = tv_table_find(sums, "Share");

	for (uint32_t i = 0; i < kinds->n; i++)
		kinds->at[i].records = 0;
	for (uint32_t row = 0; row < sums->nrows; row++) {
		struct tv_span_kind *kind;

		if (tv_label(label, row) == TV_NONE)
			continue;
		kind = kind_at(kinds, sums->pool, tv_label(label, row));
		kind->records += tv_missing(records, row) ? 0 : records->i[row];
		kind->time += tv_missing(time, row) ? 0 : time->i[row];
		kind->share += tv_missing(share, row) ? 0 : share->d[row];
	}
}

static void set_colors(struct tv_spans_shown *s, const struct tv_span_spec *spec,
		       enum tv_palette palette)
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
static void add_key(struct tv_spans_shown *s, const struct tv_span_spec *spec,
		    const struct tv_span_kind *kind, const struct tv_printed *printed)
{
	char text[64], share[32];
	const char *number = "";

	tv_clean_text(text, sizeof text, kind->name);
	tv_percent_text(share, sizeof share, kind->share);
	if (spec->order != NULL) {
		tv_span_rows_key(&s->rows, TV_KEY_AREA, kind->color, "%s", text);
		return;
	}
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
static void choose_kinds(struct tv_spans_shown *s, const struct tv_span_spec *spec,
			 const struct tv_span_kinds *kinds, bool unlabeled)
{
	uint32_t own = kinds->n + unlabeled <= spec->colors ? kinds->n : spec->colors - 1;
	struct tv_span_kind rest = { .label = TV_NONE, .name = "other", .color = TV_GRAY };

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

/* Kinds that get no lane are not drawn. */
static void choose_lanes(struct tv_spans_shown *s, struct tv_figure *figure,
			 const struct tv_slot *slot, const struct tv_span_kinds *kinds)
{
	uint32_t lost = 0;

	for (uint32_t i = 0; i < kinds->n && kinds->at[i].time > 0; i++)
		if (s->nkinds < tv_span_spec_of(slot)->colors)
			s->kind[s->nkinds++] = kinds->at[i];
		else
			lost++;
	if (lost > 0)
		tv_run_warn(figure->run, "%s: %u more states are not drawn", slot->panel->name,
			    lost);
}

/* A column that the description names: the pass must have it. */
static const struct tv_column *column_of(const struct tv_spans_shown *s,
					 const struct tv_span_spec *spec, const char *name)
{
	const struct tv_column *column = tv_table_find(s->table, name);

	if (column == NULL)
		tv_bug("a panel shows the column '%s', which %s does not have", name, spec->pass);
	return column;
}

/* The kind of each span, and what is known of each kind. */
static void read_kinds(struct tv_spans_shown *s, struct tv_figure *figure,
		       const struct tv_slot *slot, const struct tv_table *sums)
{
	const struct tv_span_spec *spec = tv_span_spec_of(slot);
	const struct tv_column *color = column_of(s, spec, spec->color);
	struct tv_span_kinds kinds = tv_span_count(s->table, color);
	bool unlabeled = false, lanes = spec->style == TV_SPANS_LANES;

	if (sums != NULL)
		read_sums(&kinds, sums, spec->color);
	if (spec->order != NULL)
		number_kinds(&kinds, spec->order);
	if (kinds.n > 0)
		qsort(kinds.at, kinds.n, sizeof *kinds.at,
		      lanes	     ? by_name
		      : sums != NULL ? by_time
				     : by_records);
	for (uint32_t i = 0; i < kinds.n; i++)
		tv_index_set(&kinds.place, kinds.at[i].label, i);
	for (uint32_t i = 0; i < s->table->nrows; i++)
		unlabeled = unlabeled || tv_label(color, i) == TV_NONE;
	if (lanes)
		choose_lanes(s, figure, slot, &kinds);
	else
		choose_kinds(s, spec, &kinds, unlabeled);
	s->kind_of = tv_alloc(s->table->nrows, 1);
	for (uint32_t i = 0; i < s->table->nrows; i++) {
		uint32_t at = tv_index_get(&kinds.place, tv_label(color, i));
		bool own = at < s->nkinds;

		s->kind_of[i] = tv_label(s->row, i) == TV_NONE || (lanes && !own)
				      ? TV_NO_TYPE
				      : (uint8_t)(own ? at : s->nkinds - 1);
	}
	tv_span_kinds_release(&kinds);
}

/* How many the axis does not show. */
static uint32_t count_hidden(const struct tv_figure *figure, const struct tv_spans_shown *s)
{
	uint32_t hidden = 0;

	for (uint32_t i = 0; i < s->table->nrows; i++)
		hidden += !tv_span_shown(figure, s->start[i], tv_span_end(s, i));
	return hidden;
}

/* ---- the panel ---- */

/* All results that the description names. */
static int ask_all(struct tv_figure *figure, const struct tv_panel *panel, struct tv_spans_shown *s,
		   const struct tv_table **sums, struct tv_error *err)
{
	const struct tv_span_spec *spec = panel->spec;
	int rc = ask(figure, panel, spec->option, &s->table, err);

	if (rc == 0 && spec->sums != NULL)
		rc = ask(figure, panel, spec->sums, sums, err);
	if (rc == 0 && spec->style == TV_SPANS_LANES)
		rc = ask(figure, panel, spec->shares, &s->shares, err);
	s->arrows.spec = spec->arrows;
	if (rc == 0 && spec->arrows != NULL)
		rc = tv_span_arrows_find(&s->arrows, figure, panel, err);
	return rc;
}

int tv_span_prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_span_spec *spec = tv_span_spec_of(slot);
	struct tv_spans_shown *s = slot->state = tv_alloc(1, sizeof *s);
	const struct tv_table *sums = NULL;
	uint32_t hidden;
	int rc = ask_all(figure, slot->panel, s, &sums, err);

	if (rc != 0)
		return rc;
	s->row = column_of(s, spec, spec->row);
	s->lane = spec->lane != NULL ? column_of(s, spec, spec->lane) : NULL;
	s->start = column_of(s, spec, spec->start)->i;
	s->end = column_of(s, spec, spec->end);
	s->rows.heights = spec->heights;
	s->rows.chart.states = spec->style == TV_SPANS_SHARES;
	hidden = spec->style == TV_SPANS_EACH ? count_hidden(figure, s) : 0;
	read_kinds(s, figure, slot, sums);
	if (hidden == s->table->nrows || s->nkinds == 0)
		return tv_panel_nothing(figure, slot->panel, spec->nothing);
	if (spec->hover != NULL)
		tv_hover_init(&s->hover, s->table, spec->hover);
	set_colors(s, spec, figure->options->palette);
	snprintf(s->rows.title, sizeof s->rows.title, "%s", spec->title);
	for (uint32_t k = 0; k < s->nkinds; k++)
		add_key(s, spec, &s->kind[k], &slot->printed);
	if (spec->style == TV_SPANS_EACH)
		tv_span_prepare_each(s, spec, hidden);
	else if (spec->style == TV_SPANS_SHARES)
		tv_span_prepare_shares(s, spec);
	else
		tv_span_prepare_lanes(s, spec);
	return 0;
}

void tv_span_layout(struct tv_figure *figure, struct tv_slot *slot)
{
	switch (tv_span_spec_of(slot)->style) {
	case TV_SPANS_EACH:
		tv_span_draw_each(figure, slot);
		break;
	case TV_SPANS_SHARES:
		tv_span_draw_shares(figure, slot);
		break;
	case TV_SPANS_LANES:
		tv_span_draw_lanes(figure, slot);
		break;
	}
	tv_span_rows_words(figure, slot);
}

void tv_span_release(struct tv_slot *slot)
{
	struct tv_spans_shown *s = slot->state;

	tv_free(s->kind_of);
	tv_free(s->order);
	tv_span_arrows_release(&s->arrows);
	tv_span_rows_release(slot);
}
