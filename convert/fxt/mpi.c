/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi.c -- messages between ranks.
 *
 * The trace has neither communicators nor numbers: a send is paired with the first receive that has
 * the same source, destination and tag and is not yet paired, in order of time; so are a send with
 * its completion and a completed receive with its posting. Links are numbered in order of the
 * sends.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"
#include "trace/kernels.h"
#include "trace/sorted.h"

/* ---- events ---- */

/* Parameter i as a job; TV_NONE for -1, which means none. */
static uint32_t job_param(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, unsigned i)
{
	return tv_fxt_number(event, i) != -1 ? tv_fxt_find_job(rank, tv_fxt_word(event, i))
					     : TV_NONE;
}

void tv_fxt_send_submitted(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	bool typed = event->n >= 8; /* 1.4: type first */
	unsigned at = typed ? 1 : 0;
	struct tv_fxt_run *run = rank->run;
	struct tv_fxt_send send = {
		.src = rank->index,
		.order = (uint32_t)run->messages.nsends,
		.dst = tv_fxt_number(event, at),
		.time = rank->now,
		.tag = tv_fxt_number(event, at + 1),
		.size = tv_fxt_word(event, at + 2),
		.job = TV_NONE,
		.receive = TV_NONE,
		.sent = TV_NONE,
		.posted = TV_NONE,
	};

	if (event->n >= 5)
		send.job = job_param(rank, event, at + 3);
	if (typed) {
		/* 1.4.99 names the job that the end of the send releases, too. */
		at = rank->facts.generation == TV_FXT_1_4_99 && event->n == 9 ? 6 : 5;
		send.type = (uint32_t)tv_fxt_word(event, 0);
		send.handle = tv_fxt_word(event, at);
		send.priority = tv_fxt_number(event, at + 1);
	} else if (event->n == 6) {
		/* Development snapshots of 2020: thread and handle, from August on handle and thread. */
		bool first = tv_fxt_handle_at(rank, tv_fxt_word(event, 4)) != NULL;

		send.handle = tv_fxt_word(event, first ? 4 : 5);
	}
	tv_fxt_check_count(run->messages.nsends, "messages");
	TV_GROW(run->messages.send, run->messages.nsends, run->messages.sends_cap, 1);
	run->messages.send[run->messages.nsends++] = send;
	tv_fxt_comm_set(rank, event);
}

/* An event with peer and tag first. */
static struct tv_fxt_end *add_end(struct tv_fxt_ends *ends, const struct tv_fxt_rank *rank,
				  const struct tv_fxt_event *event)
{
	tv_fxt_check_count(ends->n, "messages");
	TV_GROW(ends->at, ends->n, ends->cap, 1);
	ends->at[ends->n] = (struct tv_fxt_end){ .rank = rank->index,
						 .order = (uint32_t)ends->n,
						 .next = TV_NONE,
						 .posted = TV_NONE,
						 .peer = tv_fxt_number(event, 0),
						 .tag = tv_fxt_number(event, 1),
						 .time = rank->now,
						 .job = TV_NONE };
	return &ends->at[ends->n++];
}

void tv_fxt_send_done(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	add_end(&rank->run->messages.sent, rank, event);
}

void tv_fxt_receive_posted(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	add_end(&rank->run->messages.posted, rank, event);
	tv_fxt_comm_set(rank, event);
}

void tv_fxt_receive_done(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_end *received = add_end(&rank->run->messages.received, rank, event);
	/* 1.4.99 names the job that the receive waited for before the one that it releases. */
	bool both = rank->facts.generation == TV_FXT_1_4_99 && event->n == 6;

	received->job = job_param(rank, event, both ? 3 : 2);
	if (event->n >= 5)
		received->handle = tv_fxt_word(event, 4);
	tv_fxt_received(rank, received->job, received->handle);
}

/* ---- pairing ---- */

TV_ORDER(sends_by_time, struct tv_fxt_send, time, order)

TV_ORDER(ends_by_time, struct tv_fxt_end, time, order)

static uint64_t pair_key(int64_t src, int64_t dst)
{
	return (uint64_t)(uint32_t)src << 32 | (uint32_t)dst;
}

/* Ends in queues by source, destination and tag: the first of each that is not yet paired. */
struct queues {
	struct tv_fxt_ends *ends;
	struct tv_map first;
};

/* at_source: the rank of an end is that of the sender. */
static void queue(const struct tv_fxt_run *run, struct tv_fxt_ends *ends, bool at_source,
		  struct queues *queues)
{
	struct tv_map last = { 0 };

	*queues = (struct queues){ .ends = ends };
	if (ends->n > 1)
		qsort(ends->at, ends->n, sizeof *ends->at, ends_by_time);
	for (uint32_t i = 0; i < ends->n; i++) {
		const struct tv_fxt_end *end = &ends->at[i];
		int64_t rank = run->rank[end->rank].number;
		uint64_t key = at_source ? pair_key(rank, end->peer) : pair_key(end->peer, rank);
		uint32_t *tail = tv_map_at(&last, (uint64_t)end->tag, key);

		if (*tail != TV_NONE)
			ends->at[*tail].next = i;
		else
			tv_map_put(&queues->first, (uint64_t)end->tag, key, i);
		*tail = i;
	}
	tv_map_release(&last);
}

/* Takes the first of a queue that is not before `from`, if it is not after `to`; TV_NONE. */
static uint32_t take(const struct queues *queues, int64_t tag, uint64_t key, int64_t from,
		     int64_t to)
{
	uint32_t *head = tv_map_get(&queues->first, (uint64_t)tag, key), taken;
	struct tv_fxt_end *at = queues->ends->at;

	while (head != NULL && *head != TV_NONE && at[*head].time < from)
		*head = at[*head].next;
	if (head == NULL || *head == TV_NONE || at[*head].time > to)
		return TV_NONE;
	taken = *head;
	at[taken].used = true;
	*head = at[taken].next;
	return taken;
}

static uint64_t key_of_send(const struct tv_fxt_run *run, const struct tv_fxt_send *send)
{
	return pair_key(run->rank[send->src].number, send->dst);
}

/* Receives whose postings come first: a send that no receive completes takes what is left. */
static void pair_postings(struct tv_fxt_run *run)
{
	struct tv_fxt_messages *m = &run->messages;
	struct queues posted;

	queue(run, &m->posted, false, &posted);
	for (size_t i = 0; i < m->received.n; i++) {
		struct tv_fxt_end *r = &m->received.at[i];

		r->posted = take(&posted, r->tag, pair_key(r->peer, run->rank[r->rank].number),
				 INT64_MIN, r->time);
	}
	for (size_t i = 0; i < m->nsends; i++) {
		struct tv_fxt_send *send = &m->send[i];

		send->posted = send->receive != TV_NONE
				     ? m->received.at[send->receive].posted
				     : take(&posted, send->tag, key_of_send(run, send), INT64_MIN,
					    INT64_MAX);
	}
	tv_map_release(&posted.first);
}

static void pair(struct tv_fxt_run *run)
{
	struct tv_fxt_messages *m = &run->messages;
	struct queues received, sent;

	if (m->nsends > 1)
		qsort(m->send, m->nsends, sizeof *m->send, sends_by_time);
	queue(run, &m->received, false, &received);
	queue(run, &m->sent, true, &sent);
	for (size_t i = 0; i < m->nsends; i++) {
		struct tv_fxt_send *send = &m->send[i];
		uint64_t key = key_of_send(run, send);

		send->receive = take(&received, send->tag, key, INT64_MIN, INT64_MAX);
		send->sent = take(&sent, send->tag, key, send->time, INT64_MAX);
	}
	pair_postings(run);
	tv_map_release(&received.first);
	tv_map_release(&sent.first);
}

/* The file of a rank; NULL if it was not read. Ranks are sorted by number. */
static struct tv_fxt_rank *find_rank(const struct tv_fxt_run *run, int64_t number)
{
	size_t i;

	TV_LOWER_BOUND(i, 0, run->nranks, run->rank[i].number < number);
	return i < run->nranks && run->rank[i].number == number ? &run->rank[i] : NULL;
}

/* Clocks can only be compared, and files belong together, where every file has a barrier of the
 * same run. */
static bool one_run(const struct tv_fxt_run *run)
{
	for (size_t i = 0; i < run->nranks; i++)
		if (run->rank[i].facts.nsync == 0
		    || run->rank[i].facts.key != run->rank[0].facts.key)
			return false;
	return run->nranks > 1;
}

/* ---- rows ---- */

struct message_columns {
	struct tv_column *tag, *value, *priority, *origin_job, *dest_job, *flag, *send_end,
		*receive_start;
};

static uint32_t comm_label(const struct tv_fxt_rank *rank)
{
	return rank->threads.comm != TV_NONE ? rank->threads.comm
					     : tv_fxt_label(rank->run, "%smpict", rank->prefix);
}

static uint32_t job_label(const struct tv_fxt_rank *rank, uint32_t job)
{
	return job != TV_NONE ? rank->tasks.job[job].label : TV_NONE;
}

static const char *message_type(uint32_t type)
{
	return type == 0x100 ? "PointToPoint" : type == 0x101 ? "Collective" : NULL;
}

/* The row of a link: all but its end. */
static uint32_t link_of_send(struct tv_fxt_run *run, const struct message_columns *c,
			     const struct tv_fxt_send *send, struct tv_fxt_rank *dst, uint32_t key)
{
	struct tv_fxt_rank *src = &run->rank[send->src];
	uint32_t origin = comm_label(src), dest = comm_label(dst), root = tv_fxt_label(run, "root");
	uint32_t tag = tv_fxt_label(run, "%" PRId64, send->tag), handle = TV_NONE;
	uint32_t row = tv_fxt_link_row(src, TV_FXT_MESSAGE_LINK, key, origin, dest, send->time);
	const char *type = message_type(send->type);

	if (send->handle != 0)
		handle = tv_fxt_handle_label(src, send->handle);
	tv_set_label(run->col.link_resource, row, root);
	tv_set_int(run->col.link_size, row, (int64_t)send->size);
	tv_set_label(run->col.link_handle, row, handle);
	tv_set_label(c->tag, row, tag);
	tv_set_label(c->origin_job, row, job_label(src, send->job));
	if (type != NULL) {
		tv_set_text(c->value, row, type);
		tv_set_int(c->priority, row, send->priority);
	}
	if (send->sent != TV_NONE)
		tv_set_int(c->send_end, row, run->messages.sent.at[send->sent].time);
	if (send->posted != TV_NONE)
		tv_set_int(c->receive_start, row, run->messages.posted.at[send->posted].time);
	return row;
}

static void add_bandwidth(const struct tv_fxt_run *run, struct tv_fxt_deltas *flow,
			  const struct tv_fxt_send *send, const struct tv_fxt_end *receive)
{
	double ms = (double)(receive->time - send->time) / 1e6, rate;

	if (receive->time <= send->time)
		return;
	rate = 0.001 * (double)send->size / ms;
	tv_fxt_add_delta(run, flow, 2 * send->src, send->time, receive->time, rate);
	tv_fxt_add_delta(run, flow, 2 * receive->rank + 1, send->time, receive->time, rate);
}

static uint32_t message_key(const struct tv_fxt_run *run, uint64_t number)
{
	return tv_fxt_count_label(run, "mpicom_", number);
}

static void write_pair(struct tv_fxt_run *run, const struct message_columns *c,
		       const struct tv_fxt_send *send, uint32_t key, struct tv_fxt_deltas *flow)
{
	const struct tv_fxt_end *receive = &run->messages.received.at[send->receive];
	struct tv_fxt_rank *dst = &run->rank[receive->rank];
	uint32_t row = link_of_send(run, c, send, dst, key), taker;

	tv_set_label(c->dest_job, row, job_label(dst, receive->job));
	/* May be before its start, if clocks differ: see trace/clocks.h. */
	tv_set_int(run->col.link_end, row, receive->time);
	if (receive->job != TV_NONE)
		tv_fxt_add_need(dst, receive->job, key);
	if (receive->job != TV_NONE && (taker = tv_fxt_taker(dst, receive->job)) != TV_NONE)
		tv_fxt_add_need(dst, taker, key);
	add_bandwidth(run, flow, send, receive);
}

static void write_open(struct tv_fxt_run *run, const struct message_columns *c,
		       const struct tv_fxt_send *send, uint32_t key)
{
	struct tv_fxt_rank *dst = find_rank(run, send->dst);
	uint32_t row = link_of_send(run, c, send, dst, key);

	if (dst->end > send->time)
		tv_set_int(run->col.link_end, row, dst->end);
	tv_set_text(c->flag, row, "open");
}

/* ---- what has no partner ---- */

#define NEVER_RECEIVED "message that was never received"
#define NEVER_SENT     "message that was never sent"
#define NEVER_DONE     "receive that never completed"

/* By rank. */
struct unmatched {
	uint64_t *sends, *receives, *postings; /* postings: of receives that never completed */
	uint64_t nsends, nreceives, npostings, outside;
};

static void list_unmatched(struct tv_fxt_run *run, enum tv_severity severity, const char *cause,
			   const struct tv_fxt_rank *rank, int64_t src, int64_t dst, int64_t tag)
{
	if (run->trace->options.verbose)
		tv_diagnose(&run->trace->diagnostics, severity, (struct tv_pos){ rank->path, 0 },
			    "%s: rank %" PRId64 " to %" PRId64 ", tag %" PRId64, cause, src, dst,
			    tag);
}

static void count_ends(struct tv_fxt_run *run, const struct tv_fxt_ends *ends, const char *cause,
		       enum tv_severity severity, uint64_t *by_rank, uint64_t *sum,
		       uint64_t *outside)
{
	for (size_t i = 0; i < ends->n; i++) {
		const struct tv_fxt_end *end = &ends->at[i];
		const struct tv_fxt_rank *rank = &run->rank[end->rank];

		if (end->used)
			continue;
		if (find_rank(run, end->peer) == NULL) {
			++*outside;
			continue;
		}
		by_rank[end->rank]++;
		++*sum;
		list_unmatched(run, severity, cause, rank, end->peer, rank->number, end->tag);
	}
}

static void count_sends(struct tv_fxt_run *run, struct unmatched *u)
{
	for (size_t i = 0; i < run->messages.nsends; i++) {
		const struct tv_fxt_send *send = &run->messages.send[i];
		const struct tv_fxt_rank *rank = &run->rank[send->src];

		if (send->receive != TV_NONE)
			continue;
		if (find_rank(run, send->dst) == NULL) {
			u->outside++;
			continue;
		}
		u->sends[send->src]++;
		u->nsends++;
		list_unmatched(run, TV_REPAIR, NEVER_RECEIVED, rank, rank->number, send->dst,
			       send->tag);
	}
}

/* Adds "; sends of rank 0: 3, 2: 1", as many ranks as fit, and rows of meta. */
static void list_ranks(struct tv_fxt_run *run, const char *what, const char *key,
		       const uint64_t *by_rank, char *text, size_t size)
{
	size_t used = strlen(text);
	bool first = true;

	for (size_t i = 0; i < run->nranks; i++) {
		if (by_rank[i] == 0)
			continue;
		tv_meta_add(run->trace, key, "rank %" PRId64 ": %" PRIu64, run->rank[i].number,
			    by_rank[i]);
		if (used + 60 < size)
			used += (size_t)snprintf(text + used, size - used,
						 "%s%s%" PRId64 ": %" PRIu64, first ? what : "",
						 first ? "" : ", ", run->rank[i].number,
						 by_rank[i]);
		else if (used + 6 < size && text[used - 1] != '.')
			used += (size_t)snprintf(text + used, size - used, ", ...");
		first = false;
	}
}

/* One warning for all that has no partner, by rank. */
static void report_unmatched(struct tv_fxt_run *run)
{
	struct unmatched u = { .sends = tv_alloc(run->nranks, sizeof *u.sends),
			       .receives = tv_alloc(run->nranks, sizeof *u.receives),
			       .postings = tv_alloc(run->nranks, sizeof *u.postings) };
	struct tv_fxt_messages *m = &run->messages;
	uint64_t ignored = 0;
	char text[400] = "";

	count_sends(run, &u);
	count_ends(run, &m->received, NEVER_SENT, TV_OMISSION, u.receives, &u.nreceives,
		   &u.outside);
	count_ends(run, &m->posted, NEVER_DONE, TV_NOTE, u.postings, &u.npostings, &ignored);
	list_ranks(run, "; sends of rank ", "UnmatchedSends", u.sends, text, 200);
	list_ranks(run, "; receives of rank ", "UnmatchedReceives", u.receives, text, 300);
	list_ranks(run, "; receives that never completed, of rank ", "UncompletedReceives",
		   u.postings, text, sizeof text);
	if (text[0] != '\0')
		tv_diagnose(&run->trace->diagnostics, TV_WARNING, (struct tv_pos){ 0 },
			    "%" PRIu64 " sends and %" PRIu64
			    " receives have no partner (--verbose lists them)%s",
			    u.nsends, u.nreceives + u.npostings, text);
	tv_damage_count(run->trace, TV_REPAIRED, NEVER_RECEIVED, u.nsends);
	tv_damage_count(run->trace, TV_DROPPED, NEVER_SENT, u.nreceives);
	if (u.outside > 0)
		tv_meta_add(run->trace, "MessagesOutside", "%" PRIu64, u.outside);
	tv_free(u.sends);
	tv_free(u.receives);
	tv_free(u.postings);
}

/* Bandwidth of the MPI threads. */
static void write_bandwidth(struct tv_fxt_run *run, struct tv_fxt_deltas *flow)
{
	struct tv_fxt_step_variable **variable = tv_alloc(2 * run->nranks, sizeof *variable);

	for (size_t i = 0; i < run->nranks; i++) {
		struct tv_fxt_rank *rank = &run->rank[i];
		uint32_t label = comm_label(rank);

		rank->comm_out = (struct tv_fxt_step_variable){ label, TV_FXT_BANDWIDTH_OUT, 0, 0,
								true };
		rank->comm_in = (struct tv_fxt_step_variable){ label, TV_FXT_BANDWIDTH_IN, 0, 0,
							       true };
		variable[2 * i] = &rank->comm_out;
		variable[2 * i + 1] = &rank->comm_in;
	}
	tv_fxt_sum_deltas(run, flow, variable, 2 * run->nranks);
	for (size_t i = 0; i < 2 * run->nranks; i++) {
		struct tv_fxt_rank *rank = &run->rank[i / 2];

		tv_fxt_end_with_resource(rank, variable[i],
					 rank->threads.comm != TV_NONE ? rank->threads.comm_row
								       : TV_NONE);
	}
	tv_free(variable);
}

static void write_links(struct tv_fxt_run *run)
{
	struct tv_fxt_deltas flow = { 0 };
	struct message_columns c;
	uint64_t paired = 0;

	TV_TRACE_COLUMNS(run->trace, TV_LINKS, { "Tag", &c.tag }, { "Value", &c.value },
			 { "Priority", &c.priority }, { "OriginJob", &c.origin_job },
			 { "DestJob", &c.dest_job }, { "Flag", &c.flag },
			 { "SendEnd", &c.send_end }, { "ReceiveStart", &c.receive_start });
	for (size_t i = 0; i < run->messages.nsends; i++)
		if (run->messages.send[i].receive != TV_NONE)
			write_pair(run, &c, &run->messages.send[i], message_key(run, paired++),
				   &flow);
	for (size_t i = 0, n = paired; i < run->messages.nsends; i++)
		if (run->messages.send[i].receive == TV_NONE
		    && find_rank(run, run->messages.send[i].dst) != NULL)
			write_open(run, &c, &run->messages.send[i], message_key(run, n++));
	write_bandwidth(run, &flow);
	tv_meta_add(run->trace, "Messages", "%" PRIu64, paired);
}

void tv_fxt_pair_messages(struct tv_fxt_run *run)
{
	const struct tv_fxt_messages *m = &run->messages;

	if (m->nsends + m->received.n + m->posted.n == 0)
		return;
	if (!one_run(run)) {
		if (run->nranks > 1)
			tv_notice(run->trace, "the files have no common barrier (or are "
					      "of different runs): messages are not paired");
		tv_meta_add(run->trace, "MessagesOutside", "%zu", m->nsends + m->received.n);
		return;
	}
	pair(run);
	write_links(run);
	report_unmatched(run);
	tv_fxt_report_unexpected(run);
}

/* ---- messages as nodes of the task graph ---- */

void tv_fxt_write_messages(struct tv_fxt_run *run)
{
	struct tv_column *job, *value, *kind, *start, *end, *depends, *size;
	const char *message = tv_kind_name(TV_MESSAGE);
	uint64_t number = 0;

	TV_TRACE_COLUMNS(run->trace, TV_TASKS, { "JobId", &job }, { "Value", &value },
			 { "Kind", &kind }, { "Start", &start }, { "End", &end },
			 { "DependsOn", &depends }, { "Size", &size });
	for (size_t i = 0; i < run->messages.nsends; i++) {
		const struct tv_fxt_send *send = &run->messages.send[i];
		uint32_t need = job_label(&run->rank[send->src], send->job), row;
		int64_t received;

		if (send->receive == TV_NONE)
			continue;
		received = run->messages.received.at[send->receive].time;
		row = tv_table_add_row(&run->trace->table[TV_TASKS]);
		tv_set_label(job, row, message_key(run, number++));
		tv_set_label(value, row, run->type[TV_FXT_MESSAGE_LINK]);
		tv_set_text(kind, row, message);
		tv_set_int(start, row, send->time);
		tv_set_int(end, row, received > send->time ? received : send->time);
		if (need != TV_NONE)
			tv_set_list(depends, row, &need, 1);
		tv_set_int(size, row, (int64_t)send->size);
	}
}
