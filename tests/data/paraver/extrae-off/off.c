/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight steps of an exchange between two ranks, and a barrier; what rank 1 does in step 2, and both in step 5, is not recorded. */
#include <extrae.h>
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static double out[1000], in[1000];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int step = 0; step < 8; step++) {
		int off = step == 5 || (step == 2 && rank == 1);

		if (off)
			Extrae_shutdown();
		usleep(500 * (1 + (rank + step) % 2));
		MPI_Sendrecv(out, 100 * (step + 1), MPI_DOUBLE, 1 - rank, step, in, 1000,
			     MPI_DOUBLE, 1 - rank, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Barrier(MPI_COMM_WORLD);
		if (off)
			Extrae_restart();
	}
	MPI_Finalize();
	return 0;
}
