/* SPDX-License-Identifier: GPL-3.0-or-later */
/* members.h -- the workers of a machine by type. */
#ifndef TV_SIM_MEMBERS_H
#define TV_SIM_MEMBERS_H

#include "sim/engine.h"

/* The workers of type t are worker[first[t]] to worker[first[t + 1] - 1], by number; owned. */
struct tv_sim_members {
	uint32_t *first, *worker;
	uint32_t *place; /* by worker: where it is in `worker` */
};

/* Cost O(workers + types). */
void tv_sim_members_init(struct tv_sim_members *members, const struct tv_sim_machine *machine);
void tv_sim_members_release(struct tv_sim_members *members);

/* The smallest number of a worker of that type from `from` on; UINT32_MAX: none. O(log workers). */
uint32_t tv_sim_next_member(const struct tv_sim_members *members, uint32_t type, uint32_t from);

#endif
