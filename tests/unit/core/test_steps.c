/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_steps.c -- step functions against counting every nanosecond. */
#include <math.h>

#include "tests/unit/unit.h"

#include "analysis/core/spans.h"
#include "analysis/core/steps.h"

enum { ROUNDS = 2000, FIRST = -20, LENGTH = 50, SPANS = 8 };

/* Value at t; the pieces must be as the header says. */
static double value_at(const struct tv_steps *steps, int64_t t)
{
	double value = NAN;

	for (size_t i = 0; i < steps->n; i++) {
		assert_true(i == 0 || steps->time[i - 1] < steps->time[i]);
		assert_true(i == 0 || steps->value[i - 1] != steps->value[i]);
		assert_true(steps->time[i] < steps->end);
		if (steps->time[i] <= t)
			value = steps->value[i];
	}
	return value;
}

/* Random spans, some partly or wholly outside, as steps and as a value per nanosecond. */
static void make(uint64_t *seed, struct tv_steps *steps, double *every)
{
	struct tv_error err = { 0 };
	struct tv_sum sum;

	tv_sum_init(&sum, FIRST, FIRST + LENGTH);
	for (int i = 0; i < LENGTH; i++)
		every[i] = 0;
	for (uint64_t i = unit_random(seed, SPANS); i > 0; i--) {
		int64_t start = FIRST - 5 + (int64_t)unit_random(seed, LENGTH + 10);
		int64_t end = start - 1 + (int64_t)unit_random(seed, 20);
		double amount = (double)unit_random(seed, 9) / 8 - 0.25;

		if (unit_random(seed, 2) == 0) {
			amount = 1;
			tv_sum_one(&sum, start, end);
		} else {
			assert_int_equal(tv_sum_add(&sum, start, end, amount, &err), 0);
		}
		for (int64_t t = start; t < end; t++)
			if (t >= FIRST && t < FIRST + LENGTH)
				every[t - FIRST] += amount;
	}
	tv_sum_steps(&sum, steps);
	assert_int_equal(steps->time[steps->n], steps->end);
	tv_sum_release(&sum);
}

static void sums_and_differences(void **state)
{
	uint64_t seed = unit_seed(31);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		double x[LENGTH], y[LENGTH];
		struct tv_steps a, b, c;

		make(&seed, &a, x);
		make(&seed, &b, y);
		tv_steps_subtract(&a, &b, &c);
		for (int t = 0; t < LENGTH; t++) {
			assert_true(value_at(&a, FIRST + t) == x[t]);
			assert_true(value_at(&c, FIRST + t) == x[t] - y[t]);
		}
		tv_steps_release(&a);
		tv_steps_release(&b);
		tv_steps_release(&c);
	}
}

struct pieces {
	int64_t time[2 * SPANS + 1];
	double value[2 * SPANS + 1];
	size_t n;
	int64_t end;
};

static void keep(void *context, int64_t from, int64_t to, double value)
{
	struct pieces *pieces = context;

	assert_true(from < to && (pieces->n == 0 || from == pieces->end));
	pieces->time[pieces->n] = from;
	pieces->value[pieces->n++] = value;
	pieces->end = to;
}

struct amount {
	int64_t start, end;
	double by; /* 0 = one */
	bool settle;
};

static void add_amount(struct tv_sum *sum, const struct amount *a)
{
	struct tv_error err = { 0 };

	if (a->by == 0)
		tv_sum_one(sum, a->start, a->end);
	else
		assert_int_equal(tv_sum_add(sum, a->start, a->end, a->by, &err), 0);
}

/* Adds n amounts by their start, and settles what no later one changes. max: known before, or 0. */
static struct tv_settled settle(const struct amount *amount, uint64_t n, double max,
				struct pieces *pieces)
{
	struct tv_settled at = { .time = FIRST, .max = max };
	struct tv_sum sum;

	*pieces = (struct pieces){ .end = FIRST };
	tv_sum_init(&sum, FIRST, FIRST + LENGTH);
	for (uint64_t k = 0; k < n; k++) {
		add_amount(&sum, &amount[k]);
		if (amount[k].settle && k + 1 < n)
			tv_sum_settle(&sum, amount[k + 1].start, &at, keep, pieces);
	}
	tv_sum_settle(&sum, INT64_MAX, &at, keep, pieces);
	tv_sum_release(&sum);
	return at;
}

/* Spans whose pieces are given while they come: the same ones as of all at once. Where amounts differ too much for that, the second
 * time, when the largest one is known. */
static void settled_in_parts(void **state)
{
	uint64_t seed = unit_seed(37);
	int rough = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t n = unit_random(&seed, SPANS);
		int64_t start = FIRST - 2;
		struct amount amount[SPANS];
		struct tv_settled at;
		struct pieces pieces;
		struct tv_steps steps;
		struct tv_sum all;

		tv_sum_init(&all, FIRST, FIRST + LENGTH);
		for (uint64_t k = 0; k < n; k++) {
			double by = (double)unit_random(&seed, 9) / 7 - 0.25;

			if (i % 4 == 0)
				by = ldexp(by, (int)unit_random(&seed, 80) - 40);
			amount[k] = (struct amount){ start, start + (int64_t)unit_random(&seed, 20),
						     unit_random(&seed, 3) == 0 ? 0 : by,
						     unit_random(&seed, 2) == 0 };
			start += (int64_t)unit_random(&seed, 9);
			add_amount(&all, &amount[k]);
		}
		tv_sum_steps(&all, &steps);
		at = settle(amount, n, 0, &pieces);
		if (!tv_settled_exactly(&at)) {
			assert_int_equal(i % 4, 0);
			rough++;
			settle(amount, n, at.max, &pieces);
		}
		assert_int_equal(pieces.end, steps.end);
		assert_int_equal(pieces.n, steps.n);
		for (size_t p = 0; p < steps.n; p++) {
			assert_int_equal(pieces.time[p], steps.time[p]);
			assert_true(pieces.value[p] == steps.value[p]);
		}
		tv_steps_release(&steps);
		tv_sum_release(&all);
	}
	assert_true(rough > 0 && rough < ROUNDS / 4);
}

/* Slices tile the interval at the multiples of the step and keep mean, extremes and integral. */
static void resampling(void **state)
{
	uint64_t seed = unit_seed(77);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		int64_t step = 1 + (int64_t)unit_random(&seed, LENGTH + 10), at = FIRST;
		struct tv_slices slices = { FIRST, FIRST + LENGTH, step };
		double every[LENGTH], whole = 0, sum = 0;
		struct tv_slicer slicer;
		struct tv_slice slice;
		struct tv_steps steps;
		uint64_t n = 0;

		make(&seed, &steps, every);
		tv_slicer_init(&slicer, &steps, step);
		for (; tv_slicer_next(&slicer, &slice); n++) {
			double part = 0, least = INFINITY, most = -INFINITY;

			assert_int_equal(slice.begin, at);
			assert_true(slice.end > at && slice.end - at <= step);
			assert_true(slice.end % step == 0 || slice.end == FIRST + LENGTH);
			assert_int_equal(tv_slices_begin(&slices, n), slice.begin);
			assert_int_equal(tv_slices_end(&slices, n), slice.end);
			for (; at < slice.end; at++) {
				assert_int_equal(tv_slices_at(&slices, at), n);
				part += every[at - FIRST];
				least = fmin(least, every[at - FIRST]);
				most = fmax(most, every[at - FIRST]);
			}
			assert_true(fabs(slice.mean * (double)(slice.end - slice.begin) - part)
				    < 1e-12);
			assert_true(slice.min == least && slice.max == most);
			sum += slice.mean * (double)(slice.end - slice.begin);
			whole += part;
		}
		assert_int_equal(at, FIRST + LENGTH);
		assert_int_equal(n, tv_slices_count(&slices));
		assert_true(fabs(sum - whole) < 1e-9);
		tv_steps_release(&steps);
	}
}

static void extremes(void **state)
{
	struct tv_error err = { 0 };
	struct tv_steps steps;
	struct tv_slicer slicer;
	struct tv_slice slice;
	struct tv_sum sum;
	const struct tv_slices whole = { -5, 7, 0 }; /* not cut at 0 */

	(void)state;
	tv_sum_init(&sum, -(INT64_C(1) << 62), INT64_C(1) << 61);
	assert_int_equal(tv_sum_add(&sum, INT64_MIN, INT64_MAX, 0.1, &err), 0);
	assert_int_equal(tv_sum_add(&sum, 0, 1, 0x1p29, &err), 0);
	assert_int_equal(tv_sum_add(&sum, 0, 1, INFINITY, &err), -1);
	assert_int_equal(tv_sum_add(&sum, 0, 1, NAN, &err), -1);
	tv_sum_steps(&sum, &steps);
	assert_int_equal(steps.n, 3);
	/* What 2^29 came upon and left is as it was. */
	assert_true(steps.value[0] == 0.1 && steps.value[2] == 0.1);
	tv_slicer_init(&slicer, &steps, INT64_MAX);
	assert_true(tv_slicer_next(&slicer, &slice) && slice.end == 0 && slice.mean == 0.1);
	assert_true(tv_slicer_next(&slicer, &slice) && slice.end == INT64_C(1) << 61);
	assert_false(tv_slicer_next(&slicer, &slice));
	tv_steps_release(&steps);
	tv_sum_release(&sum);

	/* Amounts of any size: the largest one scales them. */
	for (int e = -900; e <= 900; e += 100) {
		tv_sum_init(&sum, 0, 3);
		assert_int_equal(tv_sum_add(&sum, 0, 2, ldexp(0.1, e), &err), 0);
		assert_int_equal(tv_sum_add(&sum, 1, 3, ldexp(0.7, e + 30), &err), 0);
		tv_sum_steps(&sum, &steps);
		assert_true(steps.value[0] == ldexp(0.1, e));
		assert_true(steps.value[1] == ldexp(0.1, e) + ldexp(0.7, e + 30));
		assert_true(steps.value[2] == ldexp(0.7, e + 30));
		tv_steps_release(&steps);
		tv_sum_release(&sum);
	}

	tv_sum_init(&sum, 5, 5);
	assert_int_equal(tv_sum_add(&sum, 0, 10, 1, &err), 0);
	tv_sum_steps(&sum, &steps);
	assert_int_equal(steps.n, 0);
	tv_slicer_init(&slicer, &steps, 1);
	assert_false(tv_slicer_next(&slicer, &slice));
	assert_int_equal(tv_slices_count(&(struct tv_slices){ 5, 5, 1 }), 0);
	assert_int_equal(tv_slices_count(&whole), 1);
	assert_int_equal(tv_slices_at(&whole, 6), 0);
	assert_int_equal(tv_slices_end(&whole, 0), 7);
	tv_steps_release(&steps);
	tv_sum_release(&sum);
}

static void unions(void **state)
{
	uint64_t seed = unit_seed(9);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct tv_span span[SPANS];
		bool in[LENGTH] = { false };
		uint32_t n = (uint32_t)unit_random(&seed, SPANS);
		int64_t first = (int64_t)unit_random(&seed, 9) - 3;

		for (uint32_t k = 0; k < n; k++) {
			span[k].begin = (int64_t)unit_random(&seed, LENGTH);
			span[k].end = span[k].begin + (int64_t)unit_random(&seed, 9);
			for (int64_t t = span[k].begin; t < span[k].end && t < LENGTH; t++)
				in[t] = t >= first;
		}
		n = tv_spans_merge(span, n, (struct tv_span){ first, LENGTH });
		for (uint32_t k = 0; k < n; k++)
			assert_true(span[k].begin < span[k].end
				    && (k == 0 || span[k - 1].end < span[k].begin));
		for (int from = -2; from < LENGTH; from += 3)
			for (int to = from; to < LENGTH; to++) {
				int64_t sum = 0;

				for (int t = from < 0 ? 0 : from; t < to; t++)
					sum += in[t];
				assert_int_equal(
					tv_spans_within(span, n, (struct tv_span){ from, to }),
					sum);
			}
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(sums_and_differences),
		cmocka_unit_test(settled_in_parts),
		cmocka_unit_test(resampling),
		cmocka_unit_test(extremes),
		cmocka_unit_test(unions),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
