/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.c -- tasks: creation, accesses, when they ran on which thread, what the program says of
 * them. */
#include "convert/log/raw.h"

#include "trace/alloc.h"

/* Of OMPT. */
enum {
	TASK_INITIAL = 1,
	TASK_TASKWAIT = 16,
	TASK_UNDEFERRED = 0x8000000,
	TASK_FINAL = 0x20000000,
	STATUS_COMPLETE = 1,
	STATUS_CANCEL = 3,
	STATUS_DETACH = 4,
	WORK_TASKLOOP = 7,
	CANCEL_DISCARDED = 0x40,
	THREAD_WORKER = 2
};

uint32_t tv_raw_find_node(const struct tv_raw_log *log, uint64_t id)
{
	const uint32_t *node = id != 0 ? tv_map_get(&log->node_of, id, 0) : NULL;

	return node != NULL ? *node : TV_NONE;
}

struct tv_raw_node *tv_raw_add_node(struct tv_raw_log *log, enum tv_raw_kind kind, uint64_t id)
{
	struct tv_raw_node *node;

	if (log->nnodes >= TV_NONE)
		tv_memory_exhausted(0);
	TV_GROW(log->node, log->nnodes, log->nodes_cap, 1);
	node = &log->node[log->nnodes];
	*node = (struct tv_raw_node){ .id = id,
				      .kind = kind,
				      .parent = TV_NONE,
				      .region = TV_NONE,
				      .group = TV_NONE,
				      .after = TV_NONE,
				      .children = TV_NONE,
				      .youngest = TV_NONE,
				      .sibling = TV_NONE,
				      .in_region = TV_NONE,
				      .in_group = TV_NONE,
				      .first_segment = TV_NONE,
				      .last_segment = TV_NONE,
				      .numbers = TV_NONE,
				      .name = TV_NONE,
				      .thread = TV_NONE,
				      .wait = TV_NONE,
				      .last_create = INT64_MIN };
	if (kind == TV_RAW_EXPLICIT)
		node->number = ++log->njobs;
	if (id != 0)
		tv_map_put(&log->node_of, id, 0, (uint32_t)log->nnodes);
	log->nnodes++;
	return node;
}

/* ---- segments ---- */

static int place(uint16_t number)
{
	return number == UINT16_MAX ? -1 : number;
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
					  .nvalues = t->ncounters };

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
	TV_GROW(log->value, log->nvalues, log->values_cap, t->ncounters);
	for (uint32_t i = 0; i < t->ncounters; i++)
		log->value[log->nvalues++] = t->value[i];
	t->late = TV_NONE;
	if (of->last_segment == TV_NONE)
		of->first_segment = (uint32_t)log->nsegments;
	else
		log->segment[of->last_segment].next = (uint32_t)log->nsegments;
	of->last_segment = (uint32_t)log->nsegments;
	of->started = true;
	if (log->nsegments >= TV_NONE || log->nneeds >= TV_NONE)
		tv_memory_exhausted(0);
	TV_GROW(log->segment, log->nsegments, log->segments_cap, 1);
	log->segment[log->nsegments++] = segment;
}

/* event: of the end, NULL = none. Does nothing where the task does not run. */
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
	for (uint32_t i = 0; i < segment->nvalues; i++) {
		int64_t *value = &log->value[segment->value + i];
		bool sum = log->counter[t->counter[i]].cumulative;

		*value = sum ? (int64_t)((uint64_t)t->value[i] - (uint64_t)*value) : t->value[i];
	}
	/* Counters are read where the thread begins or ends a task, not where it waits. */
	if (segment->nvalues > 0 && t->counted < time)
		t->late = last;
}

static bool runs(const struct tv_raw_log *log, uint32_t node)
{
	uint32_t last = log->node[node].last_segment;

	return last != TV_NONE && log->segment[last].open;
}

/* ---- creation ---- */

/* Whether the innermost work of the thread is a taskloop. */
static bool in_taskloop(const struct tv_raw_thread *t)
{
	for (size_t i = t->nstack; i-- > 0 && t->stack[i].node == TV_NONE;)
		if (t->stack[i].kind == TV_LOG_OMP_WORK_BEGIN && t->stack[i].which == WORK_TASKLOOP)
			return true;
	return false;
}

/* Makes a new task a child of another. */
static void adopt(struct tv_raw_log *log, uint32_t child, uint32_t parent, int64_t time)
{
	struct tv_raw_node *node = &log->node[child], *of = &log->node[parent];

	node->parent = parent;
	node->region = of->region;
	node->nesting = of->nesting + (of->kind == TV_RAW_EXPLICIT);
	of->last_create = time;
	if (of->kind == TV_RAW_IMPLICIT)
		node->after = of->after;
	if (node->kind != TV_RAW_EXPLICIT)
		return;
	node->group = of->group;
	of->youngest = child;
	node->sibling = of->children;
	of->children = child;
	if (node->region != TV_NONE) {
		node->in_region = log->region[node->region].open;
		log->region[node->region].open = child;
	}
	if (node->group != TV_NONE) {
		node->in_group = log->group[node->group].members;
		log->group[node->group].members = child;
	}
}

/* Whether a task waits for one that it creates: as written in the program, not because its team
 * has one thread. */
static bool waits_for(const struct tv_raw_log *log, const struct tv_raw_node *child)
{
	bool alone = child->region == TV_NONE || log->region[child->region].threads <= 1;

	return (child->flags & TASK_UNDEFERRED) && (!alone || (child->flags & TASK_FINAL));
}

/* What the accesses of a new task make it depend on. */
static void depend(struct tv_raw_log *log, uint32_t child)
{
	struct tv_raw_node *node = &log->node[child];
	bool waits = node->kind == TV_RAW_WAIT;

	if (node->naccesses == 0)
		return;
	tv_accesses_add(&log->accesses, node->parent, waits ? TV_NONE : child,
			&log->access[node->first_access], node->naccesses);
	TV_GROW(log->need, log->nneeds, log->needs_cap, log->accesses.nbefore);
	node->first_need = (uint32_t)log->nneeds;
	node->nneeds = (uint32_t)log->accesses.nbefore;
	for (size_t i = 0; i < log->accesses.nbefore; i++) {
		struct tv_raw_node *before = &log->node[log->accesses.before[i]];

		log->need[log->nneeds++] = log->accesses.before[i];
		before->followed |= !waits;
		node->redundant |= before->after == node->after;
	}
	if (log->naccesses >= TV_NONE || log->nneeds >= TV_NONE)
		tv_memory_exhausted(0);
}

/* "task if(0) depend(...)" is first a taskwait with these clauses, then a task without. */
static void take_over(struct tv_raw_log *log, uint32_t wait, uint32_t child)
{
	struct tv_raw_node *node = &log->node[child];

	node->first_access = log->node[wait].first_access;
	node->naccesses = log->node[wait].naccesses;
	node->awaited = true;
	depend(log, child);
}

static void create(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	uint32_t parent = tv_raw_find_node(log, tv_raw_arg(event, 1)), wait;
	uint32_t flags = (uint32_t)tv_raw_arg(event, 2), child = (uint32_t)log->nnodes;
	const struct tv_raw_entry entry = { .node = TV_NONE,
					    .value = "Taskwait",
					    .object = TV_NONE,
					    .kind = TV_LOG_OMP_CREATE,
					    .which = tv_raw_arg(event, 0),
					    .cut = true };
	struct tv_raw_node *node;

	if (flags & TASK_INITIAL)
		return;
	if (entry.which == 0 || tv_raw_find_node(log, entry.which) != TV_NONE) {
		tv_raw_damaged(log, TV_DROPPED, "task created twice", event->offset, "task %llu",
			       (unsigned long long)entry.which);
		return;
	}
	if (parent == TV_NONE || log->node[parent].kind >= TV_RAW_WAIT)
		parent = tv_raw_top(log, thread);
	node = tv_raw_add_node(log, flags & TASK_TASKWAIT ? TV_RAW_WAIT : TV_RAW_EXPLICIT,
			       entry.which);
	node->flags = flags;
	node->submit = event->time;
	node->address = tv_raw_arg(event, 3);
	node->taskloop = in_taskloop(&log->thread[thread]);
	if (parent == TV_NONE)
		return;
	wait = log->node[parent].wait;
	adopt(log, child, parent, event->time);
	node->awaited = waits_for(log, node);
	log->node[parent].wait = TV_NONE;
	if (node->kind == TV_RAW_WAIT) {
		log->node[parent].wait = child;
		tv_raw_wait(log, thread, parent, event);
		tv_raw_push(log, thread, event->time, &entry);
	} else if (wait != TV_NONE && event->code == 0 && (flags & TASK_UNDEFERRED)) {
		take_over(log, wait, child);
	}
}

/* ---- dependences ---- */

static enum tv_access_type access_type(uint64_t type)
{
	static const enum tv_access_type of[] = {
		[1] = TV_ACCESS_READ,	 [2] = TV_ACCESS_WRITE,	 [3] = TV_ACCESS_WRITE,
		[4] = TV_ACCESS_EXCLUDE, [5] = TV_NACCESS_TYPES, [6] = TV_NACCESS_TYPES,
		[7] = TV_ACCESS_COMBINE,
	};

	return type > 0 && type < TV_COUNT(of) ? of[type] : TV_NACCESS_TYPES;
}

/* The list of a task is complete. */
static void use_list(struct tv_raw_log *log, struct tv_raw_thread *t, size_t offset)
{
	uint32_t child = t->long_task, parent;
	struct tv_raw_node *node;

	t->long_task = TV_NONE;
	if (child == TV_NONE)
		return;
	node = &log->node[child];
	parent = node->parent;
	if (parent == TV_NONE || node->naccesses > 0
	    || (node->kind == TV_RAW_EXPLICIT && log->node[parent].youngest != child)) {
		tv_raw_damaged(log, TV_DROPPED, "dependences not of the task that was created last",
			       offset, "task %llu", (unsigned long long)node->id);
		return;
	}
	TV_GROW(log->access, log->naccesses, log->accesses_cap, t->naccess);
	node->first_access = (uint32_t)log->naccesses;
	node->naccesses = (uint32_t)t->naccess;
	for (size_t i = 0; i < t->naccess; i++)
		log->access[log->naccesses++] = (struct tv_access){
			tv_raw_handle(log, t->access[i].data), t->access[i].type
		};
	depend(log, child);
}

static void dependences(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	uint32_t node = tv_raw_find_node(log, tv_raw_arg(event, 0));

	if (event->code != 1 || node != t->long_task) {
		use_list(log, t, event->offset);
		t->naccess = 0;
	}
	/* Created before the recording began, or doacross dependences of a loop. */
	if (node == TV_NONE
	    || (log->node[node].kind != TV_RAW_EXPLICIT && log->node[node].kind != TV_RAW_WAIT))
		return;
	TV_GROW(t->access, t->naccess, t->access_cap, event->nargs / 2);
	for (unsigned i = 1; i + 1 < event->nargs; i += 2) {
		enum tv_access_type type = access_type(tv_raw_arg(event, i + 1));

		if (type == TV_NACCESS_TYPES)
			tv_raw_damaged(log, TV_DROPPED, "dependence of an unknown type",
				       event->offset, "type %llu",
				       (unsigned long long)tv_raw_arg(event, i + 1));
		else
			t->access[t->naccess++] = (struct tv_access){ tv_raw_arg(event, i), type };
	}
	t->long_task = node;
	/* A list that goes on fills its event. */
	if (event->nargs + 2u + 2u <= TV_LOG_MAX_WORDS)
		use_list(log, t, event->offset);
}

/* ---- execution ---- */

/* A task that was created when recording was off. */
static uint32_t add_unseen(struct tv_raw_log *log, uint64_t id, enum tv_raw_kind kind)
{
	struct tv_raw_node *node = tv_raw_add_node(log, kind, id);

	node->unseen = true;
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
	if (at != TV_NONE && node->kind == TV_RAW_EXPLICIT)
		tv_raw_pop_to(log, thread, at, event->time);
	if (next == TV_NONE || next != node->parent || !node->started || !node->awaited)
		return;
	node->followed = true;
	if (log->node[next].kind == TV_RAW_IMPLICIT)
		log->node[next].after = prior;
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
static void schedule(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
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

static void cancel(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	uint32_t node = tv_raw_find_node(log, tv_raw_arg(event, 0));

	if (node != TV_NONE && (tv_raw_arg(event, 1) & CANCEL_DISCARDED))
		log->node[node].cancelled = true;
}

/* ---- what the program says, and counters ---- */

static void user_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	static const unsigned args[] = { 0, 1, 2, 0, 0 };
	uint32_t node = tv_raw_top(log, thread), handle;
	size_t n;
	const char *text = tv_raw_text(event, args[event->kind - TV_LOG_USER_NAME], &n);
	struct tv_pool *pool = log->run->trace->pool;
	bool in_task = node != TV_NONE && log->node[node].kind == TV_RAW_EXPLICIT;
	uint64_t bits;

	switch (event->kind) {
	case TV_LOG_USER_NAME:
		if (in_task && n > 0)
			log->node[node].name = tv_intern(pool, text, n);
		break;
	case TV_LOG_USER_NUMBER:
		if (!in_task || n == 0)
			break;
		TV_GROW(log->number, log->nnumbers, log->numbers_cap, 1);
		log->number[log->nnumbers] = (struct tv_raw_number){ tv_intern(pool, text, n),
								     log->node[node].numbers, 0 };
		bits = tv_raw_arg(event, 0);
		memcpy(&log->number[log->nnumbers].value, &bits, sizeof bits);
		log->node[node].numbers = (uint32_t)log->nnumbers++;
		break;
	case TV_LOG_USER_DATA:
		handle = tv_raw_handle(log, tv_raw_arg(event, 0));
		if (tv_raw_arg(event, 1) <= INT64_MAX)
			log->handle[handle].size = (int64_t)tv_raw_arg(event, 1);
		if (n > 0)
			log->handle[handle].name = tv_intern(pool, text, n);
		break;
	case TV_LOG_USER_PHASE_BEGIN:
		tv_raw_add_event_row(log, thread, "Phase begin", event->time, text, n);
		break;
	default:
		tv_raw_add_event_row(log, thread, "Phase end", event->time, text, n);
	}
}

static void declare_counter(struct tv_raw_log *log, uint32_t thread,
			    const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	uint64_t index = tv_raw_arg(event, 0);
	uint32_t name, number;
	size_t n;
	const char *text = tv_raw_text(event, 1, &n);

	if (index != t->ncounters || index >= 1000) {
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "counter out of order", event->offset,
			       "counter %llu after %u", (unsigned long long)index, t->ncounters);
		return;
	}
	name = tv_intern(log->run->trace->pool, text, n);
	for (number = 0; number < log->ncounters && log->counter[number].name != name; number++)
		;
	if (number == log->ncounters) {
		TV_GROW(log->counter, log->ncounters, log->counters_cap, 1);
		log->counter[log->ncounters++] = (struct tv_raw_counter){ name, event->code == 1 };
	}
	t->counter = tv_realloc(t->counter, t->ncounters + 1, sizeof *t->counter);
	t->value = tv_realloc(t->value, t->ncounters + 1, sizeof *t->value);
	t->counter[t->ncounters] = number;
	t->value[t->ncounters++] = 0;
}

static void read_counters(struct tv_raw_log *log, struct tv_raw_thread *t,
			  const struct tv_raw_event *event)
{
	for (uint32_t i = 0; i < t->ncounters && i < event->nargs; i++) {
		uint64_t value = tv_raw_arg(event, i), since = value - (uint64_t)t->value[i];

		if (t->late != TV_NONE && i < log->segment[t->late].nvalues
		    && log->counter[t->counter[i]].cumulative) {
			int64_t *sum = &log->value[log->segment[t->late].value + i];

			*sum = (int64_t)((uint64_t)*sum + since);
		}
		t->value[i] = (int64_t)value;
	}
	t->counted = event->time;
	t->late = TV_NONE;
}

/* ---- every event ---- */

static void other_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	const struct tv_raw_entry idle = {
		.node = TV_NONE, .value = "Idle", .object = TV_NONE, .cut = true
	};
	uint32_t handle;
	size_t n;
	const char *text;

	switch (event->kind) {
	case TV_LOG_META:
		text = tv_raw_text(event, 0, &n);
		tv_meta_add(log->run->trace, text, "%s%s%s", log->prefix,
			    log->prefix[0] != '\0' ? " " : "",
			    n + 1 < (size_t)event->nargs * 8
					    && memchr(text + n + 1, '\0',
						      (size_t)event->nargs * 8 - n - 1)
						       != NULL
				    ? text + n + 1
				    : "");
		break;
	case TV_LOG_GAP:
		if (event->code == 1) {
			TV_GROW(log->pause, log->npauses, log->pauses_cap, 1);
			log->pause[log->npauses++] = event->time;
		}
		text = event->code == 1 ? "paused" : "resumed";
		tv_raw_add_event_row(log, thread, "Recording", event->time, text, strlen(text));
		break;
	case TV_LOG_BINDING:
		text = tv_raw_text(event, 0, &n);
		t->binding = tv_intern(log->run->trace->pool, text, n);
		break;
	case TV_LOG_COUNTER:
		declare_counter(log, thread, event);
		break;
	case TV_LOG_VALUES:
		read_counters(log, t, event);
		break;
	case TV_LOG_PAGE_AT:
		handle = tv_raw_handle(log, tv_raw_arg(event, 0));
		if (tv_raw_arg(event, 1) < UINT16_MAX)
			log->handle[handle].numa = (int64_t)tv_raw_arg(event, 1);
		break;
	case TV_LOG_OMP_THREAD:
		if (event->code == THREAD_WORKER && t->nstack == 0)
			tv_raw_push(log, thread, event->time, &idle);
		break;
	default:
		break;
	}
}

void tv_raw_event_use(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	if (event->kind != TV_LOG_OMP_DEPENDENCES)
		use_list(log, &log->thread[thread], event->offset);
	tv_raw_forget_attempt(log, thread, event);
	switch (event->kind) {
	case TV_LOG_OMP_CREATE:
		create(log, thread, event);
		break;
	case TV_LOG_OMP_SCHEDULE:
		schedule(log, thread, event);
		break;
	case TV_LOG_OMP_DEPENDENCES:
		dependences(log, thread, event);
		break;
	case TV_LOG_OMP_CANCEL:
		cancel(log, event);
		break;
	case TV_LOG_OMP_PARALLEL_BEGIN:
	case TV_LOG_OMP_PARALLEL_END:
	case TV_LOG_OMP_IMPLICIT_BEGIN:
	case TV_LOG_OMP_IMPLICIT_END:
		tv_raw_region_event(log, thread, event);
		break;
	case TV_LOG_OMP_SYNC_BEGIN:
	case TV_LOG_OMP_SYNC_END:
	case TV_LOG_OMP_WAIT_BEGIN:
	case TV_LOG_OMP_WAIT_END:
		tv_raw_sync_event(log, thread, event);
		break;
	case TV_LOG_OMP_WORK_BEGIN:
	case TV_LOG_OMP_WORK_END:
	case TV_LOG_OMP_MASKED_BEGIN:
	case TV_LOG_OMP_MASKED_END:
	case TV_LOG_OMP_ACQUIRE:
	case TV_LOG_OMP_ACQUIRED:
	case TV_LOG_OMP_RELEASED:
		tv_raw_state_event(log, thread, event);
		break;
	case TV_LOG_USER_NAME:
	case TV_LOG_USER_NUMBER:
	case TV_LOG_USER_DATA:
	case TV_LOG_USER_PHASE_BEGIN:
	case TV_LOG_USER_PHASE_END:
		user_event(log, thread, event);
		break;
	default:
		other_event(log, thread, event);
	}
}

/* What lasts when the log ends: flags tasks that have not ended. */
void tv_raw_end_all(struct tv_raw_log *log)
{
	for (uint32_t i = 0; i < log->nthreads; i++) {
		struct tv_raw_thread *t = &log->thread[i];
		int64_t end = t->ended ? t->end : log->end;
		size_t nstates = log->nstates;

		use_list(log, t, 0);
		tv_raw_pop_to(log, i, 0, tv_raw_capped(log, i, end > t->now ? end : t->now));
		while (!log->finished && nstates < log->nstates)
			log->state[nstates++].open = true;
	}
}
