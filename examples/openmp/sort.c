/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sort.c -- merge sort by nested tasks: two per part longer than CUTOFF, joined by taskwait.
 *
 * Unlike fib, a task works after its taskwait: it merges. Halves differ by one element or none, so the
 * parts at depth d have n / 2^d elements, rounded down or up.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

static long cutoff = 10000;

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void merge(uint32_t *a, long half, long n, uint32_t *other)
{
	uint32_t *left = other, *end = other + half, *right = a + half;

	/* The left half moves away; what remains of the right one is where it belongs. */
	memcpy(other, a, (size_t)half * sizeof(*a));
	for (long i = 0; left < end; i++)
		a[i] = right < a + n && *right < *left ? *right++ : *left++;
}

static void sort(uint32_t *a, long n, uint32_t *other)
{
	long half = n / 2;

	if (n <= cutoff) {
		qsort(a, (size_t)n, sizeof(*a), compare);
		return;
	}
#pragma omp task
	sort(a, half, other);
#pragma omp task
	sort(a + half, n - half, other + half);
	created += 2;
#pragma omp taskwait
	merge(a, half, n, other);
}

/*
 * Two per part longer than the cutoff. Those of the first depths are all longer; of the 2^d parts at the
 * next depth only those rounded up may be.
 */
static long tasks_of(long n)
{
	long parts = 1;

	while (n / parts > cutoff)
		parts *= 2;
	return 2 * (parts - 1 + (n / parts == cutoff ? n % parts : 0));
}

/* The sum of a function of each element: equal before and after. */
static uint64_t checksum(const uint32_t *a, long n)
{
	uint64_t sum = 0;

	for (long i = 0; i < n; i++)
		sum += (a[i] + UINT64_C(1)) * (a[i] ^ UINT64_C(0x9e3779b97f4a7c15));
	return sum;
}

static int is_sorted(const uint32_t *a, long n)
{
	for (long i = 1; i < n; i++)
		if (a[i - 1] > a[i])
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	long n = 1000000, check = 0, count = 0, tasks = 0;
	const struct setting settings[] = {
		{ "elements", 'n', "N", &n, 0, 2000000000, "numbers to sort" },
		{ "cutoff", 'k', "CUTOFF", &cutoff, 1, 2000000000,
		  "parts up to this length have no tasks" },
		{ "check", 'c', NULL, &check, 0, 1, "exit status 1 if the result is wrong" },
		{ "count", 0, NULL, &count, 0, 1, "print the number of tasks, and run none" },
		{ 0 },
	};
	uint32_t *a, *other, x = 1;
	uint64_t before;
	double elapsed;
	int threads = 1;

	read_options(argc, argv, "Merge sort by nested tasks and taskwait.", settings);
	if (count) {
		printf("%ld\n", tasks_of(n));
		return 0;
	}
	a = allocate(n, sizeof(*a), 0);
	other = allocate(n, sizeof(*other), 0);
	for (long i = 0; i < n; i++)
		a[i] = x = x * UINT32_C(1664525) + UINT32_C(1013904223);
	before = checksum(a, n);
	elapsed = omp_get_wtime();
#pragma omp parallel
	{
#pragma omp single
		{
			threads = omp_get_num_threads();
			sort(a, n, other);
		}
		collect_created(&tasks);
	}
	elapsed = omp_get_wtime() - elapsed;
	printf("sort n=%ld cutoff=%ld threads=%d tasks=%ld seconds=%.6f\n", n, cutoff, threads,
	       tasks, elapsed);
	end_output();
	if (check && (!is_sorted(a, n) || checksum(a, n) != before))
		fail("the result is wrong");
	free(a);
	free(other);
	return 0;
}
