/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c -- jobs and their predecessors from the rows of tasks. */
#include "dag/dag.h"

#include <stdlib.h>
#include <string.h>

#include "dag/carry.h"
#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* What finds the nodes of a job by its label. */
struct jobs {
	uint32_t nlabels;
	uint32_t *last; /* by label: the node, or that of its last segment; TV_NONE = none */
	struct tv_map segments; /* the node of a label and segment, where there are segments */
	struct tv_groups nodes; /* likewise: by label, in the order of their segments */
	int64_t *since;		/* by place in nodes: when it or one before it had started, ns */
	const uint32_t *parent; /* by row: label of ParentJob; NULL = none */
	struct tv_carry *carry; /* of a part: finds jobs of earlier ones; NULL = the rows are all */
};

/* The node of a row's job and segment, TV_NONE when new; NULL: the row has no job. */
static uint32_t *find_node(struct jobs *jobs, const struct tv_tasks *tasks, uint32_t row)
{
	uint32_t job = tasks->job == NULL ? TV_NONE : tasks->job[row];

	if (job == TV_NONE)
		return NULL;
	if (tasks->segment == NULL)
		return &jobs->last[job];
	return tv_map_at(&jobs->segments, job, (uint64_t)tv_segment_of(tasks, row));
}

/* Numbers the nodes by their first row. */
static void number_nodes(struct tv_dag *dag, struct jobs *jobs)
{
	const struct tv_tasks *tasks = dag->tasks;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t *node = tasks->kind[row] == TV_WORKER ? NULL : find_node(jobs, tasks, row);

		if (tasks->kind[row] == TV_WORKER) {
			dag->node_of_row[row] = TV_NONE;
		} else if (node != NULL && *node != TV_NONE) {
			dag->node_of_row[row] = *node;
		} else {
			dag->node_of_row[row] = dag->n++;
			if (node != NULL)
				*node = dag->node_of_row[row];
		}
	}
}

/* Makes a job of an earlier part a node behind those of the rows, once. Returns it. */
static uint32_t add_outside(struct tv_dag *dag, size_t *cap, struct tv_carried_job *job,
			    uint32_t label)
{
	if (job->node != TV_NONE)
		return job->node;
	TV_GROW(dag->outside, dag->noutside, *cap, 1);
	dag->outside[dag->noutside] = job;
	job->label = label;
	job->node = dag->n + dag->noutside++;
	return job->node;
}

/* The same of one by its key; TV_NONE: there is none. */
static uint32_t add_passed(struct tv_dag *dag, size_t *cap, struct tv_carry *carry, uint64_t key)
{
	struct tv_carried_job *job = key != TV_NO_JOB ? tv_carry_find_key(carry, key) : NULL;

	return job == NULL ? TV_NONE
			   : add_outside(dag, cap, job,
					 tv_carry_label(carry, key, dag->tasks->trace->pool));
}

/* A job of an earlier part where the graph has no nodes for them. */
#define EARLIER (TV_NONE - 1)

/* Marks the jobs of earlier parts that rows depend on. */
static void mark_earlier(const struct tv_tasks *tasks, struct jobs *jobs)
{
	for (size_t i = 0; i < tasks->depends->nitems; i++) {
		uint32_t label = tasks->depends->items[i];
		const char *text;
		size_t length;

		if (jobs->last[label] != TV_NONE)
			continue;
		text = tv_pool_string(tasks->pool, label, &length);
		if (tv_carry_occurs(jobs->carry, text, length))
			jobs->last[label] = EARLIER;
	}
}

/* Gives the jobs of earlier parts that rows depend on the numbers behind those of the nodes, and what those pass on. */
static void number_outside(struct tv_dag *dag, struct jobs *jobs)
{
	const struct tv_tasks *tasks = dag->tasks;
	size_t cap = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t n;
		const uint32_t *label = tv_list(tasks->depends, row, &n);

		for (uint32_t i = 0; i < n; i++) {
			struct tv_carried_job *job;
			const char *text;
			size_t length;

			if (jobs->last[label[i]] != TV_NONE)
				continue;
			text = tv_pool_string(tasks->pool, label[i], &length);
			job = tv_carry_find(jobs->carry, text, length);
			if (job == NULL)
				continue;
			jobs->last[label[i]] = add_outside(dag, &cap, job, label[i]);
			job->last_node = add_passed(dag, &cap, jobs->carry, job->last);
			job->step_node = add_passed(dag, &cap, jobs->carry, job->step);
			job->arrived_node = add_passed(dag, &cap, jobs->carry, job->arrived);
		}
	}
}

/* Whether the executions of two rows of a job are no parts of one: on one worker, or one after the other on two. */
static bool are_apart(const struct tv_tasks *tasks, uint32_t a, uint32_t b)
{
	return tasks->worker[a] == tasks->worker[b]
	    || (tasks->start[a] != tasks->start[b]
		&& (tasks->start[a] >= tasks->end[b] || tasks->start[b] >= tasks->end[a]));
}

/* Counts jobs that ran several times, compared with the first of their rows, though there are no segments. */
static void count_repeated(struct tv_dag *dag)
{
	const struct tv_tasks *tasks = dag->tasks;
	bool instances = tasks->instance != NULL;
	uint32_t *first = tv_alloc(dag->n, sizeof *first);
	bool *again = tv_alloc(dag->n, sizeof *again);

	for (uint32_t v = 0; v < dag->n; v++)
		first[v] = TV_NONE;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t v = dag->node_of_row[row];

		if (v == TV_NONE || !tasks->executed[row])
			continue;
		if (first[v] == TV_NONE) {
			first[v] = row;
		} else if (!again[v]
			   && (instances ? tasks->worker[first[v]] == tasks->worker[row]
					 : are_apart(tasks, first[v], row))) {
			again[v] = true;
			if (dag->nrepeated++ == 0)
				dag->repeated = tasks->job[row];
		}
	}
	tv_free(first);
	tv_free(again);
}

/* Whether a row has a time, i.e. it ran or is a message that says when. */
static bool has_time(const struct tv_tasks *tasks, const struct tv_column *start,
		     const struct tv_column *end, uint32_t row)
{
	return tasks->executed[row]
	    || (tasks->kind[row] == TV_MESSAGE && start != NULL && end != NULL
		&& !tv_missing(start, row) && !tv_missing(end, row));
}

/* Whether a row with a time represents its node rather than those seen before it. */
static bool represents(const struct tv_dag *dag, uint32_t v, uint32_t row)
{
	if (!dag->timed[v] || dag->task[v] != dag->tasks->counted[row])
		return !dag->task[v];
	return dag->tasks->start[row] < dag->tasks->start[dag->row[v]];
}

/* Whether each row is a node of its own, with a time: then nodes are rows, and their times those of rows. */
static bool nodes_are_rows(const struct tv_dag *dag, const struct tv_column *start,
			   const struct tv_column *end)
{
	uint32_t row = 0;

	while (dag->n == dag->tasks->n && row < dag->n && has_time(dag->tasks, start, end, row))
		row++;
	return row == dag->tasks->n;
}

static int64_t *alloc_times(const struct tv_dag *dag)
{
	return tv_alloc((size_t)dag->n + dag->noutside, sizeof(int64_t));
}

/* With room for those of earlier parts. */
static int64_t *copy_times(const struct tv_dag *dag, const int64_t *time)
{
	int64_t *copy = alloc_times(dag);

	if (dag->n > 0)
		memcpy(copy, time, dag->n * sizeof *copy);
	return copy;
}

static void time_outside(struct tv_dag *dag)
{
	if (dag->own.start == NULL) {
		dag->start = dag->own.start = copy_times(dag, dag->start);
		dag->end = dag->own.end = copy_times(dag, dag->end);
	}
	for (uint32_t i = 0; i < dag->noutside; i++) {
		const struct tv_carried_job *job = dag->outside[i];

		dag->own.start[dag->n + i] = job->start;
		dag->own.end[dag->n + i] = job->end;
		dag->timed[dag->n + i] = job->timed;
		dag->task[dag->n + i] = job->task;
	}
}

static void take_rows(struct tv_dag *dag)
{
	dag->are_rows = true;
	dag->row = dag->node_of_row;
	dag->start = dag->tasks->start;
	dag->end = dag->tasks->end;
	for (uint32_t v = 0; v < dag->n; v++) {
		dag->timed[v] = true;
		dag->task[v] = dag->tasks->planned[v] || dag->tasks->counted[v];
	}
}

/* Times of the nodes: first Start to last End of their rows. */
static void time_nodes(struct tv_dag *dag)
{
	const struct tv_tasks *tasks = dag->tasks;
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *first = tv_table_find(table, "Start");
	const struct tv_column *last = tv_table_find(table, "End");
	uint32_t *node_row;
	int64_t *start, *end;

	if (nodes_are_rows(dag, first, last)) {
		take_rows(dag);
		return;
	}
	dag->row = dag->own.row = node_row = tv_alloc(dag->n, sizeof *node_row);
	dag->start = dag->own.start = start = alloc_times(dag);
	dag->end = dag->own.end = end = alloc_times(dag);
	for (uint32_t v = 0; v < dag->n; v++)
		node_row[v] = TV_NONE;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t v = dag->node_of_row[row];

		if (v == TV_NONE)
			continue;
		if (node_row[v] == TV_NONE)
			node_row[v] = row;
		dag->task[v] |= tasks->planned[row];
		if (!has_time(tasks, first, last, row))
			continue;
		if (represents(dag, v, row))
			node_row[v] = row;
		if (!dag->timed[v] || tasks->start[row] < start[v])
			start[v] = tasks->start[row];
		if (!dag->timed[v] || tasks->end[row] > end[v])
			end[v] = tasks->end[row];
		dag->timed[v] = true;
		dag->task[v] |= tasks->counted[row];
	}
}

/* ---- segments ---- */

static int by_segment(const void *a, const void *b, void *data)
{
	const struct tv_dag *dag = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return TV_COMPARE(tv_dag_segment(dag, x), tv_dag_segment(dag, y));
}

/* The segments of one job, node[0..n). */
static void chain_job(struct tv_dag *dag, uint32_t *node, uint32_t n, int64_t *since)
{
	qsort_r(node, n, sizeof *node, by_segment, dag);
	for (uint32_t i = 0; i < n; i++) {
		dag->previous[node[i]] = i == 0 ? TV_NONE : node[i - 1];
		dag->opening[node[i]] = node[0];
		since[i] = i == 0 ? INT64_MIN : since[i - 1];
		if (dag->timed[node[i]] && dag->start[node[i]] > since[i])
			since[i] = dag->start[node[i]];
	}
}

/* Finds the last segment of every job, and what comes before each. */
static void chain_segments(struct tv_dag *dag, struct jobs *jobs)
{
	uint32_t *label = tv_alloc(dag->n, sizeof *label);
	const struct tv_groups *nodes = &jobs->nodes;

	dag->previous = tv_alloc(dag->n, sizeof *dag->previous);
	dag->opening = tv_alloc(dag->n, sizeof *dag->opening);
	jobs->since = tv_alloc(dag->n, sizeof *jobs->since);
	for (uint32_t v = 0; v < dag->n; v++) {
		label[v] = tv_dag_job(dag, v);
		dag->previous[v] = TV_NONE;
		dag->opening[v] = v;
	}
	tv_groups_init(&jobs->nodes, label, dag->n, jobs->nlabels);
	for (uint32_t job = 0; job < jobs->nlabels; job++) {
		uint32_t first = nodes->first[job], n = nodes->first[job + 1] - first;

		if (n == 0)
			continue;
		chain_job(dag, nodes->row + first, n, jobs->since + first);
		jobs->last[job] = nodes->row[first + n - 1];
	}
	tv_free(label);
}

/* The last segment of a job that had started at a time, or its first one. */
static uint32_t segment_at(const struct tv_dag *dag, const struct jobs *jobs, uint32_t job,
			   int64_t time)
{
	const struct tv_groups *nodes = &jobs->nodes;
	uint32_t first;
	size_t n;

	if (dag->previous == NULL || jobs->last[job] == TV_NONE)
		return jobs->last[job];
	first = nodes->first[job];
	n = tv_count_upto(&time, jobs->since + first, nodes->first[job + 1] - first,
			  sizeof *jobs->since, tv_compare_int64);
	return nodes->row[first + (n == 0 ? 0 : n - 1)];
}

/* ---- edges ---- */

/* The node that a dependency of a row is on; TV_NONE = none. */
static uint32_t find_before(struct tv_dag *dag, const struct jobs *jobs, uint32_t v, uint32_t row,
			    uint32_t job)
{
	if (jobs->parent == NULL || jobs->parent[row] != job || dag->tasks->job[row] == job)
		return jobs->last[job];
	if (jobs->last[job] == EARLIER)
		return EARLIER;
	dag->creator[v] = segment_at(dag, jobs, job, tv_dag_submitted(dag, v));
	return dag->creator[v];
}

enum { FEW_EDGES = 16 }; /* are compared with each other */

/* Whether label[i] is among those before it. */
static bool is_repeated(const uint32_t *label, uint32_t i)
{
	uint32_t k = 0;

	while (k < i && label[k] != label[i])
		k++;
	return k < i;
}

/* The nodes whose dependencies on each job are taken: by label, v + 1; NULL before it is needed. */
static uint32_t *seen_of(const struct jobs *jobs, uint32_t **seen)
{
	if (*seen == NULL)
		*seen = tv_alloc(jobs->nlabels, sizeof **seen);
	return *seen;
}

/* Appends the predecessors of v. */
static void add_edges(struct tv_dag *dag, uint32_t v, uint32_t row, const struct jobs *jobs,
		      uint32_t **seen)
{
	const uint32_t *label;
	uint32_t n, *taken;

	label = tv_list(dag->tasks->depends, row, &n);
	taken = dag->are_rows && n <= FEW_EDGES ? NULL : seen_of(jobs, seen);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t before;

		if (taken != NULL ? taken[label[i]] == v + 1 : is_repeated(label, i))
			continue;
		if (taken != NULL)
			taken[label[i]] = v + 1;
		before = find_before(dag, jobs, v, row, label[i]);
		if (before == TV_NONE)
			dag->dangling++;
		else if (before == EARLIER)
			dag->nearlier++;
		else
			dag->pred[dag->nedges++] = before;
	}
}

static void link_nodes(struct tv_dag *dag, const struct jobs *jobs)
{
	uint32_t *seen = NULL;
	bool are_rows = dag->are_rows;
	struct tv_groups rows = { 0 };

	if (jobs->parent != NULL)
		dag->creator = tv_alloc(dag->n, sizeof *dag->creator);
	if (!are_rows)
		tv_groups_init(&rows, dag->node_of_row, dag->tasks->n, dag->n);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t i = are_rows ? v : rows.first[v],
			 end = are_rows ? v + 1 : rows.first[v + 1];

		dag->first[v] = dag->nedges;
		if (dag->creator != NULL)
			dag->creator[v] = TV_NONE;
		if (dag->previous != NULL && dag->previous[v] != TV_NONE)
			dag->pred[dag->nedges++] = dag->previous[v];
		for (; dag->tasks->depends != NULL && i < end; i++)
			add_edges(dag, v, are_rows ? i : rows.row[i], jobs, &seen);
	}
	dag->first[dag->n] = dag->nedges;
	tv_groups_release(&rows);
	tv_free(seen);
}

static void allocate_nodes(struct tv_dag *dag)
{
	size_t n = dag->n, ndeps = dag->tasks->depends == NULL ? 0 : dag->tasks->depends->nitems;

	if (dag->tasks->segment != NULL)
		ndeps += n; /* on the segment before */
	dag->timed = tv_alloc(n + dag->noutside, sizeof *dag->timed);
	dag->task = tv_alloc(n + dag->noutside, sizeof *dag->task);
	dag->first = tv_alloc(n + 1, sizeof *dag->first);
	dag->pred = tv_alloc(ndeps, sizeof *dag->pred);
}

/* ---- waits of creators ---- */

/* By node: its place in the order. True: nothing comes before what it is submitted after. */
static bool find_places(const struct tv_dag *dag, uint32_t *place)
{
	bool in_order = true;

	for (uint32_t i = 0; i < dag->n; i++)
		place[dag->order[i]] = i;
	for (uint32_t v = 0; v < dag->n; v++)
		in_order &= dag->after[v] == TV_NONE || place[dag->after[v]] < place[v];
	return in_order;
}

/* What was submitted after a wait; nothing where that would contradict the dependencies. */
static void find_waits(struct tv_dag *dag, const struct jobs *jobs)
{
	const struct tv_table *table = &dag->tasks->trace->table[TV_TASKS];
	const struct tv_column *after = tv_table_find(table, "SubmitAfter");
	const struct tv_column *delay = tv_table_find(table, "SubmitDelay");
	uint32_t *place;

	if (after == NULL || dag->tasks->job == NULL)
		return;
	place = tv_alloc(dag->n, sizeof *place);
	dag->after = tv_alloc(dag->n, sizeof *dag->after);
	dag->delay = tv_alloc(dag->n, sizeof *dag->delay);
	dag->awaited = tv_alloc(dag->n, sizeof *dag->awaited);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[tv_dag_opening(dag, v)], u = TV_NONE;
		bool created = dag->creator != NULL && dag->creator[v] != TV_NONE;

		if (!created && tv_dag_opening(dag, v) == v && !tv_missing(after, row))
			u = jobs->last[tv_label(after, row)];
		dag->after[v] = u;
	}
	if (!find_places(dag, place)) {
		tv_dag_sort_after(dag);
		find_places(dag, place);
	}
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[tv_dag_opening(dag, v)], u = dag->after[v];

		if (u != TV_NONE && place[u] >= place[v])
			u = dag->after[v] = TV_NONE;
		if (u == TV_NONE)
			continue;
		dag->awaited[u] = true;
		if (delay != NULL && !tv_missing(delay, row) && delay->i[row] > 0)
			dag->delay[v] = delay->i[row];
	}
	tv_free(place);
}

static void jobs_init(struct jobs *jobs, const struct tv_tasks *tasks, struct tv_carry *carry)
{
	const struct tv_column *parent = tv_table_find(&tasks->trace->table[TV_TASKS], "ParentJob");

	*jobs = (struct jobs){ .nlabels = tv_pool_count(tasks->pool), .carry = carry };
	jobs->last = tv_alloc(jobs->nlabels, sizeof *jobs->last);
	for (uint32_t i = 0; i < jobs->nlabels; i++)
		jobs->last[i] = TV_NONE;
	if (parent != NULL && tasks->job != NULL && tasks->depends != NULL)
		jobs->parent = parent->u;
}

static void jobs_release(struct jobs *jobs)
{
	tv_free(jobs->last);
	tv_free(jobs->since);
	tv_map_release(&jobs->segments);
	tv_groups_release(&jobs->nodes);
}

static int build(struct tv_dag *dag, struct tv_carry *carry, struct tv_error *err)
{
	struct jobs jobs;
	int rc;

	jobs_init(&jobs, dag->tasks, carry);
	dag->node_of_row = tv_alloc(dag->tasks->n, sizeof *dag->node_of_row);
	number_nodes(dag, &jobs);
	if (dag->n < dag->tasks->n && dag->tasks->segment == NULL)
		count_repeated(dag);
	if (carry != NULL && dag->tasks->depends != NULL && tv_carry_within(carry))
		mark_earlier(dag->tasks, &jobs);
	else if (carry != NULL && dag->tasks->depends != NULL)
		number_outside(dag, &jobs);
	allocate_nodes(dag);
	time_nodes(dag);
	if (dag->noutside > 0)
		time_outside(dag);
	if (dag->tasks->segment != NULL)
		chain_segments(dag, &jobs);
	if (dag->tasks->depends != NULL || dag->previous != NULL)
		link_nodes(dag, &jobs);
	rc = tv_dag_sort(dag, err);
	dag->sequence = dag->order;
	if (rc == 0 && carry == NULL) {
		find_waits(dag, &jobs);
		tv_dag_exclude(dag);
	} else if (rc == 0) {
		tv_carry_hold(carry, dag);
	}
	jobs_release(&jobs);
	return rc;
}

int tv_dag_init(struct tv_dag *dag, const struct tv_tasks *tasks, struct tv_error *err)
{
	return tv_dag_init_part(dag, tasks, NULL, err);
}

int tv_dag_init_part(struct tv_dag *dag, const struct tv_tasks *tasks, struct tv_carry *carry,
		     struct tv_error *err)
{
	*dag = (struct tv_dag){ .tasks = tasks };
	if (build(dag, carry, err) == 0)
		return 0;
	tv_dag_release(dag);
	return -1;
}

void tv_dag_release(struct tv_dag *dag)
{
	tv_free(dag->own.row);
	tv_free(dag->own.start);
	tv_free(dag->own.end);
	tv_free(dag->own.order);
	tv_free(dag->own.sequence);
	tv_free(dag->node_of_row);
	tv_free(dag->timed);
	tv_free(dag->task);
	tv_free(dag->first);
	tv_free(dag->pred);
	tv_free(dag->previous);
	tv_free(dag->opening);
	tv_free(dag->creator);
	tv_free(dag->after);
	tv_free(dag->delay);
	tv_free(dag->awaited);
	tv_free(dag->holders);
	tv_free(dag->holder);
	tv_free(dag->free);
	tv_free(dag->held);
	tv_free(dag->outside);
	*dag = (struct tv_dag){ 0 };
}
