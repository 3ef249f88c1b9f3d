/* SPDX-License-Identifier: GPL-3.0-or-later */
/* marks.c -- outliers, rare types and idle gaps at the edges of their rows. */
#include "views/rows/marks.h"

#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

enum {
	RARE = TV_TYPES_MAX, /* a mark from there on: a rare type, not an outlier */
	RARE_CELLS = 8,	     /* a type in more cells of a row is not rare */
	GAPS_PER_ROW = 6,    /* marked on average where there are any */
};

/* In cells: shorter gaps are never marked unless a length is given, longer ones show in the image.
 */
static const double gap_min = 0.25, gap_max = 2;

void tv_marks_release(struct tv_marks *marks)
{
	tv_free(marks->gap);
	marks->gap = NULL;
}

static double cell_time(const struct tv_density *density)
{
	return (double)(density->edge[density->ncells] - density->edge[0]) / density->ncells;
}

/* Types that are in few cells and fill less than one of them: no pixel need have their color. */
static void mark_rare(const struct tv_marks *marks)
{
	struct tv_density *density = marks->density;

	for (uint32_t t = 0; t < density->ntypes; t++) {
		uint32_t cell[RARE_CELLS], n = 0;
		double time = 0;

		if (t == marks->rows->uncounted)
			continue;
		for (uint32_t c = 0; c < density->ncells && n <= RARE_CELLS; c++) {
			int64_t share = density->share[(size_t)c * density->ntypes + t];

			if (share <= 0)
				continue;
			time += (double)share;
			if (n < RARE_CELLS)
				cell[n] = c;
			n++;
		}
		for (uint32_t i = 0; n <= RARE_CELLS && time < cell_time(density) && i < n; i++)
			if (density->mark[cell[i]] == TV_NO_TYPE)
				density->mark[cell[i]] = (uint8_t)(RARE + t);
	}
}

/* A mark from one time to another, at least as wide as a line. */
static void draw_mark(const struct tv_marks *marks, int64_t begin, int64_t end, double y0,
		      double y1)
{
	const struct tv_frame *frame = &marks->scene->frame[marks->frame];
	double min = fmax(TV_LINE_MIN, marks->scene->cell) / frame->width * frame->duration;
	double x0 = tv_frame_time(frame, begin), x1 = tv_frame_time(frame, end);

	if (x1 - x0 < min) {
		x0 = (x0 + x1 - min) / 2;
		x1 = x0 + min;
	}
	tv_scene_rect(marks->scene, marks->frame, x0, y0, x1, y1);
}

void tv_marks_types(struct tv_marks *marks, double y0, double y1)
{
	const struct tv_density *density = marks->density;

	if (marks->edges.rare)
		mark_rare(marks);
	for (uint32_t c = 0, to; c < density->ncells && y1 > y0; c = to) {
		uint8_t mark = density->mark[c];
		const struct tv_type_style *type = &marks->rows->type[mark % RARE];

		for (to = c + 1; to < density->ncells && density->mark[to] == mark; to++)
			;
		if (mark == TV_NO_TYPE)
			continue;
		tv_scene_pen(marks->scene, mark < RARE ? "mark" : "rare", "");
		marks->scene->pen.fill = mark < RARE ? type->color : type->faded;
		draw_mark(marks, density->edge[c], density->edge[to], y0, y1);
	}
}

/* Whether images show all of [begin, end). */
static bool is_dense(const struct tv_density *density, int64_t begin, int64_t end)
{
	if (begin < density->edge[0] || end > density->edge[density->ncells])
		return false;
	for (uint32_t b = tv_density_cell(density, begin) / TV_BLOCK;
	     b <= tv_density_cell(density, end - 1) / TV_BLOCK; b++)
		if (!density->dense[b])
			return false;
	return true;
}

static bool is_wanted(const struct tv_marks *marks, int64_t begin, int64_t end)
{
	double cells = (double)(end - begin) / cell_time(marks->density);

	if (end <= begin)
		return false;
	if (marks->edges.min >= 0)
		return end - begin >= marks->edges.min;
	return cells >= gap_min && cells < gap_max && is_dense(marks->density, begin, end);
}

void tv_marks_find_gaps(struct tv_marks *marks, struct tv_gap_search *search,
			const struct tv_item *item, uint32_t n, double y0, double y1)
{
	if (!marks->edges.gaps || y1 <= y0)
		return;
	/* The lower half, so that an outlier at the same place still shows. */
	if (y1 - y0 >= 2 * marks->scene->cell)
		y0 = (y0 + y1) / 2;
	for (uint32_t i = 0; i < n; i++) {
		if (search->begun && is_wanted(marks, search->until, item[i].begin)) {
			TV_GROW(marks->gap, marks->ngaps, marks->gaps_cap, 1);
			marks->gap[marks->ngaps++] = (struct tv_gap){ search->until, item[i].begin,
								      y0, y1 };
			marks->nrows += !search->found;
			search->found = true;
		}
		if (!search->begun || item[i].end > search->until)
			search->until = item[i].end;
		search->begun = true;
	}
}

static int longest_first(const void *a, const void *b)
{
	const struct tv_gap *x = a, *y = b;
	int64_t p = x->end - x->begin, q = y->end - y->begin;

	if (p != q)
		return TV_COMPARE(q, p);
	if (x->begin != y->begin)
		return TV_COMPARE(x->begin, y->begin);
	return TV_COMPARE(x->y0, y->y0);
}

void tv_marks_gaps(struct tv_marks *marks, int64_t *min)
{
	size_t max = (size_t)marks->nrows * GAPS_PER_ROW, n = marks->ngaps;
	const struct tv_gap *gap = marks->gap;

	if (n == 0)
		return;
	qsort(marks->gap, n, sizeof *gap, longest_first);
	/* Of gaps of one length all are marked or none. */
	if (marks->edges.min < 0 && n > max)
		for (n = max;
		     n > 0 && gap[n - 1].end - gap[n - 1].begin == gap[max].end - gap[max].begin;
		     n--)
			;
	tv_scene_pen(marks->scene, "gap", "gaps");
	marks->scene->pen.fill = TV_BLACK;
	if (n > 0)
		*min = marks->edges.min >= 0 ? marks->edges.min : gap[n - 1].end - gap[n - 1].begin;
	for (size_t i = 0; i < n; i++)
		draw_mark(marks, gap[i].begin, gap[i].end, gap[i].y0, gap[i].y1);
}
