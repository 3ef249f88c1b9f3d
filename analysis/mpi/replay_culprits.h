/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_culprits.h -- who is to blame for the time in which threads of an MPI program do not
 * compute.
 *
 * At an instant at which a thread does not compute: where a call waits for partners that have not
 * come, go to the thread of the one that came last (of several the first thread); after the last
 * instant of a thread go to the thread that ends last; and so on, until a thread computes (culprit:
 * that computation), has not begun (its start), or is in a call whose partners have come (as long as
 * it waits until one of them is in MPI again, that one: `outside`; else the message or collective
 * operation that the call completes, else the call) or in a pause. The sum
 * over all culprits is threads x recorded - useful, to the ns.
 *
 * Instead of a walk for each instant, threads are visited backward in time with the number of walks
 * that lead to them: cost O((nodes + steps of these numbers) log of them).
 *
 * Source: ours; compare the delay costs of Scalasca [Boehme et al. 2010], which divide the same sum
 * otherwise.
 */
#ifndef TV_REPLAY_CULPRITS_H
#define TV_REPLAY_CULPRITS_H

#include "analysis/mpi/replay.h"

enum tv_culprit_kind {
	TV_CULPRIT_COMPUTE,
	TV_CULPRIT_MESSAGE,
	TV_CULPRIT_COLLECTIVE,
	TV_CULPRIT_CALL,
	TV_CULPRIT_PAUSE,
	TV_CULPRIT_START,
	TV_CULPRIT_OUTSIDE, /* of outside.h */
	TV_NCULPRITS
};
extern const char *const tv_culprit_name[TV_NCULPRITS];

struct tv_culprit {
	uint32_t kind; /* enum tv_culprit_kind */
	uint32_t
		thread; /* that computes, calls, pauses, starts, is outside of MPI; of a message the sender's */
	uint32_t to; /* of a message: the receiver's; of `outside` that which waits; else TV_NONE */
	uint32_t
		node; /* of a computation the one before it, TV_NONE = the thread begins with it; else that which ends */
	int64_t direct, further; /* ns: after at most one step to another thread, after more */
};

/* In no order, several of a culprit; *n receives how many. Free with tv_free. */
struct tv_culprit *tv_replay_culprits(const struct tv_call_graph *graph, size_t *n);

/* The partner for whom a node waits last: its thread, and *came the instant when it came, ns; TV_NONE: nobody came after
 * the begin of the node. joint_thread[] of tv_replay_last_threads. *which receives the dependence. */
uint32_t tv_replay_awaited(const struct tv_call_graph *graph, uint32_t node,
			   const uint32_t *joint_thread, int64_t *came, uint32_t *which);
/* By joint: the thread whose event was the last. Free with tv_free. */
uint32_t *tv_replay_last_threads(const struct tv_call_graph *graph);

#endif
