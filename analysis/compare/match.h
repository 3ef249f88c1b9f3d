/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * match.h -- two runs of one task graph: which task of one is which of the other, and how matched
 * tasks differ in start, place, order and duration.
 *
 * Tasks (jobs that ran, see dag/dag.h) of the same type match if they have the same coordinates
 * (Iteration, X, Y, as in the pass iterations); those left over if they have the same Tag; those
 * still left over if they have the same JobId. A key counts only where one task of either run has
 * it. Where the JobIds of a run are places in its files (TV_META_PLACES_AS_JOBS), those left over match
 * instead in the order of their starts: the tasks of one type on one worker, if both runs have as many
 * of them left. Types, tags, JobIds and workers are compared as texts.
 *
 * Times of shifts, lags and work are counted from the first start of their run, ns.
 */
#ifndef TV_MATCH_H
#define TV_MATCH_H

#include "analysis/core/run.h"
#include "dag/dag.h"
#include "trace/number.h"

enum tv_match_way { TV_BY_COORDINATES, TV_BY_TAG, TV_BY_JOB, TV_BY_ORDER, TV_MATCH_WAYS };

extern const char *const tv_match_names[TV_MATCH_WAYS];

struct tv_match {
	const struct tv_dag *dag[2]; /* of the runs */
	uint32_t *partner;	     /* by node of the first: node of the second; TV_NONE */
	uint32_t ntasks[2];
	uint32_t nmatched, by[TV_MATCH_WAYS];
};

/* The runs must outlive it. -1 with *err: a cycle. Release it in any case. Cost O(n log n). */
int tv_match_init(struct tv_match *match, struct tv_run *const run[2],
		  struct tv_error *err) TV_MUST_CHECK;
void tv_match_release(struct tv_match *match); /* safe on a zeroed struct */

/* A matched task. */
struct tv_shift {
	const char *value;	  /* its type in the first run; "" = missing */
	uint32_t node[2];	  /* of match.dag */
	int64_t start[2], end[2]; /* first start, last end of its executions */
	bool moved;		  /* it ran on another worker type, by name */
};

/* Matched tasks of one type that ran on one worker type in the first run and on another one in the
 * second. */
struct tv_transfer {
	const char *value, *from, *to; /* of the runs; "" = missing */
	uint32_t n;
};

/* When that many matched tasks (the index + 1) had ended, whichever they were. The difference is
 * the delay of the second run; of the last ones it is the change of the makespan, if all tasks
 * match. */
struct tv_lag {
	int64_t time[2];
};

/* Work of all tasks that had ended by then, flop. */
struct tv_work_done {
	int64_t time;
	double flop[2]; /* whole numbers */
};

struct tv_shifts {
	struct tv_match match;
	struct tv_shift *shift; /* by start in the first run, then in the second */
	struct tv_lag *lag;
	uint32_t n;		      /* matched tasks: shifts and lags */
	struct tv_transfer *transfer; /* the one with the most tasks first, then by names */
	uint32_t ntransfers;
	struct tv_work_done *done; /* by time; a team shares the work of its task */
	uint32_t ndone;		   /* 0: the tasks of a run have no GFlop */
};

/* Computed at the first call for these two runs and kept with the second one (tv_run_keep); the
 * first must not be released before its last use. NULL with *err: a cycle. Cost O(n log n). */
const struct tv_shifts *tv_run_shifts(struct tv_run *const run[2], struct tv_error *err);

/* Matched tasks of one type, or of all. */
struct tv_moves {
	const char *value; /* "" and all: of every type; borrowed from the first run */
	bool all;
	uint32_t ntasks;      /* matched */
	uint32_t rtype;	      /* of these, run on another worker type */
	uint32_t worker;      /* run on another worker, by name */
	tv_int128 inversions; /* pairs that start in one order in one run and in the other one in
			       * the other run */
};

/* A matched task and its time from release to end. */
struct tv_loss {
	uint32_t node[2];
	int64_t wait[2];     /* ns, from release to start; 0 in both where one is not known */
	int64_t duration[2]; /* ns, from first start to last end */
};

struct tv_order {
	struct tv_moves *moves; /* all tasks, then by type in natural order */
	size_t nmoves, moves_cap;
	struct tv_loss *loss; /* greatest first; of equal ones by JobId */
	uint32_t nlosses;     /* matched tasks, all of them */
};

/* -1 with *err as the pass deps. Release it in any case. Cost O(n log n). */
int tv_order_init(struct tv_order *order, const struct tv_shifts *shifts,
		  struct tv_run *const run[2], struct tv_error *err) TV_MUST_CHECK;
void tv_order_release(struct tv_order *order); /* safe on a zeroed struct */

/* How much longer: change of wait and duration, ns. */
static inline tv_int128 tv_loss_ns(const struct tv_loss *loss)
{
	return (tv_int128)loss->wait[1] - loss->wait[0] + loss->duration[1] - loss->duration[0];
}

#endif
