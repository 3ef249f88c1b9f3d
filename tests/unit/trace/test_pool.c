/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pool.c -- a pool that forgets its newest strings is as one that never had them. */
#include "trace/pool.h"

#include <stdio.h>

#include "tests/unit/unit.h"

enum { ROUNDS = 40, STRINGS = 3000 };

/* A string, or a number, of any length. */
static size_t write_string(char *out, size_t size, uint64_t *seed)
{
	unsigned number = (unsigned)unit_random(seed, 2) == 0
				? (unsigned)unit_random(seed, 4000)
				: (unsigned)unit_random(seed, 100000000);
	int n = snprintf(out, size, "%u", number);

	if (unit_random(seed, 2) == 0)
		n = snprintf(out, size, "%0*u", (int)(1 + unit_random(seed, 300)), number);
	return (size_t)n;
}

static void test_truncate(void **state)
{
	uint64_t seed = unit_seed(41);
	struct tv_pool *pool = tv_pool_new();
	char text[400];

	(void)state;
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint64_t kept = seed, again = seed, once_more = seed;
		uint32_t n, count;

		for (unsigned i = 0; i < STRINGS / 10; i++)
			tv_intern(pool, text, write_string(text, sizeof text, &seed));
		n = tv_pool_count(pool);
		for (unsigned i = 0; i < STRINGS; i++)
			tv_intern(pool, text, write_string(text, sizeof text, &kept));
		count = tv_pool_count(pool);
		tv_pool_truncate(pool, n);
		assert_int_equal(tv_pool_count(pool), n);
		for (unsigned i = 0; i < STRINGS; i++) {
			size_t length = write_string(text, sizeof text, &again);
			uint32_t label = tv_pool_find(pool, text, length);

			assert_true(label == TV_NONE || label < n);
		}
		for (unsigned i = 0; i < STRINGS; i++) {
			size_t length = write_string(text, sizeof text, &once_more);
			uint32_t label = tv_intern(pool, text, length);

			assert_int_equal(tv_pool_length(pool, label), length);
			assert_memory_equal(tv_pool_text(pool, label), text, length);
		}
		assert_int_equal(tv_pool_count(pool), count);
		if (round % 2 == 0)
			tv_pool_truncate(pool, n);
	}
	tv_pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_truncate) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
