/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle.c -- when the workers of a run were idle and why, so that any window can be summed up.
 *
 * A gap is a span of time in which a worker executed nothing. It is divided where the cause
 * changes. The causes that all idle workers of a node have in common are kept once per node. The
 * culprit of a gap is the row of idle-causes --by culprit with most of its time.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds/blamed.h"
#include "analysis/core/idle.h"
#include "dag/culprits.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/report/columns.h"

/* How long something was a culprit in a gap. */
struct share {
	uint32_t gap, what, name, row; /* name: number of its names */
	int64_t time;
	uint32_t count; /* of a group: different rows */
	int64_t own;	/* likewise: the time of `row` */
};

TV_ORDER(by_gap, struct share, gap, what, name, row)

struct idle {
	const struct tv_report_run *r;
	const struct tv_tasks *tasks;
	uint32_t *by_start, *by_end; /* executed rows, by worker, then by that time */
	uint32_t n;
	/* Of gaps; cuts of gap g are first[g] to first[g + 1] - 1. */
	uint32_t *worker, *after, *next, *first;
	int64_t *begin, *end;
	size_t ngaps;
	struct share *share, *culprit; /* of all gaps; by gap */
	size_t nshares, shares_cap;
	const struct tv_dag *dag;
	struct tv_blamed_names links;
	const struct tv_column *call; /* names of calls, or NULL */
	struct tv_map number;	      /* of names */
	uint32_t nnames;
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

/* The label of a call or, interned in the report, of a message's link. */
static uint32_t label_of(const struct idle *idle, uint32_t what, uint32_t row)
{
	if (what == TV_IDLE_CULPRIT_CALL)
		return idle->call == NULL ? TV_NONE : tv_label(idle->call, row);
	return idle->links.name[idle->links.of[idle->dag->node_of_row[row]]].link;
}

/* Whether it has no worker with a type. */
static bool is_labelled(const struct idle *idle, uint32_t what, uint32_t row)
{
	return what == TV_IDLE_CULPRIT_CALL || idle->tasks->worker[row] == TV_NONE;
}

/* Equal names have one number. */
static uint32_t number_of(struct idle *idle, uint32_t what, uint32_t row)
{
	const struct tv_tasks *tasks = idle->tasks;
	const struct tv_worker *worker;
	uint32_t *number;

	if (is_labelled(idle, what, row)) {
		number = tv_map_at(&idle->number, label_of(idle, what, row), UINT64_MAX);
	} else {
		worker = &tasks->workers[tasks->worker[row]];
		number = tv_map_at(&idle->number, (uint64_t)tasks->value[row] << 32 | worker->rtype,
				   worker->node);
	}
	if (*number == TV_NONE)
		*number = idle->nnames++;
	return *number;
}

static void take_culprit(void *to, const struct tv_idle_culprit_span *span)
{
	struct idle *idle = to;
	size_t g;

	TV_LOWER_BOUND(
		g, 0, idle->ngaps,
		idle->worker[g] < span->worker
			|| (idle->worker[g] == span->worker && idle->begin[g] <= span->begin));
	if (g == 0 || idle->worker[g - 1] != span->worker || span->begin >= idle->end[g - 1])
		return; /* not near the window */
	TV_GROW(idle->share, idle->nshares, idle->shares_cap, 1);
	idle->share[idle->nshares++] = (struct share){ (uint32_t)g - 1,
						       span->what,
						       number_of(idle, span->what, span->row),
						       span->row,
						       span->end - span->begin,
						       0,
						       0 };
}

/* Of each gap that with most of its time, the first of equal ones; its row the one with most of that. */
static void find_culprits(struct idle *idle, const struct tv_run_idle *known)
{
	int64_t from = INT64_MAX, to = INT64_MIN, of_row = 0;
	struct share group = { 0 };

	idle->culprit = tv_alloc(idle->ngaps, sizeof *idle->culprit);
	for (size_t g = 0; g < idle->ngaps; g++) {
		from = idle->begin[g] < from ? idle->begin[g] : from;
		to = idle->end[g] > to ? idle->end[g] : to;
	}
	if (from < to)
		tv_idle_culprits(&known->waits, &known->fetches, from, to, take_culprit, idle);
	if (idle->nshares > 1)
		qsort(idle->share, idle->nshares, sizeof *idle->share, by_gap);
	for (size_t i = 0; i < idle->nshares; i++) {
		const struct share *s = &idle->share[i];
		bool same = i > 0 && s->gap == group.gap && s->what == group.what
			 && s->name == group.name;

		bool again = same && s[-1].row == s->row;

		of_row = again ? of_row + s->time : s->time;
		if (same)
			group.time += s->time;
		else
			group = *s;
		group.count += !again;
		if (of_row > group.own) {
			group.own = of_row;
			group.row = s->row;
		}
		if (group.time > idle->culprit[s->gap].time)
			idle->culprit[s->gap] = group;
	}
}

static uint32_t string_of(const struct tv_report_run *r, uint32_t label)
{
	return label == TV_NONE
		     ? 0
		     : tv_intern_text(r->strings, tv_pool_text(r->run->trace->pool, label));
}

/* Its names in words: a string of the report. */
static uint32_t words_of(const struct idle *idle, const struct share *share)
{
	const struct tv_tasks *tasks = idle->tasks;
	const struct tv_worker *worker;
	char *text;
	uint32_t string, row = share->row;

	if (is_labelled(idle, share->what, row)) {
		uint32_t label = label_of(idle, share->what, row);

		return share->what == TV_IDLE_CULPRIT_CALL ? string_of(idle->r, label) : label;
	}
	worker = &tasks->workers[tasks->worker[row]];
	text = tv_format("%s on %s%s%s", tv_pool_text(tasks->pool, tasks->value[row]),
			 tv_pool_text(tasks->pool, tasks->rtype[worker->rtype].label),
			 tasks->nnodes > 1 ? " of node " : "",
			 tasks->nnodes > 1
				 ? tv_pool_text(tasks->pool, tasks->node[worker->node].label)
				 : "");
	string = tv_intern_text(idle->r->strings, text);
	tv_free(text);
	return string;
}

static void add_culprits(const struct idle *idle)
{
	const struct tv_report_run *r = idle->r;
	struct tv_payload *to = &r->html->payload;
	uint8_t *what = tv_alloc(idle->ngaps, 1);
	uint32_t *row = tv_alloc(idle->ngaps, sizeof *row),
		 *label = tv_alloc(idle->ngaps, sizeof *label),
		 *key = tv_alloc(idle->ngaps, sizeof *key),
		 *count = tv_alloc(idle->ngaps, sizeof *count);
	int64_t *time = tv_alloc(idle->ngaps, sizeof *time),
		*own = tv_alloc(idle->ngaps, sizeof *own), *all;
	const struct tv_column begin = { .type = TV_TIME, .i = idle->begin },
			       end = { .type = TV_TIME, .i = idle->end };
	/* Of most gaps it is all their time. */
	const struct tv_near_column near[] = {
		{ .table = "gap", .column = "end", .of = &end },
		{ .table = "gap", .column = "begin", .of = &begin, .minus = true }
	};
	char name[TV_REPORT_NAME], at[TV_REPORT_NAME];

	for (size_t g = 0; g < idle->ngaps; g++) {
		const struct share *share = &idle->culprit[g];

		what[g] = (uint8_t)share->what;
		time[g] = share->time;
		count[g] = share->count;
		own[g] = share->own;
		row[g] = share->what == TV_IDLE_CULPRIT_CALL ? TV_NONE : r->number[share->row];
		label[g] = words_of(idle, share);
		key[g] = row[g] == TV_NONE || r->coding.key == NULL ? TV_NONE
								    : r->coding.key[row[g]];
	}
	tv_payload_add(to, tv_report_name(r, "gap", "culprit", "", name), TV_U8, what, idle->ngaps,
		       NULL);
	tv_report_rows_of(r, "gap", "culprit", ".row", row, idle->ngaps);
	tv_report_name(r, "gap", "culprit", ".row", at);
	tv_payload_add(to, tv_report_name(r, "gap", "culprit", ".label", name), TV_U32, label,
		       idle->ngaps,
		       &(struct tv_coding){ .key = r->coding.key != NULL ? key : NULL,
					    .like = r->coding.like,
					    .like_at = at });
	all = tv_alloc(idle->ngaps, sizeof *all);
	if (idle->ngaps > 0)
		memcpy(all, time, idle->ngaps * sizeof *all);
	tv_report_ints(r, tv_report_name(r, "gap", "culprit", ".time", name), time, idle->ngaps,
		       near, TV_COUNT(near), NULL);
	tv_payload_add(to, tv_report_name(r, "gap", "culprit", ".count", name), TV_U32, count,
		       idle->ngaps, NULL);
	tv_report_ints(
		r, tv_report_name(r, "gap", "culprit", ".own", name), own, idle->ngaps,
		&(struct tv_near_column){ .table = "gap",
					  .column = "culprit.time",
					  .of = &(struct tv_column){ .type = TV_TIME, .i = all } },
		1, NULL);
	tv_free(what);
	tv_free(count);
	tv_free(own);
	tv_free(all);
	tv_free(row);
	tv_free(label);
	tv_free(key);
	tv_free(time);
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
		       idle->ngaps, NULL);
	tv_report_rows_of(r, "gap", "after", "", idle->after, idle->ngaps);
	tv_report_rows_of(r, "gap", "next", "", idle->next, idle->ngaps);
	tv_payload_add(to, tv_report_name(r, "gap", "first", "", name), TV_U32, idle->first,
		       idle->ngaps + 1, NULL);
	tv_report_ints(r, tv_report_name(r, "gap", "begin", "", name), idle->begin, idle->ngaps,
		       &end, 1, NULL);
	tv_report_ints(r, tv_report_name(r, "gap", "end", "", name), idle->end, idle->ngaps, &start,
		       1, NULL);
	tv_payload_add(to, tv_report_name(r, "cut", "cause", "", name), TV_U8, idle->cause, ncuts,
		       NULL);
	tv_report_ints(r, tv_report_name(r, "cut", "at", "", name), idle->at, ncuts, NULL, 0, NULL);
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
	tv_payload_add(to, tv_report_name(r, "nodecause", "node", "", name), TV_U32, node, n, NULL);
	tv_payload_add(to, tv_report_name(r, "nodecause", "cause", "", name), TV_U8, cause, n,
		       NULL);
	tv_report_ints(r, tv_report_name(r, "nodecause", "begin", "", name), begin, n, NULL, 0,
		       NULL);
	tv_report_ints(r, tv_report_name(r, "nodecause", "length", "", name), length, n, NULL, 0,
		       NULL);
	tv_free(node);
	tv_free(cause);
	tv_free(begin);
	tv_free(length);
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
			       value[k], n, NULL);
		tv_free(value[k]);
	}
	value[0] = tv_alloc(tasks->nnodes, sizeof **value);
	for (uint32_t i = 0; i < tasks->nnodes; i++)
		value[0][i] = string_of(r, tasks->node[i].label);
	tv_payload_add(to, tv_report_name(r, "node", "name", "", name), TV_U32, value[0],
		       tasks->nnodes, NULL);
	tv_free(value[0]);
}

static void write_causes(const struct tv_report_run *r)
{
	tv_json_open(&r->html->header, "causes", '[');
	for (int i = 0; i < TV_IDLE_NCAUSES; i++)
		tv_json_text(&r->html->header, NULL, tv_idle_cause_name((enum tv_idle_cause)i));
	tv_json_close(&r->html->header, ']');
	tv_json_open(&r->html->header, "culprits", '[');
	for (int i = 0; i < TV_IDLE_NCULPRITS; i++)
		tv_json_text(&r->html->header, NULL, tv_idle_culprit_name((enum tv_idle_culprit)i));
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
	idle.dag = known->waits.dag;
	idle.call = tv_table_find(tv_trace_table(run->trace, TV_CALLS), "Call");
	tv_blamed_names_init(&idle.links, idle.dag, r->strings);
	find_culprits(&idle, known);
	add_culprits(&idle);
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
	tv_free(idle.share);
	tv_free(idle.culprit);
	tv_blamed_names_release(&idle.links);
	tv_map_release(&idle.number);
}
