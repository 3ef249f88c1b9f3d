/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threads.c -- workers, the threads that drive them, the MPI thread, the application's threads.
 */
#include <stdio.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

/* StarPU's own limits are a few thousand. */
enum { WORKER_ID_MAX = 1 << 14 };

/* Kinds of workers as StarPU numbers them; 1.4 numbered them anew. */
static const char *kind_name(const struct tv_fxt_rank *rank, uint64_t kind)
{
	static const char *const old[] = {
		"worker", "CPU", "CUDA", "OPENCL", "mic", "scc", "mpi_ms"
	};
	static const char *const new[] = { "CPU",  "CUDA",   "OpenCL",	 "worker",
					   "FPGA", "MPI_MS", "TCPIP_MS", "HIP" };

	if (kind < 0x100)
		return "worker";
	kind -= 0x100;
	if (rank->facts.generation == TV_FXT_1_4)
		return kind < TV_COUNT(new) ? new[kind] : "worker";
	return kind < TV_COUNT(old) ? old[kind] : "worker";
}

/* ---- the tables of threads and workers ---- */

static void add_thread(struct tv_fxt_rank *rank, uint64_t tid, struct tv_fxt_thread **thread)
{
	TV_GROW(rank->thread, rank->nthreads, rank->threads_cap, 1);
	tv_map_put(&rank->threads, tid, 0, (uint32_t)rank->nthreads);
	*thread = &rank->thread[rank->nthreads++];
	**thread = (struct tv_fxt_thread){ .worker = TV_NONE, .row = TV_NONE };
}

static struct tv_fxt_thread *find_thread(const struct tv_fxt_rank *rank, uint64_t tid)
{
	const uint32_t *index = tv_map_get(&rank->threads, tid, 0);

	return index != NULL ? &rank->thread[*index] : NULL;
}

/* A thread that is neither a worker's nor MPI's is the application's: known from its first event
 * on. */
static void any_thread(struct tv_fxt_rank *rank, uint64_t tid, struct tv_fxt_thread **thread)
{
	uint32_t label;

	*thread = find_thread(rank, tid);
	if (*thread != NULL)
		return;
	label = tv_fxt_label(rank->run, "%sUserThread%llu", rank->prefix, (unsigned long long)tid);
	add_thread(rank, tid, thread);
	(*thread)->kind = TV_FXT_OF_USER;
	(*thread)->stack = (struct tv_fxt_stack){ .resource = label, .type = TV_FXT_USER_STATE };
	tv_fxt_resource_row(rank, label, "User Thread", rank->program, -1, rank->now,
			    &(*thread)->row);
}

static struct tv_fxt_stack *stack_of(struct tv_fxt_rank *rank, struct tv_fxt_thread *thread)
{
	if (thread->kind == TV_FXT_OF_MPI)
		return &rank->comm_stack;
	return thread->sync ? &rank->worker[thread->worker].stack : &thread->stack;
}

void tv_fxt_thread_label(struct tv_fxt_rank *rank, uint64_t tid, uint32_t *label)
{
	struct tv_fxt_thread *thread;

	any_thread(rank, tid, &thread);
	*label = thread->kind == TV_FXT_OF_MPI ? rank->comm : thread->stack.resource;
}

uint32_t tv_fxt_driver_label(const struct tv_fxt_rank *rank, uint64_t tid)
{
	const struct tv_fxt_thread *thread = find_thread(rank, tid);

	return thread != NULL && thread->kind == TV_FXT_OF_WORKER ? thread->stack.resource
								  : TV_NONE;
}

/* The stack of a worker's thread, NULL for all other threads. */
static struct tv_fxt_stack *driver_stack(struct tv_fxt_rank *rank, uint64_t tid)
{
	struct tv_fxt_thread *thread = find_thread(rank, tid);

	return thread != NULL && thread->kind == TV_FXT_OF_WORKER ? stack_of(rank, thread) : NULL;
}

/* A name that no other resource of this rank has: a second one gets _1, as CUDA streams do. */
static uint32_t unique_label(struct tv_fxt_rank *rank, const char *name)
{
	uint32_t base = tv_fxt_label(rank->run, "%s%s", rank->prefix, name), label = base, *next;
	uint32_t i = 0;

	while (label != TV_NONE && (next = tv_map_get(&rank->names, label, 0)) != NULL) {
		if (i == 0)
			i = *next;
		label = tv_fxt_label(rank->run, "%s%s_%u", rank->prefix, name, i++);
	}
	tv_map_put(&rank->names, base, 0, i == 0 ? 1 : i);
	if (label != base)
		tv_map_put(&rank->names, label, 0, 1);
	return label;
}

static void add_worker(struct tv_fxt_rank *rank, uint32_t id, struct tv_fxt_worker **worker)
{
	TV_GROW(rank->worker, rank->nworkers, rank->workers_cap, 1);
	tv_map_put(&rank->workers, id, 0, (uint32_t)rank->nworkers);
	*worker = &rank->worker[rank->nworkers++];
	**worker = (struct tv_fxt_worker){
		.label = TV_NONE, .device = TV_NONE, .row = TV_NONE, .current = TV_NONE
	};
}

static int name_worker(struct tv_fxt_rank *rank, struct tv_fxt_worker *worker, uint32_t label,
		       const char *type, const char *device, uint32_t parent)
{
	struct tv_fxt_run *run = rank->run;

	if (label == TV_NONE)
		return -1;
	worker->label = label;
	worker->type = tv_fxt_label(run, "%s", type);
	worker->device = tv_fxt_label(run, "%s", device);
	worker->stack = (struct tv_fxt_stack){ .resource = label, .type = TV_FXT_WORKER_STATE };
	worker->gflops = (struct tv_fxt_step_variable){ label, TV_FXT_GFLOPS, rank->now, 0, true };
	tv_fxt_resource_row(rank, label, type, parent, worker->memory_node, rank->now,
			    &worker->row);
	return 0;
}

int tv_fxt_find_worker(struct tv_fxt_rank *rank, uint32_t id, uint32_t *index)
{
	const uint32_t *known = tv_map_get(&rank->workers, id, 0);
	struct tv_fxt_worker *worker;

	if (known != NULL) {
		*index = *known;
		return 0;
	}
	*index = TV_NONE;
	if (id >= WORKER_ID_MAX)
		return tv_fxt_damaged(rank, TV_DROPPED, "impossible worker", "number %u", id);
	add_worker(rank, id, &worker);
	*index = (uint32_t)rank->nworkers - 1;
	worker->memory_node = -1;
	if (name_worker(rank, worker, tv_fxt_label(rank->run, "%sworker%u", rank->prefix, id),
			"worker", "", rank->program)
	    < 0)
		return -1;
	return tv_fxt_damaged(rank, TV_REPAIRED, "worker that was never announced",
			      "number %u, named %s", id,
			      tv_pool_text(rank->run->trace->pool, rank->worker[*index].label));
}

/* ---- coming and going ---- */

/* The container of a driver thread: only the first worker of a thread makes one. */
static int register_driver(struct tv_fxt_rank *rank, uint64_t tid, uint32_t worker, bool sync,
			   int64_t memory_node, int64_t bound, uint32_t *parent)
{
	struct tv_fxt_thread *thread = find_thread(rank, tid);
	uint32_t node = tv_fxt_label(rank->run, "%sMEMNODE%lld", rank->prefix,
				     (long long)memory_node),
		 label;
	char name[32];

	if (thread != NULL) {
		*parent = thread->kind == TV_FXT_OF_WORKER ? thread->stack.resource : node;
		return 0;
	}
	snprintf(name, sizeof name, "T%lld", (long long)bound);
	label = unique_label(rank, name);
	if (label == TV_NONE)
		return -1;
	add_thread(rank, tid, &thread);
	thread->kind = TV_FXT_OF_WORKER;
	thread->worker = worker;
	thread->sync = sync;
	thread->stack = (struct tv_fxt_stack){ .resource = label, .type = TV_FXT_THREAD_STATE };
	*parent = label;
	tv_fxt_resource_row(rank, label, "Thread", node, memory_node, rank->now, &thread->row);
	return 0;
}

/* CUDA workers of one device are streams, told apart by the order of their coming. */
static void stream_of(struct tv_fxt_rank *rank, uint32_t device, uint32_t *stream)
{
	const uint32_t *seen = tv_map_get(&rank->devices, device, 0);

	*stream = seen != NULL ? *seen : 0;
	tv_map_put(&rank->devices, device, 0, *stream + 1);
}

int tv_fxt_worker_init(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		       const struct tv_fxt_action *action)
{
	uint32_t id = (uint32_t)tv_fxt_word(event, 1), index, parent, device_label, label, stream;
	uint64_t tid = tv_fxt_word(event, 6);
	const char *kind = kind_name(rank, tv_fxt_word(event, 0));
	bool sync = tv_fxt_word(event, 5) != 0;
	struct tv_fxt_worker *worker;
	char device[64], name[80];
	struct tv_fxt_stack *stack;

	(void)action;
	if (tv_map_get(&rank->workers, id, 0) != NULL || id >= WORKER_ID_MAX)
		return tv_fxt_damaged(rank, TV_DROPPED, "worker announced twice or impossible",
				      "number %u", id);
	snprintf(device, sizeof device, "%s%lld", kind, (long long)tv_fxt_number(event, 2));
	device_label = tv_fxt_label(rank->run, "%s", device);
	stream_of(rank, device_label, &stream);
	snprintf(name, sizeof name, "%s", device);
	if (strcmp(kind, "CUDA") == 0 && rank->facts.generation != TV_FXT_1_2)
		snprintf(name, sizeof name, "%s_%u", device, stream);
	label = unique_label(rank, name);
	if (label == TV_NONE)
		return -1;
	add_worker(rank, id, &worker);
	index = (uint32_t)rank->nworkers - 1;
	worker->memory_node = tv_fxt_number(event, 3);
	worker->sync = sync;
	if (register_driver(rank, tid, index, sync, worker->memory_node, tv_fxt_number(event, 4),
			    &parent)
		    < 0
	    || name_worker(rank, worker, label, kind, device, parent) < 0)
		return -1;
	stack = driver_stack(rank, tid);
	if (stack != NULL)
		tv_fxt_set_state(rank, stack, TV_FXT_INITIALIZING);
	return 0;
}

int tv_fxt_worker_init_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			   const struct tv_fxt_action *action)
{
	struct tv_fxt_stack *stack = driver_stack(rank, tv_fxt_word(event, 0));
	const uint32_t *index = tv_map_get(&rank->workers, (uint32_t)tv_fxt_word(event, 1), 0);

	(void)action;
	if (stack != NULL)
		tv_fxt_set_state(rank, stack, TV_FXT_OVERHEAD);
	if (index != NULL)
		tv_fxt_set_state(rank, &rank->worker[*index].stack, TV_FXT_IDLE);
	return 0;
}

static void end_resource(struct tv_fxt_rank *rank, uint32_t row)
{
	if (row == TV_NONE)
		return;
	tv_set_int(rank->run->col.resource_end, row, rank->now);
}

/* The thread and the workers that it drives are gone. */
int tv_fxt_worker_deinit_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			     const struct tv_fxt_action *action)
{
	struct tv_fxt_thread *thread = find_thread(rank, tv_fxt_word(event, 1));
	struct tv_column *parent = rank->run->col.resource_parent;

	(void)action;
	if (thread == NULL || thread->kind != TV_FXT_OF_WORKER || thread->stack.closed)
		return 0;
	end_resource(rank, thread->row);
	if (tv_fxt_close_states(rank, &thread->stack, rank->now, false) < 0)
		return -1;
	for (size_t i = 0; i < rank->nworkers; i++) {
		struct tv_fxt_worker *worker = &rank->worker[i];

		if (parent->u[worker->row] != thread->stack.resource)
			continue;
		end_resource(rank, worker->row);
		if (tv_fxt_close_states(rank, &worker->stack, rank->now, false) < 0)
			return -1;
	}
	return 0;
}

/* ---- states of workers and of any thread ---- */

/* States on a worker's own row are not recorded while profiling is off. */
static bool silent(const struct tv_fxt_rank *rank, const struct tv_fxt_stack *stack)
{
	return stack == NULL || (rank->paused && stack->type == TV_FXT_WORKER_STATE);
}

int tv_fxt_worker_set(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		      const struct tv_fxt_action *action)
{
	struct tv_fxt_stack *stack = driver_stack(rank, tv_fxt_word(event, action->tid));

	if (!(silent(rank, stack)))
		tv_fxt_set_state(rank, stack, (enum tv_fxt_state)action->state);
	return 0;
}

int tv_fxt_worker_set_by_id(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			    const struct tv_fxt_action *action)
{
	const uint32_t *index = tv_map_get(&rank->workers,
					   (uint32_t)tv_fxt_word(event, action->tid), 0);

	if (index == NULL || rank->paused)
		return 0;
	tv_fxt_set_state(rank, &rank->worker[*index].stack, (enum tv_fxt_state)action->state);
	return 0;
}

/* On a synchronous worker the task itself says as much. */
int tv_fxt_executing(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		     const struct tv_fxt_action *action)
{
	struct tv_fxt_stack *stack = driver_stack(rank, tv_fxt_word(event, action->tid));

	if (stack == NULL || stack->type == TV_FXT_WORKER_STATE)
		return 0;
	tv_fxt_set_state(rank, stack, (enum tv_fxt_state)action->state);
	return 0;
}

int tv_fxt_thread_push(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		       const struct tv_fxt_action *action)
{
	struct tv_fxt_thread *thread;
	struct tv_fxt_stack *stack;

	any_thread(rank, tv_fxt_word(event, action->tid), &thread);
	stack = stack_of(rank, thread);
	if (!(silent(rank, stack)))
		tv_fxt_push_state(rank, stack, (enum tv_fxt_state)action->state, 0);
	return 0;
}

int tv_fxt_thread_pop(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		      const struct tv_fxt_action *action)
{
	struct tv_fxt_thread *thread;
	struct tv_fxt_stack *stack;

	any_thread(rank, tv_fxt_word(event, action->tid), &thread);
	stack = stack_of(rank, thread);
	return silent(rank, stack) ? 0 : tv_fxt_pop_state(rank, stack);
}

/* Up to 1.3 a callback on a worker does not nest. */
static bool nests(const struct tv_fxt_rank *rank, uint64_t tid)
{
	const struct tv_fxt_thread *thread = find_thread(rank, tid);

	return rank->facts.generation == TV_FXT_1_4 || thread == NULL
	    || thread->kind != TV_FXT_OF_WORKER;
}

int tv_fxt_callback_begin(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			  const struct tv_fxt_action *action)
{
	return nests(rank, tv_fxt_word(event, action->tid))
		     ? tv_fxt_thread_push(rank, event, action)
		     : tv_fxt_worker_set(rank, event, action);
}

int tv_fxt_callback_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			const struct tv_fxt_action *action)
{
	return nests(rank, tv_fxt_word(event, action->tid))
		     ? tv_fxt_thread_pop(rank, event, action)
		     : tv_fxt_worker_set(rank, event, action);
}

/* ---- the MPI thread ---- */

int tv_fxt_mpi_start(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		     const struct tv_fxt_action *action)
{
	struct tv_fxt_run *run = rank->run;
	struct tv_fxt_thread *thread;

	(void)action;
	if (rank->comm != TV_NONE)
		return tv_fxt_damaged(rank, TV_DROPPED, "MPI thread started twice", "rank %lld",
				      (long long)rank->number);
	if (find_thread(rank, tv_fxt_word(event, 2)) == NULL) {
		add_thread(rank, tv_fxt_word(event, 2), &thread);
		thread->kind = TV_FXT_OF_MPI;
	}
	rank->comm = tv_fxt_label(run, "%smpict", rank->prefix);
	tv_fxt_resource_row(rank, rank->comm, "MPI Communication Thread", rank->program, -1, 0,
			    &rank->comm_row);
	rank->comm_stack = (struct tv_fxt_stack){ .resource = rank->comm,
						  .type = TV_FXT_COMM_STATE };
	tv_fxt_set_state(rank, &rank->comm_stack, TV_FXT_SLEEPING);
	return 0;
}

int tv_fxt_mpi_stop(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		    const struct tv_fxt_action *action)
{
	(void)event;
	(void)action;
	if (rank->comm == TV_NONE || rank->comm_stack.closed)
		return 0;
	end_resource(rank, rank->comm_row);
	return tv_fxt_close_states(rank, &rank->comm_stack, rank->now, false);
}

int tv_fxt_comm_set(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		    const struct tv_fxt_action *action)
{
	(void)event;
	if (!(rank->comm == TV_NONE))
		tv_fxt_set_state(rank, &rank->comm_stack, (enum tv_fxt_state)action->state);
	return 0;
}

int tv_fxt_comm_push(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		     const struct tv_fxt_action *action)
{
	(void)event;
	if (!(rank->comm == TV_NONE))
		tv_fxt_push_state(rank, &rank->comm_stack, (enum tv_fxt_state)action->state, 0);
	return 0;
}

int tv_fxt_comm_pop(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		    const struct tv_fxt_action *action)
{
	(void)event;
	(void)action;
	return rank->comm == TV_NONE ? 0 : tv_fxt_pop_state(rank, &rank->comm_stack);
}

/* ---- begin and end of a rank ---- */

void tv_fxt_begin_threads(struct tv_fxt_rank *rank)
{
	struct tv_fxt_run *run = rank->run;
	uint32_t root = tv_fxt_label(run, "root"), root_row;

	rank->comm = TV_NONE;
	rank->program = tv_fxt_label(run, "%sprogram", rank->prefix);
	rank->scheduler = tv_fxt_label(run, "%sscheduler", rank->prefix);
	rank->now = 0;
	if (rank->index == 0)
		tv_fxt_resource_row(rank, root, "MPI Program", TV_NONE, -1, 0, &root_row);
	tv_fxt_resource_row(rank, rank->program, "Program", root, -1, 0, &rank->program_row);
	tv_fxt_resource_row(rank, rank->scheduler, "Scheduler State", rank->program, -1, 0,
			    &rank->scheduler_row);
	rank->ready = (struct tv_fxt_step_variable){ rank->scheduler, TV_FXT_READY, 0, 0, true };
	rank->submitted = (struct tv_fxt_step_variable){ rank->scheduler, TV_FXT_SUBMITTED, 0, 0,
							 true };
	rank->gflops = (struct tv_fxt_step_variable){ rank->scheduler, TV_FXT_GFLOPS_TOTAL, 0, 0,
						      true };
}

int tv_fxt_end_threads(struct tv_fxt_rank *rank)
{
	struct tv_fxt_step_variable *total[] = { &rank->gflops };
	struct tv_fxt_run *run = rank->run;

	for (size_t i = 0; i < rank->nthreads; i++)
		if (tv_fxt_close_states(rank, &rank->thread[i].stack, rank->end, true) < 0)
			return -1;
	for (size_t i = 0; i < rank->nworkers; i++)
		if (tv_fxt_close_states(rank, &rank->worker[i].stack, rank->end, true) < 0
		    || tv_fxt_end_variable(run, &rank->worker[i].gflops, rank->end) < 0)
			return -1;
	if (tv_fxt_close_states(rank, &rank->comm_stack, rank->end, true) < 0
	    || tv_fxt_sum_deltas(run, &rank->flops, total, 1) < 0)
		return -1;
	return tv_fxt_end_variable(run, &rank->ready, rank->end) < 0
			    || tv_fxt_end_variable(run, &rank->submitted, rank->end) < 0
			    || tv_fxt_end_variable(run, &rank->gflops, rank->end) < 0
		     ? -1
		     : 0;
}
