/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * late_rank.c -- ranks that sleep as their work, pass a message around, and sum up; one of them may be late in each step.
 *
 *   late_rank STEPS MS RANK LATER_MS
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	int rank, n, steps, ms;
	double value = 1, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	if (argc != 5)
		MPI_Abort(MPI_COMM_WORLD, 1);
	steps = atoi(argv[1]);
	ms = atoi(argv[2]) + (rank == atoi(argv[3]) ? atoi(argv[4]) : 0);
	for (int i = 0; i < steps; i++) {
		nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
		MPI_Sendrecv(&value, 1, MPI_DOUBLE, (rank + 1) % n, 0, &sum, 1, MPI_DOUBLE,
			     (rank + n - 1) % n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
