/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_causes.c -- the panel of idle workers over time, by the reason why they are idle. */
#include <stdio.h>
#include <string.h>

#include "analysis/core/options.h"
#include "dag/blame.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "views/charts/curves.h"
#include "views/shared/panel.h"

enum { SLICES = 300 };

#define KEY_TASK	 "dependencies: task"
#define KEY_MESSAGE	 "dependencies: message"
#define KEY_WAITING	 "dependencies: waiting"
#define KEY_SUBMISSION	 "dependencies: submission"
#define KEY_NO_NEXT_TASK "dependencies: no next task"
#define UNSUITED	 "unsuited (no task of a type that ran here)"
#define MPI		 "mpi (waits for a message)"

struct state {
	struct tv_curves_shown shown;
	const char *can_run;
};

/* A cause, or a part of it in a column of its own. */
struct area {
	const char *key, *brief, *column; /* brief: the key where that is too wide */
	uint32_t color;
};

static const struct area parts[] = {
#define PART(symbol, name, column, color, ...) \
	{ KEY_##symbol, &KEY_##symbol[sizeof "dependencies: " - 1], column, color },
	TV_BLAMES(PART)
#undef PART
};

static const struct {
	const char *name;
	struct area area;
} causes[] = {
#define CAUSE(symbol, name, color, ...) \
	[TV_IDLE_##symbol] = { name, \
			       { TV_IDLE_##symbol == TV_IDLE_UNSUITED ? UNSUITED \
				 : TV_IDLE_##symbol == TV_IDLE_MPI    ? MPI \
								      : name, \
				 name, "Time", color } },
	TV_IDLE_CAUSES(CAUSE)
#undef CAUSE
};

_Static_assert(TV_COUNT(causes) - 1 + TV_COUNT(parts) <= TV_CURVES_MAX, "a curve for every area");

/* The slices, at most `each`, of one area as idle workers: pieces from place `at` of shown->value on. *share: their
 * percentage of the time of all workers; the sums are exact, as of the pass without --step. */
static struct tv_pieces read_area(struct tv_curves_shown *shown, const struct tv_table *table,
				  uint32_t label, const char *column, size_t each, size_t at,
				  double *share)
{
	const struct tv_column *cause = tv_table_find(table, "Cause"),
			       *begin = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *time = tv_table_find(table, column),
			       *workers = tv_table_find(table, "Workers");
	size_t n = 0;
	int64_t *start = shown->time + 2 * at, *stop = start + each;
	tv_int128 idle = 0;
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

static void show_area(struct tv_curves_shown *shown, const struct tv_table *table, uint32_t label,
		      const struct area *area, size_t each, size_t at)
{
	double share;
	struct tv_pieces pieces = read_area(shown, table, label, area->column, each, at, &share);
	int decimals = share < 0.95 ? 2 : 1;
	const char *number;
	struct tv_key *key = &shown->key[shown->n];

	if (share <= 0)
		return;
	tv_curves_show(shown, pieces, TV_KEY_AREA, area->color, "");
	/* What would be 0.00 % cannot be seen. */
	if (share < 0.005)
		return;
	number = tv_print_number(&shown->printed, "Share", area->brief, "% of the workers' time",
				 "%.*f", decimals, share);
	snprintf(key->text, sizeof key->text, "%s %s %%", area->key, number);
	snprintf(key->brief, sizeof key->brief, "%s %s %%", area->brief, number);
}

static void read_slices(struct tv_curves_shown *shown, const struct tv_table *table)
{
	size_t each = 0, at = 0;

	/* Most causes have a row for each slice, this one always. */
	for (uint32_t row = 0; row < table->nrows; row++)
		each += tv_table_is(table, "Cause", row, causes[TV_IDLE_DRAIN].name);
	shown->time = tv_alloc(2 * each * TV_CURVES_MAX, sizeof *shown->time);
	shown->value = tv_alloc(each * TV_CURVES_MAX, sizeof *shown->value);
	for (size_t i = 0; i < TV_COUNT(causes); i++) {
		uint32_t label = tv_pool_find_text(table->pool, causes[i].name);

		if (i != TV_IDLE_DEPENDENCIES)
			show_area(shown, table, label, &causes[i].area, each, each * at++);
		for (size_t k = 0; i == TV_IDLE_DEPENDENCIES && k < TV_COUNT(parts); k++)
			show_area(shown, table, label, &parts[k], each, each * at++);
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const char *can_run = ((const struct state *)slot->state)->can_run;
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
	shown = tv_curves_new(slot);
	read_slices(shown, table);
	shown->title = tv_format("idle workers%s", shown->n == 0 ? ": none"
						   : strcmp(can_run, "anywhere") == 0
							   ? ", if a task can run anywhere"
							   : "");
	shown->stacked = true;
	return 0;
}

static const struct tv_option_spec options[] = {
	{ TV_CAN_RUN_ROW, TV_INTO(struct state, can_run) },
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_idle_causes = {
	.name = "idle-causes",
	.title = "idle workers over time, by cause",
	.needs = "tasks (better with DependsOn, SubmitTime, links, states, calls)",
	.reads = "states calls",
	.columns = "",
	.passes = { "idle-causes" },
	.share = 0.8,
	.is_default = true,
	TV_PANEL_OPTIONS(options, struct state),
	.prepare = prepare,
	TV_CURVES_PANEL,
};
