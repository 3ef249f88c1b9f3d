/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sides.h -- runs that are compared: one per label, or several that repeat each other; their
 * executions by task type and worker type. */
#ifndef TV_SIDES_H
#define TV_SIDES_H

#include "analysis/shared/common.h"

/* Executions of a task type on a worker type, on either side. Texts are of the runs. */
struct tv_exchange {
	const char *value, *rtype; /* "" where missing */
	int64_t n[2];
	tv_int128 time[2]; /* sum, ns */
};

struct tv_exchanges {
	struct tv_exchange *at; /* by value, then rtype, in natural order */
	size_t n, cap;
};

/* Adds the executions of a run, which must outlive the list, to one side (0 or 1). -1 with *err. */
int tv_exchanges_add(struct tv_exchanges *list, struct tv_run *run, int side,
		     struct tv_error *err) TV_MUST_CHECK;
void tv_exchanges_release(struct tv_exchanges *list); /* safe on a zeroed struct */

struct tv_side {
	const char *label;
	struct tv_run **run;
	size_t n;
};

/* The run with the median makespan; of an even number the shorter one in the middle. n > 0. */
struct tv_run *tv_side_median(const struct tv_side *side);

/* Mean durations of all executions of some sides, for tv_run.weights. */
struct tv_side_weights {
	bool named; /* there is such a side; else the name is that of a file, or NULL */
	struct tv_named_weights weights;
	struct tv_exchanges pool; /* what they are taken from */
};

/* name: pool (all sides), a label, or anything else, which gives none; borrowed, as the runs are.
 * -1 with *err. Release it in any case. */
int tv_side_weights_init(struct tv_side_weights *weights, const struct tv_side *side, size_t n,
			 const char *name, struct tv_error *err) TV_MUST_CHECK;
void tv_side_weights_release(struct tv_side_weights *weights); /* safe on a zeroed struct */

#endif
