/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stencil.c -- Jacobi's method on a square grid, by blocks: iterations overlap, because a task depends on
 * its block and the neighbors of the iteration before, not on all of it.
 *
 * Two grids in turn: each task reads its block and up to four neighbors of the one and writes its block
 * of the other. Neighbors that do not exist are replaced by the block itself, so that a task may name a
 * block several times.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

/* A grid of n x n with a border of width 1; blocks of b x b. */
struct grid {
	long n, b;
	double *at;
};

static double *point(const struct grid *g, long row, long column)
{
	return g->at + (row + 1) * (g->n + 2) + column + 1;
}

static struct grid grid_new(long n, long b)
{
	struct grid g = { n, b, allocate((n + 2) * (n + 2), sizeof(double), 1) };

	/* The upper border is hot. */
	for (long i = -1; i <= n; i++)
		*point(&g, -1, i) = 1;
	return g;
}

static void sweep_points(const double *from, double *to, long b, long line)
{
	for (long i = 0; i < b; i++, from += line, to += line)
		for (long j = 0; j < b; j++)
			to[j] = 0.25
			      * (from[j - line] + from[j - 1] + from[j + 1] + from[j + line]);
}

/* The first point of a block, for the block in depend clauses; outside the grid, of the next one inside. */
static double *block(const struct grid *g, long row, long column)
{
	long last = g->n / g->b - 1;

	row = row < 0 ? 0 : row > last ? last : row;
	column = column < 0 ? 0 : column > last ? last : column;
	return point(g, row * g->b, column * g->b);
}

static void sweep(const struct grid *from, const struct grid *to, long m, long n)
{
	double *out = block(to, m, n), *in = block(from, m, n), *up = block(from, m - 1, n),
	       *down = block(from, m + 1, n), *left = block(from, m, n - 1),
	       *right = block(from, m, n + 1);
	long b = from->b, line = from->n + 2;

#pragma omp task depend(out : out[0]) depend(in : in[0], up[0], left[0], right[0], down[0])
	sweep_points(in, out, b, line);
	created++;
	(void)up, (void)down, (void)left, (void)right; /* a depend clause is no use for gcc */
}

static double run(const struct grid *grids, long iterations, int *threads, long *tasks)
{
	double start = omp_get_wtime();

#pragma omp parallel
	{
#pragma omp single
		{
			long blocks = grids->n / grids->b;

			*threads = omp_get_num_threads();
			for (long i = 0; i < iterations; i++)
				for (long m = 0; m < blocks; m++)
					for (long n = 0; n < blocks; n++)
						sweep(&grids[i % 2], &grids[1 - i % 2], m, n);
		}
		collect_created(tasks);
	}
	return omp_get_wtime() - start;
}

/* The same iterations as one block each, by one thread: the same operations on each point. */
static int is_right(const struct grid *result, long iterations)
{
	struct grid g[2] = { grid_new(result->n, result->n), grid_new(result->n, result->n) };
	long points = (result->n + 2) * (result->n + 2);
	int same;

	for (long i = 0; i < iterations; i++)
		sweep_points(point(&g[i % 2], 0, 0), point(&g[1 - i % 2], 0, 0), result->n,
			     result->n + 2);
	same = !memcmp(g[iterations % 2].at, result->at, (size_t)points * sizeof(double));
	free(g[0].at);
	free(g[1].at);
	return same;
}

int main(int argc, char **argv)
{
	long b = 128, blocks = 8, iterations = 20, check = 0, count = 0, tasks = 0;
	const struct setting settings[] = {
		{ "block", 'b', "BLOCK", &b, 1, 8192, "rows of a block" },
		{ "blocks", 't', "BLOCKS", &blocks, 1, 4096, "blocks in each direction" },
		{ "iterations", 'i', "ITERATIONS", &iterations, 1, 1000000,
		  "sweeps over the grid" },
		{ "check", 'c', NULL, &check, 0, 1, "exit status 1 if the result is wrong" },
		{ "count", 0, NULL, &count, 0, 1, "print the number of tasks, and run none" },
		{ 0 },
	};
	struct grid grids[2];
	double elapsed, operations;
	int threads = 1;

	read_options(argc, argv, "Jacobi's method on a grid by OpenMP tasks with dependencies.",
		     settings);
	if (count) {
		printf("%ld\n", iterations * blocks * blocks);
		return 0;
	}
	grids[0] = grid_new(b * blocks, b);
	grids[1] = grid_new(b * blocks, b);
	elapsed = run(grids, iterations, &threads, &tasks);
	operations = 4.0 * (double)iterations * (double)grids[0].n * (double)grids[0].n;
	printf("stencil n=%ld block=%ld blocks=%ld iterations=%ld threads=%d tasks=%ld "
	       "seconds=%.6f gflops=%.3f\n",
	       grids[0].n, b, blocks, iterations, threads, tasks, elapsed,
	       operations / elapsed * 1e-9);
	end_output();
	if (check && !is_right(&grids[iterations % 2], iterations))
		fail("the result is wrong");
	free(grids[0].at);
	free(grids[1].at);
	return 0;
}
