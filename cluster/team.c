/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team.c -- what processes tell each other, by MPI. */
#include "cluster/team.h"

#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "trace/alloc.h"

enum {
	SPINS = 1000,	   /* looks that others may run between */
	PAUSE_NS = 200000, /* between two later looks */
	AT_ONCE = 1 << 29, /* bytes that all send together, and counters: MPI counts in int */
};

/* Waits without taking the processor from those that it waits for, as MPI itself would. */
static void wait_for(MPI_Request *request)
{
	int done = 0;

	for (int looks = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done;
	     looks++)
		if (looks < SPINS)
			sched_yield();
		else
			nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
}

static void add(const struct tv_team *team, uint64_t *counter, size_t n)
{
	(void)team;
	for (size_t at = 0, part; at < n; at += part) {
		MPI_Request request;

		part = n - at < AT_ONCE ? n - at : AT_ONCE;
		MPI_Iallreduce(MPI_IN_PLACE, counter + at, (int)part, MPI_UINT64_T, MPI_SUM,
			       MPI_COMM_WORLD, &request);
		wait_for(&request);
	}
}

/* Sends at most `most` bytes of each process from `at` on to their places, in process 0 or, `to_all`, in each. */
static void gather_part(const struct tv_team *team, bool to_all, const char *bytes, char *all,
			const size_t *first, size_t at, size_t most)
{
	int *count = tv_alloc(team->size, sizeof *count),
	    *place = tv_alloc(team->size, sizeof *place);
	bool whole = at == 0;
	char *part = all;
	const char *own = NULL;
	int total = 0;
	MPI_Request request;

	for (uint32_t k = 0; k < team->size; k++) {
		size_t n = first[k + 1] - first[k];

		n = n > at ? n - at : 0;
		whole = whole && n <= most;
		count[k] = (int)(n < most ? n : most);
		place[k] = total;
		total += count[k];
	}
	/* The whole of all comes to its place at once. */
	if (all != NULL && !whole)
		part = tv_alloc((size_t)total, 1);
	if (count[team->rank] > 0)
		own = bytes + at;
	if (to_all)
		MPI_Iallgatherv(own, count[team->rank], MPI_BYTE, part, count, place, MPI_BYTE,
				MPI_COMM_WORLD, &request);
	else
		MPI_Igatherv(own, count[team->rank], MPI_BYTE, part, count, place, MPI_BYTE, 0,
			     MPI_COMM_WORLD, &request);
	wait_for(&request);
	for (uint32_t k = 0; part != all && k < team->size; k++)
		if (count[k] > 0)
			memcpy(all + first[k] + at, part + place[k], (size_t)count[k]);
	tv_free(count);
	tv_free(place);
	if (part != all)
		tv_free(part);
}

static char *send(const struct tv_team *team, bool to_all, const char *bytes, size_t n,
		  size_t *first)
{
	uint64_t *length = tv_alloc(team->size, sizeof *length), own = n;
	size_t most = AT_ONCE / team->size, longest = 0;
	MPI_Request request;
	char *all;

	MPI_Iallgather(&own, 1, MPI_UINT64_T, length, 1, MPI_UINT64_T, MPI_COMM_WORLD, &request);
	wait_for(&request);
	first[0] = 0;
	for (uint32_t k = 0; k < team->size; k++) {
		first[k + 1] = first[k] + (size_t)length[k];
		longest = length[k] > longest ? (size_t)length[k] : longest;
	}
	tv_free(length);
	all = to_all || team->rank == 0 ? tv_alloc(first[team->size], 1) : NULL;
	most = longest < most ? longest : most;
	for (size_t at = 0; at < longest; at += most)
		gather_part(team, to_all, bytes, all, first, at, most);
	return all;
}

static char *gather(const struct tv_team *team, const char *bytes, size_t n, size_t *first)
{
	return send(team, true, bytes, n, first);
}

static char *collect(const struct tv_team *team, const char *bytes, size_t n, size_t *first)
{
	return send(team, false, bytes, n, first);
}

const struct tv_team *tv_mpi_team(void)
{
	static struct tv_team team = { .add = add, .gather = gather, .collect = collect };
	int size, rank;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	team.size = (uint32_t)size;
	team.rank = (uint32_t)rank;
	return size > 1 ? &team : NULL;
}

int tv_mpi_of_first(int number)
{
	MPI_Request request;

	MPI_Ibcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
	wait_for(&request);
	return number;
}
