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

#include "analysis/core/exact.h"
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
/* What is added up of points that a form takes; zeroed but for the form at first. */
struct tv_fit_sums {
	enum tv_form form;
	uint32_t n;
	/* Of the weights; of these times the first coordinate, the second one, and their products. */
	struct tv_exact w, wx, wy, wxx, wxy, wyy;
};
void tv_fit_add(struct tv_fit_sums *sums, double x, double y);
void tv_fit_sums_pack(const struct tv_fit_sums *sums, struct tv_parcel *pack);
void tv_fit_sums_unpack(struct tv_fit_sums *sums, struct tv_unpack *from); /* adds it */
void tv_fit_sums_release(struct tv_fit_sums *sums);			   /* forgets the points */
/*
 * Least squares over the points. level: of the two-sided prediction interval. Where
 * all x are equal the slope is 0 and the interval is that of the mean. False: too few points (3, or
 * 2 where all x are equal) to estimate their spread, or sums beyond a double.
 */
bool tv_fit_init(struct tv_fit *fit, const struct tv_fit_sums *sums, double level);
/* -1 with *err (exit status 2): no such level. */
int tv_fit_check_level(double level, struct tv_error *err) TV_MUST_CHECK;
/* The upper (or lower) end of the prediction interval at x, moved out by 1e-9 of itself, so that
 * points on an exact line are never outside of it; side 0: the fitted value. */
double tv_fit_limit(const struct tv_fit *fit, double x, int side);
/* A threshold of times as whole ns, which are on the same side of it, side: +1 or -1. */
double tv_threshold_whole(double limit, int side);

#endif
