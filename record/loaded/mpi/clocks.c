/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clocks.c -- how far the clocks of other hosts are from that of rank 0, by round trips.
 *
 * The processes of a host have one clock (CLOCK_MONOTONIC), so the first rank of each host measures, at
 * the begin and at the end of MPI. The round trip that took the shortest time counts: rank 0 read its
 * clock in the middle of it, up to half of its length. Readers interpolate.
 *
 * This communicates, so it takes place only where all ranks are recorded: where the file `recording`,
 * which lists the instances of `traceviz record` before their programs begin, has all of them.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/loaded/mpi/probe.h"

enum {
	MAX_ROUNDS = 1000,
	MIN_ROUNDS = 20, /* also when the time is over */
	TAG = 1,
};
/* Per host; the second one while round trips take long, as where ranks share CPUs. */
static const int64_t max_ns = 50000000, max_long_ns = 1000000000, long_ns = 100000;

struct sample {
	int64_t time, offset, delay; /* delay 0 = none */
};

static MPI_Comm comm = MPI_COMM_NULL; /* NULL: all ranks have one clock, or nothing is known */
static int *leader;		      /* of rank 0: first ranks of the other hosts */
static int nleaders;
static bool is_leader;
static struct sample first;

static bool all_are_recorded(int size)
{
	const char *dir = getenv("TRACEVIZ_DIR");
	char path[PATH_MAX + 16], line[64];
	unsigned char *seen = calloc((size_t)size, 1);
	int found = 0, n;
	FILE *file = NULL;

	snprintf(path, sizeof path, "%s/recording", dir ? dir : "");
	if (seen)
		file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "rank %d", &n) == 1 && n >= 0 && n < size && !seen[n]) {
			seen[n] = 1;
			found++;
		}
	if (file)
		fclose(file);
	free(seen);
	return found == size;
}

static uint64_t hash_host(void)
{
	char host[256] = "";
	uint64_t h = 0xcbf29ce484222325;

	gethostname(host, sizeof host - 1);
	for (const char *c = host; *c; c++)
		h = (h ^ (unsigned char)*c) * 0x100000001b3;
	return h;
}

/* Rank 0: answers until the other one has enough. */
static void serve(int other)
{
	int64_t more = 1, now;

	while (more) {
		REAL(Recv)(&more, 1, MPI_INT64_T, other, TAG, comm, MPI_STATUS_IGNORE);
		now = tv_log_now();
		REAL(Send)(&now, 1, MPI_INT64_T, other, TAG, comm);
	}
}

static struct sample ask(void)
{
	struct sample best = { 0, 0, 0 };
	int64_t begin = tv_log_now(), more = 1;

	for (int i = 1; more; i++) {
		int64_t sent, got, server, max = best.delay < long_ns ? max_ns : max_long_ns;

		more = i < MAX_ROUNDS && (i < MIN_ROUNDS || tv_log_now() - begin < max);
		sent = tv_log_now();
		REAL(Send)(&more, 1, MPI_INT64_T, 0, TAG, comm);
		REAL(Recv)(&server, 1, MPI_INT64_T, 0, TAG, comm, MPI_STATUS_IGNORE);
		got = tv_log_now();
		if (best.delay == 0 || got - sent < best.delay)
			best = (struct sample){ sent + (got - sent) / 2,
						server - (sent + (got - sent) / 2),
						got > sent ? got - sent : 1 };
	}
	return best;
}

static struct sample measure(void)
{
	for (int i = 0; i < nleaders; i++)
		serve(leader[i]);
	return is_leader ? ask() : (struct sample){ 0, 0, 0 };
}

/* The first rank of each host but that of rank 0. */
static void find_leaders(const uint64_t *host, int size, int rank)
{
	for (int i = 1; i < size; i++) {
		int k = 0;

		while (host[k] != host[i])
			k++;
		if (k != i)
			continue;
		if (rank == 0)
			leader[nleaders++] = i;
		is_leader |= rank == i;
	}
}

void tv_mpi_clocks_begin(void)
{
	int rank, size, ok;
	uint64_t own = hash_host(), *host;
	bool several = false;

	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!all_are_recorded(size))
		return;
	host = calloc((size_t)size, sizeof *host);
	leader = calloc((size_t)size, sizeof *leader);
	ok = host && leader;
	REAL(Allreduce)(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (!ok) {
		free(host);
		return;
	}
	REAL(Comm_dup)(MPI_COMM_WORLD, &comm);
	REAL(Allgather)(&own, 1, MPI_UINT64_T, host, 1, MPI_UINT64_T, comm);
	for (int i = 0; i < size; i++)
		several |= host[i] != host[0];
	if (several) {
		find_leaders(host, size, rank);
		first = measure();
	} else {
		REAL(Comm_free)(&comm);
	}
	free(host);
}

static void write_sample(unsigned code, const struct sample *sample)
{
	if (sample->delay > 0)
		tv_log_write(TV_LOG_MPI_CLOCK, code, 3,
			     (uint64_t[]){ (uint64_t)sample->time, (uint64_t)sample->offset,
					   (uint64_t)sample->delay },
			     NULL, 0);
}

void tv_mpi_clocks_write(void)
{
	write_sample(0, &first);
}

void tv_mpi_clocks_end(void)
{
	struct sample last;

	if (comm == MPI_COMM_NULL)
		return;
	last = measure();
	REAL(Comm_free)(&comm);
	free(leader);
	if (tv_mpi_is_recording())
		write_sample(1, &last);
}
