/* SPDX-License-Identifier: GPL-3.0-or-later */
/* items.c -- tasks or states into rows: types by total time, items by begin, overlaps side by side.
 */
#include "views/rows/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/rows/spans.h"
#include "views/shared/mpi_colors.h"

/* What is known of one type while they are ranked. */
struct tally {
	uint32_t label;
	double count;
	int64_t time;
	const char *name;
};

/* Adds end - begin, saturating: times may be anything that 64 bits hold. */
static void add_time(struct tally *tally, int64_t begin, int64_t end)
{
	int64_t length;

	if (__builtin_sub_overflow(end, begin, &length)
	    || __builtin_add_overflow(tally->time, length, &tally->time))
		tally->time = INT64_MAX;
}

static int by_time(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	if (x->time != y->time)
		return TV_COMPARE(y->time, x->time);
	return tv_natural_order(x->name, y->name);
}

static int by_begin(const void *a, const void *b)
{
	const struct tv_item *x = a, *y = b;

	if (x->begin != y->begin)
		return TV_COMPARE(x->begin, y->begin);
	if (x->end != y->end)
		return TV_COMPARE(y->end, x->end);
	return TV_COMPARE(x->row, y->row);
}

static void add_special(struct tv_rows *rows, const char *name, double count, int64_t time,
			uint32_t color)
{
	struct tv_type_style *type = &rows->type[rows->ntypes++];

	snprintf(type->name, sizeof type->name, "%s", name);
	type->label = TV_NONE;
	type->count = count;
	type->time = time;
	type->color = color;
	type->faded = color == TV_PALE || rows->states ? color : tv_color_fade(color);
}

/* Puts the types that the source names first, in its order; those that do not occur are empty.
 * rank has n + norder elements. Returns how many there are then. */
static uint32_t put_known_first(struct tally *rank, uint32_t n, const struct tv_rows_source *source)
{
	uint32_t norder = (uint32_t)source->norder;

	memmove(rank + norder, rank, n * sizeof *rank);
	for (uint32_t i = 0; i < norder; i++) {
		uint32_t k = norder;

		rank[i] = (struct tally){ .label = TV_NONE, .name = source->order[i] };
		while (k < norder + n && strcmp(rank[k].name, source->order[i]) != 0)
			k++;
		if (k == norder + n)
			continue;
		rank[i] = rank[k];
		memmove(rank + k, rank + k + 1, (norder + --n - k) * sizeof *rank);
	}
	return norder + n;
}

/*
 * Ranks the types tallied by label (count > 0) and writes the index of each into index[label]. The
 * first TV_COLORS_MAX, or those that the source names, get a color of their own, the others share
 * one.
 */
static void rank_types(struct tv_rows *rows, const struct tally *by_label, uint32_t nlabels,
		       uint8_t *index, const struct tv_rows_source *source)
{
	const char *name[TV_COLORS_MAX];
	uint32_t color[TV_COLORS_MAX], blind[TV_COLORS_MAX], n = 0;
	struct tally *rank = tv_alloc(nlabels + source->norder, sizeof *rank), rest = { 0 };
	uint32_t max = source->norder > 0 ? (uint32_t)source->norder : TV_COLORS_MAX;

	for (uint32_t label = 0; label < nlabels; label++)
		if (by_label[label].count > 0) {
			rank[n] = by_label[label];
			rank[n].label = label;
			rank[n++].name = tv_pool_text(rows->pool, label);
		}
	qsort(rank, n, sizeof *rank, by_time);
	n = put_known_first(rank, n, source);
	for (uint32_t i = 0; i < n; i++) {
		if (rank[i].label != TV_NONE)
			index[rank[i].label] = (uint8_t)(i < max ? i : max);
		if (i < max) {
			name[i] = rank[i].name;
			rows->nshown = i + 1;
			continue;
		}
		rest.count += rank[i].count;
		add_time(&rest, 0, rank[i].time);
		rows->nother++;
	}
	tv_palette_assign(source->palette, source->kernels, name, rows->nshown, color);
	tv_palette_assign(TV_PALETTE_COLORBLIND, source->kernels, name, rows->nshown, blind);
	for (uint32_t i = 0; i < rows->nshown; i++) {
		add_special(rows, "", rank[i].count, rank[i].time, color[i]);
		rows->type[i].label = rank[i].label;
		rows->type[i].blind = blind[i];
		tv_clean_text(rows->type[i].name, sizeof rows->type[i].name, name[i]);
	}
	if (rows->nother > 0)
		add_special(rows, "other", rest.count, rest.time, TV_GRAY);
	tv_free(rank);
}

/* Turns the numbers of items per row into where each row's begin, and allocates them all. */
static void allocate_items(struct tv_rows *rows)
{
	for (uint32_t i = 0; i < rows->nrows; i++) {
		rows->row[i].first = rows->nitems;
		rows->nitems += rows->row[i].n;
		rows->row[i].n = 0;
	}
	rows->item = tv_alloc(rows->nitems, sizeof *rows->item);
}

/* An item in its row; one whose row is not drawn only counts for the time that all span. */
static void put_item(struct tv_rows *rows, uint32_t row, struct tv_item item)
{
	bool first = rows->filled++ == 0;

	item.top = 0;
	item.bottom = 1;
	item.under = TV_NO_TYPE;
	if (row != TV_NONE)
		rows->item[rows->row[row].first + rows->row[row].n++] = item;
	if (first || item.begin < rows->begin)
		rows->begin = item.begin;
	if (first || item.end > rows->end)
		rows->end = item.end;
}

static void sort_row(struct tv_rows *rows, const struct tv_row *row)
{
	struct tv_item *item = rows->item + row->first;

	for (uint32_t i = 1; i < row->n; i++)
		if (by_begin(&item[i - 1], &item[i]) > 0) {
			tv_sort_by_time(item, row->n, sizeof *item, offsetof(struct tv_item, begin),
					by_begin);
			return;
		}
}

/* A lane of a row: until when it is taken. */
struct lane {
	int64_t until;
	uint32_t number;
};

/* Restores the heap (the lane that is free first on top) after its top has changed. */
static void sink(struct lane *heap, uint32_t n)
{
	struct lane top = heap[0];
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

/* A further lane, the heap being of n lanes. */
static void add_lane(struct lane *heap, uint32_t n, int64_t until)
{
	uint32_t at = n;

	while (at > 0 && heap[(at - 1) / 2].until > until) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = (struct lane){ until, n };
}

/* The items [from, to) that overlap in time, directly or through others, each on a lane of its own
 * while it lasts: top = its number, *n_lanes = how many there are. heap: of n elements. An
 * item without length needs no lane. */
static uint32_t find_lanes(struct tv_item *item, uint32_t from, uint32_t n, struct lane *heap,
			   uint32_t *n_lanes)
{
	int64_t last = item[from].end;
	uint32_t lanes = 0, to;

	for (to = from; to < n && (to == from || item[to].begin < last); to++) {
		if (item[to].begin == item[to].end)
			continue;
		if (lanes > 0 && heap[0].until <= item[to].begin) {
			heap[0].until = item[to].end;
			item[to].top = (float)heap[0].number;
			sink(heap, lanes);
		} else {
			item[to].top = (float)lanes;
			add_lane(heap, lanes++, item[to].end);
		}
		if (item[to].end > last)
			last = item[to].end;
	}
	*n_lanes = lanes;
	return to;
}

/* Lanes become parts of the height. */
static void divide_height(struct tv_item *item, uint32_t n, uint32_t lanes)
{
	for (uint32_t i = 0; i < n && lanes > 1; i++) {
		bool line = item[i].begin == item[i].end;

		item[i].bottom = line ? 1 : (item[i].top + 1) / (float)lanes;
		item[i].top = line ? 0 : item[i].top / (float)lanes;
	}
}

/* The max number of lanes of any cluster of a row; each: every cluster has the height for itself.
 * */
static void divide_overlaps(struct tv_item *item, uint32_t n, bool each, uint32_t *max)
{
	struct lane *heap = tv_alloc(n, sizeof *heap);

	for (uint32_t from = 0, to, lanes; from < n; from = to) {
		to = find_lanes(item, from, n, heap, &lanes);
		*max = lanes > *max ? lanes : *max;
		if (each)
			divide_height(item + from, to - from, lanes);
	}
	tv_free(heap);
}

void tv_items_arrange(struct tv_rows *rows, bool each)
{
	uint32_t max = 1;

	for (uint32_t i = 0; i < rows->nrows; i++) {
		sort_row(rows, &rows->row[i]);
		divide_overlaps(rows->item + rows->row[i].first, rows->row[i].n, each, &max);
	}
	rows->lanes = each ? 1 : max;
	if (!each)
		divide_height(rows->item, (uint32_t)rows->nitems, max);
}

static uint32_t label_of(const uint32_t *labels, uint32_t row)
{
	return labels == NULL || labels[row] == TV_NONE ? 0 : labels[row];
}

static bool is_drawn(const struct tv_tasks *tasks, const bool *shown, uint32_t row)
{
	return tasks->executed[row] && (shown == NULL || shown[row]);
}

/* Counts tasks by type and row; *rest gets the executions that are not counted. */
static void tally_tasks(struct tv_rows *rows, const struct tv_tasks *tasks, const uint32_t *place,
			const bool *shown, struct tally *tally, struct tally *rest)
{
	bool *met = tv_alloc(tasks->n, sizeof *met);

	for (uint32_t i = 0; i < tasks->n; i++) {
		struct tally *to = tasks->counted[i] ? &tally[label_of(tasks->value, i)] : rest;

		if (!is_drawn(tasks, shown, i))
			continue;
		if (tv_tasks_meet(tasks, met, i))
			to->count += 1 / tv_team_of(tasks, i);
		add_time(to, tasks->start[i], tasks->end[i]);
		if (place[tasks->worker[i]] != TV_NONE)
			rows->row[place[tasks->worker[i]]].n++;
	}
	tv_free(met);
}

void tv_items_of_tasks(struct tv_rows *rows, const struct tv_tasks *tasks, const uint32_t *place,
		       const struct tv_rows_source *source)
{
	const struct tv_column *flag = source->outliers == NULL
					     ? NULL
					     : tv_table_find(source->outliers, "Outlier");
	uint32_t nlabels = tv_pool_count(tasks->pool);
	struct tally *tally = tv_alloc(nlabels, sizeof *tally), rest = { 0 };
	uint8_t *index = tv_alloc(nlabels, 1);
	bool *met = tv_alloc(tasks->n, sizeof *met);

	tally_tasks(rows, tasks, place, source->shown, tally, &rest);
	rank_types(rows, tally, nlabels, index, source);
	allocate_items(rows);
	rows->uncounted = rows->ntypes;
	if (rest.count > 0)
		add_special(rows, "setup, runtime", rest.count, rest.time, TV_PALE);
	rows->has_outliers = flag != NULL;
	for (uint32_t i = 0; i < tasks->n; i++) {
		struct tv_item item = { tasks->start[i], tasks->end[i], .row = i };

		if (!is_drawn(tasks, source->shown, i))
			continue;
		item.type = tasks->counted[i] ? index[label_of(tasks->value, i)]
					      : (uint8_t)rows->uncounted;
		item.outlier = tasks->counted[i] && flag != NULL && !tv_missing(flag, i)
			    && flag->i[i] != 0;
		if (item.outlier && tv_tasks_meet(tasks, met, i))
			rows->noutliers += 1 / tv_team_of(tasks, i);
		put_item(rows, place[tasks->worker[i]], item);
	}
	tv_items_arrange(rows, true);
	tv_free(met);
	tv_free(tally);
	tv_free(index);
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
		sort_row(rows, &rows->row[i]);
		nest_states(rows->item + rows->row[i].first, rows->row[i].n);
	}
}

/* Classes of calls have the same colors in all panels. */
static void color_calls(struct tv_rows *rows)
{
	size_t nspare = 0;

	for (uint32_t t = 0; t < rows->nshown; t++)
		rows->type[t].color = rows->type[t].faded = tv_mpi_state_color(rows->type[t].name,
									       &nspare);
}

void tv_items_of_states(struct tv_rows *rows, const struct tv_trace *trace, const uint32_t *place,
			const struct tv_rows_source *source)
{
	const struct tv_spans s = tv_spans(trace);
	uint32_t nlabels = tv_pool_count(trace->pool);
	struct tally *tally = tv_alloc(nlabels, sizeof *tally);
	uint8_t *index = tv_alloc(nlabels, 1);

	if (s.calls) {
		rows->table = s.table;
		rows->class = "call";
		rows->describe = tv_describe_call;
	}
	for (uint32_t i = 0; i < s.n; i++) {
		if (!tv_span_known(&s, i))
			continue;
		tally[label_of(s.value->u, i)].count++;
		add_time(&tally[label_of(s.value->u, i)], s.start->i[i], s.end->i[i]);
		if (place[s.of->u[i]] != TV_NONE)
			rows->row[place[s.of->u[i]]].n++;
	}
	rank_types(rows, tally, nlabels, index, source);
	if (s.calls)
		color_calls(rows);
	allocate_items(rows);
	rows->uncounted = rows->ntypes;
	for (uint32_t i = 0; i < s.n; i++)
		if (tv_span_known(&s, i))
			put_item(rows, place[s.of->u[i]],
				 (struct tv_item){ s.start->i[i], s.end->i[i], .row = i,
						   .type = index[label_of(s.value->u, i)] });
	tv_items_nest(rows);
	tv_free(tally);
	tv_free(index);
}
