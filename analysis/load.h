/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load.h -- how long each worker computes in each step of time.
 */
#ifndef TV_LOAD_H
#define TV_LOAD_H

#include "analysis/passes.h"

/*
 * Steps [begin + s step, begin + (s + 1) step), the last one up to end: a shorter one counts with
 * its own length. All workers of the view, in its order, also those without tasks.
 */
struct tv_load {
	int64_t begin, end;	/* of the run, or of the window within it; ns */
	int64_t step;
	uint32_t nsteps, nworkers;
	int64_t *busy;	/* nsteps x nworkers: union of the counted tasks' time, ns */
};

/* step: "auto" (a hundredth), "run" (one step) or a time, from the option --step. -1 with *err: no
 * such time, more than 2^32 cells, a window outside of the run, memory. A run of length 0 has no
 * steps. Cost O(tasks log tasks + cells). */
int tv_load_init(struct tv_load *load, const struct tv_run *run, const char *step,
		 struct tv_error *err) TV_MUST_CHECK;
void tv_load_release(struct tv_load *load);	/* safe on a zeroed struct */

static inline int64_t tv_load_begin(const struct tv_load *load, uint32_t s)
{
	return load->begin + (int64_t)s * load->step;
}

static inline int64_t tv_load_end(const struct tv_load *load, uint32_t s)
{
	return s + 1 == load->nsteps ? load->end : tv_load_begin(load, s + 1);
}

#endif
