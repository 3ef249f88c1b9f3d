/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decompose.h -- where the difference of two makespans comes from, in time of workers.
 *
 * All time of the workers, P x makespan, is busy (in counted tasks), other (in other tasks) or
 * idle, as in the pass idleness. So from a first run to a second one, exactly,
 *
 *	mean P x change of makespan = workers + busy + other + idle
 *
 * workers	- mean makespan x change of the number of workers, for each worker type
 * busy		for each task type, of n executions of mean duration w on each worker type:
 *   count	  change of the number of executions, at the mean shares and mean durations
 *   allocation	  mean number of executions x change of the shares of the worker types x mean w
 *   duration	  for each worker type: change of w x mean n
 *   overlap	  less the time in which a worker ran several tasks at once
 * idle		the change for each cause of the pass idle-causes
 *
 * "Mean" is the mean of the two runs: these are the Shapley values of a product of two factors (L. S.
 * Shapley, 1953), so that neither run's order of changes is preferred; count and allocation share
 * the effect of n in the same way. A pair of types that ran in one of the runs only has the same w
 * in both; a type that did so has only a count.
 *
 * Of runs without tasks the workers are threads; busy is their work, which is one term, and idle is what calls/thread_time.h says
 * that they did instead, and their time before they begin and after they end.
 *
 * Terms of busy are rounded to the nanosecond; the rest is added to the largest term of the task
 * type. All others are exact. So the terms add up exactly.
 */
#ifndef TV_DECOMPOSE_H
#define TV_DECOMPOSE_H

#include "analysis/compare/sides.h"
#include "dag/blame.h"

/* EFFECT(symbol, name): every effect, in order. */
#define TV_EFFECTS(EFFECT) \
	EFFECT(WORKERS, "effect.workers") \
	EFFECT(ALLOCATION, "effect.allocation") \
	EFFECT(DURATION, "effect.duration") \
	EFFECT(COUNT, "effect.count") \
	EFFECT(OVERLAP, "effect.overlap") \
	EFFECT(OTHER, "other") \
	EFFECT(WORK, "effect.work") \
	EFFECT(IDLE, "idle")

enum tv_effect {
#define TV_EFFECT_SYMBOL(symbol, name) TV_EFFECT_##symbol,
	TV_EFFECTS(TV_EFFECT_SYMBOL)
#undef TV_EFFECT_SYMBOL
		TV_NEFFECTS
};

/* Texts are of the runs, "" where a term has none. */
struct tv_term {
	enum tv_effect effect;
	const char *value, *rtype, *cause;
	const char *phrase; /* of threads: the cause, or who they are, in words; else NULL */
	tv_int128 twice;    /* 2 x worker-ns: halves are exact */
	tv_int128 level[2]; /* WORKERS: how many; DURATION: mean, ns; OVERLAP, OTHER, WORK, IDLE:
				 * worker-ns; 0 for the others */
	uint32_t rank;	    /* from 1: see tv_decompose */
};

struct tv_decomposition {
	tv_int128 twice;     /* sum of the terms: 2 x mean P x change of makespan, worker-ns */
	int64_t makespan[2]; /* ns */
	int64_t workers[2];
	tv_int128 busy[2], other[2], idle[2]; /* worker-ns */
	tv_int128 blamed[2][TV_NBLAMES];      /* parts of the cause dependencies, worker-ns */
	struct tv_exchanges exchanges;
	struct tv_term *term; /* in the order of enum tv_effect */
	size_t nterms, terms_cap;
};

/*
 * can_run: option --can-run of idle-causes. -1 with *err as idleness, summary and idle-causes. The runs must outlive the
 * decomposition; release it in any case.
 *
 * Ranks: first the most likely cause of the change, then all other terms by their size. Idle time is
 * usually a consequence: a worker that waits for dependencies waits for tasks that take longer or
 * start later. But terms that add up to less than half the change of the makespan cannot explain
 * most of it, even if all of their time is on the critical path. So the first term is the largest
 * one, in the direction of the change, of the first of these groups whose sum is at least that half
 * (if there is none, of the group with the greatest sum): workers; busy and other, or idle time for
 * data, runtime, mpi and not-submitted, whichever is more; idle time elsewhere and unsuited; the
 * remaining idle time. A heuristic, not a proof; it has no other source.
 */
int tv_decompose(struct tv_decomposition *parts, struct tv_run *const run[2], const char *can_run,
		 struct tv_error *err) TV_MUST_CHECK;
/* The same of runs without tasks, by their threads. */
void tv_decompose_threads(struct tv_decomposition *parts, struct tv_run *const run[2]);
void tv_decomposition_release(struct tv_decomposition *parts); /* safe on a zeroed struct */

/* The term of that rank. */
const struct tv_term *tv_decomposition_ranked(const struct tv_decomposition *parts, uint32_t rank);

#endif
