/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_coverage.c -- means of bins against counting every nanosecond. */
#include <math.h>

#include "tests/unit/unit.h"

#include "views/charts/coverage.h"

enum { ROUNDS = 500, BINS = 7, SPANS = 12, LENGTH = 60 };

static double count(const struct tv_span *span, size_t n, int64_t begin, int64_t end)
{
	double sum = 0;

	for (int64_t t = begin; t < end; t++)
		for (size_t i = 0; i < n; i++)
			sum += span[i].begin <= t && t < span[i].end;
	return sum / (double)(end - begin);
}

static void random_spans(void **state)
{
	uint64_t seed = unit_seed(20);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		int64_t edge[BINS + 1] = { (int64_t)unit_random(&seed, 20) - 10 };
		uint32_t bins = 1 + (uint32_t)unit_random(&seed, BINS);
		struct tv_span span[SPANS];
		struct tv_coverage coverage;
		double mean[BINS];

		for (uint32_t i = 0; i < bins; i++)
			edge[i + 1] = edge[i] + 1 + (int64_t)unit_random(&seed, 9);
		tv_coverage_init(&coverage, edge, bins);
		tv_coverage_add(&coverage, (struct tv_span){ edge[0], edge[bins] });
		tv_coverage_clear(&coverage);
		for (size_t i = 0; i < SPANS; i++) {
			span[i].begin = (int64_t)unit_random(&seed, LENGTH) - 15;
			span[i].end = span[i].begin + (int64_t)unit_random(&seed, LENGTH / 2);
			tv_coverage_add(&coverage, span[i]);
		}
		tv_coverage_read(&coverage, mean);
		for (uint32_t i = 0; i < bins; i++)
			if (fabs(mean[i] - count(span, SPANS, edge[i], edge[i + 1])) > 1e-9)
				fail_msg("round %d, bin %u of %u: %g", round, i, bins, mean[i]);
		tv_coverage_release(&coverage);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_spans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
