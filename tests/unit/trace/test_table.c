/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_table.c -- columns against a plain model: random writes, missing cells, taking rows; labels;
 * names. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "trace/alloc.h"
#include "trace/kernels.h"
#include "trace/text.h"

enum { ROWS = 200, MANY_ROWS = 20000 };

/* A table of all types; every third cell is missing, one column is full and one empty. */
static void fill_random(struct tv_table *table, struct tv_pool *pool, uint32_t n, uint64_t *seed)
{
	struct tv_column *column[6];
	struct tv_error err;

	tv_table_init(table, pool);
	for (int type = 0; type < 6; type++)
		column[type] = tv_table_column(table, tv_type_name(type), (enum tv_type)type, &err);
	tv_table_column(table, "empty", TV_INT, &err);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = tv_table_add_row(table), list[3] = { 0 };
		char text[8] = "";

		for (size_t k = unit_random(seed, 4); k-- > 0;) {
			list[k] = tv_intern_text(pool, k == 0 ? "a" : "b");
			text[k] = (char)('a' + (char)unit_random(seed, 26));
		}
		tv_set_int(column[TV_TIME], row, (int64_t)unit_random(seed, 1000));
		if (unit_random(seed, 3) > 0)
			tv_set_int(column[TV_INT], row, (int64_t)unit_random(seed, 1000));
		if (unit_random(seed, 3) > 0)
			tv_set_double(column[TV_DOUBLE], row, (double)unit_random(seed, 1000));
		if (unit_random(seed, 3) > 0)
			tv_set_text(column[TV_LABEL], row, text);
		if (unit_random(seed, 3) > 0)
			tv_set_text(column[TV_TEXT], row, text);
		if (unit_random(seed, 3) > 0)
			tv_set_list(column[TV_LIST], row, list, unit_random(seed, 4));
	}
	tv_table_finish(table);
}

static void check_cell(const struct tv_column *a, const struct tv_column *b, uint32_t row)
{
	const uint32_t *one, *two;
	uint32_t none, ntwo;
	size_t n, m;

	assert_int_equal(tv_missing(a, row), tv_missing(b, row));
	if (a->type == TV_TEXT) {
		const char *s = tv_string(a, row, &n), *t = tv_string(b, row, &m);

		assert_int_equal(n, m);
		assert_memory_equal(s, t, n);
	} else if (a->type == TV_LIST) {
		one = tv_list(a, row, &none);
		two = tv_list(b, row, &ntwo);
		assert_int_equal(none, ntwo);
		for (uint32_t i = 0; i < none; i++)
			assert_int_equal(one[i], two[i]);
	} else if (a->type == TV_LABEL) {
		assert_int_equal(tv_label(a, row), tv_label(b, row));
	} else {
		assert_int_equal(a->i[row], b->i[row]);
	}
}

/* Sorted rows are those taken in that order, whether few of them move or all, and how far. */
static void sorted_rows(void **state)
{
	uint64_t seed = unit_seed(11);
	uint32_t *order = test_calloc(MANY_ROWS, sizeof *order);

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct tv_pool *pool = tv_pool_new();
		struct tv_table table, taken;
		const uint32_t near = round % 50 == 0 ? 600 : 4;
		uint32_t n = (uint32_t)unit_random(&seed, round % 50 == 0 ? MANY_ROWS : ROWS);

		fill_random(&table, pool, n, &seed);
		for (uint32_t i = 0; i < n; i++)
			order[i] = i;
		for (uint64_t k = unit_random(&seed, round % 2 == 0 ? 4 : n + 1); n > near && k > 0;
		     k--) {
			uint32_t at = (uint32_t)unit_random(&seed, n - near), kept = order[at];
			uint32_t with = at + (uint32_t)unit_random(&seed, near);

			order[at] = order[with];
			order[with] = kept;
		}
		for (uint32_t i = 0; round % 100 == 50 && i < n; i++)
			order[i] = n - 1 - i;
		tv_table_take(&table, order, n, &taken);
		tv_table_sort(&table, order);
		assert_int_equal(table.nrows, n);
		assert_int_equal(table.ncols, taken.ncols);
		for (size_t i = 0; i < table.ncols; i++)
			for (uint32_t row = 0; row < n; row++)
				check_cell(table.col[i], taken.col[i], row);
		tv_table_release(&taken);
		tv_table_release(&table);
		tv_pool_free(pool);
	}
	test_free(order);
}

/* Random writes in any order into an int column; what was never written is missing. */
static void random_writes(void **state)
{
	uint64_t seed = unit_seed(3);

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct tv_error err = { 0 };
		struct tv_pool *pool = tv_pool_new();
		struct tv_table table;
		struct tv_column *column;
		int64_t value[ROWS];
		bool set[ROWS] = { false };
		uint32_t n = (uint32_t)unit_random(&seed, ROWS) + 1;

		tv_table_init(&table, pool);
		column = tv_table_column(&table, "x", TV_INT, &err);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(tv_table_add_row(&table), i);
		for (uint64_t k = unit_random(&seed, 2 * ROWS); k > 0; k--) {
			uint32_t row = (uint32_t)unit_random(&seed, n);

			value[row] = (int64_t)unit_random(&seed, 1000);
			set[row] = true;
			tv_set_int(column, row, value[row]);
		}
		tv_table_finish(&table);
		for (uint32_t row = 0; row < n; row++)
			if (tv_missing(column, row) == set[row]
			    || (set[row] && column->i[row] != value[row]))
				fail_msg("round %d, row %u", round, row);
		tv_table_release(&table);
		tv_pool_free(pool);
	}
}

static void lists_and_text(void **state)
{
	struct tv_error err = { 0 };
	struct tv_pool *pool = tv_pool_new();
	uint32_t label[2] = { tv_intern_text(pool, "a"), tv_intern_text(pool, "b") },
		 order[] = { 3, 1, 3 }, n;
	struct tv_table table, taken;
	struct tv_column *list, *text;
	size_t length;

	(void)state;
	tv_table_init(&table, pool);
	list = tv_table_column(&table, "list", TV_LIST, &err);
	text = tv_table_column(&table, "text", TV_TEXT, &err);
	for (uint32_t i = 0; i < 5; i++)
		tv_table_add_row(&table);
	tv_set_list(list, 1, label, 2);
	tv_set_list(list, 2, NULL, 0);
	tv_set_string(text, 3, "xyz", 3);
	tv_table_finish(&table);
	assert_true(tv_missing(list, 0) && !tv_missing(list, 1) && !tv_missing(list, 2)
		    && tv_missing(list, 3));
	assert_int_equal(tv_list(list, 1, &n)[1], label[1]);
	assert_int_equal(n, 2);
	tv_list(list, 2, &n);
	assert_int_equal(n, 0);
	tv_table_take(&table, order, 3, &taken);
	text = tv_table_find(&taken, "text");
	assert_memory_equal(tv_string(text, 2, &length), "xyz", 3);
	assert_int_equal(length, 3);
	assert_true(tv_missing(text, 1));
	assert_null(tv_table_column(&table, "text", TV_INT, &err));
	assert_string_equal(err.text, "column text holds text, expected int64");
	tv_table_release(&taken);
	tv_table_release(&table);
	tv_pool_free(pool);
}

/* Rows in any order, also repeated: each cell is that of its row, missing or not. */
static void taken_rows(void **state)
{
	uint64_t seed = unit_seed(3);
	struct tv_pool *pool = tv_pool_new();

	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t nrows = (uint32_t)unit_random(&seed, 150) + 1, order[200];
		uint32_t n = (uint32_t)unit_random(&seed, 200);
		uint64_t share = unit_random(&seed, 5); /* of cells that are set */
		struct tv_table table, taken;
		struct tv_column *time, *label;

		tv_table_init(&table, pool);
		time = tv_table_column(&table, "time", TV_TIME, NULL);
		label = tv_table_column(&table, "label", TV_LABEL, NULL);
		for (uint32_t row = 0; row < nrows; row++) {
			tv_table_add_row(&table);
			if (unit_random(&seed, 4) < share)
				tv_set_int(time, row, (int64_t)row - 70);
			if (unit_random(&seed, 4) < share)
				tv_set_label(label, row, row % 3);
		}
		tv_table_finish(&table);
		for (uint32_t i = 0; i < n; i++)
			order[i] = (uint32_t)unit_random(&seed, nrows);
		tv_table_take(&table, order, n, &taken);
		assert_int_equal(taken.nrows, n);
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(tv_missing(taken.col[0], i), tv_missing(time, order[i]));
			assert_int_equal(tv_missing(taken.col[1], i), tv_missing(label, order[i]));
			assert_int_equal(taken.col[0]->i[i], time->i[order[i]]);
			assert_int_equal(tv_label(taken.col[1], i), tv_label(label, order[i]));
		}
		tv_table_release(&taken);
		tv_table_release(&table);
	}
	tv_pool_free(pool);
}

static void words(void **state)
{
	static const char *const text[] = { "", " ", "a", " b  a ", "a a b" };
	static const char *const want[] = { "", "", "a", "ba", "aab" };
	struct tv_error err = { 0 };
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;
	struct tv_column *list;

	(void)state;
	tv_table_init(&table, pool);
	list = tv_table_column(&table, "list", TV_LIST, &err);
	for (uint32_t row = 0; row < TV_COUNT(text); row++) {
		tv_table_add_row(&table);
		tv_set_words(list, row, text[row], strlen(text[row]));
	}
	tv_table_finish(&table);
	for (uint32_t row = 0; row < TV_COUNT(text); row++) {
		uint32_t n;
		const uint32_t *label = tv_list(list, row, &n);

		assert_false(tv_missing(list, row));
		assert_int_equal(n, strlen(want[row]));
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(tv_pool_text(pool, label[i])[0], want[row][i]);
	}
	tv_table_release(&table);
	tv_pool_free(pool);
}

static void labels(void **state)
{
	struct tv_pool *pool = tv_pool_new();
	char text[32];

	(void)state;
	assert_int_equal(tv_intern(pool, "", 0), 0);
	for (uint32_t i = 1; i < 100000; i++) {
		snprintf(text, sizeof text, "%u", i);
		assert_int_equal(tv_intern_text(pool, text), i);
	}
	for (uint32_t i = 1; i < 100000; i++) {
		snprintf(text, sizeof text, "%u", i);
		assert_int_equal(tv_pool_find_text(pool, text), i);
		assert_string_equal(tv_pool_text(pool, i), text);
	}
	assert_int_equal(tv_pool_find_text(pool, "x"), TV_NONE);
	assert_int_equal(tv_intern(pool, "a\0b", 3), 100000);
	assert_int_equal(tv_pool_length(pool, 100000), 3);
	assert_int_equal(tv_pool_find(pool, "a", 1), TV_NONE);
	tv_pool_free(pool);
}

/* Texts around each length that is stored in its own way, with zero bytes at their ends, twice. */
static void lengths_of_labels(void **state)
{
	static const size_t length[] = { 1, 2, 3, 4, 7, 8, 9, 254, 255, 256, 65535, 65536, 70000 };
	struct tv_pool *pool = tv_pool_new();
	char *text = tv_alloc(80000, 1);
	uint32_t label;

	(void)state;
	for (int pass = 0; pass < 2; pass++) {
		label = 1;
		for (size_t i = 0; i < TV_COUNT(length); i++)
			for (int form = 0; form < 4; form++, label++) {
				memset(text, form % 2 ? 'x' : '7', length[i]);
				text[length[i] - 1] = form < 2 ? text[0] : '\0';
				/* One zero byte is the same with both. */
				if (length[i] == 1 && form == 3)
					text[0] = 'y';
				assert_int_equal(pass == 0 ? TV_NONE : label,
						 tv_pool_find(pool, text, length[i]));
				assert_int_equal(tv_intern(pool, text, length[i]), label);
				assert_int_equal(tv_intern_again(pool, label - 1, text, length[i]),
						 label);
				assert_int_equal(tv_pool_length(pool, label), length[i]);
				assert_memory_equal(tv_pool_text(pool, label), text, length[i]);
				assert_int_equal(tv_pool_text(pool, label)[length[i]], 0);
			}
	}
	tv_free(text);
	tv_pool_free(pool);
}

static void natural_order(void **state)
{
	static const char *const sorted[] = { "",      "1",	  "2",	      "10",
					      "CPU",   "CPU0",	  "CPU02",    "CPU2",
					      "CPU10", "CPU10_2", "CPU10_10", "CUDA0" };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(sorted); i++)
		for (size_t k = 0; k < TV_COUNT(sorted); k++) {
			int order = tv_natural_order(sorted[i], sorted[k]);

			if ((order < 0) != (i < k) || (order > 0) != (i > k))
				fail_msg("'%s' against '%s': %d", sorted[i], sorted[k], order);
		}
}

static void memory_limit(void **state)
{
	void *volatile p = NULL;

	(void)state;
	tv_memory_limit(tv_memory_used() + 1000000);
	assert_true(unit_exhausts(tv_alloc(2000000, 1)));
	p = tv_alloc(500000, 1);
	assert_non_null(p);
	assert_true(unit_exhausts(tv_realloc(p, 2000000, 1)));
	tv_free(p);
	assert_true(unit_exhausts(tv_alloc(SIZE_MAX / 2, 4)));
	tv_memory_on_exhaustion(NULL);
	tv_memory_limit(0);
	p = tv_alloc(2000000, 1);
	assert_non_null(p);
	tv_free(p);
}

static void globs(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool match;
	} row[] = { { "*gemm*", "DGEMM_NN", true },
		    { "*gemm", "dgemm_", false },
		    { "", "", true },
		    { "*", "", true },
		    { "a?c", "abc", true },
		    { "a?c", "ac", false },
		    { "**a**b", "xxaxxb", true },
		    { "CPU[0-3]", "CPU2", true },
		    { "cpu[0-39]", "CPU9", true },
		    { "CPU[0-3]", "CPU4", false },
		    { "CPU[0-3]", "CPU22", false },
		    { "*[ab]*[0-9]", "xbx7", true },
		    { "CPU[0-3", "CPU[0-3", true },
		    { "k[a]", "k[a]", true },
		    { "k[]", "k[]", true },
		    { "x[a-]", "x-", true },
		    { "a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		      false } };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++)
		assert_int_equal(tv_glob(row[i].pattern, row[i].text), row[i].match);
}

static void kernels(void **state)
{
	static const struct {
		const char *name, *kernel;
		enum tv_kind kind;
		uint32_t color;
	} row[] = { { "chol_model_potrf", "potrf", TV_APP, 0xdf0718 },
		    { "DPOTRF", "potrf", TV_APP, 0xdf0718 },
		    { "dgemm", "gemm", TV_APP, 0x6ccc69 },
		    { "sgemm_nt", "gemm", TV_APP, 0x6ccc69 },
		    { "ssyrk", "syrk", TV_APP, 0x843185 },
		    { "TRSM", "trsm", TV_APP, 0x18a0ea } };
	struct tv_error err = { 0 };
	struct tv_kernels table;

	(void)state;
	assert_int_equal(tv_kernels_init(&table, NULL, &err), 0);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		const struct tv_kernel *k = tv_kernels_match(&table, row[i].name);

		assert_non_null(k);
		assert_string_equal(k->kernel, row[i].kernel);
		assert_int_equal(k->kind, row[i].kind);
		assert_int_equal(k->color, row[i].color);
	}
	assert_int_equal(tv_kernels_match(&table, "dplrnt")->kind, TV_SETUP);
	assert_int_equal(tv_kernels_match(&table, "plgsy")->kind, TV_SETUP);
	assert_int_equal(tv_kernels_match(&table, "_starpu_data_acquire_cb_pre")->kind, TV_RUNTIME);
	assert_null(tv_kernels_match(&table, "my_kernel"));
	tv_kernels_release(&table);
}

static void clean_text(void **state)
{
	char out[8];

	(void)state;
	assert_string_equal(tv_clean_text(out, sizeof out,
					  "a\x01\xff"
					  "b"),
			    "a??b");
	assert_string_equal(tv_clean_text(out, sizeof out, "\xc3\xa9"), "\xc3\xa9");
	assert_string_equal(tv_clean_text(out, sizeof out, "\xed\xa0\x80"), "???");
	assert_string_equal(tv_clean_text(out, 4, "ab\xc3\xa9"), "ab");
	assert_string_equal(tv_clean_text(out, sizeof out, "\xf0\x9f"), "??");
}

/* Far behind the row that becomes missing are others, of which none was. */
static void missing_at_last(void **state)
{
	const uint32_t n = 100000;
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;
	struct tv_column *label;
	struct tv_error err;

	(void)state;
	tv_table_init(&table, pool);
	label = tv_table_column(&table, "L", TV_LABEL, &err);
	for (uint32_t row = 0; row < n; row++) {
		tv_table_add_row(&table);
		tv_set_label(label, row, row % 3);
	}
	tv_set_any_label(label, 1, TV_NONE);
	assert_true(label->valid_cap >= n / 64); /* else what follows it in memory was written */
	for (uint32_t row = 0; row < n; row++)
		assert_int_equal(tv_missing(label, row), row == 1);
	tv_table_release(&table);
	tv_pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_writes),   cmocka_unit_test(lists_and_text),
		cmocka_unit_test(words),	   cmocka_unit_test(taken_rows),
		cmocka_unit_test(sorted_rows),	   cmocka_unit_test(labels),
		cmocka_unit_test(natural_order),   cmocka_unit_test(memory_limit),
		cmocka_unit_test(globs),	   cmocka_unit_test(kernels),
		cmocka_unit_test(clean_text),	   cmocka_unit_test(lengths_of_labels),
		cmocka_unit_test(missing_at_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
