/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observations.h -- values of several variables that belong together: of the same resource and interval.
 */
#ifndef TV_OBSERVATIONS_H
#define TV_OBSERVATIONS_H

#include "analysis/machine/samples.h"

struct tv_observations {
	struct tv_sample *at; /* their resources and intervals, by resource and time */
	size_t n;
	uint32_t *type; /* labels of the variables */
	size_t width;
	double *x; /* observation i, variable k: x[i * width + k] */
};

/*
 * names: variables, with commas between. Only observations in which all of them have a value; the others
 * are counted in a warning. level: NULL, or the level of the machine whose sums they are. -1 with *err: an
 * unknown or repeated name, or no observation. Release in any case. O(n log n).
 */
int tv_observations_init(struct tv_observations *o, struct tv_run *run, const char *names,
			 const char *level, struct tv_error *err) TV_MUST_CHECK;
void tv_observations_release(struct tv_observations *o); /* safe on a zeroed struct */

#endif
