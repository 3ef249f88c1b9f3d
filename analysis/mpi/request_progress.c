/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_progress.c -- events of Type `progress`, by request. */
#include "analysis/mpi/request_progress.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/nodes.h"
#include "trace/sorted.h"

#define PROGRESS_TYPE "progress"

struct columns {
	const struct tv_column *resource, *type, *time, *end, *value, *request, *step, *peer;
};

static struct columns find_columns(const struct tv_table *t)
{
	return (struct columns){
		tv_table_find(t, "ResourceId"), tv_table_find(t, "Type"),
		tv_table_find(t, "Time"),	tv_table_find(t, "End"),
		tv_table_find(t, "Value"),	tv_table_find(t, "Request"),
		tv_table_find(t, "Step"),	tv_table_find(t, "Peer"),
	};
}

/* Requests of one rank and name follow each other, by begin. */
static int by_name(const void *a, const void *b, void *data)
{
	const struct tv_mpi_request *x = (struct tv_mpi_request *)data + *(const uint32_t *)a,
				    *y = (struct tv_mpi_request *)data + *(const uint32_t *)b;

	if (x->rank != y->rank)
		return TV_COMPARE(x->rank, y->rank);
	if (x->name != y->name)
		return TV_COMPARE(x->name, y->name);
	return TV_COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

static uint32_t *sort_requests(const struct tv_requests *requests)
{
	uint32_t *order = tv_alloc(requests->n, sizeof *order);

	for (uint32_t i = 0; i < requests->n; i++)
		order[i] = i;
	if (requests->n > 1)
		qsort_r(order, requests->n, sizeof *order, by_name, requests->at);
	return order;
}

/* Whether request r comes before (rank, name, time) or is the one that began last until then. */
static bool is_before(const struct tv_mpi_request *r, uint32_t rank, uint32_t name, int64_t time)
{
	if (r->rank != rank)
		return r->rank < rank;
	if (r->name != name)
		return r->name < name;
	return r->begin <= time;
}

/* The request of that rank and name which is in flight at a time. */
static uint32_t in_flight(const struct tv_requests *requests, const uint32_t *order, uint32_t rank,
			  uint32_t name, int64_t time)
{
	uint32_t next;
	const struct tv_mpi_request *r;

	TV_LOWER_BOUND(next, 0, requests->n,
		       is_before(&requests->at[order[next]], rank, name, time));
	if (next == 0)
		return TV_NONE;
	r = &requests->at[order[next - 1]];
	if (r->rank != rank || r->name != name || (r->how == TV_REQUEST_COMPLETED && r->end < time))
		return TV_NONE;
	return order[next - 1];
}

TV_ORDER(by_request, struct tv_progress_event, request, begin, row)

/* The place of each rank by its label. */
static void number_ranks(struct tv_index *place, const struct tv_requests *requests)
{
	for (uint32_t r = 0; r < requests->nranks; r++)
		tv_index_set(place, requests->rank[r], r);
}

static void add(struct tv_progress_events *events, const struct columns *c, uint32_t row,
		uint32_t request, const struct tv_index *place)
{
	int64_t time = c->time->i[row];
	int64_t end = c->end == NULL || tv_missing(c->end, row) ? time : c->end->i[row];
	uint32_t peer = c->peer == NULL ? TV_NONE : tv_label(c->peer, row),
		 value = c->value == NULL ? TV_NONE : tv_label(c->value, row);

	events->at[events->n++] = (struct tv_progress_event){
		.row = row,
		.request = request,
		.kind = value == TV_NONE ? tv_label(c->type, row) : value,
		.peer = peer == TV_NONE ? TV_NONE : tv_index_get(place, peer),
		.step = c->step == NULL || tv_missing(c->step, row) ? TV_NO_NUMBER
								    : c->step->i[row],
		.begin = time,
		.end = end > time ? end : time,
	};
}

static void collect(struct tv_progress_events *events, struct tv_run *run,
		    const struct tv_requests *requests)
{
	const struct tv_trace *trace = run->trace;
	const struct tv_table *table = tv_trace_table(trace, TV_EVENTS);
	const struct columns c = find_columns(table);
	uint32_t type = tv_pool_find_text(trace->pool, PROGRESS_TYPE), *order;
	struct tv_index place = { 0 };
	struct tv_nodes nodes;
	size_t cap = 0;

	if (type == TV_NONE || c.type == NULL || c.time == NULL || c.resource == NULL)
		return;
	order = sort_requests(requests);
	tv_nodes_init(&nodes, trace);
	number_ranks(&place, requests);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t resource = tv_label(c.resource, row), request = TV_NONE, name, rank;

		if (tv_label(c.type, row) != type)
			continue;
		name = c.request == NULL ? TV_NONE : tv_label(c.request, row);
		if (name != TV_NONE && resource != TV_NONE && !tv_missing(c.time, row)) {
			rank = tv_index_get(&place, tv_node_of(&nodes, resource));
			request = in_flight(requests, order, rank, name, c.time->i[row]);
		}
		events->unmatched += request == TV_NONE;
		if (request == TV_NONE)
			continue;
		TV_GROW(events->at, events->n, cap, 1);
		add(events, &c, row, request, &place);
	}
	if (events->n > 1)
		qsort(events->at, events->n, sizeof *events->at, by_request);
	if (events->unmatched > 0)
		tv_run_warn(run,
			    "%u events of progress are left out: no request of that name and rank "
			    "is in flight at their time",
			    events->unmatched);
	tv_nodes_release(&nodes);
	tv_free(place.at);
	tv_free(order);
}

static void release(void *data)
{
	struct tv_progress_events *events = data;

	tv_free(events->at);
	tv_free(events);
}

const struct tv_progress_events *tv_run_progress_events(struct tv_run *run,
							const struct tv_requests *requests)
{
	static const char kept;
	struct tv_progress_events *events = tv_run_kept(run, &kept);

	if (events != NULL)
		return events;
	events = tv_alloc(1, sizeof *events);
	collect(events, run, requests);
	tv_run_keep(run, &kept, events, release);
	return events;
}

const struct tv_progress_event *tv_progress_of(const struct tv_progress_events *events,
					       uint32_t request, uint32_t *n)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, events->n, events->at[i].request < request);
	for (*n = 0; i + *n < events->n && events->at[i + *n].request == request; ++*n)
		;
	return *n == 0 ? NULL : &events->at[i];
}
