/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_list.c -- the requests of nonblocking communications. */
#include "analysis/calls/request_list.h"

#include <string.h>

#include "analysis/messages/message_list.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* One that is in flight; what it had to do without success is added up here. */
struct pending {
	int64_t computed, workers; /* inside calls that tested or waited for it in vain, ns */
};

struct request_joining {
	struct tv_requests *requests;
	size_t cap;
	struct pending *pending; /* by request */
	size_t pending_cap;
	struct tv_map active;  /* rank and name: its request */
	struct tv_map created; /* rank and name: row of calls that created it */
	uint32_t *list;	       /* requests that a call asks for */
	size_t list_cap;
};

static uint32_t *active(struct request_joining *work, uint32_t row, uint32_t name)
{
	return tv_map_at(&work->active, work->requests->calls->rank_of[row], name);
}

static void start(struct request_joining *work, uint32_t row, uint32_t name, bool alone)
{
	struct tv_requests *requests = work->requests;
	const struct tv_calls *calls = requests->calls;
	uint32_t rank = calls->rank_of[row], *at = active(work, row, name), *from;
	struct tv_mpi_request *r;

	from = tv_map_get(&work->created, rank, name);
	TV_GROW(requests->at, requests->n, work->cap, 1);
	TV_GROW(work->pending, requests->n, work->pending_cap, 1);
	work->pending[requests->n] = (struct pending){ 0, 0 };
	r = &requests->at[requests->n];
	*at = requests->n++;
	*r = (struct tv_mpi_request){
		.name = name,
		.rank = rank,
		.start = row,
		.about = from != NULL
				      && (!alone
					  || tv_call_number(calls, TV_CALL_BYTES, row)
						     == TV_NO_NUMBER)
			       ? *from
			       : row,
		.complete = TV_NONE,
		.how = TV_REQUEST_OPEN,
		.begin = tv_call_begin(calls, row),
		.end = tv_call_end(calls, row),
		.call = tv_call_time(calls, row),
	};
}

static void finish(struct request_joining *work, uint32_t row, uint32_t request, uint32_t shared)
{
	const struct tv_calls *calls = work->requests->calls;
	struct tv_mpi_request *r = &work->requests->at[request];
	const struct tv_computing *c = &work->requests->computation.of[r->rank];
	struct tv_span window = { r->end, tv_call_begin(calls, row) };

	if (r->how != TV_REQUEST_OPEN)
		return; /* a list may name it twice */
	if (!tv_call_ended(calls, row))
		return; /* it still waited when the trace ended */
	r->how = TV_REQUEST_COMPLETED;
	r->complete = row;
	r->shared = shared;
	r->compute = tv_computing_in(c, window) - work->pending[request].computed;
	r->workers = tv_computing_sum(c, window) - work->pending[request].workers;
	r->end = tv_call_end(calls, row) > r->end ? tv_call_end(calls, row) : r->end;
	*active(work, row, r->name) = TV_NONE;
}

/* The n-th of k equal parts of a duration, whole ns that add up to it. */
static int64_t part_of(int64_t time, uint32_t n, uint32_t k)
{
	return time / k + (n < time % k);
}

/* Those of a list that are in flight. */
static uint32_t find_active(struct request_joining *work, uint32_t row, const uint32_t *name,
			    uint32_t n)
{
	uint32_t found = 0;

	TV_GROW(work->list, found, work->list_cap, n);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *at = tv_map_get(&work->active, work->requests->calls->rank_of[row],
						name[i]);

		if (at != NULL && *at != TV_NONE)
			work->list[found++] = *at;
	}
	return found;
}

/* A call that tests or waits. */
static void ask(struct request_joining *work, uint32_t row)
{
	struct tv_requests *requests = work->requests;
	const struct tv_calls *calls = requests->calls;
	const struct tv_span in = { tv_call_begin(calls, row), tv_call_end(calls, row) };
	const struct tv_computing *c = &requests->computation.of[calls->rank_of[row]];
	uint32_t nasked, ndone, nactive;
	const uint32_t *asked = tv_call_list(calls, TV_CALL_REQUEST, row, &nasked),
		       *done = tv_call_list(calls, TV_CALL_COMPLETED, row, &ndone);
	const struct tv_column *completed = calls->column[TV_CALL_COMPLETED];
	bool all = calls->class_of[row] == TV_CALL_WAIT
		&& (completed == NULL || tv_missing(completed, row));
	int64_t computed, workers;

	nactive = find_active(work, row, asked, nasked);
	for (uint32_t i = 0; i < nactive; i++)
		requests->at[work->list[i]].asked++;
	if (all || ndone > 0) {
		nactive = find_active(work, row, all ? asked : done, all ? nasked : ndone);
		for (uint32_t i = 0; i < nactive; i++)
			finish(work, row, work->list[i], nactive);
	}
	for (uint32_t i = 0; i < nactive; i++)
		requests->at[work->list[i]].wait += part_of(in.end - in.begin, i, nactive);
	/* What this call did not complete was asked for in vain. */
	nactive = nactive == 0 || all ? 0 : find_active(work, row, asked, nasked);
	computed = nactive == 0 ? 0 : tv_computing_in(c, in);
	workers = nactive == 0 ? 0 : tv_computing_sum(c, in);
	for (uint32_t i = 0; i < nactive; i++) {
		work->pending[work->list[i]].computed += computed;
		work->pending[work->list[i]].workers += workers;
	}
}

/* A persistent request that completes is inactive and not named by a mistake; others are. */
static void count_unmatched(struct request_joining *work, uint32_t row)
{
	const struct tv_calls *calls = work->requests->calls;
	const struct tv_column *completed = calls->column[TV_CALL_COMPLETED];
	bool given = completed != NULL && !tv_missing(completed, row);
	uint32_t n, rank = calls->rank_of[row];
	const uint32_t *name = tv_call_list(calls, given ? TV_CALL_COMPLETED : TV_CALL_REQUEST, row,
					    &n);

	if (!given && calls->class_of[row] == TV_CALL_TEST)
		return;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *at = tv_map_get(&work->active, rank, name[i]);

		work->requests->unmatched += (at == NULL || *at == TV_NONE)
					  && tv_map_get(&work->created, rank, name[i]) == NULL;
	}
}

static void give_back(struct request_joining *work, uint32_t row, const uint32_t *name, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *at = active(work, row, name[i]);

		if (*at != TV_NONE)
			work->requests->at[*at].how = TV_REQUEST_FREED;
		*at = TV_NONE;
	}
}

static void take_call(struct request_joining *work, uint32_t row)
{
	const struct tv_calls *calls = work->requests->calls;
	uint32_t n;
	const uint32_t *name = tv_call_list(calls, TV_CALL_REQUEST, row, &n);

	switch ((enum tv_call_class)calls->class_of[row]) {
	case TV_CALL_START:
		for (uint32_t i = 0; i < n; i++)
			start(work, row, name[i], n == 1);
		break;
	case TV_CALL_TEST:
	case TV_CALL_WAIT:
		if (n == 0)
			break;
		count_unmatched(work, row);
		ask(work, row);
		break;
	default:
		if (tv_call_named(calls, row, "request_free"))
			give_back(work, row, name, n);
		else if (tv_call_named(calls, row, "_init"))
			for (uint32_t i = 0; i < n; i++)
				tv_map_put(&work->created, calls->rank_of[row], name[i], row);
		break;
	}
}

static void from_calls(struct tv_requests *requests, const struct tv_run *run)
{
	struct request_joining work = { .requests = requests };

	requests->nranks = requests->calls->nranks;
	requests->rank = tv_alloc(requests->nranks, sizeof *requests->rank);
	memcpy(requests->rank, requests->calls->rank, requests->nranks * sizeof *requests->rank);
	tv_computation_init(&requests->computation, run, requests->calls, requests->rank,
			    requests->nranks);
	for (uint32_t i = 0; i < requests->calls->n; i++)
		take_call(&work, requests->calls->row[i]);
	tv_free(work.pending);
	tv_free(work.list);
	tv_map_release(&work.active);
	tv_map_release(&work.created);
}

/* ---- without calls ---- */

static void add_message(struct tv_requests *requests, size_t *cap, const struct tv_message *m,
			bool sends)
{
	struct tv_span in = { sends ? m->start : m->receive_start, sends ? m->send_end : m->end };
	uint32_t rank = sends ? m->origin : m->dest;

	if (in.begin == TV_NO_TIME || in.end == TV_NO_TIME || in.end < in.begin)
		return;
	TV_GROW(requests->at, requests->n, *cap, 1);
	requests->at[requests->n++] = (struct tv_mpi_request){
		.name = m->key,
		.rank = rank,
		.start = m->link,
		.about = m->link,
		.complete = TV_NONE,
		.how = !sends && m->open ? TV_REQUEST_OPEN : TV_REQUEST_COMPLETED,
		.sends = sends,
		.begin = in.begin,
		.end = in.end,
		.compute = tv_computing_in(&requests->computation.of[rank], in),
		.workers = tv_computing_sum(&requests->computation.of[rank], in),
	};
}

static void from_messages(struct tv_requests *requests, const struct tv_messages *messages,
			  const struct tv_run *run)
{
	size_t cap = 0;

	requests->links = true;
	requests->nranks = messages->nnodes;
	requests->rank = tv_alloc(requests->nranks, sizeof *requests->rank);
	for (uint32_t r = 0; r < requests->nranks; r++)
		requests->rank[r] = messages->node[r];
	tv_computation_init(&requests->computation, run, requests->calls, requests->rank,
			    requests->nranks);
	for (uint32_t i = 0; i < messages->n; i++) {
		add_message(requests, &cap, &messages->at[i], true);
		add_message(requests, &cap, &messages->at[i], false);
	}
	tv_sort_by_time(requests->at, requests->n, sizeof *requests->at,
			offsetof(struct tv_mpi_request, begin), NULL);
}

static void release(void *data)
{
	struct tv_requests *requests = data;

	tv_computation_release(&requests->computation);
	tv_free(requests->at);
	tv_free(requests->rank);
	tv_free(requests);
}

static void warn(struct tv_run *run, const struct tv_requests *requests)
{
	if (requests->nopen > 0)
		tv_run_warn(run, "%u requests never completed (Flag open): they have no times",
			    requests->nopen);
	if (requests->unmatched > 0)
		tv_run_warn(run, "%u requests are completed that no call started: left out",
			    requests->unmatched);
	if (requests->links)
		tv_run_warn(run, "the trace has no MPI calls, only messages: requests without "
				 "their calls");
}

const struct tv_requests *tv_run_requests(struct tv_run *run, const char *verb,
					  struct tv_error *err)
{
	static const char kept;
	struct tv_requests *requests = tv_run_kept(run, &kept);
	const struct tv_messages *messages = NULL;

	if (requests != NULL)
		return requests;
	if (tv_run_calls(run)->n == 0) {
		messages = tv_run_messages(run, err);
		if (messages == NULL)
			return NULL;
		if (messages->n == 0) {
			tv_run_some_calls(run, verb, err);
			return NULL;
		}
	}
	requests = tv_alloc(1, sizeof *requests);
	requests->calls = tv_run_calls(run);
	if (messages == NULL)
		from_calls(requests, run);
	else
		from_messages(requests, messages, run);
	if (requests->links && requests->n == 0) {
		release(requests);
		tv_fail(err,
			"%s: the trace has no MPI calls, and its messages have no SendEnd and no "
			"ReceiveStart",
			verb);
		return NULL;
	}
	for (uint32_t i = 0; i < requests->n; i++)
		requests->nopen += requests->at[i].how == TV_REQUEST_OPEN;
	warn(run, requests);
	tv_run_keep(run, &kept, requests, release);
	return requests;
}

/* ---- cells ---- */

uint32_t tv_request_label(const struct tv_requests *requests, const struct tv_mpi_request *r,
			  enum tv_call_column column)
{
	if (!requests->links)
		return tv_call_label(requests->calls, column,
				     column == TV_CALL_COMM || column == TV_CALL_OP ? r->about
										    : r->start);
	if (column != TV_CALL_NAME)
		return TV_NONE;
	return tv_intern_text(requests->calls->trace->pool, r->sends ? "send" : "receive");
}

int64_t tv_request_number(const struct tv_requests *requests, const struct tv_mpi_request *r,
			  enum tv_call_column column)
{
	const struct tv_column *size;

	if (!requests->links)
		return tv_call_number(requests->calls, column, r->about);
	if (column != TV_CALL_BYTES)
		return TV_NO_NUMBER;
	size = tv_table_find(&requests->calls->trace->table[TV_LINKS], "Size");
	return size == NULL || tv_missing(size, r->about) ? TV_NO_NUMBER : size->i[r->about];
}

const char *tv_request_flag(const struct tv_mpi_request *r)
{
	return r->how == TV_REQUEST_OPEN ? "open" : r->how == TV_REQUEST_FREED ? "freed" : NULL;
}

bool tv_request_seen(const struct tv_requests *requests, const struct tv_mpi_request *r,
		     const struct tv_run *run)
{
	return (!run->window.set || (r->begin <= run->window.end && r->end >= run->window.begin))
	    && tv_run_has_node(run, requests->rank[r->rank]);
}
