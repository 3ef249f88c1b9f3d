/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weights.h -- durations of pairs of types from a table as abe writes it, or from a trace. */
#ifndef TV_WEIGHTS_H
#define TV_WEIGHTS_H

#include "analysis/core/durations.h"

/* Fills rule->weight, unsorted; takes rule->statistic of tasks, of the run's kinds, which run->loader
 * reads. -1 with *err naming the file. See tv_duration_rule_init. Cost O(n log n). */
int tv_weights_read(struct tv_duration_rule *rule, const char *path, const struct tv_run *run,
		    struct tv_pool *pool, struct tv_error *err) TV_MUST_CHECK;

#endif
