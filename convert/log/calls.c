/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls.c -- MPI: calls, requests, and messages.
 *
 * A call is open from its begin to its end. Messages go to lists of the run, by communicator, sender,
 * receiver and tag; MPI does not let messages of one such stream overtake each other, so the n-th that
 * was sent is the n-th that was received, in the order in which the receives were posted.
 */
#include "convert/log/raw.h"

#include <inttypes.h>
#include <stdlib.h>

#include "trace/alloc.h"

static const char *const class_name[] = {
	[TV_LOG_MPI_BLOCKING_CALL] = "blocking", [TV_LOG_MPI_START_CALL] = "start",
	[TV_LOG_MPI_TEST_CALL] = "test",	 [TV_LOG_MPI_WAIT_CALL] = "wait",
	[TV_LOG_MPI_OTHER_CALL] = "other",
};

/* ---- what numbers mean ---- */

void tv_raw_add_mpi_name(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	size_t n;
	const char *text = tv_raw_text(event, event->kind == TV_LOG_MPI_COMM ? 3 : 1, &n);
	uint64_t number = tv_raw_arg(event, 0);
	/* Names of functions, operations and communicators in one map, with classes of functions (3) and own
	 * ranks in communicators (4). */
	uint64_t what = event->kind == TV_LOG_MPI_COMM	    ? 2
		      : event->code == TV_LOG_MPI_OPERATION ? 1
							    : 0;

	tv_map_put(&log->mpi_name, number, what, tv_intern(log->run->trace->pool, text, n));
	if (what == 2)
		tv_map_put(&log->mpi_name, number, 4, (uint32_t)tv_raw_arg(event, 1));
	if (what == 0)
		tv_map_put(&log->mpi_name, number, 3,
			   event->code < TV_COUNT(class_name) ? event->code
							      : TV_LOG_MPI_OTHER_CALL);
}

static uint32_t name_of(const struct tv_raw_log *log, uint64_t number, uint64_t what)
{
	const uint32_t *label = tv_map_get(&log->mpi_name, number, what);
	struct tv_pool *pool = log->run->trace->pool;
	uint32_t named;
	char *text;

	if (label == NULL || what != 2 || log->world == 0)
		return label != NULL ? *label : TV_NONE;
	/* Another MPI_COMM_WORLD, whose communicators have the same names. */
	text = tv_format("%s@%u", tv_pool_text(pool, *label), log->world + 1);
	named = tv_intern_text(pool, text);
	tv_free(text);
	return named;
}

static int64_t comm_rank_of(const struct tv_raw_log *log, uint64_t number)
{
	const uint32_t *rank = tv_map_get(&log->mpi_name, number, 4);

	return rank != NULL ? *rank : TV_LOG_MPI_MISSING;
}

void tv_raw_set_world(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	uint64_t rank = tv_raw_arg(event, 0);
	size_t n;
	const char *job = tv_raw_text(event, 2, &n);

	if (rank > INT32_MAX)
		return;
	log->world_rank = (int32_t)rank;
	log->world_size = tv_raw_arg(event, 1);
	log->job = tv_intern(log->run->trace->pool, job, n);
	if (log->rank < 0)
		log->rank = log->world_rank;
}

void tv_raw_add_clock(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	const int64_t limit = (int64_t)1 << 61;
	struct tv_raw_clock clock = { (int64_t)tv_raw_arg(event, 0), (int64_t)tv_raw_arg(event, 1),
				      (int64_t)tv_raw_arg(event, 2), true };

	if (event->code > 1 || clock.time < 0 || clock.time >= limit || clock.offset >= limit
	    || clock.offset <= -limit || clock.delay < 0)
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "clock out of range", event->offset,
			       "code %u", event->code);
	else
		log->clock[event->code] = clock;
}

/* ---- calls ---- */

void tv_raw_cut_call(struct tv_raw_log *log, uint32_t thread, int64_t time, bool hangs)
{
	struct tv_raw_thread *t = &log->thread[thread];
	struct tv_raw_call *call = &log->call[t->call];

	call->end = time > call->start ? time : call->start;
	call->hangs = hangs;
	t->call = TV_NONE;
}

static struct tv_raw_request *request_of(struct tv_raw_log *log, uint64_t id, uint32_t call)
{
	uint32_t *at = tv_map_at(&log->request_of, id, 0);

	if (*at == TV_NONE) {
		*at = (uint32_t)log->nrequests;
		TV_GROW(log->request, log->nrequests, log->requests_cap, 1);
		log->request[log->nrequests++] = (struct tv_raw_request){ .creator = call,
									  .call = call,
									  .message = TV_NONE };
	}
	return &log->request[*at];
}

static uint32_t world_of(struct tv_raw_log *log)
{
	return log->job != TV_NONE ? log->job : log->place;
}

/* As clocks say that were compared with the time of day alone. */
static int64_t plain_time(const struct tv_raw_log *log, int64_t time)
{
	return tv_raw_time_by(&log->plain, time);
}

static uint32_t add_send(struct tv_raw_log *log, uint32_t call, uint32_t creator)
{
	const struct tv_raw_call *c = &log->call[call], *of = &log->call[creator];

	if (of->comm == TV_NONE || of->peer < 0 || of->tag < 0)
		return TV_NONE;
	tv_mpi_add(&log->run->sends,
		   (struct tv_mpi_message){ .job = world_of(log),
					    .comm = of->comm,
					    .from = log->world_rank,
					    .to = of->peer,
					    .tag = of->tag,
					    .bytes = of->bytes,
					    .resource = log->thread[c->thread].name,
					    .post = tv_raw_time(log, c->start),
					    .plain = plain_time(log, c->start) });
	return (uint32_t)log->run->sends.n - 1;
}

void tv_raw_begin_call(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	uint64_t function = tv_raw_arg(event, 0), comm = tv_raw_arg(event, 2);
	struct tv_raw_call call = {
		.thread = thread,
		.function = name_of(log, function, 0),
		.class = name_of(log, function, 3),
		.site = tv_raw_arg(event, 1),
		.comm = comm != 0 ? name_of(log, comm, 2) : TV_NONE,
		.op = TV_NONE,
		.peer = (int64_t)tv_raw_arg(event, 3),
		.tag = (int64_t)tv_raw_arg(event, 4),
		.bytes = (int64_t)tv_raw_arg(event, 5),
		.sequence = TV_LOG_MPI_MISSING,
		.root = TV_LOG_MPI_MISSING,
		.comm_rank = comm_rank_of(log, comm),
		.receive_peer = TV_LOG_MPI_MISSING,
		.receive_tag = TV_LOG_MPI_MISSING,
		.start = event->time,
		.end = event->time,
		.sent = TV_NONE,
		.sends = event->code == 1,
		.open = true,
	};

	if (t->call != TV_NONE)
		tv_raw_cut_call(log, thread, event->time, false);
	if (call.function == TV_NONE || (comm != 0 && call.comm == TV_NONE)) {
		tv_raw_damaged(log, TV_DROPPED, "MPI call without a name", event->offset,
			       "function %" PRIu64 ", communicator %" PRIu64, function, comm);
		return;
	}
	if (event->nargs >= 9) {
		call.sequence = (int64_t)tv_raw_arg(event, 6);
		call.root = (int64_t)tv_raw_arg(event, 7);
		if (tv_raw_arg(event, 8) != 0)
			call.op = name_of(log, tv_raw_arg(event, 8), 1);
	}
	t->call = (uint32_t)log->ncalls;
	TV_GROW(log->call, log->ncalls, log->calls_cap, 1);
	log->call[log->ncalls++] = call;
	if (call.sends)
		log->call[t->call].sent = add_send(log, t->call, t->call);
}

static void end_send(struct tv_raw_log *log, uint32_t message, int64_t time)
{
	if (message == TV_NONE)
		return;
	log->run->sends.at[message].end = tv_raw_time(log, time);
	log->run->sends.at[message].ended = true;
}

/* What has arrived in a receive that was posted at that time. */
static void add_receive(struct tv_raw_log *log, uint32_t thread, uint32_t comm, int64_t post,
			int64_t end, const struct tv_raw_arrival *arrival)
{
	if (comm == TV_NONE)
		return;
	tv_mpi_add(&log->run->receives,
		   (struct tv_mpi_message){ .job = world_of(log),
					    .comm = comm,
					    .from = arrival->source,
					    .to = log->world_rank,
					    .tag = arrival->tag,
					    .bytes = arrival->bytes,
					    .resource = log->thread[thread].name,
					    .post = tv_raw_time(log, post),
					    .end = tv_raw_time(log, end),
					    .plain = plain_time(log, end),
					    .ended = true });
}

static void set_arrival(struct tv_raw_call *call, const struct tv_raw_arrival *arrival)
{
	if (call->sends) { /* its Peer, Tag and Bytes are those of what it sends */
		call->receive_peer = arrival->source;
		call->receive_tag = arrival->tag;
		return;
	}
	call->peer = arrival->source;
	call->tag = arrival->tag;
	call->bytes = arrival->bytes;
}

/* A request that the call starts, completes, or names. */
static void use_request(struct tv_raw_log *log, uint32_t at, uint64_t id, unsigned kind,
			bool completed, bool single, const struct tv_raw_arrival *arrival)
{
	struct tv_raw_call *call = &log->call[at];
	struct tv_raw_request *request = request_of(log, id, at);
	const struct tv_raw_call *creator = &log->call[request->creator];

	if (request->number == 0)
		request->number = ++log->request_numbers;
	TV_GROW(log->call_request, log->ncall_requests, log->call_requests_cap, 1);
	log->call_request[log->ncall_requests++] = (struct tv_raw_call_request){
		(uint32_t)(request - log->request), completed
	};
	call->nrequests++;
	call->ncompleted += completed;
	if (call->class == TV_LOG_MPI_START_CALL) {
		request->call = at;
		request->post = log->probed >= 0 ? log->probed : call->start;
		if (single && call != creator && creator->peer != TV_LOG_MPI_MISSING) {
			call->comm = creator->comm;
			call->peer = creator->peer;
			call->tag = creator->tag;
			call->bytes = creator->bytes;
		}
		if (kind == TV_LOG_MPI_SEND)
			request->message = add_send(log, at, request->creator);
	}
	if (!completed)
		return;
	if (kind == TV_LOG_MPI_SEND) {
		end_send(log, request->message, call->end);
		request->message = TV_NONE;
	} else if (kind == TV_LOG_MPI_RECEIVE && arrival->source >= 0) {
		struct tv_raw_call *start = &log->call[request->call];

		add_receive(log, start->thread, creator->comm, request->post, call->end, arrival);
		if (start->nrequests == 1)
			set_arrival(start, arrival);
	}
}

/* A message that MPI_Mprobe took, or MPI_Mrecv received. */
static void use_probed(struct tv_raw_log *log, uint32_t at, uint64_t id, bool completed,
		       const struct tv_raw_arrival *arrival)
{
	struct tv_raw_request *probed = request_of(log, id, at);
	struct tv_raw_call *call = &log->call[at];

	if (!completed) {
		probed->post = call->start;
		return;
	}
	log->probed = probed->post;
	if (arrival->source < 0)
		return;
	add_receive(log, call->thread, call->comm, probed->post, call->end, arrival);
	set_arrival(call, arrival);
}

static void use_entry(struct tv_raw_log *log, uint32_t at, const struct tv_raw_event *event,
		      unsigned i, bool single)
{
	uint64_t word = tv_raw_arg(event, i), peer_tag = tv_raw_arg(event, i + 1);
	uint64_t id = word & (((uint64_t)1 << 60) - 1);
	unsigned kind = word >> 60 & 7;
	bool completed = word >> 63 != 0;
	struct tv_raw_arrival arrival = { (int32_t)(uint32_t)(peer_tag >> 32),
					  (int32_t)(uint32_t)peer_tag,
					  (int64_t)tv_raw_arg(event, i + 2) };
	struct tv_raw_call *call = &log->call[at];

	if (kind == TV_LOG_MPI_PROBED) {
		use_probed(log, at, id, completed, &arrival);
	} else if (id != 0) {
		use_request(log, at, id, kind, completed, single, &arrival);
	} else if (arrival.source >= 0) {
		add_receive(log, call->thread, call->comm, call->start, call->end, &arrival);
		set_arrival(call, &arrival);
	}
}

/* The requests of a call are behind one another, also if those of other threads come between. */
static void continue_list(struct tv_raw_log *log, struct tv_raw_call *call)
{
	uint32_t first = (uint32_t)log->ncall_requests;

	if (call->nrequests > 0 && call->first_request + call->nrequests == first)
		return;
	TV_GROW(log->call_request, log->ncall_requests, log->call_requests_cap, call->nrequests);
	for (uint32_t i = 0; i < call->nrequests; i++)
		log->call_request[first + i] = log->call_request[call->first_request + i];
	log->ncall_requests += call->nrequests;
	call->first_request = first;
}

void tv_raw_end_call(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	unsigned n = (event->nargs - 1) / 3;
	struct tv_raw_call *call;

	/* Without a begin: that was before the recording. */
	if (t->call == TV_NONE)
		return;
	call = &log->call[t->call];
	call->end = event->time;
	log->probed = -1;
	continue_list(log, call);
	for (unsigned i = 0; i < n; i++)
		use_entry(log, t->call, event, 1 + 3 * i, n == 1 && event->code == 0);
	call = &log->call[t->call];
	if (event->code == 1)
		return;
	end_send(log, call->sent, call->end);
	call->open = false;
	t->call = TV_NONE;
}

/* ---- tables ---- */

static void set_number(struct tv_column *column, uint32_t row, int64_t value)
{
	if (value != TV_LOG_MPI_MISSING)
		tv_set_int(column, row, value);
}

/* The labels of the requests of a call, or of those completed. */
static size_t list_requests(struct tv_raw_log *log, const struct tv_raw_call *call, bool completed,
			    uint32_t *label)
{
	size_t n = 0;

	for (uint32_t i = 0; i < call->nrequests; i++) {
		const struct tv_raw_call_request *r = &log->call_request[call->first_request + i];

		if (r->completed || !completed)
			label[n++] = tv_raw_format_label(log->run, "%u",
							 log->request[r->request].number);
	}
	return n;
}

void tv_raw_write_calls(struct tv_raw_log *log)
{
	struct tv_trace *trace = log->run->trace;
	struct tv_column *resource, *name, *class, *start, *end, *request, *completed, *comm,
		*comm_rank, *sequence, *root, *op, *peer, *tag, *receive_peer, *receive_tag, *bytes,
		*site, *flag;
	uint32_t *label = NULL;
	size_t cap = 0;

	if (log->ncalls == 0)
		return;
	TV_TRACE_COLUMNS(trace, TV_CALLS, { "ResourceId", &resource }, { "Call", &name },
			 { "Class", &class }, { "Start", &start }, { "End", &end },
			 { "Request", &request }, { "Completed", &completed }, { "Comm", &comm },
			 { "CommRank", &comm_rank }, { "Sequence", &sequence }, { "Root", &root },
			 { "Op", &op }, { "Peer", &peer }, { "Tag", &tag },
			 { "ReceivePeer", &receive_peer }, { "ReceiveTag", &receive_tag },
			 { "Bytes", &bytes }, { "Site", &site }, { "Flag", &flag });
	for (size_t i = 0; i < log->ncalls; i++) {
		const struct tv_raw_call *call = &log->call[i];
		uint32_t row = tv_table_add_row(&trace->table[TV_CALLS]);

		tv_set_label(resource, row, log->thread[call->thread].name);
		tv_set_label(name, row, call->function);
		tv_set_text(class, row, class_name[call->class]);
		tv_set_int(start, row, tv_raw_time(log, call->start));
		tv_set_int(end, row, call->hangs ? log->run->end : tv_raw_time(log, call->end));
		TV_GROW(label, 0, cap, call->nrequests + 1);
		if (call->nrequests > 0)
			tv_set_list(request, row, label, list_requests(log, call, false, label));
		if (call->class == TV_LOG_MPI_WAIT_CALL ? call->ncompleted < call->nrequests
							: call->ncompleted > 0)
			tv_set_list(completed, row, label, list_requests(log, call, true, label));
		if (call->comm != TV_NONE)
			tv_set_label(comm, row, call->comm);
		set_number(comm_rank, row, call->comm_rank);
		set_number(sequence, row, call->sequence);
		set_number(root, row, call->root);
		if (call->op != TV_NONE)
			tv_set_label(op, row, call->op);
		set_number(peer, row, call->peer);
		set_number(tag, row, call->tag);
		set_number(receive_peer, row, call->receive_peer);
		set_number(receive_tag, row, call->receive_tag);
		set_number(bytes, row, call->bytes);
		if (call->site != 0)
			tv_set_label(site, row, tv_raw_value(log, call->site, call->start));
		if (call->open)
			tv_set_text(flag, row, "open");
	}
	tv_free(label);
}

void tv_raw_write_messages(struct tv_raw_run *run)
{
	struct tv_mpi_paired paired = tv_mpi_pair(run->trace, &run->sends, &run->receives, NULL,
						  false);

	if (run->calibrated)
		tv_meta_add(run->trace, "MessagesEarly",
			    "%zu of %zu received before they were sent by the clocks as they were, "
			    "%zu by those compared by round trips",
			    paired.before, paired.n, paired.after);
}
