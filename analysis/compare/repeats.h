/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * repeats.h -- what repeated runs say about a number: its median, and intervals that hold whatever
 * the distribution is.
 *
 * An interval covers the true value with at least 95 % probability, if the runs are independent; it
 * is not known where there are too few of them for that. Exact for few runs, wider with ties.
 */
#ifndef TV_REPEATS_H
#define TV_REPEATS_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/error.h"

#define TV_CONFIDENCE 95      /* percent */
enum { TV_REPEATS_MAX = 64 }; /* runs of one label */

struct tv_interval {
	bool known;
	double low, high;
};

/* Median of x[0..n) (the mean of the two in the middle), n > 0. Sorts x. */
double tv_repeats_median(double *x, size_t n);

/* The interval of the median between two order statistics: from 6 runs on. x is sorted. */
struct tv_interval tv_repeats_interval(const double *x, size_t n);

/*
 * How many of the n x m pairs, ordered by difference, to leave out at either end for the interval
 * of the shift between samples of n and m runs: the greatest k with 2 P(U < k) <= 5 %, where U is
 * Mann-Whitney's statistic; 0 = no interval (fewer than 4 and 4, 3 and 5, 2 and 8 runs).
 * 0 < n, m <= TV_REPEATS_MAX. -1 with *err on memory. Cost O((n m)^2).
 *
 * Source: H. B. Mann and D. R. Whitney, 1947; the interval is that of J. L. Hodges and E. L.
 * Lehmann, 1963.
 */
int tv_repeats_cut(size_t n, size_t m, size_t *cut) TV_MUST_CHECK;

/*
 * The interval of how much greater (or, ratio, how many times as great) b is than a: of all
 * differences b - a, or quotients b / a, the cut-th smallest to the cut-th greatest. It supposes
 * that the distributions differ by that shift or factor only. Widened to hold `typical`, the value
 * that is printed beside it. Not known for cut 0, nor for a ratio of numbers that are not above 0.
 * room: for n x m numbers; receives all of them, sorted.
 */
struct tv_interval tv_repeats_between(const double *a, size_t n, const double *b, size_t m,
				      bool ratio, size_t cut, double typical, double *room);

#endif
