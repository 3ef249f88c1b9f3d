/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_summary.c -- statistics by type against plain formulas, groups, teams and footprints. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"
#include "trace/text.h"

enum { ROUNDS = 1000, MOST = 60, TYPES = 3 };

static int64_t cell(const struct tv_table *table, const char *name, uint32_t row)
{
	return tv_table_find(table, name)->i[row];
}

/* The p-quantile by its definition, in ns, rounded half up. */
static int64_t quantile(const int64_t *x, size_t n, long double p)
{
	long double h = (long double)(n - 1) * p + 1e-12L, low = floorl(h);
	size_t at = (size_t)low;
	long double q = at + 1 < n ? x[at] + (h - low) * (long double)(x[at + 1] - x[at]) : x[at];

	return (int64_t)floorl(q + 0.5L);
}

static void check_row(const struct tv_table *table, uint32_t row, int64_t *x, size_t n,
		      long double whole)
{
	long double mean = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = i; k > 0 && x[k - 1] > x[k]; k--) {
			int64_t swap = x[k];

			x[k] = x[k - 1];
			x[k - 1] = swap;
		}
	for (size_t i = 0; i < n; i++)
		mean += (long double)x[i] / (long double)n;
	for (size_t i = 0; i < n; i++)
		squares += ((long double)x[i] - mean) * ((long double)x[i] - mean);
	assert_int_equal(cell(table, "Tasks", row), n);
	assert_true(fabsl((long double)cell(table, "MeanDuration", row) - mean) <= 0.501L);
	assert_true(fabsl((long double)cell(table, "Time", row) - mean * n) < 0.5L);
	assert_true(whole == 0
		    || fabsl(tv_table_find(table, "Share")->d[row] - 100 * mean * n / whole)
			       < 1e-9L);
	assert_int_equal(cell(table, "Min", row), x[0]);
	assert_int_equal(cell(table, "Max", row), x[n - 1]);
	assert_int_equal(cell(table, "P5", row), quantile(x, n, 0.05L));
	assert_int_equal(cell(table, "P25", row), quantile(x, n, 0.25L));
	assert_int_equal(cell(table, "Median", row), quantile(x, n, 0.5L));
	assert_int_equal(cell(table, "P75", row), quantile(x, n, 0.75L));
	assert_int_equal(cell(table, "P95", row), quantile(x, n, 0.95L));
	assert_int_equal(tv_missing(tv_table_find(table, "SD"), row), n == 1);
	assert_true(n == 1
		    || fabsl((long double)cell(table, "SD", row)
			     - sqrtl(squares / (long double)(n - 1)))
			       <= 0.501L);
}

static void random_traces(void **state)
{
	uint64_t seed = unit_seed(17);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		size_t n = 1 + unit_random(&seed, MOST), count[2 * TYPES] = { 0 };
		static int64_t time[2 * TYPES][MOST];
		char csv[MOST * 60] = "ResourceId,Value,Start,End,Kind\nCPU9,z,0,5,setup\n";
		const struct tv_table *table;
		long double whole = 0;
		struct sample s;
		uint32_t row = 0;

		for (size_t i = 0; i < n; i++) {
			size_t at = strlen(csv), g = unit_random(&seed, 2 * TYPES);
			int64_t t = (int64_t)unit_random(&seed, round % 2 ? 10 : 1000000000);
			char end[TV_NUMBER_MAX];

			time[g][count[g]++] = t;
			whole += (long double)t;
			tv_write_ms(end, (int64_t)i + t);
			snprintf(csv + at, sizeof csv - at, "%s,t%zu,0.0000%02zu,%s,app\n",
				 g % 2 ? "CUDA0" : "CPU0", g / 2, i, end);
		}
		sample_make(&s, csv);
		table = tv_run_pass(&s.run, "summary", NULL, &s.err);
		assert_non_null(table);
		for (size_t g = 0; g < 2 * TYPES; g++)
			if (count[g] > 0)
				check_row(table, row++, time[g], count[g], whole);
		assert_int_equal(table->nrows, row);
		sample_release(&s);
	}
}

/* A team is one task; types in natural order; rows without type last; two sizes of one type. */
static void by_hand(void **state)
{
	static const char csv[] =
		"ResourceId,Value,Start,End,JobId,Team,Footprint,Note\n"
		"CPU0,k10,0,1,1,2,a,x\nCPU1,k10,0,3,1,2,a,y\nCPU0,k10,3,5,2,,b,x\n"
		"CPU0,k2,5,9,3,,,\nCPU0,,9,10,4,,c,x\n";
	static const char *const note[3] = { "Note" }, *const all[3] = { "" };
	static const char *const nope[3] = { "Value,Nope" }, *const twice[3] = { "Value,Value" };
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	assert_string_equal(
		sample_pass(&s, "summary", NULL),
		"k2,CPU,1,1,4.000000,36.36363636363637,4.000000,,4.000000,4.000000,4.000000,"
		"4.000000,4.000000,4.000000,4.000000,0|"
		"k10,CPU,2,3,6.000000,54.54545454545455,2.000000,1.000000,1.000000,1.100000,"
		"1.500000,2.000000,2.500000,2.900000,3.000000,2|"
		",CPU,1,1,1.000000,9.090909090909092,1.000000,,1.000000,1.000000,1.000000,"
		"1.000000,1.000000,1.000000,1.000000,1|");
	assert_true(s.run.diagnostics.n > 0);
	assert_true(tv_glob("1 of 3 rows mix tasks of several footprints (sizes), such as k10 with "
			    "2: see --by Value,ResourceType,Footprint",
			    s.run.diagnostics.at[s.run.diagnostics.n - 1].text));
	assert_string_equal(
		sample_pass(&s, "summary", all),
		"4,5,11.000000,100,2.200000,1.303840,1.000000,1.000000,1.000000,2.000000,"
		"3.000000,3.800000,4.000000,3|");
	assert_true(
		tv_glob("x,3,3,4.000000,*|y,0,1,3*|,1,1,4*|", sample_pass(&s, "summary", note)));
	assert_string_equal(sample_pass(&s, "summary", nope),
			    "error: --by: the tasks have no column 'Nope' (did you mean 'Note'?)");
	assert_string_equal(sample_pass(&s, "summary", twice),
			    "error: --by names column 'Value' twice");
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces),
		cmocka_unit_test(by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
