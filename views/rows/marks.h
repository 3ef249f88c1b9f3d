/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marks.h -- what images of shares hide, marked at the free lower edge of its row: outliers in the
 * full color of their type, task types that fill less than a column of the row's images in their
 * pale one, idle gaps in black.
 */
#ifndef TV_MARKS_H
#define TV_MARKS_H

#include "views/rows/density.h"

/* A time in which a row ran nothing, and the place of its mark. */
struct tv_gap {
	int64_t begin, end;
	double y0, y1;
};

/* Of a row whose items come: until when the earlier ones run. Zeroed: none came. */
struct tv_gap_search {
	int64_t until;
	bool begun, found; /* found: a gap */
};

struct tv_marks {
	struct tv_scene *scene;
	unsigned frame;
	const struct tv_rows *rows;
	struct tv_edges edges;	    /* what is to be marked */
	struct tv_density *density; /* of the rows that are drawn */
	struct tv_gap *gap;
	size_t ngaps, gaps_cap;
	uint32_t nrows; /* with any gap */
};

void tv_marks_release(struct tv_marks *marks);
/* Draws the outliers and, if chosen, the rare types of the density between y0 and y1. */
void tv_marks_types(struct tv_marks *marks, double y0, double y1);
/* Collects the gaps before and between the next n items of a row, if chosen. */
void tv_marks_find_gaps(struct tv_marks *marks, struct tv_gap_search *search,
			const struct tv_item *item, uint32_t n, double y0, double y1);
/* Draws those of at least the chosen length, or the longest few that images hide. *min: the
 * length (ns) from which on all of these are drawn; 0 if there are none. */
void tv_marks_gaps(struct tv_marks *marks, int64_t *min);

#endif
