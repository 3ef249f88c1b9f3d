/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kinds.h -- kinds of resources whose variables can be summed: main memory, the memory of GPUs and
 * a network have nothing in common but the name of a variable.
 */
#ifndef TV_KINDS_H
#define TV_KINDS_H

#include "analysis/core/run.h"

#define TV_MAIN_MEMORY "main memory"

/* By label of a resource; labels or TV_NONE. */
struct tv_kinds {
	uint32_t *kind; /* ResourceType; of a memory node "main memory", "CUDA memory", ... */
	uint32_t *node;
	bool *kept; /* on a node that is selected, and no worker that is not */
	uint32_t n;
};

void tv_kinds_init(struct tv_kinds *kinds, const struct tv_run *run);
void tv_kinds_release(struct tv_kinds *kinds); /* safe on a zeroed struct */
/* That of a resource; TV_NONE where it is not known. */
static inline uint32_t tv_kind_of(const struct tv_kinds *kinds, uint32_t resource)
{
	return resource < kinds->n ? kinds->kind[resource] : TV_NONE;
}
bool tv_kind_is_main(const struct tv_pool *pool, uint32_t kind);

#endif
