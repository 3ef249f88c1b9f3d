/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_distribution.c -- distribution and model: bins against all round edges there are,
 * fits against the normal equations. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"
#include "trace/sorted.h"

enum { ROUNDS = 1500, MOST = 40, EDGES = 12000 };

#define HEADER "ResourceId,Value,Start,End,GFlop\n"

static void TV_PRINTF(3, 4) append(char *csv, size_t size, const char *format, ...)
{
	size_t at = strlen(csv);
	va_list args;

	va_start(args, format);
	vsnprintf(csv + at, size - at, format, args);
	va_end(args);
}

/* ---- bins against all edges there are ---- */

/* The edges of each fineness from `finest` on, up to one beyond `most`; -1: there is none such. */
static int edges_of(bool logs, int fineness, int64_t most, int64_t *edge)
{
	static const int64_t round[] = { 1, 2, 5 };
	static const int steps[] = { 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1 };
	int n = 0;
	if (!logs) {
		int64_t width = round[fineness % 3];

		for (int k = 0; k < fineness / 3; k++)
			width *= 10;
		if (width * 1000 < most - most % 1000 || most / width + 2 > EDGES)
			return -1;
		while (n == 0 || edge[n - 1] <= most) {
			edge[n] = n * width;
			n++;
		}
		return n;
	}
	if (fineness > 9)
		return -1;
	for (int k = 0; n == 0 || edge[n - 1] <= most; k++) {
		int64_t next = (int64_t)roundl(powl(10, (long double)k / steps[fineness]));

		if (n == 0 || next > edge[n - 1])
			edge[n++] = next;
	}
	return n;
}

/* The rows that a histogram of sorted durations should have: lower, upper, count. */
static int bins_of(bool logs, int bins, const int64_t *time, int n, int64_t row[][3])
{
	static int64_t edge[EDGES];
	int zeros = 0, nrows = 0;

	while (logs && zeros < n && time[zeros] == 0)
		zeros++;
	if (zeros > 0) {
		row[nrows][0] = 0;
		row[nrows][1] = 1;
		row[nrows++][2] = zeros;
	}
	if (zeros == n)
		return nrows;
	for (int fineness = 0;; fineness++) {
		int nedges = edges_of(logs, fineness, time[n - 1], edge), first = 0, last = 0;

		if (nedges < 0)
			continue;
		while (edge[first + 1] <= time[zeros])
			first++;
		while (edge[last + 1] <= time[n - 1])
			last++;
		if (last - first + 1 > bins && !(logs && fineness == 9))
			continue;
		for (int e = first; e <= last; e++, nrows++) {
			row[nrows][0] = edge[e];
			row[nrows][1] = edge[e + 1];
			row[nrows][2] = 0;
			for (int i = zeros; i < n; i++)
				row[nrows][2] += edge[e] <= time[i] && time[i] < edge[e + 1];
		}
		return nrows;
	}
}

static void random_bins(void **state)
{
	static int64_t want[EDGES][3];
	uint64_t seed = unit_seed(5);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		static const int64_t range[] = { 3, 30, 5000, 8000000, 3000000000 };
		bool logs = unit_random(&seed, 2);
		int n = 1 + (int)unit_random(&seed, MOST), rows;
		int bins = 1 + (int)unit_random(&seed, 40);
		int64_t below = range[unit_random(&seed, 5)];
		int64_t base = (int64_t)unit_random(&seed, 2) * below;
		char csv[MOST * 60] = HEADER, number[12];
		const struct tv_table *table;
		int64_t time[MOST];
		struct sample s;

		for (int i = 0; i < n; i++) {
			char text[TV_NUMBER_MAX];

			time[i] = base * 9 + (int64_t)unit_random(&seed, (uint64_t)below);
			tv_write_ms(text, time[i]);
			append(csv, sizeof csv, "CPU%d,a,0,%s,\n", i, text);
		}
		qsort(time, (size_t)n, sizeof *time, tv_compare_int64);
		rows = bins_of(logs, bins, time, n, want);
		snprintf(number, sizeof number, "%d", bins);
		sample_make(&s, csv);
		table = tv_run_pass_with(&s.run, "distribution", &s.err, "bins", number, "scale",
					 logs ? "log" : "linear", NULL);
		assert_non_null(table);
		assert_int_equal(table->nrows, rows);
		for (uint32_t row = 0; row < table->nrows; row++) {
			assert_int_equal(tv_table_find(table, "Lower")->i[row], want[row][0]);
			assert_int_equal(tv_table_find(table, "Upper")->i[row], want[row][1]);
			assert_int_equal(tv_table_find(table, "Tasks")->i[row], want[row][2]);
		}
		sample_release(&s);
	}
}

/* ---- fits ---- */

/* Solves the weighted normal equations; s by the residuals. */
static void solve(const long double *x, const long double *y, const long double *w, int n,
		  long double *a, long double *b, long double *s)
{
	long double sw = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, squares = 0;

	for (int i = 0; i < n; i++) {
		sw += w[i];
		sx += w[i] * x[i];
		sy += w[i] * y[i];
		sxx += w[i] * x[i] * x[i];
		sxy += w[i] * x[i] * y[i];
	}
	*b = (sw * sxy - sx * sy) / (sw * sxx - sx * sx);
	*a = (sy - *b * sx) / sw;
	for (int i = 0; i < n; i++)
		squares += w[i] * (y[i] - *a - *b * x[i]) * (y[i] - *a - *b * x[i]);
	*s = sqrtl(squares / (n - 2));
}

static bool near(double got, long double want)
{
	return fabsl(got - want) <= 1e-7L * (1 + fabsl(want));
}

static double number(const struct tv_table *table, const char *name)
{
	return tv_table_find(table, name)->d[0];
}

/* Whether the points lie on the line, within its interval. */
static void check_points(const struct tv_table *points, int f, long double a, long double b)
{
	assert_int_equal(points->nrows, 5);
	for (int k = 0; k < 5; k++) {
		double at = tv_table_find(points, "Work")->d[k];
		long double u = f == 0 ? logl(at) : f == 3 ? powl(at, 2 / 3.0L) : at;
		long double want = f == 0 ? expl(a + b * u) : a + b * u;

		assert_true(near(tv_table_find(points, "Duration")->d[k], want));
		assert_true(tv_table_find(points, "PredictionLow")->d[k] < want);
		assert_true(tv_table_find(points, "PredictionHigh")->d[k] > want);
	}
}

static void random_fits(void **state)
{
	static const char *const form[] = { "log", "linear", "weighted", "power" };
	uint64_t seed = unit_seed(21);

	(void)state;
	for (int round = 0; round < 400; round++) {
		int n = 4 + (int)unit_random(&seed, 20), f = round % 4, outliers = 0;
		long double x[MOST], y[MOST], w[MOST], a, b, s;
		char csv[MOST * 60] = HEADER;
		const struct tv_table *fit, *points, *marks;
		struct sample sample;

		for (int i = 0; i < n; i++) {
			int time = 1000 + (int)unit_random(&seed, 3000);
			int work = 1 + i + (int)unit_random(&seed, 9);

			append(csv, sizeof csv, "CPU%d,a,0,%d,%d\n", i, time, work);
			x[i] = f == 0 ? logl(work) : f == 3 ? powl(work, 2 / 3.0L) : work;
			y[i] = f == 0 ? logl(time) : time;
			w[i] = f == 2 ? 1.0L / work : 1;
		}
		/* Without work it is no point. */
		append(csv, sizeof csv, "CPU99,a,0,7,0\nCPU98,a,0,7,\n");
		solve(x, y, w, n, &a, &b, &s);
		sample_make(&sample, csv);
		fit = tv_run_pass_with(&sample.run, "regression", &sample.err, "fit", form[f],
				       "level", "0.8", NULL);
		points = tv_run_pass_with(&sample.run, "regression", &sample.err, "fit", form[f],
					  "level", "0.8", "points", "5", NULL);
		marks = tv_run_pass_with(&sample.run, "outliers", &sample.err, "fit", form[f],
					 "level", "0.8", "model", "regression", NULL);
		assert_non_null(fit);
		assert_non_null(points);
		assert_non_null(marks);
		assert_int_equal(fit->nrows, 1);
		assert_int_equal(tv_table_find(fit, "Points")->i[0], n);
		assert_true(near(number(fit, "Intercept"), a));
		assert_true(near(number(fit, "Slope"), b));
		assert_true(near(number(fit, "ResidualSD"), s));
		assert_true(number(fit, "Freedom") == n - 2);
		for (int i = 0; i < n; i++)
			outliers += tv_table_find(marks, "Outlier")->i[i] == 1;
		assert_int_equal(tv_table_find(fit, "Outliers")->i[0], outliers);
		check_points(points, f, a, b);
		assert_true(tv_table_find(points, "Work")->d[0] == number(fit, "MinWork"));
		assert_true(tv_table_find(points, "Work")->d[4] == number(fit, "MaxWork"));
		/* The end of the curve is the threshold of the task there. */
		for (int i = 0; i < n; i++)
			if (lroundl(f == 0   ? expl(x[i])
				    : f == 3 ? powl(x[i], 1.5L)
					     : x[i])
			    == lround(number(fit, "MaxWork")))
				assert_true(fabs(tv_table_find(points, "PredictionHigh")->d[4] * 1e6
						 - 0.5
						 - (double)tv_table_find(marks, "Threshold")->i[i])
					    < 0.51);
		sample_release(&sample);
	}
}

/* The rows of a run, as one part, and how often all of them were read. */
struct readings {
	struct tv_run *part;
	unsigned given, n;
};

static int next_part(void *context, enum tv_part_columns columns, struct tv_run **part,
		     struct tv_error *err)
{
	struct readings *readings = context;

	(void)columns;
	(void)err;
	*part = readings->part;
	readings->n += readings->given;
	readings->given = !readings->given;
	return (int)readings->given;
}

/* Rows that come in parts are read twice: for edges and thresholds, and to be counted. */
static void two_readings(void **state)
{
	struct tv_run part;
	struct readings readings = { &part, 0, 0 };
	struct tv_run_parts parts = { .next = next_part, .context = &readings, .rows = 5 };
	const struct tv_table *bins;
	int64_t outliers = 0;
	struct sample s;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End\nCPU0,a,0,1\nCPU0,a,1,2\nCPU0,a,2,3\n"
			"CPU0,a,3,4\nCPU0,a,4,9\n");
	tv_run_init(&part, &s.trace, 0);
	part.of = &s.run;
	s.run.parts = &parts;
	bins = tv_run_pass(&s.run, "distribution", NULL, &s.err);
	assert_non_null(bins);
	for (uint32_t row = 0; row < bins->nrows; row++)
		outliers += tv_table_find(bins, "Outliers")->i[row];
	assert_int_equal(outliers, 1);
	assert_int_equal(readings.n, 2);
	tv_run_release(&part);
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_bins),
		cmocka_unit_test(random_fits),
		cmocka_unit_test(two_readings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
