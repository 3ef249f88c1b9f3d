/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_profile.h -- sums of MPI calls by rank, function, class and place.
 *
 * Of the table `callprofile`, if the trace has it, else of its calls.
 */
#ifndef TV_CALL_PROFILE_H
#define TV_CALL_PROFILE_H

#include "analysis/calls/calls.h"

struct tv_call_sum {
	uint32_t rank;	     /* place in tv_call_profile.rank */
	uint32_t call, site; /* labels; TV_NONE = missing */
	enum tv_call_class class;
	int64_t count;	  /* TV_NO_NUMBER = unknown */
	int64_t time;	  /* ns */
	int64_t min, max; /* ns, of those that ended; TV_NO_NUMBER = unknown */
	int64_t nopen,
		open;  /* those that had not ended when the trace did, and their part of time */
	int64_t bytes; /* TV_NO_NUMBER = unknown */
};

struct tv_call_profile {
	struct tv_call_sum *at; /* by rank, then function and place in natural order */
	uint32_t n;
	uint32_t *rank; /* labels, in natural order; TV_ALL_RANKS is all together */
	int64_t *run;	/* by rank: ns from the end of MPI_Init to the begin of MPI_Finalize, as far
			   as the trace has them; TV_NO_NUMBER = unknown */
	uint32_t nranks;
};

/* Whether they are calls that begin or end MPI, which are not part of the time of a rank. */
bool tv_call_outside(const struct tv_pool *pool, const struct tv_call_sum *sum);

/* Computed at the first call, kept with the run, which owns it. NULL with *err in the name of a verb:
 * the trace has neither table. Cost O(n log n). */
const struct tv_call_profile *tv_run_call_profile(struct tv_run *run, const char *verb,
						  struct tv_error *err);

#endif
