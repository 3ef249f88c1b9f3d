/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constructs.c -- constructs of OpenMP that compilers move to functions of their own, each with its function. */
#include <stdio.h>

static void __attribute__((noinline)) increment(int *x)
{
	++*x;
}

static inline void inlined(int *x)
{
#pragma omp task depend(inout : x[0]) /* here: inlined */
	increment(x);
}

int outer(int n);

int outer(int n)
{
	static int v[4];
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : v[i % 4]) /* here: outer */
			{
				increment(&v[i % 4]);
#pragma omp task /* here: outer */
				increment(&v[i % 4]);
			}
		}
		inlined(v);
#pragma omp taskwait
	}
	return v[0];
}

int main(void)
{
	printf("%d\n", outer(3));
	return 0;
}
