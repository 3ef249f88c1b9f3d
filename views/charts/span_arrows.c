/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span_arrows.c -- arrows from row to row of a panel of spans. */
#include "views/charts/span_arrows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "views/charts/arrow.h"

static const double head_length = 3.2, head_half = 1.3, shaft = 0.5; /* points */

/* all: UINT32_MAX; -1 with *err: not all, none or slowest:N. */
static int read_wanted(const struct tv_figure *figure, const struct tv_panel *panel,
		       const struct tv_span_arrow_spec *spec, uint32_t *wanted,
		       struct tv_error *err)
{
	static const char slowest[] = "slowest:";
	char option[40];
	const char *text;
	int64_t n;

	snprintf(option, sizeof option, "%ss", spec->noun);
	text = tv_panel_option(figure, panel, option);
	*wanted = UINT32_MAX;
	if (text != NULL && strcmp(text, "all") == 0)
		return 0;
	*wanted = text == NULL ? spec->most : 0;
	if (text == NULL || strcmp(text, "none") == 0)
		return 0;
	if (strncmp(text, slowest, strlen(slowest)) == 0
	    && tv_parse_int(text + strlen(slowest), strlen(text) - strlen(slowest), &n)
		       == TV_PARSE_OK
	    && n > 0 && n < UINT32_MAX) {
		*wanted = (uint32_t)n;
		return 0;
	}
	return tv_fail_usage(err, "--%s.%s '%s', expected all, none or slowest:N", panel->name,
			     option, text);
}

static int by_duration(const void *a, const void *b, void *data)
{
	const struct tv_span_arrows *arrows = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t s = arrows->end[x] - arrows->start[x], t = arrows->end[y] - arrows->start[y];

	return s != t ? TV_COMPARE(t, s) : TV_COMPARE(x, y);
}

int tv_span_arrows_find(struct tv_span_arrows *arrows, struct tv_figure *figure,
			const struct tv_panel *panel, struct tv_error *err)
{
	const struct tv_span_arrow_spec *spec = arrows->spec;
	uint32_t wanted;
	int rc = read_wanted(figure, panel, spec, &wanted, err);

	if (rc == 0 && wanted > 0)
		rc = tv_panel_pass_for(figure, spec->what, spec->pass, NULL, &arrows->table, err);
	if (rc != 0 || wanted == 0)
		return rc < 0 ? -1 : 0;
	arrows->from = tv_table_find(arrows->table, spec->from);
	arrows->to = tv_table_find(arrows->table, spec->to);
	arrows->start = tv_table_find(arrows->table, "Start")->i;
	arrows->end = tv_table_find(arrows->table, "End")->i;
	tv_hover_init(&arrows->hover, arrows->table, spec->hover);
	arrows->row = tv_alloc(arrows->table->nrows, sizeof *arrows->row);
	for (uint32_t row = 0; row < arrows->table->nrows; row++)
		if (tv_span_shown(figure, arrows->start[row], arrows->end[row]))
			arrows->row[arrows->all++] = row;
	qsort_r(arrows->row, arrows->all, sizeof *arrows->row, by_duration, arrows);
	arrows->n = arrows->all < wanted ? arrows->all : wanted;
	return 0;
}

void tv_span_arrows_key(const struct tv_span_arrows *arrows, struct tv_span_rows *rows)
{
	if (arrows->n < arrows->all)
		tv_span_rows_key(rows, TV_KEY_LINE, TV_INK, "%u slowest of %u %ss", arrows->n,
				 arrows->all, arrows->spec->noun);
	else if (arrows->all > 0)
		tv_span_rows_key(rows, TV_KEY_LINE, TV_INK, "%u %s%s", arrows->all,
				 arrows->spec->noun, arrows->all == 1 ? "" : "s");
}

static double middle_of(const struct tv_slot *slot, uint32_t label)
{
	const struct tv_span_rows *rows = slot->state;

	return slot->place.y + (tv_index_get(&rows->place, label) + 0.5) * rows->unit;
}

void tv_span_arrows_draw(const struct tv_span_arrows *arrows, struct tv_figure *figure,
			 const struct tv_slot *slot, unsigned frame)
{
	const struct tv_arrow_style style = { .class = arrows->spec->class,
					      .head_class = arrows->spec->head,
					      .group = slot->panel->name,
					      .core = shaft,
					      .head_length = head_length,
					      .head_half = head_half,
					      .color = TV_INK };

	for (uint32_t i = 0; i < arrows->n; i++) {
		uint32_t row = arrows->row[i];
		const double ends[4] = {
			tv_axis_at(&figure->axis, arrows->start[row]),
			middle_of(slot, tv_label(arrows->from, row)),
			tv_axis_at(&figure->axis, arrows->end[row]),
			middle_of(slot, tv_label(arrows->to, row)),
		};

		tv_arrow_draw(figure->scene, frame, ends, &style, row,
			      tv_hover_label(figure->scene, &arrows->hover, row, arrows->start[row],
					     arrows->end[row]));
	}
}

void tv_span_arrows_release(struct tv_span_arrows *arrows)
{
	tv_free(arrows->row);
}
