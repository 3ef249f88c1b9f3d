/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_causes.c -- the panel of idle workers over time, by the reason why they are idle. */
#include <stdio.h>
#include <string.h>

#include "analysis/shared/common.h"
#include "dag/idle.h"
#include "trace/alloc.h"
#include "views/charts/curves.h"

enum { SLICES = 300 };

/* Stacked in this order, from the bottom: what the runtime can change comes first. */
enum {
	COLOR_DATA = 0x0072b2,
	COLOR_RUNTIME = 0xd55e00,
	COLOR_ELSEWHERE = 0xe6a22e,
	COLOR_MPI = 0x56b4e9,
	COLOR_UNSUITED = 0xcc79a7,
	COLOR_DEPENDENCIES = 0x9a9a9a,
	COLOR_NOT_SUBMITTED = 0x2a9d77,
	COLOR_DRAIN = 0xd8d06a,
	COLOR_UNEXPLAINED = 0x3c3c3c,
};

#define UNSUITED "unsuited (no task of a type that ran here)"

static const struct {
	const char *name, *key;
	uint32_t color;
} causes[] = {
#define AREA(symbol, name) \
	[TV_IDLE_##symbol] = { name, TV_IDLE_##symbol == TV_IDLE_UNSUITED ? UNSUITED : name, \
			       COLOR_##symbol },
	TV_IDLE_CAUSES(AREA)
#undef AREA
};

/* The slices of one cause as idle workers: pieces from place `at` of shown->value on. *share: their
 * percentage of the time of all workers; the sums are exact, as of the pass without --step. */
static struct tv_pieces read_cause(struct tv_curves_shown *shown, const struct tv_table *table,
				   uint32_t label, size_t at, double *share)
{
	const struct tv_column *cause = tv_table_find(table, "Cause"),
			       *begin = tv_table_find(table, "Begin"),
			       *end = tv_table_find(table, "End"),
			       *time = tv_table_find(table, "Time"),
			       *workers = tv_table_find(table, "Workers");
	size_t n = 0;
	int64_t *start = shown->time + 2 * at, *stop = start + table->nrows / TV_COUNT(causes);
	int64_t idle = 0;
	double *value = shown->value + at, whole = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (tv_label(cause, row) != label || end->i[row] <= begin->i[row])
			continue;
		start[n] = begin->i[row];
		stop[n] = end->i[row];
		value[n] = (double)time->i[row] / (double)(stop[n] - start[n]);
		idle += time->i[row];
		whole += (double)(stop[n] - start[n]) * (double)workers->i[row];
		n++;
	}
	*share = idle > 0 ? 100 * (double)idle / whole : 0;
	return (struct tv_pieces){ start, stop, value, n };
}

static int read_slices(struct tv_curves_shown *shown, const struct tv_table *table,
		       struct tv_error *err)
{
	size_t each = table->nrows / TV_COUNT(causes);

	shown->time = tv_alloc(2 * each * TV_COUNT(causes), sizeof *shown->time);
	shown->value = tv_alloc(each * TV_COUNT(causes), sizeof *shown->value);
	if (shown->time == NULL || shown->value == NULL)
		return tv_fail_memory(err);
	for (size_t i = 0; i < TV_COUNT(causes); i++) {
		uint32_t label = tv_pool_find_text(table->pool, causes[i].name);
		struct tv_pieces pieces;
		char text[64];
		double share;

		if (label == TV_NONE)
			continue;
		pieces = read_cause(shown, table, label, i * each, &share);
		snprintf(text, sizeof text, "%s %.*f %%", causes[i].key, share < 0.95 ? 2 : 1,
			 share);
		if (share > 0)
			tv_curves_show(shown, pieces, TV_KEY_AREA, causes[i].color, text);
	}
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const char *can_run = tv_panel_option(figure, slot->panel, "can-run");
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	char step[32];
	int rc;

	tv_step_for(figure, SLICES, step, sizeof step);
	rc = tv_panel_pass(figure, slot->panel, "idle-causes",
			   (const char *const[]){ "step", step, "can-run", can_run, NULL }, &table,
			   err);
	if (rc != 0)
		return rc;
	shown = tv_curves_new(slot, err);
	if (shown == NULL || read_slices(shown, table, err) < 0)
		return -1;
	snprintf(shown->title, sizeof shown->title, "idle workers%s%s",
		 shown->n == 0 ? ": none" : ", why; a task can run ",
		 shown->n == 0 ? "" : strcmp(can_run, "anywhere") == 0 ? "anywhere"
								       : "where its type ran");
	shown->stacked = true;
	return tv_curves_limit(figure, slot, err);
}

static const struct tv_option_spec options[] = {
	TV_OPTION_CAN_RUN,
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_idle_causes = {
	.name = "idle-causes",
	.title = "idle workers over time, by the reason why they are idle",
	.needs = "tasks (better with DependsOn, SubmitTime, links, states)",
	.share = 0.8,
	.usual = true,
	.option = options,
	.noptions = TV_COUNT(options),
	.prepare = prepare,
	.measure = tv_curves_measure,
	.layout = tv_curves_layout,
	.release = tv_curves_release_shown,
};
