/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulated_memory.h -- memory nodes, links and data accesses of a simulation (sim/memory.h).
 *
 * The i-th worker of a type is on the memory node of the i-th recorded one. A worker beyond these
 * has a memory node of its own, if those of its type have, and those of a type that no memory node
 * is known of unless it is CPU. A handle is first where it was registered, else in main memory.
 */
#ifndef TV_SIMULATED_MEMORY_H
#define TV_SIMULATED_MEMORY_H

#include "sim/memory.h"
#include "sim/model/simulator.h"

struct tv_simulated_worker;

struct tv_simulated_memory {
	bool simulated; /* else transfers take no time, and the rest is empty */
	bool fitted;
	struct tv_sim_memory memory;
	char **name;				  /* by memory node */
	const struct tv_simulated_accesses *data; /* of the simulator */
	/* Other arrays of `memory`. */
	uint32_t *of_worker, *home;
	struct tv_sim_link *link;
	int64_t *capacity;
};

/* Whether a text is what tv_simulated_memory_init takes as transfers; NULL is. -1 with *err (usage). */
int tv_simulated_memory_check(const char *given, struct tv_error *err) TV_MUST_CHECK;
/*
 * transfers: "free", "fit" or "latency=T,bandwidth=B", the latter two with ",bus=B" or ",bus=fit" (the
 * greatest sum of the mean rates of recorded transfers); NULL = fit if the run can be fitted, else free.
 * For fit each link has the line below its recorded
 * transfers (tv_network_fit), one of a single size only a bandwidth; a link without transfers has
 * that of its kind (to, from, between other memory nodes than main memory). Between two that are not
 * main memory there is no link if no transfer of the run was of this kind. -1 with *err: not
 * understood; nothing to fit, no accesses, several nodes.
 */
int tv_simulated_memory_init(struct tv_simulated_memory *memory, struct tv_simulator *simulator,
			     const char *transfers, const struct tv_simulated_worker *worker,
			     uint32_t nworkers, struct tv_error *err) TV_MUST_CHECK;
void tv_simulated_memory_release(struct tv_simulated_memory *memory); /* safe on a zeroed struct */

#endif
