/* SPDX-License-Identifier: GPL-3.0-or-later */
/* causes.c -- why the steps of an observed chain waited. */
#include "dag/causes.h"

#include <stddef.h>
#include <stdlib.h>

#include "dag/fetch.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* A wait from when the task was released and submitted on: what is left to explain. */
struct wait {
	uint32_t worker; /* TV_NONE: a message has none */
	uint32_t step;
	int64_t begin, end;
	int64_t part[TV_WAIT_NCAUSES]; /* ns */
	const struct tv_fetch *fetch;  /* of its task's row, by begin */
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
	uint32_t worker;
	bool counted;
};

static int by_place(uint32_t worker_a, int64_t a, uint32_t worker_b, int64_t b)
{
	return worker_a != worker_b ? TV_COMPARE(worker_a, worker_b) : TV_COMPARE(a, b);
}

TV_ORDER(by_begin, struct wait, worker, begin)

TV_ORDER(counted_first, struct execution, down(counted))

/* Assigns to a cause the part of the rest of a wait that is before `to`. */
static void explain(struct wait *wait, enum tv_wait_cause cause, int64_t to)
{
	if (to > wait->end)
		to = wait->end;
	if (to <= wait->begin)
		return;
	wait->part[cause] += to - wait->begin;
	wait->begin = to;
}

/* The same for a part in which its worker runs nothing: fetches, and the time between them. */
static void explain_idle(struct wait *wait, int64_t to)
{
	for (size_t i = 0; i < wait->nfetches && wait->fetch[i].begin < to; i++) {
		explain(wait, TV_WAIT_RUNTIME, wait->fetch[i].begin);
		explain(wait, TV_WAIT_DATA, wait->fetch[i].end < to ? wait->fetch[i].end : to);
	}
	explain(wait, TV_WAIT_RUNTIME, to);
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
			.begin = i == 0 ? tasks->begin : observed->step[i - 1].end,
			.end = observed->step[i].start,
		};
		if (!dag->task[v])
			continue;
		if (tasks->submit != NULL && !tv_missing(tasks->submit, row))
			explain(&wait[i], TV_WAIT_NOT_SUBMITTED, tasks->submit->i[row]);
		explain(&wait[i], TV_WAIT_DEPENDENCIES, released[v]);
		wait[i].fetch = tv_fetches_of(fetches, row, &wait[i].nfetches);
	}
}

/* By worker, then start, of those that any of the waits is of; free with tv_free. */
static struct execution *list_executions(const struct tv_tasks *tasks, const struct wait *wait,
					 uint32_t nwaits, uint32_t *number)
{
	bool *waits = tv_alloc(tasks->nworkers, sizeof *waits);
	bool *listed = tv_alloc(tasks->n, sizeof *listed);
	struct tv_groups rows;
	struct execution *e;
	uint32_t n;

	for (uint32_t i = 0; i < nwaits; i++)
		if (wait[i].worker != TV_NONE)
			waits[wait[i].worker] = true;
	for (uint32_t row = 0; row < tasks->n; row++)
		listed[row] = tasks->executed[row] && waits[tasks->worker[row]];
	tv_tasks_by_worker(tasks, listed, &rows);
	*number = n = rows.first[rows.n];
	e = tv_alloc(n, sizeof *e);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows.row[i];

		e[i] = (struct execution){ tasks->start[row], tasks->end[row], tasks->worker[row],
					   tasks->counted[row] };
	}
	for (uint32_t w = 0; w < rows.n; w++)
		tv_sort_by_time(e + rows.first[w], rows.first[w + 1] - rows.first[w], sizeof *e,
				offsetof(struct execution, start), counted_first);
	tv_groups_release(&rows);
	tv_free(waits);
	tv_free(listed);
	return e;
}

/* One sweep over both, by worker and time: waits never overlap, executions are cut so. */
static void match(struct wait *wait, uint32_t nwaits, const struct execution *e, uint32_t n)
{
	uint32_t k = 0;
	int64_t reach = INT64_MIN;

	for (uint32_t i = 0; i < n; i++) {
		int64_t from;

		if (i == 0 || e[i].worker != e[i - 1].worker)
			reach = INT64_MIN;
		from = e[i].start > reach ? e[i].start : reach;
		if (e[i].end <= from)
			continue;
		reach = e[i].end;
		while (k < nwaits && by_place(wait[k].worker, wait[k].end, e[i].worker, from) <= 0)
			k++;
		for (uint32_t w = k;
		     w < nwaits && wait[w].worker == e[i].worker && wait[w].begin < e[i].end; w++) {
			/* The time before is not explained by any execution. */
			explain_idle(&wait[w], from);
			explain(&wait[w], e[i].counted ? TV_WAIT_WORKER : TV_WAIT_OTHER_TASK,
				e[i].end);
		}
	}
}

static void choose_causes(struct wait *wait, uint32_t n, enum tv_wait_cause *cause)
{
	for (uint32_t i = 0; i < n; i++) {
		int longest = wait[i].worker == TV_NONE ? TV_WAIT_MESSAGE : TV_WAIT_RUNTIME;

		explain_idle(&wait[i], wait[i].end);
		for (int c = TV_WAIT_NCAUSES; longest != TV_WAIT_MESSAGE && c-- > 0;)
			if (wait[i].part[c] > 0 && wait[i].part[c] >= wait[i].part[longest])
				longest = c;
		cause[wait[i].step] = (enum tv_wait_cause)longest;
	}
}

void tv_wait_causes(const struct tv_dag *dag, const struct tv_observed *observed,
		    enum tv_wait_cause *cause)
{
	struct wait *wait = tv_alloc(observed->n, sizeof *wait);
	int64_t *released = tv_alloc(dag->n, sizeof *released);
	struct tv_fetches fetches;
	struct execution *e;
	uint32_t n;

	tv_fetches_init_of_graph(&fetches, dag);
	tv_dag_released(dag, released);
	list_waits(dag, observed, released, &fetches, wait);
	qsort(wait, observed->n, sizeof *wait, by_begin);
	e = list_executions(dag->tasks, wait, observed->n, &n);
	match(wait, observed->n, e, n);
	choose_causes(wait, observed->n, cause);
	tv_free(wait);
	tv_free(e);
	tv_free(released);
	tv_fetches_release(&fetches);
}
