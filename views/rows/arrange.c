/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrange.c -- items of a row by begin, those that overlap in time side by side. */
#include <math.h>

#include "trace/alloc.h"
#include "trace/parallel.h"
#include "trace/sorted.h"
#include "views/rows/items.h"

/* A lane of a row: until when it is taken. */
struct tv_lane {
	int64_t until;
	uint32_t number;
};

void tv_item_room_release(struct tv_item_room *room)
{
	tv_free(room->item);
	tv_free(room->lanes.lane);
	*room = (struct tv_item_room){ 0 };
}

TV_ORDER(by_begin, struct tv_item, begin, down(end), row)

static void sort_items(struct tv_item *item, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (by_begin(&item[i - 1], &item[i]) > 0) {
			tv_sort_by_time(item, n, sizeof *item, offsetof(struct tv_item, begin),
					by_begin);
			return;
		}
}

/* ---- lanes ---- */

/* Restores the heap (the lane that is free first on top) after its top has changed. */
static void sink(struct tv_lane *heap, uint32_t n)
{
	struct tv_lane top = heap[0];
	uint32_t at = 0;

	for (uint32_t child = 1; child < n; child = 2 * at + 1) {
		child += child + 1 < n && heap[child + 1].until < heap[child].until;
		if (heap[child].until >= top.until)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = top;
}

static void add_lane(struct tv_lanes *lanes, int64_t until)
{
	struct tv_lane *heap;
	uint32_t at = lanes->n;

	TV_GROW(lanes->lane, lanes->n, lanes->cap, 1);
	heap = lanes->lane;
	while (at > 0 && heap[(at - 1) / 2].until > until) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = (struct tv_lane){ until, lanes->n++ };
}

/* The next item of a row gets a lane: top = its number. One that begins where all before have ended is the first of others that
 * overlap in time; one without length needs no lane. */
static void take_lane(struct tv_lanes *lanes, struct tv_item *item)
{
	if (lanes->n == 0 || item->begin >= lanes->last) {
		lanes->n = 0;
		lanes->last = item->end;
	}
	if (item->begin == item->end)
		return;
	if (lanes->n > 0 && lanes->lane[0].until <= item->begin) {
		lanes->lane[0].until = item->end;
		item->top = (float)lanes->lane[0].number;
		sink(lanes->lane, lanes->n);
	} else {
		item->top = (float)lanes->n;
		add_lane(lanes, item->end);
	}
	if (item->end > lanes->last)
		lanes->last = item->end;
}

/* The items [from, to) that overlap in time, directly or through others, each on a lane of its own while it lasts. */
static uint32_t find_lanes(struct tv_item *item, uint32_t from, uint32_t n, struct tv_lanes *lanes)
{
	uint32_t to = from;

	lanes->n = 0;
	do
		take_lane(lanes, &item[to++]);
	while (to < n && item[to].begin < lanes->last);
	return to;
}

/* Lanes become parts of the height. */
static void divide_height(struct tv_item *item, size_t n, uint32_t lanes)
{
	for (size_t i = 0; i < n && lanes > 1; i++) {
		bool line = item[i].begin == item[i].end;

		item[i].bottom = line ? 1 : (item[i].top + 1) / (float)lanes;
		item[i].top = line ? 0 : item[i].top / (float)lanes;
	}
}

/* The max number of lanes of any cluster of a row, 1 or more; each: every cluster has the height
 * for itself. */
static uint32_t divide_overlaps(struct tv_item *item, uint32_t n, bool each,
				struct tv_item_room *room)
{
	uint32_t max = 1;

	for (uint32_t from = 0, to; from < n; from = to) {
		to = find_lanes(item, from, n, &room->lanes);
		max = room->lanes.n > max ? room->lanes.n : max;
		if (each)
			divide_height(item + from, to - from, room->lanes.n);
	}
	return max;
}

/* ---- items made from tasks ---- */

static struct tv_item item_of(const struct tv_rows *rows, uint32_t task)
{
	uint8_t look = rows->look[task];

	return (struct tv_item){ .begin = rows->tasks->start[task],
				 .end = rows->tasks->end[task],
				 .row = task,
				 .bottom = 1,
				 .type = look & (TV_LOOK_OUTLIER - 1),
				 .under = TV_NO_TYPE,
				 .outlier = (look & TV_LOOK_OUTLIER) != 0 };
}

struct tv_item tv_rows_item(const struct tv_rows *rows, size_t i)
{
	return rows->item != NULL ? rows->item[i] : item_of(rows, rows->task[i]);
}

bool tv_rows_find(const struct tv_rows *rows, uint32_t task, const struct tv_row **row, size_t *i)
{
	for (*row = rows->row; *row < rows->row + rows->nrows; ++*row)
		for (*i = 0; *i < (*row)->n; ++*i)
			if (tv_rows_item(rows, (*row)->first + *i).row == task)
				return true;
	return false;
}

/* The items of n tasks, without lanes. */
static struct tv_item *make_items(const struct tv_rows *rows, size_t first, uint32_t n,
				  struct tv_item_room *room)
{
	TV_GROW(room->item, 0, room->items_cap, n);
	for (uint32_t i = 0; i < n; i++)
		room->item[i] = item_of(rows, rows->task[first + i]);
	return room->item;
}

const struct tv_item *tv_row_times(const struct tv_rows *rows, const struct tv_row *row,
				   struct tv_item_room *room)
{
	return rows->item != NULL ? rows->item + row->first
				  : make_items(rows, row->first, row->n, room);
}

const struct tv_item *tv_row_items(const struct tv_rows *rows, const struct tv_row *row,
				   struct tv_item_room *room)
{
	struct tv_item *item;

	if (rows->item != NULL)
		return rows->item + row->first;
	item = make_items(rows, row->first, row->n, room);
	if (row->overlaps)
		divide_overlaps(item, row->n, rows->height_lanes == 0, room);
	divide_height(item, row->n, rows->height_lanes);
	return item;
}

/* ---- rows ---- */

struct arranging {
	struct tv_rows *rows;
	bool each;
	uint32_t *lanes; /* by row */
};

/* Sorts tasks as sort_items. */
static void sort_tasks(const struct tv_rows *rows, uint32_t *task, uint32_t n,
		       struct tv_item_room *room)
{
	const int64_t *start = rows->tasks->start;

	tv_sort_rows_by_time(task, n, start);
	for (uint32_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && start[task[next]] == start[task[i]]; next++)
			;
		if (next - i == 1)
			continue;
		sort_items(make_items(rows, (size_t)(task + i - rows->task), next - i, room),
			   next - i);
		for (uint32_t k = i; k < next; k++)
			task[k] = room->item[k - i].row;
	}
}

/* Whether the tasks of a row are sorted; *overlaps: whether one begins before another has ended. */
static bool is_sorted(const struct tv_rows *rows, const struct tv_row *row, bool *overlaps)
{
	const int64_t *start = rows->tasks->start, *end = rows->tasks->end;
	int64_t last = INT64_MIN;

	*overlaps = false;
	for (uint32_t i = 0; i < row->n; i++) {
		const uint32_t *at = &rows->task[row->first + i];

		if (i > 0 && start[at[-1]] >= start[at[0]]
		    && (start[at[-1]] > start[at[0]] || end[at[-1]] < end[at[0]]
			|| (end[at[-1]] == end[at[0]] && at[-1] > at[0])))
			return false;
		*overlaps = *overlaps || start[at[0]] < last;
		last = end[at[0]] > last ? end[at[0]] : last;
	}
	return true;
}

static void arrange_tasks(struct arranging *a, size_t r)
{
	struct tv_row *row = &a->rows->row[r];
	struct tv_item_room room = { 0 };

	if (!is_sorted(a->rows, row, &row->overlaps)) {
		sort_tasks(a->rows, a->rows->task + row->first, row->n, &room);
		is_sorted(a->rows, row, &row->overlaps);
	}
	if (!a->each && row->overlaps)
		a->lanes[r] = divide_overlaps(make_items(a->rows, row->first, row->n, &room),
					      row->n, false, &room);
	tv_item_room_release(&room);
}

static void arrange_row(void *context, size_t r)
{
	struct arranging *a = context;
	const struct tv_row *row = &a->rows->row[r];
	struct tv_item_room room = { 0 };

	if (a->rows->item == NULL) {
		arrange_tasks(a, r);
		return;
	}
	sort_items(a->rows->item + row->first, row->n);
	a->lanes[r] = divide_overlaps(a->rows->item + row->first, row->n, a->each, &room);
	tv_item_room_release(&room);
}

void tv_items_arrange(struct tv_rows *rows, bool each)
{
	struct arranging a = { rows, each, tv_alloc(rows->nrows, sizeof *a.lanes) };
	uint32_t max = 1;

	tv_parallel(rows->nrows, arrange_row, &a);
	for (uint32_t r = 0; r < rows->nrows; r++)
		max = a.lanes[r] > max ? a.lanes[r] : max;
	tv_free(a.lanes);
	rows->lanes = each ? 1 : max;
	rows->height_lanes = each ? 0 : max;
	if (!each && rows->item != NULL)
		divide_height(rows->item, rows->nitems, max);
}

/* The rows of a part begin at that time or later: lanes of rows whose items have ended are free. */
static void forget_lanes(struct tv_lanes *lanes, uint32_t nrows, int64_t begin)
{
	for (uint32_t r = 0; r < nrows; r++)
		if (lanes[r].lane != NULL && lanes[r].last <= begin)
			tv_lanes_release(&lanes[r]);
}

void tv_lanes_release(struct tv_lanes *lanes)
{
	tv_free(lanes->lane);
	*lanes = (struct tv_lanes){ 0 };
}

void tv_items_go_on(struct tv_rows *rows, struct tv_lanes *lanes)
{
	int64_t begin = INT64_MAX;

	rows->item = tv_alloc(rows->nitems, sizeof *rows->item);
	rows->lanes = 1;
	for (size_t i = 0; i < rows->nitems; i++) {
		rows->item[i] = item_of(rows, rows->task[i]);
		begin = rows->item[i].begin < begin ? rows->item[i].begin : begin;
	}
	if (rows->nitems > 0)
		forget_lanes(lanes, rows->nrows, begin);
	for (uint32_t r = 0; r < rows->nrows; r++)
		for (uint32_t i = 0; i < rows->row[r].n; i++) {
			take_lane(&lanes[r], &rows->item[rows->row[r].first + i]);
			rows->lanes = lanes[r].n > rows->lanes ? lanes[r].n : rows->lanes;
		}
	divide_height(rows->item, rows->nitems, rows->height_lanes);
}

/* States are nested: the inner ones are lower, so that the outer ones show above them. */
static void nest_states(struct tv_item *item, uint32_t n)
{
	uint32_t *open = tv_alloc(n, sizeof *open), depth = 0;

	for (uint32_t i = 0; i < n; i++) {
		while (depth > 0 && item[open[depth - 1]].end <= item[i].begin)
			depth--;
		if (depth > 0)
			item[i].under = item[open[depth - 1]].type;
		item[i].top = fminf(0.15f * (float)depth, 0.75f);
		open[depth++] = i;
	}
	tv_free(open);
}

void tv_items_nest(struct tv_rows *rows)
{
	for (uint32_t i = 0; i < rows->nrows; i++) {
		struct tv_item *item = rows->item + rows->row[i].first;

		sort_items(item, rows->row[i].n);
		nest_states(item, rows->row[i].n);
	}
}
