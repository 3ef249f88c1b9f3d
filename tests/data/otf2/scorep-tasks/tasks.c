/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks of OpenMP: fib(12) by nested tasks, in which each waits for its two;
 * one thread creates 20 tasks. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
static int count;
static int fib(int n)
{
	int a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a)
	{
#pragma omp atomic
		count++;
		a = fib(n - 1);
	}
#pragma omp task shared(b)
	{
#pragma omp atomic
		count++;
		b = fib(n - 2);
	}
#pragma omp taskwait
	return a + b;
}
int main(void)
{
	int f = 0;
#pragma omp parallel num_threads(4)
	{
#pragma omp single
		f = fib(8);
#pragma omp critical
		usleep(100);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 16; i++)
			usleep(50);
#pragma omp master
		for (int i = 0; i < 20; i++) {
#pragma omp task untied
			{
				usleep(100);
#pragma omp taskyield
#pragma omp atomic
				count++;
			}
		}
	}
	printf("%d %d tasks\n", f, count);
	return 0;
}
