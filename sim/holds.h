/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * holds.h -- tasks that exclude each other: commuting accesses to the same data, one at a time.
 *
 * A task takes all its handles at once, when nothing else keeps it from being released, or none: then
 * it waits for the first one that is held. A handle that is free again goes to the first task, in
 * the order of waiting, that finds all its handles free; one that does not waits for another handle.
 * So a task that waits holds nothing, and what it waits for is held by one that does not wait.
 */
#ifndef TV_HOLDS_H
#define TV_HOLDS_H

#include <stdbool.h>
#include <stdint.h>

/* What tasks hold; arrays are borrowed. */
struct tv_sim_exclusion {
	uint32_t nhandles;
	const uint32_t
		*first; /* n + 1: node v takes handle[first[v]] to handle[first[v + 1] - 1] */
	const uint32_t *handle; /* ascending for each node, each once */
	const uint32_t
		*frees; /* by node: the node whose handles are free once it has ended: itself,
				   or the first segment of its job; UINT32_MAX = none */
};

struct tv_sim_holds;

struct tv_sim_holds *tv_sim_holds_new(const struct tv_sim_exclusion *exclusion, uint32_t n);
void tv_sim_holds_free(struct tv_sim_holds *holds); /* NULL is none */

/* Whether a node has taken its handles; if not, it waits. */
bool tv_sim_hold(struct tv_sim_holds *holds, uint32_t node);
/* A node has ended. The first of those that have their handles now; UINT32_MAX = none. */
uint32_t tv_sim_holds_end(struct tv_sim_holds *holds, uint32_t node);
/* The next one of them. */
uint32_t tv_sim_holds_next(const struct tv_sim_holds *holds, uint32_t node);

#endif
