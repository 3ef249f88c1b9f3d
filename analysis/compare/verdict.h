/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.h -- the difference of two runs in one sentence. */
#ifndef TV_VERDICT_H
#define TV_VERDICT_H

#include "analysis/compare/decompose.h"
#include "analysis/compare/sides.h"

/* Runs are about equal where the makespan changes by less than the first, or by less than the second
 * and the terms cancel: what is left of them is less than TV_CANCELLED of either side. Percent. */
#define TV_EQUAL	   1
#define TV_EQUAL_CANCELLED 5
#define TV_CANCELLED	   5

struct tv_verdict {
	const char *label[2];
	double makespan_ms[2]; /* with repeats their median */
	size_t nruns[2];
	struct tv_interval ratio;		      /* over runs */
	const struct tv_decomposition *decomposition; /* of the runs shown */
	struct tv_run *run[2];			      /* these */
};

/* The sentence, in new memory. */
char *tv_verdict(const struct tv_verdict *verdict);

#endif
