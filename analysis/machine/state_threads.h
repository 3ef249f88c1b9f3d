/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_threads.h -- workers, threads and resources that have states, and which states they have. */
#ifndef TV_STATE_THREADS_H
#define TV_STATE_THREADS_H

#include "analysis/core/run.h"

#define TV_COMMUNICATION_STATES "Communication Thread State" /* Type of those of such threads */

enum tv_states_of { TV_STATES_OF_WORKERS, TV_STATES_OF_COMMUNICATION, TV_STATES_OF_ALL };

/* A worker, a thread for communication, or the states of one type of a resource. */
struct tv_state_thread {
	uint32_t resource; /* label */
	uint32_t states;   /* label of their type; TV_NONE = of all types */
	uint32_t type;	   /* place in type of struct tv_state_threads */
};

struct tv_state_type {
	uint32_t label, states, nthreads;
};

struct tv_state_threads {
	enum tv_states_of of;
	struct tv_state_thread *thread; /* as they were found */
	uint32_t nthreads;
	size_t cap;
	struct tv_map place; /* their numbers by resource and states */
	uint32_t *
		order; /* their numbers: workers by their order, others by the name of the resource */
	struct tv_state_type *type; /* by the first thread of each, in that order */
	uint32_t ntypes;
	bool any;     /* some state counts */
	bool watched; /* a worker has a state */
	/* of the rows that were added last */
	const struct tv_table
		*table; /* states; calls, of a trace without states of communication */
	bool calls;
	const struct tv_column *value, *depth; /* of the table; depth may be NULL */
	const struct tv_column *start, *end;
	struct tv_groups states; /* rows of the table by thread */
};

/* Those of the selected workers of the run; of others none yet. Release it in any case. */
void tv_state_threads_init(struct tv_state_threads *in, struct tv_run *run, enum tv_states_of of);
/* Sets the table that has the states, and its columns. */
void tv_state_threads_table(struct tv_state_threads *in, const struct tv_trace *trace);
/* Adds the threads and sets the rows of a part of the run (tv_run_rows), or of the run. Cost O(states). */
void tv_state_threads_add(struct tv_state_threads *in, struct tv_run *run, struct tv_run *part);
/* The number of a thread, which is added where it is new. */
uint32_t tv_state_threads_at(struct tv_state_threads *in, uint32_t resource, uint32_t states);
/* Sets order and types of the threads that there are. Cost O(threads log threads). */
void tv_state_threads_sort(struct tv_state_threads *in, struct tv_run *run);
/* -1 with *err: no state counts. */
int tv_state_threads_need(const struct tv_state_threads *in, const struct tv_run *run,
			  struct tv_error *err) TV_MUST_CHECK;
void tv_state_threads_release(struct tv_state_threads *in);

#endif
