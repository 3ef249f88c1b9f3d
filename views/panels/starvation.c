/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvation.c -- the panel of when workers lacked ready tasks: a strip of colors. */
#include "views/panels/starvation.h"

#include <stdio.h>
#include <string.h>

#include "analysis/shared/common.h"
#include "trace/alloc.h"
#include "views/scene/ramp.h"
#include "views/charts/series.h"

static const double strip_least = 5;

enum { KEYS = 2 };

struct strip {
	const struct tv_table *table;
	char title[128];
	struct tv_key key[KEYS];
	size_t nkeys;
};

uint32_t tv_starvation_color(double share, bool pale)
{
	uint32_t color = tv_ramp_color(TV_RAMP_LACK, share);

	return pale ? tv_color_fade(color) : color;
}

/* A column of the result over time; it holds one group. */
static struct tv_pieces pieces_of(const struct tv_table *lack, const char *name)
{
	return (struct tv_pieces){ tv_table_find(lack, "Start")->i, tv_table_find(lack, "End")->i,
				   tv_table_find(lack, name)->d, lack->nrows };
}

static double workers_of(const struct tv_table *lack)
{
	return (double)tv_table_find(lack, "Workers")->i[0];
}

void tv_starvation_draw(struct tv_figure *figure, unsigned frame, const struct tv_table *table,
			bool pale)
{
	const struct tv_pieces pieces[] = { pieces_of(table, "Lack"), pieces_of(table, "Drain") };
	struct tv_scene *scene = figure->scene;
	struct tv_extent *lack = NULL, *drain = NULL;
	struct tv_image image = { 0 };
	struct tv_bins bins;

	tv_bins_even(&bins, figure);
	image = (struct tv_image){ bins.n, 1, tv_alloc(bins.n, sizeof *image.pixel) };
	lack = tv_pieces_bin(&pieces[0], &bins);
	drain = tv_pieces_bin(&pieces[1], &bins);
	for (uint32_t i = 0; image.pixel != NULL && lack != NULL && drain != NULL && i < bins.n;
	     i++)
		image.pixel[i] = lack[i].mean > 0
				       ? tv_starvation_color(lack[i].mean / workers_of(table), pale)
			       : drain[i].mean > 0 && !pale ? TV_PALE
							    : TV_WHITE;
	tv_free(bins.edge);
	tv_free(lack);
	tv_free(drain);
	tv_scene_pen(scene, "lack", "lack");
	tv_scene_image(scene, frame, 0, 0, scene->frame[frame].duration, 1, image);
}

static uint32_t strong_color(double share)
{
	return tv_starvation_color(share, false);
}

static void make_words(struct strip *strip, bool anywhere)
{
	struct tv_pieces lack = pieces_of(strip->table, "Lack"),
			 drain = pieces_of(strip->table, "Drain");
	double workers = workers_of(strip->table);
	double share = 100 * tv_pieces_extent(&drain, INT64_MIN, INT64_MAX).mean / workers;

	snprintf(strip->title, sizeof strip->title, "workers without a ready task: %.1f %%%s",
		 100 * tv_pieces_extent(&lack, INT64_MIN, INT64_MAX).mean / workers,
		 anywhere ? "; a task can run anywhere" : "");
	strip->key[0] = (struct tv_key){ TV_KEY_SCALE, 0, "0 to 100 %", strong_color };
	strip->nkeys = 1;
	if (share == 0)
		return;
	strip->key[1] = (struct tv_key){ .kind = TV_KEY_AREA, .color = TV_PALE };
	snprintf(strip->key[1].text, sizeof strip->key[1].text, "drain %.1f %%", share);
	strip->nkeys = 2;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const char *can_run = tv_panel_option(figure, slot->panel, "can-run");
	const struct tv_table *table;
	struct strip *strip;
	int rc = tv_panel_pass(figure, slot->panel, "starvation",
			       (const char *const[]){ "can-run", can_run, NULL }, &table, err);

	if (rc != 0)
		return rc;
	if (table->nrows == 0)
		return tv_panel_nothing(figure, slot->panel, "the run takes no time");
	slot->state = strip = tv_alloc(1, sizeof *strip);
	strip->table = table;
	make_words(strip, strcmp(can_run, "anywhere") == 0);
	return 0;
}

static int measure(struct tv_figure *figure, struct tv_slot *slot, double height,
		   struct tv_error *err)
{
	const struct strip *strip = slot->state;

	(void)height;
	(void)err;
	slot->room.least = strip_least;
	slot->room.top = tv_strip_height(figure, strip->title, strip->key, strip->nkeys,
					 figure->axis.width);
	return 0;
}

static int layout(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_place *place = &slot->place;
	const struct strip *strip = slot->state;
	unsigned frame = tv_figure_frame(figure, "starvation", place, 1, false);

	(void)err;
	tv_starvation_draw(figure, frame, strip->table, false);
	tv_border_draw(figure->scene, place);
	tv_strip_draw(figure, strip->title, strip->key, strip->nkeys, place->x, place->y,
		      place->width);
	return 0;
}

static const struct tv_option_spec options[] = { TV_OPTION_CAN_RUN };

const struct tv_panel tv_panel_starvation = {
	.name = "starvation",
	.former = "lack",
	.title = "when workers lacked ready tasks, as a strip of colors",
	.needs = "DependsOn",
	.share = 0.25,
	.option = options,
	.noptions = TV_COUNT(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
};
