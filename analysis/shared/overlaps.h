/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overlaps.h -- executions that begin before an earlier one on the same worker has ended.
 *
 * Executions of all kinds, in order of Start; those that take no time count if they begin within
 * another one. Cost O(rows log rows).
 */
#ifndef TV_OVERLAPS_H
#define TV_OVERLAPS_H

#include "analysis/passes.h"

struct tv_overlaps {
	uint64_t n;
	uint32_t nworkers;   /* on which some are */
	uint64_t *of_worker; /* view->nworkers */
};

/* -1 with *err on memory; release it in any case. */
int tv_overlaps_init(struct tv_overlaps *overlaps, const struct tv_tasks *tasks) TV_MUST_CHECK;
void tv_overlaps_release(struct tv_overlaps *overlaps); /* safe on a zeroed struct */

/* A remark with the workers, if there are any; *n: how many executions. */
int tv_remark_overlaps(struct tv_run *run, uint64_t *n) TV_MUST_CHECK;

#endif
