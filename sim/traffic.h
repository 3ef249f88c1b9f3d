/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traffic.h -- the bytes that cross links, in slices of time.
 *
 * How long a simulation takes is known at its end only. So slices begin with 1 ns, and whenever there
 * would be more than TV_SIM_SLICES, each two become one: in the end there are more than half as many, if
 * the time is long enough.
 */
#ifndef TV_SIM_TRAFFIC_H
#define TV_SIM_TRAFFIC_H

#include "sim/platform.h"

enum { TV_SIM_SLICES = 256 };

struct tv_sim_traffic {
	int64_t begin, width; /* ns: slice i begins at begin + i * width; width is a power of two */
	uint32_t nlinks;
	double **
		bytes; /* by 2 * link + direction (tv_hop), then by slice; NULL = nothing crossed it */
};

void tv_sim_traffic_init(struct tv_sim_traffic *traffic, uint32_t nlinks, int64_t begin);
void tv_sim_traffic_release(struct tv_sim_traffic *traffic); /* safe on a zeroed struct */
/* Bytes cross the links of a route evenly between two times (ns), not before begin; those of one instant belong to the
 * slice that it ends. */
void tv_sim_traffic_add(struct tv_sim_traffic *traffic, const struct tv_route *route, double from,
			double to, double bytes);
/* Makes the slices reach a time. */
void tv_sim_traffic_reach(struct tv_sim_traffic *traffic, int64_t time);

#endif
