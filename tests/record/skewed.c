/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * skewed.c -- a library that makes each rank believe to be on a host of its own, with a clock of its own: those
 * of rank 1 are 3 ms ahead, and gain 100 us per second from the first call on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int rank_of_process(void)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");

	if (!rank)
		rank = getenv("PMI_RANK");
	return rank ? atoi(rank) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static long long first[2];
	static int rank = -1;
	long long t;
	int rc = (int)syscall(SYS_clock_gettime, clock, now);

	if (rank < 0)
		rank = rank_of_process();
	if ((clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME) || rank != 1)
		return rc;
	t = now->tv_sec * 1000000000LL + now->tv_nsec;
	if (!first[clock == CLOCK_REALTIME])
		first[clock == CLOCK_REALTIME] = t;
	t += 3000000 + (t - first[clock == CLOCK_REALTIME]) / 10000;
	now->tv_sec = t / 1000000000;
	now->tv_nsec = t % 1000000000;
	return rc;
}

int gethostname(char *name, size_t size)
{
	return snprintf(name, size, "host%d", rank_of_process()) < 0;
}
