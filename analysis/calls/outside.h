/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * outside.h -- when ranks are in MPI calls, and calls that wait until a rank is in one again.
 *
 * Where nothing but calls moves messages, a message ends only while both its ranks are in one. A call of which all partners have come
 * (its messages are posted on both sides) then waits for a partner that is outside of MPI, until that comes back. It did so if it ends
 * after that, within as long again, the partner has not completed its side of the message before, and this is 0.01 ms or more: of the last eight such times of the partner the longest; of several
 * partners that of the one that came back last. Ours.
 */
#ifndef TV_OUTSIDE_H
#define TV_OUTSIDE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/core/spans.h"

/* Zeroed: empty. */
struct tv_rank_calls {
	struct tv_rank_span {
		uint32_t rank;
		struct tv_span span;
	} * at;
	size_t n, cap;
};

/* Add the spans of calls, ns, then finish it. Cost O(n log n). */
void tv_rank_calls_add(struct tv_rank_calls *rank_calls, uint32_t rank, struct tv_span call);
void tv_rank_calls_finish(struct tv_rank_calls *rank_calls);
void tv_rank_calls_release(struct tv_rank_calls *rank_calls); /* safe on a zeroed struct */

/* What a call completes of its partner: bits. */
enum { TV_COMPLETES_SEND = 1, TV_COMPLETES_RECEIVE = 2, TV_COMPLETES_BOTH = 3 };
/* What it waits for then, by these bits: State of wait-states; NULL = 0. */
extern const char *const tv_outside_name[TV_COMPLETES_BOTH + 1];

struct tv_outside {
	int64_t from, back; /* ns; back - from: how long the call waits; zeroed: it does not */
	uint32_t rank;
	uint8_t completes; /* messages to or from that rank; both: it is not known which of them were late */
};

/* A call completes a message with a rank, and waits for nobody who has not come from call.begin on; done: end of the call with which that
 * rank completes its side, ns. Cost O(log n). */
void tv_outside_add(struct tv_outside *outside, const struct tv_rank_calls *rank_calls,
		    uint32_t rank, uint8_t completes, struct tv_span call, int64_t done);

#endif
