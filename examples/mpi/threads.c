/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threads.c -- threads that compute, the thread that makes progress, and their cores. */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "nbc.h"

int threads = 1, nnodes;

static atomic_bool done;
static pthread_t progress;
static MPI_Comm polled;
static cpu_set_t reserved; /* cores of the progress threads */

static void *make_progress(void *unused)
{
	if (want.dedicated)
		sched_setaffinity(0, sizeof(reserved), &reserved);
	while (!done) {
		int flag;

		MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, polled, &flag, MPI_STATUS_IGNORE);
		if (want.period)
			usleep((useconds_t)want.period);
		else
			sched_yield(); /* to threads of other ranks on that core */
	}
	return unused;
}

void start_progress(void)
{
	int given;

	MPI_Query_thread(&given);
	if (!want.progress)
		return;
	if (given < MPI_THREAD_MULTIPLE)
		fail("this MPI does not support MPI_THREAD_MULTIPLE, which --progress needs\n");
	MPI_Comm_dup(world, &polled);
	if (pthread_create(&progress, NULL, make_progress, NULL))
		fail("no thread for --progress\n");
}

void end_progress(void)
{
	done = true;
	if (want.progress)
		pthread_join(progress, NULL);
}

void place_threads(void)
{
	MPI_Comm local;
	cpu_set_t own, node;
	int me, n, cores[CPU_SETSIZE], ncores = 0;

	MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &local);
	MPI_Comm_rank(local, &me);
	MPI_Comm_size(local, &n);
	nnodes = me == 0;
	MPI_Allreduce(MPI_IN_PLACE, &nnodes, 1, MPI_INT, MPI_SUM, world);
	sched_getaffinity(0, sizeof(own), &own);
	MPI_Allreduce(&own, &node, sizeof(own), MPI_BYTE, MPI_BOR, local);
	MPI_Comm_free(&local);
	for (int core = 0; core < CPU_SETSIZE; core++)
		if (CPU_ISSET(core, &node))
			cores[ncores++] = core;
	for (int i = 0; i < want.dedicated && i < ncores; i++)
		CPU_SET(cores[ncores - 1 - i], &reserved);
	ncores -= (int)want.dedicated;
	threads = getenv("OMP_NUM_THREADS") ? omp_get_max_threads() : ncores > n ? ncores / n : 1;
	if (ncores <= 0)
		fail("--dedicated %ld leaves no core of the node to compute\n", want.dedicated);
	if (!want.dedicated)
		return;
#pragma omp parallel num_threads(threads)
	{
		cpu_set_t place;

		CPU_ZERO(&place);
		CPU_SET(cores[(me * threads + omp_get_thread_num()) % ncores], &place);
		sched_setaffinity(0, sizeof(place), &place);
	}
}
