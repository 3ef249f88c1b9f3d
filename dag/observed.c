/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observed.c -- walk back from the last task along dependencies and workers. */
#include "dag/observed.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/sorted.h"
#include "trace/text.h"

struct walk {
	const struct tv_dag *dag;
	uint32_t *last;		/* by node: its last dependency; NULL = tv_dag_arrival finds it */
	struct tv_arrival *how; /* by node: of that */
	bool *visited;		/* by node */
	bool follows_workers;
	struct tv_groups rows; /* of every node; none where each row is a node */
	struct tv_groups
		workers; /* their counted rows: once they are listed by end, of equal ones the smallest JobId last */
	uint32_t *
		left; /* by worker: executions from there on are out of reach; TV_NONE = they are not listed yet */
};

static int order_ends(const struct tv_dag *dag, uint32_t x, uint32_t y)
{
	const struct tv_tasks *tasks = dag->tasks;
	uint32_t a = dag->node_of_row[x], b = dag->node_of_row[y];
	int order;

	if (tasks->end[x] != tasks->end[y])
		return TV_COMPARE(tasks->end[x], tasks->end[y]);
	order = tv_natural_order(tv_pool_text(tasks->pool, tv_dag_job(dag, b)),
				 tv_pool_text(tasks->pool, tv_dag_job(dag, a)));
	return order != 0 ? order : TV_COMPARE(b, a);
}

static int by_end(const void *a, const void *b, void *dag)
{
	return order_ends(dag, *(const uint32_t *)a, *(const uint32_t *)b);
}

static void prepare_workers(struct walk *walk)
{
	const struct tv_dag *dag = walk->dag;
	const struct tv_tasks *tasks = dag->tasks;

	walk->left = tv_alloc(tasks->nworkers, sizeof *walk->left);
	if (!dag->are_rows)
		tv_groups_init(&walk->rows, dag->node_of_row, tasks->n, dag->n);
	tv_tasks_by_worker(tasks, tasks->counted, &walk->workers);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		walk->left[w] = TV_NONE;
}

/* A path meets few of many workers. */
static void list_done(struct walk *walk, uint32_t w)
{
	const int64_t *end = walk->dag->tasks->end;
	uint32_t *row = walk->workers.row + walk->workers.first[w];
	uint32_t n = walk->workers.first[w + 1] - walk->workers.first[w];

	tv_sort_rows_by_time(row, n, end);
	for (uint32_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && end[row[next]] == end[row[i]]; next++)
			;
		if (next - i > 1)
			qsort_r(row + i, next - i, sizeof *row, by_end, (void *)walk->dag);
	}
	walk->left[w] = walk->workers.first[w + 1];
}

/* The row of the last execution of another job that ended on worker w by then; TV_NONE. */
static uint32_t previous_on(struct walk *walk, uint32_t w, int64_t by)
{
	const struct tv_dag *dag = walk->dag;

	if (walk->left[w] == TV_NONE)
		list_done(walk, w);
	/* The walk never goes forward in time, so what is too late now is too late for good. */
	while (walk->left[w] > walk->workers.first[w]) {
		uint32_t row = walk->workers.row[walk->left[w] - 1];

		if (dag->tasks->end[row] <= by && !walk->visited[dag->node_of_row[row]])
			return row;
		walk->left[w]--;
	}
	return TV_NONE;
}

/* On any worker of v. */
static uint32_t previous(struct walk *walk, uint32_t v, int64_t by)
{
	const struct tv_tasks *tasks = walk->dag->tasks;
	const struct tv_groups *rows = &walk->rows;
	uint32_t first = rows->row == NULL ? v : rows->first[v];
	uint32_t end = rows->row == NULL ? v + 1 : rows->first[v + 1], best = TV_NONE;

	if (!walk->follows_workers || !walk->dag->task[v])
		return TV_NONE;
	for (uint32_t i = first; i < end; i++) {
		uint32_t row = rows->row == NULL ? i : rows->row[i];
		uint32_t done = tasks->counted[row] ? previous_on(walk, tasks->worker[row], by)
						    : TV_NONE;

		if (done != TV_NONE && (best == TV_NONE || order_ends(walk->dag, best, done) < 0))
			best = done;
	}
	return best;
}

static uint32_t last_of(const struct walk *walk, uint32_t v, struct tv_arrival *how)
{
	if (walk->last == NULL)
		return tv_dag_arrival(walk->dag, v, how);
	*how = walk->how[v];
	return walk->last[v];
}

static const enum tv_edge edge_of[TV_NDEPENDENCIES] = {
	[TV_DEPENDENCY] = TV_EDGE_DEPENDENCY,
	[TV_EXCLUSION] = TV_EDGE_EXCLUSION,
	[TV_CREATION] = TV_EDGE_CREATION,
};

/* What v came after, given that the chain starts `by` then; TV_NONE at its root. *until: when that
 * let it go on. */
static uint32_t step_back(struct walk *walk, uint32_t v, int64_t by, enum tv_edge *edge,
			  int64_t *until)
{
	const struct tv_dag *dag = walk->dag;
	uint32_t before = previous(walk, v, by);
	struct tv_arrival how;
	uint32_t u = last_of(walk, v, &how);

	if (u != TV_NONE && walk->visited[u])
		u = TV_NONE;
	*until = how.time;
	if (before != TV_NONE && (u == TV_NONE || dag->tasks->end[before] > *until)) {
		*until = INT64_MAX;
		*edge = TV_EDGE_WORKER;
		return dag->node_of_row[before];
	}
	*edge = u == TV_NONE ? TV_EDGE_NONE : !dag->task[u] ? TV_EDGE_MESSAGE : edge_of[how.kind];
	return u;
}

/* The task that ended last; of equal ones the smallest JobId. */
static uint32_t last_task(const struct tv_dag *dag)
{
	uint32_t best = TV_NONE;

	for (uint32_t v = 0; v < dag->n; v++)
		if (dag->task[v] && tv_dag_later(dag, v, best))
			best = v;
	return best;
}

static int64_t within(int64_t low, int64_t x, int64_t high)
{
	return x > high ? high : x < low ? low : x;
}

static void follow(struct walk *walk, struct tv_observed *observed)
{
	const struct tv_dag *dag = walk->dag;
	int64_t begin = dag->tasks->begin, by = dag->tasks->finish, until = by;
	size_t cap = 0;

	for (uint32_t v = last_task(dag); v != TV_NONE;) {
		struct tv_step step = { .node = v };

		TV_GROW(observed->step, observed->n, cap, 1);
		walk->visited[v] = true;
		step.end = within(begin, dag->end[v] < until ? dag->end[v] : until, by);
		step.start = by = within(begin, dag->start[v], step.end);
		v = step_back(walk, v, by, &step.edge, &until);
		observed->step[observed->n++] = step;
	}
	for (uint32_t i = 0; i < observed->n / 2; i++) {
		struct tv_step step = observed->step[i];

		observed->step[i] = observed->step[observed->n - 1 - i];
		observed->step[observed->n - 1 - i] = step;
	}
}

void tv_observed_init(struct tv_observed *observed, const struct tv_dag *dag, bool workers)
{
	struct walk walk = { .dag = dag, .follows_workers = workers };

	*observed = (struct tv_observed){ 0 };
	walk.visited = tv_alloc(dag->n, sizeof *walk.visited);
	if (!tv_dag_arrives_at_once(dag)) {
		walk.last = tv_alloc(dag->n, sizeof *walk.last);
		walk.how = tv_alloc(dag->n, sizeof *walk.how);
		tv_dag_arrivals(dag, walk.last, walk.how);
	}
	if (workers)
		prepare_workers(&walk);
	follow(&walk, observed);
	tv_free(walk.last);
	tv_free(walk.visited);
	tv_free(walk.how);
	tv_groups_release(&walk.rows);
	tv_groups_release(&walk.workers);
	tv_free(walk.left);
}

void tv_observed_release(struct tv_observed *observed)
{
	tv_free(observed->step);
	*observed = (struct tv_observed){ 0 };
}
