/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phase_list.c -- parts of a run that follow each other without overlap. */
#include "analysis/tasks/phase_list.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* When a row entered the run; false: neither time is known. *known: by its SubmitTime. */
static bool submitted(const struct tv_phases *phases, uint32_t row, int64_t *at, bool *known)
{
	bool started;

	/* A later segment did with the first one. */
	if (phases->whole != NULL)
		row = phases->whole[row];
	started = phases->start != NULL && !tv_missing(phases->start, row);

	*known = phases->submit != NULL && !tv_missing(phases->submit, row);
	if (!*known && !started)
		return false;
	*at = *known ? phases->submit->i[row] : phases->start->i[row];
	if (started && phases->start->i[row] < *at)
		*at = phases->start->i[row];
	return true;
}

/* Whether a task of that row, known to have been submitted, shows that the program went on after a wait. One that its creator ran at
 * once (OpenMP: Flag undeferred) does not. */
static bool opens(const struct tv_phases *phases, uint32_t row, bool known)
{
	return known
	    && (phases->flag == NULL || tv_missing(phases->flag, row)
		|| strstr(tv_pool_text(phases->flag->pool, tv_label(phases->flag, row)),
			  "undeferred")
			   == NULL);
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
	return p != q ? TV_COMPARE(p, q) : TV_COMPARE(x, y);
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
	if (!sorted)
		tv_sort_rows(tasks, row, n);
	for (uint32_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && tasks->start[row[next]] == tasks->start[row[i]];
		     next++)
			;
		if (next - i > 1)
			qsort_r(row + i, next - i, sizeof *row, by_start, &order);
	}
}

/*
 * Rows come by Start, so that one can only overlap the latest stretches: each is put on a stack
 * and taken off once, and no sort by submission is needed.
 */
void tv_phase_stretches_put(struct tv_phase_stretches *stack, struct tv_phase_stretch s)
{
	for (; stack->n > 0
	       && (stack->at[stack->n - 1].end > s.from || stack->at[stack->n - 1].from >= s.from);
	     stack->n--) {
		struct tv_phase_stretch before = stack->at[stack->n - 1];

		s.opens = (s.opens && s.from <= before.from)
		       || (before.opens && before.from <= s.from);
		s.from = before.from < s.from ? before.from : s.from;
		s.end = before.end > s.end ? before.end : s.end;
	}
	TV_GROW(stack->at, stack->n, stack->cap, 1);
	stack->at[stack->n++] = s;
}

static void stack_row(struct tv_phases *phases, const struct tv_tasks *tasks, uint32_t row,
		      struct tv_phase_stretches *stack)
{
	struct tv_phase_stretch s = { .end = tasks->end[row] };
	bool known;

	submitted(phases, row, &s.from, &known);
	s.opens = opens(phases, row, known);
	phases->known = phases->known || known;
	tv_phase_stretches_put(stack, s);
}

static void stack_rows(struct tv_phases *phases, const struct tv_tasks *tasks, const uint32_t *row,
		       struct tv_phase_stretches *stack)
{
	for (uint32_t i = 0; i < tasks->ncounted; i++)
		stack_row(phases, tasks, row[i], stack);
}

static void find_columns(struct tv_phases *phases, const struct tv_tasks *tasks)
{
	*phases = (struct tv_phases){ 0 };
	phases->start = tv_table_find(&tasks->trace->table[TV_TASKS], "Start");
	phases->submit = tasks->submit;
	phases->flag = tv_table_find(&tasks->trace->table[TV_TASKS], "Flag");
	phases->whole = tasks->whole;
}

/* Whether all rows have these times, which say when they entered the run, and no other column matters. */
static bool is_plain(const struct tv_phases *phases)
{
	return phases->whole == NULL && phases->flag == NULL && phases->start != NULL
	    && phases->start->valid == NULL
	    && (phases->submit == NULL || phases->submit->valid == NULL);
}

/* Where no other column matters: when a row entered the run. */
static int64_t entered(const int64_t *submit, const struct tv_tasks *tasks, uint32_t row)
{
	return submit[row] < tasks->start[row] ? submit[row] : tasks->start[row];
}

/* Whether all rows, n > 0, which are counted, are one stretch. */
static bool is_plain_stretch(const int64_t *submit, const struct tv_tasks *tasks,
			     struct tv_phase_stretch *all)
{
	int64_t from = entered(submit, tasks, 0), end = tasks->end[0];

	for (uint32_t row = 1, n = tasks->n; row < n; row++) {
		int64_t begins = entered(submit, tasks, row), ends = tasks->end[row];

		if ((end <= begins) | (ends <= from))
			return false;
		from = begins < from ? begins : from;
		end = ends > end ? ends : end;
	}
	all->from = from;
	all->end = end;
	return true;
}

/* Whether the counted rows are one stretch, found without their order: each one overlaps those before it in the table. */
static bool is_stretch(const struct tv_phases *phases, const struct tv_tasks *tasks,
		       struct tv_phase_stretch *all)
{
	const int64_t *submit = phases->submit != NULL ? phases->submit->i : tasks->start;
	bool any = false;

	all->opens = phases->submit != NULL;
	if (is_plain(phases) && tasks->ncounted == tasks->n && tasks->n > 0)
		return is_plain_stretch(submit, tasks, all);
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tv_phase_stretch s = { .end = tasks->end[row] };
		bool known;

		if (!tasks->counted[row])
			continue;
		submitted(phases, row, &s.from, &known);
		s.opens = opens(phases, row, known);
		if (any && (all->end <= s.from || s.end <= all->from))
			return false;
		if (!any || s.from < all->from)
			all->opens = s.opens;
		else if (s.from == all->from)
			all->opens |= s.opens;
		all->from = any && all->from < s.from ? all->from : s.from;
		all->end = any && all->end > s.end ? all->end : s.end;
		any = true;
	}
	return any;
}

void tv_phase_stretches_add(struct tv_phase_stretches *stack, const struct tv_tasks *tasks)
{
	struct tv_phase_stretch one;
	struct tv_phases phases;
	uint32_t *row;

	find_columns(&phases, tasks);
	if (is_stretch(&phases, tasks, &one)) {
		tv_phase_stretches_put(stack, one);
		return;
	}
	row = tv_alloc(tasks->ncounted, sizeof *row);
	sort_rows(&phases, tasks, row);
	stack_rows(&phases, tasks, row, stack);
	tv_free(row);
}

/* Of so many rows, on so many workers. */
static uint32_t count(const struct tv_phase_stretches *stack, uint32_t rows, uint32_t workers)
{
	uint32_t n = stack->n > 0;

	for (size_t i = 1; i < stack->n; i++)
		n += stack->at[i].opens;
	/* A lone worker that runs each task when it is submitted waits for none of them. */
	return workers == 1 && n == rows && n > 0 ? 1 : n;
}

uint32_t tv_phase_stretches_count(const struct tv_phase_stretches *stack,
				  const struct tv_tasks *tasks)
{
	return count(stack, tasks->ncounted, tasks->nworkers);
}

/* Whether there is one phase, found without an order of the rows: no task is known to have been submitted,
 * or each one overlaps those before it in the table. *from: when it begins. */
static bool is_one(struct tv_phases *phases, const struct tv_tasks *tasks, int64_t *from)
{
	struct tv_phase_stretch all = { .from = INT64_MAX };
	bool any = false, apart = false;

	for (uint32_t row = 0; row < tasks->n && !(any && apart); row++) {
		struct tv_phase_stretch s = { .end = tasks->end[row] };
		bool known;

		if (!tasks->counted[row])
			continue;
		submitted(phases, row, &s.from, &known);
		phases->known = phases->known || known;
		any = any || opens(phases, row, known);
		if (all.from == INT64_MAX)
			all = s;
		apart = apart || all.end <= s.from || s.end <= all.from;
		all.from = s.from < all.from ? s.from : all.from;
		all.end = s.end > all.end ? s.end : all.end;
	}
	*from = all.from;
	return !(any && apart);
}

static void take(struct tv_phases *phases, const struct tv_phase_stretches *stack, uint32_t n)
{
	phases->phase = tv_alloc(n, sizeof *phases->phase);
	for (size_t i = 0; phases->n < n; i++)
		if (i == 0 || stack->at[i].opens)
			phases->phase[phases->n++] = (struct tv_phase){ .from = stack->at[i].from,
									.start = INT64_MAX,
									.end = INT64_MIN };
}

static void cut(struct tv_phases *phases, const struct tv_tasks *tasks)
{
	struct tv_phase_stretches stack = { 0 };
	uint32_t *row;
	int64_t from;

	if (tasks->ncounted == 0)
		return;
	if (is_one(phases, tasks, &from)) {
		phases->phase = tv_alloc(1, sizeof *phases->phase);
		phases->phase[phases->n++] = (struct tv_phase){ .from = from,
								.start = INT64_MAX,
								.end = INT64_MIN };
		return;
	}
	row = tv_alloc(tasks->ncounted, sizeof *row);
	sort_rows(phases, tasks, row);
	stack_rows(phases, tasks, row, &stack);
	take(phases, &stack, tv_phase_stretches_count(&stack, tasks));
	tv_free(row);
	tv_free(stack.at);
}

uint32_t tv_phase_of(const struct tv_phases *phases, uint32_t row)
{
	uint32_t i;
	int64_t at;
	bool known;

	if (phases->n == 0 || !submitted(phases, row, &at, &known))
		return TV_NONE;
	TV_LOWER_BOUND(i, 1, phases->n, phases->phase[i].from <= at);
	return i - 1;
}

/* A counted row in its phase. */
static void describe(struct tv_phases *phases, const struct tv_tasks *tasks, uint32_t row)
{
	struct tv_phase *p = &phases->phase[tv_phase_of(phases, row)];

	p->start = tasks->start[row] < p->start ? tasks->start[row] : p->start;
	p->end = tasks->end[row] > p->end ? tasks->end[row] : p->end;
	p->time = tv_sum_ns((tv_int128)p->time + tv_row_time(tasks, row));
	p->tasks += tasks->leads[row];
}

void tv_phases_init(struct tv_phases *phases, const struct tv_tasks *tasks)
{
	find_columns(phases, tasks);
	cut(phases, tasks);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			describe(phases, tasks, row);
}

void tv_phases_of_nodes(struct tv_phases *phases, const struct tv_tasks *tasks)
{
	struct tv_phase_stretches *stack;
	uint32_t *row, *rows, node;

	if (tasks->nnodes == 1) {
		tv_phases_init(phases, tasks);
		return;
	}
	stack = tv_alloc(tasks->nnodes, sizeof *stack);
	rows = tv_alloc(tasks->nnodes, sizeof *rows);
	row = tv_alloc(tasks->ncounted, sizeof *row);
	for (uint32_t i = 0; i < tasks->nnodes; i++)
		find_columns(&phases[i], tasks);
	sort_rows(phases, tasks, row);
	for (uint32_t i = 0; i < tasks->ncounted; i++) {
		node = tasks->workers[tasks->worker[row[i]]].node;
		rows[node]++;
		stack_row(&phases[node], tasks, row[i], &stack[node]);
	}
	for (uint32_t i = 0; i < tasks->nnodes; i++) {
		take(&phases[i], &stack[i], count(&stack[i], rows[i], tasks->node[i].nworkers));
		tv_free(stack[i].at);
	}
	for (uint32_t i = 0; i < tasks->ncounted; i++)
		describe(&phases[tasks->workers[tasks->worker[row[i]]].node], tasks, row[i]);
	tv_free(row);
	tv_free(rows);
	tv_free(stack);
}

void tv_phases_release(struct tv_phases *phases)
{
	tv_free(phases->phase);
	*phases = (struct tv_phases){ 0 };
}
