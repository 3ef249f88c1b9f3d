/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span_styles.h -- the three ways in which span_panel.h draws spans. For span_panel.c. */
#ifndef TV_SPAN_STYLES_H
#define TV_SPAN_STYLES_H

#include "views/charts/span_panel.h"

/* Spans of one color. */
struct tv_span_kind {
	uint32_t label; /* TV_NONE: all that have no color of their own */
	const char *name;
	int64_t records, time; /* time: by the sums of the pass; without these 0 */
	double share;
	uint32_t color, place; /* in the order that the panel describes */
};

struct tv_spans_shown {
	struct tv_span_rows rows;
	const struct tv_table *table;
	const struct tv_column *row, *lane, *end; /* lane: NULL = each row is one */
	const int64_t *start;
	uint8_t *kind_of; /* by row of the table; owned */
	struct tv_span_kind kind[TV_TYPES_MAX];
	uint32_t nkinds;
	uint32_t *order; /* of each: rows of the table, long spans first, then instants; owned */
	bool both;	 /* of each: spans and instants */
	struct tv_hover hover;
	const struct tv_table *shares; /* of lanes */
	struct tv_span_arrows arrows;
};

/* The labels of a column in the order of their first rows, each with the number of its rows. */
struct tv_span_kinds {
	struct tv_span_kind *at;
	uint32_t n;
	size_t cap;
	struct tv_index place; /* by label */
};
struct tv_span_kinds tv_span_count(const struct tv_table *table, const struct tv_column *column);
void tv_span_kinds_release(struct tv_span_kinds *kinds);

static inline const struct tv_span_spec *tv_span_spec_of(const struct tv_slot *slot)
{
	return slot->panel->spec;
}

static inline bool tv_span_is_instant(const struct tv_spans_shown *s, uint32_t i)
{
	return tv_missing(s->end, i) || (s->rows.chart.states && s->end->i[i] == s->start[i]);
}

static inline int64_t tv_span_end(const struct tv_spans_shown *s, uint32_t i)
{
	return tv_missing(s->end, i) ? s->start[i] : s->end->i[i];
}

/* Of what the axis shows, EACH has the number of spans before and after it in its title. */
void tv_span_prepare_each(struct tv_spans_shown *s, const struct tv_span_spec *spec,
			  uint32_t hidden);
void tv_span_prepare_shares(struct tv_spans_shown *s, const struct tv_span_spec *spec);
void tv_span_prepare_lanes(struct tv_spans_shown *s, const struct tv_span_spec *spec);

void tv_span_draw_each(struct tv_figure *figure, const struct tv_slot *slot);
void tv_span_draw_shares(struct tv_figure *figure, struct tv_slot *slot);
void tv_span_draw_lanes(struct tv_figure *figure, const struct tv_slot *slot);

#endif
