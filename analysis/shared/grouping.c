/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grouping.c -- all counted rows in one group, refined column by column. */
#include "analysis/shared/grouping.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/near.h"

/* A group so far, told apart further by one more column. */
struct slot {
	uint64_t group; /* twice the group, plus one for a missing cell */
	uint64_t cell;
	uint32_t refined; /* TV_NONE = free slot */
};

/* A table of the groups of one round. */
struct slots {
	struct slot *slot;
	size_t n; /* a power of two, at least twice the rows */
};

static struct slot *find_slot(const struct slots *slots, uint64_t group, uint64_t cell)
{
	uint64_t h = (cell + group) * 0x9e3779b97f4a7c15u;
	size_t at;

	h = (h ^ h >> 29 ^ group) * 0xbf58476d1ce4e5b9u;
	at = (size_t)(h >> 32) & (slots->n - 1);
	while (slots->slot[at].refined != TV_NONE
	       && (slots->slot[at].group != group || slots->slot[at].cell != cell))
		at = (at + 1) & (slots->n - 1);
	return &slots->slot[at];
}

/* A cell as a number, equal where the cells are. Texts are given their number in the pool. */
static int cell_number(const struct tv_column *column, uint32_t row, struct tv_pool *pool,
		       uint64_t *cell)
{
	const char *text;
	double value;
	size_t n;

	*cell = TV_NONE;
	if (tv_missing(column, row))
		return 0;
	switch (column->type) {
	case TV_LABEL:
		*cell = tv_label(column, row);
		return 0;
	case TV_TIME:
	case TV_INT:
		*cell = (uint64_t)column->i[row];
		return 0;
	case TV_DOUBLE:
		value = column->d[row] + 0.0; /* -0 is 0 */
		memcpy(cell, &value, sizeof *cell);
		return 0;
	default:
		text = tv_string(column, row, &n);
		*cell = tv_intern(pool, text, n);
		return *cell == TV_NONE ? -1 : 0;
	}
}

/* Splits every group by one more column. */
static int refine(struct tv_grouping *g, struct slots *slots, uint32_t nrows,
		  const struct tv_column *column, struct tv_pool *pool)
{
	for (size_t i = 0; i < slots->n; i++)
		slots->slot[i].refined = TV_NONE;
	g->n = 0;
	for (uint32_t row = 0; row < nrows; row++) {
		struct slot *slot;
		uint64_t group, cell;

		if (g->group[row] == TV_NONE)
			continue;
		if (cell_number(column, row, pool, &cell) < 0)
			return -1;
		group = 2 * (uint64_t)g->group[row] + tv_missing(column, row);
		slot = find_slot(slots, group, cell);
		if (slot->refined == TV_NONE)
			*slot = (struct slot){ group, cell, g->n++ };
		g->group[row] = slot->refined;
	}
	return 0;
}

const struct tv_column *tv_grouping_column(const struct tv_tasks *tasks, const char **names,
					   const char *option, struct tv_error *err)
{
	struct tv_near near;
	size_t n = strcspn(*names, ",");
	const struct tv_column *column;
	char name[128];

	if (n == 0 || n >= sizeof name) {
		tv_fail_usage(err, "--%s: expected names of columns with commas between", option);
		return NULL;
	}
	memcpy(name, *names, n);
	name[n] = '\0';
	*names += n + ((*names)[n] == ',');
	column = tv_table_find(&tasks->trace->table[TV_TASKS], name);
	if (column == NULL)
		tv_fail(err, "--%s: the tasks have no column '%s'%s", option, name,
			tv_near_column(&near, name, &tasks->trace->table[TV_TASKS]));
	if (column == NULL || column->type != TV_LIST)
		return column;
	tv_fail(err, "--%s: column '%s' holds lists", option, name);
	return NULL;
}

static int refine_all(struct tv_grouping *g, struct slots *slots, const struct tv_tasks *tasks,
		      const char *names, const char *option, struct tv_pool *pool,
		      struct tv_error *err)
{
	while (*names != '\0') {
		const struct tv_column *column = tv_grouping_column(tasks, &names, option, err);

		if (column == NULL)
			return -1;
		if (refine(g, slots, tasks->n, column, pool) < 0)
			return tv_fail_memory(err);
	}
	return 0;
}

int tv_grouping_init(struct tv_grouping *g, const struct tv_tasks *tasks, const char *names,
		     const char *option, struct tv_pool *pool, struct tv_error *err)
{
	struct slots slots = { .n = 64 };
	int rc;

	while (slots.n / 2 < tasks->ncounted)
		slots.n *= 2;
	slots.slot = tv_alloc(slots.n, sizeof *slots.slot);
	*g = (struct tv_grouping){ 1, tv_alloc(tasks->n, sizeof *g->group) };
	if (g->group == NULL) {
		rc = tv_fail_memory(err);
	} else {
		for (uint32_t row = 0; row < tasks->n; row++)
			g->group[row] = tasks->counted[row] ? 0 : TV_NONE;
		rc = refine_all(g, &slots, tasks, names, option, pool, err);
	}
	tv_free(slots.slot);
	if (rc < 0)
		tv_grouping_release(g);
	return rc;
}

void tv_grouping_release(struct tv_grouping *g)
{
	tv_free(g->group);
	*g = (struct tv_grouping){ 0 };
}
