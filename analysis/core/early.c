/* SPDX-License-Identifier: GPL-3.0-or-later */
/* early.c -- tasks that begin before what they depend on has ended. */
#include "analysis/core/early.h"

#include "trace/alloc.h"

/* Traces of microseconds have times that are off by as much. */
enum { UNIT_NS = 1000 };

struct tv_early tv_early_find(const struct tv_dag *dag)
{
	struct tv_early early = { .node = TV_NONE, .by = UNIT_NS };
	uint32_t *last = tv_alloc(dag->n, sizeof *last);
	struct tv_arrival *how = tv_alloc(dag->n, sizeof *how);

	tv_dag_last(dag, last, how);
	for (uint32_t v = 0; v < dag->n; v++) {
		int64_t by = last[v] == TV_NONE || !dag->timed[v] ? 0 : how[v].time - dag->start[v];

		early.n += by > UNIT_NS;
		if (by > early.by) {
			early.by = by;
			early.node = v;
		}
	}
	tv_free(last);
	tv_free(how);
	return early;
}
