/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprits.c -- what went on elsewhere while a worker was idle, without remainder. */
#include "dag/culprits.h"

#include "dag/blame.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

struct walk {
	const struct tv_waits *waits;
	const struct tv_fetches *fetches;
	const struct tv_dag *dag;
	const struct tv_tasks *tasks;
	tv_idle_culprit_part *part;
	void *to;
	struct tv_awaited awaited;
	struct tv_groups starts; /* counted rows by worker, those by Start, then row */
	struct tv_groups
		runs;	/* the same of executed rows; the same arrays where all are counted */
	int64_t *until; /* by place in runs: the latest end of a worker's rows up to there */
	struct tv_groups
		of_node; /* executed rows by node of the graph; none where nodes are rows */
	uint32_t final;	 /* node of the counted task that ends last */
	uint32_t worker; /* whose idle time is divided */
};

const char *tv_idle_culprit_name(enum tv_idle_culprit culprit)
{
	static const char *const name[] = {
#define NAME(symbol, text, ...) [TV_IDLE_CULPRIT_##symbol] = (text),
		TV_IDLE_CULPRITS(NAME)
#undef NAME
	};

	return name[culprit];
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void blame(const struct walk *walk, int64_t begin, int64_t end, enum tv_idle_culprit what,
		  uint32_t row, uint32_t steps)
{
	if (begin < end)
		walk->part(walk->to, &(struct tv_idle_culprit_span){ walk->worker, what, row,
								     steps <= 1, begin, end });
}

static void blame_run(const struct walk *walk, int64_t begin, int64_t end, uint32_t row,
		      uint32_t steps)
{
	enum tv_idle_culprit what = walk->tasks->kind[row] == TV_MESSAGE ? TV_IDLE_CULPRIT_MESSAGE
				  : walk->tasks->counted[row]		 ? TV_IDLE_CULPRIT_TASK
									 : TV_IDLE_CULPRIT_OTHER;

	blame(walk, begin, end, what, row, steps);
}

/* ---- a released task that does not start ---- */

/* Nothing runs where it will: its data are under way, or not. */
static void blame_start(const struct walk *walk, int64_t begin, int64_t end, uint32_t row,
			uint32_t steps)
{
	size_t n;
	const struct tv_fetch *fetch = tv_fetches_of(walk->fetches, row, &n);

	for (size_t i = 0; i < n && begin < end; i++) {
		int64_t from = sooner(later(begin, fetch[i].begin), end);
		int64_t to = sooner(later(from, fetch[i].end), end);

		blame(walk, begin, from, TV_IDLE_CULPRIT_RUNTIME, row, steps);
		blame(walk, from, to, TV_IDLE_CULPRIT_DATA, row, steps);
		begin = to;
	}
	blame(walk, begin, end,
	      tv_waits_known(walk->waits) ? TV_IDLE_CULPRIT_RUNTIME : TV_IDLE_CULPRIT_UNEXPLAINED,
	      row, steps);
}

/* Executions of a node that start it, each on its worker. */
struct starts {
	const uint32_t *row;
	uint32_t n;
	int64_t time;
	uint32_t steps;
};

static void blame_gap(const struct walk *walk, const struct starts *starts, uint32_t k,
		      int64_t begin, int64_t end);

/* The k-th worker of a node, where those before it run nothing and are in no call. */
static void look(const struct walk *walk, const struct starts *starts, uint32_t k, int64_t begin,
		 int64_t end)
{
	uint32_t w, i;

	while (k < starts->n && walk->tasks->start[starts->row[k]] != starts->time)
		k++;
	if (begin >= end || k >= starts->n) {
		blame_start(walk, begin, end, starts->row[0], starts->steps);
		return;
	}
	w = walk->tasks->worker[starts->row[k]];
	TV_LOWER_BOUND(i, walk->runs.first[w], walk->runs.first[w + 1], walk->until[i] <= begin);
	for (; begin < end && i < walk->runs.first[w + 1]; i++) {
		uint32_t row = walk->runs.row[i];
		int64_t from = sooner(later(begin, walk->tasks->start[row]), end);
		int64_t to = sooner(later(from, walk->tasks->end[row]), end);

		blame_gap(walk, starts, k, begin, from);
		blame_run(walk, from, to, row, starts->steps);
		begin = to;
	}
	blame_gap(walk, starts, k, begin, end);
}

static void blame_gap(const struct walk *walk, const struct starts *starts, uint32_t k,
		      int64_t begin, int64_t end)
{
	uint32_t w = walk->tasks->worker[starts->row[k]], call;

	for (int64_t to; begin < end; begin = to) {
		to = tv_in_call_until(&walk->waits->calls, w, begin, end, &call);
		if (call != TV_NONE)
			blame(walk, begin, to, TV_IDLE_CULPRIT_CALL, call, starts->steps);
		else
			look(walk, starts, k + 1, begin, to);
	}
}

/* The executions of a node. */
static const uint32_t *rows_of(const struct walk *walk, uint32_t v, uint32_t *n)
{
	uint32_t first;

	if (walk->dag->are_rows) {
		*n = walk->tasks->executed[v];
		return walk->dag->row + v;
	}
	first = walk->of_node.first[v];
	*n = walk->of_node.first[v + 1] - first;
	return walk->of_node.row + first;
}

/* Node v is released and does not start in [begin, end). */
static void blame_waiting(const struct walk *walk, uint32_t v, int64_t begin, int64_t end,
			  uint32_t steps)
{
	uint32_t n;
	const uint32_t *row = rows_of(walk, v, &n);
	const struct starts starts = { row, n, walk->dag->start[v], steps + 1 };

	if (begin >= end)
		return;
	if (tv_dag_is_message(walk->dag, v))
		blame(walk, begin, end, TV_IDLE_CULPRIT_UNSENT, walk->dag->row[v], steps);
	else
		look(walk, &starts, 0, begin, end);
}

/* ---- the walk ---- */

/* Divides [begin, end), before whose end node v has not ended. */
static void divide(const struct walk *walk, uint32_t v, int64_t begin, int64_t end, uint32_t steps)
{
	while (begin < end) {
		struct tv_blame_step step;
		int64_t allowed;
		uint32_t before = tv_awaited_before(&walk->awaited, v, &allowed);

		tv_blame_step_at(&step, walk->dag, v, before, allowed, begin, end);
		blame_run(walk, step.started, end, walk->dag->row[v], steps);
		blame_waiting(walk, v, step.released, step.started, steps);
		blame(walk, begin, step.submitted, TV_IDLE_CULPRIT_SUBMISSION, walk->dag->row[v],
		      steps);
		begin = step.submitted;
		end = step.released;
		v = before;
		steps++;
	}
}

/* A span in which the worker runs nothing and is in no call; tasks that take no time may start in it. */
static void divide_span(const struct walk *walk, int64_t begin, int64_t end)
{
	const struct tv_tasks *tasks = walk->tasks;
	uint32_t first = walk->starts.first[walk->worker];
	uint32_t n = walk->starts.first[walk->worker + 1] - first;

	for (uint32_t i = tv_rows_started(tasks, walk->starts.row + first, n, begin); begin < end;
	     i++) {
		uint32_t row = i < n ? walk->starts.row[first + i] : TV_NONE;
		int64_t to = row == TV_NONE ? end : sooner(tasks->start[row], end);

		if (row == TV_NONE)
			divide(walk, walk->final, begin, to, 1);
		else
			divide(walk, walk->dag->node_of_row[row], begin, to, 0);
		begin = to;
	}
}

/* A span in which the worker runs nothing: inside calls, or not. */
static void divide_gap(const struct walk *walk, int64_t begin, int64_t end)
{
	uint32_t call;

	for (int64_t to; begin < end; begin = to) {
		to = tv_in_call_until(&walk->waits->calls, walk->worker, begin, end, &call);
		if (call != TV_NONE)
			blame(walk, begin, to, TV_IDLE_CULPRIT_CALL, call, 0);
		else
			divide_span(walk, begin, to);
	}
}

/* The gaps of all workers in the order of what follows them: what the walks look at is then near to what those before looked at,
 * which in large runs saves half of the time. */
static void divide_gaps(struct walk *walk, int64_t begin, int64_t end)
{
	const struct tv_tasks *tasks = walk->tasks;
	uint32_t n = 0, *row = tv_alloc(tasks->n, sizeof *row);
	int64_t *from = tv_alloc(tasks->nworkers, sizeof *from); /* where the worker's gap begins */

	for (uint32_t i = 0; i < tasks->n; i++)
		if (tasks->executed[i])
			row[n++] = i;
	tv_sort_rows_by_time(row, n, tasks->start);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		from[w] = begin;
	for (uint32_t i = 0; i < n; i++) {
		walk->worker = tasks->worker[row[i]];
		divide_gap(walk, from[walk->worker], sooner(tasks->start[row[i]], end));
		from[walk->worker] = later(from[walk->worker], tasks->end[row[i]]);
	}
	for (walk->worker = 0; walk->worker < tasks->nworkers; walk->worker++)
		divide_gap(walk, from[walk->worker], end);
	tv_free(row);
	tv_free(from);
}

/* ---- the whole ---- */

static void find_until(struct walk *walk)
{
	walk->until = tv_alloc(walk->runs.first[walk->runs.n], sizeof *walk->until);
	for (uint32_t w = 0; w < walk->runs.n; w++) {
		int64_t until = INT64_MIN;

		for (uint32_t i = walk->runs.first[w]; i < walk->runs.first[w + 1]; i++)
			walk->until[i] = until = later(until, walk->tasks->end[walk->runs.row[i]]);
	}
}

static void find_final(struct walk *walk)
{
	walk->final = TV_NONE;
	for (uint32_t row = 0; row < walk->tasks->n; row++)
		if (walk->tasks->counted[row]
		    && tv_dag_later(walk->dag, walk->dag->node_of_row[row], walk->final))
			walk->final = walk->dag->node_of_row[row];
}

static bool all_executed_count(const struct tv_tasks *tasks)
{
	uint32_t row = 0;

	while (row < tasks->n && tasks->executed[row] == tasks->counted[row])
		row++;
	return row == tasks->n;
}

static void group_by_node(struct walk *walk)
{
	const struct tv_tasks *tasks = walk->tasks;
	uint32_t *node = tv_realloc(NULL, tasks->n, sizeof *node);

	for (uint32_t row = 0; row < tasks->n; row++)
		node[row] = tasks->executed[row] ? walk->dag->node_of_row[row] : TV_NONE;
	tv_groups_init(&walk->of_node, node, tasks->n, walk->dag->n);
	tv_free(node);
}

static void walk_init(struct walk *walk)
{
	tv_awaited_init(&walk->awaited, walk->dag);
	tv_tasks_by_start(walk->tasks, walk->tasks->counted, &walk->starts);
	if (all_executed_count(walk->tasks))
		walk->runs = walk->starts;
	else
		tv_tasks_by_start(walk->tasks, walk->tasks->executed, &walk->runs);
	if (!walk->dag->are_rows)
		group_by_node(walk);
	find_until(walk);
	find_final(walk);
}

static void walk_release(struct walk *walk)
{
	tv_awaited_release(&walk->awaited);
	tv_free(walk->until);
	if (walk->runs.row != walk->starts.row)
		tv_groups_release(&walk->runs);
	tv_groups_release(&walk->starts);
	tv_groups_release(&walk->of_node);
}

void tv_idle_culprits(const struct tv_waits *waits, const struct tv_fetches *fetches, int64_t begin,
		      int64_t end, tv_idle_culprit_part *part, void *to)
{
	struct walk walk = { .waits = waits,
			     .fetches = fetches,
			     .dag = waits->dag,
			     .tasks = waits->dag->tasks,
			     .part = part,
			     .to = to };

	walk_init(&walk);
	if (walk.final != TV_NONE)
		divide_gaps(&walk, begin, end);
	walk_release(&walk);
}
