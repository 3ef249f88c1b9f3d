/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first_free.h -- which of the workers that can run a task is free first. */
#ifndef TV_SIM_FIRST_FREE_H
#define TV_SIM_FIRST_FREE_H

#include "sim/engine.h"

struct tv_sim_first_free;
struct tv_sim_members; /* sim/members.h */

/* All workers are free at 0. Both are borrowed. */
struct tv_sim_first_free *tv_sim_first_free_new(const struct tv_sim_machine *machine,
						const struct tv_sim_members *members);
void tv_sim_first_free_free(struct tv_sim_first_free *first_free); /* NULL is none */

/* The worker is free from that time on, ns >= 0; INT64_MAX = it is not there. Cost O(log workers). */
void tv_sim_free_at(struct tv_sim_first_free *first_free, uint32_t worker, int64_t time);
/* Of the workers that can run a group, the one that is free first; of equal ones the one with the smallest number; UINT32_MAX =
 * none is there. Cost O(log workers) for each type that can run it. */
uint32_t tv_sim_first_free(const struct tv_sim_first_free *first_free, uint32_t group);

#endif
