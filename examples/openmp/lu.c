/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lu.c -- tiled LU factorization A = L U without pivoting, right-looking.
 *
 * The order of tasks and their accesses are those of SparseLU in the BOTS and KASTORS benchmarks where
 * no block is empty, and so those of PLASMA's LU without pivoting: for each k getrf of the diagonal
 * tile, trsm of those right of it, trsm of those below it, then row by row gemm of the others.
 * A. Duran et al., "Barcelona OpenMP Tasks Suite", ICPP 2009. The matrix needs no pivots, because its
 * diagonal is dominant.
 */
#include <cblas.h>
#include <stdlib.h>

#include "tiles.h"

enum { SMALL = 16 };

/* L U of n columns of `rows` rows, in place: columns one by one if few, else in two halves. */
static void getrf_without_pivots(int rows, int n, double *a, int lead)
{
	int left = n / 2, right = n - left;
	double *top = a + (long)left * lead, *rest = top + left;

	if (n <= SMALL) {
		for (int k = 0; k < n; k++) {
			cblas_dscal(rows - k - 1, 1 / a[k * (long)lead + k],
				    a + k * (long)lead + k + 1, 1);
			for (int j = k + 1; j < n; j++)
				cblas_daxpy(rows - k - 1, -a[j * (long)lead + k],
					    a + k * (long)lead + k + 1, 1,
					    a + j * (long)lead + k + 1, 1);
		}
		return;
	}
	getrf_without_pivots(rows, left, a, lead);
	cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, left, right, 1,
		    a, lead, top, lead);
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows - left, right, left, -1,
		    a + left, lead, top, lead, 1, rest, lead);
	getrf_without_pivots(rows - left, right, rest, lead);
}

static void getrf(double *a, int b)
{
#pragma omp task depend(inout : a[0])
	getrf_without_pivots(b, b, a, b);
	created++;
}

static void trsm_row(const double *l, double *a, int b)
{
#pragma omp task depend(inout : a[0]) depend(in : l[0])
	cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, b, b, 1, l, b, a,
		    b);
	created++;
}

static void trsm_column(const double *u, double *a, int b)
{
#pragma omp task depend(inout : a[0]) depend(in : u[0])
	cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, b, b, 1, u,
		    b, a, b);
	created++;
}

static void gemm(const double *a, const double *b, double *c, int size)
{
#pragma omp task depend(inout : c[0]) depend(in : a[0], b[0])
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, size, size, -1, a, size, b,
		    size, 1, c, size);
	created++;
}

static void lu(const struct matrix *a)
{
	for (long k = 0; k < a->tiles; k++) {
		getrf(tile(a, k, k), a->columns);
		for (long n = k + 1; n < a->tiles; n++)
			trsm_row(tile(a, k, k), tile(a, k, n), a->columns);
		for (long m = k + 1; m < a->tiles; m++)
			trsm_column(tile(a, k, k), tile(a, m, k), a->columns);
		for (long m = k + 1; m < a->tiles; m++)
			for (long n = k + 1; n < a->tiles; n++)
				gemm(tile(a, m, k), tile(a, k, n), tile(a, m, n), a->columns);
	}
}

static long tasks(long t)
{
	return t + t * (t - 1) + (t - 1) * t * (2 * t - 1) / 6;
}

static double operations(double n)
{
	return 2 * n * n * n / 3 - n * n / 2 - n / 6;
}

static double *product(struct matrix *a)
{
	long n = a->tiles * a->columns;
	double *l = matrix_as_columns(a), *out = matrix_as_columns(a);

	keep_triangle(out, n, 'U');
	cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, (int)n, (int)n,
		    1, l, (int)n, out, (int)n);
	free(l);
	return out;
}

int main(int argc, char **argv)
{
	static const struct factorization f = {
		.name = "lu",
		.summary = "Tiled LU factorization without pivoting by OpenMP tasks: getrf, trsm, "
			   "gemm.",
		.tasks = tasks,
		.operations = operations,
		.factorize = lu,
		.product = product,
	};

	return factorization_main(&f, argc, argv);
}
