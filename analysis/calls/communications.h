/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * communications.h -- the communications of a run: its requests and its blocking calls.
 *
 * A blocking call starts a communication and completes it: its window is empty, so nothing is computed
 * in it, and all of its duration is waiting. measured = wait.
 */
#ifndef TV_COMMUNICATIONS_H
#define TV_COMMUNICATIONS_H

#include "analysis/calls/request_list.h"
#include "trace/map.h"

enum tv_which_calls { TV_ALL_CALLS, TV_NONBLOCKING_CALLS, TV_BLOCKING_CALLS };

struct tv_communications {
	struct tv_run *run;
	const struct tv_requests *requests; /* which have the cells of all of them */
	struct tv_mpi_request *at;	    /* by begin; of a blocking call start = complete */
	uint32_t n;
	struct tv_map instance; /* communicator, number: place in `size` */
	uint32_t *size;		/* ranks in it */
	size_t ninstances, instances_cap;
};

/* -1 with *err in the name of a verb: the run has neither calls nor messages. Cost as of
 * tv_run_requests. Released in any case. */
int tv_communications_init(struct tv_communications *c, struct tv_run *run,
			   enum tv_which_calls which, const char *verb,
			   struct tv_error *err) TV_MUST_CHECK;
void tv_communications_release(struct tv_communications *c);

/* Ranks that take part in a collective operation, as far as traced, whatever `which` was; 0 = it is
 * none. */
uint32_t tv_communication_ranks(const struct tv_communications *c, const struct tv_mpi_request *r);
bool tv_communication_blocks(const struct tv_communications *c, const struct tv_mpi_request *r);

#endif
