/* SPDX-License-Identifier: GPL-3.0-or-later */
/* in_loops.c -- when threads of OpenMP work in parallel loops, outside of tasks. */
#include "dag/in_loops.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

TV_ORDER(by_node, struct tv_submitted, node, time)

void tv_submissions_init(struct tv_submissions *submissions, const struct tv_tasks *tasks)
{
	*submissions = (struct tv_submissions){ 0 };
	if (tasks->submit == NULL)
		return;
	submissions->at = tv_alloc(tasks->n, sizeof *submissions->at);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->worker[row] != TV_NONE && !tv_missing(tasks->submit, row))
			submissions->at[submissions->n++] = (struct tv_submitted){
				tasks->node[tasks->workers[tasks->worker[row]].node].label,
				tasks->submit->i[row]
			};
	if (submissions->n > 1)
		qsort(submissions->at, submissions->n, sizeof *submissions->at, by_node);
}

void tv_submissions_release(struct tv_submissions *submissions)
{
	tv_free(submissions->at);
}

bool tv_submits(const struct tv_submissions *submissions, uint32_t node, int64_t begin, int64_t end)
{
	const struct tv_submitted *at = submissions->at;
	size_t i;

	TV_LOWER_BOUND(i, 0, submissions->n,
		       at[i].node < node || (at[i].node == node && at[i].time < begin));
	return i < submissions->n && at[i].node == node && at[i].time < end;
}

static const char *const loop_names[] = { "Loop", "Sections", "Workshare" };

bool tv_is_loop(const char *value)
{
	size_t i = 0;

	while (i < TV_COUNT(loop_names) && strcmp(value, loop_names[i]) != 0)
		i++;
	return i < TV_COUNT(loop_names);
}

bool tv_in_loops_may(const struct tv_trace *trace)
{
	size_t i = 0;

	/* States come in parts, too, and names in them are known. */
	while (i < TV_COUNT(loop_names) && tv_pool_find_text(trace->pool, loop_names[i]) == TV_NONE)
		i++;
	return i < TV_COUNT(loop_names)
	    && tv_pool_find_text(trace->pool, "OpenMP State") != TV_NONE;
}

void tv_in_loops_init(struct tv_in_calls *loops, const struct tv_tasks *tasks)
{
	const struct tv_table *table = tv_trace_table(tasks->trace, TV_STATES);
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *type = tv_table_find(table, "Type"),
			       *value = tv_table_find(table, "Value"),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");
	uint32_t openmp = tv_pool_find_text(tasks->pool, "OpenMP State"), *worker_of;
	struct tv_submissions submissions;

	*loops = (struct tv_in_calls){ 0 };
	if (openmp == TV_NONE || table->nrows == 0 || id == NULL || type == NULL || value == NULL
	    || start == NULL || end == NULL)
		return;
	worker_of = tv_tasks_worker_of_label(tasks);
	tv_submissions_init(&submissions, tasks);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t w = tv_missing(id, row) ? TV_NONE : worker_of[tv_label(id, row)];

		if (w != TV_NONE && tv_label(type, row) == openmp && !tv_missing(start, row)
		    && !tv_missing(end, row) && start->i[row] < end->i[row]
		    && tv_is_loop(tv_table_text(table, "Value", row))
		    && !tv_submits(&submissions, tasks->node[tasks->workers[w].node].label,
				   start->i[row], end->i[row]))
			tv_in_calls_add(loops, w, row, start->i[row], end->i[row]);
	}
	tv_free(worker_of);
	tv_submissions_release(&submissions);
	tv_in_calls_sort(loops);
}
