/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrows.c -- arrows from the end of one task to the start of another, bright in a dark casing. */
#include "views/annotate/annotations.h"
#include "views/charts/arrow.h"
#include "views/scene/palette.h"

/* Where an execution ends or starts on the page. */
static bool find_point(const struct tv_rows *rows, const struct tv_frame *frame, uint32_t task,
		       bool end, double *x, double *y)
{
	struct tv_item_room room = { 0 };
	const struct tv_row *row;
	const struct tv_item *item;
	double height;
	size_t i;

	if (!tv_rows_find(rows, task, &row, &i))
		return false;
	item = tv_row_items(rows, row, &room) + i;
	height = row->y1 - row->y0;
	*x = tv_frame_x(frame, tv_frame_time(frame, end ? item->end : item->begin));
	*y = frame->y + row->y0 + (double)(item->top + item->bottom) / 2 * height;
	tv_item_room_release(&room);
	return true;
}

bool tv_arrow_ends(const struct tv_figure *figure, const struct tv_rows *rows, unsigned frame,
		   const struct tv_arrow *arrow, double ends[4])
{
	const struct tv_frame *f = &figure->scene->frame[frame];

	return find_point(rows, f, arrow->from, true, &ends[0], &ends[1])
	    && find_point(rows, f, arrow->to, false, &ends[2], &ends[3]);
}

static const struct tv_arrow_style style = {
	"arrow", "arrow-head", "arrows", 2.2, 1.1, 5.5, 2.6, 0xffd400, TV_INK,
};

void tv_arrows_draw(struct tv_figure *figure, const struct tv_rows *rows, unsigned frame)
{
	double ends[4];

	for (size_t i = 0; i < figure->notes->narrows; i++)
		if (tv_arrow_ends(figure, rows, frame, &figure->notes->arrow[i], ends))
			tv_arrow_draw(figure->scene, frame, ends, &style, TV_NONE, 0);
}
