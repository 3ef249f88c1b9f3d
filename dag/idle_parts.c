/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_parts.c -- the sweep over idle time part by part: which tasks of other parts matter. */
#include "dag/idle_parts.h"

#include <stdlib.h>

#include "dag/idle_state.h"
#include "trace/alloc.h"
#include "trace/map.h"

/* A row of tasks that matters to the sweep of another part. */
struct task {
	uint64_t row;				 /* of all parts */
	int64_t submitted, released, start, end; /* ns */
	uint32_t worker, node;			 /* TV_NONE = not known */
	uint32_t type;				 /* label */
	bool executed, counted, pending;
};

/* Tasks, of which for some reason the first ones are kept. */
struct tasks {
	struct task *at;
	size_t n, cap;
};

enum reason { SUBMITTED_FIRST, SUBMITTED_LAST, RELEASED, NEXT, NREASONS };

struct group {
	struct kept_task {
		int64_t by; /* a smaller one is kept */
		struct task task;
	} * at;
	size_t n, cap;
	int64_t limit; /* this and larger ones make no difference */
};

struct kept {
	struct tv_map place; /* of a group: by reason, worker or node, and task type */
	struct group *group;
	size_t n, cap;
};

struct part {
	int64_t until;	   /* its last Start so far, ns: later parts start then or later */
	struct kept later; /* of later parts */
};

struct tv_idle_parts {
	struct part *part;
	size_t n, cap, next; /* next: that is swept */
	bool known, submits, messages;
	struct tv_ran ran;
	struct tv_worker_classes classes;
	/* while time is swept */
	const struct tv_tasks *run;
	struct tv_dag dag; /* with the workers of the run alone */
	const struct tv_idle_wanted *wanted;
	struct tv_waits waits; /* classes and calls of the run */
	struct tv_idle_sweep sweep;
	uint64_t row;	   /* the first one of the part */
	struct tasks runs; /* of earlier parts, that may go on */
	struct kept never; /* ..., that never started */
};

struct tv_idle_parts *tv_idle_parts_new(void)
{
	return tv_alloc(1, sizeof(struct tv_idle_parts));
}

static void kept_release(struct kept *kept)
{
	for (size_t i = 0; i < kept->n; i++)
		tv_free(kept->group[i].at);
	tv_free(kept->group);
	tv_map_release(&kept->place);
	*kept = (struct kept){ 0 };
}

void tv_idle_parts_free(struct tv_idle_parts *parts)
{
	if (parts == NULL)
		return;
	for (size_t i = 0; i < parts->n; i++)
		kept_release(&parts->part[i].later);
	if (parts->run != NULL)
		tv_idle_end(&parts->sweep);
	kept_release(&parts->never);
	tv_free(parts->part);
	tv_free(parts->runs.at);
	tv_ran_release(&parts->ran);
	tv_waits_release(&parts->waits);
	tv_worker_classes_release(&parts->classes);
	tv_free(parts);
}

/* ---- which tasks are kept ---- */

TV_ORDER(by_limit, struct kept_task, by, task.row)

/* Keeps a task if fewer than `most` tasks of the same kind have a `by` that is not larger. Returns whether it does. */
static bool offer(struct kept *kept, enum reason reason, uint32_t of, int64_t by, size_t most,
		  const struct task *task)
{
	uint32_t type = reason == RELEASED ? task->type : 0;
	uint32_t *place = tv_map_at(&kept->place, (uint64_t)reason << 32 | of, type);
	struct group *group;

	if (*place == TV_NONE) {
		*place = (uint32_t)kept->n;
		TV_GROW(kept->group, kept->n, kept->cap, 1);
		kept->group[kept->n++] = (struct group){ .limit = INT64_MAX };
	}
	group = &kept->group[*place];
	if (by >= group->limit)
		return false;
	TV_GROW(group->at, group->n, group->cap, 1);
	group->at[group->n++] = (struct kept_task){ by, *task };
	if (reason == NEXT) {
		group->limit = by;
	} else if (group->n == 2 * most) {
		qsort(group->at, group->n, sizeof *group->at, by_limit);
		group->n = most;
		group->limit = group->at[most - 1].by;
	}
	return true;
}

/* What a task is kept for; false: it makes no difference before an instant. */
static bool is_asked(const struct task *task, enum reason reason, int64_t until, uint32_t *of,
		     int64_t *by)
{
	*of = reason == NEXT ? task->worker : task->node;
	*by = reason == SUBMITTED_FIRST ? task->submitted
	    : reason == SUBMITTED_LAST	? ~task->submitted
					: task->released;
	return reason < RELEASED || (task->released < until && *of != TV_NONE);
}

/* How many are enough for a reason. */
static size_t most_of(const struct tv_tasks *tasks, const struct task *task, enum reason reason)
{
	return reason < RELEASED ? 1 : (size_t)tasks->node[task->node].nworkers + 1;
}

/* For all reasons, of tasks in the order of their rows. */
static void keep(struct kept *kept, const struct tv_tasks *tasks, int64_t until,
		 const struct task *task)
{
	for (enum reason reason = 0; reason < NREASONS; reason++) {
		uint32_t of;
		int64_t by;

		if (is_asked(task, reason, until, &of, &by))
			offer(kept, reason, of, by, most_of(tasks, task, reason), task);
	}
}

/* The tasks of a part that are kept for the one before are offered to all before, back to one to which they make no difference:
 * what is kept there is of fewer tasks. */
static void keep_for_earlier(struct tv_idle_parts *parts, const struct tv_tasks *tasks,
			     const struct kept *kept)
{
	for (size_t i = 0; i < kept->place.size; i++) {
		const struct tv_map_slot *slot = &kept->place.slot[i];
		enum reason reason = (enum reason)(slot->a >> 32);
		const struct group *group = slot->used ? &kept->group[slot->value] : NULL;

		for (size_t k = 0; group != NULL && k < group->n; k++) {
			const struct task *task = &group->at[k].task;
			size_t most = most_of(tasks, task, reason), p = parts->n - 1;
			uint32_t of;
			int64_t by;

			while (p-- > 0 && is_asked(task, reason, parts->part[p].until, &of, &by)
			       && offer(&parts->part[p].later, reason, of, by, most, task))
				;
		}
	}
}

/* ---- the tasks of a part ---- */

static uint32_t *find_pending_nodes(const struct tv_waits *waits)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	uint32_t *node = tasks->npending > 0 ? tv_alloc(tasks->n, sizeof *node) : NULL;

	if (node != NULL)
		tv_waits_pending_nodes(waits, node);
	return node;
}

/* pending_node: NULL = no task is pending. */
static struct task task_of(const struct tv_waits *waits, uint32_t row, const uint32_t *pending_node,
			   uint64_t first)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	bool executed = tasks->executed[row], waited = tasks->counted[row] || tasks->pending[row];
	uint32_t worker = executed ? tasks->worker[row] : TV_NONE;

	return (struct task){
		.row = first + row,
		.submitted = waited ? tv_waits_submitted(waits, row) : INT64_MIN,
		.released = waited ? waits->released[row] : INT64_MAX,
		.start = executed ? tasks->start[row] : INT64_MAX,
		.end = executed ? tasks->end[row] : INT64_MAX,
		.worker = worker,
		.node = worker != TV_NONE    ? tasks->workers[worker].node
		      : pending_node != NULL ? pending_node[row]
					     : TV_NONE,
		.type = tasks->value[row],
		.executed = executed,
		.counted = tasks->counted[row],
		.pending = tasks->pending[row],
	};
}

/* The last Start of the rows of a part, or of those before. */
static int64_t find_until(const struct tv_tasks *tasks, int64_t before)
{
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row] && tasks->start[row] > before)
			before = tasks->start[row];
	return before;
}

static void note_later(struct tv_idle_parts *parts, const struct tv_dag *dag, int64_t until)
{
	const struct tv_tasks *tasks = dag->tasks;
	struct kept kept = { 0 };
	struct tv_waits waits;
	uint32_t *pending_node;

	tv_waits_init_released(&waits, dag);
	pending_node = find_pending_nodes(&waits);
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct task task;

		if (!tasks->counted[row] && !tasks->pending[row])
			continue;
		task = task_of(&waits, row, pending_node, parts->row);
		if (task.node != TV_NONE)
			keep(&kept, tasks, until, &task);
	}
	keep_for_earlier(parts, tasks, &kept);
	kept_release(&kept);
	tv_free(pending_node);
	tv_waits_release(&waits);
}

void tv_idle_parts_note(struct tv_idle_parts *parts, const struct tv_dag *dag)
{
	const struct tv_tasks *tasks = dag->tasks;
	int64_t before = parts->n > 0 ? parts->part[parts->n - 1].until : INT64_MIN;

	parts->known |= tasks->depends != NULL;
	parts->submits |= tasks->submit != NULL;
	for (uint32_t row = 0; row < tasks->n && !parts->messages; row++)
		parts->messages = tasks->kind[row] == TV_MESSAGE;
	tv_ran_add(&parts->ran, tasks);
	TV_GROW(parts->part, parts->n, parts->cap, 1);
	parts->part[parts->n++] = (struct part){ .until = find_until(tasks, before) };
	if (parts->n > 1)
		note_later(parts, dag, before);
	parts->row += tasks->n;
}

const char *tv_idle_parts_reason(const struct tv_idle_parts *parts)
{
	return parts->n > 1 && parts->messages ? "messages are nodes of the task graph" : NULL;
}

/* ---- the sweep ---- */

int tv_idle_parts_begin(struct tv_idle_parts *parts, const struct tv_tasks *run, bool any,
			const struct tv_idle_wanted *wanted, struct tv_error *err)
{
	if (any)
		tv_worker_classes_init_any(&parts->classes, run);
	else if (tv_worker_classes_init(&parts->classes, &parts->ran, run, err) < 0)
		return -1;
	parts->run = run;
	parts->wanted = wanted;
	parts->row = 0;
	parts->dag.tasks = run;
	parts->waits = (struct tv_waits){ .dag = &parts->dag, .classes = &parts->classes };
	tv_in_calls_init(&parts->waits.calls, run);
	tv_idle_begin(&parts->sweep, &parts->waits, wanted->spans);
	parts->sweep.watch = wanted->watch;
	parts->sweep.slices = wanted->slices;
	return 0;
}

static void add_task(struct tasks *tasks, const struct task *task)
{
	TV_GROW(tasks->at, tasks->n, tasks->cap, 1);
	tasks->at[tasks->n++] = *task;
}

/* The rows of a part, behind those of earlier ones. */
static void add_rows(struct tv_idle_parts *parts, const struct tv_dag *dag)
{
	const struct tv_tasks *tasks = dag->tasks;
	struct tv_waits waits;
	uint32_t *pending_node;

	tv_waits_init_released(&waits, dag);
	pending_node = find_pending_nodes(&waits);
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct task task = task_of(&waits, row, pending_node, parts->row);

		if (task.executed)
			add_task(&parts->runs, &task);
		else if (task.pending && task.node != TV_NONE)
			keep(&parts->never, tasks, INT64_MAX, &task);
	}
	parts->row += tasks->n;
	tv_free(pending_node);
	tv_waits_release(&waits);
}

TV_ORDER(by_row, struct task, row)

/* Each once, in the order of rows. */
static void add_kept(struct tasks *tasks, const struct kept *kept)
{
	size_t first = tasks->n, n = first;

	for (size_t i = 0; i < kept->n; i++)
		for (size_t k = 0; k < kept->group[i].n; k++)
			add_task(tasks, &kept->group[i].at[k].task);
	if (tasks->n == first)
		return;
	qsort(tasks->at + first, tasks->n - first, sizeof *tasks->at, by_row);
	for (size_t i = first; i < tasks->n; i++)
		if (n == first || tasks->at[n - 1].row != tasks->at[i].row)
			tasks->at[n++] = tasks->at[i];
	tasks->n = n;
}

/* Some tasks as those of a run, a row each. */
struct rows {
	struct tv_tasks tasks;
	struct tv_column submit;
	struct tv_dag dag;
	struct tv_waits waits;
	int64_t *start, *end;
	uint32_t *same, *pending_node;
};

static void rows_init(struct rows *rows, const struct tv_idle_parts *parts,
		      const struct tasks *from)
{
	static const struct tv_column none;
	struct tv_tasks *tasks = &rows->tasks;
	uint32_t n = (uint32_t)from->n;

	*rows = (struct rows){ .tasks = *parts->run, .waits = parts->waits };
	rows->start = tv_alloc(n, sizeof *rows->start);
	rows->end = tv_alloc(n, sizeof *rows->end);
	rows->same = tv_alloc(n, sizeof *rows->same);
	rows->pending_node = tv_alloc(n, sizeof *rows->pending_node);
	rows->submit.i = tv_alloc(n, sizeof *rows->submit.i);
	tasks->n = n;
	tasks->start = rows->start;
	tasks->end = rows->end;
	tasks->executed = tv_alloc(n, sizeof *tasks->executed);
	tasks->counted = tv_alloc(n, sizeof *tasks->counted);
	tasks->pending = tv_alloc(n, sizeof *tasks->pending);
	tasks->worker = tv_alloc(n, sizeof *tasks->worker);
	tasks->submit = parts->submits ? &rows->submit : NULL;
	tasks->depends = parts->known ? &none : NULL;
	rows->dag = (struct tv_dag){ .tasks = tasks,
				     .n = n,
				     .are_rows = true,
				     .node_of_row = rows->same,
				     .row = rows->same };
	rows->waits.dag = &rows->dag;
	rows->waits.pending_node = rows->pending_node;
	rows->waits.released = tv_alloc(n, sizeof *rows->waits.released);
	rows->waits.runs = tv_alloc(n, sizeof *rows->waits.runs);
}

static void rows_release(struct rows *rows)
{
	tv_free(rows->start);
	tv_free(rows->end);
	tv_free(rows->same);
	tv_free(rows->pending_node);
	tv_free(rows->submit.i);
	tv_free(rows->tasks.executed);
	tv_free(rows->tasks.counted);
	tv_free(rows->tasks.pending);
	tv_free(rows->tasks.worker);
	tv_free(rows->waits.released);
	tv_free(rows->waits.runs);
}

static void rows_set(struct rows *rows, const struct tasks *from)
{
	rows->tasks.npending = 0;
	for (uint32_t row = 0; row < rows->tasks.n; row++) {
		const struct task *task = &from->at[row];

		rows->same[row] = row;
		rows->start[row] = task->start;
		rows->end[row] = task->end;
		rows->submit.i[row] = task->submitted;
		rows->waits.released[row] = task->released;
		rows->waits.runs[row] = tv_worker_classes_set(rows->waits.classes, task->type);
		rows->tasks.executed[row] = task->executed;
		rows->tasks.counted[row] = task->counted;
		rows->tasks.pending[row] = task->pending;
		rows->tasks.worker[row] = task->worker;
		rows->pending_node[row] = task->pending ? task->node : TV_NONE;
		rows->tasks.npending += task->pending;
	}
}

static void sweep_with(struct tv_idle_parts *parts, const struct tv_waits *waits, int64_t until)
{
	const struct tv_fetches none = { 0 };

	tv_idle_take(&parts->sweep, waits, &none, until);
	if (parts->wanted->slices != NULL)
		tv_idle_sweep_slices(&parts->sweep, until);
	else
		tv_idle_sweep_until(&parts->sweep, until);
	tv_idle_drop(&parts->sweep);
	parts->sweep.now = until;
	parts->sweep.tasks = parts->run;
	parts->sweep.waits = &parts->waits;
}

static void sweep_tasks(struct tv_idle_parts *parts, const struct kept *later, int64_t until)
{
	struct tasks *runs = &parts->runs;
	size_t nruns = runs->n, n = 0;
	struct rows rows;

	add_kept(runs, later);
	add_kept(runs, &parts->never);
	rows_init(&rows, parts, runs);
	rows_set(&rows, runs);
	sweep_with(parts, &rows.waits, until);
	rows_release(&rows);
	for (size_t i = 0; i < nruns; i++)
		if (runs->at[i].end >= until)
			runs->at[n++] = runs->at[i];
	runs->n = n;
}

int64_t tv_idle_parts_sweep(struct tv_idle_parts *parts, const struct tv_dag *dag)
{
	struct part *part = &parts->part[parts->next++];
	int64_t end = parts->wanted->end;
	bool last = parts->next == parts->n;
	int64_t until = last || part->until > end ? end : part->until;

	if (parts->n == 1) {
		struct tv_waits waits;
		struct tv_in_calls none;

		/* The run has calls, a part has none. */
		tv_waits_init_of(&waits, dag, &parts->classes);
		none = waits.calls;
		waits.calls = parts->waits.calls;
		sweep_with(parts, &waits, until);
		waits.calls = none;
		tv_waits_release(&waits);
	} else {
		add_rows(parts, dag);
		if (until > parts->sweep.now)
			sweep_tasks(parts, &part->later, until);
		kept_release(&part->later);
	}
	if (parts->wanted->spans != NULL)
		tv_idle_cut_spans(&parts->sweep);
	return parts->sweep.now;
}
