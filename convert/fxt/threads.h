/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threads.h -- the workers of a rank, the threads that drive them, its other threads. */
#ifndef TV_FXT_THREADS_H
#define TV_FXT_THREADS_H

#include "convert/fxt/states.h"
#include "trace/map.h"

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

struct tv_fxt_threads {
	struct tv_map thread_of;     /* by id of the system */
	struct tv_numbers worker_of; /* by number of StarPU */
	struct tv_map names;	     /* by label: the next number that makes the name unique */
	struct tv_map streams;	     /* by label of a device: how many workers it has */
	struct tv_fxt_thread *thread;
	struct tv_fxt_worker *worker;
	size_t nthreads, nworkers, threads_cap, workers_cap;
	uint32_t comm, comm_row; /* the MPI thread: label, TV_NONE = none; row in resources */
	struct tv_fxt_stack comm_stack;
	uint64_t steals;
};

/* The label of the container of any thread; of a worker's thread, TV_NONE for other threads. */
uint32_t tv_fxt_thread_label(struct tv_fxt_rank *rank, uint64_t tid);
uint32_t tv_fxt_driver_label(const struct tv_fxt_rank *rank, uint64_t tid);
/* The index of a worker, added under a made-up name (and counted) if it was never announced;
 * TV_NONE (counted) if no worker can have that number. */
uint32_t tv_fxt_find_worker(struct tv_fxt_rank *rank, uint32_t id);
/* Ends a variable when its resource (a row of resources; TV_NONE) ends, else with the rank. */
void tv_fxt_end_with_resource(struct tv_fxt_rank *rank, struct tv_fxt_step_variable *variable,
			      uint32_t row);
void tv_fxt_begin_threads(struct tv_fxt_rank *rank);
void tv_fxt_end_threads(struct tv_fxt_rank *rank);
void tv_fxt_release_threads(struct tv_fxt_threads *threads);

#endif
