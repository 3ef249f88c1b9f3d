/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tasks.c -- tasks from records of their creation, switches and completion.
 *
 * A task is known by its process, team, creating thread and number; where the team is undefined, as EZTrace writes it, the thread
 * is that of the record, and is known by the number alone. A segment lasts from a switch to the next one, or to the completion. The
 * number 0 is that of implicit tasks.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "convert/otf2/otf2.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define UNDEFINED UINT32_MAX

static char *job_of(const struct tv_otf2 *o, uint64_t team, uint64_t thread, uint64_t number)
{
	const char *node = tv_pool_text(o->trace->pool, o->here.process->node);
	char *job = o->nprocess > 1 ? tv_format("%s_", node) : tv_strdup("");

	if (team != UNDEFINED)
		tv_append(&job, "%" PRIu64 ".%" PRIu64 ".", team, thread);
	tv_append(&job, "%" PRIu64, number);
	return job;
}

/* The place of the task of a record; TV_NONE = an implicit one. */
static uint32_t task_of(struct tv_otf2 *o, const struct tv_otf2_record *record)
{
	bool old = record->kind >= TV_OTF2_OLD_TASK_CREATE;
	uint64_t team = old ? UNDEFINED : record->arg[0],
		 number = old ? record->arg[0] : record->arg[2],
		 thread = team == UNDEFINED ? UNDEFINED : record->arg[1];
	uint64_t process = (uint64_t)(o->here.process - o->process);
	uint32_t *place;
	char *job;

	if (number == 0)
		return TV_NONE;
	place = tv_map_at(&o->task_of, process << 32 | (uint32_t)team,
			  old ? number : thread << 32 | (uint32_t)number);
	if (*place != TV_NONE)
		return *place;
	job = job_of(o, team, thread, number);
	*place = (uint32_t)o->ntask;
	TV_GROW(o->task, o->ntask, o->task_cap, 1);
	o->task[o->ntask++] = (struct tv_otf2_task){ .job = tv_intern_text(o->trace->pool, job),
						     .parent = TV_NONE,
						     .value = TV_NONE };
	tv_free(job);
	return (uint32_t)o->ntask - 1;
}

static void end_segment(struct tv_otf2 *o, int64_t time, bool open)
{
	if (o->here.segment == TV_NONE)
		return;
	o->segment[o->here.segment].end = time;
	o->segment[o->here.segment].open = open;
	o->here.segment = TV_NONE;
}

static void switch_to(struct tv_otf2 *o, uint32_t task, int64_t time)
{
	struct tv_otf2_here *here = &o->here;

	if (task == here->task)
		return;
	end_segment(o, time, false);
	tv_otf2_pause(o, time);
	here->task = task;
	tv_otf2_continue(o, time);
	if (task == TV_NONE)
		return;
	o->task[task].ran = true;
	here->process->tasks = true;
	here->segment = (uint32_t)o->nsegment;
	TV_GROW(o->segment, o->nsegment, o->segment_cap, 1);
	o->segment[o->nsegment++] = (struct tv_otf2_segment){ .task = task,
							      .location = here->location,
							      .start = time };
}

static void create(struct tv_otf2 *o, uint32_t place, bool team, int64_t time)
{
	struct tv_otf2_task *task = &o->task[place];

	if (task->created) {
		tv_otf2_dropped(o, team ? "second creation of a task"
					: "creation of a task that has the number of another one");
		return;
	}
	task->created = true;
	task->submit = time;
	if (o->here.task != TV_NONE && o->here.task != place)
		task->parent = o->task[o->here.task].job;
}

void tv_otf2_task_event(struct tv_otf2 *o, const struct tv_otf2_record *record, int64_t time)
{
	uint32_t task = task_of(o, record);

	o->tasks = true;
	switch (record->kind) {
	case TV_OTF2_TASK_CREATE:
	case TV_OTF2_OLD_TASK_CREATE:
		if (task != TV_NONE)
			create(o, task, record->arg[0] != UNDEFINED, time);
		break;
	case TV_OTF2_TASK_SWITCH:
	case TV_OTF2_OLD_TASK_SWITCH:
		switch_to(o, task, time);
		break;
	default:
		if (task != TV_NONE && task == o->here.task)
			switch_to(o, TV_NONE, time);
		else if (task != TV_NONE)
			tv_otf2_dropped(o, "completion of a task that does not run");
	}
}

void tv_otf2_name_task(struct tv_otf2 *o, const struct tv_otf2_region *region)
{
	if (o->here.task != TV_NONE && o->task[o->here.task].value == TV_NONE)
		o->task[o->here.task].value = region->name;
}

void tv_otf2_end_tasks(struct tv_otf2 *o)
{
	if (o->here.segment != TV_NONE)
		tv_damaged(o->trace, TV_REPAIRED, "task that does not end",
			   (struct tv_pos){ o->path, 0 }, "job %s on %s",
			   tv_pool_text(o->trace->pool, o->task[o->here.task].job),
			   tv_pool_text(o->trace->pool, o->here.resource));
	end_segment(o, o->here.time, true);
}

/* ---- rows ---- */

TV_ORDER(segments_by_task, struct tv_otf2_segment, task, start, end, location)

static uint32_t add_task(struct tv_otf2 *o, const struct tv_otf2_task *task)
{
	struct tv_trace *trace = o->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_TASKS]);

	if (task->value != TV_NONE)
		tv_set_label(tv_trace_column(trace, TV_TASKS, "Value"), row, task->value);
	else
		tv_set_text(tv_trace_column(trace, TV_TASKS, "Value"), row, "task");
	tv_set_label(tv_trace_column(trace, TV_TASKS, "JobId"), row, task->job);
	if (task->created)
		tv_set_int(tv_trace_column(trace, TV_TASKS, "SubmitTime"), row, task->submit);
	if (task->parent != TV_NONE)
		tv_set_label(tv_trace_column(trace, TV_TASKS, "ParentJob"), row, task->parent);
	return row;
}

void tv_otf2_write_tasks(struct tv_otf2 *o)
{
	struct tv_trace *trace = o->trace;
	int64_t number = 0;

	if (o->nsegment > 1)
		qsort(o->segment, o->nsegment, sizeof *o->segment, segments_by_task);
	for (size_t i = 0; i < o->nsegment; i++) {
		const struct tv_otf2_segment *segment = &o->segment[i];
		uint32_t row = add_task(o, &o->task[segment->task]);
		bool again = i > 0 && segment[-1].task == segment->task;

		tv_set_label(tv_trace_column(trace, TV_TASKS, "ResourceId"), row,
			     o->location[segment->location].resource);
		tv_set_int(tv_trace_column(trace, TV_TASKS, "Start"), row, segment->start);
		tv_set_int(tv_trace_column(trace, TV_TASKS, "End"), row, segment->end);
		number = again ? number + 1 : 0;
		if (again || (i + 1 < o->nsegment && segment[1].task == segment->task))
			tv_set_int(tv_trace_column(trace, TV_TASKS, "Segment"), row, number);
		if (segment->open)
			tv_set_text(tv_trace_column(trace, TV_TASKS, "Flag"), row, TV_OPEN);
	}
	for (size_t i = 0; i < o->ntask; i++)
		if (o->task[i].created && !o->task[i].ran)
			tv_set_text(tv_trace_column(trace, TV_TASKS, "Kind"),
				    add_task(o, &o->task[i]), "pending");
}
