/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.c -- when tasks ran, and on which thread: their segments. */
#include "convert/log/raw.h"

#include "trace/alloc.h"

/* Of OMPT. */
enum { STATUS_COMPLETE = 1, STATUS_CANCEL = 3, STATUS_DETACH = 4, STATUS_LATE_FULFILL = 6 };

static int place(uint16_t number)
{
	return number == UINT16_MAX ? -1 : number;
}

/* Whether what a task depends on has begun, when it begins or goes on. */
static bool is_sound(const struct tv_raw_log *log, const struct tv_raw_node *of)
{
	bool sound = of->last_segment == TV_NONE || of->sound;

	if (of->last_segment == TV_NONE)
		sound = tv_raw_is_sound(log, of->parent) && tv_raw_is_sound(log, of->after);
	for (uint32_t i = 0; sound && of->last_segment == TV_NONE && i < of->nneeds; i++)
		sound = tv_raw_is_sound(log, log->need[of->first_need + i]);
	for (size_t i = 0; sound && of->last_segment != TV_NONE && i < log->npicked; i++)
		sound = tv_raw_is_sound(log, log->picked[i]);
	return sound;
}

/* What the task depends on from here on: log->picked. */
void tv_raw_begin_segment(struct tv_raw_log *log, uint32_t thread, uint32_t node,
			  const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	bool placed = event->kind == TV_LOG_OMP_SCHEDULE;
	struct tv_raw_node *of = &log->node[node];
	struct tv_raw_segment segment = { .node = node,
					  .thread = thread,
					  .next = TV_NONE,
					  .first_need = (uint32_t)log->nneeds,
					  .nneeds = (uint32_t)log->npicked,
					  .start = event->time,
					  .cpu = placed ? place(event->cpu) : -1,
					  .cpu_end = -1,
					  .numa = placed ? place(event->numa) : -1,
					  .open = true,
					  .value = log->nvalues,
					  .nvalues = t->unread ? 0 : t->ncounters };

	of->sound = is_sound(log, of);
	/* What a task has created comes after its first segment, whatever the log says. */
	if (of->last_segment == TV_NONE)
		segment.nneeds = 0;
	/* A later segment starts after the earlier one, and after what that created. */
	if (of->last_segment != TV_NONE && segment.start <= log->segment[of->last_segment].start)
		segment.start = log->segment[of->last_segment].start + 1;
	if (of->last_segment != TV_NONE && segment.start <= of->last_create)
		segment.start = of->last_create + 1;
	TV_GROW(log->need, log->nneeds, log->needs_cap, segment.nneeds);
	for (size_t i = 0; i < segment.nneeds; i++)
		log->need[log->nneeds++] = log->picked[i];
	tv_raw_keep_values(log, t, segment.nvalues);
	t->late = TV_NONE;
	if (of->last_segment == TV_NONE)
		of->first_segment = (uint32_t)log->nsegments;
	else
		log->segment[of->last_segment].next = (uint32_t)log->nsegments;
	of->last_segment = (uint32_t)log->nsegments;
	of->started = t->ran = true;
	if (log->nsegments >= TV_NONE || log->nneeds >= TV_NONE)
		tv_memory_exhausted(0);
	TV_GROW(log->segment, log->nsegments, log->segments_cap, 1);
	log->segment[log->nsegments++] = segment;
}

void tv_raw_end_segment(struct tv_raw_log *log, uint32_t node, const struct tv_raw_event *event,
			int64_t time)
{
	struct tv_raw_thread *t;
	struct tv_raw_segment *segment;
	uint32_t last = log->node[node].last_segment;

	if (last == TV_NONE || !log->segment[last].open)
		return;
	segment = &log->segment[last];
	t = &log->thread[segment->thread];
	segment->open = false;
	segment->end = time > segment->start ? time : segment->start;
	if (event != NULL && event->kind == TV_LOG_OMP_SCHEDULE)
		segment->cpu_end = place(event->cpu);
	tv_raw_take_values(log, t, segment->value, segment->nvalues);
	/* Counters are read where the thread begins or ends a task, not where it waits. */
	if (segment->nvalues > 0 && t->counted < time)
		t->late = last;
}

static bool runs(const struct tv_raw_log *log, uint32_t node)
{
	uint32_t last = log->node[node].last_segment;

	return last != TV_NONE && log->segment[last].open;
}

/* A task that was created when recording was off. */
static uint32_t add_unseen(struct tv_raw_log *log, uint64_t id, enum tv_raw_kind kind)
{
	struct tv_raw_node *node = tv_raw_add_node(log, kind, id);

	node->unseen = true;
	if (kind == TV_RAW_EXPLICIT) {
		log->njobs--;
		node->number = ++log->nunseen;
	}
	return (uint32_t)log->nnodes - 1;
}

/* The task that the thread goes on with was there before, or begins. */
static void enter(struct tv_raw_log *log, uint32_t thread, uint32_t next,
		  const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	uint32_t at = tv_raw_find_task(t, next);
	const struct tv_raw_entry entry = { .node = next, .object = TV_NONE };
	struct tv_raw_node *node = &log->node[next];

	if (at != TV_NONE) {
		/* Its own states stay; tasks above it have left the thread. */
		size_t n = at + 1;

		while (n < t->nstack && t->stack[n].node == TV_NONE)
			n++;
		tv_raw_pop_to(log, thread, n, event->time);
	} else {
		/* An untied task may have been on another thread. */
		if (node->thread != TV_NONE)
			tv_raw_pop_to(log, node->thread,
				      tv_raw_find_task(&log->thread[node->thread], next),
				      event->time);
		tv_raw_push(log, thread, event->time, &entry);
		node->thread = thread;
	}
	t->teamed |= node->unseen;
	if (node->kind == TV_RAW_EXPLICIT && !node->waiting && !runs(log, next))
		tv_raw_begin_segment(log, thread, next, event);
}

/* The prior task has ended. */
static void finish(struct tv_raw_log *log, uint32_t thread, uint32_t prior, uint32_t next,
		   const struct tv_raw_event *event)
{
	uint32_t at = tv_raw_find_task(&log->thread[thread], prior);
	struct tv_raw_node *node = &log->node[prior];

	node->done = true;
	node->cancelled |= event->code == STATUS_CANCEL;
	node->detached |= event->code == STATUS_DETACH;
	if (at != TV_NONE && node->kind == TV_RAW_EXPLICIT)
		tv_raw_pop_to(log, thread, at, event->time);
	if (next != TV_NONE && log->node[next].kind == TV_RAW_IMPLICIT && node->started
	    && !node->divides) {
		log->node[next].since = prior;
		log->node[next].resumed = event->time;
	}
	/* libomp does not wait for the event of an undeferred task. */
	if (next == TV_NONE || next != node->parent || !node->started || !node->awaited
	    || event->code == STATUS_DETACH)
		return;
	node->followed = true;
	if (log->node[next].kind == TV_RAW_IMPLICIT)
		tv_raw_follow(&log->node[next], prior, event->time);
	else
		tv_raw_pick(log, prior);
}

/* A taskwait with depend clauses has ended. */
static void end_wait_node(struct tv_raw_log *log, uint32_t thread, uint32_t wait,
			  const struct tv_raw_event *event)
{
	const struct tv_raw_node *node = &log->node[wait];

	tv_raw_end_entry(log, thread, TV_LOG_OMP_CREATE, node->id, event->time);
	for (uint32_t i = 0; i < node->nneeds; i++)
		tv_raw_pick(log, log->need[node->first_need + i]);
	if (node->parent != TV_NONE && !node->done)
		tv_raw_go_on(log, thread, node->parent, "taskwait", event);
	log->node[wait].done = true;
}

/* From now on the thread runs the next task, whatever the prior one is: libomp is wrong about it
 * once (untied tasks of a team of one thread). */
void tv_raw_schedule(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	uint64_t next_id = tv_raw_arg(event, 1);
	uint32_t prior = tv_raw_find_node(log, tv_raw_arg(event, 0));
	uint32_t next = tv_raw_find_node(log, next_id), top = tv_raw_top(log, thread);
	bool ends = event->code == STATUS_COMPLETE || event->code == STATUS_CANCEL
		 || event->code == STATUS_DETACH;

	tv_raw_pick_begin(log);
	if (next_id == 0) {
		if (prior != TV_NONE && log->node[prior].kind == TV_RAW_WAIT)
			end_wait_node(log, thread, prior, event);
		else if (prior != TV_NONE && event->code == STATUS_LATE_FULFILL)
			tv_raw_fulfill(log, thread, prior, event->time);
		return;
	}
	if (top != TV_NONE && top != next)
		tv_raw_end_segment(log, top, event, event->time);
	if (ends && prior != TV_NONE && prior != next)
		finish(log, thread, prior, next, event);
	/* What a task goes back to at its end was not begun by this event. */
	if (next == TV_NONE)
		next = add_unseen(log, next_id, ends ? TV_RAW_IMPLICIT : TV_RAW_EXPLICIT);
	if (log->node[next].kind != TV_RAW_WAIT)
		enter(log, thread, next, event);
}
