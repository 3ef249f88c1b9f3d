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

bool tv_fit_init(struct tv_fit *fit, enum tv_form form, const double *x, const double *y, size_t n,
		 double level)
{
	double y_mean = 0, sxy = 0, size = 0, squares = 0;

	*fit = (struct tv_fit){ .form = form };
	for (size_t i = 0; i < n; i++) {
		double w = weight(form, x[i]);

		fit->weights += w;
		fit->mean += w * abscissa(form, x[i]);
		y_mean += w * (form == TV_FORM_LOG ? log(y[i]) : y[i]);
	}
	fit->mean /= fit->weights;
	y_mean /= fit->weights;
	for (size_t i = 0; i < n; i++) {
		double w = weight(form, x[i]), off = abscissa(form, x[i]) - fit->mean;

		fit->sxx += w * off * off;
		sxy += w * off * ((form == TV_FORM_LOG ? log(y[i]) : y[i]) - y_mean);
		size += w * abscissa(form, x[i]) * abscissa(form, x[i]);
	}
	/* Equal x differ from their mean by rounding only. */
	if (!(fit->sxx > 1e-20 * size))
		fit->sxx = 0;
	fit->freedom = (double)n - (fit->sxx > 0 ? 2 : 1);
	if (fit->freedom < 1)
		return false;
	fit->b = fit->sxx > 0 ? sxy / fit->sxx : 0;
	fit->a = y_mean - fit->b * fit->mean;
	for (size_t i = 0; i < n; i++) {
		double off = (form == TV_FORM_LOG ? log(y[i]) : y[i])
			   - (fit->a + fit->b * abscissa(form, x[i]));

		squares += weight(form, x[i]) * off * off;
	}
	fit->s = sqrt(squares / fit->freedom);
	fit->margin = tv_student(level, fit->freedom) * fit->s;
	return true;
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
