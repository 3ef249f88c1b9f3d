/* SPDX-License-Identifier: GPL-3.0-or-later */
/* used_memory.c -- the panel of the memory used on each memory node, its peaks marked. */
#include <string.h>

#include "analysis/core/kinds.h"
#include "trace/alloc.h"
#include "views/charts/curves.h"
#include "views/charts/names.h"

struct state {
	struct tv_curves_shown shown;
	const char *show, *from;
};

/* Main memory is dashed. */
static void show_curves(struct tv_figure *figure, struct tv_curves_shown *shown,
			const struct tv_curve_list *list, const struct tv_pool *pool)
{
	struct tv_kinds kinds;

	tv_kinds_init(&kinds, figure->run);
	for (size_t i = 0; i < list->n; i++) {
		char name[64], *text;

		tv_memory_name(name, sizeof name, tv_pool_text(pool, list->at[i].by));
		text = tv_curve_text(&shown->printed, "{name}: peak {peak}", name, &list->at[i],
				     "MiB");
		tv_curves_show(shown, list->at[i].pieces,
			       tv_kind_is_main(pool, tv_kind_of(&kinds, list->at[i].by))
				       ? TV_KEY_DASHED
				       : TV_KEY_LINE,
			       tv_curve_colors[i], text);
		tv_free(text);
	}
	tv_kinds_release(&kinds);
}

/* Those with the highest peaks, in the order of the pass. */
static void show_highest(struct tv_figure *figure, struct tv_slot *slot,
			 const struct tv_table *table, const char *what, struct tv_curve_list *list)
{
	struct tv_curves_shown *shown = tv_curves_new(slot);
	size_t all = list->n;
	char *some = NULL, *peak = tv_curve_text(&shown->printed, "peak {peak} at {time}", NULL,
						 &list->at[0], "MiB");

	if (all > TV_CURVE_COLORS) {
		list->n = TV_CURVE_COLORS;
		some = tv_format(" (%zu of %zu)", list->n, all);
		tv_run_warn(
			figure->run,
			"used-memory: %zu of %zu memory nodes are drawn, those with the highest "
			"peaks (--node chooses)",
			list->n, all);
	}
	shown->title = tv_format("%s memory, MiB%s: %s", what, some != NULL ? some : "", peak);
	shown->peaks = TV_PEAK_DOTS;
	tv_curve_list_by_place(list);
	show_curves(figure, shown, list, table->pool);
	tv_free(some);
	tv_free(peak);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct state *state = slot->state;
	const struct tv_table *table;
	struct tv_curve_list list;
	int rc = tv_panel_pass(figure, slot->panel, "memory",
			       (const char *const[]){ "from", state->from, NULL }, &table, err);

	if (rc != 0)
		return rc;
	tv_curve_list_init(&list, table, "By", "Value");
	tv_curve_list_keep(&list, table, state->show);
	tv_curve_list_measure(&list);
	tv_curve_list_by_max(&list);
	if (list.n > 0 && list.at[0].extent.max > 0)
		show_highest(figure, slot, table, state->show, &list);
	else
		rc = tv_panel_nothing(figure, slot->panel,
				      strcmp(state->show, "used") == 0
					      ? "no memory is used on any memory node"
					      : "no data are on any memory node");
	tv_curve_list_release(&list, NULL);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "show", "used|resident", "used", "memory that is allocated, or that valid data are in",
	  TV_OPTION_CHOICE, TV_INTO(struct state, show) },
	{ "from", "counter|events|auto", "auto",
	  "source of used memory: the runtime's counter or its events", TV_OPTION_CHOICE,
	  TV_INTO(struct state, from) },
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_used_memory = {
	.name = "used-memory",
	.untyped = true,
	.title = "memory used on each memory node, its peaks marked",
	.needs = "variables 'Used (MB)', or events about allocations or data states",
	.share = 0.8,
	TV_PANEL_OPTIONS(options, struct state),
	.prepare = prepare,
	TV_CURVES_PANEL,
};
