/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schedulers.h -- the table of scheduling policies, and the queues that they share.
 *
 * A policy says where a released task waits (in one central queue, in the queue of the worker with
 * the earliest expected end, in the queue of the worker that released it, or as it was recorded),
 * and in which order a queue is emptied.
 */
#ifndef TV_SIM_SCHEDULERS_H
#define TV_SIM_SCHEDULERS_H

#include "sim/engine.h"

enum tv_sim_place {
	TV_SIM_CENTRAL,	 /* every idle worker takes the first that it can run */
	TV_SIM_EXPECTED, /* the worker with the earliest expected end, when released */
	TV_SIM_LOCAL,	 /* the worker that released it; idle workers steal */
	TV_SIM_RECORDED	 /* worker and order of the recorded run */
};

enum tv_sim_order {
	TV_SIM_BY_RANK,	    /* order of submission */
	TV_SIM_BY_PRIORITY, /* priority, greatest first, then order of submission */
	TV_SIM_BY_PATH,	    /* longest path to the end of the graph, longest first, then rank */
	TV_SIM_BY_RELEASE   /* order of release */
};

/* Of the first tasks of a queue, one with the least data missing; so many are tried at most, where not all are (nearest_of). */
enum { TV_SIM_TRIED_MAX = 64 };

struct tv_scheduler {
	const char *name, *summary;
	enum tv_sim_place place;
	enum tv_sim_order order;
	bool from_most_loaded; /* steals from the longest queue; else from the next worker that has one */
	bool counts_transfers; /* in the expected end; of tasks of the same key, takes one whose data
				  are there */
	uint32_t nearest_of;   /* takes the task with the fewest misses in the worker's cache, of so
				many that are the first in the queue; 0 = the first */
};

extern const struct tv_scheduler tv_schedulers[];
extern const uint32_t tv_nschedulers;

/* The policy of that name; NULL if there is none. */
const struct tv_scheduler *tv_scheduler_find(const char *name);

/*
 * The queues of a simulation. `path` (by node, ns): the longest path that begins with the node, at
 * its fastest cost; needed by TV_SIM_BY_PATH. `copies` (NULL = transfers take no time): a node that
 * is placed on a worker when it is released fetches its data from then on. `numa`: needed by
 * nearest_of.
 */
struct tv_sim_queues;
struct tv_sim_copies;	  /* sim/memory.h */
struct tv_sim_numa_state; /* sim/numa.h */
struct tv_sim_members;	  /* sim/members.h: borrowed */
struct tv_sim_offers;	  /* sim/offers.h: learns who may find a task */

struct tv_sim_queues *tv_sim_queues_new(const struct tv_sim_graph *graph,
					const struct tv_sim_machine *machine,
					const struct tv_sim_options *options,
					const struct tv_sim_members *members,
					struct tv_sim_offers *offers, const int64_t *path,
					struct tv_sim_copies *copies,
					const struct tv_sim_numa_state *numa);
void tv_sim_queues_free(struct tv_sim_queues *queues);

/* A node is released at `now`, by the end of a task on worker `by` (UINT32_MAX = by none). False: no
 * worker can run it. */
bool tv_sim_push(struct tv_sim_queues *queues, uint32_t node, uint32_t by, int64_t now);
/* A node is released that only this worker may run, which takes it before any other. */
void tv_sim_push_tied(struct tv_sim_queues *queues, uint32_t node, uint32_t worker, int64_t now);
/* Takes the node that an idle worker runs next; UINT32_MAX = none. */
uint32_t tv_sim_take(struct tv_sim_queues *queues, uint32_t worker, int64_t now);
/* The worker runs the node that it took last, which costs `cost` there, waiting included until `end`. */
void tv_sim_began(struct tv_sim_queues *queues, uint32_t node, uint32_t worker, int64_t cost,
		  int64_t end);
/* The worker is expected to take nothing before that time. */
void tv_sim_comes(struct tv_sim_queues *queues, uint32_t worker, int64_t at);
/* Whether something waits that all workers of the type may take. */
bool tv_sim_waits(const struct tv_sim_queues *queues, uint32_t type);
uint64_t tv_sim_steals(const struct tv_sim_queues *queues);

#endif
