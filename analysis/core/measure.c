/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.c -- one tally for each column that is measured, read by its measures at the end. */
#include "analysis/core/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/statistics.h"
#include "trace/alloc.h"
#include "trace/map.h"

/* ---- numbers ---- */

int64_t tv_ordered(double number)
{
	double value = number + 0.0; /* -0 is 0 */
	int64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits < 0 ? bits ^ INT64_MAX : bits;
}

double tv_ordered_number(int64_t ordered)
{
	int64_t bits = ordered < 0 ? ordered ^ INT64_MAX : ordered;
	double number;

	memcpy(&number, &bits, sizeof number);
	return number;
}

static bool cell(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct tv_table *table = data;
	const struct tv_column *c = table->col[column];

	if (tv_missing(c, row))
		return false;
	*number = c->type == TV_DOUBLE ? tv_ordered(c->d[row]) : (int64_t)tv_cell_key(c, row);
	return true;
}

struct tv_measured_rows tv_rows_of(const struct tv_table *table)
{
	return (struct tv_measured_rows){ cell, table };
}

/* ---- tallies ---- */

enum { TOGETHER = 512 }; /* numbers that are added up */

static bool is_quantile(const struct tv_measure_spec *measure)
{
	return measure->kind == TV_MEASURE_QUANTILE || measure->kind == TV_MEASURE_QUANTILE_FLOOR;
}

/* Whether a measure takes all numbers of its column, in their order. */
static bool needs_order(const struct tv_measure_spec *measure)
{
	switch (measure->kind) {
	case TV_MEASURE_DISTINCT:
		return true;
	case TV_MEASURE_QUANTILE:
	case TV_MEASURE_QUANTILE_FLOOR:
	case TV_MEASURE_SD:
	case TV_MEASURE_SUM:
	case TV_MEASURE_SUM_KNOWN:
	case TV_MEASURE_MEAN:
	case TV_MEASURE_RATE:
	case TV_MEASURE_SHARE:
		return measure->real;
	default:
		return false;
	}
}

static void use_column(struct tv_measuring *m, unsigned column,
		       const struct tv_measure_spec *measure)
{
	struct tv_tally *tally = &m->tally[column];

	tally->counted = (!tally->used || tally->counted) && measure->kind == TV_MEASURE_KNOWN;
	tally->used = true;
	tally->real = measure->real;
	tally->labels = measure->labels;
	tally->shared = tally->shared || measure->kind == TV_MEASURE_SHARE;
	tally->ordered = tally->ordered || needs_order(measure);
	tally->kept = tally->kept || tally->ordered || is_quantile(measure);
	tally->squared = tally->squared || (measure->kind == TV_MEASURE_SD && !measure->real);
}

/* Where numbers are kept to count the different ones alone, each is kept once. */
static void find_distinct(struct tv_measuring *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->measure[i].kind == TV_MEASURE_DISTINCT)
			m->tally[m->measure[i].of].distinct = true;
	for (size_t i = 0; i < m->n; i++)
		if (is_quantile(&m->measure[i]) || m->measure[i].real)
			m->tally[m->measure[i].of].distinct = false;
}

void tv_measuring_init(struct tv_measuring *m, const struct tv_measured_rows *rows,
		       const struct tv_measure_spec *measure, size_t n)
{
	*m = (struct tv_measuring){ .rows = *rows, .measure = measure, .n = n };
	for (size_t i = 0; i < n; i++) {
		m->ntallies = measure[i].of >= m->ntallies ? measure[i].of + 1 : m->ntallies;
		m->ntallies = measure[i].per >= m->ntallies ? measure[i].per + 1 : m->ntallies;
	}
	m->tally = tv_alloc(m->ntallies, sizeof *m->tally);
	for (size_t i = 0; i < n; i++) {
		if (measure[i].kind != TV_MEASURE_ROWS)
			use_column(m, measure[i].of, &measure[i]);
		if (measure[i].kind == TV_MEASURE_RATE)
			use_column(m, measure[i].per, &measure[i]);
	}
	find_distinct(m);
	tv_measuring_begin(m);
}

void tv_measuring_select(struct tv_measuring *m)
{
	for (unsigned c = 0; c < m->ntallies; c++) {
		struct tv_tally *tally = &m->tally[c];

		if (!tally->kept || tally->ordered || tally->real)
			continue;
		tally->kept = false;
		tally->selection = tv_alloc(1, sizeof *tally->selection);
	}
}

void tv_measuring_release(struct tv_measuring *m)
{
	for (unsigned c = 0; c < m->ntallies; c++) {
		tv_free(m->tally[c].number);
		tv_free(m->tally[c].low);
		if (m->tally[c].selection != NULL)
			tv_selection_release(m->tally[c].selection);
		tv_free(m->tally[c].selection);
	}
	tv_free(m->tally);
	*m = (struct tv_measuring){ 0 };
}

void tv_measuring_begin(struct tv_measuring *m)
{
	m->nrows = 0;
	for (unsigned c = 0; c < m->ntallies; c++) {
		m->tally[c].known = 0;
		m->tally[c].n = 0;
		m->tally[c].in_short = m->tally[c].kept && !m->tally[c].ordered;
		m->tally[c].sum = 0;
		m->tally[c].squares = m->tally[c].above = 0;
	}
}

static void add_squares(struct tv_tally *tally, const int64_t *number, uint32_t n)
{
	tv_uint128 squares = 0, above = 0;

	for (uint32_t i = 0; i < n; i++) {
		tv_uint128 square = (tv_uint128)((tv_int128)number[i] * number[i]);

		squares += (uint64_t)square;
		above += (uint64_t)(square >> 64);
	}
	tally->squares += squares;
	tally->above += above;
}

static void add_numbers(struct tv_tally *tally, const int64_t *number, uint32_t n)
{
	int64_t min = tally->known == 0 ? INT64_MAX : tally->min;
	int64_t max = tally->known == 0 ? INT64_MIN : tally->max;
	tv_int128 sum = 0;

	tally->known += n;
	if (n == 0 || tally->counted)
		return;
	for (uint32_t i = 0; i < n; i++) {
		min = number[i] < min ? number[i] : min;
		max = number[i] > max ? number[i] : max;
		sum += number[i];
	}
	tally->min = min;
	tally->max = max;
	tally->sum += sum;
	if (tally->squared)
		add_squares(tally, number, n);
	if (tally->kept)
		tv_tally_keep(tally, number, n);
	if (tally->selection != NULL)
		tv_selection_add(tally->selection, number, n);
}

/* The known numbers of n rows in a column: how many. */
static uint32_t take_numbers(const struct tv_measuring *m, unsigned column, const uint32_t *row,
			     uint32_t n, int64_t *number)
{
	uint32_t known = 0;

	if (m->rows.numbers != NULL)
		return m->rows.numbers(m->rows.data, column, row, n, number);
	for (uint32_t i = 0; i < n; i++)
		known += m->rows.number(m->rows.data, column, row[i], &number[known]);
	return known;
}

void tv_measuring_rows(struct tv_measuring *m, const uint32_t *row, uint32_t n)
{
	int64_t number[TOGETHER];

	m->nrows += m->again ? 0 : n;
	for (uint32_t some; n > 0; row += some, n -= some) {
		uint32_t known = 0;
		bool taken = false; /* those of the column before */

		some = n < TOGETHER ? n : TOGETHER;
		for (unsigned c = 0; c < m->ntallies; c++) {
			struct tv_tally *tally = &m->tally[c];
			bool wanted = m->again ? tally->selection != NULL : tally->used;

			if (wanted && !(taken && (m->rows.alike >> c & 1) != 0))
				known = take_numbers(m, c, row, some, number);
			taken = wanted;
			if (wanted && m->again)
				tv_selection_add(tally->selection, number, known);
			else if (wanted)
				add_numbers(tally, number, known);
		}
	}
}

void tv_measuring_merge(struct tv_measuring *m, const struct tv_measuring *other)
{
	m->nrows += other->nrows;
	for (unsigned c = 0; c < m->ntallies; c++) {
		struct tv_tally *tally = &m->tally[c];
		const struct tv_tally *from = &other->tally[c];

		if (from->known == 0)
			continue;
		if (tally->known == 0 || from->min < tally->min)
			tally->min = from->min;
		if (tally->known == 0 || from->max > tally->max)
			tally->max = from->max;
		tally->sum += from->sum;
		tally->squares += from->squares;
		tally->above += from->above;
		if (tally->kept)
			tv_tally_keep_all(tally, from);
		if (from->selection != NULL)
			tv_selection_merge(tally->selection, from->selection);
		tally->known += from->known;
	}
}

/* The sum as a double. That of doubles is of those that are sorted, with what each step rounds off. */
static double sum_of(const struct tv_tally *tally)
{
	double sum = 0, rest = 0;

	if (!tally->real)
		return (double)tally->sum;
	for (uint32_t i = 0; i < tally->known; i++) {
		double number = tv_ordered_number(tally->number[i]), next = sum + number;

		rest += fabs(sum) >= fabs(number) ? sum - next + number : number - next + sum;
		sum = next;
	}
	return isfinite(sum) ? sum + rest : sum;
}

static void sort_numbers(struct tv_measuring *m)
{
	for (unsigned c = 0; c < m->ntallies; c++)
		if (m->tally[c].distinct)
			tv_tally_unite(&m->tally[c]);
		else if (m->tally[c].ordered)
			tv_sort_times(m->tally[c].number, m->tally[c].n);
}

/* The quantiles that are wanted of a column, to percent[]. */
static size_t list_quantiles(const struct tv_measuring *m, unsigned column, uint32_t *percent)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->measure[i].of == column && is_quantile(&m->measure[i]))
			percent[n++] = m->measure[i].percent;
	return n;
}

bool tv_measuring_again(struct tv_measuring *m)
{
	uint32_t *percent = tv_alloc(m->n, sizeof *percent);
	bool again = false;

	for (unsigned c = 0; c < m->ntallies; c++)
		if (m->tally[c].selection != NULL
		    && tv_selection_again(m->tally[c].selection, percent,
					  list_quantiles(m, c, percent), 100))
			again = true;
	tv_free(percent);
	m->again = true;
	return again;
}

/* Brings numbers of which quantiles alone are wanted to the places that these look at. */
static void select_numbers(struct tv_measuring *m)
{
	uint32_t *percent = tv_alloc(m->n, sizeof *percent);

	for (unsigned c = 0; c < m->ntallies; c++) {
		const struct tv_tally *tally = &m->tally[c];
		size_t n = list_quantiles(m, c, percent);

		if (!tally->kept || tally->ordered || tally->n == 0)
			continue;
		if (tally->in_short)
			tv_select_in_short(tally->low, tally->n, percent, n, 100);
		else
			tv_select_quantiles(tally->number, tally->n, percent, n, 100);
	}
	tv_free(percent);
}

void tv_measuring_share(struct tv_measuring *m)
{
	sort_numbers(m);
	for (unsigned c = 0; c < m->ntallies; c++)
		m->tally[c].whole += m->tally[c].shared ? sum_of(&m->tally[c]) : 0;
}

static void take_wholes(struct tv_measuring *m, const struct tv_measuring *from)
{
	for (unsigned c = 0; c < m->ntallies; c++)
		m->tally[c].whole = from->tally[c].whole;
}

void tv_measuring_share_all(struct tv_measuring *group, uint32_t n)
{
	for (uint32_t g = 0; g < n; g++) {
		if (g > 0)
			take_wholes(&group[g], &group[g - 1]);
		tv_measuring_share(&group[g]);
	}
	for (uint32_t g = 0; g + 1 < n; g++)
		take_wholes(&group[g], &group[n - 1]);
}

/* ---- results ---- */

/* The nearest integer of 64 bits. */
static int64_t within(tv_int128 number)
{
	return number < INT64_MIN ? INT64_MIN : tv_sum_ns(number);
}

static void set_number(struct tv_column *to, uint32_t at, const struct tv_tally *tally,
		       int64_t number)
{
	if (tally->real)
		tv_set_double(to, at, tv_ordered_number(number));
	else
		tv_set_int(to, at, number);
}

/* num / den, den > 0. */
static void set_ratio(struct tv_column *to, uint32_t at, tv_int128 num, tv_int128 den, bool floor)
{
	tv_int128 up = floor ? num : 2 * num + den, unit = floor ? den : 2 * den;

	if (to->type == TV_DOUBLE)
		tv_set_double(to, at, (double)num / (double)den);
	else
		tv_set_int(to, at, within(up / unit - (up % unit < 0)));
}

/* The sorted numbers as doubles: free them. */
static double *reals_of(const struct tv_tally *tally)
{
	double *real = tv_alloc(tally->known, sizeof *real);

	for (uint32_t i = 0; i < tally->known; i++)
		real[i] = tv_ordered_number(tally->number[i]);
	return real;
}

static void set_quantile(const struct tv_measure_spec *measure, const struct tv_tally *tally,
			 struct tv_column *to, uint32_t at)
{
	double *real;

	if (!tally->real) {
		set_ratio(to, at,
			  tally->selection != NULL
				  ? tv_selection_exact(tally->selection, measure->percent, 100)
			  : tally->in_short ? tv_quantile_in_short(tally->low, tally->n,
								   measure->percent, 100)
					    : tv_quantile_exact(tally->number, tally->known,
								measure->percent, 100),
			  100, measure->kind == TV_MEASURE_QUANTILE_FLOOR);
		return;
	}
	real = reals_of(tally);
	tv_set_double(to, at, tv_quantile(real, tally->known, measure->percent / 100.0));
	tv_free(real);
}

/* sqrt((n S2 - S1^2) / (n (n - 1))) of n integers with the sum S1 and the sum of squares S2. The difference
 * is exact, in limbs of 64 bits. n < 2^32, |S1| < 2^95, S2 < 2^158. */
static double exact_sd(const struct tv_tally *tally)
{
	tv_uint128 n = tally->known;
	tv_uint128 sum = tally->sum < 0 ? -(tv_uint128)tally->sum : (tv_uint128)tally->sum;
	uint64_t low = (uint64_t)sum, high = (uint64_t)(sum >> 64);
	tv_uint128 squares = n * tally->squares, above = n * tally->above;
	tv_uint128 square = (tv_uint128)low * low, cross = 2 * (tv_uint128)low * high;
	tv_int128 first = (tv_int128)(uint64_t)squares - (uint64_t)square;
	tv_int128 second = (tv_int128)(squares >> 64) - (tv_int128)(square >> 64) + (uint64_t)above
			 - (tv_int128)(uint64_t)cross + (first >> 64);
	tv_int128 third = (tv_int128)(above >> 64) - (tv_int128)(cross >> 64)
			- (tv_int128)high * high + (second >> 64);

	return sqrt((ldexp((double)third, 128) + ldexp((double)(uint64_t)second, 64)
		     + (double)(uint64_t)first)
		    / ((double)n * (double)(n - 1)));
}

static void set_sd(const struct tv_tally *tally, struct tv_column *to, uint32_t at)
{
	double *real = tally->real ? reals_of(tally) : NULL, sd;

	if (tally->known > 1) {
		sd = real != NULL ? tv_mean_sd(real, tally->known).sd : exact_sd(tally);
		if (to->type == TV_DOUBLE)
			tv_set_double(to, at, sd);
		else
			tv_set_int(to, at, llround(sd));
	}
	tv_free(real);
}

static uint32_t count_distinct(const struct tv_tally *tally)
{
	uint32_t n = tally->n > 0;

	for (size_t i = 1; i < tally->n; i++)
		n += tally->number[i] != tally->number[i - 1];
	return n;
}

static void set_sum(const struct tv_tally *tally, struct tv_column *to, uint32_t at)
{
	if (to->type == TV_DOUBLE)
		tv_set_double(to, at, sum_of(tally));
	else
		tv_set_int(to, at, within(tally->sum));
}

/* A measure of a column with known numbers. */
static void set_known(const struct tv_measuring *m, const struct tv_measure_spec *measure,
		      struct tv_column *to, uint32_t at)
{
	const struct tv_tally *tally = &m->tally[measure->of];

	switch (measure->kind) {
	case TV_MEASURE_MEAN:
		if (tally->real)
			tv_set_double(to, at, sum_of(tally) / tally->known);
		else
			set_ratio(to, at, tally->sum, tally->known, false);
		break;
	case TV_MEASURE_SD:
		set_sd(tally, to, at);
		break;
	case TV_MEASURE_MIN:
		set_number(to, at, tally, tally->min);
		break;
	case TV_MEASURE_MAX:
		set_number(to, at, tally, tally->max);
		break;
	case TV_MEASURE_ONLY:
		if (tally->known == m->nrows && tally->min == tally->max)
			set_number(to, at, tally, tally->min);
		break;
	default:
		set_quantile(measure, tally, to, at);
	}
}

static double share_of(double sum, const struct tv_tally *tally)
{
	return tally->whole > 0 ? 100 * sum / tally->whole : 0;
}

static void set_measure(const struct tv_measuring *m, const struct tv_measure_spec *measure,
			struct tv_column *to, uint32_t at)
{
	const struct tv_tally *tally = &m->tally[measure->of];
	double per;

	switch (measure->kind) {
	case TV_MEASURE_ROWS:
		tv_set_int(to, at, m->nrows);
		break;
	case TV_MEASURE_KNOWN:
		tv_set_int(to, at, tally->known);
		break;
	case TV_MEASURE_DISTINCT:
		tv_set_int(to, at, count_distinct(tally));
		break;
	case TV_MEASURE_SUM_KNOWN:
		if (tally->known == 0 && m->nrows > 0)
			break;
		/* fall through */
	case TV_MEASURE_SUM:
		set_sum(tally, to, at);
		break;
	case TV_MEASURE_RATE:
		per = sum_of(&m->tally[measure->per]);
		if (per > 0)
			tv_set_double(to, at, sum_of(tally) / per * measure->factor);
		break;
	case TV_MEASURE_SHARE:
		tv_set_double(to, at, share_of(sum_of(tally), tally));
		break;
	default:
		if (tally->known > 0)
			set_known(m, measure, to, at);
	}
}

void tv_measuring_end(struct tv_measuring *m, struct tv_column *const *to, uint32_t at)
{
	sort_numbers(m);
	select_numbers(m);
	for (size_t i = 0; i < m->n; i++)
		set_measure(m, &m->measure[i], to[m->measure[i].to], at);
}

/* ---- groups ---- */

void tv_measuring_group(struct tv_measuring *m, const struct tv_groups *groups, uint32_t g)
{
	tv_measuring_begin(m);
	tv_measuring_rows(m, groups->row + groups->first[g],
			  groups->first[g + 1] - groups->first[g]);
}

void tv_measure_groups(const struct tv_measured_rows *rows, const struct tv_groups *groups,
		       const struct tv_measure_spec *measure, size_t n, struct tv_table *out,
		       struct tv_column *const *to)
{
	double *sum = tv_alloc((size_t)groups->n * n, sizeof *sum); /* of which shares are */
	uint32_t first = out->nrows;
	struct tv_measuring m;

	tv_measuring_init(&m, rows, measure, n);
	for (uint32_t g = 0; g < groups->n; g++) {
		tv_measuring_group(&m, groups, g);
		tv_measuring_share(&m);
		tv_measuring_end(&m, to, tv_table_add_row(out));
		for (size_t i = 0; i < n; i++)
			if (measure[i].kind == TV_MEASURE_SHARE)
				sum[g * n + i] = sum_of(&m.tally[measure[i].of]);
	}
	for (uint32_t g = 0; g < groups->n; g++)
		for (size_t i = 0; i < n; i++)
			if (measure[i].kind == TV_MEASURE_SHARE)
				tv_set_double(to[measure[i].to], first + g,
					      share_of(sum[g * n + i], &m.tally[measure[i].of]));
	tv_measuring_release(&m);
	tv_free(sum);
}

/* ---- classes ---- */

/* The different numbers of the rows, sorted, and the place of each. */
static uint32_t list_numbers(struct tv_classes *classes, const struct tv_measured_rows *rows,
			     unsigned column, uint32_t nrows, struct tv_map *place)
{
	uint32_t n = 0;
	size_t cap = 0;

	for (uint32_t row = 0; row < nrows; row++) {
		int64_t number;

		if (!rows->number(rows->data, column, row, &number)
		    || tv_map_get(place, 0, (uint64_t)number) != NULL)
			continue;
		tv_map_put(place, 0, (uint64_t)number, 0);
		TV_GROW(classes->number, n, cap, 1);
		classes->number[n++] = number;
	}
	tv_sort_times(classes->number, n);
	for (uint32_t i = 0; i < n; i++)
		tv_map_put(place, 0, (uint64_t)classes->number[i], i);
	return n;
}

void tv_classes_init(struct tv_classes *classes, const struct tv_measured_rows *rows,
		     unsigned column, uint32_t nrows, uint32_t every)
{
	uint32_t *of_row = tv_alloc(nrows, sizeof *of_row), n = every;
	struct tv_map place = { 0 };

	*classes = (struct tv_classes){ .number = tv_alloc(every, sizeof *classes->number) };
	for (uint32_t i = 0; i < every; i++)
		classes->number[i] = i;
	if (every == 0)
		n = list_numbers(classes, rows, column, nrows, &place);
	for (uint32_t row = 0; row < nrows; row++) {
		int64_t number;

		of_row[row] = !rows->number(rows->data, column, row, &number) ? TV_NONE
			    : every > 0					      ? (uint32_t)number
					: *tv_map_get(&place, 0, (uint64_t)number);
	}
	tv_groups_init(&classes->groups, of_row, nrows, n);
	tv_free(of_row);
	tv_map_release(&place);
}

void tv_classes_release(struct tv_classes *classes)
{
	tv_groups_release(&classes->groups);
	tv_free(classes->number);
	*classes = (struct tv_classes){ 0 };
}
