/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.h -- what profilers of GPUs wrote: databases of Nsight Systems (nsight.c) and rocprofv3 (rocpd.c), JSON (../rocprof.c). */
#ifndef TV_SQLITE_GPU_H
#define TV_SQLITE_GPU_H

#include "convert/chrome/chrome.h"
#include "convert/sqlite/db.h"

/* What their readers have while they read. */
struct tv_gpu {
	struct tv_chrome *c;
	struct tv_db *db;
	struct tv_map text;    /* by id of a text, and a number of the reader: its label */
	struct tv_map process; /* by its number in the database: its file in c */
	uint32_t first;	       /* number of the first such */
	int64_t last;	       /* of all ends */
};

/* A row that is a slice. */
struct tv_gpu_row {
	struct tv_db_value start, end;
	int64_t process; /* in the database */
	const char *cat;
	uint32_t name;			/* label */
	int64_t thread;			/* of the host; of a stream what distinguishes it */
	int64_t device, stream, bytes;	/* -1 = none: on the host */
	struct tv_db_value correlation; /* of one process */
};

/* Adds it; a row whose times are none, or end before they start, is counted and skipped. open: an end is missing where the trace
 * ends before it. */
void tv_gpu_add(struct tv_gpu *gpu, const struct tv_gpu_row *row, bool open);
/* The label of a text of the database; TV_NONE. */
uint32_t tv_gpu_text(const struct tv_gpu *gpu, const struct tv_db_value *id, uint64_t kind);

/* Read the tables that they know; false: there is none of them. */
bool tv_nsight_read(struct tv_gpu *gpu);
bool tv_rocpd_read(struct tv_gpu *gpu);

#endif
