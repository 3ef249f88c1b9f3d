/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swapped.c -- whether ResourceId has what belongs into Value. */
#include "analysis/core/swapped.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *without_digits(const char *name)
{
	char *text = tv_strdup(name), *to = text;

	for (const char *from = text; *from != '\0'; from++)
		if (*from < '0' || *from > '9')
			*to++ = *from;
	*to = '\0';
	return text;
}

/* Whether names are one name with different numbers, or few such: without their numbers at most half as many. Frees them. */
static bool are_numbered(char **name, uint32_t n)
{
	uint32_t different = 0;

	qsort(name, n, sizeof *name, by_text);
	for (uint32_t i = 0; i < n; i++)
		different += i == 0 || strcmp(name[i - 1], name[i]) != 0;
	for (uint32_t i = 0; i < n; i++)
		tv_free(name[i]);
	return 2 * different <= n;
}

static bool workers_are_numbered(const struct tv_tasks *tasks)
{
	char **name = tv_alloc(tasks->nworkers, sizeof *name);
	bool are;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		name[w] = without_digits(tv_pool_text(tasks->pool, tasks->workers[w].resource));
	are = are_numbered(name, tasks->nworkers);
	tv_free(name);
	return are;
}

/* Whether the Values are numbered, have four executions each on average, and never run twice at once. */
static bool values_are_workers(const struct tv_tasks *tasks)
{
	uint32_t *value = tv_alloc(tasks->n, sizeof *value), n = 0, rows = 0;
	char **name;
	struct tv_groups groups;
	bool alone = true;

	for (uint32_t row = 0; row < tasks->n; row++) {
		value[row] = tasks->executed[row] ? tasks->value[row] : TV_NONE;
		rows += value[row] != TV_NONE;
	}
	tv_groups_init(&groups, value, tasks->n, tv_pool_count(tasks->pool));
	name = tv_alloc(groups.n, sizeof *name);
	for (uint32_t v = 0; v < groups.n && alone; v++) {
		uint32_t *row = groups.row + groups.first[v];
		uint32_t of = groups.first[v + 1] - groups.first[v];

		if (of > 0)
			name[n++] = without_digits(tv_pool_text(tasks->pool, v));
		tv_sort_rows(tasks, row, of);
		for (uint32_t i = 1; i < of && alone; i++)
			alone = tasks->start[row[i]] >= tasks->end[row[i - 1]];
	}
	alone = are_numbered(name, n) && alone && rows / 4 >= n;
	tv_groups_release(&groups);
	tv_free(name);
	tv_free(value);
	return alone;
}

bool tv_looks_swapped(const struct tv_tasks *tasks, const struct tv_overlaps *overlaps)
{
	return overlaps->n >= tasks->n / 10 && overlaps->n > 0 && !workers_are_numbered(tasks)
	    && values_are_workers(tasks);
}
