/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.h -- what the tables of an FxT trace are filled with: states, variables, links, events. */
#ifndef TV_FXT_STATES_H
#define TV_FXT_STATES_H

#include "trace/trace.h"

struct tv_fxt_rank;
struct tv_fxt_run;

/* STATE(symbol, name): the states of workers, threads and memory nodes, named as in the Paje traces
 * of StarPU. */
#define TV_FXT_STATES(STATE) \
	STATE(IDLE, "Idle") \
	STATE(INITIALIZING, "Initializing") \
	STATE(DEINITIALIZING, "Deinitializing") \
	STATE(FETCHING, "FetchingInput") \
	STATE(PUSHING, "PushingOutput") \
	STATE(CALLBACK, "Callback") \
	STATE(OVERHEAD, "Overhead") \
	STATE(PARALLEL_SYNC, "Parallel sync") \
	STATE(EXECUTING, "Executing") \
	STATE(SCHEDULING, "Scheduling") \
	STATE(SLEEPING, "Sleeping") \
	STATE(PROGRESSING, "Progressing") \
	STATE(UNPARTITIONING, "Unpartitioning") \
	STATE(HYPERVISOR, "Hypervisor") \
	STATE(BUILDING, "Building task") \
	STATE(SUBMITTING, "Submitting task") \
	STATE(THROTTLING, "Throttling task submission") \
	STATE(MPI_DECODING, "Decoding task for MPI") \
	STATE(MPI_PREPARING, "Preparing task for MPI") \
	STATE(MPI_FINISHING, "Post-processing task for MPI") \
	STATE(WAITING, "Waiting task") \
	STATE(WAITING_ALL, "Waiting all tasks") \
	STATE(PROCESSING, "Processing") \
	STATE(POLLING, "Polling") \
	STATE(DRIVER_RUN, "DriverRun") \
	STATE(USER_TESTING, "UserTesting") \
	STATE(USER_WAITING, "UserWaiting") \
	STATE(DETACHED_TESTING, "DT") \
	STATE(SEND_SUBMITTED, "SendSubmitted") \
	STATE(RECEIVE_SUBMITTED, "ReceiveSubmitted") \
	STATE(SEND_COMPLETED, "SendCompleted") \
	STATE(RECEIVE_COMPLETED, "ReceiveCompleted") \
	STATE(TESTING_DETACHED, "Testing Detached") \
	STATE(MPI_TEST, "MPI Test") \
	STATE(ALLOCATING, "Allocating") \
	STATE(ALLOCATING_REUSE, "AllocatingReuse") \
	STATE(FREEING, "Freeing") \
	STATE(WRITING_BACK, "WritingBack") \
	STATE(WRITING_BACK_ASYNC, "WritingBackAsync") \
	STATE(RECLAIMING, "Reclaiming") \
	STATE(DRIVER_COPY, "DriverCopy") \
	STATE(DRIVER_COPY_ASYNC, "DriverCopyAsync")

enum tv_fxt_state {
#define TV_FXT_SYMBOL(symbol, name) TV_FXT_##symbol,
	TV_FXT_STATES(TV_FXT_SYMBOL) TV_FXT_NSTATES,
	TV_FXT_NO_STATE = TV_FXT_NSTATES,
	TV_FXT_TASK /* a task runs: it has its row in tasks, none in states */
};

/* TYPE(symbol, name): types of states, variables, links and events. */
#define TV_FXT_TYPES(TYPE) \
	TYPE(WORKER_STATE, "Worker State") \
	TYPE(THREAD_STATE, "Thread State") \
	TYPE(USER_STATE, "User Thread State") \
	TYPE(COMM_STATE, "Communication Thread State") \
	TYPE(MEMORY_STATE, "Memory Node State") \
	TYPE(READY, "Number of Ready Tasks") \
	TYPE(SUBMITTED, "Number of Submitted Uncompleted Tasks") \
	TYPE(GFLOPS, "GFlop/s") \
	TYPE(GFLOPS_TOTAL, "Total GFlop/s") \
	TYPE(USED, "Used (MB)") \
	TYPE(BANDWIDTH_IN, "Bandwidth In (MB/s)") \
	TYPE(BANDWIDTH_OUT, "Bandwidth Out (MB/s)") \
	TYPE(MESSAGE_LINK, "MPI communication") \
	TYPE(FETCH_LINK, "Intra-node data Fetch") \
	TYPE(TASK_PREFETCH_LINK, "Intra-node data TaskPreFetch") \
	TYPE(PREFETCH_LINK, "Intra-node data PreFetch") \
	TYPE(IDLE_FETCH_LINK, "Intra-node data IdleFetch") \
	TYPE(STEAL_LINK, "Work steal") \
	TYPE(PROGRAM_EVENT, "program event type") \
	TYPE(PUSH_EVENT, "Task Push") \
	TYPE(POP_EVENT, "Task Pop") \
	TYPE(REGISTER_EVENT, "data registration") \
	TYPE(UNREGISTER_EVENT, "data unregistration") \
	TYPE(USER_EVENT_TYPE, "user event type") \
	TYPE(THREAD_EVENT_TYPE, "thread event type") \
	TYPE(INVALID_EVENT, "data state invalid") \
	TYPE(SHARED_EVENT, "data state shared") \
	TYPE(OWNER_EVENT, "data state owner") \
	TYPE(WONT_USE_EVENT, "data wont use") \
	TYPE(WONT_USE_HINT_EVENT, "data wont use hint") \
	TYPE(REQUEST_EVENT, "Request Created") \
	TYPE(ALLOC_EVENT, "Allocating Start") \
	TYPE(ALLOC_END_EVENT, "Allocating End") \
	TYPE(REUSE_EVENT, "Allocating Async Start") \
	TYPE(REUSE_END_EVENT, "Allocating Async End") \
	TYPE(FREE_EVENT, "Free Start") \
	TYPE(FREE_END_EVENT, "Free End") \
	TYPE(WRITEBACK_EVENT, "WritingBack Start") \
	TYPE(WRITEBACK_END_EVENT, "WritingBack End") \
	TYPE(COPY_EVENT, "DriverCopy Start") \
	TYPE(COPY_END_EVENT, "DriverCopy End") \
	TYPE(COPY_ASYNC_EVENT, "DriverCopyAsync Start") \
	TYPE(COPY_ASYNC_END_EVENT, "DriverCopyAsync End") \
	TYPE(MEMORY_FULL_EVENT, "Memory Full") \
	TYPE(CHECKPOINT_EVENT, "Checkpoint Begin") \
	TYPE(CHECKPOINT_END_EVENT, "Checkpoint End")

enum tv_fxt_type {
	TV_FXT_TYPES(TV_FXT_SYMBOL) TV_FXT_NTYPES,
#undef TV_FXT_SYMBOL
	TV_FXT_NO_TYPE = TV_FXT_NTYPES
};

/* Columns that are written event by event. */
struct tv_fxt_columns {
	struct tv_column *state_resource, *state_type, *state_value, *state_start, *state_end,
		*state_depth;
	struct tv_column *variable_resource, *variable_type, *variable_start, *variable_end,
		*variable_value;
	struct tv_column *link_type, *link_key, *link_origin, *link_dest, *link_start, *link_end,
		*link_size, *link_resource, *link_handle;
	struct tv_column *event_resource, *event_type, *event_time, *event_value, *event_handle,
		*event_peer, *event_info, *event_size;
	struct tv_column *resource_id, *resource_type, *resource_node, *resource_parent,
		*resource_memory, *resource_bound, *resource_start, *resource_end;
};

/* ---- states.c ---- */

/* The state of one resource: a stack of rows of the states table. */
struct tv_fxt_frame {
	uint32_t row;	/* TV_NONE: a task */
	uint32_t state; /* enum tv_fxt_state */
	uint64_t key;	/* distinguishes frames of equal state; 0 = not needed */
};

struct tv_fxt_stack {
	uint32_t resource; /* label */
	enum tv_fxt_type type;
	struct tv_fxt_frame *frame;
	size_t n, cap;
	bool closed; /* the resource is gone */
};

void tv_fxt_find_columns(struct tv_fxt_run *run);
/* Replaces the innermost state, or begins the first; nests one; ends the innermost. */
void tv_fxt_set_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack,
		      enum tv_fxt_state state);
void tv_fxt_push_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack,
		       enum tv_fxt_state state, uint64_t key);
void tv_fxt_pop_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack);
/* Ends the innermost state of that name and key, wherever it is. */
void tv_fxt_end_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, enum tv_fxt_state state,
		      uint64_t key);
/* Ends all states at `time`; the resource is gone. */
void tv_fxt_close_states(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, int64_t time,
			 bool open);
/* The following return the number of the new row, in which the caller may set further columns. */
uint32_t tv_fxt_event_row(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t resource,
			  uint32_t value);
uint32_t tv_fxt_link_row(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t key,
			 uint32_t origin, uint32_t dest, int64_t start);
/* A resource; parent TV_NONE = none, memory_node -1 = none. */
uint32_t tv_fxt_resource_row(struct tv_fxt_rank *rank, uint32_t label, const char *type,
			     uint32_t parent, int64_t memory_node, int64_t start);

/* ---- variables.c ---- */

/* A variable that keeps its value until it is set again. */
struct tv_fxt_step_variable {
	uint32_t resource; /* label */
	enum tv_fxt_type type;
	int64_t since;
	double value;
	bool live;
};

/* A change of a sum at a time. */
struct tv_fxt_delta {
	int64_t time;
	double value;
	uint32_t target; /* index of the variable */
	int active;	 /* +1 or -1 contributions: a sum of none is exactly 0 */
};

struct tv_fxt_deltas {
	struct tv_fxt_delta *item;
	size_t n, cap;
};

/* From `time` on the variable has that value. A time before the last one counts as the last one. */
void tv_fxt_set_variable(struct tv_fxt_run *run, struct tv_fxt_step_variable *variable,
			 int64_t time, double value);
void tv_fxt_end_variable(struct tv_fxt_run *run, struct tv_fxt_step_variable *variable,
			 int64_t time);
/* value counts for `target` in [start, end). */
void tv_fxt_add_delta(const struct tv_fxt_run *run, struct tv_fxt_deltas *deltas, uint32_t target,
		      int64_t start, int64_t end, double value);
/* Sorts the deltas, writes the sums and releases them; variable[target] for target < n. */
void tv_fxt_sum_deltas(struct tv_fxt_run *run, struct tv_fxt_deltas *deltas,
		       struct tv_fxt_step_variable *const *variable, size_t n);

#endif
