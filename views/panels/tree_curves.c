/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_curves.c -- panels of the open fronts of an elimination tree, and of their memory. */
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/charts/curves.h"
#include "views/shared/panel.h"

/* Open fronts as lines, those that compute below them; pruned ones dashed. */
static int prepare_active(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	static const struct {
		const char *curve, *group, *text;
		enum tv_key_kind kind;
		uint32_t color;
	} shown_as[] = {
		{ "open", "pruned", "open, pruned", TV_KEY_DASHED, 0x7db4d6 },
		{ "computing", "pruned", "computing, pruned", TV_KEY_DASHED, 0xf0b27a },
		{ "open", "not pruned", "open", TV_KEY_LINE, 0x1f6f9f },
		{ "computing", "not pruned", "computing", TV_KEY_LINE, 0xc85a00 },
	};
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	int rc = tv_panel_pass(figure, slot->panel, "open-fronts", NULL, &table, err);

	if (rc != 0)
		return rc;
	shown = tv_curves_new(figure, slot);
	shown->title = tv_format("fronts");
	shown->whole = true;
	for (size_t i = 0; i < TV_COUNT(shown_as); i++) {
		uint32_t group = tv_pool_find_text(table->pool, shown_as[i].group);
		struct tv_pieces pieces = { 0 };
		struct tv_extent extent;
		char text[64];

		if (group != TV_NONE)
			pieces = tv_pieces_find(table, shown_as[i].curve, group);
		extent = tv_pieces_extent(&pieces, INT64_MIN, INT64_MAX);
		if (pieces.n == 0 || !(extent.max > 0))
			continue;
		snprintf(text, sizeof text, "%s: mean %s, max %s", shown_as[i].text,
			 tv_print_number(&shown->printed, "Mean", shown_as[i].text, "fronts",
					 "%.1f", extent.mean),
			 tv_print_number(&shown->printed, "Max", shown_as[i].text, "fronts", "%.0f",
					 extent.max));
		tv_curves_show(shown, pieces, shown_as[i].kind, shown_as[i].color, text);
	}
	return 0;
}

/* The curve of a row's group, and its peak. first: the row where it begins. */
static void add_memory(struct tv_curves_shown *shown, const struct tv_table *table, uint32_t row,
		       bool several)
{
	const struct tv_column *group = tv_table_find(table, "By");
	uint32_t label = tv_label(group, row);
	struct tv_pieces pieces = tv_pieces_find(table, "memory", label),
			 peak = tv_pieces_find(table, "peak", label);
	char text[160], name[20], time[48], size[48];

	if (peak.n == 0 || shown->n == TV_CURVE_COLORS)
		return;
	tv_clean_text(name, sizeof name, tv_pool_text(table->pool, label));
	tv_time_text(time, sizeof time, peak.start[0], NULL);
	tv_number_text(size, sizeof size, peak.value[0]);
	snprintf(text, sizeof text, "%s%s%s MB at %s", several ? name : "",
		 several ? ": peak " : "peak ",
		 tv_print_number(&shown->printed, "Peak", several ? name : NULL, "MB", "%s", size),
		 tv_print_number(&shown->printed, "PeakTime", several ? name : NULL, NULL, "%s",
				 time));
	tv_curves_show(shown, pieces, TV_KEY_LINE, tv_curve_colors[shown->n], text);
}

static int prepare_memory(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const char *by = tv_panel_option(figure, slot->panel, "by");
	const struct tv_table *table;
	const struct tv_column *curve, *group;
	struct tv_curves_shown *shown;
	int rc = tv_panel_pass(figure, slot->panel, "front-memory",
			       (const char *const[]){ "by", by, NULL }, &table, err);

	if (rc != 0)
		return rc;
	shown = tv_curves_new(figure, slot);
	shown->title = tv_format("memory of the open fronts, MB");
	curve = tv_table_find(table, "Curve");
	group = tv_table_find(table, "By");
	for (uint32_t row = 0, last = TV_NONE - 1; row < table->nrows; row++)
		if (tv_label(group, row) != last
		    && tv_label(curve, row) == tv_pool_find_text(table->pool, "memory")) {
			last = tv_label(group, row);
			add_memory(shown, table, row, last != TV_NONE);
		}
	return 0;
}

/* The peak: a line down to the axis, and a dot. */
static void layout_memory(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct tv_curves_shown *shown = slot->state;
	const struct tv_place *place = &slot->place;
	struct tv_scene *scene = figure->scene;
	static const double half = 1.3;

	tv_curves_layout(figure, slot);
	for (size_t i = 0; i < shown->n; i++) {
		const struct tv_pieces *pieces = &shown->pieces[i];
		size_t at = 0;
		double x, y;

		for (size_t k = 1; k < pieces->n; k++)
			if (pieces->value[k] > pieces->value[at])
				at = k;
		if (pieces->n == 0 || pieces->start[at] < figure->axis.begin
		    || pieces->start[at] > figure->axis.end)
			continue;
		x = tv_axis_at(&figure->axis, pieces->start[at]);
		y = place->y + tv_value_at(&shown->scale, pieces->value[at]) * place->height;
		if (y < place->y)
			continue;
		tv_scene_pen(scene, "peak", "curves");
		scene->pen.stroke = shown->key[i].color;
		scene->pen.dash = TV_DASHED;
		tv_scene_line(scene, TV_PAGE, x, y, x, place->y + place->height);
		tv_scene_pen(scene, "peak", "curves");
		scene->pen.fill = shown->key[i].color;
		tv_scene_rect(scene, TV_PAGE, x - half, y - half, x + half, y + half);
	}
}

static const struct tv_option_spec active_options[] = { TV_OPTION_LIMIT };
static const struct tv_option_spec memory_options[] = {
	TV_OPTION_BY_NODE,
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_open_fronts = {
	.name = "open-fronts",
	.former = "active-nodes",
	.title = "open and computing fronts of a multifrontal factorization",
	.needs = "fronts: tasks of qr_mumps, or the column ANode",
	.share = 0.7,
	TV_OPTIONS(active_options),
	.prepare = prepare_active,
	TV_CURVES_PANEL,
};

const struct tv_panel tv_panel_front_memory = {
	.name = "front-memory",
	.former = "node-memory",
	.title = "memory of the open fronts of a multifrontal factorization",
	.needs = "tasks of qr_mumps, whose GFlop contains memory",
	.share = 0.7,
	TV_OPTIONS(memory_options),
	.prepare = prepare_memory,
	.measure = tv_curves_measure,
	.layout = layout_memory,
	.release = tv_curves_release_shown,
};
