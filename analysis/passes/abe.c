/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abe.c -- how the area bound would share out the tasks, beside how the run did. */
#include <math.h>

#include "analysis/shared/common.h"
#include "trace/alloc.h"

struct columns {
	struct tv_column *node, *value, *rtype, *actual, *ideal, *mean;
};

static int write_pair(const struct columns *to, const struct tv_tasks *tasks,
		      const struct tv_means *means, uint32_t type, uint32_t rtype, double ideal,
		      uint32_t row)
{
	const struct tv_pair *pair = &means->pair[(size_t)type * means->nrtypes + rtype];
	uint32_t node = means->node == TV_NONE ? TV_NONE : tasks->node[means->node].label;

	tv_set_label(to->node, row, node);
	tv_set_label(to->value, row, means->type[type]);
	tv_set_label(to->rtype, row, tasks->rtype[rtype].label);
	tv_set_int(to->actual, row, llround(pair->tasks));
	tv_set_double(to->ideal, row, ideal);
	if (pair->executions != 0)
		tv_set_int(to->mean, row, tv_mean_ns(pair));
	return 0;
}

static int write_means(struct tv_table *out, const struct columns *to, const struct tv_tasks *tasks,
		       const struct tv_means *means, struct tv_error *err)
{
	double *ideal = tv_alloc((size_t)means->ntypes * means->nrtypes, sizeof *ideal), bound;
	int rc = tv_means_area(means, &bound, ideal, err);

	for (uint32_t t = 0; t < means->ntypes && rc == 0; t++)
		for (uint32_t r = 0; r < means->nrtypes && rc == 0; r++) {
			double ideal_tasks = ideal[(size_t)t * means->nrtypes + r];
			uint32_t row;

			if (means->workers[r] == 0)
				continue;
			row = tv_table_add_row(out);
			if (row == TV_NONE)
				rc = -1;
			else if (write_pair(to, tasks, means, t, r, ideal_tasks, row) < 0)
				rc = tv_fail_memory(err);
		}
	tv_free(ideal);
	return rc;
}

static int run_abe(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		   struct tv_error *err)
{
	struct columns to = {
		.node = tv_table_column(out, "Node", TV_LABEL, err),
		.value = tv_table_column(out, "Value", TV_LABEL, err),
		.rtype = tv_table_column(out, "ResourceType", TV_LABEL, err),
		.actual = tv_table_column(out, "Actual", TV_INT, err),
		.ideal = tv_table_column(out, "Ideal", TV_DOUBLE, err),
		.mean = tv_table_column(out, "MeanDuration", TV_TIME, err),
	};
	struct tv_estimates estimates;
	int rc = 0;

	(void)options;
	if (to.node == NULL || to.value == NULL || to.rtype == NULL || to.actual == NULL
	    || to.ideal == NULL || to.mean == NULL)
		return -1;
	tv_warn_workers(run);
	tv_estimates_init(&estimates, &run->tasks);
	for (uint32_t i = 0; i < estimates.n && rc == 0; i++)
		rc = write_means(out, &to, &run->tasks, &estimates.means[i], err);
	tv_estimates_release(&estimates);
	return rc;
}

static const struct tv_field columns[] = {
	{ "Node", TV_LABEL, false, "", "node that the row is about; missing = the whole run" },
	{ "Value", TV_LABEL, false, "", "task type" },
	{ "ResourceType", TV_LABEL, false, "", "resource type" },
	{ "Actual", TV_INT, false, "", "tasks of this type that ran there; a team is one" },
	{ "Ideal", TV_DOUBLE, false, "",
	  "tasks that would run there in the area bound's solution" },
	{ "MeanDuration", TV_TIME, false, "ms",
	  "mean of the executions there; missing = none, so none is ideal" },
};

const struct tv_pass tv_pass_abe = {
	.name = "abe",
	.summary = "Compare actual with ideal task placement: that of the area bound",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.needs = "",
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = "The area bound estimation (ABE) is the least time in which the workers could do\n"
		 "all tasks at their mean durations, dependencies aside: min T, such that every\n"
		 "task runs on a resource type where its type ran, and no resource type is busy\n"
		 "for longer than T times its workers. One row per task type and resource type,\n"
		 "for the whole run and, if there are several, for each node.\n"
		 "Source: Garcia Pinto, thesis, 2018, (5.2)-(5.5).",
	.example = "traceviz abe data/cholesky.csv",
	.windowless = true,
	.run = run_abe,
};
