/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight steps of an exchange between two ranks; steps 1 and 4 are rewound by both
 * ranks, step 3 by rank 1 alone; recording is off in step 5. */
#include <mpi.h>
#include <scorep/SCOREP_User.h>
#include <stdio.h>
static double buf[1000], in[1000];
static void small(void)
{
	volatile int x = 0;
	for (int i = 0; i < 100; i++)
		x += i;
}
static void exchange(int rank, int step)
{
	MPI_Request q;
	MPI_Irecv(in, 1000, MPI_DOUBLE, 1 - rank, step, MPI_COMM_WORLD, &q);
	MPI_Send(buf, 100 * (step + 1), MPI_DOUBLE, 1 - rank, step, MPI_COMM_WORLD);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	small();
}
int main(int argc, char **argv)
{
	int rank;
	SCOREP_USER_REWIND_DEFINE(point)
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int step = 0; step < 8; step++) {
		if (step == 5) {
			SCOREP_RECORDING_OFF();
		}
		SCOREP_USER_REWIND_POINT(point, "step")
		exchange(rank, step);
		SCOREP_USER_REWIND_CHECK(point, step == 1 || step == 4 || (step == 3 && rank == 1))
		if (step == 5) {
			SCOREP_RECORDING_ON();
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
