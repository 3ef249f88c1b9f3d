/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thread_ladder.h -- the threads of mode threads, for the ladder of a run and of its parts.
 *
 * With calls they are those of mpi/replay.h, else those of calls/thread_time.h.
 */
#ifndef TV_THREAD_LADDER_H
#define TV_THREAD_LADDER_H

#include "analysis/core/spans.h"
#include "analysis/efficiency/ladder.h"
#include "analysis/mpi/replay.h"

struct tv_ladder_thread {
	uint32_t node;	     /* place in tv_ladder_threads.node */
	struct tv_span time; /* its own, ns */
	int64_t useful;	     /* ns of it: outside MPI calls and waits of OpenMP */
	/* With calls, ns of the time of its rank: outside MPI calls, its own and those in which others of its rank are while it waits;
	 * in waits of OpenMP. */
	int64_t outside, paused;
};

struct tv_ladder_threads {
	bool calls; /* else replay is empty */
	struct tv_mpi_replay replay;
	struct tv_ladder_thread *at;
	uint32_t n;
	uint32_t *node; /* labels; TV_NONE = not known */
	uint32_t nnodes;
	int64_t begin, end; /* of the run, ns */
};

/* -1 with *err, as tv_mpi_replay_init. Release them in any case. */
int tv_ladder_threads_init(struct tv_ladder_threads *threads, struct tv_run *run,
			   struct tv_error *err) TV_MUST_CHECK;
void tv_ladder_threads_release(struct tv_ladder_threads *threads);

/* Sets the rungs from order to nodes. useful: by thread, ns, in place of theirs; or NULL. only: threads of this node;
 * TV_NONE = all. Cost O(threads). */
void tv_ladder_set_useful(struct tv_ladder *ladder, const struct tv_ladder_threads *threads,
			  const int64_t *useful, uint32_t only);

#endif
