/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queues.c -- the panel of what waits for each worker: tasks, or the time that they are expected to take. */
#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/curves.h"
#include "views/shared/panel.h"

/* The rows of a worker. */
struct curve {
	uint32_t label, color;
	struct tv_pieces pieces;
	double mean;
};

TV_ORDER(by_mean, struct curve, down(mean), pieces.value)

/* The workers, those for which most waits first. */
static struct curve *find_curves(const struct tv_table *table, const double *value, size_t *n)
{
	const struct tv_column *resource = tv_table_find(table, "ResourceId");
	const int64_t *start = tv_table_find(table, "Start")->i,
		      *end = tv_table_find(table, "End")->i;
	struct curve *curve = tv_alloc(table->nrows, sizeof *curve);

	*n = 0;
	for (uint32_t row = 0; row < table->nrows; row++) {
		if (*n == 0 || curve[*n - 1].label != tv_label(resource, row))
			curve[(*n)++] = (struct curve){ .label = tv_label(resource, row),
							.color = 0x999999,
							.pieces = { start + row, end + row,
								    value + row, 0, NULL } };
		curve[*n - 1].pieces.n++;
	}
	for (size_t i = 0; i < *n; i++)
		curve[i].mean = tv_pieces_extent(&curve[i].pieces, INT64_MIN, INT64_MAX).mean;
	qsort(curve, *n, sizeof *curve, by_mean);
	return curve;
}

static bool fits(const struct tv_figure *figure, const struct tv_panel *panel,
		 const struct tv_table *table, uint32_t label)
{
	const char *resources = tv_panel_option(figure, panel, "resource");

	return resources == NULL || tv_glob_list(resources, tv_pool_text(table->pool, label));
}

/* Keeps the curves that fit, at most as many as there are colors; *left: how many it drops. Each has a
 * color by its worker's place among all, accelerators first, so that it is the same in all facets;
 * the next free one where that of a worker before it is the same. */
static size_t choose(const struct tv_figure *figure, const struct tv_panel *panel,
		     const struct tv_table *table, struct curve *curve, size_t n, size_t *left)
{
	const struct tv_tasks *tasks = &figure->run->tasks;
	bool used[TV_CURVE_COLORS] = { false };
	size_t kept = 0;

	*left = 0;
	for (size_t i = 0; i < n; i++) {
		if (!fits(figure, panel, table, curve[i].label))
			continue;
		if (kept == TV_CURVE_COLORS)
			(*left)++;
		else
			curve[kept++] = curve[i];
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		for (size_t i = 0; i < kept; i++) {
			uint32_t color = w % TV_CURVE_COLORS;

			if (curve[i].label != tasks->workers[tasks->nworkers - 1 - w].resource)
				continue;
			while (used[color])
				color = (color + 1) % TV_CURVE_COLORS;
			used[color] = true;
			curve[i].color = tv_curve_colors[color];
		}
	return kept;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	bool tasks = tv_panel_choice(figure, slot->panel, "show") == 0;
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	const struct tv_column *column;
	struct curve *curve;
	double *value;
	size_t n, left;
	int rc = tv_panel_pass(figure, slot->panel, "queue-lengths", NULL, &table, err);

	if (rc != 0)
		return rc;
	column = tv_table_find(table, tasks ? "Tasks" : "ExpectedTime");
	value = tv_alloc(table->nrows, sizeof *value);
	for (uint32_t row = 0; row < table->nrows; row++)
		value[row] = (double)column->i[row] / (tasks ? 1 : 1e6);
	curve = find_curves(table, value, &n);
	n = choose(figure, slot->panel, table, curve, n, &left);
	shown = tv_curves_new(figure, slot);
	shown->value = value;
	shown->whole = tasks;
	for (size_t i = 0; i < n; i++) {
		const char *name = tv_pool_text(table->pool, curve[i].label);
		char *text = tv_clean_format("%s %s", name,
					     tv_print_number(&shown->printed, "Mean", name,
							     tasks ? "tasks" : "ms", "%.1f",
							     curve[i].mean));

		tv_curves_show(shown, curve[i].pieces, TV_KEY_LINE, curve[i].color, text);
		tv_free(text);
	}
	tv_free(curve);
	if (shown->n == 0)
		return tv_panel_nothing(figure, slot->panel, "no worker that fits has a queue");
	shown->title = left == 0
			     ? tv_format("%s", tasks ? "tasks queued" : "expected work waiting, ms")
			     : tv_format("%s, longest %zu of %zu",
					 tasks ? "tasks queued" : "expected work waiting, ms",
					 shown->n, shown->n + left);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "show", "tasks|time", "tasks",
	  "number of tasks in the queue, or expected time of these and of those taken",
	  TV_OPTION_CHOICE },
	{ "resource", "NAME,...", NULL, "only these workers (* and ? match)", TV_OPTION_LIST },
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_queues = {
	.name = "queues",
	.title = "tasks or expected time that wait for each worker, as the scheduler sees it",
	.needs = "decisions, events",
	.share = 0.7,
	TV_OPTIONS(options),
	.prepare = prepare,
	TV_CURVES_PANEL,
};
