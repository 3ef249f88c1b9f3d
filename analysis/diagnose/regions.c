/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regions.c -- what a trace of regions shows that has neither tasks nor what threads wait for. */
#include "analysis/diagnose/regions.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { NAMED = 3 };

struct region {
	uint32_t resource, type, value;
	int64_t start, end, own; /* own: without the regions inside */
	uint32_t row;
};

/* Regions with one type and value, or of one type. */
struct sum {
	uint32_t type, value;
	uint32_t row; /* the first one */
	tv_int128 own;
};

struct regions {
	struct region *at;
	size_t n;
	int64_t begin, end;
	uint32_t nresources;
	struct sum *by_name, *by_type; /* the largest first */
	uint32_t nnames, ntypes;
};

TV_ORDER(by_place, struct region, resource, start, down(end), row)
TV_ORDER(by_own, struct sum, down(own), row)

static const struct tv_table *states_of(const struct tv_run *run)
{
	return tv_trace_table(run->trace, TV_STATES);
}

/* One region more of a type and value, or of a type where value is TV_NONE. */
static void add(struct tv_map *place, struct sum **sum, uint32_t *n, const struct region *region,
		uint32_t value)
{
	uint32_t *at = tv_map_at(place, region->type, value);

	if (*at == TV_NONE) {
		*at = (*n)++;
		(*sum)[*at] = (struct sum){ .type = region->type,
					    .value = value,
					    .row = region->row };
	}
	(*sum)[*at].own += region->own;
	if (region->row < (*sum)[*at].row)
		(*sum)[*at].row = region->row;
}

static void add_up(struct regions *r)
{
	struct tv_map names = { 0 }, types = { 0 };

	r->by_name = tv_alloc(r->n, sizeof *r->by_name);
	r->by_type = tv_alloc(r->n, sizeof *r->by_type);
	for (size_t i = 0; i < r->n; i++) {
		add(&names, &r->by_name, &r->nnames, &r->at[i], r->at[i].value);
		add(&types, &r->by_type, &r->ntypes, &r->at[i], TV_NONE);
	}
	qsort(r->by_name, r->nnames, sizeof *r->by_name, by_own);
	qsort(r->by_type, r->ntypes, sizeof *r->by_type, by_own);
	tv_map_release(&names);
	tv_map_release(&types);
}

/* Takes the time of each region from the one around it. */
static void take_inner(struct regions *r)
{
	size_t *around = tv_alloc(r->n, sizeof *around), depth = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct region *region = &r->at[i];

		if (i == 0 || region->resource != r->at[i - 1].resource) {
			depth = 0;
			r->nresources++;
		}
		while (depth > 0 && r->at[around[depth - 1]].end <= region->start)
			depth--;
		if (depth > 0) {
			struct region *outer = &r->at[around[depth - 1]];

			outer->own -= (region->end < outer->end ? region->end : outer->end)
				    - region->start;
		}
		around[depth++] = i;
	}
	tv_free(around);
}

/* Sets those resources that the reader found to be no workers: key NoWorker of meta. */
static void find_no_workers(const struct tv_trace *trace, struct tv_index *no_worker)
{
	uint32_t row = 0, label;
	const char *text;
	size_t n;

	while ((text = tv_meta_next(trace, "NoWorker", &row, &n)) != NULL) {
		label = tv_pool_find(trace->pool, text, tv_meta_item(text, n));
		if (label != TV_NONE)
			tv_index_set(no_worker, label, 1);
	}
}

/* false: there is none. Release it in any case. */
static bool measure(const struct tv_run *run, struct regions *r)
{
	struct tv_index no_worker = { 0 };
	const struct tv_table *table = states_of(run);
	const struct tv_column *resource = tv_table_find(table, "ResourceId"),
			       *type = tv_table_find(table, "Type"),
			       *value = tv_table_find(table, "Value"),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");

	*r = (struct regions){ .begin = INT64_MAX, .end = INT64_MIN };
	if (resource == NULL || value == NULL || start == NULL || end == NULL)
		return false;
	find_no_workers(run->trace, &no_worker);
	r->at = tv_alloc(table->nrows, sizeof *r->at);
	for (uint32_t row = 0; row < table->nrows; row++) {
		if (tv_missing(start, row) || tv_missing(end, row) || tv_missing(resource, row)
		    || tv_missing(value, row)
		    || tv_index_get(&no_worker, tv_label(resource, row)) != TV_NONE)
			continue;
		r->at[r->n++] = (struct region){
			.resource = tv_label(resource, row),
			.type = type == NULL || tv_missing(type, row) ? TV_NONE
								      : tv_label(type, row),
			.value = tv_label(value, row),
			.start = start->i[row],
			.end = end->i[row],
			.own = end->i[row] - start->i[row],
			.row = row,
		};
		r->begin = start->i[row] < r->begin ? start->i[row] : r->begin;
		r->end = end->i[row] > r->end ? end->i[row] : r->end;
	}
	tv_free(no_worker.at);
	if (r->n == 0)
		return false;
	qsort(r->at, r->n, sizeof *r->at, by_place);
	take_inner(r);
	add_up(r);
	return true;
}

static void release(struct regions *r)
{
	tv_free(r->at);
	tv_free(r->by_name);
	tv_free(r->by_type);
}

/* How many there are, and which have the most time of their own. */
static char *text_of(const struct tv_run *run, const struct regions *r)
{
	char length[32], own[32], name[128], *text;
	tv_int128 all = 0;

	for (uint32_t i = 0; i < r->nnames; i++)
		all += r->by_name[i].own;
	text = tv_format("The trace shows %s: %zu region%s of %u type%s on %u resource%s, and no "
			 "tasks.",
			 tv_words_time(length, r->end - r->begin), r->n, tv_plural(r->n), r->ntypes,
			 tv_plural(r->ntypes), r->nresources, tv_plural(r->nresources));
	for (uint32_t i = 0; all > 0 && i < r->nnames && i < NAMED; i++) {
		const struct sum *sum = &r->by_name[i];

		tv_clean_text(name, sizeof name, tv_pool_text(run->trace->pool, sum->value));
		tv_append(&text, "%s%s for %s (%.1f %%)",
			  i == 0 ? " Of their own time, without the regions inside, they are in "
				 : ", in ",
			  name, tv_words_time(own, tv_sum_ns(sum->own)),
			  100 * (double)sum->own / (double)all);
	}
	tv_append(&text, "%s", all > 0 ? "." : "");
	return text;
}

/* Regions of one type and depth. */
struct level {
	uint32_t type;
	int64_t depth;
	uint32_t arrows; /* that leave them */
	tv_int128 own;
};

/* The innermost region around a time, as far as LOOKED regions before show; n = none. */
static size_t around(const struct regions *r, uint32_t resource, int64_t time)
{
	enum { LOOKED = 1000 };
	size_t i;

	TV_LOWER_BOUND(i, 0, r->n,
		       r->at[i].resource < resource
			       || (r->at[i].resource == resource && r->at[i].start <= time));
	for (size_t k = 0; k < LOOKED && i > 0 && r->at[i - 1].resource == resource; k++)
		if (r->at[--i].end >= time)
			return i;
	return r->n;
}

/* Counts the arrows that leave a region, by its level. of: level by region. */
static void count_arrows(const struct tv_run *run, const struct regions *r, const uint32_t *of,
			 struct level *level)
{
	const struct tv_table *links = tv_trace_table(run->trace, TV_LINKS);
	const struct tv_column *origin = tv_table_find(links, "Origin"),
			       *start = tv_table_find(links, "Start");

	for (uint32_t row = 0; origin != NULL && start != NULL && row < links->nrows; row++) {
		size_t i = tv_missing(origin, row) || tv_missing(start, row)
				 ? r->n
				 : around(r, tv_label(origin, row), start->i[row]);

		if (i < r->n)
			level[of[i]].arrows++;
	}
}

/* The level that most likely is the tasks: which most arrows leave, else with the most own time. depth: of states. */
static struct level find_level(const struct tv_run *run, const struct regions *r,
			       const struct tv_column *depth)
{
	struct level *level = tv_alloc(r->n, sizeof *level), best;
	uint32_t *of = tv_alloc(r->n, sizeof *of), n = 0;
	struct tv_map place = { 0 };

	for (size_t i = 0; i < r->n; i++) {
		int64_t at = tv_missing(depth, r->at[i].row) ? -1 : depth->i[r->at[i].row];
		uint32_t *number = tv_map_at(&place, r->at[i].type, (uint64_t)at);

		if (*number == TV_NONE) {
			level[n] = (struct level){ .type = r->at[i].type, .depth = at };
			*number = n++;
		}
		of[i] = *number;
		level[*number].own += r->at[i].own;
	}
	count_arrows(run, r, of, level);
	best = level[0];
	for (uint32_t i = 1; i < n; i++)
		if (level[i].arrows != best.arrows ? level[i].arrows > best.arrows
						   : level[i].own > best.own)
			best = level[i];
	tv_map_release(&place);
	tv_free(level);
	tv_free(of);
	return best;
}

/* An expression that makes tasks of regions; NULL = none can be written. */
static char *tasks_of(const struct tv_run *run, const struct regions *r)
{
	const struct tv_column *depth = tv_table_find(states_of(run), "Depth");
	struct level level = { .type = r->by_type[0].type, .depth = -1 };
	const char *type;

	if (depth != NULL)
		level = find_level(run, r, depth);
	type = level.type == TV_NONE ? "\"" : tv_pool_text(run->trace->pool, level.type);
	if (strpbrk(type, "\"\\") != NULL)
		return NULL;
	return level.depth < 0
		     ? tv_format("Type == \"%s\"", type)
		     : tv_format("Type == \"%s\" and Depth == %lld", type, (long long)level.depth);
}

bool tv_regions_init(struct tv_regions *regions, const struct tv_run *run)
{
	struct regions r;
	bool any = measure(run, &r);

	*regions = (struct tv_regions){ 0 };
	if (any) {
		regions->text = text_of(run, &r);
		regions->tasks = tasks_of(run, &r);
	}
	release(&r);
	return any;
}

void tv_regions_release(struct tv_regions *regions)
{
	tv_free(regions->text);
	tv_free(regions->tasks);
}
