/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spacetime.c -- the space-time panel: which worker ran what, when, and what is laid over that. */
#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "views/rows/chart.h"
#include "views/layers/layers.h"
#include "views/annotate/annotations.h"
#include "views/layers/bounds.h"
#include "views/shared/panel.h"

static const double row_least = 7.2, row_most = 16, comfortable = 130, tall = 400; /* points */
static const double height_least = 40;

struct spacetime {
	struct tv_rows rows; /* the figure's, with row[] and band[] of its own */
	struct tv_bound_lines bounds;
	struct tv_layer *layers;
	bool all_names;
};

static void release(struct tv_slot *slot)
{
	struct spacetime *st = slot->state;

	if (st == NULL)
		return;
	if (st->rows.groups != NULL)
		tv_free(st->rows.item);
	tv_free(st->rows.row);
	tv_free(st->rows.band);
	tv_layers_free(st->layers);
	tv_free(st);
}

static int copy_rows(struct tv_rows *to, const struct tv_rows *from)
{
	*to = *from;
	to->row = tv_alloc(from->nrows, sizeof *to->row);
	to->band = tv_alloc(from->nbands, sizeof *to->band);
	memcpy(to->row, from->row, from->nrows * sizeof *to->row);
	memcpy(to->band, from->band, from->nbands * sizeof *to->band);
	return 0;
}

/* ---- options ---- */

static int read_labels(struct tv_figure *figure, const struct tv_panel *panel, struct spacetime *st,
		       struct tv_error *err)
{
	static const struct {
		const char *name;
		enum tv_row_names names;
	} known[] = {
		{ "auto", TV_NAMES_AUTO },   { "all", TV_NAMES_AUTO },
		{ "none", TV_NAMES_NONE },   { "first", TV_NAMES_FIRST },
		{ "types", TV_NAMES_TYPES }, { "first-last", TV_NAMES_FIRST_LAST },
	};
	const char *text = tv_panel_option(figure, panel, "labels");

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(known[i].name, text) == 0) {
			st->rows.names = known[i].names;
			st->all_names = strcmp(text, "all") == 0;
			return 0;
		}
	return tv_fail_usage(err,
			     "--spacetime.labels '%s', expected auto, all, none, first, first-last "
			     "or types",
			     text);
}

static int yes_or_no(const struct tv_figure *figure, const struct tv_panel *panel,
		     const char *option, bool *yes, struct tv_error *err)
{
	const char *text = tv_panel_option(figure, panel, option);

	*yes = strcmp(text, "yes") == 0;
	return *yes || strcmp(text, "no") == 0
		     ? 0
		     : tv_fail_usage(err, "--spacetime.%s '%s', expected yes or no", option, text);
}

/* Without outliers they look like other tasks, in the whole figure. */
static int read_outliers(struct tv_figure *figure, const struct tv_panel *panel,
			 struct tv_error *err)
{
	struct tv_rows *rows = figure->rows;
	bool yes;

	if (yes_or_no(figure, panel, "outliers", &yes, err) < 0)
		return -1;
	for (size_t i = 0; !yes && i < rows->nitems; i++)
		rows->item[i].outlier = false;
	if (!yes) {
		rows->has_outliers = false;
		rows->noutliers = 0;
	}
	return 0;
}

static int read_gaps(const struct tv_figure *figure, const struct tv_panel *panel,
		     struct spacetime *st, struct tv_error *err)
{
	const char *text = tv_panel_option(figure, panel, "gaps");
	struct tv_edges edges = { .rare = !st->rows.states,
				  .gaps = strcmp(text, "no") != 0,
				  .least = -1 };

	if (edges.gaps && strcmp(text, "auto") != 0
	    && (tv_parse_time(text, &edges.least) != TV_PARSE_OK || edges.least <= 0))
		return tv_fail_usage(err,
				     "--spacetime.gaps '%s', expected auto, no or a time such as 2 "
				     "(ms) or 500us",
				     text);
	if (!st->rows.states && st->rows.groups == NULL)
		st->rows.edges = edges;
	return 0;
}

/* ---- idleness ---- */

/* The runtime's view of idleness in the place of ours. */
static int use_runtime(struct tv_figure *figure, struct spacetime *st, const struct tv_table *table)
{
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *idle = tv_table_find(table, "RuntimeIdleness");
	uint32_t nlabels = tv_pool_count(figure->run->trace->pool), known = 0;
	double *of = tv_alloc(nlabels, sizeof *of);

	for (uint32_t i = 0; i < nlabels; i++)
		of[i] = NAN;
	for (uint32_t i = 0; i < table->nrows; i++)
		if (!tv_missing(idle, i)) {
			of[tv_label(id, i)] = idle->d[i];
			known++;
		}
	for (uint32_t b = 0; b < st->rows.nbands; b++) {
		struct tv_band *band = &st->rows.band[b];

		band->idle = 0;
		for (uint32_t r = band->first; r < band->first + band->n; r++) {
			st->rows.row[r].idle = of[st->rows.row[r].resource];
			band->idle += st->rows.row[r].idle / band->n;
		}
	}
	tv_free(of);
	if (known > 0)
		return 0;
	st->rows.idle_title = NULL;
	tv_remark(figure->run, "--spacetime.idleness left out: the trace has no states Idle "
			       "or Sleeping of its workers");
	return 0;
}

static int read_idleness(struct tv_figure *figure, const struct tv_panel *panel,
			 struct spacetime *st, struct tv_error *err)
{
	const char *text = tv_panel_option(figure, panel, "idleness");
	const char *value[] = { "definition", "thesis", NULL };
	const struct tv_table *table;
	bool thesis = strcmp(text, "thesis") == 0;
	int rc;

	if (strcmp(text, "no") == 0)
		st->rows.idle_title = NULL;
	if (strcmp(text, "yes") == 0 || strcmp(text, "no") == 0)
		return 0;
	if (!thesis && strcmp(text, "runtime") != 0)
		return tv_fail_usage(
			err, "--spacetime.idleness '%s', expected yes, no, runtime or thesis",
			text);
	st->rows.idle_title = thesis ? "thesis idle %" : "runtime idle %";
	rc = tv_layer_pass(figure, panel, "idleness", "idleness", thesis ? value : NULL, &table,
			   err);
	if (rc == TV_NOTHING)
		st->rows.idle_title = NULL;
	return rc != 0 ? (rc < 0 ? -1 : 0) : use_runtime(figure, st, table);
}

/* ---- the panel ---- */

static int add_layers(struct tv_figure *figure, const struct tv_panel *panel, struct spacetime *st,
		      struct tv_error *err)
{
	const struct tv_rows *rows = &st->rows;

	if (tv_layer_aggregate(figure, panel, &st->rows, &st->layers, err) < 0
	    || tv_layer_deps(figure, panel, &st->layers, err) < 0
	    || tv_layer_chains(figure, panel, &st->layers, err) < 0
	    || tv_layer_merged(figure, panel, &st->layers, err) < 0
	    || tv_layer_observed(figure, panel, &st->layers, err) < 0)
		return -1;
	if (rows->nrows > 0 && rows->row[0].workers > 0 && st->layers->next != NULL)
		return tv_fail_usage(
			err, "--spacetime.aggregate nodes has no rows of workers for chains "
			     "and dependencies to lie on");
	return tv_bound_lines_key(&st->bounds, figure, &st->layers);
}

/* Options that say more about a layer want that layer. */
static int check_layers(const struct tv_figure *figure, const struct tv_panel *panel,
			struct tv_error *err)
{
	static const struct {
		const char *option, *of, * or ;
	} needs[] = {
		{ "deps", "tasks", NULL },	    { "depth", "chains", "merged" },
		{ "threshold", "aggregate", NULL }, { "types", "aggregate", NULL },
		{ "step", "aggregate", NULL },
	};

	for (size_t i = 0; i < TV_COUNT(needs); i++)
		if (tv_setting(figure->options, panel->name, needs[i].option) != NULL
		    && tv_panel_option(figure, panel, needs[i].of) == NULL
		    && (needs[i].or == NULL || tv_panel_option(figure, panel, needs[i].or) == NULL))
			return tv_fail_usage(err, "--spacetime.%s without --spacetime.%s%s%s",
					     needs[i].option, needs[i].of,
					     needs[i].or != NULL ? " or --spacetime." : "",
					     needs[i].or != NULL ? needs[i].or : "");
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_panel *panel = slot->panel;
	struct spacetime *st = tv_alloc(1, sizeof *st);

	slot->state = st;
	if (check_layers(figure, panel, err) < 0 || read_outliers(figure, panel, err) < 0
	    || copy_rows(&st->rows, figure->rows) < 0 || read_labels(figure, panel, st, err) < 0
	    || read_idleness(figure, panel, st, err) < 0
	    || tv_bound_lines_init(&st->bounds, figure, panel, err) < 0
	    || add_layers(figure, panel, st, err) < 0)
		return -1;
	return read_gaps(figure, panel, st, err);
}

/* Keys may stand over the right margin too. */
static double keys_width(const struct tv_figure *figure)
{
	return figure->x + figure->width - figure->axis.x;
}

static int measure(struct tv_figure *figure, struct tv_slot *slot, double height,
		   struct tv_error *err)
{
	struct spacetime *st = slot->state;
	double cell = figure->scene->cell;

	(void)err;
	if (height == 0) {
		height = tv_rows_wanted(&st->rows, row_least, row_most, comfortable, tall);
		if (st->all_names)
			height = fmax(height, tv_rows_height(&st->rows, row_least));
		height += cell;
	}
	tv_rows_place(figure->rows, height, cell);
	slot->room.height = tv_rows_place(&st->rows, height, cell);
	if (figure->options->height_in == 0)
		slot->room.least = fmin(slot->room.height, height_least);
	slot->room.left = tv_chart_names_width(figure, &st->rows);
	slot->room.right = tv_chart_idleness_width(figure, &st->rows);
	slot->room.top = TV_STRIP_HEIGHT
		       + tv_layers_keys_height(figure, st->layers, keys_width(figure));
	return 0;
}

/* What lies before the axis. Rows of several workers show a mean of these. */
static int draw_stub(struct tv_figure *figure, struct spacetime *st, const struct tv_place *place)
{
	unsigned frame = tv_figure_frame(figure, "setup", place, place->height, true);
	struct tv_rows rows;
	int rc = copy_rows(&rows, figure->rows);

	for (uint32_t b = 0; rc == 0 && b < rows.nbands; b++) {
		const struct tv_row *joined = &st->rows.row[b];
		struct tv_band *band = &rows.band[b];

		if (joined->workers == 0)
			break;
		*band = (struct tv_band){ .node = band->node,
					  .rtype = band->rtype,
					  .first = band->first,
					  .n = band->n,
					  .nlines = 1,
					  .y0 = joined->y0,
					  .y1 = joined->y1 };
		rows.row[band->first].y0 = joined->y0;
		rows.row[band->first].y1 = rows.row[band->first].bottom = joined->y1;
	}
	if (rc == 0)
		rc = tv_chart_items(figure, &rows, frame, true);
	if (rc == 0)
		rc = tv_highlights_draw(figure, figure->rows, frame);
	tv_free(rows.row);
	tv_free(rows.band);
	tv_chart_frame(figure->scene, &st->rows, frame);
	return rc;
}

static int layout(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_place *place = &slot->place;
	struct spacetime *st = slot->state;
	const struct tv_rows *rows = &st->rows;
	unsigned frame = tv_figure_frame(figure, "spacetime", place, place->height, false);

	(void)err;
	figure->chart = *place;

	tv_rows_place(figure->rows, slot->given, figure->scene->cell);
	tv_rows_place(&st->rows, slot->given, figure->scene->cell);
	if (figure->axis.stub_width > 0 && draw_stub(figure, st, place) < 0)
		return -1;
	if (tv_chart_items(figure, rows, frame, false) < 0
	    || tv_layers_draw(figure, st->layers, figure->rows, frame) < 0
	    || tv_highlights_draw(figure, figure->rows, frame) < 0)
		return -1;
	tv_chart_frame(figure->scene, rows, frame);
	tv_chart_bounds(figure, &st->bounds, place, rows);
	tv_layers_keys(figure, st->layers, place->x, place->y - TV_STRIP_HEIGHT,
		       keys_width(figure));
	tv_arrows_draw(figure, figure->rows, frame);
	tv_task_labels_draw(figure, figure->rows, frame);
	tv_chart_names(figure, rows, place->y);
	tv_chart_idleness(figure, rows, place->y);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "tasks", "WHICH", NULL,
	  "lines to the last dependencies of tasks, chosen as by 'chain "
	  "--tasks'" },
	{ "deps", "HOW", NULL, "of --spacetime.tasks: last, or all direct dependencies" },
	{ "chains", "WHICH", NULL, "backward chains from these tasks" },
	{ "merged", "WHICH", NULL, "the same, merged into paths" },
	{ "depth", "D", "3", "dependencies that chains go back: a number, or root" },
	{ "observed", "HOW", NULL,
	  "the chain that the run took so long for: both (dependencies "
	  "and workers) or deps" },
	{ "aggregate", "HOW", NULL,
	  "consecutive (groups of tasks), slices (of time) or nodes "
	  "(slices of node and type)" },
	{ "threshold", "T", NULL, "of consecutive: longer tasks stay alone, longer gaps split" },
	{ "types", "TYPE,...", NULL, "of consecutive: task types to group (default all)" },
	{ "step", "T", NULL, "of slices and nodes (default: about 150 slices)" },
	{ "bounds", "NAME,...", NULL,
	  "lines: makespan, abe, cpe (default), tight, "
	  "abe-integer, abe-node (of each node), none" },
	{ "idleness", "HOW", "yes", "yes, no, runtime (states Idle and Sleeping) or thesis" },
	{ "labels", "HOW", "auto",
	  "names of rows: auto, all, none, first, first-last (of each "
	  "type) or types" },
	{ "outliers", "YES", "yes", "no: like other tasks" },
	{ "gaps", "MIN", "auto",
	  "mark idle gaps of at least MIN; auto: the longest that images "
	  "hide; no" },
};

const struct tv_panel tv_panel_spacetime = {
	.name = "spacetime",
	.former = "st",
	.title = "space-time: which worker ran what, when",
	.needs = "tasks, or states",
	.share = 4,
	.usual = true,
	.usual_facet = true,
	.option = options,
	.noptions = TV_COUNT(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
