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
	enum tv_states_of of; /* all, too, where workers were asked for and have no states */
	const struct tv_table
		*table; /* states; calls, of a trace without states of communication */
	bool calls;
	struct tv_state_thread *thread;
	uint32_t nthreads;
	struct tv_state_type *type;
	uint32_t ntypes;
	const struct tv_column *value, *depth; /* of the table; depth may be NULL */
	const struct tv_column *start, *end;
	struct tv_groups states; /* rows of the table by thread */
	uint32_t nvalues;	 /* labels, and last that of a missing value */
	uint32_t *order;	 /* values that occur, in natural order of their text */
	uint32_t norder;
};

/* Those of the selected workers of the run, or of the resources of their nodes. -1 with *err: there are no such
 * states. Release it in any case. Cost O(states log states). */
int tv_state_threads_init(struct tv_state_threads *in, struct tv_run *run, enum tv_states_of of,
			  struct tv_error *err) TV_MUST_CHECK;
void tv_state_threads_release(struct tv_state_threads *in);

#endif
