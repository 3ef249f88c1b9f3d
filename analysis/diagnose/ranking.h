/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranking.h -- the order of findings: the cause that brings most first. */
#ifndef TV_DIAGNOSE_RANKING_H
#define TV_DIAGNOSE_RANKING_H

#include "analysis/diagnose/findings.h"

struct tv_ranked {
	const struct tv_rule *rule;
	struct tv_found found;
	const struct tv_potential *potential; /* borrowed */
	enum tv_without without;	      /* of which simulation that is, or would be */
	uint32_t index;			      /* its place */
	/* Filled by tv_rank: the place of the finding that has its cause, or its own; what counts, ns. */
	uint32_t main;
	int64_t size;
	int64_t left; /* if it has more: the most that a simulation without the first finding leaves of it; else TV_UNKNOWN */
};

/* Whether a run whose schedule cannot be better may have it. */
static inline bool tv_ranked_durations(const struct tv_ranked *ranked)
{
	return ranked->rule->durations || ranked->found.whole;
}

/* Whether the potential is that of another schedule, which all findings about the schedule share. */
static inline bool tv_ranked_shared(const struct tv_ranked *ranked)
{
	return ranked->without == TV_WITHOUT_SCHEDULE;
}

/* Whether a potential may be larger than what the finding measures. */
static inline bool tv_ranked_capped(const struct tv_ranked *ranked)
{
	return tv_ranked_shared(ranked) || ranked->without == TV_WITHOUT_JOINS;
}

/* Whether tasks took longer, by less than 1 % of the run if all workers share it, and a simulation without that gains nothing. */
static inline bool tv_ranked_small(const struct tv_ranked *ranked, const struct tv_case *c)
{
	return tv_ranked_durations(ranked) && ranked->found.measure_ns != TV_UNKNOWN
	    && ranked->found.measure_ns < c->min_ns && ranked->potential->ns == TV_UNKNOWN
	    && ranked->potential->below != TV_UNKNOWN;
}

/* The part of a potential that a finding can be, ns: of another schedule, or of joins, no more than it measures. TV_UNKNOWN = not estimated. */
static inline int64_t tv_ranked_gain(const struct tv_ranked *ranked)
{
	const struct tv_found *found = &ranked->found;
	int64_t ns = ranked->potential->ns,
		size = found->time_ns != TV_UNKNOWN ? found->time_ns : found->measure_ns;

	return tv_ranked_capped(ranked) && size != TV_UNKNOWN && size < ns ? size : ns;
}

/* Orders n findings: those that are no limits before limits, the largest cause first, of a cause the main
 * finding first; equal ones as in ranked. What is about the schedule (tv_rule) has no more than what is left to save without the
 * first finding, where that was simulated; below 1 % of the makespan it follows from that. order: n pointers into ranked. */
void tv_rank(struct tv_ranked *ranked, uint32_t n, const struct tv_case *c,
	     const struct tv_ranked **order);

#endif
