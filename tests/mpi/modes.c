/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modes.c -- small programs of MPI for tests; the first argument chooses one. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rank, size;

/* Calls of all kinds, on 2 ranks; what is expected of them is in record-mpi.t. */
static void all(void)
{
	enum { N = 40 };
	int out[N], in[N], index, list[N], n, flag, counts[2] = { 3, 5 }, at[2] = { 0, 3 };
	int other = 1 - rank;
	MPI_Request request[N], moved;
	MPI_Status status;
	MPI_Message message;
	MPI_Comm copy, late;

	memset(out, 0, sizeof out);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	/* Several requests at a time, more than the probe has place for without memory. */
	for (int i = 0; i < N; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, other, i, copy, &request[i]);
	MPI_Barrier(copy);
	for (int i = 0; i < N; i++)
		MPI_Send(&out[i], 1, MPI_INT, other, i, copy);
	MPI_Waitany(N, request, &index, MPI_STATUS_IGNORE);
	for (int done = 1; done < 5; done += n)
		MPI_Waitsome(N, request, &n, list, MPI_STATUSES_IGNORE);
	MPI_Testany(N, request, &index, &flag, MPI_STATUS_IGNORE);
	MPI_Testsome(N, request, &n, list, MPI_STATUSES_IGNORE);
	MPI_Waitall(N, request, MPI_STATUSES_IGNORE);
	/* Nonblocking sends have the same handle where they complete at once; one was moved. */
	for (int i = 0; i < 4; i++)
		MPI_Isend(&out[i], 1, MPI_INT, other, 50 + i, copy, &request[i]);
	moved = request[2];
	request[2] = MPI_REQUEST_NULL;
	for (int i = 0; i < 4; i++)
		MPI_Recv(&in[i], 1, MPI_INT, other, 50 + i, copy, &status);
	MPI_Wait(&moved, MPI_STATUS_IGNORE);
	MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
	/* The message that was probed first is received last. */
	MPI_Sendrecv(out, 2, MPI_INT, other, 60, in, N, MPI_INT, other, 60, copy,
		     MPI_STATUS_IGNORE);
	MPI_Send(out, 1, MPI_INT, other, 61, copy);
	MPI_Send(out, 2, MPI_INT, other, 61, copy);
	MPI_Mprobe(other, 61, copy, &message, &status);
	MPI_Recv(in, N, MPI_INT, other, 61, copy, MPI_STATUS_IGNORE);
	MPI_Mrecv(in, N, MPI_INT, &message, MPI_STATUS_IGNORE);
	/* To and from nobody, and one that is cancelled: no message. */
	MPI_Send(out, 1, MPI_INT, MPI_PROC_NULL, 62, copy);
	MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 62, copy, MPI_STATUS_IGNORE);
	MPI_Irecv(in, 1, MPI_INT, other, 63, copy, &request[0]);
	MPI_Cancel(&request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	/* Bytes of collective operations. */
	MPI_Alltoall(out, 3, MPI_INT, in, 3, MPI_INT, copy);
	MPI_Alltoallv(out, counts, at, MPI_INT, in, counts, at, MPI_INT, MPI_COMM_SELF);
	MPI_Gather(rank == 0 ? MPI_IN_PLACE : out, 7, MPI_INT, in, 7, MPI_INT, 0, copy);
	MPI_Gatherv(out, counts[rank], MPI_INT, in, counts, at, MPI_INT, 1, copy);
	MPI_Scatterv(out, counts, at, MPI_INT, in, counts[rank], MPI_INT, 1, copy);
	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_MAX, copy);
	MPI_Comm_idup(copy, &late, &request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_Bcast(out, 1, MPI_INT, 1, late);
	MPI_Comm_free(&late);
	MPI_Comm_free(&copy);
}

/* Sends and receives of four threads at a time, each pair with a tag of its own. */
static void *exchange(void *arg)
{
	int tag = (int)(intptr_t)arg, value = tag, other = 1 - rank;
	MPI_Request request[2];

	for (int i = 0; i < 200; i++) {
		MPI_Irecv(&value, 1, MPI_INT, other, tag, MPI_COMM_WORLD, &request[0]);
		MPI_Isend(&tag, 1, MPI_INT, other, tag, MPI_COMM_WORLD, &request[1]);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t thread[4];

	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, exchange, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static void tasks(void)
{
	int value = rank, sum = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 20; i++)
#pragma omp task
			usleep(500);
#pragma omp taskwait
		MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
}

/* Computation of a task, ns of CPU time. */
static void spin(long ns)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < ns);
}

/* Two ranks exchange 1 MiB while tasks compute, twice 3 times: the second time rank 1 has twice the tasks. */
static void halo(void)
{
	enum { N = 1 << 17 };
	static double out[N], in[N];
	double local = rank, sum;
	MPI_Request request[2];

	for (int k = 0; k < 6; k++) {
		int tasks = k < 3 || rank == 0 ? 8 : 16;

		MPI_Irecv(in, N, MPI_DOUBLE, 1 - rank, k, MPI_COMM_WORLD, &request[0]);
		MPI_Isend(out, N, MPI_DOUBLE, 1 - rank, k, MPI_COMM_WORLD, &request[1]);
#pragma omp parallel
#pragma omp single
		for (int i = 0; i < tasks; i++)
#pragma omp task
			spin(200000);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
		MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
}

/* n messages to itself, three calls each, for costs. */
static void many(int n)
{
	char out = 0, in;
	MPI_Request request[2];

	for (int i = 0; i < n; i++) {
		MPI_Irecv(&in, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, &request[0]);
		MPI_Isend(&out, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, &request[1]);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int value, provided;

	if (!strcmp(mode, "none"))
		return 5;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!strcmp(mode, "all")) {
		all();
	} else if (!strcmp(mode, "threads")) {
		if (provided == MPI_THREAD_MULTIPLE)
			threads();
	} else if (!strcmp(mode, "tasks")) {
		tasks();
	} else if (!strcmp(mode, "halo")) {
		halo();
	} else if (!strcmp(mode, "drift")) {
		for (int i = 0; i < 20; i++) {
			usleep(100000);
			MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &value, 1, MPI_INT, 1 - rank,
				     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	} else if (!strcmp(mode, "many")) {
		many(atoi(argv[2]));
	} else if (!strcmp(mode, "abort")) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 1)
			MPI_Abort(MPI_COMM_WORLD, 7);
		MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else if (!strcmp(mode, "kill")) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 1)
			raise(SIGKILL);
		MPI_Recv(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else if (!strcmp(mode, "fork")) {
		pid_t child = fork();

		if (child == 0)
			_exit(3);
		waitpid(child, NULL, 0);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return argc > 2 && strcmp(mode, "exit") == 0 ? atoi(argv[2]) : 0;
}
