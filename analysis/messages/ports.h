/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ports.h -- what each node must send and receive, and how long its connection to the network takes
 * for this, one message after the other.
 */
#ifndef TV_PORTS_H
#define TV_PORTS_H

#include "analysis/messages/network.h"

struct tv_port {
	uint32_t n;    /* messages from or to the node */
	double time;   /* ns: latency + the larger of the bytes sent and received / bandwidth */
	bool possible; /* in the times of the trace the port could have carried the messages */
};

/*
 * By node of dag->tasks; the caller frees it. path: of tv_network_path_init with this network and
 * graph. Messages between nodes count that lie on a path from a counted task to another one. A port
 * sends one message at a time and receives one at a time; it may interrupt a message for another.
 * Cost O(V + E + n log n).
 */
struct tv_port *tv_ports_new(const struct tv_network *network, const struct tv_network_path *path,
			     const struct tv_dag *dag) TV_MUST_CHECK;

#endif
