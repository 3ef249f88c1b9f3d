/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exact.c -- sums of numbers of very different sizes are those of whole numbers, in any order and division. */
#include <math.h>

#include "tests/unit/unit.h"

#include "analysis/core/exact.h"

enum { ROUNDS = 300, NUMBERS = 60 };

__extension__ typedef __int128 wide;

/* A whole number of up to 60 bits times 2^0 to 2^60, as a double and as it is. */
static double draw(uint64_t *seed, wide *whole)
{
	int64_t digits = (int64_t)unit_random(seed, UINT64_C(1) << (1 + unit_random(seed, 52)));
	int shift = (int)unit_random(seed, 60);

	if (unit_random(seed, 2) == 0)
		digits = -digits;
	*whole = (wide)digits * ((wide)1 << shift);
	return ldexp((double)digits, shift);
}

/* Conversion of a whole number to a double rounds to the nearest. */
static void is_whole(const struct tv_exact *sum, wide whole)
{
	struct tv_two value = tv_exact_value(sum);

	assert_true(value.high == (double)whole);
	assert_true(value.low == (double)(whole - (wide)value.high));
}

static void sums(void **state)
{
	uint64_t seed = unit_seed(31);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct tv_exact all = { 0 }, half[2] = { { 0 }, { 0 } };
		struct tv_parcel pack = { 0 };
		struct tv_unpack from;
		wide sum = 0;

		for (int i = 0; i < NUMBERS; i++) {
			wide whole;
			double number = draw(&seed, &whole);

			sum += whole;
			tv_exact_add(&half[unit_random(&seed, 2)], number);
			tv_exact_add(&all, number);
			is_whole(&all, sum);
		}
		tv_exact_pack(&half[0], &pack);
		from = (struct tv_unpack){ pack.at, pack.n };
		tv_exact_unpack(&half[1], &from);
		is_whole(&half[1], sum);
		tv_free(pack.at);
		tv_exact_release(&all);
		tv_exact_release(&half[0]);
		tv_exact_release(&half[1]);
	}
}

/* (1 + e) (1 - e) is 1 less e x e, which is far below the last digit; the rest of the sum is 0. */
static void products(void **state)
{
	const double e = 0x1p-30;
	struct tv_exact sum = { 0 };
	struct tv_two value, square;

	(void)state;
	tv_exact_add_product(&sum, 1 + e, 1 - e);
	tv_exact_add(&sum, -1);
	value = tv_exact_value(&sum);
	assert_true(value.high == -e * e && value.low == 0);
	square = tv_two_times((struct tv_two){ 1, e * e }, (struct tv_two){ 1, -e * e });
	assert_true(square.high == 1 && square.low == 0);
	value = tv_two_over((struct tv_two){ 1, 0 }, (struct tv_two){ 3, 0 });
	value = tv_two_minus((struct tv_two){ 1, 0 }, tv_two_times(value, (struct tv_two){ 3, 0 }));
	assert_true(fabs(value.high) < 0x1p-103);
	tv_exact_release(&sum);
}

/* What is beyond a double stays so. */
static void beyond(void **state)
{
	struct tv_exact sum = { 0 };

	(void)state;
	tv_exact_add_product(&sum, 1e200, 1e200);
	tv_exact_add(&sum, -1e300);
	assert_true(isnan(tv_exact_value(&sum).high));
	tv_exact_release(&sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums),
		cmocka_unit_test(products),
		cmocka_unit_test(beyond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
