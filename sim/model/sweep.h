/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h -- the same run simulated on machines that differ in the number of workers of one type. */
#ifndef TV_SWEEP_H
#define TV_SWEEP_H

#include "sim/model/simulation.h"

extern const struct tv_field tv_sweep_columns[];
extern const size_t tv_nsweep_columns;

/*
 * text: "CPU=1..64" or "CPU=1,2,4,8", numbers of workers on each node; schedulers: names with commas
 * between. options->on.model: models likewise. repeats: simulations of each machine, with options->costs.seed and those that follow (above
 * 1 only if durations or places are drawn). timed: the CPU time of the simulations
 * is wanted, too. Fills *out (uninitialized on entry) with one row per scheduler, model and number. Other options
 * as for tv_simulation_init; without resources the other types have as many workers as recorded. -1
 * with *err.
 */
int tv_sweep(struct tv_run *run, const struct tv_simulation_options *options, const char *text,
	     const char *schedulers, uint32_t repeats, bool timed, struct tv_table *out,
	     struct tv_error *err) TV_MUST_CHECK;
/* Whether the numbers of workers have their form. -1 with *err (usage). */
int tv_sweep_check(const char *text, struct tv_error *err) TV_MUST_CHECK;

#endif
