/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_state.c -- what workers and nodes are idle for while a sweep goes on: adds up the time, keeps the spans. */
#include "dag/idle_state.h"

#include "trace/alloc.h"

static int64_t sum_of(const struct tv_idle_sweep *sweep, const struct tv_idle_node *node,
		      uint32_t i)
{
	return node->sum[i]
	     + (node->cause == TV_IDLE_FIRST_OF_NODE + i ? sweep->now - node->since : 0);
}

static void append_span(struct tv_idle_sweep *sweep, struct tv_idle_list *list, uint32_t worker,
			uint32_t row, int64_t begin)
{
	struct tv_idle_span *last = list->n == 0 ? NULL : &list->at[list->n - 1];
	struct tv_idle_span span = { worker, row, begin, sweep->now, 0 };

	if (begin >= sweep->now)
		return;
	if (last != NULL && last->end == begin && last->worker == worker && last->row == row) {
		last->end = sweep->now;
		return;
	}
	/* Spans of a node do not overlap, so that these sums are no longer than the run. */
	if (last != NULL && worker == TV_NONE)
		span.before = last->before + last->end - last->begin;
	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = span;
}

static void append_cause(struct tv_idle_sweep *sweep, struct tv_cause_list *list, uint32_t of,
			 uint32_t cause, int64_t begin)
{
	if (!sweep->spans->all || begin >= sweep->now)
		return;
	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = (struct tv_cause_span){ of, cause, begin, sweep->now };
}

void tv_idle_end_worker_span(struct tv_idle_sweep *sweep, uint32_t w)
{
	const struct tv_idle_worker *worker = &sweep->worker[w];

	if (sweep->spans != NULL && worker->state != TV_IDLE_BUSY)
		append_cause(sweep, &sweep->spans->worker_causes, w,
			     worker->state == TV_IDLE_OF_NODE ? TV_IDLE_NCAUSES : worker->state,
			     worker->entered);

	if (sweep->spans != NULL && worker->state == TV_IDLE_OF_NODE)
		append_span(sweep, &sweep->spans->worker, w, TV_NONE, worker->entered);
	if (sweep->spans != NULL && worker->state == TV_IDLE_MPI)
		append_span(sweep, &sweep->spans->mpi, w, TV_NONE, worker->entered);
	if (sweep->spans != NULL && worker->state == TV_IDLE_DATA)
		append_span(sweep, &sweep->spans->data, w, worker->own_task, worker->entered);
}

void tv_idle_end_node_span(struct tv_idle_sweep *sweep, const struct tv_idle_node *node)
{
	size_t n = (size_t)(node - sweep->node);

	if (sweep->spans != NULL)
		append_cause(sweep, &sweep->spans->node_causes, (uint32_t)n, node->cause,
			     node->since);
	if (sweep->spans != NULL && node->cause == TV_IDLE_DEPENDENCIES)
		append_span(sweep, &sweep->spans->node[n], TV_NONE, TV_NONE, node->since);
}

void tv_idle_add_time(struct tv_idle_sweep *sweep, uint32_t w)
{
	struct tv_idle_worker *worker = &sweep->worker[w];
	const struct tv_idle_node *node = tv_idle_node_of(sweep, w);
	int64_t *time = sweep->time + (size_t)w * TV_IDLE_NCAUSES;

	if (worker->state < TV_IDLE_NCAUSES)
		time[worker->state] += sweep->now - worker->since;
	worker->since = sweep->now;
	for (uint32_t i = 0; worker->state == TV_IDLE_OF_NODE && i < TV_IDLE_NCAUSES_OF_NODE; i++) {
		int64_t sum = sum_of(sweep, node, i);

		time[TV_IDLE_FIRST_OF_NODE + i] += sum - worker->mark[i];
		worker->mark[i] = sum;
	}
}

void tv_idle_set_state(struct tv_idle_sweep *sweep, uint32_t w, uint32_t state)
{
	struct tv_idle_worker *worker = &sweep->worker[w];

	if (worker->state == state)
		return;
	tv_idle_add_time(sweep, w);
	tv_idle_end_worker_span(sweep, w);
	if (sweep->watch != NULL)
		sweep->watch->worker(sweep->watch->to, sweep->now, w, worker->state, state);
	worker->state = state;
	worker->entered = sweep->now;
	for (uint32_t i = 0; state == TV_IDLE_OF_NODE && i < TV_IDLE_NCAUSES_OF_NODE; i++)
		worker->mark[i] = sum_of(sweep, tv_idle_node_of(sweep, w), i);
}

void tv_idle_set_cause(struct tv_idle_sweep *sweep, struct tv_idle_node *node, uint32_t cause)
{
	tv_idle_end_node_span(sweep, node);
	if (sweep->watch != NULL)
		sweep->watch->node(sweep->watch->to, sweep->now, (uint32_t)(node - sweep->node),
				   cause);
	node->sum[node->cause - TV_IDLE_FIRST_OF_NODE] += sweep->now - node->since;
	node->since = sweep->now;
	node->cause = cause;
}
