/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_measure.c -- measures of random groups against brute force, whole, shuffled and merged from parts. */
#include "analysis/core/measure.h"

#include <math.h>
#include <stdio.h>

#include "analysis/core/statistics.h"
#include "tests/unit/unit.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

enum { ROUNDS = 300, ROWS = 60, GROUPS = 5 };

/* Columns of the rows. */
enum { WHOLE, REAL, NAME, NCOLUMNS };

/* Columns of the result: of WHOLE, of NAME, then of REAL. */
enum {
	N,
	KNOWN,
	SUM,
	SUM_KNOWN,
	MEAN,
	MEAN_REAL,
	SD,
	MIN,
	MAX,
	P37,
	P37_FLOOR,
	DISTINCT,
	ONLY,
	RATE,
	SHARE,
	NAMES,
	REAL_SUM,
	REAL_MEAN,
	REAL_MIN,
	REAL_MAX,
	REAL_MEDIAN,
	REAL_SHARE,
	REAL_DISTINCT,
	NRESULTS
};

static const struct tv_measure_spec measures[NRESULTS] = {
	{ N, TV_MEASURE_ROWS },
	{ KNOWN, TV_MEASURE_KNOWN, WHOLE },
	{ SUM, TV_MEASURE_SUM, WHOLE },
	{ SUM_KNOWN, TV_MEASURE_SUM_KNOWN, WHOLE },
	{ MEAN, TV_MEASURE_MEAN, WHOLE },
	{ MEAN_REAL, TV_MEASURE_MEAN, WHOLE },
	{ SD, TV_MEASURE_SD, WHOLE },
	{ MIN, TV_MEASURE_MIN, WHOLE },
	{ MAX, TV_MEASURE_MAX, WHOLE },
	{ P37, TV_MEASURE_QUANTILE, WHOLE, .percent = 37 },
	{ P37_FLOOR, TV_MEASURE_QUANTILE_FLOOR, WHOLE, .percent = 37 },
	{ DISTINCT, TV_MEASURE_DISTINCT, WHOLE },
	{ ONLY, TV_MEASURE_ONLY, WHOLE },
	{ RATE, TV_MEASURE_RATE, WHOLE, .per = WHOLE, .factor = 1000 },
	{ SHARE, TV_MEASURE_SHARE, WHOLE },
	{ NAMES, TV_MEASURE_DISTINCT, NAME },
	{ REAL_SUM, TV_MEASURE_SUM, REAL, .real = true },
	{ REAL_MEAN, TV_MEASURE_MEAN, REAL, .real = true },
	{ REAL_MIN, TV_MEASURE_MIN, REAL, .real = true },
	{ REAL_MAX, TV_MEASURE_MAX, REAL, .real = true },
	{ REAL_MEDIAN, TV_MEASURE_QUANTILE, REAL, .percent = 50, .real = true },
	{ REAL_SHARE, TV_MEASURE_SHARE, REAL, .real = true },
	{ REAL_DISTINCT, TV_MEASURE_DISTINCT, REAL, .real = true },
};

static bool is_double(int column)
{
	return column == MEAN_REAL || column == RATE || column == SHARE
	    || (column >= REAL_SUM && column <= REAL_SHARE);
}

static void make_result(struct tv_table *table, struct tv_pool *pool)
{
	struct tv_error err;
	char name[8];

	tv_table_init(table, pool);
	for (int c = 0; c < NRESULTS; c++) {
		snprintf(name, sizeof name, "c%d", c);
		tv_table_column(table, name, is_double(c) ? TV_DOUBLE : TV_INT, &err);
	}
}

/* Random rows; huge: numbers near the ends of their range, so that sums exceed it. */
static void make_rows(struct tv_table *table, struct tv_pool *pool, uint64_t *seed)
{
	static const char *const names[] = { "a", "b", "c" };
	bool huge = unit_random(seed, 3) == 0;
	uint64_t range = 1 + unit_random(seed, 12), nrows = unit_random(seed, ROWS);
	struct tv_error err;

	tv_table_init(table, pool);
	tv_table_column(table, "Whole", TV_INT, &err);
	tv_table_column(table, "Real", TV_DOUBLE, &err);
	tv_table_column(table, "Name", TV_TEXT, &err);
	while (table->nrows < nrows) {
		uint32_t row = tv_table_add_row(table);
		int64_t number = (int64_t)unit_random(seed, range) - (int64_t)range / 4;

		if (unit_random(seed, 4) > 0)
			tv_set_int(table->col[WHOLE], row,
				   huge ? INT64_MAX - number * number : number);
		if (unit_random(seed, 4) > 0)
			tv_set_double(table->col[REAL], row,
				      huge ? ldexp((double)number, (int)unit_random(seed, 90))
					   : (double)number * -0.1);
		if (unit_random(seed, 4) > 0)
			tv_set_text(table->col[NAME], row, names[unit_random(seed, 3)]);
	}
	tv_table_finish(table);
}

/* ---- by brute force ---- */

struct known {
	int64_t whole[ROWS];
	double real[ROWS];
	uint32_t nwhole, nreal, nnames, n;
	tv_int128 sum;
	double real_sum;
};

static struct known look(const struct tv_table *rows, const uint32_t *row, uint32_t n)
{
	struct known k = { .n = n };
	bool seen[3] = { false };
	size_t length;

	for (uint32_t i = 0; i < n; i++) {
		if (!tv_missing(rows->col[WHOLE], row[i]))
			k.whole[k.nwhole++] = rows->col[WHOLE]->i[row[i]];
		if (!tv_missing(rows->col[REAL], row[i]))
			k.real[k.nreal++] = rows->col[REAL]->d[row[i]];
		if (!tv_missing(rows->col[NAME], row[i]))
			seen[tv_string(rows->col[NAME], row[i], &length)[0] - 'a'] = true;
	}
	qsort(k.whole, k.nwhole, sizeof *k.whole, tv_compare_int64);
	qsort(k.real, k.nreal, sizeof *k.real, tv_compare_double);
	for (uint32_t i = 0; i < k.nwhole; i++)
		k.sum += k.whole[i];
	for (uint32_t i = 0; i < k.nreal; i++)
		k.real_sum += k.real[i];
	k.nnames = (uint32_t)seen[0] + seen[1] + seen[2];
	return k;
}

static int64_t floor_of(tv_int128 num, tv_int128 den)
{
	tv_int128 whole = num / den;

	if (num % den < 0)
		whole--;
	return whole > INT64_MAX ? INT64_MAX : (int64_t)whole;
}

static void is_int(const struct tv_table *got, uint32_t row, int column, bool known, int64_t want)
{
	const struct tv_column *c = got->col[column];

	if (tv_missing(c, row) != !known || (known && c->i[row] != want))
		fail_msg("column %d: %lld, expected %lld", column, (long long)c->i[row],
			 (long long)want);
}

static void is_real(const struct tv_table *got, uint32_t row, int column, bool known, double want,
		    double scale)
{
	const struct tv_column *c = got->col[column];

	if (tv_missing(c, row) != !known || (known && !(fabs(c->d[row] - want) <= 1e-12 * scale)))
		fail_msg("column %d: %.17g, expected %.17g", column, c->d[row], want);
}

static void check_whole(const struct tv_table *got, uint32_t row, const struct known *k,
			tv_int128 whole)
{
	uint32_t n = k->nwhole, h = n == 0 ? 0 : (n - 1) * 37, different = n > 0;
	tv_int128 p37 = n == 0 ? 0 : 100 * (tv_int128)k->whole[h / 100];
	double mean = n == 0 ? 0 : (double)k->sum / n, squares = 0;

	if (h % 100 > 0)
		p37 += (tv_int128)(h % 100)
		     * ((tv_int128)k->whole[h / 100 + 1] - k->whole[h / 100]);
	for (uint32_t i = 0; i < n; i++)
		squares += ((double)k->whole[i] - mean) * ((double)k->whole[i] - mean);
	for (uint32_t i = 1; i < n; i++)
		different += k->whole[i] != k->whole[i - 1];
	is_int(got, row, N, true, k->n);
	is_int(got, row, KNOWN, true, n);
	is_int(got, row, SUM, true, floor_of(k->sum, 1));
	is_int(got, row, SUM_KNOWN, n > 0 || k->n == 0, floor_of(k->sum, 1));
	is_int(got, row, MEAN, n > 0, n == 0 ? 0 : floor_of(2 * k->sum + n, 2 * (tv_int128)n));
	is_real(got, row, MEAN_REAL, n > 0, mean, fabs(mean));
	is_int(got, row, MIN, n > 0, k->whole[0]);
	is_int(got, row, MAX, n > 0, n == 0 ? 0 : k->whole[n - 1]);
	is_int(got, row, P37, n > 0, floor_of(2 * p37 + 100, 200));
	is_int(got, row, P37_FLOOR, n > 0, floor_of(p37, 100));
	is_int(got, row, DISTINCT, true, different);
	is_int(got, row, ONLY, n > 0 && n == k->n && different == 1, k->whole[0]);
	is_real(got, row, RATE, k->sum > 0, 1000, 1000);
	is_real(got, row, SHARE, true, whole > 0 ? 100 * (double)k->sum / (double)whole : 0, 1e3);
	is_int(got, row, NAMES, true, k->nnames);
	if (n > 1 && k->whole[n - 1] < 1000)
		is_int(got, row, SD, true, llround(sqrt(squares / (n - 1))));
	else
		assert_true(n > 1 || tv_missing(got->col[SD], row));
}

static void check_real(const struct tv_table *got, uint32_t row, const struct known *k,
		       double whole)
{
	uint32_t n = k->nreal, different = n > 0;
	double scale = n == 0 ? 0 : n * fmax(fabs(k->real[0]), fabs(k->real[n - 1]));

	for (uint32_t i = 1; i < n; i++)
		different += k->real[i] != k->real[i - 1];
	is_real(got, row, REAL_SUM, true, k->real_sum, scale);
	is_real(got, row, REAL_MEAN, n > 0, k->real_sum / n, scale);
	is_real(got, row, REAL_MIN, n > 0, k->real[0], 0);
	is_real(got, row, REAL_MAX, n > 0, n == 0 ? 0 : k->real[n - 1], 0);
	is_real(got, row, REAL_MEDIAN, n > 0,
		n == 0 ? 0 : (k->real[(n - 1) / 2] + k->real[n / 2]) / 2, scale);
	is_int(got, row, REAL_DISTINCT, true, different);
	if (whole <= 0)
		is_real(got, row, REAL_SHARE, true, 0, 0);
	else if (whole > 1e-3 * scale)
		is_real(got, row, REAL_SHARE, true, 100 * k->real_sum / whole, 1e6);
}

/* ---- the same from parts ---- */

/* The rows of a group in another order, cut into windows that are merged; into a row of out. */
static void measure_parts(struct tv_measuring *m, struct tv_measuring *part, const uint32_t *row,
			  uint32_t n, struct tv_table *out, uint64_t *seed)
{
	uint32_t order[ROWS], window;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (uint32_t)unit_random(seed, i + 1);

		order[i] = order[k];
		order[k] = row[i];
	}
	tv_measuring_begin(m);
	for (uint32_t first = 0; first < n; first += window) {
		window = 1 + (uint32_t)unit_random(seed, n - first);
		if (unit_random(seed, 2) == 0) {
			tv_measuring_rows(m, order + first, window);
			continue;
		}
		tv_measuring_begin(part);
		tv_measuring_rows(part, order + first, window / 2);
		tv_measuring_rows(part, order + first + window / 2, window - window / 2);
		tv_measuring_merge(m, part);
	}
	if (out == NULL)
		tv_measuring_share(m);
	else
		tv_measuring_end(m, out->col, tv_table_add_row(out));
}

static void measure_all_parts(const struct tv_measured_rows *rows, const struct tv_groups *groups,
			      struct tv_table *out, uint64_t *seed)
{
	struct tv_measuring m, part;

	tv_measuring_init(&m, rows, measures, NRESULTS);
	tv_measuring_init(&part, rows, measures, NRESULTS);
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t g = 0; g < groups->n; g++)
			measure_parts(&m, &part, groups->row + groups->first[g],
				      groups->first[g + 1] - groups->first[g],
				      pass == 0 ? NULL : out, seed);
	tv_measuring_release(&m);
	tv_measuring_release(&part);
}

/* The same with numbers that are counted, and come again. */
static void measure_again(const struct tv_measured_rows *rows, const struct tv_groups *groups,
			  struct tv_table *out)
{
	struct tv_measuring m[GROUPS];

	for (uint32_t g = 0; g < groups->n; g++) {
		tv_measuring_init(&m[g], rows, measures, NRESULTS);
		tv_measuring_select(&m[g]);
		do
			tv_measuring_rows(&m[g], groups->row + groups->first[g],
					  groups->first[g + 1] - groups->first[g]);
		while (tv_measuring_again(&m[g]));
	}
	tv_measuring_share_all(m, groups->n);
	for (uint32_t g = 0; g < groups->n; g++) {
		tv_measuring_end(&m[g], out->col, tv_table_add_row(out));
		tv_measuring_release(&m[g]);
	}
	tv_table_finish(out);
}

/* Bit by bit. */
static void assert_same(const struct tv_table *a, const struct tv_table *b, const char *when)
{
	for (int c = 0; c < NRESULTS; c++)
		for (uint32_t row = 0; row < a->nrows; row++) {
			bool missing = tv_missing(a->col[c], row);

			assert_int_equal(missing, tv_missing(b->col[c], row));
			if (!missing && memcmp(&a->col[c]->i[row], &b->col[c]->i[row], 8) != 0)
				fail_msg("column %d differs: %s", c, when);
		}
}

/* Each measure alone: only what it needs is kept. */
static void measure_each(const struct tv_measured_rows *rows, const struct tv_groups *groups,
			 struct tv_table *out)
{
	for (int c = 0; c < NRESULTS; c++) {
		out->nrows = 0;
		tv_measure_groups(rows, groups, &measures[c], 1, out, out->col);
	}
	tv_table_finish(out);
}

static void random_groups(void **state)
{
	uint64_t seed = unit_seed(31);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct tv_pool *pool = tv_pool_new();
		struct tv_table table, out, parts;
		struct tv_groups groups;
		struct tv_measured_rows rows;
		uint32_t of_row[ROWS];
		tv_int128 whole = 0;
		double real_whole = 0;

		make_rows(&table, pool, &seed);
		make_result(&out, pool);
		make_result(&parts, pool);
		for (uint32_t row = 0; row < table.nrows; row++)
			of_row[row] = unit_random(&seed, 8) == 0
					    ? TV_NONE
					    : (uint32_t)unit_random(&seed, GROUPS);
		tv_groups_init(&groups, of_row, table.nrows, GROUPS);
		rows = tv_rows_of(&table);
		tv_measure_groups(&rows, &groups, measures, NRESULTS, &out, out.col);
		measure_all_parts(&rows, &groups, &parts, &seed);
		tv_table_finish(&out);
		tv_table_finish(&parts);
		for (uint32_t g = 0; g < GROUPS; g++) {
			struct known k = look(&table, groups.row + groups.first[g],
					      groups.first[g + 1] - groups.first[g]);

			whole += k.sum;
			real_whole += k.real_sum;
		}
		assert_int_equal(out.nrows, GROUPS);
		for (uint32_t g = 0; g < GROUPS; g++) {
			struct known k = look(&table, groups.row + groups.first[g],
					      groups.first[g + 1] - groups.first[g]);

			check_whole(&out, g, &k, whole);
			check_real(&out, g, &k, real_whole);
		}
		assert_same(&out, &parts, "the rows are divided");
		tv_table_release(&parts);
		make_result(&parts, pool);
		measure_each(&rows, &groups, &parts);
		assert_same(&out, &parts, "each measure alone");
		tv_table_release(&parts);
		make_result(&parts, pool);
		measure_again(&rows, &groups, &parts);
		assert_same(&out, &parts, "numbers are counted");
		tv_groups_release(&groups);
		tv_table_release(&table);
		tv_table_release(&out);
		tv_table_release(&parts);
		tv_pool_free(pool);
	}
}

/* The standard deviation of numbers far from 0, where sums of squares in doubles lose everything. */
static void far_numbers(void **state)
{
	static const struct tv_measure_spec sd = { 0, TV_MEASURE_SD, WHOLE };
	uint64_t seed = unit_seed(33);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct tv_pool *pool = tv_pool_new();
		int64_t far = (int64_t)1 << unit_random(&seed, 62);
		uint32_t n = 2 + (uint32_t)unit_random(&seed, ROWS - 2), row[ROWS];
		long double mean = 0, squares = 0;
		struct tv_measured_rows rows;
		struct tv_table table, out;
		struct tv_measuring m;
		struct tv_error err;

		far = unit_random(&seed, 2) == 0 ? -far : far;
		tv_table_init(&table, pool);
		tv_table_init(&out, pool);
		tv_table_column(&table, "Whole", TV_INT, &err);
		tv_table_column(&out, "SD", TV_DOUBLE, &err);
		for (uint32_t i = 0; i < n; i++) {
			row[i] = tv_table_add_row(&table);
			tv_set_int(table.col[WHOLE], i, far + (int64_t)unit_random(&seed, 1000));
			mean += (long double)(table.col[WHOLE]->i[i] - far) / n;
		}
		for (uint32_t i = 0; i < n; i++) {
			long double off = (long double)(table.col[WHOLE]->i[i] - far) - mean;

			squares += off * off;
		}
		rows = tv_rows_of(&table);
		tv_measuring_init(&m, &rows, &sd, 1);
		tv_measuring_rows(&m, row, n);
		tv_measuring_end(&m, out.col, tv_table_add_row(&out));
		assert_true(fabsl(out.col[0]->d[0] - sqrtl(squares / (n - 1))) < 1e-9L);
		tv_measuring_release(&m);
		tv_table_release(&table);
		tv_table_release(&out);
		tv_pool_free(pool);
	}
}

static void ordered_numbers(void **state)
{
	static const double number[] = { -INFINITY, -1e300, -2, -0x1p-1074, 0,
					 0x1p-1074, 0.5,    3,	1e300,	    INFINITY };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(number); i++) {
		assert_true(tv_ordered_number(tv_ordered(number[i])) == number[i]);
		if (i > 0)
			assert_true(tv_ordered(number[i - 1]) < tv_ordered(number[i]));
	}
	assert_true(tv_ordered(-0.0) == tv_ordered(0.0));
}

/* Classes of random numbers: each row with a number in that of its number, in order. */
static void random_classes(void **state)
{
	uint64_t seed = unit_seed(32);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct tv_pool *pool = tv_pool_new();
		struct tv_table table;
		struct tv_measured_rows rows;
		struct tv_classes classes;
		uint32_t known = 0, every = 0;

		make_rows(&table, pool, &seed);
		rows = tv_rows_of(&table);
		if (round % 2 == 0)
			every = 12;
		for (uint32_t row = 0; row < table.nrows && every > 0; row++)
			table.col[WHOLE]->i[row] = (int64_t)unit_random(&seed, every);
		tv_classes_init(&classes, &rows, WHOLE, table.nrows, every);
		for (uint32_t c = 0; c < classes.groups.n; c++) {
			uint32_t first = classes.groups.first[c];

			if (every > 0)
				assert_int_equal(classes.number[c], c);
			else
				assert_true(classes.groups.first[c + 1] > first);
			if (c > 0)
				assert_true(classes.number[c - 1] < classes.number[c]);
			for (uint32_t i = first; i < classes.groups.first[c + 1]; i++, known++)
				assert_true(table.col[WHOLE]->i[classes.groups.row[i]]
					    == classes.number[c]);
		}
		for (uint32_t row = 0; row < table.nrows; row++)
			known -= !tv_missing(table.col[WHOLE], row);
		assert_int_equal(known, 0);
		assert_true(every == 0 || classes.groups.n == every);
		tv_classes_release(&classes);
		tv_table_release(&table);
		tv_pool_free(pool);
	}
}

/* ---- quantiles alone ---- */

enum { FIRST, SECOND }; /* alike */

static uint32_t some_numbers(const void *data, unsigned column, const uint32_t *row, uint32_t n,
			     int64_t *number)
{
	const int64_t *all = data;

	assert_int_equal(column, FIRST);
	for (uint32_t i = 0; i < n; i++)
		number[i] = all[row[i]];
	return n;
}

/* Numbers of which quantiles alone are wanted: all fit into 32 bits, or from some row on they do not; of one process, of several
 * parts, and as bytes. The second column is not asked for: it has the numbers of the first. */
static void quantiles_alone(void **state)
{
	enum { MANY = 3000, RESULTS = 3 };
	static const struct tv_measure_spec measure[RESULTS] = {
		{ 0, TV_MEASURE_SUM, FIRST },
		{ 1, TV_MEASURE_QUANTILE_FLOOR, SECOND, .percent = 37 },
		{ 2, TV_MEASURE_MAX, SECOND },
	};
	uint64_t seed = unit_seed(31);
	int64_t *number = test_calloc(MANY, sizeof *number);
	uint32_t *row = test_calloc(MANY, sizeof *row);
	const struct tv_measured_rows rows = { .data = number,
					       .numbers = some_numbers,
					       .alike = 1u << SECOND };

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		row[i] = i;
	for (int round = 0; round < 60; round++) {
		uint32_t n = 1 + (uint32_t)unit_random(&seed, MANY);
		uint32_t cut = (uint32_t)unit_random(&seed, n + 1);
		uint32_t odd = round % 3 == 0 ? MANY : (uint32_t)unit_random(&seed, n);
		struct tv_measuring m, other;
		struct tv_column *to[RESULTS];
		struct tv_table out;
		struct tv_error err;
		tv_int128 sum = 0;

		for (uint32_t i = 0; i < n; i++) {
			number[i] = (int64_t)unit_random(&seed, (uint64_t)1 << 32);
			if (i == odd)
				number[i] = round % 3 == 1 ? -1 : (int64_t)1 << 32;
			sum += number[i];
		}
		tv_table_init(&out, tv_pool_new());
		to[0] = tv_table_column(&out, "Sum", TV_INT, &err);
		to[1] = tv_table_column(&out, "P37", TV_INT, &err);
		to[2] = tv_table_column(&out, "Max", TV_INT, &err);
		tv_measuring_init(&m, &rows, measure, RESULTS);
		tv_measuring_init(&other, &rows, measure, RESULTS);
		tv_measuring_rows(&m, row, cut);
		tv_measuring_rows(&other, row + cut, n - cut);
		if (round % 2 == 0) {
			tv_measuring_merge(&m, &other);
		} else {
			struct tv_parcel pack = { 0 };
			struct tv_unpack from;

			tv_measuring_pack(&other, out.pool, &pack);
			from = (struct tv_unpack){ pack.at, pack.n };
			tv_measuring_unpack(&m, out.pool, &from);
			tv_free(pack.at);
		}
		tv_measuring_end(&m, to, tv_table_add_row(&out));
		tv_table_finish(&out);
		tv_sort_times(number, n);
		assert_true(to[0]->i[0] == (int64_t)sum);
		assert_true(to[2]->i[0] == number[n - 1]);
		assert_true(to[1]->i[0]
			    == (int64_t)(tv_quantile_exact(number, n, 37, 100) / 100)
				       - (tv_quantile_exact(number, n, 37, 100) % 100 < 0));
		tv_measuring_release(&m);
		tv_measuring_release(&other);
		tv_pool_free(out.pool);
		tv_table_release(&out);
	}
	test_free(number);
	test_free(row);
}

int main(void)
{
	static const struct CMUnitTest test[] = { cmocka_unit_test(random_groups),
						  cmocka_unit_test(far_numbers),
						  cmocka_unit_test(ordered_numbers),
						  cmocka_unit_test(quantiles_alone),
						  cmocka_unit_test(random_classes) };

	return cmocka_run_group_tests(test, NULL, NULL);
}
