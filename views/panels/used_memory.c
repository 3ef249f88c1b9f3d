/* SPDX-License-Identifier: GPL-3.0-or-later */
/* used_memory.c -- the panel of the memory used on each memory node, its peaks marked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/curves.h"
#include "views/charts/names.h"
#include "views/scene/palette.h"

static const double height_min = 24, bullet = 2; /* points */

/* A memory node of the pass's summary. */
struct memory {
	uint32_t label, row;
	double peak;   /* MiB, of the curve that is shown */
	int64_t time;  /* when it is first reached */
	bool main;     /* main memory */
	uint32_t next; /* its place in the order of the pass */
};

/* What the panel shows: curves, and a mark at the peak of each. */
struct used {
	struct tv_curves_shown *shown;
	struct memory memory[TV_CURVE_COLORS];
	size_t n;
};

TV_ORDER(by_peak, struct memory, down(peak), next)

TV_ORDER(by_place, struct memory, next)

/* Those of the summary that have a peak, the highest first; how many. Free *memory. */
static size_t read_memories(const struct tv_table *summary, bool resident, struct memory **memory)
{
	const struct tv_column *id = tv_table_find(summary, "ResourceId"),
			       *number = tv_table_find(summary, "MemoryNode"),
			       *peak = tv_table_find(summary, resident ? "ResidentPeak" : "Peak"),
			       *time = tv_table_find(summary,
						     resident ? "ResidentPeakTime" : "PeakTime");
	size_t n = 0;

	*memory = tv_alloc(summary->nrows, sizeof **memory);
	for (uint32_t row = 0; row < summary->nrows; row++)
		if (!tv_missing(peak, row) && !tv_missing(time, row))
			(*memory)[n++] = (struct memory){
				.label = tv_label(id, row),
				.peak = peak->d[row],
				.time = time->i[row],
				.main = !tv_missing(number, row) && number->i[row] == 0,
				.next = row,
			};
	qsort(*memory, n, sizeof **memory, by_peak);
	return n;
}

static char *title_of(const struct memory *highest, size_t n, bool resident,
		      const struct tv_printed *printed)
{
	char peak[48], time[48], some[80] = "";

	tv_number_text(peak, sizeof peak, highest->peak);
	tv_time_text(time, sizeof time, highest->time, NULL);
	if (n > TV_CURVE_COLORS)
		snprintf(some, sizeof some, " (%d of %zu)", TV_CURVE_COLORS, n);
	return tv_format("%s memory, MiB%s: peak %s at %s", resident ? "resident" : "used", some,
			 tv_print_number(printed, "Peak", NULL, "MiB", "%s", peak),
			 tv_print_number(printed, "PeakTime", NULL, NULL, "%s", time));
}

static void show_curves(struct used *u, const struct tv_table *curves, const char *curve)
{
	for (size_t i = 0; i < u->n; i++) {
		char name[64], peak[48], text[TV_KEY_TEXT];

		tv_memory_name(name, sizeof name, tv_pool_text(curves->pool, u->memory[i].label));
		tv_number_text(peak, sizeof peak, u->memory[i].peak);
		snprintf(text, sizeof text, "%s: peak %s", name,
			 tv_print_number(&u->shown->printed, "Peak", name, "MiB", "%s", peak));
		tv_curves_show(u->shown, tv_pieces_find(curves, curve, u->memory[i].label),
			       u->memory[i].main ? TV_KEY_DASHED : TV_KEY_LINE, tv_curve_colors[i],
			       text);
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	bool resident = tv_panel_choice(figure, slot->panel, "show") == 1;
	const char *from = tv_panel_option(figure, slot->panel, "from");
	const struct tv_table *curves, *summary;
	struct memory *memory;
	struct used *u;
	size_t n;
	int rc = tv_panel_pass(figure, slot->panel, "memory",
			       (const char *const[]){ "from", from, NULL }, &curves, err);

	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "memory",
				   (const char *const[]){ "from", from, "summary", "", NULL },
				   &summary, err);
	if (rc != 0)
		return rc;
	n = read_memories(summary, resident, &memory);
	if (n == 0 || !(memory[0].peak > 0)) {
		tv_free(memory);
		return tv_panel_nothing(figure, slot->panel,
					resident ? "no data are on any memory node"
						 : "no memory is used on any memory node");
	}
	u = tv_alloc(1, sizeof *u);
	u->shown = tv_curves_new(figure, slot);
	slot->state = u;
	u->shown->title = title_of(memory, n, resident, &u->shown->printed);
	u->n = n < TV_CURVE_COLORS ? n : TV_CURVE_COLORS;
	memcpy(u->memory, memory, u->n * sizeof *memory);
	qsort(u->memory, u->n, sizeof *u->memory, by_place);
	tv_free(memory);
	show_curves(u, curves, resident ? "resident" : "used");
	if (n > u->n)
		tv_run_warn(
			figure->run,
			"used-memory: %zu of %zu memory nodes are drawn, those with the highest "
			"peaks (--node chooses)",
			u->n, n);
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct used *u = slot->state;

	slot->request.min = height_min;
	tv_curves_fit(figure, slot, u->shown, height);
}

/* A point at each peak that the axis shows. */
static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct used *u = slot->state;
	const struct tv_place *place = &slot->place;

	tv_curves_draw(figure, u->shown, slot->panel->name, place);
	for (size_t i = 0; i < u->n; i++) {
		double at = tv_value_at(&u->shown->scale, u->memory[i].peak);

		if (u->memory[i].time < figure->axis.begin || u->memory[i].time > figure->axis.end
		    || at < 0)
			continue;
		tv_scene_pen(figure->scene, "peak", slot->panel->name);
		tv_bullet_draw(figure->scene, tv_axis_at(&figure->axis, u->memory[i].time),
			       place->y + at * place->height, bullet, tv_curve_colors[i], TV_WHITE);
	}
}

static void release(struct tv_slot *slot)
{
	struct used *u = slot->state;

	tv_curves_free_shown(u->shown);
	tv_free(u);
}

static const struct tv_option_spec options[] = {
	{ "show", "used|resident", "used", "memory that is allocated, or that valid data are in",
	  TV_OPTION_CHOICE },
	{ "from", "counter|events|auto", "auto",
	  "source of used memory: the runtime's counter or its events", TV_OPTION_CHOICE },
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_used_memory = {
	.name = "used-memory",
	.title = "memory used on each memory node, its peaks marked",
	.needs = "variables 'Used (MB)', or events about allocations or data states",
	.share = 0.8,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
