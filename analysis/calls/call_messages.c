/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_messages.c -- messages with the calls that post and complete their sends and receives.
 *
 * The table links has both ends of a message by thread and instant of the posting call. Clocks of simulators and coarse ones have
 * many calls at one instant, so a call is found by thread, instant, direction, peer and tag; of several the first that is left.
 * Extrae's instants are within the posting calls, or their ends. In a trace without requests, or whose sends have none, as Extrae's,
 * the wait in which a message arrives completes its receive, and of its send the first one that ends when the receive has been
 * posted, which may be too early: protocols are never learned from it. Without links: the n-th send of a communicator, sender,
 * receiver and tag belongs to the n-th receive, in the order in which they were posted.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/call_graph_parts.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum { RECEIVES, SENDS };

/* One side of a message. Peers and tags that are not known are TV_NO_NUMBER. */
struct side {
	uint32_t thread;
	uint32_t direction; /* RECEIVES, SENDS */
	int64_t begin;	    /* of the posting call, by its own clock, ns */
	int64_t peer, tag;
	uint32_t order;
	uint32_t post, completes; /* nodes; completes TV_NONE = none */
	uint32_t about;		  /* row of calls */
	uint32_t message;
	int64_t sender, sent_tag; /* of a receive that has a message */
	uint32_t used; /* in the first side of equal ones: how many of them have a message */
	bool alone, guessed;
};

struct sides {
	struct tv_graph_parts *parts;
	struct side *at;
	size_t n, cap;
	size_t messages_cap;
	bool numbered;	/* all ranks have numbers */
	bool tagged;	/* links have tags */
	bool linked;	/* links have messages with the instants of both posts */
	bool loose;	/* links have messages of which the calls are not known */
	bool unnamed;	/* there are nonblocking sends, and none of them names a request */
	uint32_t *wait; /* by node: the first from it on that may complete a send; or NULL */
};

TV_ORDER(same_place, struct side, thread, direction, begin, peer, tag)
TV_ORDER(by_place, struct side, thread, direction, begin, peer, tag, post, order)

/* ---- sides ---- */

static void add_side(struct sides *s, uint32_t row, uint32_t about, uint32_t completes, bool sends,
		     bool alone)
{
	const struct tv_call_graph *g = s->parts->graph;
	bool exchange = tv_kind_of_row(g, about).kind == TV_KIND_EXCHANGE && !sends;
	enum tv_call_column peer = exchange ? TV_CALL_RECEIVE_PEER : TV_CALL_PEER,
			    tag = exchange ? TV_CALL_RECEIVE_TAG : TV_CALL_TAG;
	uint32_t post = g->node_of[row];

	/* A send without a peer goes to MPI_PROC_NULL. */
	if (post == TV_NONE || (sends && tv_call_number(g->calls, peer, about) < 0))
		return;
	TV_GROW(s->at, s->n, s->cap, 1);
	s->at[s->n] = (struct side){
		.thread = g->node[post].thread,
		.direction = sends ? SENDS : RECEIVES,
		.begin = tv_call_begin(g->calls, row),
		.peer = s->numbered ? tv_call_number(g->calls, peer, about) : TV_NO_NUMBER,
		.tag = s->tagged ? tv_call_number(g->calls, tag, about) : TV_NO_NUMBER,
		.order = (uint32_t)s->n,
		.post = post,
		.completes = completes,
		.about = about,
		.message = TV_NONE,
		.alone = alone,
	};
	s->n++;
}

/* Whether a call starts what has a request, but does not name it. */
static bool is_unnamed(const struct sides *s, uint32_t row)
{
	const struct tv_calls *calls = s->parts->graph->calls;

	return calls->column[TV_CALL_REQUEST] == NULL
	    || (s->unnamed && tv_call_requests(calls, row) == 0);
}

static void add_sides_of_call(struct sides *s, uint32_t row)
{
	const struct tv_call_graph *g = s->parts->graph;
	uint8_t class = g->calls->class_of[row];
	/* Without requests it is not known what completes a message. */
	uint32_t node = class == TV_CALL_START ? TV_NONE : g->node_of[row];

	if (class == TV_CALL_START ? !is_unnamed(s, row)
				   : class != TV_CALL_BLOCKING && class != TV_CALL_TEST)
		return;
	switch (tv_kind_of_row(g, row).kind) {
	case TV_KIND_SEND:
		add_side(s, row, row, node, true, true);
		break;
	case TV_KIND_EXCHANGE:
		add_side(s, row, row, node, true, false);
		add_side(s, row, row, node, false, false);
		break;
	case TV_KIND_RECEIVE:
	case TV_KIND_MPROBE:
		add_side(s, row, row, node, false, false);
		break;
	default:
		break;
	}
}

static void add_request(struct sides *s, const struct tv_mpi_request *r)
{
	struct tv_call_graph *g = s->parts->graph;
	uint32_t completes = r->complete == TV_NONE ? TV_NONE : g->node_of[r->complete];
	bool waits = completes != TV_NONE && g->calls->class_of[r->complete] == TV_CALL_WAIT;

	switch (tv_kind_of_row(g, r->about).kind) {
	case TV_KIND_SEND:
		add_side(s, r->start, r->about, completes, true, waits && r->shared == 1);
		break;
	case TV_KIND_RECEIVE:
		add_side(s, r->start, r->about, completes, false, false);
		break;
	case TV_KIND_MRECV:
		if (completes != TV_NONE && g->node[completes].how == TV_NODE_LOCAL)
			g->node[completes].how = TV_NODE_WAIT;
		break;
	case TV_KIND_FIXED:
	case TV_KIND_LOCAL:
		if (completes != TV_NONE)
			tv_graph_fix(g, completes, TV_FIXED_OPERATION);
		break;
	default: /* collective operations */
		break;
	}
}

/* ---- joining ---- */

static void join(struct sides *s, struct side *send, struct side *receive, int64_t bytes,
		 uint32_t link)
{
	struct tv_call_graph *g = s->parts->graph;

	TV_GROW(g->message, g->nmessages, s->messages_cap, 1);
	if (bytes < 0)
		bytes = tv_call_number(g->calls, TV_CALL_BYTES, send->about);
	g->counts.guessed += send->guessed;
	send->message = g->nmessages;
	if (receive != NULL) {
		receive->message = g->nmessages;
		receive->sender = s->numbered ? g->number[g->thread[send->thread].rank]
					      : TV_NO_NUMBER;
		receive->sent_tag = send->tag;
	}
	g->message[g->nmessages++] = (struct tv_call_message){
		.send = send->post,
		.receive = receive == NULL ? TV_NONE : receive->post,
		.sent = send->completes,
		.received = receive == NULL ? TV_NONE : receive->completes,
		.link = link,
		.bytes = bytes < 0 ? 0 : bytes,
		.mode = tv_kind_of_row(g, send->about).mode,
		.alone = send->alone,
		.guessed = send->guessed,
	};
}

/* The first side that is left of those that agree in all. */
static struct side *take_equal(struct sides *s, const struct side *like)
{
	size_t i;
	struct side *first;

	TV_LOWER_BOUND(i, 0, s->n, same_place(&s->at[i], like) < 0);
	if (i == s->n || same_place(&s->at[i], like) != 0)
		return NULL;
	first = &s->at[i];
	i += first->used;
	if (i >= s->n || same_place(&s->at[i], like) != 0)
		return NULL;
	first->used++;
	return &s->at[i];
}

/* The same, or one of which the peer or the tag is not known. */
static struct side *take(struct sides *s, struct side like)
{
	int64_t peer = like.peer, tag = like.tag;
	struct side *found = take_equal(s, &like);

	for (int unknown = 1; unknown < 4 && found == NULL; unknown++) {
		like.tag = unknown & 1 ? TV_NO_NUMBER : tag;
		like.peer = unknown & 2 ? TV_NO_NUMBER : peer;
		found = take_equal(s, &like);
	}
	return found;
}

static int64_t number_in(const struct tv_column *column, uint32_t row)
{
	size_t n;
	int64_t number;
	const char *text;

	if (column == NULL)
		return TV_NO_NUMBER;
	text = tv_string(column, row, &n);
	return tv_parse_int(text, n, &number) == TV_PARSE_OK ? number : TV_NO_NUMBER;
}

/* The first node of a thread that ends at an instant of its clock or later. */
static uint32_t node_until(const struct tv_call_graph *g, uint32_t thread, int64_t time)
{
	const struct tv_call_thread *t = &g->thread[thread];
	uint32_t i;

	time += g->rules.shift == NULL ? 0 : g->rules.shift[t->rank];
	TV_LOWER_BOUND(i, t->first, t->first + t->n, tv_node_end(g, i) < time);
	return i;
}

/* The same side by the begin of the call in which its instant is. */
static struct side *take_within(struct sides *s, struct side like)
{
	const struct tv_call_graph *g = s->parts->graph;
	const struct tv_call_thread *t = &g->thread[like.thread];
	uint32_t node = node_until(g, like.thread, like.begin);

	if (node == t->first + t->n || g->node[node].row == TV_NONE
	    || tv_call_begin(g->calls, g->node[node].row) > like.begin)
		return NULL;
	like.begin = tv_call_begin(g->calls, g->node[node].row);
	return take(s, like);
}

static bool completes(const struct tv_call_graph *g, uint32_t node)
{
	uint32_t row = g->node[node].row;

	return row != TV_NONE
	    && (g->calls->class_of[row] == TV_CALL_WAIT || g->calls->class_of[row] == TV_CALL_TEST);
}

/* By time, what completes both sides of a message whose calls only post them. */
static void find_waits(const struct sides *s, struct side *send, struct side *receive,
		       int64_t arrived)
{
	const struct tv_call_graph *g = s->parts->graph;
	const struct tv_call_thread *from = &g->thread[send->thread],
				    *to = &g->thread[receive->thread];
	uint32_t node = node_until(g, receive->thread, arrived);

	if (receive->completes == TV_NONE && node < to->first + to->n && node > receive->post
	    && completes(g, node))
		receive->completes = node;
	node = node_until(g, send->thread, receive->begin);
	node = node > send->post ? node : send->post + 1;
	if (send->completes == TV_NONE && node < from->first + from->n) {
		send->completes = s->wait[node];
		send->alone = false;
		send->guessed = true;
	}
}

/* A wait for one request completes no send if that is a known receive. */
static bool may_complete_send(const struct tv_call_graph *g, uint32_t row)
{
	return row != TV_NONE && g->calls->class_of[row] == TV_CALL_WAIT
	    && (tv_call_requests(g->calls, row) == 0 || tv_call_named(g->calls, row, "waitall")
		|| tv_call_named(g->calls, row, "waitsome"));
}

/* Where no send names a request, and none is of a nonblocking collective operation. */
static void list_waits(struct sides *s)
{
	const struct tv_call_graph *g = s->parts->graph;
	bool sends = false;

	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t row = g->node[i].row;
		struct tv_call_kind_of of;

		if (row == TV_NONE || !tv_kind_of_row(g, row).starts)
			continue;
		of = tv_kind_of_row(g, row);
		if ((of.kind >= TV_KIND_ALL && of.kind <= TV_KIND_SCAN)
		    || (of.kind == TV_KIND_SEND && tv_call_requests(g->calls, row) > 0))
			return;
		sends = sends || of.kind == TV_KIND_SEND;
	}
	s->unnamed = sends;
	s->wait = tv_alloc(g->n, sizeof *s->wait);
	for (uint32_t i = g->n; i-- > 0;) {
		bool last = i + 1 == g->n || g->node[i + 1].thread != g->node[i].thread;

		s->wait[i] = may_complete_send(g, g->node[i].row) ? i
			   : last				  ? TV_NONE
								  : s->wait[i + 1];
	}
}

struct links {
	const struct tv_column *type, *origin, *dest, *sent, *end, *posted, *tag, *size;
	uint32_t message, rows;
};

/* Whether links have the instants of both posts. */
static bool find_links(struct links *l, const struct tv_trace *trace)
{
	const struct tv_table *links = &trace->table[TV_LINKS];

	*l = (struct links){ .type = tv_table_find(links, "Type"),
			     .origin = tv_table_find(links, "Origin"),
			     .dest = tv_table_find(links, "Dest"),
			     .sent = tv_table_find(links, "Start"),
			     .end = tv_table_find(links, "End"),
			     .posted = tv_table_find(links, "ReceiveStart"),
			     .tag = tv_table_find(links, "Tag"),
			     .size = tv_table_find(links, "Size"),
			     .message = tv_pool_find_text(trace->pool, TV_MESSAGE_TYPE),
			     .rows = links->nrows };
	return l->origin != NULL && l->dest != NULL && l->sent != NULL && l->posted != NULL;
}

static void join_link(struct sides *s, const struct links *l, uint32_t row)
{
	const struct tv_call_graph *g = s->parts->graph;
	uint32_t from = tv_label(l->origin, row), to = tv_label(l->dest, row);
	int64_t tag = s->tagged ? number_in(l->tag, row) : TV_NO_NUMBER;
	struct side *send, *receive, sends, receives;

	from = from == TV_NONE ? TV_NONE : tv_index_get(&s->parts->thread_of, from);
	to = to == TV_NONE ? TV_NONE : tv_index_get(&s->parts->thread_of, to);
	if (from == TV_NONE || to == TV_NONE || tv_missing(l->sent, row)
	    || tv_missing(l->posted, row)) {
		s->parts->graph->counts.no_calls++;
		return;
	}
	sends = (struct side){ .thread = from,
			       .direction = SENDS,
			       .begin = l->sent->i[row],
			       .peer = s->numbered ? g->number[g->thread[to].rank] : TV_NO_NUMBER,
			       .tag = tag };
	receives = (struct side){ .thread = to,
				  .direction = RECEIVES,
				  .begin = l->posted->i[row],
				  .peer = s->numbered ? g->number[g->thread[from].rank]
						      : TV_NO_NUMBER,
				  .tag = tag };
	send = take(s, sends);
	if (send == NULL)
		send = take_within(s, sends);
	receive = take(s, receives);
	if (receive == NULL)
		receive = take_within(s, receives);
	if (send == NULL || receive == NULL) {
		s->parts->graph->counts.no_calls++;
		return;
	}
	if (s->wait != NULL && l->end != NULL && !tv_missing(l->end, row))
		find_waits(s, send, receive, l->end->i[row]);
	join(s, send, receive, l->size == NULL || tv_missing(l->size, row) ? -1 : l->size->i[row],
	     row);
}

/* A side as its stream has it. */
struct in_stream {
	uint32_t comm;
	int64_t from, to, tag, begin;
	uint32_t side;
};

TV_ORDER(same_stream, struct in_stream, comm, from, to, tag)
TV_ORDER(by_stream, struct in_stream, comm, from, to, tag, begin, side)

static size_t list_streams(const struct sides *s, uint32_t direction, struct in_stream *list)
{
	const struct tv_call_graph *g = s->parts->graph;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct side *side = &s->at[i];
		int64_t own = g->number[g->thread[side->thread].rank];
		bool sends = side->direction == SENDS;

		if (side->direction == direction && side->peer >= 0)
			list[n++] = (struct in_stream){ tv_call_label(g->calls, TV_CALL_COMM,
								      side->about),
							sends ? own : side->peer,
							sends ? side->peer : own,
							side->tag,
							side->begin,
							(uint32_t)i };
	}
	if (n > 1)
		qsort(list, n, sizeof *list, by_stream);
	return n;
}

static void join_streams(struct sides *s)
{
	struct in_stream *send = tv_alloc(s->n, sizeof *send),
			 *receive = tv_alloc(s->n, sizeof *send);
	size_t nsends = list_streams(s, SENDS, send),
	       nreceives = list_streams(s, RECEIVES, receive);

	for (size_t i = 0, k = 0; i < nsends && k < nreceives;) {
		int order = same_stream(&send[i], &receive[k]);

		if (order == 0)
			join(s, &s->at[send[i].side], &s->at[receive[k].side], -1, TV_NONE);
		i += order <= 0;
		k += order >= 0;
	}
	tv_free(send);
	tv_free(receive);
}

/* ---- what waits ---- */

/* Of a receive half without any evidence of its sender: whether it may have had one. */
static bool may_have_partner(const struct sides *s, const struct side *side)
{
	const struct tv_call_graph *g = s->parts->graph;

	if (side->peer >= 0 || s->loose)
		return true;
	if (tv_kind_of_row(g, side->about).kind == TV_KIND_EXCHANGE)
		return g->calls->column[TV_CALL_RECEIVE_PEER] == NULL && !s->linked;
	return g->calls->column[TV_CALL_PEER] == NULL;
}

/* Sends without a receive in the trace are messages with one side; receives without a send cannot be replayed. */
static void finish_alone(struct sides *s)
{
	struct tv_call_graph *g = s->parts->graph;

	for (size_t i = 0; i < s->n; i++) {
		struct side *side = &s->at[i];

		if (side->message != TV_NONE || side->completes == TV_NONE)
			continue;
		if (side->direction == SENDS)
			join(s, side, NULL, -1, TV_NONE);
		else if (may_have_partner(s, side)
			 && g->calls->class_of[g->node[side->completes].row] != TV_CALL_TEST)
			tv_graph_fix(g, side->completes, TV_FIXED_PARTNER);
	}
}

/* A probe waits for the send of the message that its thread receives next. */
static void set_probe(struct sides *s, uint32_t row)
{
	struct tv_call_graph *g = s->parts->graph;
	uint32_t node = g->node_of[row];
	int64_t peer = s->numbered ? tv_call_number(g->calls, TV_CALL_PEER, row) : TV_NO_NUMBER,
		tag = s->tagged ? tv_call_number(g->calls, TV_CALL_TAG, row) : TV_NO_NUMBER;
	const struct side like = { .thread = g->node[node].thread,
				   .direction = RECEIVES,
				   .begin = tv_call_begin(g->calls, row),
				   .peer = INT64_MIN,
				   .tag = INT64_MIN };
	size_t i;

	TV_LOWER_BOUND(i, 0, s->n, same_place(&s->at[i], &like) < 0);
	for (; i < s->n && s->at[i].thread == like.thread && s->at[i].direction == RECEIVES; i++) {
		const struct side *side = &s->at[i];

		if (side->message == TV_NONE || side->post < node
		    || (peer >= 0 && side->sender != peer) || (tag >= 0 && side->sent_tag != tag))
			continue;
		tv_graph_depend(s->parts,
				(struct tv_dependence){ .target = node,
							.event = 2 * g->message[side->message].send,
							.message = side->message });
		return;
	}
	tv_graph_fix(g, node, TV_FIXED_PARTNER);
}

/* Waits that complete nothing that is known, of requests that they name, or that could not name any. */
static void fix_unknown_waits(const struct sides *s)
{
	struct tv_call_graph *g = s->parts->graph;
	const struct tv_requests *requests = s->parts->requests;
	bool *known = tv_alloc(g->n, sizeof *known);

	for (uint32_t i = 0; i < requests->n; i++)
		if (requests->at[i].complete != TV_NONE
		    && g->node_of[requests->at[i].complete] != TV_NONE)
			known[g->node_of[requests->at[i].complete]] = true;
	for (uint32_t i = 0; i < g->nmessages; i++) {
		if (g->message[i].received != TV_NONE)
			known[g->message[i].received] = true;
		if (g->message[i].sent != TV_NONE)
			known[g->message[i].sent] = true;
	}
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t row = g->node[i].row;

		if (row == TV_NONE || known[i] || g->calls->class_of[row] != TV_CALL_WAIT)
			continue;
		if (tv_call_requests(g->calls, row) > 0 || s->unnamed
		    || g->calls->column[TV_CALL_REQUEST] == NULL)
			tv_graph_fix(g, i, TV_FIXED_REQUEST);
	}
	tv_free(known);
}

static void collect(struct sides *s)
{
	const struct tv_call_graph *g = s->parts->graph;
	const struct tv_requests *requests = s->parts->requests;

	list_waits(s);
	for (uint32_t i = 0; i < g->calls->n; i++)
		if (g->node_of[g->calls->row[i]] != TV_NONE)
			add_sides_of_call(s, g->calls->row[i]);
	for (uint32_t i = 0; i < requests->n; i++)
		add_request(s, &requests->at[i]);
	if (s->n > 1)
		qsort(s->at, s->n, sizeof *s->at, by_place);
}

static void depend_on_messages(struct tv_graph_parts *parts)
{
	struct tv_call_graph *g = parts->graph;

	for (uint32_t i = 0; i < g->nmessages; i++) {
		const struct tv_call_message *m = &g->message[i];
		bool eager = m->protocol == TV_EAGER;

		if (m->received != TV_NONE)
			tv_graph_depend(parts, (struct tv_dependence){ .target = m->received,
								       .event = 2 * m->send,
								       .message = i });
		if (m->sent == TV_NONE)
			continue;
		if (m->receive != TV_NONE && !eager)
			tv_graph_depend(parts,
					(struct tv_dependence){ .target = m->sent,
								.event = 2 * m->receive,
								.message = i,
								.rendezvous = true,
								.uncertain = m->protocol
									  == TV_PROTOCOL_UNKNOWN });
		else if (m->receive == TV_NONE && !eager)
			tv_graph_fix(g, m->sent, TV_FIXED_PARTNER);
		if (g->node[m->sent].message == TV_NONE)
			g->node[m->sent].message = i;
	}
}

void tv_graph_add_messages(struct tv_graph_parts *parts)
{
	struct tv_call_graph *g = parts->graph;
	struct sides s = { .parts = parts, .numbered = true };
	struct links links;
	bool joinable;

	for (uint32_t r = 0; r < g->calls->nranks; r++)
		s.numbered = s.numbered && g->number[r] != TV_NO_NUMBER;
	joinable = find_links(&links, g->calls->trace);
	for (uint32_t row = 0; links.type != NULL && links.message != TV_NONE && row < links.rows;
	     row++)
		if (tv_label(links.type, row) == links.message)
			*(joinable ? &s.linked : &s.loose) = true;
	s.tagged = !s.linked || links.tag != NULL;
	collect(&s);
	for (uint32_t row = 0; s.linked && row < links.rows; row++)
		if (tv_label(links.type, row) == links.message)
			join_link(&s, &links, row);
	s.loose = s.loose || g->counts.no_calls > 0;
	if (!s.linked && s.numbered)
		join_streams(&s);
	fix_unknown_waits(&s);
	finish_alone(&s);
	tv_graph_set_protocols(g);
	depend_on_messages(parts);
	for (uint32_t i = 0; i < g->calls->n; i++) {
		uint32_t row = g->calls->row[i];

		if (g->node_of[row] != TV_NONE && g->calls->class_of[row] == TV_CALL_BLOCKING
		    && tv_kind_of_row(g, row).kind == TV_KIND_PROBE)
			set_probe(&s, row);
	}
	tv_free(s.at);
	tv_free(s.wait);
}
