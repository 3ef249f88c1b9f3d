/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lock_waits.c -- how long workers wait for locks, by states of any Type. */
#include "analysis/core/lock_waits.h"

#include <string.h>

#include "analysis/core/spans.h"
#include "trace/alloc.h"
#include "trace/map.h"

bool tv_is_lock_wait(const char *state)
{
	static const char *const what[] = { "lock", "critical", "atomic", "ordered" };
	bool is = false;

	for (size_t i = 0; i < TV_COUNT(what) && strncmp(state, "Wait for ", 9) == 0; i++)
		is = is || strcmp(state + 9, what[i]) == 0;
	return is;
}

/* The waits of a worker. */
struct list {
	struct tv_span *at;
	size_t n, cap;
};

/* By worker. Free it and its lists. */
static struct list *list_waits(const struct tv_run *run)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_table *states = tv_trace_table(run->trace, TV_STATES);
	const struct tv_column *start = tv_table_find(states, "Start"),
			       *end = tv_table_find(states, "End"),
			       *resource = tv_table_find(states, "ResourceId");
	struct list *of = tv_alloc(tasks->nworkers, sizeof *of);
	struct tv_index worker = { 0 };

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		tv_index_set(&worker, tasks->workers[w].resource, w);
	for (uint32_t row = 0; row < states->nrows; row++) {
		uint32_t w;

		if (!tv_is_lock_wait(tv_table_text(states, "Value", row)) || tv_missing(start, row)
		    || tv_missing(end, row) || tv_label(resource, row) == TV_NONE)
			continue;
		w = tv_index_get(&worker, tv_label(resource, row));
		if (w == TV_NONE)
			continue;
		TV_GROW(of[w].at, of[w].n, of[w].cap, 1);
		of[w].at[of[w].n++] = (struct tv_span){ start->i[row], end->i[row] };
	}
	tv_free(worker.at);
	return of;
}

struct tv_lock_waits tv_run_lock_waits(const struct tv_run *run, int64_t *by_row)
{
	const struct tv_tasks *tasks = &run->tasks;
	struct list *of = list_waits(run);
	tv_int128 time = 0, inside = 0;

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		of[w].n = tv_spans_merge(of[w].at, (uint32_t)of[w].n,
					 (struct tv_span){ INT64_MIN, INT64_MAX });
		for (size_t i = 0; i < of[w].n; i++)
			time += of[w].at[i].end - of[w].at[i].begin;
	}
	for (uint32_t row = 0; time > 0 && row < tasks->n; row++) {
		const struct list *list;
		int64_t waits;

		if (!tasks->executed[row])
			continue;
		list = &of[tasks->worker[row]];
		waits = tv_spans_within(list->at, (uint32_t)list->n,
					(struct tv_span){ tasks->start[row], tasks->end[row] });
		inside += waits;
		if (by_row != NULL)
			by_row[row] = waits;
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		tv_free(of[w].at);
	tv_free(of);
	return (struct tv_lock_waits){ tv_sum_ns(time), tv_sum_ns(inside) };
}
