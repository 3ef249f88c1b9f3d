/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_outliers.c -- thresholds against the textbook's formula, prediction limits by hand. */
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
	static const char *const same[10] = { "Value,ResourceType", "1", "0", "iqr" };
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
		assert_ptr_equal(tv_run_pass(&s.run, "outliers", same, &s.err), marks);
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

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(random_groups),
		cmocka_unit_test(regressions),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
