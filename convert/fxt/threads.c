/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threads.c -- workers, the threads that drive them, the MPI thread, the application's threads.
 */
#include <stdio.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

/* StarPU's own limits are a few thousand. */
enum { WORKER_ID_MAX = 1 << 14 };

/* ---- the tables of threads and workers ---- */

static struct tv_fxt_thread *add_thread(struct tv_fxt_rank *rank, uint64_t tid)
{
	TV_GROW(rank->threads.thread, rank->threads.nthreads, rank->threads.threads_cap, 1);
	tv_map_put(&rank->threads.thread_of, tid, 0, (uint32_t)rank->threads.nthreads);
	rank->threads.thread[rank->threads.nthreads] = (struct tv_fxt_thread){ .worker = TV_NONE,
									       .row = TV_NONE };
	return &rank->threads.thread[rank->threads.nthreads++];
}

static struct tv_fxt_thread *find_thread(const struct tv_fxt_rank *rank, uint64_t tid)
{
	const uint32_t *index = tv_map_get(&rank->threads.thread_of, tid, 0);

	return index != NULL ? &rank->threads.thread[*index] : NULL;
}

/* A thread that is neither a worker's nor MPI's is the application's: known from its first event
 * on. */
static struct tv_fxt_thread *any_thread(struct tv_fxt_rank *rank, uint64_t tid)
{
	struct tv_fxt_thread *thread = find_thread(rank, tid);
	uint32_t label;

	if (thread != NULL)
		return thread;
	label = tv_fxt_label(rank->run, "%sUserThread%llu", rank->prefix, (unsigned long long)tid);
	thread = add_thread(rank, tid);
	thread->kind = TV_FXT_OF_USER;
	thread->stack = (struct tv_fxt_stack){ .resource = label, .type = TV_FXT_USER_STATE };
	thread->row = tv_fxt_resource_row(rank, label, "User Thread", rank->program, -1, rank->now);
	return thread;
}

static struct tv_fxt_stack *stack_of(struct tv_fxt_rank *rank, struct tv_fxt_thread *thread)
{
	if (thread->kind == TV_FXT_OF_MPI)
		return &rank->threads.comm_stack;
	return thread->sync ? &rank->threads.worker[thread->worker].stack : &thread->stack;
}

uint32_t tv_fxt_thread_label(struct tv_fxt_rank *rank, uint64_t tid)
{
	const struct tv_fxt_thread *thread = any_thread(rank, tid);

	return thread->kind == TV_FXT_OF_MPI ? rank->threads.comm : thread->stack.resource;
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

	while ((next = tv_map_get(&rank->threads.names, label, 0)) != NULL) {
		if (i == 0)
			i = *next;
		label = tv_fxt_label(rank->run, "%s%s_%u", rank->prefix, name, i++);
	}
	tv_map_put(&rank->threads.names, base, 0, i == 0 ? 1 : i);
	if (label != base)
		tv_map_put(&rank->threads.names, label, 0, 1);
	return label;
}

static struct tv_fxt_worker *add_worker(struct tv_fxt_rank *rank, uint32_t id)
{
	TV_GROW(rank->threads.worker, rank->threads.nworkers, rank->threads.workers_cap, 1);
	tv_numbers_put(&rank->threads.worker_of, id, (uint32_t)rank->threads.nworkers);
	rank->threads.worker[rank->threads.nworkers] = (struct tv_fxt_worker){
		.label = TV_NONE, .device = TV_NONE, .row = TV_NONE, .current = TV_NONE
	};
	return &rank->threads.worker[rank->threads.nworkers++];
}

static void name_worker(struct tv_fxt_rank *rank, struct tv_fxt_worker *worker, uint32_t label,
			const char *type, const char *device, uint32_t parent)
{
	worker->label = label;
	worker->type = tv_fxt_label(rank->run, "%s", type);
	worker->device = tv_fxt_label(rank->run, "%s", device);
	worker->stack = (struct tv_fxt_stack){ .resource = label, .type = TV_FXT_WORKER_STATE };
	worker->gflops = (struct tv_fxt_step_variable){ label, TV_FXT_GFLOPS, rank->now, 0, true };
	worker->row = tv_fxt_resource_row(rank, label, type, parent, worker->memory_node,
					  rank->now);
}

uint32_t tv_fxt_find_worker(struct tv_fxt_rank *rank, uint32_t id)
{
	uint32_t known = tv_numbers_get(&rank->threads.worker_of, id);
	struct tv_fxt_worker *worker;

	if (known != TV_NONE)
		return known;
	if (id >= WORKER_ID_MAX) {
		tv_fxt_damaged(rank, TV_DROPPED, "impossible worker", "number %u", id);
		return TV_NONE;
	}
	worker = add_worker(rank, id);
	worker->memory_node = -1;
	name_worker(rank, worker, tv_fxt_label(rank->run, "%sworker%u", rank->prefix, id), "worker",
		    "", rank->program);
	tv_fxt_damaged(rank, TV_REPAIRED, "worker that was never announced", "number %u, named %s",
		       id, tv_pool_text(rank->run->trace->pool, worker->label));
	return (uint32_t)rank->threads.nworkers - 1;
}

/* ---- begin and end of workers ---- */

/* The container of a driver thread, a label: only the first worker of a thread makes one. */
static uint32_t register_driver(struct tv_fxt_rank *rank, uint64_t tid, uint32_t worker,
				int64_t bound)
{
	int64_t memory_node = rank->threads.worker[worker].memory_node;
	uint32_t node = tv_fxt_label(rank->run, "%sMEMNODE%lld", rank->prefix,
				     (long long)memory_node);
	struct tv_fxt_thread *thread = find_thread(rank, tid);
	uint32_t label;
	char name[32];

	if (thread != NULL)
		return thread->kind == TV_FXT_OF_WORKER ? thread->stack.resource : node;
	snprintf(name, sizeof name, "T%lld", (long long)bound);
	label = unique_label(rank, name);
	thread = add_thread(rank, tid);
	thread->kind = TV_FXT_OF_WORKER;
	thread->worker = worker;
	thread->sync = rank->threads.worker[worker].sync;
	thread->stack = (struct tv_fxt_stack){ .resource = label, .type = TV_FXT_THREAD_STATE };
	thread->row = tv_fxt_resource_row(rank, label, "Thread", node, memory_node, rank->now);
	return label;
}

/* CUDA workers of one device are streams, numbered as they come. */
static uint32_t stream_of(struct tv_fxt_rank *rank, uint32_t device)
{
	const uint32_t *seen = tv_map_get(&rank->threads.streams, device, 0);
	uint32_t stream = seen != NULL ? *seen : 0;

	tv_map_put(&rank->threads.streams, device, 0, stream + 1);
	return stream;
}

void tv_fxt_worker_init(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t id = (uint32_t)tv_fxt_word(event, 1), parent, label, stream;
	uint64_t tid = tv_fxt_word(event, 6);
	const char *kind = tv_fxt_kind_name(rank->facts.generation, tv_fxt_word(event, 0));
	struct tv_fxt_worker *worker;
	char device[64], name[80];
	struct tv_fxt_stack *stack;

	if (tv_numbers_get(&rank->threads.worker_of, id) != TV_NONE || id >= WORKER_ID_MAX) {
		tv_fxt_damaged(rank, TV_DROPPED, "worker announced twice or impossible",
			       "number %u", id);
		return;
	}
	if (kind == NULL) {
		kind = "worker";
		tv_fxt_damaged(rank, TV_REPAIRED, "worker of an unknown type",
			       "number %u, type 0x%llx", id,
			       (unsigned long long)tv_fxt_word(event, 0));
	}
	snprintf(device, sizeof device, "%s%lld", kind, (long long)tv_fxt_number(event, 2));
	stream = stream_of(rank, tv_fxt_label(rank->run, "%s", device));
	snprintf(name, sizeof name, "%s", device);
	if (strcmp(kind, "CUDA") == 0 && rank->facts.generation != TV_FXT_1_2)
		snprintf(name, sizeof name, "%s_%u", device, stream);
	label = unique_label(rank, name);
	worker = add_worker(rank, id);
	worker->memory_node = tv_fxt_number(event, 3);
	worker->sync = tv_fxt_word(event, 5) != 0;
	parent = register_driver(rank, tid, (uint32_t)rank->threads.nworkers - 1,
				 tv_fxt_number(event, 4));
	name_worker(rank, worker, label, kind, device, parent);
	if (tv_fxt_number(event, 4) >= 0)
		tv_set_int(rank->run->col.resource_bound, worker->row, tv_fxt_number(event, 4));
	stack = driver_stack(rank, tid);
	if (stack != NULL)
		tv_fxt_set_state(rank, stack, TV_FXT_INITIALIZING);
}

void tv_fxt_worker_init_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_stack *stack = driver_stack(rank, tv_fxt_word(event, 0));
	uint32_t index = tv_numbers_get(&rank->threads.worker_of, (uint32_t)tv_fxt_word(event, 1));

	if (stack != NULL)
		tv_fxt_set_state(rank, stack, TV_FXT_OVERHEAD);
	if (index != TV_NONE)
		tv_fxt_set_state(rank, &rank->threads.worker[index].stack, TV_FXT_IDLE);
}

static void end_resource(struct tv_fxt_rank *rank, uint32_t row)
{
	if (row != TV_NONE)
		tv_set_int(rank->run->col.resource_end, row, rank->now);
}

void tv_fxt_end_with_resource(struct tv_fxt_rank *rank, struct tv_fxt_step_variable *variable,
			      uint32_t row)
{
	const struct tv_column *end = rank->run->col.resource_end;
	bool ended = row < end->n && !tv_missing(end, row) && end->i[row] > variable->since;

	tv_fxt_end_variable(rank->run, variable, ended ? end->i[row] : rank->end);
}

/* The thread and the workers that it drives are gone. */
void tv_fxt_worker_deinit_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_thread *thread = find_thread(rank, tv_fxt_word(event, 1));
	struct tv_column *parent = rank->run->col.resource_parent;

	if (thread == NULL || thread->kind != TV_FXT_OF_WORKER || thread->stack.closed)
		return;
	end_resource(rank, thread->row);
	tv_fxt_close_states(rank, &thread->stack, rank->now, false);
	for (size_t i = 0; i < rank->threads.nworkers; i++) {
		struct tv_fxt_worker *worker = &rank->threads.worker[i];

		if (parent->u[worker->row] != thread->stack.resource)
			continue;
		end_resource(rank, worker->row);
		tv_fxt_close_states(rank, &worker->stack, rank->now, false);
	}
}

/* ---- states of workers and of any thread ---- */

/* States on a worker's own row are not recorded while profiling is off. */
static bool silent(const struct tv_fxt_rank *rank, const struct tv_fxt_stack *stack)
{
	return stack == NULL || (rank->paused && stack->type == TV_FXT_WORKER_STATE);
}

void tv_fxt_worker_set(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_stack *stack = driver_stack(rank, tv_fxt_word(event, rank->action->param));

	if (!silent(rank, stack))
		tv_fxt_set_state(rank, stack, rank->action->state);
}

void tv_fxt_worker_set_by_id(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t index = tv_numbers_get(&rank->threads.worker_of,
					(uint32_t)tv_fxt_word(event, rank->action->param));

	if (index != TV_NONE && !rank->paused)
		tv_fxt_set_state(rank, &rank->threads.worker[index].stack, rank->action->state);
}

/* On a synchronous worker the task itself shows the same. */
void tv_fxt_executing(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_stack *stack = driver_stack(rank, tv_fxt_word(event, rank->action->param));

	if (stack != NULL && stack->type != TV_FXT_WORKER_STATE)
		tv_fxt_set_state(rank, stack, rank->action->state);
}

void tv_fxt_thread_push(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_stack *stack = stack_of(
		rank, any_thread(rank, tv_fxt_word(event, rank->action->param)));

	if (!silent(rank, stack))
		tv_fxt_push_state(rank, stack, rank->action->state, 0);
}

void tv_fxt_thread_pop(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_stack *stack = stack_of(
		rank, any_thread(rank, tv_fxt_word(event, rank->action->param)));

	if (!silent(rank, stack))
		tv_fxt_pop_state(rank, stack);
}

/* Up to 1.3 a callback on a worker does not nest. */
static bool nests(const struct tv_fxt_rank *rank, uint64_t tid)
{
	const struct tv_fxt_thread *thread = find_thread(rank, tid);

	return rank->facts.generation >= TV_FXT_1_4 || thread == NULL
	    || thread->kind != TV_FXT_OF_WORKER;
}

void tv_fxt_callback_begin(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	tv_fxt_nest_taking(rank, tv_fxt_word(event, rank->action->param), 1);
	if (nests(rank, tv_fxt_word(event, rank->action->param)))
		tv_fxt_thread_push(rank, event);
	else
		tv_fxt_worker_set(rank, event);
}

void tv_fxt_callback_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	tv_fxt_nest_taking(rank, tv_fxt_word(event, rank->action->param), -1);
	if (nests(rank, tv_fxt_word(event, rank->action->param)))
		tv_fxt_thread_pop(rank, event);
	else
		tv_fxt_worker_set(rank, event);
}

/* ---- the MPI thread ---- */

void tv_fxt_mpi_start(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	if (rank->threads.comm != TV_NONE) {
		tv_fxt_damaged(rank, TV_DROPPED, "MPI thread started twice", "rank %lld",
			       (long long)rank->number);
		return;
	}
	if (find_thread(rank, tv_fxt_word(event, 2)) == NULL)
		add_thread(rank, tv_fxt_word(event, 2))->kind = TV_FXT_OF_MPI;
	rank->threads.comm = tv_fxt_label(rank->run, "%smpict", rank->prefix);
	rank->threads.comm_row = tv_fxt_resource_row(
		rank, rank->threads.comm, "MPI Communication Thread", rank->program, -1, 0);
	rank->threads.comm_stack = (struct tv_fxt_stack){ .resource = rank->threads.comm,
							  .type = TV_FXT_COMM_STATE };
	tv_fxt_set_state(rank, &rank->threads.comm_stack, TV_FXT_SLEEPING);
}

void tv_fxt_mpi_stop(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	(void)event;
	if (rank->threads.comm == TV_NONE || rank->threads.comm_stack.closed)
		return;
	end_resource(rank, rank->threads.comm_row);
	tv_fxt_close_states(rank, &rank->threads.comm_stack, rank->now, false);
}

void tv_fxt_comm_set(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	if (event->n > 0)
		tv_fxt_end_taking(rank, tv_fxt_word(event, event->n - 1));
	if (rank->threads.comm != TV_NONE)
		tv_fxt_set_state(rank, &rank->threads.comm_stack, rank->action->state);
}

void tv_fxt_comm_push(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	(void)event;
	if (rank->threads.comm != TV_NONE)
		tv_fxt_push_state(rank, &rank->threads.comm_stack, rank->action->state, 0);
}

void tv_fxt_comm_pop(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	(void)event;
	if (rank->threads.comm != TV_NONE)
		tv_fxt_pop_state(rank, &rank->threads.comm_stack);
}

/* ---- begin and end of a rank ---- */

void tv_fxt_begin_threads(struct tv_fxt_rank *rank)
{
	struct tv_fxt_run *run = rank->run;
	uint32_t root = tv_fxt_label(run, "root");

	rank->threads.comm = TV_NONE;
	rank->program = tv_fxt_label(run, "%sprogram", rank->prefix);
	rank->scheduler = tv_fxt_label(run, "%sscheduler", rank->prefix);
	rank->now = 0;
	if (rank->index == 0)
		tv_fxt_resource_row(rank, root, "MPI Program", TV_NONE, -1, 0);
	tv_fxt_resource_row(rank, rank->program, "Program", root, -1, 0);
	tv_fxt_resource_row(rank, rank->scheduler, "Scheduler State", rank->program, -1, 0);
	rank->ready = (struct tv_fxt_step_variable){ rank->scheduler, TV_FXT_READY, 0, 0, true };
	rank->submitted = (struct tv_fxt_step_variable){ rank->scheduler, TV_FXT_SUBMITTED, 0, 0,
							 true };
	rank->gflops = (struct tv_fxt_step_variable){ rank->scheduler, TV_FXT_GFLOPS_TOTAL, 0, 0,
						      true };
}

void tv_fxt_end_threads(struct tv_fxt_rank *rank)
{
	struct tv_fxt_step_variable *total[] = { &rank->gflops };
	struct tv_fxt_run *run = rank->run;

	for (size_t i = 0; i < rank->threads.nthreads; i++)
		tv_fxt_close_states(rank, &rank->threads.thread[i].stack, rank->end, true);
	for (size_t i = 0; i < rank->threads.nworkers; i++) {
		tv_fxt_close_states(rank, &rank->threads.worker[i].stack, rank->end, true);
		tv_fxt_end_with_resource(rank, &rank->threads.worker[i].gflops,
					 rank->threads.worker[i].row);
	}
	tv_fxt_close_states(rank, &rank->threads.comm_stack, rank->end, true);
	tv_fxt_sum_deltas(run, &rank->flops, total, 1);
	tv_fxt_end_variable(run, &rank->ready, rank->end);
	tv_fxt_end_variable(run, &rank->submitted, rank->end);
	tv_fxt_end_variable(run, &rank->gflops, rank->end);
}

void tv_fxt_release_threads(struct tv_fxt_threads *threads)
{
	for (size_t i = 0; i < threads->nthreads; i++)
		tv_free(threads->thread[i].stack.frame);
	for (size_t i = 0; i < threads->nworkers; i++) {
		tv_free(threads->worker[i].stack.frame);
		tv_free(threads->worker[i].params);
	}
	tv_free(threads->comm_stack.frame);
	tv_free(threads->thread);
	tv_free(threads->worker);
	tv_map_release(&threads->thread_of);
	tv_numbers_release(&threads->worker_of);
	tv_map_release(&threads->names);
	tv_map_release(&threads->streams);
}
