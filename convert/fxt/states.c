/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.c -- rows of states, events, links and resources. */
#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

/* Names as StarPU's converter gives them in its Paje traces. */
static const char *const state_name[TV_FXT_NSTATES] = {
	[TV_FXT_IDLE] = "Idle",
	[TV_FXT_INITIALIZING] = "Initializing",
	[TV_FXT_DEINITIALIZING] = "Deinitializing",
	[TV_FXT_FETCHING] = "FetchingInput",
	[TV_FXT_PUSHING] = "PushingOutput",
	[TV_FXT_CALLBACK] = "Callback",
	[TV_FXT_OVERHEAD] = "Overhead",
	[TV_FXT_PARALLEL_SYNC] = "Parallel sync",
	[TV_FXT_EXECUTING] = "Executing",
	[TV_FXT_SCHEDULING] = "Scheduling",
	[TV_FXT_SLEEPING] = "Sleeping",
	[TV_FXT_PROGRESSING] = "Progressing",
	[TV_FXT_UNPARTITIONING] = "Unpartitioning",
	[TV_FXT_HYPERVISOR] = "Hypervisor",
	[TV_FXT_BUILDING] = "Building task",
	[TV_FXT_SUBMITTING] = "Submitting task",
	[TV_FXT_THROTTLING] = "Throttling task submission",
	[TV_FXT_MPI_DECODING] = "Decoding task for MPI",
	[TV_FXT_MPI_PREPARING] = "Preparing task for MPI",
	[TV_FXT_MPI_FINISHING] = "Post-processing task for MPI",
	[TV_FXT_WAITING] = "Waiting task",
	[TV_FXT_WAITING_ALL] = "Waiting all tasks",
	[TV_FXT_PROCESSING] = "Processing",
	[TV_FXT_POLLING] = "Polling",
	[TV_FXT_DRIVER_RUN] = "DriverRun",
	[TV_FXT_USER_TESTING] = "UserTesting",
	[TV_FXT_USER_WAITING] = "UserWaiting",
	[TV_FXT_DETACHED_TESTING] = "DT",
	[TV_FXT_SEND_SUBMITTED] = "SendSubmitted",
	[TV_FXT_RECEIVE_SUBMITTED] = "ReceiveSubmitted",
	[TV_FXT_SEND_COMPLETED] = "SendCompleted",
	[TV_FXT_RECEIVE_COMPLETED] = "ReceiveCompleted",
	[TV_FXT_TESTING_DETACHED] = "Testing Detached",
	[TV_FXT_MPI_TEST] = "MPI Test",
	[TV_FXT_ALLOCATING] = "Allocating",
	[TV_FXT_ALLOCATING_REUSE] = "AllocatingReuse",
	[TV_FXT_FREEING] = "Freeing",
	[TV_FXT_WRITING_BACK] = "WritingBack",
	[TV_FXT_WRITING_BACK_ASYNC] = "WritingBackAsync",
	[TV_FXT_RECLAIMING] = "Reclaiming",
	[TV_FXT_DRIVER_COPY] = "DriverCopy",
	[TV_FXT_DRIVER_COPY_ASYNC] = "DriverCopyAsync",
};

static const char *const type_name[TV_FXT_NTYPES] = {
	[TV_FXT_WORKER_STATE] = "Worker State",
	[TV_FXT_THREAD_STATE] = "Thread State",
	[TV_FXT_USER_STATE] = "User Thread State",
	[TV_FXT_COMM_STATE] = "Communication Thread State",
	[TV_FXT_MEMORY_STATE] = "Memory Node State",
	[TV_FXT_READY] = "Number of Ready Tasks",
	[TV_FXT_SUBMITTED] = "Number of Submitted Uncompleted Tasks",
	[TV_FXT_GFLOPS] = "GFlop/s",
	[TV_FXT_GFLOPS_TOTAL] = "Total GFlop/s",
	[TV_FXT_USED] = "Used (MB)",
	[TV_FXT_BANDWIDTH_IN] = "Bandwidth In (MB/s)",
	[TV_FXT_BANDWIDTH_OUT] = "Bandwidth Out (MB/s)",
	[TV_FXT_MESSAGE_LINK] = "MPI communication",
	[TV_FXT_FETCH_LINK] = "Intra-node data Fetch",
	[TV_FXT_TASK_PREFETCH_LINK] = "Intra-node data TaskPreFetch",
	[TV_FXT_PREFETCH_LINK] = "Intra-node data PreFetch",
	[TV_FXT_IDLE_FETCH_LINK] = "Intra-node data IdleFetch",
	[TV_FXT_STEAL_LINK] = "Work steal",
	[TV_FXT_PROGRAM_EVENT] = "program event type",
	[TV_FXT_PUSH_EVENT] = "Task Push",
	[TV_FXT_POP_EVENT] = "Task Pop",
	[TV_FXT_REGISTER_EVENT] = "data registration",
	[TV_FXT_UNREGISTER_EVENT] = "data unregistration",
	[TV_FXT_USER_EVENT_TYPE] = "user event type",
	[TV_FXT_THREAD_EVENT_TYPE] = "thread event type",
	[TV_FXT_INVALID_EVENT] = "data state invalid",
	[TV_FXT_SHARED_EVENT] = "data state shared",
	[TV_FXT_OWNER_EVENT] = "data state owner",
	[TV_FXT_WONT_USE_EVENT] = "data wont use",
	[TV_FXT_WONT_USE_HINT_EVENT] = "data wont use hint",
	[TV_FXT_REQUEST_EVENT] = "Request Created",
	[TV_FXT_ALLOC_EVENT] = "Allocating Start",
	[TV_FXT_ALLOC_END_EVENT] = "Allocating End",
	[TV_FXT_REUSE_EVENT] = "Allocating Async Start",
	[TV_FXT_REUSE_END_EVENT] = "Allocating Async End",
	[TV_FXT_FREE_EVENT] = "Free Start",
	[TV_FXT_FREE_END_EVENT] = "Free End",
	[TV_FXT_WRITEBACK_EVENT] = "WritingBack Start",
	[TV_FXT_WRITEBACK_END_EVENT] = "WritingBack End",
	[TV_FXT_COPY_EVENT] = "DriverCopy Start",
	[TV_FXT_COPY_END_EVENT] = "DriverCopy End",
	[TV_FXT_COPY_ASYNC_EVENT] = "DriverCopyAsync Start",
	[TV_FXT_COPY_ASYNC_END_EVENT] = "DriverCopyAsync End",
	[TV_FXT_MEMORY_FULL_EVENT] = "Memory Full",
	[TV_FXT_CHECKPOINT_EVENT] = "Checkpoint Begin",
	[TV_FXT_CHECKPOINT_END_EVENT] = "Checkpoint End",
};

static int intern_names(const struct tv_fxt_run *run, const char *const *name, uint32_t *label,
			int n)
{
	for (int i = 0; i < n; i++) {
		label[i] = tv_intern_text(run->trace->pool, name[i]);
		if (label[i] == TV_NONE)
			return tv_fail_memory(run->err);
	}
	return 0;
}

int tv_fxt_find_columns(struct tv_fxt_run *run)
{
	struct tv_fxt_columns *c = &run->col;
	struct {
		enum tv_table_id table;
		const char *name;
		struct tv_column **column;
	} want[] = {
		{ TV_STATES, "ResourceId", &c->state_resource },
		{ TV_STATES, "Type", &c->state_type },
		{ TV_STATES, "Value", &c->state_value },
		{ TV_STATES, "Start", &c->state_start },
		{ TV_STATES, "End", &c->state_end },
		{ TV_STATES, "Depth", &c->state_depth },
		{ TV_VARIABLES, "ResourceId", &c->variable_resource },
		{ TV_VARIABLES, "Type", &c->variable_type },
		{ TV_VARIABLES, "Start", &c->variable_start },
		{ TV_VARIABLES, "End", &c->variable_end },
		{ TV_VARIABLES, "Value", &c->variable_value },
		{ TV_LINKS, "Type", &c->link_type },
		{ TV_LINKS, "Key", &c->link_key },
		{ TV_LINKS, "Origin", &c->link_origin },
		{ TV_LINKS, "Dest", &c->link_dest },
		{ TV_LINKS, "Start", &c->link_start },
		{ TV_LINKS, "End", &c->link_end },
		{ TV_LINKS, "Size", &c->link_size },
		{ TV_LINKS, "ResourceId", &c->link_resource },
		{ TV_LINKS, "Handle", &c->link_handle },
		{ TV_EVENTS, "Handle", &c->event_handle },
		{ TV_EVENTS, "Peer", &c->event_peer },
		{ TV_EVENTS, "Info", &c->event_info },
		{ TV_EVENTS, "Size", &c->event_size },
		{ TV_EVENTS, "ResourceId", &c->event_resource },
		{ TV_EVENTS, "Type", &c->event_type },
		{ TV_EVENTS, "Time", &c->event_time },
		{ TV_EVENTS, "Value", &c->event_value },
		{ TV_RESOURCES, "ResourceId", &c->resource_id },
		{ TV_RESOURCES, "ResourceType", &c->resource_type },
		{ TV_RESOURCES, "Node", &c->resource_node },
		{ TV_RESOURCES, "Parent", &c->resource_parent },
		{ TV_RESOURCES, "MemoryNode", &c->resource_memory },
		{ TV_RESOURCES, "Start", &c->resource_start },
		{ TV_RESOURCES, "End", &c->resource_end },
	};

	for (size_t i = 0; i < TV_COUNT(want); i++) {
		*want[i].column =
			tv_trace_column(run->trace, want[i].table, want[i].name, run->err);
		if (*want[i].column == NULL)
			return -1;
	}
	return intern_names(run, state_name, run->state, TV_FXT_NSTATES) < 0 ? -1
	     : intern_names(run, type_name, run->type, TV_FXT_NTYPES);
}

/* ---- states ---- */

/* Opens a row; its End comes when the state ends. */
static int begin_row(struct tv_fxt_rank *rank, const struct tv_fxt_stack *stack, size_t depth,
		     enum tv_fxt_state state, uint32_t *row)
{
	const struct tv_fxt_run *run = rank->run;
	const struct tv_fxt_columns *c = &run->col;

	*row = tv_table_add_row(&run->trace->table[TV_STATES], run->err);
	if (*row == TV_NONE)
		return -1;
	if (tv_set_label(c->state_resource, *row, stack->resource) < 0
	    || tv_set_label(c->state_type, *row, run->type[stack->type]) < 0
	    || tv_set_label(c->state_value, *row, run->state[state]) < 0
	    || tv_set_int(c->state_start, *row, rank->now) < 0
	    || tv_set_int(c->state_end, *row, rank->now) < 0
	    || tv_set_int(c->state_depth, *row, (int64_t)depth) < 0)
		return tv_fail_memory(run->err);
	return 0;
}

/* A thread may be interrupted between taking its place in the file and reading the clock: an end
 * that seems to come before its start ends at its start. */
static int end_row(struct tv_fxt_rank *rank, uint32_t row, int64_t time)
{
	const struct tv_fxt_columns *c = &rank->run->col;

	if (row == TV_NONE || time <= c->state_start->i[row])
		return 0;
	return tv_set_int(c->state_end, row, time) < 0 ? tv_fail_memory(rank->run->err) : 0;
}

int tv_fxt_push_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, enum tv_fxt_state state,
		      uint64_t key)
{
	struct tv_fxt_frame *frame;

	if (stack->closed)
		return 0;
	if (TV_GROW(stack->frame, stack->n, stack->cap, 1) < 0)
		return tv_fail_memory(rank->run->err);
	frame = &stack->frame[stack->n];
	*frame = (struct tv_fxt_frame){ TV_NONE, state, key };
	if (state != TV_FXT_TASK && begin_row(rank, stack, stack->n, state, &frame->row) < 0)
		return -1;
	stack->n++;
	return 0;
}

int tv_fxt_set_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, enum tv_fxt_state state)
{
	if (stack->closed)
		return 0;
	if (stack->n > 0 && end_row(rank, stack->frame[--stack->n].row, rank->now) < 0)
		return -1;
	return tv_fxt_push_state(rank, stack, state, 0);
}

int tv_fxt_pop_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack)
{
	if (stack->closed)
		return 0;
	if (stack->n == 0)
		return tv_fxt_damaged(rank, TV_DROPPED_BESIDE, "end of a state that never began", "%s",
				      tv_pool_text(rank->run->trace->pool, stack->resource));
	return end_row(rank, stack->frame[--stack->n].row, rank->now);
}

int tv_fxt_end_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, enum tv_fxt_state state,
		     uint64_t key)
{
	size_t i = stack->n;

	if (stack->closed)
		return 0;
	while (i > 0 && (stack->frame[i - 1].state != state || stack->frame[i - 1].key != key))
		i--;
	if (i == 0)
		return tv_fxt_damaged(rank, TV_DROPPED_BESIDE, "end of a state that never began", "%s: %s",
				      tv_pool_text(rank->run->trace->pool, stack->resource),
				      state_name[state]);
	if (end_row(rank, stack->frame[i - 1].row, rank->now) < 0)
		return -1;
	memmove(&stack->frame[i - 1], &stack->frame[i], (stack->n - i) * sizeof *stack->frame);
	stack->n--;
	return 0;
}

int tv_fxt_close_states(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, int64_t time,
			bool open)
{
	struct tv_fxt_run *run = rank->run;

	for (; stack->n > 0; stack->n--) {
		uint32_t row = stack->frame[stack->n - 1].row;
		struct tv_column *flag;

		if (end_row(rank, row, time) < 0)
			return -1;
		if (!open || row == TV_NONE)
			continue;
		flag = tv_trace_column(run->trace, TV_STATES, "Flag", run->err);
		if (flag == NULL)
			return -1;
		if (tv_set_string(flag, row, "open", 4) < 0)
			return tv_fail_memory(run->err);
	}
	stack->closed = true;
	tv_free(stack->frame);
	stack->frame = NULL;
	stack->cap = 0;
	return 0;
}

/* ---- other rows ---- */

int tv_fxt_event_row(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t resource,
		     uint32_t value, uint32_t *row)
{
	const struct tv_fxt_run *run = rank->run;
	const struct tv_fxt_columns *c = &run->col;
	uint32_t at = tv_table_add_row(&run->trace->table[TV_EVENTS], run->err);

	if (at == TV_NONE)
		return -1;
	if (row != NULL)
		*row = at;
	if (tv_set_label(c->event_resource, at, resource) < 0
	    || tv_set_label(c->event_type, at, run->type[type]) < 0
	    || tv_set_int(c->event_time, at, rank->now) < 0
	    || tv_set_label(c->event_value, at, value) < 0)
		return tv_fail_memory(run->err);
	return 0;
}

int tv_fxt_link_row(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t key, uint32_t origin,
		    uint32_t dest, int64_t start, uint32_t *row)
{
	const struct tv_fxt_run *run = rank->run;
	const struct tv_fxt_columns *c = &run->col;

	*row = tv_table_add_row(&run->trace->table[TV_LINKS], run->err);
	if (*row == TV_NONE)
		return -1;
	if (tv_set_label(c->link_type, *row, run->type[type]) < 0
	    || tv_set_label(c->link_key, *row, key) < 0
	    || tv_set_label(c->link_origin, *row, origin) < 0
	    || tv_set_label(c->link_dest, *row, dest) < 0
	    || tv_set_int(c->link_start, *row, start) < 0
	    || tv_set_int(c->link_end, *row, start) < 0
	    || tv_set_label(c->link_resource, *row, rank->program) < 0)
		return tv_fail_memory(run->err);
	return 0;
}

int tv_fxt_resource_row(struct tv_fxt_rank *rank, uint32_t label, const char *type, uint32_t parent,
			int64_t memory_node, int64_t start, uint32_t *row)
{
	const struct tv_fxt_run *run = rank->run;
	const struct tv_fxt_columns *c = &run->col;

	*row = tv_table_add_row(&run->trace->table[TV_RESOURCES], run->err);
	if (*row == TV_NONE)
		return -1;
	if (tv_set_label(c->resource_id, *row, label) < 0
	    || tv_set_string(c->resource_type, *row, type, strlen(type)) < 0
	    || tv_set_label(c->resource_node, *row, rank->node) < 0
	    || tv_set_label(c->resource_parent, *row, parent) < 0
	    || (memory_node >= 0 && tv_set_int(c->resource_memory, *row, memory_node) < 0)
	    || tv_set_int(c->resource_start, *row, start) < 0
	    || tv_set_int(c->resource_end, *row, rank->end) < 0)
		return tv_fail_memory(run->err);
	return 0;
}
