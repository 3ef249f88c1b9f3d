/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blame_parts.c -- what idle workers whose cause is DEPENDENCIES wait for, part by part. */
#include "dag/blame_parts.h"

#include <string.h>

#include "dag/blame_walk.h"
#include "dag/carry.h"
#include "trace/alloc.h"

struct tv_blame_parts {
	const struct tv_tasks *run;
	int64_t *last; /* by worker: the last Start of its counted tasks; INT64_MIN = it has none */
	const char *reason;
	struct tv_idle_spans spans;	/* of workers: those that wait */
	struct tv_blame_record *record; /* each behind the one before it */
	size_t n, cap, kept;		/* kept: when some were forgotten last */
};

struct tv_blame_parts *tv_blame_parts_new(const struct tv_tasks *run)
{
	struct tv_blame_parts *blame = tv_alloc(1, sizeof *blame);

	blame->run = run;
	blame->last = tv_alloc(run->nworkers, sizeof *blame->last);
	for (uint32_t w = 0; w < run->nworkers; w++)
		blame->last[w] = INT64_MIN;
	return blame;
}

void tv_blame_parts_free(struct tv_blame_parts *blame)
{
	if (blame == NULL)
		return;
	tv_idle_spans_release(&blame->spans);
	tv_free(blame->last);
	tv_free(blame->record);
	tv_free(blame);
}

/* ---- what is known after all parts ---- */

static bool has_timed(const struct tv_dag *dag)
{
	uint32_t v = 0;

	while (v < dag->n && !dag->timed[v])
		v++;
	return v < dag->n;
}

static bool has_untimed_outside(const struct tv_dag *dag)
{
	uint32_t v = dag->n;

	while (v < dag->n + dag->noutside && dag->timed[v])
		v++;
	return v < dag->n + dag->noutside;
}

void tv_blame_parts_note(struct tv_blame_parts *blame, const struct tv_dag *dag)
{
	const struct tv_tasks *tasks = dag->tasks;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t w = tasks->worker[row];

		if (tasks->kind[row] == TV_MESSAGE)
			blame->reason = "messages are nodes of the task graph";
		if (tasks->counted[row] && tasks->start[row] > blame->last[w])
			blame->last[w] = tasks->start[row];
	}
	/* What such a one passes on is not kept. */
	if (has_untimed_outside(dag) && has_timed(dag))
		blame->reason = "a task depends on one that has no time, with other tasks between";
}

const char *tv_blame_parts_reason(const struct tv_blame_parts *blame)
{
	return blame->reason;
}

struct tv_idle_spans *tv_blame_parts_spans(struct tv_blame_parts *blame)
{
	return &blame->spans;
}

/* ---- records ---- */

/* Of the nodes of a part, those outside have theirs. */
static void add_records(struct tv_blame_parts *blame, const struct tv_blame_walk *walk,
			const uint32_t *name, uint32_t *record_of)
{
	const struct tv_dag *dag = walk->dag;

	TV_GROW(blame->record, blame->n, blame->cap, dag->n);
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->sequence[i], before;
		int64_t allowed;

		record_of[v] = TV_NONE;
		if (!dag->timed[v])
			continue;
		before = tv_awaited_before(&walk->awaited, v, &allowed);
		record_of[v] = (uint32_t)blame->n;
		blame->record[blame->n++] = (struct tv_blame_record){
			tv_blame_times(dag, v, before, allowed),
			before == TV_NONE ? TV_NONE : record_of[before], name == NULL ? 0 : name[v]
		};
	}
}

/* Which records the roots lead to at `from` or later: by record, 1, others 0. Cuts the ways to all others. */
static uint32_t *mark_needed(struct tv_blame_parts *blame, const uint32_t *root, size_t nroots,
			     int64_t from)
{
	uint32_t *needed = tv_alloc(blame->n, sizeof *needed);

	for (size_t i = 0; i < nroots; i++)
		if (root[i] != TV_NONE)
			needed[root[i]] = 1;
	for (size_t i = blame->n; i-- > 0;) {
		struct tv_blame_record *record = &blame->record[i];

		if (record->times.released <= from)
			record->before = TV_NONE;
		if (needed[i] == 1 && record->before != TV_NONE)
			needed[record->before] = 1;
	}
	return needed;
}

/* Leaves the records of live jobs (root) and of what these waited for from an instant on. */
static void forget_records(struct tv_blame_parts *blame, uint32_t *root, size_t nroots,
			   int64_t from)
{
	uint32_t *number = mark_needed(blame, root, nroots, from), n = 0;

	for (size_t i = 0; i < blame->n; i++) {
		if (number[i] == 0)
			continue;
		blame->record[n] = blame->record[i];
		if (blame->record[n].before != TV_NONE)
			blame->record[n].before = number[blame->record[n].before];
		number[i] = n++;
	}
	for (size_t i = 0; i < nroots; i++)
		if (root[i] != TV_NONE)
			root[i] = number[root[i]];
	blame->n = blame->kept = n;
	tv_free(number);
}

/* ---- spans ---- */

/* Divides the spans up to the last Start of the rows; the rest waits, if the worker has a later task. */
static void divide_spans(struct tv_blame_parts *blame, struct tv_blame_walk *walk)
{
	struct tv_idle_list *list = &blame->spans.worker;
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct tv_idle_span span = list->at[i];

		if (!tv_blame_begin_span(walk, &span))
			continue;
		span.begin = tv_blame_span(walk, span.begin, span.end);
		if (blame->last[span.worker] <= span.begin)
			tv_blame_time(walk, span.begin, span.end, TV_BLAME_NO_NEXT_TASK, TV_NONE);
		else if (span.begin < span.end)
			list->at[n++] = span;
	}
	list->n = n;
}

/* By node: the begin of the first of its spans that wait; `until` if there is none. */
static int64_t *find_first(const struct tv_blame_parts *blame, int64_t until)
{
	const struct tv_idle_list *list = &blame->spans.worker;
	int64_t *first = tv_alloc(blame->run->nnodes, sizeof *first);

	for (uint32_t n = 0; n < blame->run->nnodes; n++)
		first[n] = until;
	for (size_t i = 0; i < list->n; i++) {
		int64_t *of = &first[blame->run->workers[list->at[i].worker].node];

		*of = list->at[i].begin < *of ? list->at[i].begin : *of;
	}
	return first;
}

static int64_t find_earliest(const struct tv_blame_parts *blame, int64_t until)
{
	int64_t *first = find_first(blame, until);

	for (uint32_t n = 0; n < blame->run->nnodes; n++)
		until = first[n] < until ? first[n] : until;
	tv_free(first);
	return until;
}

/* Leaves, of the spans of a node, the last one that begins by then and those that follow. */
static void forget_spans(struct tv_idle_list *list, int64_t from)
{
	size_t first = 0;

	while (first + 1 < list->n && list->at[first + 1].begin <= from)
		first++;
	memmove(list->at, list->at + first, (list->n - first) * sizeof *list->at);
	list->n -= first;
}

void tv_blame_parts_divide(struct tv_blame_parts *blame, struct tv_carry *carry,
			   const struct tv_dag *dag, int64_t until, const uint32_t *name,
			   const int64_t *bound, size_t nslices, tv_blame_part *part, void *to)
{
	struct tv_blame_walk walk = { .dag = dag,
				      .spans = &blame->spans,
				      .bound = bound,
				      .nslices = nslices,
				      .part = part,
				      .to = to };
	uint32_t *record_of;
	int64_t *first;

	if (blame->n > 2 * blame->kept) {
		size_t n;
		uint32_t *root = tv_carry_kept_values(carry, &n);

		forget_records(blame, root, n, find_earliest(blame, until));
	}
	record_of = tv_carry_values(carry, dag, sizeof *record_of);
	tv_blame_walk_init(&walk);
	add_records(blame, &walk, name, record_of);
	walk.record = blame->record;
	walk.record_of = record_of;
	divide_spans(blame, &walk);
	tv_blame_walk_release(&walk);
	first = find_first(blame, until);
	for (uint32_t node = 0; node < blame->run->nnodes; node++)
		forget_spans(&blame->spans.node[node], first[node]);
	tv_free(first);
}
