/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unexpected.h -- messages that arrive before the program requests them. */
#ifndef TV_FXT_UNEXPECTED_H
#define TV_FXT_UNEXPECTED_H

#include <stdint.h>

#include "trace/map.h"

struct tv_fxt_rank;
struct tv_fxt_run;

/* A thread that moves data from a temporary handle to that of a request (unexpected.c). */
struct tv_fxt_taking {
	uint32_t released;     /* job that released the temporary handle; TV_NONE = idle */
	uint32_t unregistered; /* job that ended it; TV_NONE = not yet */
	int depth;	       /* callbacks begun since */
};

struct tv_fxt_unexpected {
	struct tv_map taking_of; /* by thread: index */
	struct tv_fxt_taking *taking;
	size_t ntaking, taking_cap;
	/* By job that a message released into a temporary handle: the job of the request that took
	 * its data; TV_NONE = not known. */
	struct tv_map taker;
	uint64_t known, unknown; /* of such messages, where another process has counted them */
};

/* A message has released a job; TV_NONE = none. handle: where to, 0 = not known. */
void tv_fxt_received(struct tv_fxt_rank *rank, uint32_t job, uint64_t handle);
/* A thread submits a job that acquires or releases data. */
void tv_fxt_acquisition(struct tv_fxt_rank *rank, uint32_t job, uint64_t tid);
/* A thread begins (1) or ends (-1) a callback. */
void tv_fxt_nest_taking(struct tv_fxt_rank *rank, uint64_t tid, int step);
/* A thread does something else. */
void tv_fxt_end_taking(struct tv_fxt_rank *rank, uint64_t tid);
/* The job that waited for the data that `received` released; TV_NONE = none, or not known. */
uint32_t tv_fxt_taker(const struct tv_fxt_rank *rank, uint32_t received);
/* Adds how many such messages there are whose request is known, and is not. */
void tv_fxt_count_takers(const struct tv_fxt_rank *rank, uint64_t *known, uint64_t *unknown);
/* Counts such messages in meta, and reports those whose request is not known. */
void tv_fxt_report_unexpected(struct tv_fxt_run *run);
void tv_fxt_release_unexpected(struct tv_fxt_unexpected *unexpected);

#endif
