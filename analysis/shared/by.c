/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by.c -- counted tasks grouped by one column of labels. */
#include "analysis/shared/by.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/near.h"
#include "trace/text.h"

struct name {
	const char *text;
	uint32_t label;
};

static int by_name(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	/* A missing cell before the empty text, which reads the same. */
	if (x->label == TV_NONE || y->label == TV_NONE)
		return (y->label == TV_NONE) - (x->label == TV_NONE);
	return tv_natural_order(x->text, y->text);
}

static bool belongs(const struct tv_by *by, const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->counted[row] || (by->pending && tasks->pending[row]);
}

/* The labels that occur, sorted, into by->label; place[]: that of each, the last one of none. */
static int number_labels(struct tv_by *by, const struct tv_tasks *tasks, const uint32_t *cell,
			 uint32_t *place, uint32_t nlabels)
{
	struct name *name = NULL;
	size_t cap = 0;
	int rc = -1;

	for (uint32_t i = 0; i <= nlabels; i++)
		place[i] = TV_NONE;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t label = cell[row], *at = &place[label == TV_NONE ? nlabels : label];

		if (!belongs(by, tasks, row) || *at != TV_NONE)
			continue;
		TV_GROW(name, by->n, cap, 1);
		*at = by->n;
		name[by->n++] = (struct name){ tv_pool_text(tasks->pool, label), label };
	}
	by->label = tv_alloc(by->n, sizeof *by->label);
	if (by->n > 0)
		qsort(name, by->n, sizeof *name, by_name);
	for (uint32_t i = 0; i < by->n; i++) {
		by->label[i] = name[i].label;
		place[name[i].label == TV_NONE ? nlabels : name[i].label] = i;
	}
	rc = 0;
	tv_free(name);
	return rc;
}

static int group_rows(struct tv_by *by, const struct tv_tasks *tasks, const uint32_t *cell)
{
	uint32_t nlabels = tv_pool_count(tasks->pool);
	uint32_t *place = tv_alloc((size_t)nlabels + 1, sizeof *place);
	int rc = place == NULL ? -1 : number_labels(by, tasks, cell, place, nlabels);

	for (uint32_t row = 0; row < tasks->n && rc == 0; row++)
		by->of_row[row] = !belongs(by, tasks, row)
					? TV_NONE
					: place[cell[row] == TV_NONE ? nlabels : cell[row]];
	tv_free(place);
	return rc;
}

static int group_all(struct tv_by *by, const struct tv_tasks *tasks)
{
	by->n = 1;
	by->label = tv_alloc(1, sizeof *by->label);
	by->label[0] = TV_NONE;
	for (uint32_t row = 0; row < tasks->n; row++)
		by->of_row[row] = belongs(by, tasks, row) ? 0 : TV_NONE;
	return 0;
}

int tv_by_init(struct tv_by *by, const struct tv_tasks *tasks, const char *column, bool pending,
	       struct tv_error *err)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *cells = column == NULL ? NULL : tv_table_find(table, column);

	struct tv_near near;

	*by = (struct tv_by){ .column = column, .pending = pending };
	if (column != NULL && (cells == NULL || cells->type != TV_LABEL))
		return tv_fail_usage(err,
				     cells == NULL ? "--by: the tasks have no column '%s'%s"
						   : "--by: column '%s' does not hold names",
				     column, tv_near_column(&near, column, table));
	by->of_row = tv_alloc(tasks->n, sizeof *by->of_row);
	if ((cells == NULL ? group_all(by, tasks) : group_rows(by, tasks, cells->u)) < 0) {
		tv_by_release(by);
		return tv_fail_memory(err);
	}
	return 0;
}

void tv_by_release(struct tv_by *by)
{
	tv_free(by->label);
	tv_free(by->of_row);
	*by = (struct tv_by){ 0 };
}
