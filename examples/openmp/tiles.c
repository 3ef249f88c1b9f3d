/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiles.c -- generation, rounds and residual of the dense factorizations. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>
#include <omp.h>

#include "tiles.h"

enum { DEFAULT_TILE = 256, DEFAULT_TILES = 8, MAX_TILE = 8192, MAX_TILES = 4096 };

/* The limit of LAPACK's own tests for such a residual. */
static const double max_residual = 30;

struct matrix matrix_new(long tiles, int rows, int columns)
{
	struct matrix a = { tiles, rows, columns, NULL };

	a.data = allocate(tiles * tiles, (long)rows * columns * (long)sizeof(double), 1);
	return a;
}

double *matrix_as_columns(const struct matrix *a)
{
	long n = a->tiles * a->columns, b = a->columns;
	double *out = allocate(n, n * (long)sizeof(double), 0);

	for (long j = 0; j < n; j++)
		for (long m = 0; m < a->tiles; m++)
			memcpy(out + j * n + m * b, tile(a, m, j / b) + j % b * b,
			       (size_t)b * sizeof(double));
	return out;
}

void keep_triangle(double *a, long n, char side)
{
	for (long j = 0; j < n; j++)
		for (long i = 0; i < n; i++)
			if (side == 'L' ? i < j : i > j)
				a[j * n + i] = 0;
}

void expect_zero(int info, const char *kernel)
{
	if (info != 0)
		fail("%s failed: %d", kernel, info);
}

/* Pseudo-random in -0.5 .. 0.5 by row and column; n is added on a dominant diagonal. */
static double element(long n, long i, long j, enum matrix_kind kind)
{
	uint64_t x;

	if (kind == SYMMETRIC && i < j)
		return element(n, j, i, GENERAL);
	x = ((uint64_t)i << 32 | (uint64_t)j) + UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	x ^= x >> 31;
	return (double)(x >> 11) / (double)(UINT64_C(1) << 53) - 0.5
	     + (i == j && kind != WITHOUT_DIAGONAL ? (double)n : 0);
}

static void fill_tile(const struct matrix *a, long m, long n, enum matrix_kind kind)
{
	double *at = tile(a, m, n);
	long b = a->columns;

	for (long j = 0; j < b; j++)
		for (long i = 0; i < b; i++)
			*at++ = element(a->tiles * b, m * b + i, n * b + j, kind);
}

/* The first write to a tile decides which NUMA node has it. */
static void init_tile(const struct matrix *a, long m, long n, enum matrix_kind kind)
{
	double *at = tile(a, m, n);

#pragma omp task depend(out : at[0])
	fill_tile(a, m, n, kind);
	created++;
	(void)at; /* a depend clause is no use for gcc */
}

static void for_each_tile(const struct matrix *a, enum matrix_kind kind,
			  void (*act)(const struct matrix *, long, long, enum matrix_kind))
{
	for (long m = 0; m < a->tiles; m++)
		for (long n = 0; n < a->tiles; n++)
			act(a, m, n, kind);
}

/* Returns the seconds without the generation of the matrix. */
static double run_round(const struct factorization *f, const struct matrix *a, int init_by_tasks,
			int *threads, long *tasks)
{
	double elapsed = 0;

	if (!init_by_tasks)
		for_each_tile(a, f->kind, fill_tile);
#pragma omp parallel
	{
#pragma omp single
		{
			double start;

			*threads = omp_get_num_threads();
			if (init_by_tasks) {
				for_each_tile(a, f->kind, init_tile);
#pragma omp taskwait
			}
			start = omp_get_wtime();
			f->factorize(a);
#pragma omp taskwait
			elapsed = omp_get_wtime() - start;
		}
		collect_created(tasks);
	}
	return elapsed;
}

static double norm(long n, const double *a)
{
	return LAPACKE_dlange(LAPACK_COL_MAJOR, '1', (int)n, (int)n, a, (int)n);
}

/* |A - product| / (n |A| epsilon) in the 1-norm. */
static double residual(const struct factorization *f, struct matrix *a)
{
	long n = a->tiles * a->columns;
	double *difference = f->product(a), size, *original;

	for_each_tile(a, f->kind, fill_tile);
	original = matrix_as_columns(a);
	size = norm(n, original);
	for (long i = 0; i < n * n; i++)
		difference[i] -= original[i];
	size = norm(n, difference) / ((double)n * size * DBL_EPSILON);
	free(original);
	free(difference);
	return size;
}

/* Two of rows, tile size and tiles define the third one; 0 where the user gave none. */
static void complete_sizes(long *n, long *b, long *tiles)
{
	if (!*b && !(*n && *tiles))
		*b = DEFAULT_TILE;
	if (!*tiles)
		*tiles = *n ? *n / *b : DEFAULT_TILES;
	if (!*b)
		*b = *n / *tiles;
	if (!*n)
		*n = *b * *tiles;
	if (*n < 1 || *n != *b * *tiles)
		usage("%ld rows are not %ld tiles of %ld", *n, *tiles, *b);
	if (*b > MAX_TILE || *n > INT_MAX)
		usage("tiles of %ld are too large (max %d)", *b, MAX_TILE);
}

int factorization_main(const struct factorization *f, int argc, char **argv)
{
	long n = 0, b = 0, tiles = 0, rounds = 1, init = 0, check = 0, count = 0, tasks = 0;
	const struct setting settings[] = {
		{ "rows", 'n', "N", &n, 1, (long)MAX_TILE * MAX_TILES,
		  "rows of the matrix, default TILE * TILES" },
		{ "tile", 'b', "TILE", &b, 1, MAX_TILE,
		  "rows of a tile, default 256 or N / TILES" },
		{ "tiles", 't', "TILES", &tiles, 1, MAX_TILES,
		  "tiles in each direction, default 8 or N / TILE" },
		{ "rounds", 'r', "ROUNDS", &rounds, 1, 1000000,
		  "generate and factorize so many times" },
		{ "init-tasks", 'i', NULL, &init, 0, 1, "generate the matrix by a task per tile" },
		{ "check", 'c', NULL, &check, 0, 1,
		  "compute the residual; exit status 1 if above 30" },
		{ "count", 0, NULL, &count, 0, 1, "print the number of tasks, and run none" },
		f->more ? *f->more : (struct setting){ 0 },
		{ 0 },
	};
	double best = INFINITY, error = 0;
	struct matrix a;
	int threads = 1;

	read_options(argc, argv, f->summary, settings);
	complete_sizes(&n, &b, &tiles);
	if (count) {
		printf("%ld\n", rounds * (f->tasks(tiles) + (init ? tiles * tiles : 0)));
		return 0;
	}
	openblas_set_num_threads(1); /* each task is one thread's work */
	a = matrix_new(tiles, (int)b, (int)b);
	if (f->prepare)
		f->prepare(&a);
	for (long round = 0; round < rounds; round++)
		best = fmin(best, run_round(f, &a, init != 0, &threads, &tasks));

	printf("%s n=%ld tile=%ld tiles=%ld threads=%d rounds=%ld tasks=%ld seconds=%.6f "
	       "gflops=%.3f",
	       f->name, n, b, tiles, threads, rounds, tasks, best,
	       f->operations((double)n) / best * 1e-9);
	if (check) {
		error = residual(f, &a);
		printf(" residual=%.3g", error);
	}
	putchar('\n');
	free(a.data);
	end_output();
	if (!(error <= max_residual))
		fail("the residual %.3g is above %g", error, max_residual);
	return 0;
}
