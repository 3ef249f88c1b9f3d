/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulated_traffic.h -- what a simulation on a platform says about memory, as tables of a trace:
 * transfers (links), what workers did (states), bandwidths and caches over time (variables).
 */
#ifndef TV_SIMULATED_TRAFFIC_H
#define TV_SIMULATED_TRAFFIC_H

#include "sim/model/simulation.h"

/*
 * worker_label: by worker. links: every transfer, from host to host. states: Read, Compute, Write of each
 * task, else Idle, from the start of the first task to the end of the last one. variables, by slice: GB/s on every link that
 * something crossed (the integral of the rates of its transfers) and its share of the bandwidth, except on fatpipe links, bytes in each
 * cache at the end of a slice, and the hits, misses and evictions in it. Slices are those of sim/traffic.h; the last one ends with the
 * last event. Needs a platform whose memory was simulated.
 */
void tv_simulated_traffic_write(const struct tv_simulation *simulation,
				const uint32_t *worker_label, struct tv_trace *out);

#endif
