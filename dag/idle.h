/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle.h -- why workers are idle, instant by instant.
 *
 * A worker is idle while it executes nothing of any kind. At each instant an idle worker has the
 * first cause that applies, every node of the trace by itself (a worker runs only tasks of its own
 * node):
 *
 * in-mpi-call    the worker's own thread is inside an MPI call (dag/in_calls.h); until it returns it
 *                takes no task, as if it were busy
 * in-loop        ... works in a parallel loop of OpenMP, outside of tasks (dag/in_loops.h); the same
 * data, runtime  a released task waits that this worker will run; its data are under way, or not
 * elsewhere      a released task that its type can run waits for another worker. Each covers one
 *                worker; as many as possible are covered, the classes with the fewest workers
 *                first, within a class those that have been without a task for longest. The
 *                first released task of each idle worker (above) covers no other; its later ones
 *                may.
 * mpi            a task that its type can run lacks nothing but a message, whichever worker will
 *                run it; such tasks and released ones together cover as above
 * unsuited       released tasks are left over, none of a type that can run here
 * dependencies   tasks of the node are submitted and not started
 * not-submitted  tasks of the node are not submitted
 * drain          all tasks of the node have started
 * unexplained    as dependencies, but the trace has no dependencies, so that none of the causes
 *                before is known
 */
#ifndef TV_IDLE_H
#define TV_IDLE_H

#include "dag/fetch.h"

/* CAUSE(symbol, name, color, phrase, sentence): every cause, in the order in which they apply; use it as TV_WAIT_CAUSES.
 * color: in pictures; phrase: goes behind "idle time"; sentence: behind "workers", NULL: those of TV_BLAMES say more. */
#define TV_IDLE_CAUSES(CAUSE) \
	CAUSE(IN_MPI_CALL, "in-mpi-call", 0x7b3294, "inside MPI calls", \
	      "did not run tasks, because their own thread was inside an MPI call.") \
	CAUSE(IN_LOOP, "in-loop", 0xa5c85a, "working in parallel loops", \
	      "did not run tasks, because their own thread worked in a parallel loop.") \
	CAUSE(DATA, "data", 0x0072b2, "waiting for data", \
	      "waited for the data of their next task.") \
	CAUSE(RUNTIME, "runtime", 0xd55e00, \
	      "in the runtime, before tasks that could have started", \
	      "were idle while a ready task that they ran later waited.") \
	CAUSE(ELSEWHERE, "elsewhere", 0xe6a22e, "while released tasks waited for other workers", \
	      "were idle while ready tasks for them waited for other workers.") \
	CAUSE(MPI, "mpi", 0x56b4e9, "waiting for messages", \
	      "waited for messages, or for operations outside of tasks.") \
	CAUSE(UNSUITED, "unsuited", 0xcc79a7, \
	      "while no released task was of a type that ran there", \
	      "had no task: the ready ones were of types that no such worker ran.") \
	CAUSE(DEPENDENCIES, "dependencies", 0x9a9a9a, "waiting for dependencies", NULL) \
	CAUSE(NOT_SUBMITTED, "not-submitted", 0x2a9d77, "while tasks were not submitted", \
	      "had no task, because none was submitted.") \
	CAUSE(DRAIN, "drain", 0xd8d06a, "at the end", "had no task left: every task had started.") \
	CAUSE(UNEXPLAINED, "unexplained", 0x3c3c3c, "without explanation", \
	      "had no task; the trace has no dependencies that say why.")

enum tv_idle_cause {
#define TV_IDLE_SYMBOL(symbol, ...) TV_IDLE_##symbol,
	TV_IDLE_CAUSES(TV_IDLE_SYMBOL)
#undef TV_IDLE_SYMBOL
		TV_IDLE_NCAUSES
};

/* States of a worker besides these. OF_NODE: idle, with the cause that its node has. */
enum { TV_IDLE_BUSY = TV_IDLE_NCAUSES, TV_IDLE_OF_NODE };

const char *tv_idle_cause_name(enum tv_idle_cause cause);

/* Called for each slice in turn, which begins at `begin` (ns): time[worker * TV_IDLE_NCAUSES +
 * cause] in ns, workers as in tv_tasks. */
typedef void tv_idle_slice(void *to, int64_t begin, const int64_t *time);

/* Slice i is from bound[i] to bound[i + 1]: ns, not before the first Start of a counted task, ascending. */
struct tv_idle_slices {
	const int64_t *bound; /* n + 1 */
	size_t n;
	tv_idle_slice *slice; /* or NULL */
	void *to;
};

/* Spans of time in which something was the case, in order. */
struct tv_idle_list {
	struct tv_idle_span {
		uint32_t worker;
		uint32_t row; /* of tasks: data were under way to it; TV_NONE = another cause */
		int64_t begin, end; /* ns */
		int64_t before;	    /* of a node: length of all spans before it, ns */
	} * at;
	size_t n, cap;
};

/* Spans with their causes. */
struct tv_cause_list {
	struct tv_cause_span {
		uint32_t of; /* worker or node */
		uint32_t cause;
		int64_t begin, end; /* ns, begin < end */
	} * at;
	size_t n, cap;
};

/* When workers had the cause DEPENDENCIES: where a span of the worker and one of its node meet. Not
 * one span per worker and instant: most of both change at other times. */
struct tv_idle_spans {
	struct tv_idle_list worker; /* had no cause of its own */
	struct tv_idle_list *node;  /* by node of the tasks: DEPENDENCIES was the node's cause */
	struct tv_idle_list mpi;    /* when workers had the cause MPI */
	struct tv_idle_list data;   /* ... and DATA */
	uint32_t nnodes;
	/* Set `all` to get them: every span of a worker, cause TV_IDLE_NCAUSES = the one that its
	 * node has at the time; and every span of a node, busy workers or not. In the order of
	 * their ends. From the begin of the run to the last bound. */
	bool all;
	struct tv_cause_list worker_causes, node_causes;
};
void tv_idle_spans_release(struct tv_idle_spans *spans); /* safe on a zeroed struct */

/* Takes the spans of a list, those of each owner together, in order of time: *first receives where those of each begin, and
 * their number. Free both. Cost O(spans + owners). */
struct tv_cause_span *tv_causes_by_owner(struct tv_cause_list *list, uint32_t owners,
					 uint32_t **first);

/*
 * Sweeps nslices slices in turn, slice i from bound[i] to bound[i + 1] (ns; not before the first
 * Start of a counted task, ascending). slice: or NULL. spans: zeroed; is filled, the caller
 * releases it in any case; or NULL. Cost O((events + workers) (log events + 2^classes) + slices
 * workers), events = executions and fetches.
 */
void tv_idle_sweep(const struct tv_waits *waits, const struct tv_fetches *fetches,
		   const int64_t *bound, size_t nslices, tv_idle_slice *slice, void *to,
		   struct tv_idle_spans *spans);

/* Called when the state of a worker changes (a cause, TV_IDLE_BUSY or TV_IDLE_OF_NODE; at first all are busy), and with the
 * cause of a node when that may have changed; in the order of time. Several changes of an instant may cancel each other.
 * For tv_idle_parts (dag/idle_parts.h). */
struct tv_idle_watch {
	void (*worker)(void *to, int64_t now, uint32_t worker, uint32_t before, uint32_t state);
	void (*node)(void *to, int64_t now, uint32_t node, uint32_t cause);
	void *to;
};

/* The idle time of a worker up to an instant. */
struct tv_idle_mark {
	int64_t time; /* not before the begin of the run, ns */
	uint32_t worker;
	uint32_t of;		      /* the caller's */
	int64_t sum[TV_IDLE_NCAUSES]; /* is filled in: from the begin of the run, ns */
};

/* Fills in n marks, ordered by time. Cost that of a sweep of one slice, and O(marks). */
void tv_idle_until(const struct tv_waits *waits, const struct tv_fetches *fetches,
		   struct tv_idle_mark *mark, size_t n);

#endif
