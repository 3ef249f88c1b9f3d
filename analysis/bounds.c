/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.c -- makespan, critical path estimation and area bound estimation. */
#include <math.h>
#include <stdlib.h>

#include "analysis/common.h"
#include "dag/dag.h"
#include "trace/alloc.h"

struct columns {
	struct tv_column *node, *bound, *nature, *time, *gap;
};

/* One row. makespan_ns: of the same node; NULL where the row is the makespan itself: no gap. */
static int write_row(struct tv_table *out, const struct columns *to, uint32_t node,
		     const char *bound, int64_t time_ns, const int64_t *makespan_ns,
		     struct tv_error *err)
{
	const char *nature = makespan_ns == NULL ? "observed" : "estimate";
	uint32_t row = tv_table_add_row(out, err), name, label;
	double gap;

	if (row == TV_NONE)
		return -1;
	name = tv_intern_text(out->pool, bound);
	label = tv_intern_text(out->pool, nature);
	if (name == TV_NONE || label == TV_NONE || tv_set_label(to->node, row, node) < 0
	    || tv_set_label(to->bound, row, name) < 0 || tv_set_label(to->nature, row, label) < 0
	    || tv_set_int(to->time, row, time_ns) < 0)
		return tv_fail_memory(err);
	/* From the time as printed, so that whoever recomputes it finds the same. */
	if (makespan_ns == NULL || time_ns == 0)
		return 0;
	gap = 100 * (double)(*makespan_ns - time_ns) / (double)time_ns;
	return tv_set_double(to->gap, row, gap) < 0 ? tv_fail_memory(err) : 0;
}

/* The row of an estimate. */
static int write_estimate(struct tv_table *out, const struct columns *to, uint32_t node,
			  const char *bound, double ns, int64_t makespan_ns, struct tv_error *err)
{
	if (!(ns < 0x1p62))
		return tv_fail(err, (struct tv_pos){ 0 }, "%s: the durations add up to more than "
			       "146 years, which is out of range", bound);
	return write_row(out, to, node, bound, llround(ns), &makespan_ns, err);
}

/* The fastest pair of each type; among equal ones the first resource type. */
static void find_fastest(const struct tv_means *means, const struct tv_pair **fastest)
{
	for (uint32_t t = 0; t < means->ntypes; t++)
		for (uint32_t r = 0; r < means->nrtypes; r++) {
			const struct tv_pair *pair = &means->pair[(size_t)t * means->nrtypes + r];

			if (pair->executions > 0
			    && (fastest[t] == NULL || tv_mean(pair) < tv_mean(fastest[t])))
				fastest[t] = pair;
		}
}

/* Sum of the means along a path: n[t] tasks of each type, as exact as the means' sums allow. */
static double sum_path(const struct tv_means *means, const struct tv_pair *const *fastest,
		       const int64_t *n)
{
	tv_int128 whole = 0;
	double rest = 0;

	for (uint32_t t = 0; t < means->ntypes; t++) {
		tv_int128 time = fastest[t]->time * n[t];

		whole += time / fastest[t]->executions;
		rest += (double)(time % fastest[t]->executions) / (double)fastest[t]->executions;
	}
	return (double)whole + rest;
}

struct critical {
	uint32_t *type_of_label;	/* by label; the last one stands for a missing Value */
	uint32_t nlabels;
	double *weight;			/* by node of the graph */
	uint32_t *path;
	const struct tv_pair **fastest;	/* by type */
	int64_t *on_path;		/* by type */
};

static uint32_t type_of(const struct critical *c, const struct tv_view *view, uint32_t row)
{
	return c->type_of_label[view->value[row] == TV_NONE ? c->nlabels : view->value[row]];
}

static int find_path(struct critical *c, const struct tv_dag *dag, const struct tv_means *means,
		     double *cpe_ns, struct tv_error *err)
{
	uint32_t npath;

	for (uint32_t t = 0; t < means->ntypes; t++)
		c->type_of_label[means->type[t] == TV_NONE ? c->nlabels : means->type[t]] = t;
	find_fastest(means, c->fastest);
	for (uint32_t v = 0; v < dag->n; v++)
		if (dag->task[v])
			c->weight[v] = tv_mean(c->fastest[type_of(c, dag->view, dag->row[v])]);
	if (tv_dag_longest(dag, c->weight, c->path, &npath, err) < 0)
		return -1;
	for (uint32_t i = 0; i < npath; i++)
		if (dag->task[c->path[i]])
			c->on_path[type_of(c, dag->view, dag->row[c->path[i]])]++;
	*cpe_ns = sum_path(means, c->fastest, c->on_path);
	return 0;
}

/* CPE: the longest path, a counted task weighing its fastest mean, other nodes nothing. */
static int critical_path(const struct tv_dag *dag, const struct tv_means *means, double *cpe_ns,
			 struct tv_error *err)
{
	uint32_t nlabels = tv_pool_count(dag->view->pool);
	struct critical c = {
		.type_of_label = tv_alloc((size_t)nlabels + 1, sizeof *c.type_of_label),
		.nlabels = nlabels,
		.weight = tv_alloc(dag->n, sizeof *c.weight),
		.path = tv_alloc(dag->n, sizeof *c.path),
		.fastest = tv_alloc(means->ntypes, sizeof *c.fastest),
		.on_path = tv_alloc(means->ntypes, sizeof *c.on_path),
	};
	int rc;

	if (c.type_of_label == NULL || c.weight == NULL || c.path == NULL || c.fastest == NULL
	    || c.on_path == NULL)
		rc = tv_fail_memory(err);
	else
		rc = find_path(&c, dag, means, cpe_ns, err);
	tv_free(c.type_of_label);
	tv_free(c.weight);
	tv_free(c.path);
	tv_free(c.fastest);
	tv_free(c.on_path);
	return rc;
}

/* The row of the critical path, unless the trace has no dependencies at all. */
static int write_cpe(struct tv_run *run, struct tv_table *out, const struct columns *to,
		     const struct tv_means *means, int64_t makespan_ns, struct tv_error *err)
{
	const struct tv_dag *dag;
	double cpe_ns = 0;

	if (run->view.depends == NULL || run->view.depends->nitems == 0)
		return tv_remark(run, err,
				 "no cpe: the tasks have no dependencies (DependsOn, JobId)");
	dag = tv_run_dag(run, err);
	if (dag == NULL || critical_path(dag, means, &cpe_ns, err) < 0)
		return -1;
	if (dag->dangling > 0
	    && tv_remark(run, err, "%llu dependencies on jobs that occur nowhere are ignored",
			 (unsigned long long)dag->dangling) < 0)
		return -1;
	return write_estimate(out, to, TV_NONE, "cpe", cpe_ns, makespan_ns, err);
}

static int write_node(struct tv_run *run, struct tv_table *out, const struct columns *to,
		      const struct tv_means *means, struct tv_error *err)
{
	const struct tv_view *view = &run->view;
	uint32_t node = means->node == TV_NONE ? TV_NONE : view->node[means->node].label;
	int64_t makespan_ns = means->finish - view->begin;
	double *ideal = tv_alloc((size_t)means->ntypes * means->nrtypes, sizeof *ideal), abe_ns;
	int rc = -1;

	if (ideal == NULL)
		tv_fail_memory(err);
	else if (tv_means_area(means, &abe_ns, ideal, err) == 0
		 && write_row(out, to, node, "makespan", makespan_ns, NULL, err) == 0
		 && (node != TV_NONE || write_cpe(run, out, to, means, makespan_ns, err) == 0))
		rc = write_estimate(out, to, node, "abe", abe_ns, makespan_ns, err);
	tv_free(ideal);
	return rc;
}

static int run_bounds(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	struct columns to = {
		.node = tv_table_column(out, "Node", TV_LABEL, err),
		.bound = tv_table_column(out, "Bound", TV_LABEL, err),
		.nature = tv_table_column(out, "Nature", TV_LABEL, err),
		.time = tv_table_column(out, "Time", TV_TIME, err),
		.gap = tv_table_column(out, "Gap", TV_DOUBLE, err),
	};
	struct tv_estimates estimates;
	int rc = 0;

	(void)options;
	if (to.node == NULL || to.bound == NULL || to.nature == NULL || to.time == NULL
	    || to.gap == NULL || tv_remark_workers(run, err) < 0
	    || tv_estimates_init(&estimates, &run->view, err) < 0)
		return -1;
	for (uint32_t i = 0; i < estimates.n && rc == 0; i++)
		rc = write_node(run, out, &to, &estimates.means[i], err);
	tv_estimates_release(&estimates);
	return rc;
}

static const struct tv_field columns[] = {
	{ "Node", TV_LABEL, false, "", "node that the row is about; missing = the whole run" },
	{ "Bound", TV_LABEL, false, "",
	  "makespan, cpe (critical path estimation) or abe (area bound estimation)" },
	{ "Nature", TV_LABEL, false, "", "observed, or estimate: from mean durations, no proof" },
	{ "Time", TV_TIME, false, "ms", "its value" },
	{ "Gap", TV_DOUBLE, false, "%",
	  "(makespan - Time) / Time; missing for the makespan itself" },
};

const struct tv_pass tv_pass_bounds = {
	.name = "bounds",
	.summary = "how fast the run was, and how fast it could have been",
	.kind = TV_SUMMARISE,
	.needs = "",
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = "makespan  last End of a task minus the first Start of the run\n"
		 "cpe       longest path in the task graph, a task weighing the mean duration of\n"
		 "          its type on the resource type where that is shortest; absent without\n"
		 "          dependencies\n"
		 "abe       area bound: least time in which the workers could do all tasks at\n"
		 "          their mean durations, dependencies aside; see traceviz abe\n"
		 "Source: Garcia Pinto, thesis, 2018, 5.1.3.",
	.example = "traceviz bounds data/cholesky.csv",
	.windowless = true,
	.run = run_bounds,
};
