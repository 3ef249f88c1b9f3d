/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_curves.c -- panels of the open fronts of an elimination tree, and of their memory. */
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/curves.h"

/* From behind to in front: pruned ones dashed, those that compute below those that are open. */
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

static void show_fronts(struct tv_curves_shown *shown, const struct tv_pool *pool,
			const struct tv_curve *curve, size_t as)
{
	char *text;

	if (curve->name != tv_pool_find_text(pool, shown_as[as].curve)
	    || curve->by != tv_pool_find_text(pool, shown_as[as].group) || !(curve->extent.max > 0))
		return;
	text = tv_curve_text(&shown->printed, "{name}: mean {mean:1}, max {max:0}",
			     shown_as[as].text, curve, "fronts");
	tv_curves_show(shown, curve->pieces, shown_as[as].kind, shown_as[as].color, text);
	tv_free(text);
}

static int prepare_active(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	struct tv_curve_list list;
	int rc = tv_panel_pass(figure, slot->panel, "open-fronts", NULL, &table, err);

	if (rc != 0)
		return rc;
	shown = tv_curves_new(slot);
	shown->title = tv_format("fronts");
	shown->whole = true;
	tv_curve_list_init(&list, table, "By", "Value");
	tv_curve_list_measure(&list);
	for (size_t as = 0; as < TV_COUNT(shown_as); as++)
		for (size_t i = 0; i < list.n; i++)
			show_fronts(shown, table->pool, &list.at[i], as);
	tv_curve_list_release(&list, NULL);
	return 0;
}

struct state {
	struct tv_curves_shown shown;
	const char *by;
};

static int prepare_memory(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const char *by = ((const struct state *)slot->state)->by;
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	struct tv_curve_list list;
	int rc = tv_panel_pass(figure, slot->panel, "front-memory",
			       (const char *const[]){ "by", by, NULL }, &table, err);

	if (rc != 0)
		return rc;
	shown = tv_curves_new(slot);
	shown->title = tv_format("memory of the open fronts, MB");
	shown->peaks = TV_PEAK_LINES;
	tv_curve_list_init(&list, table, "By", "Value");
	tv_curve_list_keep(&list, table, "memory");
	tv_curve_list_measure(&list);
	for (size_t i = 0; i < list.n && i < TV_CURVE_COLORS; i++) {
		const struct tv_curve *curve = &list.at[i];
		bool several = curve->by != TV_NONE;
		char name[20] = "", *text;

		if (several)
			tv_clean_text(name, sizeof name, tv_pool_text(table->pool, curve->by));
		text = tv_curve_text(&shown->printed,
				     several ? "{name}: peak {peak} MB at {time}"
					     : "peak {peak} MB at {time}",
				     several ? name : NULL, curve, "MB");
		tv_curves_show(shown, curve->pieces, TV_KEY_LINE, tv_curve_colors[i], text);
		tv_free(text);
	}
	tv_curve_list_release(&list, NULL);
	return 0;
}

static const struct tv_option_spec active_options[] = { TV_OPTION_LIMIT };
static const struct tv_option_spec memory_options[] = {
	TV_OPTION_BY_NODE(struct state, by),
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_open_fronts = {
	.name = "open-fronts",
	.untyped = true,
	.former = "active-nodes",
	.title = "open and computing fronts of a multifrontal factorization",
	.needs = "fronts: tasks of qr_mumps, or the column ANode",
	.share = 0.7,
	TV_PANEL_OPTIONS(active_options, struct tv_curves_shown),
	.prepare = prepare_active,
	TV_CURVES_PANEL,
};

const struct tv_panel tv_panel_front_memory = {
	.name = "front-memory",
	.untyped = true,
	.former = "node-memory",
	.title = "memory of the open fronts of a multifrontal factorization",
	.needs = "tasks of qr_mumps, whose GFlop contains memory",
	.share = 0.7,
	TV_PANEL_OPTIONS(memory_options, struct state),
	.prepare = prepare_memory,
	TV_CURVES_PANEL,
};
