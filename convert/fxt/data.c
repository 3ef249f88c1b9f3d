/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.c -- memory nodes, transfers between them, and what the events about memory say. */
#include <inttypes.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

enum { MEMORY_NODES_MAX = 4096 };

/* ---- memory nodes ---- */

static int add_memory(struct tv_fxt_rank *rank, uint32_t number, uint32_t *index)
{
	struct tv_fxt_run *run = rank->run;
	uint32_t node = tv_fxt_label(run, "%sMEMNODE%u", rank->prefix, number);
	uint32_t label = tv_fxt_label(run, "%sMEMMANAGER%u", rank->prefix, number);
	struct tv_fxt_memory *memory;

	TV_GROW(rank->memory, rank->nmemories, rank->memories_cap, 1);
	tv_map_put(&rank->memories, number, 0, (uint32_t)rank->nmemories);
	*index = (uint32_t)rank->nmemories;
	memory = &rank->memory[rank->nmemories++];
	*memory = (struct tv_fxt_memory){
		.label = label,
		.stack = { .resource = label, .type = TV_FXT_MEMORY_STATE },
		.used = { label, TV_FXT_USED, rank->now, 0, true },
		.in = { label, TV_FXT_BANDWIDTH_IN, rank->now, 0, true },
		.out = { label, TV_FXT_BANDWIDTH_OUT, rank->now, 0, true },
	};
	tv_fxt_resource_row(rank, node, "MEMNODE", rank->program, number, rank->now,
			    &memory->node_row);
	tv_fxt_resource_row(rank, label, "MEMMANAGER", node, number, rank->now, &memory->row);
	return 0;
}

/* The index of a memory node; TV_NONE for -1 (no node) and, counted, for impossible ones. */
static int find_memory(struct tv_fxt_rank *rank, uint64_t word, uint32_t *index)
{
	uint32_t number = (uint32_t)word;
	const uint32_t *known = tv_map_get(&rank->memories, number, 0);

	*index = known != NULL ? *known : TV_NONE;
	if (known != NULL || number == UINT32_MAX)
		return 0;
	if (number >= MEMORY_NODES_MAX)
		return tv_fxt_damaged(rank, TV_DROPPED_BESIDE, "impossible memory node",
				      "number %u", number);
	return add_memory(rank, number, index);
}

int tv_fxt_memory_node(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		       const struct tv_fxt_action *action)
{
	uint32_t index;

	(void)action;
	return find_memory(rank, tv_fxt_word(event, 0), &index);
}

/* ---- events about memory ---- */

/* What an event tells beside its type: 0 or TV_NONE where it does not. */
struct particulars {
	uint32_t handle, peer; /* labels */
	int64_t info, size;
	bool has_info, has_size;
};

static void memory_event(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t memory,
			 uint32_t value, const struct particulars *p)
{
	const struct tv_fxt_columns *c = &rank->run->col;
	uint32_t row;

	tv_fxt_event_row(rank, type, rank->memory[memory].label, value, &row);
	if (p->handle != TV_NONE)
		tv_set_label(c->event_handle, row, p->handle);
	if (p->peer != TV_NONE)
		tv_set_label(c->event_peer, row, p->peer);
	if (p->has_info)
		tv_set_int(c->event_info, row, p->info);
	if (p->has_size)
		tv_set_int(c->event_size, row, p->size);
}

/* The handle of parameter i as a label; TV_NONE when it has none. */
static int handle_param(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, unsigned i,
			uint32_t *label)
{
	uint64_t address = tv_fxt_word(event, i);

	*label = TV_NONE;
	if (address == 0)
		return 0;
	*label = tv_fxt_handle_label(rank, address);
	return *label == TV_NONE ? -1 : 0;
}

int tv_fxt_data_state(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		      const struct tv_fxt_action *action)
{
	uint32_t label, memory;

	if (handle_param(rank, event, 0, &label) < 0
	    || find_memory(rank, tv_fxt_word(event, action->tid), &memory) < 0)
		return -1;
	if (!(memory == TV_NONE))
		tv_fxt_event_row(rank, (enum tv_fxt_type)action->state, rank->memory[memory].label,
				 label, NULL);
	return 0;
}

int tv_fxt_doing_wont_use(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			  const struct tv_fxt_action *action)
{
	uint32_t label, memory;

	(void)action;
	if (handle_param(rank, event, 0, &label) < 0 || find_memory(rank, 0, &memory) < 0)
		return -1;
	tv_fxt_event_row(rank, TV_FXT_WONT_USE_EVENT, rank->memory[memory].label, label, NULL);
	return 0;
}

int tv_fxt_wont_use(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		    const struct tv_fxt_action *action)
{
	uint32_t label;

	(void)action;
	if (handle_param(rank, event, 0, &label) < 0)
		return -1;
	tv_fxt_event_row(rank, TV_FXT_WONT_USE_HINT_EVENT, rank->program, label, NULL);
	return 0;
}

/* Up to 1.2 the records about memory have neither handle nor result. */
int tv_fxt_memory_begin(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			const struct tv_fxt_action *action)
{
	struct particulars p = { .handle = TV_NONE, .peer = TV_NONE };
	uint32_t memory;

	if (find_memory(rank, tv_fxt_word(event, 0), &memory) < 0)
		return -1;
	if (memory == TV_NONE)
		return 0;
	tv_fxt_push_state(rank, &rank->memory[memory].stack, (enum tv_fxt_state)action->state, 0);
	if (action->other == TV_FXT_NTYPES)
		return 0;
	if (action->other == TV_FXT_WRITEBACK_EVENT) {
		if (handle_param(rank, event, 2, &p.handle) < 0)
			return -1;
	} else {
		p.size = tv_fxt_number(event, 2);
		p.has_size = true;
		if (handle_param(rank, event, 3, &p.handle) < 0)
			return -1;
		p.info = tv_fxt_number(event, 4);
		p.has_info = event->n > 4;
	}
	memory_event(rank, (enum tv_fxt_type)action->other, memory, TV_NONE, &p);
	return 0;
}

int tv_fxt_memory_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		      const struct tv_fxt_action *action)
{
	struct particulars p = { .handle = TV_NONE, .peer = TV_NONE };
	uint32_t memory;

	if (find_memory(rank, tv_fxt_word(event, 0), &memory) < 0)
		return -1;
	if (memory == TV_NONE)
		return 0;
	if (tv_fxt_end_state(rank, &rank->memory[memory].stack, (enum tv_fxt_state)action->state, 0)
	    < 0)
		return -1;
	if (action->other == TV_FXT_NTYPES)
		return 0;
	if (handle_param(rank, event, 2, &p.handle) < 0)
		return -1;
	p.info = tv_fxt_number(event, 3);
	p.has_info = event->n > 3;
	memory_event(rank, (enum tv_fxt_type)action->other, memory, TV_NONE, &p);
	return 0;
}

int tv_fxt_request(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		   const struct tv_fxt_action *action)
{
	struct particulars p = { .handle = TV_NONE, .peer = TV_NONE, .has_info = true };
	uint32_t source, dest, request = TV_NONE;

	(void)action;
	if (find_memory(rank, tv_fxt_word(event, 0), &source) < 0
	    || find_memory(rank, tv_fxt_word(event, 1), &dest) < 0
	    || handle_param(rank, event, 3, &p.handle) < 0)
		return -1;
	if (source == TV_NONE)
		return 0;
	if (dest != TV_NONE)
		p.peer = rank->memory[dest].label;
	p.info = tv_fxt_number(event, 4);
	if (tv_fxt_word(event, 5) != 0) {
		request = tv_fxt_hex_label(rank->run, tv_fxt_word(event, 5));
	}
	memory_event(rank, TV_FXT_REQUEST_EVENT, source, request, &p);
	return 0;
}

int tv_fxt_used_memory(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		       const struct tv_fxt_action *action)
{
	uint32_t memory;

	(void)action;
	if (find_memory(rank, tv_fxt_word(event, 0), &memory) < 0)
		return -1;
	return memory == TV_NONE
		     ? 0
		     : tv_fxt_set_variable(rank->run, &rank->memory[memory].used, rank->now,
					   (double)tv_fxt_word(event, 1) / (1 << 20));
}

int tv_fxt_memory_full(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		       const struct tv_fxt_action *action)
{
	uint32_t size = tv_fxt_count_label(rank->run, "", tv_fxt_word(event, 0));

	(void)action;
	tv_fxt_event_row(rank, TV_FXT_MEMORY_FULL_EVENT, rank->program, size, NULL);
	return 0;
}

/* ---- transfers ---- */

static enum tv_fxt_type link_type(const struct tv_fxt_rank *rank, uint64_t prefetch)
{
	static const enum tv_fxt_type old[] = { TV_FXT_FETCH_LINK, TV_FXT_PREFETCH_LINK,
						TV_FXT_IDLE_FETCH_LINK };
	static const enum tv_fxt_type new[] = { TV_FXT_FETCH_LINK, TV_FXT_TASK_PREFETCH_LINK,
						TV_FXT_PREFETCH_LINK, TV_FXT_IDLE_FETCH_LINK };

	if (rank->facts.generation == TV_FXT_1_4)
		return prefetch < TV_COUNT(new) ? new[prefetch] : TV_FXT_FETCH_LINK;
	return prefetch < TV_COUNT(old) ? old[prefetch] : TV_FXT_FETCH_LINK;
}

static void copy_event(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t src, uint32_t dst,
		       uint32_t handle, const struct tv_fxt_event *event)
{
	struct particulars p = { .handle = handle,
				 .peer = src != TV_NONE ? rank->memory[src].label : TV_NONE };

	if (event->n > 2) {
		p.size = tv_fxt_number(event, 2);
		p.info = tv_fxt_number(event, 3);
		p.has_size = p.has_info = true;
	}
	memory_event(rank, type, dst, TV_NONE, &p);
}

static void add_transfer(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, uint32_t src,
			 uint32_t dst, uint32_t handle)
{
	struct tv_fxt_run *run = rank->run;
	uint64_t id = tv_fxt_word(event, 3);
	uint32_t key = tv_fxt_count_label(run, "com_", id);
	struct tv_fxt_transfer *t;

	TV_GROW(rank->transfer, rank->ntransfers, rank->transfers_cap, 1);
	tv_map_put(&rank->transfers, id, 0, (uint32_t)rank->ntransfers);
	t = &rank->transfer[rank->ntransfers++];
	*t = (struct tv_fxt_transfer){ rank->now, tv_fxt_word(event, 2), TV_NONE, src, dst, handle,
				       true };
	tv_fxt_link_row(rank, link_type(rank, tv_fxt_word(event, 4)), key, rank->memory[src].label,
			rank->memory[dst].label, rank->now, &t->row);
	tv_set_int(run->col.link_size, t->row, (int64_t)t->size);
	if (handle != TV_NONE)
		tv_set_label(run->col.link_handle, t->row, handle);
	tv_fxt_push_state(rank, &rank->memory[dst].stack, TV_FXT_DRIVER_COPY, id + 1);
}

static struct tv_fxt_transfer *find_transfer(const struct tv_fxt_rank *rank, uint64_t id)
{
	const uint32_t *index = tv_map_get(&rank->transfers, id, 0);

	return index != NULL && rank->transfer[*index].open ? &rank->transfer[*index] : NULL;
}

int tv_fxt_copy_begin(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		      const struct tv_fxt_action *action)
{
	uint32_t src, dst, handle;

	(void)action;
	if (find_memory(rank, tv_fxt_word(event, 0), &src) < 0
	    || find_memory(rank, tv_fxt_word(event, 1), &dst) < 0
	    || handle_param(rank, event, 5, &handle) < 0)
		return -1;
	if (src == TV_NONE || dst == TV_NONE)
		return tv_fxt_damaged(rank, TV_DROPPED_BESIDE,
				      "transfer without source or destination", "number %" PRIu64,
				      tv_fxt_word(event, 3));
	if (find_transfer(rank, tv_fxt_word(event, 3)) != NULL)
		return tv_fxt_damaged(rank, TV_DROPPED_BESIDE, "transfer begun twice",
				      "number %" PRIu64, tv_fxt_word(event, 3));
	add_transfer(rank, event, src, dst, handle);
	copy_event(rank, TV_FXT_COPY_EVENT, src, dst, handle, event);
	return 0;
}

/* The rate of a finished transfer, in MB/s (1e6 bytes), flows out of one node and into the other
 * meanwhile. */
static int add_bandwidth(struct tv_fxt_rank *rank, const struct tv_fxt_transfer *t)
{
	double ms = (double)(rank->now - t->start) / 1e6,
	       rate = ms > 0 ? 0.001 * (double)t->size / ms : 0;

	return tv_fxt_add_delta(rank->run, &rank->bandwidth, 2 * t->src, t->start, rank->now, rate)
			     < 0
		     ? -1
		     : tv_fxt_add_delta(rank->run, &rank->bandwidth, 2 * t->dst + 1, t->start,
					rank->now, rate);
}

int tv_fxt_copy_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		    const struct tv_fxt_action *action)
{
	uint64_t id = tv_fxt_word(event, 3);
	struct tv_fxt_transfer *t = find_transfer(rank, id);
	const struct tv_fxt_run *run = rank->run;
	uint32_t src, dst, handle;

	(void)action;
	if (t == NULL)
		return tv_fxt_damaged(rank, TV_DROPPED_BESIDE, "end of a transfer that never began",
				      "number %" PRIu64, id);
	t->open = false;
	if (rank->now > t->start) {
		tv_set_int(run->col.link_end, t->row, rank->now);
		if (add_bandwidth(rank, t) < 0)
			return -1;
	}
	src = t->src;
	dst = t->dst;
	handle = t->handle;
	if (tv_fxt_end_state(rank, &rank->memory[dst].stack, TV_FXT_DRIVER_COPY, id + 1) < 0)
		return -1;
	copy_event(rank, TV_FXT_COPY_END_EVENT, src, dst, handle, event);
	return 0;
}

/* The issuing of an asynchronous copy. */
int tv_fxt_copy_async(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		      const struct tv_fxt_action *action)
{
	uint32_t src, dst;

	if (find_memory(rank, tv_fxt_word(event, 0), &src) < 0
	    || find_memory(rank, tv_fxt_word(event, 1), &dst) < 0)
		return -1;
	if (dst == TV_NONE)
		return 0;
	if (action->other == TV_FXT_COPY_ASYNC_EVENT)
		tv_fxt_push_state(rank, &rank->memory[dst].stack, TV_FXT_DRIVER_COPY_ASYNC, 0);
	else if (tv_fxt_end_state(rank, &rank->memory[dst].stack, TV_FXT_DRIVER_COPY_ASYNC, 0) < 0)
		return -1;
	copy_event(rank, (enum tv_fxt_type)action->other, src, dst, TV_NONE, event);
	return 0;
}

/* ---- the end of a rank ---- */

static int close_transfers(struct tv_fxt_rank *rank)
{
	struct tv_fxt_run *run = rank->run;

	for (size_t i = 0; i < rank->ntransfers; i++) {
		const struct tv_fxt_transfer *t = &rank->transfer[i];
		struct tv_column *flag;

		if (!t->open)
			continue;
		flag = tv_trace_column(run->trace, TV_LINKS, "Flag", run->err);
		if (flag == NULL
		    || tv_fxt_damaged(rank, TV_REPAIRED, "transfer without end",
				      "closed at the last time")
			       < 0)
			return -1;
		tv_set_int(run->col.link_end, t->row, rank->end);
		tv_set_string(flag, t->row, "open", 4);
	}
	return 0;
}

int tv_fxt_end_data(struct tv_fxt_rank *rank)
{
	struct tv_fxt_run *run = rank->run;
	struct tv_fxt_step_variable **flow = tv_alloc(2 * rank->nmemories, sizeof *flow);
	int rc;

	for (size_t i = 0; i < rank->nmemories; i++) {
		flow[2 * i] = &rank->memory[i].out;
		flow[2 * i + 1] = &rank->memory[i].in;
	}
	rc = tv_fxt_sum_deltas(run, &rank->bandwidth, flow, 2 * rank->nmemories);
	tv_free(flow);
	for (size_t i = 0; rc == 0 && i < rank->nmemories; i++) {
		struct tv_fxt_memory *memory = &rank->memory[i];

		if (tv_fxt_close_states(rank, &memory->stack, rank->end, true) < 0
		    || tv_fxt_end_variable(run, &memory->used, rank->end) < 0
		    || tv_fxt_end_variable(run, &memory->in, rank->end) < 0
		    || tv_fxt_end_variable(run, &memory->out, rank->end) < 0)
			rc = -1;
	}
	return rc < 0 ? -1 : close_transfers(rank);
}
