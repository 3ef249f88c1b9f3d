/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi4.c -- functions of MPI 4 that are not recorded, where the library has them; 0: they did their work. */
#include <mpi.h>
#ifndef MPICH
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif

int main(int argc, char **argv)
{
	MPI_Request request;
	int wrong = 0, rank, n;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	double own = rank + 1, sum = 0;

	MPI_Allreduce_init(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
			   &request);
	for (int i = 0; i < 3; i++) {
		sum = 0;
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		wrong += sum != n * (n + 1) / 2;
	}
	MPI_Request_free(&request);
#ifdef MPICH
	for (int i = 0; i < 4; i++) {
		own = rank ? 0 : 42;
		MPI_Bcast_c(&own, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
		wrong += own != 42;
	}
#endif
	MPI_Finalize();
	return wrong;
}
