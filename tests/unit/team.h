/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team.h -- a team of processes without MPI, for tests: children of this one that share memory. */
#ifndef UNIT_TEAM_H
#define UNIT_TEAM_H

#include "tests/unit/unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/core/team.h"
#include "trace/alloc.h"

enum { TEAM_MAX = 8, TEAM_ROOM = 1 << 24 /* bytes of a process */ };

struct team_board {
	pthread_barrier_t all;
	size_t n[TEAM_MAX], most; /* bytes of a process; so far */
	char bytes[TEAM_MAX][TEAM_ROOM], text[TEAM_MAX][TEAM_ROOM];
};

static struct team_board *team_board;

static void team_wait(void)
{
	pthread_barrier_wait(&team_board->all);
}

static void team_put(const struct tv_team *team, const void *bytes, size_t n)
{
	if (n > TEAM_ROOM)
		tv_bug("too many bytes for the team of a test");
	team_board->n[team->rank] = n;
	if (n > 0)
		memcpy(team_board->bytes[team->rank], bytes, n);
	team_wait();
	for (uint32_t k = 0; team->rank == 0 && k < team->size; k++)
		team_board->most = team_board->n[k] > team_board->most ? team_board->n[k]
								       : team_board->most;
}

static char *team_gather(const struct tv_team *team, const char *bytes, size_t n, size_t *first)
{
	char *all;

	team_put(team, bytes, n);
	first[0] = 0;
	for (uint32_t k = 0; k < team->size; k++)
		first[k + 1] = first[k] + team_board->n[k];
	all = tv_alloc(first[team->size], 1);
	for (uint32_t k = 0; k < team->size; k++)
		memcpy(all + first[k], team_board->bytes[k], team_board->n[k]);
	team_wait();
	return all;
}

static char *team_collect(const struct tv_team *team, const char *bytes, size_t n, size_t *first)
{
	char *all = team_gather(team, bytes, n, first);

	if (team->rank == 0)
		return all;
	tv_free(all);
	return NULL;
}

static void team_add(const struct tv_team *team, uint64_t *counter, size_t n)
{
	team_put(team, counter, n * sizeof *counter);
	for (size_t i = 0; i < n; i++) {
		counter[i] = 0;
		for (uint32_t k = 0; k < team->size; k++)
			counter[i] += ((const uint64_t *)(const void *)team_board->bytes[k])[i];
	}
	team_wait();
}

static void team_answer(uint32_t rank, const char *text)
{
	if (strlen(text) >= TEAM_ROOM)
		tv_bug("too long a text for the team of a test");
	strcpy(team_board->text[rank], text);
	_exit(0);
}

/* Waits for all; where one ends badly, the others would wait for it. */
static void team_end(const pid_t *child, uint32_t size)
{
	int status;

	for (uint32_t left = size; left > 0; left--) {
		if (wait(&status) > 0 && status == 0)
			continue;
		for (uint32_t k = 0; k < size; k++)
			kill(child[k], SIGKILL);
		fail_msg("a process ended with status %d", status);
	}
}

/* Calls work(context, team) in each process of a team, which returns text in new memory; process k leaves it in
 * team_board->text[k]. */
static void team_run(uint32_t size, char *(*work)(void *context, const struct tv_team *team),
		     void *context)
{
	pthread_barrierattr_t shared;
	pid_t child[TEAM_MAX];

	if (team_board == NULL)
		team_board = mmap(NULL, sizeof *team_board, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pthread_barrierattr_init(&shared);
	pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&team_board->all, &shared, size);
	fflush(NULL);
	for (uint32_t k = 0; k < size; k++) {
		const struct tv_team team = { size, k, team_add, team_gather, team_collect };

		child[k] = fork();
		if (child[k] != 0)
			continue;
		signal(SIGSEGV, SIG_DFL);
		signal(SIGABRT, SIG_DFL);
		team_answer(k, work(context, &team));
	}
	team_end(child, size);
	pthread_barrier_destroy(&team_board->all);
}

#endif
