/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pinned.c -- computes for MS ms of CPU time in each of N threads and prints the CPU time of the process in ns.
 * pinned MS N CPU: all threads on that CPU; -1: anywhere.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static long ms;
static int cpu;

static void *compute(void *arg)
{
	struct timespec now = { 0 };
	cpu_set_t set;

	if (cpu >= 0) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(0, sizeof set, &set))
			exit(1);
	}
	while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < ms)
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t thread[64];
	struct rusage usage;

	ms = argc > 1 ? atol(argv[1]) : 100;
	cpu = argc > 3 ? atoi(argv[3]) : -1;
	for (int i = 1; i < n && i < 64; i++)
		pthread_create(&thread[i], NULL, compute, NULL);
	compute(NULL);
	for (int i = 1; i < n && i < 64; i++)
		pthread_join(thread[i], NULL);
	getrusage(RUSAGE_SELF, &usage);
	printf("%ld\n", (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000
				+ (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000);
	return 0;
}
