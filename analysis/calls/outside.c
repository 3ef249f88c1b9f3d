/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outside.c -- when ranks are in MPI calls, and calls that wait until a rank is in one again. */
#include "analysis/calls/outside.h"

#include <stdbool.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

enum { SHORTEST = 10000 /* ns */, LAST = 8 };

const char *const tv_outside_name[] = { NULL, "receiver outside MPI", "sender outside MPI",
					"partner outside MPI" };

void tv_rank_calls_add(struct tv_rank_calls *rank_calls, uint32_t rank, struct tv_span call)
{
	TV_GROW(rank_calls->at, rank_calls->n, rank_calls->cap, 1);
	rank_calls->at[rank_calls->n++] = (struct tv_rank_span){ rank, call };
}

TV_ORDER(by_begin, struct tv_rank_span, rank, span.begin, span.end)

/* Threads of a rank may be in calls at the same time. */
void tv_rank_calls_finish(struct tv_rank_calls *rank_calls)
{
	struct tv_rank_span *at = rank_calls->at;
	size_t n = 0;

	if (rank_calls->n > 1)
		qsort(at, rank_calls->n, sizeof *at, by_begin);
	for (size_t i = 0; i < rank_calls->n; i++) {
		struct tv_rank_span *last = n == 0 ? NULL : &at[n - 1];

		if (last == NULL || last->rank != at[i].rank || last->span.end < at[i].span.begin)
			at[n++] = at[i];
		else if (last->span.end < at[i].span.end)
			last->span.end = at[i].span.end;
	}
	rank_calls->n = n;
}

void tv_rank_calls_release(struct tv_rank_calls *rank_calls)
{
	tv_free(rank_calls->at);
}

/* The longest time outside of MPI of a rank within a time, of the last ones before that ends. */
static struct tv_span longest_absence(const struct tv_rank_calls *rank_calls, uint32_t rank,
				      struct tv_span in)
{
	const struct tv_rank_span *at = rank_calls->at;
	struct tv_span longest = { in.begin, in.begin };
	size_t next;

	TV_LOWER_BOUND(next, 0, rank_calls->n,
		       at[next].rank != rank ? at[next].rank < rank
					     : at[next].span.begin <= in.end);
	for (int i = 0; i < LAST && next > 0 && at[next - 1].rank == rank
			&& at[next - 1].span.begin > in.begin;
	     i++, next--) {
		bool first = next == 1 || at[next - 2].rank != rank
			  || at[next - 2].span.end < in.begin;
		struct tv_span gone = { first ? in.begin : at[next - 2].span.end,
					at[next - 1].span.begin };

		if (gone.end - gone.begin > longest.end - longest.begin)
			longest = gone;
	}
	return longest;
}

void tv_outside_add(struct tv_outside *outside, const struct tv_rank_calls *rank_calls,
		    uint32_t rank, uint8_t completes, struct tv_span call, int64_t done)
{
	struct tv_span gone = longest_absence(
		rank_calls, rank,
		(struct tv_span){ call.begin, done < call.end ? done : call.end });
	int64_t length = gone.end - gone.begin;

	if (length < SHORTEST || call.end - gone.end > length || gone.end < outside->back)
		return;
	if (gone.end > outside->back || outside->completes == 0 || outside->rank != rank)
		*outside = (struct tv_outside){ gone.begin, gone.end, rank, 0 };
	outside->completes |= completes;
}
