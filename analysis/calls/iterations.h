/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iterations.h -- the iterations of a program that calls MPI, by the sequences of calls that repeat.
 *
 * On each rank calls that communicate (neither tests nor the class other) are equal if function, partners and place in the
 * program are. Where a sequence of them repeats at once, it is a loop; loops inside are then one call, however often they
 * repeat, and so on, but not all that it has may vary so. Of a loop with three iterations or more the sequence is followed further, with up to half as many other calls
 * in between, as long as that is so in at most a quarter of the iterations. A loop counts if it has at least half of
 * its thread's calls or of the time from its first to its last one. Of the numbers of iterations that all ranks have, that whose
 * loops have most calls is taken: an outer loop before those in it. Iteration K lasts from its first enter to its last leave on
 * all ranks. Where the calls around a loop continue its sequence, it is not known where iterations begin; they begin with the
 * first call. Ours.
 */
#ifndef TV_ITERATIONS_H
#define TV_ITERATIONS_H

#include "analysis/core/spans.h"
#include "analysis/calls/calls.h"

struct tv_iterations {
	struct tv_span *at; /* neither begins nor ends decrease */
	uint32_t *calls;    /* those that communicate, of all ranks */
	uint32_t n;
	char *why; /* n = 0: why there are none */
};

/* Release them. Cost O(n) of the calls for each level of loops; work is limited. */
void tv_iterations_find(struct tv_iterations *iterations, struct tv_run *run);
void tv_iterations_release(struct tv_iterations *iterations); /* safe on a zeroed struct */

#endif
