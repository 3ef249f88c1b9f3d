/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_plateaus.c -- change points: planted ones, the share of orders by enumeration, series that only vary at random. */
#include <math.h>

#include "analysis/compare/plateaus.h"
#include "tests/unit/unit.h"
#include "trace/random.h"

enum { MAX = 400 };

static size_t find(const double *x, size_t n, size_t group, struct tv_plateau *plateau)
{
	size_t begin[MAX + 1], ngroups = 0;

	for (size_t i = 0; i < n; i += group)
		begin[ngroups++] = i;
	begin[ngroups] = n;
	return tv_plateaus(x, begin, ngroups, plateau);
}

/* Of n numbers, 1 where the bit of `places` is set and else 0: the statistic of those from i to end - 1 against the others. */
static double statistic(unsigned n, uint32_t places, unsigned i, unsigned end)
{
	unsigned k = end - i, all = (unsigned)__builtin_popcount(places),
		 sum = (unsigned)__builtin_popcount(places >> i & ((1u << k) - 1));
	double change = (double)sum / k - (double)(all - sum) / (n - k);

	return k < 2 || n - k < 2 ? 0 : (double)k * (n - k) / n * change * change;
}

/* The largest of a cut; between: of numbers that follow each other, neither end of the series among them. */
static double largest(unsigned n, uint32_t places, bool between)
{
	double max = 0;

	for (unsigned i = between; i < (between ? n : 1); i++)
		for (unsigned end = i + 1; end < n; end++)
			max = fmax(max, statistic(n, places, i, end));
	return max;
}

/* The share of all orders of these numbers with as large a one. */
static double share_of_orders(unsigned n, uint32_t places, bool between)
{
	double all = 0, as_large = 0, best = largest(n, places, between);

	for (uint32_t other = 0; other < 1u << n; other++)
		if (__builtin_popcount(other) == __builtin_popcount(places)) {
			all++;
			as_large += largest(n, other, between) >= best - 1e-9;
		}
	return as_large / all;
}

/* What is found of the numbers; shares near 1 % may be above or below it by chance. */
static void check(unsigned n, uint32_t places, unsigned first, unsigned or, unsigned *tested)
{
	double share = share_of_orders(n, places, false), x[MAX];
	struct tv_plateau plateau[MAX];
	size_t found;

	for (unsigned i = 0; i < n; i++)
		x[i] = places >> i & 1;
	found = find(x, n, 1, plateau);
	if (share > 0.008 && share < 0.013)
		return;
	if (share > 0.013)
		share = share_of_orders(n, places, true);
	if (n < TV_PLATEAUS_MIN || share > 0.013)
		assert_int_equal(found, 1);
	else if (share < 0.008) {
		assert_true(found > 1);
		assert_true(plateau[1].first == first || plateau[1].first == or);
		assert_true(fabs(plateau[1].chance - share) < 0.003);
		++*tested;
	}
}

static void chance_is_the_share_of_orders(void **state)
{
	unsigned steps = 0, bumps = 0;

	(void)state;
	for (unsigned n = 9; n <= 14; n++)
		for (unsigned ones = 3; ones <= 7; ones++) {
			uint32_t step = ((1u << ones) - 1) << (n - ones), bump = step >> 3;
			unsigned begin = n - 3 - ones, end = n - 3;

			double change = statistic(n, bump, 0, begin) - statistic(n, bump, 0, end);

			check(n, step, n - ones, n - ones, &steps);
			/* The end of the bump that is the better cut, or any of two that are as good. */
			check(n, bump, change > -1e-9 ? begin : end, change < 1e-9 ? end : begin,
			      &bumps);
		}
	assert_true(steps > 7 && bumps > 1);
}

/* Noise of +-1 around means that differ by 3. */
static void planted_shifts(void **state)
{
	uint64_t random = 7;
	struct tv_plateau plateau[MAX];
	double x[MAX];

	(void)state;
	for (size_t i = 0; i < 90; i++)
		x[i] = (i < 30 ? 100 : i < 50 ? 103 : 106) + 2 * tv_random_share(&random) - 1;
	assert_int_equal(find(x, 90, 1, plateau), 3);
	assert_int_equal(plateau[0].first, 0);
	assert_int_equal(plateau[1].first, 30);
	assert_int_equal(plateau[2].first, 50);
	assert_true(isnan(plateau[0].chance) && plateau[1].chance <= 0.01);
	assert_true(fabs(plateau[1].mean - 103) < 0.5 && fabs(plateau[2].mean - 106) < 0.5);
	/* Groups are not cut apart: that of 30 .. 33 begins at 28 or ends at 32. */
	assert_int_equal(find(x, 88, 4, plateau), 3);
	assert_true(plateau[1].first == 7 || plateau[1].first == 8);
	/* A shift that ends. */
	for (size_t i = 0; i < 15; i++)
		x[i] = (i / 5 == 1 ? 110 : 100) + 2 * tv_random_share(&random);
	assert_int_equal(find(x, 15, 1, plateau), 3);
	assert_true(plateau[1].first == 5 && plateau[2].first == 10);
	/* Equal numbers have none, nor has one number that is large. */
	for (size_t i = 0; i < 50; i++)
		x[i] = 0.1;
	assert_int_equal(find(x, 50, 1, plateau), 1);
	x[20] = 9;
	assert_int_equal(find(x, 50, 1, plateau), 1);
	assert_int_equal(find(x, 1, 1, plateau), 1);
}

/* Of series without a change 1 % have a change point by each test: of 500 about 10
 * (2 s. d. are 6); of ten numbers fewer, as there are few shares below 1 %. */
static void few_are_found_by_chance(void **state)
{
	static const size_t length[] = { 10, 25, 60 };
	uint64_t random = 20261129;

	(void)state;
	for (size_t l = 0; l < TV_COUNT(length); l++) {
		size_t found = 0;

		for (int series = 0; series < 500; series++) {
			struct tv_plateau plateau[MAX];
			double x[MAX];

			for (size_t i = 0; i < length[l]; i++)
				x[i] = tv_random_share(&random);
			found += find(x, length[l], 1, plateau) > 1;
		}
		assert_in_range(found, length[l] > 10 ? 2 : 0, 22);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chance_is_the_share_of_orders),
		cmocka_unit_test(planted_shifts),
		cmocka_unit_test(few_are_found_by_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
