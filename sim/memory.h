/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.h -- copies of data on memory nodes, and the transfers between them.
 *
 * A task needs valid copies of what it reads on the memory node of its worker. A read adds a copy; a
 * write leaves the only valid one where it is done. A transfer takes latency + size / bandwidth of
 * its link (a pair of memory nodes in one direction), and a link does one at a time, in the order in
 * which they were requested. Links may share a bus: then each transfer gets what those requested before it
 * leave of its bandwidth, at most that of its link. The source is the copy that arrives first, of equal ones that of the
 * first memory node. Where no copy has a link to the destination, the data go through main memory,
 * which keeps a copy.
 *
 * Memory nodes may have a limit. Then what a task reads or writes needs space there before its transfer
 * begins, and copies leave to make it (sim/space.h says which); the only copy of its data is written back
 * to main memory first, and its space is free when that has ended. A task that a worker takes gets space
 * even if that of all tasks in work is more than there is. One that is placed earlier gets its data
 * early only as far as nothing leaves for it that others await. Where no memory node has a limit,
 * none of this takes place.
 */
#ifndef TV_SIM_MEMORY_H
#define TV_SIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tv_sim_link {
	bool exists;	 /* links from and to main memory must */
	int64_t latency; /* ns */
	double per_byte; /* ns */
};

struct tv_sim_access {
	uint32_t handle;
	bool reads, writes;
};

/* The data of a graph and the machine's memory; arrays are borrowed. Memory node 0 is main memory. */
struct tv_sim_memory {
	uint32_t nmemories, nhandles;
	const uint32_t *of_worker;	/* memory node */
	const struct tv_sim_link *link; /* nmemories x nmemories: origin, destination */
	const int64_t *size;		/* bytes, by handle */
	const uint32_t *home;		/* by handle: the memory node with the first valid copy */
	const uint32_t *first;		/* n + 1: accesses of node v begin at access[first[v]] */
	const struct tv_sim_access *access; /* each handle once per node */
	double bus_per_byte;		    /* ns; 0 = links share nothing */
	const int64_t *capacity; /* by memory node: bytes; < 0 = no limit; NULL = of none; main
				    memory must have none */
};

struct tv_sim_transfer {
	uint32_t handle, from, to;
	uint32_t node; /* of the graph: for which it was requested */
	int64_t start, end;
	bool ahead;	  /* requested before the worker had taken the node and was free */
	bool writes_back; /* to make space for what the node needs */
};

/* Bytes that are used from then on, more or less than before. */
struct tv_sim_use {
	uint32_t memory;
	int64_t time, bytes;
};

/* What a schedule with limits has besides. */
struct tv_sim_space_log {
	struct tv_sim_use *use; /* in no order; owned */
	size_t nuses, nevictions;
	int64_t exceeded; /* bytes by which data in work exceeded a memory, at most */
};

struct tv_sim_copies;

/* Of a graph of n nodes. */
struct tv_sim_copies *tv_sim_copies_new(const struct tv_sim_memory *memory, uint32_t n);
void tv_sim_copies_free(struct tv_sim_copies *copies); /* NULL is none */

/* The node is placed on the worker, which has not taken it: requests what it reads and the worker's
 * memory node has not. */
void tv_sim_prefetch(struct tv_sim_copies *copies, uint32_t node, uint32_t worker, int64_t now);
/* The worker takes the node: requests what is missing; returns when all of it is there, not before
 * `now`. ahead: the worker is not free yet. */
int64_t tv_sim_fetch(struct tv_sim_copies *copies, uint32_t node, uint32_t worker, int64_t now,
		     bool ahead);
/* The node begins on that worker, and writes its data until `end`. */
void tv_sim_write(struct tv_sim_copies *copies, uint32_t node, uint32_t worker, int64_t end);

/* The node has ended there: its data may leave. */
void tv_sim_let_leave(struct tv_sim_copies *copies, uint32_t node, uint32_t worker);

/* time[nmemories]: ns that what the node reads and a memory node has not (nor is on its way there) would
 * take, one after the other, if the links and the bus were free. */
void tv_sim_estimate(const struct tv_sim_copies *copies, uint32_t node, int64_t *time);
/* How many of the data that the node reads have not arrived at the worker's memory node. */
uint32_t tv_sim_missing(const struct tv_sim_copies *copies, uint32_t node, uint32_t worker,
			int64_t now);

/* All transfers in the order of their requests, *n of them; the caller frees them with tv_free. */
struct tv_sim_transfer *tv_sim_take_transfers(struct tv_sim_copies *copies, size_t *n);
/* Uses of limited memory; all zero without limits. */
struct tv_sim_space_log tv_sim_take_space_log(struct tv_sim_copies *copies);

#endif
