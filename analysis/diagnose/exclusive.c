/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exclusive.c -- a finding about tasks that exclude each other. */
#include "analysis/diagnose/findings.h"
#include "trace/text.h"

static int find_exclusive_access(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char value[128], time[32], *datum;

	(void)err;
	if (tv_tasks_cut(c->tasks) || c->exclusive <= c->account.area
	    || c->exclusive <= c->longest.placed || 2 * c->exclusive < c->account.makespan
	    || c->exclusive - c->account.area < c->min_ns)
		return 0;
	found->holds = true;
	found->measure_ns = c->exclusive - c->account.area;
	tv_clean_text(value, sizeof value,
		      c->excluded == TV_NONE ? "?" : tv_pool_text(c->tasks->pool, c->excluded));
	datum = tv_words_datum(c, c->datum);
	found->text = tv_format(
		"Tasks of type %s, and all others that update %s, run one at a time: %s one after "
		"another, %.0f %% of the run, however many workers there are.",
		value, datum, tv_words_time(time, c->exclusive),
		100 * (double)c->exclusive / (double)c->account.makespan);
	tv_free(datum);
	if (c->excluded != TV_NONE)
		found->picture = tv_case_highlight(
			"Value", tv_pool_text(c->tasks->pool, c->excluded), NULL, NULL);
	return 0;
}

const struct tv_rule tv_rule_exclusive_access = {
	.id = "exclusive-access",
	.title = "tasks that update the same data run one at a time",
	.condition = "tasks with commuting access (Modes with C) to one datum take half of the "
		     "makespan or more, and more "
		     "than the area bound and the best-placed chain",
	.measures = "Measure: the time of these tasks - area bound",
	.action = "Let each worker update a copy of its own, and join the copies at the end (a "
		  "reduction).",
	.in.starpu = "STARPU_REDUX in place of STARPU_COMMUTE",
	.in.openmp = "task_reduction and in_reduction",
	.picture = "--panels spacetime",
	.durations = true,
	.find = find_exclusive_access,
};
