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

/* ---- what the events tell ---- */

/* Parameter i as a job; TV_NONE for -1, which stands for none. */
static void job_param(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, unsigned i,
		      uint32_t *job)
{
	*job = TV_NONE;
	if (!(tv_fxt_number(event, i) == -1))
		tv_fxt_find_job(rank, tv_fxt_word(event, i), job);
}

int tv_fxt_send_submitted(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			  const struct tv_fxt_action *action)
{
	bool typed = event->n >= 8; /* 1.4: type first */
	unsigned at = typed ? 1 : 0;
	struct tv_fxt_run *run = rank->run;
	struct tv_fxt_send send = {
		.src = rank->index,
		.order = (uint32_t)run->nsends,
		.dst = tv_fxt_number(event, at),
		.time = rank->now,
		.tag = tv_fxt_number(event, at + 1),
		.size = tv_fxt_word(event, at + 2),
		.job = TV_NONE,
		.receive = TV_NONE,
	};

	if (event->n >= 5)
		job_param(rank, event, at + 3, &send.job);
	if (typed) {
		send.type = (uint32_t)tv_fxt_word(event, 0);
		send.handle = tv_fxt_word(event, 5);
		send.priority = tv_fxt_number(event, 6);
	} else if (event->n == 6) { /* a development snapshot of 2020 */
		send.handle = tv_fxt_word(event, 5);
	}
	if (run->nsends >= TV_ROWS_MAX)
		return tv_fxt_too_many(run, "messages");
	TV_GROW(run->send, run->nsends, run->sends_cap, 1);
	run->send[run->nsends++] = send;
	return tv_fxt_comm_set(rank, event, action);
}

int tv_fxt_receive_done(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			const struct tv_fxt_action *action)
{
	struct tv_fxt_run *run = rank->run;
	struct tv_fxt_receive receive = {
		.dst = rank->index,
		.order = (uint32_t)run->nreceives,
		.next = TV_NONE,
		.src = tv_fxt_number(event, 0),
		.time = rank->now,
		.tag = tv_fxt_number(event, 1),
		.job = TV_NONE,
		.handle = event->n >= 5 ? tv_fxt_word(event, 4) : 0,
	};

	(void)action;
	job_param(rank, event, 2, &receive.job);
	if (run->nreceives >= TV_ROWS_MAX)
		return tv_fxt_too_many(run, "messages");
	TV_GROW(run->receive, run->nreceives, run->receives_cap, 1);
	run->receive[run->nreceives++] = receive;
	return 0;
}

/* ---- pairing ---- */

static int sends_by_time(const void *a, const void *b)
{
	const struct tv_fxt_send *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int receives_by_time(const void *a, const void *b)
{
	const struct tv_fxt_receive *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static uint64_t pair_key(int64_t src, int64_t dst)
{
	return (uint64_t)(uint32_t)src << 32 | (uint32_t)dst;
}

/* Queues of receives by source, destination and tag: first and last of each. */
static void queue_receives(struct tv_fxt_run *run, struct tv_map *first, struct tv_map *last)
{
	for (uint32_t i = 0; i < run->nreceives; i++) {
		const struct tv_fxt_receive *r = &run->receive[i];
		uint64_t tag = (uint64_t)r->tag, key = pair_key(r->src, run->rank[r->dst].number);
		const uint32_t *tail = tv_map_get(last, tag, key);

		if (tail != NULL)
			run->receive[*tail].next = i;
		else
			tv_map_put(first, tag, key, i);
		tv_map_put(last, tag, key, i);
	}
}

static void pair(struct tv_fxt_run *run, const struct tv_map *first)
{
	for (size_t i = 0; i < run->nsends; i++) {
		struct tv_fxt_send *send = &run->send[i];
		uint32_t *head = tv_map_get(first, (uint64_t)send->tag,
					    pair_key(run->rank[send->src].number, send->dst));

		if (head == NULL || *head == TV_NONE)
			continue;
		send->receive = *head;
		run->receive[*head].used = true;
		*head = run->receive[*head].next;
	}
}

/* The file of a rank; NULL if it was not given. Ranks are in order of their numbers. */
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

static int find_link_columns(struct tv_fxt_run *run, struct message_columns *c)
{
	struct {
		const char *name;
		struct tv_column **column;
	} want[] = {
		{ "Tag", &c->tag },	      { "Value", &c->value },
		{ "Priority", &c->priority }, { "OriginJob", &c->origin_job },
		{ "DestJob", &c->dest_job },  { "Flag", &c->flag },
	};

	for (size_t i = 0; i < TV_COUNT(want); i++) {
		*want[i].column = tv_trace_column(run->trace, TV_LINKS, want[i].name, run->err);
		if (*want[i].column == NULL)
			return -1;
	}
	return 0;
}

static uint32_t comm_label(const struct tv_fxt_rank *rank)
{
	return rank->comm != TV_NONE ? rank->comm
				     : tv_fxt_label(rank->run, "%smpict", rank->prefix);
}

static uint32_t job_label(const struct tv_fxt_rank *rank, uint32_t job)
{
	return job != TV_NONE ? rank->job[job].label : TV_NONE;
}

static const char *message_type(uint32_t type)
{
	return type == 0x100 ? "PointToPoint" : type == 0x101 ? "Collective" : NULL;
}

/* What is told by the send alone. */
static int link_of_send(struct tv_fxt_run *run, const struct message_columns *c,
			const struct tv_fxt_send *send, struct tv_fxt_rank *dst, uint32_t key,
			uint32_t *row)
{
	struct tv_fxt_rank *src = &run->rank[send->src];
	uint32_t origin = comm_label(src), dest = comm_label(dst), root = tv_fxt_label(run, "root");
	uint32_t tag = tv_fxt_label(run, "%" PRId64, send->tag), handle = TV_NONE;
	const char *type = message_type(send->type);

	if (send->handle != 0)
		handle = tv_fxt_handle_label(src, send->handle);
	if (origin == TV_NONE || dest == TV_NONE)
		return -1;
	tv_fxt_link_row(src, TV_FXT_MESSAGE_LINK, key, origin, dest, send->time, row);
	tv_set_label(run->col.link_resource, *row, root);
	tv_set_int(run->col.link_size, *row, (int64_t)send->size);
	tv_set_label(run->col.link_handle, *row, handle);
	tv_set_label(c->tag, *row, tag);
	tv_set_label(c->origin_job, *row, job_label(src, send->job));
	if (type != NULL) {
		tv_set_text(c->value, *row, type);
		tv_set_int(c->priority, *row, send->priority);
	}
	return 0;
}

/* The clocks of two machines agree to some microseconds only: a receive may seem to precede its
 * send. */
static int report_early(struct tv_fxt_run *run, const struct tv_fxt_send *send, int64_t early,
			const struct message_columns *c, uint32_t row)
{
	tv_set_string(c->flag, row, "early", 5);
	return tv_damaged(run->trace, TV_REPAIRED, "message received before it was sent",
			  (struct tv_pos){ run->rank[send->src].path, 0 }, run->err,
			  "rank %" PRId64 " to %" PRId64 ", tag %" PRId64 ", %" PRId64
			  " ns early: it ends where it begins",
			  run->rank[send->src].number, send->dst, send->tag, early);
}

static int add_bandwidth(struct tv_fxt_run *run, struct tv_fxt_deltas *flow,
			 const struct tv_fxt_send *send, const struct tv_fxt_receive *receive)
{
	double ms = (double)(receive->time - send->time) / 1e6, rate;

	if (receive->time <= send->time)
		return 0;
	rate = 0.001 * (double)send->size / ms;
	return tv_fxt_add_delta(run, flow, 2 * send->src, send->time, receive->time, rate) < 0
		     ? -1
		     : tv_fxt_add_delta(run, flow, 2 * receive->dst + 1, send->time, receive->time,
					rate);
}

static uint32_t message_key(const struct tv_fxt_run *run, uint64_t number)
{
	return tv_fxt_count_label(run, "mpicom_", number);
}

static int write_pair(struct tv_fxt_run *run, const struct message_columns *c,
		      const struct tv_fxt_send *send, uint32_t key, struct tv_fxt_deltas *flow)
{
	const struct tv_fxt_receive *receive = &run->receive[send->receive];
	struct tv_fxt_rank *dst = &run->rank[receive->dst];
	uint32_t row;

	if (link_of_send(run, c, send, dst, key, &row) < 0)
		return -1;
	tv_set_label(c->dest_job, row, job_label(dst, receive->job));
	if (receive->time > send->time)
		tv_set_int(run->col.link_end, row, receive->time);
	if (receive->time < send->time
	    && report_early(run, send, send->time - receive->time, c, row) < 0)
		return -1;
	if (receive->job != TV_NONE && tv_fxt_add_need(dst, receive->job, key) < 0)
		return -1;
	return add_bandwidth(run, flow, send, receive);
}

static int write_unpaired(struct tv_fxt_run *run, const struct message_columns *c,
			  const struct tv_fxt_send *send, uint32_t key, uint64_t *outside)
{
	struct tv_fxt_rank *dst = find_rank(run, send->dst);
	uint32_t row;

	if (dst == NULL) {
		++*outside;
		return 0;
	}
	if (link_of_send(run, c, send, dst, key, &row) < 0)
		return -1;
	if (dst->end > send->time)
		tv_set_int(run->col.link_end, row, dst->end);
	tv_set_string(c->flag, row, "open", 4);
	return tv_damaged(run->trace, TV_REPAIRED, "message that was never received",
			  (struct tv_pos){ run->rank[send->src].path, 0 }, run->err,
			  "rank %" PRId64 " to %" PRId64 ", tag %" PRId64
			  ", closed at the last time",
			  run->rank[send->src].number, send->dst, send->tag);
}

static int report_receives(struct tv_fxt_run *run, uint64_t *outside)
{
	for (size_t i = 0; i < run->nreceives; i++) {
		const struct tv_fxt_receive *r = &run->receive[i];

		if (r->used)
			continue;
		if (find_rank(run, r->src) == NULL) {
			++*outside;
			continue;
		}
		if (tv_damaged(run->trace, TV_DROPPED, "message that was never sent",
			       (struct tv_pos){ run->rank[r->dst].path, 0 }, run->err,
			       "rank %" PRId64 " to %" PRId64 ", tag %" PRId64, r->src,
			       run->rank[r->dst].number, r->tag)
		    < 0)
			return -1;
	}
	return 0;
}

/* Bandwidth of the MPI threads. */
static int write_bandwidth(struct tv_fxt_run *run, struct tv_fxt_deltas *flow)
{
	struct tv_fxt_step_variable **variable = tv_alloc(2 * run->nranks, sizeof *variable);
	int rc;

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
	rc = tv_fxt_sum_deltas(run, flow, variable, 2 * run->nranks);
	for (size_t i = 0; rc == 0 && i < 2 * run->nranks; i++)
		rc = tv_fxt_end_variable(run, variable[i], run->rank[i / 2].end);
	tv_free(variable);
	return rc;
}

static int write_links(struct tv_fxt_run *run)
{
	struct tv_fxt_deltas flow = { 0 };
	struct message_columns c;
	uint64_t paired = 0, outside = 0;
	int rc = find_link_columns(run, &c);

	for (size_t i = 0; rc == 0 && i < run->nsends; i++) {
		const struct tv_fxt_send *send = &run->send[i];
		uint32_t key;

		if (send->receive == TV_NONE)
			continue;
		key = message_key(run, paired++);
		rc = key == TV_NONE ? -1 : write_pair(run, &c, send, key, &flow);
	}
	for (size_t i = 0, n = paired; rc == 0 && i < run->nsends; i++)
		if (run->send[i].receive == TV_NONE) {
			uint32_t key = message_key(run, n++);

			rc = key == TV_NONE ? -1
					    : write_unpaired(run, &c, &run->send[i], key, &outside);
		}
	if (rc == 0)
		rc = report_receives(run, &outside);
	if (rc == 0)
		rc = write_bandwidth(run, &flow);
	tv_free(flow.item);
	if (rc < 0 || tv_meta_add(run->trace, "Messages", run->err, "%" PRIu64, paired) < 0)
		return -1;
	return outside == 0
		     ? 0
		     : tv_meta_add(run->trace, "MessagesOutside", run->err, "%" PRIu64, outside);
}

int tv_fxt_pair_messages(struct tv_fxt_run *run)
{
	struct tv_map first = { 0 }, last = { 0 };
	int rc;

	if (run->nsends + run->nreceives == 0)
		return 0;
	if (!one_run(run)) {
		if (run->nranks > 1)
			tv_notice(run->trace, "the files have no common barrier (or are "
					      "of different runs): messages are not paired");
		return tv_meta_add(run->trace, "MessagesOutside", run->err, "%zu",
				   run->nsends + run->nreceives);
	}
	if (run->nsends > 1)
		qsort(run->send, run->nsends, sizeof *run->send, sends_by_time);
	if (run->nreceives > 1)
		qsort(run->receive, run->nreceives, sizeof *run->receive, receives_by_time);
	queue_receives(run, &first, &last);
	rc = 0;
	if (rc == 0) {
		pair(run, &first);
		rc = write_links(run);
	}
	tv_map_release(&first);
	tv_map_release(&last);
	return rc;
}

/* ---- messages as nodes of the task graph ---- */

static int write_message(struct tv_fxt_run *run, const struct tv_fxt_send *send, uint64_t number)
{
	struct tv_table *tasks = &run->trace->table[TV_TASKS];
	const struct tv_fxt_receive *receive = &run->receive[send->receive];
	uint32_t key = message_key(run, number), row = tv_table_add_row(tasks);
	uint32_t need = job_label(&run->rank[send->src], send->job);
	const char *kind = tv_kind_name(TV_MESSAGE);
	struct {
		const char *name;
		struct tv_column *column;
	} c[] = { { "JobId", NULL }, { "Value", NULL },	    { "Kind", NULL }, { "Start", NULL },
		  { "End", NULL },   { "DependsOn", NULL }, { "Size", NULL } };

	if (key == TV_NONE)
		return -1;
	for (size_t i = 0; i < TV_COUNT(c); i++) {
		c[i].column = tv_trace_column(run->trace, TV_TASKS, c[i].name, run->err);
		if (c[i].column == NULL)
			return -1;
	}
	tv_set_label(c[0].column, row, key);
	tv_set_label(c[1].column, row, run->type[TV_FXT_MESSAGE_LINK]);
	tv_set_text(c[2].column, row, kind);
	tv_set_int(c[3].column, row, send->time);
	tv_set_int(c[4].column, row, receive->time > send->time ? receive->time : send->time);
	if (need != TV_NONE)
		tv_set_list(c[5].column, row, &need, 1);
	tv_set_int(c[6].column, row, (int64_t)send->size);
	return 0;
}

int tv_fxt_write_messages(struct tv_fxt_run *run)
{
	uint64_t number = 0;

	for (size_t i = 0; i < run->nsends; i++)
		if (run->send[i].receive != TV_NONE
		    && write_message(run, &run->send[i], number++) < 0)
			return -1;
	return 0;
}
