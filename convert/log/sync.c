/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sync.c -- regions, barriers, taskwaits, taskgroups: what tasks depend on besides data.
 *
 * An implicit task is no row. It has one node, `after`, that all it does next comes after; its
 * children depend on that. A wait sets `after` to a ghost that depends on what it waited for, and has the
 * time at which it began. The next segment of an explicit task depends on them itself.
 *
 * Each wait leaves out what another node depends on already (`followed`): that node is a sibling
 * that the same wait covers, or was waited for by a task that it covers. So edges are as many as
 * tasks and waits. Ours.
 */
#include "convert/log/raw.h"

#include <inttypes.h>

#include "trace/alloc.h"

/* Of OMPT. */
enum { TASK_INITIAL = 1, SYNC_TASKWAIT = 5, SYNC_TASKGROUP = 6, SYNC_LAST = 10 };

static const char *const wait_name[SYNC_LAST + 1] = {
	[1] = "Barrier",	   [2] = "Implicit barrier", [3] = "Barrier",
	[4] = "Implicit barrier",  [5] = "Taskwait",	     [6] = "Taskgroup",
	[7] = "Reduction",	   [8] = "Implicit barrier", [9] = "Implicit barrier",
	[10] = "Implicit barrier",
};

static bool is_barrier(unsigned code)
{
	return code >= 1 && code <= SYNC_LAST && code != SYNC_TASKWAIT && code != SYNC_TASKGROUP
	    && code != 7;
}

/* ---- what a wait waits for ---- */

void tv_raw_pick_begin(struct tv_raw_log *log)
{
	log->npicked = 0;
	log->serial++;
}

/* Takes a node once. */
void tv_raw_pick(struct tv_raw_log *log, uint32_t node)
{
	if (node == TV_NONE || log->node[node].mark == log->serial)
		return;
	log->node[node].mark = log->serial;
	if (log->node[node].kind == TV_RAW_EXPLICIT && log->node[node].after != TV_NONE)
		log->node[log->node[node].after].covered = log->serial;
	TV_GROW(log->picked, log->npicked, log->picked_cap, 1);
	log->picked[log->npicked++] = node;
}

void tv_raw_pick_after(struct tv_raw_log *log, uint32_t implicit)
{
	const struct tv_raw_node *node = &log->node[implicit];
	uint32_t after = node->after;

	/* Workers leave the last barrier of a region long after it is complete. */
	if (node->in_barrier && log->region[node->region].barriers >= node->nbarriers)
		after = log->region[node->region].after;
	if (after != TV_NONE && log->node[after].covered != log->serial)
		tv_raw_pick(log, after);
}

static void pick_unfollowed(struct tv_raw_log *log, uint32_t node)
{
	if (log->node[node].followed)
		return;
	log->node[node].followed = true;
	tv_raw_pick(log, node);
}

static void pick_children(struct tv_raw_log *log, uint32_t parent)
{
	for (uint32_t child = log->node[parent].children; child != TV_NONE;
	     child = log->node[child].sibling)
		pick_unfollowed(log, child);
	log->node[parent].children = TV_NONE;
}

static void pick_members(struct tv_raw_log *log, uint32_t group)
{
	for (uint32_t node = log->group[group].members; node != TV_NONE;
	     node = log->node[node].in_group)
		pick_unfollowed(log, node);
	log->group[group].members = TV_NONE;
}

/* What the implicit tasks of a region have come to, and all tasks in it. */
static void pick_region(struct tv_raw_log *log, uint32_t region)
{
	struct tv_raw_region *r = &log->region[region];

	for (uint32_t node = r->open; node != TV_NONE; node = log->node[node].in_region)
		pick_unfollowed(log, node);
	for (uint32_t node = r->implicit; node != TV_NONE; node = log->node[node].in_region)
		tv_raw_pick_after(log, node);
	r->open = TV_NONE;
}

bool tv_raw_is_sound(const struct tv_raw_log *log, uint32_t node)
{
	const struct tv_raw_node *n = node == TV_NONE ? NULL : &log->node[node];

	return n == NULL || n->kind == TV_RAW_IMPLICIT || n->kind == TV_RAW_WAIT
	    || ((n->started || n->cancelled) && n->sound);
}

/* A ghost that depends on the picked nodes. */
static uint32_t add_ghost(struct tv_raw_log *log, const char *value, uint32_t region, int64_t time)
{
	struct tv_raw_node *ghost = tv_raw_add_node(log, TV_RAW_GHOST, 0);

	ghost->value = value;
	ghost->region = region;
	ghost->submit = time;
	ghost->number = log->nskipped;
	ghost->started = ghost->sound = true;
	ghost->first_need = (uint32_t)log->nneeds;
	ghost->nneeds = (uint32_t)log->npicked;
	TV_GROW(log->need, log->nneeds, log->needs_cap, log->npicked);
	for (size_t i = 0; i < log->npicked; i++)
		ghost->sound &= tv_raw_is_sound(log, log->picked[i]);
	for (size_t i = 0; i < log->npicked; i++)
		log->need[log->nneeds++] = log->picked[i];
	if (log->nneeds >= TV_NONE)
		tv_memory_exhausted(0);
	return (uint32_t)log->nnodes - 1;
}

/*
 * By a task: its completion depends on the segment that fulfilled the event, as what that created. There is no
 * circle: what is put behind the completion begins after it (rows.c), and all that the other task depends on
 * began before. Where the log contradicts that, it is as if no task had done it.
 */
void tv_raw_fulfill(struct tv_raw_log *log, uint32_t thread, uint32_t node, int64_t time)
{
	uint32_t by = thread == TV_NONE ? TV_NONE : tv_raw_top(log, thread), ghost;

	if (log->node[node].completion != TV_NONE)
		return;
	tv_raw_pick_begin(log);
	tv_raw_pick(log, node);
	ghost = add_ghost(log, "fulfillment", log->node[node].region, time);
	log->node[node].completion = ghost;
	log->node[ghost].segments_before = log->nsegments;
	log->node[ghost].outside = by == TV_NONE || log->node[by].kind != TV_RAW_EXPLICIT
				|| by == node || !tv_raw_is_sound(log, by);
	if (log->node[ghost].outside)
		return;
	log->node[ghost].parent = by;
	log->node[ghost].sound &= log->node[by].sound;
	log->node[by].last_create = time;
}

/* One node for the picked ones, for which an implicit task has waited (of a team, the one that came last). */
static uint32_t join(struct tv_raw_log *log, const char *value, uint32_t region, uint32_t by,
		     int64_t time)
{
	const struct tv_raw_node *of = &log->node[by];
	int64_t came = of->came < time ? of->came : time;
	uint32_t ghost;

	if (log->npicked == 0)
		return TV_NONE;
	if (log->npicked == 1 && log->node[log->picked[0]].kind == TV_RAW_GHOST)
		return log->picked[0];
	ghost = add_ghost(log, value, region, came);
	tv_raw_follow_as(&log->node[ghost], &log->node[by]);
	return ghost;
}

void tv_raw_wait(struct tv_raw_log *log, uint32_t thread, uint32_t node,
		 const struct tv_raw_event *event)
{
	(void)thread;
	tv_raw_end_segment(log, node, event, event->time);
	log->node[node].waiting = true;
	log->node[node].came = event->time;
}

void tv_raw_go_on(struct tv_raw_log *log, uint32_t thread, uint32_t node, const char *what,
		  const struct tv_raw_event *event)
{
	struct tv_raw_node *of = &log->node[node];

	of->waiting = false;
	if (of->kind == TV_RAW_IMPLICIT) {
		uint32_t after;

		tv_raw_pick_after(log, node);
		after = join(log, what, of->region, node, event->time);
		tv_raw_follow(&log->node[node], after, event->time);
	} else if (of->kind == TV_RAW_EXPLICIT && tv_raw_top(log, thread) == node) {
		tv_raw_end_segment(log, node, event, event->time);
		tv_raw_begin_segment(log, thread, node, event);
	}
}

/* ---- waits ---- */

/* Only the first thread that leaves a barrier sees what all came with. */
static void leave_barrier(struct tv_raw_log *log, uint32_t node, int64_t time)
{
	uint32_t region = log->node[node].region, after;

	if (region == TV_NONE || log->region[region].ended)
		return;
	if (log->node[node].nbarriers > log->region[region].barriers) {
		pick_region(log, region);
		after = join(log, "barrier", region, log->region[region].latest, time);
		if (after != log->region[region].after) {
			log->region[region].since = after;
			log->region[region].resumed = time;
		}
		log->region[region].after = after;
		log->region[region].barriers = log->node[node].nbarriers;
	}
	log->node[node].in_barrier = false;
	tv_raw_follow(&log->node[node], log->region[region].after, time);
	log->node[node].children = TV_NONE;
}

/* Whether a task is in a taskgroup that it began itself. */
static bool owns_group(const struct tv_raw_log *log, uint32_t node)
{
	uint32_t group = log->node[node].group;

	return group != TV_NONE && log->group[group].owner == node;
}

static void end_wait(struct tv_raw_log *log, uint32_t thread, uint32_t node,
		     const struct tv_raw_event *event)
{
	tv_raw_pick_begin(log);
	log->node[node].waited = true;
	if (is_barrier(event->code)) {
		if (log->node[node].kind == TV_RAW_IMPLICIT)
			leave_barrier(log, node, event->time);
	} else if (event->code == SYNC_TASKWAIT) {
		pick_children(log, node);
		tv_raw_go_on(log, thread, node, "taskwait", event);
	} else if (event->code == SYNC_TASKGROUP && owns_group(log, node)) {
		pick_members(log, log->node[node].group);
		tv_raw_go_on(log, thread, node, "taskgroup", event);
	}
}

static void begin_sync(struct tv_raw_log *log, uint32_t thread, uint32_t node,
		       const struct tv_raw_event *event)
{
	log->node[node].waited = false;
	if (event->code == SYNC_TASKGROUP) {
		TV_GROW(log->group, log->ngroups, log->groups_cap, 1);
		log->group[log->ngroups] = (struct tv_raw_group){ node, log->node[node].group,
								  TV_NONE };
		log->node[node].group = (uint32_t)log->ngroups++;
	} else if (event->code == SYNC_TASKWAIT) {
		tv_raw_wait(log, thread, node, event);
	} else if (is_barrier(event->code)) {
		tv_raw_end_work(log, thread, event->time);
		log->node[node].nbarriers++;
		log->node[node].came = event->time;
		log->node[node].in_barrier = log->node[node].region != TV_NONE;
		if (log->node[node].in_barrier)
			log->region[log->node[node].region].latest = node;
	}
}

static void end_sync(struct tv_raw_log *log, uint32_t thread, uint32_t node,
		     const struct tv_raw_event *event)
{
	if (!log->node[node].waited)
		end_wait(log, thread, node, event);
	log->node[node].waited = false;
	if (event->code == SYNC_TASKGROUP && owns_group(log, node))
		log->node[node].group = log->group[log->node[node].group].outer;
}

void tv_raw_sync_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	uint32_t node = tv_raw_find_node(log, tv_raw_arg(event, 1));
	int64_t time = tv_raw_capped(log, thread, event->time);
	struct tv_raw_entry entry = { .node = TV_NONE,
				      .object = TV_NONE,
				      .cut = true,
				      .site = tv_raw_arg(event, 2),
				      .kind = TV_LOG_OMP_WAIT_BEGIN,
				      .which = event->code };

	if (event->code <= SYNC_LAST)
		entry.value = wait_name[event->code];
	/* It was in a team before the recording began. */
	log->thread[thread].teamed |= node == TV_NONE;
	if (node == TV_NONE || log->node[node].kind >= TV_RAW_WAIT)
		node = tv_raw_top(log, thread);
	/* At the end of a region only its first thread shows where. */
	if (entry.site == 0 && is_barrier(event->code) && node != TV_NONE
	    && log->node[node].region != TV_NONE)
		entry.site = log->region[log->node[node].region].address;
	if (event->kind == TV_LOG_OMP_WAIT_BEGIN)
		tv_raw_push(log, thread, event->time, &entry);
	else if (event->kind == TV_LOG_OMP_WAIT_END)
		tv_raw_end_entry(log, thread, TV_LOG_OMP_WAIT_BEGIN, event->code, time);
	if (node == TV_NONE)
		return;
	switch (event->kind) {
	case TV_LOG_OMP_SYNC_BEGIN:
		begin_sync(log, thread, node, event);
		break;
	case TV_LOG_OMP_WAIT_BEGIN:
		if (!is_barrier(event->code) && log->node[node].kind == TV_RAW_EXPLICIT)
			tv_raw_wait(log, thread, node, event);
		else if (!is_barrier(event->code))
			log->node[node].came = event->time;
		break;
	case TV_LOG_OMP_WAIT_END:
		end_wait(log, thread, node, event);
		break;
	default:
		end_sync(log, thread, node, event);
	}
}

/* ---- regions ---- */

static uint32_t region_at(struct tv_raw_log *log, uint64_t id, int64_t time)
{
	uint32_t *index = tv_map_at(&log->region_of, id, 0);

	if (*index == TV_NONE) {
		*index = (uint32_t)log->nregions;
		TV_GROW(log->region, log->nregions, log->regions_cap, 1);
		log->region[log->nregions++] = (struct tv_raw_region){ .id = id,
								       .encountering = TV_NONE,
								       .after = TV_NONE,
								       .since = TV_NONE,
								       .latest = TV_NONE,
								       .implicit = TV_NONE,
								       .open = TV_NONE,
								       .primary = TV_NONE,
								       .label = TV_NONE,
								       .begin = time };
	}
	return *index;
}

/* The number of an outermost region, or that of the region around it and the place in that: 2.1. */
static void number_region(struct tv_raw_log *log, struct tv_raw_region *region,
			  const struct tv_raw_event *event)
{
	uint32_t node = region->encountering;
	uint32_t around = node == TV_NONE ? TV_NONE : log->node[node].region;
	uint64_t number = event->nargs > 5 ? tv_raw_arg(event, 5) : 0;

	if (number == 0 && around != TV_NONE && log->region[around].label != TV_NONE)
		region->label = tv_raw_format_label(
			log->run, "%s.%u",
			tv_pool_text(log->run->trace->pool, log->region[around].label),
			++log->region[around].nested);
	else if (number > 0 || (event->nargs == 5 && around == TV_NONE))
		region->label = tv_raw_format_label(log->run, "%s%" PRIu64, log->prefix,
						    number > 0 ? number : ++log->nouter);
}

static void begin_region(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	uint32_t node = tv_raw_find_node(log, tv_raw_arg(event, 1)), index, after;
	const struct tv_raw_entry entry = { .node = TV_NONE,
					    .object = TV_NONE,
					    .value = "Parallel region",
					    .site = tv_raw_arg(event, 4),
					    .kind = TV_LOG_OMP_PARALLEL_BEGIN,
					    .which = tv_raw_arg(event, 0) };

	if (tv_map_get(&log->region_of, tv_raw_arg(event, 0), 0) != NULL) {
		tv_raw_damaged(log, TV_DROPPED, "region begins twice", event->offset, "region %llu",
			       (unsigned long long)tv_raw_arg(event, 0));
		return;
	}
	index = region_at(log, tv_raw_arg(event, 0), event->time);
	if (node == TV_NONE || log->node[node].kind >= TV_RAW_WAIT)
		node = tv_raw_top(log, thread);
	if (node != TV_NONE && log->node[node].kind == TV_RAW_EXPLICIT) {
		/* The region's tasks come after what the task has done so far. */
		tv_raw_pick_begin(log);
		tv_raw_pick(log, node);
		tv_raw_wait(log, thread, node, event);
		after = add_ghost(log, "region", log->node[node].region, event->time);
		log->node[after].parent = node;
		log->node[node].last_create = event->time;
	} else {
		after = node == TV_NONE ? TV_NONE : log->node[node].after;
	}
	log->region[index].after = after;
	log->region[index].since = after;
	log->region[index].resumed = event->time;
	if (node != TV_NONE && after == log->node[node].after) {
		log->region[index].since = log->node[node].since;
		log->region[index].resumed = log->node[node].resumed;
	}
	log->region[index].encountering = node;
	log->region[index].address = tv_raw_arg(event, 4);
	log->region[index].known = true;
	log->region[index].primary = thread;
	number_region(log, &log->region[index], event);
	tv_raw_push(log, thread, event->time, &entry);
}

static void end_region(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	const uint32_t *known = tv_map_get(&log->region_of, tv_raw_arg(event, 0), 0);
	struct tv_raw_region *region;
	uint32_t node, after;

	if (known == NULL || log->region[*known].ended) {
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "region ends that has not begun",
			       event->offset, "region %llu",
			       (unsigned long long)tv_raw_arg(event, 0));
		return;
	}
	region = &log->region[*known];
	region->ended = true;
	region->end = event->time;
	tv_raw_end_entry(log, thread, TV_LOG_OMP_PARALLEL_BEGIN, region->id, event->time);
	node = region->encountering;
	tv_raw_pick_begin(log);
	pick_region(log, *known);
	if (node == TV_NONE)
		return;
	if (log->npicked == 0)
		tv_raw_pick(log, region->after);
	if (log->node[node].kind == TV_RAW_EXPLICIT) {
		tv_raw_go_on(log, thread, node, "region", event);
	} else {
		after = join(log, "region", log->node[node].region,
			     region->latest != TV_NONE ? region->latest : node, event->time);
		tv_raw_follow(&log->node[node], after,
			      after == region->after ? region->resumed : event->time);
	}
}

static void begin_implicit(struct tv_raw_log *log, uint32_t thread,
			   const struct tv_raw_event *event)
{
	bool initial = tv_raw_arg(event, 4) & TASK_INITIAL;
	uint64_t id = tv_raw_arg(event, 1), region_id = tv_raw_arg(event, 0);
	uint32_t index = TV_NONE, node = tv_raw_find_node(log, id);
	struct tv_raw_entry entry = { .object = TV_NONE,
				      .value = initial ? "Serial" : "Implicit task" };
	struct tv_raw_node *added;

	if (node != TV_NONE) {
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "implicit task begins twice", event->offset,
			       "task %llu", (unsigned long long)id);
		return;
	}
	if (!initial && region_id != 0)
		index = region_at(log, region_id, event->time);
	node = (uint32_t)log->nnodes;
	added = tv_raw_add_node(log, TV_RAW_IMPLICIT, id);
	added->region = index;
	added->thread = added->home = thread;
	added->started = true;
	if (index != TV_NONE) {
		struct tv_raw_region *region = &log->region[index];
		uint32_t outer = region->encountering;

		added->after = region->after;
		added->since = region->since;
		added->resumed = region->resumed;
		added->in_region = region->implicit;
		region->implicit = node;
		region->threads = (uint32_t)tv_raw_arg(event, 2);
		if (outer != TV_NONE)
			added->nesting = log->node[outer].nesting
				       + (log->node[outer].kind == TV_RAW_EXPLICIT);
	}
	entry.node = node;
	tv_raw_push(log, thread, event->time, &entry);
}

static void end_implicit(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	uint32_t node = tv_raw_find_node(log, tv_raw_arg(event, 1)), at;

	at = node == TV_NONE ? TV_NONE : tv_raw_find_task(&log->thread[thread], node);
	if (at == TV_NONE || log->node[node].kind != TV_RAW_IMPLICIT)
		return;
	tv_raw_pop_to(log, thread, at, tv_raw_capped(log, thread, event->time));
	log->node[node].done = true;
}

void tv_raw_region_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	switch (event->kind) {
	case TV_LOG_OMP_PARALLEL_BEGIN:
		begin_region(log, thread, event);
		break;
	case TV_LOG_OMP_PARALLEL_END:
		end_region(log, thread, event);
		break;
	case TV_LOG_OMP_IMPLICIT_BEGIN:
		begin_implicit(log, thread, event);
		break;
	default:
		end_implicit(log, thread, event);
	}
}
