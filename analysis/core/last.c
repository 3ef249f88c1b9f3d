/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last.c -- the last dependencies of a run's tasks, and tasks that begin before these have ended. */
#include "analysis/core/last.h"

#include "trace/alloc.h"

/* Traces of microseconds have times that are off by as much. */
enum { UNIT_NS = 1000 };

static void release_last(void *kept)
{
	struct tv_last *last = kept;

	tv_free(last->of);
	tv_free(last->step);
	tv_free(last->how);
	tv_free(last);
}

const struct tv_last *tv_run_last(struct tv_run *run, const struct tv_dag *dag)
{
	static const char key;
	struct tv_last *last = tv_run_kept(run, &key);

	if (last != NULL)
		return last;
	last = tv_alloc(1, sizeof *last);
	last->of = tv_alloc(dag->n, sizeof *last->of);
	last->step = tv_alloc(dag->n, sizeof *last->step);
	last->how = tv_alloc(dag->n, sizeof *last->how);
	tv_dag_last(dag, last->of, last->how);
	tv_dag_steps(dag, last->of, last->step);
	tv_run_keep(run, &key, last, release_last);
	return last;
}

static void find_early(struct tv_early *early, const struct tv_dag *dag)
{
	uint32_t *last = tv_alloc(dag->n, sizeof *last);
	struct tv_arrival *how = tv_alloc(dag->n, sizeof *how);

	*early = (struct tv_early){ .node = TV_NONE, .by = UNIT_NS };
	tv_dag_last(dag, last, how);
	for (uint32_t v = 0; v < dag->n; v++) {
		int64_t by = last[v] == TV_NONE || !dag->timed[v] ? 0 : how[v].time - dag->start[v];

		early->n += by > UNIT_NS;
		if (by > early->by) {
			early->by = by;
			early->node = v;
		}
	}
	tv_free(last);
	tv_free(how);
}

const struct tv_early *tv_run_early(struct tv_run *run, const struct tv_dag *dag)
{
	static const char key;
	struct tv_early *early = tv_run_kept(run, &key);

	if (early == NULL) {
		early = tv_alloc(1, sizeof *early);
		find_early(early, dag);
		tv_run_keep(run, &key, early, tv_free);
	}
	return early;
}
