/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fib.c -- Fibonacci numbers by nested tasks: two per number from CUTOFF on, joined by taskwait.
 *
 * The usual example of recursive tasks: the work is nothing, the tree of tasks is everything. Above
 * the cutoff c, fib(n) has F(n - c + 3) - 1 nodes that create two tasks each, and the longest chain
 * of nested tasks has n - c + 1.
 */
#include <omp.h>
#include <stdio.h>

#include "common.h"

static long cutoff = 12, work;

static long fib_alone(long n)
{
	return n < 2 ? n : fib_alone(n - 1) + fib_alone(n - 2);
}

static long fib(long n)
{
	long x, y;

	if (n < cutoff)
		return fib_alone(n);
#pragma omp task shared(x)
	{
		spin(work);
		x = fib(n - 1);
	}
#pragma omp task shared(y)
	{
		spin(work);
		y = fib(n - 2);
	}
	created += 2;
#pragma omp taskwait
	return x + y;
}

static long fib_by_sums(long n)
{
	long x = 0, y = 1;

	for (long i = 0; i < n; i++) {
		long next = x + y;

		x = y;
		y = next;
	}
	return x;
}

int main(int argc, char **argv)
{
	long n = 25, check = 0, count = 0, tasks = 0, result = 0;
	const struct setting settings[] = {
		{ "number", 'n', "N", &n, 0, 80, "which Fibonacci number" },
		{ "cutoff", 'k', "CUTOFF", &cutoff, 2, 80,
		  "numbers below it are computed without tasks" },
		{ "work", 'w', "US", &work, 0, 1000000,
		  "CPU time that each task spends besides, in us" },
		{ "check", 'c', NULL, &check, 0, 1, "exit status 1 if the result is wrong" },
		{ "count", 0, NULL, &count, 0, 1, "print the number of tasks, and run none" },
		{ 0 },
	};
	double elapsed;
	int threads = 1;

	read_options(argc, argv, "Fibonacci numbers by nested tasks and taskwait.", settings);
	if (count) {
		printf("%ld\n", n < cutoff ? 0 : 2 * (fib_by_sums(n - cutoff + 3) - 1));
		return 0;
	}
	elapsed = omp_get_wtime();
#pragma omp parallel
	{
#pragma omp single
		{
			threads = omp_get_num_threads();
			result = fib(n);
		}
		collect_created(&tasks);
	}
	elapsed = omp_get_wtime() - elapsed;
	printf("fib n=%ld cutoff=%ld threads=%d tasks=%ld seconds=%.6f result=%ld\n", n, cutoff,
	       threads, tasks, elapsed, result);
	end_output();
	if (check && result != fib_by_sums(n))
		fail("the result is wrong, expected %ld", fib_by_sums(n));
	return 0;
}
