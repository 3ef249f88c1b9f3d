/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worth.h -- what the time of workers is worth: the prices of the area bound of a whole run.
 *
 * All nodes are one machine. Of several optimal prices those of tv_area_fair_prices. If the area bound is 0,
 * every worker has the same price.
 */
#ifndef TV_WORTH_H
#define TV_WORTH_H

#include "analysis/core/durations.h"

struct tv_worth {
	double bound; /* the area bound, ns */
	double *price, *low,
		*high; /* by resource type of the tasks: of one worker; all workers' prices add up
				     * to 1. low < high: the price is one of several, between these */
	struct tv_duration_rule rule;
	struct tv_durations of;
	const struct tv_means *means; /* of the whole run; owned by the run */
};

/* durations, file: as for tv_duration_rule_init. -1 with *err: as tv_durations_init and tv_area_prices, or durations out of
 * range. Release it in any case. Cost: that of the area bound. */
int tv_worth_init(struct tv_worth *worth, struct tv_run *run, const char *durations,
		  const char *file, struct tv_error *err) TV_MUST_CHECK;
void tv_worth_release(struct tv_worth *worth); /* safe on a zeroed struct */

#endif
