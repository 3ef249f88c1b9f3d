/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_outliers.c -- thresholds against the textbook's formula, groups and options by hand. */
#include <math.h>
#include <stdio.h>

#include "sample.h"

enum { ROUNDS = 300, MOST = 40 };

#define HEADER "ResourceId,Value,Start,End,Kind,Size,Note\n"

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Type 7: linear interpolation at h = (n - 1) p. */
static long double quantile(const int64_t *x, size_t n, long double p)
{
	long double h = (long double)(n - 1) * p, low = floorl(h);
	size_t at = (size_t)low;

	return at + 1 < n ? x[at] + (h - low) * (long double)(x[at + 1] - x[at]) : x[at];
}

/* One group of random durations, short ones with many ties or long ones beyond 2^32 ns. */
static void random_groups(void **state)
{
	uint64_t seed = 7;
	int outliers = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		size_t n = 1 + unit_random(&seed, MOST), at = 0;
		uint64_t range = unit_random(&seed, 2) ? 12 : (uint64_t)1 << 40;
		int64_t time[MOST], sorted[MOST];
		char csv[MOST * 100] = HEADER;
		const struct tv_table *marks;
		long double q1, q3, threshold;
		struct sample s;

		for (size_t k = 0; k < n; k++) {
			char end[TV_NUMBER_MAX];

			time[k] = (int64_t)(unit_random(&seed, range)
					    * (1 + unit_random(&seed, 3)));
			sorted[k] = time[k];
			tv_write_ms(end, (int64_t)k + time[k]);
			at = strlen(csv);
			snprintf(csv + at, sizeof csv - at, "CPU0,a,0.0000%02zu,%s,app,,\n", k,
				 end);
		}
		sample_make(&s, csv);
		marks = tv_run_pass(&s.run, "outliers", NULL, &s.err);
		assert_non_null(marks);
		assert_int_equal(marks->nrows, n);
		qsort(sorted, n, sizeof *sorted, by_size);
		q1 = quantile(sorted, n, 0.25L);
		q3 = quantile(sorted, n, 0.75L);
		threshold = q3 + 1.5L * (q3 - q1);
		for (size_t k = 0; k < n; k++) {
			int64_t is = tv_table_find(marks, "Outlier")->i[k];

			assert_int_equal(is, (long double)time[k] > threshold);
			assert_int_equal(tv_table_find(marks, "Threshold")->i[k],
					 (int64_t)floorl(threshold));
			outliers += (int)is;
		}
		sample_release(&s);
	}
	assert_in_range(outliers, ROUNDS / 20, ROUNDS * MOST / 4);
}

/* Durations 1 1 1 2 and 5: Q1 = 1, Q3 = 2, so above 3.5; another type, a ghost, idle worker. */
#define FIVE HEADER \
	"CPU0,a,0,1,app,1,x\nCPU0,a,1,2,app,1,x\nCPU0,a,2,3,app,2,y\nCPU0,a,3,5,app,2,y\n" \
	"CPU0,a,5,10,app,,\n" \
	"CPU0,b,10,90,app,1,x\n,b,,,ghost,,\nCPU1,,,,worker,,\nCPU0,plgsy,-9,-1,setup,,\n"

static void options(void **state)
{
	static const struct { const char *value[3], *want; } row[] = {
		{ { NULL },
		  "0,3.500000|0,3.500000|0,3.500000|0,3.500000|1,3.500000|0,80.000000|,|,|,|" },
		{ { NULL, "5" },
		  "0,3.500000|0,3.500000|0,3.500000|0,3.500000|1,3.500000|0,|,|,|,|" },
		{ { NULL, "6" }, "0,|0,|0,|0,|0,|0,|,|,|,|" },
		{ { NULL, NULL, "1.5" },
		  "0,3.500000|0,3.500000|0,3.500000|0,3.500000|1,3.500000|0,80.000000|,|,|,|" },
		{ { NULL, NULL, "1500001 ns" },
		  "0,3.500000|0,3.500000|0,3.500000|0,3.500000|0,3.500000|0,80.000000|,|,|,|" },
		/* all of a kind: 1 1 1 2 5 80, Q1 = 1, Q3 = 4.25 */
		{ { "Kind" },
		  "0,9.125000|0,9.125000|0,9.125000|0,9.125000|0,9.125000|1,9.125000|,|,|,|" },
		/* text, numbers and missing cells tell apart: 1 1 80 | 1 2 | 5 */
		{ { "Size" },
		  "0,99.750000|0,99.750000|0,2.500000|0,2.500000|0,5.000000|0,99.750000|,|,|,|" },
		{ { "Note" },
		  "0,99.750000|0,99.750000|0,2.500000|0,2.500000|0,5.000000|0,99.750000|,|,|,|" },
		{ { "Nope" }, "error: --group: the tasks have no column 'Nope'" },
		{ { "Value,,Kind" },
		  "error: --group: expected names of columns with commas between" },
		{ { NULL, "0" }, "error: --min-group: expected a whole number from 1, found '0'" },
		{ { NULL, "many" },
		  "error: --min-group: expected a whole number from 1, found 'many'" },
		{ { NULL, NULL, "-1" },
		  "error: --min-excess: expected a time like 0.5 or 500us, found '-1'" },
	};
	struct sample s;

	(void)state;
	sample_make(&s, FIVE);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		assert_string_equal(sample_pass(&s, "outliers", row[i].value), row[i].want);
	}
	sample_release(&s);
}

/* A column Outlier of the input is used as it is, unless an option asks for a rule. */
static void taken_over(void **state)
{
	static const char csv[] = "ResourceId,Value,Start,End,Outlier,Threshold\n"
		"CPU0,a,0,1,1,0.5\nCPU0,a,1,2,0,\nCPU0,a,2,3,,0.5\nCPU0,a,3,9,,\n";
	static const char *const other[] = { "Value", NULL, NULL };
	static const char *const same[] = { "Value,ResourceType", "1", "0" };
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	assert_string_equal(sample_pass(&s, "outliers", NULL), "1,0.500000|0,|,0.500000|,|");
	assert_ptr_equal(tv_run_pass(&s.run, "outliers", NULL, &s.err),
			 tv_run_pass(&s.run, "outliers", same, &s.err));
	assert_string_equal(sample_pass(&s, "outliers", other),
			    "0,4.125000|0,4.125000|0,4.125000|1,4.125000|");
	sample_release(&s);
	sample_make(&s, "ResourceId,Value,Start,End,Outlier\nCPU0,a,0,1,yes\n");
	assert_string_equal(sample_pass(&s, "outliers", NULL),
			    "error: column Outlier is 'yes', expected 0 or 1");
	sample_release(&s);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(random_groups),
		cmocka_unit_test(options),
		cmocka_unit_test(taken_over),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
