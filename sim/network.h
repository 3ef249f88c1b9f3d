/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * network.h -- transfers that share the links of a platform, as fluids.
 *
 * Each flow has a rate. The rates are max-min fair: none can grow without making one that is not
 * greater smaller. A shared link's bandwidth limits the sum of the flows that cross it, in whatever
 * direction; a splitduplex link's the sum in each direction; a fatpipe link's each flow by itself. A
 * flow that crosses a link twice counts twice. With cross-traffic a flow also counts 5 % on each link
 * of its way back that is not fatpipe. There is neither latency nor a start-up. This is SimGrid's model LV08 with
 * bandwidth-factor 1, latency-factor 0, weight-S 0 and TCP-gamma -1 [P. Velho, A. Legrand, 2009].
 *
 * When flows begin or end, only those are solved again that are connected to them by links that can be
 * full, and whose rates can change (sim/sharing.c).
 *
 * What remains of a flow is a whole number of 2^-76 bytes, and what passes in 2^-10 ns (a tick, about a
 * picosecond) another one, rounded once from the rate that was solved. So remains are exact, no matter
 * into how many intervals a flow is cut. A flow ends at the first tick at which at most 2^-50 of its
 * bytes remain, which rounded rates can leave; the others share what it leaves from then on. Its end is
 * reported at the next whole ns.
 */
#ifndef TV_SIM_NETWORK_H
#define TV_SIM_NETWORK_H

#include "sim/platform.h"

#define TV_SIM_MAX_BYTES ((int64_t)1 << 50)
#define TV_SIM_NEVER	 INT64_MAX

struct tv_sim_network;

/* The platform is borrowed. */
struct tv_sim_network *tv_sim_network_new(const struct tv_platform *platform, bool crosstraffic);
void tv_sim_network_free(struct tv_sim_network *network); /* accepts NULL */

/* From now on each time in which a flow had one rate is reported once it is over: bytes that passed, > 0,
 * between two times in ns. */
typedef void tv_sim_network_passed(void *context, uint32_t flow, double from, double to,
				   double bytes);
void tv_sim_network_on_passed(struct tv_sim_network *network, tv_sim_network_passed *passed,
			      void *context);

/*
 * Begins a flow of 0 to TV_SIM_MAX_BYTES bytes at `now`, which never decreases. Flows that end until then
 * end first. `back`: the route of the opposite direction, needed with cross-traffic only. Returns
 * the number of the flow; numbers of flows that were taken are used again.
 */
uint32_t tv_sim_network_start(struct tv_sim_network *network, const struct tv_route *route,
			      const struct tv_route *back, int64_t bytes, int64_t now);
/* When the next flow ends, given what was started and taken so far; TV_SIM_NEVER if none does. */
int64_t tv_sim_network_next(struct tv_sim_network *network);
/* Takes out a flow that has ended at `now`: in the order of ends, those of one tick in the order in
 * which they began; TV_NONE = no more. After that, tv_sim_network_next may give `now` again. */
uint32_t tv_sim_network_take(struct tv_sim_network *network, int64_t now);
/* Bytes/s, now; infinite if nothing limits it, 0 if the flow has ended. */
double tv_sim_network_rate(struct tv_sim_network *network, uint32_t flow);
/* Bytes/s that cross a link, or one direction of a splitduplex one. Cost O(flows on it). */
double tv_sim_network_load(struct tv_sim_network *network, struct tv_hop hop);

struct tv_sim_network_work {
	uint64_t flows;	 /* started */
	uint64_t solves; /* instants at which shares were solved */
	uint64_t solved; /* flows in them, in sum */
};

struct tv_sim_network_work tv_sim_network_work(const struct tv_sim_network *network);

#endif
