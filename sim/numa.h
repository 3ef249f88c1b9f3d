/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * numa.h -- the memory accesses of tasks on a platform, as transfers on its network.
 *
 * A task reads its operands (blocks), computes for T_C and writes. Its reads are transfers at the same
 * time, and so are its writes. A share rho of T_C hides them: T_C + max(0, T_M - rho T_C) in all, where
 * T_M is the time of the reads plus that of the writes [Daoudi 2021, (5.2), (5.3)]. How long they take is
 * known only when they end, as they share links with those of other tasks. So this is what happens:
 *
 *   - the reads begin with the task; they end after T_R;
 *   - (1 - rho) T_C later the writes begin, which take T_W;
 *   - the task ends when they have ended, but not before T_C - min(T_R, rho T_C) after the reads.
 *
 * Then the task takes T_R + T_C - min(T_R, rho T_C) + max(0, T_W - max(0, rho T_C - T_R)), which is the
 * formula, whatever else is on the links.
 *
 * Models. comm: an operand that is read comes from its home memory to the core, one that is written goes
 * back there. comm-2020: all operands at once, before T_C, nothing hidden; one that is read and written
 * counts twice. comm-cache: an operand that is read comes from the core's last-level cache. If it is not
 * there, first it comes to the cache: from the other cache that has it over the route with the greatest
 * bandwidth, else from its home. Writes go to the cache, and make the copies in other caches invalid
 * (sim/cache.h). When a modified block leaves a cache, it goes to its home; nobody waits for that.
 * task: the same caches, but what comes to them is there at once; there are no transfers, and tasks take
 * T_C. It is for policies that look at caches.
 */
#ifndef TV_SIM_NUMA_H
#define TV_SIM_NUMA_H

#include "sim/memory.h"
#include "sim/network.h"
#include "sim/traffic.h"
#include "trace/error.h"

enum tv_sim_model { TV_SIM_TASK, TV_SIM_COMM_2020, TV_SIM_COMM, TV_SIM_COMM_CACHE };

/* The machine and the data of a graph; arrays are borrowed. */
struct tv_sim_numa {
	enum tv_sim_model model;
	struct tv_platform *platform;
	bool crosstraffic;
	uint32_t nworkers, nmemories, ncaches, nblocks;
	/* By worker: its core (a host), and numbers of its memory and cache. */
	const uint32_t *core, *memory_of, *cache_of;
	const uint32_t *memory, *cache; /* hosts */
	const int64_t
		*capacity;    /* bytes, by cache; comm-cache and task only, as cache and cache_of */
	const int64_t *size;  /* bytes, by block; at most TV_SIM_MAX_BYTES / 2 */
	const uint32_t *home; /* by block: its memory; TV_NONE = that of its first user */
	const uint32_t *first; /* n + 1: accesses of node v begin at access[first[v]] */
	const struct tv_sim_access *access; /* each block once per node, ascending */
	const double *overlap;		    /* rho, by node: 0 to 1 */
	int64_t scratch; /* bytes that each core always has in its cache, and each task writes */
};

enum tv_sim_flow_kind {
	TV_SIM_READ,	  /* to the core */
	TV_SIM_FETCH,	  /* to its cache */
	TV_SIM_WRITE,	  /* from the core */
	TV_SIM_WRITE_BACK /* from a cache */
};

struct tv_sim_flow {
	enum tv_sim_flow_kind kind;
	uint32_t block;	   /* TV_NONE = scratch */
	uint32_t node;	   /* of the graph: for which it is */
	uint32_t from, to; /* hosts */
	int64_t bytes, start, end;
};

enum tv_sim_cache_change {
	TV_SIM_HIT,  /* a block to read is there, or on its way there */
	TV_SIM_MISS, /* it is not */
	TV_SIM_EVICTION,
	TV_SIM_NCHANGES,	      /* those that are counted */
	TV_SIM_SIZE = TV_SIM_NCHANGES /* only what it contains */
};

struct tv_sim_cache_event {
	int64_t time, used; /* bytes in the cache after it */
	uint32_t cache;
	enum tv_sim_cache_change what;
};

/* What happened; arrays owned. */
struct tv_sim_numa_log {
	int64_t *read, *write;	  /* by node: when its reads had ended, its writes began */
	struct tv_sim_flow *flow; /* in the order in which they began */
	struct tv_sim_cache_event *event;
	size_t nflows, nevents;
	uint64_t count[TV_SIM_NCHANGES];
	struct tv_sim_traffic traffic; /* from the start of the first task on */
	struct tv_sim_network_work work;
};

void tv_sim_numa_log_release(struct tv_sim_numa_log *log); /* safe on a zeroed struct */

/* For the engine. */
struct tv_sim_numa_state;

struct tv_sim_numa_state *tv_sim_numa_new(const struct tv_sim_numa *numa, uint32_t nnodes);
/* Accepts NULL. The log goes to *log. */
void tv_sim_numa_free(struct tv_sim_numa_state *state, struct tv_sim_numa_log *log);
/* A worker begins with a node whose T_C is time. */
void tv_sim_numa_begin(struct tv_sim_numa_state *state, uint32_t node, uint32_t worker,
		       int64_t time, int64_t now);
/* When something happens next; TV_SIM_NEVER if nothing does. */
int64_t tv_sim_numa_next(struct tv_sim_numa_state *state);
/* The next node whose end, not before now, is known now; TV_NONE = no more. */
uint32_t tv_sim_numa_step(struct tv_sim_numa_state *state, int64_t now, int64_t *end);
/* A node ends. */
void tv_sim_numa_end(struct tv_sim_numa_state *state, uint32_t node, uint32_t worker, int64_t now);
/* How many blocks that the node reads are neither in the worker's cache nor on their way there. */
uint32_t tv_sim_numa_missing(const struct tv_sim_numa_state *state, uint32_t node, uint32_t worker);
/* Why it cannot go on; NULL = it can. */
const struct tv_error *tv_sim_numa_error(const struct tv_sim_numa_state *state);

#endif
