/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait_sides.c -- both sides of what MPI calls wait for, as the calls name them. */
#include "analysis/mpi/wait_sides.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/calls/call_kinds.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* The message that a call receives, of which it has neither Peer nor Tag: one that it posts, and with
 * `ends` returns with. */
static const struct tv_received *arrival_of(const struct tv_wait_sides *w, uint32_t row, bool ends)
{
	const struct tv_calls *calls = w->calls;
	const struct tv_received *a = tv_received_from(&w->received,
						       tv_call_label(calls, TV_CALL_RESOURCE, row),
						       tv_call_begin(calls, row)),
				 *end = a == NULL ? NULL : w->received.at + w->received.n;
	uint32_t thread = a == NULL ? TV_NONE : a->thread;

	for (;
	     a != NULL && a < end && a->thread == thread && a->posted == tv_call_begin(calls, row);
	     a++)
		if (!ends || a->end == tv_call_end(calls, row))
			return a;
	return NULL;
}

static void append(struct tv_wait_side_list *to, const struct tv_wait_side *side)
{
	TV_GROW(to->at, to->n, to->cap, 1);
	to->at[to->n++] = *side;
}

static void add_message(struct tv_wait_sides *w, struct tv_wait_side side, bool sends, int64_t peer,
			int64_t tag)
{
	int64_t own = w->number[side.rank];

	side.a = (uint64_t)tv_call_label(w->calls, TV_CALL_COMM, side.about) << 32 | (uint32_t)tag;
	side.b = (uint64_t)(sends ? own : peer) << 32 | (uint32_t)(sends ? peer : own);
	append(sends ? &w->send : &w->receive, &side);
}

/* What MPI_Sendrecv, MPI_Mprobe or MPI_Improbe receives. */
static bool add_arrival(struct tv_wait_sides *w, const struct tv_wait_side *side, bool ends)
{
	const struct tv_received *a = arrival_of(w, side->row, ends);

	if (a != NULL)
		add_message(w, *side, false, w->number[a->rank], a->tag);
	return a != NULL;
}

/* What MPI_Sendrecv receives: its call names who sends, or what arrived tells, from any rank or with any tag. */
static bool add_exchange(struct tv_wait_sides *w, const struct tv_wait_side *side)
{
	int64_t peer = tv_call_number(w->calls, TV_CALL_RECEIVE_PEER, side->about),
		tag = tv_call_number(w->calls, TV_CALL_RECEIVE_TAG, side->about);

	if (peer < 0 || tag < 0)
		return add_arrival(w, side, true) || w->received.n > 0;
	add_message(w, *side, false, peer, tag);
	return true;
}

/* A send or a receive. False: it is not known of whom. Without a peer it is MPI_PROC_NULL, or
 * nothing has arrived. */
static bool add_one(struct tv_wait_sides *w, struct tv_wait_side side, bool sends)
{
	const struct tv_calls *calls = w->calls;
	int64_t peer = tv_call_number(calls, TV_CALL_PEER, side.about);

	/* Buffered sends wait for nobody, ready ones only begin when the receive is posted. */
	if (sends
	    && (tv_call_named(calls, side.about, "bsend")
		|| tv_call_named(calls, side.about, "rsend")))
		side.blocks = TV_NONE;
	if (peer >= 0)
		add_message(w, side, sends, peer, tv_call_number(calls, TV_CALL_TAG, side.about));
	return true;
}

static const char *name_of(const struct tv_wait_sides *w, uint32_t row)
{
	return tv_pool_text(w->calls->trace->pool, tv_call_label(w->calls, TV_CALL_NAME, row));
}

/* Whether the members of a collective operation wait only for a root, or it for them, that the trace does not name. */
static bool lacks_root(const struct tv_wait_sides *w, const struct tv_wait_side *side)
{
	uint8_t kind = tv_call_kind_named(name_of(w, side->about)).kind;

	return (kind == TV_KIND_FROM_ROOT || kind == TV_KIND_TO_ROOT)
	    && (tv_call_number(w->calls, TV_CALL_ROOT, side->about) == TV_NO_NUMBER
		|| w->number[side->rank] == TV_NO_NUMBER);
}

/* Adds the sides of a communication, which a call begins, and one ends. False: it is not known for whom
 * it waits. */
static bool add_side(struct tv_wait_sides *w, uint32_t row, uint32_t about, uint32_t completes)
{
	const struct tv_calls *calls = w->calls;
	int64_t sequence = tv_call_number(calls, TV_CALL_SEQUENCE, about);
	bool sends = tv_call_named(calls, about, "send"),
	     receives = tv_call_named(calls, about, "recv"),
	     created = calls->class_of[about] == TV_CALL_OTHER,
	     waits = completes != TV_NONE
		  && (completes == row || calls->class_of[completes] == TV_CALL_WAIT);
	struct tv_wait_side side = { .post = tv_call_begin(calls, row),
				     .row = row,
				     .rank = calls->rank_of[row],
				     .blocks = waits ? completes : TV_NONE,
				     .completes = completes,
				     .about = about };

	if (sequence != TV_NO_NUMBER) {
		/* Of neighbors and the order of a scan the trace has nothing. */
		if (tv_call_named(calls, about, "neighbor") || tv_call_named(calls, about, "scan")
		    || (created && tv_call_number(calls, TV_CALL_ROOT, about) != TV_NO_NUMBER)
		    || lacks_root(w, &side))
			return false;
		side.a = tv_call_label(calls, TV_CALL_COMM, about);
		side.b = (uint64_t)sequence;
		append(&w->collective, &side);
		return true;
	}
	if (w->number[side.rank] == TV_NO_NUMBER)
		return false;
	if (tv_call_named(calls, about, "mprobe"))
		return add_arrival(w, &side, false);
	if (tv_call_named(calls, about, "mrecv") && w->received.n > 0)
		return true; /* it began with the probe */
	if (sends && receives)
		return add_one(w, side, true) && add_exchange(w, &side);
	return (sends || receives) && add_one(w, side, sends);
}

TV_ORDER(by_key, struct tv_wait_side, a, b, post, row)

static void sort(struct tv_wait_side_list *sides)
{
	if (sides->n > 1)
		qsort(sides->at, sides->n, sizeof *sides->at, by_key);
}

/* The rank of a name such as "3". */
static int64_t number_of(const char *name)
{
	int64_t n;

	return tv_parse_int(name, strlen(name), &n) == TV_PARSE_OK && n >= 0 && n < 1 << 30
		     ? n
		     : TV_NO_NUMBER;
}

/* Calls that wait for nobody: they begin and end MPI, only prepare, or only ask or change what their rank has. */
static bool is_alone(const struct tv_wait_sides *w, uint32_t row)
{
	const char *name = name_of(w, row);
	uint8_t kind = tv_call_kind_named(name).kind;

	return kind == TV_KIND_INIT || kind == TV_KIND_FINALIZE
	    || tv_call_named(w->calls, row, "_init")
	    || (kind == TV_KIND_LOCAL && strncasecmp(name, "MPI_", 4) == 0);
}

void tv_wait_sides_init(struct tv_wait_sides *w, const struct tv_requests *requests)
{
	const struct tv_calls *calls = requests->calls;

	*w = (struct tv_wait_sides){ .calls = calls };
	w->number = tv_alloc(calls->nranks, sizeof *w->number);
	w->unseen = tv_alloc(calls->trace->table[TV_CALLS].nrows, sizeof *w->unseen);
	tv_received_init(&w->received, calls);
	for (uint32_t r = 0; r < calls->nranks; r++)
		w->number[r] = number_of(tv_pool_text(calls->trace->pool, calls->rank[r]));
	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];
		uint8_t class = calls->class_of[row];
		struct tv_span call = { tv_call_begin(calls, row), tv_call_end(calls, row) };
		bool unlinked = calls->column[TV_CALL_REQUEST] == NULL; /* as in Paje */
		uint32_t nrequests = 0;

		if (!unlinked)
			tv_call_list(calls, TV_CALL_REQUEST, row, &nrequests);
		if (class != TV_CALL_OTHER || !is_alone(w, row)
		    || tv_call_kind_named(name_of(w, row)).kind == TV_KIND_FINALIZE)
			tv_rank_calls_add(&w->rank_calls, calls->rank_of[row], call);
		/* Paraver's sends have none. */
		if (nrequests == 0 && class == TV_CALL_START)
			add_side(w, row, row, TV_NONE);
		else if (unlinked && class == TV_CALL_WAIT)
			w->unseen[row] = true;
		else if (class == TV_CALL_BLOCKING || (class == TV_CALL_OTHER && !is_alone(w, row)))
			w->unseen[row] = !add_side(w, row, row, row);
		else if (class == TV_CALL_TEST && tv_call_named(calls, row, "improbe"))
			add_side(w, row, row, TV_NONE);
	}
	for (uint32_t i = 0; i < requests->n; i++) {
		const struct tv_mpi_request *r = &requests->at[i];
		bool waits = r->complete != TV_NONE && calls->class_of[r->complete] == TV_CALL_WAIT;

		if (!add_side(w, r->start, r->about, r->complete) && waits)
			w->unseen[r->complete] = true;
	}
	tv_rank_calls_finish(&w->rank_calls);
	sort(&w->send);
	sort(&w->receive);
	sort(&w->collective);
}

void tv_wait_sides_release(struct tv_wait_sides *w)
{
	tv_free(w->number);
	tv_free(w->unseen);
	tv_rank_calls_release(&w->rank_calls);
	tv_free(w->received.at);
	tv_free(w->send.at);
	tv_free(w->receive.at);
	tv_free(w->collective.at);
}
