/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fxt.h -- the inside of the FxT reader: what its files share.
 *
 * Reading goes in two steps. tv_fxt_read scans one file and keeps its map; tv_fxt_finish, when all
 * ranks are known, gives them names and one clock, walks over each again and writes states,
 * variables, links, events, handles and resources as it goes. Tasks are kept per rank until the
 * messages between the ranks are paired, then written. Times in here are ns of the trace's clock,
 * labels are numbers of the trace's pool.
 *
 * All functions below return 0, or -1 with *run->err set, unless they say otherwise.
 */
#ifndef TV_FXT_H
#define TV_FXT_H

#include "trace/map.h"
#include "convert/fxt/scan.h"
#include "trace/input.h"
#include "trace/trace.h"

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
	TV_FXT_TASK = TV_FXT_NSTATES /* a task runs: it has its row in tasks, none in states */
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
	TV_FXT_TYPES(TV_FXT_SYMBOL)
#undef TV_FXT_SYMBOL
		TV_FXT_NTYPES
};

/* The state of one resource: a stack of rows of the states table. */
struct tv_fxt_frame {
	uint32_t row;	/* TV_NONE: a task */
	uint32_t state; /* enum tv_fxt_state */
	uint64_t key;	/* tells frames of equal state apart; 0 = not needed */
};

struct tv_fxt_stack {
	uint32_t resource; /* label */
	enum tv_fxt_type type;
	struct tv_fxt_frame *frame;
	size_t n, cap;
	bool closed; /* the resource is gone */
};

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
	uint32_t order;	 /* place among equal times */
	int active;	 /* +1 or -1 contributions: a sum of none is exactly 0 */
};

struct tv_fxt_deltas {
	struct tv_fxt_delta *item;
	size_t n, cap;
};

struct tv_fxt_worker {
	uint32_t label, type, device; /* labels */
	uint32_t row;		      /* in resources */
	uint32_t current;	      /* execution that runs; TV_NONE */
	int64_t memory_node;
	bool sync;
	struct tv_fxt_stack stack;
	struct tv_fxt_step_variable gflops;
	char *params; /* descriptions of the current task's data */
	size_t nparams, params_cap;
	bool ran;		      /* it has ended a task; then: */
	int64_t last_start, last_end; /* of the last execution */
	int64_t rate_start;	      /* from where the current task's GFlop/s count */
};

struct tv_fxt_thread {
	enum { TV_FXT_OF_WORKER, TV_FXT_OF_MPI, TV_FXT_OF_USER } kind;
	uint32_t worker; /* index, of OF_WORKER */
	uint32_t row;	 /* in resources */
	bool sync;	 /* its states are its worker's */
	struct tv_fxt_stack stack;
};

struct tv_fxt_memory {
	uint32_t label, row; /* of the memory manager; row in resources */
	uint32_t node_row;
	struct tv_fxt_stack stack;
	struct tv_fxt_step_variable used, in, out;
};

struct tv_fxt_handle {
	uint64_t address;
	uint32_t name, description; /* labels or TV_NONE */
	uint64_t size;
	int64_t max_size, home, owner, tag;
	uint64_t coordinate[5];
	uint8_t ncoordinates;
	bool registered, has_owner, has_tag, gone;
};

struct tv_fxt_transfer {
	int64_t start;
	uint64_t size;
	uint32_t row;	   /* in links */
	uint32_t src, dst; /* indices of memory nodes */
	uint32_t handle;   /* label or TV_NONE */
	bool open;
};

/* A task as the runtime knows it. */
struct tv_fxt_job {
	uint32_t label, name, model, source; /* labels; TV_NONE = unknown */
	uint32_t line;			     /* of the source that submits it */
	uint32_t first_run, last_run;	     /* executions, chained; TV_NONE */
	uint32_t first_need, last_need;	     /* dependencies, chained; TV_NONE */
	int64_t submit_time;
	uint64_t submit_order;
	int64_t priority, iteration, subiteration;
	bool submitted, has_order, has_priority, done, excluded, named;
	uint8_t type; /* bit 0 internal, bit 1 data acquisition */
};

/* One execution of a task on a worker. */
struct tv_fxt_exec {
	uint32_t job, worker; /* indices */
	uint32_t next;	      /* execution of the same job */
	uint32_t first_access, last_access;
	uint32_t params; /* label or TV_NONE */
	uint32_t footprint;
	uint32_t team, instance;
	int64_t start, end;
	int64_t memory_node, x, y;
	uint64_t size, tag, kflop, context;
	bool ended, open, detailed, dropped;
	uint8_t ncoordinates; /* 1 = x, 2 = x and y */
};

struct tv_fxt_need {
	uint32_t label; /* job or message waited for */
	uint32_t next;
};

struct tv_fxt_access {
	uint64_t address, size;
	uint32_t handle; /* label */
	uint32_t mode;
	uint32_t next;
};

struct tv_fxt_tag_edge {
	uint64_t waits, for_tag;
};

struct tv_fxt_send {
	uint32_t src, order; /* rank index; place among the sends of all ranks */
	int64_t dst;	     /* rank number */
	int64_t time;
	int64_t tag, priority;
	uint64_t size, handle;
	uint32_t job;	  /* index or TV_NONE */
	uint32_t type;	  /* 0x100 point to point, 0x101 collective, 0 = not told */
	uint32_t receive; /* the one that it was paired with; TV_NONE */
};

struct tv_fxt_receive {
	uint32_t dst, order; /* rank index; place among the receives of all ranks */
	uint32_t next;	     /* of the same source, destination and tag; TV_NONE */
	int64_t src;	     /* rank number */
	int64_t time, tag;
	uint64_t handle;
	uint32_t job;
	bool used;
};

struct tv_fxt_run;

enum { TV_FXT_PREFIX = 24 };

/* One file: one process. */
struct tv_fxt_rank {
	struct tv_fxt_run *run;
	char *path;
	struct tv_bytes map;
	struct tv_fxt_file file;
	struct tv_fxt_facts facts;
	struct tv_fxt_clock clock;
	int64_t number;		    /* rank */
	uint32_t index;		    /* in run->rank */
	char prefix[TV_FXT_PREFIX]; /* "", or "0_" */
	uint32_t node;		    /* label */
	int64_t now;		    /* time of the event at hand */
	int64_t end;		    /* latest time */
	size_t offset;		    /* of the event at hand */
	bool paused;		    /* profiling is off */

	struct tv_map threads, workers, memories, handles, addresses, transfers, jobs, runs, tags,
		names, devices;
	struct tv_fxt_thread *thread;
	struct tv_fxt_worker *worker;
	struct tv_fxt_memory *memory;
	struct tv_fxt_handle *handle;
	struct tv_fxt_transfer *transfer;
	struct tv_fxt_job *job;
	struct tv_fxt_exec *exec;
	struct tv_fxt_need *need;
	struct tv_fxt_access *access;
	struct tv_fxt_tag_edge *tag_edge;
	size_t nthreads, nworkers, nmemories, nhandles, ntransfers, njobs, nexecs, nneeds,
		naccesses, ntag_edges;
	size_t threads_cap, workers_cap, memories_cap, handles_cap, transfers_cap, jobs_cap,
		execs_cap, needs_cap, accesses_cap, tag_edges_cap;

	uint32_t program, scheduler, comm; /* labels; comm: TV_NONE without an MPI thread */
	uint32_t program_row, scheduler_row, comm_row; /* in resources */
	struct tv_fxt_stack comm_stack;
	struct tv_fxt_step_variable ready, submitted, gflops, comm_in, comm_out;
	int64_t nready, nsubmitted;
	struct tv_fxt_deltas flops, bandwidth;
	uint64_t dropped_starts, repeated_submits, steals;
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
		*resource_memory, *resource_start, *resource_end;
};

struct tv_fxt_run {
	struct tv_trace *trace;
	struct tv_error *err;
	struct tv_fxt_rank *rank;
	size_t nranks, ranks_cap;
	bool through_libfxt;
	struct tv_fxt_columns col;
	uint32_t state[TV_FXT_NSTATES]; /* labels */
	uint32_t type[TV_FXT_NTYPES];
	struct tv_fxt_send *send;
	struct tv_fxt_receive *receive;
	size_t nsends, sends_cap, nreceives, receives_cap;
	uint64_t bytes, bytes_done; /* for the progress bar */
	void (*progress)(void *context, double share);
	void *progress_context;
};

/* ---- fxt.c ---- */
/* Formats a label; TV_NONE with *run->err on memory. */
uint32_t tv_fxt_label(const struct tv_fxt_run *run, const char *format, ...) TV_PRINTF(2, 3);
/* The same for what there is much of: a text; a number in hexadecimal; a short prefix and a
 * number. */
uint32_t tv_fxt_text_label(const struct tv_fxt_run *run, const char *text, size_t n);
uint32_t tv_fxt_hex_label(const struct tv_fxt_run *run, uint64_t value);
uint32_t tv_fxt_count_label(const struct tv_fxt_run *run, const char *prefix, uint64_t value);
/* Counts one dropped or repaired record, naming the byte of the event at hand. */
int tv_fxt_damaged(struct tv_fxt_rank *rank, enum tv_damage_kind kind, const char *cause,
		   const char *format, ...) TV_PRINTF(4, 5) TV_MUST_CHECK;
void tv_fxt_rank_release(struct tv_fxt_rank *rank);

/* ---- walk.c: which event does what ---- */
/* Walks over the records of a rank and converts everything but its tasks and messages. */
int tv_fxt_walk(struct tv_fxt_rank *rank) TV_MUST_CHECK;

/* ---- lib.c: the same records, read by libfxt ---- */
struct tv_fxt_lib;
int tv_fxt_lib_open(struct tv_fxt_lib **lib, const char *path, struct tv_error *err) TV_MUST_CHECK;
enum tv_fxt_step tv_fxt_lib_next(struct tv_fxt_lib *lib, struct tv_fxt_event *event);
/* After the last record: -1 if libfxt crashed or hung. */
int tv_fxt_lib_check(const struct tv_fxt_lib *lib, struct tv_error *err) TV_MUST_CHECK;
void tv_fxt_lib_close(struct tv_fxt_lib *lib); /* accepts NULL */

/* Fails because of more than 2^32 - 2 items of a kind, which is the limit. Returns -1. */
int tv_fxt_too_many(struct tv_fxt_run *run, const char *what);

/* ---- states.c ---- */
int tv_fxt_find_columns(struct tv_fxt_run *run) TV_MUST_CHECK;
/* Replaces the innermost state, or begins the first; nests one; ends the innermost. */
void tv_fxt_set_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack,
		      enum tv_fxt_state state);
void tv_fxt_push_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack,
		       enum tv_fxt_state state, uint64_t key);
int tv_fxt_pop_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack) TV_MUST_CHECK;
/* Ends the innermost state of that name and key, wherever it is. */
int tv_fxt_end_state(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, enum tv_fxt_state state,
		     uint64_t key) TV_MUST_CHECK;
/* Ends all states at `time`; the resource is gone. */
int tv_fxt_close_states(struct tv_fxt_rank *rank, struct tv_fxt_stack *stack, int64_t time,
			bool open) TV_MUST_CHECK;
void tv_fxt_event_row(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t resource,
		      uint32_t value, uint32_t *row); /* row may be NULL */
/* A link's row; the caller may set further columns. */
void tv_fxt_link_row(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint32_t key, uint32_t origin,
		     uint32_t dest, int64_t start, uint32_t *row);
/* A resource; parent TV_NONE = none, memory_node -1 = none. */
void tv_fxt_resource_row(struct tv_fxt_rank *rank, uint32_t label, const char *type,
			 uint32_t parent, int64_t memory_node, int64_t start, uint32_t *row);

/* ---- variables.c ---- */
/* From `time` on the variable has that value. A time before the last one counts as the last one. */
int tv_fxt_set_variable(struct tv_fxt_run *run, struct tv_fxt_step_variable *variable, int64_t time,
			double value) TV_MUST_CHECK;
int tv_fxt_end_variable(struct tv_fxt_run *run, struct tv_fxt_step_variable *variable,
			int64_t time) TV_MUST_CHECK;
/* value counts for `target` in [start, end). */
int tv_fxt_add_delta(struct tv_fxt_run *run, struct tv_fxt_deltas *deltas, uint32_t target,
		     int64_t start, int64_t end, double value) TV_MUST_CHECK;
/* Sorts the deltas and writes the sums; variable[target] for target < n. */
int tv_fxt_sum_deltas(struct tv_fxt_run *run, struct tv_fxt_deltas *deltas,
		      struct tv_fxt_step_variable *const *variable, size_t n) TV_MUST_CHECK;

/* ---- threads.c: workers, threads, their states ---- */
struct tv_fxt_action;
typedef int tv_fxt_handler(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			   const struct tv_fxt_action *action);
/* What an event does: the handler's arguments beside the event. */
struct tv_fxt_action {
	tv_fxt_handler *run;
	int state;    /* enum tv_fxt_state or tv_fxt_type */
	unsigned tid; /* which parameter is the thread */
	int other;    /* a further enum tv_fxt_type */
};
tv_fxt_handler tv_fxt_worker_init, tv_fxt_worker_init_end, tv_fxt_worker_deinit_end,
	tv_fxt_worker_set, tv_fxt_worker_set_by_id, tv_fxt_executing, tv_fxt_thread_push,
	tv_fxt_thread_pop, tv_fxt_callback_begin, tv_fxt_callback_end, tv_fxt_comm_set,
	tv_fxt_comm_push, tv_fxt_comm_pop, tv_fxt_mpi_start, tv_fxt_mpi_stop;
/* The label of the container of any thread; of a worker's thread, TV_NONE for other threads. */
void tv_fxt_thread_label(struct tv_fxt_rank *rank, uint64_t tid, uint32_t *label);
uint32_t tv_fxt_driver_label(const struct tv_fxt_rank *rank, uint64_t tid);
/* The index of a worker, added under a made-up name (and counted) if it was never announced;
 * TV_NONE (counted) if no worker can have that number. */
int tv_fxt_find_worker(struct tv_fxt_rank *rank, uint32_t id, uint32_t *index) TV_MUST_CHECK;
void tv_fxt_begin_threads(struct tv_fxt_rank *rank);
int tv_fxt_end_threads(struct tv_fxt_rank *rank) TV_MUST_CHECK;

/* ---- events.c ---- */
tv_fxt_handler tv_fxt_steal, tv_fxt_user_event, tv_fxt_program_event, tv_fxt_thread_event,
	tv_fxt_checkpoint, tv_fxt_barrier;

/* ---- data.c: memory nodes, transfers ---- */
tv_fxt_handler tv_fxt_memory_node, tv_fxt_data_state, tv_fxt_wont_use, tv_fxt_doing_wont_use,
	tv_fxt_copy_begin, tv_fxt_copy_end, tv_fxt_copy_async, tv_fxt_memory_begin,
	tv_fxt_memory_end, tv_fxt_request, tv_fxt_used_memory, tv_fxt_memory_full;
int tv_fxt_end_data(struct tv_fxt_rank *rank) TV_MUST_CHECK;

/* ---- handles.c ---- */
tv_fxt_handler tv_fxt_register, tv_fxt_unregister, tv_fxt_data_name, tv_fxt_data_coordinates,
	tv_fxt_data_rank, tv_fxt_data_tag;
/* The label of a handle: its address in hexadecimal. TV_NONE with *run->err on memory. */
uint32_t tv_fxt_handle_label(struct tv_fxt_rank *rank, uint64_t address);
/* What was registered last at that address, NULL if nothing was. */
const struct tv_fxt_handle *tv_fxt_handle_at(const struct tv_fxt_rank *rank, uint64_t address);
/* Writes the handles of a rank. */
int tv_fxt_write_handles(struct tv_fxt_rank *rank) TV_MUST_CHECK;

/* ---- tasks.c: jobs and executions ---- */
tv_fxt_handler tv_fxt_submit, tv_fxt_job_push, tv_fxt_job_pop, tv_fxt_task_count, tv_fxt_task_name,
	tv_fxt_model_name, tv_fxt_task_line, tv_fxt_task_done, tv_fxt_task_exclude,
	tv_fxt_task_deps, tv_fxt_tag, tv_fxt_tag_deps, tv_fxt_start, tv_fxt_end,
	tv_fxt_codelet_data, tv_fxt_codelet_handle, tv_fxt_codelet_details;
/* The index of a job, added when new. */
void tv_fxt_find_job(struct tv_fxt_rank *rank, uint64_t id, uint32_t *index);
int tv_fxt_add_need(struct tv_fxt_rank *rank, uint32_t job, uint32_t label) TV_MUST_CHECK;
int tv_fxt_end_tasks(struct tv_fxt_rank *rank) TV_MUST_CHECK;

/* ---- rows.c ---- */
/* Writes the tasks of all ranks and checks that none is lost. */
int tv_fxt_write_tasks(struct tv_fxt_run *run) TV_MUST_CHECK;

/* ---- mpi.c ---- */
tv_fxt_handler tv_fxt_send_submitted, tv_fxt_receive_done;
/* Pairs the messages: rows in links, dependencies of the receivers. */
int tv_fxt_pair_messages(struct tv_fxt_run *run) TV_MUST_CHECK;
/* The task rows of the messages that tv_fxt_pair_messages paired. */
int tv_fxt_write_messages(struct tv_fxt_run *run) TV_MUST_CHECK;

#endif
