/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiling.c -- how executions decided earlier and later, and idle time, tile the wait of a task. */
#include <stdlib.h>
#include <string.h>

#include "analysis/decisions/decision_list.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* The executions of a worker until a time, of which those decided before a decision are asked for. */
struct query {
	int64_t time;
	uint32_t decision;
	bool start; /* at its start, else at the decision */
};

struct tile_queries {
	const struct tv_decisions *d;
	struct tv_tiling *tiling;
	struct query *query; /* of a worker, by time */
	uint32_t nqueries;
	int64_t *busy;	/* of its first k executions */
	int64_t *order; /* of these, sorted */
	int64_t *tree;	/* Fenwick tree over order: time of those entered */
};

TV_ORDER(by_time, struct query, time)

static int64_t part_until(const struct tv_run_span *span, int64_t time)
{
	int64_t end = span->end < time ? span->end : time;

	return end > span->start ? end - span->start : 0;
}

/* Time of all executions of a worker until a time. */
static int64_t busy_until(const struct tile_queries *work, const struct tv_run_span *span,
			  uint32_t n, int64_t time)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, n, span[i].start < time);
	return i == 0 ? 0 : work->busy[i - 1] + part_until(&span[i - 1], time);
}

static void enter(struct tile_queries *work, uint32_t n, const struct tv_run_span *span)
{
	for (uint32_t i = tv_count_below(work->order, n, span->order) + 1; i <= n; i += i & -i)
		work->tree[i] += span->end - span->start;
}

/* Time of the entered executions that were decided before `order`. */
static int64_t ahead_of(const struct tile_queries *work, uint32_t n, int64_t order)
{
	int64_t sum = 0;

	for (uint32_t i = tv_count_below(work->order, n, order); i > 0; i -= i & -i)
		sum += work->tree[i];
	return sum;
}

/* Splits what is not ahead: the time between decision, pop and start that no execution takes. */
static void split(const struct tile_queries *work, const struct tv_run_span *span, uint32_t n,
		  uint32_t decision)
{
	const struct tv_decision *at = &work->d->at[decision];
	struct tv_tiling *tiling = &work->tiling[decision];
	int64_t pop = at->popped == TV_NO_TIME ? at->started : at->popped;
	int64_t before, until_pop, until_start;

	pop = pop < at->time ? at->time : pop > at->started ? at->started : pop;
	before = busy_until(work, span, n, at->time);
	until_pop = busy_until(work, span, n, pop);
	until_start = busy_until(work, span, n, at->started);
	tiling->overtaken = until_start - before - tiling->ahead;
	tiling->idle_queued = pop - at->time - (until_pop - before);
	tiling->idle_taken = at->started - pop - (until_start - until_pop);
}

static void tile_worker(struct tile_queries *work, const struct tv_run_span *span, uint32_t n)
{
	uint32_t entered = 0;

	work->busy[0] = 0;
	for (uint32_t k = 0; k < n; k++) {
		work->busy[k + 1] = work->busy[k] + span[k].end - span[k].start;
		work->order[k] = span[k].order;
		work->tree[k + 1] = 0;
	}
	qsort(work->order, n, sizeof *work->order, tv_compare_int64);
	qsort(work->query, work->nqueries, sizeof *work->query, by_time);
	for (uint32_t q = 0; q < work->nqueries; q++) {
		const struct query *query = &work->query[q];
		int64_t order = 2 * (int64_t)query->decision, time;

		/* All but the last of those that began before: that may go on. */
		while (entered + 1 < n && span[entered + 1].start < query->time)
			enter(work, n, &span[entered++]);
		time = ahead_of(work, n, order);
		if (n > 0 && span[entered].order < order)
			time += part_until(&span[entered], query->time);
		work->tiling[query->decision].ahead += query->start ? time : -time;
	}
}

void tv_decisions_tile(const struct tv_decisions *d, struct tv_tiling *tiling)
{
	uint32_t *group = tv_alloc(d->n, sizeof *group);
	struct tv_groups waits;
	struct tile_queries work = { .d = d, .tiling = tiling };

	for (uint32_t i = 0; i < d->n; i++) {
		bool waits_there = d->at[i].started != TV_NO_TIME && d->at[i].worker != TV_NONE
				&& d->at[i].started >= d->at[i].time;

		tiling[i] = (struct tv_tiling){ 0 };
		group[i] = waits_there ? d->at[i].worker : TV_NONE;
	}
	tv_groups_init(&waits, group, d->n, d->nworkers);
	work.query = tv_alloc(2 * (size_t)d->n, sizeof *work.query);
	work.busy = tv_alloc((size_t)d->nspans + 1, sizeof *work.busy);
	work.order = tv_alloc(d->nspans, sizeof *work.order);
	work.tree = tv_alloc((size_t)d->nspans + 1, sizeof *work.tree);
	for (uint32_t w = 0; w < d->nworkers; w++) {
		const struct tv_run_span *span = &d->span[d->first[w]];
		uint32_t n = d->first[w + 1] - d->first[w];

		work.nqueries = 0;
		for (uint32_t k = waits.first[w]; k < waits.first[w + 1]; k++) {
			uint32_t i = waits.row[k];

			work.query[work.nqueries++] = (struct query){ d->at[i].time, i, false };
			work.query[work.nqueries++] = (struct query){ d->at[i].started, i, true };
		}
		tile_worker(&work, span, n);
		for (uint32_t k = waits.first[w]; k < waits.first[w + 1]; k++)
			split(&work, span, n, waits.row[k]);
	}
	tv_groups_release(&waits);
	tv_free(group);
	tv_free(work.query);
	tv_free(work.busy);
	tv_free(work.order);
	tv_free(work.tree);
}
