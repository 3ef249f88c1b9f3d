/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.c -- counted tasks grouped by columns that the user names, groups in natural order. */
#include "analysis/shared/keys.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/shared/columns.h"
#include "analysis/shared/grouping.h"
#include "trace/alloc.h"
#include "trace/text.h"

static int compare_cells(const struct tv_column *c, uint32_t a, uint32_t b)
{
	bool none = tv_missing(c, a);
	size_t n, m;
	const char *s, *t;

	if (none || tv_missing(c, b))
		return none - tv_missing(c, b);
	switch (c->type) {
	case TV_TIME:
	case TV_INT:
		return (c->i[a] > c->i[b]) - (c->i[a] < c->i[b]);
	case TV_DOUBLE:
		return (c->d[a] > c->d[b]) - (c->d[a] < c->d[b]);
	case TV_LABEL:
		return tv_natural_order(tv_pool_text(c->pool, tv_label(c, a)),
					tv_pool_text(c->pool, tv_label(c, b)));
	default:
		s = tv_string(c, a, &n);
		t = tv_string(c, b, &m);
		return memcmp(s, t, n < m ? n : m) != 0 ? memcmp(s, t, n < m ? n : m)
							: (n > m) - (n < m);
	}
}

/* Groups by their first rows' keys; missing ones last. */
static int by_keys(const void *a, const void *b, void *data)
{
	const struct tv_keys *keys = data;
	uint32_t x = keys->groups.row[keys->groups.first[*(const uint32_t *)a]];
	uint32_t y = keys->groups.row[keys->groups.first[*(const uint32_t *)b]];
	int order = 0;

	for (size_t i = 0; i < keys->n && order == 0; i++)
		order = compare_cells(keys->key[i], x, y);
	return order != 0 ? order : (x > y) - (x < y);
}

static void copy_cell(struct tv_column *to, uint32_t at, const struct tv_column *from, uint32_t row)
{
	const char *text;
	size_t n;

	if (tv_missing(from, row))
		return;
	switch (from->type) {
	case TV_TIME:
	case TV_INT:
		tv_set_int(to, at, from->i[row]);
		return;
	case TV_DOUBLE:
		tv_set_double(to, at, from->d[row]);
		return;
	case TV_LABEL:
		tv_set_label(to, at, tv_label(from, row));
		return;
	default:
		text = tv_string(from, row, &n);
		tv_set_string(to, at, text, n);
		return;
	}
}

void tv_keys_write(const struct tv_keys *keys, uint32_t i, uint32_t row)
{
	uint32_t n, first = tv_keys_rows(keys, i, &n)[0];

	for (size_t k = 0; k < keys->n; k++)
		copy_cell(keys->copy[k], row, keys->key[k], first);
}

/* The columns named, first of the result. */
static int add_keys(struct tv_keys *keys, const struct tv_tasks *tasks, const char *names,
		    const char *option, struct tv_table *out, struct tv_error *err)
{
	while (*names != '\0') {
		const struct tv_column *key = tv_grouping_column(tasks, &names, option, err);

		if (key == NULL)
			return -1;
		if (keys->n == TV_GROUP_COLUMNS_MAX)
			return tv_fail_usage(err, "--%s: at most %d columns", option,
					     TV_GROUP_COLUMNS_MAX);
		if (tv_table_find(out, key->name) != NULL)
			return tv_fail_usage(err, "--%s names column '%s' twice", option,
					     key->name);
		keys->key[keys->n] = key;
		keys->copy[keys->n] = tv_table_column(out, key->name, key->type, err);
		if (keys->copy[keys->n++] == NULL)
			return -1;
	}
	return 0;
}

int tv_keys_init(struct tv_keys *keys, const struct tv_tasks *tasks, const char *names,
		 const char *option, struct tv_table *out, struct tv_error *err)
{
	struct tv_grouping grouping;

	*keys = (struct tv_keys){ 0 };
	if (add_keys(keys, tasks, names, option, out, err) < 0
	    || tv_grouping_init(&grouping, tasks, names, option, out->pool, err) < 0)
		return -1;
	tv_groups_init(&keys->groups, grouping.group, tasks->n, grouping.n);
	tv_grouping_release(&grouping);
	keys->order = tv_alloc(keys->groups.n, sizeof *keys->order);
	for (uint32_t i = 0; i < keys->groups.n; i++)
		keys->order[i] = i;
	qsort_r(keys->order, keys->groups.n, sizeof *keys->order, by_keys, keys);
	return 0;
}

void tv_keys_release(struct tv_keys *keys)
{
	tv_groups_release(&keys->groups);
	tv_free(keys->order);
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
