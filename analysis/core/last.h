/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * last.h -- the last dependencies of a run's tasks, and tasks that begin before these have ended.
 *
 * With such tasks dependencies or times are wrong, or the program did not keep what the trace calls a dependency.
 */
#ifndef TV_LAST_H
#define TV_LAST_H

#include "analysis/core/run.h"
#include "dag/dag.h"

struct tv_last {
	uint32_t *of, *step; /* by node of the graph: as tv_dag_last and tv_dag_steps give them */
	struct tv_arrival *how; /* by node: of its last dependency */
};

/* Those of the graph of the run, which keeps them. Cost O(V + E), once. */
const struct tv_last *tv_run_last(struct tv_run *run, const struct tv_dag *dag);

struct tv_early {
	uint32_t
		n; /* nodes of the graph that begin more than 1 us before their last dependency ended */
	uint32_t
		node; /* the one that begins earliest before that, the first of equal ones; TV_NONE = none */
	int64_t by; /* ns, by how much */
};

/* Of the graph of the run, which keeps it, but not what it is found from. Cost O(V + E), once. */
const struct tv_early *tv_run_early(struct tv_run *run, const struct tv_dag *dag);

#endif
