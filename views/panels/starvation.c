/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvation.c -- the panel of when workers lacked ready tasks: a strip of colors. */
#include <stdio.h>
#include <string.h>

#include "analysis/core/options.h"
#include "views/charts/series.h"
#include "views/charts/starvation.h"
#include "views/shared/panel.h"

static const double strip_min = 5;

enum { KEYS = 2 };

struct strip {
	const char *can_run;
	const struct tv_table *table;
	char title[128];
	struct tv_key key[KEYS];
	size_t nkeys;
};

static uint32_t strong_color(double share)
{
	return tv_starvation_color(share, false);
}

static void make_words(struct strip *strip, const struct tv_printed *printed, bool anywhere)
{
	struct tv_pieces lack = tv_starvation_pieces(strip->table, "Lack"),
			 drain = tv_starvation_pieces(strip->table, "Drain");
	double workers = tv_starvation_workers(strip->table);
	double share = 100 * tv_pieces_extent(&drain, INT64_MIN, INT64_MAX).mean / workers;

	snprintf(
		strip->title, sizeof strip->title, "workers without a ready task: %s %%%s",
		tv_print_number(printed, "Share", NULL, "%", "%.1f",
				100 * tv_pieces_extent(&lack, INT64_MIN, INT64_MAX).mean / workers),
		anywhere ? "; a task can run anywhere" : "");
	strip->key[0] = (struct tv_key){ TV_KEY_SCALE, 0, "0 to 100 %", strong_color };
	strip->nkeys = 1;
	if (share == 0)
		return;
	strip->key[1] = (struct tv_key){ .kind = TV_KEY_AREA, .color = TV_PALE };
	snprintf(strip->key[1].text, sizeof strip->key[1].text, "drain %s %%",
		 tv_print_number(printed, "Drain", NULL, "%", "%.1f", share));
	strip->nkeys = 2;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct strip *strip = slot->state;
	int rc = tv_panel_pass(figure, slot->panel, "starvation",
			       (const char *const[]){ "can-run", strip->can_run, NULL },
			       &strip->table, err);

	if (rc != 0)
		return rc;
	if (strip->table->nrows == 0)
		return tv_panel_nothing(figure, slot->panel, "the run takes no time");
	make_words(strip, &slot->printed, strcmp(strip->can_run, "anywhere") == 0);
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	const struct strip *strip = slot->state;

	(void)height;
	slot->request.min = strip_min;
	slot->request.top = tv_strip_height(figure, strip->title, strip->key, strip->nkeys,
					    tv_strip_width(figure));
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct tv_place *place = &slot->place;
	const struct strip *strip = slot->state;
	unsigned frame = tv_figure_frame(figure, "starvation", place, 1, false);

	tv_starvation_draw(figure, frame, strip->table, false);
	tv_border_draw(figure->scene, place);
	tv_strip_draw(figure, strip->title, strip->key, strip->nkeys, place->x, place->y,
		      tv_strip_width(figure));
}

static const struct tv_option_spec options[] = { { TV_CAN_RUN_ROW,
						   TV_INTO(struct strip, can_run) } };

const struct tv_panel tv_panel_starvation = {
	.name = "starvation",
	.former = "lack",
	.title = "when workers lacked ready tasks, as a color strip",
	.needs = "DependsOn",
	.reads = "",
	.columns = "",
	.passes = { "starvation" },
	.share = 0.25,
	TV_PANEL_OPTIONS(options, struct strip),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
};
