/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits.c -- since when every execution could have started, and on which workers. */
#include "dag/waits.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/map.h"
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

/* A worker type that ran a task type (a label or TV_NONE). */
struct ran {
	uint32_t task_type, worker_type;
};

TV_ORDER(by_task_type, struct ran, task_type, worker_type)

/* Each pair once, by task type; free with tv_free. */
static struct ran *list_runs(const struct tv_tasks *tasks, size_t *n)
{
	struct tv_map seen = { 0 };
	struct ran *ran = NULL;
	size_t cap = 0;

	*n = 0;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t type, *place;

		if (!tasks->counted[row])
			continue;
		type = tasks->workers[tasks->worker[row]].rtype;
		place = tv_map_at(&seen, type, tasks->value[row]);
		if (*place != TV_NONE)
			continue;
		*place = 0;
		TV_GROW(ran, *n, cap, 1);
		ran[(*n)++] = (struct ran){ tasks->value[row], type };
	}
	if (*n > 1)
		qsort(ran, *n, sizeof *ran, by_task_type);
	tv_map_release(&seen);
	return ran;
}

/* Worker types that ran the same task types get one number: each task type separates those that ran it. */
static void fold_types(const struct tv_tasks *tasks, uint32_t *group)
{
	struct tv_map apart = { 0 };
	size_t n;
	struct ran *ran = list_runs(tasks, &n);
	uint32_t next = 1;

	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		group[r] = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t *its = &group[ran[i].worker_type];
		uint32_t *to = tv_map_at(&apart, *its, ran[i].task_type);

		if (*to == TV_NONE)
			*to = next++;
		*its = *to;
	}
	tv_map_release(&apart);
	tv_free(ran);
}

static int fail(struct tv_error *err)
{
	return tv_fail(
		err,
		"more than %d types of workers, or %d sets of them, ran different task types: "
		"give --can-run anywhere, so that types make no difference",
		TV_CLASSES_MAX, TV_SETS_MAX);
}

/* Numbers the groups of the worker types that ran[] as classes, those with few workers first. */
static int number_groups(struct tv_waits *waits, const bool *ran, const uint32_t *group,
			 struct tv_error *err)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	struct tv_index workers = { 0 }; /* by group */
	int rc = 0;

	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		uint32_t before = tv_index_get(&workers, group[r]);

		waits->class_of[r] = TV_NONE;
		tv_index_set(&workers, group[r],
			     tasks->rtype[r].nworkers + (before == TV_NONE ? 0 : before));
	}
	while (rc == 0) {
		uint32_t next = TV_NONE;

		for (uint32_t r = 0; r < tasks->nrtypes; r++)
			if (ran[r] && waits->class_of[r] == TV_NONE
			    && (next == TV_NONE
				|| tv_index_get(&workers, group[r])
					   < tv_index_get(&workers, group[next])))
				next = r;
		if (next == TV_NONE)
			break;
		if (waits->nclasses == TV_CLASSES_MAX)
			rc = fail(err);
		for (uint32_t r = 0; r < tasks->nrtypes; r++)
			if (ran[r] && group[r] == group[next])
				waits->class_of[r] = waits->nclasses;
		waits->nclasses++;
	}
	tv_free(workers.at);
	return rc;
}

/* Each worker type that ran[] is a class; where they are too many, those that ran the same task types are one. */
static int number_classes(struct tv_waits *waits, const bool *ran, struct tv_error *err)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	uint32_t *group = tv_alloc(tasks->nrtypes, sizeof *group), n = 0;
	int rc;

	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		group[r] = r;
		n += ran[r];
	}
	if (n > TV_CLASSES_APART)
		fold_types(tasks, group);
	rc = number_groups(waits, ran, group, err);
	tv_free(group);
	return rc;
}

/* Numbers the sets of classes, from classes[t] of task type t to runs[t]; of a type that never ran nothing is known. */
static int number_sets(struct tv_waits *waits, const uint64_t *classes, uint32_t ntypes,
		       uint8_t *runs, struct tv_error *err)
{
	struct tv_map number = { 0 };

	waits->set[0] = waits->nclasses > 0 ? UINT64_MAX >> (64 - waits->nclasses) : 0;
	waits->nsets = 1;
	tv_map_put(&number, waits->set[0], 0, 0);
	for (uint32_t t = 0; t < ntypes; t++) {
		uint32_t *its;

		if (classes[t] == 0)
			continue;
		its = tv_map_at(&number, classes[t], 0);
		if (*its == TV_NONE && waits->nsets == TV_SETS_MAX) {
			tv_map_release(&number);
			return fail(err);
		}
		if (*its == TV_NONE) {
			*its = waits->nsets;
			waits->set[waits->nsets++] = classes[t];
		}
		runs[t] = (uint8_t)*its;
	}
	tv_map_release(&number);
	return 0;
}

static int find_runs(struct tv_waits *waits, struct tv_error *err)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	uint32_t nlabels = tv_labels_below(tasks->value, tasks->n);
	/* By label of the task type, the last one for a missing type. */
	uint64_t *classes = tv_alloc((size_t)nlabels + 1, sizeof *classes);
	uint8_t *runs = tv_alloc((size_t)nlabels + 1, sizeof *runs);
	bool *ran = tv_alloc(tasks->nrtypes, sizeof *ran);
	int rc;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			ran[tasks->workers[tasks->worker[row]].rtype] = true;
	rc = number_classes(waits, ran, err);
	for (uint32_t row = 0; row < tasks->n && rc == 0; row++)
		if (tasks->counted[row])
			classes[tasks->value[row] == TV_NONE ? nlabels : tasks->value[row]] |=
				UINT64_C(1) << tv_waits_class(waits, tasks->worker[row]);
	rc = rc < 0 ? rc : number_sets(waits, classes, nlabels + 1, runs, err);
	for (uint32_t row = 0; row < tasks->n && rc == 0; row++)
		waits->runs[row] = runs[tasks->value[row] == TV_NONE ? nlabels : tasks->value[row]];
	tv_free(classes);
	tv_free(runs);
	tv_free(ran);
	return rc;
}

void tv_waits_init_any(struct tv_waits *waits, const struct tv_dag *dag)
{
	const struct tv_tasks *tasks = dag->tasks;

	/* One class and set of all, until more is known. */
	*waits = (struct tv_waits){ .dag = dag, .nclasses = 1, .nsets = 1, .set = { 1 } };
	waits->runs = tv_alloc(tasks->n, sizeof *waits->runs);
	waits->class_of = tv_alloc(tasks->nrtypes, sizeof *waits->class_of);
	time_rows(waits, true);
	tv_in_calls_init(&waits->calls, tasks);
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
	int rc;

	tv_waits_init_any(waits, dag);
	if (any)
		return 0;
	waits->nclasses = 0;
	rc = find_runs(waits, err);
	if (rc < 0)
		tv_waits_release(waits);
	return rc;
}

void tv_waits_release(struct tv_waits *waits)
{
	tv_free(waits->released);
	tv_free(waits->message);
	tv_free(waits->runs);
	tv_free(waits->class_of);
	tv_in_calls_release(&waits->calls);
	tv_in_calls_release(&waits->loops);
	*waits = (struct tv_waits){ 0 };
}

void tv_waits_pending_nodes(const struct tv_waits *waits, uint32_t *node)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	const struct tv_column *of = tv_table_find(&tasks->trace->table[TV_TASKS], "Node");

	for (uint32_t row = 0; row < tasks->n; row++) {
		node[row] = tasks->pending[row] && tasks->nnodes == 1 ? 0 : TV_NONE;
		for (uint32_t n = 0; tasks->pending[row] && tasks->nnodes > 1 && n < tasks->nnodes;
		     n++)
			if (of != NULL && tv_label(of, row) == tasks->node[n].label)
				node[row] = n;
	}
}
