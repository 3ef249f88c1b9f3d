/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_accesses.h -- which data the tasks of a simulation read and write, and how large they are. */
#ifndef TV_SIMULATED_ACCESSES_H
#define TV_SIMULATED_ACCESSES_H

#include "analysis/core/run.h"
#include "sim/memory.h"
#include "trace/map.h"

struct tv_simulated_accesses {
	uint32_t nhandles;
	uint32_t *
		label; /* by handle, in the order of their first access by nodes of the graph; those of one node
			    in natural order */
	int64_t *
		size; /* bytes: the greatest that Sizes says, else what `handles` says, else what is
			  * assumed */
	uint32_t *first;	      /* n + 1: accesses of node v begin at access[first[v]] */
	struct tv_sim_access *access; /* each handle once per node, in the order of Handles */
	struct tv_index number;	      /* of a handle, by its label */
	uint32_t nunsized, nunsized_accesses; /* handles whose size is assumed; accesses to them */
};

/* Accesses (Handles, Modes, Sizes) of the nodes for which work[node] holds. A handle of
 * unknown size has `assumed` bytes; if that is negative, 0. */
void tv_simulated_accesses_init(struct tv_simulated_accesses *accesses, struct tv_run *run,
				const struct tv_dag *dag, const bool *work, int64_t assumed);
/* Warns of sizes that are 0 because nothing says them, and of an assumed size without effect. */
void tv_simulated_accesses_warn(const struct tv_simulated_accesses *accesses, struct tv_run *run,
				uint32_t nnodes, int64_t assumed);
void tv_simulated_accesses_release(struct tv_simulated_accesses *accesses); /* safe if zeroed */

#endif
