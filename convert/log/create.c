/* SPDX-License-Identifier: GPL-3.0-or-later */
/* create.c -- nodes; the creation of tasks, and what their accesses make them depend on. */
#include "convert/log/raw.h"

#include "trace/alloc.h"

/* Of OMPT. */
enum {
	TASK_INITIAL = 1,
	TASK_TASKWAIT = 16,
	TASK_UNDEFERRED = 0x8000000,
	TASK_FINAL = 0x20000000,
	WORK_TASKLOOP = 7,
	OUT_ALL_MEMORY = 34,
	INOUT_ALL_MEMORY = 35
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
				      .since = TV_NONE,
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
				      .home = TV_NONE,
				      .wait = TV_NONE,
				      .completion = TV_NONE,
				      .last_create = INT64_MIN,
				      .came = INT64_MAX };
	if (kind == TV_RAW_EXPLICIT)
		node->number = ++log->njobs + log->nskipped;
	if (id != 0)
		tv_map_put(&log->node_of, id, 0, (uint32_t)log->nnodes);
	log->nnodes++;
	return node;
}

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
		tv_raw_follow_as(node, of);
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

/* libomp divides a large taskloop by tasks of its own: the thread runs such a task while it creates others
 * for the same task at the same place. */
static void mark_divider(struct tv_raw_log *log, uint32_t running, uint32_t creator,
			 uint64_t address)
{
	struct tv_raw_node *node = running != TV_NONE ? &log->node[running] : NULL;

	if (node != NULL && node->kind == TV_RAW_EXPLICIT && running != creator
	    && creator != TV_NONE && node->parent == creator && node->address == address)
		node->divides = true;
}

void tv_raw_create(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	uint32_t parent = tv_raw_find_node(log, tv_raw_arg(event, 1)), wait;
	uint32_t flags = (uint32_t)tv_raw_arg(event, 2), child = (uint32_t)log->nnodes;
	const struct tv_raw_entry entry = { .node = TV_NONE,
					    .value = "Taskwait",
					    .object = TV_NONE,
					    .site = tv_raw_arg(event, 3),
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
	mark_divider(log, tv_raw_top(log, thread), parent, tv_raw_arg(event, 3));
	node = tv_raw_add_node(log, flags & TASK_TASKWAIT ? TV_RAW_WAIT : TV_RAW_EXPLICIT,
			       entry.which);
	node->flags = flags;
	node->submit = event->time;
	node->address = tv_raw_arg(event, 3);
	node->taskloop = in_taskloop(&log->thread[thread]);
	log->thread[thread].teamed |= parent == TV_NONE;
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

	if (type == OUT_ALL_MEMORY || type == INOUT_ALL_MEMORY)
		return TV_ACCESS_ALL;
	return type > 0 && type < TV_COUNT(of) ? of[type] : TV_NACCESS_TYPES;
}

/* The list of a task is complete. */
void tv_raw_end_list(struct tv_raw_log *log, uint32_t thread, size_t offset)
{
	struct tv_raw_thread *t = &log->thread[thread];
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

void tv_raw_dependences(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	struct tv_raw_thread *t = &log->thread[thread];
	uint32_t node = tv_raw_find_node(log, tv_raw_arg(event, 0));

	if (event->code != 1 || node != t->long_task) {
		tv_raw_end_list(log, thread, event->offset);
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
		tv_raw_end_list(log, thread, event->offset);
}
