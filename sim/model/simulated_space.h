/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_space.h -- memory nodes of limited size: the option, and their use as tables of a trace. */
#ifndef TV_SIMULATED_SPACE_H
#define TV_SIMULATED_SPACE_H

#include "sim/model/simulation.h"

/* Whether a text is such limits; NULL is. -1 with *err (usage). */
int tv_simulated_limits_check(const char *limits, struct tv_error *err) TV_MUST_CHECK;
/*
 * limits: "CUDA=8GB,...", bytes of each memory node on which a worker of the type is; of several types
 * on one memory node the smallest. The memory of *m is complete but for its capacity, which this sets.
 * -1 with *err: not understood, a type in main memory, a task whose data alone are more.
 */
int tv_simulated_limits_init(struct tv_simulated_memory *m, const struct tv_simulator *simulator,
			     const char *limits, const struct tv_simulated_worker *worker,
			     uint32_t nworkers, struct tv_error *err) TV_MUST_CHECK;
/* Variables: MiB used on each memory node with a limit, over time. */
void tv_simulated_uses_write(const struct tv_simulation *simulation, struct tv_trace *out);

#endif
