/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * waits.h -- since when every execution could have started, and on which workers.
 *
 * Arrays are by row of tasks; only those of counted and pending rows have a meaning. INT64_MIN =
 * from the start.
 * An execution is released when its job is (tv_dag_released) and, where a job is executed several
 * times in turn, the execution before it has ended and no other task holds its commuting handles.
 * Executions of one team are released together.
 */
#ifndef TV_WAITS_H
#define TV_WAITS_H

#include "dag/worker_classes.h"
#include "dag/dag.h"
#include "dag/in_loops.h"

struct tv_waits {
	const struct tv_dag *dag;
	int64_t *released; /* n, ns */
	int64_t *message;  /* n, ns: from here to released it lacked nothing but messages that
				  lacked nothing themselves; INT64_MAX = it never did; NULL where
				  no task is a message */
	uint8_t *runs;	   /* n: the set of classes that its type runs on */
	const struct tv_worker_classes *classes;
	struct tv_worker_classes *own; /* these, if they are its own; else NULL */
	const uint32_t *
		pending_node; /* by row: what tv_waits_pending_nodes gives, borrowed; NULL = the column Node says it */
	struct tv_in_calls calls; /* of the workers */
	struct tv_in_calls loops; /* ...; none before tv_waits_find_loops */
};

/*
 * any: one class of all workers, which runs everything. -1 with *err: as tv_worker_classes_init, unless any. Cost O(V + E + rows log
 * rows of one job).
 */
int tv_waits_init(struct tv_waits *waits, const struct tv_dag *dag, bool any,
		  struct tv_error *err) TV_MUST_CHECK;
/* With any, which cannot fail. */
void tv_waits_init_any(struct tv_waits *waits, const struct tv_dag *dag);
/* With classes that are known, and outlive it. */
void tv_waits_init_of(struct tv_waits *waits, const struct tv_dag *dag,
		      const struct tv_worker_classes *classes);
/* For a sweep that tells in-loop apart; reads the table of states. */
void tv_waits_find_loops(struct tv_waits *waits);
/* Only `released`; the rest stays empty. */
void tv_waits_init_released(struct tv_waits *waits, const struct tv_dag *dag);
void tv_waits_release(struct tv_waits *waits); /* safe on a zeroed struct */

/* When an execution was submitted, ns; a later segment not before the one before it ended. */
int64_t tv_waits_submitted(const struct tv_waits *waits, uint32_t row);

/* The class of a worker; TV_NONE if it has none. */
static inline uint32_t tv_waits_class(const struct tv_waits *waits, uint32_t worker)
{
	return waits->classes->of[waits->dag->tasks->workers[worker].rtype];
}

/* Whether the task of a row can run on a class. */
static inline bool tv_waits_can_run(const struct tv_waits *waits, uint32_t row, uint32_t class)
{
	return waits->classes->set[waits->runs[row]] >> class & 1;
}

/* node[n]: the nodes of pending tasks, by the column Node; a single node is that of all. TV_NONE
 * for other rows, and where it is not known. */
void tv_waits_pending_nodes(const struct tv_waits *waits, uint32_t *node);

/* Whether the trace contains dependencies; without them it is not known what was released. */
static inline bool tv_waits_known(const struct tv_waits *waits)
{
	return waits->dag->tasks->depends != NULL;
}

#endif
