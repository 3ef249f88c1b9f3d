/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_weights.c -- the durations that paths of bounds weigh tasks with, and the bounds that need only these. */
#include "analysis/bounds/path_weights.h"

#include <math.h>

#include "lp/tight.h"
#include "trace/alloc.h"

int tv_path_weights_init(struct tv_path_weights *weights, const struct tv_duration_rule *rule,
			 const struct tv_means *means, const struct tv_dag *dag,
			 struct tv_error *err)
{
	*weights = (struct tv_path_weights){ .of = tv_realloc(NULL, dag->n, sizeof *weights->of) };
	weights->means = means;
	if (dag->tasks->segment != NULL && !rule->foreign) { /* else they are the same */
		tv_estimates_init(&weights->estimates, dag->tasks, true);
		weights->means = &weights->estimates.means[0];
	}
	if (tv_durations_init(&weights->durations, rule, dag->tasks, weights->means, err) < 0)
		return -1;
	weights->proven = weights->durations.proven && !tv_dag_overtakes(dag);
	tv_durations_weigh(&weights->durations, weights->means, dag, weights->of);
	return 0;
}

void tv_path_weights_release(struct tv_path_weights *weights)
{
	tv_durations_release(&weights->durations);
	tv_estimates_release(&weights->estimates);
	tv_free(weights->of);
}

/* A sum of weights, as exact as they are. */
static double sum_path(const double *weight, const uint32_t *path, uint32_t n)
{
	tv_int128 whole = 0;
	double rest = 0;

	for (uint32_t i = 0; i < n; i++) {
		double down = floor(weight[path[i]]);

		whole += (tv_int128)down;
		rest += weight[path[i]] - down;
	}
	return (double)whole + rest;
}

double tv_path_weights_longest(const struct tv_path_weights *weights, const struct tv_dag *dag)
{
	uint32_t *path = tv_realloc(NULL, dag->n, sizeof *path);
	double ns = sum_path(weights->of, path, tv_dag_longest(dag, weights->of, NULL, path));

	tv_free(path);
	return ns;
}

/* How many tasks each node is: its executions that ended, a team being one. */
static void count_executions(const struct tv_path_weights *weights, const struct tv_dag *dag,
			     double *count)
{
	const struct tv_tasks *tasks = dag->tasks;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_means_take(weights->means, tasks, row))
			count[dag->node_of_row[row]] += 1.0 / tv_team_of(tasks, row);
	for (uint32_t v = 0; v < dag->n; v++)
		count[v] *= tv_durations_share(weights->means, dag, v);
}

int tv_path_weights_tight(const struct tv_path_weights *weights, struct tv_run *run,
			  const struct tv_dag *dag, double *ns, struct tv_error *err)
{
	/* By node of the graph, then closed up to tasks. */
	double *head = tv_alloc(dag->n, sizeof *head);
	double *tail = tv_alloc(dag->n, sizeof *tail);
	double *count = tv_alloc(dag->n, sizeof *count);
	uint32_t *type = tv_alloc(dag->n, sizeof *type);
	struct tv_tight tight = { &weights->durations.area, 0, head, tail, type, count };
	bool all;
	int rc;

	tv_dag_around(dag, weights->of, head, tail);
	count_executions(weights, dag, count);
	for (uint32_t v = 0; v < dag->n; v++) {
		/* Of a task without duration, a segment may be no part. */
		if (!dag->task[v] || count[v] <= 0)
			continue;
		head[tight.n] = head[v];
		tail[tight.n] = tail[v];
		count[tight.n] = count[v];
		type[tight.n++] = tv_means_type(weights->means, dag->row[v]);
	}
	rc = tv_tight_bound(&tight, ns, &all, err);
	if (rc == 0 && !all)
		tv_run_warn(
			run,
			"tight: the search was cut off, there are too many task types: the value "
			"may be below the max of h + area + q");
	tv_free(head);
	tv_free(tail);
	tv_free(count);
	tv_free(type);
	return rc;
}
