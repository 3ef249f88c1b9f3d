/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpu.h -- rows of what profilers of GPUs wrote, of which the tables are made as of trace events: databases of Nsight Systems and
 * rocprofv3 (sqlite/), JSON (rocprof.c).
 */
#ifndef TV_GPU_H
#define TV_GPU_H

#include "convert/chrome/chrome.h"

/* What their readers have while they read. */
struct tv_gpu {
	struct tv_chrome *c;
	struct tv_map text;    /* by id of a text, and a number of the reader: its label */
	struct tv_map process; /* by its number in the file: its file in c */
	uint32_t first;	       /* number of the first such */
	int64_t last;	       /* of all ends */
};

#define TV_GPU_NONE INT64_MIN

/* A row that is a slice. */
struct tv_gpu_row {
	int64_t start, end; /* ns; TV_GPU_NONE */
	bool open;	    /* the trace ends before it does */
	int64_t process;    /* in the file */
	const char *cat;
	uint32_t name;		       /* label */
	int64_t thread;		       /* of the host; of a stream what distinguishes it */
	int64_t device, stream, bytes; /* -1 = none: on the host */
	int64_t correlation;	       /* of one process; TV_GPU_NONE */
};

void tv_gpu_begin(struct tv_gpu *gpu, struct tv_chrome *c, const char *path);
/* Adds a row; one whose times are none, or end before they start, is counted and skipped. */
void tv_gpu_add(struct tv_gpu *gpu, const struct tv_gpu_row *row);
/* Rows that are open last until the last time of all; frees the maps. */
void tv_gpu_end(struct tv_gpu *gpu);

#endif
