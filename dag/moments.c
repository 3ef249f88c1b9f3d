/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moments.c -- the instants at which tasks are submitted, released, fetched for, run. */
#include "dag/moments.h"

#include <stddef.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

struct span {
	int64_t begin, end;
};

static int by_time(const void *a, const void *b)
{
	const struct tv_moment *x = a, *y = b;

	return x->time != y->time ? TV_COMPARE(x->time, y->time)
	     : x->what != y->what ? TV_COMPARE(x->what, y->what)
				  : TV_COMPARE(x->row, y->row);
}

static void add(struct tv_moments *moments, const struct span *in, int64_t time,
		enum tv_moment_kind what, uint32_t row)
{
	if (time < in->end)
		moments->at[moments->n++] = (struct tv_moment){ time > in->begin ? time : in->begin,
								row, what };
}

static void add_row(struct tv_moments *moments, const struct tv_waits *waits, const struct span *in,
		    uint32_t row)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	int64_t start = tasks->executed[row] ? tasks->start[row] : INT64_MAX;
	int64_t released = waits->released[row];

	if (tasks->executed[row]) {
		add(moments, in, start, TV_MOMENT_BEGIN, row);
		add(moments, in, tasks->end[row], TV_MOMENT_END, row);
	}
	if (!tasks->counted[row] && !tasks->pending[row])
		return;
	if (waits->submitted[row] < start)
		add(moments, in, waits->submitted[row], TV_MOMENT_SUBMIT, row);
	if (!tv_waits_known(waits))
		return;
	if (waits->message[row] < released && waits->message[row] < start)
		add(moments, in, waits->message[row], TV_MOMENT_LACK_MESSAGE, row);
	if (released < start)
		add(moments, in, released, TV_MOMENT_RELEASE, row);
}

void tv_moments_init(struct tv_moments *moments, const struct tv_waits *waits,
		     const struct tv_fetches *fetches, int64_t begin, int64_t end)
{
	const struct tv_tasks *tasks = waits->dag->tasks;
	struct span in = { begin, end };
	size_t max = 2 * fetches->n;

	for (uint32_t row = 0; row < tasks->n; row++)
		max += tasks->counted[row]  ? 5
		     : tasks->pending[row]  ? 3
		     : tasks->executed[row] ? 2
					    : 0;
	moments->n = 0;
	moments->at = tv_alloc(max, sizeof *moments->at);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row] || tasks->pending[row])
			add_row(moments, waits, &in, row);
	for (size_t i = 0; i < fetches->n; i++) {
		add(moments, &in, fetches->at[i].begin, TV_MOMENT_FETCH, fetches->at[i].row);
		add(moments, &in, fetches->at[i].end, TV_MOMENT_FETCHED, fetches->at[i].row);
	}
	tv_sort_by_time(moments->at, moments->n, sizeof *moments->at,
			offsetof(struct tv_moment, time), by_time);
}

void tv_moments_release(struct tv_moments *moments)
{
	tv_free(moments->at);
	*moments = (struct tv_moments){ 0 };
}
