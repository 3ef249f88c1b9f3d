/* SPDX-License-Identifier: GPL-3.0-or-later */
/* messages.c -- messages, requests and collective operations of MPI; transfers of remote memory. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "convert/otf2/otf2.h"
#include "trace/alloc.h"

/* Roots of collective operations that are none. */
#define NO_ROOT (UINT32_MAX - 7)

/* The call of MPI around an event; NULL. */
static struct tv_otf2_call *current_call(struct tv_otf2 *o)
{
	return o->here.call != TV_NONE ? &o->here.call_at[o->here.call] : NULL;
}

/* When the operation of an event was posted: with the call around it. */
static int64_t post_time(struct tv_otf2 *o, int64_t time)
{
	const struct tv_otf2_call *call = current_call(o);

	return call != NULL ? call->start : time;
}

static const struct tv_otf2_comm *comm_of(struct tv_otf2 *o, uint64_t reference)
{
	uint32_t place = tv_otf2_find(o, TV_OTF2_COMM, reference);

	return place != TV_NONE ? &o->comm[place] : NULL;
}

static int64_t rank_of(const struct tv_otf2 *o, uint32_t location)
{
	return o->process[o->location[location].process].rank;
}

/* ---- requests ---- */

static void use(struct tv_otf2 *o, uint32_t number, bool completed)
{
	struct tv_otf2_here *here = &o->here;

	if (here->call == TV_NONE)
		return;
	TV_GROW(here->use, here->nuse, here->use_cap, 1);
	here->use[here->nuse++] = (struct tv_otf2_use){ here->call, number, completed };
}

/* What a request is of: numbers are reused, also by another kind before the request is complete. */
enum { OF_SEND, OF_RECEIVE, OF_OPERATION, NKINDS };

static struct tv_otf2_request *new_request(struct tv_otf2 *o, uint64_t id, unsigned kind,
					   int64_t time)
{
	struct tv_otf2_here *here = &o->here;
	struct tv_otf2_request *request;

	tv_map_put(&here->requests, id, kind, (uint32_t)here->nrequest);
	TV_GROW(here->request, here->nrequest, here->request_cap, 1);
	request = &here->request[here->nrequest++];
	*request = (struct tv_otf2_request){ ++o->requests, here->call, TV_NONE,
					     post_time(o, time) };
	use(o, request->number, false);
	return request;
}

/* The open request of a number; NULL where it is of another thread, or before the trace. NKINDS: the last one of any kind. */
static struct tv_otf2_request *use_request(struct tv_otf2 *o, uint64_t id, unsigned kind,
					   bool completed)
{
	struct tv_otf2_request *request;
	uint32_t *found = NULL;

	for (unsigned k = 0; k < NKINDS; k++) {
		uint32_t *place = tv_map_get(&o->here.requests, id, k);

		if (place != NULL && *place != TV_NONE && (kind == k || kind == NKINDS)
		    && (found == NULL || *place > *found))
			found = place;
	}
	if (found == NULL)
		return NULL;
	request = &o->here.request[*found];
	if (completed)
		*found = TV_NONE;
	use(o, request->number, completed);
	return request;
}

/* ---- messages ---- */

/* Peer, communicator, tag and bytes of an event; false: they name nothing. */
static bool read_message(struct tv_otf2 *o, const uint64_t *arg, bool sends,
			 struct tv_mpi_message *message)
{
	const struct tv_otf2_comm *comm = comm_of(o, arg[1]);
	uint32_t peer = comm != NULL ? tv_otf2_peer(o, comm, arg[0]) : TV_NONE;
	int64_t own = o->here.process->rank;

	if (peer == TV_NONE || own < 0 || rank_of(o, peer) < 0 || arg[3] > INT64_MAX) {
		tv_otf2_dropped(o, "message of ranks that are not defined");
		return false;
	}
	*message = (struct tv_mpi_message){ .comm = comm->name,
					    .from = sends ? own : rank_of(o, peer),
					    .to = sends ? rank_of(o, peer) : own,
					    .tag = (int64_t)arg[2],
					    .bytes = (int64_t)arg[3],
					    .resource = o->here.resource,
					    .dest = o->location[peer].resource,
					    .to_process = o->location[peer].process };
	return true;
}

static void send(struct tv_otf2 *o, const uint64_t *arg, int64_t time, bool request)
{
	struct tv_otf2_call *call = current_call(o);
	struct tv_mpi_message message;
	struct tv_otf2_request *its = request ? new_request(o, arg[4], OF_SEND, time) : NULL;

	if (!read_message(o, arg, true, &message))
		return;
	message.post = message.plain = post_time(o, time);
	if (call != NULL) {
		if (!request)
			call->message = (uint32_t)o->sends.n;
		call->comm = message.comm;
		call->peer = message.to;
		call->tag = message.tag;
		call->bytes = message.bytes;
		call->sends = true;
	}
	if (its != NULL)
		its->message = (uint32_t)o->sends.n;
	tv_mpi_add(&o->sends, message);
}

static void sent(struct tv_otf2 *o, uint64_t id, int64_t time)
{
	struct tv_otf2_request *request = use_request(o, id, OF_SEND, true);

	if (request == NULL || request->message == TV_NONE)
		return;
	o->sends.at[request->message].end = time;
	o->sends.at[request->message].ended = true;
	request->message = TV_NONE;
}

/* What is received belongs to the call that posted it. */
static void receive(struct tv_otf2 *o, const uint64_t *arg, int64_t time, bool request)
{
	struct tv_otf2_request *its = request ? use_request(o, arg[4], OF_RECEIVE, true) : NULL;
	struct tv_otf2_call *call = current_call(o);
	struct tv_mpi_message message;

	if (!read_message(o, arg, false, &message))
		return;
	message.post = its != NULL ? its->post : post_time(o, time);
	message.end = message.plain = time;
	message.ended = true;
	tv_mpi_add(&o->receives, message);
	if (request)
		call = its != NULL && its->call != TV_NONE ? &o->here.call_at[its->call] : NULL;
	if (call == NULL)
		return;
	if (call->sends) {
		call->receive_peer = message.from;
		call->receive_tag = message.tag;
		return;
	}
	call->comm = message.comm;
	call->peer = message.from;
	call->tag = message.tag;
	call->bytes = message.bytes;
}

/* ---- collective operations ---- */

/* call: that started it. */
static void collect(struct tv_otf2 *o, const uint64_t *arg, struct tv_otf2_call *call)
{
	const struct tv_otf2_comm *comm = comm_of(o, arg[1]);

	if (comm == NULL || call == NULL) {
		tv_otf2_dropped(o, "collective operation without communicator or call");
		return;
	}
	call->comm = comm->name;
	call->collective = true;
	call->comm_rank = tv_otf2_own_rank(o, comm);
	if (arg[2] < NO_ROOT) {
		uint32_t root = tv_otf2_peer(o, comm, arg[2]);

		call->root = root != TV_NONE ? rank_of(o, root) : -1;
	}
	call->bytes = (int64_t)(arg[3] > 0 ? arg[3] : arg[4]);
}

void tv_otf2_message_event(struct tv_otf2 *o, const struct tv_otf2_record *record, int64_t time)
{
	const uint64_t *arg = record->arg;
	const struct tv_otf2_request *request;

	switch (record->kind) {
	case TV_OTF2_SEND:
	case TV_OTF2_ISEND:
		send(o, arg, time, record->kind == TV_OTF2_ISEND);
		break;
	case TV_OTF2_SENT:
		sent(o, arg[0], time);
		break;
	case TV_OTF2_POSTED:
	case TV_OTF2_COLLECTIVE_POSTED:
		new_request(o, arg[0], record->kind == TV_OTF2_POSTED ? OF_RECEIVE : OF_OPERATION,
			    time);
		break;
	case TV_OTF2_RECEIVE:
	case TV_OTF2_IRECEIVE:
		receive(o, arg, time, record->kind == TV_OTF2_IRECEIVE);
		break;
	case TV_OTF2_TESTED:
	case TV_OTF2_CANCELLED:
		use_request(o, arg[0], NKINDS, record->kind == TV_OTF2_CANCELLED);
		break;
	case TV_OTF2_COLLECTIVE:
		collect(o, arg, current_call(o));
		break;
	case TV_OTF2_COLLECTIVE_DONE:
		request = use_request(o, arg[5], OF_OPERATION, true);
		collect(o, arg,
			request != NULL && request->call != TV_NONE
				? &o->here.call_at[request->call]
				: NULL);
		break;
	default:
		break;
	}
}

void tv_otf2_write_messages(struct tv_otf2 *o)
{
	size_t nsends = o->sends.n, nreceives = o->receives.n, open;
	struct tv_mpi_paired paired;

	for (size_t i = 0; i < nsends; i++) {
		struct tv_mpi_message *send = &o->sends.at[i];

		send->lost = o->process[send->to_process].off_until > send->post;
	}
	paired = tv_mpi_pair(o->trace, &o->sends, &o->receives, &o->last, o->offs > 0);
	open = nsends - paired.n - paired.skipped;
	if (open > 0)
		tv_notice(
			o->trace,
			"%zu of %zu messages have no receive in the trace: they last until its end "
			"(Flag open)",
			open, nsends);
	if (paired.skipped > 0)
		tv_notice(o->trace,
			  "%zu of %zu messages were received while the recorder was off: they are "
			  "left out",
			  paired.skipped, nsends);
	if (paired.n < nreceives)
		tv_notice(o->trace,
			  "%zu of %zu receives have no send in the trace: they are left out",
			  nreceives - paired.n, nreceives);
}

/* ---- remote memory ---- */

static void begin_transfer(struct tv_otf2 *o, const struct tv_otf2_record *record, int64_t time)
{
	struct tv_otf2_here *here = &o->here;
	struct tv_otf2_call *call = current_call(o);
	const uint64_t *arg = record->arg;
	uint32_t comm = tv_otf2_find(o, TV_OTF2_WINDOW, arg[0]), other;

	comm = comm != TV_NONE ? tv_otf2_find(o, TV_OTF2_COMM, comm) : TV_NONE;
	other = comm != TV_NONE ? tv_otf2_peer(o, &o->comm[comm], arg[1]) : TV_NONE;

	if (other == TV_NONE || arg[2] > INT64_MAX) {
		tv_otf2_dropped(o, "transfer of ranks that are not defined");
		return;
	}
	tv_map_put(&here->transfers, arg[0], arg[3], (uint32_t)here->ntransfer);
	TV_GROW(here->transfer, here->ntransfer, here->transfer_cap, 1);
	here->transfer[here->ntransfer++] = (struct tv_otf2_transfer){
		.start = time, .bytes = arg[2], .other = other, .get = record->kind == TV_OTF2_GET
	};
	if (call != NULL) {
		call->peer = rank_of(o, other);
		call->bytes = (int64_t)arg[2];
	}
}

void tv_otf2_transfer_event(struct tv_otf2 *o, const struct tv_otf2_record *record, int64_t time)
{
	const uint32_t *place;
	struct tv_otf2_transfer *transfer;

	if (record->kind != TV_OTF2_RMA_DONE) {
		begin_transfer(o, record, time);
		return;
	}
	place = tv_map_get(&o->here.transfers, record->arg[0], record->arg[1]);
	if (place == NULL) {
		tv_otf2_dropped(o, "end of a transfer that did not begin");
		return;
	}
	transfer = &o->here.transfer[*place];
	transfer->end = time;
	transfer->done = true;
}

/* Links; on a stream also work of the device. */
void tv_otf2_end_transfers(struct tv_otf2 *o)
{
	struct tv_trace *trace = o->trace;
	struct tv_otf2_here *here = &o->here;
	bool stream = o->location[here->location].type == TV_OTF2_STREAM;

	for (size_t i = 0; i < here->ntransfer; i++) {
		const struct tv_otf2_transfer *transfer = &here->transfer[i];
		int64_t end = transfer->done ? transfer->end : here->time;
		uint32_t other = o->location[transfer->other].resource,
			 row = tv_table_add_row(&trace->table[TV_LINKS]);
		char *key = tv_format("%s.%zu", tv_pool_text(trace->pool, here->resource), i + 1);

		tv_set_text(tv_trace_column(trace, TV_LINKS, "Type"), row,
			    transfer->get ? "RMA get" : "RMA put");
		tv_set_text(tv_trace_column(trace, TV_LINKS, "Key"), row, key);
		tv_free(key);
		tv_set_label(tv_trace_column(trace, TV_LINKS, "Origin"), row,
			     transfer->get ? other : here->resource);
		tv_set_label(tv_trace_column(trace, TV_LINKS, "Dest"), row,
			     transfer->get ? here->resource : other);
		tv_set_int(tv_trace_column(trace, TV_LINKS, "Start"), row, transfer->start);
		tv_set_int(tv_trace_column(trace, TV_LINKS, "End"), row, end);
		tv_set_int(tv_trace_column(trace, TV_LINKS, "Size"), row, (int64_t)transfer->bytes);
		if (!transfer->done)
			tv_set_text(tv_trace_column(trace, TV_LINKS, "Flag"), row, TV_OPEN);
		if (stream)
			tv_otf2_add_kernel(
				o,
				tv_intern_text(trace->pool,
					       transfer->get ? "Memcpy get" : "Memcpy put"),
				transfer->start, end, (int64_t)transfer->bytes, !transfer->done);
	}
}
