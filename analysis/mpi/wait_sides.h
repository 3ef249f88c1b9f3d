/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait_sides.h -- both sides of what MPI calls wait for: of messages and of collective operations, as the calls name them. */
#ifndef TV_WAIT_SIDES_H
#define TV_WAIT_SIDES_H

#include "analysis/calls/outside.h"
#include "analysis/calls/request_list.h"
#include "analysis/mpi/received.h"

struct tv_wait_side {
	uint64_t a, b; /* what both sides have in common */
	int64_t post;  /* when it was begun, ns */
	uint32_t row;  /* of calls that begins it */
	uint32_t rank;
	uint32_t blocks; /* row of calls that ends when it is done; TV_NONE */
	uint32_t
		completes; /* row of calls with which it is done, also a test; TV_NONE = not known */
	uint32_t about;	   /* row with its numbers */
};

struct tv_wait_side_list {
	struct tv_wait_side *at; /* by a, b, post */
	size_t n, cap;
};

struct tv_wait_sides {
	const struct tv_calls *calls;
	int64_t *number; /* by rank: in MPI_COMM_WORLD; TV_NO_NUMBER */
	bool *unseen;	 /* by row of calls: it is not known for whom it waits */
	struct tv_wait_side_list send, receive, collective;
	struct tv_received_list received;
	struct tv_rank_calls rank_calls; /* of calls that may move messages */
};

/* *sides is uninitialized on entry; it refers to the requests' calls. Cost O((calls + requests) log of it). */
void tv_wait_sides_init(struct tv_wait_sides *sides, const struct tv_requests *requests);
void tv_wait_sides_release(struct tv_wait_sides *sides);

#endif
