/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.c -- the panel of an elimination tree in time: one row per front, children above parents. */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "views/charts/curves.h"
#include "views/scene/heat.h"
#include "views/shared/panel.h"

enum { SLICES = 300, LABEL_MAX = 24 };
enum { OPEN, COMPUTE, PRUNED, EDGES, INIT, ASSEMBLE, CLEAN, OUTLIERS, LAYERS };

static const double row_min = 0.5, row_max = 9, comfortable = 190, height_max = 400,
		    edges_min = 2.4, marks_min = 2.4, crowded = 1.5, dot = 1.6,
		    pad = 3; /* points */
/* Lines of many fronts are paler, so that they leave computing visible. */
static const uint32_t open_color = 0x9ecae1, pale_open_color = 0xd3e3f0;
static const uint32_t edge_color = 0xb0b0b0, dot_color = 0xd6006c;

/* What is not computing: a thin mark in each slice in which it happens. */
static const struct {
	int layer;
	const char *column, *text;
	uint32_t color;
	double top, bottom; /* of the row */
} marks[] = {
	{ INIT, "Initialize", "initialize", 0x2ca25f, 0.05, 0.3 },
	{ ASSEMBLE, "Assemble", "assemble", 0x202020, 0.7, 0.95 },
	{ CLEAN, "Clean", "clean", 0x7a5195, 0.4, 0.65 },
};

struct tree {
	const struct tv_table *fronts, *usage; /* results of tree, and tree-usage by position */
	const char *layers;
	bool layer[LAYERS]; /* which of them */
	uint32_t n;	    /* rows: positions 1 to n */
	uint32_t *front_of; /* n + 1: row of fronts that is not pruned, or TV_NONE */
	double limit;	    /* of the colors, percent; NaN = by the data */
	double max;	    /* its value now */
	double unit;	    /* height of a row, points */
	bool outliers;	    /* there are any */
	struct tv_key key[1 + LAYERS];
	size_t nkeys;
	const struct tv_table *tasks; /* result of tree --tasks, for the layer of outliers */
};

static const char title[] = "elimination tree, % of the workers on each front";

static void choose_layers(struct tree *tree)
{
	static const char *const name[] = { "open", "compute",	"pruned", "edges",
					    "init", "assemble", "clean",  "outliers" };
	_Static_assert(TV_COUNT(name) == LAYERS, "a name for every layer");

	for (size_t i = 0; i < LAYERS; i++)
		tree->layer[i] = tv_value_lists(tree->layers, name[i]);
}

static void read_fronts(struct tree *tree)
{
	const struct tv_column *position = tv_table_find(tree->fronts, "Position"),
			       *type = tv_table_find(tree->fronts, "Type");
	uint32_t pruned = tv_pool_find_text(tree->fronts->pool, "pruned");

	for (uint32_t f = 0; f < tree->fronts->nrows; f++)
		if (position->i[f] > tree->n)
			tree->n = (uint32_t)position->i[f];
	tree->front_of = tv_alloc((size_t)tree->n + 1, sizeof *tree->front_of);
	for (uint32_t p = 0; p <= tree->n; p++)
		tree->front_of[p] = TV_NONE;
	for (uint32_t f = 0; f < tree->fronts->nrows; f++)
		if (tv_label(type, f) != pruned)
			tree->front_of[position->i[f]] = f;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct tree *tree = slot->state;
	char step[32];
	int rc;

	choose_layers(tree);
	rc = tv_panel_pass(figure, slot->panel, "tree", NULL, &tree->fronts, err);
	if (rc != 0)
		return rc;
	tv_step_for(figure, SLICES, step, sizeof step);
	rc = tv_panel_pass(figure, slot->panel, "tree-usage",
			   (const char *const[]){ "by", "position", "step", step, NULL },
			   &tree->usage, err);
	if (rc == 0)
		read_fronts(tree);
	if (rc == 0 && tree->layer[OUTLIERS] && figure->outliers != NULL)
		rc = tv_panel_pass(figure, slot->panel, "tree",
				   (const char *const[]){ "tasks", "", NULL }, &tree->tasks, err);
	if (rc == 0 && figure->outliers != NULL) {
		const struct tv_column *mark = tv_table_find(figure->outliers, "Outlier");

		for (uint32_t i = 0; i < mark->n; i++)
			tree->outliers = tree->outliers
				      || (!tv_missing(mark, i) && mark->i[i] == 1);
	}
	return rc;
}

static double max_used(const struct tree *tree)
{
	const struct tv_column *usage = tv_table_find(tree->usage, "Usage");
	double max = 0;

	for (uint32_t i = 0; i < tree->usage->nrows; i++)
		max = fmax(max, usage->d[i]);
	return max;
}

static void add_key(struct tree *tree, enum tv_key_kind kind, uint32_t color, const char *text)
{
	struct tv_key *key = &tree->key[tree->nkeys++];

	*key = (struct tv_key){ .kind = kind, .color = color };
	snprintf(key->text, sizeof key->text, "%s", text);
}

static void set_keys(struct tree *tree)
{
	char text[64], number[48];

	tree->nkeys = 0;
	if (tree->layer[COMPUTE]) {
		tv_number_text(number, sizeof number, tree->max);
		snprintf(text, sizeof text, "0 to %s %%", number);
		add_key(tree, TV_KEY_SCALE, 0, text);
		tree->key[0].shade = tv_heat_color;
	}
	if (tree->layer[OPEN])
		add_key(tree, TV_KEY_LINE, tree->unit < crowded ? pale_open_color : open_color,
			"open");
	for (size_t i = 0; i < TV_COUNT(marks); i++)
		if (tree->layer[marks[i].layer] && tree->unit >= marks_min)
			add_key(tree, TV_KEY_AREA, marks[i].color, marks[i].text);
	if (tree->layer[OUTLIERS] && tree->outliers)
		add_key(tree, TV_KEY_DOT, dot_color, "outlier");
}

/* The label of a row; "" where only pruned fronts are. */
static void row_name(const struct tree *tree, uint32_t position, char out[LABEL_MAX])
{
	uint32_t f = tree->front_of[position];

	out[0] = '\0';
	if (f != TV_NONE)
		snprintf(out, LABEL_MAX, "%lld",
			 (long long)tv_table_find(tree->fronts, "ANode")->i[f]);
}

/* The row above that has a label, counted from the last row, the root; 0: there is none. */
static uint32_t next_label(const struct tree *tree, uint32_t position)
{
	double step = fmax(1, ceil(1.1 * TV_TEXT_SMALL * TV_TEXT_HEIGHT / tree->unit));

	return position > step ? position - (uint32_t)step : 0;
}

static double labels_width(const struct tv_figure *figure, const struct tree *tree)
{
	double widest = 0;
	char text[LABEL_MAX];

	for (uint32_t p = tree->n; p >= 1; p = next_label(tree, p)) {
		row_name(tree, p, text);
		widest = fmax(widest,
			      tv_text_width(figure->scene->text, text, TV_TEXT_SMALL, false));
	}
	return widest + pad;
}

/* Rows of whole cells, as long as one has at least a cell. */
static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct tree *tree = slot->state;
	double cell = figure->scene->cell;

	if (height == 0)
		height = fmin(height_max,
			      tree->n * fmax(row_min, fmin(row_max, comfortable / tree->n)));
	tree->unit = height / tree->n;
	if (tree->unit >= cell)
		tree->unit = floor(tree->unit / cell + 1e-6) * cell;
	slot->high = isnan(tree->limit) ? max_used(tree) : tree->limit;
	tree->max = fmax(slot->high, isnan(tree->limit) ? slot->common : 0);
	if (!(tree->max > 0))
		tree->max = 100;
	set_keys(tree);
	slot->request.height = tree->unit * tree->n;
	slot->request.left = labels_width(figure, tree);
	slot->request.top = tv_strip_height(figure, title, tree->key, tree->nkeys,
					    tv_strip_width(figure));
}

/* ---- drawing ---- */

static double row_top(const struct tree *tree, const struct tv_place *place, uint32_t position)
{
	return place->y + (position - 1) * tree->unit;
}

static double at_time(const struct tv_figure *figure, int64_t time)
{
	const struct tv_axis *axis = &figure->axis;

	return tv_axis_at(axis, time < axis->begin ? axis->begin
				: time > axis->end ? axis->end
						   : time);
}

/* From a front to its parent where its computing ended, and how long it was open. */
static void draw_lives(struct tv_figure *figure, const struct tree *tree,
		       const struct tv_place *place)
{
	const struct tv_column *start = tv_table_find(tree->fronts, "Start"),
			       *end = tv_table_find(tree->fronts, "End");
	struct tv_scene *scene = figure->scene;

	tv_scene_pen(scene, "open", "fronts");
	scene->pen.stroke = tree->unit < crowded ? pale_open_color : open_color;
	scene->pen.width = fmax(TV_LINE_MIN, fmin(1, tree->unit / 4));
	for (uint32_t p = 1; p <= tree->n; p++) {
		uint32_t f = tree->front_of[p];
		double y = row_top(tree, place, p) + tree->unit / 2;

		if (f == TV_NONE || end->i[f] < figure->axis.begin
		    || start->i[f] > figure->axis.end)
			continue;
		scene->pen.row = f;
		tv_scene_line(scene, TV_PAGE, at_time(figure, start->i[f]), y,
			      at_time(figure, end->i[f]), y);
	}
}

static uint32_t find_front(const struct tree *tree, int64_t number)
{
	const struct tv_column *anode = tv_table_find(tree->fronts, "ANode");
	uint32_t f;

	TV_LOWER_BOUND(f, 0, tree->fronts->nrows, anode->i[f] < number);
	return f;
}

static void draw_edges(struct tv_figure *figure, const struct tree *tree,
		       const struct tv_place *place)
{
	const struct tv_column *parent = tv_table_find(tree->fronts, "Parent"),
			       *end = tv_table_find(tree->fronts, "ComputeEnd"),
			       *position = tv_table_find(tree->fronts, "Position");
	struct tv_scene *scene = figure->scene;

	tv_scene_pen(scene, "edge", "fronts");
	scene->pen.stroke = edge_color;
	for (uint32_t p = 1; p <= tree->n; p++) {
		uint32_t f = tree->front_of[p], up;
		double x;

		if (f == TV_NONE || tv_missing(parent, f) || tv_missing(end, f)
		    || end->i[f] < figure->axis.begin || end->i[f] > figure->axis.end)
			continue;
		up = (uint32_t)position->i[find_front(tree, parent->i[f])];
		x = tv_axis_at(&figure->axis, end->i[f]);
		scene->pen.row = f;
		tv_scene_line(scene, TV_PAGE, x, row_top(tree, place, p) + tree->unit / 2, x,
			      row_top(tree, place, up) + tree->unit / 2);
	}
}

static uint32_t describe(struct tv_scene *scene, const struct tree *tree, uint32_t i,
			 uint32_t position, const char *what, double value, const char *unit)
{
	char text[200], name[LABEL_MAX];

	if (!scene->labels)
		return 0;
	row_name(tree, position, name);
	snprintf(text, sizeof text, "front %s, row %u, %s: %.4g %s from %.3f to %.3f ms", name,
		 position, what, value, unit,
		 (double)tv_table_find(tree->usage, "Start")->i[i] / 1e6,
		 (double)tv_table_find(tree->usage, "End")->i[i] / 1e6);
	return tv_scene_string(scene, text);
}

/* Slices of the usage: computing in the whole row, pruned fronts in its middle. */
static void draw_usage(struct tv_figure *figure, const struct tree *tree,
		       const struct tv_place *place, bool pruned)
{
	const struct tv_table *table = tree->usage;
	const struct tv_column *usage = tv_table_find(table, "Usage"),
			       *position = tv_table_find(table, "Position"),
			       *type = tv_table_find(table, "Type"),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");
	uint32_t label = tv_pool_find_text(table->pool, "pruned");
	struct tv_scene *scene = figure->scene;
	double inset = pruned ? tree->unit / 4 : 0;

	tv_scene_pen(scene, pruned ? "pruned" : "usage", "usage");
	for (uint32_t i = 0; i < table->nrows; i++) {
		uint32_t p = (uint32_t)position->i[i];
		double y = row_top(tree, place, p);

		if ((tv_label(type, i) == label) != pruned || !(usage->d[i] > 0))
			continue;
		scene->pen.fill = tv_heat_color(usage->d[i] / tree->max);
		scene->pen.row = i;
		scene->pen.label = describe(scene, tree, i, p, pruned ? "pruned" : "usage",
					    usage->d[i], "%");
		tv_scene_rect(scene, TV_PAGE, at_time(figure, start->i[i]), y + inset,
			      at_time(figure, end->i[i]), y + tree->unit - inset);
	}
}

static void draw_marks(struct tv_figure *figure, const struct tree *tree,
		       const struct tv_place *place, size_t m)
{
	const struct tv_table *table = tree->usage;
	const struct tv_column *time = tv_table_find(table, marks[m].column),
			       *position = tv_table_find(table, "Position"),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");
	struct tv_scene *scene = figure->scene;

	tv_scene_pen(scene, "mark", marks[m].text);
	scene->pen.fill = marks[m].color;
	for (uint32_t i = 0; i < table->nrows; i++) {
		uint32_t p = (uint32_t)position->i[i];
		double y = row_top(tree, place, p);

		if (time->i[i] <= 0)
			continue;
		scene->pen.row = i;
		scene->pen.label = describe(scene, tree, i, p, marks[m].text,
					    (double)time->i[i] / 1e6, "ms");
		tv_scene_rect(scene, TV_PAGE, at_time(figure, start->i[i]),
			      y + marks[m].top * tree->unit, at_time(figure, end->i[i]),
			      y + marks[m].bottom * tree->unit);
	}
}

static void draw_outliers(struct tv_figure *figure, const struct tree *tree,
			  const struct tv_place *place)
{
	const struct tv_column *outlier = tv_table_find(figure->outliers, "Outlier"),
			       *position = tv_table_find(tree->tasks, "Position");
	const struct tv_tasks *tasks = &figure->run->tasks;
	struct tv_scene *scene = figure->scene;

	tv_scene_pen(scene, "outlier", "outliers");
	scene->pen.fill = dot_color;
	for (uint32_t row = 0; row < tasks->n; row++) {
		double x, y;

		if (tv_missing(position, row) || tv_missing(outlier, row) || outlier->i[row] == 0
		    || !tv_row_begins(tasks, row) || tasks->start[row] < figure->axis.begin
		    || tasks->start[row] > figure->axis.end)
			continue;
		x = tv_axis_at(&figure->axis, tasks->start[row]);
		y = row_top(tree, place, (uint32_t)position->i[row]) + tree->unit / 2;
		scene->pen.row = row;
		tv_scene_rect(scene, TV_PAGE, x - dot / 2, y - dot / 2, x + dot / 2, y + dot / 2);
	}
}

static void draw_labels(struct tv_figure *figure, const struct tree *tree,
			const struct tv_place *place)
{
	char text[LABEL_MAX];

	tv_scene_pen(figure->scene, "name", "names");
	figure->scene->pen.fill = TV_INK;
	for (uint32_t p = tree->n; p >= 1; p = next_label(tree, p)) {
		double y = row_top(tree, place, p) + tree->unit / 2;

		row_name(tree, p, text);
		if (text[0] == '\0')
			continue;
		tv_scene_text(figure->scene, figure->axis.stub_x - pad, y, TV_RIGHT, TV_TEXT_SMALL,
			      false, text);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct tree *tree = slot->state;
	const struct tv_place *place = &slot->place;

	tv_grid_draw(figure, place, NULL);
	if (tree->layer[EDGES] && tree->unit >= edges_min)
		draw_edges(figure, tree, place);
	if (tree->layer[OPEN])
		draw_lives(figure, tree, place);
	if (tree->layer[COMPUTE])
		draw_usage(figure, tree, place, false);
	if (tree->layer[PRUNED])
		draw_usage(figure, tree, place, true);
	for (size_t m = 0; m < TV_COUNT(marks) && tree->unit >= marks_min; m++)
		if (tree->layer[marks[m].layer])
			draw_marks(figure, tree, place, m);
	if (tree->layer[OUTLIERS] && figure->outliers != NULL)
		draw_outliers(figure, tree, place);
	tv_border_draw(figure->scene, place);
	draw_labels(figure, tree, place);
	tv_strip_draw(figure, title, tree->key, tree->nkeys, place->x, place->y,
		      tv_strip_width(figure));
}

static void release(struct tv_slot *slot)
{
	struct tree *tree = slot->state;

	tv_free(tree->front_of);
	tv_free(tree);
}

static const struct tv_option_spec options[] = {
	{ "layers", "open|compute|pruned|edges|init|assemble|clean|outliers,...",
	  "open,compute,pruned,edges,init,assemble", "parts to draw", TV_OPTION_LIST,
	  TV_INTO(struct tree, layers) },
	{ "limit", "PERCENT", NULL, "usage shown in the darkest color (default: the largest)",
	  TV_OPTION_NUMBER, 1e-6, 100, TV_INTO(struct tree, limit) },
};

const struct tv_panel tv_panel_tree = {
	.name = "tree",
	.untyped = true,
	.title = "elimination tree over time: when each front is open and computed",
	.needs = "fronts: tasks of qr_mumps, or the column ANode",
	.share = 4,
	TV_PANEL_OPTIONS(options, struct tree),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
