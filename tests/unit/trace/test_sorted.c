/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sorted.c -- sorting by times and numbers against the library's sort. */
#include "tests/unit/unit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

struct record {
	uint32_t number, class;
	int64_t time;
};

/* Of a size that is not moved by itself. */
struct large {
	double value;
	uint32_t number, class;
	int64_t other;
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

struct keyed {
	const struct record *of;
	const char *name;
	double value;
	int8_t key[2];
	struct record at;
};

TV_ORDER(by_keys, struct keyed, value, down(of->class), text(name), key[1], down(at.time), key[0])
TV_ORDER(by_name, struct keyed, text(name))
TV_ORDER(by_class_down, struct keyed, down(at.class))
TV_ORDER(by_eight, struct keyed, key[0], key[0], key[0], key[0], key[0], key[0], key[0], key[1])

static int order_of_keys(const struct keyed *x, const struct keyed *y)
{
	const int order[] = {
		TV_COMPARE(x->value, y->value),	    TV_COMPARE(y->of->class, x->of->class),
		tv_natural_order(x->name, y->name), TV_COMPARE(x->key[1], y->key[1]),
		TV_COMPARE(y->at.time, x->at.time), TV_COMPARE(x->key[0], y->key[0]),
	};

	for (size_t i = 0; i < TV_COUNT(order); i++)
		if (order[i] != 0)
			return order[i];
	return 0;
}

static void orders_by_keys(void **state)
{
	static const struct record of[] = { { 0, 1, 0 }, { 0, UINT32_MAX, 0 } };
	static const char *const name[] = { "a9", "a10" };

	(void)state;
	srandom((unsigned)unit_seed(9));
	for (int round = 0; round < 20000; round++) {
		struct keyed k[2];

		for (int i = 0; i < 2; i++)
			k[i] = (struct keyed){
				.of = &of[random() % 2],
				.name = name[random() % 2],
				.value = random() % 2 ? -0.5 : INFINITY,
				.key = { (int8_t)(random() % 3 - 1), random() % 2 ? -128 : 127 },
				.at = { .time = random() % 2 ? INT64_MIN : INT64_MAX,
					.class = (uint32_t)random() % 2 },
			};
		assert_int_equal(by_keys(&k[0], &k[1]), order_of_keys(&k[0], &k[1]));
		assert_int_equal(by_name(&k[0], &k[1]), tv_natural_order(k[0].name, k[1].name));
		assert_int_equal(by_class_down(&k[0], &k[1]),
				 TV_COMPARE(k[1].at.class, k[0].at.class));
		assert_int_equal(by_eight(&k[0], &k[1]),
				 k[0].key[0] != k[1].key[0] ? TV_COMPARE(k[0].key[0], k[1].key[0])
							    : TV_COMPARE(k[0].key[1], k[1].key[1]));
	}
}

/* Against a look at each. */
static void finds_bounds(void **state)
{
	int64_t at[20];

	(void)state;
	srandom((unsigned)unit_seed(10));
	for (int round = 0; round < 20000; round++) {
		uint32_t n = (uint32_t)random() % 20, begin = (uint32_t)random() % 20, i, first;
		int64_t wanted = random() % 8;

		for (uint32_t k = 0; k < n; k++)
			at[k] = random() % 8;
		qsort(at, n, sizeof *at, tv_compare_int64);
		for (first = begin; first < n && at[first] < wanted; first++)
			;
		TV_LOWER_BOUND(i, begin, n, at[i] < wanted);
		assert_int_equal(i, first);
		for (first = 0; first < n && at[first] <= wanted; first++)
			;
		assert_int_equal(tv_count_upto(&wanted, at, n, sizeof *at, tv_compare_int64),
				 first);
	}
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
		size_t n = (size_t)random() % (round < 1900 ? 40 : 6000);
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

static int by_value(const void *a, const void *b)
{
	const struct large *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int by_large_class(const void *a, const void *b)
{
	const struct large *x = a, *y = b;

	return (x->class > y->class) - (x->class < y->class);
}

static double draw_value(void)
{
	static const double special[] = { 0, 1, -1, INFINITY, -INFINITY, DBL_MIN, -DBL_TRUE_MIN };
	double x = (double)draw_time();

	return random() % 5 == 0 ? special[random() % 7] : random() % 2 ? x / 1e9 : x;
}

static void sorts_by_doubles(void **state)
{
	(void)state;
	srandom((unsigned)unit_seed(5));
	for (int round = 0; round < 2000; round++) {
		size_t n = (size_t)random() % (round < 1900 ? 60 : 6000);
		struct large *a = tv_alloc(n, sizeof *a), *b = tv_alloc(n, sizeof *b);

		for (size_t i = 0; i < n; i++) {
			a[i] = (struct large){ draw_value(), (uint32_t)i, (uint32_t)random() % 5,
					       random() };
			if (round % 3 == 0)
				a[i].value = (double)(random() % 7);
			b[i] = a[i];
		}
		qsort(a, n, sizeof *a, by_value);
		tv_sort_by_number(b, n, sizeof *b, offsetof(struct large, value), NULL);
		assert_memory_equal(a, b, n * sizeof *a); /* equal values keep their order */
		tv_sort_by_number(b, n, sizeof *b, offsetof(struct large, value), by_large_class);
		for (size_t i = 1; i < n; i++)
			assert_true(
				b[i - 1].value < b[i].value
				|| (b[i - 1].value == b[i].value && b[i - 1].class <= b[i].class));
		tv_free(a);
		tv_free(b);
	}
}

static void sorts_bare_arrays(void **state)
{
	(void)state;
	srandom((unsigned)unit_seed(6));
	for (int round = 0; round < 1000; round++) {
		size_t n = (size_t)random() % (round < 950 ? 60 : 6000);
		int64_t *time = tv_alloc(n, sizeof *time), *times = tv_alloc(n, sizeof *times);
		double *x = tv_alloc(n, sizeof *x), *y = tv_alloc(n, sizeof *y);

		for (size_t i = 0; i < n; i++) {
			times[i] = time[i] = draw_time();
			y[i] = x[i] = draw_value();
		}
		qsort(time, n, sizeof *time, tv_compare_int64);
		tv_sort_by_time(times, n, sizeof *times, 0, NULL);
		assert_memory_equal(time, times, n * sizeof *time);
		qsort(x, n, sizeof *x, tv_compare_double);
		tv_sort_by_number(y, n, sizeof *y, 0, NULL);
		assert_memory_equal(x, y, n * sizeof *x);
		tv_free(time);
		tv_free(times);
		tv_free(x);
		tv_free(y);
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

/* An agenda gives back what was put in by key, then number, while more comes in, and some is removed. What goes into another one in the
 * same turn is at the same places there. */
static void agenda_in_order(void **state)
{
	(void)state;
	srandom((unsigned)unit_seed(5));
	for (int round = 0; round < 200; round++) {
		struct tv_agenda agenda = { 0 }, other = { 0 };
		bool in[200] = { false };
		int64_t time[200];

		for (uint32_t i = 0, n = (uint32_t)random() % 200; i < n || agenda.n > 0;) {
			uint32_t first = UINT32_MAX, id = i * 37 % 200, place;
			struct tv_due due;

			if (i < n && (agenda.n == 0 || random() % 3 > 0)) {
				time[id] = random() % 5 == 0 ? INT64_MAX : random() % 20 - 10;
				tv_agenda_push(&agenda, (struct tv_due){ time[id], id, ~id });
				tv_agenda_push(&other, (struct tv_due){ -time[id], id, ~id });
				in[id] = true;
				i++;
				continue;
			}
			for (uint32_t k = 0; k < 200; k++)
				if (in[k] && (first == UINT32_MAX || time[k] < time[first]))
					first = k;
			due = *tv_agenda_first(&agenda);
			place = agenda.winner[1];
			assert_int_equal(due.key, time[first]);
			assert_int_equal(due.then, first);
			if (random() % 5 == 0)
				for (place = (uint32_t)random() % agenda.cap;
				     !tv_agenda_has(&agenda, place);)
					place = (place + 1) % agenda.cap;
			due = random() % 2 == 0 && place == agenda.winner[1]
				    ? tv_agenda_pop(&agenda)
				    : tv_agenda_remove(&agenda, place);
			assert_int_equal(due.key, time[due.then]);
			assert_int_equal(due.of, ~due.then);
			assert_int_equal(tv_agenda_remove(&other, place).then, due.then);
			assert_int_equal(other.n, agenda.n);
			in[due.then] = false;
		}
		tv_agenda_release(&agenda);
		tv_agenda_release(&other);
	}
}

static const int64_t *times;

static int by_time_of_row(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (times[x] != times[y])
		return times[x] < times[y] ? -1 : 1;
	return (x > y) - (x < y);
}

/* Some of the rows, in any order; times near to each other, or any. */
static void sorts_rows(void **state)
{
	enum { MAX = 30000 };
	int64_t *time = tv_alloc(MAX, sizeof *time);
	uint32_t *row = tv_alloc(MAX, sizeof *row), *want = tv_alloc(MAX, sizeof *want);

	(void)state;
	srandom(7);
	for (int round = 0; round < 60; round++) {
		size_t n = (size_t)random() % (round < 30 ? 50 : MAX), some = 0;

		for (uint32_t i = 0; i < n; i++) {
			time[i] = round % 2 ? draw_time() : i + random() % 100;
			if (random() % 5 != 0)
				row[some++] = i;
		}
		for (size_t i = 0; round % 3 == 0 && i < some; i++) {
			size_t k = (size_t)random() % some;
			uint32_t swap = row[i];

			row[i] = row[k];
			row[k] = swap;
		}
		for (size_t i = 0; i < some; i++)
			want[i] = row[i];
		times = time;
		qsort(want, some, sizeof *want, by_time_of_row);
		tv_sort_rows_by_time(row, some, time);
		for (size_t i = 0; i < some; i++)
			assert_int_equal(row[i], want[i]);
	}
	tv_free(time);
	tv_free(row);
	tv_free(want);
}

/* Times that are nearly in order, in some rounds up to a place from which on they are not. */
static void nearly_in_order(void **state)
{
	(void)state;
	srandom((unsigned)unit_seed(7));
	for (int round = 0; round < 300; round++) {
		size_t n = (size_t)random() % 9000, end = (size_t)random() % 12000;
		int64_t spread = 1 + random() % (round % 2 == 0 ? 300 : 3), *time;
		struct record *a = tv_alloc(n, sizeof *a), *b = tv_alloc(n, sizeof *b);
		uint32_t *row = tv_alloc(n, sizeof *row);

		time = tv_alloc(n, sizeof *time);
		for (size_t i = 0; i < n; i++) {
			time[i] = i < end ? (int64_t)i * 10 + random() % spread : draw_time();
			a[i] = b[i] = (struct record){ .number = (uint32_t)i, .time = time[i] };
			row[i] = (uint32_t)i;
		}
		qsort(a, n, sizeof *a, by_time);
		tv_sort_by_time(b, n, sizeof *b, offsetof(struct record, time), NULL);
		assert_memory_equal(a, b, n * sizeof *a);
		tv_sort_rows_by_time(row, n, time);
		tv_sort_by_time(time, n, sizeof *time, 0, NULL);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(row[i], a[i].number);
			assert_int_equal(time[i], a[i].time);
		}
		tv_free(a);
		tv_free(b);
		tv_free(row);
		tv_free(time);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_by_keys),	  cmocka_unit_test(finds_bounds),
		cmocka_unit_test(sorts_like_the_library), cmocka_unit_test(sorts_by_doubles),
		cmocka_unit_test(sorts_bare_arrays),	  cmocka_unit_test(sorts_rows),
		cmocka_unit_test(heap_without_some),	  cmocka_unit_test(nearly_in_order),
		cmocka_unit_test(agenda_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
