/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generate_mpi.h -- synthetic traces of MPI calls, messages and tasks, whose overlap is known.
 *
 * Each rank computes on its cores with MPI on the first. A round: it prepares, starts an
 * MPI_Iallreduce, computes, waits; exchanges a message with each neighbor of a ring (MPI_Irecv from
 * the left, MPI_Isend to the right), computes, waits for both; enters an MPI_Barrier.
 *
 * With T = comm, C = compute, c = TV_MPI_CALL:
 *   preparation  T (1 + imbalance u), u uniform in [0, 1)
 *   computation  C on all cores but the last, which has half as much
 *   a communication may progress from P on, when all that take part (the ring: both neighbors)
 *   have posted; it ends after T of progress, in the wait as far as it did not progress before:
 *   wait until max(P, begin of the wait) + T - progress + c
 * Progress between P and the wait, by kind:
 *   none   nothing
 *   timer  after each `period` of computation a tick takes period / 5 on all cores; a tick after P
 *          lets the communication progress by one step, T / s, but not more than a period;
 *          s = ceil(log2 ranks) of a collective operation, 2 of a message
 *   idle   from P on, but not before the last core has no work
 *   bound  from P on; the last core computes nothing and the others share its work
 */
#ifndef TV_SIM_GENERATE_MPI_H
#define TV_SIM_GENERATE_MPI_H

#include "trace/trace.h"

enum { TV_MPI_CALL = 10000 }; /* ns that a call takes at any rate */

enum tv_mpi_progress { TV_PROGRESS_NONE, TV_PROGRESS_TIMER, TV_PROGRESS_IDLE, TV_PROGRESS_BOUND };

struct tv_mpi_program {
	uint32_t ranks, cores; /* 2 or more; cores of a rank */
	uint32_t rounds;
	enum tv_mpi_progress progress;
	int64_t comm, compute, period; /* ns, up to 10^11; period > 0 */
	double imbalance;	       /* 0 to 10 */
	uint64_t seed;
};

/*
 * Fills an initialized trace: tasks, calls, links, events of progress (analysis/mpi/request_progress.h),
 * resources, meta, not completed. Events: each step of T / s progress of a rank; in step k of the
 * collective operation it sends to rank r + 2^k in its first half and receives from r - 2^k in its
 * second (modulo ranks). Ranks progress by themselves: where some are late by more than a step, a
 * message is received before it is sent.
 * -1 with *err: more
 * rows than a table has. Cost O(rows).
 */
int tv_generate_mpi(const struct tv_mpi_program *program, struct tv_trace *trace,
		    struct tv_error *err) TV_MUST_CHECK;

#endif
