/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.h -- the node of a resource: resources.Node, else what the resource's name shows. */
#ifndef TV_NODES_H
#define TV_NODES_H

#include "trace/map.h"
#include "trace/trace.h"

struct tv_nodes {
	struct tv_pool *pool;
	struct tv_index of; /* by label of a resource: label of its node */
};

/* Nodes of the resources that the trace has now. Cost O(resources + labels). */
void tv_nodes_init(struct tv_nodes *nodes, const struct tv_trace *trace);
void tv_nodes_release(struct tv_nodes *nodes);
/* The label of the node of a resource; "0" where nothing shows it. */
uint32_t tv_node_of(struct tv_nodes *nodes, uint32_t resource);

#endif
