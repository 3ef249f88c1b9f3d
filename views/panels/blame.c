/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blame.c -- the panel of idle workers over time, by what went on elsewhere meanwhile. */
#include <stdio.h>
#include <string.h>

#include "dag/culprits.h"
#include "trace/alloc.h"
#include "views/charts/curves.h"
#include "views/shared/panel.h"

enum { SLICES = 300 };

static const struct {
	const char *name;
	uint32_t color;
} culprits[TV_IDLE_NCULPRITS] = {
#define CULPRIT(symbol, name, color, ...) [TV_IDLE_CULPRIT_##symbol] = { name, color },
	TV_IDLE_CULPRITS(CULPRIT)
#undef CULPRIT
};

_Static_assert((int)TV_IDLE_NCULPRITS <= TV_CURVES_MAX, "a curve for every culprit");

/* The slices of a result, also those without idle time between others, and its columns. */
struct slices {
	const struct tv_table *table;
	const struct tv_column *begin, *end, *time;
	uint32_t *of_row;
	int64_t *start, *stop;
	size_t n;
};

/* The next slice; what is between it and the last one had no idle time. */
static void add_slice(struct slices *slices, int64_t begin, int64_t end)
{
	int64_t last = slices->n > 0 ? slices->stop[slices->n - 1] : begin;

	if (last < begin) {
		slices->start[slices->n] = last;
		slices->stop[slices->n++] = begin;
	}
	slices->start[slices->n] = begin;
	slices->stop[slices->n++] = end;
}

static void find_slices(struct slices *slices, const struct tv_table *table)
{
	size_t max = 2 * (size_t)table->nrows;

	*slices = (struct slices){ .table = table,
				   .begin = tv_table_find(table, "Start"),
				   .end = tv_table_find(table, "End"),
				   .time = tv_table_find(table, "Time"),
				   .of_row = tv_alloc(table->nrows, sizeof *slices->of_row),
				   .start = tv_alloc(max, sizeof *slices->start),
				   .stop = tv_alloc(max, sizeof *slices->stop) };
	for (uint32_t row = 0; row < table->nrows; row++) {
		if (row == 0 || slices->begin->i[row] != slices->begin->i[row - 1])
			add_slice(slices, slices->begin->i[row], slices->end->i[row]);
		slices->of_row[row] = (uint32_t)slices->n - 1;
	}
}

static void release_slices(struct slices *slices)
{
	tv_free(slices->of_row);
	tv_free(slices->start);
	tv_free(slices->stop);
}

/* The time of all workers from the first to the last slice, ns. */
static double whole_time(const struct slices *slices)
{
	const struct tv_column *share = tv_table_find(slices->table, "Share");
	double workers = 100 * (double)slices->time->i[0] / share->d[0]
		       / (double)(slices->end->i[0] - slices->begin->i[0]);

	return workers * (double)(slices->stop[slices->n - 1] - slices->start[0]);
}

/* The mean number of idle workers in each slice, into value; their time, ns. */
static double read_culprit(const struct slices *slices, const char *name, double *value)
{
	double sum = 0;

	for (uint32_t row = 0; row < slices->table->nrows; row++) {
		size_t i = slices->of_row[row];

		if (strcmp(tv_table_text(slices->table, "Culprit", row), name) != 0)
			continue;
		value[i] += (double)slices->time->i[row]
			  / (double)(slices->stop[i] - slices->start[i]);
		sum += (double)slices->time->i[row];
	}
	return sum;
}

static void show_culprits(struct tv_curves_shown *shown, const struct slices *slices)
{
	double whole = whole_time(slices);

	shown->time = tv_alloc(2 * slices->n, sizeof *shown->time);
	shown->value = tv_alloc(slices->n * TV_IDLE_NCULPRITS, sizeof *shown->value);
	memcpy(shown->time, slices->start, slices->n * sizeof *shown->time);
	memcpy(shown->time + slices->n, slices->stop, slices->n * sizeof *shown->time);
	for (int c = 0; c < TV_IDLE_NCULPRITS; c++) {
		double *value = shown->value + slices->n * (size_t)c;
		double share = 100 * read_culprit(slices, culprits[c].name, value) / whole;
		struct tv_key *key = &shown->key[shown->n];

		if (share < 0.005)
			continue;
		tv_curves_show(shown,
			       (struct tv_pieces){ shown->time, shown->time + slices->n, value,
						   slices->n },
			       TV_KEY_AREA, culprits[c].color, "");
		snprintf(key->text, sizeof key->text, "%s %s %%", culprits[c].name,
			 tv_print_number(&shown->printed, "Share", culprits[c].name,
					 "% of the workers' time", "%.*f", share < 0.95 ? 2 : 1,
					 share));
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	struct slices slices;
	char step[32];
	int rc;

	tv_step_for(figure, SLICES, step, sizeof step);
	rc = tv_panel_pass(
		figure, slot->panel, "idle-causes",
		(const char *const[]){ "step", step, "by", "culprit", "each", "link", NULL },
		&table, err);
	if (rc != 0)
		return rc;
	shown = tv_curves_new(slot);
	if (table->nrows > 0) {
		find_slices(&slices, table);
		show_culprits(shown, &slices);
		release_slices(&slices);
	}
	shown->title = tv_format("idle workers, by what they waited for%s",
				 shown->n == 0 ? ": none" : "");
	shown->stacked = true;
	return 0;
}

static const struct tv_option_spec options[] = {
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_blame = {
	.name = "blame",
	.title = "idle workers over time, by what went on elsewhere meanwhile",
	.needs = "tasks (better with DependsOn, SubmitTime, messages, links, states, calls)",
	.reads = "states calls",
	.share = 0.8,
	TV_PANEL_OPTIONS(options, struct tv_curves_shown),
	.prepare = prepare,
	TV_CURVES_PANEL,
};
