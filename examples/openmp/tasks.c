/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c -- empty tasks, to measure what a task costs: in a runtime, with a tool, in a trace. */
#include <omp.h>
#include <stdio.h>

#include "common.h"

static void create(long n, long work)
{
	for (long i = 0; i < n; i++) {
#pragma omp task
		if (work)
			spin(work);
		created++;
	}
}

int main(int argc, char **argv)
{
	long n = 1000000, creators = 1, work = 0, count = 0, tasks = 0;
	const struct setting settings[] = {
		{ "tasks", 'n', "N", &n, 1, 1000000000, "number of tasks" },
		{ "creators", 'm', "M", &creators, 1, 4096,
		  "threads that create them, equal shares" },
		{ "work", 'w', "US", &work, 0, 1000000, "CPU time that each task spends, in us" },
		{ "count", 0, NULL, &count, 0, 1, "print the number of tasks, and run none" },
		{ 0 },
	};
	double elapsed;
	int threads = 1;

	read_options(argc, argv, "Empty tasks, to measure what a task costs.", settings);
	if (count) {
		printf("%ld\n", n);
		return 0;
	}
	if (creators > omp_get_max_threads())
		usage("%ld creators, but OpenMP has only %d threads", creators,
		      omp_get_max_threads());
	elapsed = omp_get_wtime();
#pragma omp parallel
	{
		long me = omp_get_thread_num();

		if (me == 0)
			threads = omp_get_num_threads();
		if (me < creators)
			create(n / creators + (me < n % creators), work);
#pragma omp barrier
		collect_created(&tasks);
	}
	elapsed = omp_get_wtime() - elapsed;
	printf("tasks n=%ld creators=%ld threads=%d tasks=%ld seconds=%.6f ns_per_task=%.1f\n", n,
	       creators, threads, tasks, elapsed, elapsed / (double)n * 1e9);
	end_output();
	return 0;
}
