/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * computation.h -- when each rank computed.
 *
 * With tasks: while one of its workers ran a counted task and was not inside an MPI call. In a trace
 * without tasks: while one of its threads that call MPI was outside of all calls, between the first
 * and the last call of the rank.
 */
#ifndef TV_COMPUTATION_H
#define TV_COMPUTATION_H

#include "analysis/core/spans.h"
#include "analysis/calls/calls.h"
#include "trace/number.h"

struct tv_computing {
	struct tv_span *span; /* union over the workers: disjoint, ascending */
	int64_t *before;      /* ns covered by the spans before each */
	uint32_t n;
	int64_t *begin, *end;		/* of the spans of all workers, each ascending */
	tv_int128 *begin_sum, *end_sum; /* of those before each */
	uint32_t nparts;
	uint32_t nworkers;
};

struct tv_computation {
	struct tv_computing *of; /* by rank */
	uint32_t nranks;
	bool tasks; /* it is that of tasks */
};

/* rank[0..n): labels of nodes. calls may have no call. Cost O(n log n). */
void tv_computation_init(struct tv_computation *computation, const struct tv_run *run,
			 const struct tv_calls *calls, const uint32_t *rank, uint32_t n);
void tv_computation_release(struct tv_computation *computation);

/* ns of [begin, end) in which the rank computed, on any worker; the sum over its workers. Cost
 * O(log n). */
int64_t tv_computing_in(const struct tv_computing *c, struct tv_span in);
int64_t tv_computing_sum(const struct tv_computing *c, struct tv_span in);

#endif
