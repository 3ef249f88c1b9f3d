/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawing.h -- what chart.c, lines.c and pieces.c share while the items of rows are drawn. */
#ifndef TV_ROW_DRAWING_H
#define TV_ROW_DRAWING_H

#include "views/rows/marks.h"
#include "views/shared/figure.h"

/* A part of an item that is drawn as a rectangle. */
struct tv_piece {
	uint32_t row, item; /* of the chart, and of its items */
	uint32_t label;	    /* hover text; 0 = none */
	int64_t begin, end;
	struct tv_item of;
};

struct tv_row_drawing {
	struct tv_figure *figure;
	const struct tv_rows *rows;
	unsigned frame;
	struct tv_marks marks;
	struct tv_piece *piece;
	size_t npieces, pieces_cap;
	struct tv_hover what, when; /* begin and end of hover texts */
	bool segments;		    /* items are segments of tasks */
	struct tv_item_room room;
};

static inline double tv_row_drawing_time(const struct tv_row_drawing *d, int64_t ns)
{
	return tv_frame_time(&d->figure->scene->frame[d->frame], ns);
}

/* Images and marks of all rows between two times, in so many cells; collects pieces. -1 with *err: not all rows could be
 * read. (lines.c) */
int tv_row_drawing_lines(struct tv_row_drawing *d, int64_t begin, int64_t end, uint32_t ncells,
			 struct tv_error *err) TV_MUST_CHECK;

/* Of the items without length of a row so far: the cell of the last one, by type and whether it is an outlier. */
struct tv_covers {
	uint32_t cell[2 * TV_TYPES_MAX];
};
void tv_covers_clear(struct tv_covers *covers);

/* Collects what of n items of a row, after `before` others, is outside dense blocks. (pieces.c) */
void tv_pieces_collect(struct tv_row_drawing *d, const struct tv_density *density,
		       struct tv_covers *covers, uint32_t row, const struct tv_item *item,
		       uint32_t n, uint32_t before);
/* Draws all pieces; stub: what is before the axis. */
void tv_pieces_draw(struct tv_row_drawing *d, bool stub);
/* White lines between adjacent tasks of one style: they can be counted. */
void tv_pieces_separate(const struct tv_row_drawing *d);
/* Hover texts are those of the rows of this table, from now on. */
void tv_row_drawing_texts(struct tv_row_drawing *d, const struct tv_table *table);
/* The hover text of an item of a row; 0 = none. */
uint32_t tv_row_drawing_label(struct tv_row_drawing *d, const struct tv_item *item, uint32_t row);

#endif
