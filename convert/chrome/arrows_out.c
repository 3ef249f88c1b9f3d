/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrows_out.c -- an arrow joins the slices that were placed on lanes (lanes_out.c). */
#include "convert/chrome/arrows_out.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

struct arrows {
	const struct tv_chrome_lanes_out *lanes;
	const struct tv_trace *trace;
	void (*put)(void *context, const struct tv_chrome_arrow *arrow);
	void *context;
};

/* Both times are those that are wanted. */
static void add_arrow(const struct arrows *a, struct tv_chrome_arrow arrow)
{
	arrow.from.time = tv_chrome_lanes_touch(a->lanes, arrow.from.place, arrow.from.time);
	arrow.to.time = tv_chrome_lanes_touch(a->lanes, arrow.to.place, arrow.to.time);
	if (arrow.from.time > arrow.to.time)
		arrow.from.time = tv_chrome_lanes_touch(a->lanes, arrow.from.place, arrow.to.time);
	if (arrow.from.time <= arrow.to.time)
		a->put(a->context, &arrow);
}

/* An execution of a job, and, of those of the job up to this one, that which ended last. */
struct execution {
	uint32_t job, row;
	int64_t start;
	uint32_t last;
};

TV_ORDER(by_job_and_start, struct execution, job, start, row)

static struct execution *list_executions(const struct arrows *a, size_t *n)
{
	const struct tv_table *tasks = &a->trace->table[TV_TASKS];
	const struct tv_column *job = tv_table_find(tasks, "JobId"),
			       *start = tv_table_find(tasks, "Start"),
			       *end = tv_table_find(tasks, "End");
	struct execution *list = NULL;
	size_t cap = 0;

	*n = 0;
	for (uint32_t row = 0; job != NULL && row < tasks->nrows; row++)
		if (tv_label(job, row) != TV_NONE && a->lanes->task[row].lane != 0) {
			TV_GROW(list, *n, cap, 1);
			list[(*n)++] = (struct execution){ tv_label(job, row), row, start->i[row],
							   row };
		}
	if (*n > 0)
		qsort(list, *n, sizeof *list, by_job_and_start);
	for (size_t i = 1; i < *n; i++)
		if (list[i].job == list[i - 1].job
		    && end->i[list[i - 1].last] > end->i[list[i].row])
			list[i].last = list[i - 1].last;
	return list;
}

/* Of the executions of a job that started by a time, the row of that which ended last; TV_NONE. */
static uint32_t last_started(const struct execution *list, size_t n, uint32_t job, int64_t time)
{
	size_t i;

	TV_LOWER_BOUND(i, 0, n, list[i].job < job || (list[i].job == job && list[i].start <= time));
	return i > 0 && list[i - 1].job == job ? list[i - 1].last : TV_NONE;
}

static void add_dependencies(const struct arrows *a)
{
	const struct tv_table *tasks = &a->trace->table[TV_TASKS];
	const struct tv_column *depends = tv_table_find(tasks, "DependsOn"),
			       *end = tv_table_find(tasks, "End");
	size_t nlist;
	struct execution *list = list_executions(a, &nlist);

	for (size_t k = 0; depends != NULL && k < nlist; k++) {
		uint32_t n;
		const uint32_t *before = tv_list(depends, list[k].row, &n);

		if (k > 0 && list[k].job == list[k - 1].job)
			continue;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t from = last_started(list, nlist, before[i], list[k].start);
			struct tv_chrome_arrow arrow = { .cat = "dependency",
							 .name = "dependency" };

			if (from == TV_NONE)
				continue;
			arrow.from.place = a->lanes->task[from];
			arrow.from.time = end->i[from];
			arrow.to.place = a->lanes->task[list[k].row];
			arrow.to.time = list[k].start;
			add_arrow(a, arrow);
		}
	}
	tv_free(list);
}

/* What ends when a message arrives receives it, rather than what begins then. */
static bool receives(const struct arrows *a, uint32_t resource, int64_t time,
		     struct tv_chrome_place *place)
{
	return tv_chrome_lanes_around(a->lanes, resource, time - 1, place)
	    || tv_chrome_lanes_around(a->lanes, resource, time, place);
}

/*
 * Perfetto turns an arrow round whose end is a slice that began before that of its begin, as where a receiver waits: it ends
 * in the slice of the message instead, which begins no earlier than it was sent.
 */
static void keep_direction(const struct arrows *a, uint32_t row, struct tv_chrome_arrow *arrow)
{
	struct tv_chrome_place own = a->lanes->message[row];

	if (own.lane != 0 && tv_chrome_lanes_joins(a->lanes, own)
	    && tv_chrome_lanes_slice(a->lanes, arrow->to.place)->start
		       < tv_chrome_lanes_slice(a->lanes, arrow->from.place)->start)
		arrow->to.place = own;
}

static void add_messages(const struct arrows *a)
{
	const struct tv_table *links = &a->trace->table[TV_LINKS];
	const struct tv_column *start = tv_table_find(links, "Start"),
			       *end = tv_table_find(links, "End"),
			       *origin = tv_table_find(links, "Origin"),
			       *dest = tv_table_find(links, "Dest");

	for (uint32_t row = 0; start != NULL && end != NULL && row < links->nrows; row++) {
		struct tv_chrome_arrow arrow = { "message",
						 tv_table_text(links, "Type", row),
						 { .time = start->i[row] },
						 { .time = end->i[row] } };

		if (!tv_missing(start, row) && !tv_missing(end, row)
		    && tv_chrome_lanes_around(a->lanes, tv_label(origin, row), arrow.from.time,
					      &arrow.from.place)
		    && receives(a, tv_label(dest, row), arrow.to.time, &arrow.to.place)) {
			keep_direction(a, row, &arrow);
			add_arrow(a, arrow);
		}
	}
}

void tv_chrome_arrows(const struct tv_chrome_lanes_out *lanes, const struct tv_trace *trace,
		      void (*put)(void *context, const struct tv_chrome_arrow *arrow),
		      void *context)
{
	const struct arrows a = { lanes, trace, put, context };

	add_dependencies(&a);
	add_messages(&a);
}
