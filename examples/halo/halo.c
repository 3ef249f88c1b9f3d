/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halo.c -- two ranks that compute and exchange a message in each step; the work of a step is a sleep, so that other programs of
 * the machine do not change it.
 *
 *	mpirun -n 2 ./halo 5 15 40		rank 0 computes 5 ms, rank 1 15 ms, 40 steps
 *
 * The last rank that has computed sends last, and the other one waits for it in MPI_Waitall: of a step of 15 ms rank 0 waits 10.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void compute(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&time, &time) != 0)
		;
}

static void step(int other, int tag, long ms)
{
	static char in[1024], out[1024];
	MPI_Request request[2];
	MPI_Status status[2];

	MPI_Irecv(in, sizeof in, MPI_CHAR, other, tag, MPI_COMM_WORLD, &request[0]);
	compute(ms);
	MPI_Isend(out, sizeof out, MPI_CHAR, other, tag, MPI_COMM_WORLD, &request[1]);
	MPI_Waitall(2, request, status);
}

int main(int argc, char **argv)
{
	int rank, size;
	double elapsed;
	long ms, steps;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc != 4 || size != 2) {
		fprintf(stderr, "usage: mpirun -n 2 %s MS_OF_RANK_0 MS_OF_RANK_1 STEPS\n", argv[0]);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	ms = strtol(argv[1 + rank], NULL, 10);
	steps = strtol(argv[3], NULL, 10);
	MPI_Barrier(MPI_COMM_WORLD);
	elapsed = MPI_Wtime();
	for (int i = 0; i < steps; i++)
		step(1 - rank, i, ms);
	elapsed = MPI_Wtime() - elapsed;
	if (rank == 0)
		printf("halo steps=%ld seconds=%.6f\n", steps, elapsed);
	MPI_Finalize();
	return 0;
}
