/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offers.h -- which workers may find a task that they found none before.
 *
 * A worker that looked for a task in vain need not look again before something stirs it: it ends a
 * task, a task is released that only it may take, or one that all workers of its type may take. So
 * an instant costs as many looks as workers take tasks or are stirred, not as many as are idle.
 */
#ifndef TV_SIM_OFFERS_H
#define TV_SIM_OFFERS_H

#include "sim/engine.h"

struct tv_sim_offers;
struct tv_sim_members; /* sim/members.h */

/* may_take: as in struct tv_sim_options. All are borrowed. */
struct tv_sim_offers *tv_sim_offers_new(const struct tv_sim_machine *machine,
					const struct tv_sim_members *members,
					const uint32_t *may_take);
void tv_sim_offers_free(struct tv_sim_offers *offers);

/* The worker may find a task now. */
void tv_sim_stir_worker(struct tv_sim_offers *offers, uint32_t worker);
/* Every worker of the type may. */
void tv_sim_stir_type(struct tv_sim_offers *offers, uint32_t type);

/* The worker has taken a node; has ended one, which stirs it. */
void tv_sim_offers_taken(struct tv_sim_offers *offers, uint32_t worker);
void tv_sim_offers_ended(struct tv_sim_offers *offers, uint32_t worker);

struct tv_sim_queues;
/*
 * The next worker that is to look for a task, with room for one more; UINT32_MAX = all have, and
 * none is stirred any more. Those that have taken no node come first, in the order of their number,
 * then those that have taken one, and so on. Cost O(1), besides the types that are stirred,
 * and a look at 64 workers at once for all between two that look.
 */
uint32_t tv_sim_offers_next(struct tv_sim_offers *offers, const struct tv_sim_queues *queues);

#endif
