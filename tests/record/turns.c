/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * turns.c -- N threads, one after the other, of MS ms of CPU time each, then one of LAST ms.
 * turns N MS LAST
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void *compute(void *arg)
{
	struct timespec now = { 0 };

	while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < *(const long *)arg)
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 3 ? atoi(argv[1]) : 0;
	long ms = argc > 3 ? atol(argv[2]) : 0, last = argc > 3 ? atol(argv[3]) : 0;
	pthread_t thread;

	for (int i = 0; i <= n; i++) {
		if (pthread_create(&thread, NULL, compute, i < n ? &ms : &last))
			return 1;
		pthread_join(thread, NULL);
	}
	return 0;
}
