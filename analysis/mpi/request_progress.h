/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * request_progress.h -- when MPI requests progressed, where the trace says so: its events of Type `progress`.
 *
 * Such an event has the Request that it belongs to (a name of the rank of its resource, as in calls),
 * Time and End, a Value (send, receive, send-notifier, receive-notifier, or another word), the Step of a
 * collective operation, and as Peer the other rank of a message. It belongs to the request of that name which
 * is in flight at its Time.
 */
#ifndef TV_REQUEST_PROGRESS_H
#define TV_REQUEST_PROGRESS_H

#include "analysis/calls/request_list.h"

struct tv_progress_event {
	uint32_t row;	  /* of events */
	uint32_t request; /* place in tv_requests.at */
	uint32_t kind;	  /* label of its Value */
	uint32_t peer;	  /* place in tv_requests.rank; TV_NONE = none, or no rank of the run */
	int64_t step;	  /* TV_NO_NUMBER = missing */
	int64_t begin, end;
};

struct tv_progress_events {
	struct tv_progress_event *at; /* by request, then begin */
	uint32_t n;
	uint32_t unmatched; /* belong to no request in flight: left out */
};

/* Of a run with calls, whose requests these are; collected at the first call, kept with the run, which
 * owns them. Warns of those left out. Cost O((n + requests) log n). */
const struct tv_progress_events *tv_run_progress_events(struct tv_run *run,
							const struct tv_requests *requests);

/* Those of a request: *n of them; NULL = none. */
const struct tv_progress_event *tv_progress_of(const struct tv_progress_events *events,
					       uint32_t request, uint32_t *n);

#endif
