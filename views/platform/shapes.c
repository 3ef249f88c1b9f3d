/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes.c -- how the parts of a platform's picture look. */
#include "views/platform/drawn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "trace/units.h"
#include "views/scene/palette.h"

static const double lane = 4; /* points between lines at the right side */

const enum tv_dash tv_picture_dashes[] = { [TV_LINK_SHARED] = TV_SOLID,
					   [TV_LINK_SPLITDUPLEX] = TV_DASHED,
					   [TV_LINK_FATPIPE] = TV_DOTTED };
const uint32_t tv_picture_fills[] = {
	[TV_HOST_CORE] = 0xdfe9f5, [TV_HOST_CACHE] = 0xfbeecb, [TV_HOST_MEMORY] = 0xe0efd8
};

/* Whether the links of an edge are drawn from its end on: the parent is at its end. */
static bool is_reversed(const struct tv_drawn *d, const struct tv_branch *item)
{
	const struct tv_branch *parent = &d->tree.item[item->parent];

	return d->plan->edge[item->edge].from != parent->node;
}

void tv_picture_write(struct tv_drawn *d, const char *class, double x, double y,
		      enum tv_align align, bool bold, uint32_t color, const char *text)
{
	if (text[0] == '\0')
		return;
	tv_scene_pen(d->scene, class, "platform");
	d->scene->pen.fill = color;
	tv_scene_text(d->scene, x, y, align, TV_TEXT_SMALL, bold, text);
}

static void line_pen(struct tv_drawn *d, const char *class, bool marked, enum tv_dash dash)
{
	tv_scene_pen(d->scene, class, "platform");
	d->scene->pen.stroke = marked ? TV_PICTURE_MARK : TV_INK;
	d->scene->pen.width = marked ? 1.6 : 0.8;
	d->scene->pen.dash = dash;
}

static void wire_pen(struct tv_drawn *d, bool marked)
{
	line_pen(d, "wire", marked, TV_SOLID);
	if (!marked) {
		d->scene->pen.stroke = TV_GRAY;
		d->scene->pen.width = 0.5;
	}
}

static void draw_many(struct tv_drawn *d, const struct tv_branch *item, double x0, double x1)
{
	char name[TV_PICTURE_TEXT], numbers[TV_PICTURE_TEXT];
	enum tv_link_policy policy = d->platform->link[tv_picture_link_at(d, item->edge, 0)].policy;
	bool equal = true;

	for (uint32_t i = 0; i < d->plan->edge[item->edge].n; i++)
		equal = equal
		     && d->platform->link[tv_picture_link_at(d, item->edge, i)].policy == policy;
	tv_picture_many(d, item, name, numbers);
	line_pen(d, "link", d->edge[item->edge], equal ? tv_picture_dashes[policy] : TV_DASHDOT);
	tv_scene_line(d->scene, TV_PAGE, x0, item->y, x1, item->y);
	tv_picture_write(d, "link-name", (x0 + x1) / 2, item->y - 4.4, TV_CENTER, false, TV_INK,
			 name);
	tv_picture_write(d, "link-numbers", (x0 + x1) / 2, item->y + 4.6, TV_CENTER, false, TV_DIM,
			 numbers);
	d->policy[policy] = d->policy[policy] || equal;
	d->mixed = d->mixed || !equal;
}

/* The links of a line from x0 to x1, one behind the other. */
static void draw_links(struct tv_drawn *d, const struct tv_branch *item, double x0, double x1)
{
	uint32_t n = d->plan->edge[item->edge].n, last = tv_picture_last_edge(d, item);
	bool reversed = is_reversed(d, item);
	double spare = (x1 - x0 - tv_picture_edge_width(d, item)) / (n > 0 ? n : 1), x = x0;

	if (n > TV_PICTURE_SERIES) {
		draw_many(d, item, x0, x1);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = reversed ? n - 1 - i : i, link = tv_picture_link_at(d, item->edge, k);
		double end = x
			   + tv_picture_link_width(d, item, link, tv_picture_link_at(d, last, k))
			   + spare;
		const struct tv_platform_link *l = &d->platform->link[link];
		char name[TV_PICTURE_TEXT], numbers[TV_PICTURE_TEXT];

		tv_picture_link(d, item, link, tv_picture_link_at(d, last, k), name, numbers);
		d->policy[l->policy] = true;
		line_pen(d, "link", d->edge[item->edge], tv_picture_dashes[l->policy]);
		tv_scene_line(d->scene, TV_PAGE, x, item->y, end, item->y);
		if (i > 0) {
			line_pen(d, "joint", d->edge[item->edge], TV_SOLID);
			tv_scene_line(d->scene, TV_PAGE, x, item->y - 2, x, item->y + 2);
		}
		tv_picture_write(d, "link-name", (x + end) / 2, item->y - 4.4, TV_CENTER, false,
				 TV_INK, name);
		tv_picture_write(d, "link-numbers", (x + end) / 2, item->y + 4.6, TV_CENTER, false,
				 TV_DIM, numbers);
		x = end;
	}
}

/* From a node to one that hangs on it: a wire to its row, then its links. */
static void draw_branch(struct tv_drawn *d, const struct tv_branch *item)
{
	const struct tv_branch *from = &d->tree.item[item->parent];
	double column = from->x + from->column, turn = column + TV_PICTURE_TURN;
	bool marked = item->edge != TV_NONE && d->edge[item->edge];
	struct tv_point way[4] = { { from->x + (tv_picture_is_router(d, from) ? 2 : from->width),
				     from->y },
				   { turn, from->y },
				   { turn, item->y },
				   { turn + TV_PICTURE_TURN, item->y } };

	if (from->kind == TV_BRANCH_FRAME)
		return;
	wire_pen(d, marked);
	tv_scene_path(d->scene, TV_PAGE, TV_SHAPE_POLYLINE, way, 4);
	if (item->edge == TV_NONE)
		return;
	if (d->plan->edge[item->edge].n > 0 && (item->kind != TV_BRANCH_STUB || item->labeled)) {
		draw_links(d, item, turn + TV_PICTURE_TURN, item->x);
		return;
	}
	wire_pen(d, marked);
	tv_scene_line(d->scene, TV_PAGE, turn + TV_PICTURE_TURN, item->y, item->x, item->y);
}

static void draw_frame(struct tv_drawn *d, const struct tv_branch *item)
{
	char text[TV_PICTURE_TEXT], count[40];

	tv_picture_zone(d, item, text);
	tv_picture_count(item, count, sizeof count);
	tv_scene_pen(d->scene, "zone", "platform");
	d->scene->pen.fill = d->platform->zone[item->zone].depth % 2 == 0 ? 0xfafafa : TV_WHITE;
	d->scene->pen.stroke = TV_GRAY;
	tv_scene_rect(d->scene, TV_PAGE, item->x, item->y0, item->x1, item->y1);
	tv_picture_write(d, "zone-name", item->x + TV_PICTURE_PAD,
			 item->y0 + TV_PICTURE_HEADING / 2, TV_LEFT, true, TV_DIM, text);
	tv_picture_write(d, "count",
			 item->x + TV_PICTURE_PAD + tv_picture_text_width(d, text, true) + 4,
			 item->y0 + TV_PICTURE_HEADING / 2, TV_LEFT, true, TV_INK, count);
}

/* From the edge of a frame to the node that it is entered at. */
static void draw_entry(struct tv_drawn *d, const struct tv_branch *item)
{
	const struct tv_branch *inner = item;

	if (item->edge == TV_NONE)
		return;
	while (inner->kind == TV_BRANCH_FRAME && inner->child != TV_NONE)
		inner = &d->tree.item[inner->child];
	wire_pen(d, d->edge[item->edge]);
	tv_scene_line(d->scene, TV_PAGE, item->x, item->y, inner->x, item->y);
}

static void draw_box(struct tv_drawn *d, const struct tv_branch *item, uint32_t fill, double x1)
{
	const struct tv_plan_node *node = &d->plan->node[item->node];
	char label[TV_PICTURE_TEXT];

	tv_scene_pen(d->scene, node->point != TV_NONE ? "host" : "bus", "platform");
	d->scene->pen.fill = fill;
	d->scene->pen.stroke = d->node[item->node] ? TV_PICTURE_MARK : TV_DIM;
	d->scene->pen.width = d->node[item->node] ? 1.4 : 0.6;
	if (node->point == TV_NONE)
		d->scene->pen.dash = tv_picture_dashes[d->platform->link[node->link].policy];
	else
		d->scene->pen.label = tv_scene_string(
			d->scene, tv_clean_text(label, sizeof label,
						tv_platform_point_name(d->platform, node->point)));
	for (int i = item->count > 1 ? 1 : 0; i >= 0; i--)
		tv_scene_rect(d->scene, TV_PAGE, item->x + 1.5 * i,
			      item->y - TV_PICTURE_BOX / 2 - 1.2 * i, x1 + 1.5 * i,
			      item->y + TV_PICTURE_BOX / 2 - 1.2 * i);
}

static void draw_point(struct tv_drawn *d, const struct tv_branch *item, double radius)
{
	struct tv_point at[16];
	double x = item->x + radius;

	for (int i = 0; i < 16; i++) {
		at[i].x = x + radius * cos(i * 3.14159265358979 / 8);
		at[i].y = item->y + radius * sin(i * 3.14159265358979 / 8);
	}
	tv_scene_pen(d->scene, "router", "platform");
	d->scene->pen.fill = d->node[item->node] ? TV_PICTURE_MARK : TV_INK;
	tv_scene_path(d->scene, TV_PAGE, TV_SHAPE_POLYGON, at, 16);
}

static void draw_node(struct tv_drawn *d, const struct tv_branch *item)
{
	const struct tv_plan_node *node = &d->plan->node[item->node];
	const struct tv_platform_point *point = node->point == TV_NONE
						      ? NULL
						      : &d->platform->point[node->point];
	char name[TV_PICTURE_TEXT], numbers[TV_PICTURE_TEXT], count[40];
	double x1 = item->x + item->width;

	tv_picture_item(d, item, name, numbers);
	tv_picture_count(item, count, sizeof count);
	tv_picture_write(d, "count", x1, tv_picture_is_router(d, item) ? item->y - 5 : item->y,
			 TV_RIGHT, true, TV_INK, count);
	x1 -= count[0] != '\0' ? tv_picture_text_width(d, count, true) + 3 : 0;
	if (name[0] == '\0') {
		draw_point(d, item, 1.2);
		return;
	}
	if (tv_picture_is_router(d, item)) {
		draw_point(d, item, 2);
		tv_picture_write(d, "router-name", item->x + 1, item->y - 5, TV_LEFT, false, TV_INK,
				 name);
		return;
	}
	if (point != NULL)
		d->kind[d->platform->host[point->index].kind] = true;
	else
		d->policy[d->platform->link[node->link].policy] = true;
	d->bus = d->bus || (point == NULL && !node->unused);
	draw_box(d, item,
		 point == NULL ? TV_WHITE : tv_picture_fills[d->platform->host[point->index].kind],
		 x1);
	tv_picture_write(d, point != NULL ? "host-name" : "link-name", item->x + 3,
			 item->y - (numbers[0] != '\0' ? 3.4 : 0), TV_LEFT, false, TV_INK, name);
	tv_picture_write(d, point != NULL ? "host-numbers" : "link-numbers", item->x + 3,
			 item->y + 3.6, TV_LEFT, false, TV_DIM, numbers);
}

struct lane {
	double low, high; /* y */
	uint32_t number;  /* from the left */
};

/* The first number that no lane beside it has. */
static uint32_t free_lane(const struct lane *lane_of, size_t n, double low, double high)
{
	uint32_t number = 0;

	for (size_t i = 0; i < n; i++)
		if (lane_of[i].number == number && lane_of[i].low <= high
		    && lane_of[i].high >= low) {
			number++;
			i = (size_t)-1;
		}
	return number;
}

static void draw_lane(struct tv_drawn *d, const struct tv_branch *item, double x)
{
	const struct tv_branch *other = &d->tree.item[item->other];
	const struct tv_point way[4] = {
		{ item->x, item->y }, { x, item->y }, { x, other->y }, { other->x, other->y }
	};

	wire_pen(d, d->edge[item->edge]);
	tv_scene_path(d->scene, TV_PAGE, TV_SHAPE_POLYLINE, way, 4);
}

/* Lines at the right side, each as far left as it is free. */
static void draw_lanes(struct tv_drawn *d)
{
	struct lane lane_of[TV_BRANCHES_LANES];
	double right = d->right;
	size_t n = 0;

	for (uint32_t i = 0; i < d->tree.n; i++) {
		const struct tv_branch *item = &d->tree.item[i];
		double low, high, x;

		if (item->kind != TV_BRANCH_STUB || item->is_hidden || !item->labeled)
			continue;
		if (item->other == TV_NONE) {
			draw_point(d, item, 1.2);
			continue;
		}
		low = fmin(item->y, d->tree.item[item->other].y);
		high = fmax(item->y, d->tree.item[item->other].y);
		lane_of[n] = (struct lane){ low, high, free_lane(lane_of, n, low, high) };
		x = d->right + 4 + lane_of[n++].number * lane;
		draw_lane(d, item, x);
		right = fmax(right, x);
	}
	d->right = right;
}

void tv_picture_draw(struct tv_drawn *d)
{
	char text[100];

	for (uint32_t i = 0; i < d->tree.n; i++) {
		const struct tv_branch *item = &d->tree.item[i];

		if (item->y0 == 0 && item->y == 0)
			continue;
		if (item->kind == TV_BRANCH_FRAME)
			draw_frame(d, item);
	}
	for (int marked = 0; marked < 2; marked++)
		for (uint32_t i = 1; i < d->tree.n; i++) {
			const struct tv_branch *item = &d->tree.item[i];

			if (item->y > 0
			    && (item->edge != TV_NONE && d->edge[item->edge]) == (marked > 0)) {
				draw_branch(d, item);
				if (item->kind == TV_BRANCH_FRAME)
					draw_entry(d, item);
			}
		}
	for (uint32_t i = 1; i < d->tree.n; i++) {
		const struct tv_branch *item = &d->tree.item[i];

		if (item->y > 0 && item->kind == TV_BRANCH_NODE)
			draw_node(d, item);
		if (item->y > 0 && item->kind == TV_BRANCH_MORE) {
			tv_picture_more(item, text, sizeof text);
			tv_picture_write(d, "more", item->x, item->y, TV_LEFT, true, TV_INK, text);
		}
	}
	draw_lanes(d);
}
