/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait_states.c -- MPI calls that wait for another rank: late senders, late receivers, collectives. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/calls/call_kinds.h"
#include "analysis/calls/request_list.h"
#include "analysis/calls/thread_time.h"
#include "analysis/core/columns.h"
#include "analysis/mpi/received.h"
#include "analysis/mpi/wait_paths.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/units.h"

#define COLUMNS(X) \
	X(RANK, "Rank", TV_LABEL, false, "", "rank that waits") \
	X(THREAD, "ResourceId", TV_LABEL, false, "", "thread of the call") \
	X(CALL, "Call", TV_LABEL, false, "", "function that waits") \
	X(SITE, "Site", TV_LABEL, false, "", "place in the program that calls it") \
	X(START, "Start", TV_TIME, false, "ms", "begin of the call") \
	X(DURATION, "Duration", TV_TIME, false, "ms", "its duration") \
	X(STATE, "State", TV_LABEL, false, "", "late sender, late receiver or wait at collective") \
	X(WAIT, "Wait", TV_TIME, false, "ms", "how long it waits") \
	X(OTHER, "OtherRank", TV_LABEL, false, "", "rank that it waits for last") \
	X(OTHER_START, "OtherStart", TV_TIME, false, "ms", "when that rank began") \
	X(OTHER_WORK, "OtherWork", TV_TIME, false, "ms", "of Wait: that rank was in no call of MPI")

TV_COLUMNS(columns, COLUMNS)
enum state { NO_STATE, LATE_SENDER, LATE_RECEIVER, COLLECTIVE };
static const char *const state_name[] = { NULL, "late sender", "late receiver",
					  "wait at collective" };

/* One side of a communication: of a message, or of a collective operation. */
struct side {
	uint64_t a, b; /* what both sides have in common */
	int64_t post;  /* when it was begun, ns */
	uint32_t row;  /* of calls that begins it */
	uint32_t rank;
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

struct wait_states {
	const struct tv_calls *calls;
	int64_t *number;  /* by rank: in MPI_COMM_WORLD; TV_NO_NUMBER */
	struct found *of; /* by row of calls */
	bool *unseen;	  /* by row of calls: it is not known for whom it waits */
	struct sides send, receive, collective;
	struct tv_received_list received;
	uint32_t alone; /* messages with one side */
};

/* The message that a call receives, of which it has neither Peer nor Tag: one that it posts, and with
 * `ends` returns with. */
static const struct tv_received *arrival_of(const struct wait_states *w, uint32_t row, bool ends)
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

/* ---- sides ---- */

static void append(struct sides *to, const struct side *side)
{
	TV_GROW(to->at, to->n, to->cap, 1);
	to->at[to->n++] = *side;
}

static void add_message(struct wait_states *w, struct side side, bool sends, int64_t peer,
			int64_t tag)
{
	int64_t own = w->number[side.rank];

	side.a = (uint64_t)tv_call_label(w->calls, TV_CALL_COMM, side.about) << 32 | (uint32_t)tag;
	side.b = (uint64_t)(sends ? own : peer) << 32 | (uint32_t)(sends ? peer : own);
	append(sends ? &w->send : &w->receive, &side);
}

/* What MPI_Sendrecv, MPI_Mprobe or MPI_Improbe receives. */
static bool add_arrival(struct wait_states *w, const struct side *side, bool ends)
{
	const struct tv_received *a = arrival_of(w, side->row, ends);

	if (a != NULL)
		add_message(w, *side, false, w->number[a->rank], a->tag);
	return a != NULL;
}

/* What MPI_Sendrecv receives: its call names who sends, or what arrived tells, from any rank or with any tag. */
static bool add_exchange(struct wait_states *w, const struct side *side)
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
static bool add_one(struct wait_states *w, struct side side, bool sends)
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

static const char *name_of(const struct wait_states *w, uint32_t row)
{
	return tv_pool_text(w->calls->trace->pool, tv_call_label(w->calls, TV_CALL_NAME, row));
}

/* Whether the members of a collective operation wait only for a root, or it for them, that the trace does not name. */
static bool lacks_root(const struct wait_states *w, const struct side *side)
{
	uint8_t kind = tv_call_kind_named(name_of(w, side->about)).kind;

	return (kind == TV_KIND_FROM_ROOT || kind == TV_KIND_TO_ROOT)
	    && (tv_call_number(w->calls, TV_CALL_ROOT, side->about) == TV_NO_NUMBER
		|| w->number[side->rank] == TV_NO_NUMBER);
}

/* Adds the sides of a communication, which a call begins, and one ends. False: it is not known for whom
 * it waits. */
static bool add_side(struct wait_states *w, uint32_t row, uint32_t about, uint32_t blocks)
{
	const struct tv_calls *calls = w->calls;
	int64_t sequence = tv_call_number(calls, TV_CALL_SEQUENCE, about);
	bool sends = tv_call_named(calls, about, "send"),
	     receives = tv_call_named(calls, about, "recv"),
	     created = calls->class_of[about] == TV_CALL_OTHER;
	struct side side = { .post = tv_call_begin(calls, row),
			     .row = row,
			     .rank = calls->rank_of[row],
			     .blocks = blocks,
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

TV_ORDER(by_key, struct side, a, b, post, row)

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

/* Calls that wait for nobody: they begin and end MPI, only prepare, or only ask or change what their rank has. */
static bool is_alone(const struct wait_states *w, uint32_t row)
{
	const char *name = name_of(w, row);
	uint8_t kind = tv_call_kind_named(name).kind;

	return kind == TV_KIND_INIT || kind == TV_KIND_FINALIZE
	    || tv_call_named(w->calls, row, "_init")
	    || (kind == TV_KIND_LOCAL && strncasecmp(name, "MPI_", 4) == 0);
}

static void collect(struct wait_states *w, const struct tv_requests *requests)
{
	const struct tv_calls *calls = w->calls;

	for (uint32_t r = 0; r < calls->nranks; r++)
		w->number[r] = number_of(tv_pool_text(calls->trace->pool, calls->rank[r]));
	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];
		uint8_t class = calls->class_of[row];
		bool unlinked = calls->column[TV_CALL_REQUEST] == NULL; /* as in Paje */
		uint32_t nrequests = 0;

		if (!unlinked)
			tv_call_list(calls, TV_CALL_REQUEST, row, &nrequests);
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

		if (!add_side(w, r->start, r->about, waits ? r->complete : TV_NONE) && waits)
			w->unseen[r->complete] = true;
	}
	sort(&w->send);
	sort(&w->receive);
	sort(&w->collective);
}

/* ---- waits ---- */

/* A call waits from its begin until the other side begins. What ends before did not wait for it. */
static void note(struct wait_states *w, const struct side *side, const struct side *other,
		 enum state state)
{
	const struct tv_calls *calls = w->calls;
	uint32_t row = side->blocks;
	struct found *to;

	if (row == TV_NONE || other->post <= tv_call_begin(calls, row)
	    || other->post > tv_call_end(calls, row))
		return;
	to = &w->of[row];
	if (to->state != NO_STATE
	    && (to->post > other->post || (to->post == other->post && to->state <= state)))
		return;
	*to = (struct found){ .wait = other->post - tv_call_begin(calls, row),
			      .post = other->post,
			      .other = other->rank,
			      .state = (uint8_t)state };
}

TV_ORDER(compare_key, struct side, a, b)

/* Messages between two ranks with one communicator and tag do not overtake each other. */
static void match_messages(struct wait_states *w)
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

static bool is_root(const struct wait_states *w, const struct side *side)
{
	int64_t root = tv_call_number(w->calls, TV_CALL_ROOT, side->about);

	return root != TV_NO_NUMBER && root == w->number[side->rank];
}

static bool is_open(const struct wait_states *w, const struct side *side)
{
	return side->blocks != TV_NONE && !tv_call_ended(w->calls, side->blocks);
}

/* side[0..n): the ranks of one operation, by begin. From a root: the others wait for it; to a root: it
 * waits for the last, who is known where the call ended; without root: all wait for the last. */
static void wait_at(struct wait_states *w, const struct side *side, size_t n)
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
	for (size_t i = 0; i < n && !(rooted && from); i++)
		if ((!rooted || is_root(w, &side[i])) && !is_open(w, &side[i]))
			note(w, &side[i], last, COLLECTIVE);
}

static void match_collectives(struct wait_states *w)
{
	for (size_t i = 0, end; i < w->collective.n; i = end) {
		for (end = i + 1; end < w->collective.n
				  && compare_key(&w->collective.at[i], &w->collective.at[end]) == 0;
		     end++)
			;
		wait_at(w, &w->collective.at[i], end - i);
	}
}

/* A probe waits for the message that its thread receives next. */
static void match_probes(struct wait_states *w)
{
	const struct tv_calls *calls = w->calls;

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];
		int64_t peer = tv_call_number(calls, TV_CALL_PEER, row),
			tag = tv_call_number(calls, TV_CALL_TAG, row);
		const struct tv_received *a;

		if (calls->class_of[row] != TV_CALL_BLOCKING
		    || !tv_call_named(calls, row, "MPI_Probe"))
			continue;
		a = tv_received_from(&w->received, tv_call_label(calls, TV_CALL_RESOURCE, row),
				     tv_call_begin(calls, row));
		if (a == NULL || (peer >= 0 && peer != w->number[a->rank])
		    || (tag >= 0 && tag != a->tag))
			continue;
		w->unseen[row] = false;
		note(w, &(struct side){ .blocks = row },
		     &(struct side){ .post = a->sent, .rank = a->rank }, LATE_SENDER);
	}
}

/* ---- the result ---- */

/* Whether window and selection show a call. */
static bool is_shown(const struct wait_states *w, const struct tv_run *run, uint32_t call)
{
	const struct tv_calls *calls = w->calls;

	return (!run->window.set
		|| (tv_call_end(calls, call) >= run->window.begin
		    && tv_call_begin(calls, call) <= run->window.end))
	    && tv_run_has_node(run, calls->rank[calls->rank_of[call]]);
}

/* Calls of one function whose waits are not known. */
struct unseen {
	uint32_t name, n;
	int64_t time;
};

TV_ORDER(by_time, struct unseen, down(time), name)

static void write_unseen(struct tv_run *run, const struct wait_states *w, const struct unseen *of,
			 uint32_t n)
{
	char *text = tv_strdup("");
	char time[40];

	for (uint32_t i = 0; i < n; i++) {
		tv_time_text(time, sizeof time, of[i].time, NULL);
		tv_append(&text, "%s%s (%u, %s)", i > 0 ? ", " : "",
			  tv_pool_text(w->calls->trace->pool, of[i].name), of[i].n, time);
	}
	tv_run_warn(run, "not known for whom these calls wait (number, time): %s", text);
	tv_free(text);
}

/* One line about all calls that may wait and are not in the table whatever they wait for. */
static void warn_unseen(struct tv_run *run, const struct wait_states *w)
{
	const struct tv_calls *calls = w->calls;
	struct tv_map place = { 0 };
	struct unseen *of = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i], *at;

		if (!w->unseen[row] || !is_shown(w, run, row))
			continue;
		at = tv_map_at(&place, tv_call_label(calls, TV_CALL_NAME, row), 0);
		if (*at == TV_NONE) {
			*at = (uint32_t)n;
			TV_GROW(of, n, cap, 1);
			of[n++] = (struct unseen){ .name = tv_call_label(calls, TV_CALL_NAME,
									 row) };
		}
		of[*at].n++;
		of[*at].time += tv_call_time(calls, row);
	}
	if (n > 1)
		qsort(of, n, sizeof *of, by_time);
	if (n > 0)
		write_unseen(run, w, of, (uint32_t)n);
	tv_map_release(&place);
	tv_free(of);
}

static void write_rows(const struct wait_states *w, struct tv_run *run, struct tv_table *out)
{
	const struct tv_calls *calls = w->calls;
	const struct tv_threads *threads = tv_run_threads(run);

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t call = calls->row[i], row;
		const struct found *f = &w->of[call];
		struct tv_column *const *to = out->col;

		if (f->state == NO_STATE || !is_shown(w, run, call))
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
		tv_set_int(to[OTHER_WORK], row,
			   tv_rank_works(threads, calls->rank[f->other], tv_call_begin(calls, call),
					 tv_call_begin(calls, call) + f->wait));
	}
}

/* ---- the pass ---- */

struct asked {
	enum { BY_CALL, BY_PATH, BY_RANK } by;
};

static const struct tv_option_spec options[] = {
	{ "by", "call|path|rank", "call",
	  "a row per call, or sums: for the regions around them, for each rank and place",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
};

/* What no row says: of a program that hangs, the calls that matter most are no wait states, as what they wait for never came. */
static void warn_absent(struct tv_run *run, const struct wait_states *w)
{
	const struct tv_calls *calls = w->calls;
	uint32_t open = 0, found = 0, unseen = 0;

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];

		if (!is_shown(w, run, row))
			continue;
		found += w->of[row].state != NO_STATE;
		unseen += w->unseen[row];
		open += !tv_call_ended(calls, row) && !w->unseen[row]
		     && w->of[row].state == NO_STATE;
	}
	if (open > 0)
		tv_run_warn(run,
			    "calls that had not ended when the trace ended, and of which it is not "
			    "known for whom they wait: %u; traceviz diagnose names them",
			    open);
	else if (found + unseen == 0)
		tv_run_warn(run, "no call waits for a rank that came late: traceviz efficiency "
				 "has what else calls lose (transfer), and how equal the work is");
}

static void write_waits(const struct wait_states *w, struct tv_run *run, const struct asked *asked,
			struct tv_table *out)
{
	struct tv_table waits;

	if (asked->by == BY_CALL) {
		tv_add_fields(out, columns, TV_COUNT(columns));
		write_rows(w, run, out);
		return;
	}
	tv_table_init(&waits, out->pool);
	tv_add_fields(&waits, columns, TV_COUNT(columns));
	write_rows(w, run, &waits);
	tv_wait_path_rows(run->trace, &waits, asked->by == BY_RANK, out);
	tv_table_release(&waits);
}

static int run_wait_states(struct tv_run *run, const struct tv_options *given, struct tv_table *out,
			   struct tv_error *err)
{
	struct wait_states w = { .calls = tv_run_some_calls(run, "wait-states", err) };
	const struct tv_requests *requests;

	if (w.calls == NULL)
		return -1;
	requests = tv_run_requests(run, "wait-states", err);
	if (requests == NULL)
		return -1;
	w.number = tv_alloc(w.calls->nranks, sizeof *w.number);
	w.of = tv_alloc(run->trace->table[TV_CALLS].nrows, sizeof *w.of);
	w.unseen = tv_alloc(run->trace->table[TV_CALLS].nrows, sizeof *w.unseen);
	tv_received_init(&w.received, w.calls);
	collect(&w, requests);
	match_messages(&w);
	match_probes(&w);
	match_collectives(&w);
	write_waits(&w, run, given->chosen, out);
	if (w.alone > 0)
		tv_run_warn(run, "%u sends and receives have no partner in the trace", w.alone);
	warn_unseen(run, &w);
	warn_absent(run, &w);
	tv_free(w.number);
	tv_free(w.of);
	tv_free(w.unseen);
	tv_free(w.received.at);
	tv_free(w.send.at);
	tv_free(w.receive.at);
	tv_free(w.collective.at);
	return 0;
}

static const struct tv_columns forms[] = { { tv_wait_path_columns, TV_WAIT_PATH_COLUMNS,
					     "--by path|rank" } };

const struct tv_pass tv_pass_wait_states = {
	.name = "wait-states",
	.summary = "MPI calls that wait for a rank that came late",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.ranked = "Wait",
	.taskless = true,
	.sums = true,
	.needs = "calls links resources states",
	.varies = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	TV_PASS_FORMS(forms),
	.notes = "A row for each blocking call and each wait for requests that began before the "
		 "rank\n"
		 "on which it depends, by Start; Wait is the time until that rank began:\n"
		 "  late sender         a receive, until the send began\n"
		 "  late receiver       a send, until the receive began, if it ended after that\n"
		 "  wait at collective  until the root began (bcast, scatter), of the root until "
		 "the\n"
		 "                      last rank began (reduce, gather), else of all until then\n"
		 "Of a call for several requests, and of both sides of MPI_Sendrecv, the last of\n"
		 "these ranks counts. Messages are matched by communicator, both ranks, tag and\n"
		 "order, collectives by Comm and Sequence; what MPI_Sendrecv and MPI_Mprobe\n"
		 "receive is in the table links. One line on stderr names all calls that may wait\n"
		 "and of which the trace does not contain for whom (scans, operations of\n"
		 "neighbors, windows and files, ...), with their number and time.\n"
		 "--by path sums the waits by the states of the thread that contain the call and "
		 "are\n"
		 "longer, as in main/solve/MPI_Recv; where there are none, by its Site. --by rank\n"
		 "sums them for each rank by the Site.\n"
		 "Source: the wait states of Scalasca [Geimer et al. 2010].",
	.example = "traceviz wait-states data/mpi-overlap",
	.run = run_wait_states,
};
