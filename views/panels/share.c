/* SPDX-License-Identifier: GPL-3.0-or-later */
/* share.c -- the panel of the workers' time by task type, one frame per type of workers. */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/types.h"
#include "views/rows/rows.h"
#include "views/shared/panel.h"

static const double frame_min = 16;

struct usage {
	struct tv_curves_shown **frame; /* one per type of workers */
	size_t n;
	double *top;   /* title and keys of each */
	double height; /* of the data area of each */
};

/* Mean of the sum of all curves of that name, over their time. */
static double mean_of(const struct tv_curves_shown *shown)
{
	double mean = 0;

	for (size_t i = 0; i < shown->n; i++)
		mean += tv_pieces_extent(&shown->pieces[i], INT64_MIN, INT64_MAX).mean;
	return mean;
}

static int add_frame(struct tv_figure *figure, const struct tv_slot *slot,
		     const struct tv_group *group, const struct tv_table *table,
		     struct tv_error *err)
{
	struct usage *usage = slot->state;
	struct tv_curves_shown *shown = tv_alloc(1, sizeof *shown);
	char name[64];

	usage->frame[usage->n++] = shown;
	if (tv_types_show(figure, shown, table, group->label, err) < 0)
		return -1;
	tv_clean_text(name, sizeof name, tv_pool_text(table->pool, group->label));
	shown->printed = slot->printed;
	shown->title = tv_format(
		"%u %s in use, %%: mean %s", group->nworkers, name,
		tv_print_number(&shown->printed, "Mean", name, "%", "%.1f", mean_of(shown)));
	tv_curves_level(shown, figure->axis.begin, figure->axis.end, 100, TV_INK, "");
	return 0;
}

/* A frame for each type of workers, in the order in which rows first show them. */
static int add_frames(struct tv_figure *figure, const struct tv_slot *slot,
		      const struct tv_table *table, struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(figure->run);
	const struct tv_rows *rows = figure->rows;

	for (uint32_t b = 0; b < rows->nbands; b++) {
		uint32_t before = 0, t = 0;

		while (rows->band[before].rtype != rows->band[b].rtype)
			before++;
		while (t < tasks->nrtypes && tasks->rtype[t].label != rows->band[b].rtype)
			t++;
		if (before == b && t < tasks->nrtypes
		    && add_frame(figure, slot, &tasks->rtype[t], table, err) < 0)
			return -1;
	}
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	uint32_t max = tv_run_part(figure->run)->nrtypes;
	const struct tv_table *table;
	struct usage *usage;
	int rc = tv_panel_pass(figure, slot->panel, "share", NULL, &table, err);

	if (rc != 0)
		return rc;
	if (table->nrows == 0)
		return tv_panel_nothing(figure, slot->panel, "the run takes no time");
	slot->state = usage = tv_alloc(1, sizeof *usage);
	usage->frame = tv_alloc(max, sizeof(struct tv_curves_shown *));
	usage->top = tv_alloc(max, sizeof *usage->top);
	return add_frames(figure, slot, table, err);
}

/* The first frame's title is above the place of the panel, those of the others within. */
static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct usage *usage = slot->state;
	double cell = figure->scene->cell, between = 0, n = (double)usage->n;

	for (int fitted = 0; fitted <= (height > 0); fitted++) {
		usage->height = fitted ? floor((height - between) / n / cell) * cell : 0;
		between = 0;
		for (size_t i = 0; i < usage->n; i++) {
			tv_curves_fit(figure, slot, usage->frame[i], usage->height);
			usage->top[i] = ceil(slot->request.top / cell) * cell;
			between += i > 0 ? usage->top[i] : 0;
		}
	}
	slot->request.top = usage->top[0];
	slot->request.min = n * frame_min + between;
	slot->request.height = height > 0 ? usage->height * n + between : 0;
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct usage *usage = slot->state;
	struct tv_place place = slot->place;

	place.height = usage->height;
	for (size_t i = 0; i < usage->n; i++) {
		place.y += i > 0 ? usage->top[i] : 0;
		tv_curves_draw(figure, usage->frame[i], "share", &place);
		place.y += place.height;
	}
}

static void release(struct tv_slot *slot)
{
	struct usage *usage = slot->state;

	for (size_t i = 0; i < usage->n; i++)
		tv_curves_free_shown(usage->frame[i]);
	tv_free(usage->frame);
	tv_free(usage->top);
	tv_free(usage);
}

const struct tv_panel tv_panel_share = {
	.name = "share",
	.former = "usage",
	.title = "share of the workers of each type that run tasks, by task type",
	.needs = "tasks",
	.reads = "",
	.columns = "",
	.passes = { "share" },
	.share = 1.6,
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
