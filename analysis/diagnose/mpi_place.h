/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_place.h -- the place in the program at which ranks lose most time in MPI calls, and for whom they wait there. */
#ifndef TV_MPI_PLACE_H
#define TV_MPI_PLACE_H

#include "analysis/diagnose/equal_calls.h"
#include "analysis/diagnose/findings.h"

enum { TV_BLAMED = 3 };

struct tv_mpi_blamed {
	uint32_t rank; /* label */
	int64_t time; /* that ranks wait while it works, also through ranks that wait themselves, ns */
};

/* Calls of a function at a place by a rank. */
struct tv_mpi_place {
	uint32_t rank, call, site; /* labels */
	int64_t time;		   /* ns in them */
	int64_t waits, late; /* of it: without known transfer; until the other rank had come */
	uint32_t other;	     /* the rank that came last most; TV_NONE = none */
	int64_t other_time;
	int64_t unsent; /* of late: for sends of other ranks */
	/* Of it: after all had come, until a rank that was outside of MPI was in a call again (outside.h); the rank and what the calls complete,
	 * TV_COMPLETES_*, of most of that. */
	int64_t outside, outside_most;
	uint32_t outside_rank;
	uint8_t completes;
	int64_t count;
	bool messages; /* they exchange messages, or synchronize */
	bool ends;     /* it is MPI_Finalize, to which ranks come early */
	/* Where the partners alone do not explain the waits: nblamed, the largest first. */
	struct tv_mpi_blamed blamed[TV_BLAMED];
	uint32_t nblamed;
	struct tv_equal_calls equal; /* the calls of all ranks there */
	bool uneven;		     /* they are equal, and take very unequal times */
};

/* The place with the most time in calls, and, unless transfer, in MPI_Finalize until the last rank comes; false = there is none, or (not
 * read on) *err. *all: of all of them. transfer: of it, too, where it is known. Cost O(calls). */
bool tv_mpi_largest_place(struct tv_case *c, bool transfer, struct tv_mpi_place *most, int64_t *all,
			  struct tv_error *err);
/* What of the time of the place is the lateness of other ranks that work meanwhile (*all_late: of all places), and what their absence. -1
 * with *err. Cost that of wait-states. */
int tv_mpi_add_late(struct tv_case *c, struct tv_mpi_place *most, int64_t *all_late,
		    struct tv_error *err) TV_MUST_CHECK;
/* Whether half of the time in calls, or at the place, or more, is the lateness of ranks that work meanwhile: of the partner, or by the replay
 * of those for whom it waits itself. Where nobody is known to be late at the place, that is the rank with most of it. */
bool tv_mpi_is_by_work(struct tv_case *c, struct tv_mpi_place *most, int64_t late, int64_t all);
/* Whether most waits there are for one rank that sends late. */
bool tv_mpi_is_unsent(const struct tv_mpi_place *most);
/* " Threads wait for 1.434 s in sum while rank 1 works at A.": the place before its late sends, by the replay, if that is half of the waits
 * or more; else "". Free with tv_free. */
char *tv_mpi_unsent_text(struct tv_case *c, const struct tv_mpi_place *most);
/* Useful time of the threads of a node, over their number, ns; -1 = it has none. */
int64_t tv_rank_useful(const struct tv_threads *threads, uint32_t node);
/* How much earlier than the last one a thread comes to MPI_Finalize, ns; 0 with tasks, or where the trace does not show that. */
int64_t tv_mpi_ends_early(const struct tv_case *c, const struct tv_threads *threads,
			  uint32_t thread);

#endif
