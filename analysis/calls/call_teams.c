/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_teams.c -- threads of one rank that wait for each other: OpenMP's pauses, and where further
 * threads begin.
 *
 * A pause that a task ends waits for the creation of that task and for the tasks on which it
 * depends. Any other waits for the pauses of its rank that overlap it to begin (a barrier: until all
 * have come; a wait for tasks: until they have ended), and for the first thread of its rank to get
 * to that instant, which begins parallel regions and ends the process.
 */
#include <stdlib.h>

#include "analysis/calls/call_graph_parts.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

struct teams {
	struct tv_graph_parts *parts;
	const struct tv_dag *dag;
	struct tv_groups tasks; /* rows of counted tasks by worker, by Start */
	uint32_t *worker;	/* by thread: of run->tasks; TV_NONE = none */
	uint32_t *thread;	/* by worker: TV_NONE = none */
	uint32_t *leader;	/* by rank: its first thread */
	uint32_t *joint;	/* by node of the task graph that runs on no thread; 0 = none */
	struct tv_map row_of;	/* by label of a job: its row of tasks */
	struct tv_map team;	/* joints of pauses, by number and first of them, hash of all */
	uint32_t *list;		/* of nodes, one for each thread */
};

static int64_t shift_of(const struct tv_call_graph *g, uint32_t rank)
{
	return g->rules.shift == NULL ? 0 : g->rules.shift[rank];
}

/* A target depends on an instant of a thread, ns by the clock of the recording. */
static void depend_on_thread(struct teams *t, uint32_t target, uint32_t thread, int64_t time)
{
	const struct tv_call_graph *g = t->parts->graph;
	struct tv_dependence d = { .target = target, .message = TV_NONE };

	time += shift_of(g, g->thread[thread].rank);
	tv_graph_instant(g, thread, time, &d);
	tv_graph_depend(t->parts, d);
}

/* What a target waits for because a node of the task graph comes before: the end of a task, or a joint of several. */
static void depend_on_task(struct teams *t, uint32_t target, uint32_t before, int64_t until)
{
	const struct tv_dag *dag = t->dag;
	uint32_t worker = dag->tasks->worker[dag->row[before]],
		 thread = worker == TV_NONE ? TV_NONE : t->thread[worker];

	if (thread == TV_NONE) {
		if (t->joint[before] != 0)
			tv_graph_depend(t->parts, (struct tv_dependence){ .target = target,
									  .event = t->joint[before],
									  .message = TV_NONE });
	} else if (dag->timed[before] && dag->end[before] <= until) {
		depend_on_thread(t, target, thread, dag->end[before]);
	}
}

/* Nodes of the task graph that are no task of a thread, as the wait for all tasks before it, in an order in
 * which what they depend on comes first. */
static void add_joints(struct teams *t)
{
	const struct tv_dag *dag = t->dag;

	for (uint32_t k = 0; k < dag->n; k++) {
		uint32_t v = dag->sequence[k], worker = dag->tasks->worker[dag->row[v]];

		if ((worker != TV_NONE && t->thread[worker] != TV_NONE)
		    || tv_dag_nbefore(dag, v) == 0)
			continue;
		t->joint[v] = tv_graph_joint(t->parts);
		for (uint32_t i = 0; i < tv_dag_nbefore(dag, v); i++)
			depend_on_task(t, t->joint[v], tv_dag_before(dag, v, i), INT64_MAX);
	}
}

/* The counted task that a thread begins at that instant; TV_NONE = none. */
static uint32_t task_at(const struct teams *t, uint32_t thread, int64_t time)
{
	const struct tv_tasks *tasks = &t->parts->run->tasks;
	const struct tv_call_graph *g = t->parts->graph;
	uint32_t worker = t->worker[thread], first, n, i;

	if (worker == TV_NONE)
		return TV_NONE;
	time -= shift_of(g, g->thread[thread].rank);
	first = t->tasks.first[worker];
	n = t->tasks.first[worker + 1] - first;
	i = tv_rows_started(tasks, &t->tasks.row[first], n, time);
	return i > 0 && tasks->start[t->tasks.row[first + i - 1]] == time
		     ? t->tasks.row[first + i - 1]
		     : TV_NONE;
}

/* The thread that created a task: the one of the task that did, else the first one of the rank. */
static uint32_t creator_of(const struct teams *t, uint32_t row, uint32_t rank)
{
	const struct tv_tasks *tasks = &t->parts->run->tasks;
	const struct tv_column *parent = tv_table_find(&tasks->trace->table[TV_TASKS], "ParentJob");
	const uint32_t *by = parent == NULL || tv_label(parent, row) == TV_NONE
				   ? NULL
				   : tv_map_get(&t->row_of, tv_label(parent, row), 0);
	uint32_t worker = by == NULL ? TV_NONE : tasks->worker[*by];

	return worker != TV_NONE && t->thread[worker] != TV_NONE ? t->thread[worker]
								 : t->leader[rank];
}

static void wait_for_task(struct teams *t, uint32_t pause, uint32_t row)
{
	const struct tv_call_graph *g = t->parts->graph;
	const struct tv_tasks *tasks = &t->parts->run->tasks;
	uint32_t v = t->dag->node_of_row[row], thread = g->node[pause].thread,
		 creator = creator_of(t, row, g->thread[thread].rank);

	if (tasks->submit != NULL && !tv_missing(tasks->submit, row) && creator != thread
	    && tasks->submit->i[row] <= tasks->start[row])
		depend_on_thread(t, pause, creator, tasks->submit->i[row]);
	for (uint32_t i = 0; v != TV_NONE && i < tv_dag_nbefore(t->dag, v); i++)
		depend_on_task(t, pause, tv_dag_before(t->dag, v, i), tasks->start[row]);
}

/* The last node of a thread that begins at an instant or before; TV_NONE = none. */
static uint32_t node_at(const struct tv_call_graph *g, uint32_t thread, int64_t time)
{
	const struct tv_call_thread *of = &g->thread[thread];
	size_t i;

	TV_LOWER_BOUND(i, of->first, of->first + of->n, tv_node_begin(g, (uint32_t)i) <= time);
	return i > of->first ? (uint32_t)i - 1 : TV_NONE;
}

void tv_graph_instant(const struct tv_call_graph *g, uint32_t thread, int64_t time,
		      struct tv_dependence *at)
{
	uint32_t node = node_at(g, thread, time);

	at->offset = 0;
	if (node == TV_NONE) {
		at->event = tv_event_of_thread(g, thread);
		at->offset = time - g->thread[thread].begin;
	} else if (tv_node_end(g, node) > time) {
		at->event = 2 * node;
	} else {
		at->event = 2 * node + 1;
		at->offset = time - tv_node_end(g, node);
	}
}

/* The pauses of the threads of a rank that overlap one and are the last of their threads until it ends, that one
 * included: list[] of threads, by thread. */
static uint32_t list_team(const struct tv_call_graph *g, uint32_t pause, uint32_t *list)
{
	uint32_t i = g->node[pause].thread, rank = g->thread[i].rank, n = 0;

	while (i > 0 && g->thread[i - 1].rank == rank)
		i--;
	for (; i < g->nthreads && g->thread[i].rank == rank; i++) {
		uint32_t node = i == g->node[pause].thread ? pause
							   : node_at(g, i, tv_node_end(g, pause));

		if (node != TV_NONE && g->node[node].how == TV_NODE_PAUSE
		    && tv_node_end(g, node) > tv_node_begin(g, pause))
			list[n++] = node;
	}
	return n;
}

/* The joint of such pauses: one for all of a barrier. */
static uint32_t joint_of_team(struct teams *t, const uint32_t *list, uint32_t n)
{
	uint64_t hash = 0xcbf29ce484222325;
	uint32_t *joint;

	for (uint32_t i = 0; i < n; i++)
		hash = (hash ^ list[i]) * 0x100000001b3;
	joint = tv_map_at(&t->team, (uint64_t)n << 32 | list[0], hash);
	if (*joint != TV_NONE)
		return *joint;
	*joint = tv_graph_joint(t->parts);
	for (uint32_t i = 0; i < n; i++)
		tv_graph_depend(t->parts, (struct tv_dependence){ .target = *joint,
								  .event = 2 * list[i],
								  .message = TV_NONE });
	return *joint;
}

static void wait_for_team(struct teams *t, uint32_t pause)
{
	const struct tv_call_graph *g = t->parts->graph;
	uint32_t thread = g->node[pause].thread, rank = g->thread[thread].rank,
		 n = list_team(g, pause, t->list);

	if (n > 1)
		tv_graph_depend(t->parts,
				(struct tv_dependence){ .target = pause,
							.event = joint_of_team(t, t->list, n),
							.message = TV_NONE });
	if (thread != t->leader[rank])
		depend_on_thread(t, pause, t->leader[rank],
				 tv_node_end(g, pause) - shift_of(g, rank));
}

static void add_pauses(struct teams *t)
{
	const struct tv_call_graph *g = t->parts->graph;

	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t row;

		if (g->node[i].how != TV_NODE_PAUSE)
			continue;
		row = task_at(t, g->node[i].thread, tv_node_end(g, i));
		if (row != TV_NONE)
			wait_for_task(t, i, row);
		else
			wait_for_team(t, i);
	}
}

/* Threads begin where their leader was then: also in a wait for its team, which begins before the last of it, where threads are created
 * late. */
static void add_begins(struct teams *t)
{
	const struct tv_call_graph *g = t->parts->graph;

	for (uint32_t i = 0; i < g->nthreads; i++) {
		uint32_t leader = t->leader[g->thread[i].rank];
		int64_t begin = g->thread[i].begin;
		struct tv_dependence d = { .target = TV_FIRST_THREAD + i, .message = TV_NONE };
		const struct tv_call_node *node;

		if (i == leader || begin < g->thread[leader].begin)
			continue;
		tv_graph_instant(g, leader, begin, &d);
		node = d.event < 2 * g->n && d.event % 2 == 0 ? &g->node[d.event / 2] : NULL;
		if (node != NULL && node->how == TV_NODE_PAUSE)
			d.offset = begin - tv_node_begin(g, d.event / 2);
		tv_graph_depend(t->parts, d);
	}
}

static void name_threads(struct teams *t)
{
	const struct tv_call_graph *g = t->parts->graph;
	const struct tv_tasks *tasks = &t->parts->run->tasks;

	t->worker = tv_alloc(g->nthreads, sizeof *t->worker);
	t->thread = tv_alloc(tasks->nworkers, sizeof *t->thread);
	t->leader = tv_alloc(g->calls->nranks, sizeof *t->leader);
	for (uint32_t i = 0; i < g->nthreads; i++) {
		t->worker[i] = TV_NONE;
		if (g->thread[i].leads)
			t->leader[g->thread[i].rank] = i;
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		t->thread[w] = tv_index_get(&t->parts->thread_of, tasks->workers[w].resource);
		if (t->thread[w] != TV_NONE)
			t->worker[t->thread[w]] = w;
	}
	for (uint32_t row = 0; tasks->job != NULL && row < tasks->n; row++)
		if (tasks->executed[row] && tasks->job[row] != TV_NONE)
			tv_map_put(&t->row_of, tasks->job[row], 0, row);
}

int tv_graph_add_teams(struct tv_graph_parts *parts, struct tv_error *err)
{
	struct teams t = { .parts = parts };
	bool pauses = false;

	for (uint32_t i = 0; i < parts->graph->n; i++)
		pauses = pauses || parts->graph->node[i].how == TV_NODE_PAUSE;
	if (pauses) {
		t.dag = tv_run_dag(parts->run, err);
		if (t.dag == NULL)
			return -1;
	}
	name_threads(&t);
	if (pauses) {
		t.joint = tv_alloc(t.dag->n, sizeof *t.joint);
		t.list = tv_alloc(parts->graph->nthreads, sizeof *t.list);
		tv_tasks_by_start(&parts->run->tasks, parts->run->tasks.counted, &t.tasks);
		add_joints(&t);
		add_pauses(&t);
	}
	add_begins(&t);
	tv_groups_release(&t.tasks);
	tv_map_release(&t.row_of);
	tv_map_release(&t.team);
	tv_free(t.list);
	tv_free(t.joint);
	tv_free(t.worker);
	tv_free(t.thread);
	tv_free(t.leader);
	return 0;
}
