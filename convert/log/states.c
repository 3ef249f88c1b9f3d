/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.c -- what each thread does: a stack of tasks and of other things that last. */
#include "convert/log/raw.h"

#include "trace/alloc.h"

/* Kinds of entries, beside those of events: what an end must match. */
enum {
	WORK = TV_LOG_OMP_WORK_BEGIN,
	MASKED = TV_LOG_OMP_MASKED_BEGIN,
	WANTED = TV_LOG_OMP_ACQUIRE,
	HELD = TV_LOG_OMP_ACQUIRED
};

enum { WORK_DISTRIBUTE = 6, WORK_TASKLOOP = 7 }; /* of OMPT */

static const char *const work_name[] = {
	[1] = "Loop",	    [2] = "Sections", [3] = "Single", [5] = "Workshare",
	[6] = "Distribute", [7] = "Taskloop", [8] = "Scope",  [9] = "Workdistribute",
	[10] = "Loop",	    [11] = "Loop",    [12] = "Loop",  [13] = "Loop",
};

static const struct {
	const char *wait, *hold;
} mutex_name[] = {
	[1] = { "Wait for lock", "Lock" },	   [2] = { "Wait for lock", "Lock" },
	[3] = { "Wait for lock", "Lock" },	   [4] = { "Wait for lock", "Lock" },
	[5] = { "Wait for critical", "Critical" }, [6] = { "Wait for atomic", "Atomic" },
	[7] = { "Wait for ordered", "Ordered" },
};

static void add_state(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_entry *entry,
		      int64_t end)
{
	if (entry->value == NULL || entry->off || (entry->cut && end <= entry->start))
		return;
	TV_GROW(log->state, log->nstates, log->states_cap, 1);
	log->state[log->nstates++] = (struct tv_raw_state){
		.thread = thread,
		.value = tv_intern_text(log->run->trace->pool, entry->value),
		.object = entry->object,
		.site = entry->site,
		.depth = entry->depth,
		.start = entry->start,
		.end = end > entry->start ? end : entry->start,
	};
}

struct tv_raw_entry *tv_raw_push(struct tv_raw_log *log, uint32_t thread, int64_t time,
				 const struct tv_raw_entry *entry)
{
	struct tv_raw_thread *t = &log->thread[thread];
	struct tv_raw_entry *below = t->nstack > 0 ? &t->stack[t->nstack - 1] : NULL, *added;

	if (below != NULL && below->cut) {
		add_state(log, thread, below, time);
		below->off = true;
	}
	TV_GROW(t->stack, t->nstack, t->stack_cap, 1);
	below = t->nstack > 0 ? &t->stack[t->nstack - 1] : NULL;
	added = &t->stack[t->nstack++];
	*added = *entry;
	added->start = time;
	added->depth = below == NULL ? 0 : below->depth + (below->value != NULL && !below->cut);
	return added;
}

/* Takes an entry out of the stack, in general the last one. */
static void take_out(struct tv_raw_log *log, uint32_t thread, size_t place, int64_t time)
{
	struct tv_raw_thread *t = &log->thread[thread];
	struct tv_raw_entry entry = t->stack[place], *below;

	t->nstack--;
	memmove(&t->stack[place], &t->stack[place + 1], (t->nstack - place) * sizeof *t->stack);
	add_state(log, thread, &entry, time);
	if (entry.node != TV_NONE)
		log->node[entry.node].thread = TV_NONE;
	if (place == t->nstack && place > 0 && t->stack[place - 1].cut) {
		below = &t->stack[place - 1];
		below->off = false;
		below->start = time;
	}
}

void tv_raw_pop_to(struct tv_raw_log *log, uint32_t thread, size_t n, int64_t time)
{
	struct tv_raw_thread *t = &log->thread[thread];

	while (t->nstack > n) {
		uint32_t node = t->stack[t->nstack - 1].node;

		if (node != TV_NONE)
			tv_raw_end_segment(log, node, NULL, time);
		take_out(log, thread, t->nstack - 1, time);
	}
}

uint32_t tv_raw_find_entry(const struct tv_raw_thread *thread, uint64_t kind, uint64_t which)
{
	for (size_t i = thread->nstack; i-- > 0;)
		if (thread->stack[i].kind == kind && thread->stack[i].which == which)
			return (uint32_t)i;
	return TV_NONE;
}

bool tv_raw_end_entry(struct tv_raw_log *log, uint32_t thread, uint64_t kind, uint64_t which,
		      int64_t time)
{
	uint32_t place = tv_raw_find_entry(&log->thread[thread], kind, which);

	if (place == TV_NONE)
		return false;
	tv_raw_pop_to(log, thread, place, time);
	return true;
}

uint32_t tv_raw_top(const struct tv_raw_log *log, uint32_t thread)
{
	const struct tv_raw_thread *t = &log->thread[thread];

	for (size_t i = t->nstack; i-- > 0;)
		if (t->stack[i].node != TV_NONE)
			return t->stack[i].node;
	return TV_NONE;
}

uint32_t tv_raw_find_task(const struct tv_raw_thread *thread, uint32_t node)
{
	for (size_t i = thread->nstack; i-- > 0;)
		if (thread->stack[i].node == node)
			return (uint32_t)i;
	return TV_NONE;
}

int64_t tv_raw_capped(const struct tv_raw_log *log, uint32_t thread, int64_t time)
{
	uint32_t node = tv_raw_top(log, thread), region;

	if (node == TV_NONE || log->node[node].kind != TV_RAW_IMPLICIT)
		return time;
	region = log->node[node].region;
	return region != TV_NONE && log->region[region].ended && log->region[region].end < time
		     ? log->region[region].end
		     : time;
}

/* ---- events that only make states ---- */

static void lock_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	unsigned code = event->code < TV_COUNT(mutex_name) && mutex_name[event->code].wait != NULL
			      ? event->code
			      : 1;
	uint64_t id = tv_raw_arg(event, 0);
	struct tv_raw_entry entry = { .node = TV_NONE, .which = id, .site = tv_raw_arg(event, 1) };
	uint32_t *number = tv_map_at(&log->object_of, id, 0), place;

	if (*number == TV_NONE)
		*number = (uint32_t)log->object_of.n;
	entry.object = tv_raw_format_label(log->run, "m%u", *number - 1);
	place = tv_raw_find_entry(&log->thread[thread], WANTED, id);
	if (event->kind == TV_LOG_OMP_ACQUIRE) {
		entry.kind = WANTED;
		entry.value = mutex_name[code].wait;
		tv_raw_push(log, thread, event->time, &entry);
	} else if (event->kind == TV_LOG_OMP_ACQUIRED) {
		if (place != TV_NONE)
			tv_raw_pop_to(log, thread, place, event->time);
		entry.kind = HELD;
		entry.value = mutex_name[code].hold;
		tv_raw_push(log, thread, event->time, &entry);
	} else {
		/* Locks need not be released in the order of their acquisition. */
		place = tv_raw_find_entry(&log->thread[thread], HELD, id);
		if (place != TV_NONE)
			take_out(log, thread, place, event->time);
		else
			tv_raw_damaged(log, TV_DROPPED_BESIDE, "release of a lock that is not held",
				       event->offset, "lock 0x%llx", (unsigned long long)id);
	}
}

void tv_raw_forget_attempt(struct tv_raw_log *log, uint32_t thread,
			   const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	struct tv_raw_entry *top = t->nstack > 0 ? &t->stack[t->nstack - 1] : NULL;

	if (top == NULL || top->kind != WANTED
	    || (event->kind == TV_LOG_OMP_ACQUIRED && tv_raw_arg(event, 0) == top->which))
		return;
	top->value = NULL;
	take_out(log, thread, t->nstack - 1, event->time);
}

/* Work-sharing constructs of a task follow each other; libomp does not report every end to programs
 * of gcc. */
void tv_raw_end_work(struct tv_raw_log *log, uint32_t thread, int64_t time)
{
	const struct tv_raw_thread *t = &log->thread[thread];

	for (size_t i = t->nstack; i-- > 0 && t->stack[i].node == TV_NONE;)
		if (t->stack[i].kind == WORK && t->stack[i].which != WORK_DISTRIBUTE
		    && t->stack[i].which != WORK_TASKLOOP)
			tv_raw_pop_to(log, thread, i, time);
}

void tv_raw_state_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	unsigned code = event->code;
	struct tv_raw_entry entry = { .node = TV_NONE, .object = TV_NONE, .which = code };

	switch (event->kind) {
	case TV_LOG_OMP_WORK_BEGIN:
		if (code != WORK_DISTRIBUTE && code != WORK_TASKLOOP)
			tv_raw_end_work(log, thread, event->time);
		entry.kind = WORK;
		entry.value = code < TV_COUNT(work_name) ? work_name[code] : NULL;
		entry.site = tv_raw_arg(event, 3);
		tv_raw_push(log, thread, event->time, &entry);
		break;
	case TV_LOG_OMP_MASKED_BEGIN:
		entry.kind = MASKED;
		entry.value = "Masked";
		entry.site = tv_raw_arg(event, 2);
		tv_raw_push(log, thread, event->time, &entry);
		break;
	case TV_LOG_OMP_WORK_END:
	case TV_LOG_OMP_MASKED_END:
		if (!tv_raw_end_entry(log, thread,
				      event->kind == TV_LOG_OMP_WORK_END ? WORK : MASKED, code,
				      event->time))
			tv_raw_damaged(log, TV_DROPPED_BESIDE, "end without begin", event->offset,
				       "kind %u, code %u", event->kind, code);
		break;
	default:
		lock_event(log, thread, event);
	}
}
