/* SPDX-License-Identifier: GPL-3.0-or-later */
/* priorities.c -- tasks that started while more urgent ones waited that could have run there. */
#include <stdlib.h>

#include "analysis/core/grouping.h"
#include "analysis/core/options.h"
#include "analysis/core/run.h"
#include "dag/instants.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type of the workers") \
	X(TYPE, "Value", TV_LABEL, false, "", "type of the tasks that started") \
	X(OVERTAKEN, "OvertakenValue", TV_LABEL, false, "", \
	  "type of the most urgent task that waited then") \
	X(STARTS, "Starts", TV_INT, false, "", \
	  "number of tasks of type Value that started on such workers") \
	X(TASKS, "Tasks", TV_INT, false, "", \
	  "number of them that overtook a task of type OvertakenValue") \
	X(LOST, "LostTime", TV_TIME, false, "ms", \
	  "additional wait of the overtaken tasks, sum over Tasks") \
	X(MAX_LOST, "MaxLost", TV_TIME, false, "ms", "the longest of these times")

TV_COLUMNS(columns, COLUMNS)

/* A task that started, and the type that it overtook. */
struct begin {
	uint32_t rtype;	     /* of its worker */
	uint32_t type, over; /* indices in the order of names; over: TV_NONE = none */
	int64_t lost;	     /* ns */
};

struct overtaking {
	const struct tv_run *run;
	const struct tv_tasks *tasks;
	const struct tv_column *priority;
	struct tv_waits waits;
	struct tv_moments moments;
	struct tv_moment *instant; /* all of one time */
	size_t instant_cap;
	/* Released tasks of each node that each class of workers can run, most urgent first; those
	 * that have started since are removed when they are first. */
	struct tv_heap *heap; /* node x class */
	bool *started;	      /* by row */
	struct begin *begin;
	size_t nbegins;
	struct tv_grouping types;
	struct tv_window in;
	struct tv_table *out;
};

static int64_t priority_of(const struct overtaking *work, uint32_t row)
{
	return tv_missing(work->priority, row) ? 0 : work->priority->i[row];
}

/* Whether row a is to be started before row b: more urgent, else released earlier. */
static bool before(const void *context, uint32_t a, uint32_t b)
{
	const struct overtaking *work = context;
	int64_t x = priority_of(work, a), y = priority_of(work, b);

	if (x != y)
		return x > y;
	x = work->waits.released[a];
	y = work->waits.released[b];
	return x != y ? x < y : a < b;
}

/* The most urgent task that waits; TV_NONE if none does. */
static uint32_t most_urgent(struct overtaking *work, struct tv_heap *heap)
{
	while (heap->n > 0 && work->started[heap->row[0]])
		tv_heap_pop(heap, before, work);
	return heap->n == 0 ? TV_NONE : heap->row[0];
}

static struct tv_heap *heap_of(struct overtaking *work, uint32_t row, uint32_t class)
{
	uint32_t node = work->tasks->workers[work->tasks->worker[row]].node;

	return &work->heap[(size_t)node * work->waits.classes->n + class];
}

static void add_begin(struct overtaking *work, uint32_t row)
{
	const struct tv_tasks *tasks = work->tasks;
	uint32_t w = tasks->worker[row];
	uint32_t top = most_urgent(work, heap_of(work, row, tv_waits_class(&work->waits, w)));
	struct begin *begin = &work->begin[work->nbegins];

	if (tasks->start[row] < work->in.begin || tasks->start[row] >= work->in.end)
		return;
	*begin = (struct begin){ tasks->workers[w].rtype, work->types.of_row[row], TV_NONE, 0 };
	if (top != TV_NONE && priority_of(work, top) > priority_of(work, row)) {
		int64_t until = tasks->end[row] < tasks->start[top] ? tasks->end[row]
								    : tasks->start[top];

		begin->over = work->types.of_row[top];
		begin->lost = until - tasks->start[row];
	}
	work->nbegins++;
}

static void add_released(struct overtaking *work, uint32_t row)
{
	for (uint32_t class = 0; class < work->waits.classes->n; class ++)
		if (tv_waits_can_run(&work->waits, row, class))
			tv_heap_push(heap_of(work, row, class), row, before, work);
}

/* What starts at an instant does not wait then, what is released then has not waited yet. */
static void take_instant(struct overtaking *work, size_t n)
{
	const struct tv_moment *at = work->instant;

	for (size_t i = 0; i < n; i++)
		if (at[i].what == TV_MOMENT_BEGIN)
			work->started[at[i].row] = true;
	for (size_t i = 0; i < n; i++)
		if (at[i].what == TV_MOMENT_BEGIN && work->tasks->counted[at[i].row]
		    && tv_run_has(work->run, work->tasks->worker[at[i].row]))
			add_begin(work, at[i].row);
	for (size_t i = 0; i < n; i++)
		if (at[i].what == TV_MOMENT_RELEASE && work->tasks->counted[at[i].row])
			add_released(work, at[i].row);
}

TV_ORDER(by_types, struct begin, rtype, type, over)

static void find_begins(struct overtaking *work)
{
	const struct tv_fetches none = { 0 };
	const struct tv_tasks *tasks = work->tasks;

	tv_moments_init(&work->moments, &work->waits, &none, INT64_MIN, INT64_MAX);
	tv_grouping_by_type(&work->types, tasks);
	work->heap = tv_alloc((size_t)tasks->nnodes * work->waits.classes->n, sizeof *work->heap);
	work->started = tv_alloc(tasks->n, sizeof *work->started);
	work->begin = tv_alloc(tasks->ncounted, sizeof *work->begin);
	while (work->moments.more) {
		size_t n = 0;

		do {
			TV_GROW(work->instant, n, work->instant_cap, 1);
			work->instant[n++] = work->moments.now;
			tv_moments_next(&work->moments);
		} while (work->moments.more && work->moments.now.time == work->instant->time);
		take_instant(work, n);
	}
	qsort(work->begin, work->nbegins, sizeof *work->begin, by_types);
}

/* One row for begin[0..n), which are alike. */
static void write_row(const struct overtaking *work, const struct begin *begin, size_t n,
		      size_t starts)
{
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);
	tv_int128 lost = 0;
	int64_t max = 0;

	for (size_t i = 0; i < n; i++) {
		lost += begin[i].lost;
		max = begin[i].lost > max ? begin[i].lost : max;
	}
	tv_set_label(to[RTYPE], row, work->tasks->rtype[begin->rtype].label);
	tv_set_label(to[TYPE], row, tv_grouping_label(&work->types, begin->type));
	tv_set_label(to[OVERTAKEN], row, tv_grouping_label(&work->types, begin->over));
	tv_set_int(to[STARTS], row, (int64_t)starts);
	tv_set_int(to[TASKS], row, (int64_t)n);
	tv_set_int(to[LOST], row, tv_sum_ns(lost));
	tv_set_int(to[MAX_LOST], row, max);
}

/* Rows for the starts of one task type on one worker type; those that overtook none come last. */
static void write_starts(const struct overtaking *work, const struct begin *begin, size_t n)
{
	for (size_t i = 0, alike; i < n && begin[i].over != TV_NONE; i += alike) {
		for (alike = 1; i + alike < n && begin[i + alike].over == begin[i].over;)
			alike++;
		write_row(work, begin + i, alike, n);
	}
}

static void write_table(const struct overtaking *work)
{
	for (size_t i = 0, n; i < work->nbegins; i += n) {
		const struct begin *begin = &work->begin[i];

		for (n = 1; i + n < work->nbegins && begin[n].rtype == begin->rtype
			    && begin[n].type == begin->type;)
			n++;
		write_starts(work, begin, n);
	}
}

static void release(struct overtaking *work)
{
	for (size_t i = 0; i < (size_t)work->tasks->nnodes * work->waits.classes->n; i++)
		tv_heap_release(&work->heap[i]);
	tv_free(work->heap);
	tv_free(work->started);
	tv_free(work->begin);
	tv_grouping_release(&work->types);
	tv_moments_release(&work->moments);
	tv_free(work->instant);
	tv_waits_release(&work->waits);
}

struct asked {
	enum tv_can_run can_run;
};

static int run_priorities(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	struct overtaking work = {
		.run = run, .tasks = &run->tasks, .in = run->window, .out = out
	};
	const struct asked *asked = options->chosen;
	const struct tv_dag *dag;

	work.priority = tv_table_find(&run->trace->table[TV_TASKS], "Priority");
	if (work.priority == NULL || run->tasks.depends == NULL)
		return tv_fail(err, "priorities: the tasks have no column %s",
			       work.priority == NULL ? "Priority" : "DependsOn");
	if ((dag = tv_run_dag(run, err)) == NULL
	    || tv_waits_init(&work.waits, dag, asked->can_run == TV_CAN_RUN_ANYWHERE, err) < 0)
		return -1;
	find_begins(&work);
	write_table(&work);
	release(&work);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ TV_CAN_RUN_ROW, TV_ASKED(can_run) },
};

const struct tv_pass tv_pass_priorities = {
	.name = "priorities",
	.summary = "Priority inversions: tasks that started while more urgent ones waited",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "LostTime",
	.sums = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "A task overtakes if at its Start another task of the same node waits that has\n"
		 "a larger Priority (missing = 0), was released before (as in deps) and can run\n"
		 "on that type of worker. Of several the most urgent one is reported, of equal\n"
		 "ones the one released first. It loses the time from that Start until it starts\n"
		 "itself or the other task ends, whichever comes first. No row: priorities were\n"
		 "respected. With --begin or --end: starts in the window.",
	.example = "traceviz priorities data/cholesky.csv",
	.run = run_priorities,
};
