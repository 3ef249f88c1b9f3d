/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regions.h -- --task-state: which states, or regions of a thread, are tasks. */
#ifndef TV_REGIONS_H
#define TV_REGIONS_H

#include "trace/trace.h"

/* Whether a value of --task-state is an expression over the columns of states, and no list of types. */
bool tv_regions_is_expression(const char *text);
/* Marks the rows of a table like states (Type, Value, ...) for which --task-state holds; a list names types or values, where *
 * and ? match. -1 with *err (usage), also where it holds for none: the names that exist. */
int tv_regions_choose(const struct tv_table *states, const char *text, bool *chosen,
		      struct tv_error *err) TV_MUST_CHECK;
/* Moves those states of a trace to its tasks. */
int tv_regions_to_tasks(struct tv_trace *trace, const char *text,
			struct tv_error *err) TV_MUST_CHECK;

#endif
