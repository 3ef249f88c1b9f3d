/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thresholds.h -- above (or below) which value a member of a group is an outlier.
 *
 * side: +1 for unusually large values, -1 for unusually small ones. n > 0 everywhere.
 */
#ifndef TV_THRESHOLDS_H
#define TV_THRESHOLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/number.h"

/* Floor of Q3 + 1.5 (Q3 - Q1), quartiles of type 7, in integers. Moves what is in x, none of it negative.
 * [Tukey 1977; Garcia Pinto 2018, (5.1)] */
int64_t tv_threshold_exact(int64_t *x, size_t n);
/* The same of den times the quartiles. */
int64_t tv_threshold_of(tv_int128 q1, tv_int128 q3, uint32_t den);
/* Q3 + 1.5 (Q3 - Q1), or Q1 - 1.5 (Q3 - Q1). Sorts x. */
double tv_threshold_iqr(double *x, size_t n, int side);
/*
 * Median + factor x scale (or -). The scale is 1.4826 x the median absolute deviation from the
 * median; where that is 0 (half the values are equal), 1.2533 x the mean absolute deviation: both
 * estimate the standard deviation of normal values. [Iglewicz and Hoaglin 1993] Sorts x; buffer
 * is an array of n.
 */
double tv_threshold_mad(double *x, size_t n, double factor, int side, double *buffer);

enum tv_form {
	TV_FORM_LOG,	  /* log y = a + b log x */
	TV_FORM_LINEAR,	  /* y = a + b x */
	TV_FORM_WEIGHTED, /* y = a + b x, weights 1 / x */
	TV_FORM_POWER	  /* y = a + b x^(2/3) */
};

/* A regression of y on x, and what its prediction interval needs. */
struct tv_fit {
	enum tv_form form;
	double a, b, weights, mean, sxx;
	double s, freedom; /* residual standard deviation and its degrees of freedom */
	double margin;	   /* Student's t x s */
};

/* Whether a point can be used in that form: x > 0 (and y > 0 for logarithms), finite. */
bool tv_fit_takes(enum tv_form form, double x, double y);
/*
 * Least squares over points that the form takes. level: of the two-sided prediction interval. Where
 * all x are equal the slope is 0 and the interval is that of the mean. False: too few points (3, or
 * 2 where all x are equal) to estimate their spread.
 */
bool tv_fit_init(struct tv_fit *fit, enum tv_form form, const double *x, const double *y, size_t n,
		 double level);
/* The upper (or lower) end of the prediction interval at x, moved out by 1e-9 of itself, so that
 * points on an exact line are never outside of it; side 0: the fitted value. */
double tv_fit_limit(const struct tv_fit *fit, double x, int side);

#endif
