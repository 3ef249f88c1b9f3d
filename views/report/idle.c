/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle.c -- when the workers of a run were idle and why, so that any window can be summed up.
 *
 * A gap is a span of time in which a worker executed nothing. It is divided where the cause
 * changes. The causes that all idle workers of a node have in common are kept once per node.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/idle.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "views/report/columns.h"

struct idle {
	const struct tv_report_run *r;
	const struct tv_tasks *tasks;
	uint32_t *by_start, *by_end; /* executed rows, by worker, then by that time */
	uint32_t n;
	/* Of gaps; cuts of gap g are first[g] to first[g + 1] - 1. */
	uint32_t *worker, *after, *next, *first;
	int64_t *begin, *end;
	size_t ngaps;
	/* Of cuts: from the begin of the gap, ns. */
	uint8_t *cause;
	int64_t *at;
};

TV_ORDER(by_worker, struct tv_cause_span, of, begin)

static int order_start(const void *a, const void *b, void *context)
{
	const struct tv_tasks *tasks = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (tasks->worker[x] != tasks->worker[y])
		return TV_COMPARE(tasks->worker[x], tasks->worker[y]);
	return tasks->start[x] != tasks->start[y] ? TV_COMPARE(tasks->start[x], tasks->start[y])
						  : TV_COMPARE(x, y);
}

static int order_end(const void *a, const void *b, void *context)
{
	const struct tv_tasks *tasks = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (tasks->worker[x] != tasks->worker[y])
		return TV_COMPARE(tasks->worker[x], tasks->worker[y]);
	return tasks->end[x] != tasks->end[y] ? TV_COMPARE(tasks->end[x], tasks->end[y])
					      : TV_COMPARE(x, y);
}

static void sort_rows(struct idle *idle)
{
	const struct tv_tasks *tasks = idle->tasks;

	idle->by_start = tv_alloc(tasks->n, sizeof *idle->by_start);
	idle->by_end = tv_alloc(tasks->n, sizeof *idle->by_end);
	for (uint32_t i = 0; i < tasks->n; i++)
		if (tasks->executed[i])
			idle->by_start[idle->n++] = i;
	memcpy(idle->by_end, idle->by_start, idle->n * sizeof *idle->by_end);
	qsort_r(idle->by_start, idle->n, sizeof *idle->by_start, order_start, (void *)tasks);
	qsort_r(idle->by_end, idle->n, sizeof *idle->by_end, order_end, (void *)tasks);
}

/* Spans that touch, of one worker, are a gap. */
static void find_gaps(struct idle *idle, struct tv_cause_list *list)
{
	size_t g = 0;

	if (list->n > 0)
		qsort(list->at, list->n, sizeof *list->at, by_worker);
	idle->worker = tv_alloc(list->n, sizeof *idle->worker);
	idle->after = tv_alloc(list->n, sizeof *idle->after);
	idle->next = tv_alloc(list->n, sizeof *idle->next);
	idle->first = tv_alloc(list->n + 1, sizeof *idle->first);
	idle->begin = tv_alloc(list->n, sizeof *idle->begin);
	idle->end = tv_alloc(list->n, sizeof *idle->end);
	idle->cause = tv_alloc(list->n, 1);
	idle->at = tv_alloc(list->n, sizeof *idle->at);
	for (size_t i = 0; i < list->n; i++) {
		const struct tv_cause_span *span = &list->at[i];

		if (i == 0 || span[-1].of != span->of || span[-1].end != span->begin) {
			idle->worker[g] = span->of;
			idle->begin[g] = span->begin;
			idle->first[g++] = (uint32_t)i;
		}
		idle->end[g - 1] = span->end;
		idle->cause[i] = (uint8_t)span->cause;
		idle->at[i] = span->begin - idle->begin[g - 1];
	}
	idle->first[g] = (uint32_t)list->n;
	idle->ngaps = g;
}

/* Of a window, the gaps that touch it, whole; and what idle workers of a node had at their time. */
static void keep_near(struct idle *idle, size_t *ncuts, struct tv_cause_list *nodes)
{
	const struct tv_window *window = &idle->r->run->window;
	int64_t from = INT64_MAX, to = INT64_MIN;
	size_t g = 0, cuts = 0, kept = 0;

	for (size_t i = 0; i < idle->ngaps; i++) {
		uint32_t first = idle->first[i], n = idle->first[i + 1] - first;

		if (idle->begin[i] >= window->end || idle->end[i] <= window->begin)
			continue;
		from = idle->begin[i] < from ? idle->begin[i] : from;
		to = idle->end[i] > to ? idle->end[i] : to;
		idle->worker[g] = idle->worker[i];
		idle->begin[g] = idle->begin[i];
		idle->end[g] = idle->end[i];
		idle->first[g++] = (uint32_t)cuts;
		for (uint32_t k = 0; k < n; k++, cuts++) {
			idle->cause[cuts] = idle->cause[first + k];
			idle->at[cuts] = idle->at[first + k];
		}
	}
	idle->first[g] = (uint32_t)cuts;
	idle->ngaps = g;
	*ncuts = cuts;
	for (size_t i = 0; i < nodes->n; i++)
		if (nodes->at[i].begin < to && nodes->at[i].end > from)
			nodes->at[kept++] = nodes->at[i];
	nodes->n = kept;
}

/* The task that ended last before each gap on its worker, and the one that starts next. */
static void find_neighbors(struct idle *idle)
{
	const struct tv_tasks *tasks = idle->tasks;
	uint32_t from = 0, to = 0;

	for (size_t g = 0; g < idle->ngaps; g++) {
		uint32_t w = idle->worker[g];

		while (from < idle->n
		       && (tasks->worker[idle->by_end[from]] < w
			   || (tasks->worker[idle->by_end[from]] == w
			       && tasks->end[idle->by_end[from]] <= idle->begin[g])))
			from++;
		while (to < idle->n
		       && (tasks->worker[idle->by_start[to]] < w
			   || (tasks->worker[idle->by_start[to]] == w
			       && tasks->start[idle->by_start[to]] < idle->end[g])))
			to++;
		idle->after[g] = from > 0 && tasks->worker[idle->by_end[from - 1]] == w
				       ? idle->r->number[idle->by_end[from - 1]]
				       : TV_NONE;
		idle->next[g] = to < idle->n && tasks->worker[idle->by_start[to]] == w
				      ? idle->r->number[idle->by_start[to]]
				      : TV_NONE;
	}
}

static void add_gaps(const struct idle *idle, size_t ncuts)
{
	const struct tv_report_run *r = idle->r;
	struct tv_payload *to = &r->html->payload;
	struct tv_near_column start = { "tasks", "Start", tv_table_find(r->tasks, "Start"),
					"gap",	 "next",  idle->next,
					false },
			      end = { "tasks", "End",	tv_table_find(r->tasks, "End"),
				      "gap",   "after", idle->after,
				      false };
	char name[TV_REPORT_NAME];

	tv_payload_add(to, tv_report_name(r, "gap", "worker", "", name), TV_U32, idle->worker,
		       idle->ngaps, TV_DELTA | TV_SPLIT);
	tv_payload_add(to, tv_report_name(r, "gap", "after", "", name), TV_U32, idle->after,
		       idle->ngaps, TV_DELTA | TV_ZIGZAG | TV_SPLIT);
	tv_payload_add(to, tv_report_name(r, "gap", "next", "", name), TV_U32, idle->next,
		       idle->ngaps, TV_DELTA | TV_ZIGZAG | TV_SPLIT);
	tv_payload_add(to, tv_report_name(r, "gap", "first", "", name), TV_U32, idle->first,
		       idle->ngaps + 1, TV_DELTA | TV_SPLIT);
	tv_report_ints(r, tv_report_name(r, "gap", "begin", "", name), idle->begin, idle->ngaps,
		       &end, 1);
	tv_report_ints(r, tv_report_name(r, "gap", "end", "", name), idle->end, idle->ngaps, &start,
		       1);
	tv_payload_add(to, tv_report_name(r, "cut", "cause", "", name), TV_U8, idle->cause, ncuts,
		       0);
	tv_report_ints(r, tv_report_name(r, "cut", "at", "", name), idle->at, ncuts, NULL, 0);
}

/* What idle workers of a node without a cause of their own have. */
static void add_nodes(const struct tv_report_run *r, struct tv_cause_list *list)
{
	struct tv_payload *to = &r->html->payload;
	uint32_t *node = tv_alloc(list->n, sizeof *node);
	uint8_t *cause = tv_alloc(list->n, 1);
	int64_t *begin = tv_alloc(list->n, sizeof *begin),
		*length = tv_alloc(list->n, sizeof *length);
	char name[TV_REPORT_NAME];
	size_t n = 0;

	if (list->n > 0)
		qsort(list->at, list->n, sizeof *list->at, by_worker);
	for (size_t i = 0; i < list->n; i++) {
		const struct tv_cause_span *span = &list->at[i];

		if (i > 0 && span[-1].of == span->of && span[-1].cause == span->cause
		    && span[-1].end == span->begin) {
			length[n - 1] += span->end - span->begin;
			continue;
		}
		node[n] = span->of;
		cause[n] = (uint8_t)span->cause;
		begin[n] = span->begin;
		length[n++] = span->end - span->begin;
	}
	tv_payload_add(to, tv_report_name(r, "nodecause", "node", "", name), TV_U32, node, n,
		       TV_DELTA | TV_SPLIT);
	tv_payload_add(to, tv_report_name(r, "nodecause", "cause", "", name), TV_U8, cause, n, 0);
	tv_report_ints(r, tv_report_name(r, "nodecause", "begin", "", name), begin, n, NULL, 0);
	tv_report_ints(r, tv_report_name(r, "nodecause", "length", "", name), length, n, NULL, 0);
	tv_free(node);
	tv_free(cause);
	tv_free(begin);
	tv_free(length);
}

static uint32_t string_of(const struct tv_report_run *r, uint32_t label)
{
	return label == TV_NONE
		     ? 0
		     : tv_intern_text(r->strings, tv_pool_text(r->run->trace->pool, label));
}

static void add_workers(const struct tv_report_run *r, const struct tv_tasks *tasks)
{
	struct tv_payload *to = &r->html->payload;
	uint32_t n = tasks->nworkers, *value[3];
	static const char *const column[] = { "name", "rtype", "node" };
	char name[TV_REPORT_NAME];

	for (int k = 0; k < 3; k++)
		value[k] = tv_alloc(n, sizeof **value);
	for (uint32_t w = 0; w < n; w++) {
		value[0][w] = string_of(r, tasks->workers[w].resource);
		value[1][w] = string_of(r, tasks->rtype[tasks->workers[w].rtype].label);
		value[2][w] = tasks->workers[w].node;
	}
	for (int k = 0; k < 3; k++) {
		tv_payload_add(to, tv_report_name(r, "worker", column[k], "", name), TV_U32,
			       value[k], n, TV_SPLIT);
		tv_free(value[k]);
	}
	value[0] = tv_alloc(tasks->nnodes, sizeof **value);
	for (uint32_t i = 0; i < tasks->nnodes; i++)
		value[0][i] = string_of(r, tasks->node[i].label);
	tv_payload_add(to, tv_report_name(r, "node", "name", "", name), TV_U32, value[0],
		       tasks->nnodes, TV_SPLIT);
	tv_free(value[0]);
}

static void write_causes(const struct tv_report_run *r)
{
	tv_json_open(&r->html->header, "causes", '[');
	for (int i = 0; i < TV_IDLE_NCAUSES; i++)
		tv_json_text(&r->html->header, NULL, tv_idle_cause_name((enum tv_idle_cause)i));
	tv_json_close(&r->html->header, ']');
}

void tv_report_idle(const struct tv_report_run *r)
{
	struct tv_run *run = tv_run_streams(r->run); /* rows are streams */
	struct idle idle = { .r = r, .tasks = &run->tasks };
	struct tv_idle_spans spans = { .all = true };
	const struct tv_run_idle *known;
	struct tv_error none = { 0 };

	add_workers(r, idle.tasks);
	known = idle.tasks->ncounted == 0 ? NULL : tv_run_idle(run, &none);
	if (known == NULL)
		return;
	write_causes(r);
	tv_idle_sweep(&known->waits, &known->fetches, known->bound, 1, NULL, NULL, &spans);
	sort_rows(&idle);
	find_gaps(&idle, &spans.worker_causes);
	if (tv_run_cut(r->run))
		keep_near(&idle, &spans.worker_causes.n, &spans.node_causes);
	find_neighbors(&idle);
	add_gaps(&idle, spans.worker_causes.n);
	add_nodes(r, &spans.node_causes);
	tv_idle_spans_release(&spans);
	tv_free(idle.by_start);
	tv_free(idle.by_end);
	tv_free(idle.worker);
	tv_free(idle.after);
	tv_free(idle.next);
	tv_free(idle.first);
	tv_free(idle.begin);
	tv_free(idle.end);
	tv_free(idle.cause);
	tv_free(idle.at);
}
