/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abe.c -- how the area bound would share out the tasks, beside how the run did. */
#include <math.h>

#include "analysis/core/durations.h"
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
	  "mean duration there, or that of --durations-from; missing = none is known")

TV_COLUMNS(columns, COLUMNS)

static void write_pair(struct tv_table *out, const struct tv_tasks *tasks,
		       const struct tv_means *means, const struct tv_durations *d, uint32_t type,
		       uint32_t rtype, double ideal)
{
	size_t place = (size_t)type * means->nrtypes + rtype;
	const struct tv_pair *pair = &means->pair[place];
	uint32_t node = means->node == TV_NONE ? TV_NONE : tasks->node[means->node].label;
	uint32_t row = tv_table_add_row(out);

	tv_set_label(out->col[NODE], row, node);
	tv_set_label(out->col[VALUE], row, means->type[type]);
	tv_set_label(out->col[RTYPE], row, tasks->rtype[rtype].label);
	tv_set_int(out->col[ACTUAL], row, llround(pair->tasks));
	tv_set_double(out->col[IDEAL], row, ideal);
	if (pair->executions != 0 || d->time[place] > 0)
		tv_set_int(out->col[MEAN], row, llround(d->time[place]));
}

static int write_means(struct tv_table *out, struct tv_run *run,
		       const struct tv_duration_rule *rule, const struct tv_means *means,
		       struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	double *ideal = tv_alloc((size_t)means->ntypes * means->nrtypes, sizeof *ideal), bound;
	struct tv_durations d;
	int rc = tv_durations_init(&d, rule, tasks, means, err);

	if (rc == 0)
		rc = tv_area_bound(&d.area, &bound, ideal, err);
	if (means->node == TV_NONE)
		tv_warn_kept(run, d.kept);
	for (uint32_t t = 0; t < means->ntypes && rc == 0; t++)
		for (uint32_t r = 0; r < means->nrtypes; r++)
			if (means->workers[r] != 0)
				write_pair(out, tasks, means, &d, t, r,
					   ideal[(size_t)t * means->nrtypes + r]);
	tv_durations_release(&d);
	tv_free(ideal);
	return rc;
}

struct asked {
	const char *durations_from;
};

static const struct tv_option_spec abe_options[] = {
	{ TV_DURATIONS_FROM_ROW, TV_ASKED(durations_from) },
};

static int run_abe(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		   struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const struct tv_estimates *estimates;
	struct tv_duration_rule rule;
	int rc;

	tv_warn_workers(run);
	estimates = tv_run_estimate_rows(run, err);
	if (estimates == NULL)
		return -1;
	rc = tv_duration_rule_init(&rule, run, "mean", NULL, asked->durations_from, out->pool, err);
	for (uint32_t i = 0; i < estimates->n && rc == 0; i++)
		rc = write_means(out, run, &rule, &estimates->means[i], err);
	tv_duration_rule_release(&rule);
	return rc;
}

const struct tv_pass tv_pass_abe = {
	.name = "abe",
	.summary = "Compare actual with ideal task placement: that of the area bound",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.columns = "Cpu CpuEnd",
	.in_parts = tv_pass_always,
	.unordered = true,
	.beside = 40,
	TV_PASS_OPTIONS_INTO(struct asked, abe_options),
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
