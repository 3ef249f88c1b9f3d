/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thread_time.h -- what threads did by their states and calls: in MPI, at barriers, without work, at locks, working.
 *
 * A thread is what has states of OpenMP (Type "OpenMP State") or calls of MPI, or, in a trace without calls and tasks, states of
 * Extrae's threads (Type "Thread State", and of its events of locks the waits). Its time goes from the end of MPI_Init to the begin of MPI_Finalize of its rank, or,
 * without them, that of a thread with calls from its first to its last one, that of others from the first to the last state or
 * call of the run; they are idle where they have no state of Extrae, or before the first and after the last one of OpenMP. Of
 * what overlaps the first kind below counts. Ours.
 */
#ifndef TV_THREAD_TIME_H
#define TV_THREAD_TIME_H

#include "analysis/core/run.h"
#include "analysis/core/spans.h"

/* KIND(symbol, words): what a thread does when it does not work. */
#define TV_THREAD_KINDS(KIND) \
	KIND(MPI, "in MPI calls") \
	KIND(LOCK, "waiting for locks") \
	KIND(BARRIER, "waiting at barriers and for tasks") \
	KIND(IDLE, "without work, outside of parallel regions")

enum tv_thread_kind {
#define TV_THREAD_SYMBOL(symbol, words) TV_THREAD_##symbol,
	TV_THREAD_KINDS(TV_THREAD_SYMBOL)
#undef TV_THREAD_SYMBOL
		TV_NTHREAD_KINDS
};

/* The types of states that tell what threads do; labels, TV_NONE = the trace has none. */
struct tv_thread_types {
	uint32_t openmp, extrae;
};
struct tv_thread_types tv_thread_types_of(const struct tv_run *run);
/* What a thread does in a state of these types; TV_NTHREAD_KINDS: it works. */
enum tv_thread_kind tv_thread_kind_of(const char *state);

struct tv_thread {
	uint32_t resource, node; /* labels; node TV_NONE = not known */
	bool openmp, calls;	 /* it has states of OpenMP or Extrae; it calls MPI */
	bool works;		 /* it runs tasks, or the run has none */
	int64_t tests; /* of calls but MPI_Init and MPI_Finalize: time in those that test minus that in others, ns */
	int64_t begin, end; /* its time, ns */
	int64_t time[TV_NTHREAD_KINDS], useful;
	int64_t idle_in_mpi; /* of time[TV_THREAD_IDLE]: while threads of its rank are in calls that may wait */
	int64_t idle_at_begins; /* of the same, in a run without ranks: in a parallel region of another thread, which it joins later */
	struct tv_span *mpi;	/* nmpi: when it was in calls that may wait, disjoint, ascending */
	struct tv_span *lost;	/* nlost: when it did not work, the same */
	struct tv_span *
		waits; /* nwaits: of these all but idle times, in which nothing is known of it, so that it may run a task */
	uint32_t nmpi, nlost, nwaits;
};

/* A place in the program at which threads wait. */
struct tv_thread_place {
	uint32_t kind, site; /* enum tv_thread_kind; label */
	int64_t time;	     /* of all threads, ns */
};

struct tv_threads {
	struct tv_thread *at; /* n, as the trace names them first */
	uint32_t n;
	int64_t begin, end; /* of all their times, ns */
	int64_t unrecorded; /* of states of the type recorder: it was off or at work itself, which counts as work; over threads, ns */
	uint32_t nranks;    /* nodes that call MPI */
	bool whole;	    /* MPI_Init and MPI_Finalize are in the trace */
	bool cut; /* the trace ends in a call that did not, of a rank that has not come to MPI_Finalize */
	struct tv_thread_place
		*place; /* nplaces: where states have a Site; by kind, then the longest first */
	uint32_t nplaces;
};

/* Whether it lets messages progress: it runs no tasks, and most of its time in MPI is that of tests. */
static inline bool tv_thread_progresses(const struct tv_thread *thread)
{
	return !thread->works && thread->tests > 0;
}

static inline int64_t tv_threads_length(const struct tv_threads *threads)
{
	return threads->n == 0 ? 0 : threads->end - threads->begin;
}

/* How much of [begin, end) a rank works outside of its calls, by its first thread with calls, ns. Cost O(threads + log calls). */
int64_t tv_rank_works(const struct tv_threads *threads, uint32_t rank, int64_t begin, int64_t end);

/* Collected at the first call, kept with the run, which owns them. n = 0: there are none. Cost O(rows log rows). */
const struct tv_threads *tv_run_threads(struct tv_run *run);

#endif
