/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choose.h -- the tasks with which a pass begins, as options such as --tasks choose them.
 *
 *	last			the task that ended last
 *	type:T,...		tasks of these types (* any text, ? one character, case ignored)
 *	id:J,...		jobs by JobId; one that is no task is an error
 *	outlier			those that the pass outliers marks, or the column Outlier
 *	delayed:MIN		tasks that started at least this long (ms, or with a unit) after
 *				release
 *	before-idle:RES@T	the task with idle time of RES before it: that ends the first idle
 *				period of RES that ends after T; there being none is an error
 *	EXPR			an expression over the columns of tasks (trace/expr.h)
 *
 * A job is chosen if one of its counted executions is.
 */
#ifndef TV_CHOOSE_H
#define TV_CHOOSE_H

#include "analysis/core/run.h"

/* For the help of an option. */
#define TV_CHOOSE_ARGUMENT "WHICH"
#define TV_CHOOSE_NOTES \
	"WHICH  last (the task that ended last), type:T,... id:J,... outlier,\n" \
	"       delayed:MIN (started at least MIN after release),\n" \
	"       before-idle:RESOURCE@T (ended the idle period of RESOURCE at or next after T),\n" \
	"       or an expression over the columns of tasks, such as 'Iteration == 3'\n"

/*
 * chosen (by node of the graph) receives whether each is; only tasks are. option names
 * the option in messages. -1 with *err: not understood, nothing of that name. Choosing no task
 * is no error, but a warning. Cost O(n log n).
 */
int tv_choose(struct tv_run *run, const char *option, const char *text, bool *chosen,
	      struct tv_error *err) TV_MUST_CHECK;

/* -1 with *err: no task has the JobId that the option names; with some that exist. */
int tv_choose_no_job(const struct tv_tasks *tasks, const char *option, const char *job,
		     struct tv_error *err);

#endif
