/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hindsight.h -- when another candidate of a decision would have ended the task, as it turned out.
 *
 * The task takes the place that the queue of that worker would have given it: behind what the worker
 * had taken at the decision, in whatever order that ran, then in front of the first execution that is
 * less urgent (smaller priority, then decided later; in runs in which no task overtakes another,
 * decided later). It starts when the execution before that
 * place has ended and its data have arrived: max(end of that, decision + Transfer), and lasts
 * Length. What it displaces is delayed, so the gain is a bound. Ours.
 */
#ifndef TV_HINDSIGHT_H
#define TV_HINDSIGHT_H

#include "analysis/decisions/decision_list.h"

struct tv_hindsight {
	const struct tv_decisions *d;
	uint32_t *urgency; /* of each decision: 0 = the most urgent */
	uint32_t *max;	   /* tree of the largest urgency number of spans */
	int64_t *taken;	   /* when its worker first took one of a span and those behind it */
	uint32_t leaves;
	uint32_t *last; /* by worker: the span found last: decisions are asked for by time */
};

/* What the best other candidate would have given. */
struct tv_better {
	uint32_t row; /* of candidates; TV_NONE = none with estimates on another worker */
	int64_t start, end;
};

void tv_hindsight_init(struct tv_hindsight *h, const struct tv_decisions *d);
/* The candidate on another worker than that of decision i that would have ended first; of equal ones
 * the first. Cost O(candidates log n). */
struct tv_better tv_hindsight_best(const struct tv_hindsight *h, uint32_t i);
void tv_hindsight_release(struct tv_hindsight *h);

#endif
