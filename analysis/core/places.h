/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.h -- where the resources of a run are: their node; memory nodes and who works on them. */
#ifndef TV_PLACES_H
#define TV_PLACES_H

#include "analysis/core/run.h"
#include "trace/map.h"

#define TV_TRANSFER_TYPE \
	"Intra-node data"	    /* what the Type of links that are transfers begins with */
#define TV_USED_COUNTER "Used (MB)" /* Type of the runtime's counter of memory, in MiB */
/* The node of a resource, as a label: resources.Node, else what the name of the resource says, else
 * "0". Cost O(1) after the first call. */
uint32_t tv_run_node_of(struct tv_run *run, uint32_t resource);

/* A memory node, as the resource that manages it. */
struct tv_memory {
	uint32_t resource, node; /* labels */
	int64_t number;		 /* among those of its node; -1 = not known */
};

struct tv_memories {
	struct tv_memory *at; /* by node, number and name in natural order */
	uint32_t n;
	uint32_t *of_worker;	     /* by worker: its memory node; TV_NONE = not known */
	struct tv_index of_resource; /* by label */
};

/* The resources of the Type MEMMANAGER and those at the ends of transfers, of data states,
 * allocations and of the counter of memory. Collected at the first call, owned by the run. */
const struct tv_memories *tv_run_memories(struct tv_run *run);
/* The memory node of a number of a node (a label); TV_NONE = there is none. */
uint32_t tv_memory_find(const struct tv_memories *memories, uint32_t node, int64_t number);
/* Whether some workers of its node are selected. */
bool tv_memory_chosen(const struct tv_run *run, const struct tv_memory *memory);

#endif
