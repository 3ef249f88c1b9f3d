/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle.c -- when the workers of a run were idle and why. */
#include "analysis/core/idle.h"

#include "analysis/core/curves.h"
#include "trace/alloc.h"

static void release(void *data)
{
	struct tv_run_idle *idle = data;

	tv_idle_spans_release(&idle->spans);
	tv_fetches_release(&idle->fetches);
	tv_waits_release(&idle->waits);
	tv_free(idle);
}

const struct tv_run_idle *tv_run_idle(struct tv_run *run, struct tv_error *err)
{
	static const char kept;
	struct tv_run_idle *idle = tv_run_kept(run, &kept);
	const struct tv_dag *dag = idle != NULL ? NULL : tv_run_dag(run, err);
	struct tv_error too_many = { 0 };
	int64_t bound[2];

	if (idle != NULL)
		return idle;
	if (dag == NULL || tv_run_interval(run, &bound[0], &bound[1], err) < 0)
		return NULL;
	idle = tv_alloc(1, sizeof *idle);
	idle->bound[0] = bound[0];
	idle->bound[1] = bound[1];
	if (tv_waits_init(&idle->waits, dag, false, &too_many) < 0) {
		tv_run_warn(run,
			    "too many types of workers ran different task types: waits of messages "
			    "and transfers are as if each could run all tasks");
		tv_waits_init_any(&idle->waits, dag);
	}
	tv_fetches_init(&idle->fetches, &idle->waits);
	tv_idle_sweep(&idle->waits, &idle->fetches, bound, 1, NULL, NULL, &idle->spans);
	tv_run_keep(run, &kept, idle, release);
	return idle;
}
