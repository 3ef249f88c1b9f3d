/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c -- jobs and their predecessors from the rows of tasks. */
#include "dag/dag.h"

#include "trace/alloc.h"
#include "trace/groups.h"

/* Numbers the nodes by their first row. node_of_label: the node of that job, or TV_NONE. */
static void number_nodes(struct tv_dag *dag, uint32_t *node_of_label)
{
	const struct tv_tasks *tasks = dag->tasks;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t job = tasks->job == NULL ? TV_NONE : tasks->job[row];
		uint32_t *node = job == TV_NONE ? NULL : &node_of_label[job];

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

/* Times of the nodes: first Start to last End of their rows. */
static void time_nodes(struct tv_dag *dag)
{
	const struct tv_tasks *tasks = dag->tasks;
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *start = tv_table_find(table, "Start");
	const struct tv_column *end = tv_table_find(table, "End");

	for (uint32_t v = 0; v < dag->n; v++)
		dag->row[v] = TV_NONE;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t v = dag->node_of_row[row];

		if (v == TV_NONE)
			continue;
		if (dag->row[v] == TV_NONE)
			dag->row[v] = row;
		if (!has_time(tasks, start, end, row))
			continue;
		if (represents(dag, v, row))
			dag->row[v] = row;
		if (!dag->timed[v] || tasks->start[row] < dag->start[v])
			dag->start[v] = tasks->start[row];
		if (!dag->timed[v] || tasks->end[row] > dag->end[v])
			dag->end[v] = tasks->end[row];
		dag->timed[v] = true;
		dag->task[v] |= tasks->counted[row];
	}
}

/* Appends the predecessors of v; seen[label] is v + 1 once v's dependency on that job is taken. */
static void add_edges(struct tv_dag *dag, uint32_t v, uint32_t row, const uint32_t *node_of_label,
		      uint32_t *seen)
{
	const uint32_t *label;
	uint32_t n;

	label = tv_list(dag->tasks->depends, row, &n);
	for (uint32_t i = 0; i < n; i++) {
		if (seen[label[i]] == v + 1)
			continue;
		seen[label[i]] = v + 1;
		if (node_of_label[label[i]] == TV_NONE)
			dag->dangling++;
		else
			dag->pred[dag->nedges++] = node_of_label[label[i]];
	}
}

static void link_nodes(struct tv_dag *dag, const uint32_t *node_of_label, uint32_t nlabels)
{
	uint32_t *seen = tv_alloc(nlabels, sizeof *seen);
	struct tv_groups rows;

	tv_groups_init(&rows, dag->node_of_row, dag->tasks->n, dag->n);
	for (uint32_t v = 0; v < dag->n; v++) {
		dag->first[v] = dag->nedges;
		for (uint32_t i = rows.first[v]; i < rows.first[v + 1]; i++)
			add_edges(dag, v, rows.row[i], node_of_label, seen);
	}
	dag->first[dag->n] = dag->nedges;
	tv_groups_release(&rows);
	tv_free(seen);
}

static void allocate_nodes(struct tv_dag *dag)
{
	size_t n = dag->n, ndeps = dag->tasks->depends == NULL ? 0 : dag->tasks->depends->nitems;

	dag->row = tv_alloc(n, sizeof *dag->row);
	dag->start = tv_alloc(n, sizeof *dag->start);
	dag->end = tv_alloc(n, sizeof *dag->end);
	dag->timed = tv_alloc(n, sizeof *dag->timed);
	dag->task = tv_alloc(n, sizeof *dag->task);
	dag->first = tv_alloc(n + 1, sizeof *dag->first);
	dag->pred = tv_alloc(ndeps, sizeof *dag->pred);
	dag->order = tv_alloc(n, sizeof *dag->order);
}

static int build(struct tv_dag *dag, struct tv_error *err)
{
	uint32_t nlabels = tv_pool_count(dag->tasks->pool);
	uint32_t *node_of_label = tv_alloc(nlabels, sizeof *node_of_label);
	int rc;

	dag->node_of_row = tv_alloc(dag->tasks->n, sizeof *dag->node_of_row);
	for (uint32_t i = 0; i < nlabels; i++)
		node_of_label[i] = TV_NONE;
	number_nodes(dag, node_of_label);
	allocate_nodes(dag);
	time_nodes(dag);
	if (dag->tasks->depends != NULL)
		link_nodes(dag, node_of_label, nlabels);
	rc = tv_dag_sort(dag, err);
	if (rc == 0)
		tv_dag_exclude(dag);
	tv_free(node_of_label);
	return rc;
}

int tv_dag_init(struct tv_dag *dag, const struct tv_tasks *tasks, struct tv_error *err)
{
	*dag = (struct tv_dag){ .tasks = tasks };
	if (build(dag, err) == 0)
		return 0;
	tv_dag_release(dag);
	return -1;
}

void tv_dag_release(struct tv_dag *dag)
{
	tv_free(dag->node_of_row);
	tv_free(dag->row);
	tv_free(dag->start);
	tv_free(dag->end);
	tv_free(dag->timed);
	tv_free(dag->task);
	tv_free(dag->first);
	tv_free(dag->pred);
	if (dag->sequence != dag->order)
		tv_free(dag->sequence);
	tv_free(dag->order);
	tv_free(dag->holders);
	tv_free(dag->holder);
	tv_free(dag->earliest);
	tv_free(dag->held);
	*dag = (struct tv_dag){ 0 };
}
