/* SPDX-License-Identifier: GPL-3.0-or-later */
/* share.c -- the share of the workers of each type that runs tasks of each type, over time. */
#include "analysis/core/curves.h"
#include "analysis/core/warnings.h"

/* The curves of one type of workers: numbers of tasks, turned into percent only when they are
 * summed, so that they end at exactly 0. */
static void write_rtype(struct tv_curves *curves, const struct tv_tasks *tasks, uint32_t rtype)
{
	const struct tv_group *group = &tasks->rtype[rtype];
	struct tv_steps *steps;

	if (group->nworkers == 0)
		return;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->workers[tasks->worker[row]].rtype == rtype)
			tv_curves_count(curves, row, tasks->start[row], tasks->end[row]);
	steps = tv_curves_take(curves);
	for (uint32_t g = 0; g < curves->by.n; g++)
		for (size_t i = 0; i < steps[g].n; i++)
			steps[g].value[i] = 100 * steps[g].value[i] / group->nworkers;
	tv_curves_write(curves, tv_pool_text(tasks->pool, group->label), steps);
	tv_curves_free(curves, steps);
}

struct asked {
	const char *by;
	int64_t step_ns;
};

static int run_share(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const struct tv_tasks *part = tv_run_part(run);
	struct tv_curves curves;
	int rc;

	tv_warn_workers(run);
	rc = tv_curves_init(&curves, run, asked->by, asked->step_ns, false, out, err);
	for (uint32_t t = 0; t < part->nrtypes && rc == 0; t++)
		write_rtype(&curves, part, t);
	tv_curves_release(&curves);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN", "Value", "one curve per Value, Iteration, ... of the tasks",
	  TV_ASKED(by) },
	{ TV_STEP_MEANS_ROW, TV_ASKED(step_ns) },
};

const struct tv_pass tv_pass_share = {
	.name = "share",
	.summary = "Share of the workers that run each task type, over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_TIME,
	.columns = "Cpu CpuEnd",
	.sums = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes =
		"The name of a curve is a type of workers (ResourceType); Value is the\n"
		"percentage of these workers, with or without tasks, that run tasks of the group.\n"
		"The sum over the groups is 100 when all of them run tasks, and more only when\n"
		"tasks overlap on a worker.\n"
		"Source: StarVZ's resource usage by task, per type of resource.",
	.example = "traceviz share --step 10 data/cholesky.csv",
	.run = run_share,
};
