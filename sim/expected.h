/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expected.h -- which worker is expected to end a task first.
 *
 * A worker is free when it has ended what it runs and what waits for it. Workers of one type whose
 * data are in the same memory differ in nothing else, so only the first of these to be free matters.
 */
#ifndef TV_SIM_EXPECTED_H
#define TV_SIM_EXPECTED_H

#include "sim/engine.h"

struct tv_sim_expected;

/* memory: by worker; NULL = one for all. Borrowed, as is the machine. */
struct tv_sim_expected *tv_sim_expected_new(const struct tv_sim_machine *machine,
					    const uint32_t *memory);
void tv_sim_expected_free(struct tv_sim_expected *expected); /* accepts NULL */

/* The worker runs something until `end` that waited for it as `length` ns. */
void tv_sim_expected_runs(struct tv_sim_expected *expected, uint32_t worker, int64_t length,
			  int64_t end);
/* Something that takes `more` ns waits for the worker. */
void tv_sim_expected_waits(struct tv_sim_expected *expected, uint32_t worker, int64_t more);

/* A worker that ends a task first, and how much later than without it. */
struct tv_sim_choice {
	uint32_t worker; /* UINT32_MAX = none so far */
	int64_t end;	 /* with the transfer once more */
	int64_t length;
};

/*
 * Looks among the workers of one type, which take `cost` for the task, for one that is better than
 * *choice: it ends the task earlier, or as early with a smaller number. transfer: by memory, ns until
 * the data are there, which count twice; NULL = none. `now` never decreases. Cost O(log workers) for
 * each memory that the type has.
 */
void tv_sim_expected_choose(struct tv_sim_expected *expected, uint32_t type, int64_t cost,
			    const int64_t *transfer, int64_t now, struct tv_sim_choice *choice);

#endif
