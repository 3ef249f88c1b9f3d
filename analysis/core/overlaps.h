/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overlaps.h -- executions that begin before an earlier one on the same worker has ended.
 *
 * Executions of all kinds, in order of Start; those that take no time count if they begin within
 * another one. Streams of a device may overlap: these do not count. Cost O(rows log rows).
 */
#ifndef TV_OVERLAPS_H
#define TV_OVERLAPS_H

#include "analysis/core/run.h"

struct tv_overlaps {
	uint64_t n;
	uint32_t nworkers;     /* on which some are */
	uint64_t *of_worker;   /* tasks->nworkers */
	int64_t *first, *last; /* likewise, ns: the first start, and the latest end so far */
};

/* Adds the rows of a part of a trace (tv_run_rows) to those of earlier parts, to 0 first. */
void tv_overlaps_add(struct tv_overlaps *overlaps, const struct tv_tasks *tasks);

/* After all parts: those of all processes of the run's team. -1 with *err. */
int tv_overlaps_merge(struct tv_overlaps *overlaps, struct tv_run *run,
		      struct tv_error *err) TV_MUST_CHECK;

void tv_overlaps_init(struct tv_overlaps *overlaps, const struct tv_tasks *tasks);
void tv_overlaps_release(struct tv_overlaps *overlaps); /* safe on a zeroed struct */

/* Warns if there are any, naming their workers: *n executions. Their rows may come part by part. -1 with *err. */
int tv_warn_overlaps_of_rows(struct tv_run *run, uint64_t *n, struct tv_error *err) TV_MUST_CHECK;
/* The same of a run that has all rows. Returns how many. */
uint64_t tv_warn_overlaps(struct tv_run *run);

#endif
