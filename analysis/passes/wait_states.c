/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait_states.c -- MPI calls that wait for another rank: late senders, late receivers, collectives. */
#include <stdlib.h>
#include <string.h>

#include "analysis/shared/requests.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum { RANK, THREAD, CALL, SITE, START, DURATION, STATE, WAIT, OTHER, OTHER_START, NCOLUMNS };
enum state { NO_STATE, LATE_SENDER, LATE_RECEIVER, COLLECTIVE };
static const char *const state_name[] = { NULL, "late sender", "late receiver",
					  "wait at collective" };

static const struct tv_field columns[NCOLUMNS] = {
	[RANK] = { "Rank", TV_LABEL, false, "", "rank that waits" },
	[THREAD] = { "ResourceId", TV_LABEL, false, "", "thread of the call" },
	[CALL] = { "Call", TV_LABEL, false, "", "function that waits" },
	[SITE] = { "Site", TV_LABEL, false, "", "place in the program that calls it" },
	[START] = { "Start", TV_TIME, false, "ms", "begin of the call" },
	[DURATION] = { "Duration", TV_TIME, false, "ms", "its duration" },
	[STATE] = { "State", TV_LABEL, false, "",
		    "late sender, late receiver or wait at collective" },
	[WAIT] = { "Wait", TV_TIME, false, "ms", "how long it waits" },
	[OTHER] = { "Other", TV_LABEL, false, "", "rank that it waits for last" },
	[OTHER_START] = { "OtherStart", TV_TIME, false, "ms", "when that rank began" },
};

/* One side of a communication: of a message, or of a collective operation. */
struct side {
	uint64_t a, b;	 /* what both sides have in common */
	int64_t post;	 /* when it was begun, ns */
	uint32_t row;	 /* of calls that begins it */
	uint32_t blocks; /* row of calls that ends when it is done; TV_NONE */
	uint32_t about;	 /* row with its numbers */
};

struct sides {
	struct side *at;
	size_t n, cap;
};

struct found {
	int64_t wait, post;
	uint32_t other; /* rank */
	uint8_t state;
};

struct work {
	const struct tv_calls *calls;
	int64_t *number;  /* by rank: in MPI_COMM_WORLD; TV_NO_NUMBER */
	struct found *of; /* by row of calls */
	struct sides send, receive, collective;
	uint32_t alone; /* messages with one side */
};

/* ---- sides ---- */

static void add_side(struct work *w, uint32_t row, uint32_t about, uint32_t blocks)
{
	const struct tv_calls *calls = w->calls;
	uint64_t comm = tv_call_label(calls, TV_CALL_COMM, about);
	int64_t own = w->number[calls->rank_of[row]],
		peer = tv_call_number(calls, TV_CALL_PEER, about),
		tag = tv_call_number(calls, TV_CALL_TAG, about),
		sequence = tv_call_number(calls, TV_CALL_SEQUENCE, about);
	bool sends = tv_call_named(calls, about, "send"),
	     receives = tv_call_named(calls, about, "recv");
	struct side side = {
		.post = tv_call_begin(calls, row), .row = row, .blocks = blocks, .about = about
	};
	struct sides *to;

	if (sequence != TV_NO_NUMBER) {
		side.a = comm;
		side.b = (uint64_t)sequence;
		to = &w->collective;
	} else if (sends != receives && own != TV_NO_NUMBER && peer >= 0) {
		side.a = comm << 32 | (uint32_t)tag;
		side.b = (uint64_t)(sends ? own : peer) << 32 | (uint32_t)(sends ? peer : own);
		to = sends ? &w->send : &w->receive;
	} else {
		return;
	}
	TV_GROW(to->at, to->n, to->cap, 1);
	to->at[to->n++] = side;
}

static int by_key(const void *a, const void *b)
{
	const struct side *x = a, *y = b;

	return x->a != y->a	  ? TV_COMPARE(x->a, y->a)
	     : x->b != y->b	  ? TV_COMPARE(x->b, y->b)
	     : x->post != y->post ? TV_COMPARE(x->post, y->post)
				  : TV_COMPARE(x->row, y->row);
}

static void sort(struct sides *sides)
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

static void collect(struct work *w, const struct tv_requests *requests)
{
	const struct tv_calls *calls = w->calls;

	for (uint32_t r = 0; r < calls->nranks; r++)
		w->number[r] = number_of(tv_pool_text(calls->trace->pool, calls->rank[r]));
	for (uint32_t i = 0; i < calls->n; i++)
		if (calls->class_of[calls->row[i]] == TV_CALL_BLOCKING)
			add_side(w, calls->row[i], calls->row[i], calls->row[i]);
	for (uint32_t i = 0; i < requests->n; i++)
		add_side(w, requests->at[i].start, requests->at[i].about,
			 requests->at[i].complete != TV_NONE
					 && calls->class_of[requests->at[i].complete]
						    == TV_CALL_WAIT
				 ? requests->at[i].complete
				 : TV_NONE);
	sort(&w->send);
	sort(&w->receive);
	sort(&w->collective);
}

/* ---- waits ---- */

/* A call waits from its begin until the other side begins. What ends before did not wait for it. */
static void note(struct work *w, const struct side *side, const struct side *other,
		 enum state state)
{
	const struct tv_calls *calls = w->calls;
	uint32_t row = side->blocks;
	struct found *to;

	if (row == TV_NONE || other->post <= tv_call_begin(calls, row)
	    || other->post > tv_call_end(calls, row))
		return;
	to = &w->of[row];
	if (to->state != NO_STATE && to->post >= other->post)
		return;
	*to = (struct found){ .wait = other->post - tv_call_begin(calls, row),
			      .post = other->post,
			      .other = calls->rank_of[other->row],
			      .state = (uint8_t)state };
}

static int compare_key(const struct side *x, const struct side *y)
{
	return x->a != y->a ? TV_COMPARE(x->a, y->a) : TV_COMPARE(x->b, y->b);
}

/* Messages between two ranks with one communicator and tag do not overtake each other. */
static void match_messages(struct work *w)
{
	size_t s = 0, r = 0;

	while (s < w->send.n && r < w->receive.n) {
		const struct side *send = &w->send.at[s], *receive = &w->receive.at[r];
		int order = compare_key(send, receive);

		if (order == 0) {
			note(w, receive, send, LATE_SENDER);
			note(w, send, receive, LATE_RECEIVER);
		}
		w->alone += order != 0;
		s += order <= 0;
		r += order >= 0;
	}
	w->alone += (uint32_t)(w->send.n - s + w->receive.n - r);
}

static bool is_root(const struct work *w, const struct side *side)
{
	int64_t root = tv_call_number(w->calls, TV_CALL_ROOT, side->about);

	return root != TV_NO_NUMBER && root == w->number[w->calls->rank_of[side->row]];
}

/* side[0..n): the ranks of one operation, by begin. From a root: the others wait for it; to a root: it
 * waits for the last; without root: all wait for the last. */
static void wait_at(struct work *w, const struct side *side, size_t n)
{
	const struct tv_calls *calls = w->calls;
	const struct side *last = &side[n - 1];
	uint32_t row = side->about;
	bool rooted = tv_call_number(calls, TV_CALL_ROOT, row) != TV_NO_NUMBER;
	bool from = tv_call_named(calls, row, "bcast") || tv_call_named(calls, row, "scatter");

	for (size_t i = 0; i < n && rooted && from; i++)
		if (is_root(w, &side[i])) {
			for (size_t k = 0; k < n; k++)
				note(w, &side[k], &side[i], COLLECTIVE);
			break;
		}
	for (size_t i = 0; i < n && !(rooted && from) && !tv_call_named(calls, row, "scan"); i++)
		if (!rooted || is_root(w, &side[i]))
			note(w, &side[i], last, COLLECTIVE);
}

static void match_collectives(struct work *w)
{
	for (size_t i = 0, end; i < w->collective.n; i = end) {
		for (end = i + 1; end < w->collective.n
				  && compare_key(&w->collective.at[i], &w->collective.at[end]) == 0;
		     end++)
			;
		wait_at(w, &w->collective.at[i], end - i);
	}
}

/* ---- the result ---- */

static void write_rows(const struct work *w, const struct tv_run *run, struct tv_table *out)
{
	const struct tv_calls *calls = w->calls;

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t call = calls->row[i], row;
		const struct found *f = &w->of[call];
		struct tv_column *const *to = out->col;

		if (f->state == NO_STATE
		    || (run->window.set
			&& (tv_call_end(calls, call) < run->window.begin
			    || tv_call_begin(calls, call) > run->window.end))
		    || !tv_run_has_node(run, calls->rank[calls->rank_of[call]]))
			continue;
		row = tv_table_add_row(out);
		tv_set_label(to[RANK], row, calls->rank[calls->rank_of[call]]);
		tv_set_label(to[THREAD], row, tv_call_label(calls, TV_CALL_RESOURCE, call));
		tv_set_label(to[CALL], row, tv_call_label(calls, TV_CALL_NAME, call));
		tv_set_label(to[SITE], row, tv_call_label(calls, TV_CALL_SITE, call));
		tv_set_int(to[START], row, tv_call_begin(calls, call));
		tv_set_int(to[DURATION], row, tv_call_time(calls, call));
		tv_set_text(to[STATE], row, state_name[f->state]);
		tv_set_int(to[WAIT], row, f->wait);
		tv_set_label(to[OTHER], row, calls->rank[f->other]);
		tv_set_int(to[OTHER_START], row, f->post);
	}
}

static int run_wait_states(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	struct work w = { .calls = tv_run_some_calls(run, "wait-states", err) };
	const struct tv_requests *requests;

	(void)options;
	if (w.calls == NULL)
		return -1;
	requests = tv_run_requests(run, "wait-states", err);
	if (requests == NULL)
		return -1;
	w.number = tv_alloc(w.calls->nranks, sizeof *w.number);
	w.of = tv_alloc(run->trace->table[TV_CALLS].nrows, sizeof *w.of);
	collect(&w, requests);
	match_messages(&w);
	match_collectives(&w);
	write_rows(&w, run, out);
	if (w.alone > 0)
		tv_run_warn(run, "%u sends and receives have no partner in the trace", w.alone);
	tv_free(w.number);
	tv_free(w.of);
	tv_free(w.send.at);
	tv_free(w.receive.at);
	tv_free(w.collective.at);
	return 0;
}

const struct tv_pass tv_pass_wait_states = {
	.name = "wait-states",
	.summary = "MPI calls that wait for a rank that came late",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.ranked = "Wait",
	.taskless = true,
	.sums = true,
	.needs = "calls resources",
	TV_PASS_COLUMNS(columns),
	.notes = "A row for each blocking call and each wait for requests that began before the "
		 "rank\n"
		 "on which it depends, by Start; Wait is the time until that rank began:\n"
		 "  late sender         a receive, until the send began\n"
		 "  late receiver       a send, until the receive began, if it ended after that\n"
		 "  wait at collective  until the root began (bcast, scatter), of the root until "
		 "the\n"
		 "                      last rank began (reduce, gather), else of all until then\n"
		 "Of a call for several requests the last of these ranks counts. Messages are "
		 "matched\n"
		 "by communicator, both ranks, tag and order, collectives by Comm and Sequence.\n"
		 "Source: the wait states of Scalasca [Geimer et al. 2010].",
	.example = "traceviz wait-states data/mpi-overlap",
	.run = run_wait_states,
};
