/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c -- traceviz-mpi: the traceviz command as the processes of an MPI job. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/command.h"
#include "cluster/team.h"
#include "trace/alloc.h"
#include "trace/output.h"
#include "trace/unfinished.h"

/* Standard error, where that of this process leads nowhere. */
static int to_user = STDERR_FILENO;

/* Ends the job from one process: others may wait for it. */
static _Noreturn void end_job(const char *text)
{
	tv_unfinished_remove_all();
	dprintf(to_user, "traceviz: %s\n", text);
	MPI_Abort(MPI_COMM_WORLD, TV_FAILED);
	_exit(TV_FAILED);
}

static _Noreturn void end_without_memory(size_t bytes, const char *purpose)
{
	char text[512];

	end_job(tv_memory_message(text, sizeof text, bytes, purpose));
}

static void end_by_bug(const char *text)
{
	char line[1100];

	snprintf(line, sizeof line, "internal error: %s", text);
	end_job(line);
}

/* The number in a variable of the environment; -1 = none. */
static long number_of(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? strtol(value, NULL, 10) : -1;
}

/* How a launcher names a process: variables with the number of processes and that of this one. */
static const struct launcher {
	const char *size, *rank;
} launchers[] = {
	{ "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
	{ "PMI_SIZE", "PMI_RANK" },
	{ "SLURM_STEP_NUM_TASKS", "SLURM_PROCID" },
};

/* Whether this is one of several processes that do not know of each other, as where another MPI has started them. */
static bool is_copy(void)
{
	long size = -1, rank = 0;

	for (size_t i = 0; size < 0 && i < TV_COUNT(launchers); i++) {
		size = number_of(launchers[i].size);
		rank = number_of(launchers[i].rank);
	}
	if (size > 1 && rank <= 0)
		fprintf(stderr,
			"traceviz: started as %ld copies, not as one job of %ld: each would do "
			"all of the work. Use the mpirun of the MPI that this program was built "
			"with, or srun with the --mpi that it needs (docs/cluster.md)\n",
			size, size);
	return size > 1;
}

/* What a process that is not the first one prints leads nowhere. */
static void silence(void)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	to_user = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (nowhere >= 0) {
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
		close(nowhere);
	}
}

int main(int argc, char **argv)
{
	const struct tv_team *team;
	int threads, status;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
	team = tv_mpi_team();
	/* Open MPI's mpirun takes the output from a terminal of its own, and passes it on to wherever its own output goes. */
	if (number_of("OMPI_COMM_WORLD_SIZE") > 0)
		tv_output_no_terminal();
	if (team == NULL && is_copy()) {
		MPI_Finalize();
		return TV_USAGE;
	}
	if (team != NULL) {
		tv_memory_on_exhaustion(end_without_memory);
		tv_on_bug(end_by_bug);
		if (team->rank > 0)
			silence();
	}
	status = tv_command(argc, argv, team);
	if (team != NULL)
		status = tv_mpi_of_first(status);
	MPI_Finalize();
	return status;
}
