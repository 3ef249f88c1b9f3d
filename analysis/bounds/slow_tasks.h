/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_tasks.h -- the tasks of slow workers and nodes, and of types that are slow on some workers, as expressions. */
#ifndef TV_SLOW_TASKS_H
#define TV_SLOW_TASKS_H

#include "analysis/core/run.h"

/* expr: as of --where, holds for tasks that take `ratio` (above 1) times as long as others; what: "CPU3 as fast as others of type CPU".
 * -1 with *err ends the visit. */
typedef int tv_slow_visitor(void *context, const char *expr, double ratio, const char *what,
			    struct tv_error *err);

/* Visits slow members (tv_slow_members), the ten slowest, and warns of more; then the first ten types that are slow (tv_slow_types) on ten
 * workers or fewer, none of them such a member. -1 with *err. Cost: theirs. */
int tv_each_slow(struct tv_run *run, tv_slow_visitor *visitor, void *context,
		 struct tv_error *err) TV_MUST_CHECK;

#endif
