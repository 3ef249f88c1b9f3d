/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queues.c -- the panel of what waits for each worker: tasks, or the time that they are expected to take. */
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/curves.h"

struct state {
	struct tv_curves_shown shown;
	enum { TASKS, TIME } show;
	const char *resource;
};

/* Keeps the curves of workers that fit, those for which most waits first, as many as there are colors; returns
 * how many fit. */
static size_t choose(const char *resources, const struct tv_pool *pool, struct tv_curve_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (resources == NULL
		    || tv_glob_list(resources, tv_pool_text(pool, list->at[i].by)))
			list->at[n++] = list->at[i];
	list->n = n;
	tv_curve_list_measure(list);
	tv_curve_list_by_mean(list);
	list->n = n < TV_CURVE_COLORS ? n : TV_CURVE_COLORS;
	return n;
}

/* By the worker's place among all, accelerators first, so that it is the same in all facets; the next free
 * one where that of a worker before it is the same. */
static void set_colors(const struct tv_tasks *tasks, const struct tv_curve_list *list,
		       uint32_t color[TV_CURVE_COLORS])
{
	bool used[TV_CURVE_COLORS] = { false };
	struct tv_index place = { 0 };

	for (size_t i = 0; i < list->n; i++) {
		tv_index_set(&place, list->at[i].by, (uint32_t)i);
		color[i] = 0x999999;
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		uint32_t i = tv_index_get(&place, tasks->workers[tasks->nworkers - 1 - w].resource),
			 c = w % TV_CURVE_COLORS;

		if (i == TV_NONE)
			continue;
		while (used[c])
			c = (c + 1) % TV_CURVE_COLORS;
		used[c] = true;
		color[i] = tv_curve_colors[c];
	}
	tv_free(place.at);
}

static void show(struct tv_figure *figure, struct tv_curves_shown *shown,
		 const struct tv_pool *pool, const struct tv_curve_list *list)
{
	uint32_t color[TV_CURVE_COLORS];

	set_colors(&figure->run->tasks, list, color);
	for (size_t i = 0; i < list->n; i++) {
		char *text = tv_curve_text(&shown->printed, "{name} {mean:1}",
					   tv_pool_text(pool, list->at[i].by), &list->at[i],
					   shown->whole ? "tasks" : "ms");

		tv_curves_show(shown, list->at[i].pieces, TV_KEY_LINE, color[i], text);
		tv_free(text);
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct state *state = slot->state;
	bool tasks = state->show == TASKS;
	const char *what = tasks ? "tasks queued" : "expected work waiting, ms";
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	struct tv_curve_list list;
	size_t n;
	int rc = tv_panel_pass(figure, slot->panel, "queue-lengths", NULL, &table, err);

	if (rc != 0)
		return rc;
	tv_curve_list_init(&list, table, "ResourceId", tasks ? "Tasks" : "ExpectedTime");
	n = choose(state->resource, table->pool, &list);
	shown = tv_curves_new(slot);
	shown->whole = tasks;
	show(figure, shown, table->pool, &list);
	shown->title = n == list.n ? tv_strdup(what)
				   : tv_format("%s, longest %zu of %zu", what, list.n, n);
	tv_curve_list_release(&list, &shown->value);
	return n > 0 ? 0 : tv_panel_nothing(figure, slot->panel, "no worker that fits has a queue");
}

static const struct tv_option_spec options[] = {
	{ "show", "tasks|time", "tasks",
	  "number of tasks in the queue, or expected time of these and of those taken",
	  TV_OPTION_CHOICE, TV_INTO(struct state, show) },
	{ "resource", "NAME,...", NULL, "only these workers (* and ? match)", TV_OPTION_LIST,
	  TV_INTO(struct state, resource) },
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_queues = {
	.name = "queues",
	.title = "tasks or expected time that wait for each worker, as the scheduler sees it",
	.needs = "decisions, events",
	.share = 0.7,
	TV_PANEL_OPTIONS(options, struct state),
	.prepare = prepare,
	TV_CURVES_PANEL,
};
