/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_causes.c -- the panel of idle workers over time, by the reason why they are idle. */
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "views/curves.h"

enum { SLICES = 300 };

/* From what the runtime can do something about to what it cannot. */
static const struct {
	const char *name;
	uint32_t color;
} causes[] = {
	{ "data", 0x0072b2 },	      { "mpi", 0x56b4e9 },	{ "runtime", 0xd55e00 },
	{ "elsewhere", 0xe6a22e },    { "type", 0xcc79a7 },	{ "dependencies", 0x9a9a9a },
	{ "not-submitted", 0x2a9d77 }, { "drain", 0xd8d06a },	{ "unexplained", 0x3c3c3c },
};

/* The slices of one cause as idle workers: pieces i of shown->time and shown->value. */
static struct tv_pieces read_cause(struct tv_curves_shown *shown, const struct tv_table *table,
				   uint32_t label, size_t at)
{
	const struct tv_column *cause = tv_table_find(table, "Cause"),
			       *begin = tv_table_find(table, "Begin"),
			       *end = tv_table_find(table, "End"),
			       *time = tv_table_find(table, "Time");
	size_t rows = table->nrows, n = 0;
	int64_t *start = shown->time + 2 * at, *stop = start + rows / TV_COUNT(causes) + 1;
	double *value = shown->value + at;

	for (uint32_t row = 0; row < rows; row++) {
		if (tv_label(cause, row) != label || end->i[row] <= begin->i[row])
			continue;
		start[n] = begin->i[row];
		stop[n] = end->i[row];
		value[n] = (double)time->i[row] / (double)(stop[n] - start[n]);
		n++;
	}
	return (struct tv_pieces){ start, stop, value, n };
}

static int read_slices(struct tv_curves_shown *shown, const struct tv_table *whole,
		       const struct tv_table *slices, struct tv_error *err)
{
	const struct tv_column *cause = tv_table_find(whole, "Cause"),
			       *share = tv_table_find(whole, "Share"),
			       *time = tv_table_find(whole, "Time");
	size_t each = slices->nrows / TV_COUNT(causes) + 1;

	shown->time = tv_alloc(2 * each * TV_COUNT(causes), sizeof *shown->time);
	shown->value = tv_alloc(each * TV_COUNT(causes), sizeof *shown->value);
	if (shown->time == NULL || shown->value == NULL)
		return tv_fail_memory(err);
	for (size_t i = 0; i < TV_COUNT(causes); i++) {
		uint32_t label = tv_pool_find_text(whole->pool, causes[i].name), row = 0;
		char text[64];

		while (row < whole->nrows && tv_label(cause, row) != label)
			row++;
		if (label == TV_NONE || row == whole->nrows || time->i[row] == 0)
			continue;
		snprintf(text, sizeof text, "%s %.*f %%", causes[i].name,
			 share->d[row] < 0.95 ? 2 : 1, share->d[row]);
		tv_curves_show(shown, read_cause(shown, slices, label, i * each), TV_KEY_AREA,
			       causes[i].color, text);
	}
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_table *whole, *slices;
	struct tv_curves_shown *shown;
	char step[32];
	int rc = tv_panel_pass(figure, slot->panel, "idle-causes", NULL, &whole, err);

	if (rc != 0)
		return rc;
	tv_step_for(figure, SLICES, step, sizeof step);
	rc = tv_panel_pass(figure, slot->panel, "idle-causes",
			   (const char *const[]){ "step", step, NULL }, &slices, err);
	if (rc != 0)
		return rc;
	shown = tv_curves_new(slot, err);
	if (shown == NULL || read_slices(shown, whole, slices, err) < 0)
		return -1;
	snprintf(shown->title, sizeof shown->title, "idle workers%s",
		 shown->n == 0 ? ": none" : ", why");
	shown->stacked = true;
	return tv_curves_limit(figure, slot, err);
}

static const struct tv_option_spec options[] = { TV_OPTION_LIMIT };

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
