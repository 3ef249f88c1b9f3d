/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_graph.h -- for whom MPI calls wait: threads as chains of computation and calls, and
 * dependences between them.
 *
 * A thread is a chain: computation, node, computation, node ... A node is an MPI call, a loop of
 * tests that is one wait, or a pause of an OpenMP thread between tasks or at a barrier. It begins
 * where the recorded computation before it has ended, and ends when the last instant on which it
 * depends is over, and `d` later:
 *
 *	begin'(node) = end'(node before) + recorded computation between them
 *	end'(node)   = max(begin'(node), its dependences) + d(node)
 *
 * With d = end - max(begin, dependences), as recorded, that is the recording. Only instants at
 * which partners *begin* are depended on, by calls; pauses depend on instants of computation as
 * well (a task that ends, or is created).
 *
 * An event is an instant that a replay computes: 2 i the begin of node i, 2 i + 1 its end, then the
 * begin of each thread, then the joints, each of which is the maximum of its dependences (all that
 * have come to a collective operation).
 *
 * A target has dependences: a node, a joint, the begin of a thread, in this order.
 */
#ifndef TV_CALL_GRAPH_H
#define TV_CALL_GRAPH_H

#include "analysis/calls/call_kinds.h"

enum tv_node_how {
	TV_NODE_LOCAL, /* posts, asks or creates, or waits for nobody */
	TV_NODE_WAIT,  /* what it took after its dependences is transfer */
	TV_NODE_PAUSE, /* of an OpenMP thread: what it took after its dependences is no transfer */
	TV_NODE_FIXED  /* cannot be replayed: keeps its recorded duration */
};

/* Why a node is fixed. */
enum tv_fixed_reason {
	TV_FIXED_NOT,
	TV_FIXED_OPERATION,  /* windows, files, processes, neighbors, unknown functions */
	TV_FIXED_COLLECTIVE, /* members or the root are missing, or it has no Comm and Sequence */
	TV_FIXED_PARTNER,    /* a message without its other side */
	TV_FIXED_REQUEST,    /* a wait for requests that are not known */
	TV_FIXED_OPEN,	     /* the trace ends before the call */
	TV_NFIXED
};

struct tv_call_thread {
	uint32_t resource; /* label */
	uint32_t rank;	   /* place in calls->rank */
	uint32_t host;	   /* label; TV_NONE = not known */
	uint32_t first, n; /* its nodes */
	bool leads;	   /* the first thread of its rank, which its other threads begin in */
	int64_t begin,
		end; /* ns, recorded: from MPI_Init or its own begin to MPI_Finalize or its own end */
};

struct tv_call_node {
	uint32_t row; /* of calls; TV_NONE = a pause */
	uint32_t
		last; /* row of calls with which it ends: of several tests the last; of a pause its row of states */
	uint32_t thread;
	uint32_t
		about; /* row of calls with function and communicator of the collective operation that it completes; TV_NONE */
	uint32_t message; /* that it completes, of several the one that came last; TV_NONE */
	uint8_t how;	  /* enum tv_node_how */
	uint8_t reason;	  /* enum tv_fixed_reason */
	bool test;	  /* of the class test, and no loop */
};

enum tv_protocol { TV_EAGER, TV_RENDEZVOUS, TV_PROTOCOL_UNKNOWN };

struct tv_call_message {
	uint32_t send, receive;	 /* nodes that post them */
	uint32_t sent, received; /* nodes that complete them; TV_NONE = none */
	uint32_t link;		 /* row of links; TV_NONE = matched by order */
	int64_t bytes;
	uint8_t mode;	  /* enum tv_send_mode */
	uint8_t protocol; /* enum tv_protocol */
	bool alone;	  /* what completes the send can wait for nothing else */
	bool guessed; /* what completes the send is found by time: it is no certain rendezvous */
};

struct tv_dependence {
	uint32_t target, event;
	int64_t offset;	  /* ns after the event */
	uint32_t message; /* TV_NONE = none */
	bool uncertain;	  /* only if messages of unknown protocol are no eager ones */
	bool rendezvous;  /* of a send */
};

/* What the recording leaves open, or contradicts; numbers of calls, if nothing else is said. */
struct tv_call_counts {
	uint32_t unknown_protocol; /* messages */
	uint32_t guessed;	   /* messages of which what completes the send is found by time */
	uint32_t
		buffered; /* sends that ended before their receive was posted, though no eager ones */
	uint32_t
		left_early; /* calls that left a collective operation before all had come, without data */
	uint32_t contradictions; /* dependences on instants after the end of the call: clocks */
	int64_t contradicted;	 /* the largest of them, ns */
	uint32_t overlaps;	 /* calls that begin before the one before them ends */
	uint32_t choices;	 /* waits for some of several requests, tests that succeed */
	uint32_t no_calls;	 /* messages of links without calls of both sides */
	uint32_t cycles;	 /* dependences that were dropped, as others depend on their end */
	uint32_t fixed[TV_NFIXED];     /* calls, by reason */
	int64_t fixed_time[TV_NFIXED]; /* ns */
};

/* The default of tv_call_rules.gap, ns, and for the option of mpi-replay. */
enum { TV_POLLING_NS = 10000 };
#define TV_POLLING_MS "0.01"

struct tv_call_rules {
	bool eager_given;
	int64_t eager;	      /* bytes: larger messages wait for their receive */
	int64_t gap;	      /* ns: tests with longer computation between them are no loop */
	const int64_t *shift; /* by rank, ns: added to its clock; NULL = none */
};

struct tv_call_graph {
	const struct tv_calls *calls;
	struct tv_call_rules rules;
	struct tv_call_thread *thread; /* by rank and name */
	uint32_t nthreads;
	struct tv_call_node *node; /* by thread, begin */
	uint32_t n;
	uint32_t
		*node_of; /* by row of calls; TV_NONE = none: before MPI_Init, after MPI_Finalize */
	int64_t begin, end; /* ns, recorded: of all threads */
	struct tv_call_message *message;
	uint32_t nmessages;
	uint32_t njoints;
	struct tv_dependence *dependence; /* by target */
	uint32_t ndependences;
	uint32_t *first;	      /* targets + 1 */
	int64_t *recorded;	      /* by event, ns */
	uint32_t *order;	      /* of targets: each behind those of whose events it depends */
	struct tv_call_kind_of *kind; /* by label of a function */
	int64_t *number;	      /* by rank: in MPI_COMM_WORLD; TV_NO_NUMBER */
	struct tv_call_counts counts;
};

/* The graph of a run, which outlives it. -1 with *err: no calls, in the name of a verb; a cycle of tasks. Cost
 * O((calls + messages + members of collective operations) log of it). */
int tv_call_graph_init(struct tv_call_graph *graph, struct tv_run *run,
		       const struct tv_call_rules *rules, const char *verb,
		       struct tv_error *err) TV_MUST_CHECK;
void tv_call_graph_release(struct tv_call_graph *graph); /* safe on a zeroed struct */

static inline uint32_t tv_event_of_thread(const struct tv_call_graph *g, uint32_t thread)
{
	return 2 * g->n + thread;
}
static inline uint32_t tv_event_of_joint(const struct tv_call_graph *g, uint32_t joint)
{
	return 2 * g->n + g->nthreads + joint;
}
static inline uint32_t tv_target_of_joint(const struct tv_call_graph *g, uint32_t joint)
{
	return g->n + joint;
}
static inline uint32_t tv_target_of_thread(const struct tv_call_graph *g, uint32_t thread)
{
	return g->n + g->njoints + thread;
}
static inline uint32_t tv_targets(const struct tv_call_graph *g)
{
	return g->n + g->njoints + g->nthreads;
}
/* Recorded begin and end of a node. */
static inline int64_t tv_node_begin(const struct tv_call_graph *g, uint32_t node)
{
	return g->recorded[2 * node];
}
static inline int64_t tv_node_end(const struct tv_call_graph *g, uint32_t node)
{
	return g->recorded[2 * node + 1];
}
static inline struct tv_call_kind_of tv_kind_of_row(const struct tv_call_graph *g, uint32_t row)
{
	return g->kind[tv_call_label(g->calls, TV_CALL_NAME, row)];
}

#endif
