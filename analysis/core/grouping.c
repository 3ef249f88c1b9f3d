/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grouping.c -- all rows in one group, divided column by column. */
#include "analysis/core/grouping.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* One group, of whose nrows rows the caller says which belong to it. */
static void group_rows(struct tv_grouping *g, uint32_t nrows)
{
	*g = (struct tv_grouping){
		.n = 1,
		.nrows = nrows,
		.row = tv_alloc(1, sizeof *g->row),
		.of_row = tv_realloc(NULL, nrows, sizeof *g->of_row),
	};
}

/* Which rows belong to groups. */
enum members { COUNTED, COUNTED_AND_PENDING, BEGINNING, ENDED };

static bool belongs_to(const struct tv_tasks *tasks, enum members members, uint32_t row)
{
	if (!tasks->counted[row])
		return members == COUNTED_AND_PENDING && tasks->pending[row];
	return members == BEGINNING ? tv_row_begins(tasks, row)
	     : members == ENDED	    ? tv_row_begins(tasks, row) && tv_task_ended(tasks, row)
				    : true;
}

static void group_all(struct tv_grouping *g, const struct tv_tasks *tasks, enum members members)
{
	bool plain = members != COUNTED_AND_PENDING && tasks->whole == NULL && tasks->cut == NULL;
	uint32_t first = 0;

	group_rows(g, tasks->n);
	if (plain && tasks->n > 0 && memchr(tasks->counted, 0, tasks->n) == NULL) {
		memset(g->of_row, 0, tasks->n * sizeof *g->of_row);
		return;
	}
	for (uint32_t row = 0; row < tasks->n; row++) {
		bool belongs = plain ? tasks->counted[row] : belongs_to(tasks, members, row);

		g->of_row[row] = belongs ? 0 : TV_NONE;
	}
	while (first < tasks->n && g->of_row[first] == TV_NONE)
		first++;
	g->row[0] = first < tasks->n ? first : 0;
	if (members == ENDED && first == tasks->n)
		g->n = 0;
}

void tv_grouping_release(struct tv_grouping *g)
{
	tv_free(g->row);
	tv_free(g->of_row);
	*g = (struct tv_grouping){ 0 };
}

uint64_t tv_cell_key(const struct tv_column *column, uint32_t row)
{
	const char *text;
	uint64_t bits;
	double value;
	size_t n;

	if (tv_missing(column, row))
		return 0;
	switch (column->type) {
	case TV_LABEL:
		return tv_label(column, row);
	case TV_TIME:
	case TV_INT:
		return (uint64_t)column->i[row];
	case TV_DOUBLE:
		value = column->d[row] + 0.0; /* -0 is 0 */
		memcpy(&bits, &value, sizeof bits);
		return bits;
	default:
		text = tv_string(column, row, &n);
		return tv_intern(column->pool, text, n);
	}
}

/* The parts of groups by one more column, no list; NULL: by segments. */
struct division {
	const struct tv_column *column;
	const struct tv_tasks *tasks;
	struct tv_map parts; /* by group (twice, plus one for a missing cell) and cell */
	uint32_t *
		dense; /* of labels, as long as they are few: by group, and label + 1; NULL = in the map */
	size_t nlabels;
};

static uint32_t *part_of(struct division *d, uint32_t group, uint32_t row)
{
	if (d->column == NULL)
		return tv_map_at(&d->parts, group, (uint64_t)tv_segment_of(d->tasks, row));
	return tv_map_at(&d->parts, 2 * (uint64_t)group + tv_missing(d->column, row),
			 tv_cell_key(d->column, row));
}

static void use_dense(struct division *d, const struct tv_grouping *g)
{
	size_t n;

	if (d->column == NULL || d->column->type != TV_LABEL)
		return;
	d->nlabels = tv_labels_below(d->column->u, d->column->n) + 1;
	n = g->n * d->nlabels;
	if (n > g->nrows)
		return;
	d->dense = tv_alloc(n, sizeof *d->dense);
	memset(d->dense, 0xff, n * sizeof *d->dense);
}

/* Divides every group by the cells of one more column, no list; NULL: by segments of these tasks. */
static void divide(struct tv_grouping *g, const struct tv_column *column,
		   const struct tv_tasks *tasks)
{
	struct division d = { .column = column, .tasks = tasks };
	size_t cap = g->n;
	uint32_t n = 0, *of_row;

	if (column != NULL)
		g->column[g->ncolumns++] = column;
	use_dense(&d, g);
	of_row = g->of_row;
	for (uint32_t row = 0, nrows = g->nrows; row < nrows; row++) {
		uint32_t group = of_row[row], *part;

		if (group == TV_NONE)
			continue;
		/* The label of a missing cell + 1 is 0. */
		part = d.dense != NULL
			     ? &d.dense[group * d.nlabels + (uint32_t)(tv_label(column, row) + 1)]
			     : part_of(&d, group, row);
		if (*part == TV_NONE) {
			TV_GROW(g->row, n, cap, 1);
			g->row[n] = row;
			*part = n++;
		}
		of_row[row] = *part;
	}
	g->n = n;
	tv_map_release(&d.parts);
	tv_free(d.dense);
}

static int compare_cells(const struct tv_column *c, uint32_t a, uint32_t b)
{
	size_t n, m;
	const char *s, *t;
	int order;

	switch (c->type) {
	case TV_TIME:
	case TV_INT:
		return TV_COMPARE(c->i[a], c->i[b]);
	case TV_DOUBLE:
		return TV_COMPARE(c->d[a], c->d[b]);
	case TV_LABEL:
		return tv_natural_order(tv_pool_text(c->pool, tv_label(c, a)),
					tv_pool_text(c->pool, tv_label(c, b)));
	default:
		s = tv_string(c, a, &n);
		t = tv_string(c, b, &m);
		order = memcmp(s, t, n < m ? n : m);
		return order != 0 ? order : TV_COMPARE(n, m);
	}
}

struct sorting {
	const struct tv_grouping *g;
	bool missing_last;
};

static int by_cells(const void *a, const void *b, void *data)
{
	const struct sorting *sorting = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = 0;

	for (size_t i = 0; i < sorting->g->ncolumns && order == 0; i++) {
		const struct tv_column *c = sorting->g->column[i];
		bool x_missing = tv_missing(c, x), y_missing = tv_missing(c, y);

		if (!x_missing && !y_missing)
			order = compare_cells(c, x, y);
		else
			order = sorting->missing_last ? x_missing - y_missing
						      : y_missing - x_missing;
	}
	return order != 0 ? order : TV_COMPARE(x, y);
}

void tv_grouping_sort(struct tv_grouping *g, bool missing_last)
{
	struct sorting sorting = { g, missing_last };
	uint32_t *place = tv_alloc(g->n, sizeof *place);

	qsort_r(g->row, g->n, sizeof *g->row, by_cells, &sorting);
	for (uint32_t i = 0; g->ncolumns > 0 && i < g->n; i++)
		place[g->of_row[g->row[i]]] = i;
	for (uint32_t row = 0; row < g->nrows; row++)
		if (g->of_row[row] != TV_NONE)
			g->of_row[row] = place[g->of_row[row]];
	tv_free(place);
}

void tv_grouping_by_type(struct tv_grouping *g, const struct tv_tasks *tasks)
{
	const struct tv_column *value = tv_table_find(&tasks->trace->table[TV_TASKS], "Value");

	group_all(g, tasks, COUNTED);
	if (value != NULL)
		divide(g, value, tasks);
	tv_grouping_sort(g, false);
}

void tv_grouping_by_segment(struct tv_grouping *g, const struct tv_tasks *tasks)
{
	tv_grouping_by_type(g, tasks);
	divide(g, NULL, tasks);
}

int tv_grouping_by_label(struct tv_grouping *g, const struct tv_tasks *tasks, const char *column,
			 bool pending, struct tv_error *err)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *cells = column == NULL ? NULL : tv_table_find(table, column);
	struct tv_near near;

	*g = (struct tv_grouping){ 0 };
	if (column != NULL && (cells == NULL || cells->type != TV_LABEL))
		return tv_fail_usage(err,
				     cells == NULL ? "--by: the tasks have no column '%s'%s"
						   : "--by: column '%s' does not hold names",
				     column, tv_near_column(&near, column, table));
	group_all(g, tasks, pending ? COUNTED_AND_PENDING : COUNTED);
	if (cells != NULL)
		divide(g, cells, tasks);
	tv_grouping_sort(g, false);
	return 0;
}

const struct tv_column *tv_key_column(const struct tv_table *table, const char *has,
				      const char *option, const char *name, struct tv_error *err)
{
	const struct tv_column *column = tv_table_find(table, name);
	struct tv_near near;

	if (column == NULL)
		tv_fail(err, "--%s: %s no column '%s'%s", option, has, name,
			tv_near_column(&near, name, table));
	if (column == NULL || column->type != TV_LIST)
		return column;
	tv_fail(err, "--%s: column '%s' holds lists", option, name);
	return NULL;
}

int tv_key_columns(const struct tv_table *table, const char *has, const char *option,
		   const char *names, const struct tv_column **column, struct tv_error *err)
{
	int n = 0;

	for (; *names != '\0'; n++) {
		size_t length;
		const char *word = tv_list_word(&names, &length);
		char *name;

		if (n == TV_GROUP_COLUMNS_MAX)
			return tv_fail_usage(err, "--%s: at most %d columns", option, n);
		if (word == NULL || length == 0)
			return tv_fail_usage(
				err, "--%s: expected names of columns with commas between", option);
		name = tv_strndup(word, length);
		column[n] = tv_key_column(table, has, option, name, err);
		tv_free(name);
		if (column[n] == NULL)
			return -1;
	}
	return n;
}

int tv_grouping_by_names(struct tv_grouping *g, const struct tv_tasks *tasks, const char *names,
			 const char *option, bool ended, struct tv_error *err)
{
	const struct tv_column *column[TV_GROUP_COLUMNS_MAX];
	int n = tv_key_columns(&tasks->trace->table[TV_TASKS], "the tasks have", option, names,
			       column, err);

	*g = (struct tv_grouping){ 0 };
	if (n < 0)
		return -1;
	group_all(g, tasks, ended ? ENDED : BEGINNING);
	for (int i = 0; i < n; i++)
		divide(g, column[i], tasks);
	return 0;
}

void tv_grouping_of(struct tv_grouping *g, const struct tv_table *table,
		    const struct tv_column *const *column, size_t n)
{
	group_rows(g, table->nrows);
	if (table->nrows > 0)
		memset(g->of_row, 0, table->nrows * sizeof *g->of_row);
	for (size_t i = 0; i < n; i++)
		divide(g, column[i], NULL);
}

int tv_label_order(const struct tv_pool *pool, uint32_t a, uint32_t b)
{
	if (a == TV_NONE || b == TV_NONE)
		return TV_COMPARE(a != TV_NONE, b != TV_NONE);
	return tv_natural_order(tv_pool_text(pool, a), tv_pool_text(pool, b));
}

const char *tv_grouping_near(struct tv_near *near, const char *word, const struct tv_grouping *g)
{
	tv_near_init(near, word);
	for (uint32_t i = 0; g->ncolumns > 0 && i < g->n; i++)
		tv_near_offer(near, tv_pool_text(g->column[0]->pool, tv_grouping_label(g, i)));
	return tv_near_text(near);
}

/* ---- groups as rows of a result ---- */

/* Sorts the groups and adds their columns to the result. */
static int take_groups(struct tv_keys *keys, const char *option, struct tv_table *out,
		       struct tv_error *err)
{
	struct tv_grouping *by = &keys->by;

	for (size_t i = 0; i < by->ncolumns; i++) {
		const char *name = by->column[i]->name;

		if (tv_table_find(out, name) != NULL)
			return tv_fail_usage(err, "--%s names column '%s' twice", option, name);
		keys->copy[i] = tv_table_column(out, name, by->column[i]->type, err);
	}
	tv_grouping_sort(by, true);
	tv_groups_init(&keys->groups, by->of_row, by->nrows, by->n);
	return 0;
}

int tv_keys_init(struct tv_keys *keys, const struct tv_tasks *tasks, const char *names,
		 const char *option, bool ended, struct tv_table *out, struct tv_error *err)
{
	*keys = (struct tv_keys){ 0 };
	if (tv_grouping_by_names(&keys->by, tasks, names, option, ended, err) < 0)
		return -1;
	return take_groups(keys, option, out, err);
}

int tv_keys_of(struct tv_keys *keys, const struct tv_table *table,
	       const struct tv_column *const *column, size_t n, const char *option,
	       struct tv_table *out, struct tv_error *err)
{
	*keys = (struct tv_keys){ 0 };
	tv_grouping_of(&keys->by, table, column, n);
	return take_groups(keys, option, out, err);
}

void tv_keys_release(struct tv_keys *keys)
{
	tv_grouping_release(&keys->by);
	tv_groups_release(&keys->groups);
	*keys = (struct tv_keys){ 0 };
}

int tv_keys_fields(struct tv_table *out, const char *option, const struct tv_field *field, size_t n,
		   struct tv_error *err)
{
	for (size_t i = 0; i < n; i++)
		if (tv_table_find(out, field[i].name) != NULL)
			return tv_fail_usage(err, "--%s: column '%s' is one of the result's",
					     option, field[i].name);
	tv_add_fields(out, field, n);
	return 0;
}

void tv_keys_write(const struct tv_keys *keys, uint32_t group, uint32_t row)
{
	for (size_t i = 0; i < keys->by.ncolumns; i++)
		tv_copy_cell(keys->copy[i], row, keys->by.column[i], keys->by.row[group]);
}
