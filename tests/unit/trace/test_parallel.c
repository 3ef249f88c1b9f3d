/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_parallel.c -- items of work in several threads; a table read in pieces is the same table. */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "trace/parallel.h"

enum { ITEMS = 1000 };

struct items {
	atomic_int done[ITEMS];
	pthread_t first;
	size_t lacks; /* item in which memory is exhausted */
};

static void do_item(void *context, size_t i)
{
	struct items *items = context;

	if (i == 0)
		items->first = pthread_self();
	if (i == items->lacks)
		tv_free(tv_alloc(SIZE_MAX, 1));
	atomic_fetch_add(&items->done[i], 1);
}

static void every_item_once(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 8; threads++)
		for (size_t n = 0; n < ITEMS; n = 2 * n + 1) {
			struct items items = { .lacks = ITEMS };

			tv_threads_set(threads);
			tv_parallel(n, do_item, &items);
			for (size_t i = 0; i < ITEMS; i++)
				assert_int_equal(items.done[i], i < n);
			assert_true(n == 0 || pthread_equal(items.first, pthread_self()));
		}
	tv_threads_set(0);
	assert_in_range(tv_threads(), 1, TV_THREADS_MAX);
}

static void exhausted_memory_reaches_the_caller(void **state)
{
	static const size_t lacks[] = { 0, 1, ITEMS / 2, ITEMS - 1 };

	(void)state;
	for (unsigned threads = 1; threads <= 8; threads += 7)
		for (size_t k = 0; k < TV_COUNT(lacks); k++) {
			struct items items = { .lacks = lacks[k] };

			tv_threads_set(threads);
			assert_true(unit_exhausts(tv_parallel(ITEMS, do_item, &items)));
			assert_int_equal(items.done[lacks[k]], 0);
		}
}

/* Rows of tasks: numbers near each other and far apart, other names, lists, cells that are missing
 * in long runs. */
static char *make_rows(unsigned n, size_t *length)
{
	char *text = tv_alloc(n + 1, 200);
	size_t at = (size_t)sprintf(text, "Mine,ResourceId,Value,Start,End,JobId,DependsOn,Size\n");
	uint64_t random = unit_seed(27);

	for (unsigned i = 0; i < n; i++) {
		unsigned far = (unsigned)unit_random(&random, 1000000000);

		at += (size_t)sprintf(text + at, "%s,CPU%u,%s%u,%u,%u,%s%u,%u %u J%u,",
				      i / 3000 % 2 ? "" : "text", far % 7, i % 5 ? "v" : "",
				      far % 50, i, i + 1, i % 11 ? "" : "0", i % 3 ? i : far, i / 2,
				      far, far % 100);
		at += (size_t)(i % 4000 < 2000 ? 0 : sprintf(text + at, "%u", i));
		text[at++] = '\n';
	}
	*length = at;
	return text;
}

static void same_column(const struct tv_column *a, const struct tv_column *b, uint32_t nrows)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->nitems, b->nitems);
	for (uint32_t row = 0; row < nrows; row++) {
		assert_int_equal(tv_missing(a, row), tv_missing(b, row));
		if (a->type == TV_TIME || a->type == TV_INT || a->type == TV_DOUBLE)
			assert_int_equal(a->i[row], b->i[row]);
		else
			assert_int_equal(a->u[row], b->u[row]);
	}
	if (a->type == TV_LIST)
		assert_memory_equal(a->items, b->items, a->nitems * sizeof *a->items);
	if (a->type == TV_TEXT && a->nitems > 0)
		assert_memory_equal(a->bytes, b->bytes, a->nitems);
}

/* Also the numbers of the strings are the same. */
static void pieces_are_the_table(void **state)
{
	enum { ROWS = 20000 };
	struct tv_trace trace[3];
	size_t n;
	char *rows = make_rows(ROWS, &n);

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		struct tv_error err = { 0 };
		struct tv_input in;

		tv_threads_set(1 + 2 * k);
		tv_trace_init(&trace[k], NULL);
		tv_intern_text(trace[k].pool, "CPU3");
		tv_input_memory(&in, "t.csv", rows, n);
		assert_int_equal(tv_csv_read(&in, &trace[k], TV_TASKS, &err), 0);
		assert_int_equal(in.line, ROWS + 1);
		tv_input_close(&in);
	}
	for (unsigned k = 1; k < 3; k++) {
		const struct tv_table *one = &trace[0].table[TV_TASKS],
				      *several = &trace[k].table[TV_TASKS];

		assert_int_equal(several->nrows, ROWS);
		assert_int_equal(several->ncols, one->ncols);
		assert_int_equal(tv_pool_count(trace[k].pool), tv_pool_count(trace[0].pool));
		for (uint32_t id = 0; id < tv_pool_count(trace[0].pool); id++)
			assert_string_equal(tv_pool_text(trace[k].pool, id),
					    tv_pool_text(trace[0].pool, id));
		for (size_t i = 0; i < one->ncols; i++)
			same_column(tv_table_at(one, i), tv_table_at(several, i), ROWS);
		assert_int_equal(tv_trace_place(&trace[k], ROWS - 1).line, ROWS + 1);
		assert_int_equal(trace[k].nlines, trace[0].nlines);
	}
	for (unsigned k = 0; k < 3; k++)
		tv_trace_release(&trace[k]);
	tv_free(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_item_once),
		cmocka_unit_test(exhausted_memory_reaches_the_caller),
		cmocka_unit_test(pieces_are_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
