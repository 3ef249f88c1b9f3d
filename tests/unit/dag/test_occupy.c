/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_occupy.c -- idle workers that waiting tasks could occupy, against Konig's theorem: of the classes P as many workers can be
 * covered as the min, over all subsets B of P, of the tasks that some class of B can run plus the workers of P without B.
 */
#include <stdio.h>

#include "dag/occupy.h"
#include "tests/unit/sample.h"

enum { ROUNDS = 3000, CLASSES = 10, SETS = 14 };

static int64_t rank(const struct tv_occupy *occupy, uint32_t classes)
{
	int64_t min = INT64_MAX;

	for (uint32_t by = classes;; by = (by - 1) & classes) {
		int64_t bound = 0;

		for (uint32_t s = 0; s < occupy->nsets; s++)
			bound += (occupy->set[s] & by) != 0 ? occupy->tasks[s] : 0;
		for (uint32_t c = 0; c < occupy->nclasses; c++)
			bound += ((classes ^ by) >> c & 1) != 0 ? occupy->workers[c] : 0;
		min = bound < min ? bound : min;
		if (by == 0)
			return min;
	}
}

static void test_random(void **state)
{
	uint64_t seed = 35, set[SETS];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t nclasses = 1 + (uint32_t)unit_random(&seed, CLASSES),
			 nsets = 1 + (uint32_t)unit_random(&seed, SETS);
		int64_t occupied[CLASSES], sum = 0;
		struct tv_occupy occupy;

		/* Few classes per set, so that tasks have to change them. */
		for (uint32_t s = 0; s < nsets; s++)
			set[s] = UINT64_C(1) << unit_random(&seed, nclasses)
			       | UINT64_C(1) << unit_random(&seed, nclasses);
		tv_occupy_init(&occupy, nclasses, set, nsets);
		for (uint32_t s = 0; s < nsets; s++)
			tv_occupy_add_tasks(&occupy, s, (int64_t)unit_random(&seed, 4));
		for (uint32_t c = 0; c < nclasses; c++)
			occupy.workers[c] = (int64_t)unit_random(&seed, 5);
		assert_int_equal(tv_occupy_solve(&occupy, occupied),
				 rank(&occupy, (1u << nclasses) - 1));
		for (uint32_t c = 0; c < nclasses; c++) {
			sum += occupied[c];
			if (sum != rank(&occupy, (2u << c) - 1))
				fail_msg("round %d: classes up to %u: %lld", round, c,
					 (long long)sum);
		}
		tv_occupy_release(&occupy);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_random) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
