/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop_waits.c -- work-sharing loops of OpenMP in a run with tasks: how long threads are in them, and wait for others that are. */
#include <stdlib.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "dag/in_loops.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* Of equal begin a task is first: it runs in the others. */
enum what { TASK, LOOP, WAIT };

struct piece {
	uint32_t thread; /* of tv_threads */
	int64_t begin, end;
	uint32_t what, loop;
};

TV_ORDER(by_thread, struct piece, thread, begin, what, down(end))

/* The loop of a line of the program in a process. */
struct loop {
	uint32_t site, node; /* labels */
	struct tv_span *at;  /* n: when threads are in it */
	size_t n, cap;
	int64_t wait;	 /* of threads that have left it, for others, ns */
	int64_t *thread; /* time in it, by thread */
};

struct loops {
	const struct tv_threads *threads;
	struct tv_index thread; /* of a resource */
	struct piece *piece;
	size_t n, cap;
	struct loop *loop;
	size_t nloops, loops_cap;
	struct tv_map number; /* of a site and node: its loop */
	struct tv_submissions submissions;
	struct tv_span tasks; /* from the first to the last */
	tv_int128
		inside; /* of that: time of threads in loops, and waiting for others in them, ns */
};

static void add_piece(struct loops *l, uint32_t resource, int64_t begin, int64_t end,
		      enum what what, uint32_t loop)
{
	uint32_t thread = tv_index_get(&l->thread, resource);

	if (thread == TV_NONE || begin >= end)
		return;
	TV_GROW(l->piece, l->n, l->cap, 1);
	l->piece[l->n++] = (struct piece){ thread, begin, end, what, loop };
}

/* ---- what threads do ---- */

static uint32_t loop_of(struct loops *l, uint32_t site, uint32_t node)
{
	uint32_t *at = tv_map_at(&l->number, site, node);

	if (*at == TV_NONE) {
		TV_GROW(l->loop, l->nloops, l->loops_cap, 1);
		*at = (uint32_t)l->nloops;
		l->loop[l->nloops++] = (struct loop){ .site = site,
						      .node = node,
						      .thread = tv_alloc(l->threads->n,
									 sizeof *l->loop->thread) };
	}
	return *at;
}

/* Only states that are no task have a wait or a loop; TV_NONE as the number of a loop: one that creates tasks. */
static void add_states(struct loops *l, const struct tv_case *c)
{
	const struct tv_table *states = tv_trace_table(c->run->trace, TV_STATES);
	const struct tv_column *start = tv_table_find(states, "Start"),
			       *end = tv_table_find(states, "End"),
			       *resource = tv_table_find(states, "ResourceId"),
			       *type = tv_table_find(states, "Type"),
			       *site = tv_table_find(states, "Site");
	uint32_t openmp = tv_thread_types_of(c->run).openmp;

	for (uint32_t row = 0; row < states->nrows; row++) {
		const char *value = tv_table_text(states, "Value", row);
		uint32_t thread, loop = TV_NONE;

		if (tv_label(type, row) != openmp || tv_missing(start, row) || tv_missing(end, row))
			continue;
		thread = tv_index_get(&l->thread, tv_label(resource, row));
		if (thread == TV_NONE)
			continue;
		if (tv_is_loop(value)) {
			uint32_t node = l->threads->at[thread].node;

			if (!tv_submits(&l->submissions, node, start->i[row], end->i[row]))
				loop = loop_of(l, site == NULL ? TV_NONE : tv_label(site, row),
					       node);
			add_piece(l, tv_label(resource, row), start->i[row], end->i[row], LOOP,
				  loop);
		} else if (tv_thread_kind_of(value) == TV_THREAD_BARRIER
			   && strncmp(value, "Task", 4) != 0)
			add_piece(l, tv_label(resource, row), start->i[row], end->i[row], WAIT,
				  loop);
	}
}

static void add_tasks(struct loops *l, const struct tv_tasks *tasks)
{
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row])
			add_piece(l, tasks->workers[tasks->worker[row]].resource, tasks->start[row],
				  tasks->end[row], TASK, TV_NONE);
}

/* ---- sums ---- */

/* A thread is in a loop, or waits after it, and runs no task. */
static void add_time(struct loops *l, const struct piece *of, int64_t begin, int64_t end)
{
	struct loop *loop;
	int64_t from = begin > l->tasks.begin ? begin : l->tasks.begin,
		to = end < l->tasks.end ? end : l->tasks.end;

	if (of->loop == TV_NONE || begin >= end)
		return;
	loop = &l->loop[of->loop];
	if (of->what == LOOP) {
		loop->thread[of->thread] += end - begin;
		l->inside += from < to ? to - from : 0;
		return;
	}
	loop->wait += tv_spans_within(loop->at, (uint32_t)loop->n, (struct tv_span){ begin, end });
	if (from < to)
		l->inside += tv_spans_within(loop->at, (uint32_t)loop->n,
					     (struct tv_span){ from, to });
}

/* Of the pieces of a thread, in order: what tasks leave of loops and waits. */
static void sum_thread(struct loops *l, const struct piece *piece, size_t n)
{
	struct piece open = { .what = TASK, .loop = TV_NONE };
	int64_t busy = INT64_MIN; /* until when tasks run */
	uint32_t last = TV_NONE;

	for (size_t i = 0; i < n; i++) {
		add_time(l, &open, open.begin,
			 open.end < piece[i].begin ? open.end : piece[i].begin);
		if (piece[i].what == TASK) {
			busy = piece[i].end > busy ? piece[i].end : busy;
		} else {
			open = piece[i];
			last = open.what == LOOP ? open.loop : last;
			open.loop = last;
		}
		open.begin = open.begin > piece[i].begin ? open.begin : piece[i].begin;
		open.begin = open.begin > busy ? open.begin : busy;
	}
	add_time(l, &open, open.begin, open.end);
}

static void sum(struct loops *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->piece[i].what == LOOP && l->piece[i].loop != TV_NONE) {
			struct loop *loop = &l->loop[l->piece[i].loop];

			TV_GROW(loop->at, loop->n, loop->cap, 1);
			loop->at[loop->n++] = (struct tv_span){ l->piece[i].begin,
								l->piece[i].end };
		}
	for (size_t i = 0; i < l->nloops; i++)
		l->loop[i].n = tv_spans_merge(l->loop[i].at, (uint32_t)l->loop[i].n,
					      (struct tv_span){ INT64_MIN, INT64_MAX });
	if (l->n > 1)
		qsort(l->piece, l->n, sizeof *l->piece, by_thread);
	for (size_t i = 0, next; i < l->n; i = next) {
		for (next = i; next < l->n && l->piece[next].thread == l->piece[i].thread;)
			next++;
		sum_thread(l, &l->piece[i], next - i);
	}
}

/* Of the loop with the longest waits: the threads that are in it longest and shortest, of those that are. */
static void name_worst(const struct loops *l, struct tv_loop_waits *waits)
{
	const struct loop *worst = &l->loop[0];

	for (size_t i = 0; i < l->nloops; i++) {
		waits->time = tv_sum_ns((tv_int128)waits->time + l->loop[i].wait);
		worst = l->loop[i].wait > worst->wait ? &l->loop[i] : worst;
	}
	waits->n = (uint32_t)l->nloops;
	waits->site = worst->site;
	waits->worst = worst->wait;
	if (worst->n > 0)
		waits->at = (struct tv_span){ worst->at[0].begin, worst->at[worst->n - 1].end };
	for (uint32_t i = 0; i < l->threads->n; i++) {
		int64_t time = worst->thread[i];

		if (time > 0 && (waits->most == TV_NONE || time > worst->thread[waits->most]))
			waits->most = i;
		if (time > 0 && (waits->least == TV_NONE || time < worst->thread[waits->least]))
			waits->least = i;
	}
	if (waits->most == TV_NONE)
		return;
	waits->longest = worst->thread[waits->most];
	waits->shortest = worst->thread[waits->least];
}

void tv_case_find_loops(struct tv_case *c)
{
	struct loops l = { .threads = tv_run_threads(c->run),
			   .tasks = { c->tasks->begin, c->tasks->finish } };
	size_t n;

	c->loops = (struct tv_loop_waits){ .site = TV_NONE, .most = TV_NONE, .least = TV_NONE };
	/* Of a part of a run its other tasks are not shown. */
	if (tv_thread_types_of(c->run).openmp == TV_NONE || c->tasks->ncounted == 0
	    || tv_tasks_cut(c->tasks) || tv_meta_get(c->run->trace, "Restricted", &n) != NULL)
		return;
	for (uint32_t i = 0; i < l.threads->n; i++)
		tv_index_set(&l.thread, l.threads->at[i].resource, i);
	tv_submissions_init(&l.submissions, c->tasks);
	add_states(&l, c);
	if (l.nloops > 0) {
		add_tasks(&l, c->tasks);
		sum(&l);
		c->loops.inside = tv_sum_ns(l.inside);
		name_worst(&l, &c->loops);
	}
	for (size_t i = 0; i < l.nloops; i++) {
		tv_free(l.loop[i].at);
		tv_free(l.loop[i].thread);
	}
	tv_map_release(&l.number);
	tv_free(l.thread.at);
	tv_submissions_release(&l.submissions);
	tv_free(l.piece);
	tv_free(l.loop);
}
