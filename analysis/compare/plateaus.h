/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plateaus.h -- where the mean of a series of numbers changes.
 *
 * Of n numbers in order, cut into the first k and the rest, with means a and b, the statistic is k (n - k) / n (a - b)^2, the
 * part of the sum of squares that the cut explains. The cut with the largest one is a change point if at most 1 % of random
 * orders of the same numbers have a cut with as large a statistic (10000 orders, one of them that of the series; always the
 * same random numbers). Where it is none, a shift may have ended again: the same test of k numbers that follow each other
 * against those before and behind them; then that of the two ends is a change point whose cut has the larger statistic. Both
 * parts are searched in the same way. At last each change point is searched again between those before and behind it, so that
 * it moves to the better place or goes. A part, also of the second test, has two numbers or more. Numbers of a group, the
 * repeats of one run, are not cut apart.
 *
 * So a series that only varies at random has a change point with a probability of 2 % at most. 5 and 5 numbers are the fewest
 * with one, as 2 of 252 orders separate them.
 *
 * Source: binary segmentation, A. J. Scott, M. Knott, 1974; shifts that end, A. B. Olshen et al., 2004; the test by permutation as D. S. Matteson, N. A. James, 2014.
 */
#ifndef TV_PLATEAUS_H
#define TV_PLATEAUS_H

#include <stddef.h>

enum { TV_PLATEAUS_MIN = 10 }; /* numbers; with fewer there is no change point */

struct tv_plateau {
	size_t first; /* group with which it begins */
	double mean;  /* of the numbers to the next plateau */
	double chance; /* of the change point at its begin: share of orders; NaN of the first plateau */
};

/*
 * Group g is x[begin[g] .. begin[g + 1] - 1], none empty; ngroups > 0. Fills plateau[], which has place for ngroups, in order;
 * how many. Cost: at most 10000 orders for each change point, some hundred where there is none, each O(n) in the first test and
 * O(groups^2) in the second.
 */
size_t tv_plateaus(const double *x, const size_t *begin, size_t ngroups,
		   struct tv_plateau *plateau);

#endif
