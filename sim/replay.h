/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h -- the recorded order of the workers, and its simulation without events. */
#ifndef TV_SIM_REPLAY_H
#define TV_SIM_REPLAY_H

#include "sim/engine.h"

/* The nodes that are work, by worker, then recorded start, then rank, into sequence (an array of n);
 * those of worker w begin at first[w] (an array of nworkers + 1). Cost O(n). */
void tv_sim_recorded_order(const struct tv_sim_graph *graph, const struct tv_sim_machine *machine,
			   const struct tv_sim_recorded *recorded, uint32_t *sequence,
			   uint32_t *first);

/*
 * What tv_simulate finds for the scheduler `replay` where nothing but the graph, submission and the
 * worker delays a task: no memory, numa, window, exclusion or created nodes. Each task starts when
 * what it depends on and the task before it on its worker have ended, so one walk over the graph
 * replaces the events. False, with nothing in *schedule: the options have one of these, or the
 * tasks cannot all start; tv_simulate does it, or says why not. Cost O(V + E).
 */
bool tv_sim_replay(const struct tv_sim_graph *graph, const struct tv_sim_machine *machine,
		   const struct tv_sim_options *options, struct tv_sim_schedule *schedule);

#endif
