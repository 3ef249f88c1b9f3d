/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle.c -- why workers are idle, instant by instant.
 *
 * One sweep over the instants at which anything changes. Causes that a worker has by itself (data,
 * runtime, elsewhere, mpi) are settled when they change. All others are those of its whole node,
 * which may change at every event: these are added up per node, and a worker takes the difference
 * when it leaves them, so an event costs no time per idle worker.
 */
#include "dag/idle.h"

#include <stdlib.h>

#include "dag/occupy.h"
#include "dag/moments.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* How far a task is. */
enum progress { UNSUBMITTED, SUBMITTED, COMING, RELEASED, STARTED };

enum { BUSY = TV_IDLE_NCAUSES, OF_NODE }; /* besides the causes, what a worker may be in */
enum { FIRST_OF_NODE = TV_IDLE_UNSUITED, NCAUSES_OF_NODE = TV_IDLE_NCAUSES - FIRST_OF_NODE };
enum { BY_RELEASED, BY_ANY, NLIMITS };

/* The first `count` of the idle workers of one class on one node. */
struct limit {
	uint32_t last; /* worker; TV_NONE = none of them */
	int64_t count;
};

/* The idle workers of one class on one node without a task of their own, longest idle first. */
struct queue {
	uint32_t head, tail;
	struct limit limit[NLIMITS]; /* covered by released tasks; by those or coming ones */
};

struct worker {
	uint32_t running;
	uint32_t state;		       /* enum tv_idle_cause, BUSY or OF_NODE */
	int64_t entered;	       /* the state */
	int64_t since;		       /* its time is given from here on */
	int64_t mark[NCAUSES_OF_NODE]; /* the node's sums then */
	uint32_t own;		/* row: the next released task for it, while idle; else TV_NONE */
	struct tv_heap waiting; /* released tasks for it, the next one first */
	bool queued, touched;
	bool within[NLIMITS];
	uint32_t before, after; /* in its queue */
};

struct node {
	uint32_t cause; /* of its idle workers that have none of their own */
	int64_t since;
	int64_t sum[NCAUSES_OF_NODE];
	int64_t unsubmitted, submitted; /* tasks not started */
	struct tv_occupy released, any; /* the second also has coming tasks */
	bool touched;
};

struct sweep {
	const struct tv_waits *waits;
	const struct tv_tasks *tasks;
	struct tv_moments moments;
	size_t next; /* of moments */
	struct worker *worker;
	struct node *node;
	struct queue *queue; /* node x class */
	uint8_t *progress;   /* by row, enum progress */
	uint32_t *place;     /* by row: node of a pending task, which has no worker */
	uint32_t *fetching;  /* by row: fetches under way */
	uint32_t *touched;   /* workers to look at again */
	uint32_t ntouched;
	uint32_t *touched_node;
	uint32_t ntouched_nodes;
	int64_t now;
	int64_t *time;		     /* worker x cause: of this slice */
	struct tv_idle_spans *spans; /* or NULL */
};

const char *tv_idle_cause_name(enum tv_idle_cause cause)
{
	static const char *const name[] = {
#define NAME(symbol, text) [TV_IDLE_##symbol] = (text),
		TV_IDLE_CAUSES(NAME)
#undef NAME
	};

	return name[cause];
}

/* ---- time ---- */

static struct node *node_of(struct sweep *sweep, uint32_t w)
{
	return &sweep->node[sweep->tasks->workers[w].node];
}

/* Where a task runs, or waits to run; NULL = not known. */
static struct node *node_of_row(struct sweep *sweep, uint32_t row)
{
	if (sweep->tasks->worker[row] != TV_NONE)
		return node_of(sweep, sweep->tasks->worker[row]);
	return sweep->place[row] == TV_NONE ? NULL : &sweep->node[sweep->place[row]];
}

static int64_t sum_of(const struct sweep *sweep, const struct node *node, uint32_t i)
{
	return node->sum[i] + (node->cause == FIRST_OF_NODE + i ? sweep->now - node->since : 0);
}

static void list_span(struct sweep *sweep, struct tv_idle_list *list, uint32_t worker,
		      int64_t begin)
{
	struct tv_idle_span *last = list->n == 0 ? NULL : &list->at[list->n - 1];
	struct tv_idle_span span = { .worker = worker, .begin = begin, .end = sweep->now };

	if (begin >= sweep->now)
		return;
	if (last != NULL && last->end == begin && last->worker == worker) {
		last->end = sweep->now;
		return;
	}
	if (last != NULL)
		span.before = last->before + last->end - last->begin;
	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = span;
}

static void list_worker(struct sweep *sweep, uint32_t w)
{
	const struct worker *worker = &sweep->worker[w];

	if (sweep->spans != NULL && worker->state == OF_NODE)
		list_span(sweep, &sweep->spans->worker, w, worker->entered);
}

static void list_node(struct sweep *sweep, const struct node *node)
{
	size_t n = (size_t)(node - sweep->node);

	if (sweep->spans != NULL && node->cause == TV_IDLE_DEPENDENCIES)
		list_span(sweep, &sweep->spans->node[n], TV_NONE, node->since);
}

/* Gives the worker the time in its present state, up to now. */
static void settle(struct sweep *sweep, uint32_t w)
{
	struct worker *worker = &sweep->worker[w];
	const struct node *node = node_of(sweep, w);
	int64_t *time = sweep->time + (size_t)w * TV_IDLE_NCAUSES;

	if (worker->state < TV_IDLE_NCAUSES)
		time[worker->state] += sweep->now - worker->since;
	worker->since = sweep->now;
	for (uint32_t i = 0; worker->state == OF_NODE && i < NCAUSES_OF_NODE; i++) {
		int64_t sum = sum_of(sweep, node, i);

		time[FIRST_OF_NODE + i] += sum - worker->mark[i];
		worker->mark[i] = sum;
	}
}

static void set_state(struct sweep *sweep, uint32_t w, uint32_t state)
{
	struct worker *worker = &sweep->worker[w];

	if (worker->state == state)
		return;
	settle(sweep, w);
	list_worker(sweep, w);
	worker->state = state;
	worker->entered = sweep->now;
	for (uint32_t i = 0; state == OF_NODE && i < NCAUSES_OF_NODE; i++)
		worker->mark[i] = sum_of(sweep, node_of(sweep, w), i);
}

static void set_cause(struct sweep *sweep, struct node *node, uint32_t cause)
{
	list_node(sweep, node);
	node->sum[node->cause - FIRST_OF_NODE] += sweep->now - node->since;
	node->since = sweep->now;
	node->cause = cause;
}

/* ---- the idle workers of a class ---- */

static struct queue *queue_of(struct sweep *sweep, uint32_t w)
{
	return &sweep->queue[(size_t)sweep->tasks->workers[w].node * sweep->waits->nclasses
			     + tv_waits_class(sweep->waits, w)];
}

static void state_in_queue(struct sweep *sweep, uint32_t w)
{
	const bool *within = sweep->worker[w].within;

	set_state(sweep, w,
		  within[BY_RELEASED] ? TV_IDLE_ELSEWHERE
		  : within[BY_ANY]    ? TV_IDLE_MPI
				      : OF_NODE);
}

static void move_limit(struct sweep *sweep, struct queue *queue, int which, int64_t count)
{
	struct limit *limit = &queue->limit[which];

	while (limit->count > count) {
		uint32_t w = limit->last;

		sweep->worker[w].within[which] = false;
		limit->last = sweep->worker[w].before;
		limit->count--;
		state_in_queue(sweep, w);
	}
	while (limit->count < count) {
		uint32_t w = limit->last == TV_NONE ? queue->head
						    : sweep->worker[limit->last].after;

		sweep->worker[w].within[which] = true;
		limit->last = w;
		limit->count++;
		state_in_queue(sweep, w);
	}
}

static void enter(struct sweep *sweep, uint32_t w)
{
	struct queue *queue = queue_of(sweep, w);
	struct worker *worker = &sweep->worker[w];

	worker->before = queue->tail;
	worker->after = TV_NONE;
	*(queue->tail == TV_NONE ? &queue->head : &sweep->worker[queue->tail].after) = w;
	queue->tail = w;
	worker->queued = true;
	tv_occupy_add_workers(&node_of(sweep, w)->released, tv_waits_class(sweep->waits, w), 1);
	tv_occupy_add_workers(&node_of(sweep, w)->any, tv_waits_class(sweep->waits, w), 1);
}

static void leave(struct sweep *sweep, uint32_t w)
{
	struct queue *queue = queue_of(sweep, w);
	struct worker *worker = &sweep->worker[w];

	for (int i = 0; i < NLIMITS; i++) {
		struct limit *limit = &queue->limit[i];

		if (!worker->within[i])
			continue;
		worker->within[i] = false;
		limit->count--;
		if (limit->last == w)
			limit->last = worker->before;
	}
	*(worker->before == TV_NONE ? &queue->head
				    : &sweep->worker[worker->before].after) = worker->after;
	*(worker->after == TV_NONE ? &queue->tail
				   : &sweep->worker[worker->after].before) = worker->before;
	worker->queued = false;
	tv_occupy_add_workers(&node_of(sweep, w)->released, tv_waits_class(sweep->waits, w), -1);
	tv_occupy_add_workers(&node_of(sweep, w)->any, tv_waits_class(sweep->waits, w), -1);
}

/* ---- released tasks ---- */

static bool sooner(const void *context, uint32_t a, uint32_t b)
{
	const struct tv_tasks *tasks = context;

	return tasks->start[a] != tasks->start[b] ? tasks->start[a] < tasks->start[b] : a < b;
}

static void add_released(struct sweep *sweep, uint32_t row, int64_t more)
{
	struct node *node = node_of_row(sweep, row);

	tv_occupy_add_tasks(&node->released, sweep->waits->runs[row], more);
	tv_occupy_add_tasks(&node->any, sweep->waits->runs[row], more);
}

/* The task that has its place on its own idle worker covers no other. */
static void set_own(struct sweep *sweep, uint32_t w, uint32_t row)
{
	struct worker *worker = &sweep->worker[w];

	if (worker->own == row)
		return;
	if (worker->own != TV_NONE)
		add_released(sweep, worker->own, 1);
	if (row != TV_NONE)
		add_released(sweep, row, -1);
	worker->own = row;
}

static void touch_node(struct sweep *sweep, struct node *node)
{
	if (!node->touched)
		sweep->touched_node[sweep->ntouched_nodes++] = (uint32_t)(node - sweep->node);
	node->touched = true;
}

static void touch(struct sweep *sweep, uint32_t w)
{
	if (!sweep->worker[w].touched)
		sweep->touched[sweep->ntouched++] = w;
	sweep->worker[w].touched = true;
	touch_node(sweep, node_of(sweep, w));
}

/* ---- what a moment changes ---- */

/* Takes a task out of, or into, the numbers of its node by how far it is. */
static void count_task(struct sweep *sweep, uint32_t row, int64_t more)
{
	struct node *node = node_of_row(sweep, row);

	switch (sweep->progress[row]) {
	case UNSUBMITTED:
		node->unsubmitted += more;
		return;
	case RELEASED:
		add_released(sweep, row, more);
		break;
	case COMING:
		tv_occupy_add_tasks(&node->any, sweep->waits->runs[row], more);
		break;
	default:
		break;
	}
	node->submitted += more;
}

static void advance(struct sweep *sweep, uint32_t row, enum progress progress)
{
	uint32_t w = sweep->tasks->worker[row];

	count_task(sweep, row, -1);
	if (sweep->progress[row] == RELEASED && w != TV_NONE)
		tv_heap_pop(&sweep->worker[w].waiting, sooner, sweep->tasks);
	sweep->progress[row] = (uint8_t)progress;
	if (progress == STARTED)
		return;
	count_task(sweep, row, 1);
	if (!(progress != RELEASED || w == TV_NONE))
		tv_heap_push(&sweep->worker[w].waiting, row, sooner, sweep->tasks);
}

static int apply(struct sweep *sweep, const struct tv_moment *moment)
{
	uint32_t row = moment->row, w = sweep->tasks->worker[row];
	int rc = 0;

	if (node_of_row(sweep, row) == NULL)
		return 0;
	switch (moment->what) {
	case TV_MOMENT_SUBMIT:
		advance(sweep, row, SUBMITTED);
		rc = 0;
		break;
	case TV_MOMENT_LACK_MESSAGE:
		advance(sweep, row, COMING);
		rc = 0;
		break;
	case TV_MOMENT_RELEASE:
		advance(sweep, row, RELEASED);
		rc = 0;
		break;
	case TV_MOMENT_FETCH:
		sweep->fetching[row]++;
		break;
	case TV_MOMENT_FETCHED:
		sweep->fetching[row]--;
		break;
	case TV_MOMENT_BEGIN:
		sweep->worker[w].running++;
		if (sweep->tasks->counted[row]) {
			advance(sweep, row, STARTED);
			rc = 0;
		}
		break;
	case TV_MOMENT_END:
		sweep->worker[w].running--;
		break;
	}
	if (w == TV_NONE)
		touch_node(sweep, node_of_row(sweep, row));
	else
		touch(sweep, w);
	return rc;
}

/* ---- what follows from the moments of an instant ---- */

static void review_worker(struct sweep *sweep, uint32_t w)
{
	struct worker *worker = &sweep->worker[w];
	bool idle = worker->running == 0;
	uint32_t own = idle && worker->waiting.n > 0 ? worker->waiting.row[0] : TV_NONE;
	bool queued = idle && own == TV_NONE && tv_waits_class(sweep->waits, w) != TV_NONE;

	worker->touched = false;
	set_own(sweep, w, own);
	if (worker->queued && !queued)
		leave(sweep, w);
	else if (!worker->queued && queued)
		enter(sweep, w);
	if (own != TV_NONE)
		set_state(sweep, w, sweep->fetching[own] > 0 ? TV_IDLE_DATA : TV_IDLE_RUNTIME);
	else if (queued)
		state_in_queue(sweep, w);
	else
		set_state(sweep, w, idle ? OF_NODE : BUSY);
}

static void review_node(struct sweep *sweep, uint32_t n)
{
	struct node *node = &sweep->node[n];
	uint32_t nclasses = sweep->waits->nclasses;
	int64_t by_released[TV_CLASSES_MAX], by_any[TV_CLASSES_MAX];
	bool left_over;

	node->touched = false;
	left_over = tv_occupy_solve(&node->released, by_released)
		  < tv_occupy_tasks(&node->released);
	tv_occupy_solve(&node->any, by_any);
	for (uint32_t class = 0; class < nclasses; class ++) {
		struct queue *queue = &sweep->queue[(size_t)n * nclasses + class];

		move_limit(sweep, queue, BY_RELEASED, by_released[class]);
		move_limit(sweep, queue, BY_ANY, by_any[class]);
	}
	set_cause(sweep, node,
		  left_over		  ? TV_IDLE_UNSUITED
		  : node->submitted > 0	  ? tv_waits_known(sweep->waits) ? TV_IDLE_DEPENDENCIES
									 : TV_IDLE_UNEXPLAINED
		  : node->unsubmitted > 0 ? TV_IDLE_NOT_SUBMITTED
					  : TV_IDLE_DRAIN);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Workers in their order: it decides which of those idle since the same instant is covered. */
static void review(struct sweep *sweep)
{
	if (sweep->ntouched > 1)
		qsort(sweep->touched, sweep->ntouched, sizeof *sweep->touched, by_number);
	for (uint32_t i = 0; i < sweep->ntouched; i++)
		review_worker(sweep, sweep->touched[i]);
	for (uint32_t i = 0; i < sweep->ntouched_nodes; i++)
		review_node(sweep, sweep->touched_node[i]);
	sweep->ntouched = sweep->ntouched_nodes = 0;
}

/* ---- the sweep ---- */

static int start(struct sweep *sweep)
{
	const struct tv_tasks *tasks = sweep->tasks;
	uint32_t nclasses = sweep->waits->nclasses;

	for (uint32_t n = 0; n < tasks->nnodes; n++) {
		struct node *node = &sweep->node[n];

		node->cause = TV_IDLE_DRAIN;
		node->since = sweep->now;
		if (tv_occupy_init(&node->released, nclasses) < 0
		    || tv_occupy_init(&node->any, nclasses) < 0)
			return -1;
	}
	for (size_t i = 0; i < (size_t)tasks->nnodes * nclasses; i++)
		sweep->queue[i] = (struct queue){ TV_NONE,
						  TV_NONE,
						  { { TV_NONE, 0 }, { TV_NONE, 0 } } };
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		sweep->worker[w].state = BUSY;
		sweep->worker[w].own = TV_NONE;
		touch(sweep, w);
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] || (tasks->pending[row] && node_of_row(sweep, row) != NULL))
			count_task(sweep, row, 1); /* unsubmitted */
	return 0;
}

static void end_slice(struct sweep *sweep, int64_t end)
{
	sweep->now = end;
	for (uint32_t w = 0; w < sweep->tasks->nworkers; w++)
		settle(sweep, w);
}

static void forget(struct sweep *sweep)
{
	for (size_t i = 0; i < (size_t)sweep->tasks->nworkers * TV_IDLE_NCAUSES; i++)
		sweep->time[i] = 0;
}

/* All moments before `end`. */
static int go_on(struct sweep *sweep, int64_t end)
{
	const struct tv_moments *all = &sweep->moments;

	while (sweep->next < all->n && all->at[sweep->next].time < end) {
		sweep->now = all->at[sweep->next].time;
		while (sweep->next < all->n && all->at[sweep->next].time == sweep->now)
			if (apply(sweep, &all->at[sweep->next++]) < 0)
				return -1;
		review(sweep);
	}
	return 0;
}

static int go(struct sweep *sweep, const int64_t *bound, size_t nslices, tv_idle_slice *slice,
	      void *to, struct tv_error *err)
{
	/* What was before the first slice is forgotten, but who is idle since when. */
	for (size_t i = 0; i <= nslices; i++) {
		if (go_on(sweep, bound[i]) < 0)
			return tv_fail_memory(err);
		end_slice(sweep, bound[i]);
		if (i > 0 && slice(to, bound[i - 1], bound[i], sweep->time) < 0)
			return -1;
		forget(sweep);
	}
	for (uint32_t w = 0; w < sweep->tasks->nworkers; w++)
		list_worker(sweep, w);
	for (uint32_t n = 0; n < sweep->tasks->nnodes; n++)
		list_node(sweep, &sweep->node[n]);
	return 0;
}

/* The nodes of pending tasks, by the column Node; a single node is that of all. */
static void find_places(struct sweep *sweep)
{
	const struct tv_tasks *tasks = sweep->tasks;
	const struct tv_column *node = tv_table_find(&tasks->trace->table[TV_TASKS], "Node");

	for (uint32_t row = 0; row < tasks->n; row++) {
		sweep->place[row] = tasks->pending[row] && tasks->nnodes == 1 ? 0 : TV_NONE;
		for (uint32_t n = 0; tasks->pending[row] && tasks->nnodes > 1 && n < tasks->nnodes;
		     n++)
			if (node != NULL && tv_label(node, row) == tasks->node[n].label)
				sweep->place[row] = n;
	}
}

static int sweep_init(struct sweep *sweep, struct tv_error *err)
{
	const struct tv_tasks *tasks = sweep->tasks;

	sweep->worker = tv_alloc(tasks->nworkers, sizeof *sweep->worker);
	sweep->node = tv_alloc(tasks->nnodes, sizeof *sweep->node);
	sweep->queue = tv_alloc((size_t)tasks->nnodes * sweep->waits->nclasses,
				sizeof *sweep->queue);
	sweep->progress = tv_alloc(tasks->n, sizeof *sweep->progress);
	sweep->place = tv_alloc(tasks->n, sizeof *sweep->place);
	sweep->fetching = tv_alloc(tasks->n, sizeof *sweep->fetching);
	sweep->touched = tv_alloc(tasks->nworkers, sizeof *sweep->touched);
	sweep->touched_node = tv_alloc(tasks->nnodes, sizeof *sweep->touched_node);
	sweep->time = tv_alloc((size_t)tasks->nworkers * TV_IDLE_NCAUSES, sizeof *sweep->time);
	find_places(sweep);
	if (sweep->spans == NULL)
		return 0;
	sweep->spans->nnodes = tasks->nnodes;
	sweep->spans->node = tv_alloc(tasks->nnodes, sizeof *sweep->spans->node);
	return sweep->spans->node == NULL ? tv_fail_memory(err) : 0;
}

void tv_idle_spans_release(struct tv_idle_spans *spans)
{
	for (uint32_t n = 0; spans->node != NULL && n < spans->nnodes; n++)
		tv_free(spans->node[n].at);
	tv_free(spans->node);
	tv_free(spans->worker.at);
	*spans = (struct tv_idle_spans){ 0 };
}

static void sweep_release(struct sweep *sweep)
{
	for (uint32_t n = 0; sweep->node != NULL && n < sweep->tasks->nnodes; n++) {
		tv_occupy_release(&sweep->node[n].released);
		tv_occupy_release(&sweep->node[n].any);
	}
	tv_moments_release(&sweep->moments);
	for (uint32_t w = 0; sweep->worker != NULL && w < sweep->tasks->nworkers; w++)
		tv_heap_release(&sweep->worker[w].waiting);
	tv_free(sweep->worker);
	tv_free(sweep->node);
	tv_free(sweep->queue);
	tv_free(sweep->progress);
	tv_free(sweep->place);
	tv_free(sweep->fetching);
	tv_free(sweep->touched);
	tv_free(sweep->touched_node);
	tv_free(sweep->time);
}

int tv_idle_sweep(const struct tv_waits *waits, const struct tv_fetches *fetches,
		  const int64_t *bound, size_t nslices, tv_idle_slice *slice, void *to,
		  struct tv_idle_spans *spans, struct tv_error *err)
{
	/* From the begin of the run: who has been idle for longest is not known otherwise. */
	int64_t begin = waits->dag->tasks->begin;
	struct sweep sweep = {
		.waits = waits, .tasks = waits->dag->tasks, .now = begin, .spans = spans
	};
	int rc = sweep_init(&sweep, err);

	if (rc == 0)
		tv_moments_init(&sweep.moments, waits, fetches, begin, bound[nslices]);
	if (rc == 0 && start(&sweep) < 0)
		rc = tv_fail_memory(err);
	if (rc == 0)
		rc = go(&sweep, bound, nslices, slice, to, err);
	sweep_release(&sweep);
	return rc;
}
