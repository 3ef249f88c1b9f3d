/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instants.c -- the instants at which tasks are submitted, released, fetched for, run, and workers call. */
#include "dag/instants.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/parallel.h"
#include "trace/sorted.h"

static bool is_fetch(enum tv_moment_kind what)
{
	return what == TV_MOMENT_FETCH || what == TV_MOMENT_FETCHED;
}

/* Of a worker, not of a row: its calls or loops; NULL: of a row or fetch. */
static const struct tv_in_calls *calls_of(const struct tv_moments *moments,
					  enum tv_moment_kind what)
{
	return what < TV_MOMENT_CALL ? NULL
	     : what < TV_MOMENT_LOOP ? &moments->waits->calls
				     : &moments->waits->loops;
}

static uint32_t row_of(const struct tv_moments *moments, enum tv_moment_kind what, uint32_t at)
{
	const struct tv_in_calls *calls = calls_of(moments, what);

	return is_fetch(what) ? moments->fetches->at[at].row
	     : calls != NULL  ? calls->at[at].worker
			      : at;
}

/* When a row, or the fetch, call or loop of that number, has its moment of a kind; INT64_MAX = never. */
static int64_t time_of(const struct tv_moments *moments, enum tv_moment_kind what, uint32_t at)
{
	const struct tv_waits *waits = moments->waits;
	const struct tv_tasks *tasks = waits->dag->tasks;
	const struct tv_in_calls *calls = calls_of(moments, what);
	int64_t time, before;

	if (is_fetch(what))
		return what == TV_MOMENT_FETCH ? moments->fetches->at[at].begin
					       : moments->fetches->at[at].end;
	if (calls != NULL)
		return what == TV_MOMENT_CALL || what == TV_MOMENT_LOOP ? calls->at[at].begin
									: calls->at[at].end;
	if (what == TV_MOMENT_END)
		return tasks->executed[at] ? tasks->end[at] : INT64_MAX;
	before = tasks->executed[at] ? tasks->start[at] : INT64_MAX;
	if (what == TV_MOMENT_BEGIN)
		return before;
	if (!tasks->counted[at] && !tasks->pending[at])
		return INT64_MAX;
	time = what == TV_MOMENT_SUBMIT	      ? tv_waits_submitted(waits, at)
	     : what == TV_MOMENT_LACK_MESSAGE ? waits->message[at]
					      : waits->released[at];
	if (what == TV_MOMENT_LACK_MESSAGE && waits->released[at] < before)
		before = waits->released[at];
	return time < before ? time : INT64_MAX;
}

/* Whether there can be moments of a kind. */
static bool is_known(const struct tv_waits *waits, enum tv_moment_kind what)
{
	return what == TV_MOMENT_LACK_MESSAGE ? tv_waits_known(waits) && waits->message != NULL
	     : what == TV_MOMENT_RELEASE      ? tv_waits_known(waits)
					      : true;
}

/* The times of all moments of a kind after the begin, by row, where there is an array of them: else NULL. */
static const int64_t *times_of(const struct tv_waits *waits, enum tv_moment_kind what)
{
	const struct tv_dag *dag = waits->dag;

	switch (what) {
	case TV_MOMENT_SUBMIT: /* where each row is a job */
		return dag->are_rows && dag->previous == NULL && dag->tasks->submit != NULL
			     ? dag->tasks->submit->i
			     : NULL;
	case TV_MOMENT_LACK_MESSAGE:
		return waits->message;
	case TV_MOMENT_RELEASE:
		return waits->released;
	case TV_MOMENT_BEGIN:
		return dag->tasks->start;
	case TV_MOMENT_END:
		return dag->tasks->end;
	case TV_MOMENT_FETCH:
	case TV_MOMENT_FETCHED:
	case TV_MOMENT_CALL:
	case TV_MOMENT_RETURN:
	case TV_MOMENT_LOOP:
	case TV_MOMENT_LEAVE:
		break;
	}
	return NULL;
}

/* Lists those of n rows, fetches, calls or loops that are before the end, in their order: first the early ones, which
 * are not after the begin. The others are listed from the back on until it is known where they begin. */
static void list_moments(struct tv_moments *moments, enum tv_moment_kind what, size_t n)
{
	struct tv_moment_list *list = &moments->list[what];
	size_t back = n;

	list->at = tv_realloc(NULL, n, sizeof *list->at);
	for (uint32_t i = 0; i < n; i++) {
		int64_t time = time_of(moments, what, i);

		if (time >= moments->end)
			continue;
		if (time <= moments->begin)
			list->at[list->early++] = i;
		else
			list->at[--back] = i;
	}
	list->n = list->early + n - back;
	for (size_t i = back, k = n; i < k; i++) {
		uint32_t last = list->at[--k];

		list->at[k] = list->at[i];
		list->at[i] = last;
	}
	memmove(list->at + list->early, list->at + back, (n - back) * sizeof *list->at);
}

/* Sorts the moments of one kind before the end, of all rows, fetches, calls or loops. What
 * precedes the begin is moved there: these remain in their order. */
static void list_kind(void *context, size_t kind)
{
	struct tv_moments *moments = context;
	enum tv_moment_kind what = (enum tv_moment_kind)kind;
	struct tv_moment_list *list = &moments->list[what];
	const struct tv_in_calls *calls = calls_of(moments, what);
	size_t n = is_fetch(what) ? moments->fetches->n
		 : calls != NULL  ? calls->n
				  : moments->waits->dag->tasks->n;
	const int64_t *time;
	int64_t *made = NULL;

	if (!is_known(moments->waits, what))
		return;
	list_moments(moments, what, n);
	time = list->times = times_of(moments->waits, what);
	if (time == NULL && list->early < list->n) {
		made = tv_realloc(NULL, n, sizeof *made);
		for (size_t i = list->early; i < list->n; i++)
			made[list->at[i]] = time_of(moments, what, list->at[i]);
		time = made;
	}
	tv_sort_rows_by_time(list->at + list->early, list->n - list->early, time);
	tv_free(made);
}

static void find_time(struct tv_moments *moments, enum tv_moment_kind what)
{
	struct tv_moment_list *list = &moments->list[what];

	if (list->next == list->n)
		list->time = INT64_MAX;
	else if (list->next < list->early)
		list->time = moments->begin;
	else if (list->times != NULL)
		list->time = list->times[list->at[list->next]];
	else
		list->time = time_of(moments, what, list->at[list->next]);
}

void tv_moments_next(struct tv_moments *moments)
{
	enum tv_moment_kind first = moments->kind[0];
	struct tv_moment_list *list;

	for (uint32_t i = 1; i < moments->nkinds; i++)
		if (moments->list[moments->kind[i]].time < moments->list[first].time)
			first = moments->kind[i];
	list = &moments->list[first];
	moments->more = list->next < list->n;
	if (!moments->more)
		return;
	moments->now = (struct tv_moment){ list->time,
					   row_of(moments, first, list->at[list->next++]), first };
	find_time(moments, first);
}

void tv_moments_init(struct tv_moments *moments, const struct tv_waits *waits,
		     const struct tv_fetches *fetches, int64_t begin, int64_t end)
{
	*moments = (struct tv_moments){
		.waits = waits, .fetches = fetches, .begin = begin, .end = end
	};
	tv_parallel(TV_MOMENT_KINDS, list_kind, moments);
	for (enum tv_moment_kind what = 0; what < TV_MOMENT_KINDS; what++) {
		find_time(moments, what);
		if (moments->list[what].n > 0)
			moments->kind[moments->nkinds++] = what;
	}
	tv_moments_next(moments);
}

void tv_moments_release(struct tv_moments *moments)
{
	for (enum tv_moment_kind what = 0; what < TV_MOMENT_KINDS; what++)
		tv_free(moments->list[what].at);
	*moments = (struct tv_moments){ 0 };
}
