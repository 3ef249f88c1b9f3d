/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.h -- counted tasks grouped by columns that the user names, one or more rows per group. */
#ifndef TV_KEYS_H
#define TV_KEYS_H

#include "trace/groups.h"
#include "trace/tasks.h"

enum { TV_GROUP_COLUMNS_MAX = 16 };

struct tv_keys {
	const struct tv_column *key[TV_GROUP_COLUMNS_MAX]; /* of tasks */
	struct tv_column *copy[TV_GROUP_COLUMNS_MAX];	   /* of the result */
	size_t n;
	struct tv_groups groups; /* rows of tasks, by the first row of each group */
	uint32_t *order;	 /* groups.n: natural order of the keys, missing ones last */
};

/* Groups the tasks by the columns `names` ("Value,ResourceType"; "" = all in one) and adds these to
 * out. option: its name, for messages. -1 with *err: no such column, one twice, memory. Release it
 * in any case. O(rows x names + groups log groups). */
int tv_keys_init(struct tv_keys *keys, const struct tv_tasks *tasks, const char *names,
		 const char *option, struct tv_table *out, struct tv_error *err) TV_MUST_CHECK;
void tv_keys_release(struct tv_keys *keys); /* safe on a zeroed struct */

/* Adds the columns behind the keys, of which none may have the same name: those of field i are
 * out->col[keys.n + i]. -1 with *err (exit status 2). */
int tv_keys_fields(struct tv_table *out, const char *option, const struct tv_field *field, size_t n,
		   struct tv_error *err) TV_MUST_CHECK;

/* The rows of the i-th group in order; at least one. */
static inline const uint32_t *tv_keys_rows(const struct tv_keys *keys, uint32_t i, uint32_t *n)
{
	const uint32_t *first = keys->groups.first + keys->order[i];

	*n = first[1] - first[0];
	return keys->groups.row + first[0];
}

/* Writes the keys of the i-th group into that row of the result. -1 on memory. */
void tv_keys_write(const struct tv_keys *keys, uint32_t i, uint32_t row);

#endif
