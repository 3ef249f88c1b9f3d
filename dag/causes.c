/* SPDX-License-Identifier: GPL-3.0-or-later */
/* causes.c -- why the steps of an observed chain waited. */
#include "dag/causes.h"

#include <stddef.h>
#include <stdlib.h>

#include "dag/fetch.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* A wait from when the task was released and submitted on. */
struct wait {
	uint32_t worker; /* TV_NONE: a message has none */
	uint32_t step;
	struct tv_wait rest;
	const struct tv_fetch *fetch; /* of its task's row, by begin */
	size_t nfetches;
};

const char *tv_wait_cause_name(enum tv_wait_cause cause)
{
	static const char *const name[] = {
#define NAME(symbol, text) [TV_WAIT_##symbol] = (text),
		TV_WAIT_CAUSES(NAME)
#undef NAME
	};

	return name[cause];
}

struct execution {
	int64_t start, end;
	bool counted;
};

TV_ORDER(by_begin, struct wait, worker, rest.begin)

TV_ORDER(counted_first, struct execution, down(counted))

void tv_wait_explain(struct tv_wait *wait, enum tv_wait_cause cause, int64_t to)
{
	if (to > wait->end)
		to = wait->end;
	if (to <= wait->begin)
		return;
	wait->part[cause] += to - wait->begin;
	wait->begin = to;
}

enum tv_wait_cause tv_wait_longest(const struct tv_wait *wait)
{
	int longest = TV_WAIT_RUNTIME;

	for (int c = TV_WAIT_NCAUSES; c-- > 0;)
		if (wait->part[c] > 0 && wait->part[c] >= wait->part[longest])
			longest = c;
	return (enum tv_wait_cause)longest;
}

/* What explains a part in which its worker runs nothing: fetches, and the time between them. */
static void explain_idle(struct wait *wait, int64_t to)
{
	for (size_t i = 0; i < wait->nfetches && wait->fetch[i].begin < to; i++) {
		tv_wait_explain(&wait->rest, TV_WAIT_RUNTIME, wait->fetch[i].begin);
		tv_wait_explain(&wait->rest, TV_WAIT_DATA,
				wait->fetch[i].end < to ? wait->fetch[i].end : to);
	}
	tv_wait_explain(&wait->rest, TV_WAIT_RUNTIME, to);
}

static void list_waits(const struct tv_dag *dag, const struct tv_observed *observed,
		       const int64_t *released, const struct tv_fetches *fetches, struct wait *wait)
{
	const struct tv_tasks *tasks = dag->tasks;

	for (uint32_t i = 0; i < observed->n; i++) {
		uint32_t v = observed->step[i].node, row = dag->row[v];

		wait[i] = (struct wait){
			.worker = dag->task[v] ? tasks->worker[row] : TV_NONE,
			.step = i,
			.rest.begin = i == 0 ? tasks->begin : observed->step[i - 1].end,
			.rest.end = observed->step[i].start,
		};
		if (!dag->task[v])
			continue;
		if (tasks->submit != NULL && !tv_missing(tasks->submit, row))
			tv_wait_explain(&wait[i].rest, TV_WAIT_NOT_SUBMITTED,
					tasks->submit->i[row]);
		tv_wait_explain(&wait[i].rest, TV_WAIT_DEPENDENCIES,
				tv_dag_released_at(dag, released, v));
		wait[i].fetch = tv_fetches_of(fetches, row, &wait[i].nfetches);
	}
}

/* Of one worker: both by time. Waits never overlap, executions are cut so. */
static void match(struct wait *wait, uint32_t nwaits, const struct execution *e, uint32_t n)
{
	uint32_t k = 0;
	int64_t reach = INT64_MIN;

	for (uint32_t i = 0; i < n; i++) {
		int64_t from = e[i].start > reach ? e[i].start : reach;

		if (e[i].end <= from)
			continue;
		reach = e[i].end;
		while (k < nwaits && wait[k].rest.end <= from)
			k++;
		for (uint32_t w = k; w < nwaits && wait[w].rest.begin < e[i].end; w++) {
			/* The time before is not explained by any execution. */
			explain_idle(&wait[w], from);
			tv_wait_explain(&wait[w].rest,
					e[i].counted ? TV_WAIT_WORKER : TV_WAIT_OTHER_TASK,
					e[i].end);
		}
	}
}

/* Of one worker by start, from the rows of its executions. */
static void list_executions(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n,
			    struct execution *e)
{
	for (uint32_t i = 0; i < n; i++)
		e[i] = (struct execution){ tasks->start[row[i]], tasks->end[row[i]],
					   tasks->counted[row[i]] };
	tv_sort_by_time(e, n, sizeof *e, offsetof(struct execution, start), counted_first);
}

/* waits: by worker, then begin; those of messages last. */
static void match_all(const struct tv_tasks *tasks, struct wait *wait, uint32_t nwaits)
{
	struct tv_groups rows;
	struct execution *e;

	tv_tasks_by_worker(tasks, tasks->executed, &rows);
	e = tv_realloc(NULL, tv_groups_max(&rows), sizeof *e);
	for (uint32_t i = 0, next; i < nwaits && wait[i].worker != TV_NONE; i = next) {
		uint32_t w = wait[i].worker, first = rows.first[w], n = rows.first[w + 1] - first;

		for (next = i + 1; next < nwaits && wait[next].worker == w; next++)
			;
		list_executions(tasks, rows.row + first, n, e);
		match(wait + i, next - i, e, n);
	}
	tv_free(e);
	tv_groups_release(&rows);
}

static void choose_causes(struct wait *wait, uint32_t n, enum tv_wait_cause *cause)
{
	for (uint32_t i = 0; i < n; i++) {
		explain_idle(&wait[i], wait[i].rest.end);
		cause[wait[i].step] = wait[i].worker == TV_NONE ? TV_WAIT_MESSAGE
								: tv_wait_longest(&wait[i].rest);
	}
}

void tv_wait_causes(const struct tv_dag *dag, const struct tv_observed *observed,
		    enum tv_wait_cause *cause)
{
	struct wait *wait = tv_alloc(observed->n, sizeof *wait);
	int64_t *released = dag->are_rows ? NULL : tv_alloc(dag->n, sizeof *released);
	struct tv_fetches fetches;

	tv_fetches_init_of_graph(&fetches, dag);
	if (released != NULL)
		tv_dag_released(dag, released);
	list_waits(dag, observed, released, &fetches, wait);
	qsort(wait, observed->n, sizeof *wait, by_begin);
	match_all(dag->tasks, wait, observed->n);
	choose_causes(wait, observed->n, cause);
	tv_free(wait);
	tv_free(released);
	tv_fetches_release(&fetches);
}
