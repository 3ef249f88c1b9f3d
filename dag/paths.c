/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.c -- longest path, last dependencies, releases. */
#include "dag/dag.h"

#include "trace/alloc.h"
#include "trace/text.h"

/* length[v]: weight of the heaviest path that ends in v; via[v]: the node before v on it. */
static uint32_t measure(const struct tv_dag *dag, const double *weight, double *length,
			uint32_t *via)
{
	uint32_t end = TV_NONE;

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		length[v] = 0;
		via[v] = TV_NONE;
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
			if (via[v] == TV_NONE || length[dag->pred[k]] > length[v]) {
				via[v] = dag->pred[k];
				length[v] = length[via[v]];
			}
		length[v] += weight[v];
		if (end == TV_NONE || length[v] > length[end])
			end = v;
	}
	return end;
}

uint32_t tv_dag_longest(const struct tv_dag *dag, const double *weight, uint32_t *path)
{
	double *length = tv_alloc(dag->n, sizeof *length);
	uint32_t *via = tv_alloc(dag->n, sizeof *via);
	uint32_t end = measure(dag, weight, length, via), n = 0, i;

	for (uint32_t v = end; v != TV_NONE; v = via[v])
		n++;
	i = n;
	for (uint32_t v = end; v != TV_NONE; v = via[v])
		path[--i] = v;
	tv_free(length);
	tv_free(via);
	return n;
}

void tv_dag_around(const struct tv_dag *dag, const double *weight, double *head, double *tail)
{
	for (uint32_t v = 0; v < dag->n; v++)
		head[v] = tail[v] = 0;
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			uint32_t u = dag->pred[k];

			if (head[u] + weight[u] > head[v])
				head[v] = head[u] + weight[u];
		}
	}
	for (uint32_t i = dag->n; i-- > 0;) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			uint32_t u = dag->pred[k];

			if (tail[v] + weight[v] > tail[u])
				tail[u] = tail[v] + weight[v];
		}
	}
}

bool tv_dag_later(const struct tv_dag *dag, uint32_t a, uint32_t b)
{
	int order;

	if (b == TV_NONE || dag->end[a] != dag->end[b])
		return b == TV_NONE || dag->end[a] > dag->end[b];
	order = tv_natural_order(tv_pool_text(dag->tasks->pool, tv_dag_job(dag, a)),
				 tv_pool_text(dag->tasks->pool, tv_dag_job(dag, b)));
	return order < 0 || (order == 0 && a < b);
}

/* Among which nodes last dependencies are looked for. */
enum among { TASKS, TASKS_AND_MESSAGES, TIMED };

static bool is_among(const struct tv_dag *dag, enum among among, uint32_t v)
{
	return among == TIMED
		     ? dag->timed[v]
		     : dag->task[v] || (among == TASKS_AND_MESSAGES && tv_dag_is_message(dag, v));
}

static void find_last(const struct tv_dag *dag, enum among among, uint32_t *last, bool *excluded)
{
	/* The node itself where it stops, else its own last dependency. */
	uint32_t *behind = tv_alloc(dag->n, sizeof *behind);

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->sequence[i], best = TV_NONE, n = tv_dag_nbefore(dag, v);
		bool stops = is_among(dag, among, v), excludes = false;

		for (uint32_t k = 0; k < n; k++) {
			uint32_t u = behind[tv_dag_before(dag, v, k)];

			if (u != TV_NONE && u != best && tv_dag_later(dag, u, best)) {
				best = u;
				excludes = tv_dag_excludes(dag, v, k);
			}
		}
		behind[v] = stops ? v : best;
		last[v] = stops || among == TIMED ? best : TV_NONE;
		if (excluded != NULL)
			excluded[v] = stops && excludes;
	}
	tv_free(behind);
}

void tv_dag_last(const struct tv_dag *dag, uint32_t *last, bool *excluded)
{
	find_last(dag, TASKS, last, excluded);
}

void tv_dag_arrivals(const struct tv_dag *dag, uint32_t *last, bool *excluded)
{
	find_last(dag, TASKS_AND_MESSAGES, last, excluded);
}

void tv_dag_awaited(const struct tv_dag *dag, uint32_t *last)
{
	find_last(dag, TIMED, last, NULL);
}

/* The first step that a path through u takes: u itself if it is one. */
static uint32_t step_at(const struct tv_dag *dag, const uint32_t *step, uint32_t u)
{
	return dag->task[u] || tv_dag_is_message(dag, u) ? u : step[u];
}

void tv_dag_steps(const struct tv_dag *dag, const uint32_t *last, uint32_t *step)
{
	uint32_t *behind = tv_alloc(dag->n, sizeof *behind);

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->sequence[i], best = dag->task[v] ? last[v] : TV_NONE;
		uint32_t n = tv_dag_nbefore(dag, v);

		step[v] = TV_NONE;
		for (uint32_t k = 0; k < n; k++) {
			uint32_t p = tv_dag_before(dag, v, k);
			uint32_t u = dag->task[p] ? p : behind[p], via;

			if (u == TV_NONE || (dag->task[v] && u != best))
				continue;
			via = step_at(dag, step, p);
			if (u != best ? tv_dag_later(dag, u, best)
				      : via != step[v] && tv_dag_later(dag, via, step[v])) {
				best = u;
				step[v] = via;
			}
		}
		behind[v] = best;
	}
	tv_free(behind);
}

/* When successors of a node no longer wait for it: its end, or its release if it has no time. */
static int64_t end_or_release(const struct tv_dag *dag, const int64_t *released, uint32_t node)
{
	return dag->timed[node] ? dag->end[node] : released[node];
}

/* Pending jobs that depend on pending jobs, also through nodes without time, are never released. A
 * job that ran although its predecessor is pending shows that the predecessor was done. */
static void mark_never_released(const struct tv_dag *dag, int64_t *released)
{
	const struct tv_tasks *tasks = dag->tasks;

	for (uint32_t i = 0; tasks->npending > 0 && i < dag->n; i++) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; !dag->timed[v] && k < dag->first[v + 1]; k++) {
			uint32_t p = dag->pred[k];

			if (tasks->kind[dag->row[p]] == TV_PENDING
			    || (!dag->timed[p] && released[p] == INT64_MAX))
				released[v] = INT64_MAX;
		}
	}
}

void tv_dag_released(const struct tv_dag *dag, int64_t *released)
{
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		released[v] = dag->earliest[v];
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
			if (end_or_release(dag, released, dag->pred[k]) > released[v])
				released[v] = end_or_release(dag, released, dag->pred[k]);
	}
	mark_never_released(dag, released);
}
