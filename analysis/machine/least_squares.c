/* SPDX-License-Identifier: GPL-3.0-or-later */
/* least_squares.c -- linear regression by Householder reflections. */
#include "analysis/machine/least_squares.h"

#include <math.h>

#include "trace/alloc.h"

#define DEPENDENT 1e-11

static double norm(const double *a, size_t first, size_t n, size_t p, size_t column)
{
	double sum = 0;

	for (size_t i = first; i < n; i++)
		sum += a[i * p + column] * a[i * p + column];
	return sqrt(sum);
}

/* Reflects what is below the diagonal of column k to 0; its vector stays there, its first element in *v. */
static void reflect(double *a, double *y, size_t n, size_t p, size_t k, double length)
{
	double alpha = a[k * p + k] > 0 ? -length : length, first = a[k * p + k] - alpha;
	double square = length * length - a[k * p + k] * a[k * p + k] + first * first;

	a[k * p + k] = alpha;
	for (size_t c = k + 1; c <= p; c++) {
		double *x = c < p ? a + c : y;
		size_t step = c < p ? p : 1;
		double dot = first * x[k * step], factor;

		for (size_t i = k + 1; i < n; i++)
			dot += a[i * p + k] * x[i * step];
		factor = 2 * dot / square;
		x[k * step] -= factor * first;
		for (size_t i = k + 1; i < n; i++)
			x[i * step] -= factor * a[i * p + k];
	}
}

/* The squared length of each row of R^-1: the diagonal of (R'R)^-1. */
static void invert(const double *a, size_t p, double *variance)
{
	double *z = tv_alloc(p, sizeof *z);

	for (size_t i = 0; i < p; i++)
		variance[i] = 0;
	for (size_t column = 0; column < p; column++)
		for (size_t i = column + 1; i-- > 0;) {
			double sum = i == column;

			for (size_t k = i + 1; k <= column; k++)
				sum -= a[i * p + k] * z[k];
			z[i] = sum / a[i * p + i];
			variance[i] += z[i] * z[i];
		}
	tv_free(z);
}

bool tv_least_squares(double *a, double *y, size_t n, size_t p, double *b, double *variance)
{
	for (size_t k = 0; k < p; k++) {
		double whole = norm(a, 0, n, p, k), length = norm(a, k, n, p, k);

		if (!(length > DEPENDENT * whole) || !isfinite(length))
			return false;
		reflect(a, y, n, p, k, length);
	}
	for (size_t k = p; k-- > 0;) {
		double sum = y[k];

		for (size_t c = k + 1; c < p; c++)
			sum -= a[k * p + c] * b[c];
		b[k] = sum / a[k * p + k];
	}
	invert(a, p, variance);
	return true;
}
