/* SPDX-License-Identifier: GPL-3.0-or-later */
/* statistics.c -- quantiles, moments and tail probabilities. */
#include "analysis/core/statistics.h"

#include <float.h>
#include <math.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

void tv_sort_times(int64_t *x, size_t n)
{
	tv_sort_by_time(x, n, sizeof *x, 0, NULL);
}

void tv_sort_numbers(double *x, size_t n)
{
	tv_sort_by_number(x, n, sizeof *x, 0, NULL);
}

enum { FEW = 4096, BUCKETS = 4096 };

/* Numbers by size: buckets of as many ns each. */
struct buckets {
	int64_t min;
	int shift;
	size_t first[BUCKETS + 1]; /* place of the smallest number of each */
	size_t copied[BUCKETS];	   /* 1 + where those that are copied begin; 0 = they are not */
};

static size_t bucket_of(const struct buckets *buckets, int64_t number)
{
	return (size_t)(((uint64_t)number - (uint64_t)buckets->min) >> buckets->shift);
}

/* Number i of an array: of int64_t, or in short of uint32_t. */
static inline int64_t number_at(const void *x, bool in_short, size_t i)
{
	return in_short ? (int64_t)((const uint32_t *)x)[i] : ((const int64_t *)x)[i];
}

static inline void fill_buckets(struct buckets *buckets, const void *x, bool in_short, size_t n)
{
	int64_t min = number_at(x, in_short, 0), max = min;

	for (size_t i = 1; i < n; i++) {
		int64_t number = number_at(x, in_short, i);

		min = number < min ? number : min;
		max = number > max ? number : max;
	}
	buckets->min = min;
	while (bucket_of(buckets, max) >= BUCKETS)
		buckets->shift++;
	for (size_t i = 0; i < n; i++)
		buckets->first[bucket_of(buckets, number_at(x, in_short, i)) + 1]++;
	for (size_t b = 0; b < BUCKETS; b++)
		buckets->first[b + 1] += buckets->first[b];
}

static size_t bucket_at(const struct buckets *buckets, size_t place)
{
	size_t b;

	TV_LOWER_BOUND(b, 0, BUCKETS, buckets->first[b + 1] <= place);
	return b;
}

/* Inlined, for either type: brings numbers to their places. */
static inline __attribute__((always_inline)) void select_places(void *x, bool in_short, size_t n,
								const size_t *place, size_t nplaces)
{
	struct buckets *buckets = tv_alloc(1, sizeof *buckets);
	size_t ncopied = 0;
	int64_t *copy;

	fill_buckets(buckets, x, in_short, n);
	for (size_t i = 0; i < nplaces; i++) {
		size_t b = bucket_at(buckets, place[i]);

		if (buckets->copied[b] == 0) {
			buckets->copied[b] = ncopied + 1;
			ncopied += buckets->first[b + 1] - buckets->first[b];
		}
	}
	copy = tv_alloc(ncopied, sizeof *copy);
	for (size_t i = 0; i < n; i++) {
		int64_t number = number_at(x, in_short, i);
		size_t *at = &buckets->copied[bucket_of(buckets, number)];

		if (*at > 0)
			copy[(*at)++ - 1] = number;
	}
	for (size_t i = 0; i < nplaces; i++) {
		size_t b = bucket_at(buckets, place[i]);
		size_t size = buckets->first[b + 1] - buckets->first[b];
		int64_t *its = copy + buckets->copied[b] - 1 - size;

		tv_sort_times(its, size);
		if (in_short)
			((uint32_t *)x)[place[i]] = (uint32_t)its[place[i] - buckets->first[b]];
		else
			((int64_t *)x)[place[i]] = its[place[i] - buckets->first[b]];
	}
	tv_free(copy);
	tv_free(buckets);
}

void tv_select_times(int64_t *x, size_t n, const size_t *place, size_t nplaces)
{
	if (n <= FEW)
		tv_sort_times(x, n);
	else
		select_places(x, false, n, place, nplaces);
}

/* The places that quantiles look at, 2 * nnum at most; to be freed. */
static size_t *places_of(size_t n, const uint32_t *num, size_t nnum, uint32_t den, size_t *nplaces)
{
	size_t *place = tv_alloc(2 * nnum, sizeof *place);

	*nplaces = 0;
	for (size_t i = 0; i < nnum; i++) {
		size_t at = (size_t)((uint64_t)(n - 1) * num[i] / den);

		place[(*nplaces)++] = at;
		if (at + 1 < n)
			place[(*nplaces)++] = at + 1;
	}
	return place;
}

void tv_select_quantiles(int64_t *x, size_t n, const uint32_t *num, size_t nnum, uint32_t den)
{
	size_t nplaces, *place = places_of(n, num, nnum, den, &nplaces);

	tv_select_times(x, n, place, nplaces);
	tv_free(place);
}

static void sort_in_short(uint32_t *x, size_t n)
{
	int64_t *number = tv_alloc(n, sizeof *number);

	for (size_t i = 0; i < n; i++)
		number[i] = x[i];
	tv_sort_times(number, n);
	for (size_t i = 0; i < n; i++)
		x[i] = (uint32_t)number[i];
	tv_free(number);
}

void tv_select_in_short(uint32_t *x, size_t n, const uint32_t *num, size_t nnum, uint32_t den)
{
	size_t nplaces, *place;

	if (n <= FEW) {
		sort_in_short(x, n);
		return;
	}
	place = places_of(n, num, nnum, den, &nplaces);
	select_places(x, true, n, place, nplaces);
	tv_free(place);
}

/* den times a quantile that lies between a number and the one behind it. */
static tv_int128 quantile_at(const void *x, bool in_short, size_t n, uint32_t num, uint32_t den)
{
	uint64_t h = (uint64_t)(n - 1) * num;
	size_t at = (size_t)(h / den);
	uint32_t rest = (uint32_t)(h % den);
	tv_int128 number = number_at(x, in_short, at);

	return den * number + (rest == 0 ? 0 : rest * (number_at(x, in_short, at + 1) - number));
}

tv_int128 tv_quantile_in_short(const uint32_t *x, size_t n, uint32_t num, uint32_t den)
{
	return quantile_at(x, true, n, num, den);
}

tv_int128 tv_quantile_exact(const int64_t *x, size_t n, uint32_t num, uint32_t den)
{
	return quantile_at(x, false, n, num, den);
}

int64_t tv_quantile_ns(const int64_t *x, size_t n, uint32_t num, uint32_t den)
{
	tv_int128 twice = 2 * tv_quantile_exact(x, n, num, den) + den, unit = 2 * (tv_int128)den;
	tv_int128 whole = twice / unit;

	return (int64_t)(whole - (twice % unit < 0));
}

double tv_quantile(const double *x, size_t n, double p)
{
	double h = (double)(n - 1) * p, low = floor(h);
	size_t at = (size_t)low;

	return at + 1 < n ? x[at] + (h - low) * (x[at + 1] - x[at]) : x[n - 1];
}

struct tv_mean_sd tv_mean_sd(const double *x, size_t n)
{
	struct tv_mean_sd m = { 0, NAN };
	double squares = 0, rest = 0;

	for (size_t i = 0; i < n; i++)
		m.mean += x[i] / (double)n;
	/* The mean's own rounding is taken out again by the sum of what remains. */
	for (size_t i = 0; i < n; i++) {
		squares += (x[i] - m.mean) * (x[i] - m.mean);
		rest += x[i] - m.mean;
	}
	m.mean += rest / (double)n;
	if (n > 1)
		m.sd = sqrt(fmax(0, squares - rest * rest / (double)n) / (double)(n - 1));
	return m;
}

/* The continued fraction of I_x(a, b), by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = DBL_MIN / DBL_EPSILON;
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int i = 1; i <= 10000; i++) {
		double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
		double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON)
			break;
	}
	return h;
}

/* I_x(a, b), the regularized incomplete beta function; a, b > 0, 0 <= x <= 1. By its continued
 * fraction [Numerical Recipes, 6.4], relative error about 1e-14. */
static double incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	/* The fraction converges fast on this side of the mean only. */
	return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
					 : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double tv_log_choose(uint32_t n, uint32_t k)
{
	return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

double tv_binomial_tail(uint32_t n, uint32_t k, double p)
{
	return k == 0 ? 1 : k > n ? 0 : incomplete_beta(k, (double)(n - k) + 1, p);
}

double tv_student(double level, double freedom)
{
	double low = 0, high = 1;

	/* P(|T| > t) = I_x(freedom / 2, 1 / 2) with x = freedom / (freedom + t^2), falling in t. */
	for (int i = 0; i < 200; i++) {
		double x = (low + high) / 2;

		if (incomplete_beta(freedom / 2, 0.5, x) < 1 - level)
			low = x;
		else
			high = x;
	}
	return sqrt(freedom * (1 - high) / high);
}
