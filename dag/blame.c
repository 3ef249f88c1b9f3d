/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame.c -- what an idle worker whose cause is DEPENDENCIES waits for.
 *
 * For one next task the parts follow each other backwards in time: from when it is released, what
 * it was released by runs; before that it waits; and so on from that one. So a span of a worker is
 * divided by one walk, without looking at its instants.
 */
#include "dag/blame_walk.h"

#include <stddef.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

const char *tv_blame_name(enum tv_blame blame)
{
	static const char *const name[] = {
#define NAME(symbol, text, ...) [TV_BLAME_##symbol] = (text),
		TV_BLAMES(NAME)
#undef NAME
	};

	return name[blame];
}

const char *tv_blame_column(enum tv_blame blame)
{
	static const char *const column[] = {
#define COLUMN(symbol, name, text, ...) [TV_BLAME_##symbol] = (text),
		TV_BLAMES(COLUMN)
#undef COLUMN
	};

	return column[blame];
}

const struct tv_idle_words *tv_idle_words(const char *name)
{
	static const struct tv_idle_words words[] = {
#define CAUSE(symbol, text, color, phrase, sentence) { text, color, phrase, sentence },
#define BLAME(symbol, text, column, color, phrase, sentence, meaning) \
	{ text, color, phrase, sentence },
		TV_BLAMES(BLAME) TV_IDLE_CAUSES(CAUSE)
#undef BLAME
#undef CAUSE
	};

	for (size_t i = 0; i < TV_COUNT(words); i++)
		if (strcmp(words[i].name, name) == 0)
			return &words[i];
	return NULL;
}

TV_ORDER(by_begin, struct tv_idle_span, begin)

/* How long, until t, the idle workers of the node had the cause. */
static int64_t length_until(const struct tv_idle_list *list, int64_t t)
{
	const struct tv_idle_span key = { .begin = t }, *span;
	size_t n = list == NULL
			 ? 0
			 : tv_count_upto(&key, list->at, list->n, sizeof *list->at, by_begin);

	if (list == NULL)
		return t;
	if (n == 0)
		return 0;
	span = &list->at[n - 1];
	return span->before + (t < span->end ? t : span->end) - span->begin;
}

/* The slice that contains t, which is not before the first one. */
static size_t slice_of(const int64_t *bound, size_t nslices, int64_t t)
{
	return tv_count_upto(&t, bound, nslices, sizeof *bound, tv_compare_int64) - 1;
}

void tv_blame_time(const struct tv_blame_walk *walk, int64_t begin, int64_t end, enum tv_blame what,
		   uint32_t v)
{
	struct tv_blamed part = { .worker = walk->worker, .node = v, .blame = what };
	int64_t done;

	if (begin >= end)
		return;
	part.slice = slice_of(walk->bound, walk->nslices, begin);
	done = length_until(walk->node, begin);
	for (; part.slice < walk->nslices && walk->bound[part.slice] < end; part.slice++) {
		int64_t to = walk->bound[part.slice + 1], until;

		until = length_until(walk->node, to < end ? to : end);
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

struct tv_blame_times tv_blame_times(const struct tv_dag *dag, uint32_t v, uint32_t before,
				     int64_t allowed)
{
	int64_t submit = tv_dag_submitted(dag, v);
	int64_t released = before == TV_NONE ? submit : later(submit, allowed);

	released = sooner(released, dag->start[v]);
	return (struct tv_blame_times){ sooner(submit, released), released, dag->start[v] };
}

/* The step of a node in [begin, end). */
static void cut_step(struct tv_blame_step *step, const struct tv_blame_times *times, uint32_t v,
		     int64_t begin, int64_t end)
{
	step->node = v;
	step->begin = begin;
	step->end = end;
	step->started = sooner(later(begin, times->started), end);
	step->released = sooner(later(begin, times->released), step->started);
	step->submitted = later(begin, sooner(times->submitted, step->released));
}

void tv_blame_step_at(struct tv_blame_step *step, const struct tv_dag *dag, uint32_t v,
		      uint32_t before, int64_t allowed, int64_t begin, int64_t end)
{
	struct tv_blame_times times = tv_blame_times(dag, v, before, allowed);

	cut_step(step, &times, v, begin, end);
}

/* Of a node, or record, in [begin, end). Returns what it was released by. */
static uint32_t find_step(const struct tv_blame_walk *walk, uint32_t v, int64_t begin, int64_t end,
			  struct tv_blame_step *step)
{
	uint32_t before;
	int64_t allowed;

	if (walk->record != NULL) {
		cut_step(step, &walk->record[v].times, v, begin, end);
		return walk->record[v].before;
	}
	before = tv_awaited_before(&walk->awaited, v, &allowed);
	tv_blame_step_at(step, walk->dag, v, before, allowed, begin, end);
	return before;
}

/* Divides [begin, end), before whose end node v of the graph has not ended. */
static void divide(const struct tv_blame_walk *walk, uint32_t v, int64_t begin, int64_t end)
{
	v = walk->record != NULL ? walk->record_of[v] : v;
	while (begin < end) {
		struct tv_blame_step step;
		uint32_t before = find_step(walk, v, begin, end, &step);
		bool message = walk->record == NULL && tv_dag_is_message(walk->dag, v);
		uint32_t node = walk->record != NULL ? walk->record[v].name : v;

		tv_blame_time(walk, step.started, end, message ? TV_BLAME_MESSAGE : TV_BLAME_TASK,
			      node);
		tv_blame_time(walk, step.released, step.started, TV_BLAME_WAITING, node);
		tv_blame_time(walk, begin, step.submitted, TV_BLAME_SUBMISSION, node);
		begin = step.submitted;
		end = step.released;
		v = before;
	}
}

/* Where the rows of the worker that start after t begin in starts. */
static uint32_t first_after(const struct tv_blame_walk *walk, int64_t t)
{
	uint32_t first = walk->starts.first[walk->worker];

	return first
	     + tv_rows_started(walk->dag->tasks, walk->starts.row + first,
			       walk->starts.first[walk->worker + 1] - first, t);
}

/* The row at a place in starts, which the worker starts next; TV_NONE = none. */
static uint32_t next_row(const struct tv_blame_walk *walk, uint32_t place)
{
	return place < walk->starts.first[walk->worker + 1] ? walk->starts.row[place] : TV_NONE;
}

int64_t tv_blame_span(const struct tv_blame_walk *walk, int64_t begin, int64_t end)
{
	const struct tv_dag *dag = walk->dag;

	for (uint32_t i = first_after(walk, begin); begin < end; i++) {
		uint32_t row = next_row(walk, i);
		int64_t to;

		if (row == TV_NONE)
			break;
		to = sooner(dag->tasks->start[row], end);
		if (begin < to)
			divide(walk, dag->node_of_row[row], begin, to);
		begin = to;
	}
	return begin;
}

bool tv_blame_begin_span(struct tv_blame_walk *walk, struct tv_idle_span *span)
{
	span->begin = later(span->begin, walk->bound[0]);
	span->end = sooner(span->end, walk->bound[walk->nslices]);
	walk->worker = span->worker;
	walk->node = &walk->spans->node[walk->dag->tasks->workers[span->worker].node];
	return span->begin < span->end
	    && length_until(walk->node, span->begin) < length_until(walk->node, span->end);
}

static void divide_all(struct tv_blame_walk *walk)
{
	const struct tv_idle_list *list = &walk->spans->worker;

	for (size_t i = 0; i < list->n; i++) {
		struct tv_idle_span span = list->at[i];

		if (tv_blame_begin_span(walk, &span))
			tv_blame_time(walk, tv_blame_span(walk, span.begin, span.end), span.end,
				      TV_BLAME_NO_NEXT_TASK, TV_NONE);
	}
}

void tv_blame_walk_init(struct tv_blame_walk *walk)
{
	const struct tv_dag *dag = walk->dag;

	tv_awaited_init(&walk->awaited, dag);
	tv_tasks_by_start(dag->tasks, dag->tasks->counted, &walk->starts);
}

void tv_blame_walk_release(struct tv_blame_walk *walk)
{
	tv_awaited_release(&walk->awaited);
	tv_groups_release(&walk->starts);
}

void tv_blame(const struct tv_waits *waits, const struct tv_idle_spans *spans, const int64_t *bound,
	      size_t nslices, tv_blame_part *part, void *to)
{
	struct tv_blame_walk walk = { .dag = waits->dag,
				      .spans = spans,
				      .bound = bound,
				      .nslices = nslices,
				      .part = part,
				      .to = to };

	tv_blame_walk_init(&walk);
	divide_all(&walk);
	tv_blame_walk_release(&walk);
}

/* ---- the cause MPI ---- */

/* What begins or ends: a task lacks nothing but messages; a worker waits for one of these, its own
 * next task being none of them. */
enum change { LACKS, LACKS_NO_MORE, JOINS, LEAVES };

struct change_at {
	int64_t time;
	uint32_t id; /* row, worker */
	enum change what;
};

/* The tasks of a node that workers of a class can run and that lack nothing but messages, and the
 * workers that wait for the first of them. */
struct pool {
	struct tv_heap lacking; /* the first to start is first; some lack nothing any more */
	uint32_t first;		/* row; TV_NONE = none */
	int64_t since;		/* it was that */
	uint32_t *worker;
	size_t nworkers, cap;
};

struct crowd {
	struct tv_blame_walk walk;
	const struct tv_waits *waits;
	struct change_at *change;
	size_t nchanges, cap;
	struct pool *pool;	/* node x (class, and last all tasks of the node) */
	bool *lacks;		/* by row */
	uint32_t *pending_node; /* by row */
	uint32_t *place;	/* by worker: where it is in its pool */
	int64_t *joined;	/* by worker */
};

static bool starts_before(const void *context, uint32_t a, uint32_t b)
{
	const struct tv_tasks *tasks = context;
	int64_t x = tasks->executed[a] ? tasks->start[a] : INT64_MAX;
	int64_t y = tasks->executed[b] ? tasks->start[b] : INT64_MAX;

	return x != y ? x < y : a < b;
}

static void add_change(struct crowd *crowd, int64_t time, enum change what, uint32_t id)
{
	TV_GROW(crowd->change, crowd->nchanges, crowd->cap, 1);
	crowd->change[crowd->nchanges++] = (struct change_at){ time, id, what };
}

/* What released the task of a row. */
static uint32_t message_of(const struct tv_blame_walk *walk, uint32_t row)
{
	int64_t time;

	return tv_awaited_before(&walk->awaited, walk->dag->node_of_row[row], &time);
}

/* A part of a span in which the worker's next task, if it has one, is that of the row: of the
 * message that this lacks, else of those that others lack. */
static void divide_mpi(struct crowd *crowd, uint32_t row, int64_t begin, int64_t end)
{
	const struct tv_waits *waits = crowd->waits;
	struct tv_blame_walk *walk = &crowd->walk;
	int64_t from = end, to = end;

	if (row != TV_NONE && waits->message[row] < end && waits->released[row] > begin) {
		from = later(begin, waits->message[row]);
		to = later(from, sooner(end, waits->released[row]));
		tv_blame_time(walk, from, to, TV_BLAME_MESSAGE, message_of(walk, row));
	}
	if (begin < from) {
		add_change(crowd, begin, JOINS, walk->worker);
		add_change(crowd, from, LEAVES, walk->worker);
	}
	if (to < end) {
		add_change(crowd, to, JOINS, walk->worker);
		add_change(crowd, end, LEAVES, walk->worker);
	}
}

static void divide_mpi_spans(struct crowd *crowd)
{
	struct tv_blame_walk *walk = &crowd->walk;
	const struct tv_idle_list *list = &walk->spans->mpi;

	for (size_t i = 0; i < list->n; i++) {
		int64_t begin = later(list->at[i].begin, walk->bound[0]);
		int64_t end = sooner(list->at[i].end, walk->bound[walk->nslices]);
		uint32_t next;

		walk->worker = list->at[i].worker;
		for (next = first_after(walk, begin); begin < end; next++) {
			uint32_t row = next_row(walk, next);
			int64_t to = row == TV_NONE ? end
						    : sooner(walk->dag->tasks->start[row], end);

			if (begin < to)
				divide_mpi(crowd, row, begin, to);
			begin = to;
		}
	}
}

static uint32_t node_of_row(const struct crowd *crowd, uint32_t row)
{
	const struct tv_tasks *tasks = crowd->walk.dag->tasks;

	return tasks->worker[row] != TV_NONE ? tasks->workers[tasks->worker[row]].node
					     : crowd->pending_node[row];
}

static void list_lacking(struct crowd *crowd)
{
	const struct tv_waits *waits = crowd->waits;
	const struct tv_tasks *tasks = crowd->walk.dag->tasks;

	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t begin = waits->message[row], end = waits->released[row];

		if ((!tasks->counted[row] && !tasks->pending[row])
		    || node_of_row(crowd, row) == TV_NONE)
			continue;
		if (tasks->executed[row])
			end = sooner(end, tasks->start[row]);
		if (begin < end) {
			add_change(crowd, begin, LACKS, row);
			add_change(crowd, end, LACKS_NO_MORE, row);
		}
	}
}

/* The pools of a node; those of its classes, and last that of all its tasks. */
static struct pool *pools_of(const struct crowd *crowd, uint32_t node)
{
	return crowd->pool + (size_t)node * (crowd->waits->classes->n + 1);
}

/* Blames a message for the time of a worker until now. */
static void blame_first(struct crowd *crowd, const struct pool *pool, uint32_t w, int64_t now)
{
	struct tv_blame_walk *walk = &crowd->walk;

	walk->worker = w;
	if (pool->first != TV_NONE)
		tv_blame_time(walk, later(crowd->joined[w], pool->since), now, TV_BLAME_MESSAGE,
			      message_of(walk, pool->first));
}

/* Takes those off the top that lack nothing any more; the first, or TV_NONE. */
static uint32_t first_lacking(const struct crowd *crowd, struct pool *pool)
{
	struct tv_heap *heap = &pool->lacking;

	while (heap->n > 0 && !crowd->lacks[heap->row[0]])
		tv_heap_pop(heap, starts_before, crowd->walk.dag->tasks);
	return heap->n > 0 ? heap->row[0] : TV_NONE;
}

/* A task of the node begins to lack messages only, or ends to. */
static void change_task(struct crowd *crowd, uint32_t row, bool lacks, int64_t now)
{
	struct pool *pool = pools_of(crowd, node_of_row(crowd, row));
	uint32_t nclasses = crowd->waits->classes->n, any;

	crowd->lacks[row] = lacks;
	for (uint32_t c = 0; lacks && c <= nclasses; c++)
		if (c == nclasses || tv_waits_can_run(crowd->waits, row, c))
			tv_heap_push(&pool[c].lacking, row, starts_before, crowd->walk.dag->tasks);
	any = first_lacking(crowd, &pool[nclasses]);
	for (uint32_t c = 0; c < nclasses; c++) {
		uint32_t first = first_lacking(crowd, &pool[c]);

		first = first == TV_NONE ? any : first;
		if (first == pool[c].first)
			continue;
		for (size_t i = 0; i < pool[c].nworkers; i++)
			blame_first(crowd, &pool[c], pool[c].worker[i], now);
		pool[c].first = first;
		pool[c].since = now;
	}
}

static void change_worker(struct crowd *crowd, uint32_t w, bool joins, int64_t now)
{
	struct pool *pool = pools_of(crowd, crowd->walk.dag->tasks->workers[w].node)
			  + tv_waits_class(crowd->waits, w);

	if (joins) {
		TV_GROW(pool->worker, pool->nworkers, pool->cap, 1);
		crowd->place[w] = (uint32_t)pool->nworkers;
		crowd->joined[w] = now;
		pool->worker[pool->nworkers++] = w;
		return;
	}
	blame_first(crowd, pool, w, now);
	pool->worker[crowd->place[w]] = pool->worker[--pool->nworkers];
	crowd->place[pool->worker[crowd->place[w]]] = crowd->place[w];
}

/* A worker leaves before it joins again. */
TV_ORDER(by_what, struct change_at, down(what), id)

static void sweep_changes(struct crowd *crowd)
{
	tv_sort_by_time(crowd->change, crowd->nchanges, sizeof *crowd->change,
			offsetof(struct change_at, time), by_what);
	for (size_t i = 0; i < crowd->nchanges; i++) {
		const struct change_at *change = &crowd->change[i];

		if (change->what == LACKS || change->what == LACKS_NO_MORE)
			change_task(crowd, change->id, change->what == LACKS, change->time);
		else
			change_worker(crowd, change->id, change->what == JOINS, change->time);
	}
}

void tv_blame_mpi(const struct tv_waits *waits, const struct tv_idle_spans *spans,
		  const int64_t *bound, size_t nslices, tv_blame_part *part, void *to)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	size_t npools = (size_t)tasks->nnodes * (waits->classes->n + 1);
	struct crowd crowd = { .walk = { .dag = waits->dag,
					 .spans = spans,
					 .bound = bound,
					 .nslices = nslices,
					 .part = part,
					 .to = to },
			       .waits = waits };

	if (spans->mpi.n == 0)
		return;
	tv_blame_walk_init(&crowd.walk);
	crowd.pool = tv_alloc(npools, sizeof *crowd.pool);
	for (size_t i = 0; i < npools; i++)
		crowd.pool[i].first = TV_NONE;
	crowd.lacks = tv_alloc(tasks->n, sizeof *crowd.lacks);
	crowd.pending_node = tv_alloc(tasks->n, sizeof *crowd.pending_node);
	crowd.place = tv_alloc(tasks->nworkers, sizeof *crowd.place);
	crowd.joined = tv_alloc(tasks->nworkers, sizeof *crowd.joined);
	tv_waits_pending_nodes(waits, crowd.pending_node);
	divide_mpi_spans(&crowd);
	list_lacking(&crowd);
	sweep_changes(&crowd);
	for (size_t i = 0; i < npools; i++) {
		tv_heap_release(&crowd.pool[i].lacking);
		tv_free(crowd.pool[i].worker);
	}
	tv_blame_walk_release(&crowd.walk);
	tv_free(crowd.change);
	tv_free(crowd.pool);
	tv_free(crowd.lacks);
	tv_free(crowd.pending_node);
	tv_free(crowd.place);
	tv_free(crowd.joined);
}

/* ---- the cause DATA ---- */

/* Of the fetches, the transfer that is blamed at t, NULL = none; *until, at most its value on
 * entry, is when that changes. */
static const struct tv_fetch *blamed_fetch(const struct tv_fetch *fetch, size_t n, int64_t t,
					   int64_t *until)
{
	const struct tv_fetch *found = NULL;

	for (size_t i = 0; i < n; i++) {
		if (fetch[i].link == TV_NONE || fetch[i].end <= t)
			continue;
		if (fetch[i].begin > t) {
			*until = sooner(*until, fetch[i].begin);
			continue;
		}
		*until = sooner(*until, fetch[i].end);
		if (found == NULL || fetch[i].end > found->end
		    || (fetch[i].end == found->end && fetch[i].link > found->link))
			found = &fetch[i];
	}
	return found;
}

void tv_blame_data(const struct tv_fetches *fetches, const struct tv_idle_spans *spans,
		   const int64_t *bound, size_t nslices, tv_blame_transfer *part, void *to)
{
	for (size_t i = 0; i < spans->data.n; i++) {
		const struct tv_idle_span *span = &spans->data.at[i];
		int64_t t = later(span->begin, bound[0]), last = sooner(span->end, bound[nslices]);
		size_t n, slice;
		const struct tv_fetch *fetch = tv_fetches_of(fetches, span->row, &n);

		if (t >= last)
			continue;
		slice = slice_of(bound, nslices, t);
		while (t < last) {
			int64_t until = sooner(last, bound[slice + 1]);
			const struct tv_fetch *of = blamed_fetch(fetch, n, t, &until);

			part(to, slice, span->worker, of == NULL ? TV_NONE : of->link, until - t);
			t = until;
			slice += t == bound[slice + 1];
		}
	}
}
