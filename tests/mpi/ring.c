/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ring.c -- a program of MPI that counts its own calls: ring.f and ring.f90 do the same in Fortran.
 *
 * In each of 10 rounds a rank sends 100 k numbers to its right and receives from its left, in round k:
 * blocking, nonblocking, by persistent requests. Then collective operations, some on a half of the
 * ranks. Each rank prints what it did: "RANK FUNCTION CALLS BYTES".
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 10, MAX = 1000, STEP = 100 };

static int rank, size;

static void say(const char *function, int calls, long bytes)
{
	printf("%d %s %d %ld\n", rank, function, calls, bytes);
}

int main(int argc, char **argv)
{
	double out[MAX], in[MAX], sum;
	int left, right, flag = 0, tests = 0;
	long sent = 0;
	MPI_Request request[2];
	MPI_Status status[2];
	MPI_Comm half;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	right = (rank + 1) % size;
	left = (rank + size - 1) % size;
	for (int i = 0; i < MAX; i++)
		out[i] = rank + i;
	for (int k = 1; k <= ROUNDS; k++) {
		sent += 8L * STEP * k;
		/* Odd ranks receive first. */
		if (rank % 2 == 0)
			MPI_Send(out, STEP * k, MPI_DOUBLE, right, k, MPI_COMM_WORLD);
		MPI_Recv(in, MAX, MPI_DOUBLE, left, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank % 2 != 0)
			MPI_Send(out, STEP * k, MPI_DOUBLE, right, k, MPI_COMM_WORLD);
		MPI_Irecv(in, MAX, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
			  &request[0]);
		MPI_Isend(out, STEP * k, MPI_DOUBLE, right, 100 + k, MPI_COMM_WORLD, &request[1]);
		if (k % 2 == 0) {
			MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
		} else {
			MPI_Wait(&request[1], &status[1]);
			MPI_Wait(&request[0], MPI_STATUS_IGNORE);
		}
		/* No round begins before all have ended the one before: they take any message. */
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Recv_init(in, MAX, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &request[0]);
	MPI_Send_init(out, STEP, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &request[1]);
	for (int k = 0; k < 3; k++) {
		MPI_Startall(2, request);
		for (flag = 0; !flag; tests++)
			MPI_Testall(2, request, &flag, status);
	}
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Allreduce(&out[0], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Bcast(out, 50, MPI_DOUBLE, 0, half);
	MPI_Ibcast(out, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_Comm_free(&half);
	say("MPI_Send", ROUNDS, sent);
	say("MPI_Recv", ROUNDS, sent);
	say("MPI_Isend", ROUNDS, sent);
	say("MPI_Irecv", ROUNDS, sent);
	say("MPI_Wait", ROUNDS + 1, 0);
	say("MPI_Waitall", ROUNDS / 2, 0);
	say("MPI_Testall", tests, 0);
	say("MPI_Startall", 3, 0);
	say("MPI_Send_init", 1, 8 * STEP);
	say("MPI_Recv_init", 1, 8 * MAX);
	say("MPI_Request_free", 2, 0);
	say("MPI_Barrier", ROUNDS, 0);
	say("MPI_Comm_split", 1, 0);
	say("MPI_Comm_free", 1, 0);
	say("MPI_Bcast", 1, 400);
	say("MPI_Ibcast", 1, 80);
	say("MPI_Allreduce", 1, 8);
	say("MPI_Init", 1, 0);
	say("MPI_Finalize", 1, 0);
	MPI_Finalize();
	return sum != size * (size - 1) / 2.0;
}
