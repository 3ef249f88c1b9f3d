/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_transfer.h -- of a program without tasks: what MPI calls take after the ranks for which they wait have come. */
#ifndef TV_MPI_TRANSFER_H
#define TV_MPI_TRANSFER_H

#include <stdint.h>

/* Calls of a function at a place by a rank that may wait; labels, TV_NONE = missing. */
struct tv_mpi_transfer_at {
	uint32_t rank, call, site;
	int64_t n; /* calls, or loops of tests */
	int64_t time, min,
		max; /* after their partners had come, in sum, the shortest and the longest, ns */
};

struct tv_mpi_transfer {
	int64_t time; /* how much shorter the run would be without (mpi-replay), ns; 0 = below 1 % of it, or not known */
	struct tv_mpi_transfer_at *at; /* n, by function, place and rank; where time > 0 */
	uint32_t n;
	double counts; /* how much of their time makes the run longer, 0 to 1: ranks that wait anyway lose nothing by the rest */
};

struct tv_case;

/* Fills c->transfer, which tv_case_release frees. Cost: that of mpi-replay. */
void tv_case_find_transfer(struct tv_case *c);
/* Time of a rank there that counts, ns; 0 = none, or not known. Cost O(log n). */
int64_t tv_case_transfer_at(const struct tv_case *c, uint32_t rank, uint32_t call, uint32_t site);

#endif
