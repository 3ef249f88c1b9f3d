/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_repeats.c -- medians and intervals over runs, against enumeration and tables. */
#include <math.h>

#include "analysis/compare/sides.h"
#include "tests/unit/unit.h"

static void medians(void **state)
{
	double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 }, one[] = { 7 };

	(void)state;
	assert_true(tv_repeats_median(odd, 3) == 2);
	assert_true(tv_repeats_median(even, 4) == 2.5);
	assert_true(tv_repeats_median(one, 1) == 7);
}

/* Ranks of the interval of a median, from any table of the sign test. */
static void order_statistics(void **state)
{
	static const struct {
		size_t n, k;
	} table[] = { { 1, 0 },	 { 5, 0 },  { 6, 1 },  { 8, 1 },  { 9, 2 },
		      { 11, 2 }, { 12, 3 }, { 20, 6 }, { 25, 8 }, { 50, 18 } };
	double x[50];

	(void)state;
	for (size_t i = 0; i < 50; i++)
		x[i] = (double)i + 1;
	for (size_t i = 0; i < TV_COUNT(table); i++) {
		struct tv_interval interval = tv_repeats_interval(x, table[i].n);

		assert_int_equal(interval.known, table[i].k > 0);
		if (interval.known) {
			assert_true(interval.low == (double)table[i].k);
			assert_true(interval.high == (double)(table[i].n + 1 - table[i].k));
		}
	}
}

/* The greatest k with 2 P(U < k) <= 5 %, over all ways to choose n of n + m places. */
static size_t cut_by_enumeration(size_t n, size_t m)
{
	uint64_t count[65] = { 0 }, all = 0, below = 0;
	size_t k = 0;

	for (uint32_t places = 0; places < 1u << (n + m); places++) {
		size_t chosen = 0, u = 0;

		for (size_t i = 0; i < n + m; i++)
			if (places >> i & 1)
				chosen++;
			else
				u += chosen;
		if (chosen != n)
			continue;
		count[u]++;
		all++;
	}
	while (40 * (below + count[k]) <= all)
		below += count[k++];
	return k;
}

static void cuts(void **state)
{
	/* Critical values of U for larger samples, two-sided 5 %, plus 1. */
	static const size_t table[][3] = { { 10, 10, 24 }, { 20, 20, 128 }, { 15, 12, 50 } };

	(void)state;
	for (size_t n = 1; n <= 7; n++)
		for (size_t m = 1; m <= 8; m++) {
			assert_int_equal(tv_repeats_cut(n, m), cut_by_enumeration(n, m));
			assert_int_equal(tv_repeats_cut(m, n), tv_repeats_cut(n, m));
		}
	for (size_t i = 0; i < TV_COUNT(table); i++)
		assert_int_equal(tv_repeats_cut(table[i][0], table[i][1]), table[i][2]);
	assert_in_range(tv_repeats_cut(TV_REPEATS_MAX, TV_REPEATS_MAX), 1630,
			1640); /* 2048 - 1.96 sqrt(64 64 129 / 12) */
}

static void shifts(void **state)
{
	const double a[] = { 10, 20, 30, 40 }, b[] = { 15, 25, 35, 80 };
	double room[16];
	struct tv_interval i = tv_repeats_between(a, 4, b, 4, false, 1, 5, room);

	(void)state;
	assert_true(i.known && i.low == -25 && i.high == 70);
	i = tv_repeats_between(a, 4, b, 4, true, 1, 1.2, room);
	assert_true(i.known && i.low == 15. / 40 && i.high == 8);
	i = tv_repeats_between(a, 4, b, 4, false, 3, 99, room);
	assert_true(i.known && i.low == -15 && i.high == 99);
	assert_false(tv_repeats_between(a, 4, b, 4, false, 0, 5, room).known);
	assert_false(tv_repeats_between((const double[]){ 0, 1, 2, 3 }, 4, b, 4, true, 1, 2, room)
			     .known);
}

/* The interval holds the true shift in at least 95 % of samples of a skewed distribution. */
static void coverage(void **state)
{
	enum { ROUNDS = 4000, N = 6, M = 5 };
	uint64_t seed = unit_seed(141421);
	double room[N * M];
	size_t cut;
	int held = 0;

	(void)state;
	cut = tv_repeats_cut(N, M);
	for (int round = 0; round < ROUNDS; round++) {
		double a[N], b[M];

		for (size_t k = 0; k < N; k++)
			a[k] = exp((double)unit_random(&seed, 1000000) / 3e5);
		for (size_t k = 0; k < M; k++)
			b[k] = 1.25 * exp((double)unit_random(&seed, 1000000) / 3e5);
		tv_repeats_between(a, N, b, M, true, cut, 1.25, room);
		/* Not the interval itself, which is widened to hold the value given. */
		held += room[cut - 1] <= 1.25 && room[N * M - cut] >= 1.25;
	}
	assert_in_range(held, (int)(0.945 * ROUNDS), (int)(0.985 * ROUNDS));
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(medians),  cmocka_unit_test(order_statistics),
		cmocka_unit_test(cuts),	    cmocka_unit_test(shifts),
		cmocka_unit_test(coverage),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
