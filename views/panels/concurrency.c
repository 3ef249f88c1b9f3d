/* SPDX-License-Identifier: GPL-3.0-or-later */
/* concurrency.c -- the panel of running tasks by type, under the number of workers. */
#include <stdio.h>

#include "views/charts/types.h"
#include "views/shared/panel.h"

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_axis *axis = &figure->axis;
	uint32_t workers = tv_run_part(figure->run)->nworkers;
	const struct tv_table *table, *all;
	struct tv_curves_shown *shown;
	struct tv_extent extent;
	struct tv_pieces pieces;
	char text[64];
	int by_node = tv_curves_by_node(figure, slot->panel, err), rc;

	if (by_node < 0)
		return -1;
	rc = tv_panel_pass(figure, slot->panel, "concurrency",
			   (const char *const[]){ "by", by_node ? "Node" : "Value", NULL }, &table,
			   err);

	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "concurrency", NULL, &all, err);
	if (rc != 0)
		return rc;
	if (all->nrows == 0)
		return tv_panel_nothing(figure, slot->panel, "the run takes no time");
	shown = tv_curves_new(slot);
	shown->stacked = true;
	if (by_node)
		tv_curves_groups(figure, shown, table, "running", TV_KEY_AREA);
	else if (tv_types_show(figure, shown, table, TV_NONE, err) < 0)
		return -1;
	pieces = tv_pieces_find(all, "running", TV_NONE);
	extent = tv_pieces_extent(&pieces, INT64_MIN, INT64_MAX);
	snprintf(shown->title, sizeof shown->title, "running tasks: mean %.1f, max %.0f",
		 extent.mean, extent.most);
	snprintf(text, sizeof text, "%u worker%s", workers, workers == 1 ? "" : "s");
	tv_curves_level(shown, axis->begin, axis->end, workers, TV_INK, text);
	shown->whole = true;
	return tv_curves_limit(figure, slot, err);
}

static const struct tv_option_spec options[] = { TV_OPTION_LIMIT, TV_OPTION_BY_NODE };

const struct tv_panel tv_panel_concurrency = {
	.name = "concurrency",
	.title = "running tasks by type",
	.needs = "tasks",
	.share = 1,
	.option = options,
	.noptions = TV_COUNT(options),
	.prepare = prepare,
	.measure = tv_curves_measure,
	.layout = tv_curves_layout,
	.release = tv_curves_release_shown,
};
