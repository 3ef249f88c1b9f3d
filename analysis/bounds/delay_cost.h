/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * delay_cost.h -- how much shorter the replay of a run becomes if some tasks or messages take less time.
 *
 * By default the part of each execution above the mean of its task type on its type of workers, or of each message above the mean
 * of those of its size, rounded down to ns, is cut, for one group after the other. Exact for a delay that was put in, with all that
 * follows from it; costs of several groups do not add up. Where what is cut is not critical, the makespan stays. Source of the
 * idea: D. Boehme et al., ICPP 2010 (delay costs); by replay it is ours.
 */
#ifndef TV_DELAY_COST_H
#define TV_DELAY_COST_H

#include "analysis/core/run.h"

/* What is cut at once. */
enum tv_delay_key { TV_DELAY_TYPE, TV_DELAY_NODE, TV_DELAY_WORKER, TV_DELAY_LINK };

enum { TV_DELAY_COLUMNS = 9 };
extern const struct tv_field tv_delay_columns[TV_DELAY_COLUMNS];

/*
 * Fills out, which has no columns: the replay without a cut, all cuts together, then groups, those that shorten it most
 * first. cut: EXPR=TIME: executions, or with TV_DELAY_LINK rows of the verb messages, for which EXPR holds by TIME each, at most to
 * nothing; NULL: to the mean. -1 with *err: no dependencies, no messages among them, an order that cannot be replayed, columns of
 * EXPR. Cost: a replay for each group with a cut.
 */
int tv_delay_costs(struct tv_run *run, enum tv_delay_key key, const char *cut, struct tv_table *out,
		   struct tv_error *err) TV_MUST_CHECK;

#endif
