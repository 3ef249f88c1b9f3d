/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_usage.c -- the panel of the workers that compute on each front, or at each depth. */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "views/charts/curves.h"
#include "views/shared/panel.h"

enum { SLICES = 240, KEYS = 12, SOME = 7, MANY = 100 }; /* all parts have keys, or some */

static const double height_min = 24;

struct usage {
	struct tv_pieces *pieces; /* n, each a front or a depth */
	struct tv_key *key;	  /* n; their texts are for hovering */
	size_t n;
	struct tv_key shown[KEYS]; /* above the panel */
	size_t nshown;
	int64_t *time;
	double *value;
	enum { FRONT, DEPTH } by;
	double limit;
	char title[96];
	struct tv_value_scale scale;
};

/* Neighbors in the tree have neighboring colors: once around from blue over green and red. */
static uint32_t color_at(double share, bool light)
{
	static const double wheel[][3] = {
		{ 49, 86, 163 },  { 44, 148, 160 }, { 92, 168, 90 },  { 214, 184, 50 },
		{ 226, 126, 44 }, { 196, 52, 60 },  { 130, 60, 140 },
	};
	enum { LAST = sizeof wheel / sizeof wheel[0] - 1 };
	double at = share * LAST;
	int i = at >= LAST ? LAST - 1 : (int)at;
	uint32_t color = 0;

	for (int c = 0; c < 3; c++) {
		double part = wheel[i][c] + (wheel[i + 1][c] - wheel[i][c]) * (at - i);

		color = color << 8 | (uint32_t)(light ? part + (255 - part) * 0.35 : part);
	}
	return color;
}

/* How the parts are distinguished: the pass's column, and the name of its values. */
struct parts {
	const struct tv_table *table;
	const struct tv_column *of;
	const struct tv_table *fronts; /* whose Position it is; NULL for a depth */
	int64_t max;		       /* largest value of the column */
	uint32_t *place; /* by value: which piece it is, in that order; TV_NONE = none */
	size_t *count;	 /* by place */
};

static void count_parts(struct parts *parts, struct usage *u)
{
	uint32_t n = parts->table->nrows;

	for (uint32_t i = 0; i < n; i++)
		if (parts->of->i[i] > parts->max)
			parts->max = parts->of->i[i];
	parts->place = tv_alloc((size_t)parts->max + 1, sizeof *parts->place);
	parts->count = tv_alloc((size_t)parts->max + 1, sizeof *parts->count);
	for (int64_t v = 0; v <= parts->max; v++)
		parts->place[v] = TV_NONE;
	for (uint32_t i = 0; i < n; i++)
		parts->place[parts->of->i[i]] = 0;
	for (int64_t v = 0; v <= parts->max; v++)
		if (parts->place[v] != TV_NONE)
			parts->place[v] = (uint32_t)u->n++;
	for (uint32_t i = 0; i < n; i++)
		parts->count[parts->place[parts->of->i[i]]]++;
	u->pieces = tv_alloc(u->n, sizeof *u->pieces);
	u->key = tv_alloc(u->n, sizeof *u->key);
	u->time = tv_alloc(2 * (size_t)n, sizeof *u->time);
	u->value = tv_alloc(n, sizeof *u->value);
}

/* The slices of every part in order of time; the usage of those of one slice is one. */
static void fill_parts(const struct parts *parts, struct usage *u)
{
	const struct tv_column *start = tv_table_find(parts->table, "Start"),
			       *end = tv_table_find(parts->table, "End"),
			       *usage = tv_table_find(parts->table, "Usage");
	size_t first = 0, all = parts->table->nrows;

	for (size_t k = 0; k < u->n; first += parts->count[k++])
		u->pieces[k] = (struct tv_pieces){ u->time + first, u->time + all + first,
						   u->value + first, 0 };
	for (uint32_t i = 0; i < parts->table->nrows; i++) {
		struct tv_pieces *pieces = &u->pieces[parts->place[parts->of->i[i]]];
		size_t at = (size_t)(pieces->start - u->time) + pieces->n;

		if (pieces->n > 0 && pieces->start[pieces->n - 1] == start->i[i]) {
			u->value[at - 1] += usage->d[i];
			continue;
		}
		u->time[at] = start->i[i];
		u->time[all + at] = end->i[i];
		u->value[at] = usage->d[i];
		pieces->n++;
	}
}

/* The front that a row of the tree belongs to, by position: the one that is not pruned, if any. */
static int64_t *number_fronts(const struct parts *parts)
{
	const struct tv_column *number = tv_table_find(parts->fronts, "ANode"),
			       *position = tv_table_find(parts->fronts, "Position"),
			       *type = tv_table_find(parts->fronts, "Type");
	uint32_t pruned = tv_pool_find_text(parts->fronts->pool, "pruned");
	int64_t *front = tv_alloc((size_t)parts->max + 1, sizeof *front);

	for (int own = 0; own <= 1; own++)
		for (uint32_t f = 0; f < parts->fronts->nrows; f++)
			if (position->i[f] <= parts->max
			    && (tv_label(type, f) != pruned) == (own == 1))
				front[position->i[f]] = number->i[f];
	return front;
}

/* front: by position, or NULL for depths. */
static void set_colors(const struct parts *parts, const int64_t *front, struct usage *u)
{
	size_t step = u->n <= KEYS ? 1 : (u->n + SOME - 2) / (SOME - 1);

	for (int64_t v = 0; v <= parts->max; v++) {
		uint32_t k = parts->place[v];

		if (k == TV_NONE)
			continue;
		u->key[k] = (struct tv_key){ .kind = TV_KEY_AREA };
		u->key[k].color = color_at(u->n > 1 ? (double)k / (double)(u->n - 1) : 0,
					   k % 2 == 1 && u->n > KEYS && u->n < MANY);
		snprintf(u->key[k].text, sizeof u->key[k].text, "%s %lld",
			 front != NULL ? "front" : "depth",
			 (long long)(front != NULL ? front[v] : v));
		if ((k % step == 0 && k + step / 2 < u->n) || k + 1 == u->n)
			u->shown[u->nshown++] = u->key[k];
	}
}

/* fronts: NULL for parts by depth. */
static void read_usage(struct usage *u, const struct tv_table *table, const struct tv_table *fronts)
{
	struct parts parts = { .table = table,
			       .fronts = fronts,
			       .of = tv_table_find(table, fronts == NULL ? "Depth" : "Position") };
	int64_t *front;

	count_parts(&parts, u);
	front = fronts != NULL ? number_fronts(&parts) : NULL;
	fill_parts(&parts, u);
	set_colors(&parts, front, u);
	tv_free(front);
	tv_free(parts.place);
	tv_free(parts.count);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct usage *u = slot->state;
	bool by_depth = u->by == DEPTH;
	const struct tv_table *table, *fronts;
	char step[32];
	int rc;

	tv_step_for(figure, SLICES, step, sizeof step);
	rc = tv_panel_pass(
		figure, slot->panel, "tree-usage",
		(const char *const[]){ "by", by_depth ? "depth" : "position", "step", step, NULL },
		&table, err);
	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "tree", NULL, &fronts, err);
	if (rc != 0)
		return rc;
	snprintf(u->title, sizeof u->title, "workers that compute, %%, by %s",
		 by_depth ? "depth in the tree" : "front, in the order of the tree");
	if (table->nrows == 0)
		return tv_panel_nothing(figure, slot->panel, "no front computes in the window");
	read_usage(u, table, by_depth ? NULL : fronts);
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct usage *u = slot->state;
	double high = isnan(u->limit) ? tv_stack_high(figure, u->pieces, u->n) : u->limit;

	slot->high = high;
	u->scale = tv_value_scale(0, fmax(high, isnan(u->limit) ? slot->common : 0), false,
				  height > 0 ? height : height_min);
	slot->request.min = height_min;
	slot->request.left = tv_value_width(figure, &u->scale);
	slot->request.top = tv_strip_height(figure, u->title, u->shown, u->nshown,
					    tv_strip_width(figure));
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct usage *u = slot->state;
	const struct tv_place *place = &slot->place;
	unsigned frame = tv_value_frame(figure, "tree-usage", place, &u->scale);

	tv_grid_draw(figure, place, &u->scale);
	tv_stack_draw(figure, frame, &u->scale, u->pieces, u->key, u->n);
	tv_border_draw(figure->scene, place);
	tv_value_draw(figure, place, &u->scale);
	tv_strip_draw(figure, u->title, u->shown, u->nshown, place->x, place->y,
		      tv_strip_width(figure));
}

static void release(struct tv_slot *slot)
{
	struct usage *u = slot->state;

	tv_free(u->pieces);
	tv_free(u->key);
	tv_free(u->time);
	tv_free(u->value);
	tv_free(u);
}

static const struct tv_option_spec options[] = {
	{ "by", "front|depth", "front", "rows: fronts, as in the panel tree, or depths of the tree",
	  TV_OPTION_CHOICE, TV_INTO(struct usage, by) },
	TV_OPTION_LIMIT_OF(struct usage),
};

const struct tv_panel tv_panel_tree_usage = {
	.name = "tree-usage",
	.untyped = true,
	.title = "workers that compute on each front of an elimination tree",
	.needs = "fronts: tasks of qr_mumps, or the column ANode",
	.share = 1.2,
	TV_PANEL_OPTIONS(options, struct usage),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
