/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nqueens.c -- solutions of the N queens problem: nested tasks of irregular length, joined by taskwait.
 *
 * A task per queen that can be placed, in the first DEPTH rows (up to 3); below, a task searches alone.
 */
#include <omp.h>
#include <stdio.h>

#include "common.h"

enum { MAX_QUEENS = 16 };

static long size = 12, depth = 3, work;

/* Columns and diagonals of the next row that queens attack. */
struct attacked {
	unsigned columns, left, right;
};

static struct attacked place(struct attacked a, unsigned column)
{
	return (struct attacked){ a.columns | column, (a.left | column) << 1,
				  (a.right | column) >> 1 };
}

static unsigned free_columns(struct attacked a)
{
	return ~(a.columns | a.left | a.right) & ((1U << size) - 1);
}

static long search(struct attacked a, long row)
{
	long found = 0;

	if (row == size)
		return 1;
	for (unsigned rest = free_columns(a); rest; rest &= rest - 1)
		found += search(place(a, rest & -rest), row + 1);
	return found;
}

static long queens(struct attacked a, long row)
{
	long found[MAX_QUEENS] = { 0 }, sum = 0;
	int n = 0;

	if (row == size || row == depth)
		return search(a, row);
	for (unsigned rest = free_columns(a); rest; rest &= rest - 1) {
		struct attacked next = place(a, rest & -rest);
		long *result = &found[n++];

#pragma omp task
		{
			spin(work);
			*result = queens(next, row + 1);
		}
		created++;
	}
#pragma omp taskwait
	while (n > 0)
		sum += found[--n];
	return sum;
}

/* Ways to place a queen in each of the first one, two and three rows, for n >= 3; the sum of these. */
static long tasks_of(long n, long rows)
{
	long one = n, two = (n - 1) * (n - 2), three = (n - 3) * (n * n - 6 * n + 12);

	return one + (rows > 1 ? two : 0) + (rows > 2 ? three : 0);
}

int main(int argc, char **argv)
{
	static const long solutions[MAX_QUEENS + 1] = { 1,	 1,	  0,	 0,	2,
							10,	 4,	  40,	 92,	352,
							724,	 2680,	  14200, 73712, 365596,
							2279184, 14772512 };
	long check = 0, count = 0, tasks = 0, result = 0;
	const struct setting settings[] = {
		{ "size", 'n', "N", &size, 3, MAX_QUEENS, "queens, rows and columns" },
		{ "depth", 'd', "DEPTH", &depth, 1, 3, "rows whose queens are tasks" },
		{ "work", 'w', "US", &work, 0, 1000000,
		  "CPU time that each task spends besides, in us" },
		{ "check", 'c', NULL, &check, 0, 1, "exit status 1 if the result is wrong" },
		{ "count", 0, NULL, &count, 0, 1, "print the number of tasks, and run none" },
		{ 0 },
	};
	double elapsed;
	int threads = 1;

	read_options(argc, argv, "Solutions of the N queens problem by nested tasks and taskwait.",
		     settings);
	if (count) {
		printf("%ld\n", tasks_of(size, depth));
		return 0;
	}
	elapsed = omp_get_wtime();
#pragma omp parallel
	{
#pragma omp single
		{
			threads = omp_get_num_threads();
			result = queens((struct attacked){ 0, 0, 0 }, 0);
		}
		collect_created(&tasks);
	}
	elapsed = omp_get_wtime() - elapsed;
	printf("nqueens n=%ld depth=%ld threads=%d tasks=%ld seconds=%.6f result=%ld\n", size,
	       depth, threads, tasks, elapsed, result);
	end_output();
	if (check && result != solutions[size])
		fail("the result is wrong, expected %ld", solutions[size]);
	return 0;
}
