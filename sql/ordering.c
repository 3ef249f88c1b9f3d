/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ordering.c -- rows of a virtual table in the order of names. */
#include "sql/ordering.h"

#include <stdlib.h>

#include "trace/alloc.h"

void tv_sql_group_rows(const struct tv_column *column, const uint32_t *order, uint32_t n,
		       struct tv_groups *rows)
{
	uint32_t *label = tv_alloc(n, sizeof *label);

	for (uint32_t i = 0; i < n; i++)
		label[i] = tv_label(column, order != NULL ? order[i] : i);
	tv_groups_init(rows, label, n, tv_pool_count(column->pool));
	tv_free(label);
}

bool tv_sql_ordering_fits(const sqlite3_index_info *info, const struct tv_sql_place *place)
{
	for (int i = 0; i < info->nOrderBy; i++)
		if (info->aOrderBy[i].iColumn < 0 || info->aOrderBy[i].desc != 0
		    || place[info->aOrderBy[i].iColumn].column->type != TV_LABEL)
			return false;
	return info->nOrderBy > 0;
}

void tv_sql_ordering_promise(sqlite3_index_info *info, sqlite3_str *plan)
{
	for (int i = 0; i < info->nOrderBy; i++)
		sqlite3_str_appendf(plan, " %d", info->aOrderBy[i].iColumn);
	info->orderByConsumed = 1;
}

struct name {
	struct tv_choice_text text;
	uint32_t label;
};

/* The text is the first member. */
static int by_text(const void *a, const void *b)
{
	return tv_choice_compare(a, b);
}

/* The place of each label of a column among those that occur, from 1 on, as SQLite orders texts. *n: of them. */
static uint32_t *rank_labels(const struct tv_column *column, uint32_t nrows, uint32_t *n)
{
	uint32_t *rank = tv_alloc(tv_pool_count(column->pool), sizeof *rank);
	struct name *name = NULL;
	size_t cap = 0;

	*n = 0;
	for (uint32_t row = 0; row < nrows; row++) {
		uint32_t label = tv_label(column, row);

		if (label == TV_NONE || rank[label] != 0)
			continue;
		rank[label] = 1;
		TV_GROW(name, *n, cap, 1);
		name[(*n)++] = (struct name){ { tv_pool_text(column->pool, label),
						tv_pool_length(column->pool, label) },
					      label };
	}
	if (*n > 0)
		qsort(name, *n, sizeof *name, by_text);
	for (uint32_t i = 0; i < *n; i++)
		rank[name[i].label] = i + 1;
	tv_free(name);
	return rank;
}

/* Puts numbers in the order of one column; equal ones keep theirs. */
static uint32_t *order_by(const struct tv_column *column, uint32_t *number, const uint32_t *order,
			  uint32_t n)
{
	uint32_t nnames, *rank = rank_labels(column, n, &nnames);
	uint32_t *next = tv_alloc((size_t)nnames + 2, sizeof *next),
		 *sorted = tv_alloc(n, sizeof *sorted);
	uint32_t *place = tv_alloc(n, sizeof *place);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t label = tv_label(column, order != NULL ? order[number[i]] : number[i]);

		place[i] = label == TV_NONE ? 0 : rank[label];
		next[place[i] + 1]++;
	}
	for (uint32_t i = 0; i <= nnames; i++)
		next[i + 1] += next[i];
	for (uint32_t i = 0; i < n; i++)
		sorted[next[place[i]]++] = number[i];
	tv_free(place);
	tv_free(next);
	tv_free(rank);
	tv_free(number);
	return sorted;
}

uint32_t *tv_sql_ordering_make(const struct tv_sql_place *place, const char *plan,
			       const uint32_t *order, uint32_t n)
{
	uint32_t *number = tv_alloc(n, sizeof *number);

	for (uint32_t i = 0; i < n; i++)
		number[i] = i;
	/* The last column first. */
	for (const char *end = plan + strlen(plan); end > plan;) {
		while (*--end != ' ')
			;
		number = order_by(place[strtol(end, NULL, 10)].column, number, order, n);
	}
	return number;
}

const uint32_t *tv_sql_ordering_get(struct tv_sql_orderings *orderings,
				    const struct tv_sql_place *place, const char *plan,
				    const uint32_t *order, uint32_t n)
{
	struct tv_sql_ordering *made;

	for (size_t i = 0; i < orderings->n; i++)
		if (strcmp(orderings->made[i].plan, plan) == 0)
			return orderings->made[i].number;
	TV_GROW(orderings->made, orderings->n, orderings->cap, 1);
	made = &orderings->made[orderings->n++];
	made->plan = tv_strdup(plan);
	made->number = tv_sql_ordering_make(place, plan, order, n);
	return made->number;
}

void tv_sql_orderings_release(struct tv_sql_orderings *orderings)
{
	for (size_t i = 0; i < orderings->n; i++) {
		tv_free(orderings->made[i].plan);
		tv_free(orderings->made[i].number);
	}
	tv_free(orderings->made);
}
