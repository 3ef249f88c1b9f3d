/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grain_advice.h -- task types whose tasks are too small or too large.
 *
 * The run is simulated with what each task costs besides its duration (by type, the median delay of grain.h), by the policy that
 * comes nearest to it then; so are runs with other grains (sim/model/regrain.h). Tried are, of the types that take most time,
 * those of which that cost, or the submission of all, is at least a tenth (merged, unless tasks had no processor for a tenth
 * of their time), and the others where workers are idle for 5 % of their time or more (split).
 */
#ifndef TV_GRAIN_ADVICE_H
#define TV_GRAIN_ADVICE_H

#include "analysis/core/run.h"

struct tv_grain_advice {
	char *text, *options;	    /* options of simulate that give it */
	int64_t makespan, baseline; /* ns */
};

/* *advice: for each type the best grain, if it gains more than the distance of baseline to the run and 5 % of the run. Grains are
 * doubled while that gains 1 %. The texts and the array are the caller's. -1 with *err: as tv_simulator_init. Cost: that of at
 * most some hundred simulations; without types to try O(n log n). */
int tv_grain_advise(struct tv_run *run, struct tv_grain_advice **advice, size_t *n,
		    struct tv_error *err) TV_MUST_CHECK;

#endif
