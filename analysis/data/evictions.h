/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * evictions.h -- how memory for transfers was obtained, as far as events about memory show.
 *
 * Events of a memory node in order of time: the allocation of a handle begins with the first event
 * 'Allocating Start' or 'Allocating Async Start' (which looks for a cached buffer) of it there, and
 * belongs to the next transfer of the handle there, if that begins ('DriverCopy Start') before the
 * handle has a data state there: else it was made for a task. What is written back or freed there
 * before that transfer begins counts for the allocation that began last.
 */
#ifndef TV_EVICTIONS_H
#define TV_EVICTIONS_H

#include "analysis/data/transfer_list.h"
#include "trace/number.h"

/* ALLOCATION(symbol, name) */
#define TV_ALLOCATIONS(ALLOCATION) \
	ALLOCATION(NONE, "")	       /* no event: the memory was allocated before */ \
	ALLOCATION(NEW, "new")	       /* allocated */ \
	ALLOCATION(REUSED, "reused")   /* a cached buffer */ \
	ALLOCATION(EVICTED, "evicted") /* no allocation succeeded: that of other data */

enum tv_allocation {
#define TV_ALLOCATION_SYMBOL(symbol, name) TV_ALLOCATION_##symbol,
	TV_ALLOCATIONS(TV_ALLOCATION_SYMBOL)
#undef TV_ALLOCATION_SYMBOL
		TV_NALLOCATIONS
};

const char *tv_allocation_name(enum tv_allocation allocation);

struct tv_eviction {
	enum tv_allocation allocation;
	uint32_t failed;       /* allocations */
	uint32_t written_back; /* handles */
	uint32_t freed;	       /* buffers */
	tv_int128 freed_size;  /* bytes */
};

/* By transfer; free with tv_free. Cost O(events + transfers). */
struct tv_eviction *tv_evictions(const struct tv_data_transfers *transfers, struct tv_run *run);

#endif
