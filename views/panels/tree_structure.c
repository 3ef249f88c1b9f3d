/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_structure.c -- the panel that draws an elimination tree without time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "views/charts/strip.h"
#include "views/scene/heat.h"
#include "views/shared/hover.h"
#include "views/shared/panel.h"

static const double level_max = 14, height_max = 260, side = 6, dot_max = 7, dot_min = 1,
		    label_gap = 2; /* points */
static const uint32_t edge_color = 0x9a9a9a;

struct structure {
	const struct tv_table *fronts; /* result of tree */
	struct tv_hover hover;
	uint32_t *parent; /* row of the parent; TV_NONE for a root */
	double *x;	  /* in leaves from 0.5: parents over the middle of their children */
	double leaves;
	int64_t depth; /* the max */
	int64_t busy;  /* of the front with the max */
	struct tv_key key;
	char title[96];
};

/* A front with where it comes in the order of the tree. */
struct placed {
	int64_t number;
	uint32_t row;
};

TV_ORDER(by_number, struct placed, number)

static void find_parents(struct structure *s)
{
	const struct tv_column *number = tv_table_find(s->fronts, "ANode"),
			       *parent = tv_table_find(s->fronts, "Parent");
	uint32_t n = s->fronts->nrows;
	struct placed *placed = tv_alloc(n, sizeof *placed);

	for (uint32_t f = 0; f < n; f++)
		placed[f] = (struct placed){ number->i[f], f };
	qsort(placed, n, sizeof *placed, by_number);
	for (uint32_t f = 0; f < n; f++) {
		struct placed key = { .number = tv_missing(parent, f) ? 0 : parent->i[f] }, *at;

		at = tv_missing(parent, f) ? NULL
					   : bsearch(&key, placed, n, sizeof *placed, by_number);
		s->parent[f] = at == NULL ? TV_NONE : at->row;
	}
	tv_free(placed);
}

/* What places are found from: the children of every front, in the order of the tree. */
struct walk {
	uint32_t *first, *next, *last; /* child lists by row; TV_NONE ends them */
	uint32_t *stack;
	double *low; /* x of the first child */
};

static void append(struct walk *walk, uint32_t parent, uint32_t child)
{
	if (walk->first[parent] == TV_NONE)
		walk->first[parent] = child;
	else
		walk->next[walk->last[parent]] = child;
	walk->last[parent] = child;
}

/* Post-order: leaves get the next places, parents the middle of their first and last child. */
static void place_tree(struct structure *s, struct walk *walk, uint32_t root)
{
	uint32_t depth = 0;

	walk->stack[depth++] = root;
	while (depth > 0) {
		uint32_t f = walk->stack[depth - 1], child = walk->first[f];

		if (child != TV_NONE) {
			walk->first[f] = walk->next[child];
			walk->stack[depth++] = child;
			continue;
		}
		depth--;
		if (isnan(walk->low[f]))
			s->x[f] = s->leaves++ + 0.5;
		else
			s->x[f] = (walk->low[f] + s->x[walk->last[f]]) / 2;
		if (depth > 0 && isnan(walk->low[walk->stack[depth - 1]]))
			walk->low[walk->stack[depth - 1]] = s->x[f];
	}
}

static int by_position(const void *a, const void *b, void *data)
{
	const struct tv_column *position = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (position->i[x] != position->i[y])
		return TV_COMPARE(position->i[x], position->i[y]);
	return TV_COMPARE(x, y);
}

static void find_places(struct structure *s)
{
	uint32_t n = s->fronts->nrows, *order = tv_alloc(n, sizeof *order);
	struct walk walk = { tv_alloc(n, sizeof *walk.first), tv_alloc(n, sizeof *walk.next),
			     tv_alloc(n, sizeof *walk.last), tv_alloc(n, sizeof *walk.stack),
			     tv_alloc(n, sizeof *walk.low) };

	for (uint32_t f = 0; f < n; f++) {
		order[f] = f;
		walk.first[f] = walk.next[f] = TV_NONE;
		walk.low[f] = NAN;
	}
	qsort_r(order, n, sizeof *order, by_position, tv_table_find(s->fronts, "Position"));
	for (uint32_t i = 0; i < n; i++)
		if (s->parent[order[i]] != TV_NONE)
			append(&walk, s->parent[order[i]], order[i]);
	for (uint32_t i = 0; i < n; i++)
		if (s->parent[order[i]] == TV_NONE)
			place_tree(s, &walk, order[i]);
	tv_free(order);
	tv_free(walk.first);
	tv_free(walk.next);
	tv_free(walk.last);
	tv_free(walk.stack);
	tv_free(walk.low);
}

static void set_key(struct structure *s)
{
	char time[48];

	tv_time_text(time, sizeof time, s->busy, NULL);
	s->key = (struct tv_key){ .kind = TV_KEY_SCALE, .shade = tv_heat_color };
	snprintf(s->key.text, sizeof s->key.text, "0 to %s", time);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct structure *s = slot->state = tv_alloc(1, sizeof *s);
	const struct tv_column *depth, *busy;
	int rc;

	rc = tv_panel_pass(figure, slot->panel, "tree", NULL, &s->fronts, err);
	if (rc != 0)
		return rc;
	tv_hover_init(&s->hover, s->fronts,
		      "front {ANode}, depth {Depth}, {Tasks} tasks, {Time} ms");
	depth = tv_table_find(s->fronts, "Depth");
	busy = tv_table_find(s->fronts, "Time");
	s->parent = tv_alloc(s->fronts->nrows, sizeof *s->parent);
	s->x = tv_alloc(s->fronts->nrows, sizeof *s->x);
	for (uint32_t f = 0; f < s->fronts->nrows; f++) {
		s->depth = depth->i[f] > s->depth ? depth->i[f] : s->depth;
		s->busy = busy->i[f] > s->busy ? busy->i[f] : s->busy;
	}
	snprintf(s->title, sizeof s->title,
		 "elimination tree: %s fronts, depth %s; time of their tasks",
		 tv_print_number(&slot->printed, "Fronts", NULL, "fronts", "%u", s->fronts->nrows),
		 tv_print_number(&slot->printed, "Depth", NULL, "levels", "%lld",
				 (long long)s->depth));
	set_key(s);
	find_parents(s);
	find_places(s);
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	const struct structure *s = slot->state;

	(void)height;
	slot->request.top = tv_strip_height(figure, s->title, &s->key, 1, figure->width);
	slot->request.min = 40;
	slot->request.height = slot->request.top
			     + fmin(height_max, (double)(s->depth + 1) * level_max);
}

/* Places on the page. */
struct map {
	double x, y, leaf, level;
};

static struct tv_point at(const struct structure *s, const struct map *map, uint32_t f)
{
	const struct tv_column *depth = tv_table_find(s->fronts, "Depth");

	return (struct tv_point){ map->x + s->x[f] * map->leaf,
				  map->y + ((double)depth->i[f] + 0.5) * map->level };
}

/* A front: a square in the color of its time; small and with a border if it is pruned. */
static void draw_front(struct tv_scene *scene, const struct structure *s, const struct map *map,
		       uint32_t f)
{
	const struct tv_column *busy = tv_table_find(s->fronts, "Time"),
			       *type = tv_table_find(s->fronts, "Type");
	bool pruned = strcmp(tv_pool_text(type->pool, tv_label(type, f)), "pruned") == 0;
	double half = fmax(dot_min, fmin(dot_max, 0.8 * fmin(map->leaf, map->level))) / 2;
	struct tv_point p = at(s, map, f);

	half *= pruned ? 0.6 : 1;
	tv_scene_pen(scene, pruned ? "pruned" : "front", "fronts");
	scene->pen.fill = tv_heat_color(s->busy > 0 ? (double)busy->i[f] / (double)s->busy : 0);
	if (pruned && half > 1)
		scene->pen.stroke = TV_INK;
	scene->pen.row = f;
	scene->pen.label = tv_hover_label(scene, &s->hover, f, 0, 0);
	tv_scene_rect(scene, TV_PAGE, p.x - half, p.y - half, p.x + half, p.y + half);
}

/* Numbers right of the fronts, where none of them is in the way of the next front. */
static void draw_numbers(struct tv_scene *scene, const struct structure *s, const struct map *map)
{
	const struct tv_column *number = tv_table_find(s->fronts, "ANode");
	char text[32];

	for (int draw = 0; draw <= 1; draw++)
		for (uint32_t f = 0; f < s->fronts->nrows; f++) {
			struct tv_point p = at(s, map, f);

			snprintf(text, sizeof text, "%lld", (long long)number->i[f]);
			if (draw == 0
			    && (map->level < TV_TEXT_SMALL * TV_TEXT_HEIGHT
				|| tv_text_width(scene->text, text, TV_TEXT_SMALL, false)
					   > map->leaf - dot_max - 2 * label_gap))
				return;
			if (draw == 0)
				continue;
			p.x += dot_max / 2 + label_gap;
			/* Edges stop around the number instead of crossing it. */
			tv_scene_pen(scene, "name-ground", "names");
			scene->pen.fill = TV_WHITE;
			tv_scene_rect(scene, TV_PAGE, p.x - 0.5, p.y - TV_TEXT_SMALL / 2,
				      p.x + tv_text_width(scene->text, text, TV_TEXT_SMALL, false)
					      + 0.5,
				      p.y + TV_TEXT_SMALL / 2);
			tv_scene_pen(scene, "name", "names");
			scene->pen.fill = TV_INK;
			tv_scene_text(scene, p.x, p.y, TV_LEFT, TV_TEXT_SMALL, false, text);
		}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct structure *s = slot->state;
	const struct tv_place *place = &slot->place;
	double top = place->y + slot->request.top, height = place->height - slot->request.top;
	struct map map = { place->x + side, top, (place->width - 2 * side) / s->leaves,
			   height / (double)(s->depth + 1) };
	struct tv_scene *scene = figure->scene;

	tv_strip_draw(figure, s->title, &s->key, 1, place->x, top, place->width);
	tv_scene_pen(scene, "edge", "edges");
	scene->pen.stroke = edge_color;
	for (uint32_t f = 0; f < s->fronts->nrows; f++) {
		struct tv_point child = at(s, &map, f), parent;

		if (s->parent[f] == TV_NONE)
			continue;
		parent = at(s, &map, s->parent[f]);
		tv_scene_line(scene, TV_PAGE, child.x, child.y, parent.x, parent.y);
	}
	for (uint32_t f = 0; f < s->fronts->nrows; f++)
		draw_front(scene, s, &map, f);
	draw_numbers(scene, s, &map);
}

static void release(struct tv_slot *slot)
{
	struct structure *s = slot->state;

	tv_free(s->parent);
	tv_free(s->x);
	tv_free(s);
}

const struct tv_panel tv_panel_tree_structure = {
	.name = "tree-structure",
	.untyped = true,
	.title = "structure of an elimination tree",
	.needs = "fronts: tasks of qr_mumps, or the column ANode",
	.kind = TV_FREE,
	.share = 4,
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
