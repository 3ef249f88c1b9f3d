/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.c -- memory nodes, transfers between them, and events about memory. */
#include <inttypes.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

enum { MEMORY_NODES_MAX = 4096 };

/* ---- memory nodes ---- */

static uint32_t add_memory(struct tv_fxt_rank *rank, uint32_t number)
{
	struct tv_fxt_run *run = rank->run;
	uint32_t node = tv_fxt_label(run, "%sMEMNODE%u", rank->prefix, number);
	uint32_t label = tv_fxt_label(run, "%sMEMMANAGER%u", rank->prefix, number);
	struct tv_fxt_memory *memory;

	TV_GROW(rank->data.memory, rank->data.nmemories, rank->data.memories_cap, 1);
	tv_numbers_put(&rank->data.memory_of, number, (uint32_t)rank->data.nmemories);
	memory = &rank->data.memory[rank->data.nmemories++];
	*memory = (struct tv_fxt_memory){
		.label = label,
		.stack = { .resource = label, .type = TV_FXT_MEMORY_STATE },
		.used = { label, TV_FXT_USED, rank->now, 0, true },
		.in = { label, TV_FXT_BANDWIDTH_IN, rank->now, 0, true },
		.out = { label, TV_FXT_BANDWIDTH_OUT, rank->now, 0, true },
	};
	tv_fxt_resource_row(rank, node, "MEMNODE", rank->program, number, rank->now);
	tv_fxt_resource_row(rank, label, "MEMMANAGER", node, number, rank->now);
	return (uint32_t)rank->data.nmemories - 1;
}

/* The index of a memory node; TV_NONE for -1 (no node) and, counted, for impossible ones. */
static uint32_t find_memory(struct tv_fxt_rank *rank, uint64_t word)
{
	uint32_t number = (uint32_t)word;
	uint32_t known = tv_numbers_get(&rank->data.memory_of, number);

	if (known != TV_NONE)
		return known;
	if (number < MEMORY_NODES_MAX)
		return add_memory(rank, number);
	if (number != UINT32_MAX)
		tv_fxt_damaged(rank, TV_DROPPED_BESIDE, "impossible memory node", "number %u",
			       number);
	return TV_NONE;
}

void tv_fxt_memory_node(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	find_memory(rank, tv_fxt_word(event, 0));
}

/* ---- events about memory ---- */

/* What an event has beside its type; 0 or TV_NONE where it does not. */
struct details {
	uint32_t handle, peer; /* labels */
	int64_t info, size;
	bool has_info, has_size;
};

static void memory_event(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t memory,
			 uint32_t value, const struct details *p)
{
	const struct tv_fxt_columns *c = &rank->run->col;
	uint32_t row = tv_fxt_event_row(rank, type, rank->data.memory[memory].label, value);

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
static uint32_t handle_param(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, unsigned i)
{
	uint64_t address = tv_fxt_word(event, i);

	return address != 0 ? tv_fxt_handle_label(rank, address) : TV_NONE;
}

void tv_fxt_data_state(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t label = handle_param(rank, event, 0);
	uint32_t memory = find_memory(rank, tv_fxt_word(event, rank->action->param));

	if (memory != TV_NONE)
		tv_fxt_event_row(rank, rank->action->type, rank->data.memory[memory].label, label);
}

void tv_fxt_doing_wont_use(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t label = handle_param(rank, event, 0), memory = find_memory(rank, 0);

	tv_fxt_event_row(rank, TV_FXT_WONT_USE_EVENT, rank->data.memory[memory].label, label);
}

void tv_fxt_wont_use(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	tv_fxt_event_row(rank, TV_FXT_WONT_USE_HINT_EVENT, rank->program,
			 handle_param(rank, event, 0));
}

/* Up to 1.2 the records about memory have neither handle nor result. */
void tv_fxt_memory_begin(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct details p = { .handle = TV_NONE, .peer = TV_NONE };
	uint32_t memory = find_memory(rank, tv_fxt_word(event, 0));

	if (memory == TV_NONE)
		return;
	tv_fxt_push_state(rank, &rank->data.memory[memory].stack, rank->action->state, 0);
	if (rank->action->type == TV_FXT_NO_TYPE)
		return;
	if (rank->action->type == TV_FXT_WRITEBACK_EVENT) {
		p.handle = handle_param(rank, event, 2);
	} else {
		p.size = tv_fxt_number(event, 2);
		p.has_size = true;
		p.handle = handle_param(rank, event, 3);
		p.info = tv_fxt_number(event, 4);
		p.has_info = event->n > 4;
	}
	memory_event(rank, rank->action->type, memory, TV_NONE, &p);
}

void tv_fxt_memory_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct details p = { .handle = TV_NONE, .peer = TV_NONE };
	uint32_t memory = find_memory(rank, tv_fxt_word(event, 0));

	if (memory == TV_NONE)
		return;
	tv_fxt_end_state(rank, &rank->data.memory[memory].stack, rank->action->state, 0);
	if (rank->action->type == TV_FXT_NO_TYPE)
		return;
	p.handle = handle_param(rank, event, 2);
	p.info = tv_fxt_number(event, 3);
	p.has_info = event->n > 3;
	memory_event(rank, rank->action->type, memory, TV_NONE, &p);
}

void tv_fxt_request(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct details p = { .peer = TV_NONE, .has_info = true };
	uint32_t source = find_memory(rank, tv_fxt_word(event, 0));
	uint32_t dest = find_memory(rank, tv_fxt_word(event, 1)), request = TV_NONE;

	p.handle = handle_param(rank, event, 3);
	if (source == TV_NONE)
		return;
	if (dest != TV_NONE)
		p.peer = rank->data.memory[dest].label;
	p.info = tv_fxt_number(event, 4);
	if (tv_fxt_word(event, 5) != 0)
		request = tv_fxt_hex_label(rank->run, tv_fxt_word(event, 5));
	memory_event(rank, TV_FXT_REQUEST_EVENT, source, request, &p);
}

void tv_fxt_used_memory(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t memory = find_memory(rank, tv_fxt_word(event, 0));

	if (memory != TV_NONE)
		tv_fxt_set_variable(rank->run, &rank->data.memory[memory].used, rank->now,
				    (double)tv_fxt_word(event, 1) / (1 << 20));
}

void tv_fxt_memory_full(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t size = tv_fxt_count_label(rank->run, "", tv_fxt_word(event, 0));

	tv_fxt_event_row(rank, TV_FXT_MEMORY_FULL_EVENT, rank->program, size);
}

/* ---- transfers ---- */

static enum tv_fxt_type link_type(const struct tv_fxt_rank *rank, uint64_t prefetch)
{
	static const enum tv_fxt_type old[] = { TV_FXT_FETCH_LINK, TV_FXT_PREFETCH_LINK,
						TV_FXT_IDLE_FETCH_LINK };
	static const enum tv_fxt_type new[] = { TV_FXT_FETCH_LINK, TV_FXT_TASK_PREFETCH_LINK,
						TV_FXT_PREFETCH_LINK, TV_FXT_IDLE_FETCH_LINK };

	if (rank->facts.generation >= TV_FXT_1_4)
		return prefetch < TV_COUNT(new) ? new[prefetch] : TV_FXT_FETCH_LINK;
	return prefetch < TV_COUNT(old) ? old[prefetch] : TV_FXT_FETCH_LINK;
}

static void copy_event(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t src, uint32_t dst,
		       uint32_t handle, const struct tv_fxt_event *event)
{
	struct details p = { .handle = handle,
			     .peer = src != TV_NONE ? rank->data.memory[src].label : TV_NONE };

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

	TV_GROW(rank->data.transfer, rank->data.ntransfers, rank->data.transfers_cap, 1);
	tv_numbers_put(&rank->data.transfer_of, id, (uint32_t)rank->data.ntransfers);
	t = &rank->data.transfer[rank->data.ntransfers++];
	*t = (struct tv_fxt_transfer){ rank->now, tv_fxt_word(event, 2), TV_NONE, src, dst, handle,
				       true };
	t->row = tv_fxt_link_row(rank, link_type(rank, tv_fxt_word(event, 4)), key,
				 rank->data.memory[src].label, rank->data.memory[dst].label,
				 rank->now);
	tv_set_int(run->col.link_size, t->row, (int64_t)t->size);
	if (handle != TV_NONE)
		tv_set_label(run->col.link_handle, t->row, handle);
	tv_fxt_push_state(rank, &rank->data.memory[dst].stack, TV_FXT_DRIVER_COPY, id + 1);
}

static struct tv_fxt_transfer *find_transfer(const struct tv_fxt_rank *rank, uint64_t id)
{
	uint32_t index = tv_numbers_get(&rank->data.transfer_of, id);

	return index != TV_NONE && rank->data.transfer[index].open ? &rank->data.transfer[index]
								   : NULL;
}

void tv_fxt_copy_begin(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t src = find_memory(rank, tv_fxt_word(event, 0));
	uint32_t dst = find_memory(rank, tv_fxt_word(event, 1));
	uint32_t handle = handle_param(rank, event, 5);
	const char *cause = src == TV_NONE || dst == TV_NONE
				  ? "transfer without source or destination"
			  : find_transfer(rank, tv_fxt_word(event, 3)) != NULL
				  ? "transfer begun twice"
				  : NULL;

	if (cause != NULL) {
		tv_fxt_damaged(rank, TV_DROPPED_BESIDE, cause, "number %" PRIu64,
			       tv_fxt_word(event, 3));
		return;
	}
	add_transfer(rank, event, src, dst, handle);
	copy_event(rank, TV_FXT_COPY_EVENT, src, dst, handle, event);
}

/* The rate of a finished transfer, in MB/s (1e6 bytes), flows out of one node and into the other
 * meanwhile. */
static void add_bandwidth(struct tv_fxt_rank *rank, const struct tv_fxt_transfer *t)
{
	double ms = (double)(rank->now - t->start) / 1e6,
	       rate = ms > 0 ? 0.001 * (double)t->size / ms : 0;

	tv_fxt_add_delta(rank->run, &rank->data.bandwidth, 2 * t->src, t->start, rank->now, rate);
	tv_fxt_add_delta(rank->run, &rank->data.bandwidth, 2 * t->dst + 1, t->start, rank->now,
			 rate);
}

void tv_fxt_copy_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint64_t id = tv_fxt_word(event, 3);
	struct tv_fxt_transfer *t = find_transfer(rank, id);

	if (t == NULL) {
		tv_fxt_damaged(rank, TV_DROPPED_BESIDE, "end of a transfer that never began",
			       "number %" PRIu64, id);
		return;
	}
	t->open = false;
	if (rank->now > t->start) {
		tv_set_int(rank->run->col.link_end, t->row, rank->now);
		add_bandwidth(rank, t);
	}
	tv_fxt_end_state(rank, &rank->data.memory[t->dst].stack, TV_FXT_DRIVER_COPY, id + 1);
	copy_event(rank, TV_FXT_COPY_END_EVENT, t->src, t->dst, t->handle, event);
}

/* The issuing of an asynchronous copy. */
void tv_fxt_copy_async(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t src = find_memory(rank, tv_fxt_word(event, 0));
	uint32_t dst = find_memory(rank, tv_fxt_word(event, 1));

	if (dst == TV_NONE)
		return;
	if (rank->action->type == TV_FXT_COPY_ASYNC_EVENT)
		tv_fxt_push_state(rank, &rank->data.memory[dst].stack, TV_FXT_DRIVER_COPY_ASYNC, 0);
	else
		tv_fxt_end_state(rank, &rank->data.memory[dst].stack, TV_FXT_DRIVER_COPY_ASYNC, 0);
	copy_event(rank, rank->action->type, src, dst, TV_NONE, event);
}

/* ---- the end of a rank ---- */

static void close_transfers(struct tv_fxt_rank *rank)
{
	struct tv_fxt_run *run = rank->run;

	for (size_t i = 0; i < rank->data.ntransfers; i++) {
		const struct tv_fxt_transfer *t = &rank->data.transfer[i];

		if (!t->open)
			continue;
		tv_fxt_damaged(rank, TV_REPAIRED, "transfer without end",
			       "closed at the last time");
		tv_set_int(run->col.link_end, t->row, rank->end);
		tv_set_text(tv_trace_column(run->trace, TV_LINKS, "Flag"), t->row, "open");
	}
}

void tv_fxt_end_data(struct tv_fxt_rank *rank)
{
	struct tv_fxt_run *run = rank->run;
	struct tv_fxt_step_variable **flow = tv_alloc(2 * rank->data.nmemories, sizeof *flow);

	for (size_t i = 0; i < rank->data.nmemories; i++) {
		flow[2 * i] = &rank->data.memory[i].out;
		flow[2 * i + 1] = &rank->data.memory[i].in;
	}
	tv_fxt_sum_deltas(run, &rank->data.bandwidth, flow, 2 * rank->data.nmemories);
	tv_free(flow);
	for (size_t i = 0; i < rank->data.nmemories; i++) {
		struct tv_fxt_memory *memory = &rank->data.memory[i];

		tv_fxt_close_states(rank, &memory->stack, rank->end, true);
		tv_fxt_end_variable(run, &memory->used, rank->end);
		tv_fxt_end_variable(run, &memory->in, rank->end);
		tv_fxt_end_variable(run, &memory->out, rank->end);
	}
	close_transfers(rank);
}

void tv_fxt_release_data(struct tv_fxt_data *data)
{
	for (size_t i = 0; i < data->nmemories; i++)
		tv_free(data->memory[i].stack.frame);
	tv_free(data->memory);
	tv_free(data->handle);
	tv_free(data->transfer);
	tv_free(data->bandwidth.item);
	tv_numbers_release(&data->memory_of);
	tv_map_release(&data->handle_of);
	tv_map_release(&data->label_of);
	tv_numbers_release(&data->transfer_of);
}
