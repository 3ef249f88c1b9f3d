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
 * which keeps a copy. Memory is not limited.
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
};

struct tv_sim_transfer {
	uint32_t handle, from, to;
	uint32_t node; /* of the graph: for which it was requested */
	int64_t start, end;
	bool ahead; /* requested before the worker had taken the node and was free */
};

struct tv_sim_copies;

struct tv_sim_copies *tv_sim_copies_new(const struct tv_sim_memory *memory);
void tv_sim_copies_free(struct tv_sim_copies *copies); /* NULL is none */

/* Requests what the node reads and its worker's memory node has not; returns when all of it is there,
 * not before `now`. */
int64_t tv_sim_fetch(struct tv_sim_copies *copies, uint32_t node, uint32_t worker, int64_t now,
		     bool ahead);
/* The node begins on that worker, and writes its data until `end`. */
void tv_sim_write(struct tv_sim_copies *copies, uint32_t node, uint32_t worker, int64_t end);

/* time[nmemories]: ns that what the node reads and a memory node has not (nor is on its way there) would
 * take, one after the other, if the links and the bus were free. */
void tv_sim_estimate(const struct tv_sim_copies *copies, uint32_t node, int64_t *time);
/* How many of the data that the node reads have not arrived at the worker's memory node. */
uint32_t tv_sim_missing(const struct tv_sim_copies *copies, uint32_t node, uint32_t worker,
			int64_t now);

/* All transfers in the order of their requests, *n of them; the caller frees them with tv_free. */
struct tv_sim_transfer *tv_sim_take_transfers(struct tv_sim_copies *copies, size_t *n);

#endif
