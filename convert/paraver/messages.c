/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * messages.c -- links, and the partners of the calls that post both sides of a message.
 *
 * Extrae's logical send and receive are when the call that sends begins, and when the receive was posted, often before the send;
 * the physical ones are when the calls end, and the message may arrive before the call that sent it ends. So a link goes from the
 * logical send to the physical receive.
 */
#include "convert/paraver/paraver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/mpi_calls.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/sorted.h"

struct columns {
	struct tv_column *call, *peer, *tag, *bytes, *receive_peer, *receive_tag;
	struct tv_column *type, *key, *origin, *dest, *start, *end, *size, *sent_tag, *posted;
};

/* The call of a thread at a time, the later one where two meet; TV_NONE = it is in none. */
static uint32_t call_at(const struct tv_prv *prv, uint32_t thread, int64_t time)
{
	const struct tv_prv_thread *of = &prv->thread[thread];
	size_t end = of->first_call + of->ncalls, i;

	TV_LOWER_BOUND(i, of->first_call, end, prv->call[i].begin <= time);
	return i == of->first_call || prv->call[i - 1].end < time ? TV_NONE : prv->call[i - 1].row;
}

static bool is(const struct tv_prv *prv, const struct columns *to, uint32_t row, const char *word)
{
	const char *name = tv_pool_text(prv->trace->pool, tv_label(to->call, row));

	return tv_mpi_is((struct tv_word){ name, strlen(name) }, word);
}

/* Ranks of MPI_COMM_WORLD are numbers of processes of an application. */
static void describe(const struct tv_prv *prv, const struct columns *to, uint32_t row,
		     const struct tv_prv_message *message, bool sends)
{
	const struct tv_prv_process *to_process = &prv->process[prv->thread[message->to].process],
				    *from = &prv->process[prv->thread[message->from].process];
	bool receives = !sends && is(prv, to, row, "sendrecv");

	if (!is(prv, to, row, "send") && !is(prv, to, row, "recv") && !is(prv, to, row, "start"))
		return;
	if (to_process->app == from->app)
		tv_set_int(receives ? to->receive_peer : to->peer, row,
			   (sends ? to_process : from)->task - 1);
	if (message->tag <= INT64_MAX)
		tv_set_int(receives ? to->receive_tag : to->tag, row, (int64_t)message->tag);
	if (!receives)
		tv_set_int(to->bytes, row, (int64_t)message->size);
}

static void add_link(const struct tv_prv *prv, const struct columns *to, size_t i)
{
	const struct tv_prv_message *message = &prv->message[i];
	uint32_t row = tv_table_add_row(&prv->trace->table[TV_LINKS]);
	char text[32];

	tv_set_text(to->type, row, TV_MESSAGE_TYPE);
	snprintf(text, sizeof text, "%zu", i + 1);
	tv_set_text(to->key, row, text);
	tv_set_label(to->origin, row, prv->thread[message->from].resource);
	tv_set_label(to->dest, row, prv->thread[message->to].resource);
	tv_set_int(to->start, row, message->posted);
	tv_set_int(to->end, row, message->arrived);
	tv_set_int(to->size, row, (int64_t)message->size);
	snprintf(text, sizeof text, "%llu", (unsigned long long)message->tag);
	tv_set_text(to->sent_tag, row, text);
	tv_set_int(to->posted, row, message->expected);
}

/* A call that starts or completes the receive of a message. */
struct use {
	uint32_t row, message;
};

TV_ORDER(uses_by_row, struct use, row, message)

/* Requests are numbers of messages. */
static void set_requests(struct tv_prv *prv, struct use *use, size_t n)
{
	struct tv_column *request;
	uint32_t *label = tv_alloc(n, sizeof *label);

	if (n > 0) {
		request = tv_trace_column(prv->trace, TV_CALLS, "Request");
		qsort(use, n, sizeof *use, uses_by_row);
	}
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i; k < n && use[k].row == use[i].row; k++) {
			char text[16];

			snprintf(text, sizeof text, "%u", use[k].message + 1);
			label[k - i] = tv_intern_text(prv->trace->pool, text);
		}
		tv_set_list(request, use[i].row, label, k - i);
	}
	tv_free(label);
}

void tv_prv_messages(struct tv_prv *prv)
{
	struct use *use;
	struct columns to;
	size_t nuse = 0;

	if (prv->nmessage == 0)
		return;
	TV_TRACE_COLUMNS(prv->trace, TV_CALLS, { "Call", &to.call }, { "Peer", &to.peer },
			 { "Tag", &to.tag }, { "Bytes", &to.bytes },
			 { "ReceivePeer", &to.receive_peer }, { "ReceiveTag", &to.receive_tag });
	TV_TRACE_COLUMNS(prv->trace, TV_LINKS, { "Type", &to.type }, { "Key", &to.key },
			 { "Origin", &to.origin }, { "Dest", &to.dest }, { "Start", &to.start },
			 { "End", &to.end }, { "Size", &to.size }, { "Tag", &to.sent_tag },
			 { "ReceiveStart", &to.posted });
	use = tv_alloc(2 * prv->nmessage, sizeof *use);
	for (size_t i = 0; i < prv->nmessage; i++) {
		const struct tv_prv_message *message = &prv->message[i];
		uint32_t sends = call_at(prv, message->from, message->posted),
			 receives = call_at(prv, message->to, message->expected),
			 completes = call_at(prv, message->to, message->arrived);

		add_link(prv, &to, i);
		if (sends != TV_NONE)
			describe(prv, &to, sends, message, true);
		if (receives != TV_NONE)
			describe(prv, &to, receives, message, false);
		if (receives != TV_NONE && completes != TV_NONE
		    && (is(prv, &to, receives, "irecv") || is(prv, &to, receives, "start"))
		    && is(prv, &to, completes, "wait")) {
			use[nuse++] = (struct use){ receives, (uint32_t)i };
			use[nuse++] = (struct use){ completes, (uint32_t)i };
		}
	}
	set_requests(prv, use, nuse);
	tv_free(use);
}
