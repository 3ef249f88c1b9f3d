/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abe.c -- how the area bound would share out the tasks, beside how the run did. */
#include <math.h>

#include "analysis/core/means.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"

#define COLUMNS(X) \
	X(NODE, "Node", TV_LABEL, false, "", "node of the row; missing = the whole run") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "resource type") \
	X(ACTUAL, "Actual", TV_INT, false, "", \
	  "number of tasks of this type that ran there; a team counts once") \
	X(IDEAL, "Ideal", TV_DOUBLE, false, "", \
	  "number of tasks that run there in the solution of the area bound") \
	X(MEAN, "MeanDuration", TV_TIME, false, "ms", \
	  "mean duration of the executions there; missing = none ran there")

TV_COLUMNS(columns, COLUMNS)

static void write_pair(struct tv_table *out, const struct tv_tasks *tasks,
		       const struct tv_means *means, uint32_t type, uint32_t rtype, double ideal)
{
	const struct tv_pair *pair = &means->pair[(size_t)type * means->nrtypes + rtype];
	uint32_t node = means->node == TV_NONE ? TV_NONE : tasks->node[means->node].label;
	uint32_t row = tv_table_add_row(out);

	tv_set_label(out->col[NODE], row, node);
	tv_set_label(out->col[VALUE], row, means->type[type]);
	tv_set_label(out->col[RTYPE], row, tasks->rtype[rtype].label);
	tv_set_int(out->col[ACTUAL], row, llround(pair->tasks));
	tv_set_double(out->col[IDEAL], row, ideal);
	if (pair->executions != 0)
		tv_set_int(out->col[MEAN], row, tv_mean_ns(pair));
}

static int write_means(struct tv_table *out, const struct tv_tasks *tasks,
		       const struct tv_means *means, struct tv_error *err)
{
	double *ideal = tv_alloc((size_t)means->ntypes * means->nrtypes, sizeof *ideal), bound;
	int rc = tv_means_area(means, &bound, ideal, err);

	for (uint32_t t = 0; t < means->ntypes && rc == 0; t++)
		for (uint32_t r = 0; r < means->nrtypes; r++)
			if (means->workers[r] != 0)
				write_pair(out, tasks, means, t, r,
					   ideal[(size_t)t * means->nrtypes + r]);
	tv_free(ideal);
	return rc;
}

static int run_abe(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		   struct tv_error *err)
{
	const struct tv_estimates *estimates;
	int rc = 0;

	(void)options;
	tv_warn_workers(run);
	estimates = tv_run_estimates(run);
	for (uint32_t i = 0; i < estimates->n && rc == 0; i++)
		rc = write_means(out, &run->tasks, &estimates->means[i], err);
	return rc;
}

const struct tv_pass tv_pass_abe = {
	.name = "abe",
	.summary = "Compare actual with ideal task placement: that of the area bound",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	TV_PASS_COLUMNS(columns),
	.notes = "The area bound estimation (ABE) is the min time in which the workers could run\n"
		 "all tasks at their mean durations without dependencies: min T such that every\n"
		 "task runs on a resource type where its type ran, and no resource type is busy\n"
		 "for longer than T times its workers. One row per task type and resource type,\n"
		 "for the whole run and, if there are several, for each node.\n"
		 "Source: Garcia Pinto, thesis, 2018, (5.2)-(5.5).",
	.example = "traceviz abe data/cholesky.csv",
	.windowless = true,
	.run = run_abe,
};
