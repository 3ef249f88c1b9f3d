/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * causes.h -- why the steps of an observed chain did not begin when the one before them ended.
 *
 * Each instant of a wait before a task has the first cause that applies: the task is not submitted;
 * it is not released; its worker runs another task, a counted one or (setup, runtime) another; its
 * data are under way, as far as the trace knows (dag/fetch.h); none of these. What lasts longest is
 * the wait's cause; of equal ones the first. Before a message the cause is MESSAGE. Ours.
 */
#ifndef TV_CAUSES_H
#define TV_CAUSES_H

#include "dag/observed.h"

/* CAUSE(symbol, name): every cause, in order. What else a place needs to know of each cause it
 * defines as a constant per symbol (COLOR_DATA, ...) and expands this list over them: one that is
 * missing does not compile. */
#define TV_WAIT_CAUSES(CAUSE) \
	CAUSE(NOT_SUBMITTED, "not-submitted") \
	CAUSE(DEPENDENCIES, "dependencies") \
	CAUSE(WORKER, "worker") \
	CAUSE(OTHER_TASK, "other-task") \
	CAUSE(DATA, "data") \
	CAUSE(RUNTIME, "runtime") \
	CAUSE(MESSAGE, "message")

enum tv_wait_cause {
#define TV_WAIT_SYMBOL(symbol, name) TV_WAIT_##symbol,
	TV_WAIT_CAUSES(TV_WAIT_SYMBOL)
#undef TV_WAIT_SYMBOL
		TV_WAIT_NCAUSES
};

const char *tv_wait_cause_name(enum tv_wait_cause cause);

/* A wait: what is left to explain of it, from its begin on, and how long each cause took, ns. */
struct tv_wait {
	int64_t begin, end;
	int64_t part[TV_WAIT_NCAUSES];
};

/* A cause took the part of the rest that is before `to`. */
void tv_wait_explain(struct tv_wait *wait, enum tv_wait_cause cause, int64_t to);
/* The longest; RUNTIME where there is none. */
enum tv_wait_cause tv_wait_longest(const struct tv_wait *wait);

/* cause (an array of observed->n): of the wait before each step; RUNTIME where there is none. Cost
 * O(n log n). */
void tv_wait_causes(const struct tv_dag *dag, const struct tv_observed *observed,
		    enum tv_wait_cause *cause);

#endif
