/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_outliers.c -- thresholds against the textbook's formula, groups and options by hand. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"
#include "trace/sorted.h"

enum { ROUNDS = 300, MOST = 40 };

#define HEADER "ResourceId,Value,Start,End,Kind,Size,Note\n"

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
	uint64_t seed = unit_seed(7);
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
		qsort(sorted, n, sizeof *sorted, tv_compare_int64);
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
#define FIVE \
	HEADER \
	"CPU0,a,0,1,app,1,x\nCPU0,a,1,2,app,1,x\nCPU0,a,2,3,app,2,y\nCPU0,a,3,5,app,2,y\n" \
	"CPU0,a,5,10,app,,\n" \
	"CPU0,b,10,90,app,1,x\n,b,,,ghost,,\nCPU1,,,,worker,,\nCPU0,plgsy,-9,-1,setup,,\n"

static void options(void **state)
{
	static const struct {
		const char *value[10], *want;
	} row[] = {
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
		/* sizes 1 1 1 2 and 2, in two groups with missing ones: no times, no exact path */
		{ { "Kind", NULL, NULL, NULL, "Size" },
		  "0,,3.5|0,,3.5|0,,3.5|0,,3.5|0,,|0,,3.5|,,|,,|,,|" },
		{ { "Kind", NULL, NULL, NULL, "Size", "lower" },
		  "0,,-0.5|0,,-0.5|0,,-0.5|0,,-0.5|0,,|0,,-0.5|,,|,,|,,|" },
		/* median 1.5, deviations 0.5 0.5 0.5 0.5 3.5 78.5: median 0.5 */
		{ { "Kind", NULL, NULL, "mad" },
		  "0,3.723903|0,3.723903|0,3.723903|0,3.723903|1,3.723903|1,3.723903|,|,|,|" },
		{ { "Kind", NULL, NULL, "mad", NULL, NULL, "1" },
		  "0,2.241301|0,2.241301|0,2.241301|0,2.241301|1,2.241301|1,2.241301|,|,|,|" },
		{ { "Kind", NULL, NULL, "mad", NULL, "lower", "0.1" },
		  "1,1.425870|1,1.425870|1,1.425870|0,1.425870|0,1.425870|0,1.425870|,|,|,|" },
		/* 1 1 1 2 5: half are equal, so the mean deviation 1 from 1 is taken */
		{ { NULL, NULL, NULL, "mad", NULL, NULL, "1" },
		  "0,2.253314|0,2.253314|0,2.253314|0,2.253314|1,2.253314|0,80.000000|,|,|,|" },
		{ { NULL, NULL, NULL, "median" },
		  "error: --model 'median', expected iqr, mad or regression" },
		{ { NULL, NULL, NULL, NULL, "Nope" },
		  "error: --metric: the tasks have no column 'Nope' with numbers "
		  "(did you mean 'Note'?)" },
		{ { NULL, NULL, NULL, NULL, NULL, "both" },
		  "error: --tail 'both', expected upper or lower" },
		{ { NULL, NULL, NULL, NULL, NULL, NULL, "2" },
		  "error: --factor is for --model mad" },
		{ { NULL, NULL, NULL, NULL, NULL, NULL, NULL, "Size" },
		  "error: --against is for --model regression" },
		{ { NULL, NULL, NULL, "regression", NULL, NULL, NULL, NULL, NULL, "1" },
		  "error: --level: expected a number above 0 and below 1, found '1'" },
		{ { NULL, NULL, "-1", NULL, "Size" },
		  "error: --min-excess: expected a number from 0, found '-1'" },
		{ { "Nope" },
		  "error: --group: the tasks have no column 'Nope' "
		  "(did you mean 'Note'?)" },
		{ { "Value,,Kind" },
		  "error: --group: expected names of columns with commas between" },
		{ { NULL, "0" }, "error: --min-group '0', expected a whole number from 1" },
		{ { NULL, "many" }, "error: --min-group 'many', expected a whole number from 1" },
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

/* Prediction limits of y = a + b x by the normal equations, solved for every form on its own. */
static double limit_by_hand(const double *x, const double *y, size_t n, const char *form, double at,
			    double t)
{
	bool logs = strcmp(form, "log") == 0, weighted = strcmp(form, "weighted") == 0;
	double m[2][2] = { { 0 } }, v[2] = { 0 }, det, a, b, rss = 0, u, s2, spread;

#define U(x) (logs ? log(x) : strcmp(form, "power") == 0 ? pow(x, 2.0 / 3) : (x))
#define W(x) (weighted ? 1 / (x) : 1)
	for (size_t i = 0; i < n; i++) {
		double row[2] = { 1, U(x[i]) }, z = logs ? log(y[i]) : y[i];

		for (int p = 0; p < 2; p++) {
			v[p] += W(x[i]) * row[p] * z;
			for (int q = 0; q < 2; q++)
				m[p][q] += W(x[i]) * row[p] * row[q];
		}
	}
	det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
	a = (v[0] * m[1][1] - v[1] * m[0][1]) / det;
	b = (v[1] * m[0][0] - v[0] * m[1][0]) / det;
	for (size_t i = 0; i < n; i++) {
		double r = (logs ? log(y[i]) : y[i]) - a - b * U(x[i]);

		rss += W(x[i]) * r * r;
	}
	s2 = rss / (double)(n - 2);
	u = U(at);
	/* (1 u) inverse(X'WX) (1 u)' + 1 / weight */
	spread = (m[1][1] - 2 * u * m[0][1] + u * u * m[0][0]) / det + 1 / W(at);
	u = a + b * u + t * sqrt(s2 * spread);
	return logs ? exp(u) : u;
#undef U
#undef W
}

static void regressions(void **state)
{
	static const char *const form[] = { "log", "linear", "weighted", "power" };
	uint64_t seed = unit_seed(11);
	int outliers = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		/* 12 tasks: 10 degrees of freedom, t = 2.228139 of the published table. */
		enum { N = 12 };
		const char *value[10] = { [3] = "regression", [8] = form[round % 4] };
		char csv[N * 100] = "ResourceId,Value,Start,End,GFlop\n";
		double x[N], y[N];
		const struct tv_table *marks;
		struct sample s;

		for (int i = 0; i < N; i++) {
			size_t at = strlen(csv);
			int64_t time;

			x[i] = 1 + (double)unit_random(&seed, 50);
			time = (int64_t)(x[i] * 1e6) + (int64_t)unit_random(&seed, 4000000);
			time *= unit_random(&seed, 12) == 0 ? 4 : 1;
			y[i] = (double)time;
			snprintf(csv + at, sizeof csv - at, "CPU0,a,0.0000%02d,%.6f,%g\n", i,
				 (double)(time + i) / 1e6, x[i]);
		}
		sample_make(&s, csv);
		marks = tv_run_pass(&s.run, "outliers", value, &s.err);
		assert_non_null(marks);
		for (uint32_t i = 0; i < N; i++) {
			double limit = limit_by_hand(x, y, N, form[round % 4], x[i], 2.2281388520);
			int64_t is = tv_table_find(marks, "Outlier")->i[i];
			int64_t got = tv_table_find(marks, "Threshold")->i[i];

			assert_true(fabs((double)got - limit) < 2 + 2e-9 * limit);
			assert_true(fabs(y[i] - limit) < 3 || is == (y[i] > limit));
			outliers += (int)is;
		}
		sample_release(&s);
	}
	assert_in_range(outliers, ROUNDS / 10, ROUNDS * 2);
}

/* Exact lines have no outliers; equal work, too few tasks and tasks without work. */
static void odd_regressions(void **state)
{
	const char *linear[10] = { [3] = "regression", [8] = "linear" };
	const char *by_size[10] = { [3] = "regression", [7] = "Size" };
	struct sample s;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End,GFlop\n"
			"CPU0,a,0,0.3,0.1\nCPU0,a,1,1.6,0.2\nCPU0,a,2,3.5,0.5\nCPU0,a,4,6.1,0.7\n"
			"CPU0,a,7,99,\nCPU0,b,100,101,1\nCPU0,b,102,104,2\nCPU0,c,105,107,1\n"
			"CPU0,c,107,111,1\n");
	/* two points of equal x: mean 3, s = sqrt 2, t = 12.706205, so 3 + t sqrt 3 */
	assert_string_equal(sample_pass(&s, "outliers", linear),
			    "0,0.300000|0,0.600000|0,1.500000|0,2.100000|0,|0,|0,|0,25.007792|"
			    "0,25.007792|");
	assert_string_equal(sample_pass(&s, "outliers", by_size),
			    "error: --against: the tasks have no column 'Size' with numbers");
	sample_release(&s);
}

/* A column Outlier of the input is used as it is, unless an option asks for a rule. */
static void taken_over(void **state)
{
	static const char csv[] =
		"ResourceId,Value,Start,End,Outlier,Threshold\n"
		"CPU0,a,0,1,1,0.5\nCPU0,a,1,2,0,\nCPU0,a,2,3,,0.5\nCPU0,a,3,9,,\n";
	static const char *const other[10] = { "Value" };
	static const char *const submit[10] = { NULL, NULL, NULL, NULL, "SubmitTime" };
	static const char *const same[10] = { "Value,ResourceType", "1", "0", "iqr" };
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	assert_string_equal(sample_pass(&s, "outliers", NULL), "1,0.500000|0,|,0.500000|,|");
	assert_ptr_equal(tv_run_pass(&s.run, "outliers", NULL, &s.err),
			 tv_run_pass(&s.run, "outliers", same, &s.err));
	assert_string_equal(sample_pass(&s, "outliers", other),
			    "0,4.125000|0,4.125000|0,4.125000|1,4.125000|");
	sample_release(&s);
	/* thresholds of another metric do not outlive their marks, those of durations neither */
	sample_make(&s, "ResourceId,Value,Start,End,SubmitTime,Outlier,Threshold,MetricThreshold\n"
			"CPU0,a,0,1,-1,1,0.5,0.5\n");
	assert_string_equal(sample_pass(&s, "outliers", other), "0,1.000000,|");
	assert_string_equal(sample_pass(&s, "outliers", submit), "0,,-1.000000|");
	assert_string_equal(sample_pass(&s, "outliers", NULL), "1,0.500000|");
	sample_release(&s);
	sample_make(&s, "ResourceId,Value,Start,End,Outlier\nCPU0,a,0,1,yes\n");
	assert_string_equal(sample_pass(&s, "outliers", NULL),
			    "error: column Outlier is 'yes', expected 0 or 1");
	sample_release(&s);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(random_groups), cmocka_unit_test(options),
		cmocka_unit_test(regressions),	 cmocka_unit_test(odd_regressions),
		cmocka_unit_test(taken_over),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
