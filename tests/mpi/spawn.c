/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spawn.c -- starts another process of itself, which has an MPI_COMM_WORLD of its own. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
	MPI_Comm other;

	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Comm_get_parent(&other);
	if (other == MPI_COMM_NULL) {
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
			       MPI_ERRCODES_IGNORE);
		MPI_Recv(NULL, 0, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
	} else {
		MPI_Send(NULL, 0, MPI_INT, 0, 0, other);
	}
	MPI_Comm_disconnect(&other);
	MPI_Finalize();
	return 0;
}
