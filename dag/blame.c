/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame.c -- what an idle worker whose cause is DEPENDENCIES waits for.
 *
 * For one next task the parts follow each other backwards in time: from when it is released, what
 * it was released by runs; before that it waits; and so on from that one. So a span of a worker is
 * divided by one walk, without looking at its instants.
 */
#include "dag/blame.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* Where and when a counted row starts. */
struct start {
	uint32_t worker, row;
	int64_t time;
};

struct walk {
	const struct tv_dag *dag;
	const struct tv_idle_spans *spans;
	const int64_t *bound;
	size_t nslices;
	tv_blame_part *part;
	void *to;
	uint32_t *last;	     /* by node of the graph: what released it */
	struct start *start; /* sorted by worker, then time */
	uint32_t nstarts;
	uint32_t worker; /* whose span is divided */
};

const char *tv_blame_name(enum tv_blame blame)
{
	static const char *const name[] = {
#define NAME(symbol, text, column) [TV_BLAME_##symbol] = (text),
		TV_BLAMES(NAME)
#undef NAME
	};

	return name[blame];
}

const char *tv_blame_column(enum tv_blame blame)
{
	static const char *const column[] = {
#define COLUMN(symbol, name, text) [TV_BLAME_##symbol] = (text),
		TV_BLAMES(COLUMN)
#undef COLUMN
	};

	return column[blame];
}

static int by_worker(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->worker != y->worker)
		return x->worker < y->worker ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static int by_row(const void *a, const void *b)
{
	const struct start *x = a, *y = b;
	int order = by_worker(a, b);

	return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static int by_begin(const void *a, const void *b)
{
	const struct tv_idle_span *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* How long, until t, the idle workers of the node had the cause. */
static int64_t length_until(const struct tv_idle_list *list, int64_t t)
{
	const struct tv_idle_span key = { .begin = t }, *span;
	size_t n = tv_count_upto(&key, list->at, list->n, sizeof *list->at, by_begin);

	if (n == 0)
		return 0;
	span = &list->at[n - 1];
	return span->before + (t < span->end ? t : span->end) - span->begin;
}

/* Blames a node of the graph for what the worker had of the cause in [begin, end). */
static void blame(const struct walk *walk, int64_t begin, int64_t end, enum tv_blame what,
		  uint32_t v)
{
	const struct tv_tasks *tasks = walk->dag->tasks;
	const struct tv_idle_list *list = &walk->spans->node[tasks->workers[walk->worker].node];
	struct tv_blamed part = { .worker = walk->worker, .node = v, .blame = what };
	int64_t done;

	if (begin >= end)
		return;
	part.slice = tv_count_upto(&begin, walk->bound, walk->nslices, sizeof *walk->bound,
				   tv_compare_int64)
		   - 1;
	done = length_until(list, begin);
	for (; part.slice < walk->nslices && walk->bound[part.slice] < end; part.slice++) {
		int64_t to = walk->bound[part.slice + 1], until;

		until = length_until(list, to < end ? to : end);
		part.time = until - done;
		done = until;
		if (part.time > 0)
			walk->part(walk->to, &part);
	}
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t submitted(const struct tv_dag *dag, uint32_t v)
{
	const struct tv_column *submit = dag->tasks->submit;

	return submit == NULL || tv_missing(submit, dag->row[v]) ? INT64_MIN
								 : submit->i[dag->row[v]];
}

/* Divides [begin, end), before whose end node v has not ended: it runs, waits, is not submitted, or
 * depends on the next one, which has not ended then. */
static void divide(const struct walk *walk, uint32_t v, int64_t begin, int64_t end)
{
	const struct tv_dag *dag = walk->dag;

	while (begin < end) {
		uint32_t u = walk->last[v];
		int64_t submit = submitted(dag, v);
		int64_t released = u == TV_NONE ? submit : later(submit, dag->end[u]);
		int64_t started = sooner(later(begin, dag->start[v]), end);
		int64_t waits = sooner(later(begin, released), started);
		int64_t known = later(begin, sooner(submit, waits));

		blame(walk, started, end,
		      tv_dag_is_message(dag, v) ? TV_BLAME_MESSAGE : TV_BLAME_TASK, v);
		blame(walk, waits, started, TV_BLAME_WAITING, v);
		blame(walk, begin, known, TV_BLAME_SUBMISSION, v);
		begin = known;
		end = waits;
		v = u;
	}
}

/* A span in which the worker runs nothing; tasks that take no time may start in it. */
static void divide_span(struct walk *walk, int64_t begin, int64_t end)
{
	const struct start key = { .worker = walk->worker, .time = begin };
	size_t i = tv_count_upto(&key, walk->start, walk->nstarts, sizeof key, by_worker);

	while (begin < end) {
		const struct start *next = &walk->start[i];
		int64_t to = end;

		if (i == walk->nstarts || next->worker != walk->worker) {
			blame(walk, begin, end, TV_BLAME_NO_NEXT_TASK, TV_NONE);
			return;
		}
		to = sooner(next->time, end);
		if (begin < to)
			divide(walk, walk->dag->node_of_row[next->row], begin, to);
		begin = to;
		i++;
	}
}

static void divide_all(struct walk *walk)
{
	const struct tv_idle_list *list = &walk->spans->worker;
	int64_t first = walk->bound[0], last = walk->bound[walk->nslices];
	const struct tv_tasks *tasks = walk->dag->tasks;

	for (size_t i = 0; i < list->n; i++) {
		int64_t begin = later(list->at[i].begin, first),
			end = sooner(list->at[i].end, last);
		const struct tv_idle_list *node;

		walk->worker = list->at[i].worker;
		node = &walk->spans->node[tasks->workers[walk->worker].node];
		if (begin < end && length_until(node, begin) < length_until(node, end))
			divide_span(walk, begin, end);
	}
}

static void list_starts(struct walk *walk)
{
	const struct tv_tasks *tasks = walk->dag->tasks;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			walk->start[walk->nstarts++] = (struct start){ tasks->worker[row], row,
								       tasks->start[row] };
	if (walk->nstarts > 1)
		qsort(walk->start, walk->nstarts, sizeof *walk->start, by_row);
}

void tv_blame(const struct tv_waits *waits, const struct tv_idle_spans *spans, const int64_t *bound,
	      size_t nslices, tv_blame_part *part, void *to)
{
	const struct tv_dag *dag = waits->dag;
	struct walk walk = { .dag = dag,
			     .spans = spans,
			     .bound = bound,
			     .nslices = nslices,
			     .part = part,
			     .to = to };

	walk.last = tv_alloc(dag->n, sizeof *walk.last);
	walk.start = tv_alloc(dag->tasks->ncounted, sizeof *walk.start);
	tv_dag_awaited(dag, walk.last);
	list_starts(&walk);
	divide_all(&walk);
	tv_free(walk.last);
	tv_free(walk.start);
}
