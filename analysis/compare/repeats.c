/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeats.c -- medians of repeated runs and distribution-free intervals. */
#include "analysis/compare/repeats.h"

#include <math.h>

#include "analysis/shared/statistics.h"
#include "trace/alloc.h"

static const double tail = (1 - TV_CONFIDENCE / 100.) / 2;

double tv_repeats_median(double *x, size_t n)
{
	tv_sort_numbers(x, n);
	return tv_quantile(x, n, 0.5);
}

struct tv_interval tv_repeats_interval(const double *x, size_t n)
{
	size_t k = 0;

	/* P(at most k of n values are below the median), as P(at least n - k are). */
	while (tv_binomial_tail((uint32_t)n, (uint32_t)(n - k), 0.5) <= tail)
		k++;
	return k == 0 ? (struct tv_interval){ 0 }
		      : (struct tv_interval){ true, x[k - 1], x[n - k] };
}

/*
 * P(U = u) for u <= most, into p[m * (most + 1) + u]. Of i and j runs the greatest value is one of
 * the i with probability i / (i + j), and then exceeds all j.
 */
static void mann_whitney(double *p, size_t n, size_t m, size_t most)
{
	for (size_t j = 0; j <= m; j++)
		p[j * (most + 1)] = 1;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			double *at = p + j * (most + 1);
			const double *fewer = at - (most + 1);
			double share = (double)i / (double)(i + j);

			for (size_t u = most + 1; u-- > 0;)
				at[u] = (1 - share) * fewer[u] + (u >= j ? share * at[u - j] : 0);
		}
}

int tv_repeats_cut(size_t n, size_t m, size_t *cut)
{
	size_t most = n * m / 2;
	double *p = tv_alloc((m + 1) * (most + 1), sizeof *p), sum = 0;

	*cut = 0;
	mann_whitney(p, n, m, most);
	/* A probability of exactly 2.5 % counts, whatever rounding makes of it. */
	while (*cut < most && (sum += p[m * (most + 1) + *cut]) <= tail * (1 + 1e-12))
		++*cut;
	tv_free(p);
	return 0;
}

struct tv_interval tv_repeats_between(const double *a, size_t n, const double *b, size_t m,
				      bool ratio, size_t cut, double typical, double *room)
{
	struct tv_interval interval = { .known = cut > 0 };
	size_t npairs = 0;

	for (size_t i = 0; i < n && interval.known; i++)
		for (size_t j = 0; j < m; j++) {
			if (ratio && !(a[i] > 0 && b[j] > 0))
				interval.known = false;
			room[npairs++] = ratio ? b[j] / a[i] : b[j] - a[i];
		}
	if (!interval.known)
		return interval;
	tv_sort_numbers(room, npairs);
	interval.low = fmin(room[cut - 1], typical);
	interval.high = fmax(room[npairs - cut], typical);
	return interval;
}
