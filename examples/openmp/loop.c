/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loop.c -- a parallel loop over the rows of a triangle: row i has i elements.
 *
 * schedule(runtime) takes OMP_SCHEDULE. With static, a thread gets one block of rows, so the last one of
 * P threads has (2 P - 1) / P^2 of the work: of two 3/4. dynamic gives rows to threads that are free.
 */
#include <omp.h>
#include <stdio.h>

#include "common.h"

static void sweep(long rows, long work)
{
#pragma omp for schedule(runtime)
	for (long row = 0; row < rows; row++)
		spin(row * work);
}

int main(int argc, char **argv)
{
	long rows = 40, work = 250, sweeps = 3;
	const struct setting settings[] = {
		{ "rows", 'n', "N", &rows, 1, 1000000, "rows of the triangle" },
		{ "work", 'w', "US", &work, 0, 1000000, "CPU time of an element, in us" },
		{ "sweeps", 's', "S", &sweeps, 1, 1000000, "how often the loop runs" },
		{ 0 },
	};
	double elapsed;
	int threads = 1;

	read_options(argc, argv, "A parallel loop over the rows of a triangle; OMP_SCHEDULE.",
		     settings);
	elapsed = omp_get_wtime();
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0)
			threads = omp_get_num_threads();
		for (long s = 0; s < sweeps; s++)
			sweep(rows, work);
	}
	elapsed = omp_get_wtime() - elapsed;
	printf("loop n=%ld sweeps=%ld threads=%d seconds=%.6f\n", rows, sweeps, threads, elapsed);
	end_output();
	return 0;
}
