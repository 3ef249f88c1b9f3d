/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.c -- parts of a run that follow each other without overlap. */
#include "analysis/passes/phases.h"

#include <stdlib.h>

#include "analysis/shared/common.h"
#include "trace/alloc.h"

/* When a row entered the run; false: nobody knows. *known: the trace says so. */
static bool submitted(const struct tv_phases *phases, uint32_t row, int64_t *at, bool *known)
{
	bool started = phases->start != NULL && !tv_missing(phases->start, row);

	*known = phases->submit != NULL && !tv_missing(phases->submit, row);
	if (!*known && !started)
		return false;
	*at = *known ? phases->submit->i[row] : phases->start->i[row];
	if (started && phases->start->i[row] < *at)
		*at = phases->start->i[row];
	return true;
}

struct order {
	const struct tv_phases *phases;
	const struct tv_tasks *tasks;
};

/* By Start; of equal ones, by submission. */
static int by_start(const void *a, const void *b, void *data)
{
	const struct order *order = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t p = order->tasks->start[x], q = order->tasks->start[y];
	bool known;

	if (p == q) {
		submitted(order->phases, x, &p, &known);
		submitted(order->phases, y, &q, &known);
	}
	return p != q ? (p < q ? -1 : 1) : (x > y) - (x < y);
}

/* The counted rows in that order; most traces have them by Start already. */
static void sort_rows(const struct tv_phases *phases, const struct tv_tasks *tasks, uint32_t *row)
{
	struct order order = { phases, tasks };
	uint32_t n = 0;
	bool sorted = true;

	for (uint32_t i = 0; i < tasks->n; i++) {
		if (!tasks->counted[i])
			continue;
		sorted = sorted && (n == 0 || tasks->start[row[n - 1]] <= tasks->start[i]);
		row[n++] = i;
	}
	for (uint32_t i = 0, next; i < n; i = next) {
		for (next = i + 1;
		     next < n && (!sorted || tasks->start[row[next]] == tasks->start[row[i]]);
		     next++)
			;
		if (next - i > 1)
			qsort_r(row + i, next - i, sizeof *row, by_start, &order);
	}
}

/* Tasks that overlap each other from the first submission to the last End. */
struct stretch {
	int64_t from, end;
	bool opens; /* a task is known to have been submitted at `from` */
};

/*
 * Rows come by Start, so that one can only overlap the latest stretches: each is put on a stack
 * and taken off once, and no sort by submission is needed.
 */
static int stack_rows(struct tv_phases *phases, const struct tv_tasks *tasks, const uint32_t *row,
		      struct stretch *stack, uint32_t *n)
{
	for (uint32_t i = 0; i < tasks->ncounted; i++) {
		struct stretch s = { .end = tasks->end[row[i]] };

		if (!submitted(phases, row[i], &s.from, &s.opens))
			return -1;
		phases->known = phases->known || s.opens;
		for (; *n > 0 && (stack[*n - 1].end > s.from || stack[*n - 1].from >= s.from);
		     --*n) {
			struct stretch before = stack[*n - 1];

			s.opens = (s.opens && s.from <= before.from)
			       || (before.opens && before.from <= s.from);
			s.from = before.from < s.from ? before.from : s.from;
			s.end = before.end > s.end ? before.end : s.end;
		}
		stack[(*n)++] = s;
	}
	return 0;
}

static int cut(struct tv_phases *phases, const struct tv_tasks *tasks)
{
	uint32_t *row = tv_alloc(tasks->ncounted, sizeof *row), n = 0;
	struct stretch *stack = tv_alloc(tasks->ncounted, sizeof *stack);
	size_t cap = 0;
	int rc = row == NULL ? -1 : 0;

	if (rc == 0) {
		sort_rows(phases, tasks, row);
		rc = stack_rows(phases, tasks, row, stack, &n);
	}
	for (uint32_t i = 0; i < n && rc == 0; i++) {
		if (i > 0 && !stack[i].opens)
			continue;
		TV_GROW(phases->phase, phases->n, cap, 1);
		rc = 0;
		if (rc == 0)
			phases->phase[phases->n++] = (struct tv_phase){ stack[i].from, INT64_MAX,
									INT64_MIN, 0, 0 };
	}
	tv_free(row);
	tv_free(stack);
	return rc;
}

uint32_t tv_phase_of(const struct tv_phases *phases, uint32_t row)
{
	uint32_t low = 0, high = phases->n;
	int64_t at;
	bool known;

	if (phases->n == 0 || !submitted(phases, row, &at, &known))
		return TV_NONE;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (phases->phase[middle].from <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* What each phase holds. */
static void describe(struct tv_phases *phases, const struct tv_tasks *tasks)
{
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tv_phase *p;

		if (!tasks->counted[row])
			continue;
		p = &phases->phase[tv_phase_of(phases, row)];
		p->start = tasks->start[row] < p->start ? tasks->start[row] : p->start;
		p->end = tasks->end[row] > p->end ? tasks->end[row] : p->end;
		p->time = tv_sum_ns((tv_int128)p->time + tv_row_time(tasks, row));
		p->tasks += tasks->leads[row];
	}
}

int tv_phases_init(struct tv_phases *phases, const struct tv_tasks *tasks, struct tv_error *err)
{
	*phases = (struct tv_phases){ 0 };
	phases->start = tv_table_find(&tasks->trace->table[TV_TASKS], "Start");
	phases->submit = tasks->submit;
	if (cut(phases, tasks) < 0) {
		tv_phases_release(phases);
		return tv_fail_memory(err);
	}
	describe(phases, tasks);
	return 0;
}

void tv_phases_release(struct tv_phases *phases)
{
	tv_free(phases->phase);
	*phases = (struct tv_phases){ 0 };
}

static int run_phases(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	struct tv_column *number = tv_table_column(out, "Phase", TV_INT, err);
	struct tv_column *from = tv_table_column(out, "Submit", TV_TIME, err);
	struct tv_column *start = tv_table_column(out, "Start", TV_TIME, err);
	struct tv_column *end = tv_table_column(out, "End", TV_TIME, err);
	struct tv_column *makespan = tv_table_column(out, "Makespan", TV_TIME, err);
	struct tv_column *gap = tv_table_column(out, "Gap", TV_TIME, err);
	struct tv_column *tasks = tv_table_column(out, "Tasks", TV_INT, err);
	struct tv_column *time = tv_table_column(out, "Time", TV_TIME, err);
	struct tv_phases phases;
	int rc = 0;

	(void)options;
	if (number == NULL || from == NULL || start == NULL || end == NULL || makespan == NULL
	    || gap == NULL || tasks == NULL || time == NULL
	    || tv_phases_init(&phases, &run->tasks, err) < 0)
		return -1;
	for (uint32_t i = 0; i < phases.n && rc == 0; i++) {
		const struct tv_phase *p = &phases.phase[i];

		tv_set_int(number, i, i + 1);
		if (phases.known)
			tv_set_int(from, i, p->from);
		tv_set_int(start, i, p->start);
		tv_set_int(end, i, p->end);
		tv_set_int(makespan, i, p->end - p->start);
		if (i > 0)
			tv_set_int(gap, i, p->start - p[-1].end);
		tv_set_int(tasks, i, p->tasks);
		tv_set_int(time, i, p->time);
	}
	out->nrows = phases.n;
	if (rc == 0 && !phases.known)
		tv_run_warn(run, "the trace does not say when tasks were submitted "
				 "(SubmitTime), which is what tells phases apart");
	tv_phases_release(&phases);
	return rc;
}

static const struct tv_field columns[] = {
	{ "Phase", TV_INT, false, "", "its number, from 1, as --phase takes it" },
	{ "Submit", TV_TIME, false, "ms", "first submission; missing without SubmitTime" },
	{ "Start", TV_TIME, false, "ms", "first Start of its tasks" },
	{ "End", TV_TIME, false, "ms", "last End of its tasks" },
	{ "Makespan", TV_TIME, false, "ms", "End - Start" },
	{ "Gap", TV_TIME, false, "ms", "from the End of the phase before to Start" },
	{ "Tasks", TV_INT, false, "", "counted tasks; a team is one" },
	{ "Time", TV_TIME, false, "ms", "sum of the durations of their executions" },
};

const struct tv_pass tv_pass_phases = {
	.name = "phases",
	.summary = "Split a run into consecutive phases, such as repeated solves",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_INPUT,
	.needs = "",
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = "A phase begins with the first submission at which every counted task submitted\n"
		 "earlier has ended: the application waited for all its tasks, and went on. A\n"
		 "task counts as submitted at its SubmitTime, or at its Start if that is missing\n"
		 "or earlier; tasks without SubmitTime open no phase. Bounds, idleness and\n"
		 "makespan of a trace with several phases mix them: --phase K, of every verb,\n"
		 "cuts the trace to the tasks of one (times stay those of the whole run),\n"
		 "--phase last to the last.",
	.example = "traceviz phases data/cholesky.csv",
	.windowless = true,
	.run = run_phases,
};
