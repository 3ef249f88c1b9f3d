/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * team.h -- the processes that compute a run together (traceviz-mpi), each from its own rows.
 *
 * Each process has the same command line and the same run, but gets only some of its rows (tv_run_rows). What a pass has
 * made of them it merges with that of the others by one of the calls below, which all processes make in the same order;
 * then each has the whole and computes the rest alike. NULL is the team of one process, for which there is nothing to do.
 * What a process adds is made of integers and texts, so that the result does not depend on the number of processes.
 */
#ifndef TV_TEAM_H
#define TV_TEAM_H

#include "trace/error.h"
#include "trace/number.h"
#include "trace/pack.h"

struct tv_team {
	uint32_t size, rank; /* size > 1 */
	/* Each counter becomes its sum over all processes. */
	void (*add)(const struct tv_team *team, uint64_t *counter, size_t n);
	/* The bytes of all processes in order of rank, in new memory: those of process k begin at first[k] and end at
	 * first[k + 1]. first: size + 1. */
	char *(*gather)(const struct tv_team *team, const char *bytes, size_t n, size_t *first);
	/* The same, but process 0 alone gets them: NULL in the others. */
	char *(*collect)(const struct tv_team *team, const char *bytes, size_t n, size_t *first);
};

/* What all processes have sent. */
struct tv_gathered {
	char *bytes;
	size_t *first;
	uint32_t n; /* processes */
};

/* Sends what is packed, which is released. Release the result with tv_gathered_release. */
struct tv_gathered tv_team_gather(const struct tv_team *team, struct tv_parcel *pack);
/* The same, but process 0 alone gets something: n is 0 in the others. */
struct tv_gathered tv_team_collect(const struct tv_team *team, struct tv_parcel *pack);
/* What process `rank` sent. */
struct tv_unpack tv_gathered_of(const struct tv_gathered *gathered, uint32_t rank);
void tv_gathered_release(struct tv_gathered *gathered);

/* Where all processes learn whether one has failed: rc < 0 with *err. Then each gets -1 and the error of the lowest that
 * did. team may be NULL. */
int tv_team_agree(const struct tv_team *team, int rc, struct tv_error *err) TV_MUST_CHECK;

/* The numbers that all processes have, in order of rank, in new memory. */
uint64_t *tv_team_numbers(const struct tv_team *team, uint64_t number);

/* The labels that any process has, in order of rank and each once, in new memory; *n: those of label[], then of these. */
uint32_t *tv_team_labels(const struct tv_team *team, struct tv_pool *pool, const uint32_t *label,
			 uint32_t *n);

/* Each sum, not below 0 nor above 2^95, becomes that over all processes; they are `step` bytes apart. */
void tv_team_add_sums(const struct tv_team *team, tv_int128 *sum, size_t n, size_t step);

/* Each counter becomes its sum over all processes. team may be NULL. */
static inline void tv_team_add(const struct tv_team *team, uint64_t *counter, size_t n)
{
	if (team != NULL)
		team->add(team, counter, n);
}

#endif
