/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling.h -- how a time depends on a number of threads. */
#ifndef TV_SCALING_H
#define TV_SCALING_H

#include <stddef.h>

/* time = serial + parallel / threads, in the unit of the times. */
struct tv_scaling {
	double serial, parallel;
};

/*
 * The least squares of relative errors, (fit - time) / time, over n measurements with threads > 0
 * and time > 0; others are ignored. A result below 0 is set to 0, and the other one fitted alone. NaN
 * if there are fewer than two different numbers of threads. Source: Amdahl 1967. Cost O(n).
 */
struct tv_scaling tv_scaling_fit(const double *threads, const double *time, size_t n);
double tv_scaling_at(const struct tv_scaling *fit, double threads);

#endif
