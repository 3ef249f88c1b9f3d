/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observed.h -- the chain of tasks that made the run last as long as it did.
 *
 * From the task that ended last, back to whichever ended last: its last dependency, a message
 * counting as one that ends when it arrived, or the previous task on one of its workers, i.e. the
 * last to end there before it started. A segment that created it counts to the creation. Ties: the
 * dependency, then the smaller JobId. A step is never taken twice.
 *
 * Source: V. Garcia Pinto, thesis, 2018, 5.1.5, for dependencies; following workers is ours.
 */
#ifndef TV_OBSERVED_H
#define TV_OBSERVED_H

#include "dag/dag.h"

enum tv_edge {
	TV_EDGE_NONE,
	TV_EDGE_DEPENDENCY,
	TV_EDGE_WORKER,
	TV_EDGE_MESSAGE,
	TV_EDGE_EXCLUSION,
	TV_EDGE_CREATION
};

/* A task or a message of the chain. */
struct tv_step {
	uint32_t node;
	enum tv_edge edge;  /* what it came after: the step before it, as a dependency or on its
				 * worker; MESSAGE: that step is a message; EXCLUSION: it held a
				 * handle; CREATION: it created this; NONE for the first */
	int64_t start, end; /* ns; cut to where the next step begins, or was created, and to the
				 * first Start of the run, so that steps never overlap */
};

struct tv_observed {
	struct tv_step *step; /* from first to last */
	uint32_t n;
};

/* workers false: dependencies only. Cost O(n log n). */
void tv_observed_init(struct tv_observed *observed, const struct tv_dag *dag, bool workers);
void tv_observed_release(struct tv_observed *observed);

#endif
