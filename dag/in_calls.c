/* SPDX-License-Identifier: GPL-3.0-or-later */
/* in_calls.c -- when workers were inside calls of their own thread. */
#include "dag/in_calls.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

TV_ORDER(by_begin, struct tv_in_call, worker, begin, down(end), row)

/* Leaves away what is inside of calls that began before. */
static void cut(struct tv_in_calls *calls)
{
	size_t n = 0;

	for (size_t i = 0; i < calls->n; i++) {
		struct tv_in_call call = calls->at[i];

		if (n > 0 && calls->at[n - 1].worker == call.worker
		    && calls->at[n - 1].end > call.begin)
			call.begin = calls->at[n - 1].end;
		if (call.begin < call.end)
			calls->at[n++] = call;
	}
	calls->n = n;
}

void tv_in_calls_add(struct tv_in_calls *calls, uint32_t worker, uint32_t row, int64_t begin,
		     int64_t end)
{
	TV_GROW(calls->at, calls->n, calls->cap, 1);
	calls->at[calls->n++] = (struct tv_in_call){ worker, row, begin, end };
}

void tv_in_calls_sort(struct tv_in_calls *calls)
{
	if (calls->n > 1)
		qsort(calls->at, calls->n, sizeof *calls->at, by_begin);
	cut(calls);
}

void tv_in_calls_init(struct tv_in_calls *calls, const struct tv_tasks *tasks)
{
	const struct tv_table *table = tv_trace_table(tasks->trace, TV_CALLS);
	const struct tv_column *id = tv_table_find(table, "ResourceId");
	const struct tv_column *start = tv_table_find(table, "Start");
	const struct tv_column *end = tv_table_find(table, "End");
	uint32_t *worker_of;

	*calls = (struct tv_in_calls){ 0 };
	if (table->nrows == 0 || id == NULL || start == NULL || end == NULL)
		return;
	worker_of = tv_tasks_worker_of_label(tasks);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t w = tv_missing(id, row) ? TV_NONE : worker_of[tv_label(id, row)];

		if (w != TV_NONE && !tv_missing(start, row) && !tv_missing(end, row)
		    && start->i[row] < end->i[row])
			tv_in_calls_add(calls, w, row, start->i[row], end->i[row]);
	}
	tv_free(worker_of);
	tv_in_calls_sort(calls);
}

void tv_in_calls_release(struct tv_in_calls *calls)
{
	tv_free(calls->at);
	*calls = (struct tv_in_calls){ 0 };
}

int64_t tv_in_call_until(const struct tv_in_calls *calls, uint32_t worker, int64_t begin,
			 int64_t end, uint32_t *row)
{
	const struct tv_in_call *call = calls->at;
	size_t i;

	*row = TV_NONE;
	TV_LOWER_BOUND(i, 0, calls->n,
		       call[i].worker < worker
			       || (call[i].worker == worker && call[i].end <= begin));
	if (i == calls->n || call[i].worker != worker || call[i].begin >= end)
		return end;
	if (call[i].begin > begin)
		return call[i].begin;
	*row = call[i].row;
	return call[i].end < end ? call[i].end : end;
}
