/* SPDX-License-Identifier: GPL-3.0-or-later */
/* advice.h -- sentences of the first screen: how good a run was; what to do, what that would bring, how sure it is. Free each with tv_free. */
#ifndef TV_DIAGNOSE_ADVICE_H
#define TV_DIAGNOSE_ADVICE_H

#include "analysis/diagnose/ranking.h"

/* How long the run took, on what, and what it could have been. */
char *tv_diagnose_run_text(const struct tv_case *c);

/* What to try: action, in place of the rule's unless it is NULL, and the switches of runtimes (bits), which follow an action only with
 * switches. */
char *tv_advice_of(const struct tv_rule *rule, const char *action, bool switches,
		   unsigned runtimes);

/* What to do about the first finding, what that would bring, how sure it is. error: of simulations, in words. was: the simulated
 * makespan of the run as it was, TV_UNKNOWN where the gain is against the run itself, ns. */
char *tv_advice_answer(const struct tv_case *c, const struct tv_ranked *first, const char *error,
		       int64_t was);

/* Whether the gain of a finding is against a policy. */
bool tv_advice_is_by_policy(const struct tv_ranked *ranked);

/* How far simulations can be trusted that compare with `was`: a policy, which has absent workers or not, or (name NULL) the replay. */
char *tv_advice_simulated(const struct tv_potentials *p, const struct tv_policy_time *was,
			  bool absent);

/* The same of all simulations with policies that show a gain; where none of n findings does, of the one nearest to the run, else of the
 * replay. */
char *tv_advice_all_simulated(const struct tv_potentials *p, const struct tv_ranked *const *order,
			      uint32_t n);

#endif
