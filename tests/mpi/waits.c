/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * waits.c -- two ranks of which one comes late, by one kind of call after the other. When a file shows
 * that the other one is about to call, it sleeps; so the other one waits for it in its call about as
 * long as SLEEP, which is much, as the machine may have other work. Prints who waits in which call, and
 * the state. `exchange`: 20 exchanges of 1 MiB, each rank being late in every other one.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SLEEP = 200000 }; /* us */
enum { N = 1 << 18 };	 /* ints: more than any library sends before it is received */

static int rank, other;
static int out[N], in[N];

/* The other one waits in `call`. */
static void late(int who, const char *call, const char *state)
{
	static int step;
	char file[20];

	MPI_Barrier(MPI_COMM_WORLD);
	snprintf(file, sizeof file, "step%d", step++);
	if (rank == who) {
		while (access(file, F_OK) < 0)
			usleep(1000);
		usleep(SLEEP);
	} else {
		printf("%d %s %s\n", rank, call, state);
		close(open(file, O_CREAT | O_WRONLY, 0666));
	}
}

static void messages(void)
{
	MPI_Request request[2];

	late(1, "MPI_Sendrecv", "late sender");
	MPI_Sendrecv(out, 1, MPI_INT, other, 1, in, 1, MPI_INT, other, 1, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	late(0, "MPI_Sendrecv_replace", "late sender");
	MPI_Sendrecv_replace(in, N, MPI_INT, other, 2, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* From any rank, any tag, with tags of its own in each direction. */
	late(1, "MPI_Sendrecv", "late sender");
	MPI_Sendrecv(out, N, MPI_INT, other, 10 + rank, in, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* One of both sides to or from nobody. */
	late(1, "MPI_Sendrecv", "late sender");
	MPI_Sendrecv(out, N, MPI_INT, rank == 1 ? 0 : MPI_PROC_NULL, 4, in, N, MPI_INT,
		     rank == 0 ? 1 : MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	late(0, "MPI_Sendrecv", "late sender");
	if (rank == 0)
		MPI_Send(out, N, MPI_INT, 1, 5, MPI_COMM_WORLD);
	else
		MPI_Sendrecv(out, N, MPI_INT, MPI_PROC_NULL, 5, in, N, MPI_INT, 0, 5,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	late(1, "MPI_Ssend", "late receiver");
	if (rank == 0)
		MPI_Ssend(out, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
	else
		MPI_Recv(in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	late(1, "MPI_Waitall", "late sender");
	MPI_Irecv(in, 1, MPI_INT, other, 7, MPI_COMM_WORLD, &request[0]);
	MPI_Isend(out, 1, MPI_INT, other, 7, MPI_COMM_WORLD, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	MPI_Recv_init(in, 1, MPI_INT, other, 8, MPI_COMM_WORLD, &request[0]);
	MPI_Send_init(out, 1, MPI_INT, other, 8, MPI_COMM_WORLD, &request[1]);
	late(0, "MPI_Waitall", "late sender");
	MPI_Startall(2, request);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
}

/* The second message is received before the first, which was probed. */
static void probes(void)
{
	MPI_Message message;
	MPI_Status status;

	late(1, "MPI_Mprobe", "late sender");
	if (rank == 1) {
		MPI_Send(out, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
		usleep(SLEEP);
		MPI_Send(out, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
	} else {
		MPI_Mprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &message, &status);
		printf("0 MPI_Recv late sender\n");
		MPI_Recv(in, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &status);
		MPI_Mrecv(in, 1, MPI_INT, &message, &status);
	}
	late(0, "MPI_Probe", "late sender");
	if (rank == 0) {
		MPI_Send(out, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);
	} else {
		MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		MPI_Recv(in, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, &status);
	}
}

/* Buffered and ready sends wait for nobody, also if what completes them lasts. */
static void modes(void)
{
	static char buffer[1 << 16];
	MPI_Request request[2];
	void *detached;
	int size;

	MPI_Buffer_attach(buffer, sizeof buffer);
	late(1, "MPI_Recv", "late sender");
	if (rank == 0) {
		MPI_Bsend(out, 1, MPI_INT, 1, 11, MPI_COMM_WORLD);
		MPI_Recv(in, 1, MPI_INT, 1, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(in, 1, MPI_INT, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(out, 1, MPI_INT, 0, 11, MPI_COMM_WORLD);
	}
	late(1, "MPI_Waitall", "late sender");
	if (rank == 0) {
		MPI_Ibsend(out, 1, MPI_INT, 1, 12, MPI_COMM_WORLD, &request[0]);
		MPI_Irecv(in, 1, MPI_INT, 1, 12, MPI_COMM_WORLD, &request[1]);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	} else {
		MPI_Recv(in, 1, MPI_INT, 0, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		usleep(SLEEP);
		MPI_Send(out, 1, MPI_INT, 0, 12, MPI_COMM_WORLD);
	}
	MPI_Buffer_detach(&detached, &size);
}

static void collectives(void)
{
	MPI_Comm copy, line;
	MPI_Request request;
	int sum;

	late(1, "MPI_Allreduce", "wait at collective");
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	late(0, "MPI_Comm_dup", "wait at collective");
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	late(1, "MPI_Wait", "wait at collective");
	MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* Nothing about these. */
	MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
	MPI_Iscan(&rank, &sum, 1, MPI_INT, MPI_SUM, copy, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Cart_create(copy, 1, (int[]){ 2 }, (int[]){ 1 }, 0, &line);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, line);
}

static void windows(void)
{
	MPI_File file;
	MPI_Win window;
	int *base;

	MPI_Win_allocate(sizeof in, sizeof *in, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
	MPI_Win_fence(0, window);
	MPI_Put(out, 1, MPI_INT, other, 0, 1, MPI_INT, window);
	MPI_Win_fence(0, window);
	MPI_Win_free(&window);
	MPI_File_open(MPI_COMM_WORLD, "waits.file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
		      &file);
	MPI_File_write_at_all(file, rank * 4, out, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = 1 - rank;
	if (argc > 1 && !strcmp(argv[1], "exchange")) {
		for (int i = 0; i < 20; i++) {
			usleep(rank == i % 2 ? SLEEP / 4 : 0);
			MPI_Sendrecv_replace(in, N, MPI_INT, other, 0, other, 0, MPI_COMM_WORLD,
					     MPI_STATUS_IGNORE);
		}
	} else {
		messages();
		probes();
		modes();
		collectives();
		windows();
	}
	return MPI_Finalize();
}
