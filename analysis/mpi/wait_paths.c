/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait_paths.c -- where in the program calls wait: the regions around them. */
#include "analysis/mpi/wait_paths.h"

#include <stdlib.h>

#include "analysis/core/columns.h"
#include "analysis/core/measure.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A region or a call. */
struct item {
	uint32_t resource; /* label */
	int64_t start, end;
	bool region;
	uint32_t row, name;
};

/* A call before the regions of the same span, which are not around it. */
TV_ORDER(by_place, struct item, resource, start, down(end), region, row)

struct path {
	uint32_t parent, name; /* TV_NONE: the first name */
	uint32_t depth;	       /* names */
	uint32_t label;	       /* TV_NONE = no text yet */
};

/* A region that has not ended. */
struct open {
	int64_t end;
	uint32_t path;
};

struct wait_paths {
	struct tv_pool *pool;
	struct path *path;
	size_t n, cap;
	struct tv_map number; /* of paths */
	struct item *item;
	size_t nitems;
	struct open *
		open; /* each contains the next one: what ends before a later one can be innermost no more */
	size_t nopen;
};

static uint32_t child(struct wait_paths *w, uint32_t parent, uint32_t name)
{
	uint32_t *at = tv_map_at(&w->number, parent, name);

	if (*at == TV_NONE) {
		*at = (uint32_t)w->n;
		TV_GROW(w->path, w->n, w->cap, 1);
		w->path[w->n++] = (struct path){ parent, name,
						 parent == TV_NONE ? 1 : w->path[parent].depth + 1,
						 TV_NONE };
	}
	return *at;
}

static uint32_t enter(struct wait_paths *w, uint32_t around, uint32_t name)
{
	uint32_t depth = around == TV_NONE ? 0 : w->path[around].depth;

	if (depth > TV_WAIT_PATH_MAX)
		return around;
	return child(w, around, depth == TV_WAIT_PATH_MAX ? tv_intern_text(w->pool, "...") : name);
}

static uint32_t label_of(struct wait_paths *w, uint32_t path)
{
	uint32_t name[TV_WAIT_PATH_MAX + 2], n = 0;
	char *text = NULL;

	if (w->path[path].label != TV_NONE)
		return w->path[path].label;
	for (uint32_t p = path; p != TV_NONE; p = w->path[p].parent)
		name[n++] = w->path[p].name;
	while (n-- > 0)
		tv_append(&text, "%s%s", text == NULL ? "" : "/", tv_pool_text(w->pool, name[n]));
	w->path[path].label = tv_intern_text(w->pool, text);
	tv_free(text);
	return w->path[path].label;
}

static void list(struct wait_paths *w, const struct tv_trace *trace, const struct tv_table *calls,
		 bool regions)
{
	const struct tv_table *states = tv_trace_table(trace, TV_STATES);
	const struct tv_column *id = tv_table_find(states, "ResourceId"),
			       *value = tv_table_find(states, "Value"),
			       *start = tv_table_find(states, "Start"),
			       *end = tv_table_find(states, "End");
	bool known = regions && id != NULL && value != NULL && start != NULL && end != NULL;

	w->item = tv_alloc((size_t)calls->nrows + states->nrows, sizeof *w->item);
	for (uint32_t row = 0; row < calls->nrows; row++) {
		int64_t begin = tv_table_find(calls, "Start")->i[row];

		w->item[w->nitems++] = (struct item){
			tv_label(tv_table_find(calls, "ResourceId"), row),
			begin,
			begin + tv_table_find(calls, "Duration")->i[row],
			false,
			row,
			tv_label(tv_table_find(calls, "Call"), row)
		};
	}
	for (uint32_t row = 0; known && row < states->nrows; row++)
		if (!tv_missing(value, row) && !tv_missing(start, row) && !tv_missing(end, row)
		    && !tv_missing(id, row))
			w->item[w->nitems++] = (struct item){
				tv_label(id, row),   start->i[row], end->i[row], true, row,
				tv_label(value, row)
			};
	if (w->nitems > 1)
		qsort(w->item, w->nitems, sizeof *w->item, by_place);
}

/* How many of the open regions contain an item, and ends those that no later one is in. */
static size_t find_around(struct wait_paths *w, const struct item *item)
{
	size_t i;

	while (w->nopen > 0 && w->open[w->nopen - 1].end < item->start)
		w->nopen--;
	TV_LOWER_BOUND(i, 0, w->nopen, w->open[i].end >= item->end);
	return i;
}

/* By row of calls: label of its path, with the regions in it or without. */
static uint32_t *find_paths(const struct tv_trace *trace, const struct tv_table *calls,
			    bool regions)
{
	struct wait_paths w = { .pool = calls->pool };
	const struct tv_column *site = tv_table_find(calls, "Site");
	uint32_t *label = tv_alloc(calls->nrows, sizeof *label);

	list(&w, trace, calls, regions);
	w.open = tv_alloc(w.nitems, sizeof *w.open);
	for (size_t i = 0; i < w.nitems; i++) {
		const struct item *item = &w.item[i];
		uint32_t path;
		size_t around;

		if (i > 0 && w.item[i - 1].resource != item->resource)
			w.nopen = 0;
		around = find_around(&w, item);
		path = around > 0 ? w.open[around - 1].path : TV_NONE;
		if (item->region) {
			w.nopen = around;
			w.open[w.nopen++] = (struct open){ item->end, enter(&w, path, item->name) };
			continue;
		}
		if (path == TV_NONE && !tv_missing(site, item->row))
			path = child(&w, path, tv_label(site, item->row));
		label[item->row] = label_of(&w, child(&w, path, item->name));
	}
	tv_map_release(&w.number);
	tv_free(w.path);
	tv_free(w.item);
	tv_free(w.open);
	return label;
}

/* ---- the table ---- */

#define COLUMNS(X) \
	X(PATH, "CallPath", TV_LABEL, true, "", \
	  "regions around the calls, else (and with --by rank) their Site, and the function") \
	X(STATE, "State", TV_LABEL, true, "", "as without --by") \
	X(CALLS, "Calls", TV_INT, true, "", "calls that wait so there") \
	X(RANKS, "Ranks", TV_INT, true, "", "ranks that do") \
	X(WAIT, "Wait", TV_TIME, true, "ms", "sum of their waits") \
	X(LONGEST, "Max", TV_TIME, true, "ms", "the longest of them") \
	X(SHARE, "Share", TV_DOUBLE, true, "%", "Wait over all waits") \
	X(TIME, "Time", TV_TIME, true, "ms", "sum of their durations") \
	X(OTHER_WORK, "OtherWork", TV_TIME, true, "ms", \
	  "of Wait: the rank that they wait for was in no call of MPI") \
	X(RANK, "Rank", TV_LABEL, false, "", "rank that waits, with --by rank")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_wait_path_columns[TV_WAIT_PATH_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

struct place {
	const char *path;
	uint32_t label, state, rank; /* labels; rank TV_NONE: all */
	uint32_t number;
	tv_int128 wait;
};

TV_ORDER(by_wait, struct place, down(wait), text(path), state, rank)

/* The places of waits, the longest sum first. of: by row, its place. */
static struct place *find_places(const struct tv_trace *trace, const struct tv_table *waits,
				 bool by_rank, uint32_t *of, uint32_t *n)
{
	const struct tv_column *wait = tv_table_find(waits, "Wait");
	uint32_t *label = find_paths(trace, waits, !by_rank), *rank;
	struct place *place = NULL;
	struct tv_map number = { 0 };
	size_t count = 0, cap = 0;

	for (uint32_t row = 0; row < waits->nrows; row++) {
		uint32_t state = tv_label(tv_table_find(waits, "State"), row);
		uint32_t who = by_rank ? tv_label(tv_table_find(waits, "Rank"), row) : TV_NONE;
		uint32_t *at = tv_map_at(&number, label[row], (uint64_t)who << 32 | state);

		if (*at == TV_NONE) {
			*at = (uint32_t)count;
			TV_GROW(place, count, cap, 1);
			place[count++] = (struct place){ tv_pool_text(waits->pool, label[row]),
							 label[row],
							 state,
							 who,
							 *at,
							 0 };
		}
		of[row] = *at;
		place[*at].wait += wait->i[row];
	}
	if (count > 1)
		qsort(place, count, sizeof *place, by_wait);
	rank = tv_alloc(count, sizeof *rank);
	for (uint32_t i = 0; i < count; i++)
		rank[place[i].number] = i;
	for (uint32_t row = 0; row < waits->nrows; row++)
		of[row] = rank[of[row]];
	tv_free(rank);
	tv_free(label);
	tv_map_release(&number);
	*n = (uint32_t)count;
	return place;
}

static unsigned number_of(const struct tv_table *table, const char *column)
{
	unsigned i = 0;

	while (table->col[i] != tv_table_find(table, column))
		i++;
	return i;
}

void tv_wait_path_rows(const struct tv_trace *trace, const struct tv_table *waits, bool by_rank,
		       struct tv_table *out)
{
	unsigned wait = number_of(waits, "Wait");
	const struct tv_measure_spec measures[] = {
		{ CALLS, TV_MEASURE_ROWS },
		{ RANKS, TV_MEASURE_DISTINCT, number_of(waits, "Rank") },
		{ WAIT, TV_MEASURE_SUM, wait },
		{ LONGEST, TV_MEASURE_MAX, wait },
		{ SHARE, TV_MEASURE_SHARE, wait },
		{ TIME, TV_MEASURE_SUM, number_of(waits, "Duration") },
		{ OTHER_WORK, TV_MEASURE_SUM, number_of(waits, "OtherWork") },
	};
	const struct tv_measured_rows rows = tv_rows_of(waits);
	uint32_t *of = tv_alloc(waits->nrows, sizeof *of), n;
	struct place *place = find_places(trace, waits, by_rank, of, &n);
	struct tv_groups groups;

	tv_add_fields(out, tv_wait_path_columns, TV_WAIT_PATH_COLUMNS);
	tv_groups_init(&groups, of, waits->nrows, n);
	tv_measure_groups(&rows, &groups, measures, TV_COUNT(measures), out, out->col);
	for (uint32_t i = 0; i < n; i++) {
		tv_set_label(out->col[PATH], i, place[i].label);
		tv_set_label(out->col[STATE], i, place[i].state);
		tv_set_label(out->col[RANK], i, place[i].rank);
	}
	tv_groups_release(&groups);
	tv_free(place);
	tv_free(of);
}
