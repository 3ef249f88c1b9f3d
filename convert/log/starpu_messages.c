/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * starpu_messages.c -- messages of StarPU-MPI between tasks: jobs of their own, in the order of submission. A send reads the data, a receive
 * writes them and depends on the send.
 *
 * The k-th receive of a rank from another one of data with a tag is the k-th send there, as MPI keeps the order of messages; so the sender
 * is known by its name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "convert/log/starpu.h"
#include "trace/alloc.h"
#include "trace/clocks.h"

static uint32_t send_name(struct tv_raw_run *run, int64_t from, int64_t to, int64_t tag, uint32_t k)
{
	return tv_raw_format_label(run, "%" PRId64 "_send%" PRId64 ".%" PRId64 ".%" PRIu32, from,
				   to, tag, k);
}

/* Whether all messages before it are known, and its ranks are those by which the processes are named: of a communicator of all. */
static bool is_known(const struct tv_raw_log *log, int64_t own, int64_t size)
{
	char prefix[sizeof log->prefix];

	snprintf(prefix, sizeof prefix, "%" PRId64 "_", own);
	return !log->run->gaps && strcmp(prefix, log->prefix) == 0
	    && size >= (int64_t)(log->run->nlogs - log->run->samplers);
}

void tv_starpu_add_message(struct tv_raw_log *log, const struct tv_raw_event *event, int64_t time)
{
	struct tv_raw_starpu *s = log->starpu;
	bool receives = event->code & TV_LOG_STARPU_RECEIVED;
	int64_t peer = (int64_t)tv_raw_arg(event, 3), tag = (int64_t)tv_raw_arg(event, 4),
		own = (int64_t)tv_raw_arg(event, 5);
	struct tv_access access = { tv_raw_handle(log, tv_raw_arg(event, 2)),
				    receives ? TV_ACCESS_WRITE : TV_ACCESS_READ };
	uint32_t job, *k;

	if (!is_known(log, own, (int64_t)tv_raw_arg(event, 6)) || peer == own) {
		s->nunmatched++;
		return;
	}
	job = tv_starpu_new_job(log);
	k = tv_map_at(&s->sent_of, (uint64_t)tag, (uint64_t)peer << 1 | receives);
	*k = *k == TV_NONE ? 1 : *k + 1;
	s->job[job].submit = time;
	s->job[job].message = receives ? TV_STARPU_RECEIVE : TV_STARPU_SEND;
	if (receives) {
		s->job[job].name = tv_raw_format_label(log->run,
						       "%sreceive%" PRId64 ".%" PRId64 ".%" PRIu32,
						       log->prefix, peer, tag, *k);
		s->job[job].from = send_name(log->run, peer, own, tag, *k);
		tv_map_put(&s->message_of, tv_raw_arg(event, 1), 0, job);
	} else {
		s->job[job].name = send_name(log->run, own, peer, tag, *k);
	}
	if (event->code & TV_LOG_STARPU_ORDERED)
		tv_starpu_need(s, job, &access, 1);
}

void tv_starpu_arrive(struct tv_raw_log *log, const struct tv_raw_event *event, int64_t time)
{
	const uint32_t *job = tv_map_get(&log->starpu->message_of, tv_raw_arg(event, 1), 0);

	if (job != NULL)
		log->starpu->job[*job].arrived = time;
}

/* When its data were there: it was submitted, and the tasks before it have ended. */
static int64_t ready_time(const struct tv_raw_starpu *s, uint32_t job, size_t edge)
{
	int64_t ready = s->job[job].submit;

	for (; edge < s->nedges && s->edge[edge].job == job; edge++) {
		uint32_t last = s->job[s->edge[edge].before].last_run;

		if (last != TV_NONE && s->run[last].end > ready)
			ready = s->run[last].end;
	}
	return ready;
}

void tv_starpu_write_message(struct tv_raw_log *log, uint32_t index, size_t edge, uint32_t row)
{
	const struct tv_starpu_job *job = &log->starpu->job[index];
	struct tv_raw_run *run = log->run;
	struct tv_column *value, *kind, *end;
	int64_t arrived;

	TV_TRACE_COLUMNS(run->trace, TV_TASKS, { "Value", &value }, { "Kind", &kind },
			 { "End", &end });
	tv_set_text(value, row, TV_MESSAGE_TYPE);
	tv_set_text(kind, row,
		    tv_kind_name(job->message == TV_STARPU_RECEIVE && job->arrived >= 0
					 ? TV_MESSAGE
					 : TV_GHOST));
	TV_GROW(run->starpu_message, run->nstarpu_messages, run->starpu_messages_cap, 1);
	arrived = tv_raw_time(log, job->message == TV_STARPU_SEND
					   ? ready_time(log->starpu, index, edge)
					   : job->arrived);
	run->starpu_message[run->nstarpu_messages++] = (struct tv_starpu_message){
		job->message == TV_STARPU_SEND ? job->name : job->from,
		job->message == TV_STARPU_SEND ? TV_NONE : row, arrived
	};
	if (job->message == TV_STARPU_RECEIVE && job->arrived >= 0)
		tv_set_int(end, row, arrived);
}

void tv_starpu_begin_messages(struct tv_raw_run *run)
{
	struct tv_column *start = tv_trace_column(run->trace, TV_TASKS, "Start"),
			 *end = tv_trace_column(run->trace, TV_TASKS, "End");
	struct tv_index ready = { 0 };

	for (size_t i = 0; i < run->nstarpu_messages; i++)
		if (run->starpu_message[i].row == TV_NONE)
			tv_index_set(&ready, run->starpu_message[i].send, (uint32_t)i);
	for (size_t i = 0; i < run->nstarpu_messages; i++) {
		const struct tv_starpu_message *m = &run->starpu_message[i];
		uint32_t send;

		if (m->row == TV_NONE || tv_missing(end, m->row))
			continue;
		send = tv_index_get(&ready, m->send);
		tv_set_int(start, m->row,
			   send != TV_NONE && run->starpu_message[send].time < m->time
				   ? run->starpu_message[send].time
				   : m->time);
	}
	tv_free(ready.at);
}
