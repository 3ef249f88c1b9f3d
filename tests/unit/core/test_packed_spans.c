/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_packed_spans.c -- spans that are put away in several turns have the pieces of a sum that has them all. */
#include "tests/unit/unit.h"

#include "analysis/core/packed_spans.h"

enum { BEGIN = -500, END = 1500, TURNS_MAX = 9, SPANS_MAX = 40 };

static void add_piece(void *context, int64_t from, int64_t to, double value)
{
	struct tv_steps *steps = context;

	assert_true(from < to);
	assert_int_equal(from, steps->n == 0 ? BEGIN : steps->time[steps->n]);
	steps->time[steps->n] = from;
	steps->value[steps->n++] = value;
	steps->time[steps->n] = to;
}

static void compare(const struct tv_steps *pieces, const struct tv_steps *all)
{
	assert_int_equal(pieces->n, all->n);
	assert_memory_equal(pieces->time, all->time, (all->n + 1) * sizeof *all->time);
	assert_memory_equal(pieces->value, all->value, all->n * sizeof *all->value);
}

static void test_turns(void **state)
{
	uint64_t seed = unit_seed(42);

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		/* Of some sums equal times are frequent, of others differences have several bytes. */
		const int64_t unit = unit_random(&seed, 2) == 0 ? 1 : 100;
		uint64_t turns = unit_random(&seed, TURNS_MAX) + 1;
		struct tv_packed_spans spans = { 0 };
		struct tv_steps pieces, steps;
		struct tv_sum sum, turn;

		tv_sum_init(&sum, BEGIN, END);
		tv_sum_init(&turn, BEGIN, END);
		for (uint64_t t = 0; t < turns; t++) {
			for (uint64_t k = unit_random(&seed, SPANS_MAX); k > 0; k--) {
				int64_t start = (int64_t)unit_random(&seed, 20) * unit - 600,
					end = start + (int64_t)unit_random(&seed, 30) * unit;

				tv_sum_one(&sum, start, end);
				tv_sum_one(&turn, start, end);
			}
			tv_packed_spans_take(&spans, &turn);
		}
		tv_sum_steps(&sum, &steps);
		tv_steps_init(&pieces, steps.n + 1, END);
		if (tv_packed_spans_any(&spans))
			tv_packed_spans_pieces(&spans, BEGIN, END, add_piece, &pieces);
		else
			add_piece(&pieces, BEGIN, END, 0);
		compare(&pieces, &steps);
		tv_packed_spans_release(&spans);
		tv_steps_release(&pieces);
		tv_steps_release(&steps);
		tv_sum_release(&sum);
		tv_sum_release(&turn);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_turns) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
