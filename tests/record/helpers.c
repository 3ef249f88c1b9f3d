/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * helpers.c -- threads that cannot run the program's tasks.
 *
 * helpers target: 40 tasks of a team of two threads, beside a target task that clang's libomp gives to one of
 *                 eight helper threads
 * helpers pool:   a loop of four threads, then 40 tasks of two of them
 * helpers loop:   the loop alone
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

static void spin(int us)
{
	double begin = omp_get_wtime();

	while ((omp_get_wtime() - begin) * 1e6 < us)
		;
}

static int tasks(int with_target)
{
	int a = 1;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		if (with_target) {
#pragma omp target nowait map(tofrom : a)
			a++;
		}
		for (int i = 0; i < 40; i++) {
#pragma omp task
			spin(1000);
		}
#pragma omp taskwait
	}
	return a;
}

static void loop(void)
{
#pragma omp parallel for num_threads(4) schedule(static, 1)
	for (int i = 0; i < 8; i++)
		spin(1000);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "target"))
		return tasks(1) != 2;
	if (strcmp(what, "pool") && strcmp(what, "loop")) {
		fputs("usage: helpers target|pool|loop\n", stderr);
		return 2;
	}
	loop();
	return !strcmp(what, "pool") ? tasks(0) != 1 : 0;
}
