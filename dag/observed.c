/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observed.c -- walk back from the last task along dependencies and workers. */
#include "dag/observed.h"

#include <stddef.h>

#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A counted execution, as its worker remembers it. */
struct done {
	int64_t end;
	const char *job;
	uint32_t node;
};

struct walk {
	const struct tv_dag *dag;
	uint32_t *last;		  /* by node: its last dependency */
	struct tv_arrival *how;	  /* by node: of that */
	bool *visited;		  /* by node */
	struct tv_groups rows;	  /* of every node; only where workers are followed */
	struct tv_groups workers; /* their rows; first[] delimits those of done */
	struct done *done;	  /* by worker, then end; of equal ones the smallest JobId last */
	uint32_t *
		left; /* by worker: executions from there on are out of reach; TV_NONE = they are not listed yet */
};

static int by_end(const void *a, const void *b)
{
	const struct done *x = a, *y = b;
	int order = x->end == y->end ? tv_natural_order(y->job, x->job) : 0;

	if (x->end != y->end)
		return TV_COMPARE(x->end, y->end);
	return order != 0 ? order : TV_COMPARE(y->node, x->node);
}

static void prepare_workers(struct walk *walk)
{
	const struct tv_dag *dag = walk->dag;
	const struct tv_tasks *tasks = dag->tasks;

	walk->done = tv_alloc(tasks->ncounted, sizeof *walk->done);
	walk->left = tv_alloc(tasks->nworkers, sizeof *walk->left);
	tv_groups_init(&walk->rows, dag->node_of_row, tasks->n, dag->n);
	tv_tasks_by_worker(tasks, tasks->counted, &walk->workers);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		walk->left[w] = TV_NONE;
}

/* A path meets few of many workers. */
static void list_done(struct walk *walk, uint32_t w)
{
	const struct tv_dag *dag = walk->dag;
	const struct tv_tasks *tasks = dag->tasks;
	uint32_t first = walk->workers.first[w], end = walk->workers.first[w + 1];

	for (uint32_t i = first; i < end; i++) {
		uint32_t row = walk->workers.row[i], node = dag->node_of_row[row];

		walk->done[i] = (struct done){ tasks->end[row],
					       tv_pool_text(tasks->pool, tv_dag_job(dag, node)),
					       node };
	}
	tv_sort_by_time(walk->done + first, end - first, sizeof *walk->done,
			offsetof(struct done, end), by_end);
	walk->left[w] = end;
}

/* The last execution of another job that ended on worker w by then, or NULL. */
static const struct done *previous_on(struct walk *walk, uint32_t w, int64_t by)
{
	if (walk->left[w] == TV_NONE)
		list_done(walk, w);
	/* The walk never goes forward in time, so what is too late now is too late for good. */
	while (walk->left[w] > walk->workers.first[w]) {
		const struct done *d = &walk->done[walk->left[w] - 1];

		if (d->end <= by && !walk->visited[d->node])
			return d;
		walk->left[w]--;
	}
	return NULL;
}

static const struct done *previous(struct walk *walk, uint32_t v, int64_t by)
{
	const struct tv_tasks *tasks = walk->dag->tasks;
	const struct done *best = NULL;

	if (walk->done == NULL || !walk->dag->task[v])
		return NULL;
	for (uint32_t i = walk->rows.first[v]; i < walk->rows.first[v + 1]; i++) {
		uint32_t row = walk->rows.row[i];
		const struct done *d = tasks->counted[row]
					     ? previous_on(walk, tasks->worker[row], by)
					     : NULL;

		if (d != NULL && (best == NULL || by_end(best, d) < 0))
			best = d;
	}
	return best;
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
	const struct done *before = previous(walk, v, by);
	uint32_t u = walk->last[v];

	if (u != TV_NONE && walk->visited[u])
		u = TV_NONE;
	*until = walk->how[v].time;
	if (before != NULL && (u == TV_NONE || before->end > *until)) {
		*until = INT64_MAX;
		*edge = TV_EDGE_WORKER;
		return before->node;
	}
	*edge = u == TV_NONE  ? TV_EDGE_NONE
	      : !dag->task[u] ? TV_EDGE_MESSAGE
			      : edge_of[walk->how[v].kind];
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
	struct walk walk = { .dag = dag };

	*observed = (struct tv_observed){ 0 };
	walk.last = tv_alloc(dag->n, sizeof *walk.last);
	walk.visited = tv_alloc(dag->n, sizeof *walk.visited);
	walk.how = tv_alloc(dag->n, sizeof *walk.how);
	tv_dag_arrivals(dag, walk.last, walk.how);
	if (workers)
		prepare_workers(&walk);
	follow(&walk, observed);
	tv_free(walk.last);
	tv_free(walk.visited);
	tv_free(walk.how);
	tv_groups_release(&walk.rows);
	tv_groups_release(&walk.workers);
	tv_free(walk.done);
	tv_free(walk.left);
}

void tv_observed_release(struct tv_observed *observed)
{
	tv_free(observed->step);
	*observed = (struct tv_observed){ 0 };
}
