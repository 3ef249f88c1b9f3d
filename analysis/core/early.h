/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * early.h -- tasks that begin before what they depend on has ended.
 *
 * In such a trace dependencies or times are wrong, or the program did not keep what the trace calls a dependency.
 */
#ifndef TV_EARLY_H
#define TV_EARLY_H

#include "dag/dag.h"

struct tv_early {
	uint32_t
		n; /* nodes of the graph that begin more than 1 us before their last dependency ended */
	uint32_t
		node; /* the one that begins earliest before that, the first of equal ones; TV_NONE = none */
	int64_t by; /* ns, by how much */
};

/* Cost O(V + E). */
struct tv_early tv_early_find(const struct tv_dag *dag);

#endif
