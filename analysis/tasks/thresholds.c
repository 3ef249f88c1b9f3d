/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thresholds.c -- quartiles, deviations from the median, prediction intervals. */
#include "analysis/tasks/thresholds.h"

#include <math.h>

#include "analysis/core/statistics.h"

/* For normal values: 1 / the 3rd quartile, and the square root of pi / 2. */
#define MAD_TO_SD  1.482602218505602
#define MEAN_TO_SD 1.2533141373155003

int64_t tv_threshold_of(tv_int128 q1, tv_int128 q3, uint32_t den)
{
	tv_int128 twice = 5 * q3 - 3 * q1;

	if (twice < 0)
		return -1; /* values are not negative, so all of them are above */
	return tv_sum_ns(twice / (2 * (tv_int128)den));
}

int64_t tv_threshold_exact(int64_t *x, size_t n)
{
	static const uint32_t quarters[] = { 1, 3 };

	tv_select_quantiles(x, n, quarters, 2, 4);
	return tv_threshold_of(tv_quantile_exact(x, n, 1, 4), tv_quantile_exact(x, n, 3, 4), 4);
}

double tv_threshold_iqr(double *x, size_t n, int side)
{
	double q1, q3;

	tv_sort_numbers(x, n);
	q1 = tv_quantile(x, n, 0.25);
	q3 = tv_quantile(x, n, 0.75);
	return (side > 0 ? q3 : q1) + side * 1.5 * (q3 - q1);
}

double tv_threshold_mad(double *x, size_t n, double factor, int side, double *buffer)
{
	double median, scale, mean = 0;

	tv_sort_numbers(x, n);
	median = tv_quantile(x, n, 0.5);
	for (size_t i = 0; i < n; i++) {
		buffer[i] = fabs(x[i] - median);
		mean += buffer[i] / (double)n;
	}
	tv_sort_numbers(buffer, n);
	scale = MAD_TO_SD * tv_quantile(buffer, n, 0.5);
	if (scale == 0)
		scale = MEAN_TO_SD * mean;
	return median + side * factor * scale;
}

static double abscissa(enum tv_form form, double x)
{
	return form == TV_FORM_LOG ? log(x) : form == TV_FORM_POWER ? cbrt(x * x) : x;
}

static double weight(enum tv_form form, double x)
{
	return form == TV_FORM_WEIGHTED ? 1 / x : 1;
}

bool tv_fit_takes(enum tv_form form, double x, double y)
{
	return isfinite(x) && isfinite(y) && x > 0 && (form != TV_FORM_LOG || y > 0);
}

/* Adds w a b, of which p is w a. */
static void add_product(struct tv_exact *sum, double p, double rest, double b)
{
	tv_exact_add_product(sum, p, b);
	if (rest != 0)
		tv_exact_add(sum, rest * b);
}

void tv_fit_add(struct tv_fit_sums *s, double x, double y)
{
	double w = weight(s->form, x), u = abscissa(s->form, x);
	double v = s->form == TV_FORM_LOG ? log(y) : y;
	double wu = w * u, wv = w * v, u_rest = fma(w, u, -wu), v_rest = fma(w, v, -wv);

	s->n++;
	tv_exact_add(&s->w, w);
	add_product(&s->wx, wu, u_rest, 1);
	add_product(&s->wy, wv, v_rest, 1);
	add_product(&s->wxx, wu, u_rest, u);
	add_product(&s->wxy, wu, u_rest, v);
	add_product(&s->wyy, wv, v_rest, v);
}

void tv_fit_sums_pack(const struct tv_fit_sums *s, struct tv_parcel *pack)
{
	const struct tv_exact *const sum[] = { &s->w, &s->wx, &s->wy, &s->wxx, &s->wxy, &s->wyy };

	tv_pack_number(pack, s->n);
	for (size_t i = 0; i < TV_COUNT(sum); i++)
		tv_exact_pack(sum[i], pack);
}

void tv_fit_sums_unpack(struct tv_fit_sums *s, struct tv_unpack *from)
{
	struct tv_exact *const sum[] = { &s->w, &s->wx, &s->wy, &s->wxx, &s->wxy, &s->wyy };

	s->n += (uint32_t)tv_unpack_number(from);
	for (size_t i = 0; i < TV_COUNT(sum); i++)
		tv_exact_unpack(sum[i], from);
}

void tv_fit_sums_release(struct tv_fit_sums *s)
{
	struct tv_exact *const sum[] = { &s->w, &s->wx, &s->wy, &s->wxx, &s->wxy, &s->wyy };

	for (size_t i = 0; i < TV_COUNT(sum); i++)
		tv_exact_release(sum[i]);
	s->n = 0;
}

/* The sum of w (a - mean a) (b - mean b), of the sums of w a b, w a and w b. */
static struct tv_two central(const struct tv_exact *ab, struct tv_two a, struct tv_two b,
			     struct tv_two w)
{
	return tv_two_minus(tv_exact_value(ab), tv_two_over(tv_two_times(a, b), w));
}

bool tv_fit_init(struct tv_fit *fit, const struct tv_fit_sums *sums, double level)
{
	struct tv_two w = tv_exact_value(&sums->w), wx = tv_exact_value(&sums->wx),
		      wy = tv_exact_value(&sums->wy);
	struct tv_two sxx = central(&sums->wxx, wx, wx, w), sxy = central(&sums->wxy, wx, wy, w),
		      squares = central(&sums->wyy, wy, wy, w), b = { 0 };

	*fit = (struct tv_fit){ .form = sums->form, .weights = w.high };
	/* Equal x differ from their mean by rounding only. */
	if (sxx.high > 1e-20 * tv_exact_value(&sums->wxx).high)
		fit->sxx = sxx.high;
	fit->freedom = (double)sums->n - (fit->sxx > 0 ? 2 : 1);
	if (fit->freedom < 1 || !isfinite(sxx.high + sxy.high + squares.high))
		return false;
	if (fit->sxx > 0)
		b = tv_two_over(sxy, sxx);
	fit->b = b.high;
	fit->mean = tv_two_over(wx, w).high;
	fit->a = tv_two_over(tv_two_minus(wy, tv_two_times(b, wx)), w).high;
	squares = tv_two_minus(squares, tv_two_times(b, sxy));
	/* Of points on a line only the rounding of these sums is left. */
	if (squares.high > 1e-30 * tv_exact_value(&sums->wyy).high)
		fit->s = sqrt(squares.high / fit->freedom);
	fit->margin = tv_student(level, fit->freedom) * fit->s;
	return true;
}

int tv_fit_check_level(double level, struct tv_error *err)
{
	if (level > 0 && level < 1)
		return 0;
	return tv_fail_usage(err, "--level '%g', expected a number above 0 and below 1", level);
}

double tv_threshold_whole(double limit, int side)
{
	return fmax(-9e18, fmin(9e18, side > 0 ? floor(limit) : ceil(limit)));
}

double tv_fit_limit(const struct tv_fit *fit, double x, int side)
{
	double at = abscissa(fit->form, x), off = at - fit->mean, spread, limit;

	spread = 1 / weight(fit->form, x) + 1 / fit->weights
	       + (fit->sxx > 0 ? off * off / fit->sxx : 0);
	limit = fit->a + fit->b * at + side * fit->margin * sqrt(spread);
	if (fit->form == TV_FORM_LOG)
		limit = exp(limit);
	return limit + side * 1e-9 * fabs(limit);
}
