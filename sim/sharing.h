/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sharing.h -- max-min fair shares of resources, solved again where something changed.
 *
 * A flow uses a weight > 0 of some resources per unit of its rate, and may have a bound. The rates
 * are the greatest for which each resource's sum of weight times rate is at most its capacity and no
 * rate can grow without making one that is not greater smaller. Solved by filling: all rates grow
 * together; those whose bound or one of whose resources is reached stay [Bertsekas, Gallager, "Data
 * Networks", 1992, 6.5.2].
 *
 * For sim/network.c, which numbers flows and resources from 0.
 */
#ifndef TV_SIM_SHARING_H
#define TV_SIM_SHARING_H

#include "sim/network.h"

struct tv_sharing;

struct tv_sharing *tv_sharing_new(uint32_t nresources);
void tv_sharing_free(struct tv_sharing *sharing);
void tv_sharing_set_capacity(struct tv_sharing *sharing, uint32_t resource, double capacity);

/* A new flow that uses nothing; its number is not in use, and at most the greatest ever + 1. */
void tv_sharing_add(struct tv_sharing *sharing, uint32_t flow);
/* Before the next solve: it uses a resource (several times: the sum), its rate is bounded. */
void tv_sharing_use(struct tv_sharing *sharing, uint32_t flow, uint32_t resource, double weight);
void tv_sharing_bound(struct tv_sharing *sharing, uint32_t flow, double bound);
/* Once all that is said: it begins. */
void tv_sharing_begin(struct tv_sharing *sharing, uint32_t flow);
void tv_sharing_remove(struct tv_sharing *sharing, uint32_t flow);

/*
 * Solves for all flows that are connected by resources with one that was added or removed, and calls
 * on_rate for those whose rate is new. A resource that could not be full if all of its flows had the
 * greatest rate that they can have alone connects nothing. Cost O(U log U) in the number U of uses by these flows.
 */
void tv_sharing_solve(struct tv_sharing *sharing,
		      void (*on_rate)(void *context, uint32_t flow, double rate), void *context);
double tv_sharing_rate(const struct tv_sharing *sharing, uint32_t flow); /* INFINITY: no limit */
double tv_sharing_load(const struct tv_sharing *sharing, uint32_t resource);
struct tv_sim_network_work tv_sharing_work(const struct tv_sharing *sharing); /* without flows */

#endif
