/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.c -- panels of one number over time: tasks that are ready, those submitted and not started,
 * open iterations. */
#include <stdio.h>

#include "trace/alloc.h"
#include "views/charts/curves.h"
#include "views/charts/starvation.h"
#include "views/shared/panel.h"

/* What such a panel shows. */
struct count {
	const char *pass, *curve, *title;
	const char *option[5];	 /* of the pass */
	uint32_t color, counter; /* of the curve, of the runtime's counter */
};

static const struct count ready = { .pass = "ready",
				    .curve = "ready",
				    .title = "ready tasks",
				    .color = 0x1f6f9f,
				    .counter = 0xc2410c };
static const struct count submitted = { .pass = "submitted",
					.curve = "not started",
					.title = "submitted, not started",
					.option = { "not-started", "" },
					.color = 0x8a5a00,
					.counter = 0x0072b2 };

/* The pass with the runtime's counter if that is asked for and there is one, else without. */
static int find_table(struct tv_figure *figure, const struct tv_panel *panel,
		      const struct count *count, const struct tv_table **table,
		      struct tv_error *err)
{
	int rc = TV_NOTHING;

	if (tv_panel_option(figure, panel, "counter") != NULL)
		rc = tv_panel_pass_for(figure, "the runtime's counter", count->pass,
				       (const char *const[]){ "counter", "", NULL }, table, err);
	return rc != TV_NOTHING
		     ? rc
		     : tv_panel_pass(figure, panel, count->pass, count->option, table, err);
}

/* The same by node. */
static int find_nodes(struct tv_figure *figure, const struct tv_panel *panel,
		      const struct count *count, const struct tv_table **table,
		      struct tv_error *err)
{
	const char *option[TV_COUNT(count->option) + 2] = { "by", "Node" };

	for (size_t i = 0; i < TV_COUNT(count->option) && count->option[i] != NULL; i++)
		option[i + 2] = count->option[i];
	return tv_panel_pass(figure, panel, count->pass, option, table, err);
}

static uint32_t pale_lack(double share)
{
	return tv_starvation_color(share, true);
}

/* Behind the curve, where that is asked for: when workers lacked ready tasks. */
static int show_lack(struct tv_figure *figure, const struct tv_slot *slot, struct tv_error *err)
{
	struct tv_curves_shown *shown = slot->state;
	int rc;

	if (tv_panel_option(figure, slot->panel, "lack") == NULL)
		return 0;
	rc = tv_panel_pass_for(figure, "the lack of ready tasks", "starvation", NULL, &shown->lack,
			       err);
	if (rc == 0) {
		tv_curves_show(shown, (struct tv_pieces){ .n = 0 }, TV_KEY_SCALE, 0,
			       "workers without a ready task, 0 to 100 %");
		shown->key[shown->n - 1].shade = pale_lack;
	}
	return rc < 0 ? -1 : 0;
}

/* Over the repeats of a run: the same pass on each of them; without, if one of them lacks it. */
static int show_spread(struct tv_figure *figure, const struct tv_slot *slot,
		       const struct count *count, struct tv_error *err)
{
	const struct tv_facet *facet = figure->facet;
	size_t n = facet != NULL ? facet->nrepeats : 0;
	struct tv_stairs *steps;
	int rc = 0;

	if (n < 2)
		return 0;
	steps = tv_alloc(n, sizeof *steps);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct tv_figure other = { .run = facet->repeat[i] };
		const struct tv_table *table;

		rc = tv_panel_pass_for(&other, "the spread over repeats", count->pass,
				       count->option, &table, err);
		if (rc == 0) {
			struct tv_pieces p = tv_pieces_find(table, count->curve, TV_NONE);

			steps[i] = (struct tv_stairs){ p.start, p.end, p.value, p.n, 0 };
		}
	}
	if (rc == 0)
		tv_curves_spread(figure, slot->state, steps, count->color);
	tv_free(steps);
	return rc < 0 ? -1 : 0;
}

/* One curve of a pass under a title that tells its mean and maximum. */
static int prepare_count(struct tv_figure *figure, struct tv_slot *slot, const struct count *count,
			 struct tv_error *err)
{
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	struct tv_pieces pieces, counter;
	struct tv_extent extent;
	const struct tv_table *nodes = NULL;
	int by_node = tv_curves_by_node(figure, slot->panel, err), rc;

	if (by_node < 0)
		return -1;
	rc = find_table(figure, slot->panel, count, &table, err);
	if (rc == 0 && by_node)
		rc = find_nodes(figure, slot->panel, count, &nodes, err);
	if (rc != 0)
		return rc;
	pieces = tv_pieces_find(table, count->curve, TV_NONE);
	if (pieces.n == 0)
		return tv_panel_nothing(figure, slot->panel, "the run takes no time");
	shown = tv_curves_new(slot);
	counter = tv_pieces_find(table, "counter", TV_NONE);
	extent = tv_pieces_extent(&pieces, INT64_MIN, INT64_MAX);
	snprintf(shown->title, sizeof shown->title, "%s: mean %.1f, max %.0f", count->title,
		 extent.mean, extent.most);
	shown->whole = true;
	if (nodes == NULL)
		tv_curves_show(shown, pieces, TV_KEY_LINE, count->color, "");
	else
		tv_curves_groups(figure, shown, nodes, count->curve, TV_KEY_LINE);
	if (counter.n > 0)
		tv_curves_show(shown, counter, TV_KEY_DASHED,
			       nodes == NULL ? count->counter
					     : tv_curve_colors[shown->n % TV_CURVE_COLORS],
			       "runtime's counter");
	if ((nodes == NULL && show_spread(figure, slot, count, err) < 0)
	    || show_lack(figure, slot, err) < 0)
		return -1;
	return tv_curves_limit(figure, slot, err);
}

static int prepare_ready(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	return prepare_count(figure, slot, &ready, err);
}

static int prepare_submitted(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	return prepare_count(figure, slot, &submitted, err);
}

static int prepare_open(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct count open = {
		"progress",
		"open",
		"open iterations",
		{ "open", "", "tag-format", tv_panel_option(figure, slot->panel, "tag-format") },
		0x6a4c93,
		0,
	};

	return prepare_count(figure, slot, &open, err);
}

#define COUNTER \
	{ \
		"counter", NULL, NULL, "also draw the runtime's counter, dashed" \
	}

static const struct tv_option_spec options[] = { TV_OPTION_LIMIT, TV_OPTION_BY_NODE, COUNTER };
static const struct tv_option_spec ready_options[] = {
	TV_OPTION_LIMIT,
	TV_OPTION_BY_NODE,
	COUNTER,
	{ "lack", NULL, NULL, "shade the times in which workers lack ready tasks" },
};
static const struct tv_option_spec open_options[] = {
	TV_OPTION_LIMIT,
	TV_OPTION_BY_NODE,
	{ "tag-format", "FORMAT", NULL, "how tags contain iterations (see traceviz iterations)" },
};

const struct tv_panel tv_panel_ready = {
	.name = "ready",
	.title = "tasks that are ready and have not started",
	.needs = "DependsOn or SubmitTime",
	.share = 0.6,
	.usual = true,
	.usual_facet = true,
	.option = ready_options,
	.noptions = TV_COUNT(ready_options),
	.prepare = prepare_ready,
	.measure = tv_curves_measure,
	.layout = tv_curves_layout,
	.release = tv_curves_release_shown,
};

const struct tv_panel tv_panel_submitted = {
	.name = "submitted",
	.title = "tasks that are submitted and have not started",
	.needs = "SubmitTime",
	.share = 0.5,
	.usual = true,
	.option = options,
	.noptions = TV_COUNT(options),
	.prepare = prepare_submitted,
	.measure = tv_curves_measure,
	.layout = tv_curves_layout,
	.release = tv_curves_release_shown,
};

const struct tv_panel tv_panel_open_iterations = {
	.name = "open-iterations",
	.title = "iterations that have started and not ended",
	.needs = "Iteration, or Tag",
	.share = 0.5,
	.option = open_options,
	.noptions = TV_COUNT(open_options),
	.prepare = prepare_open,
	.measure = tv_curves_measure,
	.layout = tv_curves_layout,
	.release = tv_curves_release_shown,
};
