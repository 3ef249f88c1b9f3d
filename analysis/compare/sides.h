/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sides.h -- runs that are compared: one per label, or several that repeat each other; their
 * executions by task type and worker type; medians and intervals over repeats. */
#ifndef TV_SIDES_H
#define TV_SIDES_H

#include "analysis/core/run.h"
#include "trace/number.h"

#define TV_CONFIDENCE 95      /* percent */
enum { TV_REPEATS_MAX = 64 }; /* runs of one label */

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

/* Whether no run has tasks, but each has threads (calls/thread_time.h): then these are compared. */
bool tv_sides_are_threads(const struct tv_side *side, size_t n);

/* A failure of a pass, in *err, is one of the side's runs. */
void tv_side_failed(const struct tv_side *side, struct tv_error *err);

/* The run with the median makespan, of a run without tasks the time of its threads; of an even number the shorter one in the middle. n > 0. */
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

/*
 * Intervals over repeats hold whatever the distribution is: they cover the true value with at least
 * 95 % probability, if the runs are independent. Where there are too few runs for that, no interval
 * is known. Exact for few runs, wider with ties.
 */
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
 * 0 < n, m <= TV_REPEATS_MAX. Cost O((n m)^2).
 *
 * Source: H. B. Mann and D. R. Whitney, 1947; the interval is that of J. L. Hodges and E. L.
 * Lehmann, 1963.
 */
size_t tv_repeats_cut(size_t n, size_t m);

/*
 * The interval of the difference b - a or, if ratio, of the quotient b / a: from the cut-th smallest
 * to the cut-th greatest of all pairs. It assumes that the distributions differ by that shift or
 * factor only. Widened to contain `typical`, the value that is printed beside it. Not known for cut
 * 0, nor for a ratio of numbers that are not above 0. buffer: for n x m numbers; receives all of
 * them, sorted.
 */
struct tv_interval tv_repeats_between(const double *a, size_t n, const double *b, size_t m,
				      bool ratio, size_t cut, double typical, double *buffer);

#endif
