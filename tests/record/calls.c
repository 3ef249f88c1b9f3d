/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.c -- tasks whose creation is the last thing that a function does, or that a region of the same function contains. */
static int count;

static void leaf(int n)
{
#pragma omp atomic
	count += n;
}

__attribute__((noinline)) static void recursive(int n)
{
	if (n < 2)
		return;
#pragma omp task
	recursive(n - 1);
#pragma omp task
	recursive(n - 2);
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	recursive(10);
#pragma omp parallel num_threads(2)
	{
#pragma omp task
		leaf(1);
	}
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task if (0)
		leaf(2);
#pragma omp task final(1)
		{
			leaf(3);
#pragma omp task
			leaf(4);
		}
	}
	return count != 11;
}
