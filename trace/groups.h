/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.h -- rows sorted by a group that each belongs to. */
#ifndef TV_GROUPS_H
#define TV_GROUPS_H

#include <stdint.h>

#include "trace/error.h"
#include "trace/pool.h"

/* Rows by group: those of group g are row[first[g]] .. row[first[g + 1] - 1], ascending. */
struct tv_groups {
	uint32_t n;
	uint32_t *first; /* n + 1 */
	uint32_t *row;
};

/* group[row] < ngroups, or TV_NONE = in none. Cost O(n + ngroups). */
void tv_groups_init(struct tv_groups *groups, const uint32_t *group, uint32_t n, uint32_t ngroups);
/* Rows of the largest group; 0 without groups. */
uint32_t tv_groups_max(const struct tv_groups *groups);
void tv_groups_release(struct tv_groups *groups); /* safe on a zeroed struct */

#endif
