/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective_steps.c -- what nonblocking collective operations do step by step, from events of progress. */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/mpi/request_progress.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(COMM, "Comm", TV_LABEL, false, "", "communicator") \
	X(SEQUENCE, "Sequence", TV_INT, false, "", "number of the operation on it") \
	X(CALL, "Call", TV_LABEL, false, "", "function that starts it") \
	X(STEP, "Step", TV_INT, false, "", "step of the operation, from 0") \
	X(RANK, "Rank", TV_LABEL, false, "", "rank that does it") \
	X(KIND, "Kind", TV_LABEL, false, "", \
	  "send, receive, send-notifier, receive-notifier, ...") \
	X(PEER, "Peer", TV_LABEL, false, "", "other rank of the message") \
	X(START, "Start", TV_TIME, false, "ms", "begin") \
	X(END, "End", TV_TIME, false, "ms", "end") \
	X(SEND_START, "SendStart", TV_TIME, false, "ms", \
	  "of a receive: begin of the send of that step on the other rank") \
	X(FLAG, "Flag", TV_LABEL, false, "", \
	  "early = received before it was sent; unmatched = no such send or receive")

TV_COLUMNS(columns, COLUMNS)

/* An event of a collective operation. */
struct item {
	const struct tv_progress_event *event;
	const struct tv_mpi_request *request;
	uint32_t comm;	   /* label */
	int64_t number;	   /* Sequence */
	uint32_t from, to; /* ranks of its message; TV_NONE = none */
	uint32_t match;	   /* place of the other end; TV_NONE = none */
};

struct step_list {
	const struct tv_requests *requests;
	struct item *item;
	uint32_t n;
	uint32_t sends, receives; /* labels of these kinds */
};

static void set_message(const struct step_list *w, struct item *item)
{
	const struct tv_progress_event *e = item->event;

	item->from = item->to = TV_NONE;
	if (e->peer == TV_NONE)
		return;
	if (e->kind == w->sends) {
		item->from = item->request->rank;
		item->to = e->peer;
	} else if (e->kind == w->receives) {
		item->from = e->peer;
		item->to = item->request->rank;
	}
}

TV_ORDER(by_operation, struct item, comm, number, event->begin, request->rank, event->row)

/* By message, sends and receives of one in their order. */
static int by_message(const void *a, const void *b, void *data)
{
	const struct step_list *w = data;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct item *x = &w->item[i], *y = &w->item[k];

	if (x->comm != y->comm)
		return TV_COMPARE(x->comm, y->comm);
	if (x->number != y->number)
		return TV_COMPARE(x->number, y->number);
	if (x->from != y->from)
		return TV_COMPARE(x->from, y->from);
	if (x->to != y->to)
		return TV_COMPARE(x->to, y->to);
	if (x->event->step != y->event->step)
		return TV_COMPARE(x->event->step, y->event->step);
	if (x->event->kind != y->event->kind)
		return TV_COMPARE(x->event->kind != w->sends, y->event->kind != w->sends);
	return TV_COMPARE(i, k);
}

static bool same_message(const struct item *x, const struct item *y)
{
	return x->comm == y->comm && x->number == y->number && x->from == y->from && x->to == y->to
	    && x->event->step == y->event->step;
}

/* The n-th send of a message is received by the n-th receive. */
static void match(struct step_list *w)
{
	uint32_t *order = tv_alloc(w->n, sizeof *order), n = 0;

	for (uint32_t i = 0; i < w->n; i++)
		if (w->item[i].from != TV_NONE)
			order[n++] = i;
	if (n > 1)
		qsort_r(order, n, sizeof *order, by_message, w);
	for (uint32_t i = 0, receive, end; i < n; i = end) {
		for (end = i + 1; end < n && same_message(&w->item[order[i]], &w->item[order[end]]);
		     end++)
			;
		for (receive = i; receive < end && w->item[order[receive]].event->kind == w->sends;
		     receive++)
			;
		for (uint32_t s = i, r = receive; s < receive && r < end; s++, r++) {
			w->item[order[s]].match = order[r];
			w->item[order[r]].match = order[s];
		}
	}
	tv_free(order);
}

static void collect(struct step_list *w, const struct tv_progress_events *events,
		    const struct tv_run *run)
{
	w->item = tv_alloc(events->n, sizeof *w->item);
	for (uint32_t i = 0; i < events->n; i++) {
		const struct tv_mpi_request *r = &w->requests->at[events->at[i].request];
		struct item *item = &w->item[w->n];

		*item = (struct item){
			.event = &events->at[i],
			.request = r,
			.comm = tv_request_label(w->requests, r, TV_CALL_COMM),
			.number = tv_request_number(w->requests, r, TV_CALL_SEQUENCE),
			.match = TV_NONE,
		};
		if (item->number == TV_NO_NUMBER || item->comm == TV_NONE
		    || (run->window.set
			&& (item->event->end < run->window.begin
			    || item->event->begin > run->window.end)))
			continue;
		set_message(w, item);
		w->n++;
	}
	if (w->n > 1)
		qsort(w->item, w->n, sizeof *w->item, by_operation);
	match(w);
}

static void write_row(const struct step_list *w, const struct item *item, struct tv_table *out)
{
	struct tv_column *const *to = out->col;
	const struct tv_progress_event *e = item->event;
	uint32_t row = tv_table_add_row(out);
	bool receives = item->from != TV_NONE && e->kind == w->receives;

	tv_set_label(to[COMM], row, item->comm);
	tv_set_int(to[SEQUENCE], row, item->number);
	tv_set_label(to[CALL], row, tv_request_label(w->requests, item->request, TV_CALL_NAME));
	if (e->step != TV_NO_NUMBER)
		tv_set_int(to[STEP], row, e->step);
	tv_set_label(to[RANK], row, w->requests->rank[item->request->rank]);
	tv_set_label(to[KIND], row, e->kind);
	if (e->peer != TV_NONE)
		tv_set_label(to[PEER], row, w->requests->rank[e->peer]);
	tv_set_int(to[START], row, e->begin);
	tv_set_int(to[END], row, e->end);
	if (item->from != TV_NONE && item->match == TV_NONE)
		tv_set_text(to[FLAG], row, "unmatched");
	if (!receives || item->match == TV_NONE)
		return;
	tv_set_int(to[SEND_START], row, w->item[item->match].event->begin);
	if (e->end < w->item[item->match].event->begin)
		tv_set_text(to[FLAG], row, "early");
}

static int run_steps(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	struct step_list w = { .requests = NULL };
	const struct tv_progress_events *events;

	(void)options;
	if (tv_run_some_calls(run, "collective-steps", err) == NULL)
		return -1;
	w.requests = tv_run_requests(run, "collective-steps", err);
	if (w.requests == NULL)
		return -1;
	events = tv_run_progress_events(run, w.requests);
	w.sends = tv_pool_find_text(run->trace->pool, "send");
	w.receives = tv_pool_find_text(run->trace->pool, "receive");
	collect(&w, events, run);
	for (uint32_t i = 0; i < w.n; i++)
		if (tv_run_has_node(run, w.requests->rank[w.item[i].request->rank]))
			write_row(&w, &w.item[i], out);
	tv_free(w.item);
	if (out->nrows > 0 || events->n > 0)
		return 0;
	return tv_fail_lacks(err, run->trace,
			     "collective-steps: the trace has no events of Type progress (no MPI "
			     "library that record knows reports them)");
}

const struct tv_pass tv_pass_collective_steps = {
	.name = "collective-steps",
	.summary = "Steps of nonblocking collective operations, with their messages",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.taskless = true,
	.sums = true,
	.needs = "calls events resources",
	.refuses_tasks = true,
	TV_PASS_COLUMNS(columns),
	.notes = "A row for each event of Type progress whose request is a collective operation, "
		 "by\n"
		 "Comm, Sequence, Start. The n-th receive of a rank from another one in a step "
		 "gets\n"
		 "the n-th send of that one in the same step. With a window the events that touch\n"
		 "it; with a selection of workers those of their nodes.\n"
		 "Recordings have no such events: MPI libraries do not report the messages inside\n"
		 "collective operations. CSV of other tools may have them, and generate mpi writes "
		 "some.",
	.example = "traceviz collective-steps data/mpi-steps",
	.run = run_steps,
};
