/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_packed.c -- packed step functions against those in arrays. */
#include <math.h>

#include "tests/unit/unit.h"

#include "analysis/core/packed.h"
#include "analysis/core/steps.h"
#include "trace/alloc.h"

enum { ROUNDS = 300, MOST = 5 * TV_PACK };

/* A time after t: mostly near, sometimes the same, or far beyond what a word holds. */
static int64_t next_time(uint64_t *seed, int64_t t)
{
	switch (unit_random(seed, 200)) {
	case 0:
		return t + (INT64_C(1) << 50);
	case 1:
	case 2:
		return t + (1 << 24) - 1 + (int64_t)unit_random(seed, 2);
	default:
		return t + (int64_t)unit_random(seed, 5);
	}
}

/* A value beside v: mostly one more or less, sometimes no integer, or too far for a word. */
static double next_value(uint64_t *seed, double v)
{
	switch (unit_random(seed, 100)) {
	case 0:
		return v + 0.1;
	case 1:
		return v + 127 + (double)unit_random(seed, 2);
	case 2:
		return v - 127 - (double)unit_random(seed, 2);
	case 3:
		return v * 1e12 + 0x1p-40;
	default:
		return v + (double)unit_random(seed, 3) - 1;
	}
}

/* The same calls, not more than n. */
static void fill(uint64_t *seed, size_t n, struct tv_steps *steps, struct tv_packed *packed)
{
	int64_t t = -100 + (int64_t)unit_random(seed, 200), end = INT64_C(1) << 58;
	double value = 0;

	if (unit_random(seed, 4) == 0)
		end = t + (int64_t)n;
	tv_steps_init(steps, n + 1, end);
	tv_packed_init(packed, n, end);
	for (size_t i = 0; i < n; i++) {
		tv_steps_to(steps, t, value);
		tv_packed_to(packed, t, value);
		t = next_time(seed, t);
		value = next_value(seed, value);
	}
	steps->time[steps->n] = end;
	tv_packed_finish(packed);
}

static void as_arrays(void **state)
{
	uint64_t seed = unit_seed(41);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct tv_steps steps;
		struct tv_packed packed;
		double integral = 0;
		size_t n = 0;

		fill(&seed, unit_random(&seed, MOST), &steps, &packed);
		assert_int_equal(packed.n, steps.n);
		assert_int_equal(packed.end, steps.end);
		for (size_t i = 0; i < packed.npacks; i++) {
			int64_t time[TV_PACK + 1];
			double value[TV_PACK];
			size_t part = tv_packed_read(&packed, i, time, value);

			double min = value[0], max = value[0];

			for (size_t k = 0; k < part; k++) {
				min = fmin(min, value[k]);
				max = fmax(max, value[k]);
				integral += value[k] * (double)(time[k + 1] - time[k]);
			}
			assert_true(packed.pack[i].min == min && packed.pack[i].max == max);
			assert_int_equal(time[0], packed.pack[i].begin);
			assert_int_equal(time[part], tv_packed_end(&packed, i));
			assert_memory_equal(time, steps.time + n, (part + 1) * sizeof *time);
			assert_memory_equal(value, steps.value + n, part * sizeof *value);
			n += part;
		}
		assert_int_equal(n, steps.n);
		assert_true(packed.integral == integral);
		for (size_t i = 0; i < steps.n; i += 1 + unit_random(&seed, 99)) {
			assert_int_equal(tv_packed_find(&packed, steps.time[i]), i / TV_PACK);
			assert_int_equal(tv_packed_find(&packed, steps.time[i + 1] - 1),
					 i / TV_PACK);
		}
		if (steps.n > 0)
			assert_int_equal(tv_packed_find(&packed, INT64_MIN), 0);
		tv_steps_release(&steps);
		tv_packed_release(&packed);
	}
}

/* What counts tasks needs a word for each piece. */
static void small(void **state)
{
	struct tv_packed packed;

	(void)state;
	tv_packed_init(&packed, 0, INT64_MAX);
	for (int64_t i = 0; i < MOST; i++)
		tv_packed_to(&packed, i * 12345678, i % 3 == 0 ? 7 : 8 + (double)(i % 119));
	tv_packed_finish(&packed);
	assert_int_equal(packed.n, MOST);
	assert_int_equal(packed.nwords, MOST - packed.npacks);
	tv_packed_release(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_arrays),
		cmocka_unit_test(small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
