/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_selection.c -- quantiles by selection against those of sorted numbers: few and many, of all sizes, equal ones, added in
 * pieces, shuffled and merged.
 */
#include "analysis/core/selection.h"

#include <stdlib.h>

#include "analysis/core/statistics.h"
#include "tests/unit/unit.h"
#include "trace/alloc.h"

enum { CASES = 150, MANY = 60000, PARTS = 3, QUANTILES = 8 };

static int64_t draw(uint64_t *seed, unsigned kind)
{
	int64_t number = (int64_t)(unit_random(seed, UINT32_MAX) << 32
				   | unit_random(seed, UINT32_MAX));

	switch (kind) {
	case 0:
		return number; /* of any size and sign */
	case 1:
		return number >> unit_random(seed, 64);
	case 2:
		return 2000000 + (int64_t)unit_random(seed, 333333);
	case 3:
		return unit_random(seed, 50) == 0 ? INT64_MIN + (int64_t)unit_random(seed, 2)
		     : unit_random(seed, 2) == 0  ? INT64_MAX
						  : -5;
	case 4:
		return -((int64_t)1 << 40) - (int64_t)unit_random(seed, 1000000);
	case 5:
		return ((int64_t)1 << 50) + (int64_t)unit_random(seed, 5) * 7777;
	default:
		return (int64_t)unit_random(seed, 9000) - 4500;
	}
}

/* All numbers in pieces to that many selections, which are merged into the first: whether there is another round. */
static bool run_round(struct tv_selection *s, size_t parts, const int64_t *x, size_t n,
		      const uint32_t *num, size_t nnum, uint32_t den, uint64_t *seed)
{
	struct tv_selection copy[PARTS] = { { 0 } };

	for (size_t i = 0; i < n;) {
		size_t piece = 1 + (size_t)unit_random(seed, 5000);
		size_t part = (size_t)unit_random(seed, (uint32_t)parts);

		piece = piece < n - i ? piece : n - i;
		tv_selection_add(part == 0 ? s : &copy[part], x + i, piece);
		i += piece;
	}
	for (size_t i = 1; i < parts; i++) {
		tv_selection_merge(s, &copy[i]);
		tv_selection_release(&copy[i]);
	}
	return tv_selection_again(s, num, nnum, den);
}

static void check(size_t n, unsigned kind, uint64_t *seed, unsigned *most)
{
	uint32_t num[QUANTILES], den = unit_random(seed, 2) == 0 ? 100 : 4;
	int64_t *x = tv_alloc(n, sizeof *x), *sorted = tv_alloc(n, sizeof *sorted);
	struct tv_selection s = { 0 };
	unsigned rounds = 1;

	for (size_t i = 0; i < n; i++)
		x[i] = sorted[i] = draw(seed, kind);
	tv_sort_times(sorted, n);
	for (size_t i = 0; i < QUANTILES; i++)
		num[i] = i == 0 ? 0 : i == 1 ? den : (uint32_t)unit_random(seed, den + 1);
	for (size_t parts = 1 + (size_t)unit_random(seed, PARTS);
	     run_round(&s, parts, x, n, num, QUANTILES, den, seed); rounds++) {
		parts = 1;
		for (size_t i = n; i > 1; i--) {
			size_t k = (size_t)unit_random(seed, (uint32_t)i);
			int64_t swapped = x[i - 1];

			x[i - 1] = x[k];
			x[k] = swapped;
		}
	}
	for (size_t i = 0; i < QUANTILES; i++)
		assert_true(tv_selection_exact(&s, num[i], den)
			    == tv_quantile_exact(sorted, n, num[i], den));
	*most = rounds > *most ? rounds : *most;
	assert_true(n > 8192 || rounds == 1);
	tv_selection_release(&s);
	tv_free(sorted);
	tv_free(x);
}

static void test_quantiles(void **state)
{
	uint64_t seed = unit_seed(27);
	unsigned most = 0;

	(void)state;
	for (unsigned i = 0; i < CASES; i++)
		check(1
			      + (size_t)unit_random(&seed, i % 3 == 0	? 20
							   : i % 3 == 1 ? 9000
									: MANY),
		      i % 7, &seed, &most);
	for (unsigned kind = 0; kind < 7; kind++)
		check(MANY, kind, &seed, &most);
	assert_true(most >= 2 && most <= 6);
}

/* Each process tells the others what it was given: then all have the same. */
static void share(struct tv_selection *s)
{
	struct tv_parcel pack[PARTS] = { { 0 } };

	for (size_t i = 0; i < PARTS; i++)
		tv_selection_pack(&s[i], &pack[i]);
	for (size_t i = 0; i < PARTS; i++)
		for (size_t k = 0; k < PARTS; k++) {
			struct tv_unpack from = { pack[k].at, pack[k].n };

			if (k == i)
				continue;
			tv_selection_unpack(&s[i], &from);
			assert_int_equal(from.n, 0);
		}
	for (size_t i = 0; i < PARTS; i++)
		tv_free(pack[i].at);
}

static void test_processes(void **state)
{
	uint64_t seed = unit_seed(28);

	(void)state;
	for (unsigned c = 0; c < 3 * 7; c++) {
		size_t n = c % 3 == 0 ? 50 : c % 3 == 1 ? 9000 : MANY;
		int64_t *x = tv_alloc(n, sizeof *x), *sorted = tv_alloc(n, sizeof *sorted);
		static const uint32_t num[] = { 0, 5, 50, 95, 100 };
		struct tv_selection s[PARTS] = { { 0 } };
		bool again = true;

		for (size_t i = 0; i < n; i++)
			x[i] = sorted[i] = draw(&seed, c % 7);
		tv_sort_times(sorted, n);
		while (again) {
			/* The second one has none. */
			tv_selection_add(&s[0], x, n / 3);
			tv_selection_add(&s[2], x + n / 3, n - n / 3);
			share(s);
			for (size_t k = 0; k < PARTS; k++)
				again = tv_selection_again(&s[k], num, TV_COUNT(num), 100);
		}
		for (size_t k = 0; k < PARTS; k++) {
			for (size_t i = 0; i < TV_COUNT(num); i++)
				assert_true(tv_selection_exact(&s[k], num[i], 100)
					    == tv_quantile_exact(sorted, n, num[i], 100));
			tv_selection_release(&s[k]);
		}
		tv_free(sorted);
		tv_free(x);
	}
}

/* Usual durations, and equal ones of any size, need few rounds. */
static void test_rounds(void **state)
{
	static const int64_t base[] = { 100, 2000000, (int64_t)1 << 34 };
	static const uint32_t num[] = { 5, 25, 50, 75, 95 };

	(void)state;
	for (size_t b = 0; b < TV_COUNT(base); b++) {
		struct tv_selection s = { 0 };
		uint64_t seed = unit_seed(3);
		unsigned rounds = 0;
		int64_t x[1000];

		do {
			uint64_t again = seed;

			for (unsigned k = 0; k < 300; k++) {
				for (unsigned i = 0; i < TV_COUNT(x); i++)
					x[i] = base[b]
					     + (int64_t)unit_random(
						       &again,
						       (uint32_t)(base[b] / 6 % 1000000 + 1));
				tv_selection_add(&s, x, TV_COUNT(x));
			}
			rounds++;
		} while (tv_selection_again(&s, num, TV_COUNT(num), 100));
		assert_true(rounds <= (b == 0 ? 1 : b == 1 ? 2 : 3));
		tv_selection_release(&s);
	}
}

static void test_none(void **state)
{
	static const uint32_t num[] = { 50 };
	struct tv_selection s = { 0 };

	(void)state;
	assert_false(tv_selection_again(&s, num, 1, 100));
	tv_selection_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
