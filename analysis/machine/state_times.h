/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * state_times.h -- to which state or task each instant of a thread belongs, and for how long.
 *
 * Rows may come part by part, in the order of time: between parts what has begun and not ended is kept.
 */
#ifndef TV_STATE_TIMES_H
#define TV_STATE_TIMES_H

#include "analysis/machine/state_threads.h"

/* A state or an execution on a worker. */
struct tv_state_record {
	int64_t begin, end; /* ns */
	int64_t depth;
	uint32_t row;	/* of states or tasks */
	uint32_t value; /* label; of states */
	bool task;
	uint64_t number; /* of those that have begun; no other has it */
};

/* Time of one value, or of tasks, on one thread. */
struct tv_state_tally {
	uint32_t thread, value; /* value: label; of tasks 0 */
	bool task;
	int64_t records;
	tv_int128 time; /* ns */
};

struct tv_state_track;

struct tv_state_times {
	struct tv_run *run;
	int64_t begin, finish; /* what is added up lies within */
	bool inside;	       /* a state in a task shows */
	/* NULL: pieces are added up. Else it gets each one of a run that has all rows; of a state without length also where another
	 * one shows. */
	void (*piece)(struct tv_state_times *times, uint32_t thread,
		      const struct tv_state_record *record, int64_t begin, int64_t end);
	void *context;
	/* set by tv_state_times_add */
	struct tv_state_threads in;
	const struct tv_tasks *tasks; /* of the part */
	struct tv_state_tally *tally;
	uint32_t ntallies;
	size_t tallies_cap;
	/* its own */
	bool looks;			/* only what is open at the end is wanted */
	struct tv_groups executions;	/* rows of tasks by worker */
	struct tv_state_record *record; /* of one worker; as long as the longest list */
	uint32_t n;
	uint64_t begun;		      /* records */
	struct tv_state_track *track; /* by thread */
	uint32_t ntracks;
	size_t tracks_cap;
	struct tv_map place; /* of tallies, by thread and value */
};

/* Adds up all rows of the run, with the threads sorted. Where workers are asked for and have no states, of all resources. -1 with
 * *err: there are no states. Release in any case. Cost O(states log states). */
int tv_state_times_add(struct tv_state_times *times, enum tv_states_of of,
		       struct tv_error *err) TV_MUST_CHECK;
void tv_state_times_release(struct tv_state_times *times);

#endif
