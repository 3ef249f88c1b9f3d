/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instead.h -- what can be asked of a trace that has no tasks. */
#ifndef TV_INSTEAD_H
#define TV_INSTEAD_H

#include "trace/trace.h"

/*
 * Names, for each table of the trace, the verbs that use it, and for states and variables the types that exist:
 * "it has calls (callprofile, wait-states), states (...)". Never NULL; to be freed. Cost O(rows).
 */
char *tv_instead_of_tasks(const struct tv_trace *trace);

#endif
