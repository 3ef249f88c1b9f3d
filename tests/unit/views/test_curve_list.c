/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_curve_list.c -- curves of a result: where one ends, their ranks, what titles and keys say of them. */
#include "tests/unit/unit.h"
#include "views/charts/curve_list.h"

/* Curve, By, Start, End, Value; times in ns. */
static const struct {
	const char *curve, *by;
	int64_t start, end;
	double value;
} rows[] = {
	{ "sent", "a", 0, 10000, 4 },	      { "sent", "a", 10000, 20000, 6 },
	{ "sent", "b", 0, 20000, 7 },	      { "received", "b", 0, 10000, 1 },
	{ "received", "b", 10000, 20000, 9 }, { "received", NULL, 0, 20000, 5 },
};

static void fill(struct tv_table *table, struct tv_pool *pool)
{
	struct tv_error err;

	tv_table_init(table, pool);
	for (size_t i = 0; i < TV_COUNT(rows); i++) {
		uint32_t row = tv_table_add_row(table);

		tv_set_text(tv_table_column(table, "Curve", TV_LABEL, &err), row, rows[i].curve);
		tv_set_text(tv_table_column(table, "By", TV_LABEL, &err), row, rows[i].by);
		tv_set_int(tv_table_column(table, "Start", TV_TIME, &err), row, rows[i].start);
		tv_set_int(tv_table_column(table, "End", TV_TIME, &err), row, rows[i].end);
		tv_set_double(tv_table_column(table, "Value", TV_DOUBLE, &err), row, rows[i].value);
		tv_set_int(tv_table_column(table, "Tasks", TV_INT, &err), row, (int64_t)i);
		tv_set_int(tv_table_column(table, "Time", TV_TIME, &err), row,
			   (int64_t)i * 1000000);
	}
	tv_table_finish(table);
}

static void curves(void **state)
{
	struct tv_pool *pool = tv_pool_new();
	struct tv_curve_list list;
	struct tv_table table;

	(void)state;
	fill(&table, pool);
	tv_curve_list_init(&list, &table, "By", "Value");
	assert_int_equal(list.n, 4);
	assert_true(tv_curve_list_several(&list));
	assert_int_equal(list.at[0].pieces.n, 2);
	assert_int_equal(list.at[3].by, TV_NONE);
	tv_curve_list_measure(&list);
	assert_true(list.at[2].extent.mean == 5 && list.at[2].peak == 10000);
	/* Means 5, 7, 5, 5: equal ones in the order of the result. */
	tv_curve_list_by_mean(&list);
	assert_int_equal(list.at[0].place, 1);
	assert_int_equal(list.at[1].place, 0);
	assert_int_equal(list.at[3].place, 3);
	tv_curve_list_by_max(&list);
	assert_int_equal(list.at[0].place, 2);
	tv_curve_list_by_place(&list);
	tv_curve_list_keep(&list, &table, "sent");
	assert_int_equal(list.n, 2);
	assert_false(tv_curve_list_several(&list));
	tv_curve_list_keep(&list, &table, "no such curve");
	assert_int_equal(list.n, 0);
	tv_curve_list_release(&list, NULL);
	tv_table_release(&table);
	tv_pool_free(pool);
}

/* Columns that are no doubles are copied: times in ms. */
static void values(void **state)
{
	static const struct {
		const char *column;
		double last;
	} row[] = { { "Tasks", 5 }, { "Time", 5 } };
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;

	(void)state;
	fill(&table, pool);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_curve_list list;
		double *value = NULL;

		tv_curve_list_init(&list, &table, "By", row[i].column);
		assert_true(list.at[3].pieces.value[0] == row[i].last);
		tv_curve_list_release(&list, &value);
		assert_true(value != NULL && value[5] == row[i].last);
		tv_free(value);
	}
	tv_table_release(&table);
	tv_pool_free(pool);
}

static void texts(void **state)
{
	static const struct {
		const char *pattern, *text;
	} row[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "{name}: mean {mean:1}, max {max:0}", "a: mean 5.0, max 6" },
		{ "{mean:r}, {max:2}, {mean}", "5.000, 6.00, 5" },
		{ "peak {peak} at {time}", "peak 6 at 10.00 us" },
		{ "{bytes}", "100 B" },
	};
	struct tv_printed_numbers numbers = { .at = NULL };
	const struct tv_printed printed = { &numbers, "panel" };
	struct tv_pool *pool = tv_pool_new();
	struct tv_curve_list list;
	struct tv_table table;

	(void)state;
	fill(&table, pool);
	tv_curve_list_init(&list, &table, "By", "Value");
	tv_curve_list_measure(&list);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		char *text = tv_curve_text(&printed, row[i].pattern, "a", &list.at[0], "MB/s");

		if (strcmp(text, row[i].text) != 0)
			fail_msg("'%s': '%s', expected '%s'", row[i].pattern, text, row[i].text);
		tv_free(text);
	}
	tv_curve_list_release(&list, NULL);
	tv_printed_release(&numbers);
	tv_table_release(&table);
	tv_pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(curves), cmocka_unit_test(values),
					    cmocka_unit_test(texts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
