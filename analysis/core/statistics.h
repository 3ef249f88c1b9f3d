/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * statistics.h -- quantiles, moments and tail probabilities, as several passes need them.
 *
 * Quantiles are of type 7 (R's default): of sorted x[0..n), h = (n - 1) p, the result is x[floor h]
 * and the linear interpolation to the next. n > 0 everywhere. Deterministic: no result depends on
 * more than the values and their order.
 */
#ifndef TV_STATISTICS_H
#define TV_STATISTICS_H

#include "trace/number.h"

void tv_sort_times(int64_t *x, size_t n);
void tv_sort_numbers(double *x, size_t n); /* no NaN */

/* Brings to each of these places the number that sorting would bring there; all others may be lost. Cost O(n), and sorting a
 * few thousandths of the numbers if they are spread evenly. */
void tv_select_times(int64_t *x, size_t n, const size_t *place, size_t nplaces);
/* Likewise to the places that the quantiles num[i]/den look at; n > 0. */
void tv_select_quantiles(int64_t *x, size_t n, const uint32_t *num, size_t nnum, uint32_t den);

/* den times the quantile num/den of sorted x, exactly; 0 <= num <= den <= 2^16. */
tv_int128 tv_quantile_exact(const int64_t *x, size_t n, uint32_t num, uint32_t den);
/* Both of n > 0 numbers below 2^32. */
void tv_select_in_short(uint32_t *x, size_t n, const uint32_t *num, size_t nnum, uint32_t den);
tv_int128 tv_quantile_in_short(const uint32_t *x, size_t n, uint32_t num, uint32_t den);
/* The same divided by den, rounded half up. */
int64_t tv_quantile_ns(const int64_t *x, size_t n, uint32_t num, uint32_t den);
double tv_quantile(const double *x, size_t n, double p);

/* Mean, and standard deviation with divisor n - 1 (NaN for n = 1). Two passes. */
struct tv_mean_sd {
	double mean, sd;
};
struct tv_mean_sd tv_mean_sd(const double *x, size_t n);

/* The logarithm of the number of ways to choose k of n; k <= n. */
double tv_log_choose(uint32_t n, uint32_t k);
/* P(K >= k) of n trials with probability p each. */
double tv_binomial_tail(uint32_t n, uint32_t k, double p);
/* The t with P(|T| <= t) = level of Student's distribution, freedom >= 1, 0 < level < 1. */
double tv_student(double level, double freedom);

#endif
