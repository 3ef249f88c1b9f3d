/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan.h -- how the parts of a platform are joined, for a picture: its routes as a graph.
 *
 * A platform lists routes, not places. A link has two ends: what a route comes from before it, and
 * what it goes to behind it; ends that meet in some route are one place, a host, a router or a
 * junction without a name. A link that would join two different pairs of hosts or routers has no two
 * ends: it is a bus, a node to which all of them are wired. A backbone of a cluster is a bus, too.
 */
#ifndef TV_SIM_PLAN_H
#define TV_SIM_PLAN_H

#include "sim/platform.h"

struct tv_plan_node {
	uint32_t point; /* host or router; TV_NONE */
	uint32_t link;	/* bus, or a link of no route; TV_NONE */
	uint32_t zone;
	bool unused; /* a link of no route */
};

/* Links one behind the other; n = 0: a wire to a bus. */
struct tv_plan_edge {
	uint32_t from, to; /* nodes */
	size_t first;	   /* in tv_plan.link */
	uint32_t n;
};

struct tv_plan {
	struct tv_plan_node *node; /* points in their order, then the others */
	struct tv_plan_edge *edge;
	uint32_t *link;
	size_t nnodes, nodes_cap, nedges, edges_cap, nlinks, links_cap;
};

/* Cost O(routes' links) memory and time, some rounds. Release it with tv_plan_release. */
void tv_plan_init(struct tv_plan *plan, const struct tv_platform *platform);
void tv_plan_release(struct tv_plan *plan);

#endif
