/* SPDX-License-Identifier: GPL-3.0-or-later */
/* efficiency.c -- the panel of the times from the makespan down to the area bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "views/charts/waterfall.h"
#include "views/scene/palette.h"

struct efficiency {
	struct tv_waterfall fall; /* the first, for the functions of waterfall.h */
	bool all;
	const struct tv_table *table;
	char title[200];
};

/* Losses by what they belong to; other rows of the table are whole times. */
static uint32_t color_of(const char *name)
{
	static const struct {
		const char *word;
		uint32_t color;
	} known[] = {
		{ "runtime", 0xd55e00 },   { "transfer", 0x56b4e9 }, { "submission", 0x2a9d77 },
		{ "order", 0xe6a22e },	   { "graph", 0x9a9a9a },    { "workers", 0xc8a2c8 },
		{ "types", 0xa37bb5 },	   { "nodes", 0x7b4f9e },    { "overlap", 0x1b7837 },
		{ "placement", 0x6a51a3 },
	};

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strncmp(name, known[i].word, strlen(known[i].word)) == 0)
			return known[i].color;
	return TV_GRAY;
}

static struct tv_waterfall_bar *add_bar(struct efficiency *e, const char *name, uint32_t row)
{
	struct tv_waterfall_bar *bar = &e->fall.bar[e->fall.n++];

	*bar = (struct tv_waterfall_bar){ .row = row, .color = color_of(name) };
	snprintf(bar->name, sizeof bar->name, "%s", name);
	return bar;
}

static void add_whole(struct efficiency *e, const char *name, uint32_t row, int64_t time,
		      const struct tv_unit *unit)
{
	struct tv_waterfall_bar *bar = add_bar(e, name, row);

	bar->time = time;
	tv_unit_text(bar->number, sizeof bar->number, time, unit);
}

/* What a factor loses: from the time after it to the one before it. */
static void add_loss(struct efficiency *e, uint32_t row, const struct tv_unit *unit)
{
	const struct tv_column *factor = tv_table_find(e->table, "Efficiency");
	struct tv_waterfall_bar *bar = add_bar(e, tv_table_text(e->table, "Name", row), row);
	char text[40];

	bar->begin = tv_table_find(e->table, "Time")->i[row];
	bar->time = tv_table_find(e->table, "Lost")->i[row];
	tv_unit_text(text, sizeof text, llabs(bar->time), unit);
	snprintf(bar->number, sizeof bar->number, "%s%s (%.3f)", bar->time < 0 ? "-" : "", text,
		 tv_missing(factor, row) ? 1 : factor->d[row]);
}

static void read_bars(struct efficiency *e, const struct tv_unit *unit)
{
	const struct tv_column *time = tv_table_find(e->table, "Time");
	uint32_t last = 0;

	e->fall.bar = tv_alloc((size_t)e->table->nrows + 1, sizeof *e->fall.bar);
	for (uint32_t row = 0; row < e->table->nrows; row++) {
		if (tv_table_is(e->table, "Section", row, "mode"))
			add_whole(e, "makespan", row, time->i[row], unit);
		if (!tv_table_is(e->table, "Section", row, "factor"))
			continue;
		add_loss(e, row, unit);
		last = row;
	}
	add_whole(e, "area bound", last, time->i[last], unit);
}

/* A product of factors, for the title. */
static double product(const struct tv_table *table, const char *name)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_table_is(table, "Section", row, "product")
		    && tv_table_is(table, "Name", row, name)
		    && !tv_missing(tv_table_find(table, "Efficiency"), row))
			return tv_table_find(table, "Efficiency")->d[row];
	return NAN;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct efficiency *e = slot->state;
	int rc = tv_panel_pass(figure, slot->panel, "efficiency",
			       (const char *const[]){ "all", e->all ? "" : NULL, NULL }, &e->table,
			       err);

	if (rc != 0)
		return rc;
	if (!isfinite(product(e->table, "global")))
		return tv_panel_nothing(figure, slot->panel, "no task takes time");
	read_bars(e, figure->unit);
	snprintf(e->title, sizeof e->title,
		 "efficiency %s: parallel %s, load balance %s, communication %s",
		 tv_print_number(&slot->printed, "Efficiency", NULL, NULL, "%.3f",
				 product(e->table, "global")),
		 tv_print_number(&slot->printed, "ParallelEfficiency", NULL, NULL, "%.3f",
				 product(e->table, "parallel")),
		 tv_print_number(&slot->printed, "LoadBalance", NULL, NULL, "%.3f",
				 product(e->table, "load-balance")),
		 tv_print_number(&slot->printed, "CommunicationEfficiency", NULL, NULL, "%.3f",
				 product(e->table, "communication")));
	e->fall.group = "efficiency";
	e->fall.title = e->title;
	e->fall.axis = "makespan without these losses";
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "all", NULL, NULL, "also factors that must be 1, such as nodes on one node",
	  TV_INTO(struct efficiency, all) },
};

const struct tv_panel tv_panel_efficiency = {
	.name = "efficiency",
	.untyped = true,
	.title = "the makespan without one kind of loss after the other, down to the area bound",
	.needs = "tasks (better with DependsOn, SubmitTime, messages)",
	.kind = TV_FREE,
	.share = 2,
	TV_PANEL_OPTIONS(options, struct efficiency),
	.prepare = prepare,
	.measure = tv_waterfall_measure,
	.layout = tv_waterfall_layout,
	.release = tv_waterfall_release,
};
