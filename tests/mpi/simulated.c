/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulated.c -- random MPI programs for SimGrid's smpirun, which write their calls as a table of traceviz.
 *
 * smpirun ... ./simulated SEED FILE: the same seed does the same on any platform. Computation is simulated work on hosts of
 * 1 Gflop/s; times are those of the simulation. Each rank writes FILE.RANK, without a header.
 */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 40, MOST = 400000 };

static uint64_t common, own; /* random numbers: the same on all ranks, and those of a rank */
static int rank, size, sequence;
static FILE *out;
static char from[MOST], to[MOST * 8];

static int below(uint64_t *state, int n)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (int)((*state * 0x2545f4914f6cdd1du >> 16) % (uint64_t)n);
}

static void work(void)
{
	smpi_execute_flops(1e6 * below(&own, 5000) / 1000);
}

/* One row; -1: missing. What exchanges receive comes from `other`. */
static void row(const char *call, const char *class, double begin, const char *request, int number,
		int root, int peer, int tag, int bytes, int other)
{
	int cell[] = { number, root, peer, tag, bytes, other, other < 0 ? -1 : tag };

	fprintf(out, "%d_T0,%s,%s,%.6f,%.6f,%s,w", rank, call, class, begin * 1e3,
		MPI_Wtime() * 1e3, request);
	for (size_t i = 0; i < sizeof cell / sizeof *cell; i++)
		if (cell[i] < 0)
			fprintf(out, ",");
		else
			fprintf(out, ",%d", cell[i]);
	fprintf(out, "\n");
}

/* From a rank to another one, blocking or not on either side. */
static void message(void)
{
	int a = below(&common, size), b = (a + 1 + below(&common, size - 1)) % size,
	    how = below(&common, 4),
	    bytes = below(&common, 2) ? 1 + below(&common, 1000)
				      : 100000 + below(&common, MOST - 100000),
	    peer = rank == a ? b : a;
	double begin = MPI_Wtime();
	MPI_Request request;

	if (rank != a && rank != b)
		return;
	if (rank == a && !(how & 1)) {
		MPI_Send(from, bytes, MPI_CHAR, b, 1, MPI_COMM_WORLD);
		row("MPI_Send", "blocking", begin, "", -1, -1, peer, 1, bytes, -1);
	} else if (rank == b && !(how & 2)) {
		MPI_Recv(to, bytes, MPI_CHAR, a, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		row("MPI_Recv", "blocking", begin, "", -1, -1, peer, 1, bytes, -1);
	} else {
		if (rank == a)
			MPI_Isend(from, bytes, MPI_CHAR, b, 1, MPI_COMM_WORLD, &request);
		else
			MPI_Irecv(to, bytes, MPI_CHAR, a, 1, MPI_COMM_WORLD, &request);
		row(rank == a ? "MPI_Isend" : "MPI_Irecv", "start", begin, "r", -1, -1, peer, 1,
		    bytes, -1);
		work();
		begin = MPI_Wtime();
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		row("MPI_Wait", "wait", begin, "r", -1, -1, -1, -1, -1, -1);
	}
}

static void exchange(void)
{
	int step = 1 + below(&common, size - 1), bytes = 1 + below(&common, MOST - 1);
	int next = (rank + step) % size, before = (rank + size - step) % size;
	double begin = MPI_Wtime();

	MPI_Sendrecv(from, bytes, MPI_CHAR, next, 2, to, bytes, MPI_CHAR, before, 2, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	row("MPI_Sendrecv", "blocking", begin, "", -1, -1, next, 2, bytes, before);
}

static void collective(void)
{
	static const char *const name[] = { "MPI_Barrier", "MPI_Allreduce", "MPI_Alltoall",
					    "MPI_Bcast",   "MPI_Reduce",    "MPI_Gather",
					    "MPI_Scatter" };
	int how = below(&common, 7), root = below(&common, size), n = 1 + below(&common, 30000);
	double begin = MPI_Wtime();

	switch (how) {
	case 0:
		MPI_Barrier(MPI_COMM_WORLD);
		break;
	case 1:
		MPI_Allreduce(from, to, n, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
		break;
	case 2:
		MPI_Alltoall(from, n / size, MPI_CHAR, to, n / size, MPI_CHAR, MPI_COMM_WORLD);
		break;
	case 3:
		MPI_Bcast(to, n, MPI_CHAR, root, MPI_COMM_WORLD);
		break;
	case 4:
		MPI_Reduce(from, to, n, MPI_CHAR, MPI_MAX, root, MPI_COMM_WORLD);
		break;
	case 5:
		MPI_Gather(from, n, MPI_CHAR, to, n, MPI_CHAR, root, MPI_COMM_WORLD);
		break;
	default:
		MPI_Scatter(to, n, MPI_CHAR, from, n, MPI_CHAR, root, MPI_COMM_WORLD);
		break;
	}
	row(name[how], "blocking", begin, "", sequence++, how < 3 ? -1 : root, -1, -1, n, -1);
}

int main(int argc, char **argv)
{
	char name[4096];
	double begin;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	common = (uint64_t)atoi(argv[1]) * 7919 + 1;
	own = common * 31 + (uint64_t)rank * 104729 + 5;
	snprintf(name, sizeof name, "%s.%d", argv[2], rank);
	out = fopen(name, "w");
	if (out == NULL)
		return 1;
	begin = MPI_Wtime();
	row("MPI_Init", "other", begin, "", -1, -1, -1, -1, -1, -1);
	for (int i = 0; i < STEPS; i++) {
		int how = below(&common, 4);

		work();
		if (how < 2)
			message();
		else if (how == 2)
			exchange();
		else
			collective();
	}
	work();
	begin = MPI_Wtime();
	row("MPI_Finalize", "other", begin, "", -1, -1, -1, -1, -1, -1);
	fclose(out);
	MPI_Finalize();
	return 0;
}
