/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle.c -- when the workers of a run were idle and why. */
#include "analysis/core/idle.h"

#include <string.h>

#include "analysis/core/curves.h"
#include "trace/alloc.h"

static void release(void *data)
{
	struct tv_run_idle *idle = data;

	tv_idle_spans_release(&idle->spans);
	tv_fetches_release(&idle->fetches);
	tv_waits_release(&idle->waits);
	tv_free(idle->time);
	tv_free(idle);
}

static void keep_slice(void *to, int64_t begin, const int64_t *time)
{
	struct tv_run_idle *idle = to;
	size_t n = (size_t)idle->waits.dag->tasks->nworkers * TV_IDLE_NCAUSES;

	(void)begin;
	idle->time = tv_alloc(n, sizeof *idle->time);
	memcpy(idle->time, time, n * sizeof *time);
}

static const struct tv_run_idle *find(struct tv_run *run, bool exact, struct tv_error *err)
{
	static const char kept;
	struct tv_run_idle *idle = tv_run_kept(run, &kept);
	const struct tv_dag *dag = idle != NULL && !exact ? NULL : tv_run_dag(run, err);
	struct tv_error too_many = { 0 };
	struct tv_waits waits;
	int64_t bound[2];

	if (idle != NULL && !(exact && idle->any))
		return idle;
	if (dag == NULL || tv_run_interval(run, &bound[0], &bound[1], err) < 0)
		return NULL;
	if (tv_waits_init(&waits, dag, false, exact ? err : &too_many) < 0) {
		if (exact)
			return NULL;
		tv_run_warn(run,
			    "too many types of workers ran different task types: waits of messages "
			    "and transfers are as if each could run all tasks");
		tv_waits_init_any(&waits, dag);
	}
	tv_waits_find_loops(&waits);
	idle = tv_alloc(1, sizeof *idle);
	idle->any = too_many.status != 0;
	idle->waits = waits;
	idle->bound[0] = bound[0];
	idle->bound[1] = bound[1];
	tv_fetches_init(&idle->fetches, &idle->waits);
	tv_idle_sweep(&idle->waits, &idle->fetches, bound, 1, keep_slice, idle, &idle->spans);
	tv_run_keep(run, &kept, idle, release);
	return idle;
}

const struct tv_run_idle *tv_run_idle(struct tv_run *run, struct tv_error *err)
{
	return find(run, false, err);
}

const struct tv_run_idle *tv_run_idle_exact(struct tv_run *run, struct tv_error *err)
{
	return find(run, true, err);
}
