/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.c -- how matched tasks of two runs differ: order, place, time lost. */
#include "analysis/compare/moves.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"

/* A matched pair of tasks while it is sorted. */
struct pair {
	uint32_t node[2];
	int64_t start[2];
	const char *value;
};

static int by_start(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	for (int i = 0; i < 2; i++)
		if (x->start[i] != y->start[i])
			return x->start[i] < y->start[i] ? -1 : 1;
	return 0;
}

static int by_value(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = tv_natural_order(x->value, y->value);

	return order != 0 ? order : by_start(a, b);
}

/* Sorts time[0..n) and counts the pairs that were strictly in the wrong order. */
static tv_int128 count_inversions(int64_t *time, int64_t *room, size_t n)
{
	tv_int128 count = 0;

	for (size_t width = 1; width < n; width *= 2) {
		for (size_t low = 0; low < n; low += 2 * width) {
			size_t middle = low + width < n ? low + width : n;
			size_t high = low + 2 * width < n ? low + 2 * width : n;
			size_t i = low, j = middle;

			for (size_t k = low; k < high; k++) {
				bool left = i < middle && (j == high || time[i] <= time[j]);

				if (!left)
					count += (tv_int128)(middle - i);
				room[k] = left ? time[i++] : time[j++];
			}
		}
		memcpy(time, room, n * sizeof *time);
	}
	return count;
}

static const char *worker_of(const struct tv_dag *dag, uint32_t node, const char **rtype)
{
	const struct tv_tasks *tasks = dag->tasks;
	const struct tv_worker *worker = &tasks->workers[tasks->worker[dag->row[node]]];

	*rtype = tv_pool_text(tasks->pool, tasks->rtype[worker->rtype].label);
	return tv_pool_text(tasks->pool, worker->resource);
}

/* pair[0..n), sorted by start, as one line of the result. */
static struct tv_moves count_moves(const struct tv_match *match, const struct pair *pair, size_t n,
				   int64_t *room)
{
	struct tv_moves moves = { .value = n > 0 ? pair[0].value : "", .ntasks = (uint32_t)n };

	for (size_t i = 0; i < n; i++) {
		const char *rtype[2], *worker[2];

		for (int run = 0; run < 2; run++)
			worker[run] = worker_of(match->dag[run], pair[i].node[run], &rtype[run]);
		moves.rtype += strcmp(rtype[0], rtype[1]) != 0;
		moves.worker += strcmp(worker[0], worker[1]) != 0;
		room[i] = pair[i].start[1];
	}
	moves.inversions = count_inversions(room, room + n, n);
	return moves;
}

static int list_moves(struct tv_order *order, const struct tv_match *match, struct pair *pair)
{
	size_t n = match->nmatched, cap = 0;
	int64_t *room = tv_alloc(2 * n, sizeof *room);
	int rc = 0;

	TV_GROW(order->moves, 0, cap, 1);
	if (n > 0)
		qsort(pair, n, sizeof *pair, by_start);
	order->moves[0] = count_moves(match, pair, n, room);
	order->moves[0].value = "";
	order->moves[0].all = true;
	order->nmoves = 1;
	if (n > 0)
		qsort(pair, n, sizeof *pair, by_value);
	for (size_t i = 0, end; rc == 0 && i < n; i = end) {
		for (end = i + 1; end < n && strcmp(pair[end].value, pair[i].value) == 0; end++)
			;
		TV_GROW(order->moves, order->nmoves, cap, 1);
		order->moves[order->nmoves++] = count_moves(match, pair + i, end - i, room);
	}
	tv_free(room);
	return rc;
}

/* ---- time lost ---- */

static int by_loss(const void *a, const void *b, void *data)
{
	const struct tv_loss *x = a, *y = b;
	const struct tv_dag *dag = data;
	tv_int128 p = tv_loss_ns(x), q = tv_loss_ns(y);
	int order;

	if (p != q)
		return p > q ? -1 : 1;
	order = tv_natural_order(tv_pool_text(dag->tasks->pool, tv_dag_job(dag, x->node[0])),
				 tv_pool_text(dag->tasks->pool, tv_dag_job(dag, y->node[0])));
	return order != 0 ? order : (x->node[0] > y->node[0]) - (x->node[0] < y->node[0]);
}

static int list_losses(struct tv_order *order, const struct tv_match *match,
		       struct tv_run *const run[2], const struct pair *pair, struct tv_error *err)
{
	const struct tv_column *delay[2];

	order->loss = tv_alloc(match->nmatched, sizeof *order->loss);
	for (int i = 0; i < 2; i++) {
		const struct tv_table *deps = tv_run_pass(run[i], "deps", NULL, err);

		if (deps == NULL)
			return -1;
		delay[i] = tv_table_find(deps, "Delay");
	}
	for (uint32_t p = 0; p < match->nmatched; p++) {
		struct tv_loss *loss = &order->loss[order->nlosses++];
		bool known = true;

		for (int i = 0; i < 2; i++) {
			const struct tv_dag *dag = match->dag[i];
			uint32_t v = loss->node[i] = pair[p].node[i];

			loss->duration[i] = dag->end[v] - dag->start[v];
			known = known && !tv_missing(delay[i], dag->row[v]);
		}
		for (int i = 0; i < 2 && known; i++)
			loss->wait[i] = delay[i]->i[match->dag[i]->row[loss->node[i]]];
	}
	if (order->nlosses > 0)
		qsort_r(order->loss, order->nlosses, sizeof *order->loss, by_loss,
			(void *)match->dag[0]);
	return 0;
}

int tv_order_init(struct tv_order *order, const struct tv_match *match, struct tv_run *const run[2],
		  struct tv_error *err)
{
	const struct tv_dag *first = match->dag[0], *second = match->dag[1];
	struct pair *pair = tv_alloc(match->nmatched, sizeof *pair);
	uint32_t n = 0;
	int rc;

	*order = (struct tv_order){ 0 };
	for (uint32_t v = 0; v < first->n; v++) {
		uint32_t w = match->partner[v];

		if (w != TV_NONE)
			pair[n++] = (struct pair){
				{ v, w },
				{ first->start[v], second->start[w] },
				tv_pool_text(first->tasks->pool,
					     first->tasks->value[first->row[v]]),
			};
	}
	rc = list_moves(order, match, pair);
	if (rc == 0)
		rc = list_losses(order, match, run, pair, err);
	tv_free(pair);
	return rc;
}

void tv_order_release(struct tv_order *order)
{
	tv_free(order->moves);
	tv_free(order->loss);
	*order = (struct tv_order){ 0 };
}
