/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.h -- the memory nodes of a rank, its data handles, transfers between nodes. */
#ifndef TV_FXT_DATA_H
#define TV_FXT_DATA_H

#include "convert/fxt/states.h"
#include "trace/map.h"

struct tv_fxt_memory {
	uint32_t label, row; /* of the memory manager; row in resources */
	uint32_t node_row;
	struct tv_fxt_stack stack;
	struct tv_fxt_step_variable used, in, out;
};

struct tv_fxt_handle {
	uint64_t address;
	uint32_t name, description; /* labels or TV_NONE */
	uint64_t size;
	int64_t max_size, home, owner, tag;
	uint64_t coordinate[5];
	uint8_t ncoordinates;
	bool registered, has_owner, has_tag, gone;
};

struct tv_fxt_transfer {
	int64_t start;
	uint64_t size;
	uint32_t row;	   /* in links */
	uint32_t src, dst; /* indices of memory nodes */
	uint32_t handle;   /* label or TV_NONE */
	bool open;
};

struct tv_fxt_data {
	struct tv_numbers memory_of;   /* by number of the node */
	struct tv_numbers transfer_of; /* by number */
	struct tv_map handle_of;       /* by address: what was registered last */
	struct tv_map label_of;	       /* by address of a handle */
	struct tv_fxt_memory *memory;
	struct tv_fxt_handle *handle;
	struct tv_fxt_transfer *transfer;
	size_t nmemories, nhandles, ntransfers, memories_cap, handles_cap, transfers_cap;
	struct tv_fxt_deltas bandwidth; /* targets: 2 * node out of it, 2 * node + 1 into it */
};

/* ---- data.c ---- */
void tv_fxt_end_data(struct tv_fxt_rank *rank);
void tv_fxt_release_data(struct tv_fxt_data *data);

/* ---- handles.c ---- */
/* The label of a handle: its address in hexadecimal. */
uint32_t tv_fxt_handle_label(struct tv_fxt_rank *rank, uint64_t address);
/* What was registered last at that address, NULL if nothing was. */
const struct tv_fxt_handle *tv_fxt_handle_at(const struct tv_fxt_rank *rank, uint64_t address);
void tv_fxt_write_handles(struct tv_fxt_rank *rank);

#endif
