/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.c -- a common clock: that of rank 0, and starts at the same time. */
#include <time.h>

#include "nbc.h"

enum { MIN_TRIPS = 10, TRIPS = 200 };

static struct {
	int64_t local;
	double offset;
} first, last;

int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* By the shortest of the round trips, of which each way is assumed to take half. Where cores are shared a
 * trip may take as long as the scheduler pleases: then fewer. */
void calibrate_clock(void)
{
	for (int other = 1; other < nranks; other++) {
		int64_t begin, there, trip, shortest = INT64_MAX, limit = now() + 10000000;
		int more = 1;

		while (rank == 0 && more) {
			MPI_Recv(&more, 1, MPI_INT, other, 0, world, MPI_STATUS_IGNORE);
			there = now();
			MPI_Send(&there, 1, MPI_INT64_T, other, 0, world);
		}
		for (int i = 1; rank == other && more; i++) {
			begin = now();
			more = i < MIN_TRIPS || (i < TRIPS && begin < limit);
			MPI_Send(&more, 1, MPI_INT, 0, 0, world);
			MPI_Recv(&there, 1, MPI_INT64_T, 0, 0, world, MPI_STATUS_IGNORE);
			trip = now() - begin;
			if (trip >= shortest)
				continue;
			shortest = trip;
			last.local = begin + trip / 2;
			last.offset = (double)(there - last.local);
		}
	}
	if (first.local == 0)
		first = last;
}

int64_t common(int64_t local)
{
	double base = (double)(last.local - first.local);
	double drift = base > 1e9 ? (last.offset - first.offset) / base : 0;

	return local + (int64_t)(last.offset + drift * (double)(local - last.local));
}

/* Returns at the same time on all ranks; a rank that comes late asks for more time at the next start. */
void start_together(void)
{
	static int64_t margin = 200000;
	int64_t start = common(now()) + margin, left;

	MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_INT64_T, MPI_MAX, world);
	if (common(now()) > start && margin < 50000000)
		margin *= 2;
	while ((left = start - common(now())) > 0)
		if (left > 100000)
			nanosleep(&(struct timespec){ .tv_nsec = left - 100000 }, NULL);
}
