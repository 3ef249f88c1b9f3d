/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle.h -- when the workers of a run were idle and why, for those that blame something for it. */
#ifndef TV_SHARED_IDLE_H
#define TV_SHARED_IDLE_H

#include "analysis/core/run.h"
#include "dag/blame.h"

struct tv_run_idle {
	struct tv_waits waits;
	bool any; /* each worker could run all tasks */
	struct tv_fetches fetches;
	struct tv_idle_spans spans;
	int64_t bound[2]; /* the run, or its part in the window, ns */
	int64_t *time;	  /* of that, as tv_idle_slice has it */
};

/* Computed at the first call, kept with the run, which owns it. With too many types of workers
 * (dag/waits.h) as if each could run all tasks, and a warning. NULL with *err: a cycle, an empty
 * window. Cost: that of tv_idle_sweep. */
const struct tv_run_idle *tv_run_idle(struct tv_run *run, struct tv_error *err);
/* The same, but NULL with *err, and nothing kept, where there are too many types of workers. */
const struct tv_run_idle *tv_run_idle_exact(struct tv_run *run, struct tv_error *err);

#endif
