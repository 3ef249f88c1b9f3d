/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.c -- rows by group: a counting sort. */
#include "trace/groups.h"

#include "trace/alloc.h"

void tv_groups_init(struct tv_groups *groups, const uint32_t *group, uint32_t n, uint32_t ngroups)
{
	uint32_t *first = tv_alloc((size_t)ngroups + 1, sizeof *first);
	uint32_t *row = tv_realloc(NULL, n, sizeof *row);

	*groups = (struct tv_groups){ ngroups, first, row };
	for (uint32_t r = 0; r < n; r++)
		if (group[r] != TV_NONE)
			first[group[r] + 1]++;
	for (uint32_t g = 0; g < ngroups; g++)
		first[g + 1] += first[g];
	for (uint32_t r = 0; r < n; r++)
		if (group[r] != TV_NONE)
			row[first[group[r]]++] = r;
	/* Every first[g] has moved to the begin of g + 1. */
	for (uint32_t g = ngroups; g > 0; g--)
		first[g] = first[g - 1];
	first[0] = 0;
}

uint32_t tv_groups_max(const struct tv_groups *groups)
{
	uint32_t max = 0;

	for (uint32_t g = 0; g < groups->n; g++)
		if (groups->first[g + 1] - groups->first[g] > max)
			max = groups->first[g + 1] - groups->first[g];
	return max;
}

void tv_groups_release(struct tv_groups *groups)
{
	tv_free(groups->first);
	tv_free(groups->row);
	*groups = (struct tv_groups){ 0 };
}
