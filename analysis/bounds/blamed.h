/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blamed.h -- names of the nodes of the graph that idle time is blamed on. */
#ifndef TV_BLAMED_H
#define TV_BLAMED_H

#include "dag/dag.h"
#include "trace/map.h"

/* Labels; TV_NONE where it has none. */
struct tv_blamed_name {
	uint32_t value, rtype, node; /* of a task: type, and of its worker the type and node */
	uint32_t link;		     /* of a message: its nodes, as in 0->2 */
};

struct tv_blamed_names {
	struct tv_blamed_name *name; /* all different; the first is that of nothing */
	uint32_t n;
	uint32_t *of; /* by node of the graph: its place in name; NULL = the graph comes in parts */
	size_t cap;
	struct tv_map number; /* by what a name has */
};

/* The nodes of a message are those of the tasks before and after it, so no links are needed; "?"
 * where the graph does not have them. Interns into the pool. Cost O(E + V + names log names). */
void tv_blamed_names_init(struct tv_blamed_names *names, const struct tv_dag *dag,
			  struct tv_pool *pool);
/* Instead, of a graph that comes in parts and has no messages: with a zeroed struct, for each part. By node of the part: the place of
 * its name, 0 without a time. Names are in the order of the parts. The caller frees it. Cost O(V). */
uint32_t *tv_blamed_names_add(struct tv_blamed_names *names, const struct tv_dag *part);
void tv_blamed_names_release(struct tv_blamed_names *names); /* safe on a zeroed struct */

#endif
