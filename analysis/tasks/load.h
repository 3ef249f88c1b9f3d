/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load.h -- how long each worker computes in each step of time.
 */
#ifndef TV_LOAD_H
#define TV_LOAD_H

#include "analysis/core/run.h"
#include "analysis/core/steps.h"

/*
 * Steps between multiples of a time; the first and the last one are cut, and count with their own
 * length. All selected workers in the order of figures, also those without tasks.
 */
struct tv_load {
	struct tv_slices steps; /* of the run, or of the window within it */
	uint32_t nsteps, nworkers;
	int64_t *busy; /* nsteps x nworkers: union of the counted tasks' time, ns */
};

/* --step, of passes about them. */
#define TV_STEP_LOAD_ROW \
	"step", "TIME|run|auto", "auto", \
		"steps between multiples of TIME; run = one step, auto = 1 % of the run", \
		TV_OPTION_TIME, 1, 0

/* The steps that the option --step asks for, of nrows rows each. -1 with *err as below. */
int tv_load_steps(const struct tv_run *run, const char *step, uint32_t nrows,
		  struct tv_slices *steps, uint32_t *nsteps, struct tv_error *err) TV_MUST_CHECK;
/* Reads rows by tv_run_rows; of a team, all processes have the sums of all. step: "auto" (a hundredth), "run" (one step) or a
 * time, from the option --step. -1 with *err: no such time, more than 2^32 cells, a window outside of the run. A run of length
 * 0 has no steps. Cost O(tasks log tasks + cells). */
int tv_load_init(struct tv_load *load, struct tv_run *run, const char *step,
		 struct tv_error *err) TV_MUST_CHECK;
void tv_load_release(struct tv_load *load); /* safe on a zeroed struct */

#endif
