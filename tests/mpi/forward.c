/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forward.c -- what any recorder of MPI costs: the calls of `modes many`, forwarded to PMPI. */
#include <mpi.h>

int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
	      MPI_Request *request)
{
	return PMPI_Irecv(buf, count, type, source, tag, comm, request);
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
	      MPI_Request *request)
{
	return PMPI_Isend(buf, count, type, dest, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request *request, MPI_Status *status)
{
	return PMPI_Waitall(count, request, status);
}
