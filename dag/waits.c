/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits.c -- since when every execution could have started, and on which workers. */
#include "dag/waits.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/sorted.h"

/* When a job has what it waits for; INT64_MIN = from the start. */
struct need {
	int64_t other; /* everything but messages, ns */
	int64_t sent;  /* what its messages themselves wait for */
	int64_t came;  /* its messages */
};

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void need_also(struct need *need, const struct need *more)
{
	need->other = later(need->other, more->other);
	need->sent = later(need->sent, more->sent);
	need->came = later(need->came, more->came);
}

/* What a node's successors need because of it: a pending job never ended, other jobs that have no
 * time pass on what they need. */
static struct need passes_on(const struct tv_dag *dag, const struct need *need,
			     const int64_t *released, uint32_t v)
{
	if (!dag->timed[v] && dag->tasks->pending[dag->row[v]])
		return (struct need){ INT64_MAX, INT64_MIN, INT64_MIN };
	if (!dag->timed[v])
		return need[v];
	if (dag->tasks->kind[dag->row[v]] == TV_MESSAGE)
		return (struct need){ INT64_MIN,
				      released[v] < dag->end[v] ? released[v] : dag->end[v],
				      dag->end[v] };
	return (struct need){ dag->end[v], INT64_MIN, INT64_MIN };
}

/* From when on each job lacked nothing but a message, into since[]; INT64_MAX = never. */
static void wait_for_messages(const struct tv_dag *dag, const int64_t *released, int64_t *since)
{
	struct need *need = tv_alloc(dag->n, sizeof *need);

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];
		int64_t from;

		need[v] = (struct need){ tv_dag_earliest(dag, v), INT64_MIN, INT64_MIN };
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			uint32_t u = dag->pred[k];
			struct need more = passes_on(dag, need, released, u);

			more.other = tv_dag_reaches(dag, v, u, more.other);
			more.sent = tv_dag_reaches(dag, v, u, more.sent);
			more.came = tv_dag_reaches(dag, v, u, more.came);
			need_also(&need[v], &more);
		}
		from = later(need[v].sent, need[v].other);
		since[v] = need[v].came > from ? from : INT64_MAX;
	}
	tv_free(need);
}

/* The row also waits until then for something that is no message. */
static void wait_until(struct tv_waits *waits, uint32_t row, int64_t time)
{
	bool earlier = time < waits->released[row];

	if (waits->message != NULL)
		waits->message[row] = earlier ? later(waits->message[row], time) : INT64_MAX;
	if (!earlier)
		waits->released[row] = time;
}

/* Executions of one job that follow each other wait for each other. */
static void follow_up(struct tv_waits *waits, const uint32_t *row, uint32_t n, int64_t *ends)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	uint32_t nends = 0;

	/* One that took no time would be found to wait for itself. */
	for (uint32_t i = 0; i < n; i++)
		if (tasks->counted[row[i]] && tasks->end[row[i]] > tasks->start[row[i]])
			ends[nends++] = tasks->end[row[i]];
	qsort(ends, nends, sizeof *ends, tv_compare_int64);
	for (uint32_t i = 0; i < n; i++) {
		size_t before;

		if (!tasks->counted[row[i]])
			continue;
		before = tv_count_upto(&tasks->start[row[i]], ends, nends, sizeof *ends,
				       tv_compare_int64);
		if (before > 0)
			wait_until(waits, row[i], ends[before - 1]);
	}
}

static void follow_up_all(struct tv_waits *waits)
{
	const struct tv_dag *dag = waits->dag;
	struct tv_groups rows;
	int64_t *ends;
	uint32_t max = 0;

	tv_groups_init(&rows, dag->node_of_row, dag->tasks->n, dag->n);
	for (uint32_t v = 0; v < dag->n; v++)
		if (rows.first[v + 1] - rows.first[v] > max)
			max = rows.first[v + 1] - rows.first[v];
	ends = tv_alloc(max, sizeof *ends);
	for (uint32_t v = 0; v < dag->n; v++)
		if (rows.first[v + 1] - rows.first[v] > 1)
			follow_up(waits, rows.row + rows.first[v],
				  rows.first[v + 1] - rows.first[v], ends);
	tv_free(ends);
	tv_groups_release(&rows);
}

int64_t tv_waits_submitted(const struct tv_waits *waits, uint32_t row)
{
	const struct tv_dag *dag = waits->dag;
	uint32_t v = dag->node_of_row[row];
	int64_t time = tv_dag_submitted(dag, v);
	uint32_t before = dag->previous == NULL ? TV_NONE : dag->previous[v];

	/* Before it is suspended it does not wait but runs. */
	return before == TV_NONE || !dag->timed[before] ? time : later(time, dag->end[before]);
}

/* Times by job, and their array, to one by row. */
static int64_t *spread(const struct tv_dag *dag, int64_t *time)
{
	int64_t *of_row;

	if (dag->are_rows)
		return time;
	of_row = tv_alloc(dag->tasks->n, sizeof *of_row);
	for (uint32_t row = 0; row < dag->tasks->n; row++)
		if (dag->node_of_row[row] != TV_NONE)
			of_row[row] = time[dag->node_of_row[row]];
	tv_free(time);
	return of_row;
}

static bool has_messages(const struct tv_tasks *tasks)
{
	uint32_t row = 0;

	while (row < tasks->n && tasks->kind[row] != TV_MESSAGE)
		row++;
	return row < tasks->n;
}

static void time_rows(struct tv_waits *waits, bool messages)
{
	const struct tv_dag *dag = waits->dag;
	int64_t *released = tv_alloc((size_t)dag->n + dag->noutside, sizeof *released);

	tv_dag_released(dag, released);
	if (messages && has_messages(dag->tasks)) {
		int64_t *since = tv_alloc(dag->n, sizeof *since);

		wait_for_messages(dag, released, since);
		waits->message = spread(dag, since);
	}
	waits->released = spread(dag, released);
	/* What excludes a later execution of a job is not known to the job. */
	for (uint32_t row = 0; dag->held != NULL && row < dag->tasks->n; row++)
		if (dag->node_of_row[row] != TV_NONE && dag->held[row] != INT64_MIN)
			wait_until(waits, row, dag->held[row]);
	if (dag->row != dag->node_of_row)
		follow_up_all(waits);
}

void tv_waits_init_of(struct tv_waits *waits, const struct tv_dag *dag,
		      const struct tv_worker_classes *classes)
{
	const struct tv_tasks *tasks = dag->tasks;

	*waits = (struct tv_waits){ .dag = dag, .classes = classes };
	waits->runs = tv_alloc(tasks->n, sizeof *waits->runs);
	for (uint32_t row = 0; row < tasks->n; row++)
		waits->runs[row] = tv_worker_classes_set(classes, tasks->value[row]);
	time_rows(waits, true);
	tv_in_calls_init(&waits->calls, tasks);
}

void tv_waits_init_any(struct tv_waits *waits, const struct tv_dag *dag)
{
	struct tv_worker_classes *classes = tv_alloc(1, sizeof *classes);

	tv_worker_classes_init_any(classes, dag->tasks);
	tv_waits_init_of(waits, dag, classes);
	waits->own = classes;
}

void tv_waits_find_loops(struct tv_waits *waits)
{
	tv_in_loops_init(&waits->loops, waits->dag->tasks);
}

void tv_waits_init_released(struct tv_waits *waits, const struct tv_dag *dag)
{
	*waits = (struct tv_waits){ .dag = dag };
	time_rows(waits, false);
}

int tv_waits_init(struct tv_waits *waits, const struct tv_dag *dag, bool any, struct tv_error *err)
{
	struct tv_worker_classes *classes;
	struct tv_ran ran = { 0 };
	int rc;

	if (any) {
		tv_waits_init_any(waits, dag);
		return 0;
	}
	classes = tv_alloc(1, sizeof *classes);
	tv_ran_add(&ran, dag->tasks);
	rc = tv_worker_classes_init(classes, &ran, dag->tasks, err);
	tv_ran_release(&ran);
	if (rc < 0) {
		tv_free(classes);
		return -1;
	}
	tv_waits_init_of(waits, dag, classes);
	waits->own = classes;
	return 0;
}

void tv_waits_release(struct tv_waits *waits)
{
	tv_free(waits->released);
	tv_free(waits->message);
	tv_free(waits->runs);
	if (waits->own != NULL)
		tv_worker_classes_release(waits->own);
	tv_free(waits->own);
	tv_in_calls_release(&waits->calls);
	tv_in_calls_release(&waits->loops);
	*waits = (struct tv_waits){ 0 };
}

void tv_waits_pending_nodes(const struct tv_waits *waits, uint32_t *node)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	const struct tv_column *of = tv_table_find(&tasks->trace->table[TV_TASKS], "Node");

	if (waits->pending_node != NULL) {
		memcpy(node, waits->pending_node, tasks->n * sizeof *node);
		return;
	}
	for (uint32_t row = 0; row < tasks->n; row++) {
		node[row] = tasks->pending[row] && tasks->nnodes == 1 ? 0 : TV_NONE;
		for (uint32_t n = 0; tasks->pending[row] && tasks->nnodes > 1 && n < tasks->nnodes;
		     n++)
			if (of != NULL && tv_label(of, row) == tasks->node[n].label)
				node[row] = n;
	}
}
