/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.c -- curves per task type, those without a color of their own summed. */
#include "views/charts/types.h"

#include "analysis/core/steps.h"
#include "trace/alloc.h"
#include "views/rows/rows.h"

/* Place in the legend of the type with that label; TV_COLORS_MAX if it has no color there. */
static uint32_t place_of(const struct tv_rows *rows, uint32_t label)
{
	if (label == TV_NONE)
		label = 0; /* tasks without a type are drawn as those with an empty one */
	for (uint32_t i = 0; i < rows->nshown; i++)
		if (rows->type[i].label == label)
			return i;
	return TV_COLORS_MAX;
}

static int add_curve(struct tv_sum *sum, const struct tv_pieces *pieces, struct tv_error *err)
{
	for (size_t i = 0; i < pieces->n; i++)
		if (pieces->value[i] != 0
		    && tv_sum_add(sum, pieces->start[i], pieces->end[i], pieces->value[i], err) < 0)
			return -1;
	return 0;
}

/* Steps as pieces in shown->time and value. */
static void keep_steps(struct tv_curves_shown *shown, const struct tv_steps *steps,
		       struct tv_pieces *pieces)
{
	int64_t *time = tv_alloc(steps->n + 1, sizeof *time);
	double *value = tv_alloc(steps->n + 1, sizeof *value);

	shown->time = time;
	shown->value = value;
	for (size_t i = 0; i < steps->n; i++) {
		time[i] = steps->time[i];
		value[i] = steps->value[i];
	}
	time[steps->n] = steps->end;
	*pieces = (struct tv_pieces){ time, time + 1, value, steps->n };
}

static int find_pieces(const struct tv_rows *rows, const struct tv_curve_list *list, uint32_t curve,
		       struct tv_pieces *pieces, struct tv_sum *rest, struct tv_error *err)
{
	for (size_t i = 0; i < list->n; i++) {
		uint32_t at = place_of(rows, list->at[i].by);

		if (curve != TV_NONE && list->at[i].name != curve)
			continue;
		if (at < TV_COLORS_MAX && pieces[at].n == 0)
			pieces[at] = list->at[i].pieces;
		else if (add_curve(rest, &list->at[i].pieces, err) < 0)
			return -1;
	}
	return 0;
}

int tv_types_show(struct tv_figure *figure, struct tv_curves_shown *shown,
		  const struct tv_table *table, uint32_t curve, struct tv_error *err)
{
	const struct tv_rows *rows = figure->rows;
	struct tv_curve_list list;
	struct tv_pieces pieces[TV_COLORS_MAX + 1] = { { .n = 0 } };
	struct tv_steps steps;
	struct tv_sum rest;
	int rc;

	tv_sum_init(&rest, figure->run->tasks.begin, figure->run->tasks.finish);
	tv_curve_list_init(&list, table, "By", "Value");
	rc = find_pieces(rows, &list, curve, pieces, &rest, err);
	tv_curve_list_release(&list, NULL);
	if (rc == 0 && rest.n > 0) {
		tv_sum_steps(&rest, &steps);
		keep_steps(shown, &steps, &pieces[TV_COLORS_MAX]);
		tv_steps_release(&steps);
	}
	tv_sum_release(&rest);
	for (uint32_t i = 0; i < TV_COUNT(pieces) && rc == 0; i++)
		if (pieces[i].n > 0)
			tv_curves_show(shown, pieces[i], TV_KEY_AREA,
				       i < TV_COLORS_MAX ? rows->type[i].color : TV_GRAY,
				       i < TV_COLORS_MAX ? rows->type[i].name : "other");
	shown->stacked = true;
	shown->known = true;
	return rc;
}

uint32_t tv_type_color(const struct tv_figure *figure, uint32_t value)
{
	const struct tv_rows *rows = figure->rows;
	uint32_t at = rows != NULL ? place_of(rows, value) : TV_COLORS_MAX;

	return at < TV_COLORS_MAX ? rows->type[at].color : TV_TYPE_UNKNOWN;
}
