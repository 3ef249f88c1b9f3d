/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limits.h -- which tasks of a run are outliers by the thresholds of another run. */
#ifndef TV_LIMITS_H
#define TV_LIMITS_H

#include "analysis/core/run.h"

/*
 * Adds the columns Outlier and Threshold to the tasks of a run, as the pass outliers writes and
 * reads them: by the thresholds of `from` for the same names of task type and worker type;
 * what did not run there has none and is no outlier. tasks: the table that the run is of; before
 * the first pass on it. -1 with *err: it has such columns (exit status 2).
 */
int tv_limits_apply(struct tv_run *from, const struct tv_run *run, struct tv_table *tasks,
		    struct tv_error *err) TV_MUST_CHECK;

#endif
