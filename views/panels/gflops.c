/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gflops.c -- the panel of the rate at which work is done. */
#include <stdio.h>

#include "views/charts/curves.h"
#include "views/shared/panel.h"

static const uint32_t color = 0x2a9d77;

/* With four digits, or all those before the point. */
static void rate_text(char *out, size_t size, double rate)
{
	snprintf(out, size, "%.*f", rate < 10 ? 3 : rate < 100 ? 2 : rate < 1000 ? 1 : 0, rate);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	struct tv_pieces pieces;
	struct tv_extent extent;
	char mean[40], most[40];
	const struct tv_table *nodes = NULL;
	int rc = tv_panel_pass(figure, slot->panel, "throughput", NULL, &table, err);
	int by_node = tv_curves_by_node(figure, slot->panel, err);

	if (by_node < 0)
		return -1;
	if (rc == 0 && by_node)
		rc = tv_panel_pass(figure, slot->panel, "throughput",
				   (const char *const[]){ "by", "Node", NULL }, &nodes, err);
	if (rc != 0)
		return rc;
	pieces = tv_pieces_find(table, "GFlop/s", TV_NONE);
	extent = tv_pieces_extent(&pieces, INT64_MIN, INT64_MAX);
	if (!(extent.most > 0))
		return tv_panel_nothing(figure, slot->panel,
					"no task has GFlop, the work that it is");
	shown = tv_curves_new(slot);
	rate_text(mean, sizeof mean, extent.mean);
	rate_text(most, sizeof most, extent.most);
	snprintf(shown->title, sizeof shown->title, "GFlop/s: mean %s, max %s", mean, most);
	if (nodes != NULL)
		tv_curves_groups(figure, shown, nodes, "GFlop/s", TV_KEY_LINE);
	else {
		tv_curves_show(shown, pieces, TV_KEY_LINE, color, "");
		tv_curves_level(shown, pieces.start[0], pieces.end[pieces.n - 1], extent.mean,
				TV_INK, "mean");
	}
	return tv_curves_limit(figure, slot, err);
}

static const struct tv_option_spec options[] = { TV_OPTION_LIMIT, TV_OPTION_BY_NODE };

const struct tv_panel tv_panel_gflops = {
	.name = "gflops",
	.title = "work done over time, in GFlop/s",
	.needs = "GFlop",
	.share = 0.7,
	.option = options,
	.noptions = TV_COUNT(options),
	.prepare = prepare,
	.measure = tv_curves_measure,
	.layout = tv_curves_layout,
	.release = tv_curves_release_shown,
};
