/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.h -- a run with MPI calls as it would be without what calls cost, and without the network.
 *
 * Rungs, ns from the earliest end of MPI_Init to the latest begin of MPI_Finalize (without them of
 * the threads with calls):
 *
 *	recorded	as it was
 *	calls		calls that only post, ask or create, and waits for nobody, take no time
 *	ideal		all calls end when the last partner for whom they wait has come: no latency, no copies,
 *			infinite bandwidth
 *
 * Computation between calls lasts as recorded, partners and the order of receives are those of the
 * recording. Calls that cannot be replayed, and what an OpenMP thread waits after the last instant
 * that it waited for, keep their recorded duration. recorded >= calls >= ideal >= the useful time
 * of each thread, but where clocks contradict (counts of the graph).
 *
 * Source: serialization and transfer of POP (pop-coe.eu, standard metrics); the replay instead of a
 * model of the network is ours.
 */
#ifndef TV_REPLAY_H
#define TV_REPLAY_H

#include "analysis/calls/call_graph.h"
#include "analysis/messages/network.h"

enum tv_rung { TV_RUNG_RECORDED, TV_RUNG_CALLS, TV_RUNG_IDEAL, TV_NRUNGS };

struct tv_replay_thread {
	int64_t useful, mpi, paused; /* ns: outside MPI calls and pauses, in calls, in pauses */
	int64_t end[TV_NRUNGS];	     /* ns, of the trace's clock */
};

struct tv_mpi_replay {
	struct tv_call_graph graph;
	struct tv_replay_thread *thread; /* by thread of the graph */
	int64_t rung[TV_NRUNGS];	 /* ns */
	int64_t ideal_if_eager;	 /* the rung `ideal` if messages of unknown protocol are eager */
	int64_t busiest, useful; /* ns: largest and sum of the useful time of threads */
	int64_t *ideal;		 /* by event: instants of the rung `ideal`, ns */
	int64_t fixed; /* time in calls that cannot be replayed, on the thread that ends last in `ideal` */
	bool determined; /* it is at most 5 % of `ideal`: transfer and serialization have a meaning */
};

/* *replay is uninitialized on entry. -1 with *err as tv_call_graph_init, and *replay is released. Cost: that of the graph,
 * and O(calls + dependences) for a rung. */
int tv_mpi_replay_init(struct tv_mpi_replay *replay, struct tv_run *run,
		       const struct tv_call_rules *rules, const char *verb,
		       struct tv_error *err) TV_MUST_CHECK;
void tv_mpi_replay_release(struct tv_mpi_replay *replay); /* safe on a zeroed struct */

/* Instants of a rung by event, ns; eager: messages of unknown protocol wait for nobody. Free with tv_free. */
int64_t *tv_replay_instants(const struct tv_call_graph *graph, enum tv_rung rung, bool eager);
/* How long the recorded run is without some of its time, ns: cut is by event what is left away of the part that ends with it
 * (tv_replay_length of replay_delays.h). */
int64_t tv_replay_without(const struct tv_call_graph *graph, const int64_t *cut);
/* How far a rung has come, by its instants, when the recording is at `time`, ns: the thread that comes latest to what it does
 * then. Cost O(threads log nodes). */
int64_t tv_replay_reaches(const struct tv_call_graph *graph, const int64_t *instant, int64_t time);
/* How long the run takes on a network, ns: calls take no time but wait latency + size / bandwidth longer for messages.
 * text: as tv_network_init has it; "fit": by the waits that began before the message that they completed last was sent. -1 with
 * *err: it is none of these, or cannot be fitted. */
int tv_replay_network(const struct tv_mpi_replay *replay, const char *text,
		      struct tv_network *network, int64_t *length,
		      struct tv_error *err) TV_MUST_CHECK;
/* What a node took, as recorded, after the last instant on which it depends, ns; negative where clocks contradict. */
int64_t tv_node_rest(const struct tv_call_graph *graph, uint32_t node, bool eager);

/*
 * The smallest shifts of the clocks of ranks, ns >= 0 (by rank), with which no call ends before a
 * partner for whom it waits has come. False: no constant shifts do that; they are unspecified then.
 * Cost O(dependences) for each round, at most so many as there are ranks, and one.
 */
bool tv_replay_shifts(const struct tv_call_graph *graph, int64_t *shift);

/* Load balance, serialization, transfer and runtime; their product is useful / (threads x recorded). NAN: not determined. */
struct tv_replay_factors {
	double load_balance, serialization, transfer, runtime;
};
struct tv_replay_factors tv_replay_factors(const struct tv_mpi_replay *replay);

#endif
