/* SPDX-License-Identifier: GPL-3.0-or-later */
/* in_calls.h -- when workers were inside calls (table calls) of their own thread. */
#ifndef TV_IN_CALLS_H
#define TV_IN_CALLS_H

#include "trace/tasks.h"

/* Of calls at one time, one inside of the other, the one that began first. */
struct tv_in_call {
	uint32_t worker;
	uint32_t row;	    /* of calls */
	int64_t begin, end; /* ns; begin < end */
};

/* Sorted by worker, then begin; those of a worker do not overlap. */
struct tv_in_calls {
	struct tv_in_call *at;
	size_t n, cap;
};

/* Calls without Start or End are left out. Cost O(calls log calls + labels). */
void tv_in_calls_init(struct tv_in_calls *calls, const struct tv_tasks *tasks);
/* Of others: adds one, and, after the last one, brings them into this form. Cost O(n log n). */
void tv_in_calls_add(struct tv_in_calls *calls, uint32_t worker, uint32_t row, int64_t begin,
		     int64_t end);
void tv_in_calls_sort(struct tv_in_calls *calls);
void tv_in_calls_release(struct tv_in_calls *calls); /* safe on a zeroed struct */

/* From begin on, until when (at most `end`) the worker is in one call, or in none. *row: of calls; TV_NONE = in none. O(log n). */
int64_t tv_in_call_until(const struct tv_in_calls *calls, uint32_t worker, int64_t begin,
			 int64_t end, uint32_t *row);

#endif
