/* SPDX-License-Identifier: GPL-3.0-or-later */
/* world.c -- the process in its MPI: which rank of which job, and its settings. */
#include <stdio.h>
#include <string.h>

#include "record/loaded/job.h"
#include "record/loaded/mpi/probe.h"

static int rank = -1, size, level; /* rank -1: MPI is not initialized */
static _Atomic uint32_t written;   /* the process (of those made by fork) in whose log it is */
static char version[MPI_MAX_LIBRARY_VERSION_STRING];

static void write_meta(const char *key, const char *value)
{
	char text[512];
	int n = snprintf(text, sizeof text, "%s%c%s", key, 0, value);

	tv_log_write(TV_LOG_META, 0, 0, NULL, text,
		     n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

void tv_mpi_world_write(void)
{
	static const char *const name[] = { "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
					    "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE" };
	const int known[] = { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
			      MPI_THREAD_MULTIPLE };
	char job[512];
	uint32_t before = atomic_load_explicit(&written, memory_order_relaxed);

	if (rank < 0 || before == tv_mpi_process
	    || !atomic_compare_exchange_strong(&written, &before, tv_mpi_process))
		return;
	tv_job_name(job, sizeof job);
	tv_log_write(TV_LOG_MPI_WORLD, 0, 2, (uint64_t[]){ (uint64_t)rank, (uint64_t)size }, job,
		     strlen(job));
	write_meta("MPI", version);
	for (int i = 0; i < 4; i++)
		if (level == known[i])
			write_meta("MPIThreads", name[i]);
	tv_mpi_clocks_write();
	tv_log_binding();
}

void tv_mpi_world_begin(struct tv_mpi_call *call, int rc)
{
	int n = 0;

	if (rc != MPI_SUCCESS)
		return;
	PMPI_Get_library_version(version, &n);
	version[strcspn(version, ",\n")] = '\0';
	for (char *c = version; *c; c++)
		*c = *c == '\t' ? ' ' : *c;
	PMPI_Query_thread(&level);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	tv_mpi_threads = level == MPI_THREAD_MULTIPLE;
	tv_mpi_clocks_begin();
	tv_mpi_is_recording();
	call->end = tv_log_now();
}

void tv_mpi_world_end(void)
{
	tv_mpi_clocks_end();
}
