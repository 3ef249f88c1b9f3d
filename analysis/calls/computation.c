/* SPDX-License-Identifier: GPL-3.0-or-later */
/* computation.c -- when each rank computed. */
#include "analysis/calls/computation.h"

#include <stdlib.h>

#include "analysis/core/statistics.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* What one thread or worker did. */
struct place {
	uint32_t resource, rank;
	struct tv_span *task, *call;
	struct tv_span extent; /* from the first to the last call */
	uint32_t ntasks, ncalls;
	bool calls; /* it has some */
	size_t tasks_cap, calls_cap;
};

struct computing {
	struct place *place;
	size_t n, cap;
	struct tv_index of;   /* by label of a resource: its place */
	struct tv_span *part; /* of one rank */
	size_t nparts, parts_cap;
};

static struct place *place_of(struct computing *work, uint32_t resource, uint32_t rank)
{
	uint32_t at = tv_index_get(&work->of, resource);

	if (at == TV_NONE) {
		at = (uint32_t)work->n;
		tv_index_set(&work->of, resource, at);
		TV_GROW(work->place, work->n, work->cap, 1);
		work->place[work->n++] = (struct place){ .resource = resource, .rank = rank };
	}
	return &work->place[at];
}

static void add_calls(struct computing *work, const struct tv_calls *calls,
		      const struct tv_index *rank)
{
	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];
		struct place *p = place_of(work, tv_call_label(calls, TV_CALL_RESOURCE, row),
					   tv_index_get(rank, calls->rank[calls->rank_of[row]]));

		if (p->ncalls == 0)
			p->extent = (struct tv_span){ tv_call_begin(calls, row), INT64_MIN };
		if (tv_call_end(calls, row) > p->extent.end)
			p->extent.end = tv_call_end(calls, row);
		TV_GROW(p->call, p->ncalls, p->calls_cap, 1);
		p->call[p->ncalls++] = (struct tv_span){ tv_call_begin(calls, row),
							 tv_call_end(calls, row) };
	}
}

static void add_tasks(struct computing *work, const struct tv_tasks *tasks,
		      const struct tv_index *rank)
{
	for (uint32_t row = 0; row < tasks->n; row++) {
		const struct tv_worker *w;
		struct place *p;

		if (!tasks->counted[row])
			continue;
		w = &tasks->workers[tasks->worker[row]];
		p = place_of(work, w->resource, tv_index_get(rank, tasks->node[w->node].label));
		TV_GROW(p->task, p->ntasks, p->tasks_cap, 1);
		p->task[p->ntasks++] = (struct tv_span){ tasks->start[row], tasks->end[row] };
	}
}

static void add_part(struct computing *work, int64_t begin, int64_t end)
{
	if (begin >= end)
		return;
	TV_GROW(work->part, work->nparts, work->parts_cap, 1);
	work->part[work->nparts++] = (struct tv_span){ begin, end };
}

/* span[0..n) without the calls of the place; both disjoint and ascending. */
static void add_outside(struct computing *work, const struct tv_span *span, uint32_t n,
			const struct place *p)
{
	uint32_t c = 0;

	for (uint32_t i = 0; i < n; i++) {
		int64_t begin = span[i].begin;

		while (c < p->ncalls && p->call[c].end <= begin)
			c++;
		for (uint32_t k = c; k < p->ncalls && p->call[k].begin < span[i].end; k++) {
			add_part(work, begin, p->call[k].begin);
			begin = p->call[k].end;
		}
		add_part(work, begin, span[i].end);
	}
}

/* From the first to the last call of a rank. */
static struct tv_span extent(const struct computing *work, uint32_t rank)
{
	struct tv_span all = { INT64_MAX, INT64_MIN };

	for (size_t i = 0; i < work->n; i++) {
		const struct place *p = &work->place[i];

		if (p->rank != rank || !p->calls)
			continue;
		all.begin = p->extent.begin < all.begin ? p->extent.begin : all.begin;
		all.end = p->extent.end > all.end ? p->extent.end : all.end;
	}
	return all;
}

static void sum_up(const int64_t *x, tv_int128 *sum, uint32_t n)
{
	tv_int128 so_far = 0;

	for (uint32_t i = 0; i < n; i++) {
		sum[i] = so_far;
		so_far += x[i];
	}
	sum[n] = so_far;
}

static void build(struct tv_computing *c, struct computing *work)
{
	const struct tv_span all = { INT64_MIN, INT64_MAX };
	uint32_t n = (uint32_t)work->nparts;
	int64_t so_far = 0;

	c->nparts = n;
	c->begin = tv_alloc(n, sizeof *c->begin);
	c->end = tv_alloc(n, sizeof *c->end);
	c->begin_sum = tv_alloc((size_t)n + 1, sizeof *c->begin_sum);
	c->end_sum = tv_alloc((size_t)n + 1, sizeof *c->end_sum);
	for (uint32_t i = 0; i < n; i++) {
		c->begin[i] = work->part[i].begin;
		c->end[i] = work->part[i].end;
	}
	tv_sort_times(c->begin, n);
	tv_sort_times(c->end, n);
	sum_up(c->begin, c->begin_sum, n);
	sum_up(c->end, c->end_sum, n);
	c->n = n == 0 ? 0 : tv_spans_merge(work->part, n, all);
	c->span = tv_alloc(c->n, sizeof *c->span);
	c->before = tv_alloc(c->n, sizeof *c->before);
	for (uint32_t i = 0; i < c->n; i++) {
		c->span[i] = work->part[i];
		c->before[i] = so_far;
		so_far += c->span[i].end - c->span[i].begin;
	}
}

static void add_places(struct computing *work, struct tv_computation *computation, uint32_t rank)
{
	struct tv_span all = extent(work, rank);

	work->nparts = 0;
	for (size_t i = 0; i < work->n; i++) {
		const struct place *p = &work->place[i];

		if (p->rank != rank)
			continue;
		if (computation->tasks)
			add_outside(work, p->task, p->ntasks, p);
		else
			add_outside(work, &all, 1, p);
		computation->of[rank].nworkers += computation->tasks ? p->ntasks > 0 : p->calls;
	}
	build(&computation->of[rank], work);
}

void tv_computation_init(struct tv_computation *computation, const struct tv_run *run,
			 const struct tv_calls *calls, const uint32_t *rank, uint32_t n)
{
	const struct tv_span all = { INT64_MIN, INT64_MAX };
	struct tv_index rank_of = { 0 };
	struct computing work = { 0 };

	*computation = (struct tv_computation){ .nranks = n, .tasks = run->tasks.ncounted > 0 };
	computation->of = tv_alloc(n, sizeof *computation->of);
	for (uint32_t r = 0; r < n; r++)
		tv_index_set(&rank_of, rank[r], r);
	add_calls(&work, calls, &rank_of);
	if (computation->tasks)
		add_tasks(&work, &run->tasks, &rank_of);
	for (size_t i = 0; i < work.n; i++) {
		struct place *p = &work.place[i];

		p->calls = p->ncalls > 0;
		p->ncalls = p->ncalls == 0 ? 0 : tv_spans_merge(p->call, p->ncalls, all);
		p->ntasks = p->ntasks == 0 ? 0 : tv_spans_merge(p->task, p->ntasks, all);
	}
	for (uint32_t r = 0; r < n; r++)
		add_places(&work, computation, r);
	for (size_t i = 0; i < work.n; i++) {
		tv_free(work.place[i].task);
		tv_free(work.place[i].call);
	}
	tv_free(work.place);
	tv_free(work.part);
	tv_free(work.of.at);
	tv_free(rank_of.at);
}

void tv_computation_release(struct tv_computation *computation)
{
	for (uint32_t r = 0; r < computation->nranks; r++) {
		tv_free(computation->of[r].span);
		tv_free(computation->of[r].before);
		tv_free(computation->of[r].begin);
		tv_free(computation->of[r].end);
		tv_free(computation->of[r].begin_sum);
		tv_free(computation->of[r].end_sum);
	}
	tv_free(computation->of);
}

/* ns computed before t. */
static int64_t covered_before(const struct tv_computing *c, int64_t t)
{
	uint32_t next;
	int64_t end;

	TV_LOWER_BOUND(next, 0, c->n, c->span[next].begin < t);
	if (next == 0)
		return 0;
	end = c->span[next - 1].end < t ? c->span[next - 1].end : t;
	return c->before[next - 1] + end - c->span[next - 1].begin;
}

int64_t tv_computing_in(const struct tv_computing *c, struct tv_span in)
{
	return in.begin >= in.end ? 0 : covered_before(c, in.end) - covered_before(c, in.begin);
}

static tv_int128 sum_before(const struct tv_computing *c, int64_t t)
{
	uint32_t b = tv_count_below(c->begin, c->nparts, t),
		 e = tv_count_below(c->end, c->nparts, t);

	return ((tv_int128)t * b - c->begin_sum[b]) - ((tv_int128)t * e - c->end_sum[e]);
}

int64_t tv_computing_sum(const struct tv_computing *c, struct tv_span in)
{
	return in.begin >= in.end ? 0 : tv_sum_ns(sum_before(c, in.end) - sum_before(c, in.begin));
}
