/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detach.c -- tasks that end where their event is fulfilled, not at the end of their body. Prints when that was
 * and when what waits for it began, in ns of CLOCK_MONOTONIC: "fulfill T" and "begin T".
 *
 * detach depend | taskwait | taskgroup | barrier: what waits for the detached task; another task, which the
 *                           detached one creates, fulfills the event after 20 ms
 * detach undeferred: another task as above, and one that does not wait for it
 * detach early | thread | never: the task itself fulfills it before its end; a thread outside of OpenMP does
 *                           20 ms after its end; nobody does, and the process ends by itself
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static omp_event_handle_t event;
static volatile int created; /* what waits for the task by its data */
static volatile int detached;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void spin(double ms)
{
	long long begin = now();

	while ((double)(now() - begin) < ms * 1e6)
		;
}

static void fulfill(void)
{
	printf("fulfill %lld\n", now());
	fflush(stdout);
	omp_fulfill_event(event);
}

static void follow(void)
{
	printf("begin %lld\n", now());
	spin(1);
}

static void *from_outside(void *unused)
{
	while (!detached)
		usleep(1000);
	usleep(20000);
	fulfill();
	return unused;
}

static void begin_operation(const char *what)
{
	while (!created)
		;
	spin(1);
	if (!strcmp(what, "early"))
		fulfill();
	if (!strcmp(what, "early") || !strcmp(what, "thread") || !strcmp(what, "never")) {
		spin(1);
		detached = 1;
		return;
	}
#pragma omp task
	{
		spin(20);
		fulfill();
		spin(1);
	}
}

static void work(const char *what)
{
	int a = 0;

	created = !strcmp(what, "undeferred");
#pragma omp taskgroup
	{
#pragma omp task detach(event) depend(out : a) if (!created)
		begin_operation(what);
		if (strcmp(what, "taskwait") != 0 && strcmp(what, "taskgroup") != 0
		    && strcmp(what, "undeferred") != 0) {
#pragma omp task depend(in : a)
			follow();
		}
		created = 1;
		if (!strcmp(what, "undeferred")) {
#pragma omp task
			follow();
		}
		if (!strcmp(what, "taskwait")) {
#pragma omp taskwait
#pragma omp task
			follow();
		}
	}
	if (!strcmp(what, "taskgroup")) {
#pragma omp task
		follow();
	}
}

static void work_to_barrier(void)
{
#pragma omp single
	{
#pragma omp task detach(event)
		begin_operation("barrier");
		created = 1;
	}
#pragma omp single nowait
	{
#pragma omp task
		follow();
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "depend";
	pthread_t thread;

	if (!strcmp(what, "thread") && pthread_create(&thread, NULL, from_outside, NULL))
		return 1;
	if (!strcmp(what, "never"))
		alarm(2);
#pragma omp parallel num_threads(2)
	{
		if (!strcmp(what, "barrier")) {
			work_to_barrier();
		} else {
#pragma omp single
			work(what);
		}
	}
	if (!strcmp(what, "thread"))
		pthread_join(thread, NULL);
	return 0;
}
