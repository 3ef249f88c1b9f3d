/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * transfer_list.h -- the transfers between memory nodes of a run, one struct each.
 *
 * A transfer is a row of links whose Type begins with "Intra-node data". One that ends before it
 * starts ends where it starts.
 */
#ifndef TV_TRANSFER_LIST_H
#define TV_TRANSFER_LIST_H

#include "analysis/core/places.h"

struct tv_data_transfer {
	uint32_t link;	       /* its row of links */
	uint32_t key, handle;  /* labels; TV_NONE = missing */
	uint32_t origin, dest; /* memory nodes: places in tv_memories.at */
	int64_t start, end;    /* ns; start <= end */
	int64_t size;	       /* bytes; 0 where unknown */
	bool sized;	       /* the trace contains its size */
	bool open;	       /* the trace ends before it: its duration is none */
	uint32_t kind;	       /* label: Type without "Intra-node data "; TV_NONE = nothing more */
	uint32_t copied;       /* the event 'DriverCopy Start' of it; TV_NONE = there is none */
};

struct tv_data_transfers {
	struct tv_data_transfer *at; /* in order of start, equal ones in order of their links */
	uint32_t n;
	uint32_t nunsized; /* without Size */
};

/*
 * Collected at the first call, kept with the run, which owns them. Where links do not name their
 * handle, the event 'DriverCopy Start' of the same number does. Warns of transfers without Start,
 * End, Origin or Dest, which are left out, and of those that end before they start. NULL with *err:
 * a negative Size. Cost O(links + events + n log n).
 */
const struct tv_data_transfers *tv_run_transfers(struct tv_run *run, struct tv_error *err);

/* The same, and NULL with *err where the run has none, in the name of a verb. */
const struct tv_data_transfers *tv_run_some_transfers(struct tv_run *run, const char *verb,
						      struct tv_error *err);

/*
 * The idle time of the cause `data` (dag/idle.h) that is blamed on each (tv_blame_data), by
 * transfer, ns x workers: in the window if the run has one, of the selected workers. *states: the
 * rest of that cause, which the trace shows only as states of workers. Free with tv_free. NULL
 * with *err: a cycle, an empty window. Cost: that of idle-causes.
 */
int64_t *tv_transfer_waits(const struct tv_data_transfers *transfers, struct tv_run *run,
			   int64_t *states, struct tv_error *err);

#endif
