/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shares.c -- CPU time of the threads of a program, by PU, as `record --monitor` samples it. */
#include "convert/log/raw.h"

#include <inttypes.h>

#include "trace/alloc.h"

enum { SHARES_MAX = 1 << 20 };

/* A thread's CPU time on a PU (or on any). */
struct share {
	uint32_t variable; /* label */
	uint32_t thread;   /* place in `thread` */
	uint64_t last;
	int64_t time; /* of the tick before */
};

struct thread {
	uint32_t resource; /* label */
	uint32_t title;	   /* label of its own name, where no log has it; TV_NONE */
	int64_t id;
	int64_t begin, end; /* first and last tick */
	double value;	    /* CPU time during a tick */
	int64_t start;
	bool any;
};

struct tv_raw_shares {
	struct tv_raw_log *log;
	struct share *share;
	size_t nshares, shares_cap;
	struct thread *thread;
	size_t nthreads, threads_cap;
	struct tv_column *resource, *type, *start, *end, *value;
};

struct tv_raw_shares *tv_raw_new_shares(struct tv_raw_log *log)
{
	struct tv_raw_shares *s = tv_alloc(1, sizeof *s);

	s->log = log;
	TV_TRACE_COLUMNS(log->run->trace, TV_VARIABLES, { "ResourceId", &s->resource },
			 { "Type", &s->type }, { "Start", &s->start }, { "End", &s->end },
			 { "Value", &s->value });
	return s;
}

void tv_raw_release_shares(struct tv_raw_shares *s)
{
	if (s == NULL)
		return;
	tv_free(s->share);
	tv_free(s->thread);
	tv_free(s);
}

/* The resource of a thread that a process's log has; TV_NONE. */
static uint32_t find_recorded(const struct tv_raw_log *log, uint64_t pid, int64_t id)
{
	const struct tv_raw_run *run = log->run;

	for (size_t i = 0; i < run->nlogs; i++)
		for (size_t k = 0;
		     run->log[i].pid == pid && strcmp(run->log[i].host, log->host) == 0
		     && k < run->log[i].nthreads;
		     k++)
			if (run->log[i].thread[k].os_id == id && !run->log[i].samples) {
				run->log[i].thread[k].sampled = true;
				return run->log[i].thread[k].name;
			}
	return TV_NONE;
}

/* The thread of an event, also where it was declared before: it is one of the last. */
static uint32_t find_thread(struct tv_raw_shares *s, const struct tv_raw_event *event,
			    int64_t before)
{
	struct tv_raw_run *run = s->log->run;
	int64_t id = (int64_t)tv_raw_arg(event, 2);
	const char *title = (const char *)event->arg + (size_t)5 * 8;
	size_t bytes = event->nargs > 5 ? (size_t)(event->nargs - 5) * 8 : 0;
	uint32_t resource = find_recorded(s->log, tv_raw_arg(event, 3), id);
	bool recorded = resource != TV_NONE;

	if (!recorded)
		resource = tv_raw_format_label(run, "%s%sthread:%" PRId64,
					       run->machines ? s->log->host : "",
					       run->machines ? "/" : "", id);
	for (size_t i = s->nthreads; i-- > 0;)
		if (s->thread[i].resource == resource)
			return (uint32_t)i;
	TV_GROW(s->thread, s->nthreads, s->threads_cap, 1);
	s->thread[s->nthreads] = (struct thread){
		.resource = resource, .title = TV_NONE, .id = id, .begin = before, .end = before
	};
	if (!recorded)
		s->thread[s->nthreads].title = tv_intern(run->trace->pool, title,
							 bytes > 0 ? strnlen(title, bytes) : 0);
	return (uint32_t)s->nthreads++;
}

void tv_raw_share(struct tv_raw_shares *s, const struct tv_raw_event *event, const char *pu,
		  int64_t before)
{
	if (tv_raw_arg(event, 0) != s->nshares || s->nshares == SHARES_MAX) {
		tv_raw_damaged(s->log, TV_DROPPED_BESIDE,
			       "declaration of a monitor that does not fit", event->offset,
			       "thread %" PRIu64, tv_raw_arg(event, 0));
		return;
	}
	TV_GROW(s->share, s->nshares, s->shares_cap, 1);
	s->share[s->nshares++] = (struct share){
		.variable = tv_raw_format_label(s->log->run, "thread.%s", pu),
		.thread = find_thread(s, event, before),
		.last = 0 - tv_raw_arg(event, 4),
		.time = before,
	};
}

static void add_row(struct tv_raw_shares *s, uint32_t resource, uint32_t type, int64_t start,
		    int64_t end, double value)
{
	uint32_t row = tv_table_add_row(&s->log->run->trace->table[TV_VARIABLES]);

	tv_set_label(s->resource, row, resource);
	tv_set_label(s->type, row, type);
	tv_set_int(s->start, row, tv_raw_time(s->log, start));
	tv_set_int(s->end, row, tv_raw_time(s->log, end));
	tv_set_double(s->value, row, value);
}

void tv_raw_share_sample(struct tv_raw_shares *s, const struct tv_raw_event *event)
{
	uint64_t number = tv_raw_arg(event, 0), value;
	struct share *share;
	struct thread *thread;
	double time;

	if (number >= s->nshares || event->nargs < 4) {
		tv_raw_damaged(s->log, TV_DROPPED_BESIDE, "sample that nothing declares",
			       event->offset, "thread %" PRIu64 " of %zu", number, s->nshares);
		return;
	}
	share = &s->share[number];
	thread = &s->thread[share->thread];
	value = tv_raw_arg(event, 3);
	time = (double)(int64_t)(value - share->last);
	if (time > 0)
		add_row(s, thread->resource, share->variable, share->time, event->time, time);
	thread->value = (thread->any ? thread->value : 0) + time;
	thread->start = share->time;
	thread->any = true;
	share->last = value;
	share->time = event->time;
}

void tv_raw_end_shares(struct tv_raw_shares *s, int64_t now)
{
	uint32_t variable = tv_intern_text(s->log->run->trace->pool, "thread.task-clock");

	for (size_t i = 0; i < s->nthreads; i++) {
		struct thread *thread = &s->thread[i];

		if (thread->any && thread->start < now)
			add_row(s, thread->resource, variable, thread->start, now, thread->value);
		if (thread->any)
			thread->end = now;
		thread->any = false;
	}
}

void tv_raw_write_shares(const struct tv_raw_shares *s)
{
	struct tv_trace *trace = s->log->run->trace;
	struct tv_column *resource, *type, *node, *start, *end, *name, *id, *host;
	size_t n;

	TV_TRACE_COLUMNS(trace, TV_RESOURCES, { "ResourceId", &resource },
			 { "ResourceType", &type }, { "Node", &node }, { "Start", &start },
			 { "End", &end }, { "Name", &name }, { "ThreadId", &id },
			 { "Host", &host });
	for (size_t i = 0; i < s->nthreads; i++) {
		const struct thread *thread = &s->thread[i];
		uint32_t row;

		if (thread->title == TV_NONE)
			continue;
		row = tv_table_add_row(&trace->table[TV_RESOURCES]);
		tv_set_label(resource, row, thread->resource);
		tv_set_text(type, row, "Thread");
		tv_set_label(node, row, s->log->place);
		tv_set_int(start, row, tv_raw_time(s->log, thread->begin));
		tv_set_int(end, row, tv_raw_time(s->log, thread->end));
		if (tv_pool_text(trace->pool, thread->title)[0] != '\0')
			tv_set_text(name, row, tv_pool_text(trace->pool, thread->title));
		tv_raw_set_number(id, row, thread->id);
		if (s->log->run->hosts)
			tv_set_text(host, row, s->log->host);
	}
	if (tv_meta_get(trace, "Monitor.thread.task-clock.Unit", &n) == NULL && s->nthreads > 0) {
		tv_meta_add(trace, "Monitor.thread.task-clock.Unit", "ns");
		tv_meta_add(trace, "Monitor.thread.task-clock.Kind", "counter");
	}
}
