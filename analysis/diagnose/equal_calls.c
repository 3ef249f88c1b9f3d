/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equal_calls.c -- whether the calls of MPI at a place in the program move as much each, and how long they take. */
#include "analysis/diagnose/equal_calls.h"

#include "analysis/calls/call_kinds.h"
#include "analysis/calls/request_list.h"
#include "trace/alloc.h"

/* What a call moves, ns and bytes. */
struct exchange {
	int64_t begin, size; /* of a wait: of its first request, of all; TV_NO_NUMBER = not known */
	int64_t compute; /* between that and the wait, at most; INT64_MAX = the size is not known */
};

/* By row of calls: itself, and for a call that waits what its requests move. To be freed. */
static struct exchange *find_exchanges(struct tv_run *run, const struct tv_calls *calls)
{
	struct exchange *of = tv_alloc(run->trace->table[TV_CALLS].nrows, sizeof *of);
	struct tv_error unknown;
	const struct tv_requests *requests = tv_run_requests(run, "diagnose", &unknown);

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];

		of[row] = (struct exchange){ tv_call_begin(calls, row),
					     tv_call_number(calls, TV_CALL_BYTES, row), 0 };
	}
	for (uint32_t i = 0; requests != NULL && !requests->links && i < requests->n; i++) {
		const struct tv_mpi_request *r = &requests->at[i];
		int64_t size = tv_request_number(requests, r, TV_CALL_BYTES);
		struct exchange *at = &of[r->complete == TV_NONE ? r->start : r->complete];

		if (r->complete == TV_NONE || calls->class_of[r->complete] != TV_CALL_WAIT)
			continue;
		at->begin = r->begin < at->begin ? r->begin : at->begin;
		at->compute = size == TV_NO_NUMBER     ? INT64_MAX
			    : r->compute > at->compute ? r->compute
						       : at->compute;
		at->size = at->size == TV_NO_NUMBER ? size : at->size + size;
	}
	return of;
}

static bool is_rooted(const struct tv_pool *pool, uint32_t call)
{
	uint8_t kind = call == TV_NONE ? TV_KIND_LOCAL
				       : tv_call_kind_named(tv_pool_text(pool, call)).kind;

	return kind == TV_KIND_FROM_ROOT || kind == TV_KIND_TO_ROOT;
}

/* Adds a call; false: it cannot be compared with those before. */
static bool add(struct tv_equal_calls *all, const struct tv_calls *calls, uint32_t row,
		const struct exchange *of)
{
	int64_t time = tv_call_end(calls, row) - of->begin;

	if (!tv_call_ended(calls, row) || (all->n > 0 && of->size != all->size)
	    || of->compute > time / 10
	    || (of->size == TV_NO_NUMBER && !tv_call_named(calls, row, "barrier")))
		return false;
	all->size = of->size;
	all->min = all->n == 0 || time < all->min ? time : all->min;
	all->max = all->n == 0 || time > all->max ? time : all->max;
	all->n++;
	return true;
}

struct tv_equal_calls tv_equal_calls(struct tv_run *run, uint32_t rank, uint32_t call,
				     uint32_t site)
{
	const struct tv_calls *calls = tv_run_calls(run);
	struct exchange *of = find_exchanges(run, calls);
	bool rooted = is_rooted(run->trace->pool, call);
	struct tv_equal_calls all = { .equal = true };

	for (uint32_t i = 0; i < calls->n && all.equal; i++) {
		uint32_t row = calls->row[i];

		if ((!rooted || calls->rank[calls->rank_of[row]] == rank)
		    && tv_call_label(calls, TV_CALL_NAME, row) == call
		    && tv_call_label(calls, TV_CALL_SITE, row) == site)
			all.equal = add(&all, calls, row, &of[row]);
	}
	tv_free(of);
	return all;
}

bool tv_is_uneven(const struct tv_equal_calls *calls, int64_t count, int64_t time)
{
	enum { CALLS_MIN = 4, LONG = 100000 /* ns: networks take less for a small message */ };

	return calls->equal && calls->n >= CALLS_MIN && calls->max >= 10 * calls->min
	    && calls->max >= LONG && 2 * (time - count * calls->min) >= time;
}
