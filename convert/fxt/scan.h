/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan.h -- what a first walk over an FxT file finds: which StarPU wrote it, its rank, its
 * clock, how much is damaged; and the correction of clocks across ranks.
 *
 * Source of the correction: StarPU's converter (docs/formats/fxt.md, "Time").
 */
#ifndef TV_FXT_SCAN_H
#define TV_FXT_SCAN_H

#include "convert/fxt/file.h"
#include "convert/fxt/shapes.h"
#include "trace/trace.h"

struct tv_fxt_facts {
	uint64_t events;
	uint64_t starts;	   /* START_CODELET_BODY of code on a worker */
	uint64_t starts_elsewhere; /* of code that names no worker */
	uint64_t starts_empty;	   /* of tasks without code */
	uint64_t submits;	   /* TASK_SUBMIT */
	uint64_t first, last;	   /* ns, recorder's clock: first record, latest time */
	enum tv_fxt_generation generation;
	bool ranked; /* rank and world come from the file */
	int64_t rank, world;
	uint64_t key;	  /* of the MPI run; equal in all its files */
	unsigned nsync;	  /* barriers seen; the first two are used */
	uint64_t sync[2]; /* ns, recorder's clock */
	bool flushed;	  /* the recorder's buffer overflowed once or more */
};

/* Walks over the whole file and fills *facts. Bytes without a record, records of an impossible
 * time or layout and a truncated end are counted in the trace. -1 with *err when there is no event,
 * or when events show a version of StarPU that is not known. */
int tv_fxt_scan(const struct tv_fxt_file *file, struct tv_trace *trace, struct tv_fxt_facts *facts,
		struct tv_error *err) TV_MUST_CHECK;

/* From the recorder's clock to the trace's: ns since the first event, plus an offset that is
 * constant before the first barrier and after the second and linear in between. */
struct tv_fxt_clock {
	uint64_t first;
	unsigned nsync;
	int64_t sync[2]; /* ns since first */
	int64_t offset[2];
	int64_t shift; /* added to all times */
};

/* The clocks of the n files of one run: both barriers coincide on all ranks; only the first does
 * where a rank has no second one. */
void tv_fxt_clocks(const struct tv_fxt_facts *const *facts, struct tv_fxt_clock *const *clock,
		   size_t n);
int64_t tv_fxt_time(const struct tv_fxt_clock *clock, uint64_t time);

#endif
