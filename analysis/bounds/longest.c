/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longest.c -- the longest chain of a run, as recorded and best placed. */
#include "analysis/bounds/longest.h"

#include <math.h>

#include "analysis/core/means.h"
#include "lp/tight.h"
#include "trace/alloc.h"

double tv_time_elsewhere(const struct tv_means *means, const struct tv_duration_rule *rule,
			 const struct tv_tasks *tasks, uint32_t type, uint32_t own, uint32_t row)
{
	const struct tv_pair *pair = &means->pair[(size_t)type * means->nrtypes];
	double best = INFINITY;

	for (uint32_t r = 0; r < means->nrtypes; r++) {
		const struct tv_weight *given = NULL;

		if (r == own)
			continue;
		if (rule != NULL)
			given = tv_duration_rule_find(rule, means->type[type],
						      tasks->rtype[r].label);
		if (given != NULL)
			best = fmin(best, given->ns * tv_row_share(tasks, row));
		else if (pair[r].executions > 0)
			best = fmin(best, tv_mean(&pair[r]));
	}
	return best;
}

/* The same of all types and resource types, without a rule. */
static double *all_elsewhere(const struct tv_means *means, const struct tv_tasks *tasks)
{
	uint32_t nr = means->nrtypes;
	double *best = tv_alloc((size_t)means->ntypes * nr, sizeof *best);

	for (uint32_t t = 0; t < means->ntypes; t++)
		for (uint32_t r = 0; r < nr; r++)
			best[(size_t)t * nr + r] = tv_time_elsewhere(means, NULL, tasks, t, r,
								     TV_NONE);
	return best;
}

/* By node: the share of its creator that had run when it was created; NULL where nothing was created. */
static double *find_done(const struct tv_dag *dag)
{
	double *done = dag->creator == NULL ? NULL : tv_alloc(dag->n, sizeof *done);

	for (uint32_t v = 0; done != NULL && v < dag->n; v++) {
		uint32_t u = dag->creator[v];
		int64_t until;

		if (u == TV_NONE || !dag->timed[u] || dag->end[u] == dag->start[u])
			continue;
		until = tv_dag_reaches(dag, v, u, dag->end[u]);
		done[v] = until <= dag->start[u] ? 0
						 : (double)(until - dag->start[u])
							   / (double)(dag->end[u] - dag->start[u]);
	}
	return done;
}

/* The length of a path of maximum weight; path, an array of dag->n, receives the *n nodes of it. */
static int64_t length(const struct tv_dag *dag, const double *weight, const double *done,
		      uint32_t *path, uint32_t *n)
{
	double sum = 0;

	*n = tv_dag_longest(dag, weight, done, path);
	for (uint32_t i = 0; i < *n; i++) {
		sum += weight[path[i]];
		if (i > 0)
			sum -= tv_dag_beside(dag, weight, done, path[i - 1], path[i]);
	}
	return llround(sum);
}

/* By node of the graph: what it took, ns. Free with tv_free. */
static double *recorded_weights(const struct tv_tasks *tasks, const struct tv_dag *dag)
{
	double *weight = tv_realloc(NULL, dag->n, sizeof *weight);

	for (uint32_t v = 0; v < dag->n; v++)
		weight[v] = dag->task[v] && dag->timed[v] && tv_task_ended(tasks, dag->row[v])
				  ? (double)(dag->end[v] - dag->start[v])
				  : 0;
	return weight;
}

static int64_t best_placed(struct tv_run *run, const struct tv_dag *dag, const double *done,
			   const struct tv_duration_rule *rule)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_means *means = &tv_run_estimates_of(run, true)->means[0];
	double *weight = recorded_weights(tasks, dag);
	uint32_t *path = tv_realloc(NULL, dag->n, sizeof *path), n;
	double *best = rule == NULL ? all_elsewhere(means, tasks) : NULL;
	int64_t placed;

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v], type, own;

		if (weight[v] <= 0 || !tasks->counted[row])
			continue;
		type = tv_means_type(means, row);
		own = tasks->workers[tasks->worker[row]].rtype;
		weight[v] = fmin(weight[v], best != NULL ? best[(size_t)type * means->nrtypes + own]
							 : tv_time_elsewhere(means, rule, tasks,
									     type, own, row));
	}
	tv_free(best);
	placed = length(dag, weight, done, path, &n);
	tv_free(weight);
	tv_free(path);
	return placed;
}

/* What the run keeps. */
struct kept {
	struct tv_longest longest;
	double *done; /* as find_done gives it */
};

/* Without `placed`, and without the nodes that only link the tasks of the path. */
static struct kept *find_recorded(const struct tv_tasks *tasks, const struct tv_dag *dag)
{
	struct kept *kept = tv_alloc(1, sizeof *kept);
	struct tv_longest *longest = &kept->longest;
	double *weight = recorded_weights(tasks, dag);
	uint32_t *path = tv_realloc(NULL, dag->n, sizeof *path), n;

	kept->done = find_done(dag);
	longest->recorded = length(dag, weight, kept->done, path, &n);
	longest->placed = -1;
	for (uint32_t i = 0; i < n; i++)
		if (weight[path[i]] > 0)
			path[longest->n++] = path[i];
	longest->node = tv_realloc(path, longest->n, sizeof *path);
	tv_free(weight);
	return kept;
}

static void release(void *data)
{
	struct kept *kept = data;

	tv_free(kept->longest.node);
	tv_free(kept->done);
	tv_free(kept);
}

int tv_run_longest(struct tv_longest *longest, struct tv_run *run,
		   const struct tv_duration_rule *rule, struct tv_error *err)
{
	static const char key;
	const struct tv_dag *dag = tv_run_dag(run, err);
	struct kept *kept = tv_run_kept(run, &key);

	*longest = (struct tv_longest){ 0 };
	if (dag == NULL)
		return -1;
	if (kept == NULL) {
		kept = find_recorded(&run->tasks, dag);
		tv_run_keep(run, &key, kept, release);
	}
	*longest = kept->longest;
	if (run->tasks.nrtypes <= 1)
		longest->placed = longest->recorded;
	else if (rule != NULL)
		longest->placed = best_placed(run, dag, kept->done, rule);
	else if (longest->placed < 0)
		longest->placed = kept->longest.placed = best_placed(run, dag, kept->done, NULL);
	return 0;
}

/* By node: the time that workers ran it, ns; 0 of what does not count. */
static double *worker_time(const struct tv_tasks *tasks, const struct tv_dag *dag)
{
	double *time = tv_alloc(dag->n, sizeof *time);

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_task_ended(tasks, row))
			time[dag->node_of_row[row]] += (double)tv_row_device_time(tasks, row);
	return time;
}

int tv_run_forced(struct tv_run *run, int64_t *time, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_dag *dag = tv_run_dag(run, err);
	const double ns = 1, workers = tasks->nworkers;
	/* One type, of which 1 ns of each task is a piece. */
	const struct tv_area area = { 1, 1, NULL, &ns, &workers };
	struct tv_tight tight = { .area = &area };
	double *weight, *head, *tail, *count, bound;
	uint32_t *type;
	bool all;
	int rc;

	*time = 0;
	if (dag == NULL)
		return -1;
	if (tasks->nrtypes != 1 || dag->creator != NULL)
		return 0;
	weight = recorded_weights(tasks, dag);
	count = worker_time(tasks, dag);
	head = tv_alloc(dag->n, sizeof *head);
	tail = tv_alloc(dag->n, sizeof *tail);
	type = tv_alloc(dag->n, sizeof *type);
	tv_dag_around(dag, weight, head, tail);
	for (uint32_t v = 0; v < dag->n; v++) {
		if (count[v] <= 0)
			continue;
		head[tight.n] = head[v];
		tail[tight.n] = tail[v];
		count[tight.n++] = count[v];
	}
	tight.head = head;
	tight.tail = tail;
	tight.count = count;
	tight.type = type;
	rc = tv_tight_bound(&tight, &bound, &all, err);
	if (rc == 0)
		*time = llround(fmin(bound, (double)(tasks->finish - tasks->begin)));
	tv_free(weight);
	tv_free(count);
	tv_free(head);
	tv_free(tail);
	tv_free(type);
	return rc;
}
