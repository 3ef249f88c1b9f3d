/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.c -- panels of how many tasks are ready, and how many submitted and not started. */
#include <stdio.h>

#include "views/curves.h"

static const uint32_t ready_color = 0x1f6f9f, submitted_color = 0x8a5a00;

/* One curve of a pass under a title that tells its mean and maximum. */
static int prepare_count(struct tv_figure *figure, struct tv_slot *slot, const char *pass,
			 const char *curve, const char *title, uint32_t color,
			 struct tv_error *err)
{
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	struct tv_pieces pieces;
	struct tv_extent extent;
	int rc = tv_panel_pass(figure, slot->panel, pass, NULL, &table, err);

	if (rc != 0)
		return rc;
	shown = tv_curves_new(slot, err);
	if (shown == NULL)
		return -1;
	pieces = tv_pieces_find(table, curve, TV_NONE);
	extent = tv_pieces_extent(&pieces, INT64_MIN, INT64_MAX);
	snprintf(shown->title, sizeof shown->title, "%s: mean %.1f, max %.0f", title, extent.mean,
		 extent.most);
	shown->whole = true;
	tv_curves_show(shown, pieces, TV_KEY_LINE, color, "");
	return tv_curves_limit(figure, slot, err);
}

static int prepare_ready(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	return prepare_count(figure, slot, "ready", "ready", "ready tasks", ready_color, err);
}

static int prepare_submitted(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	return prepare_count(figure, slot, "submitted", "not started", "submitted, not started",
			     submitted_color, err);
}

static const struct tv_option_spec options[] = { TV_OPTION_LIMIT };

const struct tv_panel tv_panel_ready = {
	.name = "ready",
	.title = "tasks that could run and do not",
	.needs = "DependsOn or SubmitTime",
	.share = 0.6,
	.usual = true,
	.usual_facet = true,
	.option = options,
	.noptions = TV_COUNT(options),
	.prepare = prepare_ready,
	.measure = tv_curves_measure,
	.layout = tv_curves_layout,
	.release = tv_curves_release_shown,
};

const struct tv_panel tv_panel_submitted = {
	.name = "submitted",
	.title = "tasks submitted and not started",
	.needs = "SubmitTime",
	.share = 0.5,
	.usual = true,
	.option = options,
	.noptions = TV_COUNT(options),
	.prepare = prepare_submitted,
	.measure = tv_curves_measure,
	.layout = tv_curves_layout,
	.release = tv_curves_release_shown,
};
