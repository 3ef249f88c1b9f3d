/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops and tasks of OpenMP: a loop with 16 iterations, 20 tasks of one thread, nested tasks fib(6), a taskloop of 5. */
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
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 16; i++)
			usleep(200);
#pragma omp single
		for (int i = 0; i < 20; i++) {
#pragma omp task
			{
				usleep(300);
#pragma omp atomic
				count++;
			}
		}
#pragma omp single
		f = fib(6);
#pragma omp critical
		usleep(100);
	}
	printf("%d %d tasks\n", f, count);
	return 0;
}
