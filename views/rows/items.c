/* SPDX-License-Identifier: GPL-3.0-or-later */
/* items.c -- tasks or states into rows: types by total time, items by begin, overlaps side by side.
 */
#include "views/rows/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/overlaps.h"
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

/* Rows of tasks that the end of the trace cut off. */
static uint32_t count_open(const struct tv_trace *trace)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *flag = tv_table_find(tasks, "Flag");
	uint32_t label = tv_pool_find_text(trace->pool, TV_OPEN), n = 0;

	for (uint32_t row = 0; flag != NULL && label != TV_NONE && row < tasks->nrows; row++)
		n += tv_label(flag, row) == label;
	return n;
}

/* *flag: which rows of a run, or of a part of it, are outliers; NULL = nobody looked for them. outliers: of all rows. */
static int find_marks(struct tv_run *run, const struct tv_table *outliers,
		      const struct tv_column **flag, struct tv_error *err)
{
	if (outliers != NULL && run->of != NULL)
		outliers = tv_run_pass(run, "outliers", NULL, err);
	else if (outliers == NULL) {
		*flag = NULL;
		return 0;
	}
	*flag = outliers != NULL ? tv_table_in_short(outliers, "Outlier") : NULL;
	return outliers != NULL ? 0 : -1;
}

static bool is_outlier(const struct tv_tasks *tasks, const struct tv_column *flag, uint32_t row)
{
	return tasks->counted[row] && flag != NULL && !tv_missing(flag, row)
	    && tv_number(flag, row) != 0;
}

/* How many items each row has. */
static void count_items(struct tv_rows *rows, const struct tv_tasks *tasks, const bool *shown)
{
	for (uint32_t i = 0; i < tasks->n; i++)
		if (is_drawn(tasks, shown, i) && rows->place[tasks->worker[i]] != TV_NONE)
			rows->row[rows->place[tasks->worker[i]]].n++;
}

/* How tasks look. */
static void look_at(struct tv_rows *rows, const struct tv_tasks *tasks,
		    const struct tv_column *flag, const bool *shown)
{
	rows->tasks = tasks;
	rows->look = tv_realloc(NULL, tasks->n, sizeof *rows->look);
	for (uint32_t i = 0; i < tasks->n; i++)
		if (!is_drawn(tasks, shown, i) || rows->place[tasks->worker[i]] == TV_NONE)
			rows->look[i] = TV_LOOK_NONE;
		else
			rows->look[i] =
				(uint8_t)((tasks->counted[i]
						   ? rows->type_of[label_of(tasks->value, i)]
						   : rows->uncounted)
					  | (is_outlier(tasks, flag, i) ? TV_LOOK_OUTLIER : 0));
}

/* The row of an iteration, of which there are some in ascending order, as a rule without gaps; TV_NONE = none. */
static uint32_t row_of_iteration(const struct tv_rows *rows, int64_t iteration)
{
	uint64_t guess = (uint64_t)iteration - (uint64_t)rows->iteration[0];
	uint32_t row;

	if (guess < rows->nrows && rows->iteration[guess] == iteration)
		return (uint32_t)guess;
	TV_LOWER_BOUND(row, 1, rows->nrows, rows->iteration[row] <= iteration);
	return rows->iteration[row - 1] == iteration ? row - 1 : TV_NONE;
}

static uint32_t row_of(const struct tv_rows *rows, const struct tv_column *iteration, uint32_t task)
{
	uint8_t look = rows->look[task];

	if (look == TV_LOOK_NONE)
		return TV_NONE;
	if (iteration == NULL)
		return rows->place[rows->tasks->worker[task]];
	return look == rows->uncounted || tv_missing(iteration, task)
		     ? TV_NONE
		     : row_of_iteration(rows, iteration->i[task]);
}

void tv_items_fill(struct tv_rows *rows, const struct tv_column *iteration)
{
	uint32_t row;

	for (uint32_t i = 0; i < rows->tasks->n; i++)
		if ((row = row_of(rows, iteration, i)) != TV_NONE)
			rows->row[row].n++;
	tv_items_begin(rows);
	rows->task = tv_realloc(NULL, rows->nitems, sizeof *rows->task);
	for (uint32_t i = 0; i < rows->tasks->n; i++)
		if ((row = row_of(rows, iteration, i)) != TV_NONE)
			rows->task[next_place(rows, row)] = i;
	tv_items_arrange(rows, iteration == NULL);
}

/* *shown: by row of a part, those that are drawn, in new memory; NULL = all. */
static int choose_rows(const struct tv_shown_rows *choice, const struct tv_run *part, bool **shown,
		       struct tv_error *err)
{
	uint32_t *row = NULL, n = 0;

	*shown = NULL;
	if (part->of == NULL || choice->choose == NULL)
		return 0;
	if (choice->choose(choice->context, &part->trace->table[TV_TASKS], &row, &n, err) < 0)
		return -1;
	if (row != NULL)
		*shown = tv_alloc(part->tasks.n, sizeof **shown);
	for (uint32_t i = 0; i < n; i++)
		(*shown)[row[i]] = true;
	tv_free(row);
	return 0;
}

/* What is known of all tasks before any is put into its row. */
struct tallying {
	struct tv_rows *rows;
	const struct tv_rows_source *source;
	struct tally *tally; /* by label, nlabels */
	uint32_t nlabels;
	struct tally rest;	      /* executions that are not counted */
	struct tv_overlaps overlaps;  /* of rows that come part by part */
	uint32_t ntasks, nexecutions; /* likewise, of the selected workers */
};

static void reserve(struct tallying *t, uint32_t nlabels)
{
	if (nlabels <= t->nlabels)
		return;
	t->tally = tv_realloc(t->tally, nlabels, sizeof *t->tally);
	memset(t->tally + t->nlabels, 0, (nlabels - t->nlabels) * sizeof *t->tally);
	t->nlabels = nlabels;
}

static int tally_tasks(void *state, struct tv_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	struct tallying *t = state;
	struct tv_rows *rows = t->rows;
	const struct tv_column *flag;
	bool *met, *marked, *of_part;
	const bool *shown;

	if (find_marks(run, t->source->outliers, &flag, err) < 0
	    || choose_rows(&rows->choice, run, &of_part, err) < 0)
		return -1;
	shown = of_part != NULL ? of_part : t->source->shown;
	reserve(t, count_values(tasks));
	met = tv_alloc(tasks->n, sizeof *met);
	marked = tv_alloc(tasks->n, sizeof *marked);
	for (uint32_t i = 0; i < tasks->n; i++) {
		struct tally *to = tasks->counted[i] ? &t->tally[label_of(tasks->value, i)]
						     : &t->rest;

		if (!is_drawn(tasks, shown, i))
			continue;
		if (tv_tasks_meet(tasks, met, i))
			to->count += 1 / tv_team_of(tasks, i);
		if (is_outlier(tasks, flag, i) && tv_tasks_meet(tasks, marked, i))
			rows->noutliers += 1 / tv_team_of(tasks, i);
		add_time(to, tasks->start[i], tasks->end[i]);
		extend(rows, tasks->start[i], tasks->end[i]);
	}
	tv_free(met);
	tv_free(marked);
	rows->nopen += count_open(run->trace);
	if (run->of != NULL) {
		count_items(rows, tasks, shown);
		tv_overlaps_add(&t->overlaps, tasks);
		t->ntasks += tv_run_part(run)->ntasks;
		t->nexecutions += tv_run_part(run)->nexecutions;
	}
	tv_free(of_part);
	return 0;
}

int tv_items_of_tasks(struct tv_rows *rows, struct tv_run *run, const struct tv_rows_source *source,
		      struct tv_error *err)
{
	struct tallying t = { .rows = rows, .source = source };
	int rc;

	rows->choice = source->options->choice;
	rc = tv_run_bare_rows(run, tally_tasks, &t, err);

	/* Those of one part may be beside each other, those of two would not. */
	if (rc == 0 && t.overlaps.n > 0)
		rc = tv_fail_parts(
			err, "a figure of tasks that overlap in time on a worker needs all rows at "
			     "once");
	if (rc == 0 && run->parts != NULL && rows->filled == 0)
		rc = tv_fail_parts(err,
				   "a figure of a selection that no task fits needs all rows at "
				   "once");
	if (rc == 0 && run->parts != NULL && run->chosen != NULL) {
		run->part.ntasks = t.ntasks;
		run->part.nexecutions = t.nexecutions;
	}
	if (rc == 0) {
		rows->type_of = tv_alloc(t.nlabels, sizeof *rows->type_of);
		rank_types(rows, NULL, t.tally, t.nlabels, rows->type_of, source);
		rows->uncounted = rows->ntypes;
		if (t.rest.count > 0)
			add_special(rows, "setup, runtime", t.rest.count, t.rest.time, TV_PALE);
		rows->has_outliers = source->outliers != NULL;
	}
	if (rc == 0 && run->parts == NULL) {
		look_at(rows, &run->tasks,
			source->outliers != NULL ? tv_table_in_short(source->outliers, "Outlier")
						 : NULL,
			source->shown);
		tv_items_fill(rows, NULL);
	}
	tv_overlaps_release(&t.overlaps);
	tv_free(t.tally);
	return rc;
}

struct giving {
	const struct tv_rows *rows;
	const struct tv_table *outliers;
	struct tv_lanes *lanes; /* of rows of iterations that have height for several */
	void (*take)(void *state, const struct tv_rows *some);
	void *state;
};

static int give_part(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct giving *giving = state;
	struct tv_rows some = *giving->rows;
	const struct tv_table *iterations = NULL;
	const struct tv_column *flag;
	bool *shown;

	if (find_marks(part, giving->outliers, &flag, err) < 0
	    || (some.iteration != NULL
		&& (iterations = tv_run_pass(part, "iterations", NULL, err)) == NULL)
	    || choose_rows(&some.choice, part, &shown, err) < 0)
		return -1;
	some.row = tv_alloc(some.nrows, sizeof *some.row);
	memcpy(some.row, giving->rows->row, some.nrows * sizeof *some.row);
	for (uint32_t r = 0; r < some.nrows; r++)
		some.row[r].n = 0;
	look_at(&some, &part->tasks, flag, shown);
	tv_items_fill(&some, iterations != NULL ? tv_table_find(iterations, "Iteration") : NULL);
	if (giving->lanes != NULL) {
		some.height_lanes = giving->rows->height_lanes;
		tv_items_go_on(&some, giving->lanes);
	}
	giving->take(giving->state, &some);
	tv_free(some.row);
	tv_free(some.task);
	tv_free(some.item);
	tv_free(some.look);
	tv_free(shown);
	return 0;
}

int tv_rows_give(const struct tv_rows *rows, struct tv_run *run, const struct tv_table *outliers,
		 bool jobs, void (*take)(void *state, const struct tv_rows *some), void *state,
		 struct tv_error *err)
{
	struct giving giving = { .rows = rows,
				 .outliers = rows->has_outliers ? outliers : NULL,
				 .take = take,
				 .state = state };
	int rc;

	if (rows->iteration == NULL)
		return (jobs ? tv_run_later_rows : tv_run_bare_rows)(run, give_part, &giving, err);
	if (!rows->mixed)
		giving.lanes = tv_alloc(rows->nrows, sizeof *giving.lanes);
	rc = tv_run_later_rows(run, give_part, &giving, err);
	for (uint32_t r = 0; giving.lanes != NULL && r < rows->nrows; r++)
		tv_lanes_release(&giving.lanes[r]);
	tv_free(giving.lanes);
	return rc;
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

	rows->nopen = count_open(trace);
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
