/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_tree.c -- the panel of nested regions: a box for each path, as wide as its inclusive time, below the one that it is in. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/strip.h"
#include "views/charts/types.h"
#include "views/scene/palette.h"
#include "views/scene/vision.h"
#include "views/shared/hover.h"
#include "views/shared/panel.h"

static const double high = 11, low = 2, comfortable = 330, /* points: height of a level, of all */
	narrow = 1, named = 8, pad = 2; /* widths: of a box, of one with a name, beside the name */

enum { readable = 8 }; /* bytes of a name that is cut, of which the ellipsis has three */

struct call_tree {
	const struct tv_table *table; /* a path, then those below it, the longest first */
	struct tv_hover hover;
	uint32_t levels;
	double unit; /* height of a level, points */
	char title[120];
};

/* A box that contains the next ones. */
struct box {
	double x, scale; /* where the next one inside begins; points per ns */
};

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct call_tree *tree = slot->state;
	int rc = tv_panel_pass(figure, slot->panel, "call-tree", NULL, &tree->table, err);
	const struct tv_column *depth;
	char time[40];
	double all = 0;

	if (rc != 0)
		return rc;
	depth = tv_table_find(tree->table, "Depth");
	for (uint32_t row = 0; row < tree->table->nrows; row++) {
		tree->levels = depth->i[row] >= tree->levels ? (uint32_t)depth->i[row] + 1
							     : tree->levels;
		if (depth->i[row] == 0)
			all += (double)tv_table_find(tree->table, "Inclusive")->i[row];
	}
	if (!(all > 0))
		return tv_panel_nothing(figure, slot->panel, "no region lasts");
	tv_hover_init(&tree->hover, tree->table,
		      "{CallPath}: {Count} times, inclusive {Inclusive:time}, exclusive "
		      "{Exclusive:time} ({Share:share} %)");
	tv_time_text(time, sizeof time, (int64_t)fmin(all, 0x1p62), NULL);
	snprintf(tree->title, sizeof tree->title,
		 "call tree, width: inclusive time, %s of all threads",
		 tv_print_number(&slot->printed, "Inclusive", NULL, NULL, "%s", time));
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct call_tree *tree = slot->state;
	double top = tv_strip_height(figure, tree->title, NULL, 0, tv_slot_width(figure, slot));

	tree->unit = fmax(low,
			  fmin(high, (height > 0 ? height - top : comfortable) / tree->levels));
	slot->request.height = slot->request.min = top + tree->unit * tree->levels;
}

/* The rows of the boxes right inside the one of the row before `row`, or of the outermost ones: their time. */
static double time_inside(const struct call_tree *tree, uint32_t row)
{
	const struct tv_column *depth = tv_table_find(tree->table, "Depth"),
			       *inclusive = tv_table_find(tree->table, "Inclusive");
	double time = 0;

	for (uint32_t i = row; i < tree->table->nrows && depth->i[i] >= depth->i[row]; i++)
		time += depth->i[i] == depth->i[row] ? (double)inclusive->i[i] : 0;
	return time;
}

static uint32_t color_of(const struct tv_figure *figure, const struct call_tree *tree, uint32_t row)
{
	uint32_t label = tv_label(tv_table_find(tree->table, "Name"), row);
	uint32_t color = tv_type_color(figure, label);

	return color != TV_TYPE_UNKNOWN
		     ? color
		     : tv_palette_by_name(tv_pool_text(tree->table->pool, label));
}

/* The name, or a part of it, where there is room. */
static void draw_name(struct tv_figure *figure, const struct call_tree *tree, uint32_t row,
		      double x, double width, double y, uint32_t color)
{
	struct tv_scene *scene = figure->scene;
	double room = width - 2 * pad;
	char name[160], text[200];

	if (width < named || tree->unit < TV_TEXT_SMALL * TV_TEXT_HEIGHT + 1)
		return;
	tv_clean_text(name, sizeof name, tv_table_text(tree->table, "Name", row));
	tv_text_fit(scene->text, name, TV_TEXT_SMALL, false, room, text, sizeof text);
	if (strlen(text) < readable && strcmp(text, name) != 0)
		return;
	tv_scene_pen(scene, "name", "call-tree");
	scene->pen.fill = tv_color_dark(color) ? TV_WHITE : TV_INK;
	scene->pen.row = row;
	tv_scene_text(scene, x + pad, y + tree->unit / 2, TV_LEFT, TV_TEXT_SMALL, false, text);
}

static void draw_box(struct tv_figure *figure, const struct call_tree *tree, uint32_t row, double x,
		     double width, double y)
{
	struct tv_scene *scene = figure->scene;
	uint32_t color = tv_color_fade(color_of(figure, tree, row));

	tv_scene_pen(scene, "path", "call-tree");
	scene->pen.fill = color;
	scene->pen.stroke = width >= 3 ? TV_WHITE : TV_NO_COLOR;
	scene->pen.row = row;
	scene->pen.label = tv_hover_label(scene, &tree->hover, row, 0, 0);
	tv_scene_rect(scene, TV_PAGE, x, y, x + width, y + tree->unit);
	draw_name(figure, tree, row, x, width, y, color);
}

/* This path and the shorter ones beside it as one gray box; returns the row behind them. */
static uint32_t draw_rest(struct tv_figure *figure, const struct call_tree *tree, uint32_t row,
			  const struct box *box, double y)
{
	const struct tv_column *depth = tv_table_find(tree->table, "Depth");
	struct tv_scene *scene = figure->scene;
	uint32_t end = row, paths = 0;
	double time = time_inside(tree, row);
	char text[160], length[40];

	for (; end < tree->table->nrows && depth->i[end] >= depth->i[row]; end++)
		paths += depth->i[end] == depth->i[row];
	tv_time_text(length, sizeof length, (int64_t)fmin(time, 0x1p62), NULL);
	snprintf(text, sizeof text, "%u narrow boxes (first %.60s): inclusive %s", paths,
		 tv_table_text(tree->table, "Name", row), length);
	tv_scene_pen(scene, "rest", "call-tree");
	scene->pen.fill = TV_GRAY;
	scene->pen.row = row;
	scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
	if (time > 0)
		tv_scene_rect(scene, TV_PAGE, box->x, y, box->x + time * box->scale,
			      y + tree->unit);
	return end;
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct call_tree *tree = slot->state;
	const struct tv_place *place = &slot->place;
	const struct tv_column *depth = tv_table_find(tree->table, "Depth"),
			       *inclusive = tv_table_find(tree->table, "Inclusive");
	struct box *box = tv_alloc((size_t)tree->levels + 1, sizeof *box);
	double top = place->y + place->height - tree->unit * tree->levels;

	tv_strip_draw(figure, tree->title, NULL, 0, place->x, top, place->width);
	box[0] = (struct box){ place->x, place->width / time_inside(tree, 0) };
	for (uint32_t row = 0; row < tree->table->nrows;) {
		struct box *in = &box[depth->i[row]];
		double y = top + tree->unit * (double)depth->i[row],
		       width = (double)inclusive->i[row] * in->scale;

		if (width < narrow) {
			row = draw_rest(figure, tree, row, in, y);
			continue;
		}
		draw_box(figure, tree, row, in->x, width, y);
		in[1] = (struct box){ in->x, in->scale };
		in->x += width;
		row++;
		/* Regions that overlap may last longer than the one around them. */
		if (row < tree->table->nrows && &box[depth->i[row]] == in + 1)
			in[1].scale = fmin(in->scale, width / time_inside(tree, row));
	}
	tv_free(box);
}

const struct tv_panel tv_panel_call_tree = {
	.name = "call-tree",
	.title = "time of each path of nested regions, as an icicle chart",
	.needs = "states, calls or tasks that nest",
	.reads = "states",
	.kind = TV_FREE,
	.share = 2,
	.state = sizeof(struct call_tree),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
};
