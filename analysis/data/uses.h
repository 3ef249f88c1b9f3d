/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uses.h -- who uses the data of a handle on a memory node: tasks, and messages that send them.
 *
 * A counted execution uses its Handles on the memory node of its worker; a message uses its Handle
 * on memory node 0 of its origin.
 */
#ifndef TV_USES_H
#define TV_USES_H

#include "analysis/core/places.h"

struct tv_use {
	uint32_t memory, handle; /* place in tv_memories.at; label */
	int64_t start, end; /* ns; of the execution or the message, whose start is the latest that
				  * rounded times allow */
	uint32_t row;	    /* of tasks; TV_NONE = a message */
	uint32_t message;   /* place in tv_messages.at; TV_NONE = an execution */
	bool writes;	    /* an execution that writes the data (Modes) */
};

struct tv_uses {
	struct tv_use *at; /* by memory, handle, start, then tasks by row and messages */
	size_t n;
};

/* Collected at the first call, owned by the run. NULL with *err: as tv_run_messages. Cost
 * O(handles of tasks + messages), times their logarithm. */
const struct tv_uses *tv_run_uses(struct tv_run *run, struct tv_error *err);
/* Those of a handle on a memory node that start at `from` or later: the first of them, or the place
 * behind the last one. O(log n). */
size_t tv_uses_from(const struct tv_uses *uses, uint32_t memory, uint32_t handle, int64_t from);
/* Whether use i exists, is of that handle on that memory node, and starts before `until`. */
static inline bool tv_uses_has(const struct tv_uses *uses, size_t i, uint32_t memory,
			       uint32_t handle, int64_t until)
{
	return i < uses->n && uses->at[i].memory == memory && uses->at[i].handle == handle
	    && uses->at[i].start < until;
}

#endif
