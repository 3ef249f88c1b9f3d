/* SPDX-License-Identifier: GPL-3.0-or-later */
/* communications.c -- the communications of a run: its requests and its blocking calls. */
#include "analysis/calls/communications.h"

#include <stddef.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

static uint32_t *instance_of(struct tv_communications *c, const struct tv_mpi_request *r)
{
	int64_t sequence = tv_request_number(c->requests, r, TV_CALL_SEQUENCE);

	if (sequence == TV_NO_NUMBER)
		return NULL;
	return tv_map_at(&c->instance, tv_request_label(c->requests, r, TV_CALL_COMM),
			 (uint64_t)sequence);
}

static void count_ranks(struct tv_communications *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t *at = instance_of(c, &c->at[i]);

		if (at == NULL)
			continue;
		if (*at == TV_NONE) {
			TV_GROW(c->size, c->ninstances, c->instances_cap, 1);
			c->size[c->ninstances] = 0;
			*at = (uint32_t)c->ninstances++;
		}
		c->size[*at]++;
	}
}

static struct tv_mpi_request blocking_call(const struct tv_calls *calls, uint32_t row)
{
	return (struct tv_mpi_request){
		.name = TV_NONE,
		.rank = calls->rank_of[row],
		.start = row,
		.about = row,
		.complete = row,
		.shared = 1,
		.how = TV_REQUEST_COMPLETED,
		.begin = tv_call_begin(calls, row),
		.end = tv_call_end(calls, row),
		.wait = tv_call_time(calls, row),
	};
}

static void collect(struct tv_communications *c)
{
	const struct tv_calls *calls = c->requests->calls;
	uint32_t nblocking = 0;

	for (uint32_t i = 0; i < calls->n && !c->requests->links; i++)
		nblocking += calls->class_of[calls->row[i]] == TV_CALL_BLOCKING;
	c->at = tv_alloc((size_t)c->requests->n + nblocking, sizeof *c->at);
	c->n = c->requests->n;
	if (c->n > 0)
		memcpy(c->at, c->requests->at, c->n * sizeof *c->at);
	if (nblocking == 0)
		return;
	for (uint32_t i = 0; i < calls->n; i++)
		if (calls->class_of[calls->row[i]] == TV_CALL_BLOCKING)
			c->at[c->n++] = blocking_call(calls, calls->row[i]);
	tv_sort_by_time(c->at, c->n, sizeof *c->at, offsetof(struct tv_mpi_request, begin), NULL);
}

static void keep(struct tv_communications *c, enum tv_which_calls which)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n; i++)
		if (which == TV_ALL_CALLS
		    || tv_communication_blocks(c, &c->at[i]) == (which == TV_BLOCKING_CALLS))
			c->at[n++] = c->at[i];
	c->n = n;
}

int tv_communications_init(struct tv_communications *c, struct tv_run *run,
			   enum tv_which_calls which, const char *verb, struct tv_error *err)
{
	*c = (struct tv_communications){ .run = run };
	c->requests = tv_run_requests(run, verb, err);
	if (c->requests == NULL)
		return -1;
	collect(c);
	count_ranks(c);
	keep(c, which);
	return 0;
}

void tv_communications_release(struct tv_communications *c)
{
	tv_map_release(&c->instance);
	tv_free(c->size);
	tv_free(c->at);
}

uint32_t tv_communication_ranks(const struct tv_communications *c, const struct tv_mpi_request *r)
{
	int64_t sequence = tv_request_number(c->requests, r, TV_CALL_SEQUENCE);
	const uint32_t *at = sequence == TV_NO_NUMBER
				   ? NULL
				   : tv_map_get(&c->instance,
						tv_request_label(c->requests, r, TV_CALL_COMM),
						(uint64_t)sequence);

	return at == NULL ? 0 : c->size[*at];
}

bool tv_communication_blocks(const struct tv_communications *c, const struct tv_mpi_request *r)
{
	return !c->requests->links && c->requests->calls->class_of[r->start] == TV_CALL_BLOCKING;
}
