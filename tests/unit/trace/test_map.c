/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_map.c -- numbers by number: dense keys, far ones, those that are far at first; against a list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trace/map.h"

enum { KEYS = 20000, RANGE = 1 << 20 };

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* What was put is there, the last value of a key; nothing else is. Keys up to `range`, denser as more
 * come: some are far until the array reaches them. */
static void check_range(uint64_t range, uint64_t offset)
{
	static uint32_t value[RANGE];
	struct tv_numbers numbers = { 0 };
	uint64_t state = range + 1;

	for (uint64_t k = 0; k < range; k++)
		value[k] = TV_NONE;
	for (uint32_t i = 0; i < KEYS; i++) {
		uint64_t key = next(&state) % range;

		if (i % 3 == 0)
			key = i / 3 % range;
		value[key] = i;
		tv_numbers_put(&numbers, offset + key, i);
		assert_int_equal(tv_numbers_get(&numbers, offset + key), i);
	}
	for (uint64_t k = 0; k < range; k++)
		assert_int_equal(tv_numbers_get(&numbers, offset + k), value[k]);
	assert_int_equal(tv_numbers_get(&numbers, offset + range), TV_NONE);
	assert_int_equal(tv_numbers_get(&numbers, UINT64_MAX), TV_NONE);
	/* At most 32 bytes for each key that was put, and a little for none. */
	assert_in_range(numbers.near.n, 0, 8 * KEYS + 4096);
	tv_numbers_release(&numbers);
	assert_int_equal(tv_numbers_get(&numbers, offset), TV_NONE);
}

static void numbers_by_number(void **state)
{
	(void)state;
	check_range(7, 0);
	check_range(5000, 0);
	check_range(100000, 0);
	check_range(RANGE, 0);
	check_range(5000, (uint64_t)1 << 30);
	check_range(5000, (uint64_t)1 << 47);
}

/* Two keys: all pairs of a grid, whose values differ in low bits only, in high bits only. */
static void pairs_of_keys(void **state)
{
	(void)state;
	for (unsigned shift = 0; shift <= 48; shift += 12) {
		struct tv_map map = { 0 };

		for (uint64_t a = 0; a < 100; a++)
			for (uint64_t b = 0; b < 100; b++)
				tv_map_put(&map, a << shift, b << shift, (uint32_t)(a * 100 + b));
		assert_int_equal(map.n, 10000);
		for (uint64_t a = 0; a < 100; a++)
			for (uint64_t b = 0; b < 100; b++)
				assert_int_equal(*tv_map_get(&map, a << shift, b << shift),
						 a * 100 + b);
		assert_null(tv_map_get(&map, UINT64_MAX, 0));
		assert_null(tv_map_get(&map, 0, (uint64_t)100 << shift));
		tv_map_release(&map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_by_number),
		cmocka_unit_test(pairs_of_keys),
	};

	return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
