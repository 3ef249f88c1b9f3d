/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.c -- where the parts of a platform's picture are. */
#include <math.h>

#include "views/platform/drawn.h"

static uint32_t visible(const struct tv_branches *tree, uint32_t item)
{
	while (item != TV_NONE && tree->item[item].is_hidden)
		item = tree->item[item].next;
	return item;
}

#define FOR_CHILDREN(tree, parent, c) \
	for (uint32_t c = visible((tree), (tree)->item[parent].child); c != TV_NONE; \
	     c = visible((tree), (tree)->item[c].next))

static double place_frame(struct tv_drawn *d, struct tv_branch *item, uint32_t i, double y)
{
	item->y0 = y;
	y += TV_PICTURE_HEADING;
	FOR_CHILDREN(&d->tree, i, c)
	{
		y = tv_picture_place(d, c, item->x + TV_PICTURE_PAD, y, d->tree.item[c].width);
		item->x1 = fmax(item->x1, d->tree.item[c].x1 + TV_PICTURE_PAD);
	}
	item->x1 = fmax(item->x1, item->x + item->width);
	item->y = item->child == TV_NONE ? y : d->tree.item[item->child].y;
	item->y1 = y + 2;
	return item->y1 + 4;
}

double tv_picture_place(struct tv_drawn *d, uint32_t i, double x, double y, double column)
{
	struct tv_branch *item = &d->tree.item[i];
	uint32_t first = visible(&d->tree, item->child), last = first;
	double widest = 0, lines = 0, bottom = y;

	item->x = x;
	item->x1 = x + item->width;
	if (item->kind == TV_BRANCH_FRAME)
		return place_frame(d, item, i, y);
	item->y = y + TV_PICTURE_ROW / 2;
	if (first == TV_NONE)
		return y + TV_PICTURE_ROW;
	FOR_CHILDREN(&d->tree, i, c)
	{
		const struct tv_branch *child = &d->tree.item[c];

		widest = fmax(widest, child->kind == TV_BRANCH_NODE ? child->width : 0);
		lines = fmax(lines, tv_picture_edge_width(d, child));
	}
	item->column = column;
	item->gap = 2 * TV_PICTURE_TURN + fmax(lines, 4);
	FOR_CHILDREN(&d->tree, i, c)
	{
		bottom = tv_picture_place(d, c, x + column + item->gap, bottom, widest);
		item->x1 = fmax(item->x1, d->tree.item[c].x1);
		last = c;
	}
	item->y = (d->tree.item[first].y + d->tree.item[last].y) / 2;
	return bottom;
}
