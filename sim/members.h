/* SPDX-License-Identifier: GPL-3.0-or-later */
/* members.h -- the workers of a machine by type, and sets of them, a bit each. */
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

/* A set of n numbers below n, all out of it; free with tv_free. */
uint64_t *tv_sim_set_new(uint32_t n);
static inline void tv_sim_set_put(uint64_t *set, uint32_t i, bool in)
{
	uint64_t bit = UINT64_C(1) << i % 64;

	set[i / 64] = in ? set[i / 64] | bit : set[i / 64] & ~bit;
}
/* The smallest number in [from, end) that is in the set, and in the second one if that is not NULL; `end`:
 * none. Cost O((end - from) / 64). */
uint32_t tv_sim_set_next(const uint64_t *set, const uint64_t *and, uint32_t from, uint32_t end);

#endif
