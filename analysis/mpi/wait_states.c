/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait_states.c -- MPI calls that wait for another rank: late senders, late receivers, collectives. */
#include <stdlib.h>

#include "analysis/calls/request_list.h"
#include "analysis/calls/thread_time.h"
#include "analysis/core/columns.h"
#include "analysis/mpi/wait_paths.h"
#include "analysis/mpi/wait_sides.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/units.h"

#define COLUMNS(X) \
	X(RANK, "Rank", TV_LABEL, false, "", "rank that waits") \
	X(THREAD, "ResourceId", TV_LABEL, false, "", "thread of the call") \
	X(CALL, "Call", TV_LABEL, false, "", "function that waits") \
	X(SITE, "Site", TV_LABEL, false, "", "place in the program that calls it") \
	X(START, "Start", TV_TIME, false, "ms", "begin of the call") \
	X(DURATION, "Duration", TV_TIME, false, "ms", "its duration") \
	X(STATE, "State", TV_LABEL, false, "", \
	  "late sender, late receiver, wait at collective, or who was outside MPI") \
	X(WAIT, "Wait", TV_TIME, false, "ms", "how long it waits, until OtherStart") \
	X(OTHER, "OtherRank", TV_LABEL, false, "", "rank that it waits for last") \
	X(OTHER_START, "OtherStart", TV_TIME, false, "ms", \
	  "when that rank began, or was in a call again") \
	X(OTHER_WORK, "OtherWork", TV_TIME, false, "ms", "of Wait: that rank was in no call of MPI")

TV_COLUMNS(columns, COLUMNS)
enum state { NO_STATE, LATE_SENDER, LATE_RECEIVER, COLLECTIVE };
static const char *const state_name[] = { NULL, "late sender", "late receiver",
					  "wait at collective" };
struct found {
	int64_t wait, post;
	uint32_t other; /* rank */
	uint8_t state;
};

struct wait_states {
	const struct tv_calls *calls;
	struct tv_wait_sides sides;
	struct found *of;	    /* by row of calls */
	struct tv_outside *outside; /* by row of calls: what it waits longer */
};

/* ---- waits ---- */

/* A call waits from its begin until the other side begins. What ends before did not wait for it. */
static void note(struct wait_states *w, const struct tv_wait_side *side,
		 const struct tv_wait_side *other, enum state state)
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

TV_ORDER(compare_key, struct tv_wait_side, a, b)

static void note_message(struct wait_states *w, const struct tv_wait_side *send,
			 const struct tv_wait_side *receive)
{
	note(w, receive, send, LATE_SENDER);
	note(w, send, receive, LATE_RECEIVER);
}

/* A call that waits for nobody who has not come, as the last one has. */
static void note_side(struct wait_states *w, const struct tv_wait_side *side,
		      const struct tv_wait_side *other, uint8_t completes)
{
	uint32_t row = side->blocks;
	struct tv_span call;

	if (row == TV_NONE || other->completes == TV_NONE || side->rank == other->rank
	    || !tv_call_ended(w->calls, row))
		return;
	call = (struct tv_span){ tv_call_begin(w->calls, row), tv_call_end(w->calls, row) };
	if (w->of[row].state != NO_STATE)
		call.begin = w->of[row].post;
	if (other->post <= call.begin)
		tv_outside_add(&w->outside[row], &w->sides.rank_calls, other->rank, completes, call,
			       tv_call_end(w->calls, other->completes));
}

static void note_outside(struct wait_states *w, const struct tv_wait_side *send,
			 const struct tv_wait_side *receive)
{
	note_side(w, send, receive, TV_COMPLETES_SEND);
	note_side(w, receive, send, TV_COMPLETES_RECEIVE);
}

/* Messages between two ranks with one communicator and tag do not overtake each other. The number of those with one side. */
static uint32_t match_messages(struct wait_states *w,
			       void (*take)(struct wait_states *, const struct tv_wait_side *,
					    const struct tv_wait_side *))
{
	size_t s = 0, r = 0;
	uint32_t alone = 0;

	while (s < w->sides.send.n && r < w->sides.receive.n) {
		const struct tv_wait_side *send = &w->sides.send.at[s],
					  *receive = &w->sides.receive.at[r];
		int order = compare_key(send, receive);

		if (order == 0)
			take(w, send, receive);
		alone += order != 0;
		s += order <= 0;
		r += order >= 0;
	}
	return alone + (uint32_t)(w->sides.send.n - s + w->sides.receive.n - r);
}

static bool is_root(const struct wait_states *w, const struct tv_wait_side *side)
{
	int64_t root = tv_call_number(w->calls, TV_CALL_ROOT, side->about);

	return root != TV_NO_NUMBER && root == w->sides.number[side->rank];
}

static bool is_open(const struct wait_states *w, const struct tv_wait_side *side)
{
	return side->blocks != TV_NONE && !tv_call_ended(w->calls, side->blocks);
}

/* side[0..n): the ranks of one operation, by begin. From a root: the others wait for it; to a root: it
 * waits for the last, who is known where the call ended; without root: all wait for the last. */
static void wait_at(struct wait_states *w, const struct tv_wait_side *side, size_t n)
{
	const struct tv_calls *calls = w->calls;
	const struct tv_wait_side *last = &side[n - 1];
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
	for (size_t i = 0, end; i < w->sides.collective.n; i = end) {
		for (end = i + 1;
		     end < w->sides.collective.n
		     && compare_key(&w->sides.collective.at[i], &w->sides.collective.at[end]) == 0;
		     end++)
			;
		wait_at(w, &w->sides.collective.at[i], end - i);
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
		a = tv_received_from(&w->sides.received,
				     tv_call_label(calls, TV_CALL_RESOURCE, row),
				     tv_call_begin(calls, row));
		if (a == NULL || (peer >= 0 && peer != w->sides.number[a->rank])
		    || (tag >= 0 && tag != a->tag))
			continue;
		w->sides.unseen[row] = false;
		note(w, &(struct tv_wait_side){ .blocks = row },
		     &(struct tv_wait_side){ .post = a->sent, .rank = a->rank }, LATE_SENDER);
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

		if (!w->sides.unseen[row] || !is_shown(w, run, row))
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

/* What a call waits for from `from` on. */
static void write_row(const struct wait_states *w, const struct tv_threads *threads, uint32_t call,
		      const char *state, int64_t from, int64_t wait, uint32_t other, int64_t until,
		      struct tv_table *out)
{
	const struct tv_calls *calls = w->calls;
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);

	tv_set_label(to[RANK], row, calls->rank[calls->rank_of[call]]);
	tv_set_label(to[THREAD], row, tv_call_label(calls, TV_CALL_RESOURCE, call));
	tv_set_label(to[CALL], row, tv_call_label(calls, TV_CALL_NAME, call));
	tv_set_label(to[SITE], row, tv_call_label(calls, TV_CALL_SITE, call));
	tv_set_int(to[START], row, tv_call_begin(calls, call));
	tv_set_int(to[DURATION], row, tv_call_time(calls, call));
	tv_set_text(to[STATE], row, state);
	tv_set_int(to[WAIT], row, wait);
	tv_set_label(to[OTHER], row, calls->rank[other]);
	tv_set_int(to[OTHER_START], row, until);
	tv_set_int(to[OTHER_WORK], row,
		   tv_rank_works(threads, calls->rank[other], from, from + wait));
}

static void write_rows(const struct wait_states *w, struct tv_run *run, struct tv_table *out)
{
	const struct tv_calls *calls = w->calls;
	const struct tv_threads *threads = tv_run_threads(run);

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t call = calls->row[i];
		const struct found *f = &w->of[call];
		const struct tv_outside *o = &w->outside[call];

		if (!is_shown(w, run, call))
			continue;
		if (f->state != NO_STATE)
			write_row(w, threads, call, state_name[f->state],
				  tv_call_begin(calls, call), f->wait, f->other, f->post, out);
		if (o->completes != 0)
			write_row(w, threads, call, tv_outside_name[o->completes], o->from,
				  o->back - o->from, o->rank, o->back, out);
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
		found += w->of[row].state != NO_STATE || w->outside[row].completes != 0;
		unseen += w->sides.unseen[row];
		open += !tv_call_ended(calls, row) && !w->sides.unseen[row]
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
	uint32_t alone;

	if (w.calls == NULL)
		return -1;
	requests = tv_run_requests(run, "wait-states", err);
	if (requests == NULL)
		return -1;
	w.of = tv_alloc(run->trace->table[TV_CALLS].nrows, sizeof *w.of);
	w.outside = tv_alloc(run->trace->table[TV_CALLS].nrows, sizeof *w.outside);
	tv_wait_sides_init(&w.sides, requests);
	alone = match_messages(&w, note_message);
	match_probes(&w);
	match_collectives(&w);
	match_messages(&w, note_outside);
	write_waits(&w, run, given->chosen, out);
	if (alone > 0)
		tv_run_warn(run, "%u sends and receives have no partner in the trace", alone);
	warn_unseen(run, &w);
	warn_absent(run, &w);
	tv_free(w.of);
	tv_free(w.outside);
	tv_wait_sides_release(&w.sides);
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
	.refuses_tasks = true,
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
		 "  receiver outside MPI, sender outside MPI, partner outside MPI  a call that "
		 "ends after\n"
		 "                      all have come, once a rank is in a call again: until then "
		 "(it\n"
		 "                      completes a send to it, a receive from it, or both: then "
		 "the\n"
		 "                      trace does not show which of them were late)\n"
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
