/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lu_pivot.c -- tiled LU factorization P A = L U with partial pivoting, right-looking.
 *
 * The tasks are those of PLASMA's and KASTORS' LU: for each k getrf of the whole panel (all tiles of column
 * k from row k on), for each column to the right swptr, which swaps its rows as the panel did and solves
 * its uppermost tile, then gemm of its other tiles; at the end laswp, which swaps the rows of the
 * columns to the left. J. Kurzak, P. Luszczek, A. YarKhan, M. Faverge, J. Langou, H. Bouwmeester,
 * J. Dongarra, "Multithreading in the PLASMA Library", 2013, section on LU. A panel is one access per tile
 * (depend with an iterator), where PLASMA and KASTORS use addresses that represent several tiles.
 */
#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "tiles.h"

/* By step and column of its panel: the row, counted from the first of the panel from 1, that it is swapped with. */
static int *pivots;

static int *pivots_of(const struct matrix *a, long k)
{
	return pivots + k * a->columns;
}

static void prepare(const struct matrix *a)
{
	pivots = allocate(a->tiles, a->columns * (long)sizeof *pivots, 1);
}

/* Swaps rows of the tiles (k.., n) as the pivots of step k. */
static void swap_rows(const struct matrix *a, long k, long n)
{
	const int *pivot = pivots_of(a, k);
	long b = a->columns;

	for (long i = 0; i < b; i++) {
		long other = pivot[i] - 1;

		if (other != i)
			cblas_dswap((int)b, tile(a, k, n) + i, (int)b,
				    tile(a, k + other / b, n) + other % b, (int)b);
	}
}

/* LAPACK's LU of the panel, whose tiles are put below each other for it. */
static void factorize_panel(const struct matrix *a, long k)
{
	long b = a->columns, rows = (a->tiles - k) * b;
	double *panel = allocate(rows, b * (long)sizeof *panel, 0);

	for (long j = 0; j < b; j++)
		for (long m = k; m < a->tiles; m++)
			memcpy(panel + j * rows + (m - k) * b, tile(a, m, k) + j * b,
			       (size_t)b * sizeof *panel);
	expect_zero(LAPACKE_dgetrf(LAPACK_COL_MAJOR, (int)rows, (int)b, panel, (int)rows,
				   pivots_of(a, k)),
		    "getrf");
	for (long j = 0; j < b; j++)
		for (long m = k; m < a->tiles; m++)
			memcpy(tile(a, m, k) + j * b, panel + j * rows + (m - k) * b,
			       (size_t)b * sizeof *panel);
	free(panel);
}

static void getrf(const struct matrix *a, long k)
{
	int *pivot = pivots_of(a, k);

#pragma omp task depend(iterator(long m = k \
				 : a->tiles), \
			inout \
			: tile(a, m, k)[0]) depend(out \
						   : pivot[0])
	factorize_panel(a, k);
	created++;
	(void)pivot; /* a depend clause is no use for gcc */
}

static void swptr(const struct matrix *a, long k, long n)
{
	const int *pivot = pivots_of(a, k);
	const double *l = tile(a, k, k);

#pragma omp task depend(iterator(long m = k \
				 : a->tiles), \
			inout \
			: tile(a, m, n)[0]) depend(in \
						   : l[0], pivot[0])
	{
		swap_rows(a, k, n);
		cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit,
			    a->columns, a->columns, 1, l, a->columns, tile(a, k, n), a->columns);
	}
	created++;
	(void)pivot;
}

static void gemm(const double *a, const double *b, double *c, int size)
{
#pragma omp task depend(inout : c[0]) depend(in : a[0], b[0])
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, size, size, -1, a, size, b,
		    size, 1, c, size);
	created++;
}

static void laswp(const struct matrix *a, long k, long n)
{
	const int *pivot = pivots_of(a, k);

#pragma omp task depend(iterator(long m = k \
				 : a->tiles), \
			inout \
			: tile(a, m, n)[0]) depend(in \
						   : pivot[0])
	swap_rows(a, k, n);
	created++;
	(void)pivot;
}

static void lu(const struct matrix *a)
{
	for (long k = 0; k < a->tiles; k++) {
		getrf(a, k);
		for (long n = k + 1; n < a->tiles; n++) {
			swptr(a, k, n);
			for (long m = k + 1; m < a->tiles; m++)
				gemm(tile(a, m, k), tile(a, k, n), tile(a, m, n), a->columns);
		}
	}
	for (long k = 1; k < a->tiles; k++)
		for (long n = 0; n < k; n++)
			laswp(a, k, n);
}

static long tasks(long t)
{
	return t + t * (t - 1) + (t - 1) * t * (2 * t - 1) / 6;
}

static double operations(double n)
{
	return 2 * n * n * n / 3 - n * n / 2 - n / 6;
}

/* L U with its rows where they were in A. */
static double *product(struct matrix *a)
{
	long n = a->tiles * a->columns, b = a->columns;
	double *l = matrix_as_columns(a), *out = matrix_as_columns(a);

	keep_triangle(out, n, 'U');
	cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, (int)n, (int)n,
		    1, l, (int)n, out, (int)n);
	free(l);
	for (long k = a->tiles; k-- > 0;)
		for (long i = b; i-- > 0;)
			cblas_dswap((int)n, out + k * b + i, (int)n,
				    out + k * b + pivots_of(a, k)[i] - 1, (int)n);
	free(pivots);
	return out;
}

int main(int argc, char **argv)
{
	static const struct factorization f = {
		.name = "lu_pivot",
		.summary = "Tiled LU factorization with partial pivoting by OpenMP tasks: getrf, "
			   "swptr, gemm, laswp.",
		.kind = WITHOUT_DIAGONAL,
		.tasks = tasks,
		.operations = operations,
		.prepare = prepare,
		.factorize = lu,
		.product = product,
	};

	return factorization_main(&f, argc, argv);
}
