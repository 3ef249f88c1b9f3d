/* SPDX-License-Identifier: GPL-3.0-or-later */
/* imbalance.c -- panels of how unevenly the load is shared over time, one per family of metrics. */
#include <stdio.h>

#include "trace/alloc.h"
#include "views/charts/curves.h"
#include "views/shared/panel.h"

/* From behind to in front. */
static const struct {
	const char *column, *name;
	int color; /* of tv_curve_colors */
} metrics[] = {
	{ "SD", "sd", 3 },
	{ "Max", "max", 2 },
	{ "Mean", "mean", 0 },
	{ "ImbalancePercent", "imbalance percent", 5 },
	{ "ImbalanceTime", "imbalance time", 1 },
};

/* The steps of one metric that have a value: pieces from shown->time and value + at on. A run of
 * one step has only the row of the whole. */
static struct tv_pieces read_metric(const struct tv_curves_shown *shown,
				    const struct tv_table *table, const char *name, size_t at)
{
	const struct tv_column *step = tv_table_find(table, "Step"),
			       *begin = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *metric = tv_table_find(table, name);
	int64_t *start = shown->time + 2 * at, *stop = start + table->nrows;
	double *value = shown->value + at;
	size_t n = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		if ((tv_missing(step, row) && table->nrows > 1) || tv_missing(metric, row))
			continue;
		start[n] = begin->i[row];
		stop[n] = end->i[row];
		value[n++] = metric->d[row];
	}
	return (struct tv_pieces){ start, stop, value, n };
}

static void show_metrics(struct tv_curves_shown *shown, const struct tv_table *table)
{
	size_t n = (size_t)table->nrows * TV_COUNT(metrics);

	shown->time = tv_alloc(2 * n, sizeof *shown->time);
	shown->value = tv_alloc(n, sizeof *shown->value);
	for (size_t i = 0; i < TV_COUNT(metrics); i++) {
		const struct tv_column *whole = tv_table_find(table, metrics[i].column);
		struct tv_pieces pieces = read_metric(shown, table, metrics[i].column,
						      i * table->nrows);
		char text[64];

		/* The first row is the whole run's. */
		if (tv_missing(whole, 0))
			snprintf(text, sizeof text, "%s", metrics[i].name);
		else
			snprintf(text, sizeof text, "%s %s", metrics[i].name,
				 tv_print_number(&shown->printed, metrics[i].name, NULL, "%",
						 "%.1f", whole->d[0]));
		if (pieces.n > 0)
			tv_curves_show(shown, pieces, TV_KEY_LINE,
				       tv_curve_colors[metrics[i].color], text);
	}
}

struct state {
	struct tv_curves_shown shown;
	const char *step, *task;
};

/* A family of metrics: what differs between the panels. */
struct family {
	const char *name, *title;
};

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct family *family = slot->panel->spec;
	const struct state *state = slot->state;
	const char *const option[] = { "family", family->name, "step", state->step,
				       "task",	 state->task,  NULL };
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	int rc = tv_panel_pass(figure, slot->panel, "imbalance", option, &table, err);

	if (rc != 0)
		return rc;
	if (table->nrows == 0)
		return tv_panel_nothing(figure, slot->panel,
					"there is no such load (see the lines above)");
	shown = tv_curves_new(slot);
	show_metrics(shown, table);
	shown->title = tv_format("%s%s%s", family->title, state->task != NULL ? ": " : "",
				 state->task != NULL ? state->task : "");
	if (shown->high == 0)
		shown->high = 100;
	return 0;
}

#define STEP \
	{ \
		"step", "TIME|auto", "auto", "length of a step; auto: 100 steps", TV_OPTION_TIME, \
			1, 0, TV_INTO(struct state, step) \
	}

static const struct tv_option_spec options[] = { STEP, TV_OPTION_LIMIT };
static const struct tv_option_spec power_options[] = {
	STEP,
	TV_OPTION_LIMIT,
	{ "task", "TYPE", NULL,
	  "task type used to weight workers by speed (default: the one with the most time "
	  "that ran on all types of workers)",
	  TV_INTO(struct state, task) },
};

const struct tv_panel tv_panel_imbalance = {
	.name = "imbalance",
	.title = "load imbalance between workers, all treated as equal",
	.needs = "tasks",
	.columns = "",
	.reads = "",
	.passes = { "imbalance" },
	.share = 0.9,
	TV_PANEL_OPTIONS(options, struct state),
	.spec = &(const struct family){ "homogeneous", "load imbalance, %" },
	.prepare = prepare,
	TV_CURVES_PANEL,
};

const struct tv_panel tv_panel_power_imbalance = {
	.name = "power-imbalance",
	.title = "load imbalance, workers weighted by their speed at one task type",
	.needs = "a task type that ran on every type of worker",
	.columns = "",
	.reads = "",
	.passes = { "imbalance" },
	.share = 0.9,
	TV_PANEL_OPTIONS(power_options, struct state),
	.spec = &(const struct family){ "power", "imbalance by power, %" },
	.prepare = prepare,
	TV_CURVES_PANEL,
};

const struct tv_panel tv_panel_hetero_imbalance = {
	.name = "hetero-imbalance",
	.title = "load imbalance, relative to the area bound of each step's work",
	.needs = "tasks",
	.columns = "",
	.reads = "",
	.passes = { "imbalance" },
	.share = 0.9,
	TV_PANEL_OPTIONS(options, struct state),
	.spec = &(const struct family){ "heterogeneous", "imbalance by area bound, %" },
	.prepare = prepare,
	TV_CURVES_PANEL,
};
