! SPDX-License-Identifier: GPL-3.0-or-later
! ring.F90 -- ring.c in Fortran: by mpif.h, or with -DF08 by the module mpi_f08.
program ring
#ifdef F08
	use mpi_f08
	implicit none
	type(MPI_Request) :: request(2)
	type(MPI_Status) :: status(2)
	type(MPI_Comm) :: half
#define FIRST_STATUS status(1)
#else
	implicit none
	include 'mpif.h'
	integer :: request(2), status(MPI_STATUS_SIZE, 2), half
#define FIRST_STATUS status(1, 1)
#endif
	integer, parameter :: rounds = 10, max = 1000, step = 100
	double precision :: out(max), in(max), total(1)
	integer :: rank, size, left, right, i, k, error, tests, sent
	logical :: flag

	call MPI_Init(error)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
	call MPI_Comm_size(MPI_COMM_WORLD, size, error)
	right = mod(rank + 1, size)
	left = mod(rank + size - 1, size)
	out = [(rank + i - 1, i = 1, max)]
	sent = 0
	tests = 0
	do k = 1, rounds
		sent = sent + 8 * step * k
		if (mod(rank, 2) == 0) call MPI_Send(out, step * k, MPI_DOUBLE_PRECISION, right, k, MPI_COMM_WORLD, error)
		call MPI_Recv(in, max, MPI_DOUBLE_PRECISION, left, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
		if (mod(rank, 2) /= 0) call MPI_Send(out, step * k, MPI_DOUBLE_PRECISION, right, k, MPI_COMM_WORLD, error)
		call MPI_Irecv(in, max, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request(1), error)
		call MPI_Isend(out, step * k, MPI_DOUBLE_PRECISION, right, 100 + k, MPI_COMM_WORLD, request(2), error)
		if (mod(k, 2) == 0) then
			call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
		else
			call MPI_Wait(request(2), FIRST_STATUS, error)
			call MPI_Wait(request(1), MPI_STATUS_IGNORE, error)
		end if
		call MPI_Barrier(MPI_COMM_WORLD, error)
	end do
	call MPI_Recv_init(in, max, MPI_DOUBLE_PRECISION, left, 7, MPI_COMM_WORLD, request(1), error)
	call MPI_Send_init(out, step, MPI_DOUBLE_PRECISION, right, 7, MPI_COMM_WORLD, request(2), error)
	do k = 1, 3
		call MPI_Startall(2, request, error)
		flag = .false.
		do while (.not. flag)
			call MPI_Testall(2, request, flag, status, error)
			tests = tests + 1
		end do
	end do
	call MPI_Request_free(request(1), error)
	call MPI_Request_free(request(2), error)
	call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
	call MPI_Allreduce(out, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
	call MPI_Bcast(out, 50, MPI_DOUBLE_PRECISION, 0, half, error)
	call MPI_Ibcast(out, 10, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, request(1), error)
	call MPI_Wait(request(1), MPI_STATUS_IGNORE, error)
	call MPI_Comm_free(half, error)
	call say('MPI_Send', rounds, sent)
	call say('MPI_Recv', rounds, sent)
	call say('MPI_Isend', rounds, sent)
	call say('MPI_Irecv', rounds, sent)
	call say('MPI_Wait', rounds + 1, 0)
	call say('MPI_Waitall', rounds / 2, 0)
	call say('MPI_Testall', tests, 0)
	call say('MPI_Startall', 3, 0)
	call say('MPI_Send_init', 1, 8 * step)
	call say('MPI_Recv_init', 1, 8 * max)
	call say('MPI_Request_free', 2, 0)
	call say('MPI_Barrier', rounds, 0)
	call say('MPI_Comm_split', 1, 0)
	call say('MPI_Comm_free', 1, 0)
	call say('MPI_Bcast', 1, 400)
	call say('MPI_Ibcast', 1, 80)
	call say('MPI_Allreduce', 1, 8)
	call say('MPI_Init', 1, 0)
	call say('MPI_Finalize', 1, 0)
	call MPI_Finalize(error)
	if (total(1) /= size * (size - 1) / 2.0) stop 1
contains
	subroutine say(function, calls, bytes)
		character(*), intent(in) :: function
		integer, intent(in) :: calls, bytes

		print '(I0, 1X, A, 1X, I0, 1X, I0)', rank, function, calls, bytes
	end subroutine
end program
