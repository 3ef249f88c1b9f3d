/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine.h -- the simulation of a task graph on a machine: discrete events, integer nanoseconds.
 *
 * A node of the graph is work (it needs a worker) or a delay (a ghost: 0 ns; a message: its own
 * duration), which needs none. A node is released when its predecessors have ended, it is submitted
 * and it has taken what it excludes others from (sim/holds.h); a scheduler (sim/schedulers.h) decides who runs it and when. A node may be created by
 * another one while that runs: after a share of its time, as the creator goes on. Or it is submitted
 * some time after another one, as its creator waited for that.
 *
 * Everything is deterministic: what happens at one instant is handled in the order ends of nodes by
 * their number, creations by the number of the node, submissions by rank; then idle workers take
 * tasks in the order of their number.
 */
#ifndef TV_SIM_ENGINE_H
#define TV_SIM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

/* What is simulated; all arrays have n elements and are borrowed. */
struct tv_sim_graph {
	uint32_t n;
	const uint32_t *first; /* n + 1: successors of v are next[first[v]] to first[v + 1] - 1 */
	const uint32_t *next;
	const uint32_t *rank; /* order of submission, from 0, each once */
	const int64_t
		*submit; /* ns, ascending in rank but for nodes with `after`; NULL = all at 0 */
	const int64_t *priority; /* greater = more urgent; NULL = all equal */
	const int64_t
		*delay; /* ns of nodes that need no worker; < 0: the node is work; NULL = all are */
	const uint32_t *group;	 /* of work: what the same workers can run */
	const uint32_t *creator; /* which is no predecessor; UINT32_MAX = none; NULL = of no node */
	const double *created;	 /* after that share of the creator's time, 0 to 1 */
	const uint32_t *
		after; /* a predecessor after whose end it is submitted, `wait` ns later, and not at
				  `submit`; UINT32_MAX = none; NULL = of no node */
	const int64_t *wait;
	const bool *
		awaited; /* work with it is run by what submits tasks: the worker that is free first takes it, before
			      * all else; NULL = none; without effect on replay */
	const uint32_t *
		order; /* nodes, each before those that follow it and that it creates; NULL = by number */
	const uint32_t *tied; /* a predecessor on whose worker the node runs, if that can run it;
				 UINT32_MAX = none; NULL = of no node; without effect on replay */
};

/* How long after a predecessor a node is submitted, ns; -1 = it is not submitted after that one. */
static inline int64_t tv_sim_wait(const struct tv_sim_graph *graph, uint32_t node, uint32_t before)
{
	return graph->after != NULL && graph->after[node] == before ? graph->wait[node] : -1;
}

static inline int64_t tv_sim_delay(const struct tv_sim_graph *graph, uint32_t node)
{
	return graph->delay == NULL ? -1 : graph->delay[node];
}

struct tv_sim_machine {
	uint32_t nworkers, ntypes, ngroups;
	const uint32_t *type; /* by worker: its type, of resource and node */
	const bool *runs;     /* ngroups x ntypes: whether a worker of the type can run the group */
};

static inline bool tv_sim_runs(const struct tv_sim_machine *machine, uint32_t group, uint32_t type)
{
	return machine->runs[(size_t)group * machine->ntypes + type];
}

/* ns that a node takes on a worker of this type, which can run its group; >= 0. */
typedef int64_t tv_sim_cost(const void *context, uint32_t node, uint32_t type);

/* A worker takes nodes from begin on, but not at end or later, ns; begin >= end: never. */
struct tv_sim_presence {
	int64_t begin, end;
};

/* The schedule of a recorded run, for `replay`: worker (by node) and the start that orders them. */
struct tv_sim_recorded {
	const uint32_t *worker;
	const int64_t *start;
	/* That order, as of tv_sim_recorded_order (sim/replay.h), where several simulations need it; NULL = it is found. */
	const uint32_t *sequence, *first;
};

struct tv_scheduler;
struct tv_sim_exclusion; /* sim/holds.h */
struct tv_sim_memory;	 /* sim/memory.h */
struct tv_sim_transfer;
struct tv_sim_space_log;
struct tv_sim_numa; /* sim/numa.h */
struct tv_sim_numa_log;

struct tv_sim_options {
	const struct tv_scheduler *scheduler;
	tv_sim_cost *cost;
	tv_sim_cost *
		expected; /* what is known before a node runs, for the longest paths; NULL = cost */
	const void *context;
	const struct tv_sim_recorded *recorded; /* only `replay` needs it */
	uint32_t window; /* max number of nodes submitted and not ended; 0 = no limit */
	const struct tv_sim_exclusion *exclusion; /* NULL = no tasks exclude each other */
	const struct tv_sim_memory *memory;	  /* NULL = transfers take no time */
	const struct tv_sim_numa
		*numa;		  /* NULL = tasks take their cost; else no memory, may_take 1, no
					   creators */
	const uint32_t *may_take; /* by worker: max number of nodes taken and not ended; NULL = 1 */
	/* By worker; NULL = they take nodes all the time. For TV_SIM_EXPECTED and `replay` without an end (INT64_MAX), as nobody
	 * else takes what waits for a worker. */
	const struct tv_sim_presence *present;
	bool makespan_only; /* workers and times of nodes may stay NULL */
};

/* Keeps a time of a node where an array for it is asked for. */
static inline void tv_sim_note(int64_t *times, uint32_t node, int64_t time)
{
	if (times != NULL)
		times[node] = time;
}

/* What came out; arrays of n, owned: tv_sim_release. */
struct tv_sim_schedule {
	uint32_t *worker; /* UINT32_MAX for delays */
	int64_t *start, *end;
	int64_t *
		taken; /* when its worker took it, and began to wait for data; NULL without memory */
	int64_t *submitted;
	int64_t *
		released; /* when its last predecessor ended, or its submission, or when it took the
			      handles that it holds, if that is later */
	int64_t makespan; /* latest end of work minus 0 */
	uint64_t steals;
	struct tv_sim_transfer *transfer; /* in the order of their requests */
	size_t ntransfers;
	struct tv_sim_space_log *space; /* NULL without memory */
	struct tv_sim_numa_log *log;	/* NULL without numa */
};

/*
 * Cost O((V + E) log V), and V times the number of worker types, or of memory nodes where a scheduler
 * counts transfers.
 * -1 with *err: a node that no worker can run, or nodes that never start (replay of an order that
 * contradicts the graph, handles held by what waits for them); `name` names them in messages.
 */
int tv_simulate(const struct tv_sim_graph *graph, const struct tv_sim_machine *machine,
		const struct tv_sim_options *options,
		const char *(*name)(const void *context, uint32_t node),
		struct tv_sim_schedule *schedule, struct tv_error *err) TV_MUST_CHECK;
void tv_sim_release(struct tv_sim_schedule *schedule); /* safe on a zeroed struct */

#endif
