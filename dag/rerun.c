/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rerun.c -- the recorded run again, as early as its tasks allow. */
#include "dag/rerun.h"

#include "trace/alloc.h"

/* ---- blocks ---- */

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void add_block(struct tv_rerun *replay, uint32_t node, uint32_t first)
{
	replay->block[replay->nblocks++] = (struct tv_rerun_block){ node, first, 0 };
}

/* The n counted executions of a node, in order of Start: those before whose Start all earlier ones have ended begin a
 * block. */
static void divide(struct tv_rerun *replay, uint32_t v, uint32_t first, uint32_t n)
{
	const struct tv_tasks *tasks = replay->dag->tasks;
	int64_t end = INT64_MIN;

	replay->opening[v] = replay->nblocks;
	if (n == 0)
		add_block(replay, v, first);
	for (uint32_t i = first; i < first + n; i++) {
		uint32_t row = replay->row[i];

		if (i == first || tasks->start[row] >= end)
			add_block(replay, v, i);
		replay->block[replay->nblocks - 1].n++;
		end = later(end, tasks->end[row]);
	}
}

static void find_blocks(struct tv_rerun *replay)
{
	const struct tv_dag *dag = replay->dag;
	const struct tv_tasks *tasks = dag->tasks;
	uint32_t *node = tv_alloc(tasks->n, sizeof *node);
	struct tv_groups rows;

	for (uint32_t row = 0; row < tasks->n; row++)
		node[row] = tasks->counted[row] ? dag->node_of_row[row] : TV_NONE;
	tv_groups_init(&rows, node, tasks->n, dag->n);
	tv_free(node);
	replay->row = rows.row;
	replay->opening = tv_alloc((size_t)dag->n + 1, sizeof *replay->opening);
	replay->block = tv_alloc((size_t)dag->n + tasks->ncounted, sizeof *replay->block);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t n = rows.first[v + 1] - rows.first[v];

		if (n > 1)
			tv_sort_rows(tasks, replay->row + rows.first[v], n);
		divide(replay, v, rows.first[v], n);
	}
	replay->opening[dag->n] = replay->nblocks;
	tv_free(rows.first);
}

/* ---- order ---- */

/* What blocks wait for, as pairs. */
struct edges {
	uint32_t *from, *to;
	size_t n, from_cap, to_cap;
};

static void add_edge(struct edges *edges, uint32_t from, uint32_t to)
{
	if (from == to)
		return;
	TV_GROW(edges->from, edges->n, edges->from_cap, 1);
	TV_GROW(edges->to, edges->n, edges->to_cap, 1);
	edges->from[edges->n] = from;
	edges->to[edges->n++] = to;
}

static void add_graph(const struct tv_rerun *replay, struct edges *edges)
{
	const struct tv_dag *dag = replay->dag;

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t opening = replay->opening[v];

		for (uint32_t k = 0; k < tv_dag_nbefore(dag, v); k++)
			add_edge(edges, replay->opening[tv_dag_before(dag, v, k) + 1] - 1, opening);
		if (dag->after != NULL && dag->after[v] != TV_NONE)
			add_edge(edges, replay->opening[dag->after[v] + 1] - 1, opening);
		for (uint32_t b = opening + 1; b < replay->opening[v + 1]; b++)
			add_edge(edges, b - 1, b);
	}
}

static uint32_t *find_block_of_row(const struct tv_rerun *replay)
{
	uint32_t *of = tv_alloc(replay->dag->tasks->n, sizeof *of);

	for (uint32_t b = 0; b < replay->nblocks; b++)
		for (uint32_t i = 0; i < replay->block[b].n; i++)
			of[replay->row[replay->block[b].first + i]] = b;
	return of;
}

/* Rows of a worker in order of Start: of equal ones those that take no time first. */
static void put_instants_first(const struct tv_tasks *tasks, uint32_t *row, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = i; k > 0 && tasks->start[row[k]] == tasks->start[row[k - 1]]
				     && tasks->end[row[k]] == tasks->start[row[k]]
				     && tasks->end[row[k - 1]] > tasks->start[row[k]];
		     k--) {
			uint32_t before = row[k - 1];

			row[k - 1] = row[k];
			row[k] = before;
		}
}

/* False: a worker ran several tasks at once. */
static bool add_workers(const struct tv_rerun *replay, struct edges *edges)
{
	const struct tv_tasks *tasks = replay->dag->tasks;
	uint32_t *block = find_block_of_row(replay);
	struct tv_groups rows;
	bool alone = true;

	tv_tasks_by_start(tasks, tasks->counted, &rows);
	for (uint32_t w = 0; w < rows.n; w++) {
		uint32_t *row = rows.row + rows.first[w], n = rows.first[w + 1] - rows.first[w];

		put_instants_first(tasks, row, n);
		for (uint32_t i = 1; i < n; i++) {
			alone = alone && tasks->start[row[i]] >= tasks->end[row[i - 1]];
			add_edge(edges, block[row[i - 1]], block[row[i]]);
		}
	}
	tv_groups_release(&rows);
	tv_free(block);
	return alone;
}

/* Puts the blocks in order, each behind what it waits for. False: some wait for each other. */
static bool sort_blocks(struct tv_rerun *replay, const struct edges *edges)
{
	uint32_t *waits = tv_alloc(replay->nblocks, sizeof *waits), found = 0;
	struct tv_groups followers;

	for (size_t e = 0; e < edges->n; e++)
		waits[edges->to[e]]++;
	tv_groups_init(&followers, edges->from, (uint32_t)edges->n, replay->nblocks);
	for (uint32_t b = 0; b < replay->nblocks; b++)
		if (waits[b] == 0)
			replay->order[found++] = b;
	for (uint32_t done = 0; done < found; done++) {
		uint32_t b = replay->order[done];

		for (uint32_t i = followers.first[b]; i < followers.first[b + 1]; i++) {
			uint32_t to = edges->to[followers.row[i]];

			if (--waits[to] == 0)
				replay->order[found++] = to;
		}
	}
	tv_groups_release(&followers);
	tv_free(waits);
	return found == replay->nblocks;
}

/* The order of the graph alone. */
static void follow_graph(struct tv_rerun *replay)
{
	const struct tv_dag *dag = replay->dag;
	const uint32_t *sequence = dag->sequence;
	uint32_t n = 0;

	for (uint32_t i = 0; i < dag->n; i++)
		for (uint32_t b = replay->opening[sequence[i]];
		     b < replay->opening[sequence[i] + 1]; b++)
			replay->order[n++] = b;
}

void tv_rerun_init(struct tv_rerun *replay, const struct tv_dag *dag)
{
	struct edges edges = { 0 };

	*replay = (struct tv_rerun){ .dag = dag };
	find_blocks(replay);
	replay->order = tv_alloc(replay->nblocks, sizeof *replay->order);
	add_graph(replay, &edges);
	if (!add_workers(replay, &edges))
		replay->obstacle = "workers ran several tasks at once";
	else if (!sort_blocks(replay, &edges))
		replay->obstacle = "the order of the workers contradicts the task graph";
	if (replay->obstacle != NULL)
		follow_graph(replay);
	tv_free(edges.from);
	tv_free(edges.to);
}

void tv_rerun_release(struct tv_rerun *replay)
{
	tv_free(replay->block);
	tv_free(replay->opening);
	tv_free(replay->row);
	tv_free(replay->order);
	*replay = (struct tv_rerun){ 0 };
}

/* ---- the run ---- */

struct clock {
	const struct tv_rerun *replay;
	const struct tv_rerun_rules *rules;
	int64_t begin;
	int64_t *start, *end; /* by block, ns */
	int64_t *until;	      /* by worker: the end of what it did last */
	int64_t *ends;	      /* by row; or NULL */
	int64_t last;
};

/* When a block that came before a node lets it go: at its end, or after the time that a segment ran before it created
 * the node. */
static int64_t lets_go(const struct clock *clock, uint32_t v, uint32_t before)
{
	const struct tv_dag *dag = clock->replay->dag;
	uint32_t block = clock->replay->opening[before + 1] - 1;
	int64_t end = clock->end[block], after;

	if (!tv_dag_created_by(dag, v, before))
		return end;
	after = clock->start[block] + tv_dag_reaches(dag, v, before, dag->end[before])
	      - dag->start[before];
	return after < end ? later(after, clock->start[block]) : end;
}

/* When a node is submitted, INT64_MIN = with what it depends on: at its SubmitTime, or as long after its creator's wait
 * as in the run. */
static int64_t submitted(const struct clock *clock, uint32_t v)
{
	const struct tv_dag *dag = clock->replay->dag;
	bool created = dag->creator != NULL && dag->creator[v] != TV_NONE;

	if (!clock->rules->submitted || created)
		return INT64_MIN;
	if (dag->after != NULL && dag->after[v] != TV_NONE)
		return clock->end[clock->replay->opening[dag->after[v] + 1] - 1] + dag->delay[v];
	return tv_dag_enters(dag, v);
}

/* When a node may begin. */
static int64_t released(const struct clock *clock, uint32_t v)
{
	const struct tv_dag *dag = clock->replay->dag;
	uint32_t n = clock->rules->workers ? tv_dag_nbefore(dag, v)
					   : dag->first[v + 1] - dag->first[v];
	int64_t time = later(clock->begin, submitted(clock, v));

	for (uint32_t k = 0; k < n; k++)
		time = later(time, lets_go(clock, v, tv_dag_before(dag, v, k)));
	return time;
}

static int64_t duration(const struct clock *clock, uint32_t row)
{
	return clock->rules->time != NULL ? clock->rules->time[row]
					  : tv_row_time(clock->replay->dag->tasks, row);
}

/* Runs the executions of a block that may begin at `time`; when the last one ends. */
static int64_t run_rows(struct clock *clock, const struct tv_rerun_block *block, int64_t *time)
{
	const struct tv_tasks *tasks = clock->replay->dag->tasks;
	const uint32_t *row = clock->replay->row + block->first;
	int64_t end = *time;

	for (uint32_t i = 0; clock->rules->workers && i < block->n; i++)
		*time = later(*time, clock->until[tasks->worker[row[i]]]
					     - (tasks->start[row[i]] - tasks->start[row[0]]));
	for (uint32_t i = 0; i < block->n; i++) {
		int64_t ended = *time + tasks->start[row[i]] - tasks->start[row[0]]
			      + duration(clock, row[i]);

		clock->until[tasks->worker[row[i]]] = ended;
		if (clock->ends != NULL)
			clock->ends[row[i]] = ended;
		clock->last = later(clock->last, ended);
		end = later(end, ended);
	}
	return end;
}

int64_t tv_rerun_flight(const struct tv_dag *dag, uint32_t v)
{
	return later(0, dag->end[v] - later(dag->start[v], dag->tasks->begin));
}

static int64_t flight(const struct clock *clock, uint32_t v)
{
	return clock->rules->flight != NULL ? clock->rules->flight[v]
					    : tv_rerun_flight(clock->replay->dag, v);
}

static void run_block(struct clock *clock, uint32_t b)
{
	const struct tv_dag *dag = clock->replay->dag;
	const struct tv_rerun_block *block = &clock->replay->block[b];
	uint32_t v = block->node;

	clock->start[b] = b > clock->replay->opening[v] ? clock->end[b - 1] : released(clock, v);
	clock->end[b] = run_rows(clock, block, &clock->start[b]);
	if (clock->rules->messages && tv_dag_is_message(dag, v))
		clock->end[b] += flight(clock, v);
}

int64_t tv_rerun_run(const struct tv_rerun *replay, const struct tv_rerun_rules *rules,
		     int64_t *ends)
{
	const struct tv_tasks *tasks = replay->dag->tasks;
	struct clock clock = { .replay = replay,
			       .rules = rules,
			       .begin = tasks->begin,
			       .start = tv_alloc(replay->nblocks, sizeof *clock.start),
			       .end = tv_alloc(replay->nblocks, sizeof *clock.end),
			       .until = tv_alloc(tasks->nworkers, sizeof *clock.until),
			       .ends = ends,
			       .last = tasks->begin };

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		clock.until[w] = tasks->begin;
	for (uint32_t i = 0; i < replay->nblocks; i++)
		run_block(&clock, replay->order[i]);
	tv_free(clock.start);
	tv_free(clock.end);
	tv_free(clock.until);
	return clock.last - tasks->begin;
}
