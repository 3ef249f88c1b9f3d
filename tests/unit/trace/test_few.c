/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_few.c -- numbers kept in short against a table whose columns are plain arrays. */
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/parallel.h"
#include "trace/table.h"

enum { COLUMNS = 2 }; /* one of int, one of double */

/* The same table twice: [0] as usual, [1] in short where that is possible. */
struct pair {
	struct tv_table table[2];
	struct tv_column *column[2][COLUMNS];
};

static void add_columns(struct pair *p, struct tv_pool *pool, bool in_short)
{
	static const char *const name[COLUMNS] = { "whole", "real" };
	struct tv_error err;

	for (int k = 0; k < 2; k++) {
		tv_table_init(&p->table[k], pool);
		for (int c = 0; c < COLUMNS; c++) {
			p->column[k][c] = tv_table_column(&p->table[k], name[c],
							  c == 0 ? TV_INT : TV_DOUBLE, &err);
			if (k == 1 && in_short)
				tv_table_expect_few(p->column[k][c]);
		}
	}
}

static void set(struct pair *p, int c, uint32_t row, int64_t number)
{
	for (int k = 0; k < 2; k++)
		if (c == 0)
			tv_set_int(p->column[k][c], row, number);
		else
			tv_set_double(p->column[k][c], row, (double)number / 3);
}

/* n more rows; of every column about a quarter is missing, some rows are set twice. */
static void fill(struct pair *p, uint32_t n, int64_t different, uint64_t *seed)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = tv_table_add_row(&p->table[0]);

		tv_table_add_row(&p->table[1]);
		for (int c = 0; c < COLUMNS; c++) {
			int64_t number = (int64_t)unit_random(seed, (uint64_t)different);

			if (unit_random(seed, 4) > 0)
				set(p, c, row, number * number * 1000003 - different);
			if (row > 0 && unit_random(seed, 50) == 0)
				set(p, c, (uint32_t)unit_random(seed, row), number);
		}
	}
}

static void check_cells(const struct pair *p)
{
	for (int c = 0; c < COLUMNS; c++) {
		const struct tv_column *a = p->table[0].col[c], *b = p->table[1].col[c];

		for (uint32_t row = 0; row < p->table[0].nrows; row++) {
			assert_int_equal(tv_missing(a, row), tv_missing(b, row));
			assert_int_equal(a->i[row], tv_number(b, row));
			assert_memory_equal(&a->d[row], &(double){ tv_real(b, row) }, 8);
		}
	}
}

static void check(const struct pair *p, bool in_short)
{
	uint32_t n = p->table[0].nrows;

	assert_int_equal(p->table[1].nrows, n);
	check_cells(p);
	for (int c = 0; n > 0 && c < COLUMNS; c++) {
		const struct tv_column *column = p->table[1].col[c];

		assert_int_equal(column->few != NULL, in_short);
		assert_ptr_equal(tv_table_find(&p->table[1], column->name), column);
		assert_null(column->few);
		assert_memory_equal(column->i, p->table[0].col[c]->i, n * sizeof(int64_t));
	}
	check_cells(p);
}

static void sort(struct pair *p, uint64_t *seed)
{
	uint32_t n = p->table[0].nrows, *order = tv_alloc(n, sizeof *order);
	bool few_move = unit_random(seed, 2) == 0;

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = few_move && n > 8 ? n - 8 : 0; i < n; i++) {
		uint32_t with = i + (uint32_t)unit_random(seed, few_move && n - i > 4 ? 4 : n - i);
		uint32_t kept = order[i];

		order[i] = order[with];
		order[with] = kept;
	}
	for (int k = 0; k < 2; k++)
		tv_table_sort(&p->table[k], order);
	tv_free(order);
}

static void keeps_the_numbers(void **state)
{
	/* Max number of rows, different numbers; the last one has too many of them. */
	static const struct {
		uint32_t rows;
		int64_t different;
		int rounds;
		bool in_short;
	} is[] = { { 5, 3, 200, true },	       { 700, 7, 50, true },
		   { 2000, 255, 50, true },    { 2000, 400, 50, true },
		   { 100000, 60000, 2, true }, { 400000, 1000000, 2, false } };
	uint64_t seed = unit_seed(5);

	(void)state;
	for (size_t i = 0; i < sizeof is / sizeof *is; i++)
		for (int round = 0; round < is[i].rounds; round++) {
			struct tv_pool *pool = tv_pool_new();
			struct pair p;
			uint32_t n = is[i].in_short ? 1 + (uint32_t)unit_random(&seed, is[i].rows)
						    : is[i].rows;

			add_columns(&p, pool, true);
			fill(&p, n, is[i].different, &seed);
			for (int c = 0; c < COLUMNS; c++)
				set(&p, c, n - 1, 0); /* none without any value */
			for (int k = 0; k < 2; k++)
				tv_table_finish(&p.table[k]);
			if (round % 2 == 0)
				sort(&p, &seed);
			check(&p, is[i].in_short);
			for (int k = 0; k < 2; k++)
				tv_table_release(&p.table[k]);
			tv_pool_free(pool);
		}
}

static void appends_pieces(void **state)
{
	uint64_t seed = unit_seed(6);

	(void)state;
	for (int round = 0; round < 60; round++) {
		struct tv_pool *pool = tv_pool_new(), *piece = tv_pool_new_piece();
		struct pair p;

		add_columns(&p, pool, true);
		for (int k = 0; k < 5; k++) {
			struct pair part;

			add_columns(&part, piece, false);
			fill(&part, round < 58 ? (uint32_t)unit_random(&seed, 200) : 40000,
			     round < 50	  ? 20
			     : round < 58 ? 1000
					  : 1000000,
			     &seed);
			for (int t = 0; t < 2; t++)
				tv_table_append(&p.table[t], &part.table[t]);
			for (int t = 0; t < 2; t++)
				tv_table_release(&part.table[t]);
		}
		fill(&p, 1, 2, &seed);
		for (int c = 0; c < COLUMNS; c++)
			set(&p, c, p.table[0].nrows - 1, 7);
		for (int t = 0; t < 2; t++)
			tv_table_finish(&p.table[t]);
		check(&p, round < 58);
		for (int t = 0; t < 2; t++)
			tv_table_release(&p.table[t]);
		tv_pool_free(piece);
		tv_pool_free(pool);
	}
}

static void special_numbers(void **state)
{
	static const double real[] = { 0, -0.0, INFINITY, -INFINITY, 5e-324, 1.7e308 };
	static const int64_t whole[] = { 0, INT64_MIN, INT64_MAX, -1 };
	struct tv_pool *pool = tv_pool_new();
	struct pair p;

	(void)state;
	add_columns(&p, pool, true);
	for (uint32_t row = 0; row < 6; row++)
		for (int k = 0; k < 2; k++) {
			tv_table_add_row(&p.table[k]);
			tv_set_int(p.column[k][0], row, whole[row % 4]);
			tv_set_double(p.column[k][1], row, real[row]);
		}
	for (int k = 0; k < 2; k++)
		tv_table_finish(&p.table[k]);
	check(&p, true);
	for (int k = 0; k < 2; k++)
		tv_table_release(&p.table[k]);
	tv_pool_free(pool);
}

static void find_at_once(void *context, size_t i)
{
	const struct pair *p = context;
	const struct tv_column *column = tv_table_find(&p->table[1], "whole");

	(void)i;
	assert_memory_equal(column->i, p->table[0].col[0]->i,
			    p->table[0].nrows * sizeof *column->i);
}

static void several_threads_ask(void **state)
{
	uint64_t seed = unit_seed(7);

	(void)state;
	tv_threads_set(4);
	for (int round = 0; round < 20; round++) {
		struct tv_pool *pool = tv_pool_new();
		struct pair p;

		add_columns(&p, pool, true);
		fill(&p, 5000, 100, &seed);
		for (int k = 0; k < 2; k++)
			tv_table_finish(&p.table[k]);
		tv_parallel(16, find_at_once, &p);
		for (int k = 0; k < 2; k++)
			tv_table_release(&p.table[k]);
		tv_pool_free(pool);
	}
	tv_threads_set(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_numbers),
		cmocka_unit_test(appends_pieces),
		cmocka_unit_test(special_numbers),
		cmocka_unit_test(several_threads_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
