/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine.h -- the objects of the machine: its packages, memories, caches, cores and processing
 * units (PU), from the rows of `resources` that have a Depth.
 *
 * Such a row is never a worker. Its ResourceType is its level (Machine, Package, NUMANode, L3, L2,
 * L1d, Core, PU, ...), its ResourceId LEVEL:NUMBER, with several machines HOST/LEVEL:NUMBER. Trees
 * may be asymmetric. A NUMANode contains the objects whose Cpuset is part of its own, whatever
 * their Parent is: hwloc 2 attaches memories beside caches.
 */
#ifndef TV_MACHINE_H
#define TV_MACHINE_H

#include "trace/cpuset.h"
#include "trace/groups.h"
#include "trace/map.h"
#include "trace/trace.h"

struct tv_object {
	uint32_t row;	 /* of resources */
	uint32_t id;	 /* label of its ResourceId */
	uint32_t level;	 /* index into tv_machine.level */
	uint32_t parent; /* object around it, with a smaller index; TV_NONE = none */
	uint32_t root;	 /* outermost object around it, or itself */
	int64_t depth;
	int64_t order;	       /* number in its level; -1 = not known */
	int64_t os_index;      /* number that the operating system uses; -1 = not known */
	int64_t size;	       /* bytes; -1 = not known */
	struct tv_cpuset cpus; /* Cpuset; without one: of a PU its OsIndex, else those of its
				* children */
};

struct tv_level {
	uint32_t type; /* label of its ResourceType */
	uint32_t first,
		n; /* its objects, in the order of the machine: tv_machine.in_level[first]... */
	uint32_t *above; /* by object, see tv_object_above; NULL until it is wanted */
};

/* Objects with equal ResourceIds: the first row counts. */
struct tv_machine {
	const struct tv_pool *pool;
	struct tv_object *at; /* from outer to inner (Depth), then by Order, then as the rows */
	uint32_t n;
	struct tv_level *level; /* from outer to inner; memories before what has the same Depth */
	uint32_t nlevels;
	uint32_t *in_level;
	struct tv_groups children; /* children.row[] of an object: objects, ascending */
	struct tv_index of_label;
};

/* Whether a row of resources is an object; depth: their column Depth or NULL. */
static inline bool tv_is_object(const struct tv_column *depth, uint32_t row)
{
	return depth != NULL && !tv_missing(depth, row);
}

/* Objects of rows of `resources`; n = 0 if there are none. Cost O(n log n). */
void tv_machine_init(struct tv_machine *machine, const struct tv_table *resources);
void tv_machine_release(struct tv_machine *machine);

/* The object of a label; TV_NONE = none. */
static inline uint32_t tv_object_of(const struct tv_machine *machine, uint32_t label)
{
	return tv_index_get(&machine->of_label, label);
}

/* The outermost objects that have processors, by the nodes (processes, hosts) that run on them. */
struct tv_machine_roots {
	uint32_t n, only; /* only: the one of n = 1, else TV_NONE */
	struct tv_index of_node;
};

void tv_machine_roots_init(struct tv_machine_roots *roots, const struct tv_machine *machine,
			   const struct tv_trace *trace);
void tv_machine_roots_release(struct tv_machine_roots *roots);
/* The machine of a node (a label or TV_NONE): the only one, else the one whose Node it is; TV_NONE. */
static inline uint32_t tv_machine_root(const struct tv_machine_roots *roots, uint32_t node)
{
	return roots->n == 1 ? roots->only : tv_index_get(&roots->of_node, node);
}

/* The level that a user names, in any case: its ResourceType (L3, NUMANode), or numa, node, socket,
 * L3Cache, thread; L1 means L1d. TV_NONE if the machine has none of that name. */
uint32_t tv_machine_level(const struct tv_machine *machine, const char *name);
/* -1 with *err: there is no such level, naming those there are. */
int tv_machine_no_level(const struct tv_machine *machine, const char *level, struct tv_error *err);

/*
 * The object of a level that contains an object, or is it; TV_NONE if none does. The one around it;
 * without one the smallest whose Cpuset covers its own on the same machine (of equal ones the
 * first). The first call for a level costs O(n), where no parents lead to it O(n * objects of the
 * level).
 */
uint32_t tv_object_above(struct tv_machine *machine, uint32_t object, uint32_t level);

#endif
