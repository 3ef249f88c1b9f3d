/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_statistics.c -- quantiles, moments and tails against long sums and published tables. */
#include <math.h>

#include "tests/unit/unit.h"

#include "analysis/core/statistics.h"

enum { ROUNDS = 2000, MOST = 30 };

static void quantiles(void **state)
{
	uint64_t seed = unit_seed(3);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		size_t n = 1 + unit_random(&seed, MOST);
		uint32_t den = 1 + (uint32_t)unit_random(&seed, 100);
		uint32_t num = (uint32_t)unit_random(&seed, den + 1);
		int64_t x[MOST];
		double y[MOST];
		long double h = (long double)(n - 1) * num / den, low, want;
		size_t at;

		for (size_t i = 0; i < n; i++)
			x[i] = (int64_t)unit_random(&seed, 1000) - 500;
		tv_sort_times(x, n);
		for (size_t i = 0; i < n; i++) {
			y[i] = (double)x[i];
			assert_true(i == 0 || x[i - 1] <= x[i]);
		}
		/* The position in whole numbers, so that it is not one too low. */
		at = (n - 1) * num / den;
		low = (long double)at;
		want = x[at] + (at + 1 < n ? (h - low) * (long double)(x[at + 1] - x[at]) : 0);
		assert_true(fabsl((long double)tv_quantile_exact(x, n, num, den) - want * den)
			    < 1e-9L);
		assert_true(fabsl((long double)tv_quantile_ns(x, n, num, den) - want)
			    < 0.5L + 1e-9L);
		assert_true(fabs(tv_quantile(y, n, (double)num / den) - (double)want) < 1e-9);
	}
	assert_int_equal(tv_quantile_ns((int64_t[]){ -3, -2 }, 2, 1, 2), -2);
	assert_int_equal(tv_quantile_ns((int64_t[]){ 2, 3 }, 2, 1, 2), 3);
	assert_int_equal(tv_quantile_ns((int64_t[]){ 7 }, 1, 99, 100), 7);
}

/* The numbers at some places, of any spread, are those of sorting all. */
static void selection(void **state)
{
	enum { PLACES = 5, MANY = 20000 };
	uint64_t seed = unit_seed(9);
	int64_t *x = test_calloc(MANY, sizeof *x), *sorted = test_calloc(MANY, sizeof *x);

	(void)state;
	for (int round = 0; round < 60; round++) {
		const uint64_t spread[] = { 1, 3, 5000, 1 << 30, UINT64_MAX / 2 };
		size_t n = 1 + unit_random(&seed, round % 2 == 0 ? MANY : MOST), place[PLACES];

		for (size_t i = 0; i < n; i++) {
			/* Most of them in one bucket, or all anywhere, also at both ends of 64 bits. */
			bool far = unit_random(&seed, 100) == 0;

			x[i] = (int64_t)unit_random(&seed, spread[round % 5]) - 1;
			x[i] = far && round % 3 == 0 ? (x[i] % 2 ? INT64_MIN : INT64_MAX) : x[i];
			sorted[i] = x[i];
		}
		tv_sort_times(sorted, n);
		for (size_t i = 0; i < PLACES; i++)
			place[i] = unit_random(&seed, (uint64_t)n);
		place[0] = 0;
		place[1] = n - 1;
		tv_select_times(x, n, place, PLACES);
		for (size_t i = 0; i < PLACES; i++)
			assert_true(x[place[i]] == sorted[place[i]]);
	}
	test_free(x);
	test_free(sorted);
}

/* Quantiles of few and of many numbers in short are those of the sorted ones, also near 2^32. */
static void in_short(void **state)
{
	enum { MANY = 20000, NUMS = 4 };
	static const uint32_t num[NUMS] = { 0, 37, 50, 100 };
	uint64_t seed = unit_seed(11);
	uint32_t *x = test_calloc(MANY, sizeof *x);
	int64_t *sorted = test_calloc(MANY, sizeof *sorted);

	(void)state;
	for (int round = 0; round < 60; round++) {
		const uint64_t spread[] = { 1, 3, 5000, 1 << 30, (uint64_t)1 << 32 };
		size_t n = 1 + unit_random(&seed, round % 2 == 0 ? MANY : MOST);

		for (size_t i = 0; i < n; i++)
			sorted[i] = x[i] = (uint32_t)unit_random(&seed, spread[round % 5])
					 - (unit_random(&seed, 50) == 0);
		tv_sort_times(sorted, n);
		tv_select_in_short(x, n, num, NUMS, 100);
		for (size_t i = 0; i < NUMS; i++)
			assert_true(tv_quantile_in_short(x, n, num[i], 100)
				    == tv_quantile_exact(sorted, n, num[i], 100));
	}
	test_free(x);
	test_free(sorted);
}

static void moments(void **state)
{
	uint64_t seed = unit_seed(5);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		size_t n = 1 + unit_random(&seed, MOST);
		int64_t x[MOST];
		long double mean = 0, squares = 0;
		struct tv_mean_sd m;
		double y[MOST];

		for (size_t i = 0; i < n; i++) {
			x[i] = (int64_t)unit_random(&seed, 1000);
			mean += (long double)x[i] / (long double)n;
		}
		for (size_t i = 0; i < n; i++) {
			squares += ((long double)x[i] - mean) * ((long double)x[i] - mean);
			y[i] = (double)x[i] / 8;
		}
		m = tv_mean_sd(y, n);
		assert_true(fabsl(m.mean - mean / 8) < 1e-10L);
		assert_int_equal(isnan(m.sd), n == 1);
		assert_true(n == 1
			    || fabsl(m.sd - sqrtl(squares / (long double)(n - 1)) / 8) < 1e-9L);
	}
}

/* Tails of the binomial distribution term by term. */
static void binomial(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= 40; n++)
		for (int percent = 1; percent < 100; percent += 7) {
			long double p = percent / 100.0L, term[41], tail = 0;

			for (uint32_t k = 0; k <= n; k++) {
				term[k] = powl(p, k) * powl(1 - p, n - k);
				for (uint32_t i = 0; i < k; i++)
					term[k] *= (long double)(n - i) / (i + 1);
			}
			for (uint32_t k = n + 1; k-- > 0;) {
				tail += term[k];
				assert_true(fabsl(tv_binomial_tail(n, k, (double)p) - tail)
					    < 1e-12L * tail + 1e-15L);
			}
		}
	assert_true(fabs(tv_log_choose(40, 4) - log(91390)) < 1e-12 && tv_log_choose(7, 7) == 0);
	assert_true(tv_binomial_tail(5, 6, 0.5) == 0);
	assert_true(tv_binomial_tail(5, 5, 1) == 1 && tv_binomial_tail(5, 1, 0) == 0);
}

/* Two-sided points of Student's distribution, from its published tables. */
static void student(void **state)
{
	static const struct {
		double level, freedom, t;
	} row[] = {
		{ 0.95, 1, 12.706205 }, { 0.95, 2, 4.302653 },	{ 0.95, 5, 2.570582 },
		{ 0.95, 10, 2.228139 }, { 0.95, 30, 2.042272 }, { 0.95, 1000, 1.962339 },
		{ 0.99, 4, 4.604095 },	{ 0.90, 20, 1.724718 }, { 0.95, 1e7, 1.959964 },
		{ 0.5, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++)
		if (fabs(tv_student(row[i].level, row[i].freedom) - row[i].t) > 1e-6)
			fail_msg("row %zu: %.9g", i, tv_student(row[i].level, row[i].freedom));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles), cmocka_unit_test(selection),
		cmocka_unit_test(in_short),  cmocka_unit_test(moments),
		cmocka_unit_test(binomial),  cmocka_unit_test(student),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
