/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle.c -- why workers are idle, instant by instant.
 *
 * One sweep over the instants at which anything changes. Causes that a worker has by itself (in-mpi-call, in-loop,
 * data, runtime, elsewhere, mpi) are added up when they change. All others are those of its whole node,
 * which may change at every event: these are added up per node, and a worker takes the difference
 * when it gets a cause of its own, so an event costs no time per idle worker.
 */
#include "dag/idle.h"

#include <stdlib.h>
#include <string.h>

#include "dag/idle_state.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

enum progress { UNSUBMITTED, SUBMITTED, COMING, RELEASED, STARTED };

const char *tv_idle_cause_name(enum tv_idle_cause cause)
{
	static const char *const name[] = {
#define NAME(symbol, text, ...) [TV_IDLE_##symbol] = (text),
		TV_IDLE_CAUSES(NAME)
#undef NAME
	};

	return name[cause];
}

/* The node on which a task runs or waits to run; NULL = not known. */
static struct tv_idle_node *node_of_row(struct tv_idle_sweep *sweep, uint32_t row)
{
	if (sweep->tasks->worker[row] != TV_NONE)
		return tv_idle_node_of(sweep, sweep->tasks->worker[row]);
	return sweep->pending_node == NULL || sweep->pending_node[row] == TV_NONE
		     ? NULL
		     : &sweep->node[sweep->pending_node[row]];
}

/* ---- the idle workers of a class ---- */

static struct tv_idle_queue *queue_of(struct tv_idle_sweep *sweep, uint32_t w)
{
	return &sweep->queue[(size_t)sweep->tasks->workers[w].node * sweep->waits->classes->n
			     + tv_waits_class(sweep->waits, w)];
}

static void state_in_queue(struct tv_idle_sweep *sweep, uint32_t w)
{
	const bool *within = sweep->worker[w].within;

	tv_idle_set_state(sweep, w,
			  within[TV_IDLE_BY_RELEASED] ? TV_IDLE_ELSEWHERE
			  : within[TV_IDLE_BY_ANY]    ? TV_IDLE_MPI
						      : TV_IDLE_OF_NODE);
}

static void move_limit(struct tv_idle_sweep *sweep, struct tv_idle_queue *queue, int which,
		       int64_t count)
{
	struct tv_idle_limit *limit = &queue->limit[which];

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

static void add_workers(struct tv_idle_sweep *sweep, uint32_t w, int64_t more)
{
	struct tv_idle_node *node = tv_idle_node_of(sweep, w);
	uint32_t class = tv_waits_class(sweep->waits, w);

	node->released.workers[class] += more;
	node->any.workers[class] += more;
	node->moved = true;
}

static void enqueue(struct tv_idle_sweep *sweep, uint32_t w)
{
	struct tv_idle_queue *queue = queue_of(sweep, w);
	struct tv_idle_worker *worker = &sweep->worker[w];

	worker->before = queue->tail;
	worker->after = TV_NONE;
	*(queue->tail == TV_NONE ? &queue->head : &sweep->worker[queue->tail].after) = w;
	queue->tail = w;
	worker->queued = true;
	add_workers(sweep, w, 1);
}

static void dequeue(struct tv_idle_sweep *sweep, uint32_t w)
{
	struct tv_idle_queue *queue = queue_of(sweep, w);
	struct tv_idle_worker *worker = &sweep->worker[w];

	for (int i = 0; i < TV_IDLE_NLIMITS; i++) {
		struct tv_idle_limit *limit = &queue->limit[i];

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
	add_workers(sweep, w, -1);
}

/* ---- released tasks ---- */

static bool starts_before(const void *context, uint32_t a, uint32_t b)
{
	const struct tv_tasks *tasks = context;

	return tasks->start[a] != tasks->start[b] ? tasks->start[a] < tasks->start[b] : a < b;
}

static void add_released(struct tv_idle_sweep *sweep, struct tv_idle_node *node, uint32_t row,
			 int64_t more)
{
	tv_occupy_add_tasks(&node->released, sweep->waits->runs[row], more);
	tv_occupy_add_tasks(&node->any, sweep->waits->runs[row], more);
	node->moved = true;
}

/* The task that is kept for its own idle worker covers no other worker. */
static void set_own_task(struct tv_idle_sweep *sweep, uint32_t w, uint32_t row)
{
	struct tv_idle_worker *worker = &sweep->worker[w];

	if (worker->own_task == row)
		return;
	if (worker->own_task != TV_NONE)
		add_released(sweep, tv_idle_node_of(sweep, w), worker->own_task, 1);
	if (row != TV_NONE)
		add_released(sweep, tv_idle_node_of(sweep, w), row, -1);
	worker->own_task = row;
}

static void mark_node_changed(struct tv_idle_sweep *sweep, struct tv_idle_node *node)
{
	if (!node->changed)
		sweep->changed_node[sweep->nchanged_nodes++] = (uint32_t)(node - sweep->node);
	node->changed = true;
}

static void mark_changed(struct tv_idle_sweep *sweep, uint32_t w)
{
	if (!sweep->worker[w].changed)
		sweep->changed[sweep->nchanged++] = w;
	sweep->worker[w].changed = true;
}

/* ---- what a moment changes ---- */

/* Adds a task to (or removes it from) the counts of its node, by its progress. */
static void count_task(struct tv_idle_sweep *sweep, struct tv_idle_node *node, uint32_t row,
		       int64_t more)
{
	switch (sweep->progress[row]) {
	case UNSUBMITTED:
		node->unsubmitted += more;
		return;
	case RELEASED:
		add_released(sweep, node, row, more);
		break;
	case COMING:
		tv_occupy_add_tasks(&node->any, sweep->waits->runs[row], more);
		node->moved = true;
		break;
	default:
		break;
	}
	node->submitted += more;
}

static void advance(struct tv_idle_sweep *sweep, struct tv_idle_node *node, uint32_t row,
		    enum progress progress)
{
	uint32_t w = sweep->tasks->worker[row];

	count_task(sweep, node, row, -1);
	if (sweep->progress[row] == RELEASED && w != TV_NONE)
		tv_heap_pop(&sweep->worker[w].waiting, starts_before, sweep->tasks);
	sweep->progress[row] = (uint8_t)progress;
	if (progress == STARTED)
		return;
	count_task(sweep, node, row, 1);
	if (progress == RELEASED && w != TV_NONE)
		tv_heap_push(&sweep->worker[w].waiting, row, starts_before, sweep->tasks);
}

static void apply(struct tv_idle_sweep *sweep, const struct tv_moment *moment)
{
	bool call = moment->what >= TV_MOMENT_CALL;
	uint32_t row = moment->row, w = call ? row : sweep->tasks->worker[row];
	struct tv_idle_node *node = call ? tv_idle_node_of(sweep, w) : node_of_row(sweep, row);

	if (node == NULL)
		return;
	switch (moment->what) {
	case TV_MOMENT_SUBMIT:
		advance(sweep, node, row, SUBMITTED);
		break;
	case TV_MOMENT_LACK_MESSAGE:
		advance(sweep, node, row, COMING);
		break;
	case TV_MOMENT_RELEASE:
		advance(sweep, node, row, RELEASED);
		break;
	case TV_MOMENT_FETCH:
		sweep->fetching[row]++;
		break;
	case TV_MOMENT_FETCHED:
		sweep->fetching[row]--;
		break;
	case TV_MOMENT_BEGIN:
		sweep->worker[w].running++;
		if (sweep->tasks->counted[row])
			advance(sweep, node, row, STARTED);
		break;
	case TV_MOMENT_END:
		sweep->worker[w].running--;
		break;
	case TV_MOMENT_CALL:
		sweep->worker[w].calls++;
		break;
	case TV_MOMENT_RETURN:
		sweep->worker[w].calls--;
		break;
	case TV_MOMENT_LOOP:
		sweep->worker[w].loops++;
		break;
	case TV_MOMENT_LEAVE:
		sweep->worker[w].loops--;
		break;
	}
	if (w != TV_NONE)
		mark_changed(sweep, w);
	mark_node_changed(sweep, node);
}

/* ---- updates after all moments of an instant ---- */

static void update_worker(struct tv_idle_sweep *sweep, uint32_t w)
{
	struct tv_idle_worker *worker = &sweep->worker[w];
	bool idle = worker->running == 0 && worker->calls == 0 && worker->loops == 0;
	uint32_t own = idle && worker->waiting.n > 0 ? worker->waiting.row[0] : TV_NONE;
	bool queued = idle && own == TV_NONE && tv_waits_class(sweep->waits, w) != TV_NONE;

	worker->changed = false;
	if (own != worker->own_task && worker->state == TV_IDLE_DATA) {
		tv_idle_end_worker_span(sweep, w);
		worker->entered = sweep->now;
	}
	set_own_task(sweep, w, own);
	if (worker->queued && !queued)
		dequeue(sweep, w);
	else if (!worker->queued && queued)
		enqueue(sweep, w);
	if (own != TV_NONE)
		tv_idle_set_state(sweep, w,
				  sweep->fetching != NULL && sweep->fetching[own] > 0
					  ? TV_IDLE_DATA
					  : TV_IDLE_RUNTIME);
	else if (queued)
		state_in_queue(sweep, w);
	else
		tv_idle_set_state(sweep, w,
				  idle			? TV_IDLE_OF_NODE
				  : worker->running > 0 ? TV_IDLE_BUSY
				  : worker->calls > 0	? TV_IDLE_IN_MPI_CALL
							: TV_IDLE_IN_LOOP);
}

/* Who is covered, after tasks or workers have changed. */
static void cover_workers(struct tv_idle_sweep *sweep, uint32_t n)
{
	struct tv_idle_node *node = &sweep->node[n];
	uint32_t nclasses = sweep->waits->classes->n;
	int64_t by_released[TV_CLASSES_MAX], by_any[TV_CLASSES_MAX];

	node->moved = false;
	node->left_over = tv_occupy_solve(&node->released, by_released) < node->released.all;
	if (sweep->waits->message != NULL)
		tv_occupy_solve(&node->any, by_any);
	else /* nothing is coming */
		memcpy(by_any, by_released, nclasses * sizeof *by_any);
	for (uint32_t class = 0; class < nclasses; class ++) {
		struct tv_idle_queue *queue = &sweep->queue[(size_t)n * nclasses + class];

		move_limit(sweep, queue, TV_IDLE_BY_RELEASED, by_released[class]);
		move_limit(sweep, queue, TV_IDLE_BY_ANY, by_any[class]);
	}
}

static void update_node(struct tv_idle_sweep *sweep, uint32_t n)
{
	struct tv_idle_node *node = &sweep->node[n];
	bool known = tv_waits_known(sweep->waits);

	node->changed = false;
	if (node->moved)
		cover_workers(sweep, n);
	/* Without SubmitTime those not submitted are later segments of tasks that run. */
	tv_idle_set_cause(sweep, node,
			  node->left_over	? TV_IDLE_UNSUITED
			  : node->submitted > 0 ? known ? TV_IDLE_DEPENDENCIES : TV_IDLE_UNEXPLAINED
			  : node->unsubmitted > 0 ? sweep->tasks->submit != NULL
							  ? TV_IDLE_NOT_SUBMITTED
							  : TV_IDLE_UNEXPLAINED
						  : TV_IDLE_DRAIN);
}

/* In the order of workers, which decides who is covered of those idle since the same instant. */
static void update_changed(struct tv_idle_sweep *sweep)
{
	if (sweep->nchanged > 1)
		qsort(sweep->changed, sweep->nchanged, sizeof *sweep->changed, tv_compare_uint32);
	for (uint32_t i = 0; i < sweep->nchanged; i++)
		update_worker(sweep, sweep->changed[i]);
	for (uint32_t i = 0; i < sweep->nchanged_nodes; i++)
		update_node(sweep, sweep->changed_node[i]);
	sweep->nchanged = sweep->nchanged_nodes = 0;
}

/* ---- the sweep ---- */

static void init_state(struct tv_idle_sweep *sweep)
{
	const struct tv_tasks *tasks = sweep->tasks;
	const struct tv_worker_classes *classes = sweep->waits->classes;

	for (uint32_t n = 0; n < tasks->nnodes; n++) {
		struct tv_idle_node *node = &sweep->node[n];

		node->cause = TV_IDLE_DRAIN;
		node->since = sweep->now;
		tv_occupy_init(&node->released, classes->n, classes->set, classes->nsets);
		tv_occupy_init(&node->any, classes->n, classes->set, classes->nsets);
	}
	for (size_t i = 0; i < (size_t)tasks->nnodes * classes->n; i++)
		sweep->queue[i] = (struct tv_idle_queue){ TV_NONE,
							  TV_NONE,
							  { { TV_NONE, 0 }, { TV_NONE, 0 } } };
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		sweep->worker[w].state = TV_IDLE_BUSY;
}

/* No task is known, until all are given again. */
static void forget_tasks(struct tv_idle_sweep *sweep)
{
	for (uint32_t n = 0; n < sweep->tasks->nnodes; n++) {
		struct tv_idle_node *node = &sweep->node[n];

		node->unsubmitted = node->submitted = 0;
		tv_occupy_clear_tasks(&node->released);
		tv_occupy_clear_tasks(&node->any);
		node->moved = true;
		mark_node_changed(sweep, node);
	}
	for (uint32_t w = 0; w < sweep->tasks->nworkers; w++) {
		struct tv_idle_worker *worker = &sweep->worker[w];

		worker->running = worker->calls = worker->loops = 0;
		worker->own_task = TV_NONE;
		worker->waiting.n = 0;
		mark_changed(sweep, w);
	}
}

void tv_idle_take(struct tv_idle_sweep *sweep, const struct tv_waits *waits,
		  const struct tv_fetches *fetches, int64_t end)
{
	const struct tv_tasks *tasks = waits->dag->tasks;

	sweep->waits = waits;
	sweep->tasks = tasks;
	sweep->progress = tv_alloc(tasks->n, sizeof *sweep->progress);
	if (tasks->npending > 0) {
		sweep->pending_node = tv_alloc(tasks->n, sizeof *sweep->pending_node);
		tv_waits_pending_nodes(waits, sweep->pending_node);
	}
	if (fetches->n > 0)
		sweep->fetching = tv_alloc(tasks->n, sizeof *sweep->fetching);
	tv_moments_init(&sweep->moments, waits, fetches, sweep->now, end);
	forget_tasks(sweep);
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tv_idle_node *node = node_of_row(sweep, row);

		if (tasks->counted[row] || (tasks->pending[row] && node != NULL))
			count_task(sweep, node, row, 1); /* unsubmitted */
	}
}

void tv_idle_drop(struct tv_idle_sweep *sweep)
{
	tv_moments_release(&sweep->moments);
	tv_free(sweep->progress);
	tv_free(sweep->pending_node);
	tv_free(sweep->fetching);
	sweep->progress = NULL;
	sweep->pending_node = sweep->fetching = NULL;
}

static void end_slice(struct tv_idle_sweep *sweep, int64_t end)
{
	sweep->now = end;
	for (uint32_t w = 0; w < sweep->tasks->nworkers; w++)
		tv_idle_add_time(sweep, w);
}

static void clear_times(struct tv_idle_sweep *sweep)
{
	for (size_t i = 0; i < (size_t)sweep->tasks->nworkers * TV_IDLE_NCAUSES; i++)
		sweep->time[i] = 0;
}

void tv_idle_sweep_until(struct tv_idle_sweep *sweep, int64_t end)
{
	struct tv_moments *moments = &sweep->moments;

	while (moments->more && moments->now.time < end) {
		sweep->now = moments->now.time;
		for (; moments->more && moments->now.time == sweep->now; tv_moments_next(moments))
			apply(sweep, &moments->now);
		update_changed(sweep);
	}
}

void tv_idle_sweep_slices(struct tv_idle_sweep *sweep, int64_t end)
{
	const struct tv_idle_slices *slices = sweep->slices;
	const int64_t *bound = slices->bound;

	/* Times before the first slice are dropped; who has been idle since when is kept. */
	for (; sweep->next <= slices->n && bound[sweep->next] <= end; sweep->next++) {
		tv_idle_sweep_until(sweep, bound[sweep->next]);
		end_slice(sweep, bound[sweep->next]);
		if (sweep->next > 0 && slices->slice != NULL)
			slices->slice(slices->to, bound[sweep->next - 1], sweep->time);
		clear_times(sweep);
	}
	tv_idle_sweep_until(sweep, end);
}

void tv_idle_cut_spans(struct tv_idle_sweep *sweep)
{
	for (uint32_t w = 0; w < sweep->tasks->nworkers; w++) {
		tv_idle_end_worker_span(sweep, w);
		sweep->worker[w].entered = sweep->now;
	}
	for (uint32_t n = 0; n < sweep->tasks->nnodes; n++)
		tv_idle_set_cause(sweep, &sweep->node[n], sweep->node[n].cause);
}

void tv_idle_begin(struct tv_idle_sweep *sweep, const struct tv_waits *waits,
		   struct tv_idle_spans *spans)
{
	const struct tv_tasks *tasks = waits->dag->tasks;

	*sweep = (struct tv_idle_sweep){
		.waits = waits, .tasks = tasks, .now = tasks->begin, .spans = spans
	};
	sweep->worker = tv_alloc(tasks->nworkers, sizeof *sweep->worker);
	sweep->node = tv_alloc(tasks->nnodes, sizeof *sweep->node);
	sweep->queue = tv_alloc((size_t)tasks->nnodes * waits->classes->n, sizeof *sweep->queue);
	sweep->changed = tv_alloc(tasks->nworkers, sizeof *sweep->changed);
	sweep->changed_node = tv_alloc(tasks->nnodes, sizeof *sweep->changed_node);
	sweep->time = tv_alloc((size_t)tasks->nworkers * TV_IDLE_NCAUSES, sizeof *sweep->time);
	init_state(sweep);
	if (spans == NULL)
		return;
	spans->nnodes = tasks->nnodes;
	spans->node = tv_alloc(tasks->nnodes, sizeof *spans->node);
}

void tv_idle_end(struct tv_idle_sweep *sweep)
{
	for (uint32_t n = 0; n < sweep->tasks->nnodes; n++) {
		tv_occupy_release(&sweep->node[n].released);
		tv_occupy_release(&sweep->node[n].any);
	}
	tv_idle_drop(sweep);
	for (uint32_t w = 0; w < sweep->tasks->nworkers; w++)
		tv_heap_release(&sweep->worker[w].waiting);
	tv_free(sweep->worker);
	tv_free(sweep->node);
	tv_free(sweep->queue);
	tv_free(sweep->changed);
	tv_free(sweep->changed_node);
	tv_free(sweep->time);
}

/* From the begin of the run, to know who has been idle longest. */
static void sweep_all(struct tv_idle_sweep *sweep, const struct tv_waits *waits,
		      const struct tv_fetches *fetches, struct tv_idle_spans *spans, int64_t end)
{
	tv_idle_begin(sweep, waits, spans);
	tv_idle_take(sweep, waits, fetches, end);
}

void tv_idle_sweep(const struct tv_waits *waits, const struct tv_fetches *fetches,
		   const int64_t *bound, size_t nslices, tv_idle_slice *slice, void *to,
		   struct tv_idle_spans *spans)
{
	const struct tv_idle_slices slices = { bound, nslices, slice, to };
	struct tv_idle_sweep sweep;

	sweep_all(&sweep, waits, fetches, spans, bound[nslices]);
	sweep.slices = &slices;
	tv_idle_sweep_slices(&sweep, bound[nslices]);
	tv_idle_cut_spans(&sweep);
	tv_idle_end(&sweep);
}

void tv_idle_until(const struct tv_waits *waits, const struct tv_fetches *fetches,
		   struct tv_idle_mark *mark, size_t n)
{
	struct tv_idle_sweep sweep;

	if (n == 0)
		return;
	sweep_all(&sweep, waits, fetches, NULL, mark[n - 1].time);
	for (size_t i = 0; i < n; i++) {
		uint32_t w = mark[i].worker;

		tv_idle_sweep_until(&sweep, mark[i].time);
		sweep.now = mark[i].time;
		tv_idle_add_time(&sweep, w);
		memcpy(mark[i].sum, sweep.time + (size_t)w * TV_IDLE_NCAUSES, sizeof mark[i].sum);
	}
	tv_idle_end(&sweep);
}
