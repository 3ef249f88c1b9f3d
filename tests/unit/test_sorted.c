/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sorted.c -- sorting by time against the library's sort. */
#include "unit.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

struct record {
	uint32_t number, class;
	int64_t time;
};

static int by_time(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int by_class(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return (x->class > y->class) - (x->class < y->class);
}

static int by_time_and_class(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return by_class(a, b);
}

/* Times of every order of magnitude, many equal ones, both signs, the ends of the range. */
static int64_t draw_time(void)
{
	uint64_t bits = (uint64_t)random() << 33 ^ (uint64_t)random() << 11 ^ (uint64_t)random();

	if (random() % 50 == 0)
		return random() % 2 ? INT64_MAX : INT64_MIN;
	return (int64_t)bits >> random() % 64;
}

static void sorts_like_the_library(void **state)
{
	(void)state;
	srandom((unsigned)unit_seed(3));
	for (int round = 0; round < 2000; round++) {
		size_t n = (size_t)random() % (round < 1900 ? 40 : 3000);
		struct record *a = tv_alloc(n, sizeof *a), *b = tv_alloc(n, sizeof *b);

		for (size_t i = 0; i < n; i++) {
			a[i] = (struct record){ (uint32_t)i, (uint32_t)random() % 5, draw_time() };
			if (round % 3 == 0)
				a[i].time %= 7;
			b[i] = a[i];
		}
		qsort(a, n, sizeof *a, by_time);
		tv_sort_by_time(b, n, sizeof *b, offsetof(struct record, time), NULL);
		assert_memory_equal(a, b, n * sizeof *a); /* equal times keep their order */
		tv_sort_by_time(b, n, sizeof *b, offsetof(struct record, time), by_class);
		for (size_t i = 1; i < n; i++)
			assert_true(by_time_and_class(&b[i - 1], &b[i]) <= 0);
		tv_free(a);
		tv_free(b);
	}
}

static bool is_smaller(const void *context, uint32_t a, uint32_t b)
{
	(void)context;
	return a < b;
}

/* What is left of a heap after numbers were taken out of its middle comes in order. */
static void heap_without_some(void **state)
{
	(void)state;
	srandom((unsigned)unit_seed(4));
	for (int round = 0; round < 500; round++) {
		struct tv_heap heap = { 0 };
		bool in[64] = { false };
		uint32_t n = (uint32_t)random() % 64, left;

		for (uint32_t i = 0; i < n; i++) {
			tv_heap_push(&heap, i * 37 % 64, is_smaller, NULL);
			in[i * 37 % 64] = true;
		}
		for (left = (uint32_t)random() % (n + 1); heap.n > left;) {
			size_t at = (size_t)random() % heap.n;

			in[heap.row[at]] = false;
			tv_heap_remove(&heap, at, is_smaller, NULL);
		}
		for (uint32_t i = 0; i < 64; i++)
			if (in[i]) {
				assert_int_equal(heap.row[0], i);
				tv_heap_pop(&heap, is_smaller, NULL);
			}
		assert_int_equal(heap.n, 0);
		tv_heap_release(&heap);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorts_like_the_library),
		cmocka_unit_test(heap_without_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
