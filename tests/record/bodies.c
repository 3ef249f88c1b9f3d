/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bodies.c -- OpenMP programs for tests of the recorder:
 *
 *   bodies burn N US          N tasks that take US of CPU time each; prints the sum that they measured, in ns
 *   bodies sleep N US         N tasks that sleep for US each
 *   bodies kill N             N tasks, then SIGKILL amid a region
 *   bodies fork N             N tasks, then a child of fork that creates N + 1 and ends by _exit
 *   bodies plugin N LIBRARY.. calls plugin(N) of each library, which is loaded before and unloaded after
 *   bodies loop N             a taskloop of N tasks
 *   bodies threads N          N tasks in a region, begun by each of two threads of POSIX
 */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long thread_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long burn(int n, long long ns)
{
	long long sum = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task shared(sum)
		{
			long long begin = thread_ns(), end = begin;

			while (end - begin < ns)
				end = thread_ns();
#pragma omp atomic
			sum += end - begin;
		}
	}
	return sum;
}

static void killed(int n)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < n; i++) {
#pragma omp task
			(void)thread_ns();
		}
#pragma omp taskwait
#pragma omp task if (0)
		raise(SIGKILL);
	}
}

static int forked(int n)
{
	int status = 1;
	pid_t child;

	burn(n, 0);
	child = fork();
	if (child == 0) {
		burn(n + 1, 0);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status != 0;
}

static int plugged(int n, char **library)
{
	for (; *library; library++) {
		void *handle = dlopen(*library, RTLD_NOW | RTLD_LOCAL);
		int (*plugin)(int);

		if (!handle)
			return 1;
		*(void **)&plugin = dlsym(handle, "plugin");
		if (!plugin || plugin(n) != n)
			return 1;
		printf("%p\n", (void *)plugin);
		dlclose(handle);
	}
	return 0;
}

static void loop(int n)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
	for (int i = 0; i < n; i++)
#pragma omp atomic
		sum += i;
}

static void *run_region(void *n)
{
	burn(*(int *)n, 0);
	return NULL;
}

static void threads(int n)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, run_region, &n);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

static void sleeps(int n, unsigned us)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task
		usleep(us);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (strcmp(mode, "burn") == 0)
		printf("%lld\n", burn(n, argc > 3 ? atoi(argv[3]) * 1000LL : 0));
	else if (strcmp(mode, "sleep") == 0)
		sleeps(n, (unsigned)atoi(argv[3]));
	else if (strcmp(mode, "kill") == 0)
		killed(n);
	else if (strcmp(mode, "fork") == 0)
		return forked(n);
	else if (strcmp(mode, "plugin") == 0)
		return plugged(n, argv + 3);
	else if (strcmp(mode, "loop") == 0)
		loop(n);
	else if (strcmp(mode, "threads") == 0)
		threads(n);
	else
		return 2;
	return 0;
}
