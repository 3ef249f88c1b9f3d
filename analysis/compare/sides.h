/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sides.h -- runs that are compared: one per label, or several that repeat each other. */
#ifndef TV_SIDES_H
#define TV_SIDES_H

#include "analysis/compare/exchanges.h"

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
