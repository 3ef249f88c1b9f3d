/* SPDX-License-Identifier: GPL-3.0-or-later */
/* least_squares.h -- linear regression on several variables. */
#ifndef TV_LEAST_SQUARES_H
#define TV_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * b that minimizes |A b - y|, by Householder reflections: A has n rows of p <= n columns, by rows; A and y
 * are destroyed, y[p..n) is then what remains, rotated. variance: p diagonal elements of (A'A)^-1.
 * False: the columns depend on each other (a pivot below 1e-11 of its column). Cost O(n p^2).
 * [Golub and Van Loan, Matrix Computations, 5.3]
 */
bool tv_least_squares(double *a, double *y, size_t n, size_t p, double *b, double *variance);

#endif
