/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * match.h -- which task of one run is which of another.
 *
 * Tasks (jobs that ran, see dag/dag.h) of the same type match if they have the same coordinates
 * (Iteration, X, Y, as the pass iterations tells them); those left over if they have the same Tag;
 * those still left over if they have the same JobId. A key counts only where one task of either run
 * has it. Types, tags and JobIds are compared as texts.
 */
#ifndef TV_MATCH_H
#define TV_MATCH_H

#include "analysis/passes.h"
#include "dag/dag.h"

enum tv_match_way { TV_BY_COORDINATES, TV_BY_TAG, TV_BY_JOB, TV_MATCH_WAYS };

extern const char *const tv_match_names[TV_MATCH_WAYS];

struct tv_match {
	const struct tv_dag *dag[2]; /* of the runs */
	uint32_t *partner;	     /* by node of the first: node of the second; TV_NONE */
	uint32_t ntasks[2];
	uint32_t nmatched, by[TV_MATCH_WAYS];
};

/* The runs must outlive it. -1 with *err: memory, a cycle. Release it in any case. Cost O(n log n).
 */
int tv_match_init(struct tv_match *match, struct tv_run *const run[2],
		  struct tv_error *err) TV_MUST_CHECK;
void tv_match_release(struct tv_match *match); /* safe on a zeroed struct */

#endif
