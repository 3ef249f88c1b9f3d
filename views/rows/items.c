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
#include "views/scene/vision.h"
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

TV_ORDER(by_time, struct tally, down(time), text(name))

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

uint32_t tv_own_color(const struct tv_trace *trace, const char *name)
{
	char *key = tv_format(TV_META_COLOR "%s", name), text[8];
	size_t n = 0;
	const char *value = tv_meta_get(trace, key, &n);
	uint32_t color = TV_NONE;

	tv_free(key);
	if (value != NULL && n == 7 && value[0] == '#') {
		memcpy(text, value + 1, 6);
		text[6] = '\0';
		if (strspn(text, "0123456789abcdef") == 6)
			color = tv_color_darken((uint32_t)strtoul(text, NULL, 16), TV_LIGHTEST);
	}
	return color;
}

static uint32_t count_order(const struct tv_rows_source *source)
{
	return source->order != NULL ? (uint32_t)source->order->n : 0;
}

/* Puts the types that the source names first, in its order; those that do not occur are empty.
 * rank has n + norder elements. Returns how many there are then. */
static uint32_t put_known_first(struct tally *rank, uint32_t n, const struct tv_rows_source *source)
{
	uint32_t norder = count_order(source);

	memmove(rank + norder, rank, n * sizeof *rank);
	for (uint32_t i = 0; i < norder; i++) {
		uint32_t k = norder;

		rank[i] = (struct tally){ .label = TV_NONE, .name = source->order->name[i] };
		while (k < norder + n && strcmp(rank[k].name, source->order->name[i]) != 0)
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
static void rank_types(struct tv_rows *rows, const struct tv_trace *trace,
		       const struct tally *by_label, uint32_t nlabels, uint8_t *index,
		       const struct tv_rows_source *source)
{
	const char *name[TV_COLORS_MAX];
	uint32_t color[TV_COLORS_MAX], blind[TV_COLORS_MAX], own[TV_COLORS_MAX], n = 0;
	uint32_t norder = count_order(source), max = norder > 0 ? norder : TV_COLORS_MAX;
	struct tally *rank = tv_alloc(nlabels + norder, sizeof *rank), rest = { 0 };

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
	for (uint32_t i = 0; i < rows->nshown; i++)
		own[i] = !rows->states ? TV_NONE
		       : norder > 0    ? source->order->own[i]
				       : tv_own_color(trace, name[i]);
	tv_palette_assign(source->palette, source->kernels, name, own, rows->nshown, color);
	tv_palette_assign(TV_PALETTE_COLORBLIND, source->kernels, name, own, rows->nshown, blind);
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

void tv_items_begin(struct tv_rows *rows)
{
	for (uint32_t i = 0; i < rows->nrows; i++) {
		rows->row[i].first = rows->nitems;
		rows->nitems += rows->row[i].n;
		rows->row[i].n = 0;
	}
}

/* Where an item of a row comes. */
static size_t next_place(struct tv_rows *rows, uint32_t row)
{
	return rows->row[row].first + rows->row[row].n++;
}

/* The time that all items span, also those whose row is not drawn. */
static void extend(struct tv_rows *rows, int64_t begin, int64_t end)
{
	bool first = rows->filled++ == 0;

	if (first || begin < rows->begin)
		rows->begin = begin;
	if (first || end > rows->end)
		rows->end = end;
}

static uint32_t label_of(const uint32_t *labels, uint32_t row)
{
	return labels == NULL || labels[row] == TV_NONE ? 0 : labels[row];
}

static bool is_drawn(const struct tv_tasks *tasks, const bool *shown, uint32_t row)
{
	return tasks->executed[row] && (shown == NULL || shown[row]);
}

/* Labels below it are all that are names of types; those of jobs are as many as tasks. */
static uint32_t count_values(const struct tv_tasks *tasks)
{
	uint32_t max = 0;

	for (uint32_t i = 0; i < tasks->n; i++)
		if (label_of(tasks->value, i) > max)
			max = label_of(tasks->value, i);
	return max + 1;
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
					     : tv_table_in_short(source->outliers, "Outlier");
	uint32_t nlabels = count_values(tasks);
	struct tally *tally = tv_alloc(nlabels, sizeof *tally), rest = { 0 };
	uint8_t *index = tv_alloc(nlabels, 1);
	bool *met = tv_alloc(tasks->n, sizeof *met);

	tally_tasks(rows, tasks, place, source->shown, tally, &rest);
	rank_types(rows, NULL, tally, nlabels, index, source);
	tv_items_begin(rows);
	rows->tasks = tasks;
	rows->task = tv_realloc(NULL, rows->nitems, sizeof *rows->task);
	rows->look = tv_realloc(NULL, tasks->n, sizeof *rows->look);
	rows->uncounted = rows->ntypes;
	if (rest.count > 0)
		add_special(rows, "setup, runtime", rest.count, rest.time, TV_PALE);
	rows->has_outliers = flag != NULL;
	for (uint32_t i = 0; i < tasks->n; i++) {
		bool outlier = tasks->counted[i] && flag != NULL && !tv_missing(flag, i)
			    && tv_number(flag, i) != 0;
		uint32_t row;

		rows->look[i] = TV_LOOK_NONE;
		if (!is_drawn(tasks, source->shown, i))
			continue;
		if (outlier && tv_tasks_meet(tasks, met, i))
			rows->noutliers += 1 / tv_team_of(tasks, i);
		extend(rows, tasks->start[i], tasks->end[i]);
		row = place[tasks->worker[i]];
		if (row == TV_NONE)
			continue;
		rows->look[i] = (uint8_t)((tasks->counted[i] ? index[label_of(tasks->value, i)]
							     : rows->uncounted)
					  | (outlier ? TV_LOOK_OUTLIER : 0));
		rows->task[next_place(rows, row)] = i;
	}
	tv_items_arrange(rows, true);
	tv_free(met);
	tv_free(tally);
	tv_free(index);
}

/* Classes of calls have the same colors in all panels. */
static void color_calls(struct tv_rows *rows)
{

	for (uint32_t t = 0; t < rows->nshown; t++)
		rows->type[t].color = rows->type[t].faded = tv_mpi_state_color(rows->type[t].name);
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
		tv_hover_init(&rows->hover, rows->table, TV_CALL_HOVER);
	}
	for (uint32_t i = 0; i < s.n; i++) {
		if (!tv_span_known(&s, i))
			continue;
		tally[label_of(s.value->u, i)].count++;
		add_time(&tally[label_of(s.value->u, i)], s.start->i[i], s.end->i[i]);
		if (place[s.of->u[i]] != TV_NONE)
			rows->row[place[s.of->u[i]]].n++;
	}
	rank_types(rows, trace, tally, nlabels, index, source);
	if (s.calls)
		color_calls(rows);
	tv_items_begin(rows);
	rows->item = tv_alloc(rows->nitems, sizeof *rows->item);
	rows->uncounted = rows->ntypes;
	for (uint32_t i = 0; i < s.n; i++) {
		if (!tv_span_known(&s, i))
			continue;
		extend(rows, s.start->i[i], s.end->i[i]);
		if (place[s.of->u[i]] == TV_NONE)
			continue;
		rows->item[next_place(rows, place[s.of->u[i]])] = (struct tv_item){
			.begin = s.start->i[i],
			.end = s.end->i[i],
			.row = i,
			.bottom = 1,
			.type = index[label_of(s.value->u, i)],
			.under = TV_NO_TYPE
		};
	}
	tv_items_nest(rows);
	tv_free(tally);
	tv_free(index);
}
