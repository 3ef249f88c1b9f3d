/* SPDX-License-Identifier: GPL-3.0-or-later */
/* received.h -- messages of the table links, by the calls that receive them. */
#ifndef TV_RECEIVED_H
#define TV_RECEIVED_H

#include "analysis/calls/calls.h"

/* A message as the table links has it: what no column of calls has about a receive. */
struct tv_received {
	uint32_t thread;	   /* label, of the receive */
	int64_t posted, end, sent; /* ns; posted: by MPI_Mprobe where that took it */
	int64_t tag;
	uint32_t rank; /* of the sender */
	uint32_t link; /* row of links */
};

struct tv_received_list {
	struct tv_received *at; /* n, by thread, posted */
	size_t n, cap;
};

/* Of the calls' trace; none where links lack a column that they need. Free at with tv_free. Cost O(n log n). */
void tv_received_init(struct tv_received_list *received, const struct tv_calls *calls);
/* The first message that a thread (label) received by a call from `posted` (ns) on; NULL = there is none. Cost O(log n). */
const struct tv_received *tv_received_from(const struct tv_received_list *received, uint32_t thread,
					   int64_t posted);

#endif
