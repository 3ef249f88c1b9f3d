/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carried_data.h -- messages and transfers by the handle, link or sender of the data that they carry. */
#ifndef TV_CARRIED_DATA_H
#define TV_CARRIED_DATA_H

#include "analysis/core/run.h"
#include "dag/dag.h"

enum tv_carrier_key { TV_CARRIER_HANDLE, TV_CARRIER_LINK, TV_CARRIER_SENDER };

/* Labels; TV_NONE where the key has no such part, or it is not known. */
struct tv_carrier {
	uint32_t handle, node; /* handle of the data, and the node whose handle it is: the sender */
	uint32_t link;	       /* both ends: nodes of a message, 0->2; memory nodes of a transfer */
	uint32_t sender;       /* node that sends, or memory node that the transfer leaves */
};

struct tv_carriers {
	struct tv_carrier *at; /* all different; the first is that of what is not known */
	uint32_t n;
	uint32_t *of_node; /* by node of the graph: of messages, else 0 */
	uint32_t *of_link; /* by row of links: of all but messages, else 0 */
};

/*
 * Numbered in the order of the messages, then of the links. Of a message that is no link only the
 * nodes are known, as tv_blamed_names has them. Interns into the pool of the trace. -1 with *err: a
 * negative Size. Release it in any case. Cost O(V log V + E + links log links).
 */
int tv_carriers_init(struct tv_carriers *carriers, struct tv_run *run, const struct tv_dag *dag,
		     enum tv_carrier_key key, struct tv_error *err) TV_MUST_CHECK;
void tv_carriers_release(struct tv_carriers *carriers); /* safe on a zeroed struct */

#endif
