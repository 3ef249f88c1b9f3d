/* SPDX-License-Identifier: GPL-3.0-or-later */
/* window.c -- whether a run submits tasks as if the number of those that have not ended was limited. */
#include <stdlib.h>

#include "analysis/diagnose/findings.h"
#include "trace/sorted.h"

/* When the jobs were submitted and when they ended, ns, each sorted. Returns how many. */
static uint32_t list_jobs(const struct tv_dag *dag, int64_t *submit, int64_t *end)
{
	uint32_t n = 0;

	tv_dag_job_ends(dag, end);
	for (uint32_t v = 0; v < dag->n; v++) {
		int64_t at = tv_dag_submitted(dag, v);

		if (!dag->task[v] || tv_dag_opening(dag, v) != v || at == INT64_MIN)
			continue;
		submit[n] = at < dag->start[v] ? at : dag->start[v];
		end[n++] = end[v];
	}
	tv_sort_by_time(submit, n, sizeof *submit, 0, NULL);
	tv_sort_by_time(end, n, sizeof *end, 0, NULL);
	return n;
}

/* How many of n jobs at most are submitted and have not ended, and in *first with which submission they are so many. */
static uint32_t most_open(const int64_t *submit, const int64_t *end, uint32_t n, uint32_t *first)
{
	uint32_t most = 0;

	for (uint32_t i = 0, ended = 0; i < n; i++) {
		while (ended < n && end[ended] <= submit[i])
			ended++;
		if (i + 1 - ended > most) {
			most = i + 1 - ended;
			*first = i;
		}
	}
	return most;
}

/* For how long so many are open, or more, from one submission to the last one, ns. */
static int64_t time_open(const int64_t *submit, const int64_t *end, uint32_t n, uint32_t first,
			 uint32_t many)
{
	int64_t sum = 0;

	for (uint32_t i = first, ended = 0; i + 1 < n; i++) {
		int64_t until = submit[i + 1];

		while (ended < n && end[ended] <= submit[i])
			ended++;
		if (i + 1 - ended < many)
			continue;
		/* i + 1 - many ends leave so many: the next one does not. */
		if (end[i + 1 - many] < until)
			until = end[i + 1 - many];
		sum += until - submit[i];
	}
	return sum;
}

uint32_t tv_case_window(const struct tv_case *c, const struct tv_dag *dag)
{
	enum { JOBS_MIN = 10, LARGE = 8 };
	int64_t *submit, *end, fill, span;
	uint32_t n, most, first = 0, later;
	bool limited;

	/* Each node has its own. */
	if (c->tasks->submit == NULL || c->tasks->nnodes > 1 || tv_tasks_cut(c->tasks)
	    || tv_case_on_devices(c))
		return 0;
	submit = tv_alloc(dag->n, sizeof *submit);
	end = tv_alloc(dag->n, sizeof *end);
	n = list_jobs(dag, submit, end);
	most = most_open(submit, end, n, &first);
	later = n > 0 ? n - 1 - first : 0;
	limited = most > 1 && later >= JOBS_MIN && later >= most;
	if (limited) {
		fill = submit[first] - submit[0];
		span = submit[n - 1] - submit[first];
		/* Where creating tasks takes as long as running them, it takes as long at the start. */
		limited = (double)fill / most <= 0.1 * (double)span / later
		       && (double)time_open(submit, end, n, first, most - (most >= LARGE))
				  >= 0.9 * (double)span;
	}
	tv_free(submit);
	tv_free(end);
	return limited ? most : 0;
}
