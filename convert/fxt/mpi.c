/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi.c -- messages between ranks.
 *
 * The trace has neither communicators nor numbers: a send is paired with the first receive that has
 * the same source, destination and tag and is not yet paired, in order of time. Links are numbered
 * in order of the sends.
 */
#include <inttypes.h>
#include <stdlib.h>

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
	};

	if (event->n >= 5)
		send.job = job_param(rank, event, at + 3);
	if (typed) {
		send.type = (uint32_t)tv_fxt_word(event, 0);
		send.handle = tv_fxt_word(event, 5);
		send.priority = tv_fxt_number(event, 6);
	} else if (event->n == 6) { /* a development snapshot of 2020 */
		send.handle = tv_fxt_word(event, 5);
	}
	tv_fxt_check_count(run->messages.nsends, "messages");
	TV_GROW(run->messages.send, run->messages.nsends, run->messages.sends_cap, 1);
	run->messages.send[run->messages.nsends++] = send;
	tv_fxt_comm_set(rank, event);
}

void tv_fxt_receive_done(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_run *run = rank->run;
	struct tv_fxt_receive receive = {
		.dst = rank->index,
		.order = (uint32_t)run->messages.nreceives,
		.next = TV_NONE,
		.src = tv_fxt_number(event, 0),
		.time = rank->now,
		.tag = tv_fxt_number(event, 1),
		.job = job_param(rank, event, 2),
		.handle = event->n >= 5 ? tv_fxt_word(event, 4) : 0,
	};

	tv_fxt_check_count(run->messages.nreceives, "messages");
	TV_GROW(run->messages.receive, run->messages.nreceives, run->messages.receives_cap, 1);
	run->messages.receive[run->messages.nreceives++] = receive;
}

/* ---- pairing ---- */

static int sends_by_time(const void *a, const void *b)
{
	const struct tv_fxt_send *x = a, *y = b;

	return x->time != y->time ? TV_COMPARE(x->time, y->time) : TV_COMPARE(x->order, y->order);
}

static int receives_by_time(const void *a, const void *b)
{
	const struct tv_fxt_receive *x = a, *y = b;

	return x->time != y->time ? TV_COMPARE(x->time, y->time) : TV_COMPARE(x->order, y->order);
}

static uint64_t pair_key(int64_t src, int64_t dst)
{
	return (uint64_t)(uint32_t)src << 32 | (uint32_t)dst;
}

/* Queues of receives by source, destination and tag: first and last of each. */
static void queue_receives(struct tv_fxt_run *run, struct tv_map *first, struct tv_map *last)
{
	for (uint32_t i = 0; i < run->messages.nreceives; i++) {
		const struct tv_fxt_receive *r = &run->messages.receive[i];
		uint64_t tag = (uint64_t)r->tag, key = pair_key(r->src, run->rank[r->dst].number);
		const uint32_t *tail = tv_map_get(last, tag, key);

		if (tail != NULL)
			run->messages.receive[*tail].next = i;
		else
			tv_map_put(first, tag, key, i);
		tv_map_put(last, tag, key, i);
	}
}

static void pair(struct tv_fxt_run *run, const struct tv_map *first)
{
	for (size_t i = 0; i < run->messages.nsends; i++) {
		struct tv_fxt_send *send = &run->messages.send[i];
		uint32_t *head = tv_map_get(first, (uint64_t)send->tag,
					    pair_key(run->rank[send->src].number, send->dst));

		if (head == NULL || *head == TV_NONE)
			continue;
		send->receive = *head;
		run->messages.receive[*head].used = true;
		*head = run->messages.receive[*head].next;
	}
}

/* The file of a rank; NULL if it was not read. Ranks are sorted by number. */
static struct tv_fxt_rank *find_rank(const struct tv_fxt_run *run, int64_t number)
{
	size_t low = 0, high = run->nranks;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (run->rank[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < run->nranks && run->rank[low].number == number ? &run->rank[low] : NULL;
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
	struct tv_column *tag, *value, *priority, *origin_job, *dest_job, *flag;
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

/* The row of a link: what the send alone shows. */
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
	return row;
}

/* The clocks of two machines agree to some microseconds only: a receive may seem to precede its
 * send. */
static void report_early(struct tv_fxt_run *run, const struct tv_fxt_send *send, int64_t early,
			 const struct message_columns *c, uint32_t row)
{
	tv_set_text(c->flag, row, "early");
	tv_damaged(run->trace, TV_REPAIRED, "message received before it was sent",
		   (struct tv_pos){ run->rank[send->src].path, 0 },
		   "rank %" PRId64 " to %" PRId64 ", tag %" PRId64 ", %" PRId64
		   " ns early: it ends where it begins",
		   run->rank[send->src].number, send->dst, send->tag, early);
}

static void add_bandwidth(struct tv_fxt_deltas *flow, const struct tv_fxt_send *send,
			  const struct tv_fxt_receive *receive)
{
	double ms = (double)(receive->time - send->time) / 1e6, rate;

	if (receive->time <= send->time)
		return;
	rate = 0.001 * (double)send->size / ms;
	tv_fxt_add_delta(flow, 2 * send->src, send->time, receive->time, rate);
	tv_fxt_add_delta(flow, 2 * receive->dst + 1, send->time, receive->time, rate);
}

static uint32_t message_key(const struct tv_fxt_run *run, uint64_t number)
{
	return tv_fxt_count_label(run, "mpicom_", number);
}

static void write_pair(struct tv_fxt_run *run, const struct message_columns *c,
		       const struct tv_fxt_send *send, uint32_t key, struct tv_fxt_deltas *flow)
{
	const struct tv_fxt_receive *receive = &run->messages.receive[send->receive];
	struct tv_fxt_rank *dst = &run->rank[receive->dst];
	uint32_t row = link_of_send(run, c, send, dst, key);

	tv_set_label(c->dest_job, row, job_label(dst, receive->job));
	if (receive->time > send->time)
		tv_set_int(run->col.link_end, row, receive->time);
	if (receive->time < send->time)
		report_early(run, send, send->time - receive->time, c, row);
	if (receive->job != TV_NONE)
		tv_fxt_add_need(dst, receive->job, key);
	add_bandwidth(flow, send, receive);
}

static void write_unpaired(struct tv_fxt_run *run, const struct message_columns *c,
			   const struct tv_fxt_send *send, uint32_t key, uint64_t *outside)
{
	struct tv_fxt_rank *dst = find_rank(run, send->dst);
	uint32_t row;

	if (dst == NULL) {
		++*outside;
		return;
	}
	row = link_of_send(run, c, send, dst, key);
	if (dst->end > send->time)
		tv_set_int(run->col.link_end, row, dst->end);
	tv_set_text(c->flag, row, "open");
	tv_damaged(run->trace, TV_REPAIRED, "message that was never received",
		   (struct tv_pos){ run->rank[send->src].path, 0 },
		   "rank %" PRId64 " to %" PRId64 ", tag %" PRId64 ", closed at the last time",
		   run->rank[send->src].number, send->dst, send->tag);
}

static void report_receives(struct tv_fxt_run *run, uint64_t *outside)
{
	for (size_t i = 0; i < run->messages.nreceives; i++) {
		const struct tv_fxt_receive *r = &run->messages.receive[i];

		if (r->used)
			continue;
		if (find_rank(run, r->src) == NULL) {
			++*outside;
			continue;
		}
		tv_damaged(run->trace, TV_DROPPED, "message that was never sent",
			   (struct tv_pos){ run->rank[r->dst].path, 0 },
			   "rank %" PRId64 " to %" PRId64 ", tag %" PRId64, r->src,
			   run->rank[r->dst].number, r->tag);
	}
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
	for (size_t i = 0; i < 2 * run->nranks; i++)
		tv_fxt_end_variable(run, variable[i], run->rank[i / 2].end);
	tv_free(variable);
}

static void write_links(struct tv_fxt_run *run)
{
	struct tv_fxt_deltas flow = { 0 };
	struct message_columns c;
	const struct tv_wanted wanted[] = {
		{ TV_LINKS, "Tag", &c.tag },	       { TV_LINKS, "Value", &c.value },
		{ TV_LINKS, "Priority", &c.priority }, { TV_LINKS, "OriginJob", &c.origin_job },
		{ TV_LINKS, "DestJob", &c.dest_job },  { TV_LINKS, "Flag", &c.flag },
	};
	uint64_t paired = 0, outside = 0;

	tv_trace_columns(run->trace, wanted, TV_COUNT(wanted));
	for (size_t i = 0; i < run->messages.nsends; i++)
		if (run->messages.send[i].receive != TV_NONE)
			write_pair(run, &c, &run->messages.send[i], message_key(run, paired++),
				   &flow);
	for (size_t i = 0, n = paired; i < run->messages.nsends; i++)
		if (run->messages.send[i].receive == TV_NONE)
			write_unpaired(run, &c, &run->messages.send[i], message_key(run, n++),
				       &outside);
	report_receives(run, &outside);
	write_bandwidth(run, &flow);
	tv_meta_add(run->trace, "Messages", "%" PRIu64, paired);
	if (outside > 0)
		tv_meta_add(run->trace, "MessagesOutside", "%" PRIu64, outside);
}

void tv_fxt_pair_messages(struct tv_fxt_run *run)
{
	struct tv_map first = { 0 }, last = { 0 };

	if (run->messages.nsends + run->messages.nreceives == 0)
		return;
	if (!one_run(run)) {
		if (run->nranks > 1)
			tv_notice(run->trace, "the files have no common barrier (or are "
					      "of different runs): messages are not paired");
		tv_meta_add(run->trace, "MessagesOutside", "%zu",
			    run->messages.nsends + run->messages.nreceives);
		return;
	}
	if (run->messages.nsends > 1)
		qsort(run->messages.send, run->messages.nsends, sizeof *run->messages.send,
		      sends_by_time);
	if (run->messages.nreceives > 1)
		qsort(run->messages.receive, run->messages.nreceives, sizeof *run->messages.receive,
		      receives_by_time);
	queue_receives(run, &first, &last);
	pair(run, &first);
	write_links(run);
	tv_map_release(&first);
	tv_map_release(&last);
}

/* ---- messages as nodes of the task graph ---- */

void tv_fxt_write_messages(struct tv_fxt_run *run)
{
	struct tv_column *job, *value, *kind, *start, *end, *depends, *size;
	const struct tv_wanted wanted[] = {
		{ TV_TASKS, "JobId", &job }, { TV_TASKS, "Value", &value },
		{ TV_TASKS, "Kind", &kind }, { TV_TASKS, "Start", &start },
		{ TV_TASKS, "End", &end },   { TV_TASKS, "DependsOn", &depends },
		{ TV_TASKS, "Size", &size },
	};
	const char *message = tv_kind_name(TV_MESSAGE);
	uint64_t number = 0;

	tv_trace_columns(run->trace, wanted, TV_COUNT(wanted));
	for (size_t i = 0; i < run->messages.nsends; i++) {
		const struct tv_fxt_send *send = &run->messages.send[i];
		uint32_t need = job_label(&run->rank[send->src], send->job), row;
		int64_t received;

		if (send->receive == TV_NONE)
			continue;
		received = run->messages.receive[send->receive].time;
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
