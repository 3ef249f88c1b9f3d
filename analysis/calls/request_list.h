/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * request_list.h -- the requests of nonblocking communications: their calls, and what their ranks
 * computed meanwhile.
 *
 * A request begins with a call of class `start` and ends with the call that completes it. Calls are
 * joined by the request's name within a rank, in order of time; a name may be used again. Without
 * the table `calls`, the messages between nodes (links) are taken: a send request from Start to
 * SendEnd, a receive request from ReceiveStart to End; of these nothing is known about calls.
 *
 * measured = call + compute + wait + other, where
 *   call     duration of the call that starts it
 *   compute  what the rank computed on any worker between the end of that call and the begin of the
 *            call that completes it, outside the calls that tested or waited for it in vain
 *   wait     duration of the calls that test or wait for it, shared equally among the requests that
 *            a call completes, or, if it completes none, among those that it asks for
 *   measured from the begin of the first to the end of the last of these calls
 */
#ifndef TV_REQUEST_LIST_H
#define TV_REQUEST_LIST_H

#include "analysis/calls/computation.h"

enum tv_request_end {
	TV_REQUEST_COMPLETED,
	TV_REQUEST_OPEN, /* never completed */
	TV_REQUEST_FREED /* given back by MPI_Request_free before */
};

struct tv_mpi_request {
	uint32_t name;	   /* label; that of a link's Key */
	uint32_t rank;	   /* place in tv_requests.rank */
	uint32_t start;	   /* row of calls that starts it, or of links */
	uint32_t about;	   /* row of calls that has its Peer, Tag, Comm, Bytes: that one, or the
			    * one that created it */
	uint32_t complete; /* row of calls that completes it; TV_NONE = none */
	uint32_t asked;	   /* calls that tested or waited for it */
	uint32_t shared;   /* requests that `complete` completed */
	enum tv_request_end how;
	bool sends;	    /* of links: the request of the sender */
	int64_t begin, end; /* ns; of an open one: end of the call that starts it */
	int64_t call, compute, wait, workers; /* ns; workers: the sum over workers of compute */
};

struct tv_requests {
	struct tv_mpi_request *at; /* by begin */
	uint32_t n;
	uint32_t *rank; /* labels, in natural order */
	uint32_t nranks;
	const struct tv_calls *calls;
	struct tv_computation computation;
	bool links;	    /* made of messages */
	uint32_t nopen;	    /* never completed */
	uint32_t unmatched; /* requests that calls complete and none started */
};

/* Collected at the first call, kept with the run, which owns them. NULL with *err in the name of a
 * verb: the run has neither calls nor messages. Cost O((n + requests listed) log n). */
const struct tv_requests *tv_run_requests(struct tv_run *run, const char *verb,
					  struct tv_error *err);

/* A cell of the calls table for a request, as of tv_call_label and tv_call_number; of messages what
 * they have: the function is "send" or "receive". */
uint32_t tv_request_label(const struct tv_requests *requests, const struct tv_mpi_request *r,
			  enum tv_call_column column);
int64_t tv_request_number(const struct tv_requests *requests, const struct tv_mpi_request *r,
			  enum tv_call_column column);
/* Whether a window and a selection of workers show it: it touches the one, and is of a rank (node)
 * of the other. */
bool tv_request_seen(const struct tv_requests *requests, const struct tv_mpi_request *r,
		     const struct tv_run *run);
/* "open" or "freed"; NULL = completed. */
const char *tv_request_flag(const struct tv_mpi_request *r);

static inline int64_t tv_request_measured(const struct tv_mpi_request *r)
{
	return r->end - r->begin;
}
static inline int64_t tv_request_other(const struct tv_mpi_request *r)
{
	return tv_request_measured(r) - r->call - r->compute - r->wait;
}

#endif
