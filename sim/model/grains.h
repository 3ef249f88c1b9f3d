/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grains.h -- which tasks of a run are merged or divided (regrain.c), and the trace of that (grains_trace.c). */
#ifndef TV_GRAINS_H
#define TV_GRAINS_H

#include "dag/dag.h"

struct tv_grains {
	const struct tv_tasks *tasks;
	const struct tv_dag *dag;
	struct tv_pool *pool;
	uint32_t type; /* label */
	uint32_t only; /* node: of the type only that; TV_NONE = all */
	uint32_t k;
	bool split;
	bool *fits;	  /* by node: its grain can change */
	uint32_t *into;	  /* by node: the one that it is merged into, else itself */
	int64_t *submit;  /* by node: its new submission, ns */
	int64_t *between; /* by node: of parts, from one submission to the next, ns */
	bool *awaited;	  /* by node: something depends on it */
	uint32_t *seen;	  /* by node: the last one for which it was listed, + 1 */
	uint32_t *list;	  /* labels, of one node */
	char *mark;	  /* between a job and the number of its part; in no name of a job */
};

/* The node after whose end one was submitted; TV_NONE = none. */
static inline uint32_t tv_grains_after(const struct tv_dag *dag, uint32_t v)
{
	return dag->after == NULL ? TV_NONE : dag->after[v];
}

/* The changed tasks, and all workers. Initializes *out, which the caller releases in any case. -1 with *err. */
int tv_grains_trace(struct tv_grains *w, struct tv_trace *out, struct tv_error *err) TV_MUST_CHECK;

#endif
