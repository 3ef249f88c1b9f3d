/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_list.c -- the spans of workers, divided where their node's cause changes. */
#include "analysis/bounds/idle_list.h"

#include "trace/alloc.h"
#include "trace/sorted.h"

enum { MAX_SPANS = 10000000 };

struct giving {
	int64_t from;
	struct tv_cause_span last; /* not given yet, as the next one may continue it */
	tv_idle_of_worker *take;
	void *to;
};

static void give_last(struct giving *giving)
{
	const struct tv_cause_span *last = &giving->last;

	if (last->begin < last->end)
		giving->take(giving->to, last->of, (enum tv_idle_cause)last->cause, last->begin,
			     last->end);
}

static void give(struct giving *giving, struct tv_cause_span span)
{
	struct tv_cause_span *last = &giving->last;

	span.begin = span.begin > giving->from ? span.begin : giving->from;
	if (span.begin >= span.end)
		return;
	if (last->of == span.of && last->cause == span.cause && last->end == span.begin) {
		last->end = span.end;
		return;
	}
	give_last(giving);
	*last = span;
}

/* How many of the causes of a node, at[0..n), lie in a span of one of its workers; the first of them. */
static uint32_t find_node(const struct tv_cause_span *at, uint32_t n,
			  const struct tv_cause_span *span, uint32_t *first)
{
	uint32_t last;

	TV_LOWER_BOUND(*first, 0, n, at[*first].end <= span->begin);
	TV_LOWER_BOUND(last, *first, n, at[last].begin < span->end);
	return last - *first;
}

static void give_node(struct giving *giving, const struct tv_cause_span *at, uint32_t n,
		      const struct tv_cause_span *span)
{
	uint32_t first, end = find_node(at, n, span, &first) + first;

	for (uint32_t i = first; i < end; i++)
		give(giving, (struct tv_cause_span){
				     .of = span->of,
				     .cause = at[i].cause,
				     .begin = at[i].begin > span->begin ? at[i].begin : span->begin,
				     .end = at[i].end < span->end ? at[i].end : span->end });
}

/* The spans of workers and of nodes, by these. */
struct lists {
	const struct tv_tasks *tasks;
	struct tv_cause_span *worker, *node;
	uint32_t *first, *first_of_node;
};

/* The spans of the node of a worker: how many. */
static uint32_t of_node(const struct lists *lists, uint32_t worker, const struct tv_cause_span **at)
{
	const uint32_t *first = lists->first_of_node + lists->tasks->workers[worker].node;

	*at = lists->node + first[0];
	return first[1] - first[0];
}

/* How many would be given, or more: some may continue others. */
static uint64_t count(const struct lists *lists)
{
	const struct tv_cause_span *node;
	uint64_t sum = 0;
	uint32_t first;

	for (uint32_t w = 0; w < lists->tasks->nworkers; w++) {
		uint32_t n = of_node(lists, w, &node);

		for (uint32_t i = lists->first[w]; i < lists->first[w + 1]; i++)
			sum += lists->worker[i].cause == TV_IDLE_NCAUSES
				     ? find_node(node, n, &lists->worker[i], &first)
				     : 1;
	}
	return sum;
}

static void give_all(const struct lists *lists, struct giving *giving)
{
	const struct tv_cause_span *node;

	for (uint32_t w = 0; w < lists->tasks->nworkers; w++) {
		uint32_t n = of_node(lists, w, &node);

		for (uint32_t i = lists->first[w]; i < lists->first[w + 1]; i++)
			if (lists->worker[i].cause == TV_IDLE_NCAUSES)
				give_node(giving, node, n, &lists->worker[i]);
			else
				give(giving, lists->worker[i]);
	}
	give_last(giving);
}

int tv_idle_list(const struct tv_tasks *tasks, struct tv_idle_spans *spans, int64_t from,
		 tv_idle_of_worker *take, void *to, struct tv_error *err)
{
	struct giving giving = { .from = from, .take = take, .to = to };
	struct lists lists = { .tasks = tasks };
	int rc = 0;

	lists.worker = tv_causes_by_owner(&spans->worker_causes, tasks->nworkers, &lists.first);
	lists.node = tv_causes_by_owner(&spans->node_causes, tasks->nnodes, &lists.first_of_node);
	if (count(&lists) <= MAX_SPANS)
		give_all(&lists, &giving);
	else
		rc = tv_fail(err,
			     "--by span: more than %d spans, as causes change while many workers "
			     "are idle; expected --by worker, with --step TIME",
			     MAX_SPANS);
	tv_free(lists.worker);
	tv_free(lists.first);
	tv_free(lists.node);
	tv_free(lists.first_of_node);
	return rc;
}
