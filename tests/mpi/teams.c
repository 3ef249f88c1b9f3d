/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teams.c -- ranks and, with OpenMP, teams of two threads that have unequal work; messages to the next rank, and collective
 * operations, by the first thread.
 */
#include <mpi.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_thread_num() 0
#endif
#include <time.h>

enum { STEPS = 10, MAX = 20000 };

static void work(double ms)
{
	struct timespec at;
	double end;

	clock_gettime(CLOCK_MONOTONIC, &at);
	end = (double)at.tv_sec * 1e3 + (double)at.tv_nsec * 1e-6 + ms;
	do
		clock_gettime(CLOCK_MONOTONIC, &at);
	while ((double)at.tv_sec * 1e3 + (double)at.tv_nsec * 1e-6 < end);
}

int main(int argc, char **argv)
{
	static double out[MAX], in[MAX];
	int rank, size, level;
	double all;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int step = 0; step < STEPS; step++) {
		int to = (rank + 1) % size, from = (rank + size - 1) % size, n = 100 << step % 8;

#ifdef _OPENMP
#pragma omp parallel num_threads(2)
#endif
		work(4 + 2 * rank + 3 * omp_get_thread_num());
		work(step % 3);
		MPI_Sendrecv(out, n, MPI_DOUBLE, to, 1, in, n, MPI_DOUBLE, from, 1, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		work(1);
		if (rank == 0)
			MPI_Send(out, n, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
		if (rank == 1)
			MPI_Recv(in, n, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Allreduce(out, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
