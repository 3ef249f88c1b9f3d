/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moved.h -- simulations in which what was submitted after a wait for all tasks moves with the end of these. */
#ifndef TV_DIAGNOSE_MOVED_H
#define TV_DIAGNOSE_MOVED_H

#include "sim/model/simulation.h"

/* The first submissions after waits of a node for all its tasks, by node, then ascending; owned. */
struct tv_restarts {
	uint32_t n;
	int64_t *from; /* ns */
	uint32_t *node;
	int64_t delay; /* from these to the first starts after them, in sum; of the node where that is longest */
};

/*
 * The makespan of `changed`, a copy of `was` in which tasks or workers are other ones, with these options. Between two waits of a node, its tasks
 * are submitted as much earlier or later than in the run as the ends of all its tasks before them come, against a simulation of `was` with the same
 * scheduler. The graph has no SubmitAfter. Cost: a few simulations. -1 with *err.
 */
int tv_moved_makespan(const struct tv_restarts *moves, struct tv_simulator *was,
		      const struct tv_simulator *changed,
		      const struct tv_simulation_options *options, int64_t *makespan,
		      struct tv_error *err) TV_MUST_CHECK;
/* The makespan of a replay of the run in which each part is submitted as long after the ends of those before as in the run: without what is
 * between tasks, which one with the recorded times of submission keeps. */
int tv_moved_replay(const struct tv_restarts *moves, struct tv_simulator *simulator,
		    int64_t *makespan, struct tv_error *err) TV_MUST_CHECK;
/* The makespan if the program waited for no tasks, and submitted as fast as it does else. */
int tv_moved_unwaited(const struct tv_restarts *moves, struct tv_simulator *simulator,
		      const char *scheduler, int64_t *makespan, struct tv_error *err) TV_MUST_CHECK;
/* The makespan if tasks are submitted at once, at the start and after each wait, which the program keeps. */
int tv_moved_at_once(const struct tv_restarts *moves, struct tv_simulator *simulator,
		     const char *scheduler, int64_t *makespan, struct tv_error *err) TV_MUST_CHECK;

#endif
