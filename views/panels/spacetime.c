/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spacetime.c -- the space-time panel: which worker ran what, when, and what is laid over that. */
#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "views/annotate/annotations.h"
#include "views/layers/bounds.h"
#include "views/layers/layers.h"
#include "views/layers/messages.h"
#include "views/layers/mpi.h"
#include "views/layers/nodes.h"
#include "views/rows/chart.h"
#include "views/shared/panel.h"

static const double row_min = 7.2, row_max = 16, comfortable = 130, tall = 400; /* points */
static const double height_min = 40, name_pad = 3;

struct spacetime {
	struct tv_rows rows; /* the figure's, with row[] and band[] of its own */
	struct tv_bound_lines bounds;
	struct tv_layer *layers;
	struct tv_node_note *note;
	struct tv_message_arrows messages;
	struct tv_mpi_rows mpi;
	struct tv_layer_options of_layers;
	/* Other options, their words in this order. */
	enum tv_row_names labels;
	enum { COLLAPSE_AUTO, COLLAPSE_NO, COLLAPSE_TYPE, COLLAPSE_NODE } collapse;
	enum { IDLENESS_YES, IDLENESS_NO, IDLENESS_RUNTIME, IDLENESS_THESIS } idleness;
	enum { OUTLIERS_YES, OUTLIERS_NO } outliers;
	const char *gaps;
};

static void release(struct tv_slot *slot)
{
	struct spacetime *st = slot->state;

	if (st->rows.groups != NULL)
		tv_free(st->rows.item);
	tv_free(st->rows.row);
	tv_free(st->rows.band);
	tv_layers_free(st->layers);
	tv_free(st->note);
	tv_message_arrows_release(&st->messages);
	tv_mpi_rows_release(&st->mpi);
	tv_free(st);
}

static void copy_rows(struct tv_rows *to, const struct tv_rows *from)
{
	*to = *from;
	to->row = tv_alloc(from->nrows, sizeof *to->row);
	to->band = tv_alloc(from->nbands, sizeof *to->band);
	memcpy(to->row, from->row, from->nrows * sizeof *to->row);
	memcpy(to->band, from->band, from->nbands * sizeof *to->band);
}

/* ---- options ---- */

/* --spacetime.outliers no: in all panels of the figure outliers are drawn as other tasks, so this
 * changes the rows that they share, before any panel is laid out. */
static void hide_outliers(struct tv_rows *rows)
{
	for (size_t i = 0; i < rows->nitems && rows->item == NULL; i++)
		rows->look[rows->task[i]] &= (uint8_t)~TV_LOOK_OUTLIER;
	rows->has_outliers = false;
	rows->noutliers = 0;
}

static void read_gaps(struct spacetime *st)
{
	if (!st->rows.states && st->rows.groups == NULL)
		st->rows.edges = (struct tv_edges){
			.rare = true,
			.gaps = strcmp(st->gaps, "no") != 0,
			.min = tv_value_time(st->gaps, -1),
		};
}

/* ---- idleness ---- */

/* The runtime's view of idleness instead of ours. */
static void use_runtime(struct tv_figure *figure, struct spacetime *st,
			const struct tv_table *table)
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
		return;
	st->rows.idle_title = NULL;
	tv_run_warn(figure->run, "--spacetime.idleness left out: the trace has no states Idle "
				 "or Sleeping of its workers");
}

static int read_idleness(struct tv_figure *figure, struct spacetime *st, struct tv_error *err)
{
	const char *value[] = { "definition", "thesis", NULL };
	const struct tv_table *table;
	bool thesis = st->idleness == IDLENESS_THESIS;
	int rc;

	if (st->idleness == IDLENESS_NO)
		st->rows.idle_title = NULL;
	if (st->idleness <= IDLENESS_NO)
		return 0;
	st->rows.idle_title = thesis ? "thesis idle %" : "runtime idle %";
	rc = tv_layer_pass(figure, "idleness", "idleness", thesis ? value : NULL, &table, err);
	if (rc == TV_NOTHING)
		st->rows.idle_title = NULL;
	if (rc == 0)
		use_runtime(figure, st, table);
	return rc < 0 ? -1 : 0;
}

/* ---- nodes ---- */

static enum tv_collapse chosen_collapse(const struct spacetime *st)
{
	return st->collapse == COLLAPSE_NODE ? TV_COLLAPSE_NODE
	     : st->collapse == COLLAPSE_TYPE ? TV_COLLAPSE_TYPE
					     : TV_COLLAPSE_NONE;
}

static int read_nodes(struct tv_figure *figure, const struct tv_panel *panel, struct spacetime *st,
		      struct tv_error *err)
{
	enum { many = 8 };

	if (st->collapse > COLLAPSE_NO && (st->rows.states || st->rows.groups != NULL))
		return tv_fail_usage(err,
				     "--spacetime.collapse %s joins the rows of workers: there "
				     "are none %s",
				     tv_panel_option(figure, panel, "collapse"),
				     st->rows.states ? "without tasks"
						     : "with --spacetime.aggregate");
	if (!st->rows.grouped)
		return 0;
	/* The only node of a facet: the facet's header is that of the node. */
	if (figure->facet != NULL && figure->facet->node) {
		st->rows.grouped = false;
		st->rows.brief = true;
		tv_node_keys(&st->rows, chosen_collapse(st), tv_bound_lines_per_node(&st->bounds),
			     tv_layer_add(&st->layers, "nodes"));
		return 0;
	}
	if (tv_node_notes(figure, &st->note, &st->rows.nnotes, err) < 0)
		return -1;
	st->rows.note = st->note;
	/* What the strip shows does not depend on the height: its own would. */
	st->rows.many = tv_rows_groups(&st->rows) >= many || st->collapse > COLLAPSE_NO;
	tv_node_keys(&st->rows, chosen_collapse(st), tv_bound_lines_per_node(&st->bounds),
		     tv_layer_add(&st->layers, "nodes"));
	return 0;
}

/* What height leaves room for: rows of workers, or of all workers of a type; headers of nodes. */
static void choose_form(struct tv_figure *figure, struct spacetime *st, double height)
{
	static const double row_low = 1, node_low = 30; /* points */
	static const double foot_share = 0.3;
	struct tv_rows *rows = &st->rows;

	rows->head = 0;
	rows->collapse = chosen_collapse(st);
	/* An exact scene keeps the rows: whoever shows it can join them. */
	if (rows->grouped && st->collapse == COLLAPSE_AUTO && rows->groups == NULL && !rows->states
	    && !figure->scene->exact && height < row_low * rows->units)
		rows->collapse = TV_COLLAPSE_TYPE;
	rows->fold = tv_chart_folds(figure) && rows->groups == NULL && st->labels == TV_NAMES_AUTO
		  && st->idleness <= IDLENESS_NO;
	if (rows->grouped && rows->names != TV_NAMES_NONE
	    && height >= node_low * tv_rows_groups(rows))
		rows->head = TV_NODE_HEAD;
	rows->name_nodes = rows->grouped && rows->head == 0;
	rows->foot = fmin(tv_mpi_rows_foot(&st->mpi, tv_mpi_rows_named(rows)),
			  foot_share * height / tv_rows_groups(rows));
	/* What lies over the tasks has the places of the figure's rows. */
	figure->rows->head = rows->head;
	figure->rows->foot = rows->foot;
	figure->rows->collapse = rows->collapse;
	figure->rows->fold = rows->fold;
}

/* Other panels show the same rows in their own way. */
static void restore_form(struct tv_figure *figure)
{
	figure->rows->head = figure->rows->foot = 0;
	figure->rows->collapse = TV_COLLAPSE_NONE;
	figure->rows->fold = false;
}

/* ---- the panel ---- */

static int add_layers(struct tv_figure *figure, const struct tv_panel *panel, struct spacetime *st,
		      struct tv_error *err)
{
	const struct tv_layer_options *options = &st->of_layers;
	const struct tv_rows *rows = &st->rows;

	if (tv_layer_aggregate(figure, options, &st->rows, &st->layers, err) < 0
	    || tv_layer_deps(figure, options, &st->layers, err) < 0
	    || tv_layer_chains(figure, options, &st->layers, err) < 0
	    || tv_layer_merged(figure, options, &st->layers, err) < 0
	    || tv_layer_observed(figure, options, &st->layers, err) < 0)
		return -1;
	if (rows->nrows > 0 && rows->row[0].workers > 0 && st->layers->next != NULL)
		return tv_fail_usage(
			err, "--spacetime.aggregate nodes has no rows of workers for chains "
			     "and dependencies to lie on");
	tv_bound_lines_key(&st->bounds, figure, &st->layers);
	if (read_nodes(figure, panel, st, err) < 0
	    || tv_mpi_rows_init(&st->mpi, figure, &st->rows, &st->layers, err) < 0)
		return -1;
	return tv_message_arrows_init(&st->messages, figure, options, &st->rows, &st->layers, err);
}

/* Options of a layer need that layer. */
static int check_layers(struct tv_figure *figure, const struct tv_layer_options *o,
			struct tv_error *err)
{
	const char *merged, *depth;

	if (tv_merged_choice(figure, o, &merged, &depth, err) < 0)
		return -1;
	const struct {
		const char *option, *given, *of, *layer, *other;
	} needs[] = {
		{ "deps", o->deps, "tasks", o->tasks, "" },
		{ "depth", tv_setting(figure->options, "spacetime", "depth"), "chains",
		  o->chains != NULL ? o->chains : merged, " or --spacetime.merged" },
		{ "threshold", o->threshold, "aggregate", o->aggregate, "" },
		{ "types", o->types, "aggregate", o->aggregate, "" },
		{ "step", o->step, "aggregate", o->aggregate, "" },
		{ "network", o->network, "bounds", o->bounds, "" },
	};

	for (size_t i = 0; i < TV_COUNT(needs); i++)
		if (needs[i].given != NULL && needs[i].layer == NULL)
			return tv_fail_usage(err, "--spacetime.%s without --spacetime.%s%s",
					     needs[i].option, needs[i].of, needs[i].other);
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_panel *panel = slot->panel;
	struct spacetime *st = slot->state;

	if (figure->rows->nrows == 0) /* variables alone */
		return tv_panel_nothing(figure, panel, "the trace has neither tasks nor states");
	if (check_layers(figure, &st->of_layers, err) < 0)
		return -1;
	if (st->outliers == OUTLIERS_NO)
		hide_outliers(figure->rows);
	copy_rows(&st->rows, figure->rows);
	st->rows.names = st->labels == TV_NAMES_ALL ? TV_NAMES_AUTO : st->labels;
	if (read_idleness(figure, st, err) < 0
	    || tv_bound_lines_init(&st->bounds, figure, &st->of_layers, err) < 0
	    || add_layers(figure, panel, st, err) < 0)
		return -1;
	read_gaps(st);
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct spacetime *st = slot->state;
	double cell = figure->scene->cell;

	choose_form(figure, st, height > 0 ? height : HUGE_VAL);
	if (height == 0) {
		height = tv_rows_wanted(&st->rows, row_min, row_max, comfortable, tall);
		choose_form(figure, st, height);
		height = tv_rows_wanted(&st->rows, row_min, row_max, comfortable, tall);
		if (st->labels == TV_NAMES_ALL)
			height = fmax(height, tv_rows_height(&st->rows, row_min));
		height += cell;
	}
	slot->request.height = tv_rows_place(&st->rows, height, cell);
	restore_form(figure);
	if (figure->options->height_in == 0)
		slot->request.min = fmin(slot->request.height, height_min);
	slot->request.left = tv_chart_names_width(figure, &st->rows);
	if (tv_mpi_rows_named(&st->rows) && st->rows.foot > 0)
		slot->request.left = fmax(slot->request.left, tv_mpi_names_width(figure, &st->mpi));
	slot->request.right = tv_chart_idleness_width(figure, &st->rows);
	slot->request.top = TV_STRIP_HEIGHT
			  + tv_layers_keys_height(figure, st->layers, tv_strip_width(figure));
}

/* What is before the axis, in a frame of its own. Rows of several workers show a mean of these. */
static unsigned draw_stub(struct tv_figure *figure, struct spacetime *st,
			  const struct tv_place *place)
{
	unsigned frame = tv_figure_frame(figure, "setup", place, place->height, true);
	struct tv_rows rows;

	copy_rows(&rows, figure->rows);
	for (uint32_t b = 0; b < rows.nbands; b++) {
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
	tv_chart_items(figure, &rows, frame, true);
	tv_highlights_draw(figure, figure->rows, frame);
	tv_free(rows.row);
	tv_free(rows.band);
	tv_chart_frame(figure->scene, &st->rows, frame);
	return frame;
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct tv_place *place = &slot->place;
	struct spacetime *st = slot->state;
	const struct tv_rows *rows = &st->rows;
	unsigned frame = tv_figure_frame(figure, "spacetime", place, place->height, false),
		 stub = TV_PAGE;

	figure->chart = *place;
	choose_form(figure, st, slot->given);
	tv_rows_place(figure->rows, slot->given, figure->scene->cell);
	tv_rows_place(&st->rows, slot->given, figure->scene->cell);
	if (figure->axis.stub_width > 0)
		stub = draw_stub(figure, st, place);
	tv_chart_items(figure, rows, frame, false);
	tv_layers_draw(figure, st->layers, figure->rows, frame);
	tv_highlights_draw(figure, figure->rows, frame);
	tv_chart_frame(figure->scene, rows, frame);
	tv_mpi_rows_draw(figure, &st->mpi, rows, frame, stub, figure->axis.stub_x - name_pad);
	tv_message_arrows_draw(figure, &st->messages, rows, st->mpi.middle, frame);
	tv_chart_bounds(figure, &st->bounds, place, rows);
	tv_chart_nodes(figure, rows, place);
	tv_layers_keys(figure, st->layers, place->x, place->y - TV_STRIP_HEIGHT,
		       tv_strip_width(figure));
	tv_arrows_draw(figure, figure->rows, frame);
	tv_task_labels_draw(figure, figure->rows, frame);
	tv_chart_names(figure, rows, place->y);
	tv_chart_idleness(figure, rows, place->y);
	restore_form(figure);
}

static const struct tv_option_spec options[] = {
	{ "tasks", "WHICH", NULL,
	  "lines to the last dependencies of these tasks, chosen as by 'chain --tasks'",
	  TV_INTO(struct spacetime, of_layers.tasks) },
	{ "deps", "last|all", NULL, "dependencies of --spacetime.tasks to draw (default last)",
	  TV_OPTION_CHOICE, TV_INTO(struct spacetime, of_layers.deps) },
	{ "chains", "WHICH", NULL, "backward chains from these tasks",
	  TV_INTO(struct spacetime, of_layers.chains) },
	{ "merged", "WHICH", NULL,
	  "backward chains from these tasks, merged into paths; default: of 'chain' in a pipe",
	  TV_INTO(struct spacetime, of_layers.merged) },
	{ "depth", "N|root", "3", "max length of chains, in dependencies; root: no limit",
	  TV_OPTION_COUNT, TV_INTO(struct spacetime, of_layers.depth) },
	{ "observed", "both|deps", NULL,
	  "the observed critical path: through dependencies and workers (both), or deps only",
	  TV_OPTION_CHOICE, TV_INTO(struct spacetime, of_layers.observed) },
	{ "aggregate", "consecutive|slices|nodes", NULL,
	  "groups of consecutive tasks, slices of time, or slices per node and resource type",
	  TV_INTO(struct spacetime, of_layers.aggregate) },
	{ "threshold", "TIME", NULL,
	  "consecutive: longer tasks are drawn alone, longer gaps end a group", TV_OPTION_TIME,
	  TV_INTO(struct spacetime, of_layers.threshold) },
	{ "types", "TYPE,...", NULL, "consecutive: task types to group (default all)",
	  TV_OPTION_LIST, TV_INTO(struct spacetime, of_layers.types) },
	{ "step", "TIME", NULL, "slices and nodes: length of a slice (default: about 150 slices)",
	  TV_OPTION_TIME, 1, 0, TV_INTO(struct spacetime, of_layers.step) },
	{ "collapse", "auto|no|type|node", "auto",
	  "one row of exact shares per resource type of a node, or per node; auto: per type, where "
	  "the rows of several nodes are lower than 1 pt",
	  TV_OPTION_CHOICE, TV_INTO(struct spacetime, collapse) },
	{ "messages", "none|all|chain|slowest:N", NULL,
	  "arrows for messages between nodes: all (max the 300 slowest), those of the chains "
	  "shown (else of the observed one), or the N slowest; default: of a trace without tasks "
	  "the 50 for whose send calls waited longest, else the slowest",
	  TV_INTO(struct spacetime, of_layers.messages) },
	{ "mpi", "auto|no|yes", "auto",
	  "rows of MPI calls, or of the states of threads for communication, below each node; "
	  "auto: "
	  "of calls",
	  TV_OPTION_CHOICE, TV_INTO(struct spacetime, mpi.wanted) },
	{ "bounds", "makespan|abe|cpe|cpe-network|tight|abe-integer|abe-node|none,...", NULL,
	  "lines to draw (default makespan,abe,cpe); abe-node: the ABE of each node",
	  TV_OPTION_LIST, TV_INTO(struct spacetime, of_layers.bounds) },
	{ "network", "latency=T,bandwidth=B|fit", NULL,
	  "of cpe-network: time of a message, see traceviz bounds",
	  TV_INTO(struct spacetime, of_layers.network) },
	{ "idleness", "yes|no|runtime|thesis", "yes",
	  "idle % at the right; runtime: from the states Idle and Sleeping", TV_OPTION_CHOICE,
	  TV_INTO(struct spacetime, idleness) },
	{ "labels", "auto|all|none|first|first-last|types", "auto",
	  "names of rows; first, first-last: of each resource type", TV_OPTION_CHOICE,
	  TV_INTO(struct spacetime, labels) },
	{ "outliers", "yes|no", "yes", "whether to highlight outliers", TV_OPTION_CHOICE,
	  TV_INTO(struct spacetime, outliers) },
	{ "gaps", "TIME|auto|no", "auto",
	  "mark idle gaps of at least TIME; auto: the longest that images hide", TV_OPTION_TIME, 1,
	  0, TV_INTO(struct spacetime, gaps) },
};

const struct tv_panel tv_panel_spacetime = {
	.name = "spacetime",
	.former = "st",
	.title = "space-time: which worker ran which task when",
	.needs = "tasks, or states",
	.reads = "",
	.columns = "",
	.passes = { "stragglers" },
	.share = 4,
	.is_default = true,
	.is_default_facet = true,
	TV_PANEL_OPTIONS(options, struct spacetime),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
