/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cholesky.c -- tiled Cholesky factorization A = L L^T, right-looking, in the lower triangle.
 *
 * The order of tasks and their accesses are those of PLASMA's and KASTORS's: for each k potrf of the
 * diagonal tile, trsm of those below, then row by row syrk of the diagonal tile and gemm of those left
 * of it. A. Buttari, J. Langou, J. Kurzak, J. Dongarra, "A class of parallel tiled linear algebra
 * algorithms for multicore architectures", Parallel Computing 35, 2009.
 */
#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "tiles.h"

static void potrf(double *a, int b)
{
#pragma omp task depend(inout : a[0])
	expect_zero(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', b, a, b), "potrf");
	created++;
}

static void trsm(const double *l, double *a, int b)
{
#pragma omp task depend(inout : a[0]) depend(in : l[0])
	cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, b, b, 1, l, b,
		    a, b);
	created++;
}

static void syrk(const double *a, double *c, int b)
{
#pragma omp task depend(inout : c[0]) depend(in : a[0])
	cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, b, b, -1, a, b, 1, c, b);
	created++;
}

static void gemm(const double *a, const double *b, double *c, int size)
{
#pragma omp task depend(inout : c[0]) depend(in : a[0], b[0])
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, size, size, size, -1, a, size, b, size,
		    1, c, size);
	created++;
}

static void cholesky(const struct matrix *a)
{
	for (long k = 0; k < a->tiles; k++) {
		potrf(tile(a, k, k), a->columns);
		for (long m = k + 1; m < a->tiles; m++)
			trsm(tile(a, k, k), tile(a, m, k), a->columns);
		for (long m = k + 1; m < a->tiles; m++) {
			syrk(tile(a, m, k), tile(a, m, m), a->columns);
			for (long n = k + 1; n < m; n++)
				gemm(tile(a, m, k), tile(a, n, k), tile(a, m, n), a->columns);
		}
	}
}

static long tasks(long t)
{
	return t + t * (t - 1) + t * (t - 1) * (t - 2) / 6;
}

static double operations(double n)
{
	return n * (n + 1) * (2 * n + 1) / 6;
}

static double *product(struct matrix *a)
{
	long n = a->tiles * a->columns;
	double *l = matrix_as_columns(a), *out = matrix_as_columns(a);

	keep_triangle(out, n, 'L');
	cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)n, (int)n,
		    1, l, (int)n, out, (int)n);
	free(l);
	return out;
}

int main(int argc, char **argv)
{
	static const struct factorization f = {
		.name = "cholesky",
		.summary = "Tiled Cholesky factorization by OpenMP tasks: potrf, trsm, syrk, gemm.",
		.kind = SYMMETRIC,
		.tasks = tasks,
		.operations = operations,
		.factorize = cholesky,
		.product = product,
	};

	return factorization_main(&f, argc, argv);
}
