/* SPDX-License-Identifier: GPL-3.0-or-later */
/* executions.h -- counting executions by the rows (segments) that they consist of. */
#ifndef TV_EXECUTIONS_H
#define TV_EXECUTIONS_H

#include "trace/map.h"
#include "trace/tasks.h"

/* Whether a row is the first one of its execution that a group meets; *met remembers it. O(1). */
static inline bool tv_meets_execution(struct tv_map *met, const struct tv_tasks *tasks,
				      uint64_t group, uint32_t row)
{
	uint32_t *first;

	if (tasks->whole == NULL)
		return true;
	first = tv_map_at(met, group, tasks->whole[row]);
	if (*first != TV_NONE)
		return false;
	*first = row;
	return true;
}

#endif
