/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * qr.c -- tiled QR factorization A = Q R with a flat tree.
 *
 * The order of tasks and their accesses are those of PLASMA's and KASTORS's: for each k geqrt of the
 * diagonal tile, unmqr of those right of it, then row by row tsqrt (the triangle on top of a tile)
 * and tsmqr of the two rows right of it. OpenMP compares addresses of tiles, not parts of tiles, so
 * that tsqrt waits until no unmqr reads the diagonal tile. A. Buttari, J. Langou, J. Kurzak,
 * J. Dongarra, "Parallel tiled QR factorization for multicore architectures", Concurrency and
 * Computation 20, 2008. LAPACK's names of these kernels are geqrt, gemqrt, tpqrt and tpmqrt.
 */
#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>

#include "tiles.h"

static long inner = 32;	   /* rows of the triangular factors of reflectors */
static struct matrix tees; /* these factors: of geqrt on the diagonal, of tsqrt below */

static void run_geqrt(double *a, double *t, int b)
{
	expect_zero(LAPACKE_dgeqrt(LAPACK_COL_MAJOR, b, b, tees.rows, a, b, t, tees.rows), "geqrt");
}

static void run_unmqr(char trans, const double *v, const double *t, double *c, int b)
{
	expect_zero(LAPACKE_dgemqrt(LAPACK_COL_MAJOR, 'L', trans, b, b, b, tees.rows, v, b, t,
				    tees.rows, c, b),
		    "unmqr");
}

static void run_tsqrt(double *r, double *a, double *t, int b)
{
	expect_zero(LAPACKE_dtpqrt(LAPACK_COL_MAJOR, b, b, 0, tees.rows, r, b, a, b, t, tees.rows),
		    "tsqrt");
}

static void run_tsmqr(char trans, const double *v, const double *t, double *top, double *c, int b)
{
	expect_zero(LAPACKE_dtpmqrt(LAPACK_COL_MAJOR, 'L', trans, b, b, b, 0, tees.rows, v, b, t,
				    tees.rows, top, b, c, b),
		    "tsmqr");
}

static void geqrt(double *a, double *t, int b)
{
#pragma omp task depend(inout : a[0]) depend(out : t[0])
	run_geqrt(a, t, b);
	created++;
}

static void unmqr(const double *v, const double *t, double *c, int b)
{
#pragma omp task depend(inout : c[0]) depend(in : v[0], t[0])
	run_unmqr('T', v, t, c, b);
	created++;
}

static void tsqrt(double *r, double *a, double *t, int b)
{
#pragma omp task depend(inout : r[0], a[0]) depend(out : t[0])
	run_tsqrt(r, a, t, b);
	created++;
}

static void tsmqr(const double *v, const double *t, double *top, double *c, int b)
{
#pragma omp task depend(inout : top[0], c[0]) depend(in : v[0], t[0])
	run_tsmqr('T', v, t, top, c, b);
	created++;
}

static void qr(const struct matrix *a)
{
	int b = a->columns;

	for (long k = 0; k < a->tiles; k++) {
		geqrt(tile(a, k, k), tile(&tees, k, k), b);
		for (long n = k + 1; n < a->tiles; n++)
			unmqr(tile(a, k, k), tile(&tees, k, k), tile(a, k, n), b);
		for (long m = k + 1; m < a->tiles; m++) {
			tsqrt(tile(a, k, k), tile(a, m, k), tile(&tees, m, k), b);
			for (long n = k + 1; n < a->tiles; n++)
				tsmqr(tile(a, m, k), tile(&tees, m, k), tile(a, k, n),
				      tile(a, m, n), b);
		}
	}
}

static void prepare(const struct matrix *a)
{
	if (inner > a->columns)
		inner = a->columns;
	tees = matrix_new(a->tiles, (int)inner, a->columns);
}

static long tasks(long t)
{
	return t + t * (t - 1) + (t - 1) * t * (2 * t - 1) / 6;
}

static double operations(double n)
{
	return 4 * n * n * n / 3 + 2 * n * n + 14 * n / 3;
}

/* Q R: the reflectors of all kernels in reverse order, applied to R. */
static double *product(struct matrix *a)
{
	struct matrix r = matrix_new(a->tiles, a->rows, a->columns);
	int b = a->columns;
	double *out;

	for (long n = 0; n < a->tiles; n++)
		for (long m = 0; m <= n; m++) {
			cblas_dcopy(b * b, tile(a, m, n), 1, tile(&r, m, n), 1);
			if (m == n)
				keep_triangle(tile(&r, m, n), b, 'U');
		}
	for (long k = a->tiles - 1; k >= 0; k--)
		for (long n = k; n < a->tiles; n++) {
			for (long m = a->tiles - 1; m > k; m--)
				run_tsmqr('N', tile(a, m, k), tile(&tees, m, k), tile(&r, k, n),
					  tile(&r, m, n), b);
			run_unmqr('N', tile(a, k, k), tile(&tees, k, k), tile(&r, k, n), b);
		}
	out = matrix_as_columns(&r);
	free(r.data);
	free(tees.data);
	return out;
}

int main(int argc, char **argv)
{
	static const struct setting inner_option = {
		"inner",
		'k',
		"ROWS",
		&inner,
		1,
		8192,
		"inner block size of the kernels, at most TILE"
	};
	static const struct factorization f = {
		.name = "qr",
		.summary = "Tiled QR factorization by OpenMP tasks: geqrt, unmqr, tsqrt, tsmqr.",
		.tasks = tasks,
		.operations = operations,
		.prepare = prepare,
		.factorize = qr,
		.product = product,
		.more = &inner_option,
	};

	return factorization_main(&f, argc, argv);
}
