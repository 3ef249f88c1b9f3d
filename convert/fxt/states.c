/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.c -- rows of states, events, links and resources. */
#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

static const char *const state_name[] = {
#define NAME(symbol, name) [TV_FXT_##symbol] = (name),
	TV_FXT_STATES(NAME)
};

static const char *const type_name[] = { TV_FXT_TYPES(NAME)
#undef NAME
};

static void intern_names(const struct tv_fxt_run *run, const char *const *name, uint32_t *label,
			 int n)
{
	for (int i = 0; i < n; i++)
		label[i] = tv_intern_text(run->trace->pool, name[i]);
}

void tv_fxt_find_columns(struct tv_fxt_run *run)
{
	struct tv_fxt_columns *c = &run->col;

	TV_TRACE_COLUMNS(run->trace, TV_STATES, { "ResourceId", &c->state_resource },
			 { "Type", &c->state_type }, { "Value", &c->state_value },
			 { "Start", &c->state_start }, { "End", &c->state_end },
			 { "Depth", &c->state_depth });
	TV_TRACE_COLUMNS(run->trace, TV_VARIABLES, { "ResourceId", &c->variable_resource },
			 { "Type", &c->variable_type }, { "Start", &c->variable_start },
			 { "End", &c->variable_end }, { "Value", &c->variable_value });
	TV_TRACE_COLUMNS(run->trace, TV_LINKS, { "Type", &c->link_type }, { "Key", &c->link_key },
			 { "Origin", &c->link_origin }, { "Dest", &c->link_dest },
			 { "Start", &c->link_start }, { "End", &c->link_end },
			 { "Size", &c->link_size }, { "ResourceId", &c->link_resource },
			 { "Handle", &c->link_handle });
	TV_TRACE_COLUMNS(run->trace, TV_EVENTS, { "Handle", &c->event_handle },
			 { "Peer", &c->event_peer }, { "Info", &c->event_info },
			 { "Size", &c->event_size }, { "ResourceId", &c->event_resource },
			 { "Type", &c->event_type }, { "Time", &c->event_time },
			 { "Value", &c->event_value });
	TV_TRACE_COLUMNS(run->trace, TV_RESOURCES, { "ResourceId", &c->resource_id },
			 { "ResourceType", &c->resource_type }, { "Node", &c->resource_node },
			 { "Parent", &c->resource_parent }, { "MemoryNode", &c->resource_memory },
			 { "BoundPU", &c->resource_bound }, { "Start", &c->resource_start },
			 { "End", &c->resource_end });
	intern_names(run, state_name, run->state, TV_FXT_NSTATES);
	intern_names(run, type_name, run->type, TV_FXT_NTYPES);
}

/* ---- states ---- */

/* Opens a row; its End comes when the state ends. TV_NONE: the table is unread. */
static uint32_t begin_row(struct tv_fxt_rank *rank, const struct tv_fxt_stack *stack, size_t depth,
			  enum tv_fxt_state state)
{
	const struct tv_fxt_run *run = rank->run;
	const struct tv_fxt_columns *c = &run->col;
	uint32_t row = tv_table_add_row(&run->trace->table[TV_STATES]);

	if (row == TV_NONE)
		return row;
	tv_set_label(c->state_resource, row, stack->resource);
	tv_set_label(c->state_type, row, run->type[stack->type]);
	tv_set_label(c->state_value, row, run->state[state]);
	tv_set_int(c->state_start, row, rank->now);
	tv_set_int(c->state_end, row, rank->now);
	tv_set_int(c->state_depth, row, (int64_t)depth);
	return row;
}

/* A thread may be interrupted between taking its place in the file and reading the clock: an end
 * that seems to come before its start ends at its start. */
static void end_row(struct tv_fxt_rank *rank, uint32_t row, int64_t time)
{
	const struct tv_fxt_columns *c = &rank->run->col;

	if (row != TV_NONE && time > c->state_start->i[row])
		tv_set_int(c->state_end, row, time);
}

void tv_fxt_push_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack,
		       enum tv_fxt_state state, uint64_t key)
{
	struct tv_fxt_frame *frame;

	if (stack->closed)
		return;
	TV_GROW(stack->frame, stack->n, stack->cap, 1);
	frame = &stack->frame[stack->n];
	*frame = (struct tv_fxt_frame){ TV_NONE, state, key };
	if (state != TV_FXT_TASK)
		frame->row = begin_row(rank, stack, stack->n, state);
	stack->n++;
}

void tv_fxt_set_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, enum tv_fxt_state state)
{
	if (stack->closed)
		return;
	if (stack->n > 0)
		end_row(rank, stack->frame[--stack->n].row, rank->now);
	tv_fxt_push_state(rank, stack, state, 0);
}

void tv_fxt_pop_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack)
{
	if (stack->closed)
		return;
	if (stack->n > 0)
		end_row(rank, stack->frame[--stack->n].row, rank->now);
	else
		tv_fxt_damaged(rank, TV_DROPPED_BESIDE, "end of a state that never began", "%s",
			       tv_pool_text(rank->run->trace->pool, stack->resource));
}

void tv_fxt_end_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, enum tv_fxt_state state,
		      uint64_t key)
{
	size_t i = stack->n;

	if (stack->closed)
		return;
	while (i > 0 && (stack->frame[i - 1].state != state || stack->frame[i - 1].key != key))
		i--;
	if (i == 0) {
		tv_fxt_damaged(rank, TV_DROPPED_BESIDE, "end of a state that never began", "%s: %s",
			       tv_pool_text(rank->run->trace->pool, stack->resource),
			       state_name[state]);
		return;
	}
	end_row(rank, stack->frame[i - 1].row, rank->now);
	memmove(&stack->frame[i - 1], &stack->frame[i], (stack->n - i) * sizeof *stack->frame);
	stack->n--;
}

void tv_fxt_close_states(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, int64_t time,
			 bool open)
{
	for (; stack->n > 0; stack->n--) {
		const struct tv_fxt_frame *frame = &stack->frame[stack->n - 1];

		end_row(rank, frame->row, time);
		if (open && frame->state != TV_FXT_TASK)
			tv_set_text(tv_trace_column(rank->run->trace, TV_STATES, "Flag"),
				    frame->row, "open");
	}
	stack->closed = true;
	tv_free(stack->frame);
	stack->frame = NULL;
	stack->cap = 0;
}

/* ---- other rows ---- */

uint32_t tv_fxt_event_row(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t resource,
			  uint32_t value)
{
	const struct tv_fxt_run *run = rank->run;
	const struct tv_fxt_columns *c = &run->col;
	uint32_t row = tv_table_add_row(&run->trace->table[TV_EVENTS]);

	if (row == TV_NONE)
		return row;
	tv_set_label(c->event_resource, row, resource);
	tv_set_label(c->event_type, row, run->type[type]);
	tv_set_int(c->event_time, row, rank->now);
	tv_set_label(c->event_value, row, value);
	return row;
}

uint32_t tv_fxt_link_row(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t key,
			 uint32_t origin, uint32_t dest, int64_t start)
{
	const struct tv_fxt_run *run = rank->run;
	const struct tv_fxt_columns *c = &run->col;
	uint32_t row = tv_table_add_row(&run->trace->table[TV_LINKS]);

	tv_set_label(c->link_type, row, run->type[type]);
	tv_set_label(c->link_key, row, key);
	tv_set_label(c->link_origin, row, origin);
	tv_set_label(c->link_dest, row, dest);
	tv_set_int(c->link_start, row, start);
	tv_set_int(c->link_end, row, start);
	tv_set_label(c->link_resource, row, rank->program);
	return row;
}

uint32_t tv_fxt_resource_row(struct tv_fxt_rank *rank, uint32_t label, const char *type,
			     uint32_t parent, int64_t memory_node, int64_t start)
{
	const struct tv_fxt_run *run = rank->run;
	const struct tv_fxt_columns *c = &run->col;
	uint32_t row = tv_table_add_row(&run->trace->table[TV_RESOURCES]);

	tv_set_label(c->resource_id, row, label);
	tv_set_text(c->resource_type, row, type);
	tv_set_label(c->resource_node, row, rank->node);
	tv_set_label(c->resource_parent, row, parent);
	if (memory_node >= 0)
		tv_set_int(c->resource_memory, row, memory_node);
	tv_set_int(c->resource_start, row, start);
	tv_set_int(c->resource_end, row, rank->end);
	return row;
}

void tv_fxt_check_count(size_t n, const char *what)
{
	if (n < TV_ROWS_MAX)
		return;
	tv_memory_purpose("reading more than %lu %s", (unsigned long)TV_ROWS_MAX, what);
	tv_memory_exhausted(0);
}
