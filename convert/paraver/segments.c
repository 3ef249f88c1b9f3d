/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * segments.c -- tasks from the events that name the running task of a thread (ovni) or its function (Extrae).
 *
 * Numbers of tasks begin anew in each process, and a task that was suspended goes on in its thread, whose stack it has: so a job is a
 * number of a thread. Several bodies of one task of nOS-V are several jobs.
 */
#include "convert/paraver/paraver.h"

#include "trace/alloc.h"

struct segment {
	int64_t begin, end;
	uint64_t id, body; /* id: of the runtime, or the place among the tasks of the thread */
	uint32_t thread;
	uint32_t value; /* label of the type of the task; 0 = not known */
	bool numbered;	/* id is of the runtime */
	bool open;
};

/* A task that another one has interrupted. */
struct outer {
	uint64_t id;
	uint32_t value;
	bool numbered;
};

/* The creation of a task. */
struct made {
	int64_t time;
	uint32_t parent; /* label of the job; 0 = none */
};

struct segments {
	struct tv_prv *prv;
	struct segment *at;
	size_t n, cap;
	struct outer *outer;
	size_t depth, outer_cap;
	struct made *made;
	size_t nmade, made_cap;
	struct tv_map made_as; /* by process and number: place */
	/* On the thread that is read: */
	uint32_t thread;
	bool running; /* the last segment has not ended */
	uint32_t value;
	uint64_t body, ntasks;
};

static void end_segment(struct segments *s, int64_t time, bool open)
{
	if (!s->running)
		return;
	s->at[s->n - 1].end = time;
	s->at[s->n - 1].open = open;
	s->running = false;
}

static void begin_segment(struct segments *s, int64_t time, struct outer task)
{
	TV_GROW(s->at, s->n, s->cap, 1);
	s->at[s->n++] = (struct segment){ .begin = time,
					  .id = task.id,
					  .body = s->body,
					  .thread = s->thread,
					  .value = task.value,
					  .numbered = task.numbered };
	s->running = true;
}

/* ---- ovni ---- */

/* What is known of the task that runs; at the instant of its begin also behind the event that names it. */
static void read_fact(struct segments *s, const struct tv_prv_event *event)
{
	const struct tv_prv_type *type = &s->prv->type[event->type];
	struct segment *last = s->running ? &s->at[s->n - 1] : NULL;
	bool begins = last != NULL && last->begin == event->time && event->value != 0;

	if (type->number == 15) {
		s->body = event->value;
		if (begins)
			last->body = event->value;
		return;
	}
	s->value = event->value == 0 ? 0 : tv_prv_value(s->prv, type, event->value);
	if (begins)
		last->value = s->value;
}

static void read_id(struct segments *s, const struct tv_prv_event *event)
{
	end_segment(s, event->time, false);
	if (event->value != 0)
		begin_segment(s, event->time, (struct outer){ event->value, s->value, true });
}

/* ---- Extrae ---- */

static void read_function(struct segments *s, const struct tv_prv_event *event, size_t from,
			  size_t to)
{
	struct outer task = { 0 };

	end_segment(s, event->time, false);
	if (event->value == 0) {
		s->depth -= s->depth > 0;
		if (s->depth > 0)
			begin_segment(s, event->time, s->outer[s->depth - 1]);
		return;
	}
	task.value = tv_prv_value(s->prv, &s->prv->type[event->type], event->value);
	task.numbered = tv_prv_fact(s->prv, from, to,
				    s->prv->type[event->type].number == 60018 ? 60017 : 60000028,
				    &task.id)
		     && task.id != 0;
	s->ntasks++;
	if (!task.numbered)
		task.id = s->ntasks;
	TV_GROW(s->outer, s->depth, s->outer_cap, 1);
	s->outer[s->depth++] = task;
	begin_segment(s, event->time, task);
}

/* A job; body is 0 where it has no number. */
static uint32_t job_of(struct tv_prv *prv, uint32_t thread, uint64_t id, uint64_t body,
		       bool numbered)
{
	char *name = body > 1 ? tv_format("%u.%llu.%llu", thread + 1, (unsigned long long)id,
					  (unsigned long long)body)
			      : tv_format("%u.%s%llu", thread + 1, numbered ? "" : "f",
					  (unsigned long long)id);
	uint32_t label = tv_intern_text(prv->trace->pool, name);

	tv_free(name);
	return label;
}

/* Numbers of tasks are of the process, whose threads may run them. */
static void read_creation(struct segments *s, const struct tv_prv_event *event, size_t from,
			  size_t to)
{
	const struct outer *outer = s->depth > 0 ? &s->outer[s->depth - 1] : NULL;
	uint64_t type = s->prv->type[event->type].number, id;
	uint32_t *place;

	if (event->value == 0
	    || !tv_prv_fact(s->prv, from, to, type == 60015 ? 60014 : 60000028, &id) || id == 0)
		return;
	place = tv_map_at(&s->made_as, s->prv->thread[s->thread].process, id);
	if (*place != TV_NONE)
		return;
	*place = (uint32_t)s->nmade;
	TV_GROW(s->made, s->nmade, s->made_cap, 1);
	s->made[s->nmade++] = (struct made){
		event->time,
		outer == NULL ? 0 : job_of(s->prv, s->thread, outer->id, 0, outer->numbered)
	};
}

/* ---- all ---- */

static void read_thread(struct segments *s, uint32_t t)
{
	const struct tv_prv_thread *thread = &s->prv->thread[t];

	s->thread = t;
	s->value = 0;
	s->body = s->ntasks = 0;
	s->depth = 0;
	for (size_t from = thread->begin, to; from < thread->end; from = to) {
		to = from;
		while (to < thread->end && s->prv->event[to].time == s->prv->event[from].time)
			to++;
		for (size_t i = from; i < to; i++) {
			const struct tv_prv_event *event = &s->prv->event[i];
			enum tv_prv_kind kind = s->prv->type[event->type].kind;

			if (kind == TV_PRV_TASK_ID)
				read_id(s, event);
			else if (kind == TV_PRV_TASK_FACT && s->prv->ovni)
				read_fact(s, event);
			else if (kind == TV_PRV_TASK)
				read_function(s, event, from, to);
			else if (kind == TV_PRV_TASK_MADE)
				read_creation(s, event, from, to);
		}
	}
	end_segment(s, s->prv->last, true);
}

/* When and by whom a task was created; not after its first segment, as Extrae's begin of a task may precede that event. */
static void write_creation(struct segments *s, const struct segment *segment, uint32_t row)
{
	uint32_t process = s->prv->thread[segment->thread].process;
	const uint32_t *place = segment->numbered ? tv_map_get(&s->made_as, process, segment->id)
						  : NULL;
	struct tv_trace *trace = s->prv->trace;
	struct made *made;

	if (place == NULL)
		return;
	made = &s->made[*place];
	made->time = segment->begin < made->time ? segment->begin : made->time;
	tv_set_int(tv_trace_column(trace, TV_TASKS, "SubmitTime"), row, made->time);
	if (made->parent != 0)
		tv_set_label(tv_trace_column(trace, TV_TASKS, "ParentJob"), row, made->parent);
}

static void write_rows(struct segments *s)
{
	struct tv_trace *trace = s->prv->trace;
	struct tv_column *resource, *value, *start, *end, *job, *number, *flag;
	struct tv_index segments = { 0 }, written = { 0 }; /* by JobId: how many */
	uint32_t *label = tv_alloc(s->n, sizeof *label);

	TV_TRACE_COLUMNS(trace, TV_TASKS, { "ResourceId", &resource }, { "Value", &value },
			 { "Start", &start }, { "End", &end }, { "JobId", &job },
			 { "Segment", &number }, { "Flag", &flag });
	for (size_t i = 0; i < s->n; i++) {
		const struct segment *segment = &s->at[i];
		uint32_t before;

		label[i] = job_of(s->prv, segment->thread, segment->id, segment->body,
				  segment->numbered);
		before = tv_index_get(&segments, label[i]);
		tv_index_set(&segments, label[i], before == TV_NONE ? 1 : before + 1);
	}
	for (size_t i = 0; i < s->n; i++) {
		const struct segment *segment = &s->at[i];
		uint32_t row = tv_table_add_row(&trace->table[TV_TASKS]), at;

		tv_set_label(resource, row, s->prv->thread[segment->thread].resource);
		if (segment->value != 0)
			tv_set_label(value, row, segment->value);
		else
			tv_set_text(value, row, "task");
		tv_set_int(start, row, segment->begin);
		tv_set_int(end, row, segment->end);
		tv_set_label(job, row, label[i]);
		if (segment->open)
			tv_set_text(flag, row, TV_OPEN);
		write_creation(s, segment, row);
		if (tv_index_get(&segments, label[i]) < 2)
			continue;
		at = tv_index_get(&written, label[i]);
		at = at == TV_NONE ? 0 : at + 1;
		tv_index_set(&written, label[i], at);
		tv_set_int(number, row, at);
	}
	tv_free(segments.at);
	tv_free(written.at);
	tv_free(label);
}

void tv_prv_segments(struct tv_prv *prv)
{
	struct segments s = { .prv = prv };

	for (uint32_t i = 0; i < prv->nthread; i++)
		read_thread(&s, i);
	if (s.n > 0)
		write_rows(&s);
	tv_free(s.at);
	tv_free(s.outer);
	tv_free(s.made);
	tv_map_release(&s.made_as);
}
